#ifndef COUNTED_ALLOCATION_H
#define COUNTED_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

/* Whether allocations are counted: not where a sanitizer has its own allocator. */
bool counts_allocations(void);

/* How often this thread has asked the C library for memory. */
long counted_allocations(void);

/* From here on counts the blocks of at least `smallest` bytes that hold these 40 when they are wiped (explicit_bzero(3)), or given
 * back to the C library without having been. One test at a time. */
void watch_blocks(const char bytes[40], size_t smallest);
void stop_watching_blocks(void);

/* How many there were; 0 where a sanitizer has its own allocator. [any thread] */
long watched_blocks(void);

#endif
