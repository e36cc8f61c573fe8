/* Which build this is. */
#ifndef AUTHCORE_BUILD_IDENTITY_H
#define AUTHCORE_BUILD_IDENTITY_H

/* The commit that was built, as AUTHCORE_COMMIT named it (Package.swift); empty where it did not. */
const char *ac_build_commit(void);

/* The path of authcored that a build of the libraries for one installation is for; empty for other builds. */
const char *ac_build_core_program(void);

#endif
