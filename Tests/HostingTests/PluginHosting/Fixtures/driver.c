/* A driver for tests. What is wrong with it is chosen by macros; without any it is sound. */
#define _GNU_SOURCE
#include <authcore/sensor.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef PROBES
#include "probes.h"
#endif
#ifdef CALLS
#include "calls.h"
#endif

#define CONCAT_(left, right) left##right
#define CONCAT(left, right) CONCAT_(left, right)

/* What a hostile driver might try. Returns only when it was refused, or when it works. */
static int try_open(void) { return open("/etc/passwd", O_RDONLY); }
static int try_write(void) { return open("/tmp/authcore-probe", O_WRONLY | O_CREAT, 0600); }
static int try_device(void) { return open("/dev/null", O_RDONLY); }
static int try_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static int try_exec(void) { return execl("/bin/true", "true", (char *)NULL); }
static int try_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0 ? waitpid(child, NULL, 0) : -1;
}
static int try_kill(void) { return kill(getppid(), 0); }
static int try_code(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? -1 : 0;
}
static int try_pipe(void) {
  int ends[2];
  return pipe(ends);
}
static int try_crash(void) {
  *(volatile int *)8 = 1;
  return 0;
}
static int try_hang(void) {
  for (;;) pause();
}
static int try_exit(void) { _exit(7); }
static void *sleep_for_ever(void *unused) {
  try_hang();
  return unused;
}
static int try_threads(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  pthread_t thread;
  for (int count = 0; count < 100; count++)
    if (pthread_create(&thread, &small, sleep_for_ever, NULL) != 0) return -1;
  return try_hang();
}
static int try_memory(void) {
  void *much = malloc(1100 << 20), *more = mmap(NULL, 1100 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return much == NULL && more == MAP_FAILED ? -1 : 0;
}

#ifdef IN_CONSTRUCTOR
__attribute__((constructor)) static void constructor(void) { CONCAT(try_, IN_CONSTRUCTOR)(); }
#endif

static const ac_host_t *host;
static const ac_clock_service_t *clock_service;

struct ac_sensor {
  char mode[32];
  int descriptor;
  volatile int interrupted;
  uint8_t pixels[12];
  ac_row_extent_t extents[3];
};

static ac_status_t open_sensor(const ac_option_t *options, uint32_t count, ac_sensor_t **ret_sensor) {
  ac_sensor_t *sensor = calloc(1, sizeof *sensor);
  sensor->descriptor = -1;
  for (uint32_t index = 0; index < count; index++) {
    if (strcmp(options[index].name, "mode") == 0) strncpy(sensor->mode, options[index].value, 31);
    if (strcmp(options[index].name, "data") == 0) sensor->descriptor = options[index].file_descriptor;
    if (strcmp(options[index].name, "base") == 0) sensor->pixels[0] = (uint8_t)options[index].number;
  }
#ifdef PROBES
  host->set_error(host->context, had);
  free(sensor);
  return AC_ERR_IO;
#endif
  if (strcmp(sensor->mode, "refuse") == 0) {
    host->set_error(host->context, "the mode refuse is refused");
    free(sensor);
    return AC_ERR_OPTION;
  }
  if (strcmp(sensor->mode, "hang-open") == 0) try_hang();
  static int openings;
  if (strcmp(sensor->mode, "lift") == 0 && ++openings < 3) {
    free(sensor);
    return AC_RETRY_LIFT;
  }
  *ret_sensor = sensor;
  return AC_OK;
}

static ac_status_t deliver(ac_sensor_t *sensor, ac_frame_t *ret_frame) {
  for (int index = 1; index < 12; index++) sensor->pixels[index] = (uint8_t)(sensor->pixels[0] + index);
  ret_frame->struct_size = sizeof *ret_frame;
  ret_frame->width_px = 4;
  ret_frame->height_px = 3;
  ret_frame->ppi = 500;
  ret_frame->pixels = sensor->pixels;
  ret_frame->pixel_count = sizeof sensor->pixels;
  return AC_OK;
}

/* A frame that says where its rows end, soundly or as the mode wants it. */
static ac_status_t deliver_extents(ac_sensor_t *sensor, const char *mode, ac_frame_t *ret_frame) {
  deliver(sensor, ret_frame);
  sensor->extents[0] = (ac_row_extent_t){0, 1};
  sensor->extents[1] = (ac_row_extent_t){1, 4};
  sensor->extents[2] = (ac_row_extent_t){2, 2};
  ret_frame->extents = sensor->extents;
  ret_frame->extent_count = 3;
  if (strcmp(mode, "extents-turned") == 0) ret_frame->flags = AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL;
  if (strcmp(mode, "extents-few") == 0) ret_frame->extent_count = 2;
  if (strcmp(mode, "extents-many") == 0) ret_frame->extent_count = (size_t)-1;
  if (strcmp(mode, "extents-null") == 0) ret_frame->extents = NULL;
  if (strcmp(mode, "extents-crossed") == 0) sensor->extents[1].first = 5;
  if (strcmp(mode, "extents-wide") == 0) sensor->extents[2].end = 5;
  if (strcmp(mode, "extents-unreadable") == 0) ret_frame->extents = (const ac_row_extent_t *)16;
  if (strcmp(mode, "extents-unsaid") == 0) ret_frame->struct_size = offsetof(ac_frame_t, extent_count);
  if (strcmp(mode, "extents-large") == 0) ret_frame->struct_size = 4096;
  return AC_OK;
}

/* ac_frame_t as version 1.0 had it. */
struct first_frame {
  uint32_t struct_size, width_px, height_px, ppi, flags;
  const uint8_t *pixels;
  size_t pixel_count;
};

static ac_status_t attempt(int (*action)(void)) {
  if (action() >= 0) host->set_error(host->context, "it works");
  else host->set_error(host->context, "it was refused");
  return AC_ERR_IO;
}

#ifdef CALLS
static void log_line(const char *text) { host->log(host->context, AC_LOG_INFO, text); }

static ac_status_t try_calls(const char *mode) {
  if (strcmp(mode, "calls") == 0) make_calls(log_line);
#ifdef __x86_64__
  if (strcmp(mode, "x32") == 0) return attempt(call_as_x32);
  if (strcmp(mode, "i386") == 0) return attempt(call_as_i386);
#endif
  return AC_ERR_IO;
}
#endif

static ac_status_t capture(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame) {
  const char *mode = sensor->mode;
#ifdef CALLS
  return try_calls(mode);
#endif
  if (strcmp(mode, "print") == 0) {
    printf("a driver should not print\n");
    fprintf(stderr, "nor complain\n");
    fflush(stdout);
  }
  if (strcmp(mode, "mask") == 0) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  }
  if (strcmp(mode, "handler") == 0) signal(SIGTERM, SIG_IGN);
  if (strcmp(mode, "beyond") == 0) memset(ret_frame + 1, 0, 16);
  if (strcmp(mode, "empty") == 0) {
    deliver(sensor, ret_frame);
    ret_frame->width_px = 0;
    ret_frame->height_px = 0;
    ret_frame->pixel_count = 0;
    return AC_OK;
  }
  if (strcmp(mode, "wide") == 0) {
    deliver(sensor, ret_frame);
    ret_frame->width_px = 100000;
    ret_frame->height_px = 1;
    ret_frame->pixel_count = 100000;
    return AC_OK;
  }
  if (strncmp(mode, "extents", 7) == 0) return deliver_extents(sensor, mode, ret_frame);
  if (strcmp(mode, "first") == 0) {
    *(struct first_frame *)ret_frame = (struct first_frame){
        .struct_size = sizeof(struct first_frame), .width_px = 4, .height_px = 3, .ppi = 500,
        .pixels = sensor->pixels, .pixel_count = sizeof sensor->pixels};
    return AC_OK;
  }
  if (strcmp(mode, "stale") == 0) {
    /* Remembers an interrupt for the capture after the one that slept. */
    if (sensor->interrupted) return sensor->interrupted = 0, AC_ERR_INTERRUPTED;
    if (timeout_ms > 300000) return clock_service->sleep_ns((uint64_t)timeout_ms * 1000000);
  }
  if (strcmp(mode, "data") == 0 && read(sensor->descriptor, sensor->pixels, 1) != 1) return AC_ERR_IO;
  if (strcmp(mode, "flip") == 0) {
    deliver(sensor, ret_frame);
    ret_frame->flags = AC_FRAME_INVERTED | AC_FRAME_FLIP_HORIZONTAL | AC_FRAME_FLIP_VERTICAL;
    return AC_OK;
  }
  if (strcmp(mode, "lie") == 0) {
    deliver(sensor, ret_frame);
    ret_frame->width_px = 400;
    return AC_OK;
  }
  if (strcmp(mode, "retry") == 0) return AC_RETRY_TOO_DRY;
  if (strcmp(mode, "nonsense") == 0) return -5;
  if (strcmp(mode, "gone") == 0) {
    host->set_error(host->context, "the reader was unplugged; plug it in again");
    return AC_ERR_GONE;
  }
  if (strcmp(mode, "wait") == 0) {
    ac_status_t status = clock_service->sleep_ns((uint64_t)timeout_ms * 1000000);
    return status == AC_OK ? AC_ERR_TIMEOUT : status;
  }
  if (strcmp(mode, "flood") == 0) {
    for (;;) host->log(host->context, AC_LOG_INFO, "again and again");
  }
  if (strcmp(mode, "garbage") == 0) {
    (void)!write(3, "\0\0\0\3???", 7);
    try_hang();
  }
  if (strcmp(mode, "no-frame") == 0) {
    (void)!write(4, "\0\0\0\3???", 7);
    try_hang();
  }
  if (strcmp(mode, "crash") == 0) try_crash();
  if (strcmp(mode, "hang") == 0) try_hang();
  if (strcmp(mode, "exit") == 0) try_exit();
  if (strcmp(mode, "open") == 0) return attempt(try_open);
  if (strcmp(mode, "write") == 0) return attempt(try_write);
  if (strcmp(mode, "device") == 0) return attempt(try_device);
  if (strcmp(mode, "socket") == 0) return attempt(try_socket);
  if (strcmp(mode, "exec") == 0) return attempt(try_exec);
  if (strcmp(mode, "fork") == 0) return attempt(try_fork);
  if (strcmp(mode, "kill") == 0) return attempt(try_kill);
  if (strcmp(mode, "code") == 0) return attempt(try_code);
  if (strcmp(mode, "pipe") == 0) return attempt(try_pipe);
  if (strcmp(mode, "threads") == 0) return attempt(try_threads);
  if (strcmp(mode, "memory") == 0) return attempt(try_memory);
  if (strcmp(mode, "log") == 0) host->log(host->context, AC_LOG_WARNING, "a line\nof two");
  return deliver(sensor, ret_frame);
}

