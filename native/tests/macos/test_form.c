/* The form: what is read of it, what is done to it, and what it tells, by its own account. */
#define _GNU_SOURCE
#include <string.h>

#include "harness.h"

#define ALL (BACKSTEP_F_ALL | BACKSTEP_F_NATIVE_ROLE)
#define FORM 100
static char bus[64];
static uint64_t s;

/* By native role and name, either may be NULL. */
static int row_of(const mac_rows *t, const char *native, const char *name) {
    for (uint32_t i = 0; i < t->n; i++)
        if ((!native || mac_is(t, t->native[i], native)) && (!name || mac_is(t, t->name[i], name))) return (int)i;
    return -1;
}

static bool has(const mac_rows *t, int row, unsigned state) { return row >= 0 && t->states[2 * row + (int)(state / 32)] & 1u << state % 32; }


static const char *path_of(const char *native, const char *name) {
    static char path[16];
    mac_rows t;
    CHECK_IS(mac_snapshot(s, bus, "", ALL, 5000, &t), 0);
    int row = row_of(&t, native, name);
    if (row < 0) fprintf(stderr, "no %s \"%s\"\n", native, name ? name : "");
    CHECK(row >= 0);
    mac_path(&t, row, path, sizeof path);
    mac_free(&t);
    return path;
}

static void test_tree(void) {
    mac_rows t;
    CHECK_IS(mac_snapshot(s, bus, "", ALL, 5000, &t), 0);
    CHECK_IS(t.role[0], 75);
    CHECK(mac_is(&t, t.name[0], "Form"));
    int field = row_of(&t, "AXTextField", "Name"), secret = row_of(&t, "AXTextField AXSecureTextField", "Password"), note = row_of(&t, "AXTextArea", "Note");
    int window = row_of(&t, "AXWindow AXStandardWindow", "Form"), item = row_of(&t, "AXMenuBarItem", "File"), slider = row_of(&t, "AXSlider", "Volume");
    int bold = row_of(&t, "AXCheckBox", "Bold"), small = row_of(&t, "AXRadioButton", "Small"), colour = row_of(&t, "AXPopUpButton", "Colour"), more = row_of(&t, "AXDisclosureTriangle", "More");
    int label = row_of(&t, "AXStaticText", "Name"), off = row_of(&t, "AXButton", "Off");
    CHECK(field > 0 && secret > 0 && note > 0 && window > 0 && item > 0 && slider > 0 && bold > 0 && small > 0 && colour > 0 && more > 0 && label > 0 && off > 0);
    CHECK_IS(t.role[field], 79);
    CHECK_IS(t.role[secret], 40);
    CHECK_IS(t.role[note], 61);
    CHECK_IS(t.role[window], 23);
    CHECK_IS(t.role[item], 33);
    CHECK_IS(t.role[slider], 51);
    CHECK(mac_is(&t, t.text[field], "Ann"));
    CHECK_IS(t.caret[3 * field], 3);
    CHECK_IS(t.text[secret], 0xffffffffu);
    CHECK(mac_is(&t, t.text[note], "a\xf0\x9f\x98\x80" "b"));
    CHECK(mac_is(&t, t.id[field], "name"));
    CHECK(mac_is(&t, t.description[field], "Your name"));
    CHECK(mac_is(&t, t.actions[field], "AXConfirm\nAXShowMenu"));
    CHECK_IS(t.rect[4 * field], 110);
    CHECK_IS(t.rect[4 * field + 3], 22);
    CHECK(t.value[4 * slider] == 20 && t.value[4 * slider + 1] == 0 && t.value[4 * slider + 2] == 100 && t.value[4 * slider + 3] == 5);
    CHECK(!has(&t, bold, 4) && has(&t, bold, 41) && has(&t, small, 4));
    CHECK(mac_is(&t, t.text[colour], "Red"));
    CHECK(has(&t, more, 9) && !has(&t, more, 10));
    CHECK(has(&t, field, 7) && has(&t, field, 25) && !has(&t, off, 24) && has(&t, note, 17));
    CHECK(has(&t, window, 1));
    CHECK(t.interfaces[field] & BACKSTEP_I_EDITABLE_TEXT && t.interfaces[slider] & BACKSTEP_I_VALUE && t.interfaces[bold] & BACKSTEP_I_ACTION);
    CHECK_IS(si_asked(FORM, "AXValueOfSecure"), 0);
    mac_free(&t);
}

