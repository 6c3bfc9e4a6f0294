/* libSystem beyond POSIX: which processes there are and when one ends; the linker's or the shim's dlopen and dlsym. */
#define _GNU_SOURCE
#include "system.h"
#include "clock.h"
#include "model.h"
#include "standin.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char absent[512];
void si_absent(const char *symbol) {
    if (!symbol) *absent = 0;
    else snprintf(absent + strlen(absent), sizeof absent - strlen(absent), "%s,", symbol);
}
bool si_is_absent(const char *symbol) {
    size_t n = strlen(symbol);
    for (const char *p = absent; (p = strstr(p, symbol)); p += n)
        if (p[n] == ',' && (p == absent || p[-1] == ',')) return true;
    return false;
}
static int framework;
void *si_dlopen(const char *path, int flags, void *(*real)(const char *, int)) {
    if (!path || strncmp(path, "/System/", 8)) return real(path, flags);
    const char *name = strrchr(path, '/') + 1;
    return si_is_absent(name) ? NULL : &framework;
}
void *si_dlsym(void *handle, const char *name, void *(*real)(void *, const char *)) {
    if (si_is_absent(name)) return NULL;
    return real(handle == &framework || handle == (void *)(intptr_t)-2 || !handle ? RTLD_DEFAULT : handle, name);
}
bool si_is_framework(void *handle) { return handle == &framework; }

static bool runs(si_app *a) { return !a->absent && !a->dead; }
int proc_listpids(uint32_t type, uint32_t info, void *pids, int room) {
    (void)info;
    if (type != PROC_ALL_PIDS) return errno = EINVAL, 0;
    int n = 0;
    si_lock();
    for (int i = 0; si_apps(i); i++) {
        if (!runs(si_apps(i))) continue;
        if (pids && (n + 1) * (int)sizeof(int) > room) break;
        if (pids) ((int *)pids)[n] = si_apps(i)->pid;
        n++;
    }
    si_unlock();
    return (pids ? n : n + 16) * (int)sizeof(int); /* an estimate leaves room for what begins meanwhile */
}
int proc_pidinfo(int pid, int flavour, uint64_t argument, void *to, int room) {
    (void)argument;
    if (flavour != PROC_PIDTBSDINFO || room < (int)sizeof(struct proc_bsdinfo)) return errno = EINVAL, 0;
    struct proc_bsdinfo *b = to;
    int n = 0;
    si_lock();
    si_app *a = si_app_of(pid);
    if (a && runs(a)) {
        *b = (struct proc_bsdinfo){.pbi_pid = (uint32_t)pid, .pbi_ppid = 1, .pbi_uid = (uint32_t)getuid(), .pbi_start_tvsec = 1700000000u + a->born_ns / 1000000000u, .pbi_start_tvusec = a->born_ns / 1000u % 1000000u};
        snprintf(b->pbi_comm, sizeof b->pbi_comm, "%s", a->name);
        snprintf(b->pbi_name, sizeof b->pbi_name, "%s", a->name);
        n = sizeof *b;
    }
    si_unlock();
    if (!n) errno = ESRCH;
    return n;
}
static int text(int pid, void *to, uint32_t room, bool path) {
    int n = 0;
    si_lock();
    si_app *a = si_app_of(pid);
    if (a && runs(a)) {
        if (path && a->path) n = snprintf(to, room, "%s/Contents/MacOS/%s", a->path, a->name);
        else n = snprintf(to, room, "%s%s", path ? "/usr/bin/" : "", a->name);
    }
    si_unlock();
    if (!n) errno = ESRCH;
    return n;
}
int proc_pidpath(int pid, void *path, uint32_t room) { return text(pid, path, room, true); }
int proc_name(int pid, void *name, uint32_t room) { return text(pid, name, room, false); }

