/* The I/O thread: one for the process. It owns every bus connection and every operation on one. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "op.h"

typedef struct io {
    pthread_t thread;
    bool stop;
    bs_link *links[BS_MAX_SESSIONS];
} io;

static io *running;          // while a session is open
static int wake_fd = -1;     // written by any thread; opened with the first session, closed with the last

void bs_platform_wake(void) {
    uint64_t one = 1;
    if (write(wake_fd, &one, sizeof one) < 0) return; // full: it is awake already
}

static bs_link *link_of(io *o, uint64_t session) {
    bs_link **at = &o->links[BS_SLOT(session)];
    if (!*at) {
        *at = calloc(1, sizeof **at);
        if (*at) (*at)->session = session;
    }
    return *at;
}

// What could not be said within a callback: broken connections, calls that were never queued, a failed CONNECT's remains.
static void tidy(bs_link *l) {
    if (l->bus && bs_bus_broken(l->bus)) {
        bs_bus_fail_all(l->bus, BACKSTEP_E_BUS);
        // Who goes straight to an application would otherwise wait for one that nobody vouches for any more.
        for (bs_peer *p = l->peers; p; p = p->next)
            if (p->direct) bs_bus_break(p->direct, "the bus is gone");
        if (l->connected && !l->bus_told) {
            l->bus_told = true;
            bs_core_broken(l->session, 1);
        }
    }
    if (l->session_bus && bs_bus_broken(l->session_bus)) bs_bus_fail_all(l->session_bus, BACKSTEP_E_BUS);
    bs_peer_tidy(l);
    for (bs_op *op = l->ops, *after; op; op = after) {
        after = op->next;
        if (op->caller.starved) bs_op_fail(op, BACKSTEP_E_MEMORY, "out of memory, or a message of more than 128 MiB");
    }
    if (l->connecting) bs_connect_step(l->connecting);
    if (l->connected && l->display && !l->display_told) {
        bs_display_state state;
        bs_display_look(l->display, &state);
        if (state.broken) {
            l->display_told = true;
            bs_core_broken(l->session, 2);
        }
    }
    if (!l->connecting && l->session_bus) {
        bs_bus_close(l->session_bus); // it was needed for CONNECT only
        l->session_bus = NULL;
    }
    if (l->connecting || l->connected) return;
    bs_peers_free(l);
    bs_bus_close(l->bus);
    l->bus = NULL;
    if (l->display) {
        bs_display_quit(l->display);
        bs_display_bury(l->display, 0);
        l->display = NULL;
    }
}

static void submit(io *o, bs_command *c) {
    bs_link *l = link_of(o, c->session);
    if (l && c->op == BACKSTEP_OP_CONNECT) tidy(l); // what a CONNECT that failed a moment ago left behind
    if (l && c->op < BACKSTEP_OP_TEXT) {
        bs_op_start(l, c);
        return;
    }
    if (l && l->display && l->connected) {
        bs_display_submit(l->display, c);
        return;
    }
    bs_buf reply = {0};
    bs_put_cstr(&reply, l ? "this session has no display: CONNECT names one" : "out of memory");
    bs_core_complete(c->session, c->ticket, l ? BACKSTEP_E_DISPLAY : BACKSTEP_E_MEMORY, &reply);
    free(c);
}

static void cancel(io *o, const bs_command *c) {
    bs_link *l = o->links[BS_SLOT(c->session)];
    if (!l) return;
    for (bs_op *op = l->ops; op; op = op->next) {
        if (op->ticket != c->ticket) continue;
        bs_op_cancel(op);
        return;
    }
    if (l->display) bs_display_cancel(l->display, c->ticket);
}

// Ends everything of one session; the display's thread is left to whoever closes, since that may take a while.
static void shut(io *o, uint64_t session) {
    bs_link *l = o->links[BS_SLOT(session)];
    bs_display *display = NULL;
    if (l) {
        while (l->ops) bs_op_cancel(l->ops);
        bs_bus_close(l->bus);
        bs_bus_close(l->session_bus);
        bs_peers_free(l);
        display = l->display;
        if (display) bs_display_quit(display);
        o->links[BS_SLOT(session)] = NULL;
        free(l);
    }
    bs_core_closed(session, display);
}

void bs_platform_bury(void *remains, uint64_t deadline) {
    if (remains) bs_display_bury(remains, deadline);
}

static void run_commands(io *o) {
    for (bs_command *c = bs_core_commands(), *next; c; c = next) {
        next = c->next;
        if (c->what == BS_DO_SUBMIT) {
            submit(o, c); // takes it over
            continue;
        }
        if (c->what == BS_DO_CANCEL) cancel(o, c);
        else shut(o, c->session);
        free(c);
    }
}

// A piece of work for each operation that has some. True: there is more.
static bool work(bs_link *l) {
    bool more = false;
    for (bs_op *op = l->ops, *after; op; op = after) {
        after = op->next;
        if (!op->work) continue;
        more = true;
        op->work(op);
    }
    return more;
}

static uint64_t expire(bs_link *l, uint64_t now) {
    uint64_t next = UINT64_MAX, at;
    for (bs_op *op = l->ops, *after; op; op = after) {
        after = op->next;
        if (op->deadline <= now) bs_op_overdue(op);
        else if (op->deadline < next) next = op->deadline;
    }
    if (l->bus && (at = bs_bus_expire(l->bus, now)) < next) next = at;
    if (l->session_bus && (at = bs_bus_expire(l->session_bus, now)) < next) next = at;
    for (const bs_peer *p = l->peers; p; p = p->next)
        if (p->direct && (at = bs_bus_expire(p->direct, now)) < next) next = at;
    if (l->display && (at = bs_display_expire(l->display, now)) < next) next = at;
    return next;
}

#define MAX_BUSES (BS_MAX_SESSIONS * (2 + BS_MAX_DIRECT)) /* and the eventfd, which is the first to be polled */

