/* The template's driver with one thing wrong with it, chosen by a macro: each breaks one rule of the ABI. */
#define _GNU_SOURCE
#include <authcore/sensor.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Its entry becomes a function of this file; sensor.h has been read and declares ours. */
#undef AC_EXPORT
#define AC_EXPORT static
#define ac_sensor_entry sound_entry
#include "template.c"
#undef ac_sensor_entry

static const ac_sensor_driver_t *sound;

#ifdef IN_CONSTRUCTOR
/* What it does is given as statements. */
static void *wait_for_ever(void *unused);
__attribute__((constructor)) static void constructor(void) { IN_CONSTRUCTOR; }
#endif

static void *wait_for_ever(void *unused) {
  for (;;) pause();
  return unused;
}

static ac_status_t broken_open(const ac_option_t *options, uint32_t count, ac_sensor_t **ret_sensor) {
#ifdef LEAKS_MEMORY
  static void *volatile kept;
  kept = malloc(48);
#endif
#ifdef LEAKS_DESCRIPTORS
  (void)!dup(0);
#endif
#ifdef LEAKS_THREADS
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_ever, NULL);
#endif
#ifdef CHANGES_MASK
  sigset_t signals;
  sigfillset(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
#endif
#ifdef CHANGES_HANDLER
  signal(SIGUSR1, SIG_IGN);
#endif
#ifdef WRITES_SENSOR_ON_FAILURE
  if (ret_sensor != NULL) *ret_sensor = NULL;
#endif
  ac_status_t status = sound->open(options, count, ret_sensor);
#ifdef LEAVES_READ
  uint32_t ticket = 0;
  if (status == AC_OK) (*ret_sensor)->usb->submit_read((*ret_sensor)->usb->device, AC_USB_BULK, IMAGES, 8, &ticket);
#endif
  return status;
}

#ifdef USES_THREAD
static void *switch_off(void *sensor) {
  set_mode(((ac_sensor_t *)sensor)->usb, MODE_OFF);
  return NULL;
}
#endif

#ifdef KEEPS_INTERFACE
static ac_status_t keep_interface(ac_usb_t *device, uint8_t number) {
  (void)device, (void)number;
  return AC_OK;
}
#endif

static ac_status_t broken_capture(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame) {
#ifdef FOLLOWS_NULL
  sensor->finger_is_down = 0;
#endif
#ifdef FORGETS_LIFT
  if (sensor != NULL) sensor->finger_is_down = 0;
#endif
#ifdef MISSES_LIFT
  if (sensor != NULL && sensor->finger_is_down) return AC_ERR_TIMEOUT;
#endif
#ifdef FLOODS_LOG
  for (int line = 0; line < 30000; line++)
    host->log(host->context, AC_LOG_DEBUG, "a line that nobody needs, and that comes again and again and again");
#endif
#ifdef GIVES_NO_FRAME
  if (sensor != NULL && ret_frame != NULL && timeout_ms > 1) return sound->capture(sensor, 0, ret_frame);
#endif
#ifdef LEAKS_IN_CAPTURE
  static void *volatile kept_frame;
  kept_frame = malloc(48);
#endif
#ifdef REPEATS_FRAME
  static ac_frame_t last;
  if (sensor != NULL && ret_frame != NULL && last.pixels != NULL) {
    last.struct_size = ret_frame->struct_size;
    memcpy(ret_frame, &last, last.struct_size < sizeof last ? last.struct_size : sizeof last);
    return last.pixels = NULL, AC_OK;
  }
#endif
#ifdef PRINTS
  printf("captured\n");
  fflush(stdout);
#endif
#ifdef EXITS
  exit(0);
#endif
#ifdef RETURNS_EARLY
  return AC_ERR_TIMEOUT;
#endif
#ifdef USES_THREAD
  pthread_t thread;
  if (sensor != NULL && pthread_create(&thread, NULL, switch_off, sensor) == 0) pthread_join(thread, NULL);
#endif
#ifdef FORGETS_TIMEOUT
  timeout_ms += 3000;
#endif
  ac_status_t status = sound->capture(sensor, timeout_ms, ret_frame);
#ifdef CRASHES_WHEN_GONE
  if (status == AC_ERR_GONE) *(volatile int *)8 = 1;
#endif
#ifdef HANGS_WHEN_GONE
  if (status == AC_ERR_GONE) wait_for_ever(NULL);
#endif
#ifdef HIDES_GONE
  if (status == AC_ERR_GONE) status = AC_ERR_IO;
#endif
#ifdef INVENTS_STATUS
  if (status == AC_ERR_GONE) return -1;
#endif
#ifdef WRITES_FRAME_ON_FAILURE
  if (status == AC_ERR_TIMEOUT) memset(ret_frame, 0, sizeof *ret_frame);
#endif
  if (status != AC_OK) return status;
#ifdef REPEATS_FRAME
  memcpy(&last, ret_frame, ret_frame->struct_size < sizeof last ? ret_frame->struct_size : sizeof last);
#endif
#ifdef WRITES_PAST_FRAME
  memset(ret_frame + 1, 0, 8);
#endif
#ifdef EMPTY_FRAME
  ret_frame->width_px = ret_frame->height_px = 0, ret_frame->pixel_count = 0;
#endif
#ifdef WIDE_FRAME
  ret_frame->width_px = 100000, ret_frame->height_px = 1, ret_frame->pixel_count = 100000;
#endif
#ifdef SHORT_FRAME
  ret_frame->pixel_count -= 1;
#endif
#ifdef OTHER_FRAME
  ret_frame->width_px = HEIGHT, ret_frame->height_px = WIDTH;
#endif
#ifdef ASSIGNS_FRAME
  *ret_frame = (ac_frame_t){.struct_size = sizeof *ret_frame, .width_px = WIDTH, .height_px = HEIGHT, .ppi = PPI,
                            .pixels = ret_frame->pixels, .pixel_count = WIDTH * HEIGHT};
#endif
#if defined FEW_EXTENTS || defined CROSSED_EXTENTS
  static ac_row_extent_t extents[HEIGHT];
  for (int row = 0; row < HEIGHT; row++) extents[row] = (ac_row_extent_t){1, WIDTH};
  if (AC_HAS_FIELD(ac_frame_t, ret_frame, extent_count)) ret_frame->extents = extents, ret_frame->extent_count = HEIGHT;
#endif
#ifdef FEW_EXTENTS
  if (AC_HAS_FIELD(ac_frame_t, ret_frame, extent_count)) ret_frame->extent_count--;
#endif
#ifdef CROSSED_EXTENTS
  extents[7].end = 0;
#endif
#ifdef FREES_PIXELS
  uint8_t *copy = malloc(WIDTH * HEIGHT);
  memcpy(copy, ret_frame->pixels, WIDTH * HEIGHT);
  ret_frame->pixels = copy;
  free(copy);
#endif
  return status;
}

