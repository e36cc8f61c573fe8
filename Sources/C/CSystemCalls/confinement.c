#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

int ac_exchange_names(int folder, const char *one, const char *other) {
  return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

int ac_open_at(int folder, const char *path, int flags, mode_t mode) { return openat(folder, path, flags, mode); }

int ac_close_from(int first) { return (int)syscall(SYS_close_range, (unsigned)first, UINT_MAX, 0); }

int ac_prctl(int option, unsigned long first, unsigned long second) { return prctl(option, first, second, 0UL, 0UL); }

/* Keeps these of the permitted capabilities, and drops all others. */
static int keep_capabilities(uint32_t kept) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  memset(sets, 0, sizeof sets);
  if (kept != 0 && syscall(SYS_capget, &header, sets) != 0) return -1;
  kept &= sets[0].permitted;
  memset(sets, 0, sizeof sets);
  sets[0].permitted = sets[0].effective = kept;
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0UL, 0UL, 0UL);
  return (int)syscall(SYS_capset, &header, sets);
}

int ac_drop_capabilities(void) { return keep_capabilities(0); }

int ac_keep_tracing(void) { return keep_capabilities(UINT32_C(1) << CAP_SYS_PTRACE); }

struct visitor {
  void (*visit)(void *context, const char *path);
  void *context;
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct visitor *visitor = data;
  if (info->dlpi_name != NULL && info->dlpi_name[0] == '/') visitor->visit(visitor->context, info->dlpi_name);
  return 0;
}

void ac_each_mapped_object(void (*visit)(void *context, const char *path), void *context) {
  struct visitor visitor = {visit, context};
  dl_iterate_phdr(visit_object, &visitor);
}

int ac_seccomp_install(const struct sock_filter *instructions, unsigned short count, unsigned int flags) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

int ac_seccomp_listen(const struct sock_filter *instructions, unsigned short count) {
  return ac_seccomp_install(instructions, count, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

int ac_seccomp_next(int listener, uint64_t *ret_identifier, int *ret_call, uint64_t ret_arguments[6]) {
  struct seccomp_notif notice;
  memset(&notice, 0, sizeof notice);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) != 0) return -1;
  *ret_identifier = notice.id;
  *ret_call = notice.data.nr;
  for (int index = 0; index < 6; index++) ret_arguments[index] = notice.data.args[index];
  return 0;
}

int ac_seccomp_continue(int listener, uint64_t identifier) {
  struct seccomp_notif_resp answer = {.id = identifier, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

int ac_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int ac_landlock_create(uint64_t handled_rights) {
  struct landlock_ruleset_attr attributes = {.handled_access_fs = handled_rights};
  return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
}

int ac_landlock_allow(int ruleset, int path_descriptor, uint64_t rights) {
  struct landlock_path_beneath_attr attributes = {.allowed_access = rights, .parent_fd = path_descriptor};
  return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &attributes, 0);
}

int ac_landlock_restrict(int ruleset) { return (int)syscall(SYS_landlock_restrict_self, ruleset, 0); }

/* For the signal handler. Written once, before the filter is installed. */
static int trap_socket;
static uint8_t trap_message_number;
static int trap_exit_status;

static void report_trapped_call(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  uint32_t length = htonl(5), number = htonl((uint32_t)info->si_syscall);
  unsigned char message[9];
  memcpy(message, &length, 4);
  message[4] = trap_message_number;
  memcpy(message + 5, &number, 4);
  /* If the mailbox is full, only the exit status reports the call. */
  (void)!send(trap_socket, message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
  _exit(trap_exit_status);
}

int ac_report_trapped_calls(int socket, uint8_t message_number, int exit_status) {
  trap_socket = socket;
  trap_message_number = message_number;
  trap_exit_status = exit_status;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = report_trapped_call;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  return sigaction(SIGSYS, &action, NULL);
}
