/* What a hostile engine reaches for once it runs, and what it got: a text for the test to read. After calls.h. Its folder has a file
   `outside` beside it and a symbolic link `link` to that in it. */

struct haul {
  char *text;
  size_t room;
};

/* Notes a call that the kernel did not refuse; its own errors show that it was let through. */
static int reach(struct haul *haul, const char *what, long number, long first, long second, long third, long fourth, long fifth) {
  long arguments[6] = {first, second, third, fourth, fifth, 0};
  int result = make_call(number, arguments);
  if (result == TRAPPED || result == EACCES || result == EPERM || result == ENOSYS || result == EXDEV) return 0;
  snprintf(haul->text + strlen(haul->text), haul->room - strlen(haul->text), " %s", what);
  return result == 0;
}

static void reach_for_path(struct haul *haul, const char *what, int folder, const char *path, int flags) {
  if (reach(haul, what, SYS_openat, folder, (long)path, flags, 0600, 0)) close((int)call_result);
}

/* The host's own: three streams, the mailbox, the folder, its lock. */
static int count_descriptors(int *ret_folder) {
  int count = 0;
  for (int number = 0; number < 256; number++) {
    struct stat status;
    if (fstat(number, &status) != 0) continue;
    count++;
    if (S_ISDIR(status.st_mode)) *ret_folder = number;
  }
  return count;
}

static void reach_for_files(struct haul *haul, int folder) {
  char memory[64];
  snprintf(memory, sizeof memory, "/proc/%d/mem", getppid());
  const char *absolute[] = {"/etc/passwd", "/proc/self/mem", "/proc/self/environ", "/dev/null", "/", memory};
  for (unsigned index = 0; index < sizeof absolute / sizeof *absolute; index++) {
    reach_for_path(haul, "a-path", AT_FDCWD, absolute[index], O_RDONLY);
    reach_for_path(haul, absolute[index], folder, absolute[index], O_RDONLY);
  }
  reach_for_path(haul, "../outside", folder, "../outside", O_RDONLY);
  reach_for_path(haul, "../outside-to-write", folder, "../outside", O_RDWR);
  reach_for_path(haul, "link", folder, "link", O_RDONLY);
  reach_for_path(haul, "link-to-write", folder, "link", O_WRONLY | O_TRUNC);
  reach_for_path(haul, "the-folder-above", folder, "..", O_RDONLY | O_DIRECTORY);
  reach_for_path(haul, "../new", folder, "../new", O_WRONLY | O_CREAT);
  reach_for_path(haul, "a-nameless-file-above", folder, "..", O_RDWR | O_TMPFILE);
  int own = openat(folder, "own", O_WRONLY | O_CREAT, 0600);
  if (own >= 0) close(own);
  reach(haul, "file-moved-out", SYS_renameat2, folder, (long)"own", folder, (long)"../stolen", 0);
  reach(haul, "file-moved-in", SYS_renameat2, folder, (long)"../outside", folder, (long)"taken", 0);
  reach(haul, "file-linked-in", SYS_linkat, folder, (long)"../outside", folder, (long)"taken", 0);
  reach(haul, "link-made", SYS_symlinkat, (long)"/etc/passwd", folder, (long)"made", 0, 0);
  reach(haul, "folder-made", SYS_mkdirat, folder, (long)"made", 0700, 0, 0);
  reach(haul, "file-removed", SYS_unlinkat, folder, (long)"../outside", 0, 0, 0);
  reach(haul, "root-changed", SYS_fchdir, folder, 0, 0, 0, 0);
}

static void reach_for_others(struct haul *haul) {
  int parent = getppid();
  char byte;
  struct {
    void *base;
    size_t count;
  } here = {&byte, 1}, there = {(void *)outlive, 1};
  reach(haul, "signal", SYS_kill, parent, 0, 0, 0, 0);
  reach(haul, "signal-to-all", SYS_kill, -1, 0, 0, 0, 0);
  reach(haul, "signal-to-a-thread", SYS_tgkill, parent, parent, 0, 0, 0);
  reach(haul, "signal-by-tkill", SYS_tkill, parent, 0, 0, 0, 0);
  if (reach(haul, "process-descriptor", SYS_pidfd_open, parent, 0, 0, 0, 0)) close((int)call_result);
  reach(haul, "tracing", SYS_ptrace, 2 /* PTRACE_PEEKDATA */, parent, (long)&byte, (long)&byte, 0);
  reach(haul, "memory-of-the-core", SYS_process_vm_readv, parent, (long)&here, 1, (long)&there, 1);
  reach(haul, "limits-of-the-core", SYS_prlimit64, parent, RLIMIT_CORE, (long)&byte, 0, 0);
  if (reach(haul, "process", SYS_clone, SIGCHLD, 0, 0, 0, 0) && call_result == 0) _exit(0);
  reach(haul, "program", SYS_execve, (long)"/no/such/program", 0, 0, 0, 0);
  for (int family = 1; family <= AF_NETLINK; family++)
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK)
      if (reach(haul, "socket", SYS_socket, family, SOCK_DGRAM, 0, 0, 0)) close((int)call_result);
}

static void reach_for_memory(struct haul *haul) {
  int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
  reach(haul, "rwx-pages", SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, anonymous, -1);
  reach(haul, "rx-pages", SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC, anonymous, -1);
  long page = (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE, anonymous, -1, 0);
  reach(haul, "data-to-code", SYS_mprotect, page, 4096, PROT_READ | PROT_EXEC, 0, 0);
  if (reach(haul, "memory-file", SYS_memfd_create, (long)"code", 0, 0, 0, 0)) close((int)call_result);
  reach(haul, "core-dumps", SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static void reach_from_engine(char *text, size_t room) {
  struct haul haul = {text, room};
  int folder = -1;
  if (count_descriptors(&folder) != 6) snprintf(text, room, " descriptors");
  reach_for_memory(&haul);
  reach_for_others(&haul);
  reach_for_files(&haul, folder);
  if (text[0] == 0) snprintf(text, room, " nothing");
}
