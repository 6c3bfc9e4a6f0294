/*
 * GTK 3 asks the X server where each widget is, one round trip a widget. Two programs that wait for each other in turn
 * are fastest on one processor: on two, each answer has to wake one that has gone to sleep, at three times the cost.
 * So for the few milliseconds of such a call both are kept on one. Only on a desktop that is ours, where both may run on the
 * same processors, one pair at a time, and while the machine has a processor to spare: otherwise they share one anyway.
 * docs/decisions/0012 says what remains of it when we die in between.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "op.h"

struct bs_held {
    const bs_op *by; /* NULL: nobody is held */
    pid_t pid[2];    /* main threads: the application's and the server's */
    cpu_set_t allowed;
};

bs_held *bs_held_new(void) { return calloc(1, sizeof(bs_held)); }

static pid_t owner(int fd) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid() ? peer.pid : 0;
}

// One that is allowed, and not the one we run on ourselves: -1 where there is no choice.
static int other_processor(const cpu_set_t *allowed) {
    int ours = sched_getcpu();
    for (int k = 1; k < CPU_SETSIZE; k++) {
        int cpu = (ours + k) % CPU_SETSIZE;
        if (cpu != ours && CPU_ISSET(cpu, allowed)) return cpu;
    }
    return -1;
}

// Whether fewer want to run at this moment than can.
static bool at_leisure(const cpu_set_t *allowed) {
    char text[64] = "";
    int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC), running = 0;
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) close(fd);
    // Three averages, then who runs and who is there: "0.20 0.18 0.12 1/80 11206"
    return n > 0 && sscanf(text, "%*s %*s %*s %d/", &running) == 1 && running <= CPU_COUNT(allowed);
}

// Nobody's number any more, or another's: a server that is gone.
static bool gone(const bs_link *l) {
    bs_display_state state = {0};
    if (l->display) bs_display_look(l->display, &state);
    return !l->display || state.broken;
}

void bs_together(const bs_op *op) {
    bs_held *h = op->link->held;
    pid_t server = op->link->server, application = op->via ? owner(bs_bus_fd(op->via)) : 0;
    if (!h || h->by || server <= 0 || application <= 0 || gone(op->link)) return;
    cpu_set_t theirs, one;
    if (sched_getaffinity(application, sizeof h->allowed, &h->allowed) || sched_getaffinity(server, sizeof theirs, &theirs)) return;
    int cpu = CPU_EQUAL(&h->allowed, &theirs) && at_leisure(&theirs) ? other_processor(&h->allowed) : -1;
    if (cpu < 0) return;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    h->by = op;
    h->pid[0] = application;
    h->pid[1] = server;
    // Whoever may not be held is as before: that costs time, nothing else.
    for (unsigned i = 0; i < 2; i++)
        if (sched_setaffinity(h->pid[i], sizeof one, &one)) h->pid[i] = 0;
}

void bs_apart(const bs_op *op) {
    bs_held *h = op->link->held;
    if (!h || h->by != op) return;
    h->by = NULL;
    for (unsigned i = 0; i < 2; i++)
        if (h->pid[i] && sched_setaffinity(h->pid[i], sizeof h->allowed, &h->allowed)) continue; // it has ended
}