static void test_read(void) {
    mac_rows t;
    char field[16];
    snprintf(field, sizeof field, "%s", path_of("AXTextField", "Name"));
    CHECK_IS(mac_read(s, bus, field, 0, 5000, &t), 0);
    CHECK_IS(t.n, 1);
    CHECK(mac_is(&t, t.text[0], "Ann") && has(&t, 0, 11) && has(&t, 0, 7));
    CHECK(mac_is(&t, t.path[0], field));
    mac_free(&t);
    /* Whatever little is read: what a text is called is the whole of what it says. */
    bs_buf q = {0};
    bs_put_cstr(&q, bus), bs_put_cstr(&q, path_of("AXStaticText", "Name"));
    bs_put_u32(&q, 0), bs_put_u32(&q, 1), bs_put_u32(&q, 1);
    bs_buf reply = {0};
    CHECK_IS(check_run(s, BACKSTEP_OP_READ, &q, 5000, &reply), 0);
    bs_buf_free(&q);
    CHECK(mac_parse(&reply, &t) && mac_is(&t, t.name[0], "Name"));
    mac_free(&t);
    CHECK_IS(mac_read(s, bus, "/77", 0, 5000, &t), BACKSTEP_E_NO_ELEMENT);
    CHECK_IS(mac_read(s, bus, "/x", 0, 5000, &t), BACKSTEP_E_INVALID);
    CHECK_IS(mac_read(s, "100:1", field, 0, 5000, &t), BACKSTEP_E_APP_GONE);
    CHECK_IS(mac_read(s, "nonsense", field, 0, 5000, &t), BACKSTEP_E_INVALID);
}

