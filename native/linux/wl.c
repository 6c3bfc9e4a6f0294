/* The connection to a Wayland compositor: sending, and waiting with a deadline. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll */
#endif
#include "wl.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

int bs_wl_no_device(bs_wl *w, const char *protocol) {
    if (!(w->devices & BS_WL_KEYBOARD)) return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "this session was connected without keyboard and pointer");
    return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the compositor lacks %s, or has no seat", protocol);
}

int bs_wl_broken(bs_wl *w) {
    w->broken = true;
    if (atomic_load(&w->interrupted)) return bs_screen_explain(&w->base, BACKSTEP_E_DISPLAY, "the connection to the compositor was interrupted");
    if (w->lib->get_error(w->display) == EPROTO) {
        const struct wl_interface *interface = NULL;
        uint32_t id, code = w->lib->get_protocol_error(w->display, &interface, &id);
        return bs_screen_explain(&w->base, BACKSTEP_E_DISPLAY, "the compositor refused a request: error %u of %s", code, interface ? interface->name : "an object that is gone");
    }
    return bs_screen_explain(&w->base, BACKSTEP_E_DISPLAY, "the connection to the compositor broke");
}

int bs_wl_check(bs_wl *w) {
    if (w->broken || atomic_load(&w->interrupted) || w->lib->get_error(w->display)) return bs_wl_broken(w);
    return bs_screen_due(&w->base);
}

int bs_wl_push(bs_wl *w, bool *all) {
    *all = w->lib->flush(w->display) >= 0;
    return *all || errno == EAGAIN ? 0 : -1;
}

int bs_wl_pull(bs_wl *w) {
    int n = w->lib->dispatch_pending(w->display);
    if (n < 0 || w->lib->prepare_read(w->display) < 0) return n; /* the latter: there is more to handle */
    if (w->lib->read_events(w->display) < 0 && errno != EAGAIN) return -1; /* it never blocks */
    int more = w->lib->dispatch_pending(w->display);
    return more < 0 ? -1 : n + more;
}

static bool poll_until(bs_wl *w, int fd, bool full, uint64_t until_us, bool *readable) {
    uint64_t now = bs_now_us(), left = until_us > now ? until_us - now : 0;
    if (left > BS_WL_SLICE_US) left = BS_WL_SLICE_US;
    struct pollfd p[3] = {{w->epoll, POLLIN, 0}, {full ? w->wire : -1, POLLOUT, 0}, {fd, POLLIN, 0}};
    struct timespec t = {.tv_sec = 0, .tv_nsec = (long)left * 1000};
    bool any = ppoll(p, 3, &t, NULL) > 0;
    *readable = any && p[2].revents;
    return any;
}

int bs_wl_wait(bs_wl *w, int fd, uint64_t until_us) {
    if (until_us > w->base.deadline_us) until_us = w->base.deadline_us;
    for (;;) {
        bool all, readable;
        int n = bs_wl_pull(w);
        if (n < 0 || bs_wl_push(w, &all) < 0) return bs_wl_broken(w);
        bs_wl_serve(w);
        int status = bs_wl_check(w);
        if (status || n || bs_now_us() >= until_us) return status;
        poll_until(w, fd, !all, until_us, &readable);
        if (readable) return BACKSTEP_OK;
    }
}

int bs_wl_flush(bs_wl *w) {
    for (;;) {
        bool all, readable;
        int status = bs_wl_check(w);
        if (status) return status;
        if (bs_wl_push(w, &all) < 0) {
            bs_wl_pull(w); /* why it broke was said before */
            return bs_wl_broken(w);
        }
        if (all) return BACKSTEP_OK;
        poll_until(w, -1, true, w->base.deadline_us, &readable);
    }
}

int bs_wl_pause(bs_wl *w, uint64_t until_us) {
    int status;
    do status = bs_wl_wait(w, -1, until_us);
    while (!status && bs_now_us() < until_us);
    return status;
}

static int on_sync(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *arguments) {
    (void)event, (void)message, (void)arguments;
    bs_wl *w = (bs_wl *)(uintptr_t)about;
    if (!w->syncs || w->sync[0] != target) return 0; /* they are answered in order */
    w->lib->destroy(w->sync[0]);
    memmove(w->sync, w->sync + 1, --w->syncs * sizeof *w->sync);
    w->synced++;
    return 0;
}

int bs_wl_sync(bs_wl *w) {
    if (w->syncs == BS_WL_SYNCS) { /* of operations that gave up waiting */
        int status = bs_wl_wait(w, -1, w->base.deadline_us);
        if (status) return status;
        if (w->syncs == BS_WL_SYNCS) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "the compositor has not answered %u requests", BS_WL_SYNCS);
    }
    int status = bs_wl_check(w);
    if (status) return status;
    struct wl_proxy *callback = bs_wl_make(w, (struct wl_proxy *)w->display, WL_DISPLAY_SYNC, (union wl_argument[]){{.o = NULL}}, &bs_wl_callback);
    if (!callback || !bs_wl_listen(w, callback, on_sync, w)) return bs_wl_unmade(w);
    w->sync[w->syncs++] = callback;
    uint64_t wanted = w->synced + w->syncs;
    status = bs_wl_flush(w);
    while (!status && w->synced < wanted) status = bs_wl_wait(w, -1, w->base.deadline_us);
    return status;
}

int bs_wl_unmade(bs_wl *w) {
    int status = bs_wl_check(w);
    return status ? status : bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
}

void bs_wl_send(bs_wl *w, struct wl_proxy *p, uint32_t request, union wl_argument *arguments) {
    w->lib->send(p, request, arguments);
}

void bs_wl_request(bs_wl *w, struct wl_proxy *p, uint32_t request) {
    w->lib->send(p, request, (union wl_argument[]){{.u = 0}});
}

struct wl_proxy *bs_wl_make(bs_wl *w, struct wl_proxy *p, uint32_t request, union wl_argument *arguments, const struct wl_interface *interface) {
    uint32_t version = w->lib->version(p);
    return w->lib->make(p, request, arguments, interface, version ? version : 1);
}

bool bs_wl_listen(bs_wl *w, struct wl_proxy *p, bs_wl_dispatcher *dispatcher, const void *about) {
    return w->lib->listen(p, dispatcher, about, NULL) == 0;
}

void bs_wl_drop(bs_wl *w, struct wl_proxy **p) {
    if (*p) w->lib->destroy(*p);
    *p = NULL;
}

uint32_t bs_wl_time(void) {
    return (uint32_t)(bs_now_us() / 1000);
}

bool bs_wl_is(bs_str s, const char *text) {
    return s.length == strlen(text) && !memcmp(s.text, text, s.length);
}
