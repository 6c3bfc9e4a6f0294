/* The display half against servers of its own. Every check prints one line when it fails; the last line sums up. */
#define _GNU_SOURCE
#include "x11_harness.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xcb/xtest.h>

/* The linker puts this in the place of shmget (x11_test.sh): memory for segments that is used up. */
static bool no_segments;
int __wrap_shmget(key_t key, size_t size, int flags);
int __real_shmget(key_t key, size_t size, int flags);
int __wrap_shmget(key_t key, size_t size, int flags) {
    if (!no_segments) return __real_shmget(key, size, flags);
    errno = ENOSPC;
    return -1;
}

static const char *const mixed =
    "The quick brown fox jumps over the lazy dog; 0123456789 !\"#$%&'()*+,-./:<=>?@[\\]^_`{|}~\n"
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich – „schön“, 5 € teuer.\n"
    "Ταχίστη αλώπηξ βαφής ψημένη γη, δρασκελίζει υπέρ νωθρού κυνός. Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.\n"
    "Съешь же ещё этих мягких французских булок, да выпей чаю. ЪЭЯ\tтаб\n"
    "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜金生丽水玉出昆冈剑号巨阙珠称夜光果珍李柰菜重芥姜海咸河淡鳞潜羽翔\n"
    "😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙🐶🐱🐭🐹🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🙈🙉🙊🐒 end. Ende. конец 完";

static void test_text(const char *display, bool pings, unsigned delay_us, unsigned rounds, const char *label) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start(display, pings, delay_us);
    size_t want = strlen(mixed);
    uint64_t us = 0;
    unsigned good = 0;
    for (unsigned i = 0; i < rounds; i++) {
        victim_clear(v);
        bs_buf q = {0};
        bs_put_cstr(&q, mixed);
        uint64_t start = bs_now_us();
        int status = run(x, BACKSTEP_OP_TEXT, &q, 30000, NULL);
        us += bs_now_us() - start;
        CHECK(status == 0, "%s: status %d %s", label, status, reply_text());
        victim_wait(v, want, 20000);
        char *got = victim_text(v);
        if (!strcmp(got, mixed)) good++;
        else if (i == 0) fprintf(stderr, "%s got: %s\n", label, got);
        free(got);
    }
    CHECK(good == rounds, "%s: %u of %u texts arrived whole", label, good, rounds);
    size_t characters = 0;
    for (const char *p = mixed; *p; p++) characters += (*p & 0xc0) != 0x80;
    printf("  %-24s %zu characters, %.0f characters/s\n", label, characters, (double)characters * rounds * 1e6 / (double)us);
    end(x);
    CHECK(lent_keycodes(display) == 0, "%s: spare keycodes are given back", label);
    victim_stop(v);
}

static int type_text(bs_screen *x, const char *text, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_cstr(&q, text);
    return run(x, BACKSTEP_OP_TEXT, &q, timeout_ms, NULL);
}

static unsigned mutes(bs_screen *x) {
    unsigned n = 0;
    for (unsigned i = 0; i < BS_PROOFS; i++) n += x11_of(x)->proof.mute[i] != 0;
    return n;
}

static void arrives(victim *v, const char *text, const char *what) {
    victim_wait(v, strlen(text), 5000);
    char *got = victim_text(v);
    CHECK(!strcmp(got, text), "%s: \"%s\" arrived as \"%s\"", what, text, got);
    free(got);
    victim_clear(v);
}

/* Keys on one connection, the map on another (Chromium and its GTK): no key overtakes the map it is meant for. */
static void test_split(const char *display, unsigned rounds) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start_split(display, 30000);
    for (unsigned i = 0; i < rounds; i++) {
        CHECK(type_text(x, mixed, 30000) == 0, "text: %s", reply_text());
        arrives(v, mixed, "a map that is followed late");
    }
    CHECK(x11_of(x)->proof.asked == 2 && mutes(x) == 0, "both connections are asked: %u", x11_of(x)->proof.asked);
    /* somebody else changes the map, and keys of it follow at once */
    xcb_connection_t *c = xcb_connect(display, NULL);
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t symbols[2] = {i % 2 ? 'q' : 'z', i % 2 ? 'Q' : 'Z'};
        xcb_change_keyboard_mapping(c, 1, 24, 2, symbols);
        free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
        CHECK(type_text(x, i % 2 ? "qQ" : "zZ", 5000) == 0, "text: %s", reply_text());
        arrives(v, i % 2 ? "qQ" : "zZ", "after another's change of the map");
    }
    xcb_disconnect(c);
    /* who lists the protocol and does not answer is waited for once */
    victim_lag(v, VICTIM_NEVER);
    uint64_t start = bs_now_us();
    CHECK(type_text(x, "\xd1\x9f", 8000) == 0, "a mute connection: %s", reply_text());
    uint64_t took = bs_now_us() - start;
    CHECK(took > 1900000 && took < 5000000 && mutes(x) == 1, "waited for: %llu us, %u mute", (unsigned long long)took, mutes(x));
    start = bs_now_us();
    CHECK(type_text(x, "\xd1\x9e", 8000) == 0, "again: %s", reply_text());
    took = bs_now_us() - start;
    CHECK(took < 1500000, "not waited for again: %llu us", (unsigned long long)took);
    /* nor by who has less time than it is given */
    bs_screen *brief = open_or_die(display);
    CHECK(type_text(brief, "\xd1\x9d", 1500) == 0 && mutes(brief) == 1, "in little time: %s", reply_text());
    end(brief);
    /* until it does answer */
    victim_lag(v, 0);
    char other[] = "\xd2\x80";
    for (; mutes(x) && other[1] < (char)0xbf; other[1]++) CHECK(type_text(x, other, 8000) == 0, "text: %s", reply_text());
    CHECK(mutes(x) == 0, "it was late only");
    victim_lag(v, 30000);
    CHECK(type_text(x, "a", 5000) == 0, "text: %s", reply_text());
    usleep(100000);
    victim_clear(v);
    CHECK(type_text(x, mixed, 30000) == 0, "text: %s", reply_text());
    arrives(v, mixed, "asked again");
    end(x);
    victim_stop(v);
}

