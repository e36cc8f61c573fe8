/* A complete driver to copy of a sensor that compares prints itself, for the imaginary chip of README.md.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <authcore/match_on_chip.h>
#include <authcore/usb.h>

enum { SLOTS = 10, TOUCHES = 6, NAME_BYTES = 32, SLOT_BYTES = 1 + NAME_BYTES };
enum { INTERFACE = 0, MESSAGES = 0x81, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_ENROLL = 1, MODE_SEARCH = 2, MODE_AWAIT_LIFT = 3 };
enum { ANSWER_MS = 1000 }; /* the device answers a command well within this */
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, BEGIN = 0x03, STORE = 0x04, GET_SLOT = 0x05, EMPTY_SLOT = 0x06 };
enum { WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2, MESSAGE_FOUND = 3, MESSAGE_BAD_TOUCH = 4, NO_SLOT = 0xff };

/* One open device. */
struct ac_sensor {
  const ac_usb_service_t *usb;
  const ac_clock_service_t *clock;
  int finger_is_down;
  int is_enrolling;  /* from enroll to commit, abandon or a failure */
  uint8_t good;      /* touches of the enrollment so far */
  ac_chip_id_t name; /* of the enrollment */
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Says why a call fails. A retry needs no message: its number says it all. A message never holds a template's name. */
static ac_status_t fail(ac_status_t status, const char *message) {
  if (status == AC_ERR_GONE) message = "The reader was unplugged: plug it in again";
  if (status >= 100) host->set_error(host->context, message);
  return status;
}

/* What most calls end with. */
static ac_status_t result(ac_status_t status) {
  return fail(status, "The reader does not answer as it should: unplug it and plug it in again");
}

static ac_status_t order(const ac_usb_service_t *usb, uint8_t request, uint16_t value, uint8_t *data, uint16_t length) {
  return usb->control(usb->device, WRITE_VENDOR, request, value, 0, data, length, ANSWER_MS, &(uint32_t){0});
}

static uint32_t left_ms(const ac_sensor_t *sensor, uint64_t deadline_ns) {
  uint64_t now_ns = sensor->clock->boot_time_ns();
  return now_ns < deadline_ns ? (uint32_t)((deadline_ns - now_ns + 999999) / 1000000) : 0;
}

/* Sets a mode and waits for its message, or for that of a bad touch. The device first forgets what it says to a call that
 * has returned: an old touch must not answer a new question. Then the read is queued, because the device drops a message
 * that no read waits for. */
static ac_status_t await_message(ac_sensor_t *sensor, uint16_t mode, uint8_t wanted, uint64_t deadline_ns,
                                 uint8_t message[MESSAGE_BYTES]) {
  const ac_usb_service_t *usb = sensor->usb;
  uint32_t ticket = 0, count = 0;
  ac_status_t status = order(usb, SET_MODE, MODE_OFF, NULL, 0);
  if (status == AC_OK) status = usb->submit_read(usb->device, AC_USB_INTERRUPT, MESSAGES, MESSAGE_BYTES, &ticket);
  if (status == AC_OK) status = order(usb, SET_MODE, mode, NULL, 0);
  while (status == AC_OK) {
    uint32_t left = left_ms(sensor, deadline_ns);
    status = left == 0 ? AC_ERR_TIMEOUT : usb->wait(usb->device, ticket, left, message, MESSAGE_BYTES, &count);
    if (status == AC_ERR_TIMEOUT || status == AC_ERR_INTERRUPTED) break; /* the read is still pending */
    ticket = 0;                                                          /* it is used up */
    if (status == AC_OK && count >= 2 && (message[0] == wanted || message[0] == MESSAGE_BAD_TOUCH)) {
      sensor->finger_is_down = message[0] != MESSAGE_LIFT;
      break;
    }
    if (status == AC_OK) status = usb->submit_read(usb->device, AC_USB_INTERRUPT, MESSAGES, MESSAGE_BYTES, &ticket);
  }
  if (ticket != 0) usb->cancel(usb->device, ticket);
  if (status != AC_ERR_STALL) return status;
  status = usb->clear_halt(usb->device, MESSAGES); /* goes on, at the price of this touch */
  return status == AC_OK ? AC_RETRY_GENERAL : status;
}

/* Waits for one touch, after the finger of the one before was lifted. A bad touch is a retry. */
static ac_status_t read_touch(ac_sensor_t *sensor, uint16_t mode, uint8_t wanted, uint32_t timeout_ms,
                              uint8_t message[MESSAGE_BYTES]) {
  static const uint8_t retries[] = {AC_RETRY_GENERAL, AC_RETRY_TOO_DRY, AC_RETRY_TOO_WET, AC_RETRY_CENTER, AC_RETRY_TOO_SHORT};
  uint64_t deadline_ns = sensor->clock->boot_time_ns() + (uint64_t)timeout_ms * 1000000;
  ac_status_t status = AC_OK;
  if (sensor->finger_is_down) status = await_message(sensor, MODE_AWAIT_LIFT, MESSAGE_LIFT, deadline_ns, message);
  if (status == AC_OK) status = await_message(sensor, mode, wanted, deadline_ns, message);
  if (status != AC_OK || message[0] == wanted) return status;
  return retries[message[1] < sizeof retries ? message[1] : 0];
}

/* The name in a slot; count 0: it is empty. */
static ac_status_t read_slot(const ac_sensor_t *sensor, uint16_t slot, ac_chip_id_t *name) {
  uint8_t content[SLOT_BYTES] = {0};
  uint32_t count = 0;
  ac_status_t status = sensor->usb->control(sensor->usb->device, READ_VENDOR, GET_SLOT, slot, 0, content, sizeof content,
                                            ANSWER_MS, &count);
  if (status == AC_OK && (count != sizeof content || content[0] > NAME_BYTES)) status = AC_ERR_PROTOCOL;
  if (status != AC_OK) return status;
  memset(name, 0, sizeof *name);
  name->count = content[0];
  memcpy(name->bytes, content + 1, content[0]);
  return AC_OK;
}

static ac_status_t info(ac_sensor_t *sensor, ac_chip_info_t *ret_info) {
  if (sensor == NULL || ret_info == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  ret_info->abilities = AC_CHIP_KEEPS_ID | AC_CHIP_LISTS | AC_CHIP_KNOWS_LIFT;
  ret_info->capacity = SLOTS;
  ret_info->id_bytes = NAME_BYTES;
  ret_info->touches = TOUCHES;
  return AC_OK;
}

static ac_status_t abandon(ac_sensor_t *sensor) {
  if (sensor == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (!sensor->is_enrolling) return AC_OK;
  sensor->is_enrolling = 0;
  return result(order(sensor->usb, SET_MODE, MODE_OFF, NULL, 0)); /* BEGIN forgets the touches */
}

static ac_status_t list(ac_sensor_t *sensor, ac_chip_id_t *ret_ids, uint32_t capacity, uint32_t *ret_count) {
  if (sensor == NULL || ret_ids == NULL || ret_count == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  uint32_t count = 0;
  ac_chip_id_t name;
  ac_status_t status = abandon(sensor);
  for (uint16_t slot = 0; slot < SLOTS && status == AC_OK; slot++) {
    status = read_slot(sensor, slot, &name);
    if (status != AC_OK || name.count == 0) continue;
    if (count == capacity) return fail(AC_ERR_MEMORY, "The host has no room for all names");
    ret_ids[count++] = name;
  }
  if (status == AC_OK) *ret_count = count;
  return result(status);
}

static ac_status_t enroll(ac_sensor_t *sensor, const ac_chip_id_t *id) {
  ac_chip_id_t names[SLOTS];
  uint32_t count = 0;
  if (sensor == NULL || id == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (id->count == 0 || id->count > NAME_BYTES) return fail(AC_ERR_ARGUMENT, "The chip stores names of 1 to 32 bytes");
  ac_status_t status = list(sensor, names, SLOTS, &count);
  if (status != AC_OK) return status;
  if (count == SLOTS) return fail(AC_ERR_FULL, "The reader has no room for another finger: remove one first");
  status = order(sensor->usb, BEGIN, 0, NULL, 0);
  if (status == AC_OK) sensor->is_enrolling = 1, sensor->good = 0, sensor->name = *id;
  return result(status);
}

static ac_status_t touch(ac_sensor_t *sensor, uint32_t timeout_ms, ac_chip_progress_t *ret_progress) {
  uint8_t message[MESSAGE_BYTES] = {0};
  if (sensor == NULL || ret_progress == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (!sensor->is_enrolling) return fail(AC_ERR_STATE, "No enrollment is under way");
  ac_status_t status = read_touch(sensor, MODE_ENROLL, MESSAGE_TOUCH, timeout_ms, message);
  if (status == AC_OK && (message[1] < sensor->good || message[1] > TOUCHES)) status = AC_ERR_PROTOCOL;
  if (status >= 100 && status != AC_ERR_TIMEOUT && status != AC_ERR_INTERRUPTED) sensor->is_enrolling = 0;
  if (status != AC_OK) return result(status);
  sensor->good = message[1];
  ret_progress->percent = sensor->good * 100u / TOUCHES;
  return AC_OK;
}

static ac_status_t commit(ac_sensor_t *sensor, ac_chip_id_t *ret_id) {
  if (sensor == NULL || ret_id == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (!sensor->is_enrolling || sensor->good < TOUCHES) return fail(AC_ERR_STATE, "The enrollment is not complete");
  sensor->is_enrolling = 0;
  ac_status_t status = order(sensor->usb, STORE, 0, sensor->name.bytes, (uint16_t)sensor->name.count);
  if (status == AC_OK) return *ret_id = sensor->name, AC_OK;
  /* Whether it was stored is not known: the host lists. */
  return fail(status == AC_ERR_GONE ? status : AC_ERR_IO, "The reader did not say that it stored the finger: try again");
}

static ac_status_t identify(ac_sensor_t *sensor, const ac_chip_question_t *question, uint32_t timeout_ms,
                            ac_chip_answer_t *ret_answer) {
  uint8_t message[MESSAGE_BYTES] = {0};
  ac_chip_id_t name = {0};
  if (sensor == NULL || question == NULL || ret_answer == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  ac_status_t status = abandon(sensor);
  if (status == AC_OK) status = read_touch(sensor, MODE_SEARCH, MESSAGE_FOUND, timeout_ms, message);
  if (status == AC_OK && message[1] == NO_SLOT) return AC_OK;
  if (status == AC_OK && message[1] >= SLOTS) status = AC_ERR_PROTOCOL;
  if (status == AC_OK) status = read_slot(sensor, message[1], &name);
  if (status == AC_OK && name.count == 0) status = AC_ERR_PROTOCOL; /* an empty slot matches nothing */
  if (status == AC_OK) ret_answer->match = name;
  return result(status);
}

static ac_status_t remove_template(ac_sensor_t *sensor, const ac_chip_id_t *id) {
  ac_chip_id_t name;
  if (sensor == NULL || id == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  ac_status_t status = abandon(sensor);
  for (uint16_t slot = 0; slot < SLOTS && status == AC_OK; slot++) {
    status = read_slot(sensor, slot, &name);
    if (status != AC_OK || name.count == 0) continue;
    if (name.count == id->count && memcmp(name.bytes, id->bytes, name.count) == 0)
      status = order(sensor->usb, EMPTY_SLOT, slot, NULL, 0);
  }
  return result(status);
}

static ac_status_t clear(ac_sensor_t *sensor) {
  (void)sensor; /* without AC_CHIP_CLEARS the host removes one template after the other */
  return fail(AC_ERR_UNSUPPORTED, "This chip cannot be cleared in one step");
}

static ac_status_t capture(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame) {
  (void)timeout_ms;
  if (sensor == NULL || ret_frame == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  return fail(AC_ERR_UNSUPPORTED, "This reader compares prints itself and delivers no images: it needs a newer authcore");
}

static void interrupt_touch(ac_sensor_t *sensor) {
  if (sensor != NULL) sensor->usb->interrupt(sensor->usb->device);
}

static void close_sensor(ac_sensor_t *sensor) {
  if (sensor == NULL) return;
  order(sensor->usb, SET_MODE, MODE_OFF, NULL, 0); /* fails on a device that is gone, which is fine */
  sensor->usb->release_interface(sensor->usb->device, INTERFACE);
  free(sensor);
}

static ac_status_t open_sensor(const ac_option_t *options, uint32_t option_count, ac_sensor_t **ret_sensor) {
  (void)options, (void)option_count; /* it describes none, so the host passes none */
  const ac_usb_service_t *usb = host->service(host->context, AC_USB_SERVICE);
  const ac_clock_service_t *clock = host->service(host->context, "clock/1");
  if (ret_sensor == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  if (usb == NULL || clock == NULL) return fail(AC_ERR_NOT_FOUND, "The host has no USB device for this driver: plug one in");
  ac_sensor_t *sensor = calloc(1, sizeof *sensor);
  if (sensor == NULL) return fail(AC_ERR_MEMORY, "No memory for a sensor");
  sensor->usb = usb, sensor->clock = clock;
  uint8_t identity[4] = {0};
  uint32_t count = 0;
  ac_status_t status = usb->claim_interface(usb->device, INTERFACE);
  if (status == AC_OK)
    status = usb->control(usb->device, READ_VENDOR, GET_IDENTITY, 0, 0, identity, sizeof identity, ANSWER_MS, &count);
  if (status == AC_OK && (count != sizeof identity || identity[0] != SLOTS || identity[1] != TOUCHES))
    status = AC_ERR_UNSUPPORTED;
  if (status == AC_OK) return *ret_sensor = sensor, AC_OK;
  close_sensor(sensor);
  return fail(status, status == AC_ERR_UNSUPPORTED ? "The reader is not the model that this driver knows"
                                                   : "The reader does not answer: unplug it and plug it in again");
}

static const void *extension(const char *name) {
  static const ac_match_on_chip_extension_t chip = {
      .struct_size = sizeof chip, .info = info, .enroll = enroll, .touch = touch, .commit = commit, .abandon = abandon,
      .identify = identify, .list = list, .remove = remove_template, .clear = clear};
  return name != NULL && strcmp(name, AC_MATCH_ON_CHIP_EXTENSION) == 0 ? &chip : NULL;
}

AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *the_host, const ac_sensor_driver_t **ret_driver) {
  static const ac_usb_match_t matches[] = {{.vendor_id = 0x1209, .product_id = 0x0003}};
  static const ac_sensor_description_t description = {
      .struct_size = sizeof description, .name = "template", .version = "1",
      .full_name = "Template chip (imaginary)", .scan_type = AC_SCAN_PRESS, .flags = AC_SENSOR_MATCHES_ON_CHIP,
      .usb_matches = matches, .usb_match_count = 1, .usb_match_size = sizeof matches[0]};
  static const ac_sensor_driver_t driver = {
      .struct_size = sizeof driver, .abi_version = AC_SENSOR_ABI, .description = &description, .open = open_sensor,
      .capture = capture, .interrupt = interrupt_touch, .close = close_sensor, .extension = extension};
  if (the_host == NULL || ret_driver == NULL) return AC_ERR_ARGUMENT;
  if (AC_ABI_MAJOR(the_host->abi_version) != AC_ABI_MAJOR(AC_SENSOR_ABI)) return AC_ERR_ABI;
  host = the_host;
  *ret_driver = &driver;
  return AC_OK;
}
