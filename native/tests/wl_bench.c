/* How long things take on headless sway: build/wl_test.plain bench. */
#include "wl_harness.h"

#include <stdlib.h>
#include <string.h>

void bench(void);

static int by_size(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

#define TIMES 200u
static uint64_t took[TIMES];

static void tell(const char *what, unsigned n) {
    qsort(took, n, sizeof *took, by_size);
    printf("%-36s median %7.2f ms, p95 %7.2f ms (%u times)\n", what, (double)took[n / 2] / 1000, (double)took[n * 95 / 100] / 1000, n);
    fflush(stdout);
}

#define MEASURE(what, times, ...) \
    do { \
        for (unsigned i = 0; i < (times); i++) { \
            uint64_t start = bs_now_us(); \
            if (__VA_ARGS__) fprintf(stderr, "%s: %s\n", what, reply_text()), exit(1); \
            took[i] = bs_now_us() - start; \
        } \
        tell(what, times); \
    } while (0)

static int opens(const char *display) {
    bs_screen *s = open_or_die(display);
    end(s);
    return 0;
}

static void rate(const char *hz) {
    char config[128], what[64];
    snprintf(config, sizeof config, "output HEADLESS-1 mode --custom 1280x800@%sHz", hz);
    compositor c = sway_start(1, config);
    bs_screen *s = open_or_die(c.display);
    snprintf(what, sizeof what, "picture 1280x800 at %s Hz", hz);
    MEASURE(what, TIMES, capture(s, 0, 0, 0, 0, 0));
    snprintf(what, sizeof what, "picture 200x100 at %s Hz", hz);
    MEASURE(what, TIMES, capture(s, 2, 100, 100, 200, 100));
    end(s);
    sway_stop(&c);
}

static int type_in_turn(bs_screen *s, unsigned i) {
    return i % 2 ? chord(s, 2, (const uint32_t[]){0xffe3, 's'}) : text(s, "Grüße", 3000);
}

void bench(void) {
    compositor c = sway_start(1, "output HEADLESS-1 mode --custom 1280x800@240Hz");
    MEASURE("connect and close", 50, opens(c.display));
    bs_screen *s = open_or_die(c.display), *other = open_or_die(c.display);
    observer *w = observer_start(c.display, "a", 400, 300);
    MEASURE("sync", TIMES, bs_wl_sync((bs_wl *)s));
    MEASURE("click and sync", TIMES, click(s, 150, 200));
    MEASURE("chord", TIMES, chord(s, 2, (const uint32_t[]){0xffe3, 's'}));
    MEASURE("text of 5 characters", TIMES, text(s, "Grüße", 3000));
    MEASURE("text and chord in turn (map sent)", TIMES, type_in_turn(s, i));
    MEASURE("clipboard write", TIMES, clip_write(s, "CLIPBOARD", "UTF8_STRING", "Grüße", 7));
    pumping *p = pump_start(s);
    MEASURE("clipboard read, another's", TIMES, clip_read_within(other, "CLIPBOARD", "UTF8_STRING", 3000));
    pump_stop(p);
    MEASURE("clipboard read, own", TIMES, clip_read_within(s, "CLIPBOARD", "UTF8_STRING", 3000));
    observer_stop(w);
    end(s);
    end(other);
    sway_stop(&c);
    rate("60");
    rate("240");
    forget_reply();
}