/* An application that reads nothing gets its keys all the same; those that must not overtake a map are not sent. */
static void test_hanging(const char *display) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start(display, true, 0);
    CHECK(type_text(x, "\xd0\x96", 5000) == 0, "text: %s", reply_text());
    arrives(v, "\xd0\x96", "before it hangs");
    victim_hang(v, true);
    uint64_t start = bs_now_us();
    CHECK(chord(x, 1, (uint32_t[]){'a'}) == 0 && bs_now_us() - start < 2500000, "a plain key: %s", reply_text());
    bs_screen *brief = open_or_die(display);
    CHECK(type_text(brief, "b", 800) == 0, "one in little time: %s", reply_text());
    end(brief);
    CHECK(type_text(x, "\xd0\x81", 1500) == BACKSTEP_E_TIMEOUT_UNKNOWN && strstr(reply_text(), "focused application"), "a lent one: %s", reply_text());
    CHECK(keys_down(display) == 0, "nothing stays down");
    victim_hang(v, false);
    arrives(v, "ab", "what was sent, and no more");
    CHECK(type_text(x, "\xd0\x81\xd0\x96", 5000) == 0, "afterwards: %s", reply_text());
    arrives(v, "\xd0\x81\xd0\x96", "afterwards");
    end(x);
    victim_stop(v);
}

static void test_caps(const char *display) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start(display, true, 0);
    CHECK(chord(x, 1, (uint32_t[]){0xffe5}) == 0, "caps lock on");
    bs_buf q = {0};
    bs_put_cstr(&q, "aBc ß é Ж\n");
    CHECK(run(x, BACKSTEP_OP_TEXT, &q, 5000, NULL) == 0, "text under caps lock: %s", reply_text());
    victim_wait(v, strlen("aBc ß é Ж\n"), 3000);
    char *got = victim_text(v);
    CHECK(!strcmp(got, "aBc ß é Ж\n"), "caps lock compensated, got \"%s\"", got);
    free(got);
    CHECK(modifiers_on(display) == 2, "caps lock is on again");
    chord(x, 1, (uint32_t[]){0xffe5});
    CHECK(modifiers_on(display) == 0, "caps lock off");
    hold_key(display, 37, true); /* somebody holds Control */
    victim_clear(v);
    q = (bs_buf){0};
    bs_put_cstr(&q, "x");
    run(x, BACKSTEP_OP_TEXT, &q, 5000, NULL);
    victim_wait(v, 1, 2000);
    got = victim_text(v);
    CHECK(!strcmp(got, "x"), "held Control is let go, got \"%s\"", got);
    free(got);
    CHECK(modifiers_on(display) == 0, "no modifier stays down");
    end(x);
    victim_stop(v);
}

static void test_chord(const char *display) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start(display, true, 0);
    CHECK(chord(x, 3, (uint32_t[]){0xffe3, 0xffe1, 's'}) == 0, "chord");
    victim_log_is(v, "+Control_L +Shift_L +s -s -Shift_L -Control_L ");
    victim_clear(v);
    CHECK(chord(x, 2, (uint32_t[]){0xffe3, 'A'}) == 0, "chord");
    victim_log_is(v, "+Control_L +Shift_L +a -a -Shift_L -Control_L ");
    victim_clear(v);
    CHECK(chord(x, 2, (uint32_t[]){0xffe1, 'A'}) == 0, "chord");
    victim_log_is(v, "+Shift_L +a -a -Shift_L ");
    victim_clear(v);
    CHECK(chord(x, 2, (uint32_t[]){0xffe9, 0x010003b1}) == 0, "chord with a lent key");
    victim_log_is(v, "+Alt_L +U10003b1 -U10003b1 -Alt_L ");
    CHECK(chord(x, 0, NULL) == BACKSTEP_E_INVALID, "an empty chord");
    CHECK(chord(x, 1, (uint32_t[]){0}) == BACKSTEP_E_INVALID, "no symbol");
    CHECK(keys_down(display) == 0, "nothing stays down");
    end(x);
    victim_stop(v);
}

