/* Windows, input, pictures and the clipboard. */
#define _GNU_SOURCE
#include "harness.h"
#include <string.h>

static uint64_t s;
void si_pasteboard_clear(void);
void si_person(unsigned type, double x, double y, unsigned key, uint64_t flags);
static bs_buf reply;

static int op(uint32_t code, const bs_buf *q) { return check_run(s, code, q, 5000, &reply); }

typedef struct window {
    uint32_t id, pid, flags;
    int32_t rect[4];
    char title[64], owner[64];
} window;

static uint32_t windows(window *to, uint32_t room) {
    CHECK_IS(op(BACKSTEP_OP_WINDOWS, NULL), 0);
    bs_reader r = {reply.data, reply.length, 0, false};
    uint32_t n = bs_get_u32(&r);
    for (uint32_t i = 0; i < n && !r.failed; i++) {
        window w = {.id = bs_get_u32(&r), .pid = bs_get_u32(&r)};
        for (unsigned k = 0; k < 4; k++) w.rect[k] = bs_get_i32(&r);
        w.flags = bs_get_u32(&r);
        for (unsigned k = 0; k < 4; k++) bs_get_i32(&r);
        bs_str title = bs_get_str(&r), owner = bs_get_str(&r);
        snprintf(w.title, sizeof w.title, "%.*s", (int)title.length, title.text);
        snprintf(w.owner, sizeof w.owner, "%.*s", (int)owner.length, owner.text);
        if (i < room) to[i] = w;
    }
    CHECK(!r.failed && r.at == r.length);
    return n;
}

static int verb(uint32_t id, uint32_t what, int x, int y, int w, int h) { return mac_op(s, BACKSTEP_OP_WINDOW, 5000, NULL, "uuiiii", id, what, x, y, w, h); }

static void test_windows(void) {
    window w[8];
    CHECK_IS(windows(w, 8), 1);
    CHECK(w[0].id == 7 && w[0].pid == 100 && w[0].flags == 1 && w[0].rect[2] == 400 && !strcmp(w[0].title, "Form") && !strcmp(w[0].owner, "Form"));
    mac_rows t;
    CHECK_IS(mac_snapshot(s, mac_bus(s, 100), "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &t), 0);
    mac_free(&t);
    CHECK_IS(verb(7, 4, 50, 60, -1, -1), 0);
    CHECK(!strcmp(mac_value(100, "win", "AXPosition"), "50,60"));
    CHECK_IS(verb(7, 2, 0, 0, 0, 0), 0);
    CHECK(!strcmp(mac_value(100, "win", "AXMinimized"), "true"));
    CHECK_IS(verb(7, 3, 0, 0, 0, 0), 0);
    CHECK_IS(verb(7, 0, 0, 0, 0, 0), 0);
    CHECK_IS(verb(7, 1, 0, 0, 0, 0), 0); /* its close button asks */
    CHECK_IS(mac_snapshot(s, mac_bus(s, 100), "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &t), 0);
    CHECK(mac_native(&t, "AXSheet") >= 0);
    mac_free(&t);
    CHECK_IS(verb(99, 0, 0, 0, 0, 0), BACKSTEP_E_NO_ELEMENT);
}

/* Two applications, one behind the other; a menu bar that is the window server's; a place where nothing lies. */
static void test_holders(void) {
    mac_reopen("two.txt");
    bs_buf r = {0};
    CHECK_IS(mac_op(s, BACKSTEP_OP_HOLDERS, 5000, &r, "uuuuuiiiiiiii", 3u, 32u, 31u, 99u, 4u, 30, 60, 610, 100, 600, 5, 5, 800), BACKSTEP_OK);
    bs_reader in = {r.data, r.length, 0, false};
    CHECK_IS(bs_get_u32(&in), 0);
    CHECK_IS(bs_get_u32(&in), 300); /* who is in front */
    CHECK_IS(bs_get_u32(&in), 1);
    CHECK_IS(bs_get_u32(&in), 0);
    CHECK_IS(bs_get_u32(&in), 0);
    CHECK_IS(bs_get_u32(&in), 3);
    static const uint32_t clients[] = {1, 1, 300, 1, 301, 1};
    for (unsigned i = 0; i < 6; i++) CHECK_IS(bs_get_u32(&in), clients[i]);
    CHECK_IS(bs_get_u32(&in), 3);
    static const uint32_t owners[] = {301, 300, 0};
    for (unsigned i = 0; i < 3; i++) CHECK_IS(bs_get_u32(&in), owners[i]);
    CHECK_IS(bs_get_u32(&in), 4);
    static const uint32_t places[] = {1, 301, 1, 300, 1, 1, 0};
    for (unsigned i = 0; i < 7; i++) CHECK_IS(bs_get_u32(&in), places[i]);
    CHECK(!in.failed && in.at == in.length);
    bs_buf_free(&r);
    CHECK_IS(mac_op(s, BACKSTEP_OP_HOLDERS, 5000, NULL, "uu", 0u, 17u), BACKSTEP_E_INVALID);
    CHECK_IS(mac_op(s, BACKSTEP_OP_HOLDERS, 5000, NULL, "uuu", 0u, 0u, 0u), BACKSTEP_E_INVALID);
    CHECK_IS(mac_op(s, BACKSTEP_OP_HOLDERS, 5000, NULL, "uu", 5000u, 0u), BACKSTEP_E_INVALID);
    mac_reopen("form.txt");
}

static void test_pointer(void) {
    si_log_clear();
    si_input_clear();
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, 5000, NULL, "uiiuuiiuiiu", 1, 340, 380, 1, 1, 0, 0, 0, 0, 0, 0), 0);
    CHECK(si_logged("sent Ann"));
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, 5000, NULL, "uiiuuiiuiiu", 2, 20, 30, 1, 1, 200, 100, 50, 0, 0, 0), 0);
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, 5000, NULL, "uiiuuiiuiiu", 3, 20, 30, 0, 0, 0, 0, 0, 0, 2, 0), 0);
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, 5000, NULL, "uiiuuiiuiiu", 1, 20, 30, 7, 1, 0, 0, 0, 0, 0, 0), BACKSTEP_E_INVALID);
    si_grant(1);
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, 5000, NULL, "uiiuuiiuiiu", 1, 340, 380, 1, 1, 0, 0, 0, 0, 0, 0), BACKSTEP_E_PERMISSION);
    CHECK(!strncmp(mac_said, "input: ", 7));
    si_grant(15);
}

