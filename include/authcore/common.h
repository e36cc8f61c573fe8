/* authcore/common.h: what every plugin of authcore shares: versions, results, logging, services.
 *
 * The C ABI of authcore is these headers: common.h, sensor.h (drivers), usb.h (the transport a driver talks
 * through), assemble.h (swipes to one image), model.h (a device as software, for tests) and engine.h (enclave, keychain,
 * policy). A plugin needs only these headers: it imports no
 * symbol of the host and exports exactly one.
 *
 * Rules that hold for every function and struct here:
 *  - Every struct begins with struct_size, its sizeof when its writer was built. Fields are only ever appended.
 *    A reader uses a field only if offsetof(field) + sizeof(field) <= struct_size, which AC_HAS_FIELD checks. A field that
 *    is newer than 1.0 is marked: "since 1.1".
 *  - A plugin built against any 1.x works with any host 1.y, with one exception (AC_ENGINE_ABI). Another major version is refused.
 *  - Thread tags: [any] any thread, at any time; [owner] the one thread the host runs the plugin on.
 *  - Out-parameters are named ret_x and written only when AC_OK is returned.
 *  - NULL in place of a pointer that is needed is refused with AC_ERR_ARGUMENT, not followed.
 *  - If a call fills in a struct (ret_frame, ret_info), the caller sets struct_size to its own sizeof and the rest to 0. The
 *    callee sets single fields within that size and leaves struct_size alone. Assigning the whole struct would write past
 *    the memory of a caller with an older header.
 *  - Text is UTF-8, NUL terminated, without line breaks, and lives as long as stated beside it.
 *  - A plugin never exits, never changes signal handlers and never writes to standard output or error.
 *  - Constructors, which run while a plugin is loaded, only set up memory: they open no file, leave no
 *    descriptor, start no thread and map no memory that is both written and executed. Code is compiled with -fPIC.
 *  - No exception, longjmp or unwinding leaves a function of a plugin; a C++ plugin catches everything in each of them.
 *  - A plugin may have threads of its own. They block all signals, call only what is [any], and have ended when the
 *    function that closes their object returns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_COMMON_H
#define AUTHCORE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* (major << 16) | minor. Drivers and engines have a version each: AC_SENSOR_ABI, AC_ENGINE_ABI. */
#define AC_ABI_VERSION(major, minor) (((uint32_t)(major) << 16) | (uint32_t)(minor))
#define AC_ABI_MAJOR(version) ((uint32_t)(version) >> 16)
#define AC_ABI_MINOR(version) ((uint32_t)(version) & 0xffffu)

/* Whether the struct at pointer is long enough to have this field of its type. */
#define AC_HAS_FIELD(type, pointer, field) \
  ((pointer)->struct_size >= offsetof(type, field) + sizeof(((type *)0)->field))

#if defined(__GNUC__)
#define AC_EXPORT __attribute__((visibility("default")))
#else
#define AC_EXPORT
#endif

/* The outcome of a call. Three families that are never mixed: 0 is the result, 1..99 ask the person at the
 * sensor to try again, 100 and above say that the device, the plugin or its caller failed. */
typedef int32_t ac_status_t;
enum {
  AC_OK = 0,

  AC_RETRY_GENERAL = 1,      /* the touch could not be read for an unknown reason */
  AC_RETRY_TOO_DRY = 2,      /* ridges are broken: press a little harder or moisten the finger */
  AC_RETRY_TOO_WET = 3,      /* ridges run together: dry the finger */
  AC_RETRY_TOO_SHORT = 4,    /* a swipe that ended early, or a touch that was lifted too soon */
  AC_RETRY_TOO_FAST = 5,     /* a swipe faster than the sensor reads */
  AC_RETRY_TOO_SLOW = 6,     /* a swipe slower than the sensor reads */
  AC_RETRY_CENTER = 7,       /* the finger does not lie on the middle of the sensor */
  AC_RETRY_LIFT = 8,         /* the finger has to be lifted first */
  AC_RETRY_TOO_SKEWED = 9,   /* the finger lies or moves at too steep an angle */

