/* Files of the sources that are in the program. */
#ifndef AC_EMBEDDED_FILES_H
#define AC_EMBEDDED_FILES_H

typedef struct ac_embedded_file {
  const char *path; /* in the sources */
  const char *text; /* NUL terminated */
} ac_embedded_file_t;

/* The file of this number, from 0; NULL after the last. Lives as long as the program. */
const ac_embedded_file_t *ac_embedded_file(unsigned long number);

#endif
