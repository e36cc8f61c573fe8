#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

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

size_t ac_allocated_bytes(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}

void ac_limit_arenas(int count) { mallopt(M_ARENA_MAX, count); }

void ac_perturb_freed_memory(void) { mallopt(M_PERTURB, 0xA5); }

/* What relocations have changed in a text segment is not what its file holds. */
static int has_changed_text(const struct dl_phdr_info *object) {
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_DYNAMIC) continue;
    for (const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + segment->p_vaddr); entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return 1;
    }
  }
  return 0;
}

static int give_back_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  (void)context;
  if (has_changed_text(object)) return 0;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void ac_give_back_memory(void) {
  malloc_trim(0);
  dl_iterate_phdr(give_back_object, NULL);
}
