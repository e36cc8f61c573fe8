#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77 /* newer than the C library's headers; the number of every architecture Swift runs on */
#endif

#define FIRST_PASSED 3
#define MOST_PASSED 8
#define ABOVE_PASSED 16 /* duplicates wait here, clear of every number they may become */

static int add_actions(posix_spawn_file_actions_t *actions, const int *sources, size_t count) {
  for (size_t index = 0; index < count; index++) {
    int failure = sources[index] < 0
                      ? posix_spawn_file_actions_addopen(actions, (int)index, "/dev/null", O_RDWR, 0)
                      : posix_spawn_file_actions_adddup2(actions, sources[index], (int)index);
    if (failure != 0) return failure;
  }
  return posix_spawn_file_actions_addclosefrom_np(actions, (int)count);
}

static int set_attributes(posix_spawnattr_t *attributes, int starts_session) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (starts_session) flags |= POSIX_SPAWN_SETSID;
  return posix_spawnattr_setflags(attributes, flags);
}

int ac_spawn(const char *path, char *const arguments[], char *const environment[], const int streams[3],
             const int *descriptors, size_t descriptor_count, int starts_session, pid_t *ret_identifier) {
  if (descriptor_count > MOST_PASSED) return EINVAL;
  int sources[FIRST_PASSED + MOST_PASSED];
  size_t count = FIRST_PASSED + descriptor_count;
  int failure = 0;
  for (size_t index = 0; index < count; index++) sources[index] = -1;
  for (size_t index = 0; index < count && failure == 0; index++) {
    int given = index < FIRST_PASSED ? streams[index] : descriptors[index - FIRST_PASSED];
    if (given < 0) continue;
    sources[index] = fcntl(given, F_DUPFD_CLOEXEC, ABOVE_PASSED);
    if (sources[index] < 0) failure = errno;
  }
  if (failure == 0) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    failure = add_actions(&actions, sources, count);
    if (failure == 0) failure = set_attributes(&attributes, starts_session);
    if (failure == 0) failure = posix_spawn(ret_identifier, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  for (size_t index = 0; index < count; index++) {
    if (sources[index] >= 0) close(sources[index]);
  }
  return failure;
}

int ac_replace_process(const char *program, char *const arguments[], char *const environment[]) {
  return execvpe(program, arguments, environment);
}

int ac_pidfd_open(pid_t identifier) { return (int)syscall(SYS_pidfd_open, identifier, 0); }

int ac_peer_pidfd(int socket) {
  int pidfd = -1;
  socklen_t size = sizeof pidfd;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0 ? pidfd : -1;
}

int ac_pidfd_kill(int pidfd, int signal) { return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0); }

int ac_pidfd_reap(int pidfd, int *ret_code, int *ret_status) {
  siginfo_t info = {0};
  int result;
  do {
    result = waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return -1;
  if (info.si_pid == 0) return 0;
  *ret_code = info.si_code;
  *ret_status = info.si_status;
  return 1;
}

int ac_is_secure_execution(void) { return getauxval(AT_SECURE) != 0; }

const char *ac_environment_value(const char *name) { return secure_getenv(name); }

int ac_clear_environment(void) { return clearenv(); }

void ac_name_thread(const char *name) { prctl(PR_SET_NAME, (unsigned long)name, 0UL, 0UL, 0UL); }

int ac_file_number(int file, uint64_t *ret_device, uint64_t *ret_inode) {
  struct statx facts;
  if (statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &facts) != 0) return -1;
  *ret_device = makedev(facts.stx_dev_major, facts.stx_dev_minor);
  *ret_inode = facts.stx_ino;
  return 0;
}

#ifndef AUTHCORE_COMMIT
#define AUTHCORE_COMMIT ""
#endif

#ifndef AUTHCORE_CORE_PROGRAM
#define AUTHCORE_CORE_PROGRAM ""
#endif

const char *ac_build_commit(void) { return AUTHCORE_COMMIT; }

const char *ac_build_core_program(void) { return AUTHCORE_CORE_PROGRAM; }
