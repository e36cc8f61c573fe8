#include "build_identity.h"

#ifndef AUTHCORE_COMMIT
#define AUTHCORE_COMMIT ""
#endif

#ifndef AUTHCORE_CORE_PROGRAM
#define AUTHCORE_CORE_PROGRAM ""
#endif

const char *ac_build_commit(void) { return AUTHCORE_COMMIT; }

const char *ac_build_core_program(void) { return AUTHCORE_CORE_PROGRAM; }
