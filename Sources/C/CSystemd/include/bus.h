/* sd-bus of libsystemd, loaded when it is first needed: no start of a program pays for it, and a machine without it misses one
 * command. The functions are those of sd-bus(3) that Sources/System/DBus uses, with their names behind "ac_"; they fail with a
 * negative errno. One thread at a time for each bus; none may be called before ac_bus_load has returned 0. */
#ifndef AUTHCORE_BUS_H
#define AUTHCORE_BUS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus ac_bus;
typedef struct sd_bus_message ac_bus_message;

/* Loads libsystemd; any thread. 0, -ENOENT where it is not there, -ENOSYS where it is too old. */
int ac_bus_load(void);

/* The bus at this address, or where it is NULL that of the session. */
int ac_bus_open(const char *address, ac_bus **ret_bus);
void ac_bus_close(ac_bus *bus);
/* Waits until the bus has taken the connection, at most so many microseconds; further calls that wait by themselves take no longer. */
int ac_bus_await_ready(ac_bus *bus, uint64_t microseconds);
int ac_bus_new_call(ac_bus *bus, ac_bus_message **ret_message, const char *destination, const char *path, const char *interface,
                    const char *member);
/* Waits for the answer, at most so many microseconds. On failure *ret_error, if it is not NULL, is the error's name: to free. */
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

/* Notes the first signal of this member that comes from an object; ac_bus_next_signal waits for it. */
typedef struct ac_bus_signal ac_bus_signal;
int ac_bus_watch(ac_bus *bus, const char *sender, const char *path, const char *interface, const char *member,
                 ac_bus_signal **ret_signal);
int ac_bus_next_signal(ac_bus *bus, ac_bus_signal *signal, ac_bus_message **ret_message);
void ac_bus_unwatch(ac_bus_signal *signal);

/* Notices signals that match a rule, as often as they come. */
typedef struct ac_bus_notices ac_bus_notices;
int ac_bus_notice(ac_bus *bus, const char *rule, ac_bus_notices **ret_notices);
/* Waits for one of them, at most so many microseconds. 1: some have come, 0: none. */
int ac_bus_await_notice(ac_bus *bus, ac_bus_notices *notices, uint64_t microseconds);
void ac_bus_end_notices(ac_bus_notices *notices);

#endif
