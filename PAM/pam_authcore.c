/* pam_authcore: sudo, login and screen lockers by a finger or authcore's passcode (docs/pam.md).
 * It believes the PAM file, the kernel and, within bounds, the service; not its environment. */
#include "pam_authcore.h"

#include <security/pam_modutil.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <syslog.h>
#include <unistd.h>

/* Milliseconds for the service, seconds for a touch, and what one request may say and ask. */
enum { PATIENCE = 10000, USUAL_TIMEOUT = 30, LONGEST_TIMEOUT = 300, MOST_MESSAGES = 200,
       MOST_PASSCODES = 3 };

/* Numbers of the protocol. */
enum { SHOWN = 1, FALLBACK = 3, NO_PASSCODE = 5, HARMLESS_PASSCODE = 6 };
enum { POLICY_OWNER = 2, TOUCH_NONE = 1, TOUCH_PERSON = 3, OFFERS_PASSCODE = 3, ASKS_PASSCODE = 1 };
enum { BY_BIOMETRY = 1, BY_PASSCODE = 2, BY_NOTHING = 3, RETRY = 2, MISSED = 3 };
enum { WRONG = -1, PASSCODE_DELAYED = -7021, TPM_LOCKOUT = -7027, ERASED = -7034 };

struct dialog {
  struct core core;
  pam_handle_t *pam;
  const char *service, *socket;
  struct person person;
  int64_t deadline, touch_ends;
  uint32_t timeout, prompt, asked;
  bool may_touch, may_type, was_refused, is_debugged;
};

/* Root writes them, in the PAM file. */
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

static int answer(struct dialog *dialog, uint32_t kind, const char *passcode) {
  if (strlen(passcode) > CORE_LONGEST_PASSCODE) passcode = "";
  const bool is_sent =
      core_send(&dialog->core, CORE_ANSWER, "nbss", dialog->prompt, kind, passcode, "");
  return is_sent ? PAM_SUCCESS : give_up(dialog, "the service has gone");
}

static int failed(struct dialog *dialog) {
  char text[CORE_LINE] = "";
  int32_t code = 0;
  (void)core_read(&dialog->core, "nt", (uint32_t *)&code, text);
  if (code == WRONG) dialog->was_refused = true;
  if (code == PASSCODE_DELAYED || code == TPM_LOCKOUT || code == ERASED)
    (void)pam_error(dialog->pam, "authcore: %s", text);
  return give_up(dialog, text);
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
                        "authcore passcode (Enter alone: another way): ");
  (void)pthread_sigmask(SIG_BLOCK, &dialog->person.held, NULL);
  const bool is_given = went == PAM_SUCCESS && typed && *typed;
  const int sent =
      answer(dialog, is_given ? HARMLESS_PASSCODE : NO_PASSCODE, is_given ? typed : "");
  if (went == PAM_SUCCESS) went = is_given ? sent : give_up(dialog, "no passcode was given");
  if (typed) explicit_bzero(typed, strlen(typed));
  free(typed);
  dialog->deadline = milliseconds_now() + PATIENCE;
  return went;
}

static int prompted(struct dialog *dialog) {
  uint32_t awaits_touch = 0, fallback = 0, refused = 0, secret = 0;
  const bool is_whole = core_read(&dialog->core, "nbbootnb", &dialog->prompt, &awaits_touch,
                                  &fallback, (char *)NULL, &refused, &secret);
  dialog->person.is_heard = awaits_touch;
  if (!is_whole || secret != ASKS_PASSCODE) return give_up(dialog, "a prompt not expected");
  if (!awaits_touch) return ask_passcode(dialog, refused > 0);
  if (!dialog->may_touch) return give_up(dialog, "no touch is to be awaited");
  dialog->may_type = dialog->may_type && fallback == OFFERS_PASSCODE;
  const char *rest = dialog->person.terminal < 0 ? ""
                     : dialog->may_type          ? ", or press Enter for the passcode"
                                                   : ", or press Enter to go on without";
  person_hush(&dialog->person, true);
  /* Nobody touches for what they were not told of. */
  if (pam_info(dialog->pam, "Touch the fingerprint reader for %s%s.", dialog->service, rest) !=
      PAM_SUCCESS)
    return give_up(dialog, "nobody can be told");
  dialog->deadline = dialog->touch_ends;
  return answer(dialog, SHOWN, "");
}

