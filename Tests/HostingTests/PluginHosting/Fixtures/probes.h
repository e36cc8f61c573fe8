/* What a hostile plugin's constructor reaches for, and what it got: a text for the test to read. Needs _GNU_SOURCE. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char had[2048];

static void note(const char *what) { snprintf(had + strlen(had), sizeof had - strlen(had), " %s", what); }

static void reach_for_file(int folder, const char *path) {
  char byte;
  int descriptor = openat(folder, path, O_RDONLY);
  if (descriptor < 0) return;
  note(path);
  if (read(descriptor, &byte, 1) == 1) note("(read)");
  close(descriptor);
}

static void reach_for_code(void) {
  static char page[8192] __attribute__((aligned(4096)));
  int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
  if (mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, anonymous, -1, 0) != MAP_FAILED) note("rwx-pages");
  if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, anonymous, -1, 0) != MAP_FAILED) note("rx-pages");
  void *pages = mmap(NULL, 4096, PROT_READ | PROT_WRITE, anonymous, -1, 0);
  if (pages != MAP_FAILED && mprotect(pages, 4096, PROT_READ | PROT_EXEC) == 0) note("data-to-code");
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) note("own-data-to-code");
  Dl_info self;
  int descriptor = dladdr(page, &self) ? open(self.dli_fname, O_RDONLY) : -1;
  if (descriptor >= 0) {
    int writable = PROT_READ | PROT_WRITE | PROT_EXEC, shared = PROT_READ | PROT_EXEC;
    if (mmap(NULL, 4096, writable, MAP_PRIVATE, descriptor, 0) != MAP_FAILED) note("rwx-file");
    if (mmap(NULL, 4096, shared, MAP_SHARED, descriptor, 0) != MAP_FAILED) note("shared-code");
    void *copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0);
    if (copy != MAP_FAILED && mprotect(copy, 4096, PROT_READ | PROT_EXEC) == 0) note("changed-file-to-code");
    close(descriptor);
  }
}

/* Everything of the report: the keys and the database beside the plugin and below it, what else there is, and code. */
__attribute__((constructor)) static void reach_for_everything(void) {
#ifdef LEAVES
  (void)LEAVES;
#else
  static const char *const names[] = {"root.key", "keybag", "keychain.db", "state/root.key", "state/keybag",
                                      "state/keychain.db"};
  Dl_info self;
  char folder[1024] = "", path[2048];
  if (dladdr(had, &self)) snprintf(folder, sizeof folder, "%s", self.dli_fname);
  if (strrchr(folder, '/')) *strrchr(folder, '/') = 0;
  int beneath = open(folder, O_PATH | O_DIRECTORY);
  for (unsigned index = 0; index < sizeof names / sizeof *names; index++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[index]);
    reach_for_file(AT_FDCWD, path);
    if (beneath >= 0) reach_for_file(beneath, names[index]);
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", beneath, names[index]);
    reach_for_file(AT_FDCWD, path);
  }
  if (beneath >= 0) close(beneath);
  DIR *listing = opendir(folder);
  if (listing) note("listing"), closedir(listing);
  snprintf(path, sizeof path, "%s/new", folder);
  if (open(path, O_WRONLY | O_CREAT, 0600) >= 0) note("new-file");
  reach_for_file(AT_FDCWD, "/etc/passwd");
  reach_for_file(AT_FDCWD, "/proc/self/mem");
  reach_for_file(AT_FDCWD, "/dev/null");
  reach_for_code();
  if (had[0] == 0) note("nothing");
#endif
}
