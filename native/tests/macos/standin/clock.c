/* Time as the code under test sees it: the real clock, or one that moves on by whatever would wait. */
#define _GNU_SOURCE
#include "clock.h"
#include "standin.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_bool is_virtual;
static _Atomic uint64_t offset_ns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make(void) {
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&moved, &a);
    pthread_condattr_destroy(&a);
}

static uint64_t real_ns(void) {
    struct timespec t;
    si_real_clock(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
uint64_t si_now_ns(void) { return real_ns() + atomic_load(&offset_ns); }
double si_now(void) { return (double)si_now_ns() / 1e9; }
void si_virtual(bool on) { atomic_store(&is_virtual, on); }
void si_clock_changed(void) {
    pthread_once(&once, make);
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&lock);
}
void si_advance(double seconds) {
    if (seconds > 0) atomic_fetch_add(&offset_ns, (uint64_t)(seconds * 1e9));
    si_clock_changed();
}
void si_clock_reset(void) { atomic_store(&is_virtual, false); }

/* Until a moment, or until `done` says so; true: it did. Who changes what `done` looks at calls si_clock_changed(). */
bool si_wait_until(uint64_t at, bool (*done)(void *), void *with) {
    if (atomic_load(&is_virtual) && at != UINT64_MAX) {
        if (done && done(with)) return true;
        uint64_t now = si_now_ns();
        if (now < at) si_advance((double)(at - now) / 1e9);
        return false;
    }
    return si_wait_passive(at, done, with);
}
bool si_wait_passive(uint64_t at, bool (*done)(void *), void *with) {
    pthread_once(&once, make);
    pthread_mutex_lock(&lock);
    bool is = false;
    while (!(is = done && done(with))) {
        uint64_t now = si_now_ns(), wait = at > now ? at - now : 0;
        if (!wait) break;
        if (wait > 3600000000000u) wait = 3600000000000u;
        uint64_t until = real_ns() + wait;
        struct timespec t = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
        pthread_cond_timedwait(&moved, &lock, &t);
    }
    pthread_mutex_unlock(&lock);
    return is;
}

/* What the code under test calls, by --wrap or through the shim. */
int si_clock_gettime(clockid_t clock, struct timespec *t) {
    int failed = si_real_clock(clock, t);
    if (failed || clock != CLOCK_MONOTONIC) return failed;
    uint64_t ns = (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec + atomic_load(&offset_ns);
    *t = (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    return 0;
}
/* The deadline is of the code under test's clock. In slices, since another thread may move that on. */
int si_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
    uint64_t at = (uint64_t)deadline->tv_sec * 1000000000u + (uint64_t)deadline->tv_nsec, now = si_now_ns();
    if (now >= at) return ETIMEDOUT;
    uint64_t wait = at - now, slice = atomic_load(&is_virtual) ? 2000000u : UINT64_MAX;
    uint64_t until = real_ns() + (wait < slice ? wait : slice);
    struct timespec t = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    int r = si_real_timedwait(condition, mutex, &t);
    return r == ETIMEDOUT && si_now_ns() < at ? 0 : r; /* a wake without a cause is allowed */
}
