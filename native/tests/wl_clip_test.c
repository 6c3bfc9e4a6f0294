/* The clipboard between two sessions of our own: each is "another application" to the other one. */
#define _GNU_SOURCE
#include "wl_harness.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool targets_have(const char *name) {
    char line[300], all[20000];
    size_t n = reply_size() < sizeof all - 2 ? reply_size() : sizeof all - 2;
    all[0] = '\n';
    memcpy(all + 1, reply_data(), n);
    memcpy(all + 1 + n, "\n", 2);
    snprintf(line, sizeof line, "\n%s\n", name);
    return strstr(all, line) != NULL;
}

static int keep(bs_screen *s, const char *selection, uint32_t most, uint32_t all, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_cstr(&q, selection), bs_put_u32(&q, most), bs_put_u32(&q, all);
    return run(s, BACKSTEP_OP_CLIP_KEEP, &q, timeout_ms, NULL);
}

/* What was kept under a name: its state, or 99; *n bytes. */
static uint32_t kept(const char *target, const char **bytes, size_t *n) {
    bs_reader r = {.data = reply_data(), .length = reply_size()};
    bs_get_u32(&r), bs_get_u32(&r);
    uint32_t found = 99;
    for (uint32_t count = bs_get_u32(&r); count && !r.failed; count--) {
        bs_str name = bs_get_str(&r), type = bs_get_str(&r);
        uint32_t state = bs_get_u32(&r);
        bs_str content = bs_get_bytes(&r);
        CHECK(bs_wl_is(type, target) || !bs_wl_is(name, target), "the type is the name");
        if (bs_wl_is(name, target)) found = state, *bytes = content.text, *n = content.length;
    }
    CHECK(!r.failed && r.at == r.length, "what was kept is whole");
    return found;
}

static void between(bs_screen *a, bs_screen *b, const char *selection) {
    static const char text[] = "Grüße, 世界 🙂\nzweite Zeile";
    CHECK(!clip_write(a, selection, NULL, NULL, 0), "%s", reply_text());
    CHECK(clip_read_within(b, selection, "UTF8_STRING", 3000) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "empty"), "%s", reply_text());
    CHECK(!keep(b, selection, 0, 0, 3000) && reply_u32(0) == 0 && reply_u32(8) == 0, "nothing to keep: %s", reply_text());
    CHECK(!clip_write(a, selection, "UTF8_STRING", text, sizeof text - 1), "%s", reply_text());
    pumping *p = pump_start(a);
    static const char *const names[] = {"UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT"};
    CHECK(!clip_read_within(b, selection, "TARGETS", 3000), "%s", reply_text());
    for (unsigned i = 0; i < 5; i++) CHECK(targets_have(names[i]), "%s is offered", names[i]);
    for (unsigned i = 0; i < 5; i++) CHECK(!clip_read_within(b, selection, names[i], 3000) && reply_is(text, sizeof text - 1), "%s: %s", names[i], reply_text());
    CHECK(clip_read_within(b, selection, "image/png", 3000) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "image/png"), "%s", reply_text());
    const char *bytes = NULL;
    size_t n = 0;
    CHECK(!keep(b, selection, 0, 0, 3000) && reply_u32(0) && !reply_u32(4), "%s", reply_text());
    CHECK(kept("UTF8_STRING", &bytes, &n) == 0 && n == sizeof text - 1 && !memcmp(bytes, text, n), "kept as it was");
    uint32_t owner = reply_u32(0);
    CHECK(!keep(b, selection, 4, 0, 3000) && reply_u32(0) == owner && reply_u32(4), "%s", reply_text());
    CHECK(kept("UTF8_STRING", &bytes, &n) == 1 && n == 0, "larger than allowed");
    pump_stop(p);
    /* Own content is read without anybody's help. */
    CHECK(!clip_read_within(a, selection, "text/plain", 3000) && reply_is(text, sizeof text - 1), "%s", reply_text());
    CHECK(!keep(a, selection, 0, 0, 3000) && reply_u32(0) && kept("STRING", &bytes, &n) == 0 && n == sizeof text - 1, "own content is kept");
    /* It changes hands. */
    CHECK(!clip_write(b, selection, "image/png", "\0PNG", 4), "%s", reply_text());
    p = pump_start(b);
    CHECK(!clip_read_within(a, selection, "image/png", 3000) && reply_is("\0PNG", 4), "%s", reply_text());
    CHECK(clip_read_within(a, selection, "UTF8_STRING", 3000) == BACKSTEP_E_UNSUPPORTED, "the old content is gone");
    CHECK(!keep(a, selection, 0, 0, 3000) && reply_u32(0) != owner, "another owner");
    pump_stop(p);
}

