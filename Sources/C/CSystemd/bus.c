#include "bus.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

#define FUNCTIONS(each)                                                                                                            \
  each(sd_bus_open_user) each(sd_bus_flush_close_unref) each(sd_bus_message_new_method_call) each(sd_bus_call)                     \
  each(sd_bus_error_free) each(sd_bus_message_unref) each(sd_bus_message_ref) each(sd_bus_message_append_basic)                    \
  each(sd_bus_message_append_array) each(sd_bus_message_open_container) each(sd_bus_message_close_container)                       \
  each(sd_bus_message_read_basic) each(sd_bus_message_read_array) each(sd_bus_message_enter_container)                             \
  each(sd_bus_message_exit_container) each(sd_bus_message_skip) each(sd_bus_match_signal) each(sd_bus_process)                     \
  each(sd_bus_wait) each(sd_bus_slot_unref) each(sd_bus_new) each(sd_bus_set_address) each(sd_bus_set_bus_client)                \
  each(sd_bus_negotiate_fds) each(sd_bus_start) each(sd_bus_is_ready) each(sd_bus_set_method_call_timeout) each(sd_bus_add_match)

#define DECLARE(name) static __typeof__(&name) load_##name;
FUNCTIONS(DECLARE)

static int load(void) {
  /* Never closed, because its libraries do not expect that. */
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return -ENOENT;
#define LOAD(name)                                                  \
  load_##name = (__typeof__(load_##name))dlsym(library, #name);     \
  if (load_##name == NULL) return -ENOSYS;
  FUNCTIONS(LOAD)
  return 0;
}

int ac_bus_load(void) {
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  static int result = 1;
  (void)pthread_mutex_lock(&turn);
  if (result > 0) result = load();
  (void)pthread_mutex_unlock(&turn);
  return result;
}

int ac_bus_open(const char *address, ac_bus **ret_bus) {
  if (address == NULL) return load_sd_bus_open_user(ret_bus);
  sd_bus *bus = NULL;
  int result = load_sd_bus_new(&bus);
  if (result >= 0) result = load_sd_bus_set_address(bus, address);
  if (result >= 0) result = load_sd_bus_set_bus_client(bus, 1);
  /* Anybody may send a signal with descriptors, and a thread that waits for another message would close them. */
  if (result >= 0) result = load_sd_bus_negotiate_fds(bus, 0);
  if (result >= 0) result = load_sd_bus_start(bus);
  if (result >= 0) {
    *ret_bus = bus;
  } else if (bus != NULL) {
    load_sd_bus_flush_close_unref(bus);
  }
  return result;
}

void ac_bus_close(ac_bus *bus) { load_sd_bus_flush_close_unref(bus); }

int ac_bus_new_call(ac_bus *bus, ac_bus_message **ret_message, const char *destination, const char *path, const char *interface,
                    const char *member) {
  return load_sd_bus_message_new_method_call(bus, ret_message, destination, path, interface, member);
}

int ac_bus_call(ac_bus *bus, ac_bus_message *message, uint64_t microseconds, char **ret_error, ac_bus_message **ret_reply) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  int result = load_sd_bus_call(bus, message, microseconds, &error, ret_reply);
  if (result < 0 && ret_error != NULL) *ret_error = error.name != NULL ? strdup(error.name) : NULL;
  load_sd_bus_error_free(&error);
  return result;
}

void ac_bus_message_unref(ac_bus_message *message) { load_sd_bus_message_unref(message); }

int ac_bus_append_basic(ac_bus_message *message, char type, const void *value) {
  return load_sd_bus_message_append_basic(message, type, value);
}

int ac_bus_append_array(ac_bus_message *message, char type, const void *values, size_t size) {
  return load_sd_bus_message_append_array(message, type, values, size);
}

int ac_bus_open_container(ac_bus_message *message, char type, const char *contents) {
  return load_sd_bus_message_open_container(message, type, contents);
}

int ac_bus_close_container(ac_bus_message *message) { return load_sd_bus_message_close_container(message); }

int ac_bus_read_basic(ac_bus_message *message, char type, void *ret_value) {
  return load_sd_bus_message_read_basic(message, type, ret_value);
}

int ac_bus_read_array(ac_bus_message *message, char type, const void **ret_values, size_t *ret_size) {
  return load_sd_bus_message_read_array(message, type, ret_values, ret_size);
}

