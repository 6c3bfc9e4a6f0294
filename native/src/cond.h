/* A condition whose deadlines are on CLOCK_MONOTONIC, without pthread_cond_clockwait: that needs glibc 2.30, and musl has none. */
#ifndef BS_COND_H
#define BS_COND_H

#include <pthread.h>
#include <time.h>

/* 0, or an error number and the condition is as it was. */
static inline int bs_cond_init(pthread_cond_t *cond) {
    pthread_condattr_t attr;
    int failed = pthread_condattr_init(&attr);
    if (failed) return failed;
    failed = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    if (!failed) failed = pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
    return failed;
}

#endif
