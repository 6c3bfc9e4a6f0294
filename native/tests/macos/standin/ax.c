/* The accessibility client: each call is a message to an application, answered one at a time, late or never. */
#define _GNU_SOURCE
#include "ax.h"
#include "clock.h"
#include "standin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEFAULT_TIMEOUT 6.0
static _Atomic float process_timeout;
static unsigned grants = SI_ACCESSIBILITY | SI_SCREEN | SI_POST | SI_LISTEN;
static atomic_uint inside;
static _Atomic uint64_t busy;
static _Thread_local struct timespec entered;
const CFStringRef kAXTrustedCheckOptionPrompt;

void si_grant(unsigned g) { grants = g; }
unsigned si_granted(void) { return grants; }
uint64_t si_busy_ns(void) { return atomic_load(&busy); }
unsigned si_threads_inside(void) { return atomic_load(&inside); }
Boolean AXIsProcessTrusted(void) { return grants & SI_ACCESSIBILITY; }
Boolean AXIsProcessTrustedWithOptions(CFDictionaryRef options) {
    if (options) si_check(options, SI_DICTIONARY, "AXIsProcessTrustedWithOptions");
    return grants & SI_ACCESSIBILITY;
}
static struct { si s; CFIndex n; UniChar *u; CFIndex bytes; char *utf8; } prompt = {SI_STATIC(SI_STRING), 0, NULL, 24, "AXTrustedCheckOptionPrompt"};
const CFStringRef kAXTrustedCheckOptionPrompt = (CFStringRef)&prompt;

AXUIElementRef si_element_of(pid_t pid, uint32_t id) {
    si_element *e = si_new(SI_ELEMENT, sizeof *e);
    if (!e) return NULL;
    e->pid = pid;
    e->node = id;
    return (AXUIElementRef)e;
}
static si_element *checked(AXUIElementRef p, const char *call) { return (si_element *)si_check(p, SI_ELEMENT, call); }
AXUIElementRef AXUIElementCreateApplication(pid_t pid) { return si_element_of(pid, 0); }
AXUIElementRef AXUIElementCreateSystemWide(void) { return si_element_of(0, 0); }
AXError AXUIElementGetPid(AXUIElementRef p, pid_t *pid) {
    *pid = checked(p, "AXUIElementGetPid")->pid;
    return *pid ? kAXErrorSuccess : kAXErrorIllegalArgument;
}
AXError AXUIElementSetMessagingTimeout(AXUIElementRef p, float seconds) {
    si_element *e = checked(p, "AXUIElementSetMessagingTimeout");
    if (seconds < 0) return kAXErrorIllegalArgument;
    if (e->pid == 0) atomic_store(&process_timeout, seconds);
    else atomic_store(&e->timeout, seconds);
    return kAXErrorSuccess;
}

static void enter(void) {
    atomic_fetch_add(&inside, 1);
    si_exempt(1);
    si_real_clock(CLOCK_MONOTONIC, &entered);
}
static void leave(void) {
    struct timespec now;
    si_real_clock(CLOCK_MONOTONIC, &now);
    atomic_fetch_add(&busy, (uint64_t)((now.tv_sec - entered.tv_sec) * 1000000000 + now.tv_nsec - entered.tv_nsec));
    atomic_fetch_sub(&inside, 1);
    si_exempt(-1);
}
static AXError out(AXError e) { return leave(), e; }
typedef struct { pid_t pid; uint64_t at; } silence;
static bool speaks(void *p) {
    si_lock();
    si_app *a = si_app_of(((silence *)p)->pid);
    bool yes = !a || a->dead || !(a->hung || a->deaf);
    si_unlock();
    return yes;
}
/*
 * The start of each message. On success the application's turn and the lock are held, until si_end. An element of another process than its
 * tree's is answered by the tree's application, which is how its node is found.
 */
_Thread_local si_app *si_turn;
AXError si_begin(AXUIElementRef p, const char *call, const char *detail, si_app **app, int *node, double *timeout) {
    si_element *e = checked(p, call);
    bool is_short = si_short(); /* what kAXErrorFailure is for: an object could not be made */
    enter();
    if (is_short) return out(kAXErrorFailure);
    float own = atomic_load(&e->timeout), all = atomic_load(&process_timeout);
    *timeout = own > 0 ? (double)own : all > 0 ? (double)all : DEFAULT_TIMEOUT;
    if (!(grants & SI_ACCESSIBILITY)) return out(kAXErrorAPIDisabled);
    si_due();
    si_lock();
    si_app *a = si_owner(e->pid, e->node, node);
    if (!a) {
        a = si_app_of(e->pid);
        int corpse = a && e->node ? kAXErrorInvalidUIElement : kAXErrorCannotComplete;
        if (a) a->messages++, si_count(a, call);
        si_unlock();
        return out(corpse);
    }
    a->messages++;
    si_count(a, call);
    if (detail) si_count(a, detail);
    uint64_t until = si_now_ns() + (uint64_t)(*timeout * 1e9);
    AXError error = kAXErrorSuccess;
    if (a->dead) error = a->corpse;
    else if (a->absent || si_now_ns() < a->born_ns + a->late_ms * 1000000ull) error = kAXErrorCannotComplete;
    if (error) {
        si_unlock();
        return out(error);
    }
    if (a->hung || a->deaf) {
        silence s = {a->pid, 0};
        bool deaf = a->deaf;
        si_unlock();
        if (!si_wait_until(deaf ? UINT64_MAX : until, speaks, &s)) return out(kAXErrorCannotComplete);
        si_lock();
        a = si_owner(e->pid, e->node, node);
        if (!a || a->dead) {
            error = a ? a->corpse : kAXErrorInvalidUIElement;
            si_unlock();
            return out(error);
        }
    }
    si_unlock();
    pthread_mutex_lock(&a->turn);
    si_turn = a;
    if (a->latency_us) si_wait_until(si_now_ns() + a->latency_us * 1000ull, NULL, NULL);
    si_lock();
    a = si_owner(e->pid, e->node, node);
    if (!a) abort();
    si_rule *r = si_rule_of(&a->nodes[0], "call");
    if (r) {
        si_result x = si_run(a, 0, r->effects, *timeout);
        if (x.thrown || x.answer) {
            si_end(a);
            if (x.thrown) si_throw();
            return x.answer;
        }
    }
    if (!si_is_there(a, *node)) return si_end(a), kAXErrorInvalidUIElement;
    *app = a;
    return kAXErrorSuccess;
}
void si_end(si_app *a) {
    si_unlock();
    si_turn = NULL;
    pthread_mutex_unlock(&a->turn);
    leave();
}