static void test_pointer(const char *display) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start(display, true, 0);
    CHECK(pointer(x, 1, 50, 60, 1, 2, 0, 0, 0, 0, 0, 5000, NULL) == 0, "double click");
    victim_log_is(v, "+B1@50,60 -B1@50,60 +B1@50,60 -B1@50,60 ");
    victim_clear(v);
    CHECK(pointer(x, 1, 50, 60, 1, 1, 0, 0, 0, 0, 0, 5000, NULL) == 0, "a click where the pointer is");
    victim_log_is(v, "+B1@50,60 -B1@50,60 ");
    CHECK(victim_motions(v) >= 4, "the pointer, which is there, leaves and comes back twice: %u motions", victim_motions(v));
    victim_clear(v);
    CHECK(pointer(x, 3, 51, 60, 0, 0, 0, 0, 0, -1, 2, 5000, NULL) == 0, "wheel");
    victim_log_is(v, "+B5@51,60 -B5@51,60 +B5@51,60 -B5@51,60 +B6@51,60 -B6@51,60 ");
    victim_clear(v);
    uint64_t start = bs_now_us();
    CHECK(pointer(x, 2, 10, 10, 1, 1, 110, 60, 300, 0, 0, 5000, NULL) == 0, "drag");
    uint64_t took = bs_now_us() - start;
    CHECK(took > 290000 && took < 500000, "a drag of 300 ms took %llu us", (unsigned long long)took);
    victim_log_is(v, "+B1@10,10 -B1@110,60 ");
    CHECK(victim_motions(v) >= 10, "%u motions", victim_motions(v));
    CHECK(pointer(x, 0, 5000, 10, 0, 0, 0, 0, 0, 0, 0, 5000, NULL) == BACKSTEP_E_INVALID && strstr(reply_text(), "5000,10") && strstr(reply_text(), "1280x800"),
        "off the screen: %s", reply_text());
    CHECK(pointer(x, 1, 5, 10, 7, 1, 0, 0, 0, 0, 0, 5000, NULL) == BACKSTEP_E_INVALID, "no such button");
    victim_clear(v);
    modifiers_held = 3;
    CHECK(pointer(x, 1, 50, 60, 1, 1, 0, 0, 0, 0, 0, 5000, NULL) == 0, "click with Control and Shift: %s", reply_text());
    victim_log_is(v, "+Control_L +Shift_L +B1@50,60 -B1@50,60 -Shift_L -Control_L ");
    victim_clear(v);
    modifiers_held = 1;
    CHECK(pointer(x, 3, 51, 60, 0, 0, 0, 0, 0, 0, 1, 5000, NULL) == 0, "wheel with Control");
    victim_log_is(v, "+Control_L +B5@51,60 -B5@51,60 -Control_L ");
    modifiers_held = 2;
    CHECK(pointer(x, 2, 10, 10, 1, 1, 110, 60, 5000, 0, 0, 200, NULL) == BACKSTEP_E_TIMEOUT_UNKNOWN && modifiers_on(display) == 0 && buttons_down(display) == 0,
        "a modifier comes up when the deadline passes");
    modifiers_held = 16;
    CHECK(pointer(x, 1, 50, 60, 1, 1, 0, 0, 0, 0, 0, 5000, NULL) == BACKSTEP_E_INVALID, "no such modifier");
    modifiers_held = 0;
    /* half-way ends: the button comes up */
    victim_clear(v);
    start = bs_now_us();
    CHECK(pointer(x, 2, 10, 10, 1, 1, 110, 60, 5000, 0, 0, 200, NULL) == BACKSTEP_E_TIMEOUT_UNKNOWN, "deadline within a drag");
    took = bs_now_us() - start;
    CHECK(took < 260000, "the deadline holds: %llu us", (unsigned long long)took);
    CHECK(buttons_down(display) == 0, "the button is up after the deadline");
    atomic_bool cancel = false;
    cancel_later(&cancel, 150000);
    start = bs_now_us();
    CHECK(pointer(x, 2, 10, 10, 1, 1, 110, 60, 5000, 0, 0, 20000, &cancel) == BACKSTEP_E_CANCELLED_UNKNOWN, "cancelled within a drag");
    took = bs_now_us() - start;
    CHECK(took < 400000, "cancellation is quick: %llu us", (unsigned long long)took);
    CHECK(buttons_down(display) == 0, "the button is up after the cancellation");
    atomic_bool set = true;
    CHECK(pointer(x, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 5000, &set) == BACKSTEP_E_CANCELLED_UNSENT, "cancelled before");
    bs_buf q = {0};
    bs_put_u32(&q, 9);
    CHECK(run(x, BACKSTEP_OP_POINTER, &q, 1000, NULL) == BACKSTEP_E_INVALID, "malformed");
    q = (bs_buf){0};
    CHECK(run(x, BACKSTEP_OP_RELEASE, &q, 1000, NULL) == 0 && reply_u32(0) == 0, "nothing to release");
    hold_key(display, 37, true); /* a process that was killed held Control */
    CHECK(run(x, BACKSTEP_OP_RELEASE, &q, 1000, NULL) == 0 && keys_down(display) == 1, "what others hold is theirs");
    bs_put_u32(&q, 1);
    CHECK(run(x, BACKSTEP_OP_RELEASE, &q, 1000, NULL) == 0 && reply_u32(0) == 1 && keys_down(display) == 0, "unless all is asked for");
    end(x);
    victim_stop(v);
}

/* From here on pictures come over the socket, as where the server shares no memory. */
static void no_memory(bs_screen *x) {
    bs_x11_picture_detach(x11_of(x));
    x11_of(x)->picture.known = true;
    x11_of(x)->picture.usable = false;
}

static bool all_pixels(const char *rgba) {
    for (size_t i = 16; i < reply_size(); i += 4) {
        if (memcmp(reply_data() + i, rgba, 4)) return false;
    }
    return true;
}

static void test_picture(const char *display) {
    bs_screen *x = open_or_die(display);
    uint32_t window = coloured_window(display, 100, 120, 40, 30, 0x3366cc);
    for (unsigned round = 0; round < 2; round++) {
        if (round) no_memory(x);
        CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0, "screen: %s", reply_text());
        CHECK(reply_u32(0) == 1280 && reply_u32(4) == 800 && reply_size() == 16 + 1280 * 800 * 4, "size");
        CHECK(reply_u32(8) == (round ? 0 : 1), "it came by %u", reply_u32(8));
        const uint8_t *p = reply_data() + 16;
        CHECK(!memcmp(p + (130 * 1280 + 110) * 4, "\x33\x66\xcc\xff", 4), "the window's colour");
        CHECK(!memcmp(p + (10 * 1280 + 10) * 4, "\0\0\0\xff", 4), "the root's colour");
        CHECK(capture(x, 1, window, 0, 0, 0, 0) == 0 && reply_u32(0) == 40 && reply_u32(4) == 30, "window: %s", reply_text());
        CHECK(all_pixels("\x33\x66\xcc\xff"), "every pixel of the window");
        CHECK(capture(x, 2, 0, 139, 149, 5000, 5000) == 0 && reply_u32(0) == 1141 && reply_u32(4) == 651, "clipped");
        CHECK(!memcmp(reply_data() + 16, "\x33\x66\xcc\xff\0\0\0\xff", 8), "corner");
    }
    CHECK(capture(x, 2, 0, 2000, 10, 5, 5) == BACKSTEP_E_INVALID && strstr(reply_text(), "2000,10") && strstr(reply_text(), "1280x800"), "outside: %s", reply_text());
    CHECK(capture(x, 2, 0, 0, 10, 0, 5) == BACKSTEP_E_INVALID, "empty");
    CHECK(capture(x, 1, 0x7fffff, 0, 0, 0, 0) == BACKSTEP_E_NO_ELEMENT, "no window: %s", reply_text());
    unmap(window);
    CHECK(capture(x, 1, window, 0, 0, 0, 0) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "minimised"), "unmapped: %s", reply_text());
    uncolour();
    end(x);
}

static double capture_ms(bs_screen *x, uint32_t window, uint32_t expected, unsigned rounds) {
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < rounds; i++) {
        if (window) recolour(window, i % 2 ? 0x112233 : 0x445566);
        uint64_t start = bs_now_us();
        CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && (!i || reply_u32(8) == expected || expected == 2), "came by %u", reply_u32(8));
        uint64_t took = bs_now_us() - start;
        if (took < best) best = took;
    }
    return (double)best / 1e3;
}

