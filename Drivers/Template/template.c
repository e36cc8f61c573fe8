/* A complete driver to copy, for the imaginary device of README.md. SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <authcore/sensor.h>
#include <authcore/usb.h>
#if SWIPE
#include <stdio.h>
#include <string.h>
#include <authcore/assemble.h>
#elif CHIP
#include <string.h>
#include <authcore/match_on_chip.h>
#endif

#if SWIPE
enum { WIDTH = 128, HEIGHT = 12, STRIPE_BYTES = WIDTH * HEIGHT, PPI = 500 }; /* what the sensor sees at once */
enum { HEADER = 8, STRIPES_IN_REPORT = 4, REPORT_BYTES = HEADER + STRIPES_IN_REPORT * STRIPE_BYTES };
enum { MAX_STRIPES = 400, IMAGE_WIDTH = WIDTH + 32, MIN_HEIGHT = 96, MAX_HEIGHT = 600 }; /* the picture of a swipe */
enum { INTERFACE = 0, MESSAGES = 0x81, REPORTS = 0x82, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_STRIPES = 2, MODE_AWAIT_LIFT = 3 };
enum { ANSWER_MS = 1000, SWIPE_MS = 3000 }; /* for an answer of the device, and for a whole swipe */
#elif CHIP
enum { SLOTS = 10, TOUCHES = 5, NAME_BYTES = 16 }; /* its templates, the good touches of each, and their names */
enum { INTERFACE = 0, MESSAGES = 0x81, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_ENROLL = 1, MODE_IDENTIFY = 2, MODE_AWAIT_LIFT = 3 };
enum { BEGIN = 0x03, STORE = 0x04, GET_NAME = 0x05, REMOVE = 0x06, NO_SLOT = 0xff };
enum { ANSWER_MS = 1000 }; /* the device answers a request well within this */
#else
enum { WIDTH = 96, HEIGHT = 112, PPI = 500, HEADER = 8, IMAGE_BYTES = HEADER + WIDTH * HEIGHT };
enum { INTERFACE = 0, MESSAGES = 0x81, IMAGES = 0x82, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_IMAGE = 2, MODE_AWAIT_LIFT = 3 };
enum { ANSWER_MS = 1000 }; /* the device answers a command, and sends its image, well within this */
#endif
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2 };

