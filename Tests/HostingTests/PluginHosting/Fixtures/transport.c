/* A transport for tests: it says what its constructor got or, with CALLS, which system calls it could make. */
#define _GNU_SOURCE
#include <authcore/usb.h>
#ifdef CALLS
#include "calls.h"
#else
#include "probes.h"
#endif

static const ac_host_t *host;

#ifdef CALLS
static const char *had = "calls";

static void log_line(const char *text) { host->log(host->context, AC_LOG_INFO, text); }
#endif

static ac_status_t open_device(const ac_transport_source_t *source, const ac_usb_service_t **ret_service) {
  (void)source, (void)ret_service;
#ifdef CALLS
  make_calls(log_line);
#endif
  host->set_error(host->context, had);
  return AC_ERR_IO;
}

static void close_device(const ac_usb_service_t *service) { (void)service; }

static ac_status_t start_watch(void) {
#ifdef CALLS
  return AC_OK;
#endif
  host->set_error(host->context, had);
  return AC_ERR_IO;
}

static ac_status_t next_change(uint32_t timeout_ms, ac_usb_change_t *ret_change) {
  (void)timeout_ms, (void)ret_change;
#ifdef CALLS
  make_calls(log_line);
  for (;;) pause();
#endif
  return AC_ERR_TIMEOUT;
}

static const void *find_extension(const char *name) {
  static const ac_hotplug_t hotplug = {sizeof hotplug, start_watch, next_change};
  return strcmp(name, AC_HOTPLUG_EXTENSION) == 0 ? &hotplug : NULL;
}

static const ac_transport_t transport = {
    .struct_size = sizeof(ac_transport_t),
    .abi_version = AC_TRANSPORT_ABI,
    .name = "fixture",
    .open = open_device,
    .close = close_device,
    .extension = find_extension,
};

AC_EXPORT ac_status_t ac_transport_entry(const ac_host_t *given, const ac_transport_t **ret_transport) {
  host = given;
  *ret_transport = &transport;
  return AC_OK;
}
