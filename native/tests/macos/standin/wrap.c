/* The clock of what is compiled for Linux: the linker's --wrap sends its calls here. */
#define _GNU_SOURCE
#include "clock.h"
int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t) { return si_clock_gettime(clock, t); }
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *at) { return si_cond_timedwait(c, m, at); }
int si_real_clock(clockid_t clock, struct timespec *t) { return __real_clock_gettime(clock, t); }
int si_real_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *at) { return __real_pthread_cond_timedwait(c, m, at); }
#include "system.h"
void *__real_dlopen(const char *path, int flags);
void *__real_dlsym(void *handle, const char *name);
int __real_dlclose(void *handle);
void *__wrap_dlopen(const char *path, int flags);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);
void *__wrap_dlopen(const char *path, int flags) { return si_dlopen(path, flags, __real_dlopen); }
void *__wrap_dlsym(void *handle, const char *name) { return si_dlsym(handle, name, __real_dlsym); }
int __wrap_dlclose(void *handle) { return si_is_framework(handle) ? 0 : __real_dlclose(handle); }