/* What did not change is not fetched again, and what changed is never taken from memory. */
static void test_damage(const char *display) {
    bs_screen *x = open_or_die(display);
    uint32_t window = coloured_window(display, 0, 0, 1280, 300, 0x3366cc);
    CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && reply_u32(8) == 1, "the first one is fetched");
    CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && reply_u32(8) == 2, "the second one is kept");
    CHECK(!memcmp(reply_data() + 16 + (299 * 1280) * 4, "\x33\x66\xcc\xff", 4), "and has the same pixels");
    CHECK(capture(x, 2, 0, 5, 290, 20, 20) == 0 && reply_u32(8) == 2, "a part of it is kept, too");
    uint32_t seed = 1;
    unsigned wrong = 0;
    for (unsigned i = 0; i < 200; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t colour = seed >> 8;
        recolour(window, colour);
        bool part = i % 3 == 0;
        int status = part ? capture(x, 2, 0, 100, 280, 30, 30) : capture(x, 0, 0, 0, 0, 0, 0);
        const uint8_t *p = reply_data() + 16 + (part ? 0 : 1280 * 100 * 4);
        wrong += status || reply_u32(8) != 1 || p[0] != (colour >> 16 & 255) || p[1] != (colour >> 8 & 255) || p[2] != (colour & 255);
        const uint8_t *below = reply_data() + 16 + (part ? 29 * 30 * 4 : 1280 * 700 * 4);
        wrong += below[0] || below[1] || below[2];
    }
    CHECK(wrong == 0, "%u pictures showed something else", wrong);
    uint32_t other = popup_window(600, 500, 50, 50);
    CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && reply_u32(8) == 1, "a window that appears");
    unmap(other);
    CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && reply_u32(8) == 1, "a window that goes");
    CHECK(!memcmp(reply_data() + 16 + (520 * 1280 + 620) * 4, "\0\0\0\xff", 4), "what was under it");
    usleep(1100000);
    CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && reply_u32(8) == 1, "a picture older than a second is not trusted");
    double kept = capture_ms(x, 0, 2, 50), changed = capture_ms(x, window, 1, 50);
    x11_of(x)->picture.damage = 0, x11_of(x)->picture.damage_known = true;
    double whole = capture_ms(x, 0, 1, 50);
    no_memory(x);
    printf("  1280x800: %.2f ms unchanged, %.2f ms with 300 rows changed, %.2f ms all of it, %.2f ms over the socket\n", kept, changed, whole, capture_ms(x, 0, 0, 10));
    uncolour();
    end(x);
}

static int32_t box_at(unsigned side) {
    return (int32_t)reply_u32(4 + 4 * side);
}

static bool box_is(int32_t x, int32_t y, int32_t w, int32_t h) {
    return box_at(0) == x && box_at(1) == y && box_at(2) == w && box_at(3) == h;
}

/* For how long nothing was drawn in a rectangle: drawing there ends it, drawing beside it does not. */
static void test_drawn(const char *display) {
    bs_screen *x = open_or_die(display);
    uint32_t window = coloured_window(display, 100, 100, 200, 100, 0x3366cc);
    CHECK(drawn(x, 100, 100, 200, 100) == 0 && reply_u32(0) < 20, "nothing is known before the first question: %u", reply_u32(0));
    usleep(120000);
    CHECK(drawn(x, 100, 100, 200, 100) == 0 && reply_u32(0) >= 100, "nothing was drawn: %u", reply_u32(0));
    recolour(window, 0x010203);
    CHECK(drawn(x, 100, 100, 200, 100) == 0 && reply_u32(0) < 60, "it was drawn just now: %u", reply_u32(0));
    CHECK(drawn(x, 290, 190, 50, 50) == 0 && reply_u32(0) < 60, "a part of it, too: %u", reply_u32(0));
    CHECK(drawn(x, 300, 100, 50, 50) == 0 && reply_u32(0) >= 100, "beside it nothing was: %u", reply_u32(0));
    CHECK(drawn_within(x, 0, 0, 1280, 800, 100) == 0 && box_is(100, 100, 200, 100), "the box of it: %d %d %d %d", box_at(0), box_at(1), box_at(2), box_at(3));
    CHECK(drawn_within(x, 250, 150, 500, 500, 100) == 0 && box_is(250, 150, 50, 50), "within what is asked: %d %d %d %d", box_at(0), box_at(1), box_at(2), box_at(3));
    CHECK(drawn_within(x, 300, 100, 50, 50, 100) == 0 && box_is(0, 0, 0, 0), "beside it nothing was: %d %d %d %d", box_at(0), box_at(1), box_at(2), box_at(3));
    CHECK(drawn_within(x, 300, 100, 50, 50, 60000) == 0 && box_is(300, 100, 50, 50), "before we looked anything may have been: %d %d %d %d", box_at(0), box_at(1), box_at(2), box_at(3));
    usleep(30000);
    CHECK(drawn_within(x, 0, 0, 1280, 800, 10) == 0 && box_is(0, 0, 0, 0), "since then nothing was: %d %d %d %d", box_at(0), box_at(1), box_at(2), box_at(3));
    for (uint32_t i = 0; i < 300; i++) recolour(window, i);
    CHECK(drawn_within(x, 600, 600, 10, 10, 1000) == 0 && box_is(600, 600, 10, 10), "more than is noted: %d %d %d %d", box_at(0), box_at(1), box_at(2), box_at(3));
    CHECK(drawn(x, 600, 600, 10, 10) == 0 && reply_u32(0) < 2000, "of more than is noted the rest is not known");
    CHECK(drawn(x, 0, 0, -1, 5) == BACKSTEP_E_INVALID, "less than nothing");
    uncolour();
    end(x);
}

