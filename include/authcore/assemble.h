/* authcore/assemble.h: service "assemble/1": the stripes or lines of a swipe to one image, and operations on pixels for
 * drivers. docs/frame-assembly.md has a worked example.
 *
 * The functions only compute: they keep nothing between calls, do not wait, and may be called on any thread. They
 * read and write only the caller's memory, until the call returns. ret_pixels is an array with room for capacity elements,
 * which may not overlap the input. Nothing is written unless AC_OK is returned.
 *
 * They return AC_ERR_ARGUMENT on a null pointer or a size that is 0 or beyond a limit below, and AC_ERR_MEMORY if
 * capacity is too small or the work too much.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef AUTHCORE_ASSEMBLE_H
#define AUTHCORE_ASSEMBLE_H

#include "sensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AC_ASSEMBLE_SERVICE "assemble/1"

/* Limits; sides of images are AC_FRAME_MAX_SIDE at most. */
#define AC_ASSEMBLE_MAX_STRIPES 4096u
#define AC_ASSEMBLE_MAX_LINES 32768u
#define AC_ASSEMBLE_MAX_PIXELS (16u * 1024u * 1024u) /* of all stripes or lines */
#define AC_ASSEMBLE_MAX_WORK 4000000000u /* 16 * (height + 4) * height * (width + 64) * (count - 1) of stripes */
#define AC_ASSEMBLE_MAX_RESOLUTION 256u
#define AC_ASSEMBLE_MAX_SEARCH_RANGE 512u
#define AC_ASSEMBLE_MAX_MEDIAN_SIZE 255u
#define AC_ASSEMBLE_MAX_FACTOR 8u

typedef int32_t ac_stripe_placement_t;
enum {
  AC_STRIPES_EXACT = 0, /* bit by bit as libfprint places them */
  AC_STRIPES_ROBUST = 1 /* leaves stripes out while the finger stands; moves stripes that do not fit as far as the others */
};

/* Stripes in time order: small images, each width_px x height_px, which overlap from one to the next. */
typedef struct ac_stripes {
  uint32_t struct_size;
  uint32_t width_px, height_px;
  uint32_t count;           /* 1..AC_ASSEMBLE_MAX_STRIPES */
  const uint8_t *pixels;    /* stripe after stripe, row by row: count * width_px * height_px bytes */
  uint32_t image_width_px;  /* width_px or more; the first stripe lies in the middle */
  uint32_t image_min_height_px; /* a lower image is the verdict AC_RETRY_TOO_SHORT; 0: any height will do */
  uint32_t image_max_height_px; /* a higher image is AC_ERR_DATA; 1..AC_FRAME_MAX_SIDE */
  ac_stripe_placement_t placement;
  /* Since 1.1. Where the columns of each row go that a stripe was painted on (ac_frame.extents), one for each of height_px
   * rows; room for image_max_height_px always suffices. NULL: nowhere. A host of 1.0 neither writes this nor
   * reads extents in a frame. */
  ac_row_extent_t *ret_extents;
  size_t extent_capacity; /* since 1.1; the elements of ret_extents */
} ac_stripes_t;

/* Lines of a sensor with two rows, of which the second sees the same skin a little later (or earlier), in time order. */
typedef struct ac_lines {
  uint32_t struct_size;
  uint32_t width_px;
  uint32_t count;           /* 2..AC_ASSEMBLE_MAX_LINES */
  const uint8_t *pixels;    /* line after line: count * width_px bytes */
  uint32_t resolution;      /* output lines per distance between the two rows */
  uint32_t median_size;     /* of the filter over the speed */
  uint32_t search_range;    /* how many lines later the second row is looked for */
  uint32_t image_min_height_px; /* as for stripes */
  uint32_t image_max_height_px; /* lines beyond are cut off; 1..AC_FRAME_MAX_SIDE */
  /* How different the second row of one line and the first row of another are; small when they show the same skin.
   * earlier < later < count. Called count / 2 * search_range times, before lines() returns. */
  int32_t (*deviation)(void *context, uint32_t earlier, uint32_t later);
  void *context; /* the first argument of deviation */
} ac_lines_t; /* a line fills its row: the image has no extents of its own */

