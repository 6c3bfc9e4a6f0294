#define _GNU_SOURCE
#include "x11_harness.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xcb/xcb.h>

#define PID 4711u

struct victim {
    pthread_t thread;
    pthread_mutex_t lock;
    atomic_bool stop, ready, hangs;
    char display[16];
    bool answers_pings, split;
    unsigned delay_us, motions;
    _Atomic uint64_t lag_us; /* between two looks at the second connection; VICTIM_NEVER: it is not looked at */
    bs_buf text, log;
    /* of the thread */
    xcb_connection_t *c, *second; /* second: that the map is followed on; the same where there is one only */
    uint64_t second_us;
    xcb_window_t window;
    xcb_get_keyboard_mapping_reply_t *map;
    bool stale;
};

static void put_utf8(bs_buf *b, uint32_t c) {
    if (c < 0x80) bs_put_u8(b, (uint8_t)c);
    else if (c < 0x800) bs_put_u8(b, (uint8_t)(0xc0 | c >> 6));
    else if (c < 0x10000) bs_put_u8(b, (uint8_t)(0xe0 | c >> 12)), bs_put_u8(b, (uint8_t)(0x80 | (c >> 6 & 63)));
    else bs_put_u8(b, (uint8_t)(0xf0 | c >> 18)), bs_put_u8(b, (uint8_t)(0x80 | (c >> 12 & 63))), bs_put_u8(b, (uint8_t)(0x80 | (c >> 6 & 63)));
    if (c >= 0x80) bs_put_u8(b, (uint8_t)(0x80 | (c & 63)));
}

static void put_log(bs_buf *b, const char *text) {
    bs_put(b, text, strlen(text));
}

static xcb_keysym_t symbol(victim *v, uint8_t code, unsigned level) {
    const xcb_setup_t *s = xcb_get_setup(v->c);
    if (v->stale) {
        free(v->map);
        v->map = xcb_get_keyboard_mapping_reply(v->second, xcb_get_keyboard_mapping(v->second, s->min_keycode, (uint8_t)(s->max_keycode - s->min_keycode + 1)), NULL);
        v->stale = false;
    }
    if (!v->map || level >= v->map->keysyms_per_keycode) return 0;
    return xcb_get_keyboard_mapping_keysyms(v->map)[(code - s->min_keycode) * v->map->keysyms_per_keycode + level];
}

static void key(victim *v, const xcb_key_press_event_t *e, bool down) {
    xcb_keysym_t plain = symbol(v, e->detail, 0), s = e->state & 1 ? symbol(v, e->detail, 1) : plain;
    if (!s) s = plain;
    if (e->state & 2 && s >= 'a' && s <= 'z') s -= 32;
    else if (e->state & 2 && s >= 'A' && s <= 'Z') s += 32;
    pthread_mutex_lock(&v->lock);
    char name[32];
    switch (plain) {
    case 0xffe1: snprintf(name, sizeof name, "Shift_L"); break;
    case 0xffe3: snprintf(name, sizeof name, "Control_L"); break;
    case 0xffe9: snprintf(name, sizeof name, "Alt_L"); break;
    default: snprintf(name, sizeof name, plain < 0x7f ? "%c" : "U%x", plain);
    }
    put_log(&v->log, down ? "+" : "-");
    put_log(&v->log, name);
    put_log(&v->log, " ");
    if (down && !(e->state & 4)) {
        if (s >= 0x01000100) put_utf8(&v->text, s - 0x01000000);
        else if (s == 0x20ac) put_utf8(&v->text, s);
        else if (s == 0xff0d) put_utf8(&v->text, '\n');
        else if (s == 0xff09) put_utf8(&v->text, '\t');
        else if (s < 0x100 && s) put_utf8(&v->text, s);
        else if (!s) put_utf8(&v->text, 0xfffd);
    }
    pthread_mutex_unlock(&v->lock);
}