/* A window under another one, and one that hangs over the edge, are pictured whole. */
static void test_covered(const char *display) {
    bs_screen *x = open_or_die(display);
    uint32_t window = coloured_window(display, 300, 300, 80, 60, 0x3366cc);
    CHECK(window_verb(x, window, 0, -1, -1, -1, -1) == 0 && focus_of(display) == window, "it has the focus");
    uint32_t above = popup_window(280, 280, 70, 70);
    for (unsigned round = 0; round < 4; round++) {
        if (round == 3) no_memory(x);
        CHECK(capture(x, 1, window, 0, 0, 0, 0) == 0 && reply_u32(0) == 80 && reply_u32(4) == 60, "covered: %s", reply_text());
        CHECK(reply_u32(8) == (round == 3 ? 16 : 17), "it came by %u", reply_u32(8));
        CHECK(all_pixels("\x33\x66\xcc\xff"), "every pixel of the covered window");
    }
    CHECK(focus_of(display) == window, "the focus is where it was");
    recolour(window, 0x0a0b0c);
    CHECK(capture(x, 1, window, 0, 0, 0, 0) == 0 && all_pixels("\x0a\x0b\x0c\xff"), "what is drawn under the other one");
    unmap(above);
    CHECK(capture(x, 1, window, 0, 0, 0, 0) == 0 && reply_u32(8) == 0, "uncovered again, from the screen");
    window_verb(x, window, 4, 1250, 300, -1, -1);
    CHECK(capture(x, 1, window, 0, 0, 0, 0) == 0 && reply_u32(0) == 80 && all_pixels("\x0a\x0b\x0c\xff"), "over the edge: %s", reply_text());
    x11_of(x)->composite.known = true, x11_of(x)->composite.usable = false;
    CHECK(capture(x, 1, window, 0, 0, 0, 0) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "Composite"), "without the extension: %s", reply_text());
    uncolour();
    end(x);
}

/* No segment is to be had: the picture comes over the socket, and says so. */
static void test_no_segment(const char *display) {
    bs_screen *x = open_or_die(display);
    no_segments = true;
    CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && reply_u32(8) == 0 && reply_size() == 16 + 1280 * 800 * 4, "over the socket: %s", reply_text());
    no_segments = false;
    CHECK(capture(x, 0, 0, 0, 0, 0, 0) == 0 && reply_u32(8) == 1, "and through memory once there is some");
    end(x);
}

static void test_windows(const char *display) {
    bs_screen *x = open_or_die(display);
    uint32_t window = coloured_window(display, 200, 220, 50, 60, 0xff0000);
    listed w;
    CHECK(windows(x) == 0, "list: %s", reply_text());
    CHECK(find_listed(window, &w), "the window is listed");
    CHECK(w.x == 200 && w.y == 220 && w.w == 50 && w.h == 60 && w.pid == 4242, "where it is");
    CHECK(!strcmp(w.title, "Fenster ä") && !strcmp(w.class, "Class"), "what it is called: %s, %s", w.title, w.class);
    CHECK(w.frame[0] == 1 && w.frame[3] == 4, "its frame");
    CHECK(window_verb(x, window, 4, 10, -1, 70, 80) == 0, "move: %s", reply_text());
    CHECK(windows(x) == 0 && find_listed(window, &w) && w.x == 10 && w.y == 220 && w.w == 70 && w.h == 80, "moved to %d,%d %dx%d", w.x, w.y, w.w, w.h);
    CHECK(window_verb(x, window, 0, -1, -1, -1, -1) == 0, "focus: %s", reply_text());
    CHECK(windows(x) == 0 && find_listed(window, &w) && (w.flags & 1), "active");
    CHECK(!(w.flags & 32), "not modal");
    make_modal(window);
    CHECK(windows(x) == 0 && find_listed(window, &w) && (w.flags & 32), "modal");
    CHECK(window_verb(x, window, 2, -1, -1, -1, -1) == BACKSTEP_E_UNSUPPORTED, "no manager to minimise: %s", reply_text());
    CHECK(window_verb(x, window, 1, -1, -1, -1, -1) == BACKSTEP_E_UNSUPPORTED, "cannot be closed: %s", reply_text());
    CHECK(window_verb(x, 0x7fffff, 0, -1, -1, -1, -1) == BACKSTEP_E_NO_ELEMENT, "no such window");
    CHECK(window_verb(x, window, 9, -1, -1, -1, -1) == BACKSTEP_E_INVALID, "no such verb");
    uint32_t popup = popup_window(300, 300, 20, 20);
    CHECK(windows(x) == 0 && find_listed(popup, &w) && (w.flags & 4), "a popup");
    uncolour();
    CHECK(windows(x) == 0 && !find_listed(window, &w), "gone");
    end(x);
}

static void test_clipboard(const char *display) {
    bs_screen *a = open_or_die(display), *b = open_or_die(display);
    CHECK(clip_read(b, "CLIPBOARD", "UTF8_STRING") == BACKSTEP_E_UNSUPPORTED, "empty: %s", reply_text());
    const char *text = "Grüße, 世界";
    CHECK(clip_write(a, "CLIPBOARD", "UTF8_STRING", text, strlen(text)) == 0, "write: %s", reply_text());
    CHECK(clip_read(a, "CLIPBOARD", "UTF8_STRING") == 0 && reply_is(text, strlen(text)), "our own");
    pumping *p = pump_start(a);
    CHECK(clip_read(b, "CLIPBOARD", "UTF8_STRING") == 0 && reply_is(text, strlen(text)), "another's: %s", reply_text());
    CHECK(clip_read(b, "CLIPBOARD", "STRING") == 0 && reply_is("Gr\xfc\xdf" "e, ??", 9), "Latin-1");
    CHECK(clip_read(b, "CLIPBOARD", "text/plain;charset=utf-8") == 0 && reply_is(text, strlen(text)), "MIME");
    CHECK(clip_read(b, "CLIPBOARD", "TARGETS") == 0 && reply_is("TARGETS\nTIMESTAMP\nUTF8_STRING\nSTRING\nTEXT\ntext/plain;charset=utf-8", 66), "targets: %.*s", (int)reply_size(), reply_data());
    CHECK(clip_read(b, "CLIPBOARD", "image/png") == BACKSTEP_E_UNSUPPORTED, "no picture: %s", reply_text());
    CHECK(clip_read(b, "PRIMARY", "UTF8_STRING") == BACKSTEP_E_UNSUPPORTED, "the other one is empty");
    CHECK(clip_read(b, "SECONDARY", "UTF8_STRING") == BACKSTEP_E_INVALID, "no such selection");
    CHECK(clip_write(b, "PRIMARY", "TARGETS", "x", 1) == BACKSTEP_E_INVALID, "no content");
    pump_stop(p);
    size_t size = 5000017;
    char *big = malloc(size);
    for (size_t i = 0; i < size; i++) big[i] = (char)(i * 2654435761u >> 13);
    bs_screen *pair[2] = {a, b};
    for (unsigned way = 0; way < 2; way++) {
        CHECK(clip_write(pair[way], "CLIPBOARD", "application/x-big", big, size) == 0, "write 5 MB: %s", reply_text());
        p = pump_start(pair[way]);
        uint64_t start = bs_now_us();
        CHECK(clip_read(pair[!way], "CLIPBOARD", "application/x-big") == 0 && reply_is(big, size), "5 MB, way %u: %zu %s", way, reply_size(), reply_text());
        printf("  5 MB clipboard: %.1f ms\n", (double)(bs_now_us() - start) / 1e3);
        pump_stop(p);
    }
    free(big);
    /* an owner that does not answer */
    uint64_t start = bs_now_us();
    CHECK(clip_read_within(a, "CLIPBOARD", "application/x-big", 200) == BACKSTEP_E_TIMEOUT_UNKNOWN, "a silent owner: %s", reply_text());
    CHECK(bs_now_us() - start < 300000, "in time");
    p = pump_start(b);
    CHECK(clip_read(a, "CLIPBOARD", "UTF8_STRING") == BACKSTEP_E_UNSUPPORTED, "late answers are told apart: %s", reply_text());
    pump_stop(p);
    CHECK(clip_write(b, "CLIPBOARD", NULL, NULL, 0) == 0, "give up");
    CHECK(clip_read(a, "CLIPBOARD", "UTF8_STRING") == BACKSTEP_E_UNSUPPORTED, "empty again");
    end(a);
    end(b);
}

