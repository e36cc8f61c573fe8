/* authcore/sensor.h: the ABI of a fingerprint sensor driver.
 *
 * A driver is a straight-line program. The host calls it on one thread: entry once, then for each device
 * open, capture as often as wanted, close. Calls block. Only interrupt comes from another thread. A driver turns
 * a device into frames; it does not match and sets no threshold. Drivers/Template is a complete driver to copy.
 *
 * Versions: 1.1 added where a frame ends, conditions of a USB match, and "device-info/1". 1.2 added sensors that compare
 * prints themselves (match_on_chip.h), and "lift/1".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_SENSOR_H
#define AUTHCORE_SENSOR_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_SENSOR_ABI_MAJOR 1
#define AC_SENSOR_ABI_MINOR 2
#define AC_SENSOR_ABI AC_ABI_VERSION(AC_SENSOR_ABI_MAJOR, AC_SENSOR_ABI_MINOR)
#define AC_SENSOR_ENTRY_SYMBOL "ac_sensor_entry"

/* Limits the host enforces on every frame. */
#define AC_FRAME_MAX_SIDE 4096u
#define AC_FRAME_MIN_PPI 100u
#define AC_FRAME_MAX_PPI 2000u

/* ac_usb_match.flags: conditions beside the two numbers. */
enum {
  AC_USB_MATCH_RELEASE = 1u << 0,            /* bcd_device_first..bcd_device_last */
  AC_USB_MATCH_INTERFACE_NUMBER = 1u << 1,   /* of these four, those that are set fit one and the same interface */
  AC_USB_MATCH_INTERFACE_CLASS = 1u << 2,
  AC_USB_MATCH_INTERFACE_SUBCLASS = 1u << 3,
  AC_USB_MATCH_INTERFACE_PROTOCOL = 1u << 4
};

/* A USB device a driver handles. If the interfaces of a device are unknown, the host asks the driver: open fails with
 * AC_ERR_UNSUPPORTED for a device that it does not handle. */
typedef struct ac_usb_match {
  uint16_t vendor_id;
  uint16_t product_id;
  uint16_t flags; /* since 1.1: AC_USB_MATCH_…; 0: every device of these numbers */
  uint16_t bcd_device_first, bcd_device_last; /* since 1.1: first <= last */
  uint8_t interface_number, interface_class, interface_subclass, interface_protocol; /* since 1.1 */
} ac_usb_match_t;

typedef int32_t ac_option_kind_t;
enum {
  AC_OPTION_TEXT = 0,   /* value: the text */
  AC_OPTION_NUMBER = 1, /* value: a decimal or 0x… number, checked by the host */
  AC_OPTION_FILE = 2    /* value: an absolute path; the host passes it opened read-only as well */
};

typedef struct ac_option_description {
  const char *name; /* lower case, digits, '-' */
  ac_option_kind_t kind;
  const char *summary; /* one line for `authcore driver info` */
} ac_option_description_t;

/* Never grows: drivers of every version step through an array of it with their own sizeof. */
typedef struct ac_option {
  const char *name;
  const char *value;
  int32_t file_descriptor; /* AC_OPTION_FILE: open for reading, owned by the host; otherwise -1 */
  int64_t number;          /* AC_OPTION_NUMBER: the value; otherwise 0 */
} ac_option_t;

typedef int32_t ac_scan_type_t;
enum { AC_SCAN_PRESS = 0, AC_SCAN_SWIPE = 1 };

/* ac_sensor_description.flags */
enum {
  AC_SENSOR_SYNTHETIC = 1u << 0,    /* its frames are not of real fingers (see real_option) */
  AC_SENSOR_READS_FILES = 1u << 1,  /* opens files read-only while it runs */
  AC_SENSOR_OPENS_DEVICES = 1u << 2, /* uses a library that opens devices itself: gets a wider sandbox */
  /* Since 1.2. The sensor compares prints and delivers none (match_on_chip.h). capture returns AC_ERR_UNSUPPORTED with a
   * message, which a host of 1.1 shows. */
  AC_SENSOR_MATCHES_ON_CHIP = 1u << 3
};

