/* A client of its own on a thread: one window, all that keyboard and pointer do in it. Symbols and text come from libxkbcommon, which sway needs, too. */
#define _GNU_SOURCE
#include "wl_harness.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

static struct {
    void *(*context_new)(int flags);
    void *(*keymap_new)(void *context, const char *text, int format, int flags);
    void *(*state_new)(void *keymap);
    int (*update)(void *state, uint32_t depressed, uint32_t latched, uint32_t locked, uint32_t a, uint32_t b, uint32_t group);
    uint32_t (*symbol)(void *state, uint32_t code);
    int (*utf8)(void *state, uint32_t code, char *into, size_t size);
    void (*state_unref)(void *);
    void (*keymap_unref)(void *);
    void (*context_unref)(void *);
} xkb;

static void load_xkb(void) {
    static const char *const names[] = {"xkb_context_new", "xkb_keymap_new_from_string", "xkb_state_new", "xkb_state_update_mask", "xkb_state_key_get_one_sym",
        "xkb_state_key_get_utf8", "xkb_state_unref", "xkb_keymap_unref", "xkb_context_unref"};
    void *library = dlopen("libxkbcommon.so.0", RTLD_NOW);
    for (unsigned i = 0; i < COUNT(names); i++) {
        void *symbol = library ? dlsym(library, names[i]) : NULL;
        if (!symbol) fprintf(stderr, "libxkbcommon.so.0 is not installed\n"), exit(2);
        memcpy((char *)&xkb + i * sizeof symbol, &symbol, sizeof symbol);
    }
}

struct observer {
    const bs_wl_library *lib;
    struct wl_display *display;
    struct wl_proxy *registry, *compositor, *shm, *base, *seat, *surface, *xdg, *toplevel, *keyboard, *pointer, *buffer;
    uint8_t *memory;
    int width, height, wake, wire;
    atomic_bool quit, frozen;
    uint64_t frozen_us;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void *context, *keymap, *state;
    uint32_t modifiers;
    double discrete; /* notches of the axis event that follows */
    /* under the lock */
    char *log, *typed;
    size_t logged, written;
    unsigned motions;
    double x, y;
    bool drawn, focused;
    int32_t told_width, told_height; /* by the window manager */
    struct wl_proxy *placed;
};

static void append(char **to, size_t *length, const char *text) {
    size_t n = strlen(text);
    *to = realloc(*to, *length + n + 1);
    memcpy(*to + *length, text, n + 1);
    *length += n;
}

static void note(observer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(observer *w, const char *format, ...) {
    char text[128];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    append(&w->log, &w->logged, text);
}

static struct wl_proxy *make(observer *w, struct wl_proxy *p, uint32_t request, union wl_argument *a, const struct wl_interface *interface) {
    uint32_t version = w->lib->version(p);
    return w->lib->make(p, request, a, interface, version ? version : 1);
}

static void ask(observer *w, struct wl_proxy *p, uint32_t request, union wl_argument *a) { w->lib->send(p, request, a); }

static void take_keymap(observer *w, int fd, uint32_t size) {
    char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (text == MAP_FAILED) return;
    if (w->state) xkb.state_unref(w->state), xkb.keymap_unref(w->keymap);
    w->keymap = xkb.keymap_new(w->context, text, 1, 0);
    w->state = w->keymap ? xkb.state_new(w->keymap) : NULL;
    munmap(text, size);
    if (!w->state) note(w, "nokeymap ");
}

static void key(observer *w, uint32_t code, bool down) {
    uint32_t symbol = w->state ? xkb.symbol(w->state, code + 8) : 0;
    char utf8[16] = "";
    note(w, "%c%x/%u ", down ? '+' : '-', symbol, w->modifiers);
    if (!down || !w->state || (w->modifiers & 4)) return;
    xkb.utf8(w->state, code + 8, utf8, sizeof utf8);
    append(&w->typed, &w->written, *utf8 == '\r' ? "\n" : utf8);
}

static int on_keyboard(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)target, (void)message;
    observer *w = (observer *)(uintptr_t)about;
    pthread_mutex_lock(&w->lock);
    if (event == 0) take_keymap(w, a[1].i, a[2].u);
    if (event == 1) w->focused = true, note(w, "focus ");
    if (event == 2) w->focused = false, note(w, "blur ");
    if (event == 3) key(w, a[2].u, a[3].u);
    if (event == 4) {
        w->modifiers = a[1].u | a[3].u;
        if (w->state) xkb.update(w->state, a[1].u, a[2].u, a[3].u, 0, 0, a[4].u);
    }
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return 0;
}