/* Requests that are cut, too long, or noise. */
static void test_malformed(const char *display) {
    static const uint32_t ops[] = {BACKSTEP_OP_TEXT, BACKSTEP_OP_CHORD, BACKSTEP_OP_POINTER, BACKSTEP_OP_CAPTURE, BACKSTEP_OP_WINDOW, BACKSTEP_OP_CLIP_READ, BACKSTEP_OP_CLIP_WRITE,
        BACKSTEP_OP_CLIP_KEEP, BACKSTEP_OP_CLIP_RESTORE, BACKSTEP_OP_HOLDERS};
    bs_screen *x = open_or_die(display);
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
        bs_buf q = {0};
        CHECK(run(x, ops[i], &q, 1000, NULL) == BACKSTEP_E_INVALID, "op %u, nothing: %s", ops[i], reply_text());
    }
    for (unsigned i = 0; i < 4; i++) {
        static const uint32_t none[] = {0, 31, 36, 4000000000u};
        bs_buf q = {0};
        CHECK(run(x, none[i], &q, 1000, NULL) == BACKSTEP_E_INVALID, "op %u: %s", none[i], reply_text());
    }
    bs_buf q = {0};
    bs_put_cstr(&q, "a\x01");
    CHECK(run(x, BACKSTEP_OP_TEXT, &q, 1000, NULL) == BACKSTEP_E_INVALID && strstr(reply_text(), "U+0001"), "a control character: %s", reply_text());
    uint32_t seed = 7;
    for (unsigned i = 0; i < 3000; i++) {
        q = (bs_buf){0};
        for (unsigned n = i % 64; n; n--) seed = seed * 1664525u + 1013904223u, bs_put_u8(&q, seed >> 28 ? (uint8_t)((seed >> 20) & (i & 1 ? 3 : 255)) : 0);
        int status = run(x, ops[i % (sizeof ops / sizeof *ops)], &q, 300, NULL);
        if (status > 0 || status < BACKSTEP_E_SECURE) CHECK(false, "status %d", status);
    }
    CHECK(bs_x11_pump(x11_of(x)) == 0 && keys_down(display) == 0 && buttons_down(display) == 0, "nothing stays down");
    end(x);
}

static void test_open(void) {
    int status = 0;
    bs_buf m = {0};
    bs_screen *_Atomic slot = NULL;
    CHECK(!bs_x11_open("nonsense", bs_now_us() + 1000000, &status, &m, &slot) && status == BACKSTEP_E_INVALID, "no display name");
    CHECK(!bs_x11_open(":59000", bs_now_us() + 1000000, &status, &m, &slot) && status == BACKSTEP_E_DISPLAY && !slot, "no server");
    CHECK(!bs_x11_open("localhost:59000", bs_now_us() + 1000000, &status, &m, &slot) && status == BACKSTEP_E_DISPLAY && !slot, "no server over TCP");
    bs_buf_free(&m);
}

static void test_stopped(void) {
    server s = server_start(NULL);
    bs_screen *x = open_or_die(s.display);
    kill(s.pid, SIGSTOP);
    uint64_t start = bs_now_us();
    CHECK(capture_within(x, 0, 0, 0, 0, 0, 0, 200) == BACKSTEP_E_TIMEOUT_UNSENT, "the deadline holds by itself: %s", reply_text());
    CHECK(bs_now_us() - start < 300000, "in time");
    kill(s.pid, SIGCONT);
    CHECK(capture_within(x, 0, 0, 0, 0, 0, 0, 5000) == 0, "it goes on where the server does: %s", reply_text());
    kill(s.pid, SIGSTOP);
    CHECK(capture_within(x, 0, 0, 0, 0, 0, 0, 200) == BACKSTEP_E_TIMEOUT_UNSENT, "again: %s", reply_text());
    kill(s.pid, SIGCONT);
    CHECK(capture_within(x, 0, 0, 0, 0, 0, 0, 5000) == 0, "and again: %s", reply_text());
    kill(s.pid, SIGSTOP);
    interrupt_later(x, 150000);
    start = bs_now_us();
    CHECK(capture_within(x, 0, 0, 0, 0, 0, 0, 20000) == BACKSTEP_E_DISPLAY, "interrupted: %s", reply_text());
    CHECK(bs_now_us() - start < 300000, "at once");
    CHECK(bs_x11_pump(x11_of(x)) < 0, "the pump tells");
    start = bs_now_us();
    end(x);
    CHECK(bs_now_us() - start < 200000, "closing does not wait");
    /* opening hangs in the setup: the slot frees it */
    open_interrupted(s.display);
    kill(s.pid, SIGCONT);
    x = open_or_die(s.display);
    kill(s.pid, SIGSTOP);
    start = bs_now_us();
    end(x);
    CHECK(bs_now_us() - start < 200000, "closing a stopped server's connection");
    kill(s.pid, SIGCONT);
    server_stop(&s);
}

