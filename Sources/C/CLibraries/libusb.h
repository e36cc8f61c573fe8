/* libusb 1.0, and the one call of it that takes variable arguments, which Swift does not import. */
#include <libusb-1.0/libusb.h>

/* Lets every context that is made from here on look for no devices: there is only the one whose descriptor is wrapped. */
static inline int ac_libusb_disable_discovery(void) {
  return libusb_set_option(NULL, LIBUSB_OPTION_NO_DEVICE_DISCOVERY);
}

#include <sys/prctl.h>

/* Whether a filter of system calls holds this process (prctl(2), PR_GET_SECCOMP); prctl takes variable arguments too. */
static inline _Bool ac_is_confined(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0; }
