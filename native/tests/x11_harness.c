#define _GNU_SOURCE
#include "x11_harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xcb/xtest.h>

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

void open_interrupted(const char *display) {
    static bs_screen *_Atomic slot;
    int status = 0;
    bs_buf m = {0};
    interrupt_opening_later(&slot, 150000);
    uint64_t start = bs_now_us();
    bs_x11 *x = bs_x11_open(display, start + 20000000, &status, &m, &slot);
    CHECK(!x && status == BACKSTEP_E_DISPLAY && !slot, "status %d", status);
    CHECK(bs_now_us() - start < 400000, "opening is interrupted at once");
    bs_buf_free(&m);
}

bs_screen *open_or_die(const char *display) {
    return open_kind_or_die(&bs_screen_x11, display);
}

bs_x11 *x11_of(bs_screen *s) {
    return (bs_x11 *)s;
}

int capture(bs_screen *s, uint32_t what, uint32_t window, int32_t px, int32_t py, int32_t w, int32_t h) {
    return capture_within(s, what, window, px, py, w, h, 5000);
}

int drawn(bs_screen *x, int32_t px, int32_t py, int32_t w, int32_t h) {
    return drawn_within(x, px, py, w, h, 0);
}

int drawn_within(bs_screen *x, int32_t px, int32_t py, int32_t w, int32_t h, uint32_t within) {
    bs_buf q = {0};
    bs_put_i32(&q, px), bs_put_i32(&q, py), bs_put_i32(&q, w), bs_put_i32(&q, h), bs_put_u32(&q, within);
    return run(x, BACKSTEP_OP_DRAWN, &q, 3000, NULL);
}

int windows(bs_screen *x) {
    bs_buf q = {0};
    return run(x, BACKSTEP_OP_WINDOWS, &q, 3000, NULL);
}

bool find_listed(uint32_t window, listed *out) {
    bs_reader r = {.data = reply_data(), .length = reply_size()};
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

int window_verb(bs_screen *x, uint32_t window, uint32_t verb, int32_t px, int32_t py, int32_t w, int32_t h) {
    bs_buf q = {0};
    bs_put_u32(&q, window), bs_put_u32(&q, verb), bs_put_i32(&q, px), bs_put_i32(&q, py), bs_put_i32(&q, w), bs_put_i32(&q, h);
    return run(x, BACKSTEP_OP_WINDOW, &q, 3000, NULL);
}

int clip_read(bs_screen *s, const char *selection, const char *target) {
    return clip_read_within(s, selection, target, 10000);
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

void make_modal(uint32_t window) {
    xcb_intern_atom_reply_t *a = xcb_intern_atom_reply(painter, xcb_intern_atom(painter, 0, 19, "_NET_WM_STATE_MODAL"), NULL);
    set(window, "_NET_WM_STATE", "ATOM", 32, 1, &a->atom);
    free(a);
    round_trip(painter);
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