static int on_pointer(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)target, (void)message;
    observer *w = (observer *)(uintptr_t)about;
    pthread_mutex_lock(&w->lock);
    if (event == 0) w->x = a[2].i / 256.0, w->y = a[3].i / 256.0, note(w, "enter%.0f,%.0f ", w->x, w->y);
    if (event == 1) note(w, "leave ");
    if (event == 2) w->x = a[1].i / 256.0, w->y = a[2].i / 256.0, w->motions++;
    if (event == 3) note(w, "b%x%c ", a[2].u, a[3].u ? '+' : '-');
    if (event == 4) note(w, "axis%u:%.0f:%.0f ", a[1].u, a[2].i / 256.0, w->discrete), w->discrete = 0;
    if (event == 8) w->discrete = a[1].i;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return 0;
}

static int on_seat(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message;
    observer *w = (observer *)(uintptr_t)about;
    if (event != 0) return 0;
    if ((a[0].u & 1) && !w->pointer) {
        w->pointer = make(w, target, 0, (union wl_argument[]){{.o = NULL}}, &observed_pointer);
        w->lib->listen(w->pointer, on_pointer, w, NULL);
    }
    if ((a[0].u & 2) && !w->keyboard) {
        w->keyboard = make(w, target, 1, (union wl_argument[]){{.o = NULL}}, &observed_keyboard);
        w->lib->listen(w->keyboard, on_keyboard, w, NULL);
    }
    return 0;
}

static int on_base(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message, (void)event;
    ask((observer *)(uintptr_t)about, target, 3, (union wl_argument[]){{.u = a[0].u}});
    return 0;
}

static void paint(observer *w) {
    static const uint32_t colours[4] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff};
    size_t size = (size_t)w->width * (size_t)w->height * 4;
    int fd = memfd_create("observer", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)size)) abort();
    w->memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    for (int y = 0; y < w->height; y++) {
        for (int x = 0; x < w->width; x++) memcpy(w->memory + 4 * (y * w->width + x), &colours[(y >= w->height / 2) * 2 + (x >= w->width / 2)], 4);
    }
    struct wl_proxy *pool = make(w, w->shm, WL_SHM_CREATE_POOL, (union wl_argument[]){{.o = NULL}, {.i = fd}, {.i = (int32_t)size}}, &bs_wl_shm_pool);
    w->buffer = make(w, pool, WL_SHM_POOL_CREATE_BUFFER, (union wl_argument[]){{.o = NULL}, {.i = 0}, {.i = w->width}, {.i = w->height}, {.i = w->width * 4}, {.u = 1}}, &bs_wl_buffer);
    ask(w, pool, WL_SHM_POOL_DESTROY, (union wl_argument[]){{.u = 0}});
    w->lib->destroy(pool);
    close(fd);
}

/* The window is where it stays: sway moves a window once that has drawn itself in the size that it was told. */
static int on_placed(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message, (void)event, (void)a, (void)target;
    observer *w = (observer *)(uintptr_t)about;
    pthread_mutex_lock(&w->lock);
    w->drawn = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    return 0;
}

static int on_xdg_surface(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message, (void)event;
    observer *w = (observer *)(uintptr_t)about;
    ask(w, target, 4, (union wl_argument[]){{.u = a[0].u}});
    if (!w->buffer) paint(w);
    ask(w, w->surface, 1, (union wl_argument[]){{.o = w->buffer}, {.i = 0}, {.i = 0}});
    ask(w, w->surface, 2, (union wl_argument[]){{.i = 0}, {.i = 0}, {.i = w->width}, {.i = w->height}});
    ask(w, w->surface, 6, (union wl_argument[]){{.u = 0}});
    if (w->told_width != w->width || w->told_height != w->height || w->placed) return 0;
    w->placed = make(w, (struct wl_proxy *)w->display, WL_DISPLAY_SYNC, (union wl_argument[]){{.o = NULL}}, &bs_wl_callback);
    w->lib->listen(w->placed, on_placed, w, NULL);
    return 0;
}

