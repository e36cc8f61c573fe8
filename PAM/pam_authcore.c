/* pam_authcore: sudo, login and screen lockers by a finger or authcore's passcode (docs/pam.md).
 * It believes the PAM file, the kernel and, within bounds, the service; not its environment. */
#include "protocol.h"

#include <security/pam_modutil.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <syslog.h>
#include <unistd.h>

/* Milliseconds for the service, seconds for a touch, and how much one request may say and ask. */
enum { SERVICE_TIMEOUT = 10000, USUAL_TIMEOUT = 30, LONGEST_TIMEOUT = 300, MOST_MESSAGES = 200,
       MOST_PASSCODES = 3 };

struct dialog {
  struct core core;
  pam_handle_t *pam;
  const char *service, *socket;
  struct person person;
  int64_t deadline, touch_ends;
  uint32_t timeout, prompt, asked;
  bool may_touch, may_type, was_refused, is_debugged;
};

/* They come from the PAM file, which root writes. */
static void read_arguments(struct dialog *dialog, int count, const char **arguments) {
  for (int index = 0; index < count; index++) {
    const char *argument = arguments[index];
    char *end = NULL;
    const unsigned long seconds =
        strncmp(argument, "timeout=", 8) == 0 ? strtoul(argument + 8, &end, 10) : 0;
    if (seconds > 0 && seconds <= LONGEST_TIMEOUT && !*end) dialog->timeout = (uint32_t)seconds;
    else if (strncmp(argument, "socket=/", 8) == 0) dialog->socket = argument + 7;
    else if (strcmp(argument, "touch=no") == 0) dialog->may_touch = false;
    else if (strcmp(argument, "passcode=no") == 0) dialog->may_type = false;
    else if (strcmp(argument, "debug") == 0) dialog->is_debugged = true;
    else pam_syslog(dialog->pam, LOG_ERR, "argument not understood, and left out: %s", argument);
  }
}

/* Ends the attempt; the next module goes on. */
static int give_up(const struct dialog *dialog, const char *why) {
  if (dialog->is_debugged) pam_syslog(dialog->pam, LOG_DEBUG, "%s", why);
  return dialog->was_refused ? PAM_AUTH_ERR : PAM_AUTHINFO_UNAVAIL;
}

static int answer(struct dialog *dialog, uint8_t kind, const char *passcode) {
  if (strlen(passcode) > CORE_LONGEST_PASSCODE) passcode = "";
  const struct core_prompt_answer it = {
      .prompt = dialog->prompt, .kind = kind, .passcode = passcode};
  return core_send_prompt_answer(&dialog->core, &it) ? PAM_SUCCESS : give_up(dialog, "the service has gone");
}

static int failed(struct dialog *dialog) {
  struct core_failure it = {0};
  (void)core_read_failure(&dialog->core, &it);
  const int32_t code = (int32_t)it.code;
  if (code == CORE_FAILURE_AUTHENTICATION_FAILED) dialog->was_refused = true;
  if (code == CORE_FAILURE_PASSCODE_DELAYED || code == CORE_FAILURE_TPM_LOCKOUT ||
      code == CORE_FAILURE_DEVICE_ERASED)
    (void)pam_error(dialog->pam, "authcore: %s", it.message);
  return give_up(dialog, it.message);
}

/* Under a prompt of its own: what is typed for one module is not looked at by another. */
static int ask_passcode(struct dialog *dialog, bool was_refused) {
  char *typed = NULL;
  if (!dialog->may_type || dialog->asked++ == MOST_PASSCODES)
    return give_up(dialog, "the passcode is not to be asked for");
  dialog->was_refused = was_refused;
  person_hush(&dialog->person, false);
  /* Ctrl-C is the application's here. */
  (void)pthread_sigmask(SIG_SETMASK, &dialog->person.before, NULL);
  if (was_refused) (void)pam_error(dialog->pam, "That is not authcore's passcode.");
  int went = pam_prompt(dialog->pam, PAM_PROMPT_ECHO_OFF, &typed,
                        "%s wants your authcore passcode (Enter alone: another way): ",
                        dialog->service);
  (void)pthread_sigmask(SIG_BLOCK, &dialog->person.held, NULL);
  const bool is_given = went == PAM_SUCCESS && typed && *typed;
  const int sent =
      answer(dialog,
             is_given ? CORE_PROMPT_ANSWER_KIND_HARMLESS_PASSCODE
                      : CORE_PROMPT_ANSWER_KIND_NO_PASSCODE,
             is_given ? typed : "");
  if (went == PAM_SUCCESS) went = is_given ? sent : give_up(dialog, "no passcode was given");
  if (typed) explicit_bzero(typed, strlen(typed));
  free(typed);
  dialog->deadline = milliseconds_now() + SERVICE_TIMEOUT;
  return went;
}

