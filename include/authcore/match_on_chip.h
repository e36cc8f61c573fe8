/* authcore/match_on_chip.h: extension "match-on-chip/1" of a sensor driver, for sensors that compare prints themselves.
 *
 * A template is made on the chip and never leaves it. Each has a name of 1..AC_CHIP_ID_MAX bytes, which the chip stores
 * beside it. A match is the chip giving that name back: the host derives a key from the name and keeps no copy of it, so
 * a yes without the name opens nothing. A driver passes names on. It invents, logs and keeps none.
 *
 * A name that the host makes has at least AC_CHIP_ID_MIN random bytes and begins with none of 0x00, 0x20 and 0xff, which
 * some chips refuse. A name that a chip makes could be guessed.
 * Where an answer of the device holds a name, the driver checks that it has 1..AC_CHIP_ID_MAX bytes.
 *
 * All functions are [owner] and block, as in ac_sensor_driver_t. For touch and identify all holds that holds for capture:
 * deadlines, interrupt, AC_RETRY_…, messages, and that a finger which lies on the sensor has to be lifted first. If the
 * chip neither demands that nor tells whether a finger lies there, the driver waits until AC_CHIP_PAUSE_MS have passed
 * since the last touch. Every other function returns within 10 s; interrupt does not reach it, because half a write may
 * damage what the chip stores.
 *
 * An answer belongs to the call that is under way. What a call left behind that was interrupted, or timed out, is emptied
 * before the next one begins, so that no touch of then answers a question of now.
 *
 * Since 1.2. SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_MATCH_ON_CHIP_H
#define AUTHCORE_MATCH_ON_CHIP_H

#include "sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_CHIP_ID_MIN 16u
#define AC_CHIP_ID_MAX 64u
#define AC_CHIP_MAX_TEMPLATES 256u
#define AC_CHIP_NONCE_BYTES 32u
#define AC_CHIP_PAUSE_MS 1000u

/* ac_chip_info.abilities. A host enrolls no finger on a chip that lacks AC_CHIP_KEEPS_ID or AC_CHIP_LISTS, or whose names
 * have fewer than AC_CHIP_ID_MIN bytes. */
enum {
  AC_CHIP_KEEPS_ID = 1u << 0,         /* stores the very name it is given; otherwise it makes one of its own */
  AC_CHIP_LISTS = 1u << 1,            /* list names all templates, also those that others put there, without a finger */
  AC_CHIP_CLEARS = 1u << 2,           /* clear works; otherwise the host lists and removes */
  AC_CHIP_FINDS_DUPLICATES = 1u << 3, /* touch or commit says AC_ERR_EXISTS of a finger that is there already */
  AC_CHIP_FILTERS = 1u << 4,          /* identify compares with the names of the question and no other; it needs one */
  AC_CHIP_KNOWS_LIFT = 1u << 5        /* demands, or tells, that a finger has been lifted before it reads the next */
};

typedef struct ac_chip_info {
  uint32_t struct_size;
  uint32_t abilities;
  uint32_t capacity; /* templates; 0: unknown */
  uint32_t id_bytes; /* of a name: the most the chip stores, or, without AC_CHIP_KEEPS_ID, makes; 1..AC_CHIP_ID_MAX */
  uint32_t touches;  /* good ones that an enrollment takes; 0: the chip decides on the way */
} ac_chip_info_t;

/* A name. Never grows: every version steps through an array of it with its own sizeof. */
typedef struct ac_chip_id {
  uint32_t count; /* 0: none */
  uint8_t bytes[AC_CHIP_ID_MAX];
} ac_chip_id_t;

typedef struct ac_chip_progress {
  uint32_t struct_size;
  uint32_t percent; /* 0..100, never less than before; 100: commit can be called */
} ac_chip_progress_t;

typedef struct ac_chip_question {
  uint32_t struct_size;
  /* The templates asked for, which list has named since open. A chip without AC_CHIP_FILTERS may answer with another. The
   * host's, until the call returns. */
  const ac_chip_id_t *ids;
  uint32_t id_count; /* at most AC_CHIP_MAX_TEMPLATES; 0: any, of a chip without AC_CHIP_FILTERS */
  uint8_t nonce[AC_CHIP_NONCE_BYTES]; /* fresh; for a chip that attests what it says, 0 otherwise */
} ac_chip_question_t;

typedef struct ac_chip_answer {
  uint32_t struct_size;
  ac_chip_id_t match; /* count 0, as the host leaves it: a finger was read, and it is none of those asked for */
} ac_chip_answer_t;

/* No function is NULL. One whose ability is missing returns AC_ERR_UNSUPPORTED. */
typedef struct ac_match_on_chip_extension {
  uint32_t struct_size;

  /* What open has found out; does not talk to the device. */
  ac_status_t (*info)(ac_sensor_t *sensor, ac_chip_info_t *ret_info);

  /* Begins an enrollment under a name. Another that is under way ends without a trace. AC_ERR_FULL. */
  ac_status_t (*enroll)(ac_sensor_t *sensor, const ac_chip_id_t *id);
  /* Waits for one touch of the enrollment. A retry, a timeout and an interrupt do not end it; every other failure does.
   * AC_ERR_STATE: none is under way. */
  ac_status_t (*touch)(ac_sensor_t *sensor, uint32_t timeout_ms, ac_chip_progress_t *ret_progress);
  /* Stores the template, durably when it returns, and ends the enrollment. ret_id: the name that identify will answer. If
   * it fails nothing is stored; if that is not known it returns AC_ERR_IO, and the host lists. AC_ERR_STATE: the progress
   * is not 100. */
  ac_status_t (*commit)(ac_sensor_t *sensor, ac_chip_id_t *ret_id);
  /* Ends an enrollment and forgets its touches. AC_OK if there is none. close does the same. */
  ac_status_t (*abandon)(ac_sensor_t *sensor);

  /* Waits for a touch and says whose it is. AC_OK with and without a match. A name that the chip answers although it was
   * not asked for, where it filters, is AC_ERR_PROTOCOL. */
  ac_status_t (*identify)(ac_sensor_t *sensor, const ac_chip_question_t *question, uint32_t timeout_ms,
                          ac_chip_answer_t *ret_answer);

  /* Fills ret_ids[0..<*ret_count]. AC_ERR_MEMORY if capacity is too small; AC_CHIP_MAX_TEMPLATES always suffices. */
  ac_status_t (*list)(ac_sensor_t *sensor, ac_chip_id_t *ret_ids, uint32_t capacity, uint32_t *ret_count);
  /* Removes a template. AC_OK if there is none of that name. */
  ac_status_t (*remove)(ac_sensor_t *sensor, const ac_chip_id_t *id);
  /* Removes every template, also those that other systems put there. The host has asked the person. */
  ac_status_t (*clear)(ac_sensor_t *sensor);
} ac_match_on_chip_extension_t;

#ifdef __cplusplus
}
#endif
#endif
