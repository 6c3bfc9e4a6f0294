/* Run loops: sources that any thread signals, one thread that waits. Common modes are the default mode. */
#define _GNU_SOURCE
#include "clock.h"
#include "object.h"
#include "runloop.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct si_loop si_loop;
typedef struct { si s; si_loop *on; atomic_bool signalled; bool invalid; CFRunLoopSourceContext c; } si_source;
typedef struct { si s; bool invalid; double at, every; CFRunLoopTimerCallBack f; void *info; } si_timer;
struct si_loop { si s; si_source *sources[128]; unsigned n; si_timer *timers[16]; unsigned timers_n; bool stop, woken; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all loops: they have nothing to do */
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static si_loop *main_loop;
static void drop(void *loop) { CFRelease(loop); }
static void make_key(void) { pthread_key_create(&key, drop); }

static struct { si s; CFIndex n; UniChar *u; CFIndex bytes; char *utf8; } default_mode = {SI_STATIC(SI_STRING), 0, NULL, 21, "kCFRunLoopDefaultMode"},
                                                                         common_modes = {SI_STATIC(SI_STRING), 0, NULL, 21, "kCFRunLoopCommonModes"};
const CFRunLoopMode kCFRunLoopDefaultMode = (CFRunLoopMode)&default_mode, kCFRunLoopCommonModes = (CFRunLoopMode)&common_modes;

static si_loop *current(void) {
    pthread_once(&once, make_key);
    si_loop *l = pthread_getspecific(key);
    if (l) return l;
    l = si_new(SI_LOOP, sizeof *l);
    if (!l) abort();
    pthread_setspecific(key, l);
    return l;
}
CFRunLoopRef CFRunLoopGetCurrent(void) { return (CFRunLoopRef)current(); }
CFRunLoopRef CFRunLoopGetMain(void) {
    if (!main_loop) main_loop = si_new(SI_LOOP, sizeof *main_loop);
    return (CFRunLoopRef)main_loop;
}

CFRunLoopSourceRef CFRunLoopSourceCreate(CFAllocatorRef a, CFIndex order, CFRunLoopSourceContext *c) {
    (void)a, (void)order;
    si_source *s = si_new(SI_SOURCE, sizeof *s);
    if (!s) return NULL;
    s->c = *c;
    if (c->retain && c->info) s->c.info = (void *)(uintptr_t)c->retain(c->info);
    return (CFRunLoopSourceRef)s;
}
void CFRunLoopSourceSignal(CFRunLoopSourceRef p) { atomic_store(&((si_source *)si_check(p, SI_SOURCE, "CFRunLoopSourceSignal"))->signalled, true); }
/* A port's source wakes its loop by itself; one that code signals needs CFRunLoopWakeUp. */
void si_source_arrived(CFRunLoopSourceRef p) {
    CFRunLoopSourceSignal(p);
    si_clock_changed();
}
void CFRunLoopAddSource(CFRunLoopRef r, CFRunLoopSourceRef p, CFRunLoopMode mode) {
    si_check(mode, SI_STRING, "CFRunLoopAddSource");
    si_loop *l = (si_loop *)si_check(r, SI_LOOP, "CFRunLoopAddSource");
    si_source *s = (si_source *)si_check(p, SI_SOURCE, "CFRunLoopAddSource");
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < l->n; i++)
        if (l->sources[i] == s) s = NULL;
    if (s && s->on) si_wrong("a source on two run loops", p);
    if (s) {
        if (l->n == 128) abort();
        s->on = l;
        l->sources[l->n++] = (si_source *)(uintptr_t)CFRetain(s);
    }
    pthread_mutex_unlock(&lock);
    si_clock_changed();
}
void CFRunLoopRemoveSource(CFRunLoopRef r, CFRunLoopSourceRef p, CFRunLoopMode mode) {
    (void)mode;
    si_loop *l = (si_loop *)si_check(r, SI_LOOP, "CFRunLoopRemoveSource");
    si_check(p, SI_SOURCE, "CFRunLoopRemoveSource");
    si_source *gone = NULL;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < l->n && !gone; i++)
        if ((CFTypeRef)l->sources[i] == (CFTypeRef)p) gone = l->sources[i], l->sources[i] = l->sources[--l->n];
    if (gone) gone->on = NULL;
    pthread_mutex_unlock(&lock);
    if (gone) CFRelease(gone);
}
Boolean CFRunLoopContainsSource(CFRunLoopRef r, CFRunLoopSourceRef p, CFRunLoopMode mode) { return (void)mode, ((si_source *)si_check(p, SI_SOURCE, "CFRunLoopContainsSource"))->on == (si_loop *)r; }
void CFRunLoopSourceInvalidate(CFRunLoopSourceRef p) {
    si_source *s = (si_source *)si_check(p, SI_SOURCE, "CFRunLoopSourceInvalidate");
    s->invalid = true;
    if (s->on) CFRunLoopRemoveSource((CFRunLoopRef)s->on, p, kCFRunLoopDefaultMode);
}
Boolean CFRunLoopSourceIsValid(CFRunLoopSourceRef p) { return !((si_source *)si_check(p, SI_SOURCE, "CFRunLoopSourceIsValid"))->invalid; }

