/* What the parts of pam_authcore know of each other. */
#pragma once
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/* core.c: the client protocol, as much of it as asking for the owner takes (docs/protocol.md). */
enum { CORE_PROTOCOL = 6, CORE_LONGEST = 16 << 10, CORE_LONGEST_PASSCODE = 1024, CORE_LINE = 200 };
enum { CORE_FAILURE = 0, CORE_DONE = 1, CORE_HELLO = 2, CORE_WELCOME = 3, CORE_PROMPT = 8,
       CORE_ANSWER = 9, CORE_PROGRESS = 11, CORE_EVALUATE = 12, CORE_EVALUATED = 14,
       CORE_UNLOCK = 33, CORE_SERVE_USER = 61 };

int64_t milliseconds_now(void);

/* A connection. Passcodes pass through it: it lies in locked memory and is wiped. */
struct core {
  int socket;
  uint32_t request, number; /* the request under way, and what message was taken */
  size_t received, length;  /* bytes of `in` and `out` that are there */
  const uint8_t *at, *end;  /* what is left of the message that was taken */
  uint8_t in[4 + CORE_LONGEST], out[2048];
};

/* Connects until `deadline`. Only a listener of root's or `user`'s is believed; (uid_t)-1: any. NULL, or why not. */
const char *core_open(struct core *core, const char *path, uid_t user, int64_t deadline);
/* Sends a message: fields by letter. b a byte, 0 and 1 that byte, n a uint32, s a string. */
bool core_send(struct core *core, uint8_t number, const char *form, ...);
/* 1: a message has been taken; 0: not yet; -1: it has ended, or is none. */
int core_take(struct core *core);
/* Reads on in it: b and n into a uint32_t, t what can be shown of a string into a line, or nowhere;
 * o, an optional string, is passed over. False where a field is missing. */
bool core_read(struct core *core, const char *form, ...);

/* person.c: where the person is, and what they do while something is awaited. */
struct person {
  int terminal, signals; /* the one they type on, and the signals that are held back, or -1 */
  bool is_heard, is_hushed;
  struct termios modes;  /* of the terminal, before it was hushed */
  sigset_t held, before; /* signals */
};
enum place { PLACE_HERE, PLACE_REMOTE, PLACE_BACKGROUND };
/* Holds the signals back, too. */
enum place person_find(struct person *person, pam_handle_t *pam);
/* While it is hushed, what is typed is neither shown nor kept for anybody. */
void person_hush(struct person *person, bool is_hushed);

enum event { EVENT_MESSAGE, EVENT_ENTER, EVENT_INTERRUPT, EVENT_TIME, EVENT_BROKEN };
/* Waits for the first thing that happens, until `deadline`; for a line where one `is_heard`. */
enum event person_or_core(struct person *person, struct core *core, int64_t deadline);
