/* Shared by the parts of pam_authcore. */
#pragma once
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/* core.c: the part of the client protocol that asks for the owner (docs/protocol.md). */
enum { CORE_LONGEST = 16 << 10, CORE_LONGEST_PASSCODE = 1024, CORE_LINE = 200 };

int64_t milliseconds_now(void);

/* A connection. Passcodes pass through it, so it is in locked memory and wiped. */
struct core {
  int socket;
  uint32_t request;         /* the request under way */
  uint8_t number;           /* the kind of the message that was taken */
  size_t received, length;  /* bytes of `in` and `out` that are there */
  const uint8_t *at, *end;  /* what is left of the message that was taken */
  uint8_t in[4 + CORE_LONGEST], out[2048];
};

/* Connects until `deadline`. Accepts only a listener of root or `user`; (uid_t)-1: any. NULL, or why it failed. */
const char *core_open(struct core *core, const char *path, uid_t user, int64_t deadline);
/* Write a message; protocol.h calls them for each field. NULL is an empty string. */
void core_begin(struct core *core, uint8_t number);
void core_put_byte(struct core *core, uint8_t value);
void core_put_uint32(struct core *core, uint32_t value);
void core_put_uint64(struct core *core, uint64_t value);
void core_put_string(struct core *core, const char *text);
void core_put_optional(struct core *core, const char *text);
/* Sends it. False if the service has gone, or the message is too long. */
bool core_end(struct core *core);
/* 1: a message was read; 0: not yet; -1: the connection ended, or the message is not valid. */
int core_take(struct core *core);
/* Read its fields; false if it ends first. A line gets the printable part of a string, or nothing for a
 * missing optional one; a missing optional byte is 0. */
bool core_get_byte(struct core *core, uint8_t *value);
bool core_get_optional_byte(struct core *core, uint8_t *value);
bool core_get_uint32(struct core *core, uint32_t *value);
bool core_get_uint64(struct core *core, uint64_t *value);
bool core_get_string(struct core *core, char line[CORE_LINE]);
bool core_get_optional_string(struct core *core, char line[CORE_LINE]);

/* person.c: where the person is, and what they do during a wait. */
struct person {
  int terminal, signals; /* the one they type on, and the signals that are held back, or -1 */
  bool is_heard, is_hushed;
  struct termios modes;  /* of the terminal, before it was hushed */
  sigset_t held, before; /* signals */
};
enum place { PLACE_HERE, PLACE_REMOTE, PLACE_BACKGROUND };
/* Holds the signals back, too. */
enum place person_find(struct person *person, pam_handle_t *pam);
/* A hushed terminal neither echoes nor keeps input. */
void person_hush(struct person *person, bool is_hushed);

enum event { EVENT_MESSAGE, EVENT_ENTER, EVENT_INTERRUPT, EVENT_TIME, EVENT_BROKEN };
/* Waits for the first thing that happens, until `deadline`; for a line if one `is_heard`. */
enum event person_or_core(struct person *person, struct core *core, int64_t deadline);
