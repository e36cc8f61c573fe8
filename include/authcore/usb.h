/* authcore/usb.h: service "usb/1", one USB device, and the ABI of the transport plugins that provide it.
 *
 * A driver gets the table from host->service(host->context, "usb/1"). The device is already chosen and open: a
 * driver neither finds nor opens devices, and needs no library. libusb, a recording of USB traffic or a simulated device
 * answers the same calls.
 *
 * Calls block, with a deadline each, and are made by one thread. With a timeout_ms of 0 a call does not wait, and
 * gives AC_ERR_TIMEOUT if nothing is there. Some devices want a read to be pending before a write (an image that comes in answer to a command,
 * interrupt messages that must not be missed): submit_read queues one, wait collects it later, and other calls may run
 * between the two.
 *
 * The interrupt function of the driver may call usb->interrupt: every blocking call that is under way, or the
 * next one, returns AC_ERR_INTERRUPTED. The state is cleared by the call that reports it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_USB_H
#define AUTHCORE_USB_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_USB_SERVICE "usb/1"
#define AC_TRANSPORT_ABI_MAJOR 1
#define AC_TRANSPORT_ABI_MINOR 1
#define AC_TRANSPORT_ABI AC_ABI_VERSION(AC_TRANSPORT_ABI_MAJOR, AC_TRANSPORT_ABI_MINOR)
#define AC_TRANSPORT_ENTRY_SYMBOL "ac_transport_entry"

#define AC_USB_NO_TIMEOUT 0xffffffffu
#define AC_USB_MAX_TRANSFER (4u * 1024u * 1024u) /* bytes in one transfer */
#define AC_USB_MAX_PENDING_READS 16u
#define AC_USB_MAX_INTERFACES 32u /* of a device that are reported */

/* The endpoint types of USB 2.0, section 5.4 (isochronous transfers are not offered). */
typedef int32_t ac_usb_endpoint_type_t;
enum { AC_USB_BULK = 2, AC_USB_INTERRUPT = 3 };

typedef struct ac_usb_device_info {
  uint32_t struct_size;
  uint16_t vendor_id, product_id, bcd_device;
  uint8_t bus, address;       /* 0 if there is no bus */
  uint8_t interface_count;    /* of the active configuration */
} ac_usb_device_info_t;

typedef struct ac_usb_interface_info {
  uint32_t struct_size;
  uint8_t number, class_code, subclass_code, protocol_code;
  uint8_t endpoint_count;
  uint8_t endpoints[30]; /* addresses; bit 7 set: IN */
} ac_usb_interface_info_t;

typedef struct ac_usb ac_usb_t; /* the open device; defined by the transport */

/* The table. All functions but interrupt are [owner]. Data pointers are the driver's and used only until the call
 * returns; a queued read has a buffer of the transport's own. ret_count is the number of bytes moved, perhaps 0; a short
 * read is AC_OK. A missing device is always AC_ERR_GONE, a halted endpoint AC_ERR_STALL. */
typedef struct ac_usb_service {
  uint32_t struct_size;
  ac_usb_t *device; /* pass back as the first argument */

  ac_status_t (*device_info)(ac_usb_t *device, ac_usb_device_info_t *ret_info);
  /* index: 0..<interface_count of the active configuration. AC_ERR_NOT_FOUND beyond. */
  ac_status_t (*interface_info)(ac_usb_t *device, uint8_t index, ac_usb_interface_info_t *ret_info);

  /* A kernel driver bound to the interface is detached if possible; it is not a failure if that is impossible. */
  ac_status_t (*claim_interface)(ac_usb_t *device, uint8_t number);
  ac_status_t (*release_interface)(ac_usb_t *device, uint8_t number);

  /* A control transfer (USB 2.0, section 9.3). Bit 7 of request_type set: data[0..<length] is filled. */
  ac_status_t (*control)(ac_usb_t *device, uint8_t request_type, uint8_t request, uint16_t value, uint16_t index,
                         uint8_t *data, uint16_t length, uint32_t timeout_ms, uint32_t *ret_count);

  /* A blocking transfer; the direction is bit 7 of endpoint. length <= AC_USB_MAX_TRANSFER. On AC_ERR_TIMEOUT ret_count
   * is written too: what arrived before the deadline. */
  ac_status_t (*transfer)(ac_usb_t *device, ac_usb_endpoint_type_t type, uint8_t endpoint, uint8_t *data,
                          uint32_t length, uint32_t timeout_ms, uint32_t *ret_count);

  /* Queues a read of length bytes and returns at once with a ticket (never 0). At most AC_USB_MAX_PENDING_READS
   * are pending; AC_ERR_STATE beyond. Reads of one endpoint complete in the order they were queued. */
  ac_status_t (*submit_read)(ac_usb_t *device, ac_usb_endpoint_type_t type, uint8_t endpoint, uint32_t length,
                             uint32_t *ret_ticket);
  /* Waits until the read has completed and copies at most capacity bytes. On AC_ERR_TIMEOUT and AC_ERR_INTERRUPTED it
   * stays pending; on everything else the ticket is used up. */
  ac_status_t (*wait)(ac_usb_t *device, uint32_t ticket, uint32_t timeout_ms, uint8_t *data, uint32_t capacity,
                      uint32_t *ret_count);
  /* Ends a pending read and uses up its ticket; one that completed meanwhile is discarded. */
  ac_status_t (*cancel)(ac_usb_t *device, uint32_t ticket);

  ac_status_t (*clear_halt)(ac_usb_t *device, uint8_t endpoint);
  /* Resets the device. Claimed interfaces stay claimed; AC_ERR_GONE when it comes back as another device. */
  ac_status_t (*reset)(ac_usb_t *device);

  /* See the top of this header. Never blocks. [any] */
  void (*interrupt)(ac_usb_t *device);
} ac_usb_service_t;

