/* A Wayland compositor as a display of a session: opening, handing out operations, closing. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strdup */
#endif
#include "wl.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void destroy(bs_wl *w) {
    while (atomic_load(&w->interrupting)) poll(NULL, 0, 1); /* what it woke may be us, before it has returned */
    if (w->display) {
        bs_wl_clip_close(w);
        bs_wl_picture_close(w);
        bs_wl_outputs_drop(w);
        for (unsigned i = 0; i < w->syncs; i++) bs_wl_drop(w, &w->sync[i]);
        struct wl_proxy **all[] = {&w->device, &w->keyboard, &w->pointer, &w->data, &w->copies, &w->keyboards, &w->pointers, &w->xdg_outputs, &w->shm, &w->seat, &w->registry};
        for (unsigned i = 0; i < sizeof all / sizeof *all; i++) bs_wl_drop(w, all[i]);
        w->lib->disconnect(w->display); /* closes its descriptor; the compositor lets go of what the devices hold */
    }
    bs_watch_close(&w->watch);
    free(w->name);
    if (w->epoll >= 0) close(w->epoll);
    if (w->control >= 0) close(w->control);
    free(w);
}

bs_wl *bs_wl_open(const char *name, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot, unsigned devices) {
    bs_wl *w = calloc(1, sizeof *w);
    if (!w) {
        *status = BACKSTEP_E_MEMORY;
        bs_put_cstr(message, "out of memory");
        return NULL;
    }
    w->base.kind = &bs_screen_wl;
    w->control = w->epoll = w->wire = -1;
    for (unsigned i = 0; i < BS_WL_TRANSFERS; i++) w->transfer[i].fd = -1;
    w->name = strdup(name);
    w->devices = devices;
    bs_screen_begin(&w->base, deadline_us, NULL, message);
    w->lib = bs_wl_load();
    int fd = -1;
    if (!w->name) *status = bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
    else if (!w->lib) *status = bs_screen_explain(&w->base, BACKSTEP_E_DISPLAY, "a Wayland display needs libwayland-client.so.0, which is not installed (Debian: libwayland-client0)");
    else *status = bs_wl_connect(w, name + sizeof BS_WAYLAND - 1, slot, &fd);
    if (!*status) {
        w->wire = fd;
        w->display = w->lib->connect_to_fd(fd); /* closes fd when it fails */
        *status = w->display ? bs_wl_begin(w, devices) : bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
    }
    if (!*status) {
        bs_screen_end(&w->base);
        return w;
    }
    /* Whoever interrupts takes us out of the slot first; when that happened, its call is waited for before we go. */
    if (w->control >= 0 && slot && !atomic_exchange(slot, NULL)) {
        for (int i = 0; i < 1000 && !atomic_load(&w->interrupted); i++) poll(NULL, 0, 1);
    }
    destroy(w);
    return NULL;
}

static bs_screen *open_wl(const char *name, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot) {
    bs_wl *w = bs_wl_open(name, deadline_us, status, message, slot, BS_WL_POINTER | BS_WL_KEYBOARD | BS_WL_CLIPBOARD);
    return w ? &w->base : NULL;
}

static bs_screen *open_without(const char *name, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot) {
    bs_wl *w = bs_wl_open(name, deadline_us, status, message, slot, BS_WL_CLIPBOARD);
    return w ? &w->base : NULL;
}

static bs_wl *of(bs_screen *s) {
    return (bs_wl *)s; /* its first member */
}

static int fd(const bs_screen *s) {
    return ((const bs_wl *)s)->epoll;
}

static int server(const bs_screen *s) {
    return (void)s, 0;
}

static void size(const bs_screen *s, int32_t *width, int32_t *height) {
    bs_wl_area a = bs_wl_layout((const bs_wl *)s);
    *width = a.w < INT32_MAX ? (int32_t)a.w : INT32_MAX;
    *height = a.h < INT32_MAX ? (int32_t)a.h : INT32_MAX;
}

