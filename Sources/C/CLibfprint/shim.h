/* Debian's libfprint 2, the parts of GLib that it exposes, and libusb's log, for Drivers/LibfprintBridge. The package uses GObject's
 * pkg-config file, because libfprint's asks for -pthread, which the package manager warns about. */
#include <libfprint-2/fprint.h>
#include <libusb-1.0/libusb.h>
