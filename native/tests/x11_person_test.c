/* What is told of somebody's input, one by one. */
#define _GNU_SOURCE
#include "x11_harness.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { TAB = 23, RETURN = 36, CONTROL = 37, KEY_A = 38, KEY_S = 39, SHIFT = 50, ALT = 64, SPACE = 65, F5 = 71, KP_1 = 87, UP = 111, SUPER = 133 };

static char heard[1 << 16];

/* All that is told until `least` things were, as one line; the time is checked and left out. */
static const char *hear(bs_screen *x, unsigned least) {
    size_t n = 0;
    heard[0] = 0;
    uint64_t until_us = bs_now_us() + 2000000;
    for (unsigned count = 0; bs_now_us() < until_us;) {
        bs_screen_told t;
        x->kind->pump(x);
        while (x->kind->told(x, &t)) {
            static const char *const names[] = {"?", "press", "release", "wheel", "key", "text", "rest"};
            count++;
            CHECK(t.us <= bs_now_us() && t.us + 2000000 > bs_now_us(), "when it was");
            CHECK(t.time != 0, "the server's time");
            if (n < sizeof heard - 100) n += (size_t)sprintf(heard + n, "%s %x @%d,%d +%x%s%s; ", names[t.what], t.detail, t.x, t.y, t.modifiers, t.moved ? " moved" : "", t.lost ? " lost" : "");
        }
        if (count >= least) break;
        struct pollfd p = {x->kind->fd(x), POLLIN, 0};
        poll(&p, 1, 10);
    }
    return heard;
}

static void keys(xcb_connection_t *c, unsigned n, const uint8_t *codes) {
    for (unsigned i = 0; i < n; i++) foreign(c, XCB_KEY_PRESS, codes[i], 0, 0);
    for (unsigned i = n; i--;) foreign(c, XCB_KEY_RELEASE, codes[i], 0, 0);
    foreign_done(c);
}
#define KEYS(...) keys(c, sizeof(uint8_t[]){__VA_ARGS__}, (const uint8_t[]){__VA_ARGS__})
#define HEARS(least, expected) \
    do { \
        const char *line = hear(x, least); \
        CHECK(!strcmp(line, expected), "heard \"%s\", not \"%s\"", line, expected); \
    } while (0)

static void click(xcb_connection_t *c, uint8_t button, int16_t px, int16_t py) {
    foreign(c, XCB_MOTION_NOTIFY, 0, px, py);
    foreign_done(c);
    foreign(c, XCB_BUTTON_PRESS, button, 0, 0), foreign_done(c);
    foreign(c, XCB_BUTTON_RELEASE, button, 0, 0), foreign_done(c);
}

/* Letters, digits, those of the keypad, the space: none is told apart, and no number of a key is in what is told. */
static void test_text(bs_screen *x, xcb_connection_t *c) {
    for (uint8_t code = 10; code <= 20; code++) KEYS(code);
    for (uint8_t code = 24; code <= 33; code++) KEYS(SHIFT, code);
    for (uint8_t code = 79; code <= 91; code++) KEYS(code);
    KEYS(SPACE);
    const char *line = hear(x, 35);
    unsigned count = 0;
    for (const char *at = line; (at = strstr(at, "text 0 @")); at++) count++;
    CHECK(count == 35 && !strstr(line, "key"), "%u keys that type: %s", count, line);
}

static void test_chords(bs_screen *x, xcb_connection_t *c) {
    pointer(x, 0, 7, 9, 0, 0, 0, 0, 0, 0, 0, 1000, NULL);
    KEYS(CONTROL, KEY_S);
    HEARS(1, "key 73 @7,9 +1; ");
    KEYS(CONTROL, SHIFT, KEY_S);
    HEARS(1, "key 73 @7,9 +3; ");
    KEYS(ALT, KEY_A);
    HEARS(1, "key 61 @7,9 +4; ");
    KEYS(SUPER, KEY_A);
    HEARS(1, "key 61 @7,9 +8; ");
    KEYS(SHIFT, KEY_A);
    HEARS(1, "text 0 @7,9 +2; ");
    KEYS(RETURN), KEYS(TAB), KEYS(SHIFT, TAB), KEYS(F5), KEYS(UP);
    HEARS(5, "key ff0d @7,9 +0; key ff09 @7,9 +0; key ff09 @7,9 +2; key ffc2 @7,9 +0; key ff52 @7,9 +0; ");
    KEYS(CONTROL, KP_1);
    HEARS(1, "key ff9c @7,9 +1; ");
}

