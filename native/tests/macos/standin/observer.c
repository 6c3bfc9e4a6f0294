/* Observers: what an application posts reaches the run loop that has the observer's source. */
#define _GNU_SOURCE
#include "ax.h"
#include "clock.h"
#include "runloop.h"
#include "standin.h"
#include <stdlib.h>
#include <string.h>

typedef struct { uint32_t id; pid_t pid; bool application; char name[48]; void *refcon; } wish;
typedef struct { uint32_t id; pid_t pid; char name[48]; void *refcon; } news;
typedef struct {
    si s;
    pid_t pid;
    AXObserverCallback f;
    AXObserverCallbackWithInfo with_info;
    CFRunLoopSourceRef source;
    wish *wishes;
    int wishes_n;
    news *queue;
    int queue_n;
} si_observer;
static si_observer **all;
static int all_n, all_room;

static void deliver(void *info) {
    si_observer *o = info;
    for (;;) {
        si_lock();
        if (!o->queue_n) break;
        news n = o->queue[0];
        memmove(o->queue, o->queue + 1, (size_t)--o->queue_n * sizeof *o->queue);
        si_unlock();
        si_exempt(1);
        AXUIElementRef e = si_element_of(n.pid, n.id);
        CFStringRef name = si_str(n.name);
        si_exempt(-1);
        if (e && name) {
            if (o->f) o->f((AXObserverRef)o, e, name, n.refcon);
            else o->with_info((AXObserverRef)o, e, name, NULL, n.refcon);
        }
        if (e) CFRelease(e);
        if (name) CFRelease(name);
    }
    si_unlock();
}
static AXError create(pid_t pid, AXObserverCallback f, AXObserverCallbackWithInfo g, AXObserverRef *out) {
    si_lock();
    si_app *a = si_app_of(pid);
    bool there = a && !a->absent && !a->dead;
    si_unlock();
    *out = NULL;
    if (!there) return kAXErrorFailure;
    si_observer *o = si_new(SI_OBSERVER, sizeof *o);
    if (!o) return kAXErrorFailure;
    o->pid = pid;
    o->f = f;
    o->with_info = g;
    CFRunLoopSourceContext c = {.info = o, .perform = deliver};
    o->source = CFRunLoopSourceCreate(NULL, 0, &c);
    si_lock();
    if (all_n == all_room) all = realloc(all, (size_t)(all_room += 128) * sizeof *all);
    all[all_n++] = o;
    si_unlock();
    if (!o->source) return CFRelease(o), kAXErrorFailure;
    *out = (AXObserverRef)o;
    return kAXErrorSuccess;
}
AXError AXObserverCreate(pid_t pid, AXObserverCallback f, AXObserverRef *out) { return create(pid, f, NULL, out); }
AXError AXObserverCreateWithInfoCallback(pid_t pid, AXObserverCallbackWithInfo f, AXObserverRef *out) { return create(pid, NULL, f, out); }
CFRunLoopSourceRef AXObserverGetRunLoopSource(AXObserverRef p) { return ((si_observer *)si_check(p, SI_OBSERVER, "AXObserverGetRunLoopSource"))->source; }

static bool named(const char *list, const char *name) {
    for (size_t n = strlen(name); list && (list = strstr(list, name)); list += n)
        if (list[n] == 0 || list[n] == ',') return true;
    return false;
}
static int wished(si_observer *o, si_element *e, const char *name) {
    for (int i = 0; i < o->wishes_n; i++)
        if (o->wishes[i].id == e->node && o->wishes[i].pid == e->pid && !strcmp(o->wishes[i].name, name)) return i;
    return -1;
}
AXError AXObserverAddNotification(AXObserverRef p, AXUIElementRef element, CFStringRef notification, void *refcon) {
    si_observer *o = (si_observer *)si_check(p, SI_OBSERVER, "AXObserverAddNotification");
    const char *name = si_utf8(notification);
    si_app *a;
    int node;
    double timeout;
    AXError e = si_begin(element, "AddNotification", name, &a, &node, &timeout);
    if (e) return e;
    si_element *on = (si_element *)(uintptr_t)element;
    if (named(a->refuse, name)) e = kAXErrorNotificationUnsupported;
    else if (wished(o, on, name) >= 0) e = kAXErrorNotificationAlreadyRegistered;
    else {
        o->wishes = realloc(o->wishes, (size_t)(o->wishes_n + 1) * sizeof *o->wishes);
        wish *w = &o->wishes[o->wishes_n++];
        *w = (wish){.id = on->node, .pid = on->pid, .application = node == 0, .refcon = refcon};
        snprintf(w->name, sizeof w->name, "%s", name);
    }
    si_end(a);
    return e;
}
AXError AXObserverRemoveNotification(AXObserverRef p, AXUIElementRef element, CFStringRef notification) {
    si_observer *o = (si_observer *)si_check(p, SI_OBSERVER, "AXObserverRemoveNotification");
    si_app *a;
    int node;
    double timeout;
    AXError e = si_begin(element, "RemoveNotification", si_utf8(notification), &a, &node, &timeout);
    if (e) return e;
    int i = wished(o, (si_element *)(uintptr_t)element, si_utf8(notification));
    if (i < 0) e = kAXErrorNotificationNotRegistered;
    else o->wishes[i] = o->wishes[--o->wishes_n];
    si_end(a);
    return e;
}
/*
 * Whoever registered for the application hears of all its elements; of an element's end only who registered for that one.
 * With the lock held.
 */
void si_post(si_app *a, int node, const char *name) {
    if (node < 0 || a->hung || a->dead || a->absent || named(a->mute, name)) return;
    si_node *n = &a->nodes[node];
    bool end = !strcmp(name, "AXUIElementDestroyed") && strcmp(si_text_of(n, "AXRole"), "AXWindow");
    for (int i = 0; i < all_n; i++) {
        si_observer *o = all[i];
        for (int k = 0; k < o->wishes_n; k++) {
            wish *w = &o->wishes[k];
            if (w->pid != a->pid && w->pid != n->pid) continue;
            if (strcmp(w->name, name) || !((w->application && !end) || w->id == n->id)) continue;
            if ((o->queue_n & (o->queue_n - 1)) == 0) o->queue = realloc(o->queue, (size_t)(o->queue_n ? o->queue_n * 2 : 1) * sizeof *o->queue);
            news *x = &o->queue[o->queue_n++];
            *x = (news){.id = n->id, .pid = n->pid, .refcon = w->refcon};
            snprintf(x->name, sizeof x->name, "%s", name);
            si_source_arrived(o->source);
        }
    }
}
void si_notify(int pid, const char *label, const char *notification) {
    si_lock();
    si_app *a = si_app_of(pid);
    if (a) si_post(a, *label ? si_labelled(a, label) : 0, notification);
    si_unlock();
}
void si_forget_observer(si *p);
void si_forget_observer(si *p) {
    si_observer *o = (si_observer *)p;
    si_lock();
    for (int i = 0; i < all_n; i++)
        if (all[i] == o) all[i] = all[--all_n];
    si_unlock();
    /* Released, but still on a run loop: a Mac calls back into what is gone. */
    if (o->source) {
        CFRunLoopSourceInvalidate(o->source);
        CFRelease(o->source);
    }
    free(o->wishes), free(o->queue);
}
