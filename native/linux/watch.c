/*
 * Keys and buttons that XTEST pressed, and buttons of a virtual pointer, stay down in the server when their client dies. So whoever holds something over a
 * moment has a small process beside it (watcher/): it shares a page that says what is down, and waits on a pipe for our
 * end. Written to before a press and after a release, the page may name too much, never too little.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, memfd_create, pipe2 */
#endif
#include "watch.h"

#include "../include/backstep.h"

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
    if (!dladdr((const void *)(uintptr_t)bs_watch_start, &self) || !self.dli_fname) return false;
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

/* `role`: see watcher.c; NULL: it watches. `page`: its descriptor 3; negative: none. */
static pid_t spawn(const char *path, const char *display, const char *role, int input, int page) {
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
    char *argv[] = {(char *)(uintptr_t)path, (char *)(uintptr_t)display, (char *)(uintptr_t)role, NULL};
    /* A terminal's Ctrl-C is for us, not for it; it ends when we do. */
    bool set = !posix_spawn_file_actions_adddup2(&files, input, 0) && !posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
        && !posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) && (page < 0 || !posix_spawn_file_actions_adddup2(&files, page, 3))
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

bool bs_watch_share(bs_watch *w) {
    if (w->tried) return false;
    w->tried = true;
    w->page = above(memfd_create("backstep-held", MFD_CLOEXEC));
    bs_keep *keep = w->page < 0 || ftruncate(w->page, sizeof *keep) ? MAP_FAILED : mmap(NULL, sizeof *keep, PROT_READ | PROT_WRITE, MAP_SHARED, w->page, 0);
    if (keep != MAP_FAILED) w->keep = keep;
    else if (w->page >= 0) close(w->page);
    return w->keep != NULL;
}

/* It leaves a child of its own behind, which is nobody's zombie. */
static void await(pid_t pid) {
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
}

void bs_watch_start(bs_watch *w, const char *display) {
    char path[4096];
    int ends[2] = {-1, -1};
    pid_t pid = -1;
    if (find_program(path, sizeof path) && !pipe2(ends, O_CLOEXEC)) {
        ends[0] = above(ends[0]);
        ends[1] = above(ends[1]);
        if (ends[0] >= 0 && ends[1] >= 0) pid = spawn(path, display, NULL, ends[0], w->page);
    }
    if (ends[0] >= 0) close(ends[0]);
    close(w->page);
    w->pipe = ends[1];
    if (pid < 0) bs_watch_close(w);
    else await(pid);
}

void bs_watch_close(bs_watch *w) {
    if (!w->keep) return;
    munmap(w->keep, sizeof *w->keep);
    if (w->pipe >= 0) close(w->pipe);
    w->keep = NULL;
}

static bool write_all(int fd, const bs_buf *b) {
    for (size_t at = 0; at < b->length;) {
        ssize_t n = write(fd, b->data + at, b->length - at);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) at += (size_t)n;
    }
    return true;
}

int bs_watch_leave(bs_screen *s, const char *display, const bs_buf *request) {
    char path[4096];
    if (!find_program(path, sizeof path)) return bs_screen_explain(s, BACKSTEP_E_UNSUPPORTED, "backstep-watcher, which goes on offering the clipboard, is missing beside the library");
    int content = above(memfd_create("backstep-clipboard", MFD_CLOEXEC));
    bool whole = content >= 0 && !request->failed && write_all(content, request);
    pid_t pid = whole ? spawn(path, display, BS_WATCH_CLIPBOARD, content, -1) : -1;
    if (content >= 0) close(content);
    if (pid < 0) return bs_screen_explain(s, BACKSTEP_E_MEMORY, "cannot start backstep-watcher, which goes on offering the clipboard");
    await(pid);
    return BACKSTEP_OK;
}
