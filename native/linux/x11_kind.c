/* The X server as a display of a session. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* struct ucred */
#endif
#include "x11_internal.h"

#include <sys/socket.h>

static bs_x11 *of(bs_screen *s) {
    return (bs_x11 *)s; /* its first member */
}

static bs_screen *open_x11(const char *name, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot) {
    bs_x11 *x = bs_x11_open(name, deadline_us, status, message, slot);
    return x ? &x->base : NULL;
}

static int fd(const bs_screen *s) {
    return bs_x11_fd((const bs_x11 *)s);
}

static int server(const bs_screen *s) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd(s), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

static void size(const bs_screen *s, int32_t *width, int32_t *height) {
    bs_x11_size((const bs_x11 *)s, width, height);
}

static int exec(bs_screen *s, uint32_t op, bs_reader *request, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply) {
    return bs_x11_exec(of(s), op, request, deadline_us, cancel, reply);
}

static int pump(bs_screen *s) {
    return bs_x11_pump(of(s));
}

static enum bs_screen_offers offers(const bs_screen *s) {
    return bs_x11_offers((const bs_x11 *)s);
}

static bool input(bs_screen *s, bool now, bs_screen_seen *into, uint64_t *due_us) {
    return bs_x11_input(of(s), now, into, due_us);
}

static bool told(bs_screen *s, bs_screen_told *into) {
    return bs_x11_told(of(s), into);
}

static void interrupt(bs_screen *s) {
    bs_x11_interrupt(of(s));
}

static void close_x11(bs_screen *s) {
    bs_x11_close(of(s));
}

const bs_screen_kind bs_screen_x11 = {open_x11, fd, server, size, exec, pump, offers, input, told, interrupt, close_x11};
