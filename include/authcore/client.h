/* authcore/client.h: secrets, keys and the owner's touch for programs in C and other languages.
 *
 * libauthcore-client talks to the core of the user who runs the program, and starts one if none runs. Its
 * name in pkg-config is authcore-client. To use it, open a client, make calls, and close it; see docs/examples/authcore_ctypes.py.
 *
 * Rules that hold for every function and struct here:
 *  - Unless stated otherwise, every call may be made on any thread at any time and blocks until it is answered. Calls of several
 *    threads run in parallel, but those in one context, and those that prompt, run one after another. An object is closed or freed
 *    once, when no other call uses it.
 *  - A call that can fail returns AC_CLIENT_OK or the number of the failure: Apple's if there is one, as -25300
 *    (errSecItemNotFound) and -2 (userCancel), else one of ours, -7001 and below; docs/protocol.md lists them. Unless ret_error is
 *    NULL, it then gets an error with details, which the caller frees. There is no "last error" that threads could share.
 *  - Out-parameters are named ret_x. They are written only on success, ret_error only on failure.
 *  - Every struct begins with struct_size, its sizeof when the program was compiled; other fields that are not used are 0.
 *    Fields are only ever appended. An older library than the program's refuses unknown fields unless they are 0.
 *  - Text is UTF-8, NUL terminated, at most AC_CLIENT_LONGEST_TEXT bytes unless stated otherwise. A call keeps no
 *    pointer to its arguments after it returns.
 *  - A NULL pointer that is needed, text that is not UTF-8 or too long, and a size or number out of range give -50 (errSecParam) and
 *    a message that names the argument. Nothing has been done then.
 *  - If the owner has to prove presence, the agent of the session asks (docs/dialog.md); if there is none, the library asks on the
 *    terminal that controls the process, as sudo does, unless another program reads that (docs/terminal.md). Else the call fails
 *    with -1004 (notInteractive). It installs no signal handlers, and writes neither to standard
 *    output nor to standard error.
 *  - The running executable, as the kernel names it, decides whose items are reached. All scripts of one interpreter are one application.
 *  - After fork(2) the child opens connections of its own with its first call; it cannot use the parent's contexts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_CLIENT_H
#define AUTHCORE_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* (major << 16) | minor, of this header. */
#define AC_CLIENT_VERSION_MAJOR 1u
#define AC_CLIENT_VERSION_MINOR 0u
#define AC_CLIENT_VERSION ((AC_CLIENT_VERSION_MAJOR << 16) | AC_CLIENT_VERSION_MINOR)

#if defined(__GNUC__)
#define AC_CLIENT_EXPORT __attribute__((visibility("default")))
#else
#define AC_CLIENT_EXPORT
#endif

/* The result of a successful call. */
#define AC_CLIENT_OK 0

/* Limits, in bytes. */
#define AC_CLIENT_LONGEST_TEXT 1024u
#define AC_CLIENT_LONGEST_DATA 4096u
#define AC_CLIENT_LARGEST_SECRET 49152u
#define AC_CLIENT_LONGEST_PASSWORD 1024u
/* An uncompressed point of P-256: 4, x, y (SEC 1, 2.3.3). */
#define AC_CLIENT_PUBLIC_KEY_SIZE 65u
/* A SHA-256 hash. */
#define AC_CLIENT_DIGEST_SIZE 32u
/* An ECDSA signature of P-256 in DER has at most this many. */
#define AC_CLIENT_LARGEST_SIGNATURE 72u

typedef struct ac_client ac_client_t;                 /* a connection to one core */
typedef struct ac_client_context ac_client_context_t; /* holds what the owner proved */
typedef struct ac_client_error ac_client_error_t;     /* the failure of one call */
typedef struct ac_client_secret ac_client_secret_t;   /* bytes in locked memory that is never dumped, and wiped */

/* AC_CLIENT_VERSION of the loaded library. It serves programs with the same major and no higher minor number. */
AC_CLIENT_EXPORT uint32_t ac_client_version(void);

/* --- Errors --- */

/* The number that the call returned; 0 for NULL. */
AC_CLIENT_EXPORT int32_t ac_client_error_code(const ac_client_error_t *error);

/* Its name, as "errSecItemNotFound"; "" for NULL. It lives as long as the error, as do the two below. */
AC_CLIENT_EXPORT const char *ac_client_error_name(const ac_client_error_t *error);

