/* A complete driver to copy: a press sensor that does not exist, with the protocol of README.md.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <authcore/sensor.h>
#include <authcore/usb.h>

enum { WIDTH = 96, HEIGHT = 112, PPI = 500, HEADER = 8, IMAGE_BYTES = HEADER + WIDTH * HEIGHT };
enum { INTERFACE = 0, MESSAGES = 0x81, IMAGES = 0x82, MESSAGE_BYTES = 8 };
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_IMAGE = 2, MODE_AWAIT_LIFT = 3 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2 };
enum { ANSWER_MS = 1000 }; /* the device answers a command, and sends its image, well within this */

/* One open device. A frame's pixels live in it until the next call. */
struct ac_sensor {
  const ac_usb_service_t *usb;
  const ac_clock_service_t *clock;
  int finger_is_down;
  uint8_t image[IMAGE_BYTES];
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Says why a call fails. A retry needs no message: its number says it all. */
static ac_status_t fail(ac_status_t status, const char *message) {
  if (status == AC_ERR_TIMEOUT || status == AC_ERR_INTERRUPTED) message = "No finger was read before the capture ended";
  if (status == AC_ERR_GONE) message = "The reader was unplugged: plug it in again";
  host->set_error(host->context, message);
  return status;
}

static ac_status_t set_mode(const ac_usb_service_t *usb, uint16_t mode) {
  return usb->control(usb->device, WRITE_VENDOR, SET_MODE, mode, 0, NULL, 0, ANSWER_MS, &(uint32_t){0});
}

/* An endpoint that halted is set going again, at the price of this touch. */
static ac_status_t unhalt(const ac_usb_service_t *usb, uint8_t endpoint, ac_status_t status) {
  if (status != AC_ERR_STALL) return status;
  status = usb->clear_halt(usb->device, endpoint);
  return status == AC_OK ? AC_RETRY_GENERAL : status;
}

/* Sets a mode and awaits its message. The read is queued first: the device drops a message that nobody awaits. */
static ac_status_t await_message(ac_sensor_t *sensor, uint16_t mode, uint8_t wanted, uint64_t deadline_ns) {
  const ac_usb_service_t *usb = sensor->usb;
  uint8_t message[MESSAGE_BYTES] = {0};
  uint32_t ticket = 0, count = 0;
  ac_status_t status = usb->submit_read(usb->device, AC_USB_INTERRUPT, MESSAGES, MESSAGE_BYTES, &ticket);
  if (status != AC_OK) return status;
  status = set_mode(usb, mode);
  while (status == AC_OK) {
    uint64_t now_ns = sensor->clock->boot_time_ns();
    uint64_t left_ms = now_ns < deadline_ns ? (deadline_ns - now_ns + 999999) / 1000000 : 0;
    status = left_ms == 0 ? AC_ERR_TIMEOUT
                          : usb->wait(usb->device, ticket, (uint32_t)left_ms, message, sizeof message, &count);
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

/* Fetches the image of a finger in one transfer. What is wrong with the touch, not with the device, is a retry. */
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

static ac_status_t capture(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame) {
  if (sensor == NULL || ret_frame == NULL) return fail(AC_ERR_ARGUMENT, "A pointer is NULL");
  uint64_t deadline_ns = sensor->clock->boot_time_ns() + (uint64_t)timeout_ms * 1000000;
  ac_status_t status = AC_OK;
  if (sensor->finger_is_down) status = await_message(sensor, MODE_AWAIT_LIFT, MESSAGE_LIFT, deadline_ns);
  if (status == AC_OK) status = await_message(sensor, MODE_AWAIT_TOUCH, MESSAGE_TOUCH, deadline_ns);
  if (status == AC_OK) status = read_image(sensor);
  if (status >= 100) return fail(status, "The reader does not answer as it should: unplug it and plug it in again");
  if (status != AC_OK) return status;
  *ret_frame = (ac_frame_t){
      .struct_size = sizeof(ac_frame_t), .width_px = WIDTH, .height_px = HEIGHT, .ppi = PPI,
      .flags = AC_FRAME_INVERTED, .pixels = sensor->image + HEADER, .pixel_count = WIDTH * HEIGHT};
  return AC_OK;
}

/* Called by another thread. Whatever transfer capture waits in, or begins next, returns AC_ERR_INTERRUPTED. */
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
  ac_sensor_t *sensor = calloc(1, sizeof *sensor);
  if (sensor == NULL) return fail(AC_ERR_MEMORY, "No memory for a sensor");
  sensor->usb = usb, sensor->clock = clock;
  uint8_t identity[4] = {0};
  uint32_t count = 0;
  ac_status_t status = usb->claim_interface(usb->device, INTERFACE);
  if (status == AC_OK)
    status = usb->control(usb->device, READ_VENDOR, GET_IDENTITY, 0, 0, identity, sizeof identity, ANSWER_MS, &count);
  if (status == AC_OK && (count != sizeof identity || identity[0] != WIDTH || identity[1] != HEIGHT))
    status = AC_ERR_UNSUPPORTED;
  if (status == AC_OK) return *ret_sensor = sensor, AC_OK;
  close_sensor(sensor);
  return fail(status, "The reader does not introduce itself as the model this driver knows");
}

AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *the_host, const ac_sensor_driver_t **ret_driver) {
  static const ac_usb_match_t matches[] = {{.vendor_id = 0x1209, .product_id = 0x0001}};
  static const ac_sensor_description_t description = {
      .struct_size = sizeof description, .name = "template", .full_name = "Template press sensor (imaginary)",
      .version = "1", .usb_matches = matches, .usb_match_count = 1, .scan_type = AC_SCAN_PRESS,
      .width_px = WIDTH, .height_px = HEIGHT, .ppi = PPI};
  static const ac_sensor_driver_t driver = {
      .struct_size = sizeof driver, .abi_version = AC_SENSOR_ABI, .description = &description,
      .open = open_sensor, .capture = capture, .interrupt = interrupt_capture, .close = close_sensor};
  if (the_host == NULL || ret_driver == NULL) return AC_ERR_ARGUMENT;
  if (AC_ABI_MAJOR(the_host->abi_version) != AC_ABI_MAJOR(AC_SENSOR_ABI)) return AC_ERR_ABI;
  host = the_host;
  *ret_driver = &driver;
  return AC_OK;
}
