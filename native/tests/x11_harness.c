#define _GNU_SOURCE
#include "x11_harness.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xcb/xtest.h>

unsigned checks, failures;
uint32_t modifiers_held;
static bs_buf reply;

server server_start(const char *const *more) {
    server s = {0};
    int pipes[2];
    if (pipe(pipes)) abort();
    s.pid = fork();
    if (!s.pid) {
        char number[16];
        const char *argv[32] = {"Xvfb", "-displayfd", number, "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-ac", "-noreset"};
        unsigned n = 10;
        while (more && *more && n < 31) argv[n++] = *more++;
        snprintf(number, sizeof number, "%d", pipes[1]);
        close(pipes[0]);
        freopen("/dev/null", "w", stderr);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(pipes[1]);
    char text[16] = {0};
    size_t n = 0;
    while (n < sizeof text - 1 && !memchr(text, '\n', n) && read(pipes[0], text + n, 1) == 1) n++;
    close(pipes[0]);
    if (!n) fprintf(stderr, "Xvfb did not start\n"), exit(2);
    snprintf(s.display, sizeof s.display, ":%d", atoi(text));
    return s;
}

void server_stop(server *s) {
    kill(s->pid, SIGKILL);
    waitpid(s->pid, NULL, 0);
    char path[64];
    snprintf(path, sizeof path, "/tmp/.X11-unix/X%s", s->display + 1);
    unlink(path);
    snprintf(path, sizeof path, "/tmp/.X%s-lock", s->display + 1);
    unlink(path);
}

typedef struct later {
    uint64_t us;
    pid_t kill;
    bs_x11 *interrupt;
    bs_screen *_Atomic *slot;
    atomic_bool *cancel;
} later;

static void *do_later(void *argument) {
    later *l = argument;
    usleep((useconds_t)l->us);
    if (l->kill) kill(l->kill, SIGKILL);
    if (l->interrupt) bs_x11_interrupt(l->interrupt);
    if (l->cancel) atomic_store(l->cancel, true);
    bs_screen *s = l->slot ? atomic_exchange(l->slot, NULL) : NULL;
    if (s) s->kind->interrupt(s);
    free(l);
    return NULL;
}

static void start_later(later what) {
    later *l = malloc(sizeof *l);
    *l = what;
    pthread_t t;
    pthread_create(&t, NULL, do_later, l);
    pthread_detach(t);
}

void kill_later(const server *s, uint64_t us) {
    start_later((later){.us = us, .kill = s->pid});
}

void interrupt_later(bs_x11 *x, uint64_t us) {
    start_later((later){.us = us, .interrupt = x});
}

void cancel_later(atomic_bool *flag, uint64_t us) {
    start_later((later){.us = us, .cancel = flag});
}

void open_interrupted(const char *display) {
    static bs_screen *_Atomic slot;
    int status = 0;
    bs_buf m = {0};
    start_later((later){.us = 150000, .slot = &slot});
    uint64_t start = bs_now_us();
    bs_x11 *x = bs_x11_open(display, start + 20000000, &status, &m, &slot);
    CHECK(!x && status == BACKSTEP_E_DISPLAY && !slot, "status %d", status);
    CHECK(bs_now_us() - start < 400000, "opening is interrupted at once");
    bs_buf_free(&m);
}

bs_x11 *open_or_die(const char *display) {
    int status = 0;
    bs_buf m = {0};
    bs_screen *_Atomic slot = NULL;
    bs_x11 *x = bs_x11_open(display, bs_now_us() + 10000000, &status, &m, &slot);
    if (!x) fprintf(stderr, "open %s: %d %.*s\n", display, status, (int)m.length, m.data ? (char *)m.data : ""), exit(2);
    if (slot != &x->base) fprintf(stderr, "the slot is not set\n"), exit(2);
    bs_buf_free(&m);
    return x;
}

int run(bs_x11 *x, uint32_t op, bs_buf *request, uint32_t timeout_ms, atomic_bool *cancel) {
    bs_reader r = {.data = request->data, .length = request->length};
    bs_buf_clear(&reply);
    int status = bs_x11_exec(x, op, &r, bs_now_us() + timeout_ms * 1000ull, cancel, &reply);
    bs_buf_free(request);
    return status;
}

const char *reply_text(void) {
    static char text[600];
    uint32_t n = reply.length >= 4 ? reply_u32(0) : 0;
    snprintf(text, sizeof text, "%.*s", n + 4 == reply.length ? (int)n : 0, reply.data ? (char *)reply.data + 4 : "");
    return text;
}

const uint8_t *reply_data(void) { return reply.data; }
size_t reply_size(void) { return reply.length; }
void forget_reply(void) { bs_buf_free(&reply); }

uint32_t reply_u32(size_t at) {
    uint32_t v = 0xdeadbeef;
    if (at + 4 <= reply.length) memcpy(&v, reply.data + at, 4);
    return v;
}

bool reply_is(const void *bytes, size_t n) {
    return reply.length == n && !memcmp(reply.data, bytes, n);
}

int chord(bs_x11 *x, uint32_t n, const uint32_t *symbols) {
    bs_buf q = {0};
    bs_put_u32(&q, n);
    for (uint32_t i = 0; i < n; i++) bs_put_u32(&q, symbols[i]);
    return run(x, BACKSTEP_OP_CHORD, &q, 3000, NULL);
}

int pointer(bs_x11 *x, uint32_t kind, int32_t px, int32_t py, uint32_t button, uint32_t count, int32_t x2, int32_t y2, uint32_t duration_ms,
    int32_t wheel_x, int32_t wheel_y, uint32_t timeout_ms, atomic_bool *cancel) {
    bs_buf q = {0};
    bs_put_u32(&q, kind), bs_put_i32(&q, px), bs_put_i32(&q, py), bs_put_u32(&q, button), bs_put_u32(&q, count);
    bs_put_i32(&q, x2), bs_put_i32(&q, y2), bs_put_u32(&q, duration_ms), bs_put_i32(&q, wheel_x), bs_put_i32(&q, wheel_y);
    bs_put_u32(&q, modifiers_held);
    return run(x, BACKSTEP_OP_POINTER, &q, timeout_ms, cancel);
}

static int capture_request(bs_x11 *x, uint32_t what, uint32_t window, int32_t px, int32_t py, int32_t w, int32_t h, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_u32(&q, what), bs_put_u32(&q, window), bs_put_i32(&q, px), bs_put_i32(&q, py), bs_put_i32(&q, w), bs_put_i32(&q, h);
    return run(x, BACKSTEP_OP_CAPTURE, &q, timeout_ms, NULL);
}

int capture(bs_x11 *x, uint32_t what, uint32_t window, int32_t px, int32_t py, int32_t w, int32_t h) {
    return capture_request(x, what, window, px, py, w, h, 5000);
}

int capture_within(bs_x11 *x, uint32_t timeout_ms) {
    return capture_request(x, 0, 0, 0, 0, 0, 0, timeout_ms);
}

int drawn(bs_x11 *x, int32_t px, int32_t py, int32_t w, int32_t h) {
    bs_buf q = {0};
    bs_put_i32(&q, px), bs_put_i32(&q, py), bs_put_i32(&q, w), bs_put_i32(&q, h);
    return run(x, BACKSTEP_OP_DRAWN, &q, 3000, NULL);
}

int windows(bs_x11 *x) {
    bs_buf q = {0};
    return run(x, BACKSTEP_OP_WINDOWS, &q, 3000, NULL);
}

bool find_listed(uint32_t window, listed *out) {
    bs_reader r = {.data = reply.data, .length = reply.length};
    bool found = false;
    for (uint32_t n = bs_get_u32(&r); n && !r.failed; n--) {
        listed w = {0};
        uint32_t id = bs_get_u32(&r);
        w.pid = bs_get_u32(&r);
        w.x = bs_get_i32(&r), w.y = bs_get_i32(&r), w.w = bs_get_i32(&r), w.h = bs_get_i32(&r);
        w.flags = bs_get_u32(&r);
        for (unsigned i = 0; i < 4; i++) w.frame[i] = bs_get_i32(&r);
        bs_str title = bs_get_str(&r), class = bs_get_str(&r);
        snprintf(w.title, sizeof w.title, "%.*s", (int)title.length, title.text);
        snprintf(w.class, sizeof w.class, "%.*s", (int)class.length, class.text);
        if (id == window) *out = w, found = true;
    }
    CHECK(!r.failed && r.at == r.length, "the list is whole");
    return found;
}

int window_verb(bs_x11 *x, uint32_t window, uint32_t verb, int32_t px, int32_t py, int32_t w, int32_t h) {
    bs_buf q = {0};
    bs_put_u32(&q, window), bs_put_u32(&q, verb), bs_put_i32(&q, px), bs_put_i32(&q, py), bs_put_i32(&q, w), bs_put_i32(&q, h);
    return run(x, BACKSTEP_OP_WINDOW, &q, 3000, NULL);
}

int clip_read_within(bs_x11 *x, const char *selection, const char *target, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_cstr(&q, selection);
    bs_put_cstr(&q, target);
    return run(x, BACKSTEP_OP_CLIP_READ, &q, timeout_ms, NULL);
}

int clip_read(bs_x11 *x, const char *selection, const char *target) {
    return clip_read_within(x, selection, target, 10000);
}

int clip_write(bs_x11 *x, const char *selection, const char *target, const void *bytes, size_t n) {
    bs_buf q = {0};
    bs_put_cstr(&q, selection);
    bs_put_u32(&q, target != NULL);
    if (target) bs_put_cstr(&q, target), bs_put_str(&q, bytes, n);
    return run(x, BACKSTEP_OP_CLIP_WRITE, &q, 3000, NULL);
}

struct pumping {
    pthread_t thread;
    bs_x11 *x;
    atomic_bool stop;
};

static void *pump(void *argument) {
    pumping *p = argument;
    struct pollfd poll_fd = {.fd = bs_x11_fd(p->x), .events = POLLIN};
    while (!atomic_load(&p->stop) && bs_x11_pump(p->x) >= 0) poll(&poll_fd, 1, 10);
    return NULL;
}

pumping *pump_start(bs_x11 *x) {
    pumping *p = calloc(1, sizeof *p);
    p->x = x;
    pthread_create(&p->thread, NULL, pump, p);
    return p;
}

void pump_stop(pumping *p) {
    atomic_store(&p->stop, true);
    pthread_join(p->thread, NULL);
    free(p);
}

static xcb_connection_t *painter;

static void round_trip(xcb_connection_t *c) {
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
}

static void set(uint32_t window, const char *name, const char *type, uint8_t format, uint32_t n, const void *data) {
    xcb_intern_atom_reply_t *a = xcb_intern_atom_reply(painter, xcb_intern_atom(painter, 0, (uint16_t)strlen(name), name), NULL);
    xcb_intern_atom_reply_t *t = xcb_intern_atom_reply(painter, xcb_intern_atom(painter, 0, (uint16_t)strlen(type), type), NULL);
    xcb_change_property(painter, XCB_PROP_MODE_REPLACE, window, a->atom, t->atom, format, n, data);
    free(a);
    free(t);
}

static uint32_t paint(int16_t px, int16_t py, uint16_t w, uint16_t h, uint32_t colour, uint32_t override) {
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(painter)).data;
    uint32_t window = xcb_generate_id(painter), values[2] = {colour, override};
    xcb_create_window(painter, XCB_COPY_FROM_PARENT, window, screen->root, px, py, w, h, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
        XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT, values);
    xcb_map_window(painter, window);
    round_trip(painter);
    return window;
}