static int on_toplevel(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message, (void)target;
    observer *w = (observer *)(uintptr_t)about;
    if (event == 0) w->told_width = a[0].i, w->told_height = a[1].i;
    return 0;
}

static int on_registry(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message;
    observer *w = (observer *)(uintptr_t)about;
    const struct {
        const struct wl_interface *interface;
        struct wl_proxy **into;
        bs_wl_dispatcher *dispatcher;
    } wanted[] = {{&observed_compositor, &w->compositor, NULL}, {&bs_wl_shm, &w->shm, NULL}, {&observed_wm_base, &w->base, on_base}, {&observed_seat, &w->seat, on_seat}};
    for (unsigned i = 0; event == 0 && i < COUNT(wanted); i++) {
        if (strcmp(a[1].s, wanted[i].interface->name)) continue;
        uint32_t version = (uint32_t)wanted[i].interface->version;
        *wanted[i].into = w->lib->make(target, 0, (union wl_argument[]){{.u = a[0].u}, {.s = a[1].s}, {.u = version}, {.o = NULL}}, wanted[i].interface, version);
        if (wanted[i].dispatcher) w->lib->listen(*wanted[i].into, wanted[i].dispatcher, w, NULL);
    }
    return 0;
}

static bool turn(observer *w) {
    struct pollfd fds[2] = {{w->wire, POLLIN, 0}, {w->wake, POLLIN, 0}};
    while (w->lib->prepare_read(w->display)) {
        if (w->lib->dispatch_pending(w->display) < 0) return false;
    }
    w->lib->flush(w->display);
    poll(fds, 2, 100);
    return w->lib->read_events(w->display) >= 0 && w->lib->dispatch_pending(w->display) >= 0;
}

static void *body(void *argument) {
    observer *w = argument;
    while (!atomic_load(&w->quit)) {
        if (atomic_load(&w->frozen)) poll(NULL, 0, 5);
        else if (!turn(w)) break;
    }
    return NULL;
}

static bool wait_for(observer *w, uint64_t until_us) {
    struct timespec at = {.tv_sec = (time_t)(until_us / 1000000), .tv_nsec = (long)(until_us % 1000000) * 1000};
    return pthread_cond_clockwait(&w->changed, &w->lock, CLOCK_MONOTONIC, &at) == 0;
}

static observer *start(const char *display, const char *name, int width, int height, bool keyboard) {
    observer *w = calloc(1, sizeof *w);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (!xkb.context_new) load_xkb();
    w->lib = bs_wl_load();
    w->width = width, w->height = height;
    w->context = xkb.context_new(0);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    append(&w->log, &w->logged, "");
    append(&w->typed, &w->written, "");
    snprintf(a.sun_path, sizeof a.sun_path, "%s", display + sizeof BS_WAYLAND - 1);
    w->wake = eventfd(0, EFD_CLOEXEC);
    w->wire = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (w->wire < 0 || connect(w->wire, (struct sockaddr *)&a, sizeof a)) fprintf(stderr, "the observer cannot connect\n"), exit(2);
    w->display = w->lib->connect_to_fd(w->wire);
    w->registry = make(w, (struct wl_proxy *)w->display, WL_DISPLAY_GET_REGISTRY, (union wl_argument[]){{.o = NULL}}, &bs_wl_registry);
    w->lib->listen(w->registry, on_registry, w, NULL);
    while (!w->compositor || !w->shm || !w->base || !w->seat) {
        if (!turn(w)) fprintf(stderr, "the observer's compositor went\n"), exit(2);
    }
    w->surface = make(w, w->compositor, 0, (union wl_argument[]){{.o = NULL}}, &observed_surface);
    w->xdg = make(w, w->base, 2, (union wl_argument[]){{.o = NULL}, {.o = w->surface}}, &observed_xdg_surface);
    w->toplevel = make(w, w->xdg, 1, (union wl_argument[]){{.o = NULL}}, &observed_toplevel);
    w->lib->listen(w->xdg, on_xdg_surface, w, NULL);
    w->lib->listen(w->toplevel, on_toplevel, w, NULL);
    ask(w, w->toplevel, 3, (union wl_argument[]){{.s = name}});
    ask(w, w->surface, 6, (union wl_argument[]){{.u = 0}});
    pthread_create(&w->thread, NULL, body, w);
    pthread_mutex_lock(&w->lock);
    uint64_t until = bs_now_us() + 20000000;
    while (!(w->drawn && (w->focused || !keyboard)) && wait_for(w, until)) continue;
    CHECK(w->drawn && (w->focused || !keyboard), "the observer %s %s", name, w->drawn ? "has no keyboard" : "has not drawn");
    pthread_mutex_unlock(&w->lock);
    return w;
}