/* One sentence for a person, without a full stop and without secrets; "" for NULL. */
AC_CLIENT_EXPORT const char *ac_client_error_message(const ac_client_error_t *error);

/* What to do about it; NULL if nothing helps, and for NULL. */
AC_CLIENT_EXPORT const char *ac_client_error_hint(const ac_client_error_t *error);

/* NULL is accepted. */
AC_CLIENT_EXPORT void ac_client_error_free(ac_client_error_t *error);

/* --- Secrets that the library owns --- */

/* The bytes, not NUL terminated; valid until the secret is freed. NULL only for NULL. */
AC_CLIENT_EXPORT const uint8_t *ac_client_secret_bytes(const ac_client_secret_t *secret);

/* How many; 0 for NULL. */
AC_CLIENT_EXPORT size_t ac_client_secret_count(const ac_client_secret_t *secret);

/* Wipes it. NULL is accepted. */
AC_CLIENT_EXPORT void ac_client_secret_free(ac_client_secret_t *secret);

/* --- Clients --- */

/* How a client finds its core, and the program's name in prompts. */
typedef struct ac_client_settings {
  uint32_t struct_size;
  const char *home;             /* the state folder, at most 4,095 bytes; NULL: AUTHCORE_HOME, else the user's own */
  const char *driver;           /* the sensor driver, as --driver takes it; NULL: AUTHCORE_DRIVER, else the core's choice */
  const char *application_name; /* for prompts; selects nothing; at most 64 bytes. NULL: the name of the executable's file */
} ac_client_settings_t;

/* Makes a client. The first call connects it. NULL for settings is the same as NULL for all fields. */
AC_CLIENT_EXPORT int32_t ac_client_open(
  const ac_client_settings_t *settings, ac_client_t **ret_client, ac_client_error_t **ret_error);

/* Closes the client; contexts that were opened with it go on. NULL is accepted. Does not block. */
AC_CLIENT_EXPORT void ac_client_close(ac_client_t *client);

/* --- Prompts and contexts --- */

/* ac_client_prompt.flags */
enum {
  AC_CLIENT_PROMPT_FORBIDDEN = 1 << 0 /* nobody is asked: calls that would have to ask fail with -25308 or -1004 */
};

/* How the owner is asked. NULL is the same as all 0. */
typedef struct ac_client_prompt {
  uint32_t struct_size;
  uint32_t flags;             /* AC_CLIENT_PROMPT_… */
  const char *reason;         /* what is permitted: "open the vault". NULL: the request is described; evaluate needs one */
  const char *fallback_title; /* of the alternative to the sensor; "": none; NULL: the usual one */
  const char *cancel_title;   /* NULL: the usual one */
  uint32_t timeout_ms;        /* how long a touch is awaited, at most 86,400,000; 0: 30,000 */
} ac_client_prompt_t;

typedef int32_t ac_client_policy_t;
enum {
  AC_CLIENT_POLICY_BIOMETRICS = 1, /* a finger */
  AC_CLIENT_POLICY_OWNER = 2       /* a finger or the passcode */
};

typedef int32_t ac_client_evidence_t;
enum {
  AC_CLIENT_EVIDENCE_FINGER = 1,
  AC_CLIENT_EVIDENCE_PASSCODE = 2,
  AC_CLIENT_EVIDENCE_NOTHING = 3 /* nothing had to be proved */
};

/* What proved the owner's presence. The caller sets struct_size, the library the other fields. */
typedef struct ac_client_evaluated {
  uint32_t struct_size;
  ac_client_evidence_t evidence;
  uint32_t age_s; /* how many seconds ago it was proved; 0: in this call */
} ac_client_evaluated_t;

/* Makes a context: a proof in a call that names it serves later calls, for at most 300 s and not beyond a lock. An unlock by touch at
 * most reuse_s seconds before, 0..300, answers ac_client_context_evaluate and opens nothing. Does not block. */
AC_CLIENT_EXPORT int32_t ac_client_context_open(
  ac_client_t *client, uint32_t reuse_s, ac_client_context_t **ret_context, ac_client_error_t **ret_error);

