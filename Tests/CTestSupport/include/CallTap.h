/* Stands between a test program and the kernel: what the program, and every library it is linked with, asks of the files it
 * writes is shown to a function before it happens, which may refuse it. The program's own definitions of these functions take the
 * place of the C library's, for SQLite as for Swift. */
#ifndef CALL_TAP_H
#define CALL_TAP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum tapped_kind {
  TAPPED_WRITE,    /* pwrite(2): descriptor, bytes[0..<count], offset */
  TAPPED_TRUNCATE, /* ftruncate(2): descriptor; offset is the new length */
  TAPPED_SYNC,     /* fsync(2), fdatasync(2): descriptor, of a file or of a folder */
  TAPPED_RENAME,   /* rename(2): path becomes target */
  TAPPED_LINK,     /* link(2): path is called target, too */
  TAPPED_UNLINK    /* unlink(2): path */
};

/* One call. What its kind does not name is 0. Pointers are valid while the tap looks at it. */
struct tapped_call {
  enum tapped_kind kind;
  int descriptor;
  const char *path;
  const char *target;
  const uint8_t *bytes;
  size_t count;
  int64_t offset;
};

/* Called on the caller's thread. Returns 0 to let the call through, or the errno value it fails with. */
typedef int (*call_tap_t)(const struct tapped_call *call);

/* From here on every call is shown to `tap`; NULL: none. [any thread] */
void tap_calls(call_tap_t tap);

/* fork(2), which Swift does not declare. */
pid_t tap_fork(void);

/* In a process with one thread: namespaces of its own, and a file system in memory of `kibibytes` mounted at `folder`
 * (unshare(2), mount(2), tmpfs(5)). 0, or an errno value where the kernel allows none of it. */
int tap_mount_memory(const char *folder, unsigned kibibytes);

#endif
