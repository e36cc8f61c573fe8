/* Which build this is. A file of its own, so that another commit compiles nothing else. */
#ifndef AUTHCORE_BUILD_IDENTITY_H
#define AUTHCORE_BUILD_IDENTITY_H

/* The commit that was built, as AUTHCORE_COMMIT named it (Package.swift); empty where it did not. */
const char *ac_build_commit(void);

#endif
