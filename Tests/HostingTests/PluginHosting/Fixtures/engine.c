/* An enclave for tests: the first byte of a request says what it does, the reply tells the outcome. */
#define _GNU_SOURCE
#include <authcore/engine.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef PROBES
#include "probes.h"
#endif
#ifdef HOSTILE
#include "calls.h"
#include "reaches.h"
#endif

struct ac_engine {
  int unused;
};

static const ac_host_t *host;
static struct ac_engine only;

#ifndef KIND
#define KIND AC_ENGINE_ENCLAVE
#endif
#ifndef VERSION
#define VERSION AC_ENGINE_ABI
#endif

#ifdef HOSTILE
static void log_line(const char *text) { host->log(host->context, AC_LOG_INFO, text); }

static ac_status_t answer_hostile(char request, ac_engine_reply_t reply, void *context) {
  char text[2048] = "";
  if (request == 'c') make_calls(log_line);
  if (request == 'a') reach_from_engine(text, sizeof text);
#ifdef __x86_64__
  if (request == '3') sprintf(text, "%d", call_as_x32());
  if (request == 'i') sprintf(text, "%d", call_as_i386());
  if (request == 'r') syscall(335);
#endif
  reply(context, (const uint8_t *)text, strlen(text) + 1);
  return AC_OK;
}
#endif

static ac_status_t create(ac_engine_t **ret_engine) {
#ifdef PROBES
  host->set_error(host->context, had);
  return AC_ERR_DATA;
#endif
#ifdef REFUSE
  host->set_error(host->context, "the root key is damaged");
  return AC_ERR_DATA;
#endif
  *ret_engine = &only;
  return AC_OK;
}

static ac_status_t call(ac_engine_t *engine, const uint8_t *request, size_t count, ac_engine_reply_t reply,
                        void *context) {
  (void)engine;
#ifdef HOSTILE
  return answer_hostile(count > 0 ? (char)request[0] : 0, reply, context);
#endif
  const ac_store_service_t *store = host->service(host->context, "store/1");
  const ac_event_service_t *events = host->service(host->context, "events/1");
  uint8_t buffer[64] = {0};
  size_t size = 0;
  int32_t status = 0;
  switch (count > 0 ? request[0] : 0) {
    case 's': status = store->save(store->context, "state", request + 1, count - 1); break;
    case 'l': status = store->load(store->context, "state", buffer + 1, 32, &size); break;
    case 'r': status = store->remove(store->context, "state"); break;
    case 'n': status = store->save(store->context, "../state", request, count); break;
    case 'e': events->emit(events->context, (const uint8_t *)"event", 5); break;
    case 'p': status = open("/etc/passwd", O_RDONLY) >= 0 ? 0 : errno; break;
    case 'd': status = open("/etc", O_RDONLY | O_DIRECTORY) >= 0 ? 0 : errno; break;
    case 'k': status = socket(AF_UNIX, SOCK_STREAM, 0); break;
    case 'x': *(volatile int *)8 = 1; break;
    case 'h': for (;;) pause();
    case 'b': return AC_ERR_STATE;
    case '2': reply(context, buffer, 1); break;
    case 240:
    case 241:
    case 242: events->emit(events->context, request, count); break;
    default: reply(context, request, count); return AC_OK;
  }
  buffer[0] = (uint8_t)status;
  reply(context, buffer, 1 + size);
  return AC_OK;
}

static void destroy(ac_engine_t *engine) { (void)engine; }

static const ac_engine_plugin_t plugin = {
    .struct_size = sizeof(ac_engine_plugin_t),
    .abi_version = VERSION,
    .kind = KIND,
    .name = "fixture-enclave",
    .version = "1.0",
    .create = create,
    .call = call,
    .destroy = destroy,
};

AC_EXPORT ac_status_t ac_engine_entry(const ac_host_t *given, const ac_engine_plugin_t **ret_engine) {
  host = given;
  *ret_engine = &plugin;
  return AC_OK;
}
