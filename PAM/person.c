#include "pam_authcore.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

int64_t milliseconds_now(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static const char *text_of(const char *path, char *text, size_t size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? -1 : read(file, text, size - 1);
  if (file >= 0) (void)close(file);
  text[count > 0 ? count : 0] = '\0';
  return text;
}

/* Whether this is a terminal or display of this machine; network logins use "ssh". */
static bool is_of_machine(const char *tty) {
  int end = 0;
  if (strncmp(tty, "/dev/", 5) == 0) tty += 5;
  (void)sscanf(tty, *tty == ':' ? ":%*[0-9]%n.%*[0-9]%n" : "tty%*[0-9]%n%n", &end, &end);
  return end && !tty[end];
}

/* logind's word, as it keeps it in /run/systemd: of the session of a process (a control group of
 * elogind's has its name), or whether the user of a user's manager has one at a seat. polkit's
 * service (127) asks for anybody, near or far; anything else is about to log somebody in, at `tty`:
 * SDDM at the screen, if it names none before there is a session. The service looks, too. */
static bool is_session_here(const char *tty) {
  char groups[4096], id[64], path[128], facts[4096], *lines = groups, *line, *unit;
  (void)text_of("/proc/self/cgroup", groups, sizeof groups);
  while ((line = strsep(&lines, "\n"))) {
    char *names = strchr(line, '/');
    int end = 0;
    /* The unit is what follows the slices: names below it are the user's own to choose. */
    do unit = strsep(&names, "/");
    while (unit && (!*unit || fnmatch("*.slice", unit, 0) == 0));
    if (!unit) continue;
    if (fnmatch("polkit-agent-helper@*.service", unit, 0) == 0) return false;
    if (!*tty && strcmp(unit, "sddm.service") == 0) return true;
    const bool is_scope = sscanf(unit, "session-%63[^./].scope%n", id, &end) == 1 && end;
    const bool is_manager = sscanf(unit, "user@%20[0-9].service%n", id, &end) == 1 && end;
    if (!end) (void)sscanf(unit, "%63[0-9A-Za-z]%n", id, &end);
    if (!end || unit[end]) continue;
    (void)snprintf(path, sizeof path, "/run/systemd/%s/%s", is_manager ? "users" : "sessions", id);
    (void)text_of(path, facts, sizeof facts);
    if (is_manager) return strstr(facts, "\nACTIVE_SEATS=seat");
    if (is_scope || *facts) return strstr(facts, "\nREMOTE=0\n") && strstr(facts, "\nACTIVE=1\n");
  }
  return is_of_machine(tty);
}

enum place person_find(struct person *person, pam_handle_t *pam) {
  const void *item = NULL, *host = NULL;
  const char *tty = pam_get_item(pam, PAM_TTY, &item) == PAM_SUCCESS && item ? item : "";
  char path[128];
  sigset_t *held = &person->held;
  (void)sigemptyset(held), (void)sigaddset(held, SIGINT), (void)sigaddset(held, SIGQUIT);
  (void)sigaddset(held, SIGTERM), (void)sigaddset(held, SIGHUP), (void)sigaddset(held, SIGTSTP);
  (void)pthread_sigmask(SIG_BLOCK, held, &person->before);
  person->signals = signalfd(-1, held, SFD_CLOEXEC | SFD_NONBLOCK);
  if (*tty) {
    (void)snprintf(path, sizeof path, "%s%s", *tty == '/' ? "" : "/dev/", tty);
    const int terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    /* Only processes of this terminal can read its foreground group. */
    const pid_t front = terminal < 0 ? -1 : tcgetpgrp(terminal);
    if (front > 0 && tcgetattr(terminal, &person->modes) == 0) person->terminal = terminal;
    if (person->terminal < 0 && terminal >= 0) (void)close(terminal);
    if (front > 0 && front != getpgrp()) return PLACE_BACKGROUND;
  }
  if (pam_get_item(pam, PAM_RHOST, &host) || (host && *(const char *)host)) return PLACE_REMOTE;
  return is_session_here(tty) ? PLACE_HERE : PLACE_REMOTE;
}

void person_hush(struct person *person, bool is_hushed) {
  struct termios modes = person->modes;
  if (person->terminal < 0 || is_hushed == person->is_hushed) return;
  if (is_hushed) modes.c_lflag = (modes.c_lflag & ~(tcflag_t)(ECHO | ECHONL)) | ICANON | ISIG;
  (void)tcsetattr(person->terminal, TCSAFLUSH, &modes);
  person->is_hushed = is_hushed;
}

enum event person_or_core(struct person *person, struct core *core, int64_t deadline) {
  struct signalfd_siginfo signal;
  struct pollfd sources[] = {{.fd = core->socket, .events = POLLIN},
                             {.fd = person->signals, .events = POLLIN},
                             {.fd = person->is_heard ? person->terminal : -1, .events = POLLIN}};
  for (;;) {
    const int64_t left = deadline - milliseconds_now();
    if (left <= 0) return EVENT_TIME;
    if (poll(sources, 3, (int)left) < 0 && errno != EINTR) return EVENT_BROKEN;
    if (sources[1].revents) {
      /* Ctrl-C ends the wait. Other signals take effect once the terminal is restored. */
      if (read(person->signals, &signal, sizeof signal) > 0 && signal.ssi_signo != SIGINT)
        (void)kill(getpid(), (int)signal.ssi_signo);
      return EVENT_INTERRUPT;
    }
    if (sources[2].revents) return sources[2].revents & POLLIN ? EVENT_ENTER : EVENT_INTERRUPT;
    const int taken = sources[0].revents ? core_take(core) : 0;
    if (taken) return taken > 0 ? EVENT_MESSAGE : EVENT_BROKEN;
  }
}
