/* Pictures, judged by the colours of a window whose place is known. */
#include "wl_harness.h"

#include <string.h>

enum { RED = 0xff0000, GREEN = 0x00ff00, BLUE = 0x0000ff, WHITE = 0xffffff };

/* The window's quarters, where it lies at x, y of the picture, with its edges. */
static void quarters(const char *what, uint32_t x, uint32_t y, uint32_t w, uint32_t h) {
    const struct {
        uint32_t x, y, colour;
    } wanted[] = {{x, y, RED}, {x + w / 2 - 1, y + h / 2 - 1, RED}, {x + w / 2, y, GREEN}, {x + w - 1, y + h / 2 - 1, GREEN}, {x, y + h / 2, BLUE},
        {x + w / 2 - 1, y + h - 1, BLUE}, {x + w / 2, y + h / 2, WHITE}, {x + w - 1, y + h - 1, WHITE}};
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        uint32_t got = pixel(wanted[i].x, wanted[i].y);
        CHECK(got == wanted[i].colour, "%s: %06x at %u,%u, not %06x", what, got, wanted[i].x, wanted[i].y, wanted[i].colour);
    }
}

static void one(const char *config, const char *what, int32_t width, int32_t height) {
    compositor c = sway_start(1, config);
    bs_screen *s = open_or_die(c.display);
    int32_t sw, sh;
    s->kind->size(s, &sw, &sh);
    CHECK(sw == width && sh == height, "%s: the screen is %dx%d, not %dx%d", what, sw, sh, width, height);
    observer *w = observer_start(c.display, "a", 400, 300);
    CHECK(!pointer(s, 0, 20, 20, 0, 0, 0, 0, 0, 0, 0, 3000, NULL), "%s", reply_text());
    CHECK(!capture(s, 0, 0, 0, 0, 0), "%s: %s", what, reply_text());
    CHECK(reply_u32(0) == (uint32_t)width && reply_u32(4) == (uint32_t)height && reply_u32(8) == 1 && reply_size() == 16 + (size_t)width * (size_t)height * 4, "%s", what);
    quarters(what, 100, 80, 400, 300);
    CHECK(!capture(s, 2, 90, 70, 420, 320), "%s: %s", what, reply_text());
    CHECK(reply_u32(0) == 420 && reply_u32(4) == 320, "%s: %ux%u", what, reply_u32(0), reply_u32(4));
    quarters(what, 10, 10, 400, 300);
    CHECK(pixel(9, 10) != RED && pixel(10, 9) != RED && pixel(410, 309) != WHITE, "%s: nothing of it lies outside", what);
    CHECK(!capture(s, 2, 299, 229, 2, 2) && pixel(0, 0) == RED && pixel(1, 0) == GREEN && pixel(0, 1) == BLUE && pixel(1, 1) == WHITE, "%s: four pixels: %s", what, reply_text());
    CHECK(!capture(s, 2, -50, -50, 151, 131) && reply_u32(0) == 101 && reply_u32(4) == 81 && pixel(100, 80) == RED, "%s: cut at the edge: %s", what, reply_text());
    observer_stop(w);
    end(s);
    sway_stop(&c);
}

static void refused(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    CHECK(capture(s, 1, 0, 0, 0, 0) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "of outputs, not of windows"), "%s", reply_text());
    CHECK(capture(s, 3, 0, 0, 0, 0) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(capture(s, 2, 2000, 0, 10, 10) == BACKSTEP_E_INVALID && strstr(reply_text(), "1280x800"), "%s", reply_text());
    CHECK(capture(s, 2, 10, 10, 0, 10) == BACKSTEP_E_INVALID && capture(s, 2, 10, 10, 10, -1) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(capture(s, 2, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(!capture(s, 2, INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX) == false, "%s", reply_text());
    end(s);
    sway_stop(&c);
}

/* A window across two outputs, of which one has a scale of 2: the picture is in logical pixels all over. */
static void across(void) {
    compositor c = sway_start(2, "output HEADLESS-1 position 0 0\noutput HEADLESS-2 mode 1600x1200 position 1280 100 scale 2\n"
        "for_window [app_id=\"across\"] move absolute position 1080 200\n");
    bs_screen *s = open_or_die(c.display);
    observer *w = observer_start_aside(c.display, "across", 400, 300);
    CHECK(!capture(s, 0, 0, 0, 0, 0), "%s", reply_text());
    CHECK(reply_u32(0) == 2080 && reply_u32(4) == 800, "%ux%u", reply_u32(0), reply_u32(4));
    quarters("two outputs", 1080, 200, 400, 300);
    CHECK(pixel(2000, 50) == 0 && pixel(2000, 750) == 0, "black where no output lies");
    CHECK(!capture(s, 2, 1270, 340, 30, 20), "%s", reply_text());
    CHECK(pixel(9, 9) == RED && pixel(10, 9) == GREEN && pixel(9, 10) == BLUE && pixel(10, 10) == WHITE, "the middle, on the seam");
    observer_stop(w);
    end(s);
    sway_stop(&c);
}

void test_pictures(void) {
    one("", "plain", 1280, 800);
    one("output HEADLESS-1 scale 2", "scale 2", 640, 400);
    one("output HEADLESS-1 transform 90", "turned by 90", 800, 1280);
    one("output HEADLESS-1 transform 180", "turned by 180", 1280, 800);
    one("output HEADLESS-1 transform 270", "turned by 270", 800, 1280);
    one("output HEADLESS-1 scale 1.6", "scale 1.6", 800, 500);
    one("output HEADLESS-1 transform flipped", "mirrored", 1280, 800);
    one("output HEADLESS-1 transform flipped-90", "mirrored and turned", 800, 1280);
    one("output HEADLESS-1 transform flipped-270", "mirrored and turned back", 800, 1280);
    across();
    refused();
}