uint32_t coloured_window(const char *display, int16_t px, int16_t py, uint16_t w, uint16_t h, uint32_t colour) {
    painter = xcb_connect(display, NULL);
    uint32_t window = paint(px, py, w, h, colour, 0), pid = 4242, frame[4] = {1, 2, 3, 4};
    set(window, "_NET_WM_NAME", "UTF8_STRING", 8, 10, "Fenster \xc3\xa4");
    set(window, "WM_CLASS", "STRING", 8, 15, "instance\0Class");
    set(window, "_NET_WM_PID", "CARDINAL", 32, 1, &pid);
    set(window, "_GTK_FRAME_EXTENTS", "CARDINAL", 32, 4, frame);
    round_trip(painter);
    return window;
}

uint32_t popup_window(int16_t px, int16_t py, uint16_t w, uint16_t h) {
    return paint(px, py, w, h, 0xffffff, 1);
}

void recolour(uint32_t window, uint32_t colour) {
    xcb_change_window_attributes(painter, window, XCB_CW_BACK_PIXEL, &colour);
    xcb_clear_area(painter, 0, window, 0, 0, 0, 0);
    round_trip(painter);
}

void unmap(uint32_t window) {
    xcb_unmap_window(painter, window);
    round_trip(painter);
}

void uncolour(void) {
    xcb_disconnect(painter);
    usleep(20000);
}

