/* What a hostile compositor tells is refused by name, and nothing is read or written beyond what there is: meant for ASan. */
#define _GNU_SOURCE
#include "wl_harness.h"

#include <string.h>

enum { XRGB = 1, INVERTED = 1 };

static const hostile plain = {.outputs = 1, .width = 100, .height = 50, .scale = 1, .picture = {XRGB, 100, 50, 400}};

static void pictures(void) {
    static const struct {
        uint32_t told[4];
        int status;
    } all[] = {
        {{XRGB, 100, 50, 400}, BACKSTEP_OK}, {{XRGB, 100, 50, 4000}, BACKSTEP_OK}, {{XRGB, 1, 1, 4}, BACKSTEP_OK}, {{XRGB, 3000, 7, 12001}, BACKSTEP_OK},
        {{0x36314752, 100, 50, 200}, BACKSTEP_E_UNSUPPORTED}, {{XRGB, 0, 50, 400}, BACKSTEP_E_PROTOCOL}, {{XRGB, 100, 0, 400}, BACKSTEP_E_PROTOCOL},
        {{XRGB, 100, 50, 0}, BACKSTEP_E_PROTOCOL}, {{XRGB, 100, 50, 399}, BACKSTEP_E_PROTOCOL}, {{XRGB, 100, 50, UINT32_MAX}, BACKSTEP_E_PROTOCOL},
        {{XRGB, UINT32_MAX, 50, 400}, BACKSTEP_E_PROTOCOL}, {{XRGB, 100, UINT32_MAX, 400}, BACKSTEP_E_PROTOCOL}, {{XRGB, 0x40000001, 50, 4}, BACKSTEP_E_PROTOCOL},
        {{XRGB, 32767, 32767, 131068}, BACKSTEP_E_LIMIT}, {{XRGB, 1, 32767, 262136}, BACKSTEP_E_LIMIT},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        hostile h = plain;
        memcpy(h.picture, all[i].told, sizeof h.picture);
        h.flags = i % 2 ? INVERTED : UINT32_MAX;
        strange c = hostile_start(&h);
        bs_screen *s = open_or_die(c.display);
        int status = capture(s, 0, 0, 0, 0, 0);
        CHECK(status == all[i].status, "picture %u: %d: %s", i, status, status ? reply_text() : "");
        if (!status) CHECK(reply_u32(0) == 100 && reply_u32(4) == 50 && pixel(99, 49) == 0, "picture %u", i);
        status = capture(s, 2, 40, 20, 10, 10);
        CHECK(status == all[i].status, "a part of picture %u: %d", i, status);
        end(s);
        strange_stop(&c);
    }
    for (unsigned i = 0; i < 2; i++) {
        hostile h = plain;
        h.untold = !i, h.ready_early = i;
        strange c = hostile_start(&h);
        bs_screen *s = open_or_die(c.display);
        int status = capture(s, 0, 0, 0, 0, 0);
        CHECK(status == (i ? BACKSTEP_OK : BACKSTEP_E_PROTOCOL), "%s: %d", i ? "ready early" : "of no size", status);
        end(s);
        strange_stop(&c);
    }
}

static void outputs(void) {
    enum { LOW = INT32_MIN, HIGH = INT32_MAX };
    static const hostile all[] = {
        {.outputs = 0}, {.outputs = 1, .width = LOW, .height = LOW, .scale = LOW, .x = LOW, .y = LOW, .transform = LOW},
        {.outputs = 1, .width = HIGH, .height = HIGH, .scale = 1, .x = HIGH, .y = HIGH, .transform = -1},
        {.outputs = 40, .width = HIGH, .height = 1, .scale = 1, .x = LOW, .y = LOW, .apart = HIGH}, {.outputs = 2, .width = 100, .height = 50, .scale = HIGH},
        {.outputs = 2, .width = 100, .height = 50, .scale = 1, .apart = 32000, .y = 32000, .transform = 7},
        {.outputs = 1, .width = 100, .height = 50, .scale = 1, .logical = {0x80000000, 0x80000000, HIGH, HIGH}},
        {.outputs = 1, .width = -100, .height = -50, .scale = 1, .logical = {0, 0, 32767, 32767}},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        hostile h = all[i];
        memcpy(h.picture, plain.picture, sizeof h.picture);
        strange c = hostile_start(&h);
        bs_screen *s = open_or_die(c.display);
        int32_t width, height;
        s->kind->size(s, &width, &height);
        CHECK(width >= 0 && height >= 0, "layout %u is %dx%d", i, width, height);
        int status = capture(s, 0, 0, 0, 0, 0);
        CHECK(!status || status == BACKSTEP_E_INVALID || status == BACKSTEP_E_LIMIT, "layout %u: %d: %s", i, status, reply_text());
        if (!status) CHECK(reply_size() == 16 + (size_t)reply_u32(0) * reply_u32(4) * 4 && reply_size() < (size_t)1 << 31, "layout %u: %zu bytes", i, reply_size());
        const int32_t places[] = {0, LOW, HIGH, 50};
        for (unsigned k = 0; k < 4; k++) {
            status = click(s, places[k], places[k]);
            CHECK(!status || status == BACKSTEP_E_INVALID || status == BACKSTEP_E_LIMIT, "layout %u: a click: %d", i, status);
            status = capture(s, 2, places[k], places[k], HIGH, 10);
            CHECK(!status || status == BACKSTEP_E_INVALID || status == BACKSTEP_E_LIMIT, "layout %u: a part: %d", i, status);
        }
        end(s);
        strange_stop(&c);
    }
}