/* --- Transport plugins: provide the service above. A driver author needs nothing below. --- */

/* Where the device comes from. */
typedef struct ac_transport_source {
  uint32_t struct_size;
  int32_t file_descriptor; /* the device node, or the recording, opened by the host; -1: by bus and address */
  uint8_t bus, address;
  const char *text;        /* transport-specific ("touches=3,fault=stall@7"); lives until the call returns */
  int32_t capture_descriptor; /* where to record the traffic (pcapng), opened for writing by the host; -1: nowhere */
} ac_transport_source_t;

typedef struct ac_transport {
  uint32_t struct_size;
  uint32_t abi_version; /* AC_TRANSPORT_ABI as the transport was built */
  const char *name;     /* "usb", "recording", … */
  /* Opens the device. The service lives until close. [owner] */
  ac_status_t (*open)(const ac_transport_source_t *source, const ac_usb_service_t **ret_service);
  /* Cancels what is pending, releases and closes. NULL is accepted. [owner] */
  void (*close)(const ac_usb_service_t *service);
  /* Optional abilities by name and revision ("hotplug/1"), or NULL; the field itself may be NULL. [any] */
  const void *(*extension)(const char *name);
} ac_transport_t;

/* --- Extension "hotplug/1": which devices come and go. For a transport in a host of its own. --- */

#define AC_HOTPLUG_EXTENSION "hotplug/1"

typedef int32_t ac_usb_event_t;
enum {
  AC_USB_ARRIVED = 1, /* is present, or has come */
  AC_USB_LEFT = 2,    /* is gone; bus and address are those of its arrival */
  AC_USB_SETTLED = 3  /* everything that was there at the start has been reported; comes once */
};

typedef int32_t ac_usb_place_t;
enum { AC_USB_PLACE_UNKNOWN = 0, AC_USB_EXTERNAL = 1, AC_USB_BUILT_IN = 2 };

/* An interface of a device's active configuration (USB 2.0, section 9.6.5). Never grows. */
typedef struct ac_usb_interface_id {
  uint8_t number, class_code, subclass_code, protocol_code;
} ac_usb_interface_id_t;

typedef struct ac_usb_change {
  uint32_t struct_size;
  ac_usb_event_t event;
  uint16_t vendor_id, product_id, bcd_device;
  uint8_t bus, address;
  ac_usb_place_t place;
  char port_path[32]; /* "1-2.3": bus and ports, as the kernel names it; "" if unknown */
  uint8_t interface_count; /* since 1.1: of interfaces; 0 if they are unknown */
  ac_usb_interface_id_t interfaces[AC_USB_MAX_INTERFACES]; /* since 1.1 */
} ac_usb_change_t;

typedef struct ac_hotplug {
  uint32_t struct_size;
  /* Starts to watch. Once, before next. [owner] */
  ac_status_t (*start)(void);
  /* Waits for the next change: first what is there, then AC_USB_SETTLED, then what comes and goes.
   * AC_ERR_TIMEOUT after timeout_ms. [owner] */
  ac_status_t (*next)(uint32_t timeout_ms, ac_usb_change_t *ret_change);
} ac_hotplug_t;

/* The only symbol that a transport exports. [owner] */
AC_EXPORT ac_status_t ac_transport_entry(const ac_host_t *host, const ac_transport_t **ret_transport);

#ifdef __cplusplus
}
#endif
#endif