static void interrupt(ac_sensor_t *sensor) { sensor->interrupted = 1; }
static void close_sensor(ac_sensor_t *sensor) { free(sensor); }

#ifdef LATER
/* A match of a version to come: longer, and with a condition that nobody knows yet. */
static const struct {
  ac_usb_match_t known;
  uint32_t later;
} matches[] = {
    {{.vendor_id = 0x05ba, .product_id = 0x000a}, 0xffffffff},
    {{.vendor_id = 0x05ba, .product_id = 0x000b, .flags = 0x8000}, 1},
    {{.vendor_id = 0x05ba, .product_id = 0x0007}, 0}};
#else
static const ac_usb_match_t matches[] = {
    {.vendor_id = 0x05ba, .product_id = 0x000a},
    {.vendor_id = 0x05ba,
     .product_id = 0x0007,
#ifdef MATCH_FLAGS
     .flags = MATCH_FLAGS,
     .bcd_device_first = FIRST_RELEASE,
     .bcd_device_last = 0x0199,
     .interface_number = 1,
     .interface_class = 0xff
#endif
    }};
#endif
static const ac_option_description_t options[] = {
    {"mode", AC_OPTION_TEXT, "what the test wants"},
    {"base", AC_OPTION_NUMBER, "the first pixel"},
    {"data", AC_OPTION_FILE, "a file"},
};

