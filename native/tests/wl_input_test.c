/* Keyboard and pointer, judged by what a client of its own is told (wl_observer.c). */
#define _GNU_SOURCE
#include "wl_harness.h"

#include <stdlib.h>
#include <string.h>

static void expect(observer *w, const char *wanted) {
    CHECK(observer_awaits(w, wanted, 5000), "\"%s\" was told, not \"%s\"", observer_log(w), wanted);
    observer_clear(w);
}

/* The window is of 400 by 300 pixels at 100, 80. */
void test_pointer(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    int32_t width, height;
    s->kind->size(s, &width, &height);
    CHECK(width == 1280 && height == 800, "the screen is %dx%d", width, height);
    observer *w = observer_start(c.display, "a", 400, 300);
    double x, y;
    observer_clear(w);
    CHECK(!click(s, 150, 200), "%s", reply_text());
    expect(w, "b110+ b110- "); /* the first click after a launch counts */
    observer_at(w, &x, &y);
    CHECK(x >= 50 && x < 50.01 && y >= 120 && y < 120.01, "the pointer is at %f,%f", x, y);
    CHECK(!pointer(s, 1, 150, 200, 3, 1, 0, 0, 0, 0, 0, 3000, NULL), "%s", reply_text());
    expect(w, "b111+ b111- ");
    CHECK(!pointer(s, 1, 150, 200, 2, 1, 0, 0, 0, 0, 0, 3000, NULL), "%s", reply_text());
    expect(w, "b112+ b112- ");
    CHECK(!pointer(s, 1, 160, 200, 1, 2, 0, 0, 0, 0, 0, 3000, NULL), "%s", reply_text());
    expect(w, "b110+ b110- b110+ b110- ");
    CHECK(!pointer(s, 0, 499, 379, 0, 0, 0, 0, 0, 0, 0, 3000, NULL), "%s", reply_text());
    CHECK(!pointer(s, 3, 200, 200, 0, 0, 0, 0, 0, 1, -2, 3000, NULL), "%s", reply_text());
    expect(w, "axis0:-15:-1 axis0:-15:-1 axis1:15:1 ");
    uint64_t start = bs_now_us();
    CHECK(!pointer(s, 2, 150, 200, 1, 1, 350, 300, 300, 0, 0, 3000, NULL), "%s", reply_text());
    uint64_t took = bs_now_us() - start;
    expect(w, "b110+ b110- ");
    observer_at(w, &x, &y);
    CHECK(x >= 250 && x < 250.01 && y >= 220 && y < 220.01, "the drag ended at %f,%f", x, y);
    CHECK(took >= 300000 && took < 1500000, "the drag took %llu us", (unsigned long long)took);
    CHECK(!pointer(s, 2, 150, 200, 1, 1, 350, 300, 0, 0, 0, 3000, NULL), "%s", reply_text());
    CHECK(observer_awaits(w, "b110+ b110- ", 3000) && observer_motions(w) >= 9, "%u motions", observer_motions(w));
    observer_clear(w);
    modifiers_held = 1 | 2;
    CHECK(!click(s, 150, 200), "%s", reply_text());
    modifiers_held = 0;
    expect(w, "+ffe3/0 +ffe1/4 b110+ b110- -ffe1/5 -ffe3/5 ");
    CHECK(click(s, 1280, 10) == BACKSTEP_E_INVALID && strstr(reply_text(), "on no output"), "%s", reply_text());
    CHECK(click(s, -1, 10) == BACKSTEP_E_INVALID && click(s, 10, 800) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(pointer(s, 1, 1, 1, 4, 1, 0, 0, 0, 0, 0, 3000, NULL) == BACKSTEP_E_INVALID && pointer(s, 1, 1, 1, 1, 4, 0, 0, 0, 0, 0, 3000, NULL) == BACKSTEP_E_INVALID
            && pointer(s, 9, 1, 1, 1, 1, 0, 0, 0, 0, 0, 3000, NULL) == BACKSTEP_E_INVALID && pointer(s, 3, 1, 1, 1, 1, 0, 0, 0, 0, 1001, 3000, NULL) == BACKSTEP_E_INVALID
            && pointer(s, 2, 1, 1, 1, 1, 5000, 0, 0, 0, 0, 3000, NULL) == BACKSTEP_E_INVALID, "bad requests are refused");
    observer_stop(w);
    end(s);
    sway_stop(&c);
}

void test_chord(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    observer *w = observer_start(c.display, "a", 400, 300);
    static const struct {
        unsigned n;
        uint32_t symbols[3];
        const char *told;
    } chords[] = {
        {2, {0xffe3, 's'}, "+ffe3/0 +73/4 -73/4 -ffe3/4 "},
        {3, {0xffe3, 0xffe1, 'z'}, "+ffe3/0 +ffe1/4 +5a/5 -5a/5 -ffe1/5 -ffe3/4 "},
        {1, {'A'}, "+ffe1/0 +41/1 -41/1 -ffe1/1 "},
        {2, {0xffe1, 'a'}, "+ffe1/0 +41/1 -41/1 -ffe1/1 "},
        {2, {0xffe9, 0xffc1}, "+ffe9/0 +ffc1/8 -ffc1/8 -ffe9/8 "}, /* Alt+F4 */
        {2, {0xffeb, '1'}, "+ffeb/0 +31/64 -31/64 -ffeb/64 "},
        {1, {'?'}, "+ffe1/0 +3f/1 -3f/1 -ffe1/1 "},
        {1, {0xff0d}, "+ff0d/0 -ff0d/0 "}, {1, {0xff1b}, "+ff1b/0 -ff1b/0 "}, {1, {0xff09}, "+ff09/0 -ff09/0 "}, {1, {0xff52}, "+ff52/0 -ff52/0 "},
        {1, {0xff54}, "+ff54/0 -ff54/0 "}, {1, {0xff51}, "+ff51/0 -ff51/0 "}, {1, {0xff53}, "+ff53/0 -ff53/0 "}, {1, {0xffff}, "+ffff/0 -ffff/0 "},
        {1, {0xff08}, "+ff08/0 -ff08/0 "}, {1, {0xff50}, "+ff50/0 -ff50/0 "}, {1, {0xff57}, "+ff57/0 -ff57/0 "}, {1, {0xff55}, "+ff55/0 -ff55/0 "},
        {1, {0xff56}, "+ff56/0 -ff56/0 "}, {1, {0xff63}, "+ff63/0 -ff63/0 "}, {1, {' '}, "+20/0 -20/0 "}, {1, {0xff67}, "+ff67/0 -ff67/0 "},
        {1, {0xff61}, "+ff61/0 -ff61/0 "}, {1, {0xff13}, "+ff13/0 -ff13/0 "}, {1, {0xff8d}, "+ff8d/0 -ff8d/0 "}, {2, {0xfe03, 'q'}, "+fe03/0 +71/128 -71/128 -fe03/128 "},
        {2, {0xffe3, 0xe9}, "+ffe3/0 +e9/4 -e9/4 -ffe3/4 "},                     /* é, which an ordinary keyboard lacks */
        {2, {0xffe3, 0x01000436}, "+ffe3/0 +1000436/4 -1000436/4 -ffe3/4 "},             /* ж */
        {2, {0x1008ff14, 0x01000436}, "+1008ff14/0 +1000436/0 -1000436/0 -1008ff14/0 "}, /* Play */
        {2, {0xffe3, 0x01000073}, "+ffe3/0 +73/4 -73/4 -ffe3/4 "},
        {1, {0xffe5}, "+ffe5/0 -ffe5/2 "}, {1, {'a'}, "+41/2 -41/2 "}, {1, {0xffe5}, "+ffe5/2 -ffe5/0 "}, /* Caps Lock */
    };
    for (unsigned i = 0; i < sizeof chords / sizeof *chords; i++) {
        observer_clear(w);
        CHECK(!chord(s, chords[i].n, chords[i].symbols), "%s", reply_text());
        CHECK(observer_awaits(w, chords[i].told, 3000), "\"%s\" was told, not \"%s\"", observer_log(w), chords[i].told);
    }
    for (uint32_t n = 0; n < 24; n++) {
        char told[64];
        observer_clear(w);
        snprintf(told, sizeof told, "+%x/0 -%x/0 ", 0xffbe + n, 0xffbe + n);
        CHECK(!chord(s, 1, (const uint32_t[]){0xffbe + n}), "%s", reply_text());
        CHECK(observer_awaits(w, told, 3000), "F%u: \"%s\"", n + 1, observer_log(w));
    }
    for (uint32_t symbol = 0x21; symbol < 0x7f; symbol++) {
        char told[64];
        observer_clear(w);
        snprintf(told, sizeof told, "+%x/", symbol);
        CHECK(!chord(s, 1, &symbol), "%s", reply_text());
        CHECK(observer_awaits(w, told, 3000), "%c: \"%s\"", (int)symbol, observer_log(w));
    }
    CHECK(chord(s, 4, (const uint32_t[]){0xe9, 0xe8, 0xea, 0xeb}) == BACKSTEP_E_UNSUPPORTED, "%s", reply_text());
    CHECK(chord(s, 0, NULL) == BACKSTEP_E_INVALID && chord(s, 1, (const uint32_t[]){5}) == BACKSTEP_E_INVALID, "%s", reply_text());
    observer_stop(w);
    end(s);
    sway_stop(&c);
}

void test_text(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    observer *w = observer_start(c.display, "a", 400, 300);
    static const char *const texts[] = {
        "Hello, world", "Grüße, 世界 αβγ", "a\tb\nc d", "aaaa", " ", "\n",
        "The quick brown fox jumps over the lazy dog 0123456789 THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        "Съешь же ещё этих мягких французских булок, да выпей чаю. Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. いろはにほへとちりぬるを わかよたれそつねならむ 天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏閏餘成歲律呂調陽雲騰致雨露結為霜",
        "€ ‰ „Anführung“ … – — ‑ ﬁ \u00a0 \u00ad \ufffd",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        observer_clear(w);
        CHECK(!text(s, texts[i], 5000), "%s", reply_text());
        CHECK(observer_types(w, texts[i], 5000), "\"%s\" was typed, not \"%s\"", observer_typed(w), texts[i]);
        CHECK(!chord(s, 1, (const uint32_t[]){0xffbe}), "a chord in between: %s", reply_text());
    }
    observer_clear(w);
    CHECK(!text(s, "a\r\nb\rc", 5000) && observer_types(w, "a\nb\nc", 3000), "\"%s\"", observer_typed(w));
    CHECK(!chord(s, 1, (const uint32_t[]){0xffe5}) && observer_awaits_modifiers(w, 2, 3000), "Caps Lock is on");
    for (unsigned i = 0; i < 2; i++) { /* with another map, and with the same one */
        observer_clear(w);
        CHECK(!text(s, "aBc", 5000) && observer_types(w, "aBc", 3000), "typed under Caps Lock: \"%s\"", observer_typed(w));
    }
    CHECK(!chord(s, 1, (const uint32_t[]){0xffe5}) && observer_awaits_modifiers(w, 0, 3000), "Caps Lock is off");
    char many[3001] = {0};
    for (unsigned i = 0; i < 3000; i++) many[i] = (char)('!' + i * 7 % 90);
    observer_clear(w);
    uint64_t start = bs_now_us();
    CHECK(!text(s, many, 10000), "%s", reply_text());
    double us = (double)(bs_now_us() - start);
    CHECK(observer_types(w, many, 10000), "3,000 characters: %zu were typed", strlen(observer_typed(w)));
    printf("  3,000 characters in %.1f ms\n", us / 1000);
    /* sway would end an application that reads none of them for a while, if all came at once. */
    observer_clear(w);
    observer_freeze_for(w, 400000);
    CHECK(!text(s, many, 10000) && observer_types(w, many, 10000), "3,000 characters to one that stands still: %zu were typed", strlen(observer_typed(w)));
    observer_clear(w);
    CHECK(text(s, "abc🙂", 3000) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "U+1F642") && strstr(reply_text(), "paste"), "%s", reply_text());
    CHECK(text(s, "abc\x01", 3000) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(!text(s, "", 3000), "%s", reply_text());
    CHECK(!text(s, "z", 3000) && observer_types(w, "z", 3000), "nothing is typed of what is refused: \"%s\"", observer_typed(w));
    observer_stop(w);
    end(s);
    sway_stop(&c);
}

void test_outputs(void) {
    compositor c = sway_start(2, "output HEADLESS-1 position 0 0\noutput HEADLESS-2 mode 1600x1200 position 1280 0 scale 2\n"
        "for_window [app_id=\"b\"] move absolute position 1400 100\n");
    bs_screen *s = open_or_die(c.display);
    int32_t width, height;
    s->kind->size(s, &width, &height);
    CHECK(width == 2080 && height == 800, "the layout is %dx%d", width, height);
    observer *a = observer_start(c.display, "a", 400, 300), *b = observer_start_aside(c.display, "b", 200, 200);
    observer_clear(a), observer_clear(b);
    CHECK(!click(s, 101, 379), "%s", reply_text());
    double x, y;
    expect(a, "b110+ b110- ");
    observer_at(a, &x, &y);
    CHECK(x >= 1 && x < 1.01 && y >= 299 && y < 299.01, "the pointer is at %f,%f", x, y);
    CHECK(!click(s, 1599, 100), "%s", reply_text());
    expect(b, "b110+ b110- ");
    observer_at(b, &x, &y);
    CHECK(x >= 199 && x < 199.01 && y >= 0 && y < 0.01, "the pointer is at %f,%f", x, y);
    CHECK(click(s, 1300, 700) == BACKSTEP_E_INVALID, "no output lies there: %s", reply_text());
    char order[256]; /* an output comes while we are connected */
    snprintf(order, sizeof order, "swaymsg -s %s/sway-ipc.*.%d.sock create_output >/dev/null", c.folder, c.pid);
    CHECK(!system(order), "%s", order);
    bs_buf none = {0};
    for (uint64_t until = bs_now_us() + 5000000; width == 2080 && bs_now_us() < until; s->kind->size(s, &width, &height)) run(s, BACKSTEP_OP_RELEASE, &none, 1000, NULL);
    CHECK(width > 2080, "the layout is %dx%d", width, height);
    CHECK(!click(s, width - 1, 5), "%s", reply_text());
    CHECK(!capture(s, 2, width - 10, 0, 10, 10), "%s", reply_text());
    observer_stop(a), observer_stop(b);
    end(s);
    sway_stop(&c);
}

/* A layout that does not begin at 0, 0. */
void test_origin(void) {
    compositor c = sway_start(1, "output HEADLESS-1 position 300 -200\nfor_window [app_id=\"c\"] move absolute position 400 -100\n");
    bs_screen *s = open_or_die(c.display);
    int32_t width, height;
    double x, y;
    s->kind->size(s, &width, &height);
    CHECK(width == 1280 && height == 800, "the screen is %dx%d", width, height);
    observer *w = observer_start(c.display, "c", 400, 300);
    observer_clear(w);
    CHECK(!click(s, 450, -80), "%s", reply_text());
    expect(w, "b110+ b110- ");
    observer_at(w, &x, &y);
    CHECK(x >= 50 && x < 50.01 && y >= 20 && y < 20.01, "the pointer is at %f,%f", x, y);
    CHECK(click(s, 299, 0) == BACKSTEP_E_INVALID && click(s, 400, 600) == BACKSTEP_E_INVALID && !click(s, 1579, 599), "%s", reply_text());
    CHECK(!capture(s, 2, 399, -101, 3, 3) && pixel(0, 0) != 0xff0000 && pixel(1, 1) == 0xff0000, "%s", reply_text());
    CHECK(!capture(s, 0, 0, 0, 0, 0) && reply_u32(0) == 1280 && reply_u32(4) == 800 && pixel(99, 100) != 0xff0000 && pixel(100, 100) == 0xff0000, "%s", reply_text());
    observer_stop(w);
    end(s);
    sway_stop(&c);
}
