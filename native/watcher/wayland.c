/* The watcher of a compositor: keys of a virtual keyboard come up with their client, buttons of a virtual pointer do not. */
#define _GNU_SOURCE
#include <poll.h>

#include "../linux/watch.h"
#include "../linux/wl.h"

#define OPEN_US 10000000u
#define GONE_US 60000000u /* a compositor that stands still may go on */

int watch_wayland(const char *display, const bs_keep *keep);

static void let_go(bs_wl *w, const bs_keep *keep) {
    /* What was sent before the end comes first: a compositor reads from each client in turn, 4 KiB at a time. */
    for (unsigned i = 0; i < 8; i++) {
        if (bs_wl_sync(w)) return;
    }
    for (unsigned code = 256; code < BS_KEEP_DOWN; code++) {
        if (keep->down[code]) bs_wl_button(w, code, false);
    }
    bs_wl_sync(w);
}

int watch_wayland(const char *display, const bs_keep *keep) {
    int status;
    bs_buf message = {0};
    bs_wl *w = bs_wl_open(display, bs_now_us() + OPEN_US, &status, &message, NULL, BS_WL_POINTER);
    bs_buf_free(&message);
    if (!w) return 1;
    bs_screen *s = &w->base;
    struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = s->kind->fd(s), .events = POLLIN}};
    while (poll(ends, 2, -1) < 0 || !ends[0].revents) {
        if (ends[1].revents && s->kind->pump(s) < 0) return 0; /* no compositor, nothing to let go of */
    }
    bool any = false;
    for (unsigned code = 256; code < BS_KEEP_DOWN; code++) any |= keep->down[code];
    bs_screen_begin(s, bs_now_us() + GONE_US, NULL, NULL);
    if (any && w->pointer) let_go(w, keep);
    s->kind->close(s);
    return 0;
}
