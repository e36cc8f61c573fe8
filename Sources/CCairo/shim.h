/* The cairo drawing library, with its SVG files, for Sources/Drawing. */
#include <cairo.h>
#include <cairo-svg.h>