/* kqueue: the ends of processes and what a thread triggers. A queue is a descriptor, closed as any. */
typedef struct { int queue, filter, flags; uintptr_t ident; void *data; bool ready; } knote;
static knote notes[256];
static int notes_n;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int kqueue(void) {
    int ends[2];
    if (pipe(ends)) return -1;
    close(ends[1]);
    pthread_mutex_lock(&guard);
    for (int i = 0; i < notes_n; i++) /* of a closed one that had this number */
        if (notes[i].queue == ends[0]) notes[i--] = notes[--notes_n];
    pthread_mutex_unlock(&guard);
    return ends[0];
}
static int change(int queue, const struct kevent *c) {
    knote *k = NULL;
    for (int i = 0; i < notes_n && !k; i++)
        if (notes[i].queue == queue && notes[i].filter == c->filter && notes[i].ident == c->ident) k = &notes[i];
    if (c->flags & EV_DELETE) return k ? (*k = notes[--notes_n], 0) : ENOENT;
    if (c->flags & EV_ADD) {
        if (c->filter == EVFILT_PROC) {
            si_lock();
            si_app *a = si_app_of((pid_t)c->ident);
            bool is = a && runs(a);
            si_unlock();
            if (!is) return ESRCH;
        }
        if (!k) {
            if (notes_n == 256) return ENOMEM;
            k = &notes[notes_n++];
        }
        *k = (knote){queue, c->filter, c->flags, c->ident, c->udata, false};
    }
    if (!k) return ENOENT;
    if (c->filter == EVFILT_USER && c->fflags & NOTE_TRIGGER) k->ready = true;
    return 0;
}
static bool any(void *queue) {
    bool is = false;
    pthread_mutex_lock(&guard);
    for (int i = 0; i < notes_n; i++) is |= notes[i].queue == *(int *)queue && notes[i].ready;
    pthread_mutex_unlock(&guard);
    return is;
}
int kevent(int queue, const struct kevent *changes, int n, struct kevent *events, int room, const struct timespec *timeout) {
    int out = 0, error = 0;
    pthread_mutex_lock(&guard);
    for (int i = 0; i < n && !error; i++) {
        int e = change(queue, &changes[i]);
        if (e && out < room) events[out] = changes[i], events[out].flags = EV_ERROR, events[out++].data = e;
        else if (e) error = e;
    }
    pthread_mutex_unlock(&guard);
    si_clock_changed();
    if (error) return errno = error, -1;
    if (out || !room) return out;
    uint64_t until = timeout ? si_now_ns() + (uint64_t)timeout->tv_sec * 1000000000u + (uint64_t)timeout->tv_nsec : UINT64_MAX;
    si_wait_passive(until, any, &queue);
    pthread_mutex_lock(&guard);
    for (int i = 0; i < notes_n && out < room; i++) {
        knote *k = &notes[i];
        if (k->queue != queue || !k->ready) continue;
        events[out++] = (struct kevent){k->ident, (int16_t)k->filter, (uint16_t)k->flags, k->filter == EVFILT_PROC ? NOTE_EXIT : 0, 0, k->data};
        k->ready = false;
        if (k->filter == EVFILT_PROC || k->flags & EV_ONESHOT) notes[i--] = notes[--notes_n];
    }
    pthread_mutex_unlock(&guard);
    return out;
}
si_app *si_front(void) {
    for (int i = 0; si_apps(i); i++)
        if (!si_apps(i)->background && !si_apps(i)->absent && !si_apps(i)->dead) return si_apps(i);
    return NULL;
}
void si_to_front(si_app *a) {
    if (si_front() == a) return;
    for (int i = 0; si_apps(i); i++) si_apps(i)->background = si_apps(i) != a;
    si_logf("%s comes to the front", a->name);
    si_post(a, 0, "AXApplicationActivated");
}
void si_kill(int pid) {
    si_lock();
    si_app *a = si_app_of(pid);
    if (a && !a->dead) {
        si_post(a, 0, "AXUIElementDestroyed");
        a->dead = true;
        a->hung = a->deaf = false;
        si_logf("%s ended", a->name);
        /* The one behind it comes to the front. */
        for (int i = 0; !si_front() && si_apps(i); i++)
            if (!si_apps(i)->absent && !si_apps(i)->dead && !si_apps(i)->hidden) si_to_front(si_apps(i));
    }
    si_unlock();
    pthread_mutex_lock(&guard);
    for (int i = 0; i < notes_n; i++)
        if (notes[i].filter == EVFILT_PROC && notes[i].ident == (uintptr_t)pid) notes[i].ready = true;
    pthread_mutex_unlock(&guard);
    si_clock_changed();
}
void si_launch(int pid) {
    si_lock();
    si_app *a = si_app_of(pid);
    if (a && (a->absent || a->dead)) {
        a->absent = a->dead = false;
        a->born_ns = si_now_ns();
        si_logf("%s began", a->name);
        if (!a->background) si_to_front(a); /* as the system does unless told otherwise */
    }
    si_unlock();
    si_clock_changed();
}
int sysctlbyname(const char *name, void *old, size_t *length, void *fresh, size_t size) {
    (void)fresh, (void)size;
    const char *v = !strcmp(name, "kern.osproductversion") ? "13.6" : !strcmp(name, "machdep.cpu.brand_string") ? "Stand-in" : !strcmp(name, "hw.model") ? "StandIn1,1" : NULL;
    if (!v) return errno = ENOENT, -1;
    if (old && *length < strlen(v) + 1) return errno = ENOMEM, -1;
    if (old) memcpy(old, v, strlen(v) + 1);
    *length = strlen(v) + 1;
    return 0;
}
int pthread_cond_timedwait_relative_np(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *most) {
    uint64_t at = si_now_ns() + (uint64_t)most->tv_sec * 1000000000u + (uint64_t)most->tv_nsec;
    struct timespec t = {(time_t)(at / 1000000000u), (long)(at % 1000000000u)};
    return si_cond_timedwait(c, m, &t);
}
