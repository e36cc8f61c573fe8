/* Wipes all heap memory of a program when it is freed. Templates, features, frames and message buffers are in ordinary memory, in too many
 * copies to wipe each.
 *
 * It defines free and realloc for the whole process, which call those of glibc ("Replacing malloc" in its manual). malloc and the others
 * stay glibc's. Weak, so that a test program can define its own. */
#include "CWipingAllocator.h"

#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OTHER_ALLOCATOR
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)

extern void __libc_free(void *memory);
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *memory, size_t size);

/* Whether a block has its own pages, which are unmapped with it. glibc says so in the second bit of the size before the block. */
static int is_mapped(const void *memory) { return (((const size_t *)memory)[-1] & 2) != 0; }

static void wipe(void *memory, size_t count) {
  memset(memory, 0, count);
  __asm__ volatile("" : : "r"(memory) : "memory"); /* keeps the stores, which the compiler takes for unused */
}

__attribute__((weak)) void free(void *memory) {
  if (memory == NULL) return;
  if (!is_mapped(memory)) wipe(memory, malloc_usable_size(memory));
  __libc_free(memory);
}

__attribute__((weak)) void *realloc(void *memory, size_t size) {
  if (memory == NULL || is_mapped(memory)) return __libc_realloc(memory, size);
  size_t before = malloc_usable_size(memory);
  if (size != 0 && size <= before) {
    wipe((char *)memory + size, before - size);
    return __libc_realloc(memory, size);
  }
  void *moved = size == 0 ? NULL : __libc_malloc(size);
  if (size != 0 && moved == NULL) return NULL;
  if (moved != NULL) memcpy(moved, memory, before);
  free(memory);
  return moved;
}

#endif