/* Static facts, readable without a device. Everything it points to lives as long as the plugin. */
typedef struct ac_sensor_description {
  uint32_t struct_size;
  const char *name;         /* "uru4000": lower case, digits, '-'; what --driver takes */
  const char *full_name;    /* "DigitalPersona U.are.U 4000/4500" */
  const char *version;      /* the driver's own version, free text */
  const ac_usb_match_t *usb_matches;
  uint32_t usb_match_count;
  ac_scan_type_t scan_type;
  uint32_t width_px, height_px; /* of a frame as delivered; 0 if it varies */
  uint32_t ppi;                 /* pixels per inch; 0 if it varies */
  uint32_t flags;
  const ac_option_description_t *options;
  uint32_t option_count;
  const char *real_option; /* with AC_SENSOR_SYNTHETIC: the option whose presence makes it real, or NULL */
  /* Since 1.1. sizeof(ac_usb_match_t) and sizeof(ac_option_description_t), by which the host steps through the arrays. 0:
   * as they are in the version that the driver was built for, which has to be 1.1 or before. */
  uint32_t usb_match_size;
  uint32_t option_description_size;
} ac_sensor_description_t;

/* ac_frame.flags: how the pixels lie. The host turns every frame upright, ridges dark. */
enum {
  AC_FRAME_INVERTED = 1u << 0,        /* ridges are bright */
  AC_FRAME_FLIP_HORIZONTAL = 1u << 1, /* mirrored left to right */
  AC_FRAME_FLIP_VERTICAL = 1u << 2    /* upside down */
};

/* The columns of one row in which the sensor could see skin: first up to, but not with, end. first == end: none. */
typedef struct ac_row_extent {
  uint16_t first, end; /* first <= end <= width_px */
} ac_row_extent_t;

/* The driver sets the fields except struct_size; the host has set the others to 0 (common.h). */
typedef struct ac_frame {
  uint32_t struct_size;
  uint32_t width_px, height_px; /* 1..AC_FRAME_MAX_SIDE each */
  uint32_t ppi;                 /* AC_FRAME_MIN_PPI..AC_FRAME_MAX_PPI */
  uint32_t flags;               /* AC_FRAME_… */
  const uint8_t *pixels;        /* gray, row by row, no padding; owned by the driver, valid until its next call */
  size_t pixel_count;           /* width_px * height_px; the host checks it */
  /* Since 1.1. The borders of the picture: a window that is not a rectangle, the margins of a swipe, a border without
   * sensor. A ridge that is cut off there does not end, and nothing beyond is compared. One for each row of pixels, before
   * flags turn it. The area that the sensor could see counts, not where the finger lay. NULL: the driver does not know, and
   * borders are searched for in the pixels. Owned by the driver, valid until its next call. */
  const ac_row_extent_t *extents;
  size_t extent_count;          /* since 1.1: height_px; 0 with NULL */
} ac_frame_t;

typedef struct ac_sensor ac_sensor_t; /* a driver's open device; the driver defines it */