/* The image of a swipe. The caller sets struct_size. */
typedef struct ac_swipe_image {
  uint32_t struct_size;
  uint32_t width_px, height_px; /* the first width_px * height_px bytes of ret_pixels; 0 where no stripe lies, see ret_extents */
  uint32_t flags;       /* AC_FRAME_FLIP_…, so that both directions come out alike; add AC_FRAME_INVERTED if it applies */
  ac_status_t verdict;  /* AC_OK; AC_RETRY_TOO_FAST, _TOO_SLOW, _TOO_SHORT or _TOO_SKEWED if that is clear */
  /* 0..1 each. quality = agreement * (1 - unusable_pairs / pairs) * straightness * (1 + evenness) / 2 */
  float quality;
  float agreement;      /* 1: neighbors are alike where they overlap; 0: no more than by chance */
  float evenness;       /* 1 - mean change of speed from pair to pair / mean speed */
  float straightness;   /* 1 - way sideways / way along the swipe; 1 for lines */
  uint32_t pairs, unusable_pairs; /* neighbors that were placed, and those of them that fit nowhere */
  uint32_t standing_pairs; /* stripes before which the finger stood; with AC_STRIPES_ROBUST they are no pairs */
} ac_swipe_image_t;

/* The table of the service. Everything is [any]. */
typedef struct ac_assemble_service {
  uint32_t struct_size;

  /* Puts a swipe together. capacity of image_width_px * image_max_height_px always suffices. AC_ERR_DATA: the image would be
   * higher than image_max_height_px. */
  ac_status_t (*stripes)(const ac_stripes_t *stripes, uint8_t *ret_pixels, size_t capacity,
                         ac_swipe_image_t *ret_image);
  /* capacity of width_px * image_max_height_px always suffices. */
  ac_status_t (*lines)(const ac_lines_t *lines, uint8_t *ret_pixels, size_t capacity, ac_swipe_image_t *ret_image);

  /* Enlarges 1..AC_ASSEMBLE_MAX_FACTOR times by bilinear interpolation, to factor * factor * width_px * height_px bytes, in
   * pixman's arithmetic for 8-bit images without repeat: the outside counts as 0. */
  ac_status_t (*enlarge)(const uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t factor,
                         uint8_t *ret_pixels, size_t capacity);
  /* Resizes to new_width_px * new_height_px bytes; each is the mean of the box of pixels that falls onto it. */
  ac_status_t (*resize)(const uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t new_width_px,
                        uint32_t new_height_px, uint8_t *ret_pixels, size_t capacity);
  /* Turns as the host turns frames, flags being AC_FRAME_…, to width_px * height_px bytes. */
  ac_status_t (*orient)(const uint8_t *pixels, uint32_t width_px, uint32_t height_px, uint32_t flags,
                        uint8_t *ret_pixels, size_t capacity);

  /* pixels minus background, 0 where the background is brighter: count elements each, 1..AC_ASSEMBLE_MAX_PIXELS. */
  ac_status_t (*subtract_background)(const uint16_t *pixels, const uint16_t *background, size_t count,
                                     uint16_t *ret_pixels, size_t capacity);
  /* Stretches count pixels, the darkest to 0 and the brightest to 255, rounding down; all 0 when they are alike. */
  ac_status_t (*normalise)(const uint16_t *pixels, size_t count, uint8_t *ret_pixels, size_t capacity);

  /* floor(sum((p - m)^2) / count), m = floor(sum(p) / count). */
  ac_status_t (*variance)(const uint8_t *pixels, size_t count, uint32_t *ret_variance);
  /* floor(sum((p - q)^2) / count). */
  ac_status_t (*mean_squared_difference)(const uint8_t *pixels, const uint8_t *others, size_t count,
                                         uint32_t *ret_difference);
} ac_assemble_service_t;

#ifdef __cplusplus
}
#endif
#endif