CFRunLoopTimerRef CFRunLoopTimerCreate(CFAllocatorRef a, CFAbsoluteTime fire, CFTimeInterval every, CFOptionFlags f, CFIndex o, CFRunLoopTimerCallBack call, CFRunLoopTimerContext *c) {
    (void)a, (void)f, (void)o;
    si_timer *t = si_new(SI_TIMER, sizeof *t);
    if (!t) return NULL;
    t->at = fire;
    t->every = every;
    t->f = call;
    t->info = c ? c->info : NULL;
    return (CFRunLoopTimerRef)t;
}
void CFRunLoopTimerInvalidate(CFRunLoopTimerRef p) { ((si_timer *)si_check(p, SI_TIMER, "CFRunLoopTimerInvalidate"))->invalid = true; }
void CFRunLoopAddTimer(CFRunLoopRef r, CFRunLoopTimerRef p, CFRunLoopMode mode) {
    (void)mode;
    si_loop *l = (si_loop *)si_check(r, SI_LOOP, "CFRunLoopAddTimer");
    pthread_mutex_lock(&lock);
    if (l->timers_n == 16) abort();
    l->timers[l->timers_n++] = (si_timer *)(uintptr_t)CFRetain(p);
    pthread_mutex_unlock(&lock);
    si_clock_changed();
}
CFAbsoluteTime CFAbsoluteTimeGetCurrent(void) { return (double)si_now_ns() / 1e9; }

static void set(CFRunLoopRef r, bool stop) {
    si_loop *l = (si_loop *)si_check(r, SI_LOOP, stop ? "CFRunLoopStop" : "CFRunLoopWakeUp");
    pthread_mutex_lock(&lock);
    if (stop) l->stop = true;
    l->woken = true;
    pthread_mutex_unlock(&lock);
    si_clock_changed();
}
void CFRunLoopStop(CFRunLoopRef r) { set(r, true); }
void CFRunLoopWakeUp(CFRunLoopRef r) { set(r, false); }

static bool pending(void *p) {
    si_loop *l = p;
    pthread_mutex_lock(&lock);
    bool is = l->stop || l->woken;
    for (unsigned i = 0; i < l->n; i++) is |= atomic_load(&l->sources[i]->signalled);
    pthread_mutex_unlock(&lock);
    return is;
}
/* Performs what is due; true: a source was handled. */
static bool perform(si_loop *l) {
    bool any = false;
    for (;;) {
        si_source *s = NULL;
        pthread_mutex_lock(&lock);
        l->woken = false;
        for (unsigned i = 0; i < l->n && !s; i++)
            if (atomic_exchange(&l->sources[i]->signalled, false)) s = (si_source *)(uintptr_t)CFRetain(l->sources[i]);
        pthread_mutex_unlock(&lock);
        if (!s) break;
        if (s->c.perform) s->c.perform(s->c.info);
        CFRelease(s);
        any = true;
    }
    double now = CFAbsoluteTimeGetCurrent();
    for (unsigned i = 0; i < l->timers_n; i++) {
        si_timer *t = l->timers[i];
        if (t->invalid || t->at > now) continue;
        if (t->every > 0) t->at = now + t->every;
        else t->invalid = true;
        t->f((CFRunLoopTimerRef)t, t->info);
    }
    return any;
}
CFRunLoopRunResult CFRunLoopRunInMode(CFRunLoopMode mode, CFTimeInterval seconds, Boolean after_source) {
    si_check(mode, SI_STRING, "CFRunLoopRunInMode");
    si_loop *l = current();
    if (!l->n && !l->timers_n) return kCFRunLoopRunFinished;
    uint64_t until = seconds > 1e8 ? UINT64_MAX : si_now_ns() + (uint64_t)(seconds * 1e9);
    for (;;) {
        bool any = perform(l);
        pthread_mutex_lock(&lock);
        bool stop = l->stop;
        l->stop = false;
        pthread_mutex_unlock(&lock);
        if (stop) return kCFRunLoopRunStopped;
        if (any && after_source) return kCFRunLoopRunHandledSource;
        uint64_t at = until;
        for (unsigned i = 0; i < l->timers_n; i++)
            if (!l->timers[i]->invalid && (uint64_t)(l->timers[i]->at * 1e9) < at) at = (uint64_t)(l->timers[i]->at * 1e9);
        if (si_now_ns() >= until) return kCFRunLoopRunTimedOut;
        si_wait_passive(at, pending, l);
    }
}
void CFRunLoopRun(void) { while (CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1e9, 0) == kCFRunLoopRunTimedOut) {} }

CFRunLoopSourceRef CFMachPortCreateRunLoopSource(CFAllocatorRef a, CFMachPortRef port, CFIndex order) {
    si_port *p = (si_port *)si_check(port, SI_PORT, "CFMachPortCreateRunLoopSource");
    CFRunLoopSourceContext c = {.info = p, .perform = p->perform};
    if (!p->source) p->source = CFRunLoopSourceCreate(a, order, &c);
    return p->source ? (CFRunLoopSourceRef)(uintptr_t)CFRetain(p->source) : NULL;
}
void CFMachPortInvalidate(CFMachPortRef port) {
    si_port *p = (si_port *)si_check(port, SI_PORT, "CFMachPortInvalidate");
    p->invalid = true;
    if (p->source) CFRunLoopSourceInvalidate(p->source);
}
void si_forget_loop(si *p);
void si_forget_loop(si *p) {
    if (p->type == SI_LOOP) {
        si_loop *l = (si_loop *)p;
        for (unsigned i = 0; i < l->n; i++) l->sources[i]->on = NULL, CFRelease(l->sources[i]);
        for (unsigned i = 0; i < l->timers_n; i++) CFRelease(l->timers[i]);
    } else if (p->type == SI_SOURCE) {
        si_source *s = (si_source *)p;
        if (s->on) si_wrong("a run loop's source released too often", p);
        if (s->c.release && s->c.info) s->c.release(s->c.info);
    } else if (p->type == SI_PORT) {
        si_port *port = (si_port *)p;
        if (port->forget) port->forget(port);
        if (port->source) CFRelease(port->source);
    }
}