static void take(victim *v, xcb_connection_t *c, xcb_generic_event_t *event, xcb_window_t root, xcb_atom_t protocols, xcb_atom_t ping) {
    unsigned type = event->response_type & 0x7f;
    const xcb_button_press_event_t *b = (const void *)event;
    if (v->delay_us && (type == XCB_KEY_PRESS || type == XCB_MAPPING_NOTIFY)) usleep(v->delay_us);
    if (type == XCB_MAPPING_NOTIFY) v->stale |= c == v->second;
    else if (type == XCB_KEY_PRESS || type == XCB_KEY_RELEASE) key(v, (const void *)event, type == XCB_KEY_PRESS);
    else if (type == XCB_MOTION_NOTIFY) v->motions++;
    else if (type == XCB_BUTTON_PRESS || type == XCB_BUTTON_RELEASE) {
        char text[64];
        snprintf(text, sizeof text, "%sB%u@%d,%d ", type == XCB_BUTTON_PRESS ? "+" : "-", b->detail, b->root_x, b->root_y);
        pthread_mutex_lock(&v->lock);
        put_log(&v->log, text);
        pthread_mutex_unlock(&v->lock);
    } else if (type == XCB_CLIENT_MESSAGE) {
        xcb_client_message_event_t m = *(xcb_client_message_event_t *)event;
        if (m.type != protocols || m.data.data32[0] != ping || !v->answers_pings) return;
        m.window = root;
        xcb_send_event(c, 0, root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (char *)&m);
        xcb_flush(c);
    }
}

static xcb_atom_t intern(xcb_connection_t *c, const char *name) {
    xcb_intern_atom_reply_t *r = xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t atom = r ? r->atom : 0;
    free(r);
    return atom;
}