static void test_killed(void) {
    server s = server_start(NULL);
    bs_screen *x = open_or_die(s.display);
    server_stop(&s);
    CHECK(capture_within(x, 0, 0, 0, 0, 0, 0, 2000) == BACKSTEP_E_DISPLAY, "dead: %s", reply_text());
    CHECK(chord(x, 1, (uint32_t[]){'a'}) == BACKSTEP_E_DISPLAY, "dead");
    CHECK(clip_read(x, "CLIPBOARD", "TARGETS") == BACKSTEP_E_DISPLAY, "dead");
    CHECK(windows(x) == BACKSTEP_E_DISPLAY, "dead");
    CHECK(bs_x11_pump(x11_of(x)) < 0, "dead");
    end(x);
    s = server_start(NULL);
    x = open_or_die(s.display);
    kill_later(s.pid, SIGKILL, 150000);
    uint64_t start = bs_now_us();
    CHECK(pointer(x, 2, 10, 10, 1, 1, 110, 60, 5000, 0, 0, 20000, NULL) == BACKSTEP_E_DISPLAY, "killed within a drag: %s", reply_text());
    CHECK(bs_now_us() - start < 400000, "at once");
    end(x);
    waitpid(s.pid, NULL, 0);
}

/* A process that is killed in the middle: what it held comes up, the keys it lent are given back, and its watcher goes. */
static void test_death(const char *display, const char *what) {
    int ends[2];
    if (pipe(ends)) abort();
    pid_t pid = fork();
    if (!pid) {
        bs_screen *x = open_or_die(display);
        bs_buf q = {0};
        bs_put_cstr(&q, "Ж😀");
        if (!strcmp(what, "text") && run(x, BACKSTEP_OP_TEXT, &q, 5000, NULL)) _exit(1);
        modifiers_held = 3;
        if (write(ends[1], "x", 1) == 1) pointer(x, 2, 10, 10, 1, 1, 110, 60, 20000, 0, 0, 30000, NULL);
        _exit(0);
    }
    close(ends[1]);
    char one;
    CHECK(read(ends[0], &one, 1) == 1, "it came to the drag");
    close(ends[0]);
    for (unsigned i = 0; i < 2000 && !(buttons_down(display) && keys_down(display) == 2); i++) usleep(1000);
    CHECK(buttons_down(display) && keys_down(display) == 2, "%s: the drag and the modifiers are held: %u %u", what, buttons_down(display), keys_down(display));
    if (!strcmp(what, "text")) CHECK(lent_keycodes(display) > 0, "symbols are lent");
    kill(pid, SIGKILL);
    uint64_t start = bs_now_us();
    waitpid(pid, NULL, 0);
    while ((buttons_down(display) || keys_down(display) || lent_keycodes(display)) && bs_now_us() - start < 3000000) usleep(1000);
    CHECK(buttons_down(display) == 0 && keys_down(display) == 0 && modifiers_on(display) == 0, "%s: everything is up after the death: %x %u %x", what, buttons_down(display), keys_down(display), modifiers_on(display));
    CHECK(lent_keycodes(display) == 0, "%s: the lent keycodes are empty again", what);
    printf("  %s: let go %.1f ms after the death\n", what, (double)(bs_now_us() - start) / 1e3);
}

/* A second client: what a person is to a server without devices. */
void foreign(xcb_connection_t *c, uint8_t type, uint8_t detail, int16_t px, int16_t py) {
    xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root;
    xcb_test_fake_input(c, type, detail, XCB_CURRENT_TIME, type == XCB_MOTION_NOTIFY ? root : XCB_NONE, px, py, 0);
}

void foreign_done(xcb_connection_t *c) {
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
}

/* What was seen until the server has answered all. */
static bs_screen_seen seen_now(bs_screen *x) {
    bs_screen_seen all = {0}, some;
    uint64_t due;
    for (unsigned i = 0; i < 4; i++) { /* the second answers the question where the pointer is */
        bs_buf q = {0};
        run(x, BACKSTEP_OP_RELEASE, &q, 5000, NULL);
        bs_x11_pump(x11_of(x));
        if (!bs_x11_input(x11_of(x), true, &some, &due)) continue;
        all.keys += some.keys, all.buttons += some.buttons, all.wheels += some.wheels, all.motions += some.motions;
        all.last_us = some.last_us;
    }
    return all;
}

int watch_input(bs_screen *x, uint32_t on) {
    bs_buf q = {0};
    bs_put_u32(&q, on);
    return run(x, BACKSTEP_OP_WATCH_INPUT, &q, 5000, NULL);
}

unsigned dice(uint64_t *seed, unsigned below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % below;
}