static void clipboards(void) {
    hostile h = plain;
    h.offers = 12, h.types = 1000;
    strange c = hostile_start(&h);
    bs_screen *s = open_or_die(c.display);
    CHECK(!clip_read_within(s, "CLIPBOARD", "TARGETS", 3000), "%s", reply_text());
    unsigned types = 1;
    for (size_t i = 0; i < reply_size(); i++) types += reply_data()[i] == '\n';
    CHECK(types == BS_WL_TYPES && !memchr(reply_data(), 'x', reply_size()) && !memchr(reply_data(), 0xff, reply_size()), "%u types", types);
    for (unsigned i = 0; i < 2; i++) {
        int status = clip_read_within(s, i ? "PRIMARY" : "CLIPBOARD", "type/7", 20000);
        CHECK(status == BACKSTEP_E_LIMIT && strstr(reply_text(), "larger than"), "content without an end: %d", status);
    }
    end(s);
    strange_stop(&c);
    h.offers = 300, h.types = 3, h.unselected = true;
    c = hostile_start(&h);
    s = open_or_die(c.display);
    CHECK(clip_read_within(s, "CLIPBOARD", "TARGETS", 3000) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "empty"), "%s", reply_text());
    end(s);
    strange_stop(&c);
    h = plain;
    h.finishes = true; /* in the middle of the first operation */
    for (unsigned i = 0; i < 2; i++) {
        c = hostile_start(&h);
        s = open_or_die(c.display);
        int status = i ? clip_write(s, "CLIPBOARD", "UTF8_STRING", "x", 1) : clip_read_within(s, "CLIPBOARD", "TARGETS", 3000);
        CHECK(status == BACKSTEP_E_UNSUPPORTED, "a clipboard that has gone: %d: %s", status, reply_text());
        CHECK(clip_write(s, "CLIPBOARD", "UTF8_STRING", "x", 1) == BACKSTEP_E_UNSUPPORTED, "%s", reply_text());
        end(s);
        strange_stop(&c);
    }
}

/* What libwayland decodes: whatever it makes of these, the session ends with an error, and nothing else does. */
static void messages(void) {
    static const uint32_t all[][6] = {
        {1, 4u << 16}, {1, 0}, {1, 12u << 16, 77}, {1, 24u << 16, 1, 0, UINT32_MAX, 0x41414141}, {1, 16u << 16, 1, 0}, {2, 20u << 16, 9, 0xfffffff0, 1},
        {2, 20u << 16, 9, 0, 1}, {0xffffffff, 8u << 16}, {999, 8u << 16 | 9}, {2, 24u << 16, 9, 4, 0x41414141, 1}, {1, 0xfffcu << 16},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        hostile h = plain;
        h.raw_at = 3, h.raw = all[i], h.raw_size = sizeof all[i]; /* with what follows it for another message */
        strange c = hostile_start(&h);
        bs_screen *s = open_or_die(c.display);
        int status = clip_read_within(s, "CLIPBOARD", "TARGETS", 500);
        CHECK(status == BACKSTEP_E_DISPLAY || status == BACKSTEP_E_TIMEOUT_UNSENT || status == BACKSTEP_E_UNSUPPORTED, "message %u: %d: %s", i, status, reply_text());
        end(s);
        strange_stop(&c);
    }
}

void test_hostile(void) {
    pictures();
    outputs();
    clipboards();
    messages();
}
