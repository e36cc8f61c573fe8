#define _GNU_SOURCE
#include "CallTap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(call_tap_t) current_tap;

void tap_calls(call_tap_t tap) { atomic_store(&current_tap, tap); }

pid_t tap_fork(void) { return fork(); }

static int write_line(const char *path, const char *line) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int error = write(file, line, strlen(line)) < 0 ? errno : 0;
  close(file);
  return error;
}

int tap_mount_memory(const char *folder, unsigned kibibytes) {
  char users[64], groups[64], options[64];
  snprintf(users, sizeof users, "0 %u 1", (unsigned)geteuid());
  snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getegid());
  snprintf(options, sizeof options, "size=%uk,mode=0700", kibibytes);
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return errno;
  int error = write_line("/proc/self/uid_map", users);
  // Nobody may make a file for a group that has no number in the namespace (user_namespaces(7)).
  if (error == 0) error = write_line("/proc/self/setgroups", "deny");
  if (error == 0) error = write_line("/proc/self/gid_map", groups);
  if (error != 0) return error;
  return mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0 ? 0 : errno;
}

/* Whether the call may happen; errno is set where it may not. */
static int passes(const struct tapped_call *call) {
  call_tap_t tap = atomic_load(&current_tap);
  int error = tap == NULL ? 0 : tap(call);
  if (error != 0) errno = error;
  return error == 0;
}

static ssize_t tapped_write(int descriptor, const void *bytes, size_t count, int64_t offset) {
  const struct tapped_call call = {
      .kind = TAPPED_WRITE, .descriptor = descriptor, .bytes = bytes, .count = count, .offset = offset};
  return passes(&call) ? syscall(SYS_pwrite64, descriptor, bytes, count, offset) : -1;
}

static int tapped_truncate(int descriptor, int64_t length) {
  const struct tapped_call call = {.kind = TAPPED_TRUNCATE, .descriptor = descriptor, .offset = length};
  return passes(&call) ? (int)syscall(SYS_ftruncate, descriptor, length) : -1;
}

static int tapped_sync(int descriptor, long number) {
  const struct tapped_call call = {.kind = TAPPED_SYNC, .descriptor = descriptor};
  return passes(&call) ? (int)syscall(number, descriptor) : -1;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return tapped_write(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return tapped_write(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) { return tapped_truncate(descriptor, length); }

int ftruncate64(int descriptor, off64_t length) { return tapped_truncate(descriptor, length); }

int fsync(int descriptor) { return tapped_sync(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return tapped_sync(descriptor, SYS_fdatasync); }

int rename(const char *path, const char *target) {
  const struct tapped_call call = {.kind = TAPPED_RENAME, .path = path, .target = target};
  return passes(&call) ? renameat(AT_FDCWD, path, AT_FDCWD, target) : -1;
}

int link(const char *path, const char *target) {
  const struct tapped_call call = {.kind = TAPPED_LINK, .path = path, .target = target};
  return passes(&call) ? linkat(AT_FDCWD, path, AT_FDCWD, target, 0) : -1;
}

int unlink(const char *path) {
  const struct tapped_call call = {.kind = TAPPED_UNLINK, .path = path};
  return passes(&call) ? unlinkat(AT_FDCWD, path, 0) : -1;
}
