/* authcore/model.h: the ABI of a device model: a USB device as software, for checking the driver that talks to it.
 *
 * A model is the device's side of the protocol. It is told what the host does and what time it is, and returns the device's
 * answers; it never waits, has no thread and opens nothing. The simulated transport drives it, adds
 * faults (unplugging, stalls, short reads, garbage), and provides usb/1 to the driver. `authcore driver check NAME.so`
 * uses the model NAME-model.so beside the driver.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_MODEL_H
#define AUTHCORE_MODEL_H

#include "usb.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_MODEL_ABI AC_ABI_VERSION(1, 0)
#define AC_MODEL_ENTRY_SYMBOL "ac_device_model_entry"

/* The service by which the simulated transport gets the model that was loaded beside it: an ac_device_model_t. */
#define AC_DEVICE_MODEL_SERVICE "device-model/1"

typedef struct ac_simulated_device ac_simulated_device_t; /* one device; the model defines it */

/* A model. Everything it points to lives as long as the plugin; no function pointer is NULL. All functions are [owner].
 * now_ns is the host's clock, in nanoseconds; it never goes back. A stalled request or endpoint is AC_ERR_STALL. */
typedef struct ac_device_model {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_MODEL_ABI as the model was built */
  const char *name;     /* "press": lower case, digits, '-' */

  /* Plugs a device in. settings is "name=value,…" with names of the model's own, or ""; it lives until the call returns.
   * AC_ERR_OPTION, with a message that names it, for a setting it does not know. */
  ac_status_t (*plug)(const char *settings, ac_simulated_device_t **ret_device);
  /* Frees the device. NULL is accepted. */
  void (*unplug)(ac_simulated_device_t *device);

  /* As in usb/1. */
  ac_status_t (*device_info)(ac_simulated_device_t *device, ac_usb_device_info_t *ret_info);
  ac_status_t (*interface_info)(ac_simulated_device_t *device, uint8_t index, ac_usb_interface_info_t *ret_info);

  /* Answers a control request. Bit 7 of request_type set: fills data[0..<length] and writes ret_count; otherwise data is
   * what the host writes, and ret_count what the device took. */
  ac_status_t (*control)(ac_simulated_device_t *device, uint64_t now_ns, uint8_t request_type, uint8_t request,
                         uint16_t value, uint16_t index, uint8_t *data, uint16_t length, uint32_t *ret_count);

  /* Takes a write to an OUT endpoint. */
  ac_status_t (*write)(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, const uint8_t *data,
                       uint32_t length);

  /* Answers a read of length bytes that waits at an IN endpoint: fills data[0..<*ret_count], at most length. AC_ERR_TIMEOUT:
   * nothing yet (the device answers NAK); the call is repeated later. Bytes that do not fit stay in the device. */
  ac_status_t (*read)(ac_simulated_device_t *device, uint64_t now_ns, uint8_t endpoint, uint8_t *data, uint32_t length,
                      uint32_t *ret_count);
} ac_device_model_t;

/* The only symbol that a model exports. [owner] */
AC_EXPORT ac_status_t ac_device_model_entry(const ac_host_t *host, const ac_device_model_t **ret_model);

#ifdef __cplusplus
}
#endif
#endif
