/* authcore/engine.h: the ABI of an engine: enclave, keychain or policy.
 *
 * An engine is a mailbox: bytes in, bytes out. The bytes are the messages of Sources/Protocol/Schema (docs/protocol.md),
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

/* 1.1: other messages in the mailboxes of enclaves and keychains. Those built for 1.0 are refused; policy engines of 1.0 run. */
#define AC_ENGINE_ABI AC_ABI_VERSION(1, 1)
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

  /* Prepares the engine with its services. A failure has a message set (host->set_error). [owner] */
  ac_status_t (*create)(ac_engine_t **ret_engine);

  /* Handles one request and replies once. Calls are never concurrent. request lives until the call returns. Any
   * status but AC_OK means that the engine is broken and must be ended; refusals are responses. [owner] */
  ac_status_t (*call)(ac_engine_t *engine, const uint8_t *request, size_t request_count, ac_engine_reply_t reply,
                      void *reply_context);

  /* Wipes and frees. NULL is accepted. [owner] */
  void (*destroy)(ac_engine_t *engine);
} ac_engine_plugin_t;

/* The only symbol that an engine exports. It opens nothing and does not block. [owner] */
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
   * (then AC_ERR_MEMORY, and ret_count is written all the same). AC_ERR_NOT_FOUND if there is none. [owner] */
  ac_status_t (*load)(void *context, const char *name, uint8_t *bytes, size_t capacity, size_t *ret_count);
  /* Replaces the file as one step that survives a crash: temporary file, fsync, rename, fsync of the folder. mode 0600.
   * AC_ERR_IO with a message when it cannot (full disk, read-only folder): the old file is untouched. [owner] */
  ac_status_t (*save)(void *context, const char *name, const uint8_t *bytes, size_t count);
  /* Removes the file, durably. AC_OK if there is none. [owner] */
  ac_status_t (*remove)(void *context, const char *name);
} ac_store_service_t;

/* "tpm/1": a TPM 2.0, opened before the sandbox of the enclave's host closed. Missing if the host was told to use
 * none. The host sees all messages: engines encrypt secrets (TPM 2.0 part 1, "Session-Based Encryption") and accept only
 * answers that the TPM has authenticated. */
typedef struct ac_tpm_service {
  uint32_t struct_size;
  void *context;
  /* Sends command[0..<command_count], one whole command of 10..4,096 bytes, and waits at most timeout_ms for the response
   * to it: written to response[0..<capacity], its size to ret_count. A host may wait for less than timeout_ms.
   * Failures have a message set (host->set_error). They mean:
   *   AC_ERR_NOT_FOUND   there is no such device
   *   AC_ERR_PERMISSION  the device may not be opened
   *   AC_ERR_BUSY        another program holds the device, or an earlier command is not answered yet
   *   AC_ERR_TIMEOUT     no response in time; if it comes later, it is dropped before the next command
   *   AC_ERR_PROTOCOL    the answer is not a response, or longer than capacity
   *   AC_ERR_GONE        the connection to the device is lost for this host
   *   AC_ERR_ARGUMENT    command_count is out of range, or a pointer is NULL  [owner] */
  ac_status_t (*transmit)(void *context, const uint8_t *command, size_t command_count, uint32_t timeout_ms,
                          uint8_t *response, size_t capacity, size_t *ret_count);
} ac_tpm_service_t;

/* "boot/1": which boot this is, from the kernel. */
typedef struct ac_boot_service {
  uint32_t struct_size;
  /* Writes the 16 bytes of the kernel's boot id. [any] */
  ac_status_t (*boot_id)(uint8_t ret_identifier[16]);
} ac_boot_service_t;

/* "owner/1": for the keychain: the user whose items it keeps. Without it that is the user of the process. */
typedef struct ac_owner_service {
  uint32_t struct_size;
  /* The number of a Linux user. */
  uint32_t user;
} ac_owner_service_t;

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
