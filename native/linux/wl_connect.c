/* From a path to a connection with all that the compositor offers, and with devices of our own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* SOCK_CLOEXEC */
#endif
#include "wl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* 0, or the errno. A full backlog answers EAGAIN at once, hence the pause. */
static int reach(bs_wl *w, int fd, const struct sockaddr_un *to) {
    for (;;) {
        int error = connect(fd, (const struct sockaddr *)to, sizeof *to) < 0 ? errno : 0;
        if (error != EAGAIN && error != EINTR) return error;
        if (atomic_load(&w->interrupted)) return ECANCELED;
        if (bs_now_us() >= w->base.deadline_us) return ETIMEDOUT;
        poll(NULL, 0, 5);
    }
}

int bs_wl_connect(bs_wl *w, const char *path, bs_screen *_Atomic *slot, int *out) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (*path != '/' || strlen(path) >= sizeof to.sun_path) {
        return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "\"%.80s\" is not the absolute path of a socket, such as " BS_WAYLAND "/run/user/1000/wayland-1", path);
    }
    memcpy(to.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = fd < 0 ? errno : 0;
    if (!error) {
        w->control = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        if (w->control < 0) error = errno;
        else if (slot) atomic_store(slot, &w->base);
    }
    if (!error) error = reach(w, fd, &to);
    if (!error && atomic_load(&w->interrupted)) error = ECANCELED;
    if (!error) {
        *out = fd;
        return BACKSTEP_OK;
    }
    if (fd >= 0) close(fd);
    const char *why = error == ECANCELED ? "interrupted" : strerror(error);
    return bs_screen_explain(&w->base, error == ETIMEDOUT ? BACKSTEP_E_TIMEOUT_UNSENT : BACKSTEP_E_DISPLAY, "cannot connect to the compositor at %.110s: %s", path, why);
}

static struct wl_proxy *bind_global(bs_wl *w, uint32_t global, const struct wl_interface *interface, uint32_t offered) {
    uint32_t version = offered < (uint32_t)interface->version ? offered : (uint32_t)interface->version;
    union wl_argument arguments[] = {{.u = global}, {.s = interface->name}, {.u = version}, {.o = NULL}};
    return w->lib->make(w->registry, WL_REGISTRY_BIND, arguments, interface, version);
}

static void found(bs_wl *w, uint32_t global, const char *name, uint32_t version) {
    const struct {
        const struct wl_interface *interface;
        struct wl_proxy **into;
    } wanted[] = {
        {&bs_wl_seat, &w->seat}, {&bs_wl_shm, &w->shm}, {&bs_wl_xdg_output_manager, &w->xdg_outputs}, {&bs_wl_pointer_manager, &w->pointers},
        {&bs_wl_keyboard_manager, &w->keyboards}, {&bs_wl_copy_manager, &w->copies}, {&bs_wl_data_manager, &w->data},
    };
    if (!strcmp(name, bs_wl_output.name)) bs_wl_output_found(w, global, version);
    if (!strcmp(name, bs_wl_ext_data_manager.name) && !w->ext && !w->device) { /* what replaced zwlr's comes first, until one is used */
        bs_wl_drop(w, &w->data);
        w->data = bind_global(w, global, &bs_wl_ext_data_manager, version);
        w->ext = w->data != NULL;
    }
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!strcmp(name, wanted[i].interface->name) && !*wanted[i].into) *wanted[i].into = bind_global(w, global, wanted[i].interface, version);
    }
}

static int on_registry(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *arguments) {
    (void)target, (void)message;
    bs_wl *w = (bs_wl *)(uintptr_t)about;
    if (event == WL_REGISTRY_GLOBAL) found(w, arguments[0].u, arguments[1].s, arguments[2].u);
    if (event == WL_REGISTRY_GLOBAL_REMOVE) bs_wl_output_lost(w, arguments[0].u);
    return 0;
}

/* A seat tells its applications that it has a pointer when the first one appears; a click at that moment is lost. So the
 * devices are there from the start. */
static int make_devices(bs_wl *w, unsigned devices) {
    if (!w->seat) return BACKSTEP_OK;
    if (!(devices & BS_WL_POINTER)) bs_wl_drop(w, &w->pointers);
    if (!(devices & BS_WL_KEYBOARD)) bs_wl_drop(w, &w->keyboards);
    if (!(devices & BS_WL_CLIPBOARD)) bs_wl_drop(w, &w->data);
    if (w->pointers) w->pointer = bs_wl_make(w, w->pointers, POINTER_MANAGER_CREATE, (union wl_argument[]){{.o = w->seat}, {.o = NULL}}, &bs_wl_pointer);
    if (w->keyboards) w->keyboard = bs_wl_make(w, w->keyboards, KEYBOARD_MANAGER_CREATE, (union wl_argument[]){{.o = w->seat}, {.o = NULL}}, &bs_wl_keyboard);
    bool whole = (!w->pointers || w->pointer) && (!w->keyboards || w->keyboard);
    if (!whole || !bs_wl_clip_begin(w)) return bs_wl_unmade(w);
    return w->keyboard ? bs_wl_map_ordinary(w, (const uint32_t[3]){0}) : BACKSTEP_OK;
}

int bs_wl_begin(bs_wl *w, unsigned devices) {
    struct epoll_event wire = {.events = EPOLLIN, .data = {.u32 = BS_WL_TRANSFERS}};
    w->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (w->epoll < 0 || epoll_ctl(w->epoll, EPOLL_CTL_ADD, w->wire, &wire) < 0) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "no descriptor is left to wait with");
    w->registry = bs_wl_make(w, (struct wl_proxy *)w->display, WL_DISPLAY_GET_REGISTRY, (union wl_argument[]){{.o = NULL}}, &bs_wl_registry);
    if (!w->registry || !bs_wl_listen(w, w->registry, on_registry, w)) return bs_wl_unmade(w);
    int status = bs_wl_sync(w);
    if (status) return status;
    for (unsigned i = 0; i < w->outputs; i++) bs_wl_output_measure(w, &w->output[i]);
    status = make_devices(w, devices);
    if (!status) status = bs_wl_sync(w);
    return status;
}