void random_action(bs_screen *x, uint64_t *seed) {
    static const char *const texts[] = {"a", "Shift AND caps", "\xc3\xa9\xe2\x82\xac\xce\xb1", "tab\tand\nreturn", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    static const uint32_t control_a[] = {0xffe3, 'a'}, escape[] = {0xff1b};
    int32_t px = (int32_t)dice(seed, 600), py = (int32_t)dice(seed, 400);
    unsigned what = dice(seed, 7);
    int status = 0;
    if (what == 0) {
        bs_buf q = {0};
        bs_put_cstr(&q, texts[dice(seed, 5)]);
        status = run(x, BACKSTEP_OP_TEXT, &q, 20000, NULL);
    } else if (what == 1) {
        status = dice(seed, 2) ? chord(x, 2, control_a) : chord(x, 1, escape);
    } else {
        modifiers_held = dice(seed, 8) == 0 ? 1 + dice(seed, 3) : 0;
        status = pointer(x, (uint32_t)what % 4, px, py, 1 + dice(seed, 3), 1 + dice(seed, 3), (int32_t)dice(seed, 600), (int32_t)dice(seed, 400), 0,
            (int32_t)dice(seed, 5) - 2, (int32_t)dice(seed, 41) - 20, 20000, NULL);
        modifiers_held = 0;
    }
    CHECK(status == 0, "action %u: %d %s", what, status, reply_text());
}

static void *type_beside(void *argument) {
    xcb_connection_t *c = argument;
    for (unsigned i = 0; i < 200; i++) {
        foreign(c, XCB_KEY_PRESS, 38, 0, 0);
        foreign(c, XCB_KEY_RELEASE, 38, 0, 0);
        foreign_done(c);
        usleep(500);
    }
    return NULL;
}

static void test_input(const char *display, unsigned actions) {
    bs_screen *x = open_or_die(display);
    victim *v = victim_start(display, true, 0);
    xcb_connection_t *c = xcb_connect(display, NULL);
    foreign(c, XCB_KEY_PRESS, 38, 0, 0);
    foreign(c, XCB_KEY_RELEASE, 38, 0, 0);
    foreign_done(c);
    bs_screen_seen s = seen_now(x);
    CHECK(!s.last_us, "nothing is told before it is asked for");
    CHECK(watch_input(x, 3) == BACKSTEP_E_INVALID, "no such level");
    CHECK(watch_input(x, 1) == 0 && watch_input(x, 1) == 0, "watching: %s", reply_text());

    uint64_t seed = 20261121, start = bs_now_us();
    for (unsigned i = 0; i < actions; i++) {
        random_action(x, &seed);
        bs_x11_pump(x11_of(x));
    }
    uint64_t took = bs_now_us() - start;
    s = seen_now(x);
    CHECK(!s.last_us, "of our own %u actions there counted %u keys, %u buttons, %u wheel, %u motions", actions, s.keys, s.buttons, s.wheels, s.motions);
    printf("  %u actions of our own, watched: %.1f s\n", actions, (double)took / 1e6);

    foreign(c, XCB_KEY_PRESS, 38, 0, 0);
    foreign(c, XCB_KEY_RELEASE, 38, 0, 0);
    foreign_done(c);
    s = seen_now(x);
    CHECK(s.keys == 1 && !s.buttons && !s.wheels && !s.motions, "a key: %u %u %u %u", s.keys, s.buttons, s.wheels, s.motions);
    CHECK(s.last_us > start && s.last_us <= bs_now_us(), "when it was");
    for (uint8_t button = 1; button <= 5; button++) foreign(c, XCB_BUTTON_PRESS, button, 0, 0), foreign(c, XCB_BUTTON_RELEASE, button, 0, 0);
    foreign_done(c);
    s = seen_now(x);
    CHECK(!s.keys && s.buttons == 3 && s.wheels == 2 && !s.motions, "buttons and wheel: %u %u %u %u", s.keys, s.buttons, s.wheels, s.motions);
    pointer(x, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, 1000, NULL);
    foreign(c, XCB_MOTION_NOTIFY, 0, 105, 97);
    foreign_done(c);
    CHECK(!seen_now(x).last_us, "a jolt is no motion");
    foreign(c, XCB_MOTION_NOTIFY, 0, 109, 97);
    foreign_done(c);
    CHECK(seen_now(x).motions == 1, "it adds up");
    foreign(c, XCB_MOTION_NOTIFY, 0, 300, 300);
    foreign_done(c);
    bs_x11_pump(x11_of(x)); /* asks where it is; then we move it ourselves */
    pointer(x, 0, 10, 10, 0, 0, 0, 0, 0, 0, 0, 1000, NULL);
    CHECK(!seen_now(x).motions, "where we moved it is no news");

    /* The same key, by both at once: ours are taken for ours, and no other. */
    pthread_t other;
    pthread_create(&other, NULL, type_beside, c);
    for (unsigned i = 0; i < 40; i++) {
        bs_buf q = {0};
        bs_put_cstr(&q, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        run(x, BACKSTEP_OP_TEXT, &q, 20000, NULL);
        bs_x11_pump(x11_of(x));
    }
    pthread_join(other, NULL);
    s = seen_now(x);
    /* Who presses what the other one holds makes no event. */
    CHECK(s.keys >= 150 && s.keys <= 200, "of 200 keys of somebody else, typed beside ours, %u were seen", s.keys);
    printf("  of 200 keys beside ours %u were seen\n", s.keys);

    CHECK(watch_input(x, 0) == 0, "no more: %s", reply_text());
    foreign(c, XCB_KEY_PRESS, 38, 0, 0);
    foreign(c, XCB_KEY_RELEASE, 38, 0, 0);
    foreign_done(c);
    CHECK(!seen_now(x).last_us, "nothing is told when nobody asks any more");
    xcb_disconnect(c);
    end(x);
    victim_stop(v);
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : "";
    unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
    server s = server_start(NULL);
#define RUN(name, call) if (strstr(name, only)) printf("%s\n", name), fflush(stdout), call
    RUN("open", test_open());
    RUN("picture", test_picture(s.display));
    RUN("damage", test_damage(s.display));
    RUN("drawn", test_drawn(s.display));
    RUN("covered", test_covered(s.display));
    RUN("no segment", test_no_segment(s.display));
    RUN("windows", test_windows(s.display));
    RUN("holders", test_holders(s.display));
    RUN("chord", test_chord(s.display));
    RUN("pointer", test_pointer(s.display));
    RUN("death", test_death(s.display, "drag"));
    RUN("death", test_death(s.display, "text"));
    RUN("input", test_input(s.display, 1000));
    RUN("person", test_person(s.display, 500));
    RUN("caps", test_caps(s.display));
    RUN("clipboard", test_clipboard(s.display));
    RUN("keep", test_keep(s.display));
    RUN("malformed", test_malformed(s.display));
    RUN("text", test_text(s.display, true, 0, rounds, "answers pings"));
    RUN("text", test_text(s.display, true, 2000, rounds > 5 ? 5 : rounds, "slow, answers pings"));
    RUN("text", test_text(s.display, false, 0, rounds, "without pings"));
    RUN("split", test_split(s.display, rounds > 5 ? 5 : rounds));
    RUN("hanging", test_hanging(s.display));
    RUN("stopped", test_stopped());
    RUN("killed", test_killed());
    server_stop(&s);
    forget_reply();
    printf("%u checks, %u failed\n", checks, failures);
    return failures != 0;
}
