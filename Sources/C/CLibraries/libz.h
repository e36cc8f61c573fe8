/* zlib, for the ZIP files that password managers export. */
#include <zlib.h>
