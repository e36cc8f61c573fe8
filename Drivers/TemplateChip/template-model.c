/* The chip of template.c as software: the protocol of README.md from the device's side, for `authcore driver check`.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <authcore/model.h>

enum { VENDOR = 0x1209, PRODUCT = 0x0003 };
enum { SLOTS = 10, TOUCHES = 6, NAME_BYTES = 32, SLOT_BYTES = 1 + NAME_BYTES };
enum { MESSAGES = 0x81, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_ENROLL = 1, MODE_SEARCH = 2, MODE_AWAIT_LIFT = 3 };
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, BEGIN = 0x03, STORE = 0x04, GET_SLOT = 0x05, EMPTY_SLOT = 0x06 };
enum { WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2, MESSAGE_FOUND = 3, MESSAGE_BAD_TOUCH = 4, NO_SLOT = 0xff };
enum { OWNER = 1, STRANGER = 2, OFF_CENTER = 3 };

/* One device. A finger is a number: it matches the template that was made of the same number. */
struct ac_simulated_device {
  unsigned long touches;  /* how often the finger comes */
  unsigned long delay_ms; /* how long it takes to come */
  unsigned long lift_ms;  /* how long it stays once it was read */
  unsigned long stranger; /* the number of the touch by another finger; 0: there is none */
  unsigned long touch;    /* the touches so far */
  uint64_t lifted_ns;     /* when the finger that was read last goes */
  uint16_t mode;          /* what the message that waits is about; MODE_OFF: there is none */
  uint64_t ready_ns;      /* from when on it waits */
  uint8_t good, finger;   /* of the enrollment: its touches, and whose */
  struct { uint8_t content[SLOT_BYTES], finger; } slots[SLOTS];
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Reads "touches=2,delay=40". Every model should know three settings of `authcore driver check`: touches, which is 0 for a
 * finger that never comes, delay, for one that comes late, and lift, for one that stays. */
static ac_status_t read_settings(const char *text, ac_simulated_device_t *device) {
  const struct { const char *name; unsigned long *value; } settings[] = {
      {"touches=", &device->touches}, {"delay=", &device->delay_ms}, {"lift=", &device->lift_ms},
      {"stranger=", &device->stranger}};
  device->touches = 1000;
  while (*text != 0) {
    unsigned long *value = NULL;
    for (size_t index = 0; index < sizeof settings / sizeof *settings; index++)
      if (strncmp(text, settings[index].name, strlen(settings[index].name)) == 0) value = settings[index].value;
    char *end = NULL;
    if (value != NULL) *value = strtoul(strchr(text, '=') + 1, &end, 10);
    if (value == NULL || (*end != 0 && *end != ',')) {
      host->set_error(host->context, "This device's settings are touches=N, delay=MS, lift=MS and stranger=N");
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
  ret_info->endpoint_count = 1;
  ret_info->endpoints[0] = MESSAGES;
  return AC_OK;
}

static ac_status_t set_mode(ac_simulated_device_t *device, uint16_t mode, uint64_t now_ns) {
  if (mode > MODE_AWAIT_LIFT) return AC_ERR_STALL;
  device->mode = mode, device->ready_ns = now_ns;
  if (mode == MODE_AWAIT_LIFT && now_ns < device->lifted_ns) device->ready_ns = device->lifted_ns;
  if (mode == MODE_OFF || mode == MODE_AWAIT_LIFT || now_ns < device->lifted_ns) return AC_OK; /* it is still there */
  device->ready_ns = now_ns + device->delay_ms * UINT64_C(1000000);
  if (device->touch >= device->touches) return device->mode = MODE_OFF, AC_OK; /* no finger comes any more */
  return device->touch++, AC_OK;
}

/* Under a name that is there already the new template takes the place of the old one. */
static ac_status_t store(ac_simulated_device_t *device, const uint8_t *name, uint16_t length) {
  int place = -1;
  if (device->good < TOUCHES || length == 0 || length > NAME_BYTES) return AC_ERR_STALL;
  for (int slot = SLOTS - 1; slot >= 0; slot--)
    if (device->slots[slot].content[0] == 0) place = slot;
  for (int slot = 0; slot < SLOTS; slot++) {
    const uint8_t *content = device->slots[slot].content;
    if (content[0] == length && memcmp(content + 1, name, length) == 0) place = slot;
  }
  if (place < 0) return AC_ERR_STALL;
  memset(device->slots[place].content, 0, SLOT_BYTES);
  device->slots[place].content[0] = (uint8_t)length;
  memcpy(device->slots[place].content + 1, name, length);
  device->slots[place].finger = device->finger;
  return device->good = 0, AC_OK;
}

static ac_status_t control(ac_simulated_device_t *device, uint64_t now_ns, uint8_t request_type, uint8_t request,
                           uint16_t value, uint16_t index, uint8_t *data, uint16_t length, uint32_t *ret_count) {
  static const uint8_t identity[] = {SLOTS, TOUCHES, 1, 1};
  (void)index;
  *ret_count = 0;
  if (request_type == READ_VENDOR && request == GET_IDENTITY) {
    *ret_count = length < sizeof identity ? length : sizeof identity;
    return memcpy(data, identity, *ret_count), AC_OK;
  }
  if (request_type == READ_VENDOR && request == GET_SLOT && value < SLOTS) {
    *ret_count = length < SLOT_BYTES ? length : SLOT_BYTES;
    return memcpy(data, device->slots[value].content, *ret_count), AC_OK;
  }
  if (request_type != WRITE_VENDOR) return AC_ERR_STALL;
  *ret_count = length;
  switch (request) {
    case SET_MODE: return set_mode(device, value, now_ns);
    case BEGIN: return device->good = 0, AC_OK;
    case STORE: return store(device, data, length);
    case EMPTY_SLOT:
      if (value >= SLOTS) return AC_ERR_STALL;
      return memset(&device->slots[value], 0, sizeof device->slots[value]), AC_OK;
    default: return AC_ERR_STALL;
  }
}

static ac_status_t write_to(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, const uint8_t *data,
                            uint32_t length) {
  (void)device, (void)now_ns, (void)endpoint, (void)data, (void)length;
  return AC_ERR_STALL; /* it has no endpoint to write to */
}

/* What the chip says of the finger that lies on it. */
static void judge(ac_simulated_device_t *device, uint16_t mode, uint8_t message[MESSAGE_BYTES]) {
  uint8_t finger = device->touch == device->stranger ? STRANGER : OWNER;
  if (mode == MODE_SEARCH) {
    message[0] = MESSAGE_FOUND, message[1] = NO_SLOT;
    for (int slot = SLOTS - 1; slot >= 0; slot--)
      if (device->slots[slot].finger == finger) message[1] = (uint8_t)slot;
  } else if (device->good > 0 && device->finger != finger) {
    message[0] = MESSAGE_BAD_TOUCH, message[1] = OFF_CENTER; /* a template is made of one finger */
  } else {
    device->finger = finger;
    if (device->good < TOUCHES) device->good++;
    message[0] = MESSAGE_TOUCH, message[1] = device->good;
  }
}

static ac_status_t read_from(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, uint8_t *data,
                             uint32_t length, uint32_t *ret_count) {
  if (endpoint != MESSAGES || device->mode == MODE_OFF || now_ns < device->ready_ns) return AC_ERR_TIMEOUT; /* nothing yet */
  uint8_t message[MESSAGE_BYTES] = {MESSAGE_LIFT};
  if (device->mode != MODE_AWAIT_LIFT) {
    judge(device, device->mode, message);
    device->lifted_ns = now_ns + device->lift_ms * UINT64_C(1000000);
  }
  device->mode = MODE_OFF;
  *ret_count = MESSAGE_BYTES < length ? MESSAGE_BYTES : length;
  return memcpy(data, message, *ret_count), AC_OK;
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