/* Has the owner prove presence. prompt->reason is needed, with visible characters (else -7002, invalidReason). A proof is only
 * as good as the program that asks for it: a secret that needs protection belongs into an item with access control. ret_evaluated may be NULL. */
AC_CLIENT_EXPORT int32_t ac_client_context_evaluate(
  ac_client_context_t *context, ac_client_policy_t policy, const ac_client_prompt_t *prompt,
  ac_client_evaluated_t *ret_evaluated, ac_client_error_t **ret_error);

/* Gives the context an application password, 1..AC_CLIENT_LONGEST_PASSWORD bytes, for items with "app-password" that are opened or
 * added in it. The caller wipes its own copy. */
AC_CLIENT_EXPORT int32_t ac_client_context_give_password(
  ac_client_context_t *context, const uint8_t *password, size_t count, ac_client_error_t **ret_error);

/* Ends the call under way in the context, which fails with -9 (appCancel); a call that has not begun goes on. Does not block. NULL is accepted. */
AC_CLIENT_EXPORT void ac_client_context_cancel(ac_client_context_t *context);

/* Ends the context for good: the call under way fails with -9, later ones with -10 (invalidContext). The object stays until it is closed.
 * Does not block. NULL is accepted. */
AC_CLIENT_EXPORT void ac_client_context_invalidate(ac_client_context_t *context);

/* Invalidates and frees it. NULL is accepted. Does not block. */
AC_CLIENT_EXPORT void ac_client_context_close(ac_client_context_t *context);

/* --- Items --- */

typedef int32_t ac_client_item_class_t;
enum {
  AC_CLIENT_ITEM_ANY = 0, /* to find one: every class; to add one: an internet password if there is a server, else a generic one */
  AC_CLIENT_ITEM_GENERIC = 1,
  AC_CLIENT_ITEM_INTERNET = 2,
  AC_CLIENT_ITEM_NOTE = 5
};

typedef int32_t ac_client_attribute_kind_t;
enum {
  AC_CLIENT_ATTRIBUTE_TEXT = 0,  /* bytes: UTF-8, at most AC_CLIENT_LONGEST_TEXT */
  AC_CLIENT_ATTRIBUTE_DATA = 1,  /* bytes: at most AC_CLIENT_LONGEST_DATA */
  AC_CLIENT_ATTRIBUTE_NUMBER = 2 /* number; a flag is 0 or 1, a time seconds since 1970 */
};

/* An attribute by the name that `authcore item find --json` has for it: "comment", "port", "generic". Without bytes (count 0) it has no
 * value. The struct never grows: programs of every version step through an array of it with their own sizeof. */
typedef struct ac_client_attribute {
  const char *name;
  ac_client_attribute_kind_t kind;
  const void *bytes; /* may be NULL if count is 0 */
  size_t count;      /* of bytes */
  int64_t number;
} ac_client_attribute_t;

/* ac_client_item.flags */
enum {
  AC_CLIENT_ITEM_STRICT_MATCH = 1 << 0,  /* with access: a finger that matches at a relaxed rate only is refused */
  AC_CLIENT_ITEM_SYNCHRONIZABLE = 1 << 1 /* such an item (kSecAttrSynchronizable); in changes: it becomes one */
};

/* Describes items to find, an item to add, or changes. NULL: not stated. */
typedef struct ac_client_item {
  uint32_t struct_size;
  uint32_t flags; /* AC_CLIENT_ITEM_… */
  ac_client_item_class_t item_class; /* not in changes */
  const char *service;
  const char *account;
  const char *server;
  const char *label;
  const char *identifier; /* to be found only */
  const char *group;      /* the access group, at most 512 bytes; NULL: the program's own */
  const ac_client_attribute_t *attributes; /* each once, and none of those above */
  uint32_t attribute_count;                /* at most 64 */
  const char *access;     /* what has to be proved, as --access takes it: "biometry-current or passcode"; changes: "none" ends it. Not
                           * to be found by */
  const char *accessible; /* when it can be reached, as --accessible takes it: "when-unlocked" (as without) */
} ac_client_item_t;

/* Opens the one item that query describes. context may be NULL: a proof then serves only this call, and no other thread
 * can cancel it. Failures besides: -25300 none such, -7008 several such, -25308 the device is locked or a prompt is forbidden. */
