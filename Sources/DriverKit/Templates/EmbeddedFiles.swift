// Made by scripts/embed-templates from the files that it names; run that again when one of them has changed.
// swift-format-ignore-file

/// The files that a new driver is made from, as they are in the sources.
enum EmbeddedFiles {
  /// Paths in the sources, and what is there.
  static let all: [(path: String, text: String)] = [
("include/module.modulemap", ##"""
module AuthcoreABI {
  header "authcore/common.h"
  header "authcore/sensor.h"
  header "authcore/usb.h"
  header "authcore/assemble.h"
  header "authcore/model.h"
  header "authcore/engine.h"
  export *
}

"""##),
("include/authcore/assemble.h", ##"""
/* authcore/assemble.h: service "assemble/1": the stripes or lines of a swipe to one image, and operations on pixels that
 * readers share. docs/frame-assembly.md has a worked example.
 *
 * The functions only compute: they keep nothing between calls, do not wait, and may be called on any thread. What they
 * read is the caller's and used until the call returns. What they write is the caller's too: an array ret_pixels with room for
 * capacity of its elements, which may not overlap what is read. Nothing is written unless AC_OK is returned.
 *
 * They return AC_ERR_ARGUMENT on a null pointer or a size that is 0 or beyond a limit below, and AC_ERR_MEMORY where
 * capacity is too small or the work too much.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_ASSEMBLE_H
#define AUTHCORE_ASSEMBLE_H

#include "sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_ASSEMBLE_SERVICE "assemble/1"

/* Limits; sides of images are AC_FRAME_MAX_SIDE at most. */
#define AC_ASSEMBLE_MAX_STRIPES 4096u
#define AC_ASSEMBLE_MAX_LINES 32768u
#define AC_ASSEMBLE_MAX_PIXELS (16u * 1024u * 1024u) /* of all stripes or lines */
#define AC_ASSEMBLE_MAX_WORK 4000000000u /* 16 * (height + 4) * height * (width + 64) * (count - 1) of stripes */
#define AC_ASSEMBLE_MAX_RESOLUTION 256u
#define AC_ASSEMBLE_MAX_SEARCH_RANGE 512u
#define AC_ASSEMBLE_MAX_MEDIAN_SIZE 255u
#define AC_ASSEMBLE_MAX_FACTOR 8u

typedef int32_t ac_stripe_placement_t;
enum {
  AC_STRIPES_EXACT = 0, /* bit by bit as libfprint places them */
  AC_STRIPES_ROBUST = 1 /* leaves stripes out while the finger stands; moves what fits nowhere as far as the rest */
};

/* Stripes in time order: small images, each width_px x height_px, which overlap from one to the next. */
typedef struct ac_stripes {
  uint32_t struct_size;
  uint32_t width_px, height_px;
  uint32_t count;           /* 1..AC_ASSEMBLE_MAX_STRIPES */
  const uint8_t *pixels;    /* stripe after stripe, row by row: count * width_px * height_px bytes */
  uint32_t image_width_px;  /* width_px or more; the first stripe lies in the middle */
  uint32_t image_min_height_px; /* a lower image is the verdict AC_RETRY_TOO_SHORT; 0: any height will do */
  uint32_t image_max_height_px; /* a higher image is AC_ERR_DATA; 1..AC_FRAME_MAX_SIDE */
  ac_stripe_placement_t placement;
} ac_stripes_t;

/* Lines of a sensor with two rows, of which the second sees the same skin a little later (or earlier), in time order. */
typedef struct ac_lines {
  uint32_t struct_size;
  uint32_t width_px;
  uint32_t count;           /* 2..AC_ASSEMBLE_MAX_LINES */
  const uint8_t *pixels;    /* line after line: count * width_px bytes */
  uint32_t resolution;      /* output lines per distance between the two rows */
  uint32_t median_size;     /* of the filter over the speed */
  uint32_t search_range;    /* how many lines later the second row is looked for */
  uint32_t image_min_height_px; /* as for stripes */
  uint32_t image_max_height_px; /* lines beyond are cut off; 1..AC_FRAME_MAX_SIDE */
  /* How different the second row of one line and the first row of another are; small when they show the same skin.
   * earlier < later < count. Called count / 2 * search_range times, before lines() returns. */
  int32_t (*deviation)(void *context, uint32_t earlier, uint32_t later);
  void *context; /* the first argument of deviation */
} ac_lines_t;

/* The image of a swipe. The caller sets struct_size. */
typedef struct ac_swipe_image {
  uint32_t struct_size;
  uint32_t width_px, height_px; /* the first width_px * height_px bytes of ret_pixels; 0 where no stripe lies */
  uint32_t flags;       /* AC_FRAME_FLIP_…, so that both directions come out alike; add AC_FRAME_INVERTED where it applies */
  ac_status_t verdict;  /* AC_OK; AC_RETRY_TOO_FAST, _TOO_SLOW, _TOO_SHORT or _TOO_SKEWED where that is clear */
  /* 0..1 each. quality = agreement * (1 - unusable_pairs / pairs) * straightness * (1 + evenness) / 2 */
  float quality;
  float agreement;      /* 1: neighbours are alike where they overlap; 0: no more than by chance */
  float evenness;       /* 1 - mean change of speed from pair to pair / mean speed */
  float straightness;   /* 1 - way sideways / way along the swipe; 1 for lines */
  uint32_t pairs, unusable_pairs; /* neighbours that were placed, and those of them that fit nowhere */
  uint32_t standing_pairs; /* stripes before which the finger stood; with AC_STRIPES_ROBUST they are no pairs */
} ac_swipe_image_t;

/* The table of the service. Everything is [any]. */
typedef struct ac_assemble_service {
  uint32_t struct_size;

  /* Puts a swipe together. capacity of image_width_px * image_max_height_px always suffices. AC_ERR_DATA: the image would be
   * higher than image_max_height_px. */
  ac_status_t (*stripes)(const ac_stripes_t *stripes, uint8_t *ret_pixels, size_t capacity,
                         ac_swipe_image_t *ret_image);
  /* capacity of width_px * image_max_height_px always suffices. */
  ac_status_t (*lines)(const ac_lines_t *lines, uint8_t *ret_pixels, size_t capacity, ac_swipe_image_t *ret_image);

  /* Enlarges 1..AC_ASSEMBLE_MAX_FACTOR times by bilinear interpolation, to factor * factor * width_px * height_px bytes, in
   * pixman's arithmetic for 8-bit images without repeat: the outside counts as 0. */
  ac_status_t (*enlarge)(const uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t factor,
                         uint8_t *ret_pixels, size_t capacity);
  /* Resizes to new_width_px * new_height_px bytes; each is the mean of the box of pixels that falls onto it. */
  ac_status_t (*resize)(const uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t new_width_px,
                        uint32_t new_height_px, uint8_t *ret_pixels, size_t capacity);
  /* Turns as the host turns frames, flags being AC_FRAME_…, to width_px * height_px bytes. */
  ac_status_t (*orient)(const uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t flags,
                        uint8_t *ret_pixels, size_t capacity);

  /* pixels minus background, 0 where the background is brighter: count elements each, 1..AC_ASSEMBLE_MAX_PIXELS. */
  ac_status_t (*subtract_background)(const uint16_t *pixels, const uint16_t *background, size_t count,
                                     uint16_t *ret_pixels, size_t capacity);
  /* Stretches count pixels, the darkest to 0 and the brightest to 255, rounding down; all 0 when they are alike. */
  ac_status_t (*normalise)(const uint16_t *pixels, size_t count, uint8_t *ret_pixels, size_t capacity);

  /* floor(sum((p - m)^2) / count), m = floor(sum(p) / count). */
  ac_status_t (*variance)(const uint8_t *pixels, size_t count, uint32_t *ret_variance);
  /* floor(sum((p - q)^2) / count). */
  ac_status_t (*mean_squared_difference)(const uint8_t *pixels, const uint8_t *others, size_t count,
                                         uint32_t *ret_difference);
} ac_assemble_service_t;

#ifdef __cplusplus
}
#endif
#endif

"""##),
("include/authcore/common.h", ##"""
/* authcore/common.h: what every plugin of authcore shares: versions, results, logging, services.
 *
 * The C ABI of authcore is these headers: common.h, sensor.h (drivers), usb.h (the transport a driver talks
 * through), assemble.h (swipes to one image), model.h (a device as software, for tests) and engine.h (enclave, keychain,
 * policy). A plugin needs these headers and nothing else: it imports no
 * symbol of the host and exports exactly one.
 *
 * Rules that hold for every function and struct here:
 *  - Every struct begins with struct_size, the sizeof its writer was built with. Fields are only ever appended.
 *    A reader uses a field only if offsetof(field) + sizeof(field) <= struct_size.
 *  - A plugin built against any 1.x works with any host 1.y. Another major version is refused.
 *  - Thread tags: [any] any thread, at any time; [owner] the one thread the host runs the plugin on.
 *  - Out-parameters are named ret_x and written only when AC_OK is returned.
 *  - A pointer that is NULL where one is needed is refused with AC_ERR_ARGUMENT, not followed.
 *  - Who provides memory for a struct that a call fills in (ret_frame, ret_info) sets its struct_size to the sizeof it
 *    was built with; the callee fills in no field beyond that.
 *  - Text is UTF-8, NUL terminated, without line breaks, and lives as long as stated beside it.
 *  - A plugin never exits, never changes signal handlers and never writes to standard output or error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_COMMON_H
#define AUTHCORE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* (major << 16) | minor. Drivers and engines have a version each: AC_SENSOR_ABI, AC_ENGINE_ABI. */
#define AC_ABI_VERSION(major, minor) (((uint32_t)(major) << 16) | (uint32_t)(minor))
#define AC_ABI_MAJOR(version) ((uint32_t)(version) >> 16)
#define AC_ABI_MINOR(version) ((uint32_t)(version) & 0xffffu)

#if defined(__GNUC__)
#define AC_EXPORT __attribute__((visibility("default")))
#else
#define AC_EXPORT
#endif

/* The outcome of a call. Three families that are never mixed: 0 is the result, 1..99 ask the person at the
 * sensor to try again, 100 and above say that the device, the plugin or its caller failed. */
typedef int32_t ac_status_t;
enum {
  AC_OK = 0,

  AC_RETRY_GENERAL = 1,      /* the touch could not be read; no better reason is known */
  AC_RETRY_TOO_DRY = 2,      /* ridges are broken: press a little harder or moisten the finger */
  AC_RETRY_TOO_WET = 3,      /* ridges run together: dry the finger */
  AC_RETRY_TOO_SHORT = 4,    /* a swipe that ended early, or a touch that was lifted too soon */
  AC_RETRY_TOO_FAST = 5,     /* a swipe faster than the sensor reads */
  AC_RETRY_TOO_SLOW = 6,     /* a swipe slower than the sensor reads */
  AC_RETRY_CENTER = 7,       /* the finger does not lie on the middle of the sensor */
  AC_RETRY_LIFT = 8,         /* the finger has to be lifted first */
  AC_RETRY_TOO_SKEWED = 9,   /* the finger lies or moves at too steep an angle */

  AC_ERR_TIMEOUT = 100,      /* the deadline passed, or nothing can come any more (end of a recording) */
  AC_ERR_INTERRUPTED = 101,  /* the call was made to return by interrupt() */
  AC_ERR_GONE = 102,         /* the device was unplugged */
  AC_ERR_BUSY = 103,         /* another program holds the device */
  AC_ERR_PERMISSION = 104,   /* the device or file may not be opened */
  AC_ERR_PROTOCOL = 105,     /* the device answered with something it should not */
  AC_ERR_IO = 106,           /* the transfer or file operation failed */
  AC_ERR_STALL = 107,        /* the endpoint halted: clear_halt, then go on */
  AC_ERR_TOO_HOT = 108,      /* the device must cool down */
  AC_ERR_ARGUMENT = 109,     /* the caller passed something the callee refuses; the message names it */
  AC_ERR_OPTION = 110,       /* an option's value is not understood; the message names it */
  AC_ERR_UNSUPPORTED = 111,  /* this device, firmware or ability is not supported */
  AC_ERR_ABI = 112,          /* the versions do not fit */
  AC_ERR_MEMORY = 113,       /* no memory, or a size beyond a stated limit */
  AC_ERR_STATE = 114,        /* not possible now (not open, already open) */
  AC_ERR_DATA = 115,         /* stored data is damaged or not ours */
  AC_ERR_NOT_FOUND = 116     /* nothing of that name */
};

typedef int32_t ac_log_level_t;
enum {
  AC_LOG_DEBUG = 0,   /* for the plugin's author */
  AC_LOG_INFO = 1,    /* for the administrator, nothing is wrong */
  AC_LOG_WARNING = 2, /* the device did something odd, work goes on */
  AC_LOG_ERROR = 3    /* the call that is under way will fail */
};

/* What the host gives a plugin. Valid from the entry call until the process ends; never freed by the plugin. */
typedef struct ac_host {
  uint32_t struct_size;
  uint32_t abi_version; /* the host's version of the ABI the plugin was loaded for */
  void *context;        /* pass back as the first argument of the functions below */

  /* Text for a person or a log; never secrets, prints or frames. The host copies it, cuts it at 1,024 bytes
   * and limits how much it takes. [any] */
  void (*log)(void *context, ac_log_level_t level, const char *text);

  /* Sets the message for the failure the plugin is about to return: one sentence that names the thing and says
   * what to do. The host copies it (at most 1,024 bytes) and shows it to the person. [owner] */
  void (*set_error)(void *context, const char *message);

  /* A service by name and revision ("usb/1", "store/1", …): a pointer to that service's table, or NULL where
   * the host does not have it. The table lives until the process ends. [any] */
  const void *(*service)(void *context, const char *name);
} ac_host_t;

/* "clock/1": answered by the hosting process itself, never by another. */
typedef struct ac_clock_service {
  uint32_t struct_size;
  /* Nanoseconds since boot, suspended time included (CLOCK_BOOTTIME). [any] */
  uint64_t (*boot_time_ns)(void);
  /* Seconds since 1970-01-01 UTC (CLOCK_REALTIME); may jump. [any] */
  int64_t (*wall_clock_s)(void);
  /* Waits for at most ns nanoseconds; returns AC_ERR_INTERRUPTED early when the host ends the work. [owner] */
  ac_status_t (*sleep_ns)(uint64_t ns);
} ac_clock_service_t;

/* "random/1": the kernel's generator (getrandom). */
typedef struct ac_random_service {
  uint32_t struct_size;
  /* Fills bytes[0..<count]. AC_ERR_IO when the kernel refuses. [any] */
  ac_status_t (*fill)(uint8_t *bytes, size_t count);
} ac_random_service_t;

#ifdef __cplusplus
}
#endif
#endif

"""##),
("include/authcore/engine.h", ##"""
/* authcore/engine.h: the ABI of an engine: enclave, keychain or policy.
 *
 * An engine is a mailbox: bytes in, bytes out. The bytes are the typed messages of Sources/EngineKit (docs/protocol.md),
 * so the same engine runs in the core's process or in a host of its own, and a fuzzer needs one entry point.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_ENGINE_H
#define AUTHCORE_ENGINE_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_ENGINE_ABI AC_ABI_VERSION(1, 0)
#define AC_ENGINE_ENTRY_SYMBOL "ac_engine_entry"
#define AC_ENGINE_MAX_MESSAGE (20u * 1024u * 1024u) /* bytes of a request or a response */

typedef int32_t ac_engine_kind_t;
enum { AC_ENGINE_ENCLAVE = 1, AC_ENGINE_KEYCHAIN = 2, AC_ENGINE_POLICY = 3 };

typedef struct ac_engine ac_engine_t; /* an engine's state; the engine defines it */

/* Takes a response. May be called once in a call; count may be 0. The receiver copies the bytes before it
 * returns, so the engine can wipe them at once. [owner] */
typedef void (*ac_engine_reply_t)(void *reply_context, const uint8_t *bytes, size_t count);

/* An engine. Everything it points to lives as long as the plugin; no function pointer is NULL. */
typedef struct ac_engine_plugin {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_ENGINE_ABI as the engine was built */
  ac_engine_kind_t kind;
  const char *name;     /* "software-enclave" */
  const char *version;

  /* Readies the engine from its services. A failure has a message set (host->set_error). [owner] */
  ac_status_t (*create)(ac_engine_t **ret_engine);

  /* Handles one request and replies once. Calls are never concurrent. request lives until the call returns. Any
   * status but AC_OK means that the engine is broken and has to be ended; refusals are responses. [owner] */
  ac_status_t (*call)(ac_engine_t *engine, const uint8_t *request, size_t request_count, ac_engine_reply_t reply,
                      void *reply_context);

  /* Wipes and frees. NULL is accepted. [owner] */
  void (*destroy)(ac_engine_t *engine);
} ac_engine_plugin_t;

/* The one symbol an engine exports. Opens nothing and blocks on nothing. [owner] */
AC_EXPORT ac_status_t ac_engine_entry(const ac_host_t *host, const ac_engine_plugin_t **ret_engine);

/* --- Services for engines --- */

/* "events/1": messages that belong to no call (progress of a match). */
typedef struct ac_event_service {
  uint32_t struct_size;
  void *context;
  /* The host copies bytes[0..<count]. [owner] */
  void (*emit)(void *context, const uint8_t *bytes, size_t count);
} ac_event_service_t;

/* "store/1": small files in the one folder the enclave's host opened before its sandbox closed. Names: a-z, 0-9,
 * '-' and '.', 1..64 bytes, not beginning with '.'. */
typedef struct ac_store_service {
  uint32_t struct_size;
  void *context;
  /* Reads a whole file into bytes[0..<capacity]; ret_count is its size, also when that is more than capacity
   * (then AC_ERR_MEMORY, and ret_count is written all the same). AC_ERR_NOT_FOUND where there is none. [owner] */
  ac_status_t (*load)(void *context, const char *name, uint8_t *bytes, size_t capacity, size_t *ret_count);
  /* Replaces the file as one step that survives a crash: temporary file, fsync, rename, fsync of the folder. mode 0600.
   * AC_ERR_IO with a message when it cannot (full disk, read-only folder): the old file is untouched. [owner] */
  ac_status_t (*save)(void *context, const char *name, const uint8_t *bytes, size_t count);
  /* Removes the file, durably. AC_OK where there is none. [owner] */
  ac_status_t (*remove)(void *context, const char *name);
} ac_store_service_t;

/* "boot/1": which boot this is, from the kernel. */
typedef struct ac_boot_service {
  uint32_t struct_size;
  /* Writes the 16 bytes of the kernel's boot id. [any] */
  ac_status_t (*boot_id)(uint8_t ret_identifier[16]);
} ac_boot_service_t;

/* "enclave/1": for the keychain: sends one message to the enclave and waits for its reply. The core passes on only
 * the kinds a keychain may send (seal, open, attributes); anything else is answered with a failure message. */
typedef struct ac_enclave_service {
  uint32_t struct_size;
  void *context;
  /* reply is called once, before the call returns AC_OK. AC_ERR_GONE when the enclave has ended. [owner] */
  ac_status_t (*call)(void *context, const uint8_t *request, size_t request_count, ac_engine_reply_t reply,
                      void *reply_context);
} ac_enclave_service_t;

/* "folder/1": the folder in which an engine that lives in the core keeps its database. */
typedef struct ac_folder_service {
  uint32_t struct_size;
  const char *path; /* absolute; exists, mode 0700 */
} ac_folder_service_t;

#ifdef __cplusplus
}
#endif
#endif

"""##),
("include/authcore/model.h", ##"""
/* authcore/model.h: the ABI of a device model: a USB device as software, for checking the driver that talks to it.
 *
 * A model is the protocol seen from the device's side. It is told what the host does and what time it is, and says what
 * the device answers; it never waits, has no thread and opens nothing. The simulated transport drives it, adds
 * what goes wrong (unplugging, stalls, short reads, garbage), and gives the driver usb/1 from it. `authcore driver check NAME.so`
 * uses the model NAME-model.so beside the driver.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_MODEL_H
#define AUTHCORE_MODEL_H

#include "usb.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_MODEL_ABI AC_ABI_VERSION(1, 0)
#define AC_MODEL_ENTRY_SYMBOL "ac_device_model_entry"

/* The service by which the simulated transport gets the model that was loaded beside it: an ac_device_model_t. */
#define AC_DEVICE_MODEL_SERVICE "device-model/1"

typedef struct ac_simulated_device ac_simulated_device_t; /* one device; the model defines it */

/* A model. Everything it points to lives as long as the plugin; no function pointer is NULL. All functions are [owner].
 * now_ns is the host's clock, in nanoseconds; it never goes back. A stalled request or endpoint is AC_ERR_STALL. */
typedef struct ac_device_model {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_MODEL_ABI as the model was built */
  const char *name;     /* "press": lower case, digits, '-' */

  /* Plugs a device in. settings is "name=value,…" with names of the model's own, or ""; it lives until the call returns.
   * AC_ERR_OPTION, with a message that names it, for a setting it does not know. */
  ac_status_t (*plug)(const char *settings, ac_simulated_device_t **ret_device);
  /* Frees the device. NULL is accepted. */
  void (*unplug)(ac_simulated_device_t *device);

  /* As in usb/1. */
  ac_status_t (*device_info)(ac_simulated_device_t *device, ac_usb_device_info_t *ret_info);
  ac_status_t (*interface_info)(ac_simulated_device_t *device, uint8_t index, ac_usb_interface_info_t *ret_info);

  /* Answers a control request. Bit 7 of request_type set: fills data[0..<length] and writes ret_count; otherwise data is
   * what the host writes, and ret_count what the device took. */
  ac_status_t (*control)(ac_simulated_device_t *device, uint64_t now_ns, uint8_t request_type, uint8_t request,
                         uint16_t value, uint16_t index, uint8_t *data, uint16_t length, uint32_t *ret_count);

  /* Takes a write to an OUT endpoint. */
  ac_status_t (*write)(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, const uint8_t *data,
                       uint32_t length);

  /* Answers a read of length bytes that waits at an IN endpoint: fills data[0..<*ret_count], at most length. AC_ERR_TIMEOUT:
   * nothing yet (the device answers NAK); it is asked again later. Bytes it does not hand out here stay with it. */
  ac_status_t (*read)(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, uint8_t *data, uint32_t length,
                      uint32_t *ret_count);
} ac_device_model_t;

/* The one symbol a model exports. [owner] */
AC_EXPORT ac_status_t ac_device_model_entry(const ac_host_t *host, const ac_device_model_t **ret_model);

