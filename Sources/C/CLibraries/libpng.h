/* libpng's simplified interface, for the pictures that `authcore sensor capture` writes. */
#include <png.h>