static void large(bs_screen *a, bs_screen *b) {
    size_t n = 5u << 20;
    uint8_t *big = malloc(n);
    for (size_t i = 0; i < n; i++) big[i] = (uint8_t)(i * 7 + i / 4096);
    CHECK(!clip_write(a, "CLIPBOARD", "application/octet-stream", big, n), "%s", reply_text());
    pumping *p = pump_start(a);
    uint64_t start = bs_now_us();
    CHECK(!clip_read_within(b, "CLIPBOARD", "application/octet-stream", 10000) && reply_is(big, n), "5 MB: %s", reply_text());
    printf("  5 MB clipboard: %.1f ms\n", (double)(bs_now_us() - start) / 1000);
    pump_stop(p);
    /* One who asks and then reads nothing holds up nobody. */
    bs_wl *asks = (bs_wl *)b;
    int ends[2];
    if (pipe(ends)) abort();
    bs_wl_send(asks, asks->selection[0].offer->proxy, DATA_OFFER_RECEIVE, (union wl_argument[]){{.s = "application/octet-stream"}, {.i = ends[1]}});
    asks->base.deadline_us = bs_now_us() + 3000000;
    CHECK(!bs_wl_sync(asks), "asked");
    start = bs_now_us();
    CHECK(!click(a, 10, 10) && !click(a, 10, 10), "%s", reply_text());
    CHECK(bs_now_us() - start < 1000000, "the click took %llu us", (unsigned long long)(bs_now_us() - start));
    char some[16];
    CHECK(read(ends[0], some, sizeof some) == sizeof some && !memcmp(some, big, sizeof some), "what was asked for has begun");
    close(ends[0]), close(ends[1]);
    free(big);
}

static void restored(bs_screen *a, bs_screen *b) {
    bs_buf q = {0};
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, 3);
    bs_put_cstr(&q, "UTF8_STRING"), bs_put_cstr(&q, "UTF8_STRING"), bs_put_str(&q, "one", 3);
    bs_put_cstr(&q, "text/html"), bs_put_cstr(&q, ""), bs_put_str(&q, "<b>one</b>", 10);
    bs_put_cstr(&q, "empty"), bs_put_cstr(&q, "empty"), bs_put_str(&q, "", 0);
    CHECK(!run(a, BACKSTEP_OP_CLIP_RESTORE, &q, 3000, NULL), "%s", reply_text());
    pumping *p = pump_start(a);
    CHECK(!clip_read_within(b, "CLIPBOARD", "TARGETS", 3000) && targets_have("text/html") && targets_have("empty") && !targets_have("STRING"), "as it was, and no more");
    CHECK(!clip_read_within(b, "CLIPBOARD", "text/html", 3000) && reply_is("<b>one</b>", 10), "%s", reply_text());
    CHECK(!clip_read_within(b, "CLIPBOARD", "empty", 3000) && reply_is("", 0), "%s", reply_text());
    CHECK(!clip_read_within(b, "CLIPBOARD", "text/plain", 3000) && reply_is("one", 3), "the same text under another name: %s", reply_text());
    pump_stop(p);
}

static void *take_over(void *argument) {
    bs_screen *s = argument;
    bs_buf q = {0}, answer = {0};
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, 1), bs_put_cstr(&q, "UTF8_STRING"), bs_put_cstr(&q, "mine");
    bs_reader r = {.data = q.data, .length = q.length};
    poll(NULL, 0, 150);
    CHECK(!s->kind->exec(s, BACKSTEP_OP_CLIP_WRITE, &r, bs_now_us() + 3000000, NULL, &answer), "taken over");
    bs_buf_free(&q), bs_buf_free(&answer);
    return NULL;
}