  AC_ERR_TIMEOUT = 100,      /* the deadline passed, or no more input is possible (end of a recording) */
  AC_ERR_INTERRUPTED = 101,  /* the call was made to return by interrupt() */
  AC_ERR_GONE = 102,         /* the device was unplugged */
  AC_ERR_BUSY = 103,         /* another program holds the device */
  AC_ERR_PERMISSION = 104,   /* the device or file may not be opened */
  AC_ERR_PROTOCOL = 105,     /* the device sent an invalid answer */
  AC_ERR_IO = 106,           /* the transfer or file operation failed */
  AC_ERR_STALL = 107,        /* the endpoint halted: clear_halt, then go on */
  AC_ERR_TOO_HOT = 108,      /* the device must cool down */
  AC_ERR_ARGUMENT = 109,     /* an argument is refused; the message names it */
  AC_ERR_OPTION = 110,       /* an option's value is invalid; the message names it */
  AC_ERR_UNSUPPORTED = 111,  /* this device, firmware or ability is not supported */
  AC_ERR_ABI = 112,          /* the versions do not fit */
  AC_ERR_MEMORY = 113,       /* no memory, or a size beyond a stated limit */
  AC_ERR_STATE = 114,        /* not possible now (not open, already open) */
  AC_ERR_DATA = 115,         /* stored data is damaged or foreign */
  AC_ERR_NOT_FOUND = 116     /* nothing of that name */
};

typedef int32_t ac_log_level_t;
enum {
  AC_LOG_DEBUG = 0,   /* for the plugin's author */
  AC_LOG_INFO = 1,    /* for the administrator, nothing is wrong */
  AC_LOG_WARNING = 2, /* the device behaved oddly, but work goes on */
  AC_LOG_ERROR = 3    /* the call that is under way will fail */
};

/* The host, for a plugin. Valid from the entry call until the process ends; never freed by the plugin. */
typedef struct ac_host {
  uint32_t struct_size;
  uint32_t abi_version; /* the host's version of the ABI the plugin was loaded for */
  void *context;        /* pass back as the first argument of the functions below */

  /* Text for a person or a log; never secrets, prints or frames. The host copies it, cuts it at 1,024 bytes
   * and limits how much it takes. [any] */
  void (*log)(void *context, ac_log_level_t level, const char *text);

  /* Sets the message for the failure the plugin is about to return: one sentence that names the thing and says what
   * to do. The host copies it (at most 1,024 bytes) and shows it to the person. [owner] */
  void (*set_error)(void *context, const char *message);

  /* A service by name and revision ("usb/1", "store/1", …): a pointer to that service's table, or NULL if
   * the host does not have it. The table lives until the process ends. [any] */
  const void *(*service)(void *context, const char *name);
} ac_host_t;

/* "clock/1": answered by the hosting process itself, never by another. */
typedef struct ac_clock_service {
  uint32_t struct_size;
  /* Nanoseconds since boot, suspended time included (CLOCK_BOOTTIME). [any] */
  uint64_t (*boot_time_ns)(void);
  /* Seconds since 1970-01-01 UTC (CLOCK_REALTIME); may jump. [any] */
  int64_t (*wall_clock_s)(void);
  /* Waits for at most ns nanoseconds; 0 returns at once. Returns AC_ERR_INTERRUPTED early when the host interrupts the
   * capture, and at once until that capture has returned; a driver's interrupt need not wake it. [owner] */
  ac_status_t (*sleep_ns)(uint64_t ns);
} ac_clock_service_t;

/* "random/1": the kernel's generator (getrandom). */
typedef struct ac_random_service {
  uint32_t struct_size;
  /* Fills bytes[0..<count]. AC_ERR_IO when the kernel refuses. [any] */
  ac_status_t (*fill)(uint8_t *bytes, size_t count);
} ac_random_service_t;

#ifdef __cplusplus
}
#endif
#endif
