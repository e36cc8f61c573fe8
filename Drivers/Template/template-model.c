/* The device of template.c as software: the protocol of README.md from the device's side, for `authcore driver check`.
 * SPDX-License-Identifier: Apache-2.0 */
#if !CHIP
#include <math.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <authcore/model.h>

#if SWIPE
enum { VENDOR = 0x1209, PRODUCT = 0x0002 };
enum { WIDTH = 128, HEIGHT = 12, STRIPE_BYTES = WIDTH * HEIGHT };
enum { HEADER = 8, STRIPES_IN_REPORT = 4, REPORT_BYTES = HEADER + STRIPES_IN_REPORT * STRIPE_BYTES };
enum { MESSAGES = 0x81, REPORTS = 0x82, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_STRIPES = 2, MODE_AWAIT_LIFT = 3 };
enum { FINGER_WIDTH = WIDTH + 16, FINGER_ROWS = 400, SPOTS = 32 };

#define STRIPE_NS UINT64_C(4000000) /* from stripe to stripe */
#elif CHIP
enum { VENDOR = 0x1209, PRODUCT = 0x0003 };
enum { SLOTS = 10, TOUCHES = 5, NAME_BYTES = 16 };
enum { MESSAGES = 0x81, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_ENROLL = 1, MODE_IDENTIFY = 2, MODE_AWAIT_LIFT = 3 };
enum { BEGIN = 0x03, STORE = 0x04, GET_NAME = 0x05, REMOVE = 0x06, NO_SLOT = 0xff };

#define SCAN_NS UINT64_C(20000000) /* how long the sensor looks at a finger */

/* A template: its name, and the number of the finger that it was made of. */
struct template { uint32_t count; uint8_t name[NAME_BYTES]; unsigned long finger; };
#else
enum { VENDOR = 0x1209, PRODUCT = 0x0001 };
enum { WIDTH = 96, HEIGHT = 112, HEADER = 8, IMAGE_BYTES = HEADER + WIDTH * HEIGHT };
enum { MESSAGES = 0x81, IMAGES = 0x82, MESSAGE_BYTES = 8 };
enum { MODE_OFF = 0, MODE_AWAIT_TOUCH = 1, MODE_SEND_IMAGE = 2, MODE_AWAIT_LIFT = 3 };

#define SCAN_NS UINT64_C(20000000) /* how long the sensor looks at a finger */
#endif
enum { SET_MODE = 0x01, GET_IDENTITY = 0x02, WRITE_VENDOR = 0x40, READ_VENDOR = 0xc0 };
enum { MESSAGE_TOUCH = 1, MESSAGE_LIFT = 2 };

/* One device. It has at most one thing to send: setting a mode makes it forget what it was about to send. */
struct ac_simulated_device {
  unsigned long touches;  /* how often the finger comes */
  unsigned long delay_ms; /* how long it takes to come */
  unsigned long touch;    /* the touches so far */
#if SWIPE
  unsigned long lift_ms;  /* how long it stays once the device waits for it to go */
  unsigned long step;     /* how many rows it moves from stripe to stripe; 0: it stands */
  unsigned long rows;     /* how many of its rows come by */
  unsigned long row;      /* the first row that the next stripe shows */
#elif CHIP
  unsigned long lift_ms;  /* how long it stays once it was read */
  unsigned long finger;   /* which one comes */
  uint64_t lifted_ns;     /* when the finger that was read last goes */
  uint16_t mode;          /* what a touch is for */
  uint8_t good;           /* the good touches of the enrollment */
  struct template slots[SLOTS], enrollment; /* count 0: none */
#else
  unsigned long lift_ms;  /* how long it stays once it was read */
  uint64_t lifted_ns;     /* when the finger that was read last goes */
#endif
  uint8_t endpoint;       /* where the next answer waits; 0: there is none */
  uint64_t ready_ns;      /* from when on */
  uint8_t kind;           /* of a message; the number of a report */
};

