/* gettext(3) of the C library, which Swift's module of it leaves out. */
#include <libintl.h>