AC_CLIENT_EXPORT int32_t ac_client_item_get(
  ac_client_t *client, ac_client_context_t *context, const ac_client_item_t *query, const ac_client_prompt_t *prompt,
  ac_client_secret_t **ret_secret, ac_client_error_t **ret_error);

/* Adds an item with secret[0..<count], at most AC_CLIENT_LARGEST_SECRET bytes. Does not prompt. context is NULL, except for an item with
 * "app-password", whose password it must have been given. The caller wipes its own copy. Failures besides: -25299 there is one with the same names. */
AC_CLIENT_EXPORT int32_t ac_client_item_add(
  ac_client_t *client, ac_client_context_t *context, const ac_client_item_t *item, const uint8_t *secret, size_t count,
  ac_client_error_t **ret_error);

/* Changes the one item that query describes: its attributes as changes says (NULL: they stay), and its secret if secret is not NULL.
 * A protected item demands the proof that opens it. Failures besides: as ac_client_item_get and -25299. */
AC_CLIENT_EXPORT int32_t ac_client_item_update(
  ac_client_t *client, ac_client_context_t *context, const ac_client_item_t *query, const ac_client_item_t *changes,
  const uint8_t *secret, size_t count, const ac_client_prompt_t *prompt, ac_client_error_t **ret_error);

/* Removes the one item that query describes, for good. Does not prompt. Failures besides: -25300, -7008. */
AC_CLIENT_EXPORT int32_t ac_client_item_remove(
  ac_client_t *client, const ac_client_item_t *query, ac_client_error_t **ret_error);

/* --- Keys: P-256, the private half made in the enclave, which it never leaves --- */

/* ac_client_key.flags */
enum {
  AC_CLIENT_KEY_STRICT_MATCH = 1 << 0 /* with access: a finger that matches at a relaxed rate only is refused */
};

/* Describes a key to make or to find. NULL: not stated. */
typedef struct ac_client_key {
  uint32_t struct_size;
  uint32_t flags;         /* AC_CLIENT_KEY_… */
  const char *name;       /* for people; a name or a tag is needed */
  const uint8_t *tag;     /* for programs (kSecAttrApplicationTag) */
  size_t tag_count;       /* 0..AC_CLIENT_LONGEST_DATA; 0: no tag */
  const char *label;
  const char *identifier; /* to be found only */
  const char *group;      /* the access group, at most 512 bytes; NULL: the program's own */
  const char *access;     /* to be made: what each use demands, as --access takes it; NULL: nothing */
  const char *accessible; /* to be made: as --accessible takes it; NULL: "when-unlocked-this-device-only" */
} ac_client_key_t;

/* Makes a key. Does not prompt. ret_public_key, AC_CLIENT_PUBLIC_KEY_SIZE bytes, may be NULL. Failures besides: -25299. */
AC_CLIENT_EXPORT int32_t ac_client_key_create(
  ac_client_t *client, const ac_client_key_t *key, uint8_t *ret_public_key, ac_client_error_t **ret_error);

/* The public half of the one key that query describes, AC_CLIENT_PUBLIC_KEY_SIZE bytes. Does not prompt. Failures besides: -25300, -7008. */
AC_CLIENT_EXPORT int32_t ac_client_key_public(
  ac_client_t *client, const ac_client_key_t *query, uint8_t *ret_public_key, ac_client_error_t **ret_error);

/* Signs a SHA-256 hash, AC_CLIENT_DIGEST_SIZE bytes, by ECDSA in the enclave. ret_signature has room for AC_CLIENT_LARGEST_SIGNATURE bytes and
 * gets DER; ret_count how many. context may be NULL, as for ac_client_item_get. Failures besides: -25300, -7008, -25308. */
AC_CLIENT_EXPORT int32_t ac_client_key_sign(
  ac_client_t *client, ac_client_context_t *context, const ac_client_key_t *query, const ac_client_prompt_t *prompt,
  const uint8_t *digest, size_t digest_count, uint8_t *ret_signature, size_t *ret_count, ac_client_error_t **ret_error);

/* Removes the one key that query describes, for good. Does not prompt. Failures besides: -25300, -7008. */
AC_CLIENT_EXPORT int32_t ac_client_key_remove(
  ac_client_t *client, const ac_client_key_t *query, ac_client_error_t **ret_error);

#ifdef __cplusplus
}
#endif
#endif
