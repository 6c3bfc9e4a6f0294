/*
 * What Darwin's C library is to the core, told by Linux's, where numbers or layouts differ. A mutex there begins with a signature, and has 64
 * bytes; ours lies behind it. What is not listed is the same on both, or of the stand-in.
 */
#define _GNU_SOURCE
#include "../standin/clock.h"
#include "../standin/system.h"
#include "loader.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { D_MUTEX = 0x32AAABA7, D_COND = 0x3CB0B1BB, D_ONCE = 0x30B1BCBA, MADE = 0x4D414445 };
typedef struct { long signature; char rest[56]; } d_mutex; /* 64 bytes; a condition has 48, a once 16 */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

int si_real_clock(clockid_t clock, struct timespec *t) { return clock_gettime(clock, t); }
int si_real_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *at) { return pthread_cond_timedwait(c, m, at); }

/* A condition of Darwin's 40 bytes behind its signature has no room for Linux's 48: it is elsewhere. */
static void init_cond(d_mutex *c) {
    pthread_condattr_t a;
    pthread_cond_t *made = malloc(sizeof *made);
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(made, &a);
    pthread_condattr_destroy(&a);
    memcpy(c->rest, &made, sizeof made);
}
static void *real(d_mutex *m, long signature) {
    if (__atomic_load_n(&m->signature, __ATOMIC_ACQUIRE) != MADE) {
        pthread_mutex_lock(&making);
        if (m->signature != MADE) {
            if (m->signature != signature) {
                fprintf(stderr, "shim: a mutex or condition that nobody initialised\n");
                abort();
            }
            if (signature == D_COND) init_cond(m);
            else pthread_mutex_init((pthread_mutex_t *)(void *)m->rest, NULL);
            __atomic_store_n(&m->signature, MADE, __ATOMIC_RELEASE);
        }
        pthread_mutex_unlock(&making);
    }
    void *p = m->rest;
    if (signature == D_COND) memcpy(&p, m->rest, sizeof p);
    return p;
}
static int mutex_init(d_mutex *m, const void *a) { return (void)a, m->signature = D_MUTEX, 0; }
static int mutex_lock(d_mutex *m) { return pthread_mutex_lock(real(m, D_MUTEX)); }
static int mutex_trylock(d_mutex *m) { return pthread_mutex_trylock(real(m, D_MUTEX)); }
static int mutex_unlock(d_mutex *m) { return pthread_mutex_unlock(real(m, D_MUTEX)); }
static int mutex_destroy(d_mutex *m) { return m->signature == MADE ? pthread_mutex_destroy((void *)m->rest) : 0; }
static int cond_init(d_mutex *c, const void *a) { return (void)a, c->signature = D_COND, 0; }
static int cond_destroy(d_mutex *c) {
    if (c->signature == MADE) {
        void *p = real(c, D_COND);
        pthread_cond_destroy(p);
        free(p);
        c->signature = 0;
    }
    return 0;
}
static int cond_signal(d_mutex *c) { return pthread_cond_signal(real(c, D_COND)); }
static int cond_broadcast(d_mutex *c) { return pthread_cond_broadcast(real(c, D_COND)); }
static int d_errno(int e) { return e == ETIMEDOUT ? 60 : e == EAGAIN ? 35 : e == EDEADLK ? 11 : e; }
static int cond_wait(d_mutex *c, d_mutex *m) { return pthread_cond_wait(real(c, D_COND), real(m, D_MUTEX)); }
static int cond_relative(d_mutex *c, d_mutex *m, const struct timespec *most) {
    uint64_t at = si_now_ns() + (uint64_t)most->tv_sec * 1000000000u + (uint64_t)most->tv_nsec;
    struct timespec t = {(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
    return d_errno(si_cond_timedwait(real(c, D_COND), real(m, D_MUTEX), &t));
}
static int once(d_mutex *o, void (*f)(void)) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    bool first = o->signature == D_ONCE;
    o->signature = MADE;
    if (first) f();
    pthread_mutex_unlock(&lock);
    return 0;
}
/* pthread_attr_t: 64 bytes there, 56 here. */
static int thread_create(pthread_t *t, const void *a, void *(*f)(void *), void *x) { return d_errno(pthread_create(t, a ? (const pthread_attr_t *)((const char *)a + 8) : NULL, f, x)); }
static int attr_init(char *a) { return pthread_attr_init((pthread_attr_t *)(void *)(a + 8)); }
static int attr_destroy(char *a) { return pthread_attr_destroy((pthread_attr_t *)(void *)(a + 8)); }
static int attr_detach(char *a, int state) { return pthread_attr_setdetachstate((pthread_attr_t *)(void *)(a + 8), state == 2 ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE); }
static int attr_stack(char *a, size_t n) { return pthread_attr_setstacksize((pthread_attr_t *)(void *)(a + 8), n); }
/* sigset_t: 32 bits there; signal numbers beyond 15 differ, so "all" and "none" are all that is translated. */
static int sig_fill(uint32_t *s) { return *s = ~0u, 0; }
static int sig_empty(uint32_t *s) { return *s = 0, 0; }
static int sig_mask(int how, const uint32_t *set, uint32_t *old) {
    sigset_t s, before;
    if (set && *set) sigfillset(&s);
    else sigemptyset(&s);
    int r = pthread_sigmask(how == 1 ? SIG_BLOCK : how == 2 ? SIG_UNBLOCK : SIG_SETMASK, set ? &s : NULL, &before);
    if (old) *old = sigismember(&before, SIGUSR1) == 1 ? ~0u : 0;
    return r;
}
static int d_clock(int c, struct timespec *t) { return si_clock_gettime(c == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, t); }
static uint64_t absolute(void) { return si_now_ns(); }
static int timebase(uint32_t *t) { return t[0] = t[1] = 1, 0; }
static int *d_error(void) { return &errno; }
static int set_name(const char *n) { return pthread_setname_np(pthread_self(), n); }
static void *d_dlopen(const char *path, int flags) { return si_dlopen(path, flags & 1 ? RTLD_LAZY : RTLD_NOW, dlopen); }
static void *d_dlsym(void *h, const char *name) { return si_dlsym(h, name, dlsym); }
static int d_dlclose(void *h) { return si_is_framework(h) ? 0 : dlclose(h); }
typedef struct { uint64_t inode, offset; uint16_t size, length; uint8_t type; char name[1024]; } d_entry;
static d_entry *d_readdir(DIR *d) {
    static _Thread_local d_entry e;
    struct dirent *from = readdir(d);
    if (!from) return NULL;
    e = (d_entry){.inode = from->d_ino, .size = sizeof e, .length = (uint16_t)strlen(from->d_name), .type = from->d_type};
    memcpy(e.name, from->d_name, (size_t)e.length + 1);
    return &e;
}
static long guard_value = 0x5bd1e995;
static _Noreturn void smashed(void) {
    fprintf(stderr, "shim: stack smashed\n");
    abort();
}
static _Noreturn void never(void) { abort(); }
static void zero(void *p, size_t n) { memset(p, 0, n); }
static void pattern(uint8_t *p, const uint8_t *what, size_t n) {
    for (size_t i = 0; i < n; i++) p[i] = what[i & 15];
}
static int chk_snprintf(char *to, size_t n, int flag, size_t size, const char *format, ...) {
    (void)flag, (void)size;
    __builtin_va_list l;
    __builtin_va_start(l, format);
    int r = vsnprintf(to, n, format, l);
    __builtin_va_end(l);
    return r;
}
static int chk_vsnprintf(char *to, size_t n, int flag, size_t size, const char *format, __builtin_va_list l) { return (void)flag, (void)size, vsnprintf(to, n, format, l); }
static void *chk_memcpy(void *to, const void *from, size_t n, size_t room) { return (void)room, memcpy(to, from, n); }
static void *chk_memmove(void *to, const void *from, size_t n, size_t room) { return (void)room, memmove(to, from, n); }
static void *chk_memset(void *to, int c, size_t n, size_t room) { return (void)room, memset(to, c, n); }

static const struct { const char *name; void *f; } own[] = {
    {"_pthread_mutex_init", mutex_init}, {"_pthread_mutex_lock", mutex_lock}, {"_pthread_mutex_trylock", mutex_trylock}, {"_pthread_mutex_unlock", mutex_unlock}, {"_pthread_mutex_destroy", mutex_destroy},
    {"_pthread_cond_init", cond_init}, {"_pthread_cond_destroy", cond_destroy}, {"_pthread_cond_signal", cond_signal}, {"_pthread_cond_broadcast", cond_broadcast}, {"_pthread_cond_wait", cond_wait},
    {"_pthread_cond_timedwait_relative_np", cond_relative}, {"_pthread_once", once}, {"_pthread_create", thread_create}, {"_pthread_attr_init", attr_init}, {"_pthread_attr_destroy", attr_destroy},
    {"_pthread_attr_setdetachstate", attr_detach}, {"_pthread_attr_setstacksize", attr_stack}, {"_pthread_setname_np", set_name}, {"_pthread_sigmask", sig_mask}, {"_sigfillset", sig_fill}, {"_sigemptyset", sig_empty},
    {"_clock_gettime", d_clock}, {"_mach_absolute_time", absolute}, {"_mach_timebase_info", timebase}, {"___error", d_error}, {"_dlopen", d_dlopen}, {"_dlsym", d_dlsym}, {"_dlclose", d_dlclose},
    {"___stack_chk_guard", &guard_value}, {"___stack_chk_fail", smashed}, {"dyld_stub_binder", never}, {"___bzero", zero}, {"_bzero", zero}, {"_memset_pattern16", pattern}, {"_opendir$INODE64", opendir}, {"_readdir$INODE64", d_readdir}, {"___snprintf_chk", chk_snprintf},
    {"___vsnprintf_chk", chk_vsnprintf}, {"___memcpy_chk", chk_memcpy}, {"___memmove_chk", chk_memmove}, {"___memset_chk", chk_memset},
    /* Of the compiler of Objective-C; the personality is unwind.c's own. */
    {"___objc_personality_v0", never}, {"_objc_begin_catch", macho_begin_catch}, {"_objc_end_catch", macho_end_catch}, {"_OBJC_EHTYPE_id", &guard_value}};
void *shim_resolve(const char *name) {
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(own[i].name, name)) return own[i].f;
    return name[0] == '_' ? dlsym(RTLD_DEFAULT, name + 1) : NULL;
}
