/* What names an element, where its text lies and how it looks; and all elements of a role. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>
#include <string.h>

enum { LOOKS = BACKSTEP_F_TEXT | BACKSTEP_F_EXTENTS | BACKSTEP_F_RELATIONS | BACKSTEP_F_TEXT_RECT | BACKSTEP_F_TEXT_STYLE };
static uint64_t s;
static mac_rows v;
static void rect_is(const char *name, int x, int y, int width, int height) {
    int row = mac_named(&v, name);
    const int32_t *r = row < 0 || !v.text_rect ? NULL : &v.text_rect[4 * row];
    CHECK(r != NULL);
    if (!r) return;
    CHECK_IS(r[0], x);
    CHECK_IS(r[1], y);
    CHECK_IS(r[2], width);
    CHECK_IS(r[3], height);
}
static void style_is(const char *name, const char *style) {
    int row = mac_named(&v, name);
    CHECK(row >= 0 && v.style && mac_is(&v, v.style[row], style));
    if (row >= 0 && v.style && !mac_is(&v, v.style[row], style)) fprintf(stderr, "%s looks like %.*s\n", name, (int)mac_string(&v, v.style[row]).length, mac_string(&v, v.style[row]).text);
}
static void named_by(const char *name, int label) {
    int row = mac_named(&v, name);
    char path[64], want[80] = "";
    if (label >= 0) mac_path(&v, label, path, sizeof path), snprintf(want, sizeof want, "2:%s", path);
    CHECK(row >= 0 && v.relations && mac_is(&v, v.relations[row], want));
}
static const char SCRIPT[] =
    "application 300 \"Looks\"\n"
    "AXWindow #w Title=\"W\" at=100,50,400,300 window=9\n"
    "  AXStaticText #label at=110,60,80,20 Value=\"Surname\"\n"
    "  AXTextField #field at=200,60,100,20 Value*=\"a😀\" TitleUIElement=#label Focused*=false Enabled=true Font=\"HelveticaNeue-Bold|Helvetica Neue|13|de\"\n"
    "  AXTextField #both at=200,90,100,20 Title=\"Own\" Value*=\"xy\" TitleUIElement=#label Focused*=false Enabled=true Font=\"Menlo-SemiBold||11.5|\"\n"
    "  AXTextField/AXSecureTextField #secret at=200,120,100,20 Title=\"Secret\" Value*=\"swordfish\" Focused*=false Enabled=true Font=\"Menlo||11|\"\n"
    "  AXTextField #empty at=200,150,100,20 Title=\"Empty\" Value*=\"\" Focused*=false Enabled=true Font=\"Menlo||11|\"\n"
    "  AXTextField #plain at=200,180,100,20 Title=\"Plain\" Value*=\"p\" Focused*=false Enabled=true\n"
    "  AXTextField #deaf at=200,210,100,20 Title=\"Deaf\" Value*=\"d\" Focused*=false Enabled=true Font=nothing\n"
    "  AXTextField #odd at=200,240,100,20 Title=\"Odd\" Value*=7 Focused*=false Enabled=true\n"
    "  AXButton #go at=310,60,40,20 Title=\"Go\" Enabled=true actions=\"AXPress\"\n";
static void looks(uint32_t coords) {
    char window[64];
    const char *bus = mac_bus(s, 300);
    bool there = mac_find(s, bus, "W", window, sizeof window);
    CHECK(there);
    bs_buf r = {0};
    CHECK_IS(mac_op(s, BACKSTEP_OP_SNAPSHOT, MAC_MS, &r, "ssuuuuu", bus, window, (uint32_t)LOOKS, coords, 1000u, 50u, 1000u), BACKSTEP_OK);
    CHECK(mac_parse(&r, &v));
}
static void all_of(const char *bus, const char *path, uint32_t role, const char *const *names, uint32_t count) {
    bs_buf r = {0};
    CHECK_IS(mac_op(s, BACKSTEP_OP_ROLES, MAC_MS, &r, "ssuu", bus, path, 1u, role), BACKSTEP_OK);
    bs_reader in = {r.data, (uint32_t)r.length, 0, false};
    CHECK_IS(bs_get_u32(&in), count);
    for (uint32_t i = 0; i < count; i++) {
        char want[64];
        int row = mac_named(&v, names[i]);
        CHECK(row >= 0);
        if (row >= 0) mac_path(&v, row, want, sizeof want);
        bs_str of = bs_get_str(&in), at = bs_get_str(&in);
        CHECK(of.length == strlen(bus) && !memcmp(of.text, bus, of.length));
        CHECK(row >= 0 && at.length == strlen(want) && !memcmp(at.text, want, at.length));
    }
    CHECK(!in.failed && in.at == in.length);
    bs_buf_free(&r);
}
int main(void) {
    s = mac_connect(SCRIPT);
    looks(0);
    int label = mac_named(&v, "Surname");
    CHECK(label >= 0);
    /* Named by its label, and by itself: the label is told of both. Nobody has the label's name but these two. */
    int field = -1;
    for (uint32_t i = 0; i < v.n; i++)
        if (mac_is(&v, v.name[i], "Surname") && (int)i != label) field = (int)i;
    CHECK(field > label);
    char path[64], want[80];
    mac_path(&v, label, path, sizeof path);
    snprintf(want, sizeof want, "2:%s", path);
    CHECK(field >= 0 && mac_is(&v, v.relations[field], want));
    CHECK(field >= 0 && mac_is(&v, v.style[field], "family-name:Helvetica Neue\nsize:13px\nweight:700\nlanguage:de"));
    CHECK(field >= 0 && v.text_rect[4 * field] == 200 && v.text_rect[4 * field + 2] == 24); /* three units of eight points */
    named_by("Own", label);
    named_by("Go", -1);
    style_is("Own", "family-name:Menlo-SemiBold\nsize:11.5px\nweight:600");
    rect_is("Own", 200, 90, 16, 20);
    /* A password's text is nowhere, the stand-in aborts whoever asks; nor has an empty one a place. */
    rect_is("Secret", 0, 0, -1, -1);
    style_is("Secret", "");
    rect_is("Empty", 0, 0, -1, -1);
    rect_is("Plain", 200, 180, 8, 20);
    style_is("Plain", "");
    style_is("Deaf", "");
    rect_is("Deaf", 200, 210, 8, 20);
    rect_is("Odd", 0, 0, -1, -1);
    rect_is("Go", 0, 0, -1, -1);
    static const char *const secrets[] = {"Secret"}, *const buttons[] = {"Go"};
    char window[64];
    const char *bus = mac_bus(s, 300);
    mac_path(&v, 0, window, sizeof window);
    all_of(bus, window, 40, secrets, 1);
    all_of(bus, window, 43, buttons, 1);
    all_of(bus, "", 43, buttons, 1);
    all_of(bus, window, 66, NULL, 0);
    CHECK_IS(mac_op(s, BACKSTEP_OP_ROLES, MAC_MS, NULL, "ssu", bus, window, 65u), BACKSTEP_E_INVALID);
    mac_free(&v);
    /* Within its window. */
    looks(1);
    rect_is("Own", 100, 40, 16, 20);
    mac_free(&v);
    /* Not asked for: no message more, and no such column. */
    CHECK_IS(mac_snapshot(s, bus, window, BACKSTEP_F_TEXT, MAC_MS, &v), BACKSTEP_OK);
    CHECK(!v.style && !v.text_rect && !v.relations);
    mac_free(&v);
    mac_end("looks", s);
    return check_report("macos looks");
}
