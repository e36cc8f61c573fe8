#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U /* newer than the C library's headers (linux/memfd.h) */
#endif

void *ac_map_secret_pages(size_t count) {
  void *pages = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  if (madvise(pages, count, MADV_DONTDUMP) != 0 || madvise(pages, count, MADV_WIPEONFORK) != 0) {
    munmap(pages, count);
    return NULL;
  }
  return pages;
}

int ac_lock_pages(void *pages, size_t count) { return mlock2(pages, count, MLOCK_ONFAULT); }

void ac_wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }

int ac_random(void *bytes, size_t count) {
  size_t filled = 0;
  while (filled < count) {
    ssize_t more = getrandom((char *)bytes + filled, count - filled, 0);
    if (more >= 0) {
      filled += (size_t)more;
    } else if (errno != EINTR) {
      return -1;
    }
  }
  return 0;
}

int ac_make_memory_file(void) {
  int file = memfd_create("secret", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  return file < 0 && errno == EINVAL ? memfd_create("secret", MFD_CLOEXEC | MFD_ALLOW_SEALING) : file;
}

int ac_seal_memory_file(int file) {
  return fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

int ac_is_sealed_memory_file(int file) {
  int wanted = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  int seals = fcntl(file, F_GET_SEALS);
  return seals >= 0 && (seals & wanted) == wanted;
}

size_t ac_allocated_bytes(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}

void ac_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

void ac_perturb_freed_memory(void) { mallopt(M_PERTURB, 0xA5); }
