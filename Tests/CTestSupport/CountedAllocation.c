/* Counts what a test program allocates: it defines the allocating functions itself, for all libraries
 * it is linked with, and hands on to those of glibc. */
#include "CountedAllocation.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OTHER_ALLOCATOR
#endif
#endif

static __thread long allocations;

long counted_allocations(void) { return allocations; }

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

bool counts_allocations(void) { return true; }

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **ret_memory, size_t alignment, size_t size) {
  void *memory = aligned_alloc(alignment, size);
  if (memory == NULL) return ENOMEM;
  *ret_memory = memory;
  return 0;
}

#else

bool counts_allocations(void) { return false; }

#endif