#ifndef FLAGS
#define FLAGS AC_SENSOR_SYNTHETIC
#endif
#ifndef NAME
#define NAME "fixture"
#endif
#ifndef DESCRIPTION_SIZE
#define DESCRIPTION_SIZE sizeof(ac_sensor_description_t)
#endif
#ifndef DRIVER_SIZE
#define DRIVER_SIZE sizeof(ac_sensor_driver_t)
#endif
#ifndef VERSION
#define VERSION AC_SENSOR_ABI
#endif
#ifndef MATCH_COUNT
#define MATCH_COUNT 2
#endif
#ifndef CAPTURE
#define CAPTURE capture
#endif
#ifndef MATCH_SIZE
#define MATCH_SIZE sizeof matches[0]
#endif
#ifndef OPTION_SIZE
#define OPTION_SIZE 0
#endif

static const ac_sensor_description_t description = {
    .struct_size = DESCRIPTION_SIZE,
    .name = NAME,
    .full_name = "Fixture of the tests",
    .version = "1.2",
    .usb_matches = (const ac_usb_match_t *)matches,
    .usb_match_count = MATCH_COUNT,
    .scan_type = AC_SCAN_PRESS,
    .width_px = 4,
    .height_px = 3,
    .ppi = 500,
    .flags = FLAGS,
    .options = options,
    .option_count = 3,
    .real_option = "data",
    .usb_match_size = MATCH_SIZE,
    .option_description_size = OPTION_SIZE,
};

