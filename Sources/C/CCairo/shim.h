/* The cairo drawing library, with its SVG files, for Sources/Lab/Drawing. */
#include <cairo.h>
#include <cairo-svg.h>
