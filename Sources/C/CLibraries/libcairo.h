/* The cairo drawing library, with its SVG files, for Sources/Lab/Drawing. */
#include <cairo/cairo.h>
#include <cairo/cairo-svg.h>