static int prompted(struct dialog *dialog) {
  struct core_prompt it = {0};
  const bool is_whole = core_read_prompt(&dialog->core, &it);
  dialog->prompt = it.prompt;
  dialog->person.is_heard = it.awaits_touch;
  if (!is_whole || it.secret != CORE_PROMPTED_SECRET_PASSCODE)
    return give_up(dialog, "a prompt not expected");
  if (!it.awaits_touch) return ask_passcode(dialog, it.refused_passcodes > 0);
  if (!dialog->may_touch) return give_up(dialog, "no touch is to be awaited");
  dialog->may_type = dialog->may_type && it.fallback == CORE_PROMPT_FALLBACK_PASSCODE;
  const char *rest = dialog->person.terminal < 0 ? ""
                     : dialog->may_type          ? ", or press Enter for the passcode"
                                                   : ", or press Enter to go on without";
  person_hush(&dialog->person, true);
  /* Nobody touches for what they were not told of. */
  if (pam_info(dialog->pam, "%s wants to know that it is you: touch the fingerprint reader%s.",
               dialog->service, rest) != PAM_SUCCESS)
    return give_up(dialog, "nobody can be told");
  dialog->deadline = dialog->touch_ends;
  return answer(dialog, CORE_PROMPT_ANSWER_KIND_SHOWN, "");
}

/* Answers the prompts of a request that was sent, or not. PAM_SUCCESS: its reply is there. */
static int await(struct dialog *dialog, bool is_sent, uint8_t reply) {
  if (!is_sent) return give_up(dialog, "the service has gone");
  struct person *person = &dialog->person;
  for (int messages = 0; messages < MOST_MESSAGES; messages++) {
    struct core_progress progress = {0};
    int went = PAM_SUCCESS;
    const enum event event = person_or_core(person, &dialog->core, dialog->deadline);
    const uint8_t number = dialog->core.number;
    if (event == EVENT_ENTER || (event == EVENT_TIME && person->is_heard)) {
      if (!dialog->may_type) return give_up(dialog, "no touch came");
      person->is_heard = dialog->may_touch = false;
      dialog->deadline = milliseconds_now() + SERVICE_TIMEOUT;
      went = answer(dialog, CORE_PROMPT_ANSWER_KIND_FALLBACK, "");
    } else if (event != EVENT_MESSAGE) {
      return give_up(dialog, event == EVENT_INTERRUPT ? "interrupted" : "the service is silent");
    } else if (number == CORE_FAILURE) {
      return failed(dialog);
    } else if (number == CORE_PROMPT && reply == CORE_EVALUATED) {
      went = prompted(dialog);
    } else if (number == CORE_PROGRESS && reply == CORE_EVALUATED) {
      (void)core_read_progress(&dialog->core, &progress);
      if (progress.event == CORE_PROGRESS_EVENT_RETRY)
        (void)pam_info(dialog->pam, "That could not be read. Touch it again.");
      if (progress.event == CORE_PROGRESS_EVENT_MISSED)
        (void)pam_info(dialog->pam, "Not recognized.");
    } else {
      return number == reply ? PAM_SUCCESS : give_up(dialog, "a reply that was not expected");
    }
    if (went != PAM_SUCCESS) return went;
  }
  return give_up(dialog, "the service talks without end");
}

/* Names the owner. Only the service serves several users; another core serves its own. */
static int greet(struct dialog *dialog, uid_t user) {
  struct core *core = &dialog->core;
  const struct core_hello hello = {CORE_PROTOCOL, "pam_authcore"};
  struct core_welcome welcome = {0};
  core->request = 1;
  const int went = await(dialog, core_send_hello(core, &hello), CORE_WELCOME);
  if (went != PAM_SUCCESS) return went;
  if (!core_read_welcome(core, &welcome) || welcome.protocol_version != CORE_PROTOCOL)
    return give_up(dialog, "of another version");
  if (!welcome.is_service || geteuid() != 0)
    return user == geteuid() ? PAM_SUCCESS : give_up(dialog, "not the owner of this core");
  core->request++;
  return await(dialog, core_send_serve_user(core, &(struct core_serve_user){user}), CORE_DONE);
}

