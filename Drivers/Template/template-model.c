/* The device of template.c as software: the protocol of README.md from the device's side, for `authcore driver check`.
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <authcore/model.h>

enum { VENDOR = 0x1209, PRODUCT = 0x0001 };
enum { WIDTH = 96, HEIGHT = 112, HEADER = 8, IMAGE_BYTES = HEADER + WIDTH * HEIGHT };
enum { MESSAGES = 0x81, IMAGES = 0x82, MESSAGE_BYTES = 8 };
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_IMAGE = 2, MODE_AWAIT_LIFT = 3 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2 };

#define SCAN_NS UINT64_C(20000000) /* how long the sensor looks at a finger */

/* One device. It has at most one thing to send: setting a mode makes it forget what it was about to send. */
struct ac_simulated_device {
  unsigned long touches;  /* how often the finger comes */
  unsigned long delay_ms; /* how long it takes to come */
  unsigned long lift_ms;  /* how long it stays once it was read */
  unsigned long touch;    /* the touches so far */
  uint64_t lifted_ns;     /* when the finger that was read last goes */
  uint8_t endpoint;       /* where the next answer waits; 0: there is none */
  uint64_t ready_ns;      /* from when on */
  uint8_t kind;           /* of a message */
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Reads "touches=2,delay=40". Every model should know touches, which `authcore driver check` sets to 0 for a finger that never comes, and
 * lift, for one that stays. */
static ac_status_t read_settings(const char *text, ac_simulated_device_t *device) {
  device->touches = 1000;
  while (*text != 0) {
    unsigned long *value = strncmp(text, "touches=", 8) == 0 ? &device->touches
                           : strncmp(text, "delay=", 6) == 0 ? &device->delay_ms
                           : strncmp(text, "lift=", 5) == 0  ? &device->lift_ms
                                                             : NULL;
    char *end = NULL;
    if (value != NULL) *value = strtoul(strchr(text, '=') + 1, &end, 10);
    if (value == NULL || (*end != 0 && *end != ',')) {
      host->set_error(host->context, "This device's settings are touches=N, delay=MS and lift=MS");
      return AC_ERR_OPTION;
    }
    text = *end == ',' ? end + 1 : end;
  }
  return AC_OK;
}

static ac_status_t plug(const char *settings, ac_simulated_device_t **ret_device) {
  ac_simulated_device_t *device = calloc(1, sizeof *device);
  if (device == NULL) return AC_ERR_MEMORY;
  ac_status_t status = read_settings(settings, device);
  if (status != AC_OK) return free(device), status;
  return *ret_device = device, AC_OK;
}

static void unplug(ac_simulated_device_t *device) { free(device); }

static ac_status_t device_info(ac_simulated_device_t *device, ac_usb_device_info_t *ret_info) {
  (void)device;
  ret_info->vendor_id = VENDOR;
  ret_info->product_id = PRODUCT;
  ret_info->bcd_device = 0x0100;
  ret_info->bus = ret_info->address = 0;
  ret_info->interface_count = 1;
  return AC_OK;
}

static ac_status_t interface_info(ac_simulated_device_t *device, uint8_t index, ac_usb_interface_info_t *ret_info) {
  (void)device;
  if (index != 0) return AC_ERR_NOT_FOUND;
  ret_info->number = 0;
  ret_info->class_code = ret_info->subclass_code = ret_info->protocol_code = 0xff;
  ret_info->endpoint_count = 2;
  ret_info->endpoints[0] = MESSAGES;
  ret_info->endpoints[1] = IMAGES;
  return AC_OK;
}

static void send_later(ac_simulated_device_t *device, uint8_t endpoint, uint8_t kind, uint64_t ready_ns) {
  device->endpoint = endpoint, device->kind = kind, device->ready_ns = ready_ns;
}

static ac_status_t set_mode(ac_simulated_device_t *device, uint16_t mode, uint64_t now_ns) {
  uint64_t finger_ns = now_ns + device->delay_ms * UINT64_C(1000000);
  device->endpoint = 0;
  switch (mode) {
    case MODE_OFF: return AC_OK;
    case MODE_AWAIT_TOUCH:
      if (now_ns < device->lifted_ns) return send_later(device, MESSAGES, MESSAGE_TOUCH, now_ns), AC_OK; /* it still lies there */
      if (device->touch >= device->touches) return AC_OK; /* nobody comes any more */
      device->touch++;
      return send_later(device, MESSAGES, MESSAGE_TOUCH, finger_ns), AC_OK;
    case MODE_AWAIT_LIFT:
      return send_later(device, MESSAGES, MESSAGE_LIFT, now_ns < device->lifted_ns ? device->lifted_ns : now_ns), AC_OK;
    case MODE_SEND_IMAGE:
      device->lifted_ns = now_ns + SCAN_NS + device->lift_ms * UINT64_C(1000000);
      return send_later(device, IMAGES, 0, now_ns + SCAN_NS), AC_OK;
    default: return AC_ERR_STALL;
  }
}

static ac_status_t control(ac_simulated_device_t *device, uint64_t now_ns, uint8_t request_type, uint8_t request,
                           uint16_t value, uint16_t index, uint8_t *data, uint16_t length, uint32_t *ret_count) {
  static const uint8_t identity[] = {WIDTH, HEIGHT, 1, 1};
  (void)index;
  *ret_count = 0;
  if (request_type == WRITE_VENDOR && request == SET_MODE) return set_mode(device, value, now_ns);
  if (request_type != READ_VENDOR || request != GET_IDENTITY) return AC_ERR_STALL;
  *ret_count = length < sizeof identity ? length : sizeof identity;
  return memcpy(data, identity, *ret_count), AC_OK;
}

static ac_status_t write_to(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, const uint8_t *data,
                            uint32_t length) {
  (void)device, (void)now_ns, (void)endpoint, (void)data, (void)length;
  return AC_ERR_STALL; /* it has no endpoint to write to */
}

/* How far a place of the finger lies along the waves that its ridges are. Each of the spots turns the phase once around itself, so a ridge
 * begins there (Larkin and Fletcher, "A coherent framework for fingerprint analysis", 2007, section 2). */
static double phase(double x, double y) {
  static const int spots[][2] = {{20, 24}, {52, 15}, {75, 33}, {34, 46}, {60, 55}, {17, 66}, {81, 72}, {45, 78}, {66, 90}, {28, 97}};
  const double turn = 6.283185307179586, period_px = 9, aside = x - WIDTH / 2;
  double sum = turn * (y + aside * aside / 160) / period_px;
  for (unsigned index = 0; index < sizeof spots / sizeof *spots; index++)
    sum += (index % 2 == 0 ? 1 : -1) * atan2(y - spots[index][1], x - spots[index][0]);
  return sum;
}

/* The finger, which lies a little elsewhere at every touch, with the noise of the sensor: no two frames of one are equal. */
static void draw(const ac_simulated_device_t *device, uint64_t now_ns, uint8_t image[IMAGE_BYTES]) {
  uint64_t noise = now_ns | 1;
  int right = (int)(device->touch * 5 % 9) - 4, down = (int)(device->touch * 3 % 7) - 3;
  memset(image, 0, HEADER);
  image[0] = 'I';
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      noise ^= noise << 13, noise ^= noise >> 7, noise ^= noise << 17;
      image[HEADER + y * WIDTH + x] = (uint8_t)(128 + 110 * cos(phase(x - right, y - down))) ^ (noise & 1);
    }
}