#ifdef __cplusplus
}
#endif
#endif

"""##),
("include/authcore/sensor.h", ##"""
/* authcore/sensor.h: the ABI of a fingerprint sensor driver.
 *
 * A driver is a straight-line program. The host calls it on one thread: entry once, then for each device
 * open, capture as often as wanted, close. Calls block. Only interrupt comes from another thread. A driver turns
 * a device into frames; it matches nothing and sets no threshold. Drivers/Template is a complete driver to copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_SENSOR_H
#define AUTHCORE_SENSOR_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_SENSOR_ABI AC_ABI_VERSION(1, 0)
#define AC_SENSOR_ENTRY_SYMBOL "ac_sensor_entry"

/* Limits the host enforces on every frame. */
#define AC_FRAME_MAX_SIDE 4096u
#define AC_FRAME_MIN_PPI 100u
#define AC_FRAME_MAX_PPI 2000u

/* A USB device a driver handles. */
typedef struct ac_usb_match {
  uint16_t vendor_id;
  uint16_t product_id;
} ac_usb_match_t;

typedef int32_t ac_option_kind_t;
enum {
  AC_OPTION_TEXT = 0,   /* value: the text */
  AC_OPTION_NUMBER = 1, /* value: a decimal or 0x… number, checked by the host */
  AC_OPTION_FILE = 2    /* value: an absolute path; the host passes it opened read-only as well */
};

typedef struct ac_option_description {
  const char *name; /* lower case, digits, '-' */
  ac_option_kind_t kind;
  const char *summary; /* one line for `authcore driver info` */
} ac_option_description_t;

typedef struct ac_option {
  const char *name;
  const char *value;
  int32_t file_descriptor; /* AC_OPTION_FILE: open for reading, owned by the host; otherwise -1 */
  int64_t number;          /* AC_OPTION_NUMBER: the value; otherwise 0 */
} ac_option_t;

typedef int32_t ac_scan_type_t;
enum { AC_SCAN_PRESS = 0, AC_SCAN_SWIPE = 1 };

/* ac_sensor_description.flags */
enum {
  AC_SENSOR_SYNTHETIC = 1u << 0,    /* what it delivers is no real finger (see real_option) */
  AC_SENSOR_READS_FILES = 1u << 1,  /* opens files read-only while it runs */
  AC_SENSOR_OPENS_DEVICES = 1u << 2 /* uses a library that opens devices itself: gets a wider sandbox */
};

/* Static facts, readable without a device. Everything it points to lives as long as the plugin. */
typedef struct ac_sensor_description {
  uint32_t struct_size;
  const char *name;         /* "uru4000": lower case, digits, '-'; what --driver takes */
  const char *full_name;    /* "DigitalPersona U.are.U 4000/4500" */
  const char *version;      /* the driver's own version, free text */
  const ac_usb_match_t *usb_matches;
  uint32_t usb_match_count;
  ac_scan_type_t scan_type;
  uint32_t width_px, height_px; /* of a frame as delivered; 0 where it varies */
  uint32_t ppi;                 /* pixels per inch; 0 where it varies */
  uint32_t flags;
  const ac_option_description_t *options;
  uint32_t option_count;
  const char *real_option; /* with AC_SENSOR_SYNTHETIC: the option whose presence makes it real, or NULL */
} ac_sensor_description_t;

/* ac_frame.flags: how the pixels lie. The host turns every frame upright, ridges dark. */
enum {
  AC_FRAME_INVERTED = 1u << 0,        /* ridges are bright */
  AC_FRAME_FLIP_HORIZONTAL = 1u << 1, /* mirrored left to right */
  AC_FRAME_FLIP_VERTICAL = 1u << 2    /* upside down */
};

typedef struct ac_frame {
  uint32_t struct_size;
  uint32_t width_px, height_px; /* 1..AC_FRAME_MAX_SIDE each */
  uint32_t ppi;                 /* AC_FRAME_MIN_PPI..AC_FRAME_MAX_PPI */
  uint32_t flags;               /* AC_FRAME_… */
  const uint8_t *pixels;        /* grey, row by row, no padding; owned by the driver, valid until its next call */
  size_t pixel_count;           /* width_px * height_px; the host checks it */
} ac_frame_t;

typedef struct ac_sensor ac_sensor_t; /* a driver's open device; the driver defines it */

/* A driver. Everything it points to lives as long as the plugin. No function pointer is NULL except extension. */
typedef struct ac_sensor_driver {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_SENSOR_ABI as the driver was built */
  const ac_sensor_description_t *description;

  /* Opens the device (the one behind service "usb/1", where the driver has USB matches) and readies it.
   * options[0..<option_count] are checked against the description; they live until the call returns. [owner] */
  ac_status_t (*open)(const ac_option_t *options, uint32_t option_count, ac_sensor_t **ret_sensor);

  /* Waits for a touch (or a swipe) and delivers its frame. A finger that still lies on the sensor from the call
   * before has to be lifted first. Returns AC_OK with a frame, AC_RETRY_…, AC_ERR_TIMEOUT after timeout_ms,
   * AC_ERR_INTERRUPTED after interrupt, or another failure with a message set. After a retry or a timeout the
   * next call works; after AC_ERR_GONE it may, when the device has come back. [owner] */
  ac_status_t (*capture)(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame);

  /* Makes a capture that is under way return within 100 ms with AC_ERR_INTERRUPTED; without one it makes the
   * next capture do so. Must not block or take a lock that capture holds while it waits. [any] */
  void (*interrupt)(ac_sensor_t *sensor);

  /* Ends all transfers, lets go of the device and frees the sensor. NULL is accepted. [owner] */
  void (*close)(ac_sensor_t *sensor);

  /* A table for an optional ability by name and revision ("temperature/1"), or NULL. The field itself may be
   * NULL. [any] */
  const void *(*extension)(const char *name);
} ac_sensor_driver_t;

/* The one symbol a driver exports. Called once, before anything else; opens nothing and blocks on nothing.
 * AC_ERR_ABI when AC_ABI_MAJOR(host->abi_version) is not the one the driver was built for. [owner] */
AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *host, const ac_sensor_driver_t **ret_driver);

#ifdef __cplusplus
}
#endif
#endif

"""##),
("include/authcore/usb.h", ##"""
/* authcore/usb.h: service "usb/1", one USB device, and the ABI of the transport plugins that provide it.
 *
 * A driver gets the table from host->service(host->context, "usb/1"). The device was chosen and opened for it: a driver
 * finds no devices, opens none, and needs no library. The same calls are answered by libusb, by a recording
 * of USB traffic, or by a simulated device.
 *
 * Calls block, with a deadline each, and are made by one thread. Some devices want a read to be pending
 * before a write (an image that comes in answer to a command, interrupt messages that must not be missed):
 * submit_read queues one, wait collects it later, and other calls may run between the two.
 *
 * The interrupt function of the driver may call usb->interrupt: every blocking call that is under way, or the
 * next one, returns AC_ERR_INTERRUPTED. The state is cleared by the call that reports it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_USB_H
#define AUTHCORE_USB_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_USB_SERVICE "usb/1"
#define AC_TRANSPORT_ABI AC_ABI_VERSION(1, 0)
#define AC_TRANSPORT_ENTRY_SYMBOL "ac_transport_entry"

#define AC_USB_NO_TIMEOUT 0xffffffffu
#define AC_USB_MAX_TRANSFER (4u * 1024u * 1024u) /* bytes in one transfer */
#define AC_USB_MAX_PENDING_READS 16u

/* The endpoint types of USB 2.0, section 5.4 (isochronous transfers are not offered). */
typedef int32_t ac_usb_endpoint_type_t;
enum { AC_USB_BULK = 2, AC_USB_INTERRUPT = 3 };

typedef struct ac_usb_device_info {
  uint32_t struct_size;
  uint16_t vendor_id, product_id, bcd_device;
  uint8_t bus, address;       /* 0 where there is no bus */
  uint8_t interface_count;    /* of the active configuration */
} ac_usb_device_info_t;

typedef struct ac_usb_interface_info {
  uint32_t struct_size;
  uint8_t number, class_code, subclass_code, protocol_code;
  uint8_t endpoint_count;
  uint8_t endpoints[30]; /* addresses; bit 7 set: IN */
} ac_usb_interface_info_t;

typedef struct ac_usb ac_usb_t; /* the open device; defined by the transport */

/* The table. All functions but interrupt are [owner]. Data pointers are the driver's and used only until the call
 * returns; a queued read has a buffer of the transport's own. ret_count is what moved, also 0; a short read is
 * AC_OK. NO device any more is always AC_ERR_GONE, a halted endpoint AC_ERR_STALL. */
typedef struct ac_usb_service {
  uint32_t struct_size;
  ac_usb_t *device; /* pass back as the first argument */

  ac_status_t (*device_info)(ac_usb_t *device, ac_usb_device_info_t *ret_info);
  /* index: 0..<interface_count of the active configuration. AC_ERR_NOT_FOUND beyond. */
  ac_status_t (*interface_info)(ac_usb_t *device, uint8_t index, ac_usb_interface_info_t *ret_info);

  /* A kernel driver bound to the interface is detached where possible; that it cannot be is no failure by itself. */
  ac_status_t (*claim_interface)(ac_usb_t *device, uint8_t number);
  ac_status_t (*release_interface)(ac_usb_t *device, uint8_t number);

  /* A control transfer (USB 2.0, section 9.3). Bit 7 of request_type set: data[0..<length] is filled. */
  ac_status_t (*control)(ac_usb_t *device, uint8_t request_type, uint8_t request, uint16_t value, uint16_t index,
                         uint8_t *data, uint16_t length, uint32_t timeout_ms, uint32_t *ret_count);

  /* A blocking transfer; the direction is bit 7 of endpoint. length <= AC_USB_MAX_TRANSFER. On AC_ERR_TIMEOUT ret_count
   * is written too: what arrived before the deadline. */
  ac_status_t (*transfer)(ac_usb_t *device, ac_usb_endpoint_type_t type, uint8_t endpoint, uint8_t *data,
                          uint32_t length, uint32_t timeout_ms, uint32_t *ret_count);

  /* Queues a read of length bytes and returns at once with a ticket (never 0). At most AC_USB_MAX_PENDING_READS
   * are pending; AC_ERR_STATE beyond. Reads of one endpoint complete in the order they were queued. */
  ac_status_t (*submit_read)(ac_usb_t *device, ac_usb_endpoint_type_t type, uint8_t endpoint, uint32_t length,
                             uint32_t *ret_ticket);
  /* Waits until the read has completed and copies at most capacity bytes. On AC_ERR_TIMEOUT and AC_ERR_INTERRUPTED it
   * stays pending; on everything else the ticket is used up. */
  ac_status_t (*wait)(ac_usb_t *device, uint32_t ticket, uint32_t timeout_ms, uint8_t *data, uint32_t capacity,
                      uint32_t *ret_count);
  /* Ends a pending read and uses up its ticket; one that completed meanwhile is discarded. */
  ac_status_t (*cancel)(ac_usb_t *device, uint32_t ticket);

  ac_status_t (*clear_halt)(ac_usb_t *device, uint8_t endpoint);
  /* Resets the device. Claimed interfaces stay claimed; AC_ERR_GONE when it comes back as another device. */
  ac_status_t (*reset)(ac_usb_t *device);

  /* See the top of this header. Never blocks. [any] */
  void (*interrupt)(ac_usb_t *device);
} ac_usb_service_t;

/* --- Transport plugins: provide the service above. A driver author needs nothing below. --- */

/* Where the device comes from. */
typedef struct ac_transport_source {
  uint32_t struct_size;
  int32_t file_descriptor; /* the device node, or the recording, opened by the host; -1: by bus and address */
  uint8_t bus, address;
  const char *text;        /* transport-specific ("touches=3,fault=stall@7"); lives until the call returns */
  int32_t capture_descriptor; /* where to record the traffic (pcapng), opened for writing by the host; -1: nowhere */
} ac_transport_source_t;

typedef struct ac_transport {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_TRANSPORT_ABI as the transport was built */
  const char *name;     /* "usb", "recording", … */
  /* Opens the device. The service lives until close. [owner] */
  ac_status_t (*open)(const ac_transport_source_t *source, const ac_usb_service_t **ret_service);
  /* Cancels what is pending, releases and closes. NULL is accepted. [owner] */
  void (*close)(const ac_usb_service_t *service);
  /* Optional abilities by name and revision ("hotplug/1"), or NULL; the field itself may be NULL. [any] */
  const void *(*extension)(const char *name);
} ac_transport_t;

/* --- Extension "hotplug/1": which devices come and go. Asked of a transport that runs in a host of its own. --- */

#define AC_HOTPLUG_EXTENSION "hotplug/1"

typedef int32_t ac_usb_event_t;
enum {
  AC_USB_ARRIVED = 1, /* is there, or has come */
  AC_USB_LEFT = 2,    /* has gone; bus and address as they were when it came */
  AC_USB_SETTLED = 3  /* everything that was there at the start has been reported; comes once */
};

typedef int32_t ac_usb_place_t;
enum { AC_USB_PLACE_UNKNOWN = 0, AC_USB_EXTERNAL = 1, AC_USB_BUILT_IN = 2 };

typedef struct ac_usb_change {
  uint32_t struct_size;
  ac_usb_event_t event;
  uint16_t vendor_id, product_id, bcd_device;
  uint8_t bus, address;
  ac_usb_place_t place;
  char port_path[32]; /* "1-2.3": bus and ports, as the kernel names it; "" where unknown */
} ac_usb_change_t;

typedef struct ac_hotplug {
  uint32_t struct_size;
  /* Starts to watch. Once, before next. [owner] */
  ac_status_t (*start)(void);
  /* Waits for the next change: first what is there, then AC_USB_SETTLED, then what comes and goes.
   * AC_ERR_TIMEOUT after timeout_ms. [owner] */
  ac_status_t (*next)(uint32_t timeout_ms, ac_usb_change_t *ret_change);
} ac_hotplug_t;

/* The one symbol a transport exports. [owner] */
AC_EXPORT ac_status_t ac_transport_entry(const ac_host_t *host, const ac_transport_t **ret_transport);

#ifdef __cplusplus
}
#endif
#endif

"""##),
("scripts/exports/model.map", ##"""
{ global: ac_device_model_entry; local: *; };

"""##),
("scripts/exports/sensor.map", ##"""
{ global: ac_sensor_entry; local: *; };

"""##),
("Drivers/Template/Makefile", ##"""
# Builds the driver template.so and its device as software, template-model.so, with any C compiler, and checks the one with the other.
# AUTHCORE_INCLUDE is where the folder authcore/ with the headers lies; AUTHCORE is the command that checks.
AUTHCORE_INCLUDE ?= ../../include
AUTHCORE ?= authcore
CFLAGS ?= -O2 -g
CFLAGS += -std=c11 -Wall -Wextra -pedantic -Werror -fPIC -fvisibility=hidden -I$(AUTHCORE_INCLUDE)

all: template.so template-model.so

%.so: %.c
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $< -lm

test: all
	$(AUTHCORE) driver check ./template.so

clean:
	rm -f template.so template-model.so

.PHONY: all test clean

"""##),
("Drivers/Template/README.md", ##"""
# A driver to copy

`template.c` is a whole driver: one C file, the headers of `include/authcore`, nothing else. It drives a press sensor that
does not exist, in the way that most real ones are driven. `template-model.c` is that device as software.

```
make                                   # template.so and template-model.so
make test                              # authcore driver check ./template.so
authcore driver info ./template.so     # its facts
```

To make it yours: change the names and numbers at the top of both files and in `ac_sensor_entry`, then the three functions
that talk to the device, `open_sensor`, `await_message`, `read_image`, and, on the other side, what the device answers.

## The imaginary device

USB 1209:0001. Interface 0 has class, subclass and protocol ff, interrupt endpoint 81 (messages of 8 bytes) and bulk
endpoint 82 (images).

| control request | type | value | data |
| --- | --- | --- | --- |
| 01 set mode | 40 | 0 off, 1 await a touch, 2 send the image, 3 await the lift | none |
| 02 get identity | c0 | 0 | 4 bytes: width 96, height 112, model, firmware |

A message's first byte is its kind: 1 the finger is down, 2 it is up; others are to be ignored. The device drops a message
for which no read is queued, and forgets what it was about to send when a mode is set.

In answer to mode 2 comes one bulk transfer of 8 + 96 · 112 bytes, for which a read has to be queued before: `I`, a verdict (0
good, 1 too dry, 2 too wet, 3 off centre, 4 lifted too soon), six bytes without meaning, then the pixels row by row, ridges
bright, 500 ppi.

## What the file shows

- **Straight-line code.** Calls block, each with a deadline. There is no loop to run and no callback.
- **Reads queued before a command** (`submit_read`, then the command, then `wait`), since the answer may come at once.
- **Retry, result, failure.** A bad touch is an `AC_RETRY_…` and the next call works; a device that misbehaves is an
  `AC_ERR_…` with a sentence that says what to do.
- **Unplugging** shows as `AC_ERR_GONE` from whatever call is under way, and is handed on.
- **Interrupt** is handed to the transport, which ends the call that blocks. There is no flag to poll.
- **No settings.** The frame says how it lies and how dense it is; how it is matched is not the driver's concern.

`authcore driver check` runs it against `template-model.so`: unplugs it at every call, stalls it, cuts its answers short, and
looks whether the driver keeps every rule of the headers.

"""##),
("Drivers/Template/template-model.c", ##"""
/* The device of template.c as software: the protocol of README.md from the device's side, for `authcore driver check`.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <authcore/model.h>

enum { VENDOR = 0x1209, PRODUCT = 0x0001 };
enum { WIDTH = 96, HEIGHT = 112, HEADER = 8, IMAGE_BYTES = HEADER + WIDTH * HEIGHT };
enum { MESSAGES = 0x81, IMAGES = 0x82, MESSAGE_BYTES = 8 };
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_IMAGE = 2, MODE_AWAIT_LIFT = 3 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2 };

#define SCAN_NS UINT64_C(20000000) /* how long the sensor looks at a finger */

