/* Offsets: characters above the core, UTF-16 units below it; both ways, with emoji, joiners and combining marks. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>
#include <string.h>

static uint64_t s;
static const char *bus;
static char path[64];
static void caret_is(int caret, int start, int end) {
    mac_rows v;
    CHECK_IS(mac_read(s, bus, path, 0, MAC_MS, &v), BACKSTEP_OK);
    CHECK(v.caret);
    if (v.caret) {
        CHECK_IS(v.caret[0], caret);
        CHECK_IS(v.caret[1], start);
        CHECK_IS(v.caret[2], end);
    }
    mac_free(&v);
}
static void range_is(const char *range) {
    const char *is = mac_value(300, "t", "AXSelectedTextRange");
    CHECK(!strcmp(is, range));
    if (strcmp(is, range)) fprintf(stderr, "the range is %s, not %s\n", is, range);
}
int main(void) {
    /* a, an emoji of two units, e with an accent of its own, a family of three emoji and two joiners (8 units, 5 characters), b. */
    s = mac_connect("application 300 \"Text\"\nAXWindow Title=\"W\" at=0,0,400,300\n  AXTextArea #t Title=\"Note\" at=0,0,200,100 Value*=\"a😀e\u0301👨‍👩‍👧b\" SelectedTextRange*=range:3,2 Focused*=false Enabled=true\n");
    bus = mac_bus(s, 300);
    CHECK(mac_find(s, bus, "Note", path, sizeof path));
    mac_rows v;
    CHECK_IS(mac_read(s, bus, path, 0, MAC_MS, &v), BACKSTEP_OK);
    CHECK(v.text && mac_is(&v, v.text[0], "a😀e\u0301👨‍👩‍👧b"));
    mac_free(&v);
    caret_is(4, 2, 4);
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_CARET, MAC_MS, "i", 4), BACKSTEP_OK);
    range_is("5,0");
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_SELECT_TEXT, MAC_MS, "ii", 4, 9), BACKSTEP_OK);
    range_is("5,8");
    caret_is(9, 4, 9);
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_SELECT_TEXT, MAC_MS, "ii", 1, 2), BACKSTEP_OK);
    range_is("1,2");
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_INSERT_TEXT, MAC_MS, "is", 2, "🎉x"), BACKSTEP_OK);
    CHECK(!strcmp(mac_value(300, "t", "AXValue"), "a😀🎉xe\u0301👨‍👩‍👧b"));
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_DELETE_TEXT, MAC_MS, "ii", 1, 4), BACKSTEP_OK);
    CHECK(!strcmp(mac_value(300, "t", "AXValue"), "ae\u0301👨‍👩‍👧b"));
    /* Beyond the end: at the end, or refused; never somewhere else. */
    if (mac_do(s, bus, path, BACKSTEP_OP_CARET, MAC_MS, "i", 400) == BACKSTEP_OK) caret_is(9, -1, -1);
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_SET_TEXT, MAC_MS, "s", "ü𝄞"), BACKSTEP_OK);
    CHECK(!strcmp(mac_value(300, "t", "AXValue"), "ü𝄞"));
    mac_end("text", s);
    return check_report("macos text");
}
