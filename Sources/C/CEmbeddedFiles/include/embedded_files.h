/* Source files that are embedded in the program. */
#ifndef AC_EMBEDDED_FILES_H
#define AC_EMBEDDED_FILES_H

typedef struct ac_embedded_file {
  const char *path; /* in the sources */
  const char *text; /* NUL terminated */
} ac_embedded_file_t;

/* The file with this number, counted from 0, or NULL. Lives until the program ends. */
const ac_embedded_file_t *ac_embedded_file(unsigned long number);

#endif