static ac_status_t read_from(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, uint8_t *data,
                             uint32_t length, uint32_t *ret_count) {
  if (device->endpoint != endpoint || now_ns < device->ready_ns) return AC_ERR_TIMEOUT; /* nothing yet */
  uint8_t answer[IMAGE_BYTES] = {device->kind};
  uint32_t count = MESSAGE_BYTES;
  if (endpoint == IMAGES) draw(device, now_ns, answer), count = IMAGE_BYTES;
  device->endpoint = 0;
  *ret_count = count < length ? count : length;
  return memcpy(data, answer, *ret_count), AC_OK;
}

AC_EXPORT ac_status_t ac_device_model_entry(const ac_host_t *the_host, const ac_device_model_t **ret_model) {
  static const ac_device_model_t model = {
      .struct_size = sizeof model, .abi_version = AC_MODEL_ABI, .name = "template", .plug = plug, .unplug = unplug,
      .device_info = device_info, .interface_info = interface_info, .control = control, .write = write_to,
      .read = read_from};
  if (the_host == NULL || ret_model == NULL) return AC_ERR_ARGUMENT;
  if (AC_ABI_MAJOR(the_host->abi_version) != AC_ABI_MAJOR(AC_MODEL_ABI)) return AC_ERR_ABI;
  host = the_host;
  *ret_model = &model;
  return AC_OK;
}
