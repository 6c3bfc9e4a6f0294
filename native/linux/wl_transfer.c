/* Content of ours on its way to others, as fast as each reads it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "wl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

void bs_wl_blob_drop(bs_wl_blob *blob) {
    if (blob && --blob->references == 0) free(blob);
}

static void end_transfer(bs_wl_transfer *t) {
    close(t->fd); /* which takes it out of the epoll, too */
    bs_wl_blob_drop(t->blob);
    *t = (bs_wl_transfer){.fd = -1};
}

/* One write a call, so that nobody's reading holds up the rest. */
static void write_on(bs_wl_transfer *t) {
    ssize_t n = write(t->fd, t->blob->bytes + t->at, t->blob->size - t->at); /* SIGPIPE is blocked on this thread */
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n > 0) t->at += (size_t)n, t->touched_us = bs_now_us();
    if (n < 0 || t->at == t->blob->size) end_transfer(t);
}

void bs_wl_serve(bs_wl *w) {
    for (unsigned i = 0; i < BS_WL_TRANSFERS; i++) {
        if (w->transfer[i].fd >= 0) write_on(&w->transfer[i]);
    }
}

void bs_wl_give(bs_wl *w, int fd, bs_wl_blob *blob) {
    bs_wl_transfer *t = &w->transfer[0];
    for (unsigned i = 0; i < BS_WL_TRANSFERS && t->fd >= 0; i++) { /* where none is free, the one goes whose reader has been quiet the longest */
        bs_wl_transfer *other = &w->transfer[i];
        if (other->fd < 0 || other->touched_us < t->touched_us) t = other;
    }
    if (t->fd >= 0) end_transfer(t);
    struct epoll_event wanted = {.events = EPOLLOUT, .data = {.u32 = (uint32_t)(t - w->transfer)}};
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 || epoll_ctl(w->epoll, EPOLL_CTL_ADD, fd, &wanted) < 0) {
        close(fd);
        return;
    }
    blob->references++;
    *t = (bs_wl_transfer){fd, blob, 0, bs_now_us()};
    write_on(t);
}

void bs_wl_give_up(bs_wl *w) {
    for (unsigned i = 0; i < BS_WL_TRANSFERS; i++) {
        if (w->transfer[i].fd >= 0) end_transfer(&w->transfer[i]);
    }
}