static void test_buttons(bs_screen *x, xcb_connection_t *c) {
    click(c, 1, 300, 200);
    HEARS(2, "press 1 @300,200 +0; release 1 @300,200 +0; ");
    click(c, 3, 20, 30);
    HEARS(2, "press 3 @20,30 +0; release 3 @20,30 +0; ");
    HEARS(1, "rest 0 @20,30 +0; ");
    foreign(c, XCB_KEY_PRESS, CONTROL, 0, 0);
    click(c, 5, 40, 50);
    foreign(c, XCB_KEY_RELEASE, CONTROL, 0, 0), foreign_done(c);
    HEARS(1, "wheel 5 @40,50 +1; ");
    HEARS(1, "rest 0 @40,50 +0; ");
    /* At once, without waiting for anything: the place is late then, which is told. */
    foreign(c, XCB_BUTTON_PRESS, 1, 0, 0);
    for (int16_t i = 0; i < 100; i++) foreign(c, XCB_MOTION_NOTIFY, 0, (int16_t)(100 + i), 60);
    foreign_done(c);
    HEARS(1, "press 1 @199,60 +0 moved; ");
    foreign(c, XCB_BUTTON_RELEASE, 1, 0, 0), foreign_done(c);
    HEARS(2, "release 1 @199,60 +0; rest 0 @199,60 +0; ");
    /* Swapped buttons are told as what they do. */
    uint8_t swapped[32];
    xcb_get_pointer_mapping_reply_t *map = xcb_get_pointer_mapping_reply(c, xcb_get_pointer_mapping(c), NULL);
    uint8_t n = map->length > 32 ? 32 : (uint8_t)xcb_get_pointer_mapping_map_length(map);
    memcpy(swapped, xcb_get_pointer_mapping_map(map), n);
    swapped[0] = 3, swapped[2] = 1;
    free(xcb_set_pointer_mapping_reply(c, xcb_set_pointer_mapping(c, n, swapped), NULL));
    click(c, 1, 70, 80);
    HEARS(2, "press 3 @70,80 +0; release 3 @70,80 +0; ");
    swapped[0] = 1, swapped[2] = 3;
    free(xcb_set_pointer_mapping_reply(c, xcb_set_pointer_mapping(c, n, swapped), NULL));
    free(map);
    hear(x, 1);
}

/* A person who presses the same keys as we do, while we do. */
static void test_own(bs_screen *x, unsigned actions) {
    uint64_t seed = 4711;
    for (unsigned i = 0; i < actions; i++) {
        random_action(x, &seed);
        x->kind->pump(x);
    }
    const char *line = hear(x, 0);
    CHECK(!*line, "of our own: %s", line);
}

static void test_lost(bs_screen *x, xcb_connection_t *c) {
    for (unsigned i = 0; i < 2 * BS_ACTS; i++) KEYS(RETURN);
    for (unsigned i = 0; i < 4; i++) x->kind->pump(x);
    unsigned told = 0, lost = 0;
    bs_screen_told t;
    while (told < BS_ACTS) {
        x->kind->pump(x);
        while (x->kind->told(x, &t)) told++, lost += t.lost;
    }
    CHECK(told == BS_ACTS && lost == BS_ACTS, "%u told, %u lost", told, lost);
    KEYS(RETURN);
    CHECK(!strstr(hear(x, 1), "lost"), "and no more: %s", heard);
}

void test_person(const char *display, unsigned actions) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start(display, true, 0);
    xcb_connection_t *c = xcb_connect(display, NULL);
    CHECK(watch_input(x, 1) == 0, "counting: %s", reply_text());
    KEYS(RETURN);
    CHECK(!*hear(x, 0), "what is counted is not told: %s", heard);
    foreign(c, XCB_KEY_PRESS, CONTROL, 0, 0), foreign_done(c);
    CHECK(watch_input(x, 2) == 0 && watch_input(x, 2) == 0, "telling: %s", reply_text());
    KEYS(KEY_S);
    CHECK(strstr(hear(x, 1), "key 73") && strstr(heard, "+1"), "what was down before is known: %s", heard);
    foreign(c, XCB_KEY_RELEASE, CONTROL, 0, 0), foreign_done(c);
    test_text(x, c);
    test_chords(x, c);
    test_buttons(x, c);
    test_own(x, actions);
    test_lost(x, c);
    CHECK(watch_input(x, 1) == 0, "no more: %s", reply_text());
    KEYS(RETURN);
    CHECK(!*hear(x, 0), "nothing is told any more: %s", heard);
    CHECK(watch_input(x, 0) == 0, "off: %s", reply_text());
    xcb_disconnect(c);
    end(x);
    victim_stop(v);
}
