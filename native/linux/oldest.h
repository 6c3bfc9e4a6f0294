/*
 * Included before every file of a prebuilt core (make OLDEST=1). glibc 2.32 and 2.34 moved these into libc.so.6 and gave them
 * a new version each, which older ones do not have; the functions are the same.
 */
#ifndef BS_OLDEST_H
#define BS_OLDEST_H

#if defined __x86_64__
#define BS_OLD "GLIBC_2.2.5"
#define BS_OLD_SETCLOCK "GLIBC_2.3.3"
#elif defined __aarch64__
#define BS_OLD "GLIBC_2.17"
#define BS_OLD_SETCLOCK BS_OLD
#else
#error "no prebuilt core is made for this processor"
#endif

__asm__(".symver dladdr, dladdr@" BS_OLD);
__asm__(".symver dlopen, dlopen@" BS_OLD);
__asm__(".symver dlsym, dlsym@" BS_OLD);
__asm__(".symver dlclose, dlclose@" BS_OLD);
__asm__(".symver pthread_create, pthread_create@" BS_OLD);
__asm__(".symver pthread_detach, pthread_detach@" BS_OLD);
__asm__(".symver pthread_join, pthread_join@" BS_OLD);
__asm__(".symver pthread_once, pthread_once@" BS_OLD);
__asm__(".symver pthread_sigmask, pthread_sigmask@" BS_OLD);
__asm__(".symver pthread_condattr_setclock, pthread_condattr_setclock@" BS_OLD_SETCLOCK);

#endif
