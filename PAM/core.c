#include "pam_authcore.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

enum { HEADER = 4, BEGINNING = 5 };

/* A blocking connect waits in line if many clients wait to be accepted; the kernel refuses others. */
static bool is_connected(int socket, const struct sockaddr_un *address, int64_t deadline) {
  for (;;) {
    const int64_t left = deadline - milliseconds_now();
    const struct timeval timeout = {.tv_sec = left / 1000, .tv_usec = left % 1000 * 1000};
    if (left <= 0 || setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) != 0)
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

void core_begin(struct core *core, uint8_t number) {
  core->length = HEADER;
  core_put_byte(core, number);
  core_put_uint32(core, core->request);
}

void core_put_byte(struct core *core, uint8_t value) { put(core, &value, 1); }

void core_put_uint32(struct core *core, uint32_t value) {
  put(core, &(uint32_t){htonl(value)}, 4);
}

void core_put_uint64(struct core *core, uint64_t value) {
  core_put_uint32(core, (uint32_t)(value >> 32));
  core_put_uint32(core, (uint32_t)value);
}

void core_put_string(struct core *core, const char *text) {
  core_put_uint32(core, text ? (uint32_t)strlen(text) : 0);
  if (text) put(core, text, strlen(text));
}

void core_put_optional(struct core *core, const char *text) {
  core_put_byte(core, text != NULL);
  if (text) core_put_string(core, text);
}

bool core_end(struct core *core) {
  memcpy(core->out, &(uint32_t){htonl((uint32_t)(core->length - HEADER))}, HEADER);
  /* The core reads that much at once. */
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
    if (core_get_uint32(core, &length) && (length < BEGINNING || length > CORE_LONGEST)) return -1;
    if (length && core->received == HEADER + length) {
      core->received = 0;
      const bool is_whole =
          core_get_byte(core, &core->number) && core_get_uint32(core, &request);
      return is_whole && request == core->request ? 1 : -1;
    }
    const ssize_t count = recv(core->socket, core->in + core->received,
                               HEADER + length - core->received, 0);
    if (count <= 0) return count < 0 && errno == EAGAIN ? 0 : -1;
    core->received += (size_t)count;
  }
}

bool core_get_byte(struct core *core, uint8_t *value) {
  if (core->at == core->end) return false;
  *value = *core->at++;
  return true;
}

bool core_get_uint32(struct core *core, uint32_t *value) {
  if (core->end - core->at < 4) return false;
  memcpy(value, core->at, 4);
  *value = ntohl(*value);
  core->at += 4;
  return true;
}

bool core_get_uint64(struct core *core, uint64_t *value) {
  uint32_t high = 0, low = 0;
  if (!core_get_uint32(core, &high) || !core_get_uint32(core, &low)) return false;
  *value = (uint64_t)high << 32 | low;
  return true;
}

bool core_get_string(struct core *core, char line[CORE_LINE]) {
  uint32_t count = 0, shown = 0;
  if (!core_get_uint32(core, &count) || count > (size_t)(core->end - core->at)) return false;
  for (; shown < count && shown < CORE_LINE - 1; shown++)
    line[shown] = core->at[shown] < 0x20 || core->at[shown] > 0x7e ? ' ' : (char)core->at[shown];
  line[shown] = '\0';
  core->at += count;
  return true;
}

bool core_get_optional_byte(struct core *core, uint8_t *value) {
  uint8_t is_there = 0;
  *value = 0;
  return core_get_byte(core, &is_there) && (!is_there || core_get_byte(core, value));
}

bool core_get_optional_string(struct core *core, char line[CORE_LINE]) {
  uint8_t is_there = 0;
  line[0] = '\0';
  return core_get_byte(core, &is_there) && (!is_there || core_get_string(core, line));
}
