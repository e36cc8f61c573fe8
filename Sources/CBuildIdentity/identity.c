#include "build_identity.h"

#ifndef AUTHCORE_COMMIT
#define AUTHCORE_COMMIT ""
#endif

const char *ac_build_commit(void) { return AUTHCORE_COMMIT; }