static void broken_interrupt(ac_sensor_t *sensor) {
#ifdef HANGS_ON_INTERRUPT
  if (sensor != NULL) wait_for_ever(NULL);
#endif
#ifndef IGNORES_INTERRUPT
  sound->interrupt(sensor);
#endif
}

static void broken_close(ac_sensor_t *sensor) {
#ifdef CLOSES_NULL
  sensor->finger_is_down = 0;
#endif
#ifdef KEEPS_INTERFACE
  static ac_usb_service_t usb;
  if (sensor != NULL) {
    usb = *sensor->usb;
    usb.release_interface = keep_interface;
    sensor->usb = &usb;
  }
#endif
  sound->close(sensor);
}

__attribute__((visibility("default"))) ac_status_t ac_sensor_entry(const ac_host_t *the_host,
                                                                   const ac_sensor_driver_t **ret_driver) {
  static ac_sensor_driver_t driver;
  static ac_sensor_description_t description;
  ac_status_t status = sound_entry(the_host, ret_driver);
#ifdef ANY_VERSION
  if (status == AC_ERR_ABI) return *ret_driver = &driver, AC_OK;
#endif
  if (status != AC_OK) return status;
  sound = *ret_driver;
  driver = *sound, description = *sound->description;
  driver.description = &description;
  driver.open = broken_open, driver.capture = broken_capture;
  driver.interrupt = broken_interrupt, driver.close = broken_close;
#ifdef BAD_NAME
  description.name = "Bad Name";
#endif
#ifdef SMALL_MATCH
  description.usb_match_size = 4;
#endif
#ifdef SMALL_STRUCT
  driver.struct_size = 8;
#endif
#ifdef NO_CAPTURE
  driver.capture = NULL;
#endif
#ifdef OTHER_VERSION
  driver.abi_version = AC_ABI_VERSION(2, 0);
#endif
  *ret_driver = &driver;
  return AC_OK;
}

#ifdef TWO_SYMBOLS
__attribute__((visibility("default"))) int my_helper(void) { return 0; }
#endif
#ifdef IMPORTS
int ac_host_internal(void);
__attribute__((used)) static int import_it(void) { return ac_host_internal(); }
#endif

/* Not every variant uses it. */
__attribute__((used)) static void *(*const kept_function)(void *) = wait_for_ever;