/* Answers the prompts of a request that was sent, or not. PAM_SUCCESS: its reply is there. */
static int await(struct dialog *dialog, bool is_sent, uint8_t reply) {
  if (!is_sent) return give_up(dialog, "the service has gone");
  struct person *person = &dialog->person;
  for (int messages = 0; messages < MOST_MESSAGES; messages++) {
    uint32_t kind = 0;
    int went = PAM_SUCCESS;
    const enum event event = person_or_core(person, &dialog->core, dialog->deadline);
    const uint32_t number = dialog->core.number;
    if (event == EVENT_ENTER || (event == EVENT_TIME && person->is_heard)) {
      if (!dialog->may_type) return give_up(dialog, "no touch came");
      person->is_heard = dialog->may_touch = false;
      dialog->deadline = milliseconds_now() + PATIENCE;
      went = answer(dialog, FALLBACK, "");
    } else if (event != EVENT_MESSAGE) {
      return give_up(dialog, event == EVENT_INTERRUPT ? "interrupted" : "the service is silent");
    } else if (number == CORE_FAILURE) {
      return failed(dialog);
    } else if (number == CORE_PROMPT && reply == CORE_EVALUATED) {
      went = prompted(dialog);
    } else if (number == CORE_PROGRESS && reply == CORE_EVALUATED) {
      if (core_read(&dialog->core, "b", &kind) && (kind == RETRY || kind == MISSED))
        (void)pam_info(dialog->pam, kind == RETRY ? "That could not be read. Touch it again."
                                                    : "Not recognized.");
    } else {
      return number == reply ? PAM_SUCCESS : give_up(dialog, "a reply that was not expected");
    }
    if (went != PAM_SUCCESS) return went;
  }
  return give_up(dialog, "the service talks without end");
}

/* Says whose owner is asked for. A core that is no service has the one of whom it serves. */
static int greet(struct dialog *dialog, uid_t user) {
  struct core *core = &dialog->core;
  uint32_t version = 0, is_service = 0;
  core->request = 1;
  const int went = await(
      dialog, core_send(core, CORE_HELLO, "ns", CORE_PROTOCOL, "pam_authcore"), CORE_WELCOME);
  if (went != PAM_SUCCESS) return went;
  const bool is_whole = core_read(core, "ntb", &version, (char *)NULL, &is_service);
  if (!is_whole || version != CORE_PROTOCOL) return give_up(dialog, "of another version");
  if (!is_service || geteuid() != 0)
    return user == geteuid() ? PAM_SUCCESS : give_up(dialog, "not the owner of this core");
  core->request++;
  return await(dialog, core_send(core, CORE_SERVE_USER, "n", user), CORE_DONE);
}

/* Has the owner proved. PAM_SUCCESS: `by` says by what. */
static int prove(struct dialog *dialog, uint8_t number, uint32_t *by) {
  struct core *core = &dialog->core;
  /* This module ends the wait before that; that the core does is for when this process has gone. */
  const uint32_t limit = (dialog->timeout + 5) * 1000, types = dialog->may_type;
  const uint32_t touch = dialog->may_touch ? TOUCH_PERSON : TOUCH_NONE;
  core->request++;
  /* For Evaluate: neither reuse nor context. Then the options: usual titles, and no agent. */
  const bool is_sent =
      number == CORE_UNLOCK
          ? core_send(core, number, "s00n1bb000", dialog->service, limit, touch, types)
          : core_send(core, number, "b000000000000s00n1bb000", POLICY_OWNER, dialog->service,
                      limit, touch, types);
  const int went = await(dialog, is_sent, CORE_EVALUATED);
  if (went == PAM_SUCCESS && !core_read(core, "b", by)) return give_up(dialog, "no evidence");
  return went;
}

static int ask_owner(struct dialog *dialog, uid_t user) {
  uint32_t by = 0;
  const char *path = dialog->socket ? dialog->socket : "/run/authcore/core.sock";
  const struct passwd *server = pam_modutil_getpwnam(dialog->pam, "authcore");
  const enum place place = person_find(&dialog->person, dialog->pam);
  if (pam_get_item(dialog->pam, PAM_SERVICE, (const void **)&dialog->service) != PAM_SUCCESS)
    return PAM_SYSTEM_ERR;
  if (place == PLACE_REMOTE) dialog->may_touch = false;
  if (place == PLACE_BACKGROUND || (!dialog->may_touch && !dialog->may_type))
    return give_up(dialog, "nobody is to be asked here");
  dialog->deadline = milliseconds_now() + PATIENCE;
  const char *trouble =
      core_open(&dialog->core, path, dialog->socket ? (uid_t)-1 : server ? server->pw_uid : 0,
                dialog->deadline);
  dialog->deadline = milliseconds_now() + PATIENCE;
  dialog->touch_ends = milliseconds_now() + (int64_t)dialog->timeout * 1000;
  int went = trouble ? give_up(dialog, trouble) : greet(dialog, user);
  /* The proof unlocks a locked keychain, too. Where that is open, nobody has been asked yet. */
  if (went == PAM_SUCCESS) went = prove(dialog, CORE_UNLOCK, &by);
  if (went == PAM_SUCCESS && by == BY_NOTHING) went = prove(dialog, CORE_EVALUATE, &by);
  if (went != PAM_SUCCESS || by == BY_BIOMETRY || by == BY_PASSCODE) return went;
  return give_up(dialog, "nothing was proved");
}

PAM_EXTERN int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **values) {
  const char *name = NULL;
  int went = pam_get_user(pam, &name, NULL);
  (void)flags; /* PAM_SILENT, too: nobody is asked for a touch without a word */
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
    /* Signals that came meanwhile find the terminal as it was. */
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