/* What is read of two owners is nobody's clipboard. */
static void changing_hands(const char *display, bs_screen *a, bs_screen *b) {
    bs_screen *third = open_or_die(display);
    CHECK(!clip_write(a, "CLIPBOARD", "UTF8_STRING", "x", 1), "%s", reply_text());
    pthread_t thread;
    pthread_create(&thread, NULL, take_over, third);
    CHECK(keep(b, "CLIPBOARD", 0, 0, 5000) == BACKSTEP_E_REFUSED && strstr(reply_text(), "changed hands"), "%s", reply_text());
    pthread_join(thread, NULL);
    end(third);
}

/* An owner that never gives what it offers: nobody serves a's connection. */
static void silent(bs_screen *a, bs_screen *b) {
    CHECK(!clip_write(a, "CLIPBOARD", "UTF8_STRING", "x", 1), "%s", reply_text());
    uint64_t start = bs_now_us();
    CHECK(clip_read_within(b, "CLIPBOARD", "UTF8_STRING", 300) == BACKSTEP_E_TIMEOUT_UNKNOWN && strstr(reply_text(), "owns the clipboard"), "%s", reply_text());
    CHECK(bs_now_us() - start < 1300000, "the deadline is kept");
    const char *bytes = NULL;
    size_t n = 0;
    start = bs_now_us();
    CHECK(!keep(b, "CLIPBOARD", 0, 0, 2000), "%s", reply_text());
    CHECK(bs_now_us() - start < 3000000 && kept("UTF8_STRING", &bytes, &n) == 2 && reply_u32(4), "no answer");
    atomic_bool cancel = false;
    cancel_later(&cancel, 100000);
    bs_buf q = {0};
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_cstr(&q, "UTF8_STRING");
    start = bs_now_us();
    CHECK(run(b, BACKSTEP_OP_CLIP_READ, &q, 5000, &cancel) == BACKSTEP_E_CANCELLED_UNKNOWN, "%s", reply_text());
    CHECK(bs_now_us() - start < 1500000, "cancelled at once");
    /* What a is asked meanwhile goes to readers that have gone. */
    pumping *p = pump_start(a);
    CHECK(!clip_read_within(b, "CLIPBOARD", "UTF8_STRING", 5000) && reply_is("x", 1), "%s", reply_text());
    pump_stop(p);
}

static void refused(bs_screen *a) {
    CHECK(clip_read_within(a, "SECONDARY", "TARGETS", 1000) == BACKSTEP_E_INVALID && clip_read_within(a, "CLIPBOARD", "", 1000) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(clip_write(a, "CLIPBOARD", "TARGETS", "x", 1) == BACKSTEP_E_INVALID && clip_write(a, "CLIPBOARD", "", "x", 1) == BACKSTEP_E_INVALID, "%s", reply_text());
    bs_buf q = {0};
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, 65);
    CHECK(run(a, BACKSTEP_OP_CLIP_WRITE, &q, 1000, NULL) == BACKSTEP_E_INVALID, "%s", reply_text());
}

void test_clip(void) {
    compositor c = sway_start(1, "");
    bs_screen *a = open_or_die(c.display), *b = open_or_die(c.display);
    between(a, b, "CLIPBOARD");
    between(b, a, "PRIMARY");
    large(a, b);
    restored(a, b);
    silent(a, b);
    changing_hands(c.display, a, b);
    refused(a);
    /* It lives as long as its session. */
    CHECK(!clip_write(a, "CLIPBOARD", "UTF8_STRING", "x", 1), "%s", reply_text());
    end(a);
    CHECK(clip_read_within(b, "CLIPBOARD", "TARGETS", 3000) == BACKSTEP_E_UNSUPPORTED, "it ended: %s", reply_text());
    leave_clipboard(open_or_die(c.display), b, "Grüße");
    end(b);
    sway_stop(&c);
}