static int unsupported(bs_wl *w, uint32_t op) {
    switch (op) {
    case BACKSTEP_OP_WATCH_INPUT: return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "Wayland does not tell a client what others do with keyboard and pointer");
    case BACKSTEP_OP_WINDOWS:
    case BACKSTEP_OP_WINDOW: return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "Wayland does not tell a client of other clients' windows; the window manager does, over its own IPC");
    case BACKSTEP_OP_HOLDERS: return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "Wayland does not tell a client who else has the keyboard, the clipboard or a place on the screen");
    case BACKSTEP_OP_DRAWN: return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "Wayland does not tell a client what others draw, except in a picture");
    default: return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "no such operation: %u", op);
    }
}

static int carry_out(bs_wl *w, uint32_t op, bs_reader *request) {
    static int (*const table[])(bs_wl *, bs_reader *) = {
        [BACKSTEP_OP_TEXT] = bs_wl_op_text, [BACKSTEP_OP_CHORD] = bs_wl_op_chord, [BACKSTEP_OP_POINTER] = bs_wl_op_pointer,
        [BACKSTEP_OP_RELEASE] = bs_wl_op_release, [BACKSTEP_OP_CAPTURE] = bs_wl_op_capture, [BACKSTEP_OP_CLIP_READ] = bs_wl_op_clip_read,
        [BACKSTEP_OP_CLIP_WRITE] = bs_wl_op_clip_write, [BACKSTEP_OP_CLIP_KEEP] = bs_wl_op_clip_keep, [BACKSTEP_OP_CLIP_RESTORE] = bs_wl_op_clip_restore,
        [BACKSTEP_OP_CLIP_LEAVE] = bs_wl_op_clip_leave,
    };
    if (op >= sizeof table / sizeof *table || !table[op]) return unsupported(w, op);
    return table[op](w, request);
}

static int exec(bs_screen *s, uint32_t op, bs_reader *request, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply) {
    bs_wl *w = of(s);
    bs_screen_begin(s, deadline_us, cancel, reply);
    int status = bs_wl_check(w);
    if (!status && bs_wl_pull(w) < 0) status = bs_wl_broken(w);
    if (!status) status = carry_out(w, op, request);
    bool all;
    bs_wl_release_held(w); /* nothing when the operation went well */
    if (!w->broken && !bs_wl_push(w, &all) && all) bs_wl_watch_sent(w);
    bs_screen_end(s);
    return reply->failed ? BACKSTEP_E_MEMORY : status;
}

static int pump(bs_screen *s) {
    bs_wl *w = of(s);
    bool all;
    if (w->broken || atomic_load(&w->interrupted) || bs_wl_pull(w) < 0) return bs_wl_broken(w);
    bs_wl_serve(w);
    return bs_wl_push(w, &all) < 0 ? bs_wl_broken(w) : BACKSTEP_OK;
}

static enum bs_screen_offers offers(const bs_screen *s) {
    return bs_wl_offers((const bs_wl *)s);
}

static bool input(bs_screen *s, bool now, bs_screen_seen *into, uint64_t *due_us) {
    (void)s, (void)now, (void)into;
    *due_us = UINT64_MAX;
    return false;
}

static bool told(bs_screen *s, bs_screen_told *into) {
    return (void)s, (void)into, false;
}

static void interrupt(bs_screen *s) {
    bs_wl *w = of(s);
    /* The flag first for a socket that is not connected yet, which cannot be shut down: connecting looks at it. */
    atomic_fetch_add(&w->interrupting, 1);
    atomic_store(&w->interrupted, true);
    shutdown(w->control, SHUT_RDWR);
    atomic_fetch_sub(&w->interrupting, 1); /* the last touch: we may be freed from here on */
}

static void close_wl(bs_screen *s) {
    bs_wl *w = of(s);
    bs_screen_begin(s, bs_now_us() + 120000, NULL, NULL);
    if (!w->broken && !atomic_load(&w->interrupted)) {
        bs_wl_release_held(w);
        bs_wl_sync(w);
    }
    destroy(w);
}

const bs_screen_kind bs_screen_wl = {open_wl, fd, server, size, exec, pump, offers, input, told, interrupt, close_wl};
const bs_screen_kind bs_screen_wl_without = {open_without, fd, server, size, exec, pump, offers, input, told, interrupt, close_wl};
