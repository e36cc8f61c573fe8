/* Made by scripts/make-protocol from Sources/Protocol/Schema: what pam_authcore says and hears. */
#pragma once
#include "pam_authcore.h"

enum { CORE_PROTOCOL = 7, CORE_FAILURE = 0, CORE_DONE = 1, CORE_HELLO = 2, CORE_WELCOME = 3,
    CORE_PROMPT = 8, CORE_PROMPT_ANSWER = 9, CORE_PROGRESS = 11, CORE_EVALUATE = 12,
    CORE_EVALUATED = 14, CORE_UNLOCK_DEVICE = 33, CORE_SERVE_USER = 61 };
enum { CORE_EVALUATED_POLICY_BIOMETRICS = 1, CORE_EVALUATED_POLICY_OWNER = 2 };
enum { CORE_AWAITED_TOUCH_NONE = 1, CORE_AWAITED_TOUCH_PLAYED = 2, CORE_AWAITED_TOUCH_PERSON = 3,
    CORE_AWAITED_TOUCH_UNATTENDED = 4 };
enum { CORE_PROMPT_ANSWER_KIND_SHOWN = 1, CORE_PROMPT_ANSWER_KIND_CANCEL = 2,
    CORE_PROMPT_ANSWER_KIND_FALLBACK = 3, CORE_PROMPT_ANSWER_KIND_PASSCODE = 4,
    CORE_PROMPT_ANSWER_KIND_NO_PASSCODE = 5, CORE_PROMPT_ANSWER_KIND_HARMLESS_PASSCODE = 6 };
enum { CORE_PROMPT_FALLBACK_HIDDEN = 1, CORE_PROMPT_FALLBACK_APPLICATION = 2,
    CORE_PROMPT_FALLBACK_PASSCODE = 3 };
enum { CORE_PROMPTED_SECRET_PASSCODE = 1, CORE_PROMPTED_SECRET_APP_PASSWORD = 2 };
enum { CORE_PROMPT_MATTER_PRESENCE = 1, CORE_PROMPT_MATTER_UNLOCKING = 2,
    CORE_PROMPT_MATTER_SECRET = 3, CORE_PROMPT_MATTER_CHANGE = 4, CORE_PROMPT_MATTER_KEY = 5,
    CORE_PROMPT_MATTER_BACKUP = 6, CORE_PROMPT_MATTER_ACCESS = 7,
    CORE_PROMPT_MATTER_APPLICATION = 8, CORE_PROMPT_MATTER_PASSCODE = 9,
    CORE_PROMPT_MATTER_FINGERS = 10, CORE_PROMPT_MATTER_TRIAL = 11,
    CORE_PROMPT_MATTER_ROOT_KEY = 12, CORE_PROMPT_MATTER_SETTINGS = 13 };
enum { CORE_DOOR_SSH_AGENT = 1, CORE_DOOR_AGE = 2, CORE_DOOR_DOCKER = 3 };
enum { CORE_PROGRESS_EVENT_AWAITING_TOUCH = 1, CORE_PROGRESS_EVENT_RETRY = 2,
    CORE_PROGRESS_EVENT_MISSED = 3, CORE_PROGRESS_EVENT_MATCHED = 4, CORE_PROGRESS_EVENT_TAKEN = 5,
    CORE_PROGRESS_EVENT_REFUSED = 6, CORE_PROGRESS_EVENT_SENSOR_LOST = 7 };