/* As GTK within Chromium has it: a window that never shows, with the protocols and the process of the one that does. */
static void connect_second(victim *v, xcb_screen_t *screen, xcb_atom_t protocols, xcb_atom_t ping) {
    xcb_atom_t pid = intern(v->c, "_NET_WM_PID");
    uint32_t number = PID;
    v->second = xcb_connect(v->display, NULL);
    xcb_window_t hidden = xcb_generate_id(v->second);
    xcb_create_window(v->second, 0, hidden, screen->root, 10, 10, 10, 10, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_change_property(v->second, XCB_PROP_MODE_REPLACE, hidden, protocols, XCB_ATOM_ATOM, 32, 1, &ping);
    xcb_change_property(v->second, XCB_PROP_MODE_REPLACE, hidden, pid, XCB_ATOM_CARDINAL, 32, 1, &number);
    free(xcb_get_input_focus_reply(v->second, xcb_get_input_focus(v->second), NULL));
    xcb_change_property(v->c, XCB_PROP_MODE_REPLACE, v->window, pid, XCB_ATOM_CARDINAL, 32, 1, &number);
}

static void *live(void *argument) {
    victim *v = argument;
    v->c = v->second = xcb_connect(v->display, NULL);
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(v->c)).data;
    xcb_atom_t protocols = intern(v->c, "WM_PROTOCOLS"), ping = intern(v->c, "_NET_WM_PING");
    uint32_t values[2] = {1, XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE | XCB_EVENT_MASK_BUTTON_PRESS | XCB_EVENT_MASK_BUTTON_RELEASE
        | XCB_EVENT_MASK_POINTER_MOTION | XCB_EVENT_MASK_EXPOSURE};
    uint32_t keys = XCB_EVENT_MASK_KEY_PRESS | XCB_EVENT_MASK_KEY_RELEASE;
    v->window = xcb_generate_id(v->c);
    xcb_window_t child = xcb_generate_id(v->c);
    xcb_create_window(v->c, 0, v->window, screen->root, 0, 0, 1000, 700, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
        XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
    if (v->answers_pings) xcb_change_property(v->c, XCB_PROP_MODE_REPLACE, v->window, protocols, XCB_ATOM_ATOM, 32, 1, &ping);
    if (v->split) connect_second(v, screen, protocols, ping);
    /* the focus is on a child, as GTK has it */
    xcb_create_window(v->c, 0, child, v->window, -1, -1, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &keys);
    xcb_map_window(v->c, child);
    xcb_map_window(v->c, v->window);
    xcb_set_input_focus(v->c, XCB_INPUT_FOCUS_PARENT, child, XCB_CURRENT_TIME);
    free(xcb_get_input_focus_reply(v->c, xcb_get_input_focus(v->c), NULL));
    symbol(v, 38, 0);
    atomic_store(&v->ready, true);
    while (!atomic_load(&v->stop) && !xcb_connection_has_error(v->c)) {
        for (xcb_generic_event_t *e; !atomic_load(&v->hangs) && (e = xcb_poll_for_event(v->c));) {
            take(v, v->c, e, screen->root, protocols, ping);
            free(e);
        }
        uint64_t lag = atomic_load(&v->lag_us), now = bs_now_us();
        bool due = v->split && lag != VICTIM_NEVER && now >= v->second_us + lag;
        for (xcb_generic_event_t *e; due && (e = xcb_poll_for_event(v->second));) {
            take(v, v->second, e, screen->root, protocols, ping);
            free(e);
        }
        if (due) v->second_us = now;
        struct pollfd p = {.fd = xcb_get_file_descriptor(v->c), .events = atomic_load(&v->hangs) ? 0 : POLLIN};
        poll(&p, 1, v->split ? 1 : 10);
    }
    free(v->map);
    if (v->split) xcb_disconnect(v->second);
    xcb_disconnect(v->c);
    return NULL;
}

static victim *start(victim *v, const char *display) {
    snprintf(v->display, sizeof v->display, "%s", display);
    v->stale = true;
    pthread_mutex_init(&v->lock, NULL);
    pthread_create(&v->thread, NULL, live, v);
    while (!atomic_load(&v->ready)) usleep(1000);
    return v;
}

victim *victim_start(const char *display, bool answers_pings, unsigned delay_us) {
    victim *v = calloc(1, sizeof *v);
    v->answers_pings = answers_pings;
    v->delay_us = delay_us;
    return start(v, display);
}

victim *victim_start_split(const char *display, uint64_t lag_us) {
    victim *v = calloc(1, sizeof *v);
    v->answers_pings = v->split = true;
    v->lag_us = lag_us;
    return start(v, display);
}

void victim_lag(victim *v, uint64_t lag_us) {
    atomic_store(&v->lag_us, lag_us);
}

void victim_hang(victim *v, bool hangs) {
    atomic_store(&v->hangs, hangs);
}

void victim_stop(victim *v) {
    atomic_store(&v->stop, true);
    pthread_join(v->thread, NULL);
    pthread_mutex_destroy(&v->lock);
    bs_buf_free(&v->text);
    bs_buf_free(&v->log);
    free(v);
}

void victim_clear(victim *v) {
    pthread_mutex_lock(&v->lock);
    bs_buf_clear(&v->text);
    bs_buf_clear(&v->log);
    pthread_mutex_unlock(&v->lock);
}

static bool has(victim *v, const bs_buf *b, size_t n) {
    pthread_mutex_lock(&v->lock);
    bool yes = b->length >= n;
    pthread_mutex_unlock(&v->lock);
    return yes;
}

void victim_wait(victim *v, size_t bytes, unsigned timeout_ms) {
    for (unsigned i = 0; i < timeout_ms && !has(v, &v->text, bytes); i++) usleep(1000);
}

char *victim_text(victim *v) {
    pthread_mutex_lock(&v->lock);
    char *text = strndup(v->text.data ? (char *)v->text.data : "", v->text.length);
    pthread_mutex_unlock(&v->lock);
    return text;
}

void victim_log_is(victim *v, const char *expected) {
    for (unsigned i = 0; i < 2000 && !has(v, &v->log, strlen(expected)); i++) usleep(1000);
    usleep(5000);
    pthread_mutex_lock(&v->lock);
    CHECK(v->log.length == strlen(expected) && !memcmp(v->log.data, expected, v->log.length), "log is \"%.*s\", not \"%s\"", (int)v->log.length,
        v->log.data ? (char *)v->log.data : "", expected);
    pthread_mutex_unlock(&v->lock);
}

unsigned victim_motions(victim *v) {
    return v->motions;
}