/* One device. It has at most one thing to send: setting a mode makes it forget what it was about to send. */
struct ac_simulated_device {
  unsigned long touches;  /* how often the finger comes */
  unsigned long delay_ms; /* how long it takes to come, and to go */
  unsigned long touch;    /* the touches so far */
  uint8_t endpoint;       /* where the next answer waits; 0: there is none */
  uint64_t ready_ns;      /* from when on */
  uint8_t kind;           /* of a message */
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Reads "touches=2,delay=40". Every model should know touches: `authcore driver check` sets it to 0 for a finger that never comes. */
static ac_status_t read_settings(const char *text, ac_simulated_device_t *device) {
  device->touches = 1000;
  while (*text != 0) {
    unsigned long *value = strncmp(text, "touches=", 8) == 0 ? &device->touches
                           : strncmp(text, "delay=", 6) == 0 ? &device->delay_ms
                                                             : NULL;
    char *end = NULL;
    if (value != NULL) *value = strtoul(strchr(text, '=') + 1, &end, 10);
    if (value == NULL || (*end != 0 && *end != ',')) {
      host->set_error(host->context, "This device's settings are touches=N and delay=MS");
      return AC_ERR_OPTION;
    }
    text = *end == ',' ? end + 1 : end;
  }
  return AC_OK;
}

static ac_status_t plug(const char *settings, ac_simulated_device_t **ret_device) {
  ac_simulated_device_t *device = calloc(1, sizeof *device);
  if (device == NULL) return AC_ERR_MEMORY;
  ac_status_t status = read_settings(settings, device);
  if (status != AC_OK) return free(device), status;
  return *ret_device = device, AC_OK;
}

static void unplug(ac_simulated_device_t *device) { free(device); }

static ac_status_t device_info(ac_simulated_device_t *device, ac_usb_device_info_t *ret_info) {
  (void)device;
  *ret_info = (ac_usb_device_info_t){.struct_size = sizeof *ret_info, .vendor_id = VENDOR, .product_id = PRODUCT,
                                     .bcd_device = 0x0100, .interface_count = 1};
  return AC_OK;
}

static ac_status_t interface_info(ac_simulated_device_t *device, uint8_t index, ac_usb_interface_info_t *ret_info) {
  (void)device;
  if (index != 0) return AC_ERR_NOT_FOUND;
  *ret_info = (ac_usb_interface_info_t){.struct_size = sizeof *ret_info, .class_code = 0xff, .subclass_code = 0xff,
                                        .protocol_code = 0xff, .endpoint_count = 2, .endpoints = {MESSAGES, IMAGES}};
  return AC_OK;
}

static void send_later(ac_simulated_device_t *device, uint8_t endpoint, uint8_t kind, uint64_t ready_ns) {
  device->endpoint = endpoint, device->kind = kind, device->ready_ns = ready_ns;
}

static ac_status_t set_mode(ac_simulated_device_t *device, uint16_t mode, uint64_t now_ns) {
  uint64_t finger_ns = now_ns + device->delay_ms * UINT64_C(1000000);
  device->endpoint = 0;
  switch (mode) {
    case MODE_OFF: return AC_OK;
    case MODE_AWAIT_TOUCH:
      if (device->touch >= device->touches) return AC_OK; /* nobody comes any more */
      device->touch++;
      return send_later(device, MESSAGES, MESSAGE_TOUCH, finger_ns), AC_OK;
    case MODE_AWAIT_LIFT: return send_later(device, MESSAGES, MESSAGE_LIFT, finger_ns), AC_OK;
    case MODE_SEND_IMAGE: return send_later(device, IMAGES, 0, now_ns + SCAN_NS), AC_OK;
    default: return AC_ERR_STALL;
  }
}

static ac_status_t control(ac_simulated_device_t *device, uint64_t now_ns, uint8_t request_type, uint8_t request,
                           uint16_t value, uint16_t index, uint8_t *data, uint16_t length, uint32_t *ret_count) {
  static const uint8_t identity[] = {WIDTH, HEIGHT, 1, 1};
  (void)index;
  *ret_count = 0;
  if (request_type == WRITE_VENDOR && request == SET_MODE) return set_mode(device, value, now_ns);
  if (request_type != READ_VENDOR || request != GET_IDENTITY) return AC_ERR_STALL;
  *ret_count = length < sizeof identity ? length : sizeof identity;
  return memcpy(data, identity, *ret_count), AC_OK;
}

static ac_status_t write_to(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, const uint8_t *data,
                            uint32_t length) {
  (void)device, (void)now_ns, (void)endpoint, (void)data, (void)length;
  return AC_ERR_STALL; /* it has no endpoint to write to */
}

/* How far a place of the finger lies along the waves that its ridges are. Each of the spots turns the phase once around itself, so a ridge
 * begins there (Larkin and Fletcher, "A coherent framework for fingerprint analysis", 2007, section 2). */
static double phase(double x, double y) {
  static const int spots[][2] = {{20, 24}, {52, 15}, {75, 33}, {34, 46}, {60, 55}, {17, 66}, {81, 72}, {45, 78}, {66, 90}, {28, 97}};
  const double turn = 6.283185307179586, period_px = 9, aside = x - WIDTH / 2;
  double sum = turn * (y + aside * aside / 160) / period_px;
  for (unsigned index = 0; index < sizeof spots / sizeof *spots; index++)
    sum += (index % 2 == 0 ? 1 : -1) * atan2(y - spots[index][1], x - spots[index][0]);
  return sum;
}

/* The finger, which lies a little elsewhere at every touch. */
static void draw(const ac_simulated_device_t *device, uint8_t image[IMAGE_BYTES]) {
  int right = (int)(device->touch * 5 % 9) - 4, down = (int)(device->touch * 3 % 7) - 3;
  memset(image, 0, HEADER);
  image[0] = 'I';
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      image[HEADER + y * WIDTH + x] = (uint8_t)(128 + 110 * cos(phase(x - right, y - down)));
}

static ac_status_t read_from(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, uint8_t *data,
                             uint32_t length, uint32_t *ret_count) {
  if (device->endpoint != endpoint || now_ns < device->ready_ns) return AC_ERR_TIMEOUT; /* nothing yet */
  uint8_t answer[IMAGE_BYTES] = {device->kind};
  uint32_t count = MESSAGE_BYTES;
  if (endpoint == IMAGES) draw(device, answer), count = IMAGE_BYTES;
  device->endpoint = 0;
  *ret_count = count < length ? count : length;
  return memcpy(data, answer, *ret_count), AC_OK;
}

AC_EXPORT ac_status_t ac_device_model_entry(const ac_host_t *the_host, const ac_device_model_t **ret_model) {
  static const ac_device_model_t model = {
      .struct_size = sizeof model, .abi_version = AC_MODEL_ABI, .name = "template", .plug = plug, .unplug = unplug,
      .device_info = device_info, .interface_info = interface_info, .control = control, .write = write_to,
      .read = read_from};
  if (the_host == NULL || ret_model == NULL) return AC_ERR_ARGUMENT;
  if (AC_ABI_MAJOR(the_host->abi_version) != AC_ABI_MAJOR(AC_MODEL_ABI)) return AC_ERR_ABI;
  host = the_host;
  *ret_model = &model;
  return AC_OK;
}

"""##),
("Drivers/Template/template.c", ##"""
/* A complete driver to copy: a press sensor that does not exist, with the protocol of README.md.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <authcore/sensor.h>
#include <authcore/usb.h>

enum { WIDTH = 96, HEIGHT = 112, PPI = 500, HEADER = 8, IMAGE_BYTES = HEADER + WIDTH * HEIGHT };
enum { INTERFACE = 0, MESSAGES = 0x81, IMAGES = 0x82, MESSAGE_BYTES = 8 };
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_IMAGE = 2, MODE_AWAIT_LIFT = 3 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2 };
enum { ANSWER_MS = 1000 }; /* the device answers a command, and sends its image, well within this */

/* One open device. A frame's pixels live in it until the next call. */
struct ac_sensor {
  const ac_usb_service_t *usb;
  const ac_clock_service_t *clock;
  int finger_is_down;
  uint8_t image[IMAGE_BYTES];
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Says why a call fails. A retry needs no message: its number says it all. */
static ac_status_t fail(ac_status_t status, const char *message) {
  if (status == AC_ERR_TIMEOUT || status == AC_ERR_INTERRUPTED) message = "No finger was read before the capture ended";
  if (status == AC_ERR_GONE) message = "The reader was unplugged: plug it in again";
  host->set_error(host->context, message);
  return status;
}

static ac_status_t set_mode(const ac_usb_service_t *usb, uint16_t mode) {
  return usb->control(usb->device, WRITE_VENDOR, SET_MODE, mode, 0, NULL, 0, ANSWER_MS, &(uint32_t){0});
}

/* An endpoint that halted is set going again, at the price of this touch. */
static ac_status_t unhalt(const ac_usb_service_t *usb, uint8_t endpoint, ac_status_t status) {
  if (status != AC_ERR_STALL) return status;
  status = usb->clear_halt(usb->device, endpoint);
  return status == AC_OK ? AC_RETRY_GENERAL : status;
}

/* Sets a mode and awaits its message. The read is queued first: the device drops a message that nobody awaits. */
static ac_status_t await_message(ac_sensor_t *sensor, uint16_t mode, uint8_t wanted, uint64_t deadline_ns) {
  const ac_usb_service_t *usb = sensor->usb;
  uint8_t message[MESSAGE_BYTES] = {0};
  uint32_t ticket = 0, count = 0;
  ac_status_t status = usb->submit_read(usb->device, AC_USB_INTERRUPT, MESSAGES, MESSAGE_BYTES, &ticket);
  if (status != AC_OK) return status;
  status = set_mode(usb, mode);
  while (status == AC_OK) {
    uint64_t now_ns = sensor->clock->boot_time_ns();
    uint64_t left_ms = now_ns < deadline_ns ? (deadline_ns - now_ns + 999999) / 1000000 : 0;
    status = left_ms == 0 ? AC_ERR_TIMEOUT
                          : usb->wait(usb->device, ticket, (uint32_t)left_ms, message, sizeof message, &count);
    if (status == AC_ERR_TIMEOUT || status == AC_ERR_INTERRUPTED) break; /* the read is still pending */
    ticket = 0;                                                          /* it is used up */
    if (status == AC_OK && count > 0 && message[0] == wanted) {
      sensor->finger_is_down = wanted == MESSAGE_TOUCH;
      break;
    }
    if (status == AC_OK) status = usb->submit_read(usb->device, AC_USB_INTERRUPT, MESSAGES, MESSAGE_BYTES, &ticket);
  }
  if (ticket != 0) usb->cancel(usb->device, ticket);
  return unhalt(usb, MESSAGES, status);
}

/* Fetches the image of a finger in one transfer. What is wrong with the touch, not with the device, is a retry. */
static ac_status_t read_image(ac_sensor_t *sensor) {
  static const uint8_t verdicts[] = {AC_OK, AC_RETRY_TOO_DRY, AC_RETRY_TOO_WET, AC_RETRY_CENTER, AC_RETRY_TOO_SHORT};
  const ac_usb_service_t *usb = sensor->usb;
  uint32_t ticket = 0, count = 0;
  ac_status_t status = usb->submit_read(usb->device, AC_USB_BULK, IMAGES, IMAGE_BYTES, &ticket);
  if (status != AC_OK) return status;
  status = set_mode(usb, MODE_SEND_IMAGE);
  if (status == AC_OK) {
    status = usb->wait(usb->device, ticket, ANSWER_MS, sensor->image, IMAGE_BYTES, &count);
    if (status != AC_ERR_TIMEOUT && status != AC_ERR_INTERRUPTED) ticket = 0;
  }
  if (ticket != 0) usb->cancel(usb->device, ticket);
  status = unhalt(usb, IMAGES, status);
  if (status != AC_OK) return status == AC_ERR_TIMEOUT ? AC_ERR_PROTOCOL : status; /* the image never came */
  if (count < HEADER || sensor->image[0] != 'I' || sensor->image[1] >= sizeof verdicts) return AC_ERR_PROTOCOL;
  status = verdicts[sensor->image[1]];
  return status == AC_OK && count != IMAGE_BYTES ? AC_RETRY_GENERAL : status; /* only part of the image came */
}

static ac_status_t capture(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame) {
  if (sensor == NULL || ret_frame == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  uint64_t deadline_ns = sensor->clock->boot_time_ns() + (uint64_t)timeout_ms * 1000000;
  ac_status_t status = AC_OK;
  if (sensor->finger_is_down) status = await_message(sensor, MODE_AWAIT_LIFT, MESSAGE_LIFT, deadline_ns);
  if (status == AC_OK) status = await_message(sensor, MODE_AWAIT_TOUCH, MESSAGE_TOUCH, deadline_ns);
  if (status == AC_OK) status = read_image(sensor);
  if (status >= 100) return fail(status, "The reader does not answer as it should: unplug it and plug it in again");
  if (status != AC_OK) return status;
  *ret_frame = (ac_frame_t){
      .struct_size = sizeof(ac_frame_t), .width_px = WIDTH, .height_px = HEIGHT, .ppi = PPI,
      .flags = AC_FRAME_INVERTED, .pixels = sensor->image + HEADER, .pixel_count = WIDTH * HEIGHT};
  return AC_OK;
}

/* Called by another thread. Whatever transfer capture waits in, or begins next, returns AC_ERR_INTERRUPTED. */
static void interrupt_capture(ac_sensor_t *sensor) {
  if (sensor != NULL) sensor->usb->interrupt(sensor->usb->device);
}

static void close_sensor(ac_sensor_t *sensor) {
  if (sensor == NULL) return;
  set_mode(sensor->usb, MODE_OFF); /* fails on a device that is gone, which is fine */
  sensor->usb->release_interface(sensor->usb->device, INTERFACE);
  free(sensor);
}

static ac_status_t open_sensor(const ac_option_t *options, uint32_t option_count, ac_sensor_t **ret_sensor) {
  (void)options, (void)option_count; /* it describes none, so the host passes none */
  const ac_usb_service_t *usb = host->service(host->context, AC_USB_SERVICE);
  const ac_clock_service_t *clock = host->service(host->context, "clock/1");
  if (ret_sensor == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (usb == NULL || clock == NULL) return fail(AC_ERR_NOT_FOUND, "The host has no USB device for this driver: plug one in");
  ac_sensor_t *sensor = calloc(1, sizeof *sensor);
  if (sensor == NULL) return fail(AC_ERR_MEMORY, "No memory for a sensor");
  sensor->usb = usb, sensor->clock = clock;
  uint8_t identity[4] = {0};
  uint32_t count = 0;
  ac_status_t status = usb->claim_interface(usb->device, INTERFACE);
  if (status == AC_OK)
    status = usb->control(usb->device, READ_VENDOR, GET_IDENTITY, 0, 0, identity, sizeof identity, ANSWER_MS, &count);
  if (status == AC_OK && (count != sizeof identity || identity[0] != WIDTH || identity[1] != HEIGHT))
    status = AC_ERR_UNSUPPORTED;
  if (status == AC_OK) return *ret_sensor = sensor, AC_OK;
  close_sensor(sensor);
  return fail(status, "The reader does not introduce itself as the model this driver knows");
}

AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *the_host, const ac_sensor_driver_t **ret_driver) {
  static const ac_usb_match_t matches[] = {{.vendor_id = 0x1209, .product_id = 0x0001}};
  static const ac_sensor_description_t description = {
      .struct_size = sizeof description, .name = "template", .full_name = "Template press sensor (imaginary)",
      .version = "1", .usb_matches = matches, .usb_match_count = 1, .scan_type = AC_SCAN_PRESS,
      .width_px = WIDTH, .height_px = HEIGHT, .ppi = PPI};
  static const ac_sensor_driver_t driver = {
      .struct_size = sizeof driver, .abi_version = AC_SENSOR_ABI, .description = &description,
      .open = open_sensor, .capture = capture, .interrupt = interrupt_capture, .close = close_sensor};
  if (the_host == NULL || ret_driver == NULL) return AC_ERR_ARGUMENT;
  if (AC_ABI_MAJOR(the_host->abi_version) != AC_ABI_MAJOR(AC_SENSOR_ABI)) return AC_ERR_ABI;
  host = the_host;
  *ret_driver = &driver;
  return AC_OK;
}

"""##),
("Drivers/TemplateSwift/Makefile", ##"""
# Builds the driver template.so and its device as software, template-model.so, with a Swift 6.3 toolchain, and checks the one with the
# other. SENSORKIT and AUTHCORE_INCLUDE are where SensorKit's sources and the headers lie; AUTHCORE is the command that checks.
SENSORKIT ?= ../../Sources/SensorKit
AUTHCORE_INCLUDE ?= ../../include
AUTHCORE ?= authcore
SWIFTC ?= swiftc
SWIFTFLAGS ?= -O
SWIFTFLAGS += -swift-version 6 -strict-memory-safety -warnings-as-errors -parse-as-library -wmo -I $(AUTHCORE_INCLUDE) \
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
  -enable-upcoming-feature MemberImportVisibility

all: template.so template-model.so

# SensorKit is compiled once and becomes part of both: a driver needs no library of ours.
build/SensorKit.o: $(wildcard $(SENSORKIT)/*/*.swift)
	mkdir -p build
	$(SWIFTC) $(SWIFTFLAGS) -module-name SensorKit -emit-module -emit-module-path build/SensorKit.swiftmodule \
	  -emit-object -o $@ $^

# A plugin exports its one symbol and nothing else.
template.so: template.swift build/SensorKit.o exports/sensor.map
	$(SWIFTC) $(SWIFTFLAGS) -I build -module-name Driver -emit-library -o $@ template.swift build/SensorKit.o \
	  -Xlinker --version-script=exports/sensor.map

template-model.so: template-model.swift build/SensorKit.o exports/model.map
	$(SWIFTC) $(SWIFTFLAGS) -I build -module-name Model -emit-library -o $@ template-model.swift build/SensorKit.o \
	  -Xlinker --version-script=exports/model.map

test: all
	$(AUTHCORE) driver check ./template.so

clean:
	rm -rf build template.so template-model.so

.PHONY: all test clean

"""##),
("Drivers/TemplateSwift/README.md", ##"""
# A driver to copy, in Swift

`template.swift` is a whole driver: one file on SensorKit, which is built into it. It drives a press sensor that does not exist, in
the way that most real ones are driven. `template-model.swift` is that device as software.

```
make                                   # template.so and template-model.so
make test                              # authcore driver check ./template.so
authcore driver info ./template.so     # its facts
```

To make it yours: change the names and numbers at the top of both files, then the functions that talk to the device (`init`,
`set`, `wait`, `readImage`) and, on the other side, what the device answers (`control`, `read`).

A driver runs on the Swift runtime of the toolchain that built it; build it with the one that authcore was built with.

## The imaginary device

USB 1209:0001. Interface 0 has class, subclass and protocol ff, interrupt endpoint 81 (messages of 8 bytes) and bulk
endpoint 82 (images).

| control request | type | value | data |
| --- | --- | --- | --- |
| 01 set mode | 40 | 0 off, 1 await a touch, 2 send the image, 3 await the lift | none |
| 02 get identity | c0 | 0 | 4 bytes: width 96, height 112, model, firmware |

A message's first byte is its kind: 1 the finger is down, 2 it is up; others are to be ignored. The device drops a message
for which no read is queued, and forgets what it was about to send when a mode is set.

In answer to mode 2 comes one bulk transfer of 8 + 96 · 112 bytes, for which a read has to be queued before: `I`, a verdict (0
good, 1 too dry, 2 too wet, 3 off centre, 4 lifted too soon), six bytes without meaning, then the pixels row by row, ridges
bright, 500 ppi.

"""##),
("Drivers/TemplateSwift/template-model.swift", ##"""
// The device of template.swift as software: the protocol of README.md from the device's side, for `authcore driver check`.
// SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import Glibc
internal import SensorKit

/// One device. It never waits and has no thread: it is told what the host does and what time it is.
struct TemplateDevice: DeviceModel {
  static let name = "template"
  /// How often the finger comes, and how many milliseconds it takes to. Every model should know `touches`: the checks set it to 0
  /// for a finger that never comes.
  static let settingNames = ["touches", "delay"]

  private static let width = 96
  private static let height = 112
  private static let messages: UInt8 = 0x81
  private static let images: UInt8 = 0x82
  /// How long the sensor looks at a finger.
  private static let scanTime = Duration.milliseconds(20)

  let info = USBDeviceInfo(
    vendor: 0x1209, product: 0x0001, release: 0x0100,
    interfaces: [
      USBInterfaceInfo(
        number: 0, classCode: 0xFF, subclassCode: 0xFF, protocolCode: 0xFF,
        endpoints: [Self.messages, Self.images])
    ])

  private let touches: Int
  private let delay: Duration
  private var touch = 0
  /// What it is going to send, where and when.
  private var answer: (time: Duration, endpoint: UInt8, bytes: [UInt8])?

  init(settings: ModelSettings) throws(SensorFailure) {
    touches = settings["touches", default: 1000]
    delay = .milliseconds(settings["delay", default: 0])
  }

  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer {
    switch (setup.type, setup.request) {
    case (0xC0, 2): return .bytes([UInt8(Self.width), UInt8(Self.height), 1, 1])
    case (0x40, 1): return set(mode: setup.value, at: now)
    default: return .stall
    }
  }

  /// Forgets what it was about to send and does as the host asks.
  private mutating func set(mode: UInt16, at now: Duration) -> ControlAnswer {
    answer = nil
    switch mode {
    case 0: break
    case 1:
      // A finger that comes no more leaves the device waiting.
      guard touch < touches else { break }
      touch += 1
      answer = (now + delay, Self.messages, [1, 0, 0, 0, 0, 0, 0, 0])
    case 2: answer = (now + Self.scanTime, Self.images, image())
    case 3: answer = (now + delay, Self.messages, [2, 0, 0, 0, 0, 0, 0, 0])
    default: return .stall
    }
    return .done
  }

  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    // It has no endpoint to write to.
    false
  }

  mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    guard let ready = answer, ready.endpoint == endpoint, ready.time <= now else { return nil }
    answer = nil
    return .bytes(Array(ready.bytes.prefix(length)))
  }

  /// The finger, which lies a little elsewhere at every touch.
  private func image() -> [UInt8] {
    let (right, down) = (touch * 5 % 9 - 4, touch * 3 % 7 - 3)
    var bytes: [UInt8] = [UInt8(ascii: "I"), 0, 0, 0, 0, 0, 0, 0]
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let phase = Self.phase(Double(x - right), Double(y - down))
        bytes.append(UInt8(128 + 110 * cos(phase)))
      }
    }
    return bytes
  }

  /// How far a place of the finger lies along the waves that its ridges are. Each of the spots turns the phase once around itself,
  /// so a ridge begins there (Larkin and Fletcher, "A coherent framework for fingerprint analysis", 2007, section 2).
  private static func phase(_ x: Double, _ y: Double) -> Double {
    let period = 9.0
    let bend = (x - Double(width) / 2) * (x - Double(width) / 2) / 160
    var sum = 2 * Double.pi * (y + bend) / period
    for (index, spot) in spots.enumerated() {
      sum += (index.isMultiple(of: 2) ? 1 : -1) * atan2(y - spot.y, x - spot.x)
    }
    return sum
  }

  private static let spots: [(x: Double, y: Double)] = [
    (20, 24), (52, 15), (75, 33), (34, 46), (60, 55), (17, 66), (81, 72), (45, 78), (66, 90),
    (28, 97),
  ]
}

/// The one symbol of a device model; see model.h.
@c @implementation
public func ac_device_model_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_model: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>!
) -> ac_status_t {
  unsafe export(model: TemplateDevice.self, host: host, ret: ret_model)
}

"""##),
("Drivers/TemplateSwift/template.swift", ##"""
// A complete driver to copy: a press sensor that does not exist, with the protocol of README.md.
// SPDX-License-Identifier: Apache-2.0

public import AuthcoreABI
internal import SensorKit

/// The driver, and the one device it has open; closing the device is its death.
struct TemplateSensor: SensorDriver, ~Copyable {
  static let description = SensorDescription(
    name: "template", fullName: "Template press sensor (imaginary)", version: "1",
    usbMatches: [.init(vendor: 0x1209, product: 0x0001)], scanType: .press,
    width: UInt32(width), height: UInt32(height), pixelsPerInch: 500)

  private static let width = 96
  private static let height = 112
  private static let headerLength = 8
  private static let imageLength = headerLength + width * height

  private static let messages = USBEndpoint.interrupt(0x81)
  private static let images = USBEndpoint.bulk(0x82)
  private static let messageLength = 8
  /// The device answers a command, and sends its image, well within this.
  private static let answerTime = Duration.seconds(1)

  private enum Request {
    static let setMode: UInt8 = 1
    static let identity: UInt8 = 2
  }

  private enum Mode: UInt16 {
    case off, awaitTouch, sendImage, awaitLift
  }

  private enum Message: UInt8 {
    case touch = 1
    case lift = 2
  }

  private let usb: USBDevice
  private let clock: HostClock
  private var fingerIsDown = false

  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure) {
    let usb = try context.usb()
    let clock = try context.host.clock()
    try usb.claimInterface(0)
    let identity = try usb.read(
      USBControlRequest(Request.identity), length: 4, deadline: Self.answerTime)
    guard identity.count == 4, identity[0] == Self.width, identity[1] == Self.height else {
      throw SensorFailure(
        .unsupported, "The reader does not introduce itself as the model this driver knows")
    }
    self.usb = usb
    self.clock = clock
  }

  // Both fail on a device that is gone, which is fine.
  deinit {
    try? set(.off)
    try? usb.releaseInterface(0)
  }

  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome {
    let end = clock.now() + timeout
    do throws(SensorFailure) {
      if fingerIsDown { try wait(for: .lift, in: .awaitLift, until: end) }
      try wait(for: .touch, in: .awaitTouch, until: end)
      return try readImage()
    } catch {
      // An endpoint that halted is set going again, at the price of this touch.
      guard error.code == .stall else { throw error }
      try usb.clearHalt(Self.messages)
      try usb.clearHalt(Self.images)
      return .retry(.general)
    }
  }

  private func set(_ mode: Mode) throws(SensorFailure) {
    try usb.write(
      USBControlRequest(Request.setMode, value: mode.rawValue), deadline: Self.answerTime)
  }

  /// Sets a mode and awaits its message. The read is queued first: the device drops a message that nobody awaits.
  private mutating func wait(
    for wanted: Message, in mode: Mode, until end: Duration
  ) throws(SensorFailure) {
    var isModeSet = false
    while true {
      var message = try usb.submitRead(from: Self.messages, length: Self.messageLength)
      if !isModeSet { try set(mode) }
      isModeSet = true
      let left = end - clock.now()
      guard left > .zero else { throw SensorFailure(.timeout, "No finger came in time") }
      guard try message.wait(deadline: left).first == wanted.rawValue else { continue }
      fingerIsDown = wanted == .touch
      return
    }
  }

  /// Fetches the image of a finger in one transfer. What is wrong with the touch, not with the device, is a retry.
  private func readImage() throws(SensorFailure) -> CaptureOutcome {
    var answer = try usb.submitRead(from: Self.images, length: Self.imageLength)
    try set(.sendImage)
    let bytes: [UInt8]
    do throws(SensorFailure) {
      bytes = try answer.wait(deadline: Self.answerTime)
    } catch {
      guard error.code == .timeout else { throw error }
      throw SensorFailure(
        .protocolViolation, "The reader sends no image: unplug it and plug it in again")
    }
    guard bytes.count >= Self.headerLength, bytes[0] == UInt8(ascii: "I") else {
      throw SensorFailure(
        .protocolViolation, "The reader sends no image: unplug it and plug it in again")
    }
    switch bytes[1] {
    case 0: break
    case 1: return .retry(.tooDry)
    case 2: return .retry(.tooWet)
    case 3: return .retry(.center)
    case 4: return .retry(.tooShort)
    default:
      throw SensorFailure(.protocolViolation, "The reader's verdict on the touch is \(bytes[1])")
    }
    guard bytes.count == Self.imageLength else { return .retry(.general) }
    return .frame(
      try Frame(
        width: Self.width, height: Self.height, pixelsPerInch: 500, layout: .inverted,
        pixels: Array(bytes[Self.headerLength...])))
  }
}

/// The one symbol of a driver; see sensor.h.
@c @implementation
public func ac_sensor_entry(
  _ host: UnsafePointer<ac_host_t>!,
  _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
) -> ac_status_t {
  unsafe export(TemplateSensor.self, host: host, ret: ret_driver)
}

"""##),
("Sources/SensorKit/Assembly/AssembledSwipe.swift", ##"""
/// The image of a swipe.
public struct AssembledSwipe: Equatable, Sendable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Row by row, no padding; 0 where no stripe lies.
  public let pixels: [UInt8]
  /// The flips that make both directions of a swipe come out alike. A driver whose ridges are bright adds
  /// ``Frame/Layout/inverted``.
  public let layout: Frame.Layout
  /// How good the swipe was.
  public let quality: SwipeQuality
}

"""##),
("Sources/SensorKit/Assembly/FrameAssembler+Pixels.swift", ##"""
internal import AuthcoreABI

extension FrameAssembler {
  /// Enlarges a picture 1...8 times by bilinear interpolation, bit by bit as the pixman library does for 8-bit images;
  /// the outside counts as 0.
  public func enlarge(_ pixels: [UInt8], width: Int, height: Int, factor: Int)
    throws(SensorFailure) -> [UInt8]
  {
    try check(pixels, width, height)
    guard 1...8 ~= factor else {
      throw SensorFailure(.argument, "Enlarging \(factor) times is not possible; 1 to 8 are")
    }
    let count = factor * factor * pixels.count
    return try unsafe fill("Enlarging \(width)x\(height) pixels", count: count) { table, result in
      unsafe table.enlarge(
        pixels, unsigned(width), unsigned(height), unsigned(factor), result, count)
    }
  }

  /// Resizes a picture; each pixel is the mean of the box of pixels that falls onto it.
  public func resize(
    _ pixels: [UInt8], width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws(SensorFailure) -> [UInt8] {
    try check(pixels, width, height)
    let (count, isTooLarge) = newWidth.multipliedReportingOverflow(by: newHeight)
    return try unsafe fill("Resizing \(width)x\(height) pixels", count: isTooLarge ? 0 : count) {
      table, result in
      unsafe table.resize(
        pixels, unsigned(width), unsigned(height), unsigned(newWidth), unsigned(newHeight), result,
        count)
    }
  }

  /// Turns a picture upright as the host turns frames. A driver needs it only to look at its picture itself.
  public func orient(_ pixels: [UInt8], width: Int, height: Int, layout: Frame.Layout)
    throws(SensorFailure) -> [UInt8]
  {
    try check(pixels, width, height)
    return try unsafe fill("Turning \(width)x\(height) pixels", count: pixels.count) {
      table, result in
      unsafe table.orient(
        pixels, unsigned(width), unsigned(height), layout.rawValue, result, pixels.count)
    }
  }

  /// `pixels` minus `background`, 0 where the background is brighter.
  public func subtract(background: [UInt16], from pixels: [UInt16]) throws(SensorFailure)
    -> [UInt16]
  {
    guard pixels.count == background.count else {
      throw SensorFailure(
        .argument, "A background of \(background.count) pixels does not fit \(pixels.count)")
    }
    return try unsafe fill("Subtracting the background", count: pixels.count) { table, result in
      unsafe table.subtract_background(pixels, background, pixels.count, result, pixels.count)
    }
  }

  /// Stretches from the darkest pixel, which becomes 0, to the brightest, which becomes 255; all 0 when they are alike.
  public func normalise(_ pixels: [UInt16]) throws(SensorFailure) -> [UInt8] {
    try unsafe fill("Stretching grey", count: pixels.count) { table, result in
      unsafe table.normalise(pixels, pixels.count, result, pixels.count)
    }
  }

  /// The mean square of the distance from the mean, both rounded down.
  public func variance(_ pixels: [UInt8]) throws(SensorFailure) -> Int {
    var variance: UInt32 = 0
    let status = unsafe table.pointee.variance(pixels, pixels.count, &variance)
    try check(status, "Taking the variance")
    return Int(variance)
  }

  /// The mean square of the difference, rounded down.
  public func meanSquaredDifference(_ pixels: [UInt8], _ others: [UInt8]) throws(SensorFailure)
    -> Int
  {
    guard pixels.count == others.count else {
      throw SensorFailure(
        .argument, "\(pixels.count) and \(others.count) pixels cannot be compared")
    }
    var difference: UInt32 = 0
    let status = unsafe table.pointee.mean_squared_difference(
      pixels, others, pixels.count, &difference)
    try check(status, "Comparing pixels")
    return Int(difference)
  }

  private func check(_ pixels: [UInt8], _ width: Int, _ height: Int) throws(SensorFailure) {
    let (count, isTooLarge) = width.multipliedReportingOverflow(by: height)
    guard !isTooLarge, width > 0, height > 0, pixels.count == count else {
      throw SensorFailure(
        .argument, "\(pixels.count) pixels are no picture of \(width)x\(height)")
    }
  }
}

"""##),
("Sources/SensorKit/Assembly/FrameAssembler+Swipes.swift", ##"""
internal import AuthcoreABI

extension FrameAssembler {
  /// Puts stripes together to one image.
  ///
  /// `stripes` are the pixels of stripe after stripe in time order, row by row; as many as there are.
  ///
  /// - Throws: ``SensorFailure/Code/data`` when the image would be higher than allowed, ``SensorFailure/Code/memory`` when
  ///   there are too many stripes to compare in time.
  public func assemble(stripes: [UInt8], _ geometry: StripeGeometry) throws(SensorFailure)
    -> AssembledSwipe
  {
    let area = geometry.width.multipliedReportingOverflow(by: geometry.height)
    let action = "Assembling stripes of \(geometry.width)x\(geometry.height) pixels"
    guard area.partialValue > 0, !area.overflow, stripes.count.isMultiple(of: area.partialValue)
    else {
      throw SensorFailure(.argument, "\(action): \(stripes.count) pixels are no whole stripes")
    }
    return try unsafe swipe(
      action, width: geometry.imageWidth, heights: geometry.imageHeights
    ) { table, pixels, capacity, image in
      unsafe stripes.withUnsafeBufferPointer { buffer in
        var input = unsafe ac_stripes_t(
          struct_size: UInt32(MemoryLayout<ac_stripes_t>.size), width_px: unsigned(geometry.width),
          height_px: unsigned(geometry.height), count: unsigned(stripes.count / area.partialValue),
          pixels: buffer.baseAddress, image_width_px: unsigned(geometry.imageWidth),
          image_min_height_px: unsigned(geometry.imageHeights.lowerBound),
          image_max_height_px: unsigned(geometry.imageHeights.upperBound),
          placement: ac_stripe_placement_t(
            geometry.placement == .exact ? AC_STRIPES_EXACT : AC_STRIPES_ROBUST))
        return unsafe table.stripes(&input, pixels, capacity, image)
      }
    }
  }

  /// Puts the lines of a sensor with two rows together to one image.
  ///
  /// `lines` are the pixels of line after line in time order, at least two. `deviation` takes two lines, the first earlier
  /// than the second, and gives a number that is small when the second row of one and the first row of the other show the
  /// same skin.
  public func assemble(
    lines: [UInt8], _ geometry: LineGeometry, deviation: @escaping (Int, Int) -> Int
  ) throws(SensorFailure) -> AssembledSwipe {
    let action = "Assembling lines of \(geometry.width) pixels"
    guard geometry.width > 0, lines.count.isMultiple(of: geometry.width) else {
      throw SensorFailure(.argument, "\(action): \(lines.count) pixels are no whole lines")
    }
    let box = DeviationBox(deviation)
    return try unsafe swipe(
      action, width: geometry.width, heights: geometry.imageHeights
    ) { table, pixels, capacity, image in
      unsafe lines.withUnsafeBufferPointer { buffer in
        var input = unsafe ac_lines_t(
          struct_size: UInt32(MemoryLayout<ac_lines_t>.size), width_px: unsigned(geometry.width),
          count: unsigned(lines.count / geometry.width), pixels: buffer.baseAddress,
          resolution: unsigned(geometry.resolution), median_size: unsigned(geometry.medianSize),
          search_range: unsigned(geometry.searchRange),
          image_min_height_px: unsigned(geometry.imageHeights.lowerBound),
          image_max_height_px: unsigned(geometry.imageHeights.upperBound),
          deviation: { context, earlier, later in
            guard let context = unsafe context else { return .max }
            let box = unsafe Unmanaged<DeviationBox>.fromOpaque(context).takeUnretainedValue()
            return Int32(clamping: box.deviation(Int(earlier), Int(later)))
          },
          context: Unmanaged.passUnretained(box).toOpaque())
        // The box is alive until the call, which alone uses its address, has returned.
        return withExtendedLifetime(box) {
          unsafe table.lines(&input, pixels, capacity, image)
        }
      }
    }
  }

  private func swipe(
    _ action: String, width: Int, heights: ClosedRange<Int>,
    _ body: (
      ac_assemble_service_t, UnsafeMutablePointer<UInt8>?, Int,
      UnsafeMutablePointer<ac_swipe_image_t>
    ) -> ac_status_t
  ) throws(SensorFailure) -> AssembledSwipe {
    let sides = 1...Int(AC_FRAME_MAX_SIDE)
    guard sides ~= width, sides ~= heights.upperBound else {
      throw SensorFailure(
        .argument, "\(action): an image of \(width)x\(heights.upperBound) is not possible")
    }
    var image = ac_swipe_image_t()
    image.struct_size = UInt32(MemoryLayout<ac_swipe_image_t>.size)
    let capacity = width * heights.upperBound
    var pixels: [UInt8] = try unsafe fill(action, count: capacity) { table, pixels in
      unsafe body(table, pixels, capacity, &image)
    }
    let count = Int(image.width_px) * Int(image.height_px)
    guard 1...capacity ~= count else {
      throw SensorFailure(.argument, "\(action): the host's image is larger than asked for")
    }
    pixels.removeSubrange(count...)
    return AssembledSwipe(
      width: Int(image.width_px), height: Int(image.height_px), pixels: pixels,
      layout: Frame.Layout(rawValue: image.flags), quality: SwipeQuality(image))
  }
}

/// What the C side carries the closure in.
private final class DeviationBox {
  let deviation: (Int, Int) -> Int

  init(_ deviation: @escaping (Int, Int) -> Int) { self.deviation = deviation }
}

extension SwipeQuality {
  fileprivate init(_ image: ac_swipe_image_t) {
    verdict = RetryReason(rawValue: image.verdict)
    overall = image.quality
    agreement = image.agreement
    evenness = image.evenness
    straightness = image.straightness
    pairs = Int(image.pairs)
    unusablePairs = Int(image.unusable_pairs)
    standingPairs = Int(image.standing_pairs)
  }
}

"""##),
("Sources/SensorKit/Assembly/FrameAssembler.swift", ##"""
internal import AuthcoreABI

extension SensorContext {
  /// The host's operations on stripes, lines and pixels, `assemble/1`.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` where the host has none.
  public func assembly() throws(SensorFailure) -> FrameAssembler {
    guard
      let table = unsafe host.service(AC_ASSEMBLE_SERVICE, as: ac_assemble_service_t.self),
      unsafe Int(table.pointee.struct_size) >= MemoryLayout<ac_assemble_service_t>.size
    else {
      throw SensorFailure(.unsupported, "The host assembles no frames (service assemble/1)")
    }
    return unsafe FrameAssembler(table)
  }
}

/// Puts swipes together and works on pixels: `assemble/1` with Swift types. Only computes; on any thread.
///
/// Every function throws ``SensorFailure/Code/argument`` on a size that is 0 or beyond the limits of `assemble.h`.
@safe public struct FrameAssembler: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes, and its functions are [any].
  let table: UnsafePointer<ac_assemble_service_t>

  init(_ table: UnsafePointer<ac_assemble_service_t>) {
    unsafe self.table = unsafe table
  }

  /// Makes a call that fills `count` elements.
  func fill<Element: FixedWidthInteger>(
    _ action: @autoclosure () -> String, count: Int,
    _ body: (ac_assemble_service_t, UnsafeMutablePointer<Element>?) -> ac_status_t
  ) throws(SensorFailure) -> [Element] {
    guard 1...maximumPixels ~= count else {
      throw SensorFailure(.argument, "\(action()): \(count) pixels are not possible")
    }
    var result = [Element](repeating: 0, count: count)
    let status = unsafe result.withUnsafeMutableBufferPointer { buffer in
      unsafe body(table.pointee, buffer.baseAddress)
    }
    try check(status, action())
    return result
  }

  func check(_ status: ac_status_t, _ action: @autoclosure () -> String) throws(SensorFailure) {
    guard status != ac_status_t(AC_OK) else { return }
    let code = SensorFailure.Code(rawValue: status) ?? .argument
    let reason =
      switch code {
      case .data: "the image would be higher than allowed"
      case .memory: "it would take too long, or too much memory"
      default: "a size is out of range"
      }
    throw SensorFailure(code, "\(action()) failed: \(reason)")
  }

  /// A count as the C side takes it; 0, which it refuses, for what does not fit.
  func unsigned(_ value: Int) -> UInt32 { UInt32(exactly: value) ?? 0 }

  /// `AC_ASSEMBLE_MAX_PIXELS`
  private var maximumPixels: Int { 16 * 1024 * 1024 }
}

"""##),
("Sources/SensorKit/Assembly/LineGeometry.swift", ##"""
/// The lines that a sensor of two rows sees of a swipe, and what image to make of them.
public struct LineGeometry: Sendable {
  /// Pixels of a line.
  public let width: Int
  /// Output lines per distance between the two rows.
  public let resolution: Int
  /// Size of the median filter over the speed.
  public let medianSize: Int
  /// How many lines later the second row is looked for.
  public let searchRange: Int
  /// Rows the image may have: what goes beyond is cut off, fewer are the verdict ``RetryReason/tooShort``.
  public let imageHeights: ClosedRange<Int>

  /// Describes lines and their image.
  public init(
    width: Int, resolution: Int, medianSize: Int, searchRange: Int, imageHeights: ClosedRange<Int>
  ) {
    self.width = width
    self.resolution = resolution
    self.medianSize = medianSize
    self.searchRange = searchRange
    self.imageHeights = imageHeights
  }
}

"""##),
("Sources/SensorKit/Assembly/StripeGeometry.swift", ##"""
/// The stripes a sensor sees of a swipe, and what image to make of them.
public struct StripeGeometry: Sendable {
  /// How stripes are placed.
  public enum Placement: Sendable {
    /// Bit by bit as libfprint places them.
    case exact
    /// Leaves stripes out while the finger stands; moves what fits nowhere as far as the rest.
    case robust
  }

  /// Pixels in a row of a stripe.
  public let width: Int
  /// Rows of a stripe.
  public let height: Int
  /// Columns of the image, at least `width`; the first stripe lies in the middle.
  public let imageWidth: Int
  /// Rows the image may have: more are an error, fewer the verdict ``RetryReason/tooShort``. At most 4096.
  public let imageHeights: ClosedRange<Int>
  /// How stripes are placed.
  public let placement: Placement

  /// Describes stripes and their image.
  public init(
    width: Int, height: Int, imageWidth: Int, imageHeights: ClosedRange<Int>,
    placement: Placement = .exact
  ) {
    self.width = width
    self.height = height
    self.imageWidth = imageWidth
    self.imageHeights = imageHeights
    self.placement = placement
  }
}

"""##),
("Sources/SensorKit/Assembly/SwipeQuality.swift", ##"""
/// How good a swipe was; docs/frame-assembly.md has what the figures are for real ones.
public struct SwipeQuality: Equatable, Sendable {
  /// What clearly went wrong, if anything: too fast, too slow, too short or too skewed.
  public let verdict: RetryReason?
  /// 0...1: agreement · share of usable pairs · straightness · (1 + evenness) / 2.
  public let overall: Float
  /// 0...1: how well neighbours fit together where they overlap; 0 is no better than by chance.
  public let agreement: Float
  /// 0...1: 1 minus the mean change of speed from pair to pair, relative to the mean speed.
  public let evenness: Float
  /// 0...1: 1 minus the way sideways over the way along the swipe.
  public let straightness: Float
  /// Neighbours that were placed.
  public let pairs: Int
  /// Pairs that fit nowhere.
  public let unusablePairs: Int
  /// Stripes before which the finger stood; with ``StripeGeometry/Placement/robust`` they are no pairs.
  public let standingPairs: Int
}

"""##),
("Sources/SensorKit/Driver/CaptureOutcome.swift", ##"""
/// What came of a touch. A device that fails throws a ``SensorFailure`` instead.
public enum CaptureOutcome: Equatable, Sendable {
  /// The image of the finger.
  case frame(Frame)
  /// The person has to try again.
  case retry(RetryReason)
}

"""##),
("Sources/SensorKit/Driver/Frame.swift", ##"""
internal import AuthcoreABI

/// A grey image as the sensor gives it; the host turns it upright and makes its ridges dark.
public struct Frame: Equatable, Sendable {
  /// How the pixels lie, as the `AC_FRAME_…` flags.
  public struct Layout: OptionSet, Sendable {
    /// The bits of `ac_frame.flags`.
    public let rawValue: UInt32

    /// Wraps bits of `ac_frame.flags`.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Ridges are bright.
    public static let inverted = Layout(rawValue: 1 << 0)
    /// Mirrored left to right.
    public static let flippedHorizontally = Layout(rawValue: 1 << 1)
    /// Upside down.
    public static let flippedVertically = Layout(rawValue: 1 << 2)
  }

  /// Pixels in a row, 1…4096.
  public let width: Int
  /// Rows, 1…4096.
  public let height: Int
  /// Pixels per inch, 100…2000.
  public let pixelsPerInch: Int
  /// How the pixels lie; empty: upright, ridges dark.
  public let layout: Layout
  /// `width * height` grey values, row by row, no padding.
  public let pixels: [UInt8]

  /// Describes an image. What `sensor.h` refuses is refused here, as the device's fault.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` that names the figure out of range.
  public init(
    width: Int, height: Int, pixelsPerInch: Int, layout: Layout = [], pixels: [UInt8]
  ) throws(SensorFailure) {
    let sides = 1...Int(AC_FRAME_MAX_SIDE)
    guard sides ~= width, sides ~= height else {
      throw SensorFailure(
        .protocolViolation,
        "The frame is \(width)x\(height); sides from 1 to \(sides.upperBound) pixels are possible")
    }
    guard Int(AC_FRAME_MIN_PPI)...Int(AC_FRAME_MAX_PPI) ~= pixelsPerInch else {
      throw SensorFailure(
        .protocolViolation,
        "The frame claims \(pixelsPerInch) ppi; \(AC_FRAME_MIN_PPI) to \(AC_FRAME_MAX_PPI) are possible"
      )
    }
    guard pixels.count == width * height else {
      throw SensorFailure(
        .protocolViolation,
        "The frame has \(pixels.count) pixels; \(width)x\(height) needs \(width * height)")
    }
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.layout = layout
    self.pixels = pixels
  }
}

"""##),
("Sources/SensorKit/Driver/OpenSensor.swift", ##"""
internal import AuthcoreABI
internal import Glibc

/// What an `ac_sensor_t *` of a Swift driver points to: an open device of any driver type.
///
/// A class, not an existential, because a C pointer has to lead straight to it.
class OpenSensor {
  let interruption: Interruption

  init(interruption: Interruption) {
    self.interruption = interruption
  }

  /// Captures, and stores the frame where `ret_frame` says.
  func capture(timeout: Duration, into ret_frame: UnsafeMutablePointer<ac_frame_t>)
    throws(SensorFailure) -> ac_status_t
  {
    throw SensorFailure(.unsupported, "This sensor captures nothing")
  }
}

/// The device of one driver type.
@safe final class OpenSensorOf<Driver: SensorDriver & ~Copyable>: OpenSensor {
  private var driver: Driver
  private var pixels = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  init(options: borrowing SensorOptions, host: PluginHost) throws(SensorFailure) {
    let context = SensorContext(host: host)
    driver = try Driver(options: options, context: context)
    super.init(interruption: context.interruption)
  }

  deinit { forgetPixels() }

  override func capture(timeout: Duration, into ret_frame: UnsafeMutablePointer<ac_frame_t>)
    throws(SensorFailure) -> ac_status_t
  {
    forgetPixels()
    try interruption.check()
    let frame: Frame
    switch try driver.capture(timeout: timeout) {
    case .retry(let reason): return reason.rawValue
    case .frame(let delivered): frame = delivered
    }
    unsafe pixels = .allocate(capacity: frame.pixels.count)
    _ = unsafe pixels.initialize(fromContentsOf: frame.pixels)
    unsafe ret_frame.pointee = unsafe ac_frame_t(
      struct_size: UInt32(MemoryLayout<ac_frame_t>.size), width_px: UInt32(frame.width),
      height_px: UInt32(frame.height), ppi: UInt32(frame.pixelsPerInch),
      flags: frame.layout.rawValue,
      pixels: pixels.baseAddress, pixel_count: pixels.count)
    return ac_status_t(AC_OK)
  }

  /// sensor.h: a frame is valid until the driver's next call; then it is wiped.
  private func forgetPixels() {
    guard let start = unsafe pixels.baseAddress else { return }
    unsafe explicit_bzero(start, pixels.count)
    unsafe pixels.deallocate()
    unsafe pixels = UnsafeMutableBufferPointer(start: nil, count: 0)
  }
}

"""##),
("Sources/SensorKit/Driver/RetryReason.swift", ##"""
/// Why the person has to try again, as the `AC_RETRY_…` values of `common.h`.
public enum RetryReason: Int32, CaseIterable, Sendable {
  /// The touch could not be read; no better reason is known.
  case general = 1
  /// Ridges are broken: press a little harder or moisten the finger.
  case tooDry = 2
  /// Ridges run together: dry the finger.
  case tooWet = 3
  /// A swipe that ended early, or a touch that was lifted too soon.
  case tooShort = 4
  /// A swipe faster than the sensor reads.
  case tooFast = 5
  /// A swipe slower than the sensor reads.
  case tooSlow = 6
  /// The finger does not lie on the middle of the sensor.
  case center = 7
  /// The finger has to be lifted first.
  case lift = 8
  /// The finger lies or moves at too steep an angle.
  case tooSkewed = 9
}

"""##),
("Sources/SensorKit/Driver/SensorContext.swift", ##"""
internal import AuthcoreABI

/// What an open device's driver works with.
public struct SensorContext: Sendable {
  /// The host's log and services.
  public let host: PluginHost
  /// The host's wish that a capture returns.
  public let interruption: Interruption

  init(host: PluginHost) {
    self.host = host
    interruption = Interruption()
  }

  /// The USB device that the host opened for this driver, `usb/1`.
  ///
  /// - Throws: ``SensorFailure/Code/notFound`` where the host has no device.
  public func usb() throws(SensorFailure) -> USBDevice {
    guard let service = unsafe host.service(AC_USB_SERVICE, as: ac_usb_service_t.self) else {
      throw SensorFailure(
        .notFound,
        "The host has no USB device for this driver: plug one in that `driver info` lists")
    }
    let device = try unsafe USBDevice(service, interruption: interruption)
    unsafe interruption.forward(to: service)
    return device
  }
}

"""##),
("Sources/SensorKit/Driver/SensorDescription.swift", ##"""
/// The static facts of a driver, as `ac_sensor_description` has them.
public struct SensorDescription: Sendable {
  /// A USB device the driver handles.
  public struct USBMatch: Sendable {
    let vendor: UInt16
    let product: UInt16

    /// Names a device by its vendor and product number.
    public init(vendor: UInt16, product: UInt16) {
      self.vendor = vendor
      self.product = product
    }
  }

  /// How a finger is presented.
  public enum ScanType: Sendable {
    /// The finger rests on the sensor.
    case press
    /// The finger is drawn over the sensor.
    case swipe
  }

  /// What the host has to know before it runs the driver.
  public struct Traits: OptionSet, Sendable {
    /// The bits of `ac_sensor_description.flags`.
    public let rawValue: UInt32

    /// Wraps bits of `ac_sensor_description.flags`.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// What it delivers is no real finger, unless ``SensorDescription/realOption`` is given.
    public static let synthetic = Traits(rawValue: 1 << 0)
    /// Opens files read-only while it runs.
    public static let readsFiles = Traits(rawValue: 1 << 1)
    /// Uses a library that opens devices itself: gets a wider sandbox.
    public static let opensDevices = Traits(rawValue: 1 << 2)
  }

  /// An option of the driver, `--driver name:option=value`.
  public struct Option: Sendable {
    /// What the host makes of the value.
    public enum Kind: Sendable {
      /// The text itself.
      case text
      /// A decimal or 0x… number, checked by the host.
      case number
      /// An absolute path, opened read-only by the host.
      case file
    }

    let name: String
    let kind: Kind
    let summary: String

    /// Describes an option; `summary` is one line for `authcore driver info`.
    public init(_ name: String, _ kind: Kind, summary: String) {
      self.name = name
      self.kind = kind
      self.summary = summary
    }
  }

  let name: String
  let fullName: String
  let version: String
  let usbMatches: [USBMatch]
  let scanType: ScanType
  let width: UInt32
  let height: UInt32
  let pixelsPerInch: UInt32
  let traits: Traits
  let options: [Option]
  let realOption: String?

  /// States the facts: `name` is what `--driver` takes (lower case, digits, '-'), `fullName` is for people, `version` is
  /// free text. Width and height of a frame as delivered in pixels, and its pixels per inch, are 0 where they vary.
  /// `realOption` names the option whose presence makes a ``Traits/synthetic`` driver a real one.
  public init(
    name: String, fullName: String, version: String, usbMatches: [USBMatch] = [],
    scanType: ScanType, width: UInt32 = 0, height: UInt32 = 0, pixelsPerInch: UInt32 = 0,
    traits: Traits = [], options: [Option] = [], realOption: String? = nil
  ) {
    self.name = name
    self.fullName = fullName
    self.version = version
    self.usbMatches = usbMatches
    self.scanType = scanType
    self.width = width
    self.height = height
    self.pixelsPerInch = pixelsPerInch
    self.traits = traits
    self.options = options
    self.realOption = realOption
  }
}

"""##),
("Sources/SensorKit/Driver/SensorDriver.swift", ##"""
// SensorKit: what the author of a sensor driver or a transport imports; it makes the C tables of include/authcore.

/// A driver for one model of sensor: a straight-line program that turns touches into frames.
///
/// The host makes one value for each device it opens, calls it on one thread, and lets it die to close the device.
/// A module holds one driver and hands it to the host with ``export(_:host:ret:)``:
///
///     @c @implementation
///     public func ac_sensor_entry(
///       _ host: UnsafePointer<ac_host_t>!,
///       _ ret_driver: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>!
///     ) -> ac_status_t {
///       unsafe export(MySensor.self, host: host, ret: ret_driver)
///     }
public protocol SensorDriver: ~Copyable, SendableMetatype {
  /// The static facts, readable without a device.
  static var description: SensorDescription { get }

  /// Opens the device and readies it. Nothing else is called if this throws.
  init(options: borrowing SensorOptions, context: SensorContext) throws(SensorFailure)

  /// Waits for a touch (or a swipe). A finger that still lies on the sensor from the call before has to be lifted
  /// first. After a retry or a timeout the next call works; after ``SensorFailure/Code/gone`` it may.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` after `timeout`, ``SensorFailure/Code/interrupted`` within 100 ms of a
  ///   request at the context's ``SensorContext/interruption``, or what the device did.
  mutating func capture(timeout: Duration) throws(SensorFailure) -> CaptureOutcome
}

"""##),
("Sources/SensorKit/Driver/SensorOptions.swift", ##"""
internal import AuthcoreABI

/// The options a driver was opened with, already checked against its description by the host.
public struct SensorOptions: ~Copyable {
  /// The value of one option.
  public struct Value: Sendable {
    let name: String
    /// The value as it was written.
    public let text: String
    /// The value of a ``SensorDescription/Option/Kind/number`` option; otherwise 0.
    public let number: Int64
    /// A ``SensorDescription/Option/Kind/file`` option, open for reading and owned by the host: it may be used until the
    /// driver's `init` returns. Otherwise -1.
    public let fileDescriptor: Int32

    /// Describes an option, as a test does that makes a driver without a host.
    public init(_ name: String, text: String, number: Int64 = 0, fileDescriptor: Int32 = -1) {
      self.name = name
      self.text = text
      self.number = number
      self.fileDescriptor = fileDescriptor
    }
  }

  private let values: [Value]

  /// Options that did not come from a host.
  public init(_ values: [Value] = []) {
    self.values = values
  }

  /// Copies what the host passed to `open`.
  init(_ options: UnsafePointer<ac_option_t>?, count: UInt32) throws(SensorFailure) {
    guard count <= 64, unsafe options != nil || count == 0 else {
      throw SensorFailure(
        .argument, "The host passed \(count) options in a way that is not possible")
    }
    values = (0..<Int(count)).compactMap { index in
      guard
        let option = unsafe options?[index], let name = unsafe option.name,
        let value = unsafe option.value
      else { return nil }
      return unsafe Value(
        String(cString: name), text: String(cString: value), number: option.number,
        fileDescriptor: option.file_descriptor)
    }
  }

  /// The value of an option, nil where it was not given; the last one counts.
  public subscript(name: String) -> Value? {
    values.last { $0.name == name }
  }

  /// Reads an on-off option of kind number: absent or 0 is off, 1 is on.
  ///
  /// - Throws: ``SensorFailure/Code/option`` on any other number.
  public func isOn(_ name: String) throws(SensorFailure) -> Bool {
    guard let value = self[name] else { return false }
    guard 0...1 ~= value.number else {
      throw SensorFailure(
        .option, "The option \(name) is 0 or 1, not \"\(value.text)\"")
    }
    return value.number == 1
  }
}

"""##),
("Sources/SensorKit/Driver/SensorTable+Description.swift", ##"""
internal import AuthcoreABI
internal import Glibc

extension SensorTable {
  /// Copies the facts to C memory that is never freed; see ``make(_:)``.
  @unsafe static func describe(_ facts: SensorDescription)
    -> UnsafePointer<ac_sensor_description_t>
  {
    let matches = unsafe immortal(
      facts.usbMatches.map { ac_usb_match_t(vendor_id: $0.vendor, product_id: $0.product) })
    let options = unsafe immortal(
      facts.options.map { option in
        unsafe ac_option_description_t(
          name: immortal(option.name), kind: kind(option.kind), summary: immortal(option.summary))
      })
    return unsafe immortal(
      ac_sensor_description_t(
        struct_size: UInt32(MemoryLayout<ac_sensor_description_t>.size),
        name: immortal(facts.name), full_name: immortal(facts.fullName),
        version: immortal(facts.version), usb_matches: matches,
        usb_match_count: UInt32(facts.usbMatches.count),
        scan_type: ac_scan_type_t(facts.scanType == .press ? AC_SCAN_PRESS : AC_SCAN_SWIPE),
        width_px: facts.width, height_px: facts.height, ppi: facts.pixelsPerInch,
        flags: facts.traits.rawValue, options: options, option_count: UInt32(facts.options.count),
        real_option: facts.realOption.map { unsafe immortal($0) } ?? nil))
  }

  private static func kind(_ kind: SensorDescription.Option.Kind) -> ac_option_kind_t {
    switch kind {
    case .text: ac_option_kind_t(AC_OPTION_TEXT)
    case .number: ac_option_kind_t(AC_OPTION_NUMBER)
    case .file: ac_option_kind_t(AC_OPTION_FILE)
    }
  }
}

"""##),
("Sources/SensorKit/Driver/SensorTable.swift", ##"""
internal import AuthcoreABI
internal import Synchronization

/// The C side of a Swift driver: sensor.h's table, filled with functions that lead to ``OpenSensor``.
enum SensorTable {
  /// Allocates the table. It is never freed: sensor.h promises the host that it lives as long as the module, and a
  /// module is never unloaded.
  @unsafe static func make(_ description: SensorDescription) -> UnsafePointer<ac_sensor_driver_t> {
    unsafe immortal(
      ac_sensor_driver_t(
        struct_size: UInt32(MemoryLayout<ac_sensor_driver_t>.size), abi_version: sensorABI,
        description: SensorTable.describe(description),
        open: { unsafe SensorTable.open($0, count: $1, ret: $2) },
        capture: { unsafe SensorTable.capture($0, milliseconds: $1, ret: $2) },
        interrupt: { unsafe SensorTable.interrupt($0) },
        close: { unsafe SensorTable.close($0) },
        extension: nil))
  }

  private static func open(
    _ options: UnsafePointer<ac_option_t>?, count: UInt32,
    ret: UnsafeMutablePointer<OpaquePointer?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret,
      let (host, open) = unsafe exported.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.open) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      let sensor = try open(unsafe SensorOptions(options, count: count), host)
      unsafe ret.pointee = OpaquePointer(Unmanaged.passRetained(sensor).toOpaque())
      return ac_status_t(AC_OK)
    } catch {
      host.setError(error.message)
      return error.status
    }
  }

  private static func capture(
    _ sensor: OpaquePointer?, milliseconds: UInt32, ret: UnsafeMutablePointer<ac_frame_t>?
  ) -> ac_status_t {
    guard let sensor = unsafe sensor, let ret = unsafe ret else {
      return SensorFailure.Code.argument.rawValue
    }
    do throws(SensorFailure) {
      return try unsafe openSensor(sensor).capture(timeout: .milliseconds(milliseconds), into: ret)
    } catch {
      unsafe exported.withLock { unsafe $0?.host }?.setError(error.message)
      return error.status
    }
  }

  private static func interrupt(_ sensor: OpaquePointer?) {
    guard let sensor = unsafe sensor else { return }
    unsafe openSensor(sensor).interruption.request()
  }

  private static func close(_ sensor: OpaquePointer?) {
    guard let sensor = unsafe sensor else { return }
    unsafe Unmanaged<OpenSensor>.fromOpaque(UnsafeRawPointer(sensor)).release()
  }

  private static func openSensor(_ sensor: OpaquePointer) -> OpenSensor {
    unsafe Unmanaged<OpenSensor>.fromOpaque(UnsafeRawPointer(sensor)).takeUnretainedValue()
  }
}

"""##),
("Sources/SensorKit/Driver/export.swift", ##"""
public import AuthcoreABI
internal import Synchronization

/// Makes the C table of `driver` and gives it to the host: the whole body of `ac_sensor_entry`.
///
/// A module exports one driver. [owner]
///
/// - Returns: `AC_OK`; `AC_ERR_ABI` when the host is of another major version; `AC_ERR_STATE` when this module already
///   exported another driver; `AC_ERR_ARGUMENT` on a null pointer.
@unsafe public func export<Driver: SensorDriver & ~Copyable>(
  _ driver: Driver.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_sensor_driver_t>?>?
) -> ac_status_t {
  guard let host = unsafe host, let ret = unsafe ret else {
    return SensorFailure.Code.argument.rawValue
  }
  guard unsafe host.pointee.abi_version >> 16 == sensorABI >> 16,
    let services = unsafe PluginHost(host)
  else { return SensorFailure.Code.versionMismatch.rawValue }
  let identity = ObjectIdentifier(driver)
  let table: UnsafePointer<ac_sensor_driver_t>? = unsafe exported.withLock { exported in
    if let exported = unsafe exported {
      return unsafe exported.identity == identity ? exported.table : nil
    }
    let made = unsafe ExportedDriver(
      identity: identity, table: SensorTable.make(Driver.description), host: services,
      open: { (options, host) throws(SensorFailure) in
        try OpenSensorOf<Driver>(options: options, host: host)
      })
    unsafe exported = unsafe made
    return unsafe made.table
  }
  guard let table = unsafe table else { return SensorFailure.Code.state.rawValue }
  unsafe ret.pointee = unsafe table
  return ac_status_t(AC_OK)
}

/// `AC_SENSOR_ABI`, a macro that Swift does not import.
let sensorABI: UInt32 = 1 << 16

/// The driver of this module. The C open function has no argument that could carry it, hence a global; written once,
/// in the entry call.
@safe let exported = unsafe Mutex<ExportedDriver?>(nil)

/// A driver as the C table needs it.
@unsafe struct ExportedDriver {
  let identity: ObjectIdentifier
  let table: UnsafePointer<ac_sensor_driver_t>
  let host: PluginHost
  let open: @Sendable (borrowing SensorOptions, PluginHost) throws(SensorFailure) -> OpenSensor
}

"""##),
("Sources/SensorKit/Host/HostClock.swift", ##"""
internal import AuthcoreABI

/// The hosting process's own clock, `clock/1`. In tests it is a virtual one, so a driver must use no other.
@safe public struct HostClock: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes. boot_time_ns is [any]; sleep is called on
  // the owner's thread only, because only a driver's own call gets there.
  private let bootTime: @convention(c) () -> UInt64
  private let sleep: @convention(c) (UInt64) -> ac_status_t

  init?(_ service: UnsafePointer<ac_clock_service_t>) {
    let table = unsafe service.pointee
    guard
      Int(table.struct_size) >= MemoryLayout<ac_clock_service_t>.size,
      let bootTime = table.boot_time_ns, let sleep = table.sleep_ns
    else { return nil }
    self.bootTime = bootTime
    self.sleep = sleep
  }

  /// Time since boot, suspended time included (`CLOCK_BOOTTIME`).
  public func now() -> Duration {
    let nanoseconds = bootTime()
    return .seconds(Int64(nanoseconds / 1_000_000_000))
      + .nanoseconds(Int64(nanoseconds % 1_000_000_000))
  }

  /// Waits; a negative or zero duration returns at once. On the owner's thread. A wait of more than 50 ms belongs to
  /// ``Interruption/wait(for:on:)``, which hears the host's interrupt.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted`` when the host ends the work.
  public func sleep(for duration: Duration) throws(SensorFailure) {
    guard duration > .zero else { return }
    let (seconds, attoseconds) = duration.components
    // A day is more than any driver sleeps and keeps the product far from overflow.
    let nanoseconds =
      UInt64(min(seconds, 86_400)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    let status = sleep(nanoseconds)
    guard status == ac_status_t(AC_OK) else {
      throw SensorFailure(.interrupted, "The host ended the work")
    }
  }
}

"""##),
("Sources/SensorKit/Host/Interruption.swift", ##"""
internal import AuthcoreABI
internal import Synchronization

/// The host's wish that a capture returns. Asked for on any thread, taken on the owner's.
@safe public final class Interruption: Sendable {
  private let isRequested = Atomic<Bool>(false)
  // The table of usb/1, once the driver has taken it: its interrupt ends a transfer that blocks. nonisolated(unsafe):
  // the table lives until the process ends and its interrupt is [any] (usb.h).
  nonisolated(unsafe) private let usb = unsafe Atomic<UnsafePointer<ac_usb_service_t>?>(nil)

  // Of a transport that waits in the kernel: brings its thread back to ``check()``.
  private let alarm = Mutex<(@Sendable () -> Void)?>(nil)

  init() {}

  /// From here on a request also calls `action`, which must not block, on the thread that asks.
  public func onRequest(_ action: @escaping @Sendable () -> Void) {
    alarm.withLock { $0 = action }
  }

  /// Asks. Never blocks; a request that nobody waits for is taken by the next capture. On any thread.
  public func request() {
    // In this order, so that a transfer reported as interrupted always finds the request.
    isRequested.store(true, ordering: .sequentiallyConsistent)
    if let service = unsafe usb.load(ordering: .sequentiallyConsistent) {
      unsafe service.pointee.interrupt(service.pointee.device)
    }
    alarm.withLock { $0 }?()
  }

  /// From here on a request also ends the blocking calls of this device.
  func forward(to service: UnsafePointer<ac_usb_service_t>) {
    unsafe usb.store(service, ordering: .sequentiallyConsistent)
  }

  /// Takes the request, if there is one.
  func take() -> Bool {
    isRequested.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// Returns unless an interrupt was asked for; a driver that computes for long calls it now and then.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted``, once for each request.
  public func check() throws(SensorFailure) {
    if take() { throw SensorFailure(.interrupted, "The capture was interrupted") }
  }

  /// Waits, and hears an interrupt within 20 ms.
  ///
  /// - Throws: ``SensorFailure/Code/interrupted``.
  public func wait(for duration: Duration, on clock: HostClock) throws(SensorFailure) {
    let end = clock.now() + duration
    while true {
      try check()
      let left = end - clock.now()
      guard left > .zero else { return }
      try clock.sleep(for: min(left, .milliseconds(20)))
    }
  }
}

"""##),
("Sources/SensorKit/Host/LogLevel.swift", ##"""
internal import AuthcoreABI

/// Whom a line of the log is for.
public enum LogLevel: Sendable {
  /// For the plugin's author.
  case debug
  /// For the administrator; nothing is wrong.
  case info
  /// The device did something odd, work goes on.
  case warning
  /// The call that is under way will fail.
  case error

  var rawValue: ac_log_level_t {
    switch self {
    case .debug: ac_log_level_t(AC_LOG_DEBUG)
    case .info: ac_log_level_t(AC_LOG_INFO)
    case .warning: ac_log_level_t(AC_LOG_WARNING)
    case .error: ac_log_level_t(AC_LOG_ERROR)
    }
  }
}

"""##),
("Sources/SensorKit/Host/PluginHost.swift", ##"""
internal import AuthcoreABI
internal import Glibc

/// The host that loaded this plugin, and what it offers: log, clock, and services by name.
///
/// Valid from the entry call until the process ends. Every call but ``setError(_:)`` may be made on any thread.
@safe public struct PluginHost: @unchecked Sendable {
  // Unchecked: common.h promises that the table lives until the process ends and never changes, and marks log
  // and service [any].
  private let table: UnsafePointer<ac_host_t>

  /// Trusts the host for its promises in `common.h`; nil when its table is older than this plugin needs.
  init?(_ table: UnsafePointer<ac_host_t>) {
    let needed = unsafe MemoryLayout<ac_host_t>.offset(of: \ac_host_t.service).map {
      $0 + MemoryLayout<UInt>.size
    }
    guard let needed, unsafe Int(table.pointee.struct_size) >= needed else { return nil }
    unsafe self.table = unsafe table
  }

  /// Writes a line to the host's log: never secrets, prints or frames. At most 1,024 bytes are kept.
  public func log(_ level: LogLevel, _ text: String) {
    guard let log = unsafe table.pointee.log else { return }
    unsafe log(table.pointee.context, level.rawValue, SingleLine.text(text))
  }

  /// The clock of the hosting process.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` where the host has none, as while a driver is only described.
  public func clock() throws(SensorFailure) -> HostClock {
    guard
      let service = unsafe service("clock/1", as: ac_clock_service_t.self),
      let clock = unsafe HostClock(service)
    else { throw SensorFailure(.unsupported, "The host offers no clock (service clock/1)") }
    return clock
  }

  /// Random numbers of the kernel.
  ///
  /// - Throws: ``SensorFailure/Code/unsupported`` where the host has none.
  public func random() throws(SensorFailure) -> RandomSource {
    guard
      let service = unsafe service("random/1", as: ac_random_service_t.self),
      let source = unsafe RandomSource(service)
    else {
      throw SensorFailure(.unsupported, "The host offers no random numbers (service random/1)")
    }
    return source
  }

  /// Sets the message for the failure that is about to be returned; on the owner's thread only. An empty one leaves the
  /// message that was set before.
  func setError(_ message: String) {
    guard !message.isEmpty, let setError = unsafe table.pointee.set_error else { return }
    unsafe setError(table.pointee.context, SingleLine.text(message))
  }

  /// A service's table, or nil where the host does not have it. `Table` must be the C type of that service.
  @unsafe func service<Table>(_ name: String, as _: Table.Type) -> UnsafePointer<Table>? {
    guard
      let service = unsafe table.pointee.service,
      let found = unsafe service(table.pointee.context, name)
    else { return nil }
    return unsafe found.assumingMemoryBound(to: Table.self)
  }
}

"""##),
("Sources/SensorKit/Host/RandomSource.swift", ##"""
internal import AuthcoreABI

/// The kernel's random number generator, `random/1`.
@safe public struct RandomSource: @unchecked Sendable {
  // Unchecked: the table lives until the process ends and never changes; fill is [any].
  private let fill: @convention(c) (UnsafeMutablePointer<UInt8>?, Int) -> ac_status_t

  init?(_ service: UnsafePointer<ac_random_service_t>) {
    let table = unsafe service.pointee
    guard
      Int(table.struct_size) >= MemoryLayout<ac_random_service_t>.size,
      let fill = unsafe table.fill
    else { return nil }
    unsafe self.fill = unsafe fill
  }

  /// A number no one can foretell.
  ///
  /// - Throws: ``SensorFailure/Code/inputOutput`` when the kernel refuses.
  public func next() throws(SensorFailure) -> UInt32 {
    var bytes = [UInt8](repeating: 0, count: 4)
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe fill(bytes.baseAddress, bytes.count)
    }
    guard status == ac_status_t(AC_OK) else {
      throw SensorFailure(.inputOutput, "The kernel gives no random numbers")
    }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

"""##),
("Sources/SensorKit/Host/ReadableFile.swift", ##"""
internal import Glibc

/// A regular file opened for reading; closed when the value dies, unless it belongs to the host.
public struct ReadableFile: ~Copyable {
  /// In bytes.
  public let size: Int
  private let descriptor: Int32
  private let isOurs: Bool

  /// Opens the file at `path`: `open(2)`.
  ///
  /// - Throws: ``SensorFailure/Code/notFound``, ``SensorFailure/Code/permission`` or
  ///   ``SensorFailure/Code/inputOutput`` with a reason that does not name the file.
  public init(path: String) throws(SensorFailure) {
    // Without O_NONBLOCK a FIFO of that name would block for ever.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    self = try ReadableFile(descriptor, isOurs: true)
  }

  /// Reads from a descriptor that the host opened and will close.
  public init(borrowing descriptor: Int32) throws(SensorFailure) {
    self = try ReadableFile(descriptor, isOurs: false)
  }

  private init(_ descriptor: Int32, isOurs: Bool) throws(SensorFailure) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if isOurs { close(descriptor) }
      throw SensorFailure(.inputOutput, "it is not a regular file")
    }
    size = Int(status.st_size)
    self.descriptor = descriptor
    self.isOurs = isOurs
  }

  deinit {
    if isOurs { close(descriptor) }
  }

  /// The bytes from `offset` on, at most `count`; fewer at the end of the file. `pread(2)`
  public borrowing func read(from offset: Int, count: Int) throws(SensorFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
    var filled = 0
    while filled < bytes.count {
      let moved = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
          off_t(offset + filled))
      }
      if moved < 0 && errno == EINTR { continue }
      guard moved >= 0 else { throw Self.failure(errno) }
      if moved == 0 { break }
      filled += moved
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  private static func failure(_ number: Int32) -> SensorFailure {
    let code: SensorFailure.Code =
      switch number {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, ELOOP: .permission
      default: .inputOutput
      }
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) }
    return SensorFailure(code, reason ?? "failure \(number)")
  }
}

"""##),
("Sources/SensorKit/Host/SensorFailure.swift", ##"""
internal import AuthcoreABI

/// Why a device could not do its work: a stable code and a sentence that names the thing and says what to do.
///
/// What the person at the sensor can mend by another touch is no failure but a ``RetryReason``.
public struct SensorFailure: Error, Equatable, Sendable {
  /// The kind of failure, as the `AC_ERR_…` values of `common.h`.
  public enum Code: Int32, CaseIterable, Sendable {
    /// The deadline passed, or nothing can come any more.
    case timeout = 100
    /// The host asked for the call to return.
    case interrupted = 101
    /// The device was unplugged.
    case gone = 102
    /// Another program holds the device.
    case busy = 103
    /// The device or file may not be opened.
    case permission = 104
    /// The device answered with something it should not.
    case protocolViolation = 105
    /// A transfer or a file operation failed.
    case inputOutput = 106
    /// An endpoint halted: clear the halt, then go on.
    case stall = 107
    /// The device must cool down.
    case tooHot = 108
    /// The caller passed something that is refused.
    case argument = 109
    /// The value of an option is not understood.
    case option = 110
    /// This device, firmware or ability is not supported.
    case unsupported = 111
    /// The versions of host and plugin do not fit.
    case versionMismatch = 112
    /// No memory, or a size beyond a stated limit.
    case memory = 113
    /// Not possible now.
    case state = 114
    /// Stored data is damaged or not what it should be.
    case data = 115
    /// Nothing of that name.
    case notFound = 116
  }

  /// The stable part.
  public let code: Code
  /// One sentence without a full stop at its end; at most 1,024 bytes reach the person.
  public let message: String

  /// Describes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  var status: ac_status_t { code.rawValue }
}

"""##),
("Sources/SensorKit/Host/SingleLine.swift", ##"""
/// The form of text that crosses the ABI: UTF-8 without line breaks or other control characters.
enum SingleLine {
  /// `text` with a space in place of every control character, so that a file's name or a device's answer cannot
  /// forge a second line in a log.
  static func text(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
        ? " " : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

"""##),
("Sources/SensorKit/Host/immortal.swift", ##"""
internal import Glibc

// Memory for what a plugin's table points to. None of it is ever freed: the ABI promises that it lives as long as the
// module, and modules are never unloaded.

/// A copy of `value` for ever.
@unsafe func immortal<Value>(_ value: Value) -> UnsafePointer<Value> {
  let copy = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  unsafe copy.initialize(to: value)
  return unsafe UnsafePointer(copy)
}

/// A copy of `values` for ever.
@unsafe func immortal<Value>(_ values: [Value]) -> UnsafePointer<Value>? {
  guard !values.isEmpty else { return nil }
  let copy = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
  _ = unsafe copy.initialize(fromContentsOf: values)
  return unsafe UnsafePointer(copy.baseAddress)
}

/// A NUL-terminated copy of `text` for ever.
@unsafe func immortal(_ text: String) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(strdup(text))
}

"""##),
("Sources/SensorKit/Model/DeviceModel.swift", ##"""
/// The protocol of a device, from the device's side, made in Swift. A module holds one model and hands it to the host with
/// ``export(model:host:ret:)``.
public protocol DeviceModel: SimulatedUSBDevice, SendableMetatype {
  /// What the simulated transport calls it: lower case, digits, '-'.
  static var name: String { get }

  /// The settings it knows, each a number.
  static var settingNames: [String] { get }

  /// Makes the device as it is when it is plugged in.
  init(settings: ModelSettings) throws(SensorFailure)
}

/// A USB device as software: told what the host does and what time it is, it says what the device answers.
///
/// It never waits and has no thread. The simulated transport drives it and adds what goes wrong.
public protocol SimulatedUSBDevice {
  /// Its descriptor.
  var info: USBDeviceInfo { get }

  /// Answers a control request; `data` is what the host writes. `now` is the host's clock; it never goes back.
  mutating func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer

  /// Takes a write to an OUT endpoint; false halts the endpoint.
  mutating func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool

  /// Answers a read of at most `length` bytes that waits at an IN endpoint. nil: nothing yet (NAK); it is asked again
  /// later. What it does not hand out stays with it.
  mutating func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer?
}

/// How a device answers a control request.
public enum ControlAnswer: Equatable, Sendable {
  /// It took the data.
  case done
  /// It sends these bytes.
  case bytes([UInt8])
  /// It does not know the request.
  case stall
}

/// How a device answers a read.
public enum ReadAnswer: Equatable, Sendable {
  /// It sends these bytes, then the transfer is over.
  case bytes([UInt8])
  /// It halts the endpoint.
  case stall
}

"""##),
("Sources/SensorKit/Model/HostedDevice.swift", ##"""
internal import AuthcoreABI

/// A simulated device of the model that the host loaded beside the transport, in whatever language it is written.
///
/// What it answers is trusted as little as a real device: counts beyond the length are cut.
@safe final class HostedDevice: SimulatedUSBDevice {
  private let model: UnsafePointer<ac_device_model_t>
  private let device: OpaquePointer
  let info: USBDeviceInfo

  /// Plugs a device in.
  init(_ model: UnsafePointer<ac_device_model_t>, settings: String) throws(SensorFailure) {
    guard unsafe Int(model.pointee.struct_size) >= MemoryLayout<ac_device_model_t>.size else {
      throw SensorFailure(.versionMismatch, "The device model is older than this transport needs")
    }
    var made: OpaquePointer?
    let status = unsafe settings.withCString { unsafe model.pointee.plug($0, &made) }
    guard status == ac_status_t(AC_OK), let device = unsafe made else {
      // The model has said why to the host itself.
      throw SensorFailure(SensorFailure.Code(rawValue: status) ?? .option, "")
    }
    unsafe self.model = unsafe model
    unsafe self.device = unsafe device
    func check(_ status: ac_status_t) throws(SensorFailure) {
      guard status == ac_status_t(AC_OK) else {
        throw SensorFailure(.protocolViolation, "The device model does not describe its device")
      }
    }
    do throws(SensorFailure) {
      info = try unsafe USBDeviceInfo(
        device: { info throws(SensorFailure) in
          try check(unsafe model.pointee.device_info(device, info))
        },
        interface: { index, info throws(SensorFailure) in
          try check(unsafe model.pointee.interface_info(device, index, info))
        })
    } catch {
      unsafe model.pointee.unplug(device)
      throw error
    }
  }

  deinit { unsafe model.pointee.unplug(device) }

  func control(_ setup: USBSetup, _ data: [UInt8], at now: Duration) -> ControlAnswer {
    var bytes = setup.isRead ? [UInt8](repeating: 0, count: Int(setup.length)) : data
    var count: UInt32 = 0
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe model.pointee.control(
        device, now.wholeNanoseconds, setup.type, setup.request, setup.value, setup.index,
        bytes.baseAddress, setup.length, &count)
    }
    guard status == ac_status_t(AC_OK) else { return .stall }
    return setup.isRead ? .bytes(Array(bytes.prefix(Int(count)))) : .done
  }

  func write(_ bytes: [UInt8], to endpoint: UInt8, at now: Duration) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe model.pointee.write(
        device, now.wholeNanoseconds, endpoint, bytes.baseAddress, UInt32(bytes.count))
    } == ac_status_t(AC_OK)
  }

  func read(from endpoint: UInt8, length: Int, at now: Duration) -> ReadAnswer? {
    var bytes = [UInt8](repeating: 0, count: length)
    var count: UInt32 = 0
    let status = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      unsafe model.pointee.read(
        device, now.wholeNanoseconds, endpoint, bytes.baseAddress, UInt32(length), &count)
    }
    switch Int(status) {
    case AC_OK: return .bytes(Array(bytes.prefix(Int(count))))
    case AC_ERR_TIMEOUT: return nil
    default: return .stall
    }
  }
}

extension Duration {
  /// Nanoseconds since the clock's zero; 0 before it.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0 else { return 0 }
    return UInt64(seconds) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000))
  }
}

extension SensorContext {
  /// Plugs in a device of the model that the host loaded beside a transport.
  /// - Parameter settings: `name=value,…`, in the model's words.
  /// - Returns: the device, or nil where no model was loaded.
  /// - Throws: ``SensorFailure/Code/option`` for settings that the model does not know.
  public func simulatedDevice(settings: String) throws(SensorFailure)
    -> (any SimulatedUSBDevice)?
  {
    guard
      let model = unsafe host.service(AC_DEVICE_MODEL_SERVICE, as: ac_device_model_t.self)
    else { return nil }
    return try unsafe HostedDevice(model, settings: settings)
  }
}

"""##),
("Sources/SensorKit/Model/ModelSettings.swift", ##"""
/// The settings of a device model, `touches=2,delay=40`: numbers by name.
public struct ModelSettings: Sendable {
  private var values: [String: Int] = [:]

  /// Reads settings.
  /// - Parameters:
  ///   - text: `name=value,…`, or nothing; a value is decimal, or hexadecimal after `0x`.
  ///   - names: the names there are.
  /// - Throws: ``SensorFailure/Code/option``, naming the setting that is not understood.
  public init(_ text: some StringProtocol, names: [String]) throws(SensorFailure) {
    for setting in text.split(separator: ",") {
      let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else {
        throw SensorFailure(.option, "\"\(setting)\" is not of the form name=value")
      }
      guard names.contains(String(pair[0])) else {
        throw SensorFailure(
          .option,
          "This simulated device has no setting \"\(pair[0])\", only "
            + names.joined(separator: ", "))
      }
      let value =
        pair[1].hasPrefix("0x") ? Int(pair[1].dropFirst(2), radix: 16) : Int(pair[1])
      guard let value, 0...0xFFFF_FFFF ~= value else {
        throw SensorFailure(
          .option, "\(pair[0]) takes a number up to 4294967295, not \"\(pair[1])\"")
      }
      values[String(pair[0])] = value
    }
  }

  /// A setting's value, or `value` where it was not given.
  public subscript(name: String, default value: Int) -> Int {
    values[name] ?? value
  }
}

"""##),
("Sources/SensorKit/Model/ModelTable.swift", ##"""
internal import AuthcoreABI
internal import Synchronization

/// The C side of a Swift model: the table of model.h, filled with functions that lead to a ``PluggedModel``.
enum ModelTable {
  /// Allocates the table. It is never freed: a module is never unloaded.
  @unsafe static func make(name: String) -> UnsafePointer<ac_device_model_t> {
    unsafe immortal(
      ac_device_model_t(
        struct_size: UInt32(MemoryLayout<ac_device_model_t>.size), abi_version: modelABI,
        name: immortal(name),
        plug: { unsafe ModelTable.plug($0, ret: $1) },
        unplug: { device in
          guard let device = unsafe device else { return }
          unsafe Unmanaged<PluggedModel>.fromOpaque(UnsafeRawPointer(device)).release()
        },
        device_info: { device, ret in
          guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret else {
            return ac_status_t(AC_ERR_ARGUMENT)
          }
          unsafe device.model.info.fill(ret)
          return ac_status_t(AC_OK)
        },
        interface_info: { device, index, ret in
          guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret else {
            return ac_status_t(AC_ERR_ARGUMENT)
          }
          let interfaces = device.model.info.interfaces
          guard Int(index) < interfaces.count else { return ac_status_t(AC_ERR_NOT_FOUND) }
          unsafe interfaces[Int(index)].fill(ret)
          return ac_status_t(AC_OK)
        },
        control: {
          unsafe ModelTable.control($0, $1, $2, $3, $4, $5, $6, $7, $8)
        },
        write: { device, now, endpoint, data, length in
          guard let device = unsafe PluggedModel.at(device), unsafe data != nil || length == 0
          else { return ac_status_t(AC_ERR_ARGUMENT) }
          let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: Int(length)))
          let isTaken = device.model.write(
            bytes, to: endpoint, at: .nanoseconds(Int64(clamping: now)))
          return ac_status_t(isTaken ? AC_OK : AC_ERR_STALL)
        },
        read: { unsafe ModelTable.read($0, $1, $2, $3, $4, $5) }))
  }

  private static func plug(
    _ settings: UnsafePointer<CChar>?, ret: UnsafeMutablePointer<OpaquePointer?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret,
      let (host, plug) = unsafe exportedModel.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.plug) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      let text = unsafe settings.map { unsafe String(cString: $0) } ?? ""
      let device = PluggedModel(try plug(text))
      unsafe ret.pointee = unsafe OpaquePointer(Unmanaged.passRetained(device).toOpaque())
      return ac_status_t(AC_OK)
    } catch {
      host.setError(error.message)
      return error.status
    }
  }

  private static func control(
    _ device: OpaquePointer?, _ now: UInt64, _ type: UInt8, _ request: UInt8, _ value: UInt16,
    _ index: UInt16, _ data: UnsafeMutablePointer<UInt8>?, _ length: UInt16,
    _ ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret,
      unsafe data != nil || length == 0
    else { return ac_status_t(AC_ERR_ARGUMENT) }
    let setup = USBSetup(type: type, request: request, value: value, index: index, length: length)
    let written =
      unsafe setup.isRead ? [] : Array(UnsafeBufferPointer(start: data, count: Int(length)))
    switch device.model.control(setup, written, at: .nanoseconds(Int64(clamping: now))) {
    case .done:
      unsafe ret.pointee = setup.isRead ? 0 : UInt32(length)
    case .bytes(let bytes):
      unsafe ret.pointee = give(bytes, to: data, length: Int(length))
    case .stall: return ac_status_t(AC_ERR_STALL)
    }
    return ac_status_t(AC_OK)
  }

  private static func read(
    _ device: OpaquePointer?, _ now: UInt64, _ endpoint: UInt8,
    _ data: UnsafeMutablePointer<UInt8>?, _ length: UInt32, _ ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    guard let device = unsafe PluggedModel.at(device), let ret = unsafe ret,
      unsafe data != nil || length == 0
    else { return ac_status_t(AC_ERR_ARGUMENT) }
    switch device.model.read(
      from: endpoint, length: Int(length), at: .nanoseconds(Int64(clamping: now)))
    {
    case nil: return ac_status_t(AC_ERR_TIMEOUT)
    case .stall: return ac_status_t(AC_ERR_STALL)
    case .bytes(let bytes):
      unsafe ret.pointee = give(bytes, to: data, length: Int(length))
      return ac_status_t(AC_OK)
    }
  }

  /// Copies as many bytes as fit.
  @unsafe private static func give(
    _ bytes: [UInt8], to data: UnsafeMutablePointer<UInt8>?, length: Int
  ) -> UInt32 {
    let count = min(bytes.count, length)
    if let data = unsafe data, count > 0 {
      for index in 0..<count { unsafe data[index] = bytes[index] }
    }
    return UInt32(count)
  }
}

"""##),
("Sources/SensorKit/Model/PluggedModel.swift", ##"""
internal import AuthcoreABI

/// What an `ac_simulated_device_t *` of a Swift model points to.
final class PluggedModel {
  var model: any DeviceModel

  init(_ model: any DeviceModel) { self.model = model }

  /// The device behind a pointer that ``ModelTable`` made; nil for NULL.
  @unsafe static func at(_ pointer: OpaquePointer?) -> PluggedModel? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<PluggedModel>.fromOpaque(UnsafeRawPointer(pointer))
      .takeUnretainedValue()
  }
}

"""##),
("Sources/SensorKit/Model/export+Model.swift", ##"""
public import AuthcoreABI
internal import Synchronization

/// Makes the C table of `model` and gives it to the host: the whole body of `ac_device_model_entry`.
///
/// A module exports one model. [owner]
///
/// - Returns: `AC_OK`; `AC_ERR_ABI` when the host is of another major version; `AC_ERR_STATE` when this module already
///   exported another model; `AC_ERR_ARGUMENT` on a null pointer.
@unsafe public func export<Model: DeviceModel>(
  model: Model.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_device_model_t>?>?
) -> ac_status_t {
  guard let host = unsafe host, let ret = unsafe ret else {
    return SensorFailure.Code.argument.rawValue
  }
  guard
    unsafe host.pointee.abi_version >> 16 == modelABI >> 16,
    let services = unsafe PluginHost(host)
  else { return SensorFailure.Code.versionMismatch.rawValue }
  let identity = ObjectIdentifier(model)
  let table: UnsafePointer<ac_device_model_t>? = unsafe exportedModel.withLock { exported in
    if let exported = unsafe exported {
      return unsafe exported.identity == identity ? exported.table : nil
    }
    let made = unsafe ExportedModel(
      identity: identity, table: ModelTable.make(name: Model.name), host: services,
      plug: { (text) throws(SensorFailure) in
        try Model(settings: ModelSettings(text, names: Model.settingNames))
      })
    unsafe exported = unsafe made
    return unsafe made.table
  }
  guard let table = unsafe table else { return SensorFailure.Code.state.rawValue }
  unsafe ret.pointee = unsafe table
  return ac_status_t(AC_OK)
}

/// `AC_MODEL_ABI`, a macro that Swift does not import.
let modelABI: UInt32 = 1 << 16

/// The model of this module. The C plug function has no argument that could carry it, hence a global; written once, in the
/// entry call.
@safe let exportedModel = unsafe Mutex<ExportedModel?>(nil)

/// A model as the C table needs it.
@unsafe struct ExportedModel {
  let identity: ObjectIdentifier
  let table: UnsafePointer<ac_device_model_t>
  let host: PluginHost
  let plug: @Sendable (String) throws(SensorFailure) -> any DeviceModel
}

"""##),
("Sources/SensorKit/Transport/HotplugTable.swift", ##"""
internal import AuthcoreABI
internal import Synchronization

/// The C side of a Swift transport's ``USBWatch``: the table of `hotplug/1`.
enum HotplugTable {
  /// A watch that has started.
  private final class Started: @unchecked Sendable {
    // Unchecked: start and next are made by the owner's thread (usb.h).
    var watch: any USBWatch

    init(_ watch: any USBWatch) { self.watch = watch }
  }

  /// The C functions have no argument that could carry it, hence a global.
  private static let started = Mutex<Started?>(nil)

  @safe private static let table = unsafe Mutex<UnsafePointer<ac_hotplug_t>>(
    immortal(
      ac_hotplug_t(
        struct_size: UInt32(MemoryLayout<ac_hotplug_t>.size),
        start: { HotplugTable.start() },
        next: { unsafe HotplugTable.next(milliseconds: $0, ret: $1) })))

  /// The table under its name; nil for any other.
  static func find(_ name: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    guard let name = unsafe name, unsafe String(cString: name) == AC_HOTPLUG_EXTENSION else {
      return nil
    }
    return unsafe table.withLock { unsafe UnsafeRawPointer($0) }
  }

  private static func start() -> ac_status_t {
    guard let exported = unsafe exportedTransport.withLock({ unsafe $0 }),
      let start = unsafe exported.watch
    else { return SensorFailure.Code.unsupported.rawValue }
    return unsafe report(exported.host) { () throws(SensorFailure) in
      guard started.withLock({ $0 == nil }) else {
        throw SensorFailure(.state, "Devices are watched already")
      }
      let watch = Started(unsafe try start(SensorContext(host: exported.host)))
      started.withLock { $0 = watch }
    }
  }

  private static func next(milliseconds: UInt32, ret: UnsafeMutablePointer<ac_usb_change_t>?)
    -> ac_status_t
  {
    guard let ret = unsafe ret, let exported = unsafe exportedTransport.withLock({ unsafe $0 })
    else { return SensorFailure.Code.argument.rawValue }
    return unsafe report(exported.host) { () throws(SensorFailure) in
      guard let started = started.withLock({ $0 }) else {
        throw SensorFailure(.state, "Devices are not watched; start comes first")
      }
      unsafe ret.pointee = Self.change(
        try started.watch.next(within: .milliseconds(milliseconds)))
    }
  }

  /// Runs a call and turns a failure into its status and message.
  private static func report(_ host: PluginHost, _ body: () throws(SensorFailure) -> Void)
    -> ac_status_t
  {
    do throws(SensorFailure) {
      try body()
      return ac_status_t(AC_OK)
    } catch {
      if error.code != .timeout { host.setError(error.message) }
      return error.status
    }
  }

  private static func change(_ change: USBChange) -> ac_usb_change_t {
    var result = ac_usb_change_t()
    result.struct_size = UInt32(MemoryLayout<ac_usb_change_t>.size)
    let device: USBPlacement
    switch change {
    case .settled:
      result.event = ac_usb_event_t(AC_USB_SETTLED)
      return result
    case .arrived(let placement):
      result.event = ac_usb_event_t(AC_USB_ARRIVED)
      device = placement
    case .left(let placement):
      result.event = ac_usb_event_t(AC_USB_LEFT)
      device = placement
    }
    result.vendor_id = device.vendor
    result.product_id = device.product
    result.bcd_device = device.release
    result.bus = device.bus
    result.address = device.address
    result.place = device.place.rawValue
    unsafe withUnsafeMutableBytes(of: &result.port_path) { path in
      // The last byte stays 0.
      for (index, byte) in zip(path.indices.dropLast(), device.port.utf8) {
        unsafe path[index] = byte
      }
    }
    return result
  }
}

"""##),
("Sources/SensorKit/Transport/OpenTransport.swift", ##"""
internal import AuthcoreABI

/// What an `ac_usb_t *` of a Swift transport points to: the open device, its pending reads, and the rules of usb.h that are
/// the same for every transport.
final class OpenTransport {
  let interruption: Interruption
  private var transport: any USBTransport
  private var pendingReads: Set<UInt32> = []
  private var lastIdentifier: UInt32 = 0

  init(_ transport: any USBTransport, interruption: Interruption) {
    self.transport = transport
    self.interruption = interruption
  }

  var info: USBDeviceInfo { transport.info }

  func claimInterface(_ number: UInt8) throws(SensorFailure) {
    try transport.claimInterface(number)
  }

  func releaseInterface(_ number: UInt8) throws(SensorFailure) {
    try transport.releaseInterface(number)
  }

  func clearHalt(endpoint: UInt8) throws(SensorFailure) {
    try transport.clearHalt(endpoint: endpoint)
  }

  func reset() throws(SensorFailure) {
    try transport.reset()
  }

  /// Begins a transfer and waits for it.
  ///
  /// - Returns: What moved, and whether the deadline passed before the transfer was complete.
  func transfer(_ transfer: USBTransfer, deadline: Duration?) throws(SensorFailure)
    -> (result: USBTransferResult, isComplete: Bool)
  {
    try checkLength(transfer.length)
    try interruption.check()
    let identifier = nextIdentifier()
    try transport.submit(transfer, as: identifier)
    do throws(SensorFailure) {
      return (try transport.wait(for: identifier, deadline: deadline), true)
    } catch {
      guard error.code == .timeout || error.code == .interrupted else { throw error }
      let moved = try transport.cancel(identifier)
      if error.code == .timeout { return (USBTransferResult(read: moved), false) }
      throw error
    }
  }

  /// Queues a read.
  func submitRead(_ endpoint: USBEndpoint, length: Int) throws(SensorFailure) -> UInt32 {
    try checkLength(length)
    guard endpoint.address & 0x80 != 0 else {
      throw SensorFailure(.argument, "A read cannot be queued for the OUT \(endpoint)")
    }
    guard pendingReads.count < Int(AC_USB_MAX_PENDING_READS) else {
      throw SensorFailure(
        .state, "\(pendingReads.count) reads are pending; wait for one or cancel it")
    }
    let identifier = nextIdentifier()
    try transport.submit(.read(endpoint, length: length), as: identifier)
    pendingReads.insert(identifier)
    return identifier
  }

  /// Waits for a queued read.
  func wait(for ticket: UInt32, deadline: Duration?) throws(SensorFailure) -> [UInt8] {
    guard pendingReads.contains(ticket) else {
      throw SensorFailure(.argument, "No read with the ticket \(ticket) is pending")
    }
    try interruption.check()
    do throws(SensorFailure) {
      let result = try transport.wait(for: ticket, deadline: deadline)
      pendingReads.remove(ticket)
      return result.bytes
    } catch {
      if error.code != .timeout && error.code != .interrupted { pendingReads.remove(ticket) }
      throw error
    }
  }

  /// Ends a queued read.
  func cancel(_ ticket: UInt32) throws(SensorFailure) {
    guard pendingReads.remove(ticket) != nil else {
      throw SensorFailure(.argument, "No read with the ticket \(ticket) is pending")
    }
    _ = try transport.cancel(ticket)
  }

  private func checkLength(_ length: Int) throws(SensorFailure) {
    guard 0...Int(USBDevice.maximumTransfer) ~= length else { throw USBDevice.tooLong(length) }
  }

  /// Never 0, which usb.h promises not to be a ticket. After four thousand million transfers they start again.
  private func nextIdentifier() -> UInt32 {
    repeat {
      lastIdentifier &+= 1
    } while lastIdentifier == 0 || pendingReads.contains(lastIdentifier)
    return lastIdentifier
  }
}

"""##),
("Sources/SensorKit/Transport/TransportSource.swift", ##"""
internal import AuthcoreABI

/// Where a transport's device comes from.
public struct TransportSource: Sendable {
  /// The device node or the recording, opened by the host, which will close it; may be used until `init` returns. -1:
  /// by bus and address.
  public let fileDescriptor: Int32
  /// The bus number; 0 where it does not matter.
  public let bus: UInt8
  /// The address on the bus; 0 where it does not matter.
  public let address: UInt8
  /// What the transport understands; empty where nothing was said.
  public let text: String
  /// Where to record the traffic as pcapng, opened for writing by the host, which will close it; -1: nowhere. May be used
  /// until the device is closed.
  public let captureDescriptor: Int32

  /// Copies what the host passed to `open`.
  init?(_ source: UnsafePointer<ac_transport_source_t>?) {
    guard
      let source = unsafe source?.pointee,
      unsafe Int(source.struct_size) >= Self.firstSize
    else { return nil }
    fileDescriptor = unsafe source.file_descriptor
    bus = unsafe source.bus
    address = unsafe source.address
    text = unsafe source.text.map { unsafe String(cString: $0) } ?? ""
    captureDescriptor =
      unsafe Int(source.struct_size) < MemoryLayout<ac_transport_source_t>.size
      ? -1 : source.capture_descriptor
  }

  /// Up to and with `text`.
  private static let firstSize =
    unsafe MemoryLayout<ac_transport_source_t>.offset(of: \.capture_descriptor) ?? 0
}

"""##),
("Sources/SensorKit/Transport/TransportTable+Info.swift", ##"""
internal import AuthcoreABI

extension TransportTable {
  static func deviceInfo(_ device: OpaquePointer?, ret: UnsafeMutablePointer<ac_usb_device_info_t>?)
    -> ac_status_t
  {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      unsafe device.info.fill(ret)
    }
  }

  static func interfaceInfo(
    _ device: OpaquePointer?, index: UInt8, ret: UnsafeMutablePointer<ac_usb_interface_info_t>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let interfaces = device.info.interfaces
      guard Int(index) < interfaces.count else {
        throw SensorFailure(.notFound, "The device has \(interfaces.count) interfaces")
      }
      unsafe interfaces[Int(index)].fill(ret)
    }
  }
}

"""##),
("Sources/SensorKit/Transport/TransportTable+Service.swift", ##"""
internal import AuthcoreABI
internal import Synchronization

extension TransportTable {
  /// The table of one open device; ``close`` frees it.
  @unsafe static func makeService(_ device: OpenTransport) -> UnsafePointer<ac_usb_service_t> {
    let service = UnsafeMutablePointer<ac_usb_service_t>.allocate(capacity: 1)
    unsafe service.initialize(
      to: ac_usb_service_t(
        struct_size: UInt32(MemoryLayout<ac_usb_service_t>.size),
        device: OpaquePointer(Unmanaged.passRetained(device).toOpaque()),
        device_info: { unsafe TransportTable.deviceInfo($0, ret: $1) },
        interface_info: { unsafe TransportTable.interfaceInfo($0, index: $1, ret: $2) },
        claim_interface: { device, number in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.claimInterface(number)
          }
        },
        release_interface: { device, number in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.releaseInterface(number)
          }
        },
        control: { device, type, request, value, index, data, length, timeout, ret in
          let setup = USBSetup(
            type: type, request: request, value: value, index: index, length: length)
          return unsafe TransportTable.control(
            device, setup: setup, data: data, timeout: timeout, ret: ret)
        },
        transfer: { device, type, endpoint, data, length, timeout, ret in
          unsafe TransportTable.transfer(
            device, endpoint: USBEndpoint(type: type, address: endpoint),
            data: data, length: length, timeout: timeout, ret: ret)
        },
        submit_read: { device, type, endpoint, length, ret in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            guard let ret = unsafe ret, let endpoint = USBEndpoint(type: type, address: endpoint)
            else {
              throw SensorFailure(.argument, "A pointer is NULL or the endpoint type unknown")
            }
            unsafe ret.pointee = try device.submitRead(endpoint, length: Int(length))
          }
        },
        wait: { device, ticket, timeout, data, capacity, ret in
          unsafe TransportTable.wait(
            device, ticket: ticket, timeout: timeout, data: data, capacity: capacity, ret: ret)
        },
        cancel: { device, ticket in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.cancel(ticket)
          }
        },
        clear_halt: { device, endpoint in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in
            try device.clearHalt(endpoint: endpoint)
          }
        },
        reset: { device in
          unsafe TransportTable.with(device) { (device) throws(SensorFailure) in try device.reset()
          }
        },
        interrupt: { device in
          guard let device = unsafe device else { return }
          unsafe TransportTable.openTransport(device).interruption.request()
        }))
    return unsafe UnsafePointer(service)
  }

  /// Runs a call and turns a failure into its status. Its message goes to the log: what a person reads is the driver's
  /// to say.
  @unsafe static func with(
    _ device: OpaquePointer?, _ body: (OpenTransport) throws(SensorFailure) -> Void
  ) -> ac_status_t {
    guard let device = unsafe device else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      try body(unsafe openTransport(device))
      return ac_status_t(AC_OK)
    } catch {
      if error.code != .timeout && error.code != .interrupted {
        unsafe exportedTransport.withLock { unsafe $0?.host }?.log(.debug, error.message)
      }
      return error.status
    }
  }

  private static func openTransport(_ device: OpaquePointer) -> OpenTransport {
    unsafe Unmanaged<OpenTransport>.fromOpaque(UnsafeRawPointer(device)).takeUnretainedValue()
  }
}

extension USBEndpoint {
  init?(type: ac_usb_endpoint_type_t, address: UInt8) {
    guard let kind = Kind(rawValue: type) else { return nil }
    self.init(address: address, kind: kind)
  }
}

"""##),
("Sources/SensorKit/Transport/TransportTable+Transfers.swift", ##"""
internal import AuthcoreABI

extension TransportTable {
  static func control(
    _ device: OpaquePointer?, setup: USBSetup, data: UnsafeMutablePointer<UInt8>?, timeout: UInt32,
    ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      let buffer = try unsafe DriverBuffer(data, count: UInt32(setup.length))
      let transfer = USBTransfer.control(setup, data: setup.isRead ? [] : buffer.bytes)
      try unsafe run(device, transfer, buffer: buffer, timeout: timeout, ret: ret)
    }
  }

  static func transfer(
    _ device: OpaquePointer?, endpoint: USBEndpoint?, data: UnsafeMutablePointer<UInt8>?,
    length: UInt32, timeout: UInt32, ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      guard let endpoint else { throw SensorFailure(.argument, "No such type of endpoint") }
      let buffer = try unsafe DriverBuffer(data, count: length)
      let transfer: USBTransfer =
        endpoint.address & 0x80 != 0
        ? .read(endpoint, length: Int(length)) : .write(endpoint, buffer.bytes)
      try unsafe run(device, transfer, buffer: buffer, timeout: timeout, ret: ret)
    }
  }

  static func wait(
    _ device: OpaquePointer?, ticket: UInt32, timeout: UInt32, data: UnsafeMutablePointer<UInt8>?,
    capacity: UInt32, ret: UnsafeMutablePointer<UInt32>?
  ) -> ac_status_t {
    unsafe with(device) { (device) throws(SensorFailure) in
      let buffer = try unsafe DriverBuffer(data, count: capacity)
      guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
      let bytes = try device.wait(for: ticket, deadline: deadline(timeout))
      unsafe ret.pointee = buffer.store(bytes)
    }
  }

  private static func run(
    _ device: OpenTransport, _ transfer: USBTransfer, buffer: DriverBuffer, timeout: UInt32,
    ret: UnsafeMutablePointer<UInt32>?
  ) throws(SensorFailure) {
    guard let ret = unsafe ret else { throw SensorFailure(.argument, "A pointer is NULL") }
    let (result, isComplete) = try device.transfer(transfer, deadline: deadline(timeout))
    // usb.h: on a timeout the count is written too, with what had come.
    unsafe ret.pointee = transfer.isRead ? buffer.store(result.bytes) : UInt32(result.count)
    guard isComplete else { throw SensorFailure(.timeout, "The deadline of a transfer passed") }
  }

  private static func deadline(_ milliseconds: UInt32) -> Duration? {
    milliseconds == .max ? nil : .milliseconds(milliseconds)
  }
}

/// The memory a driver passes for a transfer; usb.h lets it be used until the call returns.
@safe private struct DriverBuffer {
  private let memory: UnsafeMutableBufferPointer<UInt8>

  init(_ start: UnsafeMutablePointer<UInt8>?, count: UInt32) throws(SensorFailure) {
    guard count <= USBDevice.maximumTransfer else { throw USBDevice.tooLong(Int(count)) }
    guard unsafe start != nil || count == 0 else {
      throw SensorFailure(.argument, "There is no memory for \(count) bytes")
    }
    unsafe memory = UnsafeMutableBufferPointer(start: start, count: Int(count))
  }

  var bytes: [UInt8] { unsafe Array(memory) }

  /// Copies what fits and returns how much that is.
  func store(_ bytes: [UInt8]) -> UInt32 {
    let count = unsafe min(bytes.count, memory.count)
    for index in 0..<count { unsafe memory[index] = bytes[index] }
    return UInt32(count)
  }
}

"""##),
("Sources/SensorKit/Transport/TransportTable.swift", ##"""
internal import AuthcoreABI
internal import Synchronization

/// The C side of a Swift transport: the tables of usb.h, filled with functions that lead to ``OpenTransport``.
enum TransportTable {
  /// Allocates the table. It is never freed: a module is never unloaded.
  @unsafe static func make(name: String, watchesDevices: Bool) -> UnsafePointer<ac_transport_t> {
    unsafe immortal(
      ac_transport_t(
        struct_size: UInt32(MemoryLayout<ac_transport_t>.size), abi_version: transportABI,
        name: immortal(name),
        open: { unsafe TransportTable.open($0, ret: $1) },
        close: { unsafe TransportTable.close($0) },
        extension: watchesDevices ? { unsafe HotplugTable.find($0) } : nil))
  }

  private static func open(
    _ source: UnsafePointer<ac_transport_source_t>?,
    ret: UnsafeMutablePointer<UnsafePointer<ac_usb_service_t>?>?
  ) -> ac_status_t {
    guard
      let ret = unsafe ret, let source = unsafe TransportSource(source),
      let (host, open) = unsafe exportedTransport.withLock({ exported in
        unsafe exported.map { unsafe ($0.host, $0.open) }
      })
    else { return SensorFailure.Code.argument.rawValue }
    do throws(SensorFailure) {
      let context = SensorContext(host: host)
      let device = OpenTransport(try open(source, context), interruption: context.interruption)
      unsafe ret.pointee = unsafe makeService(device)
      return ac_status_t(AC_OK)
    } catch {
      host.setError(error.message)
      return error.status
    }
  }

  private static func close(_ service: UnsafePointer<ac_usb_service_t>?) {
    guard let service = unsafe service, let device = unsafe service.pointee.device else { return }
    unsafe Unmanaged<OpenTransport>.fromOpaque(UnsafeRawPointer(device)).release()
    unsafe service.deallocate()
  }
}

"""##),
("Sources/SensorKit/Transport/USBTransfer.swift", ##"""
/// A transfer as a driver asks for it.
public enum USBTransfer: Equatable, Sendable {
  /// A control transfer; `data` is what is written, empty when the device is read.
  case control(USBSetup, data: [UInt8])
  /// A read of up to `length` bytes.
  case read(USBEndpoint, length: Int)
  /// A write.
  case write(USBEndpoint, [UInt8])

  /// Whether bytes come from the device.
  public var isRead: Bool {
    switch self {
    case .control(let setup, _): setup.isRead
    case .read: true
    case .write: false
    }
  }

  /// How many bytes can move at most.
  public var length: Int {
    switch self {
    case .control(let setup, _): Int(setup.length)
    case .read(_, let length): length
    case .write(_, let bytes): bytes.count
    }
  }
}

/// What came of a transfer.
public struct USBTransferResult: Equatable, Sendable {
  /// How many bytes moved.
  public let count: Int
  /// The bytes that were read.
  public let bytes: [UInt8]

  /// A read that gave these bytes.
  public init(read bytes: [UInt8]) {
    count = bytes.count
    self.bytes = bytes
  }

  /// A write of which the device took so many bytes.
  public init(written count: Int) {
    self.count = count
    bytes = []
  }
}

/// The setup packet of a control transfer (USB 2.0, section 9.3).
public struct USBSetup: Hashable, Sendable {
  /// bmRequestType
  public let type: UInt8
  /// bRequest
  public let request: UInt8
  /// wValue
  public let value: UInt16
  /// wIndex
  public let index: UInt16
  /// wLength
  public let length: UInt16

  /// Whether the device is read: bit 7 of ``type``.
  public var isRead: Bool { type & 0x80 != 0 }

  /// Describes a setup packet.
  public init(type: UInt8, request: UInt8, value: UInt16, index: UInt16, length: UInt16) {
    self.type = type
    self.request = request
    self.value = value
    self.index = index
    self.length = length
  }
}

extension USBTransfer: CustomStringConvertible {
  /// In the words of docs/recordings.md: "control 40 01 0001 0000 0", "read bulk 82 64". At most eight bytes are shown.
  public var description: String {
    switch self {
    case .control(let setup, let data):
      "control \(Self.hexadecimal(setup.type, 2)) \(Self.hexadecimal(setup.request, 2)) "
        + "\(Self.hexadecimal(setup.value, 4)) \(Self.hexadecimal(setup.index, 4)) \(setup.length)"
        + (data.isEmpty ? "" : " : \(Self.hexadecimal(data))")
    case .read(let endpoint, let length):
      "read \(endpoint.kind) \(Self.hexadecimal(endpoint.address, 2)) \(length)"
    case .write(let endpoint, let bytes):
      "write \(endpoint.kind) \(Self.hexadecimal(endpoint.address, 2)) : \(Self.hexadecimal(bytes))"
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.prefix(8).map { hexadecimal($0, 2) }.joined(separator: " ")
      + (bytes.count > 8 ? " … (\(bytes.count) bytes)" : "")
  }

  private static func hexadecimal(_ value: some BinaryInteger, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

"""##),
("Sources/SensorKit/Transport/USBTransport.swift", ##"""
/// One open USB device, however it is reached: what a transport plugin implements.
///
/// Calls are made on one thread. Dying cancels what is pending, releases and closes. A module exports one transport with
/// ``export(_:host:ret:)`` from `ac_transport_entry`.
public protocol USBTransport: SendableMetatype {
  /// "usb", "recording", …
  static var name: String { get }

  /// Opens the device that `source` tells of.
  init(source: TransportSource, context: SensorContext) throws(SensorFailure)

  /// The device's descriptor.
  var info: USBDeviceInfo { get }

  /// Claims an interface, detaching a kernel driver where possible.
  mutating func claimInterface(_ number: UInt8) throws(SensorFailure)

  /// Gives an interface back.
  mutating func releaseInterface(_ number: UInt8) throws(SensorFailure)

  /// Begins a transfer and returns at once. `identifier` was never used before.
  mutating func submit(_ transfer: USBTransfer, as identifier: UInt32) throws(SensorFailure)

  /// Waits for a transfer that was begun; nil as a deadline is none. Ends with ``SensorFailure/Code/interrupted`` when
  /// the context's interruption says so. After that and after a timeout the transfer goes on; otherwise it is over.
  mutating func wait(for identifier: UInt32, deadline: Duration?) throws(SensorFailure)
    -> USBTransferResult

  /// Ends a transfer; one that is over already is no failure.
  ///
  /// - Returns: The bytes that had come before.
  mutating func cancel(_ identifier: UInt32) throws(SensorFailure) -> [UInt8]

  /// Ends the halt of an endpoint.
  mutating func clearHalt(endpoint: UInt8) throws(SensorFailure)

  /// Resets the device.
  mutating func reset() throws(SensorFailure)
}

"""##),
("Sources/SensorKit/Transport/USBWatch.swift", ##"""
/// Tells which USB devices are there, come and go: what a transport does for the extension `hotplug/1`. Owner thread only.
public protocol USBWatch {
  /// Waits for the next change: first what is there, then ``USBChange/settled``, then what comes and goes.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` when there was none in this time.
  mutating func next(within time: Duration) throws(SensorFailure) -> USBChange
}

/// What happened on a bus.
public enum USBChange: Equatable, Sendable {
  /// A device is there, or has come.
  case arrived(USBPlacement)
  /// A device has gone; as it was when it came.
  case left(USBPlacement)
  /// Everything that was there at the start has been told; comes once.
  case settled
}

/// A device and where it is.
public struct USBPlacement: Hashable, Sendable {
  /// Whether a person can take the device away.
  public enum Place: Int32, Sendable {
    /// Nobody says.
    case unknown = 0
    /// It is on a cable or in a socket.
    case external = 1
    /// It is a part of the machine.
    case builtIn = 2
  }

  /// idVendor
  public let vendor: UInt16
  /// idProduct
  public let product: UInt16
  /// bcdDevice
  public let release: UInt16
  /// The bus it is on.
  public let bus: UInt8
  /// Its address on the bus.
  public let address: UInt8
  /// Whether it can be taken away.
  public let place: Place
  /// Bus and ports as the kernel names them, "1-2.3"; at most 31 bytes.
  public let port: String

  /// Describes a device.
  public init(
    vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8, address: UInt8, place: Place,
    port: String
  ) {
    self.vendor = vendor
    self.product = product
    self.release = release
    self.bus = bus
    self.address = address
    self.place = place
    self.port = port
  }
}

"""##),
("Sources/SensorKit/Transport/export+Transport.swift", ##"""
public import AuthcoreABI
internal import Synchronization

/// Makes the C table of `transport` and gives it to the host: the whole body of `ac_transport_entry`.
///
/// A module exports one transport. [owner]
///
/// - Returns: `AC_OK`; `AC_ERR_ABI` when the host is of another major version; `AC_ERR_STATE` when this module already
///   exported another transport; `AC_ERR_ARGUMENT` on a null pointer.
@unsafe public func export<Transport: USBTransport>(
  _ transport: Transport.Type, host: UnsafePointer<ac_host_t>?,
  ret: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
) -> ac_status_t {
  unsafe export(transport, watch: nil, host: host, ret: ret)
}

/// The same for a transport that also tells which devices come and go: `watch` starts to watch, once, on the owner's thread.
@unsafe public func export<Transport: USBTransport>(
  _ transport: Transport.Type,
  watch: (@Sendable (SensorContext) throws(SensorFailure) -> any USBWatch)?,
  host: UnsafePointer<ac_host_t>?, ret: UnsafeMutablePointer<UnsafePointer<ac_transport_t>?>?
) -> ac_status_t {
  guard let host = unsafe host, let ret = unsafe ret else {
    return SensorFailure.Code.argument.rawValue
  }
  guard
    unsafe host.pointee.abi_version >> 16 == transportABI >> 16,
    let services = unsafe PluginHost(host)
  else { return SensorFailure.Code.versionMismatch.rawValue }
  let identity = ObjectIdentifier(transport)
  let table: UnsafePointer<ac_transport_t>? = unsafe exportedTransport.withLock { exported in
    if let exported = unsafe exported {
      return unsafe exported.identity == identity ? exported.table : nil
    }
    let made = unsafe ExportedTransport(
      identity: identity,
      table: TransportTable.make(name: Transport.name, watchesDevices: watch != nil),
      host: services,
      open: { (source, context) throws(SensorFailure) in
        try Transport(source: source, context: context)
      }, watch: watch)
    unsafe exported = unsafe made
    return unsafe made.table
  }
  guard let table = unsafe table else { return SensorFailure.Code.state.rawValue }
  unsafe ret.pointee = unsafe table
  return ac_status_t(AC_OK)
}

/// `AC_TRANSPORT_ABI`, a macro that Swift does not import.
let transportABI: UInt32 = 1 << 16

/// The transport of this module. The C open function has no argument that could carry it, hence a global; written once,
/// in the entry call.
@safe let exportedTransport = unsafe Mutex<ExportedTransport?>(nil)

/// A transport as the C table needs it.
@unsafe struct ExportedTransport {
  let identity: ObjectIdentifier
  let table: UnsafePointer<ac_transport_t>
  let host: PluginHost
  let open: @Sendable (TransportSource, SensorContext) throws(SensorFailure) -> any USBTransport
  let watch: (@Sendable (SensorContext) throws(SensorFailure) -> any USBWatch)?
}

"""##),
("Sources/SensorKit/USB/PendingRead.swift", ##"""
internal import AuthcoreABI

/// A queued read. Some devices want one pending before a write: an image that comes in answer to a command, or
/// messages that must not be missed. Dying cancels it.
public struct PendingRead: ~Copyable {
  private let device: USBDevice
  private let endpoint: USBEndpoint
  private let length: Int
  /// 0 once it is used up.
  private var ticket: UInt32

  init(device: USBDevice, endpoint: USBEndpoint, length: Int, ticket: UInt32) {
    self.device = device
    self.endpoint = endpoint
    self.length = length
    self.ticket = ticket
  }

  /// Waits for the bytes. After ``SensorFailure/Code/timeout`` or ``SensorFailure/Code/interrupted`` the read is still
  /// pending and can be waited for again; after anything else it is over.
  public mutating func wait(deadline: Duration?) throws(SensorFailure) -> [UInt8] {
    guard ticket != 0 else {
      throw SensorFailure(.state, "This read from \(endpoint) has already completed")
    }
    let ticket = ticket
    do throws(SensorFailure) {
      let bytes = try unsafe device.read("Waiting for \(endpoint)", capacity: length) {
        service, bytes, count in
        unsafe service.wait(
          service.device, ticket, USBDevice.milliseconds(deadline), bytes, UInt32(length), count)
      }
      self.ticket = 0
      return bytes
    } catch {
      if error.code != .timeout && error.code != .interrupted { self.ticket = 0 }
      throw error
    }
  }

  // A failure to cancel means that the read is over already, or the device.
  deinit {
    guard ticket != 0 else { return }
    let service = unsafe device.service.pointee
    _ = unsafe service.cancel(service.device, ticket)
  }
}

"""##),
("Sources/SensorKit/USB/USBControlRequest.swift", ##"""
/// The setup packet of a control transfer, without direction and length (USB 2.0, section 9.3).
public struct USBControlRequest: Hashable, Sendable, CustomStringConvertible {
  /// Who defined the request.
  public enum Kind: UInt8, Sendable {
    /// Chapter 9 of USB 2.0.
    case standard = 0
    /// A device class.
    case deviceClass = 1
    /// The maker of the device.
    case vendor = 2
  }

  /// What the request is for.
  public enum Recipient: UInt8, Sendable {
    /// The whole device.
    case device = 0
    /// One interface; its number is the index.
    case interface = 1
    /// One endpoint; its address is the index.
    case endpoint = 2
  }

  /// Who defined the request.
  public let kind: Kind
  /// What the request is for.
  public let recipient: Recipient
  /// bRequest
  public let request: UInt8
  /// wValue
  public let value: UInt16
  /// wIndex
  public let index: UInt16

  /// Describes a request; most sensors use vendor requests to the device.
  public init(
    _ request: UInt8, value: UInt16 = 0, index: UInt16 = 0, kind: Kind = .vendor,
    recipient: Recipient = .device
  ) {
    self.kind = kind
    self.recipient = recipient
    self.request = request
    self.value = value
    self.index = index
  }

  /// bmRequestType for a transfer in this direction.
  func type(isRead: Bool) -> UInt8 {
    (isRead ? 0x80 : 0) | kind.rawValue << 5 | recipient.rawValue
  }

  /// "control request 0x4, value 0x7"
  public var description: String {
    "control request 0x\(String(request, radix: 16)), value 0x\(String(value, radix: 16))"
  }
}

"""##),
("Sources/SensorKit/USB/USBDevice+Calls.swift", ##"""
internal import AuthcoreABI

extension USBDevice {
  /// `AC_USB_MAX_TRANSFER`
  static var maximumTransfer: UInt32 { 4 * 1024 * 1024 }

  static func tooLong(_ length: Int) -> SensorFailure {
    SensorFailure(
      .argument, "A transfer of \(length) bytes is not possible; the limit is \(maximumTransfer)")
  }

  /// A deadline as usb/1 takes it, rounded up; nil is `AC_USB_NO_TIMEOUT`.
  static func milliseconds(_ deadline: Duration?) -> UInt32 {
    guard let deadline else { return .max }
    guard deadline > .zero else { return 0 }
    let (seconds, attoseconds) = deadline.components
    guard seconds < 4_000_000 else { return .max - 1 }
    return UInt32(seconds) * 1000
      + UInt32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Makes one call of the table and turns its status into a failure.
  ///
  /// A transfer can report an interrupt that this driver already took by ``Interruption/check()``: the request
  /// reaches the device a moment after the flag. That echo is no news, so the call is made again.
  func call(_ action: @autoclosure () -> String, _ body: (ac_usb_service_t) -> ac_status_t)
    throws(SensorFailure)
  {
    var status = unsafe body(service.pointee)
    if status == ac_status_t(AC_ERR_INTERRUPTED) && !interruption.take() {
      status = unsafe body(service.pointee)
    }
    guard status != ac_status_t(AC_OK) else { return }
    throw USBDevice.failure(status, action())
  }

  /// Reads into a fresh array. A deadline that passes after some bytes had come is no failure.
  func read(
    _ action: @autoclosure () -> String, capacity: Int,
    _ body: (ac_usb_service_t, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>) ->
      ac_status_t
  ) throws(SensorFailure) -> [UInt8] {
    guard 0...Int(USBDevice.maximumTransfer) ~= capacity else { throw USBDevice.tooLong(capacity) }
    var bytes = [UInt8](repeating: 0, count: capacity)
    var count: UInt32 = 0
    do throws(SensorFailure) {
      try unsafe call(action()) { service in
        unsafe bytes.withUnsafeMutableBufferPointer { unsafe body(service, $0.baseAddress, &count) }
      }
    } catch {
      guard error.code == .timeout, count > 0 else { throw error }
    }
    guard Int(count) <= capacity else {
      throw SensorFailure(.protocolViolation, "\(action()): \(count) bytes came, \(capacity) fit")
    }
    bytes.removeSubrange(Int(count)...)
    return bytes
  }

  /// Writes all of `bytes`.
  func write(
    _ action: @autoclosure () -> String, _ bytes: [UInt8],
    _ body: (ac_usb_service_t, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>) ->
      ac_status_t
  ) throws(SensorFailure) {
    // usb.h takes a mutable pointer for both directions.
    var bytes = bytes
    let length = bytes.count
    var count: UInt32 = 0
    try unsafe call(action()) { service in
      unsafe bytes.withUnsafeMutableBufferPointer { unsafe body(service, $0.baseAddress, &count) }
    }
    guard Int(count) == length else {
      throw SensorFailure(
        .protocolViolation, "\(action()): the device took \(count) of \(length) bytes")
    }
  }

  private static func failure(_ status: ac_status_t, _ action: String) -> SensorFailure {
    let code = SensorFailure.Code(rawValue: status) ?? .inputOutput
    let reason =
      switch code {
      case .gone: "the device was unplugged; plug it in again"
      case .timeout: "no answer in time"
      case .stall: "the device refused it (the endpoint halted)"
      case .interrupted: "interrupted"
      case .busy: "another program holds the device; end it"
      case .permission: "no permission for the device"
      default: "failure \(status)"
      }
    return SensorFailure(code, "\(action) failed: \(reason)")
  }
}

"""##),
("Sources/SensorKit/USB/USBDevice+Info.swift", ##"""
internal import AuthcoreABI

extension USBDevice {
  /// The device's descriptor and interfaces; use it to find the interface by its class.
  public func info() throws(SensorFailure) -> USBDeviceInfo {
    try unsafe USBDeviceInfo(
      device: { info throws(SensorFailure) in
        try unsafe call("Reading the device's descriptor") {
          unsafe $0.device_info($0.device, info)
        }
      },
      interface: { index, info throws(SensorFailure) in
        try unsafe call("Reading the descriptor of interface \(index)") {
          unsafe $0.interface_info($0.device, index, info)
        }
      })
  }
}

"""##),
("Sources/SensorKit/USB/USBDevice.swift", ##"""
internal import AuthcoreABI

/// The USB device behind a driver: `usb/1` with Swift types.
///
/// All calls are made on the owner's thread and block at most as long as they say; nil as a deadline is none. An
/// interrupt of the host ends them with ``SensorFailure/Code/interrupted``.
@safe public struct USBDevice {
  // The table lives until the process ends (common.h).
  let service: UnsafePointer<ac_usb_service_t>
  let interruption: Interruption

  init(_ service: UnsafePointer<ac_usb_service_t>, interruption: Interruption) throws(SensorFailure)
  {
    guard unsafe Int(service.pointee.struct_size) >= MemoryLayout<ac_usb_service_t>.size else {
      throw SensorFailure(.versionMismatch, "The host's usb/1 is older than this driver needs")
    }
    unsafe self.service = unsafe service
    self.interruption = interruption
  }

  /// Claims an interface, detaching a kernel driver where possible.
  public func claimInterface(_ number: UInt8) throws(SensorFailure) {
    try unsafe call("Claiming interface \(number)") { unsafe $0.claim_interface($0.device, number) }
  }

  /// Gives an interface back.
  public func releaseInterface(_ number: UInt8) throws(SensorFailure) {
    try unsafe call("Releasing interface \(number)") {
      unsafe $0.release_interface($0.device, number)
    }
  }

  /// Reads up to `length` bytes by a control transfer; fewer when the device has no more.
  public func read(
    _ request: USBControlRequest, length: UInt16, deadline: Duration? = .seconds(5)
  ) throws(SensorFailure) -> [UInt8] {
    try unsafe read("Reading by \(request)", capacity: Int(length)) { service, bytes, count in
      unsafe service.control(
        service.device, request.type(isRead: true), request.request, request.value, request.index,
        bytes, length, USBDevice.milliseconds(deadline), count)
    }
  }

  /// Writes `bytes` by a control transfer.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` also when the device takes fewer bytes.
  public func write(
    _ request: USBControlRequest, _ bytes: [UInt8] = [], deadline: Duration? = .seconds(5)
  ) throws(SensorFailure) {
    guard let length = UInt16(exactly: bytes.count) else {
      throw SensorFailure(.argument, "A control transfer of \(bytes.count) bytes is not possible")
    }
    try unsafe write("Writing by \(request)", bytes) { service, bytes, count in
      unsafe service.control(
        service.device, request.type(isRead: false), request.request, request.value, request.index,
        bytes, length, USBDevice.milliseconds(deadline), count)
    }
  }

  /// Reads up to `length` bytes from an endpoint; fewer after a short packet, or when the deadline passed after some
  /// had come.
  ///
  /// - Throws: ``SensorFailure/Code/timeout`` when none came.
  public func read(from endpoint: USBEndpoint, length: Int, deadline: Duration?)
    throws(SensorFailure)
    -> [UInt8]
  {
    try unsafe read("Reading from \(endpoint)", capacity: length) { service, bytes, count in
      unsafe service.transfer(
        service.device, endpoint.kind.rawValue, endpoint.address, bytes, UInt32(length),
        USBDevice.milliseconds(deadline), count)
    }
  }

  /// Writes `bytes` to an endpoint.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` also when the device takes fewer bytes.
  public func write(_ bytes: [UInt8], to endpoint: USBEndpoint, deadline: Duration?)
    throws(SensorFailure)
  {
    guard bytes.count <= Int(USBDevice.maximumTransfer) else {
      throw USBDevice.tooLong(bytes.count)
    }
    try unsafe write("Writing to \(endpoint)", bytes) { service, data, count in
      unsafe service.transfer(
        service.device, endpoint.kind.rawValue, endpoint.address, data, UInt32(bytes.count),
        USBDevice.milliseconds(deadline), count)
    }
  }

  /// Queues a read that may complete while other calls run; see ``PendingRead``. At most 16 are pending.
  public func submitRead(from endpoint: USBEndpoint, length: Int) throws(SensorFailure)
    -> PendingRead
  {
    guard 0...Int(USBDevice.maximumTransfer) ~= length else { throw USBDevice.tooLong(length) }
    var ticket: UInt32 = 0
    try unsafe call("Queueing a read from \(endpoint)") {
      unsafe $0.submit_read(
        $0.device, endpoint.kind.rawValue, endpoint.address, UInt32(length), &ticket)
    }
    return PendingRead(device: self, endpoint: endpoint, length: length, ticket: ticket)
  }

  /// Ends the halt of an endpoint after ``SensorFailure/Code/stall``.
  public func clearHalt(_ endpoint: USBEndpoint) throws(SensorFailure) {
    try unsafe call("Clearing the halt of \(endpoint)") {
      unsafe $0.clear_halt($0.device, endpoint.address)
    }
  }

  /// Resets the device; claimed interfaces stay claimed.
  public func reset() throws(SensorFailure) {
    try unsafe call("Resetting the device") { unsafe $0.reset($0.device) }
  }
}

"""##),
("Sources/SensorKit/USB/USBDeviceInfo+C.swift", ##"""
internal import AuthcoreABI

extension USBDeviceInfo {
  /// Writes the C struct of usb.h, of the size this module was built with.
  @unsafe func fill(_ ret: UnsafeMutablePointer<ac_usb_device_info_t>) {
    unsafe ret.pointee = ac_usb_device_info_t(
      struct_size: UInt32(MemoryLayout<ac_usb_device_info_t>.size), vendor_id: vendor,
      product_id: product, bcd_device: release, bus: bus, address: address,
      interface_count: UInt8(clamping: interfaces.count))
  }

  /// Reads a device's descriptor and the descriptors of its interfaces, each by a call of a C table.
  @unsafe init(
    device: (UnsafeMutablePointer<ac_usb_device_info_t>) throws(SensorFailure) -> Void,
    interface: (UInt8, UnsafeMutablePointer<ac_usb_interface_info_t>) throws(SensorFailure) -> Void
  ) throws(SensorFailure) {
    var info = ac_usb_device_info_t()
    info.struct_size = UInt32(MemoryLayout<ac_usb_device_info_t>.size)
    try unsafe device(&info)
    var interfaces: [USBInterfaceInfo] = []
    for index in 0..<info.interface_count {
      var described = ac_usb_interface_info_t()
      described.struct_size = UInt32(MemoryLayout<ac_usb_interface_info_t>.size)
      try unsafe interface(index, &described)
      interfaces.append(USBInterfaceInfo(described))
    }
    self.init(
      vendor: info.vendor_id, product: info.product_id, release: info.bcd_device, bus: info.bus,
      address: info.address, interfaces: interfaces)
  }
}

extension USBInterfaceInfo {
  /// Reads the C struct of usb.h; no more endpoints than it has room for.
  init(_ info: ac_usb_interface_info_t) {
    let addresses = unsafe withUnsafeBytes(of: info.endpoints) { unsafe Array($0) }
    self.init(
      number: info.number, classCode: info.class_code, subclassCode: info.subclass_code,
      protocolCode: info.protocol_code,
      endpoints: Array(addresses.prefix(Int(info.endpoint_count))))
  }

  /// Writes the C struct of usb.h, of the size this module was built with.
  @unsafe func fill(_ ret: UnsafeMutablePointer<ac_usb_interface_info_t>) {
    var info = ac_usb_interface_info_t()
    info.struct_size = UInt32(MemoryLayout<ac_usb_interface_info_t>.size)
    info.number = number
    info.class_code = classCode
    info.subclass_code = subclassCode
    info.protocol_code = protocolCode
    info.endpoint_count = UInt8(clamping: min(endpoints.count, 30))
    unsafe withUnsafeMutableBytes(of: &info.endpoints) { addresses in
      for (position, address) in zip(addresses.indices, endpoints) {
        unsafe addresses[position] = address
      }
    }
    unsafe ret.pointee = info
  }
}

"""##),
("Sources/SensorKit/USB/USBDeviceInfo.swift", ##"""
/// The descriptor of a USB device, as far as a driver needs it.
public struct USBDeviceInfo: Hashable, Sendable {
  /// idVendor
  public let vendor: UInt16
  /// idProduct
  public let product: UInt16
  /// bcdDevice, the device's release
  public let release: UInt16
  /// The bus it is on; 0 where there is none.
  public let bus: UInt8
  /// Its address on the bus; 0 where there is none.
  public let address: UInt8
  /// Its interfaces.
  public let interfaces: [USBInterfaceInfo]

  /// Describes a device.
  public init(
    vendor: UInt16, product: UInt16, release: UInt16, bus: UInt8 = 0, address: UInt8 = 0,
    interfaces: [USBInterfaceInfo]
  ) {
    self.vendor = vendor
    self.product = product
    self.release = release
    self.bus = bus
    self.address = address
    self.interfaces = interfaces
  }
}

/// An interface of a USB device.
public struct USBInterfaceInfo: Hashable, Sendable {
  /// bInterfaceNumber
  public let number: UInt8
  /// bInterfaceClass
  public let classCode: UInt8
  /// bInterfaceSubClass
  public let subclassCode: UInt8
  /// bInterfaceProtocol
  public let protocolCode: UInt8
  /// The addresses of its endpoints, at most 30.
  public let endpoints: [UInt8]

  /// Describes an interface.
  public init(
    number: UInt8, classCode: UInt8, subclassCode: UInt8, protocolCode: UInt8, endpoints: [UInt8]
  ) {
    self.number = number
    self.classCode = classCode
    self.subclassCode = subclassCode
    self.protocolCode = protocolCode
    self.endpoints = endpoints
  }
}

"""##),
("Sources/SensorKit/USB/USBEndpoint.swift", ##"""
internal import AuthcoreABI

/// An endpoint of a USB device (USB 2.0, section 5.3.1).
public struct USBEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// The transfer types on offer; isochronous ones are not.
  public enum Kind: Int32, Sendable {
    /// USB 2.0, section 5.8.
    case bulk = 2
    /// USB 2.0, section 5.7.
    case interrupt = 3
  }

  /// The endpoint's address; bit 7 set: from the device to the host.
  public let address: UInt8
  /// How it transfers.
  public let kind: Kind

  /// Names an endpoint of either kind.
  public init(address: UInt8, kind: Kind) {
    self.address = address
    self.kind = kind
  }

  /// Names a bulk endpoint.
  public static func bulk(_ address: UInt8) -> USBEndpoint { .init(address: address, kind: .bulk) }
  /// Names an interrupt endpoint.
  public static func interrupt(_ address: UInt8) -> USBEndpoint {
    .init(address: address, kind: .interrupt)
  }

  /// "bulk endpoint 0x82"
  public var description: String { "\(kind) endpoint 0x\(String(address, radix: 16))" }
}

"""##),
  ]
}