static const ac_host_t *host; /* from the entry call; lives until the process ends */

/* Reads "touches=2,delay=40". Every model should know two settings of `authcore driver check`: touches, which is 0 for a
 * finger that never comes, and lift, for one that stays. */
static ac_status_t read_settings(const char *text, ac_simulated_device_t *device) {
  const struct { const char *name; unsigned long *value; } settings[] = {
#if SWIPE
      {"step=", &device->step}, {"rows=", &device->rows},
#elif CHIP
      {"finger=", &device->finger},
#endif
      {"touches=", &device->touches}, {"delay=", &device->delay_ms}, {"lift=", &device->lift_ms}};
  device->touches = 1000;
#if SWIPE
  device->step = 6, device->rows = 260;
#elif CHIP
  device->finger = 1;
#endif
  while (*text != 0) {
    unsigned long *value = NULL;
    for (size_t index = 0; index < sizeof settings / sizeof *settings; index++)
      if (strncmp(text, settings[index].name, strlen(settings[index].name)) == 0) value = settings[index].value;
    char *end = NULL;
    if (value != NULL) *value = strtoul(strchr(text, '=') + 1, &end, 10);
#if SWIPE
    if (value == NULL || (*end != 0 && *end != ',') || device->step > HEIGHT * 4 || device->rows > FINGER_ROWS - 16) {
      host->set_error(host->context, "This device's settings are touches=N, delay=MS, lift=MS, step=0…48 and rows=0…384");
#elif CHIP
    if (value == NULL || (*end != 0 && *end != ',')) {
      host->set_error(host->context, "This device's settings are touches=N, delay=MS, lift=MS and finger=N");
#else
    if (value == NULL || (*end != 0 && *end != ',')) {
      host->set_error(host->context, "This device's settings are touches=N, delay=MS and lift=MS");
#endif
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
#if SWIPE
  ret_info->endpoints[1] = REPORTS;
#elif CHIP
  ret_info->endpoint_count = 1;
#else
  ret_info->endpoints[1] = IMAGES;
#endif
  return AC_OK;
}

static ac_status_t send_later(ac_simulated_device_t *device, uint8_t endpoint, uint8_t kind, uint64_t ready_ns) {
  device->endpoint = endpoint, device->kind = kind, device->ready_ns = ready_ns;
  return AC_OK;
}

#if CHIP
static ac_status_t set_mode(ac_simulated_device_t *device, uint16_t mode, uint64_t now_ns) {
  device->endpoint = 0;
  device->mode = mode;
  if (mode > MODE_AWAIT_LIFT) return AC_ERR_STALL;
  if (mode == MODE_OFF) return AC_OK;
  if (mode == MODE_AWAIT_LIFT)
    return send_later(device, MESSAGES, MESSAGE_LIFT, now_ns < device->lifted_ns ? device->lifted_ns : now_ns);
  if (now_ns < device->lifted_ns) return send_later(device, MESSAGES, MESSAGE_TOUCH, now_ns); /* it is still there */
  if (device->touch >= device->touches) return AC_OK; /* no finger comes any more */
  device->touch++;
  return send_later(device, MESSAGES, MESSAGE_TOUCH, now_ns + SCAN_NS + device->delay_ms * UINT64_C(1000000));
}

/* The message of a touch: how good it was, then the percent of the enrollment or the slot that matches. */
static void compare(ac_simulated_device_t *device, uint8_t answer[MESSAGE_BYTES]) {
  if (device->mode == MODE_ENROLL) {
    if (device->enrollment.count > 0 && device->good < TOUCHES) device->good++;
    device->enrollment.finger = device->finger;
    answer[2] = device->good * 100 / TOUCHES;
    return;
  }
  answer[2] = NO_SLOT;
  for (uint8_t slot = 0; slot < SLOTS; slot++)
    if (device->slots[slot].count > 0 && device->slots[slot].finger == device->finger) answer[2] = slot;
}

static ac_status_t store(ac_simulated_device_t *device) {
  uint8_t slot = 0;
  while (slot < SLOTS && device->slots[slot].count > 0) slot++;
  if (slot == SLOTS || device->enrollment.count == 0 || device->good < TOUCHES) return AC_ERR_STALL;
  device->slots[slot] = device->enrollment;
  device->enrollment.count = 0;
  return AC_OK;
}

static ac_status_t control(ac_simulated_device_t *device, uint64_t now_ns, uint8_t request_type, uint8_t request,
                           uint16_t value, uint16_t index, uint8_t *data, uint16_t length, uint32_t *ret_count) {
  static const uint8_t identity[] = {SLOTS, TOUCHES, 1, 1};
  const uint8_t *answer = identity;
  uint32_t count = sizeof identity;
  (void)index;
  *ret_count = 0;
  if (request_type == WRITE_VENDOR) switch (request) {
    case SET_MODE: return set_mode(device, value, now_ns);
    case BEGIN:
      if (length > NAME_BYTES) return AC_ERR_STALL;
      device->enrollment.count = length, device->good = 0;
      if (length > 0) memcpy(device->enrollment.name, data, length);
      return *ret_count = length, AC_OK;
    case STORE: return store(device);
    case REMOVE:
      if (value >= SLOTS) return AC_ERR_STALL;
      return device->slots[value].count = 0, AC_OK;
    default: return AC_ERR_STALL;
  }
  if (request == GET_NAME && value < SLOTS) answer = device->slots[value].name, count = device->slots[value].count;
  else if (request != GET_IDENTITY) return AC_ERR_STALL;
  *ret_count = length < count ? length : count;
  return memcpy(data, answer, *ret_count), AC_OK;
}
#else
static ac_status_t set_mode(ac_simulated_device_t *device, uint16_t mode, uint64_t now_ns) {
  device->endpoint = 0;
  switch (mode) {
    case MODE_OFF: return AC_OK;
    case MODE_AWAIT_TOUCH:
#if !SWIPE
      if (now_ns < device->lifted_ns) return send_later(device, MESSAGES, MESSAGE_TOUCH, now_ns); /* it is still there */
#endif
      if (device->touch >= device->touches) return AC_OK; /* no finger comes any more */
      device->touch++;
      return send_later(device, MESSAGES, MESSAGE_TOUCH, now_ns + device->delay_ms * UINT64_C(1000000));
#if SWIPE
    case MODE_AWAIT_LIFT: return send_later(device, MESSAGES, MESSAGE_LIFT, now_ns + device->lift_ms * UINT64_C(1000000));
    case MODE_SEND_STRIPES:
      device->row = 0;
      return send_later(device, REPORTS, 0, now_ns + STRIPES_IN_REPORT * STRIPE_NS);
#else
    case MODE_AWAIT_LIFT:
      return send_later(device, MESSAGES, MESSAGE_LIFT, now_ns < device->lifted_ns ? device->lifted_ns : now_ns);
    case MODE_SEND_IMAGE:
      device->lifted_ns = now_ns + SCAN_NS + device->lift_ms * UINT64_C(1000000);
      return send_later(device, IMAGES, 0, now_ns + SCAN_NS);
#endif
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
#endif

static ac_status_t write_to(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, const uint8_t *data,
                            uint32_t length) {
  (void)device, (void)now_ns, (void)endpoint, (void)data, (void)length;
  return AC_ERR_STALL; /* it has no endpoint to write to */
}

#if SWIPE
static uint8_t finger[FINGER_ROWS][FINGER_WIDTH];

/* The finger's ridges, bright. Each spot turns the phase of their waves once around itself, so a ridge begins there (Larkin
 * and Fletcher, "A coherent framework for fingerprint analysis", 2007, section 2). */
static void draw_finger(void) {
  const double turn = 6.283185307179586, period_px = 9;
  for (int y = 0; y < FINGER_ROWS; y++)
    for (int x = 0; x < FINGER_WIDTH; x++) {
      double aside = x - FINGER_WIDTH / 2, phase = turn * (y + aside * aside / 160) / period_px;
      for (int spot = 0; spot < SPOTS; spot++)
        phase += (spot % 2 == 0 ? 1 : -1) * atan2(y - (spot * 89 % 370 + 10), x - (spot * 53 % 120 + 10));
      finger[y][x] = (uint8_t)(128 + 110 * cos(phase));
    }
}

/* The next stripes of the finger, which is a little elsewhere at every touch; fewer once it has gone by. The sensor has
 * noise: no two frames are equal. */
static void fill_report(ac_simulated_device_t *device, uint64_t now_ns, uint8_t report[REPORT_BYTES]) {
  uint64_t noise = now_ns | 1;
  unsigned long right = device->touch * 5 % 9, down = device->touch * 3 % 7;
  memset(report, 0, REPORT_BYTES);
  report[0] = 'S', report[1] = device->kind;
  while (report[2] < STRIPES_IN_REPORT && device->row + HEIGHT <= device->rows) {
    uint8_t *stripe = report + HEADER + report[2]++ * STRIPE_BYTES;
    for (unsigned y = 0; y < HEIGHT; y++) memcpy(stripe + y * WIDTH, &finger[down + device->row + y][right], WIDTH);
    for (unsigned pixel = 0; pixel < STRIPE_BYTES; pixel++) {
      noise ^= noise << 13, noise ^= noise >> 7, noise ^= noise << 17;
      stripe[pixel] ^= noise & 1;
    }
    device->row += device->step;
  }
}
#elif !CHIP
/* The phase of the finger's ridges, which are waves. Each spot turns it once around itself, so a ridge begins there (Larkin
 * and Fletcher, "A coherent framework for fingerprint analysis", 2007, section 2). */
static double phase(double x, double y) {
  static const int spots[][2] = {{20, 24}, {52, 15}, {75, 33}, {34, 46}, {60, 55}, {17, 66}, {81, 72}, {45, 78}, {66, 90}, {28, 97}};
  const double turn = 6.283185307179586, period_px = 9, aside = x - WIDTH / 2;
  double sum = turn * (y + aside * aside / 160) / period_px;
  for (unsigned index = 0; index < sizeof spots / sizeof *spots; index++)
    sum += (index % 2 == 0 ? 1 : -1) * atan2(y - spots[index][1], x - spots[index][0]);
  return sum;
}

/* The finger, which is a little elsewhere at every touch. The sensor has noise: no two frames are equal. */
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
#endif

static ac_status_t read_from(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, uint8_t *data,
                             uint32_t length, uint32_t *ret_count) {
  if (device->endpoint != endpoint || now_ns < device->ready_ns) return AC_ERR_TIMEOUT; /* nothing yet */
  uint32_t count = MESSAGE_BYTES;
  device->endpoint = 0;
#if SWIPE
  uint8_t answer[REPORT_BYTES] = {device->kind};
  if (endpoint == REPORTS) {
    fill_report(device, now_ns, answer), count = REPORT_BYTES;
    if (answer[2] == STRIPES_IN_REPORT)
      send_later(device, REPORTS, device->kind + 1, now_ns + STRIPES_IN_REPORT * STRIPE_NS);
  }
#elif CHIP
  uint8_t answer[MESSAGE_BYTES] = {device->kind};
  if (device->kind == MESSAGE_TOUCH) {
    compare(device, answer);
    device->lifted_ns = now_ns + device->lift_ms * UINT64_C(1000000);
  }
#else
  uint8_t answer[IMAGE_BYTES] = {device->kind};
  if (endpoint == IMAGES) draw(device, now_ns, answer), count = IMAGE_BYTES;
#endif
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
#if SWIPE
  draw_finger();
#endif
  host = the_host;
  *ret_model = &model;
  return AC_OK;
}