static void test_keys(void) {
    char field[32];
    const char *bus = mac_bus(s, 100);
    CHECK(mac_find(s, bus, "Name", field, sizeof field));
    mac_rows t;
    CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &t), 0);
    mac_path(&t, mac_native(&t, "AXTextField"), field, sizeof field);
    mac_free(&t);
    CHECK_IS(mac_do(s, bus, field, BACKSTEP_OP_FOCUS, 5000, ""), 0);
    si_input_clear();
    CHECK_IS(mac_op(s, BACKSTEP_OP_TEXT, 5000, NULL, "s", "e\xc3\xa9\xf0\x9f\x98\x80!"), 0);
    CHECK(!strcmp(mac_value(100, "name", "AXValue"), "Anne\xc3\xa9\xf0\x9f\x98\x80!"));
    si_input_clear();
    CHECK_IS(mac_op(s, BACKSTEP_OP_CHORD, 5000, NULL, "uuu", 2, 0xffeb, (unsigned)'s'), 0);
    CHECK(strstr(si_input(), "key 1 down flags=100000")); /* what is held goes with the key */
    CHECK(strstr(si_input(), "key 55 up flags=0"));
    CHECK_IS(mac_op(s, BACKSTEP_OP_CHORD, 5000, NULL, "uu", 1, 0x01004e2du), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(mac_op(s, BACKSTEP_OP_RELEASE, 5000, NULL, "u", 1), 0);
}

/* What others do is counted, what we do is not; which key it was is in no record. */
static void test_watch(void) {
    CHECK_IS(mac_op(s, BACKSTEP_OP_WATCH_INPUT, 5000, NULL, "u", 2), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(mac_op(s, BACKSTEP_OP_WATCH_INPUT, 5000, NULL, "u", 1), 0);
    check_seen_count = 0;
    CHECK_IS(mac_op(s, BACKSTEP_OP_TEXT, 5000, NULL, "s", "x"), 0);
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, 5000, NULL, "uiiuuiiuiiu", 0, 200, 200, 0, 0, 0, 0, 0, 0, 0, 0), 0);
    check_pull(100);
    for (unsigned i = 0; i < check_seen_count; i++) CHECK(check_seen[i].kind != BACKSTEP_R_INPUT);
    si_person(10, 300, 300, 7, 0);
    unsigned told = 0;
    for (uint64_t until = bs_now_us() + 3000000; !told && bs_now_us() < until;) {
        check_pull(100);
        for (unsigned i = 0; i < check_seen_count; i++) told += check_seen[i].kind == BACKSTEP_R_INPUT;
    }
    CHECK_IS(told, 1);
    CHECK_IS(mac_op(s, BACKSTEP_OP_WATCH_INPUT, 5000, NULL, "u", 0), 0);
    si_grant(7);
    CHECK_IS(mac_op(s, BACKSTEP_OP_WATCH_INPUT, 5000, NULL, "u", 1), BACKSTEP_E_PERMISSION);
    si_grant(15);
    check_seen_count = 0;
}

