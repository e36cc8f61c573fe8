#include "pam_authcore.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

enum { HEADER = 4, BEGINNING = 5 };

/* Where many wait to be taken, this one waits in line: the kernel lets those who wait in one after the
 * other, and turns away those who do not. */
static bool is_connected(int socket, const struct sockaddr_un *address, int64_t deadline) {
  for (;;) {
    const int64_t left = deadline - milliseconds_now();
    const struct timeval patience = {.tv_sec = left / 1000, .tv_usec = left % 1000 * 1000};
    if (left <= 0 || setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0)
      return false;
    if (connect(socket, (const struct sockaddr *)address, sizeof *address) == 0)
      return fcntl(socket, F_SETFL, O_NONBLOCK) == 0;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
}

const char *core_open(struct core *core, const char *path, uid_t user, int64_t deadline) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  core->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (core->socket < 0 || strlen(path) >= sizeof address.sun_path) return "no socket";
  memcpy(address.sun_path, path, strlen(path));
  if (!is_connected(core->socket, &address, deadline)) return "nobody listens, or too many wait";
  if (getsockopt(core->socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
      (user != (uid_t)-1 && peer.uid != 0 && peer.uid != user))
    return "whoever listens is neither root nor the service's user";
  return NULL;
}

static void put(struct core *core, const void *bytes, size_t count) {
  if (core->length <= sizeof core->out && count <= sizeof core->out - core->length)
    memcpy(core->out + core->length, bytes, count);
  core->length += count;
}

bool core_send(struct core *core, uint8_t number, const char *form, ...) {
  va_list fields;
  core->length = HEADER;
  put(core, &number, 1);
  put(core, &(uint32_t){htonl(core->request)}, 4);
  va_start(fields, form);
  for (; *form; form++) {
    if (*form == 's') {
      const char *text = va_arg(fields, const char *);
      put(core, &(uint32_t){htonl((uint32_t)strlen(text))}, 4);
      put(core, text, strlen(text));
    } else if (*form == 'n') {
      put(core, &(uint32_t){htonl(va_arg(fields, uint32_t))}, 4);
    } else {
      put(core, &(uint8_t){(uint8_t)(*form == 'b' ? va_arg(fields, uint32_t) : *form == '1')}, 1);
    }
  }
  va_end(fields);
  memcpy(core->out, &(uint32_t){htonl((uint32_t)(core->length - HEADER))}, HEADER);
  /* Whoever reads has room for it. */
  const bool is_sent =
      core->length <= sizeof core->out &&
      send(core->socket, core->out, core->length, MSG_NOSIGNAL) == (ssize_t)core->length;
  explicit_bzero(core->out, sizeof core->out);
  return is_sent;
}

int core_take(struct core *core) {
  for (;;) {
    uint32_t length = 0, request = 0;
    core->at = core->in, core->end = core->in + core->received;
    if (core_read(core, "n", &length) && (length < BEGINNING || length > CORE_LONGEST)) return -1;
    if (length && core->received == HEADER + length) {
      core->received = 0;
      (void)core_read(core, "bn", &core->number, &request);
      return request == core->request ? 1 : -1;
    }
    const ssize_t count = recv(core->socket, core->in + core->received,
                               HEADER + length - core->received, 0);
    if (count <= 0) return count < 0 && errno == EAGAIN ? 0 : -1;
    core->received += (size_t)count;
  }
}

bool core_read(struct core *core, const char *form, ...) {
  bool is_whole = true;
  va_list fields;
  va_start(fields, form);
  for (; *form && is_whole; form++) {
    uint32_t value = 0;
    const int size = *form == 'b' || *form == 'o' ? 1 : 4;
    is_whole = core->end - core->at >= size;
    for (int index = 0; is_whole && index < size; index++) value = value << 8 | *core->at++;
    if (*form == 'b' || *form == 'n') *va_arg(fields, uint32_t *) = value;
    if (*form == 'o' && value) is_whole = core_read(core, "t", (char *)NULL);
    if (*form == 't') {
      size_t shown = 0;
      char *line = va_arg(fields, char *);
      is_whole = is_whole && value <= (size_t)(core->end - core->at);
      for (; line && is_whole && shown < value && shown < CORE_LINE - 1; shown++)
        line[shown] = core->at[shown] < 0x20 || core->at[shown] > 0x7e ? ' ' : (char)core->at[shown];
      if (line) line[shown] = '\0';
      if (is_whole) core->at += value;
    }
  }
  va_end(fields);
  return is_whole;
}