enum { CORE_PROVED_BY_BIOMETRY = 1, CORE_PROVED_BY_PASSCODE = 2, CORE_PROVED_BY_NOTHING = 3 };
enum { CORE_FAILURE_AUTHENTICATION_FAILED = -1, CORE_FAILURE_USER_CANCEL = -2,
    CORE_FAILURE_USER_FALLBACK = -3, CORE_FAILURE_SYSTEM_CANCEL = -4,
    CORE_FAILURE_PASSCODE_NOT_SET = -5, CORE_FAILURE_BIOMETRY_NOT_AVAILABLE = -6,
    CORE_FAILURE_BIOMETRY_NOT_ENROLLED = -7, CORE_FAILURE_BIOMETRY_LOCKOUT = -8,
    CORE_FAILURE_APP_CANCEL = -9, CORE_FAILURE_INVALID_CONTEXT = -10,
    CORE_FAILURE_BIOMETRY_NOT_PAIRED = -12, CORE_FAILURE_BIOMETRY_DISCONNECTED = -13,
    CORE_FAILURE_NOT_INTERACTIVE = -1004, CORE_FAILURE_ERR_SEC_PARAM = -50,
    CORE_FAILURE_ERR_SEC_USER_CANCELED = -128, CORE_FAILURE_ERR_SEC_NOT_AVAILABLE = -25291,
    CORE_FAILURE_ERR_SEC_AUTH_FAILED = -25293, CORE_FAILURE_ERR_SEC_DUPLICATE_ITEM = -25299,
    CORE_FAILURE_ERR_SEC_ITEM_NOT_FOUND = -25300, CORE_FAILURE_ERR_SEC_NO_SUCH_ATTR = -25303,
    CORE_FAILURE_ERR_SEC_INTERACTION_NOT_ALLOWED = -25308, CORE_FAILURE_ERR_SEC_DECODE = -26275,
    CORE_FAILURE_ERR_SEC_MISSING_ENTITLEMENT = -34018, CORE_FAILURE_TIMED_OUT = -7001,
    CORE_FAILURE_INVALID_REASON = -7002, CORE_FAILURE_ENROLMENT_INCOMPLETE = -7003,
    CORE_FAILURE_DUPLICATE_FINGER = -7004, CORE_FAILURE_FINGER_NOT_FOUND = -7005,
    CORE_FAILURE_TOO_MANY_FINGERS = -7006, CORE_FAILURE_PASSCODE_ALREADY_SET = -7007,
    CORE_FAILURE_AMBIGUOUS = -7008, CORE_FAILURE_UNSUPPORTED = -7009, CORE_FAILURE_USAGE = -7010,
    CORE_FAILURE_BUSY = -7011, CORE_FAILURE_REFUSED_BY_SERVICE = -7012,
    CORE_FAILURE_DRIVER_NOT_FOUND = -7013, CORE_FAILURE_DRIVER_FAILED = -7014,
    CORE_FAILURE_ENGINE_FAILED = -7015, CORE_FAILURE_CORE_FAILED = -7016,
    CORE_FAILURE_CORE_VERSION_MISMATCH = -7017, CORE_FAILURE_STATE_DAMAGED = -7018,
    CORE_FAILURE_STORAGE_FAILED = -7019, CORE_FAILURE_UNTRUSTED_PLUGIN = -7020,
    CORE_FAILURE_PASSCODE_DELAYED = -7021, CORE_FAILURE_COMMAND_NOT_FOUND = -7022,
    CORE_FAILURE_COMMAND_NOT_EXECUTABLE = -7023, CORE_FAILURE_TPM_NOT_FOUND = -7024,
    CORE_FAILURE_TPM_NOT_PERMITTED = -7025, CORE_FAILURE_TPM_BUSY = -7026,
    CORE_FAILURE_TPM_LOCKOUT = -7027, CORE_FAILURE_TPM_REPLACED = -7028,
    CORE_FAILURE_TPM_FAILED = -7029, CORE_FAILURE_PASSCODE_TOO_SHORT = -7031,
    CORE_FAILURE_APP_PASSWORD_DELAYED = -7032, CORE_FAILURE_DEVICE_ERASED = -7034,
    CORE_FAILURE_BACKUP_DAMAGED = -7035, CORE_FAILURE_BACKUP_TOO_NEW = -7036,
    CORE_FAILURE_IMPORT_UNREADABLE = -7037 };

struct core_prompt_options { const char *reason; const char *fallback_title;
    const char *cancel_title; uint32_t timeout_milliseconds; uint8_t may_prompt; uint8_t touch;
    uint8_t can_give_passcode; uint8_t prefers_passcode; uint8_t may_use_agent;
    const char *application_name; };
static inline void core_put_prompt_options(struct core *core, const struct core_prompt_options *it) {
  core_put_string(core, it->reason);
  core_put_optional(core, it->fallback_title);
  core_put_optional(core, it->cancel_title);
  core_put_uint32(core, it->timeout_milliseconds);
  core_put_byte(core, it->may_prompt);
  core_put_byte(core, it->touch);
  core_put_byte(core, it->can_give_passcode);
  core_put_byte(core, it->prefers_passcode);
  core_put_byte(core, it->may_use_agent);
  core_put_optional(core, it->application_name);
}

struct core_hello { uint32_t protocol_version; const char *software_version; };
static inline bool core_send_hello(struct core *core, const struct core_hello *it) {
  core_begin(core, CORE_HELLO);
  core_put_uint32(core, it->protocol_version);
  core_put_string(core, it->software_version);
  return core_end(core);
}