static void test_capture(void) {
    bs_buf q = {0};
    for (unsigned i = 0; i < 6; i++) bs_put_u32(&q, i == 0 ? 2 : i < 4 ? 10 : 20);
    CHECK_IS(op(BACKSTEP_OP_CAPTURE, &q), 0);
    bs_reader r = {reply.data, reply.length, 0, false};
    uint32_t w = bs_get_u32(&r), h = bs_get_u32(&r);
    bs_get_u32(&r);
    CHECK(w == 40 && h == 40);
    CHECK_IS(bs_get_u32(&r), 2000);
    CHECK_IS(reply.length, 16 + 40 * 40 * 4);
    bs_buf_clear(&q);
    bs_put_u32(&q, 1), bs_put_u32(&q, 7);
    for (unsigned i = 0; i < 4; i++) bs_put_u32(&q, 0);
    CHECK_IS(op(BACKSTEP_OP_CAPTURE, &q), 0);
    bs_buf_free(&q);
    si_grant(1);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CAPTURE, 5000, NULL, "uuiiii", 0, 0, 0, 0, 0, 0), BACKSTEP_E_PERMISSION);
    CHECK(!strncmp(mac_said, "pictures: ", 10));
    si_grant(15);
}

static void test_clipboard(void) {
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_WRITE, 5000, NULL, "suss", "CLIPBOARD", 1, "UTF8_STRING", "gr\xc3\xbc\xc3\x9f"), 0);
    bs_buf_free(&reply);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_READ, 5000, &reply, "ss", "CLIPBOARD", "text/plain"), 0);
    CHECK(reply.length == 6 && !memcmp(reply.data, "gr\xc3\xbc\xc3\x9f", 6));
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_READ, 5000, NULL, "ss", "CLIPBOARD", "image/png"), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_READ, 5000, NULL, "ss", "PRIMARY", "text/plain"), BACKSTEP_E_UNSUPPORTED);
    bs_buf kept = {0};
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_KEEP, 5000, &kept, "suu", "CLIPBOARD", 0, 0), 0);
    bs_reader r = {kept.data, kept.length, 0, false};
    CHECK_IS(bs_get_u32(&r), 1);
    bs_get_u32(&r);
    CHECK_IS(bs_get_u32(&r), 1);
    bs_str target = bs_get_str(&r), type = bs_get_str(&r);
    CHECK(target.length == 11 && !memcmp(target.text, "UTF8_STRING", 11));
    CHECK(type.length == 22 && !memcmp(type.text, "public.utf8-plain-text", 22));
    bs_buf_free(&kept);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_WRITE, 5000, NULL, "su", "CLIPBOARD", 0), 0);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_READ, 5000, NULL, "ss", "CLIPBOARD", "text/plain"), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_RESTORE, 5000, NULL, "susss", "CLIPBOARD", 1, "public.utf8-plain-text", "", "back"), 0);
    bs_buf_free(&reply);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_READ, 5000, &reply, "ss", "CLIPBOARD", "UTF8_STRING"), 0);
    CHECK(reply.length == 4 && !memcmp(reply.data, "back", 4));
    si_pasteboard_clear(); /* its own objects count, too */
}

static void run(const char *name, void (*test)(void)) {
    s = mac_connect("form.txt");
    test();
    bs_buf_free(&reply);
    mac_end(name, s);
}

int main(void) {
    run("windows", test_windows);
    run("holders", test_holders);
    run("pointer", test_pointer);
    run("keys", test_keys);
    run("watch", test_watch);
    run("capture", test_capture);
    run("clipboard", test_clipboard);
    return check_report("macos desk");
}
