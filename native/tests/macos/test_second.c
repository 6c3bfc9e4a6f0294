/* The second application (apps/second.txt, written from docs/reference/macos-behaviours.md alone): trees, values and notifications. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t s;
static const char *bus;
static void begin(void) {
    s = mac_connect("second.txt");
    bus = mac_bus(s, 200);
}
static bool woken(void *p) {
    mac_rows v;
    bool is = mac_snapshot(s, bus, "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v) == BACKSTEP_OK && mac_native(&v, "AXLink") >= 0;
    (void)p;
    mac_free(&v);
    return is;
}
static void tree(void) {
    begin();
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_ALL | BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
    /* A cycle ends: each element is there once. */
    for (uint32_t i = 0; i < v.n; i++)
        for (uint32_t k = 0; k < i; k++) CHECK(v.path[i] != v.path[k]);
    CHECK(mac_named(&v, "Outer") >= 0 && mac_named(&v, "Inner") >= 0);
    /* Values of the wrong type are no names, and no crash. */
    CHECK(mac_named(&v, "Thrower") < 0);
    CHECK(mac_named(&v, "Slow") >= 0);
    /* The panel's elements are another process's, in this tree. */
    int open = mac_named(&v, "Open"), second = mac_named(&v, "On another Space");
    CHECK(open >= 0);
    CHECK(second < 0);
    int secret = mac_native(&v, "AXTextField AXSecureTextField");
    CHECK(secret >= 0 && (v.text[secret] == 0xffffffffu || !mac_string(&v, v.text[secret]).length));
    char path[64];
    mac_path(&v, open, path, sizeof path);
    mac_free(&v);
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_ACTION, MAC_MS, "s", "AXPress"), BACKSTEP_OK);
    CHECK(si_logged("opened"));
    CHECK_IS(si_asked(200, "AXValue") > 0, 1);
    mac_end("tree", s);
}
static void recycled(void) {
    begin();
    char row[64], scroll[64];
    CHECK(mac_find(s, bus, "Row 1", row, sizeof row));
    CHECK(mac_find(s, bus, "Scroll", scroll, sizeof scroll));
    CHECK_IS(mac_do(s, bus, scroll, BACKSTEP_OP_ACTION, MAC_MS, "s", "AXPress"), BACKSTEP_OK);
    mac_rows v;
    CHECK_IS(mac_read(s, bus, row, 1, MAC_MS, &v), BACKSTEP_OK);
    CHECK(mac_is(&v, v.name[0], "Row 101")); /* the same element, other content: who reads it again sees that */
    mac_free(&v);
    mac_end("recycled", s);
}
static void gone(void) {
    begin();
    char path[64];
    CHECK(mac_find(s, bus, "Doubt", path, sizeof path));
    si_do(200, "doubt", "hide #doubt");
    mac_rows v;
    CHECK_IS(mac_read(s, bus, path, 0, MAC_MS, &v), BACKSTEP_E_NO_ELEMENT);
    mac_free(&v);
    si_do(200, "doubt", "show #doubt");
    CHECK_IS(mac_read(s, bus, path, 0, MAC_MS, &v), BACKSTEP_E_NO_ELEMENT); /* what came again is another one */
    mac_free(&v);
    CHECK(mac_find(s, bus, "Doubt", path, sizeof path));
    si_kill(200);
    int status = mac_read(s, bus, path, 0, 3000, &v);
    CHECK(status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_NO_ELEMENT);
    mac_free(&v);
    mac_end("gone", s);
}
/* An Electron of before #38102: it says that it cannot, and does. */
static void web(void) {
    char folder[] = "/tmp/backstep-electron-XXXXXX", script[1024], made[200];
    CHECK(mkdtemp(folder) != NULL); /* that it is one, its bundle tells */
    static const char *const PARTS[] = {"", "/Contents", "/Contents/Frameworks", "/Contents/Frameworks/Electron Framework.framework", "/Contents/Frameworks/Electron Framework.framework/Resources"};
    for (int i = 1; i < 5; i++) {
        snprintf(made, sizeof made, "%s%s", folder, PARTS[i]);
        CHECK(!mkdir(made, 0700));
    }
    snprintf(made, sizeof made, "%s%s/chrome_100_percent.pak", folder, PARTS[4]);
    fclose(fopen(made, "w"));
    snprintf(script, sizeof script, "application 300 \"Electron\" bundle=com.github.Electron path=%s\non set AXManualAccessibility: answer -25205; after 100 show #page\nAXWindow Title=\"W\" at=0,0,400,300\n"
                    "  AXWebArea #web at=0,0,400,300 Title=\"Web\"\n    AXGroup #page hidden at=0,0,400,300\n      AXLink Title=\"Link\" at=0,0,40,20\n", folder);
    s = mac_connect(script);
    bus = mac_bus(s, 300);
    CHECK(mac_until(woken, NULL, 10000));
    CHECK_IS(si_asked(300, "set AXManualAccessibility"), 1);
    unlink(made);
    for (int i = 4; i >= 0; i--) snprintf(made, sizeof made, "%s%s", folder, PARTS[i]), rmdir(made);
    mac_end("web", s);
}
static void told(void) {
    s = mac_connect("form.txt");
    bus = mac_bus(s, 100);
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus, "", 0, MAC_MS, &v), BACKSTEP_OK); /* observers begin at the first look */
    mac_free(&v);
    check_seen_count = 0;
    si_do(100, "name", "set AXValue \"Eve\"");
    CHECK(mac_event("object:text-changed:insert", NULL, 5000) || mac_event("object:property-change:accessible-value", NULL, 10));
    for (unsigned i = 0; i < check_seen_count; i++) CHECK(!strstr(check_seen[i].text, "Eve")); /* never what stands in a field */
    si_do(100, "", "focus #note");
    CHECK(mac_event("object:state-changed:focused", NULL, 5000));
    si_do(100, "", "show #unsaved");
    CHECK(mac_event("window:create", NULL, 5000) || mac_event("object:children-changed:add", NULL, 10));
    si_do(100, "win", "set AXTitle \"Renamed\"");
    CHECK(mac_event("object:property-change:accessible-name", "Renamed", 5000) || mac_event("object:property-change:accessible-name", NULL, 10));
    mac_end("told", s);
}
static void grants(void) {
    s = mac_connect("form.txt");
    bus = mac_bus(s, 100);
    si_grant(0);
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus, "", 0, 2000, &v), BACKSTEP_E_PERMISSION);
    CHECK(!strncmp(mac_said, "accessibility: ", 15));
    mac_free(&v);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CAPTURE, 4000, NULL, "uuiiii", 0, 0, 0, 0, 0, 0), BACKSTEP_E_PERMISSION);
    CHECK(!strncmp(mac_said, "pictures: ", 10));
    CHECK_IS(mac_op(s, BACKSTEP_OP_TEXT, 4000, NULL, "s", "x"), BACKSTEP_E_PERMISSION);
    CHECK(!strncmp(mac_said, "input: ", 7));
    CHECK(!*si_input());
    si_grant(15);
    CHECK_IS(mac_snapshot(s, bus, "", 0, MAC_MS, &v), BACKSTEP_OK);
    mac_free(&v);
    mac_end("grants", s);
}
static void desktop(void) {
    s = mac_connect("form.txt");
    bus = mac_bus(s, 100);
    bs_buf r;
    /* Windows: the form, not the menu bar nor the desktop's picture. */
    CHECK_IS(mac_op(s, BACKSTEP_OP_WINDOWS, MAC_MS, &r, ""), BACKSTEP_OK);
    bs_reader q = {r.data, r.length, 0, false};
    CHECK_IS(bs_get_u32(&q), 1);
    CHECK_IS(bs_get_u32(&q), 7);
    CHECK_IS(bs_get_u32(&q), 100);
    bs_buf_free(&r);
    CHECK_IS(mac_op(s, BACKSTEP_OP_WINDOW, MAC_MS, NULL, "uuiiii", 7, 4, 50, 60, 500, 420), BACKSTEP_OK);
    CHECK(!strcmp(mac_value(100, "win", "AXPosition"), "50,60") && !strcmp(mac_value(100, "win", "AXSize"), "500,420"));
    /* A picture: two pixels a point, by each of the two ways. */
    for (int way = 0; way < 2; way++) {
        if (way) si_absent("SCScreenshotManager");
        CHECK_IS(mac_op(s, BACKSTEP_OP_CAPTURE, MAC_MS, &r, "uuiiii", 2, 0, 20, 100, 60, 40), BACKSTEP_OK);
        q = (bs_reader){r.data, r.length, 0, false};
        uint32_t w = bs_get_u32(&q), h = bs_get_u32(&q);
        bs_get_u32(&q);
        CHECK_IS(bs_get_u32(&q), 2000);
        CHECK(w == 120 && h == 80 && r.length == 16 + 120 * 80 * 4);
        CHECK(r.length > 20 && r.data[19] == 255);
        bs_buf_free(&r);
    }
    si_absent("CGWindowListCreateImage");
    CHECK(mac_op(s, BACKSTEP_OP_CAPTURE, MAC_MS, NULL, "uuiiii", 2, 0, 20, 100, 60, 40) == BACKSTEP_E_UNSUPPORTED);
    si_absent(NULL);
    /* Text with an emoji at a border of 20 units; a chord with Command stamps its flag. */
    char path[64];
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
    mac_path(&v, mac_native(&v, "AXTextField"), path, sizeof path);
    mac_free(&v);
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_FOCUS, MAC_MS, ""), BACKSTEP_OK);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CHORD, MAC_MS, NULL, "uuu", 2, 0xffe7u, (unsigned)'a'), BACKSTEP_OK); /* Meta: Command */
    CHECK(strstr(si_input(), "flags=100000") != NULL);
    CHECK_IS(mac_op(s, BACKSTEP_OP_TEXT, MAC_MS, NULL, "s", "keys 😀😀😀😀😀😀😀😀😀😀😀😀 é🎉"), BACKSTEP_OK);
    CHECK(!strcmp(mac_value(100, "name", "AXValue"), "keys 😀😀😀😀😀😀😀😀😀😀😀😀 é🎉"));
    if (strcmp(mac_value(100, "name", "AXValue"), "keys 😀😀😀😀😀😀😀😀😀😀😀😀 é🎉")) fprintf(stderr, "typed: %s\n%s", mac_value(100, "name", "AXValue"), si_input());
    /* The pointer: a click on the middle of Send. */
    CHECK_IS(mac_op(s, BACKSTEP_OP_WINDOW, MAC_MS, NULL, "uuiiii", 7, 4, 10, 30, 400, 400), BACKSTEP_OK);
    si_log_clear();
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, MAC_MS, NULL, "uiiuuiiuiiu", 1, 340, 381, 1, 1, 0, 0, 0, 0, 0, 0), BACKSTEP_OK);
    CHECK(si_logged("sent"));
    /* What this session types and clicks is nobody else's; what a person does is. */
    CHECK_IS(mac_op(s, BACKSTEP_OP_WATCH_INPUT, MAC_MS, NULL, "u", 1), BACKSTEP_OK);
    CHECK_IS(mac_op(s, BACKSTEP_OP_POINTER, MAC_MS, NULL, "uiiuuiiuiiu", 1, 340, 381, 1, 1, 0, 0, 0, 0, 0, 0), BACKSTEP_OK);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CHORD, MAC_MS, NULL, "uu", 1, (unsigned)'b'), BACKSTEP_OK);
    check_pull(100);
    unsigned inputs = 0;
    for (unsigned i = 0; i < check_seen_count; i++) inputs += check_seen[i].kind == BACKSTEP_R_INPUT;
    CHECK_IS(inputs, 0);
    si_person(1, 50, 50, 0, 0);
    for (int k = 0; k < 50 && !inputs; k++) {
        check_pull(100);
        for (unsigned i = 0; i < check_seen_count; i++) inputs += check_seen[i].kind == BACKSTEP_R_INPUT;
    }
    CHECK(inputs > 0);
    CHECK_IS(mac_op(s, BACKSTEP_OP_WATCH_INPUT, MAC_MS, NULL, "u", 0), BACKSTEP_OK);
    /* The clipboard, there and back. */
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_WRITE, MAC_MS, NULL, "suss", "CLIPBOARD", 1, "UTF8_STRING", "Zoë 😀"), BACKSTEP_OK);
    CHECK_IS(mac_op(s, BACKSTEP_OP_CLIP_READ, MAC_MS, &r, "ss", "CLIPBOARD", "UTF8_STRING"), BACKSTEP_OK);
    CHECK(r.length == strlen("Zoë 😀") && !memcmp(r.data, "Zoë 😀", r.length));
    bs_buf_free(&r);
    mac_end("desktop", s);
}
int main(void) {
    tree();
    recycled();
    gone();
    web();
    told();
    grants();
    desktop();
    return check_report("macos second");
}
