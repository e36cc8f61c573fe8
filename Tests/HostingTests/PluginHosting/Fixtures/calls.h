/* Makes every system call from where a plugin runs, and outlives those that the sandbox traps: the host's handler of SIGSYS reports a
   call by send(3), and a plugin that has taken its host over can have that call end somewhere else. What the kernel refuses it refuses
   all the same. Needs _GNU_SOURCE. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRAPPED = -1, LAST_CALL = 511 };

static sigjmp_buf before_call;
static volatile sig_atomic_t trapped_call;

static ssize_t outlive(int socket, const void *report, size_t count, int flags) {
  (void)socket, (void)count, (void)flags;
  const unsigned char *number = (const unsigned char *)report + 5;
  trapped_call = number[0] << 24 | number[1] << 16 | number[2] << 8 | number[3];
  siglongjmp(before_call, 1);
}

static uintptr_t value_of(const struct dl_phdr_info *program, const ElfW(Dyn) * entry, ElfW(Sxword) tag) {
  for (; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag != tag) continue;
    int is_size = tag == DT_PLTRELSZ || tag == DT_RELASZ;
    return entry->d_un.d_ptr + (is_size || entry->d_un.d_ptr >= program->dlpi_addr ? 0 : program->dlpi_addr);
  }
  return 0;
}

/* Has the program's calls of send(3) end in outlive: of the objects it is the first. */
static int take_over(struct dl_phdr_info *program, size_t size, void *unused) {
  (void)size, (void)unused;
  const ElfW(Dyn) *dynamic = NULL;
  for (int index = 0; index < program->dlpi_phnum; index++)
    if (program->dlpi_phdr[index].p_type == PT_DYNAMIC)
      dynamic = (const ElfW(Dyn) *)(program->dlpi_addr + program->dlpi_phdr[index].p_vaddr);
  if (dynamic == NULL) return -1;
  const ElfW(Sym) *symbols = (const ElfW(Sym) *)value_of(program, dynamic, DT_SYMTAB);
  const char *names = (const char *)value_of(program, dynamic, DT_STRTAB);
  ElfW(Sxword) tables[2][2] = {{DT_JMPREL, DT_PLTRELSZ}, {DT_RELA, DT_RELASZ}};
  int taken = -1;
  for (int table = 0; table < 2; table++) {
    const ElfW(Rela) *first = (const ElfW(Rela) *)value_of(program, dynamic, tables[table][0]);
    size_t count = value_of(program, dynamic, tables[table][1]) / sizeof *first;
    for (const ElfW(Rela) *entry = first; entry < first + count; entry++) {
      if (strcmp(names + symbols[ELF64_R_SYM(entry->r_info)].st_name, "send") != 0) continue;
      void **slot = (void **)(program->dlpi_addr + entry->r_offset);
      void *page = (void *)((uintptr_t)slot & ~(uintptr_t)4095);
      if (mprotect(page, 8192, PROT_READ | PROT_WRITE) != 0 && mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0) continue;
      *slot = (void *)outlive;
      taken = 1;
    }
  }
  return taken;
}

static int taken_over;
/* What the last call that was let through returned. */
static long call_result;

/* 0, an error number, or TRAPPED. */
static int make_call(long number, const long *arguments) {
  if (!taken_over) taken_over = dl_iterate_phdr(take_over, NULL);
  trapped_call = -1;
  if (sigsetjmp(before_call, 1) != 0) return trapped_call == number ? TRAPPED : -2;
  call_result = syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
  return call_result == -1 ? errno : 0;
}

