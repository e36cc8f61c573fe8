/* System calls that Swift cannot call itself because the C library declares them variadic or not at all. One thin
 * function each, named after the call; they return what it returns and leave errno. */
#ifndef AUTHCORE_CSYSTEMCALLS_H
#define AUTHCORE_CSYSTEMCALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* mmap(2): anonymous private pages, excluded from core dumps (MADV_DONTDUMP) and not inherited by a forked child
 * (MADV_WIPEONFORK). NULL on failure. */
void *ac_map_secret_pages(size_t count);
/* mlock(2) */
int ac_lock_pages(void *pages, size_t count);
/* explicit_bzero(3) */
void ac_wipe(void *bytes, size_t count);

/* sendmsg(2) with MSG_NOSIGNAL and, as SCM_RIGHTS, duplicates of descriptors[0..<descriptor_count] (at most 4). */
ssize_t ac_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);
/* recvmsg(2) with MSG_CMSG_CLOEXEC | MSG_DONTWAIT. *descriptor_count is the room in descriptors and becomes how many arrived;
 * those there is no room for are closed. */
ssize_t ac_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count);

#endif
