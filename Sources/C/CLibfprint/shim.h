/* Debian's libfprint 2, the parts of GLib it shows, and the log of libusb below it, for Drivers/LibfprintBridge. libfprint's own
 * pkg-config file asks for -pthread, which the package manager warns of; GObject's, used instead, lacks only the folders. */
#include <libfprint-2/fprint.h>
#include <libusb-1.0/libusb.h>
