/*
 * Keys and buttons that XTEST pressed stay down in the server when their client dies. So whoever holds something over a
 * moment has a small process beside it (watcher/): it shares a page that says what is down, and waits on a pipe for our
 * end. Written to before a press and after a release, the page may name too much, never too little.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, memfd_create, pipe2 */
#endif
#include "x11_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program lies beside the library that this code is in. */
static bool find_program(char *path, size_t size) {
    Dl_info self;
    if (!dladdr((const void *)(uintptr_t)bs_x11_open, &self) || !self.dli_fname) return false;
    const char *slash = strrchr(self.dli_fname, '/');
    int folder = slash ? (int)(slash - self.dli_fname) : 1;
    int n = snprintf(path, size, "%.*s/backstep-watcher", folder, slash ? self.dli_fname : ".");
    return n > 0 && (size_t)n < size && !access(path, X_OK);
}

/* Nothing but what lets it into the display. */
static void choose_environment(char *text, size_t size, char **environment) {
    static const char *const names[] = {"XAUTHORITY", "HOME"};
    unsigned n = 0;
    for (unsigned i = 0; i < 2; i++) {
        const char *value = getenv(names[i]);
        int used = value ? snprintf(text, size, "%s=%s", names[i], value) : -1;
        if (used < 0 || (size_t)used >= size) continue;
        environment[n++] = text;
        text += used + 1;
        size -= (size_t)used + 1;
    }
    environment[n] = NULL;
}

static pid_t spawn(const char *path, const char *display, int pipe_end, int page) {
    char text[8192], *environment[3];
    choose_environment(text, sizeof text, environment);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    if (posix_spawn_file_actions_init(&files)) return -1;
    if (posix_spawnattr_init(&how)) {
        posix_spawn_file_actions_destroy(&files);
        return -1;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    pid_t pid = -1;
    char *argv[] = {(char *)(uintptr_t)path, (char *)(uintptr_t)display, NULL};
    /* A terminal's Ctrl-C is for us, not for it; it ends when we do. */
    bool set = !posix_spawn_file_actions_adddup2(&files, pipe_end, 0) && !posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
        && !posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) && !posix_spawn_file_actions_adddup2(&files, page, 3)
        && !posix_spawnattr_setsigmask(&how, &none) && !posix_spawnattr_setsigdefault(&how, &all)
        && !posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!set || posix_spawn(&pid, path, &files, &how, argv, environment)) pid = -1;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return pid;
}

/* Descriptors that no number below 4 is: those are the child's. */
static int above(int fd) {
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 4);
    if (fd >= 0) close(fd);
    return moved;
}

void bs_x11_watch(bs_x11 *x) {
    if (x->watch.tried) return;
    x->watch.tried = true;
    char path[4096];
    if (!find_program(path, sizeof path)) return;
    int ends[2], page = above(memfd_create("backstep-held", MFD_CLOEXEC));
    if (page < 0) return;
    if (pipe2(ends, O_CLOEXEC)) {
        close(page);
        return;
    }
    ends[0] = above(ends[0]);
    ends[1] = above(ends[1]);
    bs_keep *keep = ftruncate(page, sizeof *keep) ? MAP_FAILED : mmap(NULL, sizeof *keep, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
    pid_t pid = -1;
    if (keep != MAP_FAILED) {
        uint32_t mark = (uint32_t)bs_now_us() | 1;
        keep->window = x->own;
        keep->mark = mark;
        xcb_change_property(x->c, XCB_PROP_MODE_REPLACE, x->own, x->atom[BS_A_BACKSTEP_MARK], XCB_ATOM_INTEGER, 32, 1, &mark);
        if (ends[0] >= 0 && ends[1] >= 0) pid = spawn(path, x->display, ends[0], page);
    }
    if (ends[0] >= 0) close(ends[0]);
    close(page);
    if (pid < 0) {
        if (keep != MAP_FAILED) munmap(keep, sizeof *keep);
        if (ends[1] >= 0) close(ends[1]);
        return;
    }
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue; /* it leaves a child of its own behind, which is nobody's zombie */
    x->watch.keep = keep;
    x->watch.pipe = ends[1];
}

void bs_x11_watch_down(bs_x11 *x, unsigned what) {
    if (x->watch.keep) x->watch.keep->down[what] = 1;
}

void bs_x11_watch_lent(bs_x11 *x, xcb_keycode_t code, xcb_keysym_t symbol) {
    if (x->watch.keep) x->watch.keep->lent[code] = symbol;
}

/* All that was asked for is on its way to the server: the page says what is still down. */
void bs_x11_watch_sent(bs_x11 *x) {
    bs_keep *keep = x->watch.keep;
    if (!keep) return;
    keep->caps = x->keyboard.lifted;
    for (unsigned i = 0; i < BS_KEEP_DOWN; i++) {
        bool held = false;
        for (unsigned h = 0; h < x->helds; h++) held |= x->held[h] == i;
        if (!held) keep->down[i] = 0;
    }
}

void bs_x11_watch_close(bs_x11 *x) {
    if (!x->watch.keep) return;
    munmap(x->watch.keep, sizeof *x->watch.keep);
    close(x->watch.pipe);
    x->watch.keep = NULL;
}