/* A driver. Everything it points to lives as long as the plugin. No function pointer is NULL except extension. */
typedef struct ac_sensor_driver {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_SENSOR_ABI as the driver was built */
  const ac_sensor_description_t *description;

  /* Opens the device (the one behind service "usb/1", if the driver has USB matches) and prepares it.
   * options[0..<option_count] are checked against the description; they live until the call returns. It takes 30 s at
   * most, and no interrupt comes: there is no sensor yet. AC_RETRY_LIFT says that a finger on the sensor has to be lifted
   * before it can be prepared; nothing is open then, and a host of 1.1 calls open again, for 5 s, before it tells the
   * person. No other retry is possible. [owner] */
  ac_status_t (*open)(const ac_option_t *options, uint32_t option_count, ac_sensor_t **ret_sensor);

  /* Waits for a touch (or a swipe) and delivers its frame. A finger that still lies on the sensor from the call
   * before has to be lifted first. Returns AC_OK with a frame, AC_RETRY_…, AC_ERR_TIMEOUT after timeout_ms,
   * AC_ERR_INTERRUPTED after interrupt, or another failure with a message set. After a retry or a timeout the
   * next call works; after AC_ERR_GONE it may, when the device has come back. timeout_ms is counted from the call; 0 looks
   * once and does not wait. A finger that is being read when it ends may be read to its end, for 5 s more. [owner] */
  ac_status_t (*capture)(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame);

  /* Makes a capture that is under way return within 100 ms with AC_ERR_INTERRUPTED; without one it makes the
   * next capture do so. Must not block or take a lock that capture holds while it waits. The host wakes sleep_ns
   * ("clock/1") itself; this function wakes everything else that capture waits in, such as usb->interrupt for "usb/1". It is
   * called neither before open has returned nor after close has begun, but perhaps when capture has just returned. [any] */
  void (*interrupt)(ac_sensor_t *sensor);

  /* Ends all transfers and threads, closes the device and frees the sensor. No other call is under way or
   * follows. NULL is accepted. [owner] */
  void (*close)(ac_sensor_t *sensor);

  /* A table for an optional ability by name and revision ("device-info/1"), or NULL for every name the driver does not know.
   * The table lives as long as the plugin. The field itself may be NULL. [any] */
  const void *(*extension)(const char *name);
} ac_sensor_driver_t;

/* --- Service "lift/1", since 1.2: what a person has to know while a call waits for a touch. --- */

#define AC_LIFT_SERVICE "lift/1"

typedef struct ac_lift_service {
  uint32_t struct_size;
  void *context; /* pass back as the first argument */
  /* The capture, touch or identify that is under way goes on when a finger that lies on the sensor has left it. The host
   * asks the person to lift it, once in a call. [owner] */
  void (*ask)(void *context);
} ac_lift_service_t;

/* --- Extension "device-info/1", since 1.1: facts that differ between the devices of a driver. --- */

#define AC_DEVICE_INFO_EXTENSION "device-info/1"

/* An open device. */
typedef struct ac_device_info {
  uint32_t struct_size;
  ac_scan_type_t scan_type;
  uint32_t width_px, height_px; /* of a frame as delivered; 0 if it varies */
  uint32_t ppi;                 /* AC_FRAME_MIN_PPI..AC_FRAME_MAX_PPI; 0 if it varies */
  char serial[64];              /* of the device, NUL terminated; "" if it has none. Shown to the administrator only */
  char firmware[64];            /* its version, NUL terminated; "" if it is unknown */
} ac_device_info_t;

typedef struct ac_device_info_extension {
  uint32_t struct_size;
  /* The facts that open has found. Called once after open; does not talk to the device. They replace those of the
   * description; an impossible value is refused together with the device. Any status but AC_OK means that nothing is
   * known. [owner] */
  ac_status_t (*get)(ac_sensor_t *sensor, ac_device_info_t *ret_info);
} ac_device_info_extension_t;

/* Since 1.2, the extension of sensors that compare prints themselves: match_on_chip.h. A driver has it exactly if its
 * description has AC_SENSOR_MATCHES_ON_CHIP. */
#define AC_MATCH_ON_CHIP_EXTENSION "match-on-chip/1"

/* Reserved for a service like "usb/1" of devices on SPI. No host offers it. */
#define AC_SPI_SERVICE "spi/1"

/* The only symbol that a driver exports. Called once, before anything else; it opens nothing and does not block.
 * AC_ERR_ABI when AC_ABI_MAJOR(host->abi_version) is not the one the driver was built for. [owner] */
AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *host, const ac_sensor_driver_t **ret_driver);

#ifdef __cplusplus
}
#endif
#endif
