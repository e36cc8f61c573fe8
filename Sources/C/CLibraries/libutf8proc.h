/* Unicode normalization of bytes into memory of the caller's, for passcodes. */
#include <utf8proc.h>