typedef struct polled {
    nfds_t n;
    bool at_once; // a bus broke while it was written to: nothing is waited for
    struct pollfd fds[1 + MAX_BUSES];
    bs_bus *buses[1 + MAX_BUSES];
} polled;

// Writes what is to be written, and watches for answers.
static void attend(polled *p, bs_bus *b) {
    if (!b || bs_bus_broken(b)) return;
    bs_bus_flush(b);
    p->at_once |= bs_bus_broken(b) != NULL;
    p->buses[p->n] = b;
    p->fds[p->n++] = (struct pollfd){bs_bus_fd(b), bs_bus_events(b), 0};
}

static void attend_all(polled *p, const io *o) {
    p->n = 1;
    p->at_once = false;
    p->fds[0] = (struct pollfd){wake_fd, POLLIN, 0};
    for (unsigned i = 0; i < BS_MAX_SESSIONS; i++) {
        const bs_link *l = o->links[i];
        if (!l) continue;
        attend(p, l->bus);
        attend(p, l->session_bus);
        for (const bs_peer *peer = l->peers; peer; peer = peer->next) attend(p, peer->direct);
    }
}

static void *body(void *argument) {
    io *o = argument;
    polled p;
    uint64_t next = UINT64_MAX;
    while (!__atomic_load_n(&o->stop, __ATOMIC_ACQUIRE)) {
        attend_all(&p, o);
        uint64_t now = bs_now_us();
        int timeout = p.at_once || next <= now ? 0 : next == UINT64_MAX ? -1 : (int)((next - now + 999) / 1000);
        if (poll(p.fds, p.n, timeout) < 0) {
            // Interrupted; or short of memory or descriptors, which must not become a busy loop.
            if (errno != EINTR) usleep(1000);
            for (nfds_t i = 0; i < p.n; i++) p.fds[i].revents = 0;
        }
        // Buses are closed by commands and by tidy() only, both of which come after this loop.
        for (nfds_t i = 1; i < p.n; i++)
            if (p.fds[i].revents & (POLLIN | POLLHUP | POLLERR)) bs_bus_readable(p.buses[i]);
        uint64_t count;
        if (p.fds[0].revents && read(wake_fd, &count, sizeof count) < 0) p.fds[0].revents = 0;
        run_commands(o);
        now = bs_now_us();
        next = UINT64_MAX;
        for (unsigned i = 0; i < BS_MAX_SESSIONS; i++) {
            if (!o->links[i]) continue;
            uint64_t at = expire(o->links[i], now);
            if (at < next) next = at;
            if (work(o->links[i])) next = now;
            tidy(o->links[i]); // last: a call that has just expired may be what CONNECT was waiting for
        }
    }
    return NULL;
}

int bs_platform_start(void) {
    io *o = calloc(1, sizeof *o);
    if (!o) return BACKSTEP_E_MEMORY;
    wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    // The host's signals are not for this thread.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = wake_fd < 0 || pthread_create(&o->thread, NULL, body, o);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) {
        running = o;
        return BACKSTEP_OK;
    }
    if (wake_fd >= 0) close(wake_fd);
    wake_fd = -1;
    free(o);
    return BACKSTEP_E_LIMIT;
}

void bs_platform_stop(void) {
    __atomic_store_n(&running->stop, true, __ATOMIC_RELEASE);
    bs_platform_wake();
    pthread_join(running->thread, NULL);
    free(running);
    running = NULL;
    close(wake_fd);
    wake_fd = -1;
}
