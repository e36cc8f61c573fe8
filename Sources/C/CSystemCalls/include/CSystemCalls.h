/* System calls that Swift cannot make, because the C library declares them variadic or not at all. Each has one thin
 * function, which returns what the call returns and leaves errno. */
#ifndef AUTHCORE_CSYSTEMCALLS_H
#define AUTHCORE_CSYSTEMCALLS_H

/* gettext(3), which Swift's module of the C library lacks. */
#include <libintl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* mmap(2): anonymous private pages, excluded from core dumps (MADV_DONTDUMP) and not inherited by a forked child
 * (MADV_WIPEONFORK). NULL on failure. */
void *ac_map_secret_pages(size_t count);
/* mlock2(2): a page is locked from its first use on, and takes no memory before. */
int ac_lock_pages(void *pages, size_t count);
/* explicit_bzero(3), which also clears the bytes from vector registers. */
void ac_wipe(void *bytes, size_t count);
/* memcpy(3), which leaves none of the bytes in vector registers. */
void ac_copy_secret(void *target, const void *source, size_t count);

/* The most descriptors in one message. */
#define AC_MOST_DESCRIPTORS 6
/* The most descriptors that one recvmsg(2) can receive (SCM_MAX_FD, unix(7)). */
#define AC_MOST_ARRIVING 253

/* sendmsg(2) of header and bytes as one, with MSG_NOSIGNAL and, as SCM_RIGHTS, duplicates of
 * descriptors[0..<descriptor_count] (at most AC_MOST_DESCRIPTORS). */
ssize_t ac_send(int socket, const void *header, size_t header_count, const void *bytes, size_t count,
                const int *descriptors, size_t descriptor_count);
/* The sender of a message (struct ucred, unix(7)); all 0 if the kernel does not say. */
struct ac_writer {
  pid_t process;
  uid_t user;
  gid_t group;
};
/* recvmsg(2) with MSG_CMSG_CLOEXEC | MSG_DONTWAIT. *descriptor_count is the room in descriptors, and becomes how many arrived.
 * Descriptors for which there is no room are closed. */
ssize_t ac_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                   struct ac_writer *ret_writer);
/* setsockopt(2), SO_PASSCRED: makes messages say who sent them, also on sockets that are accepted from this one. One receive never mixes
 * the bytes of several processes. */
int ac_tell_writers(int socket);
/* setsockopt(2), SO_PASSRIGHTS: if 0, sending a descriptor fails at the other end with EPERM, also on sockets that are accepted from this
 * one. ENOPROTOOPT before Linux 6.16. */
int ac_pass_descriptors(int socket, int are_passed);

/* pipe2(2) with O_CLOEXEC */
int ac_make_pipe(int ends[2]);
/* epoll_create1(2) and epoll_ctl(2): an epoll descriptor that reports input on the socket, or -1 */
int ac_watch_input(int socket);
/* epoll_ctl(2): reports input on the socket (1) or only its end (0). Takes effect at once, also for a thread in
 * ac_wait_for_input. */
int ac_report_input(int epoll, int socket, int is_reported);
/* epoll_wait(2) for one event, without a timeout: 1, or -1 */
int ac_wait_for_input(int epoll);

/* A socket can be read, which includes its end, or written to. */
#define AC_READABLE 1
#define AC_WRITABLE 2
/* epoll_create1(2), close-on-exec */
int ac_make_epoll(void);
/* epoll_ctl(2): reports `wanted` (AC_READABLE, AC_WRITABLE) of the socket under this name. is_new: it was not watched before. The end of
 * both directions is always reported. */
int ac_epoll_watch(int epoll, int socket, int is_new, int wanted, uint64_t name);
/* epoll_ctl(2), EPOLL_CTL_DEL */
int ac_epoll_forget(int epoll, int socket);
/* epoll_wait(2): how many sockets are ready, at most `room`; negative: errno. An end or an error counts as both. */
int ac_epoll_wait(int epoll, uint64_t *ret_names, int *ret_ready, int room, int milliseconds);

/* posix_spawn(3), with POSIX_SPAWN_SETSID if starts_session is not 0. streams[0..<3] become 0, 1 and 2 (negative: /dev/null),
 * descriptors[0..<descriptor_count] become 3, 4, …; all others are closed. The child starts with default signal handlers and no blocked
 * signals. Returns 0 or an errno value. */
int ac_spawn(const char *path, char *const arguments[], char *const environment[], const int streams[3],
             const int *descriptors, size_t descriptor_count, int starts_session, pid_t *ret_identifier);
/* execvpe(3): returns only if the program cannot be run */
int ac_replace_process(const char *program, char *const arguments[], char *const environment[]);
/* pidfd_open(2), close-on-exec */
int ac_pidfd_open(pid_t identifier);
/* getsockopt(2), SO_PEERPIDFD: a close-on-exec pidfd of the process that connected the other end, or -1; ENOPROTOOPT before Linux 6.5 */
int ac_peer_pidfd(int socket);
/* pidfd_send_signal(2) */
int ac_pidfd_kill(int pidfd, int signal);
/* waitid(2) on P_PIDFD with WEXITED | WNOHANG. 1: reaped, and *ret_code and *ret_status are si_code and si_status; 0: it is running;
 * -1: errno. */