static void test_acts(void) {
    si_log_clear();
    CHECK_IS(mac_do(s, bus, path_of("AXCheckBox", "Bold"), BACKSTEP_OP_ACTION, 5000, "s", "AXPress"), 0);
    CHECK(si_logged("bold 1"));
    CHECK_IS(mac_do(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_ACTION, 5000, "s", ""), 0);
    CHECK(si_logged("sent Ann"));
    CHECK_IS(mac_do(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_ACTION, 5000, "s", "AXCancel"), BACKSTEP_E_UNSUPPORTED);
    CHECK(strstr(mac_said, "AXPress"));
    CHECK_IS(mac_do(s, bus, path_of("AXSlider", "Volume"), BACKSTEP_OP_SET_VALUE, 5000, "d", 40.0), 0);
    CHECK(si_logged("volume 40"));
    CHECK_IS(mac_do(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_SET_VALUE, 5000, "d", 1.0), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(mac_do(s, bus, path_of("AXTextField", "Name"), BACKSTEP_OP_FOCUS, 5000, ""), 0);
    mac_rows t;
    CHECK_IS(mac_read(s, bus, path_of("AXTextField", "Name"), 0, 5000, &t), 0);
    CHECK(has(&t, 0, 12));
    mac_free(&t);
}

static void test_texts(void) {
    char note[16], name[16];
    snprintf(note, sizeof note, "%s", path_of("AXTextArea", "Note"));
    snprintf(name, sizeof name, "%s", path_of("AXTextField", "Name"));
    si_log_clear();
    CHECK_IS(mac_do(s, bus, name, BACKSTEP_OP_SET_TEXT, 5000, "s", "B\xc3\xa4r"), 0);
    CHECK(si_logged("name B\xc3\xa4r"));
    /* The caret behind the emoji is the third unit, and the second character. */
    CHECK_IS(mac_do(s, bus, note, BACKSTEP_OP_CARET, 5000, "i", 2), 0);
    mac_rows t;
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK_IS(t.caret[0], 2);
    mac_free(&t);
    CHECK_IS(mac_do(s, bus, note, BACKSTEP_OP_INSERT_TEXT, 5000, "is", 2, "\xf0\x9f\x91\x8d"), 0);
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK(mac_is(&t, t.text[0], "a\xf0\x9f\x98\x80\xf0\x9f\x91\x8d" "b"));
    mac_free(&t);
    CHECK_IS(mac_do(s, bus, note, BACKSTEP_OP_SELECT_TEXT, 5000, "ii", 1, 3), 0);
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK(t.caret[0] == 3 && t.caret[1] == 1 && t.caret[2] == 3);
    mac_free(&t);
    CHECK_IS(mac_do(s, bus, note, BACKSTEP_OP_DELETE_TEXT, 5000, "ii", 1, 3), 0);
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK(mac_is(&t, t.text[0], "ab"));
    mac_free(&t);
    char secret[16];
    snprintf(secret, sizeof secret, "%s", path_of("AXTextField AXSecureTextField", "Password"));
    CHECK_IS(mac_do(s, bus, secret, BACKSTEP_OP_SET_TEXT, 5000, "s", "new"), 0);
    CHECK_IS(mac_do(s, bus, secret, BACKSTEP_OP_INSERT_TEXT, 5000, "is", 1, "x"), BACKSTEP_E_SECURE);
    CHECK_IS(mac_do(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_SET_TEXT, 5000, "s", "x"), BACKSTEP_E_UNSUPPORTED);
}

static bool heard(const char *event, const char *path, unsigned ms) {
    for (uint64_t until = bs_now_us() + ms * 1000ull * check_slow();;) {
        for (unsigned i = 0; i < check_seen_count; i++)
            if (check_seen[i].kind == BACKSTEP_R_EVENT && !strcmp(check_seen[i].event, event) && (!path || !strcmp(check_seen[i].path, path))) return true;
        if (bs_now_us() >= until) return false;
        check_pull(100);
    }
}

static void test_events(void) {
    char name[16], bold[16];
    snprintf(name, sizeof name, "%s", path_of("AXTextField", "Name"));
    snprintf(bold, sizeof bold, "%s", path_of("AXCheckBox", "Bold"));
    check_seen_count = 0;
    si_do(FORM, "name", "set AXValue \"Cid\"; notify AXValueChanged");
    CHECK(heard("object:text-changed:insert", name, 2000));
    CHECK(!check_seen[check_seen_count - 1].text[0]);
    si_do(FORM, "bold", "toggle; notify AXValueChanged");
    CHECK(heard("object:state-changed:checked", bold, 2000));
    si_do(FORM, "name", "focus #name");
    CHECK(heard("object:state-changed:focused", name, 2000));
    si_do(FORM, "unsaved", "show #unsaved");
    CHECK(heard("object:children-changed:add", "/0", 2000));
    si_do(FORM, "unsaved", "hide #unsaved");
    check_seen_count = 0;
}

static void test_gone(void) {
    mac_rows t;
    si_do(FORM, "unsaved", "show #unsaved");
    char button[16];
    snprintf(button, sizeof button, "%s", path_of("AXButton", "Cancel"));
    CHECK_IS(mac_do(s, bus, button, BACKSTEP_OP_ACTION, 5000, "s", "AXPress"), 0);
    CHECK_IS(mac_read(s, bus, button, 0, 5000, &t), BACKSTEP_E_NO_ELEMENT);
    si_do(FORM, "unsaved", "show #unsaved");
    CHECK_IS(mac_read(s, bus, button, 0, 5000, &t), BACKSTEP_E_NO_ELEMENT); /* it is another one */
    si_do(FORM, "unsaved", "hide #unsaved");
    si_kill(FORM);
    CHECK_IS(mac_snapshot(s, bus, "", ALL, 5000, &t), BACKSTEP_E_APP_GONE);
    CHECK_IS(mac_do(s, bus, button, BACKSTEP_OP_ACTION, 5000, "s", "AXPress"), BACKSTEP_E_APP_GONE);
}

static void run(const char *name, void (*test)(void)) {
    s = mac_connect("form.txt");
    snprintf(bus, sizeof bus, "%s", mac_bus(s, FORM));
    CHECK(*bus);
    if (*bus) test();
    mac_end(name, s);
}

int main(void) {
    run("tree", test_tree);
    run("read", test_read);
    run("acts", test_acts);
    run("texts", test_texts);
    run("events", test_events);
    run("gone", test_gone);
    return check_report("macos form");
}