/* Where a filter looks at the arguments: what each side of it decides. None does harm where it is let through. */
static const struct {
  long number, arguments[6];
} telling_calls[] = {
    {SYS_clone, {SIGCHLD}},
    {SYS_clone, {CLONE_VM | CLONE_VFORK | SIGCHLD}},
    {SYS_clone, {CLONE_NEWUSER | SIGCHLD}},
    {SYS_mmap, {0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1}},
    {SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1}},
    {SYS_mmap, {0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1}},
    {SYS_mprotect, {0, 0, PROT_READ | PROT_EXEC}},
    {SYS_mprotect, {0, 0, PROT_READ}},
    {SYS_rt_sigaction, {SIGSYS, 0, 0, 8}},
    {SYS_rt_sigaction, {SIGALRM, 0, 0, 8}},
    {SYS_tgkill, {1, 1, 0}},
    {SYS_kill, {1, 0}},
    {SYS_kill, {-1, 0}},
    {SYS_prlimit64, {0, RLIMIT_NOFILE, 0, 0}},
    {SYS_prlimit64, {0, RLIMIT_NOFILE, 4096, 0}},
    {SYS_prlimit64, {0, RLIMIT_NOFILE, 1L << 40, 0}},
    {SYS_newfstatat, {AT_FDCWD, (long)"/etc/passwd", 0, 0}},
    {SYS_newfstatat, {0, (long)"", 0, AT_EMPTY_PATH}},
    {SYS_statx, {AT_FDCWD, (long)"/etc/passwd", 0, 0, 0}},
    {SYS_fcntl, {0, F_GETFD}},
    {SYS_fcntl, {0, F_SETOWN, 1}},
    {SYS_fcntl, {0, F_SETSIG, SIGIO}},
    {SYS_fcntl, {0, F_NOTIFY, 0}},
    {SYS_prctl, {PR_GET_DUMPABLE}},
    {SYS_prctl, {PR_SET_DUMPABLE, 1}},
    {SYS_prctl, {PR_SET_PTRACER, -1}},
    {SYS_prctl, {PR_SET_SECCOMP, 1}},
    {SYS_prctl, {PR_SET_PDEATHSIG, 0}},
    {SYS_ioctl, {0, TCGETS, 0}},
    {SYS_ioctl, {0, TIOCSTI, 0}},
    {SYS_ioctl, {0, FIOASYNC, 0}},
    {SYS_openat, {AT_FDCWD, (long)"/etc/passwd", O_RDONLY}},
    {SYS_openat, {AT_FDCWD, (long)"/etc/passwd", O_RDWR}},
    {SYS_openat, {AT_FDCWD, (long)"/tmp", O_RDWR | O_TMPFILE, 0600}},
    {SYS_openat, {AT_FDCWD, (long)"/tmp/authcore-calls", O_WRONLY | O_CREAT, 0600}},
    {SYS_openat, {AT_FDCWD, (long)"/etc/passwd", O_RDONLY | O_TRUNC}},
    {SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
    {SYS_socket, {AF_INET, SOCK_DGRAM, 0}},
    {SYS_socket, {AF_NETLINK, SOCK_RAW, 15}},
    {SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0, 0}},
    {SYS_execve, {(long)"/no/such/program", 0, 0}},
    {SYS_ptrace, {0 /* PTRACE_TRACEME */, 0, 0, 0}},
    {SYS_pidfd_open, {1, 0}},
    {SYS_memfd_create, {(long)"calls", 0}},
    {SYS_userfaultfd, {1}},
    {SYS_unshare, {CLONE_NEWUSER}},
    {SYS_shmget, {0, 4096, 0600}},
    {SYS_seccomp, {1, 0, 0}},
    {SYS_personality, {0}},
#ifdef SYS_open
    {SYS_open, {(long)"/etc/passwd", O_RDONLY}},
    {SYS_open, {(long)"/etc/passwd", O_RDWR}},
    {SYS_open, {(long)"/tmp/authcore-calls", O_WRONLY | O_CREAT, 0600}},
#endif
};

/* Allowed by every filter, and there would be nobody left to tell of them. */
static int is_left_out(long number) {
#ifdef SYS_pause
  if (number == SYS_pause) return 1;
#endif
#ifdef __x86_64__
  /* uretprobe(2): some kernels ask no filter, and end who makes it outside of a probe. */
  if (number == 335) return 1;
#endif
  return number == SYS_exit || number == SYS_exit_group || number == SYS_rt_sigreturn;
}

struct report {
  void (*line)(const char *text);
  char text[1000];
};

static void add_result(struct report *report, const char *call, int result) {
  size_t used = strlen(report->text);
  if (used + strlen(call) + 16 > sizeof report->text) {
    report->line(report->text);
    used = 0;
  }
  char *end = report->text + used;
  if (result == TRAPPED) sprintf(end, "%s=trap ", call);
  else sprintf(end, "%s=%d ", call, result);
}

/* Lines of `NUMBER=RESULT`, each made with all bits of its arguments set, and `NUMBER(ARGUMENTS)=RESULT`; a result is 0, an error number
   or `trap`. The last line is `calls made`. */
static void make_calls(void (*line)(const char *text)) {
  static struct report report;
  static const long all_ones[6] = {-1, -1, -1, -1, -1, -1};
  report.line = line;
  char call[200];
  for (long number = 0; number <= LAST_CALL; number++) {
    if (is_left_out(number)) continue;
    sprintf(call, "%ld", number);
    add_result(&report, call, make_call(number, all_ones));
  }
  for (unsigned index = 0; index < sizeof telling_calls / sizeof *telling_calls; index++) {
    const long *given = telling_calls[index].arguments;
    sprintf(call, "%ld(%lx,%lx,%lx,%lx,%lx,%lx)", telling_calls[index].number, given[0], given[1], given[2], given[3], given[4], given[5]);
    add_result(&report, call, make_call(telling_calls[index].number, given));
  }
  line(report.text);
  line("calls made");
}

#ifdef __x86_64__
/* getpid(2) by the numbers of other ABIs. */
static int call_as_x32(void) { return syscall(0x40000000 | SYS_getpid) == -1 ? -1 : 0; }
static int call_as_i386(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
  return result < 0 ? -1 : 0;
}
#endif