unsigned lent_keycodes(const char *display) {
    xcb_connection_t *c = xcb_connect(display, NULL);
    const xcb_setup_t *s = xcb_get_setup(c);
    xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(c, xcb_get_keyboard_mapping(c, s->min_keycode, (uint8_t)(s->max_keycode - s->min_keycode + 1)), NULL);
    unsigned n = 0;
    for (int i = 0; i < xcb_get_keyboard_mapping_keysyms_length(map); i++) n += (xcb_get_keyboard_mapping_keysyms(map)[i] >> 24) == 1;
    free(map);
    xcb_disconnect(c);
    return n;
}

static unsigned pointer_mask(const char *display) {
    xcb_connection_t *c = xcb_connect(display, NULL);
    xcb_query_pointer_reply_t *p = xcb_query_pointer_reply(c, xcb_query_pointer(c, xcb_setup_roots_iterator(xcb_get_setup(c)).data->root), NULL);
    unsigned mask = p->mask;
    free(p);
    xcb_disconnect(c);
    return mask;
}

unsigned modifiers_on(const char *display) { return pointer_mask(display) & 0xff; }
unsigned buttons_down(const char *display) { return pointer_mask(display) & 0x1f00; }

unsigned keys_down(const char *display) {
    xcb_connection_t *c = xcb_connect(display, NULL);
    xcb_query_keymap_reply_t *k = xcb_query_keymap_reply(c, xcb_query_keymap(c), NULL);
    unsigned n = 0;
    for (unsigned i = 0; i < 32; i++) n += (unsigned)__builtin_popcount(k->keys[i]);
    free(k);
    xcb_disconnect(c);
    return n;
}

uint32_t focus_of(const char *display) {
    xcb_connection_t *c = xcb_connect(display, NULL);
    xcb_get_input_focus_reply_t *f = xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL);
    uint32_t window = f ? f->focus : 0;
    free(f);
    xcb_disconnect(c);
    return window;
}

void hold_key(const char *display, uint8_t code, bool down) {
    xcb_connection_t *c = xcb_connect(display, NULL);
    xcb_test_fake_input(c, down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code, XCB_CURRENT_TIME, 0, 0, 0, 0);
    round_trip(c);
    xcb_disconnect(c);
}
