/* authcore/sensor.h: the ABI of a fingerprint sensor driver.
 *
 * A driver is a straight-line program. The host calls it on one thread: entry once, then for each device
 * open, capture as often as wanted, close. Calls block. Only interrupt comes from another thread. A driver turns
 * a device into frames; it matches nothing and sets no threshold. Drivers/Template is a complete driver to copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_SENSOR_H
#define AUTHCORE_SENSOR_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_SENSOR_ABI AC_ABI_VERSION(1, 0)
#define AC_SENSOR_ENTRY_SYMBOL "ac_sensor_entry"

/* Limits the host enforces on every frame. */
#define AC_FRAME_MAX_SIDE 4096u
#define AC_FRAME_MIN_PPI 100u
#define AC_FRAME_MAX_PPI 2000u

/* A USB device a driver handles. */
typedef struct ac_usb_match {
  uint16_t vendor_id;
  uint16_t product_id;
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
  AC_SENSOR_SYNTHETIC = 1u << 0,    /* what it delivers is no real finger (see real_option) */
  AC_SENSOR_READS_FILES = 1u << 1,  /* opens files read-only while it runs */
  AC_SENSOR_OPENS_DEVICES = 1u << 2 /* uses a library that opens devices itself: gets a wider sandbox */
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
  uint32_t width_px, height_px; /* of a frame as delivered; 0 where it varies */
  uint32_t ppi;                 /* pixels per inch; 0 where it varies */
  uint32_t flags;
  const ac_option_description_t *options;
  uint32_t option_count;
  const char *real_option; /* with AC_SENSOR_SYNTHETIC: the option whose presence makes it real, or NULL */
} ac_sensor_description_t;

/* ac_frame.flags: how the pixels lie. The host turns every frame upright, ridges dark. */
enum {
  AC_FRAME_INVERTED = 1u << 0,        /* ridges are bright */
  AC_FRAME_FLIP_HORIZONTAL = 1u << 1, /* mirrored left to right */
  AC_FRAME_FLIP_VERTICAL = 1u << 2    /* upside down */
};

typedef struct ac_frame {
  uint32_t struct_size;
  uint32_t width_px, height_px; /* 1..AC_FRAME_MAX_SIDE each */
  uint32_t ppi;                 /* AC_FRAME_MIN_PPI..AC_FRAME_MAX_PPI */
  uint32_t flags;               /* AC_FRAME_… */
  const uint8_t *pixels;        /* grey, row by row, no padding; owned by the driver, valid until its next call */
  size_t pixel_count;           /* width_px * height_px; the host checks it */
} ac_frame_t;

typedef struct ac_sensor ac_sensor_t; /* a driver's open device; the driver defines it */

/* A driver. Everything it points to lives as long as the plugin. No function pointer is NULL except extension. */
typedef struct ac_sensor_driver {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_SENSOR_ABI as the driver was built */
  const ac_sensor_description_t *description;

  /* Opens the device (the one behind service "usb/1", where the driver has USB matches) and readies it.
   * options[0..<option_count] are checked against the description; they live until the call returns. [owner] */
  ac_status_t (*open)(const ac_option_t *options, uint32_t option_count, ac_sensor_t **ret_sensor);

  /* Waits for a touch (or a swipe) and delivers its frame. A finger that still lies on the sensor from the call
   * before has to be lifted first. Returns AC_OK with a frame, AC_RETRY_…, AC_ERR_TIMEOUT after timeout_ms,
   * AC_ERR_INTERRUPTED after interrupt, or another failure with a message set. After a retry or a timeout the
   * next call works; after AC_ERR_GONE it may, when the device has come back. [owner] */
  ac_status_t (*capture)(ac_sensor_t *sensor, uint32_t timeout_ms, ac_frame_t *ret_frame);

  /* Makes a capture that is under way return within 100 ms with AC_ERR_INTERRUPTED; without one it makes the
   * next capture do so. Must not block or take a lock that capture holds while it waits. [any] */
  void (*interrupt)(ac_sensor_t *sensor);

  /* Ends all transfers, lets go of the device and frees the sensor. NULL is accepted. [owner] */
  void (*close)(ac_sensor_t *sensor);

  /* A table for an optional ability by name and revision ("temperature/1"), or NULL. The field itself may be
   * NULL. [any] */
  const void *(*extension)(const char *name);
} ac_sensor_driver_t;

/* The one symbol a driver exports. Called once, before anything else; opens nothing and blocks on nothing.
 * AC_ERR_ABI when AC_ABI_MAJOR(host->abi_version) is not the one the driver was built for. [owner] */
AC_EXPORT ac_status_t ac_sensor_entry(const ac_host_t *host, const ac_sensor_driver_t **ret_driver);

#ifdef __cplusplus
}
#endif
#endif
