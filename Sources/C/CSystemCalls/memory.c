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

/* Clears the vector registers that a call may change (System V ABI, AMD64: all; AAPCS64: not the lower halves of v8 to v15). memcpy leaves
 * data in them, which gets onto the stack when a library's function is called for the first time (_dl_runtime_resolve) or a signal
 * arrives. */
static void forget_registers(void) {
#if defined(__x86_64__)
#define EACH(do) do(16) do(17) do(18) do(19) do(20) do(21) do(22) do(23) do(24) do(25) do(26) do(27) do(28) do(29) do(30) do(31)
#define CLEAR(n) "vpxord %%zmm" #n ", %%zmm" #n ", %%zmm" #n "\n\t"
#define LOW \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
  if (__builtin_cpu_supports("avx512f")) __asm__ volatile(EACH(CLEAR)::);
  if (__builtin_cpu_supports("avx")) {
    __asm__ volatile("vzeroall" ::: LOW);
  } else {
    __asm__ volatile("pxor %%xmm0, %%xmm0\n\tpxor %%xmm1, %%xmm1\n\tpxor %%xmm2, %%xmm2\n\tpxor %%xmm3, %%xmm3\n\t"
                     "pxor %%xmm4, %%xmm4\n\tpxor %%xmm5, %%xmm5\n\tpxor %%xmm6, %%xmm6\n\tpxor %%xmm7, %%xmm7\n\t"
                     "pxor %%xmm8, %%xmm8\n\tpxor %%xmm9, %%xmm9\n\tpxor %%xmm10, %%xmm10\n\tpxor %%xmm11, %%xmm11\n\t"
                     "pxor %%xmm12, %%xmm12\n\tpxor %%xmm13, %%xmm13\n\tpxor %%xmm14, %%xmm14\n\tpxor %%xmm15, %%xmm15" ::
                         : LOW);
  }
#elif defined(__aarch64__)
#define EACH(do) \
  do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(16) do(17) do(18) do(19) do(20) do(21) do(22) do(23) do(24) do(25) do(26) do(27) \
      do(28) do(29) do(30) do(31)
#define CLEAR(n) "movi v" #n ".2d, #0\n\t"
  __asm__ volatile(EACH(CLEAR)::
                       : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24",
                         "v25", "v26", "v27", "v28", "v29", "v30", "v31");
#endif
}

void ac_wipe(void *bytes, size_t count) {
  explicit_bzero(bytes, count);
  forget_registers();
}

void ac_copy_secret(void *target, const void *source, size_t count) {
  memcpy(target, source, count);
  forget_registers();
}

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

void ac_fence_large_blocks(void) {
  enum { LARGE = 1 << 16 };
  const size_t fence = (size_t)1 << 30;
  /* Each large block becomes a mapping of its own. The kernel puts it right below the one before. */
  mallopt(M_MMAP_THRESHOLD, LARGE);
  (void)mmap(NULL, fence, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

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