observer *observer_start(const char *display, const char *name, int width, int height) { return start(display, name, width, height, true); }
observer *observer_start_aside(const char *display, const char *name, int width, int height) { return start(display, name, width, height, false); }

void observer_stop(observer *w) {
    uint64_t one = 1;
    atomic_store(&w->quit, true);
    if (write(w->wake, &one, sizeof one) < 0) abort();
    pthread_join(w->thread, NULL);
    struct wl_proxy *all[] = {w->placed, w->keyboard, w->pointer, w->buffer, w->toplevel, w->xdg, w->surface, w->seat, w->base, w->shm, w->compositor, w->registry};
    for (unsigned i = 0; i < COUNT(all); i++) {
        if (all[i]) w->lib->destroy(all[i]);
    }
    w->lib->disconnect(w->display);
    if (w->state) xkb.state_unref(w->state), xkb.keymap_unref(w->keymap);
    xkb.context_unref(w->context);
    if (w->memory) munmap(w->memory, (size_t)w->width * (size_t)w->height * 4);
    close(w->wake);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w->log);
    free(w->typed);
    free(w);
}

void observer_clear(observer *w) {
    pthread_mutex_lock(&w->lock);
    *w->log = *w->typed = 0;
    w->logged = w->written = 0;
    w->motions = 0;
    pthread_mutex_unlock(&w->lock);
}

void observer_freeze(observer *w, bool frozen) { atomic_store(&w->frozen, frozen); }

static void *thaw(void *argument) {
    observer *w = argument;
    usleep((useconds_t)w->frozen_us);
    atomic_store(&w->frozen, false);
    return NULL;
}

void observer_freeze_for(observer *w, uint64_t us) {
    pthread_t t;
    w->frozen_us = us;
    atomic_store(&w->frozen, true);
    pthread_create(&t, NULL, thaw, w);
    pthread_detach(t);
}

static bool await_text(observer *w, char *const *in, const char *wanted, bool whole, unsigned ms) {
    uint64_t until = bs_now_us() + ms * 1000ull;
    pthread_mutex_lock(&w->lock);
    bool found;
    while (!(found = whole ? !strcmp(*in, wanted) : strstr(*in, wanted) != NULL) && wait_for(w, until)) continue;
    pthread_mutex_unlock(&w->lock);
    return found;
}

bool observer_awaits(observer *w, const char *part, unsigned ms) { return await_text(w, &w->log, part, false, ms); }
bool observer_types(observer *w, const char *text, unsigned ms) { return await_text(w, &w->typed, text, true, ms); }

static const char *copy_of(observer *w, const char *text, char *into, size_t size) {
    pthread_mutex_lock(&w->lock);
    snprintf(into, size, "%s", text);
    pthread_mutex_unlock(&w->lock);
    return into;
}

const char *observer_log(observer *w) {
    static char text[20000];
    return copy_of(w, w->log, text, sizeof text);
}

const char *observer_typed(observer *w) {
    static char text[20000];
    return copy_of(w, w->typed, text, sizeof text);
}

unsigned observer_motions(observer *w) {
    pthread_mutex_lock(&w->lock);
    unsigned n = w->motions;
    pthread_mutex_unlock(&w->lock);
    return n;
}

bool observer_awaits_modifiers(observer *w, uint32_t mask, unsigned ms) {
    uint64_t until = bs_now_us() + ms * 1000ull;
    pthread_mutex_lock(&w->lock);
    while (w->modifiers != mask && wait_for(w, until)) continue;
    bool are = w->modifiers == mask;
    pthread_mutex_unlock(&w->lock);
    return are;
}

void observer_at(observer *w, double *x, double *y) {
    pthread_mutex_lock(&w->lock);
    *x = w->x, *y = w->y;
    pthread_mutex_unlock(&w->lock);
}