/* One open device. A frame's pixels live in it until the next call. */
struct ac_sensor {
  const ac_usb_service_t *usb;
  const ac_clock_service_t *clock;
  int finger_is_down;
  uint8_t message[MESSAGE_BYTES]; /* the last one of the device */
#if SWIPE
  const ac_assemble_service_t *assembly;
  uint8_t report[REPORT_BYTES];
  uint8_t stripes[MAX_STRIPES * STRIPE_BYTES];
  uint8_t image[IMAGE_WIDTH * MAX_HEIGHT];
  ac_row_extent_t extents[MAX_HEIGHT]; /* where its rows end */
#elif CHIP
  ac_chip_id_t name; /* of the enrollment; count 0: none is under way */
  uint32_t percent;  /* of it */
#else
  uint8_t image[IMAGE_BYTES];
#endif
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Says why a call fails. A retry needs no message: its number says it all. */
static ac_status_t fail(ac_status_t status, const char *message) {
  if (status == AC_ERR_GONE) message = "The reader was unplugged: plug it in again";
  host->set_error(host->context, message);
  return status;
}

/* What a touch came to. A finger that does not come is no failure of the device. */
static ac_status_t report(ac_status_t status) {
  if (status == AC_ERR_TIMEOUT || status == AC_ERR_INTERRUPTED) return fail(status, "No finger came before the capture ended");
  if (status >= 100) return fail(status, "The reader does not answer as it should: unplug it and plug it in again");
  return status;
}

static ac_status_t set_mode(const ac_usb_service_t *usb, uint16_t mode) {
  return usb->control(usb->device, WRITE_VENDOR, SET_MODE, mode, 0, NULL, 0, ANSWER_MS, &(uint32_t){0});
}

/* Sets an endpoint that halted going again, at the price of this touch. */
static ac_status_t unhalt(const ac_usb_service_t *usb, uint8_t endpoint, ac_status_t status) {
  if (status != AC_ERR_STALL) return status;
  status = usb->clear_halt(usb->device, endpoint);
  return status == AC_OK ? AC_RETRY_GENERAL : status;
}

static uint32_t left_ms(const ac_sensor_t *sensor, uint64_t deadline_ns) {
  uint64_t now_ns = sensor->clock->boot_time_ns();
  return now_ns < deadline_ns ? (uint32_t)((deadline_ns - now_ns + 999999) / 1000000) : 0;
}

/* Sets a mode and waits for its message. The read is queued first: the device drops a message that no read waits for. */
static ac_status_t await_message(ac_sensor_t *sensor, uint16_t mode, uint8_t wanted, uint64_t deadline_ns) {
  const ac_usb_service_t *usb = sensor->usb;
  uint8_t *message = sensor->message;
  uint32_t ticket = 0, count = 0;
  ac_status_t status = usb->submit_read(usb->device, AC_USB_INTERRUPT, MESSAGES, MESSAGE_BYTES, &ticket);
  if (status != AC_OK) return status;
  status = set_mode(usb, mode);
  while (status == AC_OK) {
    uint32_t left = left_ms(sensor, deadline_ns);
    status = left == 0 ? AC_ERR_TIMEOUT : usb->wait(usb->device, ticket, left, message, MESSAGE_BYTES, &count);
    if (status == AC_ERR_TIMEOUT || status == AC_ERR_INTERRUPTED) break; /* the read is still pending */
    ticket = 0;                                                          /* it is used up */
    if (status == AC_OK && count > 0 && message[0] == wanted) {
      sensor->finger_is_down = wanted == MESSAGE_TOUCH;
      break;
    }
    if (status == AC_OK) status = usb->submit_read(usb->device, AC_USB_INTERRUPT, MESSAGES, MESSAGE_BYTES, &ticket);
  }
  if (ticket != 0) usb->cancel(usb->device, ticket);
  return unhalt(usb, MESSAGES, status);
}

#if SWIPE
/* Keeps the stripes of a report. If there are fewer than fit, the finger has gone. */
static ac_status_t keep_stripes(ac_sensor_t *sensor, uint32_t number, uint32_t length, uint32_t *count) {
  const uint8_t *report = sensor->report;
  if (length < HEADER || report[0] != 'S' || report[1] != (number & 0xff) || report[2] > STRIPES_IN_REPORT)
    return AC_ERR_PROTOCOL;
  if (length != REPORT_BYTES) return AC_RETRY_GENERAL; /* only part of it came */
  memcpy(sensor->stripes + *count * STRIPE_BYTES, report + HEADER, (size_t)report[2] * STRIPE_BYTES);
  *count += report[2];
  sensor->finger_is_down = report[2] == STRIPES_IN_REPORT;
  return AC_OK;
}

/* Fetches what the sensor sees while the finger is drawn over it. */
static ac_status_t read_swipe(ac_sensor_t *sensor, uint32_t *ret_count) {
  const ac_usb_service_t *usb = sensor->usb;
  uint64_t deadline_ns = sensor->clock->boot_time_ns() + SWIPE_MS * UINT64_C(1000000);
  uint32_t ticket = 0, length = 0, count = 0;
  ac_status_t status = usb->submit_read(usb->device, AC_USB_BULK, REPORTS, REPORT_BYTES, &ticket);
  if (status != AC_OK) return status;
  status = set_mode(usb, MODE_SEND_STRIPES);
  for (uint32_t number = 0; status == AC_OK; number++) {
    status = usb->wait(usb->device, ticket, ANSWER_MS, sensor->report, REPORT_BYTES, &length);
    if (status == AC_ERR_TIMEOUT || status == AC_ERR_INTERRUPTED) break;
    ticket = 0;
    if (status == AC_OK) status = keep_stripes(sensor, number, length, &count);
    if (status != AC_OK || !sensor->finger_is_down) break;
    if (count + STRIPES_IN_REPORT > MAX_STRIPES || left_ms(sensor, deadline_ns) == 0) status = AC_RETRY_TOO_SLOW;
    else status = usb->submit_read(usb->device, AC_USB_BULK, REPORTS, REPORT_BYTES, &ticket);
  }
  if (ticket != 0) usb->cancel(usb->device, ticket);
  *ret_count = count;
  return status == AC_ERR_TIMEOUT ? AC_ERR_PROTOCOL : unhalt(usb, REPORTS, status); /* the device stopped sending */
}

/* Makes one picture of the stripes. A bad swipe is a retry; `--log` shows how good it was. */
static ac_status_t assemble(ac_sensor_t *sensor, uint32_t count, ac_swipe_image_t *ret_swipe) {
  ac_stripes_t stripes = {
      .struct_size = sizeof stripes, .width_px = WIDTH, .height_px = HEIGHT, .count = count, .pixels = sensor->stripes,
      .image_width_px = IMAGE_WIDTH, .image_min_height_px = MIN_HEIGHT, .image_max_height_px = MAX_HEIGHT,
      .placement = AC_STRIPES_ROBUST, .ret_extents = sensor->extents, .extent_capacity = MAX_HEIGHT};
  if (count < 2) return AC_RETRY_TOO_SHORT;
  ac_status_t status = sensor->assembly->stripes(&stripes, sensor->image, sizeof sensor->image, ret_swipe);
  char line[128];
  snprintf(line, sizeof line, "%u stripes, %u px high, quality %.2f, agreement %.2f, %u of %u pairs unusable", count,
           ret_swipe->height_px, ret_swipe->quality, ret_swipe->agreement, ret_swipe->unusable_pairs, ret_swipe->pairs);
  if (status == AC_OK) host->log(host->context, AC_LOG_DEBUG, line);
  if (status == AC_ERR_DATA) return AC_RETRY_GENERAL; /* higher than a finger is long: the movement was misjudged */
  return status == AC_OK ? ret_swipe->verdict : status;
}
#elif CHIP
/* A request of the chip's own: a read if bit 7 of its type is set. If the device is silent, no finger is the reason. */
static ac_status_t ask(ac_sensor_t *sensor, uint8_t type, uint8_t request, uint16_t value, const void *data, uint32_t *count) {
  const ac_usb_service_t *usb = sensor->usb;
  uint16_t length = (uint16_t)*count;
  ac_status_t status = usb->control(usb->device, type, request, value, 0, (uint8_t *)data, length, ANSWER_MS, count);
  if (status == AC_OK && type == WRITE_VENDOR && *count != length) return AC_ERR_IO;
  return status == AC_ERR_TIMEOUT || status == AC_ERR_STALL ? AC_ERR_IO : status;
}

/* The name of the template in a slot; count 0 if there is none. */
static ac_status_t name_in_slot(ac_sensor_t *sensor, uint8_t slot, ac_chip_id_t *ret_name) {
  *ret_name = (ac_chip_id_t){.count = NAME_BYTES};
  return ask(sensor, READ_VENDOR, GET_NAME, slot, ret_name->bytes, &ret_name->count);
}

/* Waits for a touch in a mode, and says how good it was. The device forgets a touch that no call waits for any more. */
static ac_status_t await_touch(ac_sensor_t *sensor, uint16_t mode, uint32_t timeout_ms) {
  static const uint8_t verdicts[] = {AC_OK, AC_RETRY_TOO_DRY, AC_RETRY_TOO_WET, AC_RETRY_CENTER, AC_RETRY_TOO_SHORT};
  uint64_t deadline_ns = sensor->clock->boot_time_ns() + (uint64_t)timeout_ms * 1000000;
  ac_status_t status = set_mode(sensor->usb, MODE_OFF);
  if (status == AC_OK && sensor->finger_is_down) status = await_message(sensor, MODE_AWAIT_LIFT, MESSAGE_LIFT, deadline_ns);
  memset(sensor->message, 0xff, sizeof sensor->message); /* what does not come is no good answer */
  if (status == AC_OK) status = await_message(sensor, mode, MESSAGE_TOUCH, deadline_ns);
  if (status != AC_OK) return status;
  return sensor->message[1] < sizeof verdicts ? verdicts[sensor->message[1]] : AC_ERR_PROTOCOL;
}

static ac_status_t info(ac_sensor_t *sensor, ac_chip_info_t *ret_info) {
  if (sensor == NULL || ret_info == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  ret_info->abilities = AC_CHIP_KEEPS_ID | AC_CHIP_LISTS | AC_CHIP_KNOWS_LIFT;
  ret_info->capacity = SLOTS, ret_info->id_bytes = NAME_BYTES, ret_info->touches = TOUCHES;
  return AC_OK;
}

static ac_status_t list(ac_sensor_t *sensor, ac_chip_id_t *ret_ids, uint32_t capacity, uint32_t *ret_count) {
  if (sensor == NULL || ret_count == NULL || (ret_ids == NULL && capacity > 0)) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  uint32_t found = 0;
  for (uint8_t slot = 0; slot < SLOTS; slot++) {
    ac_chip_id_t name;
    ac_status_t status = name_in_slot(sensor, slot, &name);
    if (status != AC_OK) return report(status);
    if (name.count == 0) continue;
    if (found == capacity) return fail(AC_ERR_MEMORY, "The reader holds more templates than the host has room for");
    ret_ids[found++] = name;
  }
  return *ret_count = found, AC_OK;
}

/* Ends an enrollment. The device forgets its touches. */
static ac_status_t abandon(ac_sensor_t *sensor) {
  if (sensor == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (sensor->name.count == 0) return AC_OK;
  sensor->name.count = 0;
  return report(ask(sensor, WRITE_VENDOR, BEGIN, 0, NULL, &(uint32_t){0}));
}

static ac_status_t enroll(ac_sensor_t *sensor, const ac_chip_id_t *id) {
  ac_chip_id_t names[SLOTS];
  uint32_t count = 0;
  if (sensor == NULL || id == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (id->count < 1 || id->count > NAME_BYTES) return fail(AC_ERR_ARGUMENT, "The name of a template is too long for this reader");
  sensor->name.count = 0;
  ac_status_t status = list(sensor, names, SLOTS, &count);
  if (status != AC_OK) return status;
  if (count == SLOTS) return fail(AC_ERR_FULL, "The reader has no room for another finger: remove one first");
  count = id->count;
  status = ask(sensor, WRITE_VENDOR, BEGIN, 0, id->bytes, &count); /* it forgets the touches of another one */
  if (status == AC_OK) sensor->name = *id, sensor->percent = 0;
  return report(status);
}

static ac_status_t touch(ac_sensor_t *sensor, uint32_t timeout_ms, ac_chip_progress_t *ret_progress) {
  if (sensor == NULL || ret_progress == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (sensor->name.count == 0) return fail(AC_ERR_STATE, "No enrollment is under way");
  ac_status_t status = await_touch(sensor, MODE_ENROLL, timeout_ms);
  uint8_t percent = sensor->message[2];
  if (status == AC_OK && (percent < sensor->percent || percent > 100)) status = AC_ERR_PROTOCOL;
  if (status == AC_OK) ret_progress->percent = sensor->percent = percent;
  else if (status >= 100 && status != AC_ERR_TIMEOUT && status != AC_ERR_INTERRUPTED) sensor->name.count = 0;
  return report(status);
}

static ac_status_t commit(ac_sensor_t *sensor, ac_chip_id_t *ret_id) {
  if (sensor == NULL || ret_id == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (sensor->name.count == 0 || sensor->percent != 100) return fail(AC_ERR_STATE, "No enrollment is complete");
  ac_chip_id_t name = sensor->name;
  sensor->name.count = 0;
  ac_status_t status = ask(sensor, WRITE_VENDOR, STORE, 0, NULL, &(uint32_t){0});
  if (status == AC_OK) *ret_id = name;
  return report(status);
}

/* The chip searches all its templates and says in which slot the one is that matches. Its name is asked for afterwards. */
static ac_status_t identify(ac_sensor_t *sensor, const ac_chip_question_t *question, uint32_t timeout_ms,
                            ac_chip_answer_t *ret_answer) {
  if (sensor == NULL || question == NULL || ret_answer == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  ac_status_t status = abandon(sensor);
  if (status != AC_OK) return status;
  status = await_touch(sensor, MODE_IDENTIFY, timeout_ms);
  uint8_t slot = sensor->message[2];
  if (status != AC_OK || slot == NO_SLOT) return report(status);
  ac_chip_id_t name = {0};
  status = slot < SLOTS ? name_in_slot(sensor, slot, &name) : AC_ERR_PROTOCOL;
  if (status == AC_OK && name.count == 0) status = AC_ERR_PROTOCOL; /* an empty slot matches nothing */
  if (status == AC_OK) ret_answer->match = name;
  return report(status);
}

static ac_status_t remove_template(ac_sensor_t *sensor, const ac_chip_id_t *id) {
  if (sensor == NULL || id == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  for (uint8_t slot = 0; slot < SLOTS; slot++) {
    ac_chip_id_t name;
    ac_status_t status = name_in_slot(sensor, slot, &name);
    if (status == AC_OK && name.count == id->count && memcmp(name.bytes, id->bytes, name.count) == 0)
      status = ask(sensor, WRITE_VENDOR, REMOVE, slot, NULL, &(uint32_t){0});
    if (status != AC_OK) return report(status);
  }
  return AC_OK;
}

static ac_status_t clear(ac_sensor_t *sensor) {
  (void)sensor;
  return fail(AC_ERR_UNSUPPORTED, "This reader cannot remove all templates at once");
}

static const void *extension(const char *name) {
  static const ac_match_on_chip_extension_t table = {
      .struct_size = sizeof table, .info = info, .enroll = enroll, .touch = touch, .commit = commit, .abandon = abandon,
      .identify = identify, .list = list, .remove = remove_template, .clear = clear};
  return name != NULL && strcmp(name, AC_MATCH_ON_CHIP_EXTENSION) == 0 ? &table : NULL;
}
#else
/* Fetches the image of a finger in one transfer. A bad touch is a retry; a device that misbehaves is a failure. */
static ac_status_t read_image(ac_sensor_t *sensor) {
  static const uint8_t verdicts[] = {AC_OK, AC_RETRY_TOO_DRY, AC_RETRY_TOO_WET, AC_RETRY_CENTER, AC_RETRY_TOO_SHORT};
  const ac_usb_service_t *usb = sensor->usb;
  uint32_t ticket = 0, count = 0;
  ac_status_t status = usb->submit_read(usb->device, AC_USB_BULK, IMAGES, IMAGE_BYTES, &ticket);
  if (status != AC_OK) return status;
  status = set_mode(usb, MODE_SEND_IMAGE);
  if (status == AC_OK) {
    status = usb->wait(usb->device, ticket, ANSWER_MS, sensor->image, IMAGE_BYTES, &count);
    if (status != AC_ERR_TIMEOUT && status != AC_ERR_INTERRUPTED) ticket = 0;
  }
  if (ticket != 0) usb->cancel(usb->device, ticket);
  status = unhalt(usb, IMAGES, status);
  if (status != AC_OK) return status == AC_ERR_TIMEOUT ? AC_ERR_PROTOCOL : status; /* the image never came */
  if (count < HEADER || sensor->image[0] != 'I' || sensor->image[1] >= sizeof verdicts) return AC_ERR_PROTOCOL;
  status = verdicts[sensor->image[1]];
  return status == AC_OK && count != IMAGE_BYTES ? AC_RETRY_GENERAL : status; /* only part of the image came */
}
#endif

#if CHIP
/* A host that does not know chips calls it, and shows its message. */
static ac_status_t capture(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame) {
  (void)timeout_ms;
  if (sensor == NULL || ret_frame == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  return fail(AC_ERR_UNSUPPORTED, "This reader compares prints itself: update authcore to use it");
}
#else
static ac_status_t capture(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame) {
  if (sensor == NULL || ret_frame == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  uint64_t deadline_ns = sensor->clock->boot_time_ns() + (uint64_t)timeout_ms * 1000000;
  ac_status_t status = AC_OK;
  if (sensor->finger_is_down) status = await_message(sensor, MODE_AWAIT_LIFT, MESSAGE_LIFT, deadline_ns);
  if (status == AC_OK) status = await_message(sensor, MODE_AWAIT_TOUCH, MESSAGE_TOUCH, deadline_ns);
#if SWIPE
  ac_swipe_image_t swipe = {.struct_size = sizeof swipe};
  uint32_t count = 0;
  if (status == AC_OK) status = read_swipe(sensor, &count);
  if (status == AC_OK) status = assemble(sensor, count, &swipe);
#else
  if (status == AC_OK) status = read_image(sensor);
#endif
  if (status != AC_OK) return report(status);
  /* Field by field: the struct is the host's, and may be shorter than the one this file is built with. */
  ret_frame->ppi = PPI;
#if SWIPE
  ret_frame->width_px = swipe.width_px;
  ret_frame->height_px = swipe.height_px;
  ret_frame->flags = swipe.flags | AC_FRAME_INVERTED;
  ret_frame->pixels = sensor->image;
  ret_frame->pixel_count = (size_t)swipe.width_px * swipe.height_px;
  if (!AC_HAS_FIELD(ac_frame_t, ret_frame, extent_count)) return AC_OK;
  ret_frame->extents = sensor->extents; /* there is no skin beside the stripes */
  ret_frame->extent_count = swipe.height_px;
#else
  ret_frame->width_px = WIDTH;
  ret_frame->height_px = HEIGHT;
  ret_frame->flags = AC_FRAME_INVERTED;
  ret_frame->pixels = sensor->image + HEADER;
  ret_frame->pixel_count = WIDTH * HEIGHT;
#endif
  return AC_OK;
}
#endif

/* Called by another thread. The transfer that capture waits in, or begins next, returns AC_ERR_INTERRUPTED. */
static void interrupt_capture(ac_sensor_t *sensor) {
  if (sensor != NULL) sensor->usb->interrupt(sensor->usb->device);
}

static void close_sensor(ac_sensor_t *sensor) {
  if (sensor == NULL) return;
  set_mode(sensor->usb, MODE_OFF); /* fails on a device that is gone, which is fine */
  sensor->usb->release_interface(sensor->usb->device, INTERFACE);
  free(sensor);
}

static ac_status_t open_sensor(const ac_option_t *options, uint32_t option_count, ac_sensor_t **ret_sensor) {
  (void)options, (void)option_count; /* it describes none, so the host passes none */
  const ac_usb_service_t *usb = host->service(host->context, AC_USB_SERVICE);
  const ac_clock_service_t *clock = host->service(host->context, "clock/1");
  if (ret_sensor == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (usb == NULL || clock == NULL) return fail(AC_ERR_NOT_FOUND, "The host has no USB device for this driver: plug one in");
#if SWIPE
  const ac_assemble_service_t *assembly = host->service(host->context, AC_ASSEMBLE_SERVICE);
  if (assembly == NULL) return fail(AC_ERR_UNSUPPORTED, "The host cannot put a swipe together: it has no assemble/1");
#endif
  ac_sensor_t *sensor = calloc(1, sizeof *sensor);
  if (sensor == NULL) return fail(AC_ERR_MEMORY, "No memory for a sensor");
  sensor->usb = usb, sensor->clock = clock;
#if SWIPE
  sensor->assembly = assembly;
#endif
  uint8_t identity[4] = {0};
  uint32_t count = 0;
  ac_status_t status = usb->claim_interface(usb->device, INTERFACE);
  if (status == AC_OK)
    status = usb->control(usb->device, READ_VENDOR, GET_IDENTITY, 0, 0, identity, sizeof identity, ANSWER_MS, &count);
#if CHIP
  if (status == AC_OK && (count != sizeof identity || identity[0] != SLOTS || identity[1] != TOUCHES))
#else
  if (status == AC_OK && (count != sizeof identity || identity[0] != WIDTH || identity[1] != HEIGHT))
#endif
    status = AC_ERR_UNSUPPORTED;
  if (status == AC_OK) return *ret_sensor = sensor, AC_OK;
  close_sensor(sensor);
  return fail(status, status == AC_ERR_UNSUPPORTED ? "The reader is not the model that this driver knows"
                                                   : "The reader does not answer: unplug it and plug it in again");
}

AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *the_host, const ac_sensor_driver_t **ret_driver) {
#if SWIPE
  static const ac_usb_match_t matches[] = {{.vendor_id = 0x1209, .product_id = 0x0002}};
#elif CHIP
  static const ac_usb_match_t matches[] = {{.vendor_id = 0x1209, .product_id = 0x0003}};
#else
  static const ac_usb_match_t matches[] = {{.vendor_id = 0x1209, .product_id = 0x0001}};
#endif
  static const ac_sensor_description_t description = {
      .struct_size = sizeof description, .name = "template", .version = "1",
#if SWIPE
      .full_name = "Template swipe sensor (imaginary)", .scan_type = AC_SCAN_SWIPE,
      .width_px = IMAGE_WIDTH, .height_px = 0, .ppi = PPI, /* a swipe is as high as it is long */
#elif CHIP
      .full_name = "Template match-on-chip sensor (imaginary)", .scan_type = AC_SCAN_PRESS, .flags = AC_SENSOR_MATCHES_ON_CHIP,
#else
      .full_name = "Template press sensor (imaginary)", .scan_type = AC_SCAN_PRESS,
      .width_px = WIDTH, .height_px = HEIGHT, .ppi = PPI,
#endif
      .usb_matches = matches, .usb_match_count = 1, .usb_match_size = sizeof matches[0]};
  static const ac_sensor_driver_t driver = {
      .struct_size = sizeof driver, .abi_version = AC_SENSOR_ABI, .description = &description,
#if CHIP
      .extension = extension,
#endif
      .open = open_sensor, .capture = capture, .interrupt = interrupt_capture, .close = close_sensor};
  if (the_host == NULL || ret_driver == NULL) return AC_ERR_ARGUMENT;
  if (AC_ABI_MAJOR(the_host->abi_version) != AC_ABI_MAJOR(AC_SENSOR_ABI)) return AC_ERR_ABI;
  host = the_host;
  *ret_driver = &driver;
  return AC_OK;
}