struct core_serve_user { uint32_t user; };
static inline bool core_send_serve_user(struct core *core, const struct core_serve_user *it) {
  core_begin(core, CORE_SERVE_USER);
  core_put_uint32(core, it->user);
  return core_end(core);
}

struct core_evaluate { uint8_t policy; uint32_t reuse_seconds; uint64_t context;
    struct core_prompt_options options; };
static inline bool core_send_evaluate(struct core *core, const struct core_evaluate *it) {
  core_begin(core, CORE_EVALUATE);
  core_put_byte(core, it->policy);
  core_put_uint32(core, it->reuse_seconds);
  core_put_uint64(core, it->context);
  core_put_prompt_options(core, &it->options);
  return core_end(core);
}

struct core_unlock_device { struct core_prompt_options options; };
static inline bool core_send_unlock_device(struct core *core, const struct core_unlock_device *it) {
  core_begin(core, CORE_UNLOCK_DEVICE);
  core_put_prompt_options(core, &it->options);
  return core_end(core);
}

struct core_prompt_answer { uint32_t prompt; uint8_t kind; const char *passcode;
    const char *as_typed; };
static inline bool core_send_prompt_answer(struct core *core, const struct core_prompt_answer *it) {
  core_begin(core, CORE_PROMPT_ANSWER);
  core_put_uint32(core, it->prompt);
  core_put_byte(core, it->kind);
  core_put_string(core, it->passcode);
  core_put_string(core, it->as_typed);
  return core_end(core);
}

struct core_failure { uint32_t code; char message[CORE_LINE]; char hint[CORE_LINE]; };
/* Reads it where it begins; false if a field is missing. A choice is read as its kind alone. */
static inline bool core_read_failure(struct core *core, struct core_failure *it) {
  return core_get_uint32(core, &it->code) && core_get_string(core, it->message) &&
      core_get_optional_string(core, it->hint);
}

struct core_welcome { uint32_t protocol_version; char software_version[CORE_LINE];
    uint8_t is_service; uint32_t process; };
/* Reads it where it begins; false if a field is missing. A choice is read as its kind alone. */
static inline bool core_read_welcome(struct core *core, struct core_welcome *it) {
  return core_get_uint32(core, &it->protocol_version) && core_get_string(core, it->software_version)
      && core_get_byte(core, &it->is_service) && core_get_uint32(core, &it->process);
}

struct core_prompt { uint32_t prompt; uint8_t awaits_touch; uint8_t fallback;
    char fallback_title[CORE_LINE]; char cancel_title[CORE_LINE]; char reason[CORE_LINE];
    uint32_t refused_passcodes; uint8_t secret; uint8_t matter; char item[CORE_LINE];
    uint8_t unlocks; char application[CORE_LINE]; uint8_t name_protects;
    char claimed_name[CORE_LINE]; uint8_t door; };
/* Reads it where it begins; false if a field is missing. A choice is read as its kind alone. */
static inline bool core_read_prompt(struct core *core, struct core_prompt *it) {
  return core_get_uint32(core, &it->prompt) && core_get_byte(core, &it->awaits_touch) &&
      core_get_byte(core, &it->fallback) && core_get_optional_string(core, it->fallback_title) &&
      core_get_optional_string(core, it->cancel_title) && core_get_string(core, it->reason) &&
      core_get_uint32(core, &it->refused_passcodes) && core_get_byte(core, &it->secret) &&
      core_get_byte(core, &it->matter) && core_get_optional_string(core, it->item) &&
      core_get_byte(core, &it->unlocks) && core_get_string(core, it->application) &&
      core_get_byte(core, &it->name_protects) && core_get_optional_string(core, it->claimed_name) &&
      core_get_optional_byte(core, &it->door);
}

struct core_progress { uint8_t event; };
/* Reads it where it begins; false if a field is missing. A choice is read as its kind alone. */
static inline bool core_read_progress(struct core *core, struct core_progress *it) {
  return core_get_byte(core, &it->event);
}

struct core_evaluated { uint8_t evidence; char finger[CORE_LINE]; uint64_t seconds; uint32_t age; };
/* Reads it where it begins; false if a field is missing. A choice is read as its kind alone. */
static inline bool core_read_evaluated(struct core *core, struct core_evaluated *it) {
  return core_get_byte(core, &it->evidence) && core_get_optional_string(core, it->finger) &&
      core_get_uint64(core, &it->seconds) && core_get_uint32(core, &it->age);
}
