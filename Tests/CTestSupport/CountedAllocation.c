/* Counts what a test program allocates, and the memory in which something lay: it defines the functions
 * of glibc for that itself, for all libraries it is linked with, and hands on to glibc's. */
#define _GNU_SOURCE
#include "CountedAllocation.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OTHER_ALLOCATOR
#endif
#endif

static __thread long allocations;

long counted_allocations(void) { return allocations; }

static char mark[40];
static atomic_size_t smallest_block = SIZE_MAX;
static atomic_long marked_blocks;

void watch_blocks(const char bytes[40], size_t smallest) {
  memcpy(mark, bytes, sizeof mark);
  atomic_store(&marked_blocks, 0);
  atomic_store(&smallest_block, smallest);
}

void stop_watching_blocks(void) { atomic_store(&smallest_block, SIZE_MAX); }

long watched_blocks(void) { return atomic_load(&marked_blocks); }

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)

/* Looks at memory that is given back or wiped. Erases the mark, or the next user of the memory would give back the same mark again. */
static void look_at(void *memory, size_t count) {
  if (count < atomic_load(&smallest_block)) return;
  char *place = memmem(memory, count, mark, sizeof mark);
  if (place == NULL) return;
  atomic_fetch_add(&marked_blocks, 1);
  for (; place != NULL; place = memmem(memory, count, mark, sizeof mark)) memset(place, 0, sizeof mark);
}

extern void __libc_free(void *memory);
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

void free(void *memory) {
  if (memory == NULL) return;
  look_at(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

void explicit_bzero(void *memory, size_t count) {
  look_at(memory, count);
  memset(memory, 0, count);
  __asm__ volatile("" : : "r"(memory) : "memory"); /* keeps the stores */
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
