// Makes a test process the same wherever it starts: on a desktop in German, under nohup(1), from cron, by `swift test`. What it starts is
// the same, too: swift-testing, Foundation and the product start programs by posix_spawn(3), which this file defines for all of them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What tests, their runner and the sanitizers read; a prefix ends with an underscore. Everything else is the person's. */
static const char *const kept[] = {
    "PATH=", "HOME=", "TMPDIR=", "CI=", "LD_LIBRARY_PATH=", "LLVM_PROFILE_FILE=", "SWT_", "SWIFT_", "XCT", "ASAN_", "LSAN_", "TSAN_",
    "UBSAN_", "AUTHCORE_DURABILITY=", "AUTHCORE_ENDURANCE=", "AUTHCORE_FIXTURES=", "AUTHCORE_PRODUCTS=", "AUTHCORE_RESULTS=",
    "AUTHCORE_REWRITE_GOLDEN=", "AUTHCORE_SANITIZE=", "AUTHCORE_SHARED=", "AUTHCORE_SOURCES=",
};

static int is_kept(const char *entry) {
  for (size_t index = 0; index < sizeof kept / sizeof *kept; index++) {
    if (strncmp(entry, kept[index], strlen(kept[index])) == 0) return 1;
  }
  return 0;
}

static void fix_environment(void) {
  size_t count = 0;
  while (environ[count] != NULL) count++;
  char **entries = malloc((count + 1) * sizeof *entries);
  if (entries == NULL) abort();
  memcpy(entries, environ, count * sizeof *entries);
  clearenv();
  for (size_t index = 0; index < count; index++) {
    if (is_kept(entries[index])) putenv(entries[index]);
  }
  free(entries);
  setenv("LANG", "C.UTF-8", 1);
  setenv("AUTHCORE_TPM", "off", 1);
  // No more tests have begun than threads run them, with `swift test` too: a proof by a person counts for five minutes, and must not grow
  // older because all tests take turns. Read by swift-testing when it starts.
  char width[24];
  snprintf(width, sizeof width, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}

/* SIGHUP stays ignored here, since nohup(1) keeps this process alive by that, and nowhere else. Handlers are the Swift runtime's. */
static void fix_signals(void) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (number == SIGHUP || sigaction(number, NULL, &action) != 0) continue;
    if (action.sa_handler == SIG_IGN) signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Nobody types for a test. A session's leader would take the terminal from all others. */
static void leave_terminal(void) {
  int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0) return;
  if (getsid(0) != getpid()) ioctl(terminal, TIOCNOTTY);
  close(terminal);
}

static void fix_descriptors(void) {
  int null = open("/dev/null", O_RDWR);
  for (int number = 0; number < 3; number++) {
    if (number == 0 || fcntl(number, F_GETFD) < 0) dup2(null, number);
  }
  // One that was closed may have become the null device itself.
  if (null > 2) close(null);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
}

__attribute__((constructor)) static void begin_test_process(void) {
  fix_environment();
  fix_signals();
  fix_descriptors();
  leave_terminal();
  // A plugin that a group may write is not loaded.
  umask(022);
}

typedef int (*spawn_t)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);

/* Threads of Dispatch block signals, and what they start would. */
static int spawn(const char *function, pid_t *ret_identifier, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  // ISO C knows no cast from an object's address to a function's.
  union {
    void *address;
    spawn_t call;
  } next = {.address = dlsym(RTLD_NEXT, function)};
  posix_spawnattr_t changed;
  short flags = 0;
  posix_spawnattr_init(&changed);
  if (attributes != NULL) {
    // glibc's attributes hold no pointers.
    changed = *attributes;
    posix_spawnattr_getflags(attributes, &flags);
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&changed, &none);
  posix_spawnattr_setsigdefault(&changed, &all);
  posix_spawnattr_setflags(&changed, (short)(flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  return next.call(ret_identifier, path, actions, &changed, arguments, environment);
}

int posix_spawn(pid_t *ret_identifier, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[]) {
  return spawn("posix_spawn", ret_identifier, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t *ret_identifier, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                 char *const arguments[], char *const environment[]) {
  return spawn("posix_spawnp", ret_identifier, file, actions, attributes, arguments, environment);
}
