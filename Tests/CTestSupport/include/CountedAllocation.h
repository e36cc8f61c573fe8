#ifndef COUNTED_ALLOCATION_H
#define COUNTED_ALLOCATION_H

#include <stdbool.h>

/* Whether allocations are counted: not where a sanitizer has its own allocator. */
bool counts_allocations(void);

/* How often this thread has asked the C library for memory. */
long counted_allocations(void);

#endif