/* Has the owner prove presence. On PAM_SUCCESS `by` is the proof. */
static int prove(struct dialog *dialog, uint8_t number, uint8_t *by) {
  struct core *core = &dialog->core;
  struct core_evaluated it = {0};
  const struct core_prompt_options options = {
      .reason = dialog->service,
      /* This module ends the wait before that; the core's limit is for when this process is gone. */
      .timeout_milliseconds = (dialog->timeout + 5) * 1000,
      .may_prompt = true,
      .touch = dialog->may_touch ? CORE_AWAITED_TOUCH_PERSON : CORE_AWAITED_TOUCH_NONE,
      .can_give_passcode = dialog->may_type};
  core->request++;
  const bool is_sent =
      number == CORE_UNLOCK_DEVICE
          ? core_send_unlock_device(core, &(struct core_unlock_device){options})
          : core_send_evaluate(core, &(struct core_evaluate){.policy = CORE_EVALUATED_POLICY_OWNER,
                                                             .options = options});
  const int went = await(dialog, is_sent, CORE_EVALUATED);
  if (went == PAM_SUCCESS && !core_read_evaluated(core, &it)) return give_up(dialog, "no evidence");
  *by = it.evidence;
  return went;
}

static int ask_owner(struct dialog *dialog, uid_t user) {
  uint8_t by = 0;
  const char *path = dialog->socket ? dialog->socket : "/run/authcore/core.sock";
  const struct passwd *server = pam_modutil_getpwnam(dialog->pam, "authcore");
  const enum place place = person_find(&dialog->person, dialog->pam);
  if (pam_get_item(dialog->pam, PAM_SERVICE, (const void **)&dialog->service) != PAM_SUCCESS)
    return PAM_SYSTEM_ERR;
  if (place == PLACE_REMOTE) dialog->may_touch = false;
  if (place == PLACE_BACKGROUND || (!dialog->may_touch && !dialog->may_type))
    return give_up(dialog, "nobody is to be asked here");
  dialog->deadline = milliseconds_now() + SERVICE_TIMEOUT;
  const char *trouble =
      core_open(&dialog->core, path, dialog->socket ? (uid_t)-1 : server ? server->pw_uid : 0,
                dialog->deadline);
  dialog->deadline = milliseconds_now() + SERVICE_TIMEOUT;
  dialog->touch_ends = milliseconds_now() + (int64_t)dialog->timeout * 1000;
  int went = trouble ? give_up(dialog, trouble) : greet(dialog, user);
  /* The proof also unlocks a locked keychain. If that is open, nobody has been asked yet. */
  if (went == PAM_SUCCESS) went = prove(dialog, CORE_UNLOCK_DEVICE, &by);
  if (went == PAM_SUCCESS && by == CORE_PROVED_BY_NOTHING) went = prove(dialog, CORE_EVALUATE, &by);
  if (went != PAM_SUCCESS || by == CORE_PROVED_BY_BIOMETRY || by == CORE_PROVED_BY_PASSCODE) return went;
  return give_up(dialog, "nothing was proved");
}

PAM_EXTERN int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **values) {
  const char *name = NULL;
  int went = pam_get_user(pam, &name, NULL);
  (void)flags; /* PAM_SILENT is ignored: a touch is never asked for silently */
  if (went != PAM_SUCCESS) return went;
  const struct passwd *user = pam_modutil_getpwnam(pam, name);
  if (!user) return PAM_USER_UNKNOWN;
  struct dialog *dialog = mmap(NULL, sizeof *dialog, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (dialog == MAP_FAILED) return PAM_BUF_ERR;
  went = PAM_BUF_ERR;
  if (mlock(dialog, sizeof *dialog) == 0) {
    (void)madvise(dialog, sizeof *dialog, MADV_DONTDUMP);
    (void)madvise(dialog, sizeof *dialog, MADV_DONTFORK);
    dialog->pam = pam, dialog->timeout = USUAL_TIMEOUT;
    dialog->may_touch = dialog->may_type = true;
    dialog->person.terminal = dialog->core.socket = -1;
    read_arguments(dialog, count, values);
    went = ask_owner(dialog, user->pw_uid);
    /* The terminal is restored before pending signals arrive. */
    person_hush(&dialog->person, false);
    (void)pthread_sigmask(SIG_SETMASK, &dialog->person.before, NULL);
    if (dialog->person.signals >= 0) (void)close(dialog->person.signals);
    if (dialog->person.terminal >= 0) (void)close(dialog->person.terminal);
    if (dialog->core.socket >= 0) (void)close(dialog->core.socket);
  }
  explicit_bzero(dialog, sizeof *dialog);
  (void)munmap(dialog, sizeof *dialog);
  return went;
}

PAM_EXTERN int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **values) {
  (void)pam, (void)flags, (void)count, (void)values;
  return PAM_SUCCESS;
}
