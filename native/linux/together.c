/*
 * GTK 3 asks the X server where each widget is, one round trip a widget. Two programs that wait for each other in turn
 * are fastest on one processor: on two, each answer has to wake one that has gone to sleep, at three times the cost.
 * So for the few milliseconds of such a call both are kept on one. Only on a desktop that is ours, where both may run on the
 * same processors, one pair at a time, and while the machine has a processor to spare: otherwise they share one anyway.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
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

// Whether fewer want to run at this moment than can.
static bool at_leisure(const cpu_set_t *allowed) {
    char text[64] = "";
    int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC), running = 0;
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) close(fd);
    // Three averages, then who runs and who is there: "0.20 0.18 0.12 1/80 11206"
    return n > 0 && sscanf(text, "%*s %*s %*s %d/", &running) == 1 && running <= CPU_COUNT(allowed);
}

void bs_together(const bs_op *op) {
    pid_t server = op->link->server, application = op->via ? owner(bs_bus_fd(op->via)) : 0;
    if (held.by || server <= 0 || application <= 0) return;
    cpu_set_t theirs, one;
    if (sched_getaffinity(application, sizeof held.allowed, &held.allowed) || sched_getaffinity(server, sizeof theirs, &theirs)) return;
    int cpu = CPU_EQUAL(&held.allowed, &theirs) && at_leisure(&theirs) ? other_processor(&held.allowed) : -1;
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
