/* A condition whose deadlines are on CLOCK_MONOTONIC, without pthread_cond_clockwait: that needs glibc 2.30, and neither musl nor Darwin has it. */
#ifndef BS_COND_H
#define BS_COND_H

#include <pthread.h>
#include <time.h>

#include "bytes.h"

/* 0, or an error number and the condition is as it was. */
static inline int bs_cond_init(pthread_cond_t *cond) {
#ifdef __APPLE__
    return pthread_cond_init(cond, NULL); /* its waits are relative */
#else
    pthread_condattr_t attr;
    int failed = pthread_condattr_init(&attr);
    if (failed) return failed;
    failed = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    if (!failed) failed = pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
    return failed;
#endif
}

/* Waits until bs_now_us() is `until_us`, or less. */
static inline void bs_cond_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_us) {
#ifdef __APPLE__
    uint64_t now = bs_now_us(), left = until_us > now ? until_us - now : 0;
    struct timespec most = {.tv_sec = (time_t)(left / 1000000), .tv_nsec = (long)(left % 1000000) * 1000};
    pthread_cond_timedwait_relative_np(cond, lock, &most);
#else
    struct timespec at = {.tv_sec = (time_t)(until_us / 1000000), .tv_nsec = (long)(until_us % 1000000) * 1000};
    pthread_cond_timedwait(cond, lock, &at);
#endif
}

#endif
