/*
 * GTK 3 asks the X server where each widget is, one round trip a widget. Two programs that wait for each other in turn
 * are fastest on one processor: on two, each answer has to wake one that has gone to sleep, at three times the cost.
 * So for the few milliseconds of such a call both are kept on one. Only on a desktop that is ours, only where
 * both may run on the same processors, and only one pair at a time.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include "op.h"

/* On the I/O thread only. */
static struct {
    const bs_op *by; /* NULL: nobody is held */
    pid_t pid[2];    /* main threads: the application's and the server's */
    cpu_set_t allowed;
} held;

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

void bs_together(const bs_op *op) {
    pid_t server = op->link->server, application = op->via ? owner(bs_bus_fd(op->via)) : 0;
    if (held.by || server <= 0 || application <= 0) return;
    cpu_set_t theirs, one;
    if (sched_getaffinity(application, sizeof held.allowed, &held.allowed) || sched_getaffinity(server, sizeof theirs, &theirs)) return;
    int cpu = CPU_EQUAL(&held.allowed, &theirs) ? other_processor(&held.allowed) : -1;
    if (cpu < 0) return;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    held.by = op;
    held.pid[0] = application;
    held.pid[1] = server;
    // Whoever may not be held is as before: that costs time, nothing else.
    for (unsigned i = 0; i < 2; i++)
        if (sched_setaffinity(held.pid[i], sizeof one, &one)) held.pid[i] = 0;
}

void bs_apart(const bs_op *op) {
    if (held.by != op) return;
    held.by = NULL;
    for (unsigned i = 0; i < 2; i++)
        if (held.pid[i] && sched_setaffinity(held.pid[i], sizeof held.allowed, &held.allowed)) continue; // it has ended
}
