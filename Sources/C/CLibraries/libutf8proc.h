/* Unicode normalization into memory of the caller, for passcodes. */
#include <utf8proc.h>
