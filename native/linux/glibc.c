/*
 * In a prebuilt core (make OLDEST=1): a function that glibc alone has. musl would load such a core, as it takes itself for
 * libc.so.6, and would run it with functions and structures of its own. So it refuses, and `check` says why.
 */
#ifdef BS_OLDEST_H
#include <gnu/libc-version.h>

extern const char *(*const bs_needs_glibc)(void);
__attribute__((used)) const char *(*const bs_needs_glibc)(void) = gnu_get_libc_version;
#endif
