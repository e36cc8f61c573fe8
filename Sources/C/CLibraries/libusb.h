/* libusb 1.0, with a function for its call with variable arguments, which Swift does not import. */
#include <libusb-1.0/libusb.h>

/* Makes new contexts look for no devices. They only wrap a descriptor. */
static inline int ac_libusb_disable_discovery(void) {
  return libusb_set_option(NULL, LIBUSB_OPTION_NO_DEVICE_DISCOVERY);
}

#include <sys/prctl.h>

/* Whether this process has a filter of system calls (prctl(2), PR_GET_SECCOMP). Where the filter refuses the question, prctl fails. */
static inline _Bool ac_is_confined(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0; }
