#ifndef SI_CLOCK_H
#define SI_CLOCK_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
uint64_t si_now_ns(void);
bool si_wait_until(uint64_t at_ns, bool (*done)(void *), void *with);   /* a virtual clock is moved on to then */
bool si_wait_passive(uint64_t at_ns, bool (*done)(void *), void *with); /* never moves the clock */
void si_clock_changed(void);
void si_clock_reset(void);
int si_clock_gettime(clockid_t clock, struct timespec *t);
int si_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
/* The C library's own: a program that is linked with --wrap names them otherwise (wrap.c, or macho/shim.c). */
int si_real_clock(clockid_t clock, struct timespec *t);
int si_real_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
#endif