int ac_bus_enter_container(ac_bus_message *message, char type, const char *contents) {
  return load_sd_bus_message_enter_container(message, type, contents);
}

int ac_bus_exit_container(ac_bus_message *message) { return load_sd_bus_message_exit_container(message); }

int ac_bus_skip(ac_bus_message *message, const char *types) { return load_sd_bus_message_skip(message, types); }

struct ac_bus_signal {
  sd_bus_slot *slot;
  sd_bus_message *message;
};

static int note(sd_bus_message *message, void *data, sd_bus_error *ret_error) {
  (void)ret_error;
  ac_bus_signal *signal = data;
  if (signal->message == NULL) signal->message = load_sd_bus_message_ref(message);
  return 0;
}

int ac_bus_watch(ac_bus *bus, const char *sender, const char *path, const char *interface, const char *member,
                 ac_bus_signal **ret_signal) {
  ac_bus_signal *signal = calloc(1, sizeof *signal);
  if (signal == NULL) return -ENOMEM;
  int result = load_sd_bus_match_signal(bus, &signal->slot, sender, path, interface, member, note, signal);
  if (result < 0) {
    free(signal);
    return result;
  }
  *ret_signal = signal;
  return 0;
}

int ac_bus_next_signal(ac_bus *bus, ac_bus_signal *signal, ac_bus_message **ret_message) {
  while (signal->message == NULL) {
    int result = load_sd_bus_process(bus, NULL);
    if (result == 0) result = load_sd_bus_wait(bus, UINT64_MAX);
    if (result < 0 && result != -EINTR) return result;
  }
  *ret_message = signal->message;
  signal->message = NULL;
  return 0;
}

void ac_bus_unwatch(ac_bus_signal *signal) {
  if (signal->message != NULL) load_sd_bus_message_unref(signal->message);
  load_sd_bus_slot_unref(signal->slot);
  free(signal);
}

static uint64_t now(void) {
  struct timespec time = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* Lets the bus work until is_done says so (its answer), or the time has passed (0). */
static int work(sd_bus *bus, uint64_t microseconds, int (*is_done)(sd_bus *bus, void *data), void *data) {
  const uint64_t deadline = now() + microseconds;
  for (;;) {
    int result = is_done(bus, data);
    if (result != 0) return result;
    result = load_sd_bus_process(bus, NULL);
    if (result < 0) return result;
    if (result > 0) continue;
    const uint64_t time = now();
    if (time >= deadline) return 0;
    result = load_sd_bus_wait(bus, deadline - time);
    if (result < 0 && result != -EINTR) return result;
  }
}

static int is_ready(sd_bus *bus, void *data) {
  (void)data;
  return load_sd_bus_is_ready(bus);
}

int ac_bus_await_ready(ac_bus *bus, uint64_t microseconds) {
  int result = load_sd_bus_set_method_call_timeout(bus, microseconds);
  if (result >= 0) result = work(bus, microseconds, is_ready, NULL);
  return result == 0 ? -ETIMEDOUT : result;
}

struct ac_bus_notices {
  sd_bus_slot *slot;
  int have_come;
};

static int take_notice(sd_bus_message *message, void *data, sd_bus_error *ret_error) {
  (void)message;
  (void)ret_error;
  ac_bus_notices *notices = data;
  notices->have_come = 1;
  return 0;
}

int ac_bus_notice(ac_bus *bus, const char *rule, ac_bus_notices **ret_notices) {
  ac_bus_notices *notices = calloc(1, sizeof *notices);
  if (notices == NULL) return -ENOMEM;
  int result = load_sd_bus_add_match(bus, &notices->slot, rule, take_notice, notices);
  if (result < 0) {
    free(notices);
    return result;
  }
  *ret_notices = notices;
  return 0;
}

static int have_come(sd_bus *bus, void *data) {
  (void)bus;
  ac_bus_notices *notices = data;
  const int result = notices->have_come;
  notices->have_come = 0;
  return result;
}

int ac_bus_await_notice(ac_bus *bus, ac_bus_notices *notices, uint64_t microseconds) {
  return work(bus, microseconds, have_come, notices);
}

void ac_bus_end_notices(ac_bus_notices *notices) {
  load_sd_bus_slot_unref(notices->slot);
  free(notices);
}