int ac_pidfd_reap(int pidfd, int *ret_code, int *ret_status);

/* getrandom(2) until bytes[0..<count] is full: 0, or -1 */
int ac_random(void *bytes, size_t count);
/* memfd_create(2) with MFD_CLOEXEC, MFD_ALLOW_SEALING and, from Linux 6.3, MFD_NOEXEC_SEAL: an empty file without a name, or -1 */
int ac_make_memory_file(void);
/* fcntl(2), F_ADD_SEALS with SEAL, SHRINK, GROW and WRITE: the file cannot change any more: 0, or -1 */
int ac_seal_memory_file(int file);
/* statx(2) with AT_EMPTY_PATH and AT_STATX_DONT_SYNC: device and inode of an open file, without asking the server of its file system:
 * 0, or -1 */
int ac_file_number(int file, uint64_t *ret_device, uint64_t *ret_inode);
/* openat(2) */
int ac_open_at(int folder, const char *path, int flags, mode_t mode);
/* renameat2(2) with RENAME_EXCHANGE: exchanges two names of one folder in one step: 0, or -1 */
int ac_exchange_names(int folder, const char *one, const char *other);
/* close_range(2) from first on */
int ac_close_from(int first);
/* mallinfo2(3): bytes that malloc has allocated, in its arenas and in mapped pages */
size_t ac_allocated_bytes(void);
/* mallopt(3), M_PERTURB: overwrites freed memory */
void ac_perturb_freed_memory(void);
/* Has the next large block of malloc end at memory that cannot be written: a write beyond it crashes. */
void ac_fence_large_blocks(void);
/* madvise(2), MADV_DONTNEED on every unchanged page of the loaded programs and libraries, and malloc_trim(3). Running code maps its pages
 * again. */
void ac_give_back_memory(void);
/* mallopt(3), M_ARENA_MAX */
void ac_limit_arenas(int count);
/* getauxval(3), AT_SECURE */
int ac_is_secure_execution(void);
/* secure_getenv(3) */
const char *ac_environment_value(const char *name);
/* clearenv(3) */
int ac_clear_environment(void);
/* Names the calling thread (PR_SET_NAME), by at most 15 bytes. */
void ac_name_thread(const char *name);
/* prctl(2) with two arguments, the others 0 */
int ac_prctl(int option, unsigned long first, unsigned long second);
/* capset(2) with empty sets, and PR_CAP_AMBIENT_CLEAR_ALL */
int ac_drop_capabilities(void);
/* capset(2) with only CAP_SYS_PTRACE, if it is permitted, and PR_CAP_AMBIENT_CLEAR_ALL */
int ac_keep_tracing(void);
/* dl_iterate_phdr(3): calls visit with the path of every object that is loaded into this process. */
void ac_each_mapped_object(void (*visit)(void *context, const char *path), void *context);

/* seccomp(2), SECCOMP_SET_MODE_FILTER */
int ac_seccomp_install(const struct sock_filter *instructions, unsigned short count, unsigned int flags);
/* The same with SECCOMP_FILTER_FLAG_NEW_LISTENER, for the calling thread only: a descriptor that reports the calls for which the filter
 * returns SECCOMP_RET_USER_NOTIF, or -1. Each such call waits until another thread continues it. */
int ac_seccomp_listen(const struct sock_filter *instructions, unsigned short count);
/* SECCOMP_IOCTL_NOTIF_RECV: waits for the next call: 0, or -1. */
int ac_seccomp_next(int listener, uint64_t *ret_identifier, int *ret_call, uint64_t ret_arguments[6]);
/* SECCOMP_IOCTL_NOTIF_SEND with SECCOMP_USER_NOTIF_FLAG_CONTINUE: continues that call. */
int ac_seccomp_continue(int listener, uint64_t identifier);
/* landlock_create_ruleset(2) with LANDLOCK_CREATE_RULESET_VERSION: the version, or -1 */
int ac_landlock_version(void);
/* landlock_create_ruleset(2): a descriptor for a ruleset that handles these LANDLOCK_ACCESS_FS_… rights */
int ac_landlock_create(uint64_t handled_rights);
/* landlock_add_rule(2), LANDLOCK_RULE_PATH_BENEATH */
int ac_landlock_allow(int ruleset, int path_descriptor, uint64_t rights);
/* landlock_restrict_self(2) */
int ac_landlock_restrict(int ruleset);

/* Handles SIGSYS, which SECCOMP_RET_TRAP raises: sends one message to the socket (uint32 length 5, the byte message_number and the number
 * of the system call as a uint32, all big endian), and ends the process with exit_status. */
int ac_report_trapped_calls(int socket, uint8_t message_number, int exit_status);

/* The commit that was built, as AUTHCORE_COMMIT named it (Package.swift); empty if it did not. */
const char *ac_build_commit(void);
/* The path of authcored that a build of the libraries for one installation is for; empty for other builds. */
const char *ac_build_core_program(void);

#endif
