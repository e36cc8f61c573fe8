#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* SO_PASSRIGHTS, which the C library's headers do not have yet. */
enum { AC_SO_PASSRIGHTS = 83 };

ssize_t ac_send(int socket, const void *header, size_t header_count, const void *bytes, size_t count,
                const int *descriptors, size_t descriptor_count) {
  if (descriptor_count > AC_MOST_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  struct iovec parts[2] = {
      {.iov_base = (void *)header, .iov_len = header_count}, {.iov_base = (void *)bytes, .iov_len = count}};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(AC_MOST_DESCRIPTORS * sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (descriptor_count > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(&control.header), descriptors, descriptor_count * sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

static void take_descriptors(struct cmsghdr *header, int *descriptors, size_t room, size_t *count) {
  size_t arrived = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (size_t index = 0; index < arrived; index++) {
    int number;
    memcpy(&number, CMSG_DATA(header) + index * sizeof(int), sizeof number);
    if (*count < room) {
      descriptors[(*count)++] = number;
    } else {
      close(number);
    }
  }
}

ssize_t ac_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                   struct ac_writer *ret_writer) {
  size_t room = *descriptor_count;
  *descriptor_count = 0;
  *ret_writer = (struct ac_writer){0};
  struct iovec vector = {.iov_base = bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    /* Room for all: what does not fit is closed by the kernel, in this thread. */
    char space[CMSG_SPACE(AC_MOST_ARRIVING * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET) continue;
    if (header->cmsg_type == SCM_RIGHTS) take_descriptors(header, descriptors, room, descriptor_count);
    if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len >= CMSG_LEN(sizeof(struct ucred))) {
      struct ucred writer;
      memcpy(&writer, CMSG_DATA(header), sizeof writer);
      *ret_writer = (struct ac_writer){.process = writer.pid, .user = writer.uid, .group = writer.gid};
    }
  }
  return received;
}

int ac_tell_writers(int socket) {
  int yes = 1;
  return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
}

int ac_pass_descriptors(int socket, int are_passed) {
  return setsockopt(socket, SOL_SOCKET, AC_SO_PASSRIGHTS, &are_passed, sizeof are_passed);
}

int ac_make_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

static int control(int epoll, int operation, int socket, int is_reported) {
  struct epoll_event event = {.events = is_reported ? EPOLLIN | EPOLLRDHUP : 0};
  return epoll_ctl(epoll, operation, socket, &event);
}

int ac_watch_input(int socket) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return -1;
  if (control(epoll, EPOLL_CTL_ADD, socket, 1) == 0) return epoll;
  int number = errno;
  close(epoll);
  errno = number;
  return -1;
}

int ac_report_input(int epoll, int socket, int is_reported) {
  return control(epoll, EPOLL_CTL_MOD, socket, is_reported);
}

int ac_wait_for_input(int epoll) {
  struct epoll_event event;
  return epoll_wait(epoll, &event, 1, -1);
}

int ac_make_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int ac_epoll_watch(int epoll, int socket, int is_new, int wanted, uint64_t name) {
  uint32_t events = (wanted & AC_READABLE ? EPOLLIN | EPOLLRDHUP : 0U) | (wanted & AC_WRITABLE ? EPOLLOUT : 0U);
  struct epoll_event event = {.events = events, .data.u64 = name};
  return epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
}

int ac_epoll_forget(int epoll, int socket) { return epoll_ctl(epoll, EPOLL_CTL_DEL, socket, NULL); }

int ac_epoll_wait(int epoll, uint64_t *ret_names, int *ret_ready, int room, int milliseconds) {
  struct epoll_event events[64];
  int count = epoll_wait(epoll, events, room < 64 ? room : 64, milliseconds);
  for (int index = 0; index < count; index++) {
    uint32_t reported = events[index].events;
    int is_over = (reported & (EPOLLHUP | EPOLLERR)) != 0;
    ret_names[index] = events[index].data.u64;
    ret_ready[index] = (is_over || (reported & (EPOLLIN | EPOLLRDHUP)) ? AC_READABLE : 0) |
                       (is_over || (reported & EPOLLOUT) ? AC_WRITABLE : 0);
  }
  return count;
}
