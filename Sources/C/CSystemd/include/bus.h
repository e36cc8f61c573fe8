/* sd-bus of libsystemd, loaded when it is first needed, so that other programs start faster and work without it. The functions are those
 * of sd-bus(3) that Sources/System/DBus uses, with "ac_" before their names. They fail with a negative errno. Use a bus on one thread at
 * a time, after ac_bus_load has returned 0. */
#ifndef AUTHCORE_BUS_H
#define AUTHCORE_BUS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus ac_bus;
typedef struct sd_bus_message ac_bus_message;

/* Loads libsystemd, on any thread. 0, -ENOENT if there is none, -ENOSYS if it is too old. */
int ac_bus_load(void);

/* The bus at this address, or the session's if it is NULL. */
int ac_bus_open(const char *address, ac_bus **ret_bus);
void ac_bus_close(ac_bus *bus);
/* Waits at most so many microseconds until the bus has accepted the connection. Later calls that wait have the same limit. */
int ac_bus_await_ready(ac_bus *bus, uint64_t microseconds);
int ac_bus_new_call(ac_bus *bus, ac_bus_message **ret_message, const char *destination, const char *path, const char *interface,
                    const char *member);
/* Waits at most so many microseconds for the answer. On failure *ret_error, if it is not NULL, is the error's name, for the caller to
 * free. */
int ac_bus_call(ac_bus *bus, ac_bus_message *message, uint64_t microseconds, char **ret_error, ac_bus_message **ret_reply);
void ac_bus_message_unref(ac_bus_message *message);

int ac_bus_append_basic(ac_bus_message *message, char type, const void *value);
int ac_bus_append_array(ac_bus_message *message, char type, const void *values, size_t size);
int ac_bus_open_container(ac_bus_message *message, char type, const char *contents);
int ac_bus_close_container(ac_bus_message *message);

int ac_bus_read_basic(ac_bus_message *message, char type, void *ret_value);
int ac_bus_read_array(ac_bus_message *message, char type, const void **ret_values, size_t *ret_size);
int ac_bus_enter_container(ac_bus_message *message, char type, const char *contents);
int ac_bus_exit_container(ac_bus_message *message);
int ac_bus_skip(ac_bus_message *message, const char *types);

/* Keeps the first such signal of an object. ac_bus_next_signal waits for it. */
typedef struct ac_bus_signal ac_bus_signal;
int ac_bus_watch(ac_bus *bus, const char *sender, const char *path, const char *interface, const char *member,
                 ac_bus_signal **ret_signal);
int ac_bus_next_signal(ac_bus *bus, ac_bus_signal *signal, ac_bus_message **ret_message);
void ac_bus_unwatch(ac_bus_signal *signal);

/* Notices all signals that match a rule. */
typedef struct ac_bus_notices ac_bus_notices;
int ac_bus_notice(ac_bus *bus, const char *rule, ac_bus_notices **ret_notices);
/* Waits at most so many microseconds for one of them. 1: some have come; 0: none. */
int ac_bus_await_notice(ac_bus *bus, ac_bus_notices *notices, uint64_t microseconds);
void ac_bus_end_notices(ac_bus_notices *notices);

#endif