#ifdef INFO
static ac_status_t get_info(ac_sensor_t *sensor, ac_device_info_t *ret_info) {
  (void)sensor;
  ret_info->scan_type = AC_SCAN_SWIPE;
  ret_info->width_px = 144;
  ret_info->ppi = 508;
  strcpy(ret_info->serial, "S\n1");
  memset(ret_info->firmware, 'f', sizeof ret_info->firmware);
  INFO;
  return AC_OK;
}

static const void *find_extension(const char *name) {
  static const ac_device_info_extension_t info = {sizeof info, get_info};
  return strcmp(name, AC_DEVICE_INFO_EXTENSION) == 0 ? &info : NULL;
}
#endif

static const ac_sensor_driver_t driver = {
    .struct_size = DRIVER_SIZE,
    .abi_version = VERSION,
    .description = &description,
    .open = open_sensor,
    .capture = CAPTURE,
    .interrupt = interrupt,
    .close = close_sensor,
#ifdef INFO
    .extension = find_extension,
#endif
};

#ifndef NO_SYMBOL
AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *given, const ac_sensor_driver_t **ret_driver) {
  host = given;
  clock_service = host->service(host->context, "clock/1");
#ifdef IN_ENTRY
  CONCAT(try_, IN_ENTRY)();
#endif
#ifdef REFUSE
  return AC_ERR_ABI;
#endif
  *ret_driver = &driver;
  return AC_OK;
}
#endif

/* Not every variant uses every probe. */
__attribute__((used)) static int (*const probes[])(void) = {
    try_open, try_write, try_device, try_socket, try_exec, try_fork, try_kill,
    try_code, try_pipe,  try_crash,  try_hang,   try_exit, try_threads, try_memory};
