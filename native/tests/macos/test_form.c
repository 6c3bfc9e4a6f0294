/* The form: what is read of it, what is done to it, and what it tells, by its own account. */
#include "harness.h"

#define ALL (BACKSTEP_F_ALL | BACKSTEP_F_NATIVE_ROLE)
static const char form[] = "tests/macos/apps/form.txt";
static char bus[64];
static uint64_t s;

static const char *path_of(const char *native, const char *name) {
    static char path[16];
    mac_tree t;
    CHECK_IS(mac_snapshot(s, bus, "", ALL, 100, 5000, &t), 0);
    int row = mac_row(&t, native, name);
    if (row < 0) fprintf(stderr, "no %s \"%s\"\n", native, name ? name : "");
    CHECK(row >= 0);
    snprintf(path, sizeof path, "%s", mac_path(&t, row));
    mac_free(&t);
    return path;
}

static void test_tree(void) {
    mac_tree t;
    CHECK_IS(mac_snapshot(s, bus, "", ALL, 1000, 5000, &t), 0);
    CHECK_IS(t.role[0], 75);
    CHECK(!strcmp(mac_string(&t, t.name[0]), "Form"));
    int field = mac_row(&t, "AXTextField", "Name"), secret = mac_row(&t, "AXTextField AXSecureTextField", "Password"), note = mac_row(&t, "AXTextArea", "Note");
    int window = mac_row(&t, "AXWindow AXStandardWindow", "Form"), item = mac_row(&t, "AXMenuBarItem", "File"), slider = mac_row(&t, "AXSlider", "Volume");
    int bold = mac_row(&t, "AXCheckBox", "Bold"), small = mac_row(&t, "AXRadioButton", "Small"), colour = mac_row(&t, "AXPopUpButton", "Colour"), more = mac_row(&t, "AXDisclosureTriangle", "More");
    int label = mac_row(&t, "AXStaticText", "Name"), off = mac_row(&t, "AXButton", "Off");
    CHECK(field > 0 && secret > 0 && note > 0 && window > 0 && item > 0 && slider > 0 && bold > 0 && small > 0 && colour > 0 && more > 0 && label > 0 && off > 0);
    CHECK_IS(t.role[field], 79);
    CHECK_IS(t.role[secret], 40);
    CHECK_IS(t.role[note], 61);
    CHECK_IS(t.role[window], 23);
    CHECK_IS(t.role[item], 33);
    CHECK_IS(t.role[slider], 51);
    CHECK(!strcmp(mac_string(&t, t.text[field]), "Ann"));
    CHECK_IS(t.caret[3 * field], 3);
    CHECK_IS(t.text[secret], 0xffffffffu);
    CHECK(!strcmp(mac_string(&t, t.text[note]), "a\xf0\x9f\x98\x80" "b"));
    CHECK(!strcmp(mac_string(&t, t.id[field]), "name"));
    CHECK(!strcmp(mac_string(&t, t.description[field]), "Your name"));
    CHECK(!strcmp(mac_string(&t, t.actions[field]), "AXConfirm\nAXShowMenu"));
    CHECK_IS(t.rect[4 * field], 110);
    CHECK_IS(t.rect[4 * field + 3], 22);
    CHECK(t.value[4 * slider] == 20 && t.value[4 * slider + 1] == 0 && t.value[4 * slider + 2] == 100 && t.value[4 * slider + 3] == 5);
    CHECK(!mac_has(&t, bold, 4) && mac_has(&t, bold, 41) && mac_has(&t, small, 4));
    CHECK(!strcmp(mac_string(&t, t.text[colour]), "Red"));
    CHECK(mac_has(&t, more, 9) && !mac_has(&t, more, 10));
    CHECK(mac_has(&t, field, 7) && mac_has(&t, field, 25) && !mac_has(&t, off, 24) && mac_has(&t, note, 17));
    CHECK(mac_has(&t, window, 1));
    CHECK(t.interfaces[field] & BACKSTEP_I_EDITABLE_TEXT && t.interfaces[slider] & BACKSTEP_I_VALUE && t.interfaces[bold] & BACKSTEP_I_ACTION);
    CHECK_IS(si_asked(FORM, "AXValueOfSecure"), 0);
    mac_free(&t);
}

static void test_read(void) {
    mac_tree t;
    char field[16];
    snprintf(field, sizeof field, "%s", path_of("AXTextField", "Name"));
    CHECK_IS(mac_read(s, bus, field, 0, 5000, &t), 0);
    CHECK_IS(t.rows, 1);
    CHECK(!strcmp(mac_string(&t, t.text[0]), "Ann") && mac_has(&t, 0, 11) && mac_has(&t, 0, 7));
    CHECK(!strcmp(mac_string(&t, t.path[0]), field));
    mac_free(&t);
    /* Whatever little is read: what a text is called is the whole of what it says. */
    bs_buf q = {0};
    mac_to(&q, bus, path_of("AXStaticText", "Name"));
    bs_put_u32(&q, 0), bs_put_u32(&q, 1), bs_put_u32(&q, 1);
    t = (mac_tree){0};
    CHECK_IS(check_run(s, BACKSTEP_OP_READ, &q, 5000, &t.reply), 0);
    bs_buf_free(&q);
    CHECK(mac_decode(&t) && !strcmp(mac_string(&t, t.name[0]), "Name"));
    mac_free(&t);
    CHECK_IS(mac_read(s, bus, "/77", 0, 5000, &t), BACKSTEP_E_NO_ELEMENT);
    CHECK_IS(mac_read(s, bus, "/x", 0, 5000, &t), BACKSTEP_E_INVALID);
    CHECK_IS(mac_read(s, "100:1", field, 0, 5000, &t), BACKSTEP_E_APP_GONE);
    CHECK_IS(mac_read(s, "nonsense", field, 0, 5000, &t), BACKSTEP_E_INVALID);
}

static void test_acts(void) {
    si_log_clear();
    CHECK_IS(mac_act(s, bus, path_of("AXCheckBox", "Bold"), BACKSTEP_OP_ACTION, 5000, "s", "AXPress"), 0);
    CHECK(si_logged("bold 1"));
    CHECK_IS(mac_act(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_ACTION, 5000, "s", ""), 0);
    CHECK(si_logged("sent Ann"));
    CHECK_IS(mac_act(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_ACTION, 5000, "s", "AXCancel"), BACKSTEP_E_UNSUPPORTED);
    CHECK(strstr(mac_why(), "AXPress"));
    CHECK_IS(mac_act(s, bus, path_of("AXSlider", "Volume"), BACKSTEP_OP_SET_VALUE, 5000, "d", 40.0), 0);
    CHECK(si_logged("volume 40"));
    double told;
    memcpy(&told, mac_reply()->data, 8);
    CHECK(told == 40);
    CHECK_IS(mac_act(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_SET_VALUE, 5000, "d", 1.0), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(mac_act(s, bus, path_of("AXTextField", "Name"), BACKSTEP_OP_FOCUS, 5000, ""), 0);
    mac_tree t;
    CHECK_IS(mac_read(s, bus, path_of("AXTextField", "Name"), 0, 5000, &t), 0);
    CHECK(mac_has(&t, 0, 12));
    mac_free(&t);
}

static void test_texts(void) {
    char note[16], name[16];
    snprintf(note, sizeof note, "%s", path_of("AXTextArea", "Note"));
    snprintf(name, sizeof name, "%s", path_of("AXTextField", "Name"));
    si_log_clear();
    CHECK_IS(mac_act(s, bus, name, BACKSTEP_OP_SET_TEXT, 5000, "s", "B\xc3\xa4r"), 0);
    CHECK(si_logged("name B\xc3\xa4r"));
    /* The caret behind the emoji is the third unit, and the second character. */
    CHECK_IS(mac_act(s, bus, note, BACKSTEP_OP_CARET, 5000, "i", 2), 0);
    mac_tree t;
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK_IS(t.caret[0], 2);
    mac_free(&t);
    CHECK_IS(mac_act(s, bus, note, BACKSTEP_OP_INSERT_TEXT, 5000, "is", 2, "\xf0\x9f\x91\x8d"), 0);
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK(!strcmp(mac_string(&t, t.text[0]), "a\xf0\x9f\x98\x80\xf0\x9f\x91\x8d" "b"));
    mac_free(&t);
    CHECK_IS(mac_act(s, bus, note, BACKSTEP_OP_SELECT_TEXT, 5000, "ii", 1, 3), 0);
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK(t.caret[0] == 3 && t.caret[1] == 1 && t.caret[2] == 3);
    mac_free(&t);
    CHECK_IS(mac_act(s, bus, note, BACKSTEP_OP_DELETE_TEXT, 5000, "ii", 1, 3), 0);
    CHECK_IS(mac_read(s, bus, note, 0, 5000, &t), 0);
    CHECK(!strcmp(mac_string(&t, t.text[0]), "ab"));
    mac_free(&t);
    char secret[16];
    snprintf(secret, sizeof secret, "%s", path_of("AXTextField AXSecureTextField", "Password"));
    CHECK_IS(mac_act(s, bus, secret, BACKSTEP_OP_SET_TEXT, 5000, "s", "new"), 0);
    CHECK_IS(mac_act(s, bus, secret, BACKSTEP_OP_INSERT_TEXT, 5000, "is", 1, "x"), BACKSTEP_E_SECURE);
    CHECK_IS(mac_act(s, bus, path_of("AXButton", "Send"), BACKSTEP_OP_SET_TEXT, 5000, "s", "x"), BACKSTEP_E_UNSUPPORTED);
}

static bool heard(const char *event, const char *path, unsigned ms) {
    for (uint64_t until = bs_now_us() + ms * 1000ull;;) {
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
    mac_tree t;
    si_do(FORM, "unsaved", "show #unsaved");
    char button[16];
    snprintf(button, sizeof button, "%s", path_of("AXButton", "Cancel"));
    CHECK_IS(mac_act(s, bus, button, BACKSTEP_OP_ACTION, 5000, "s", "AXPress"), 0);
    CHECK_IS(mac_read(s, bus, button, 0, 5000, &t), BACKSTEP_E_NO_ELEMENT);
    si_do(FORM, "unsaved", "show #unsaved");
    CHECK_IS(mac_read(s, bus, button, 0, 5000, &t), BACKSTEP_E_NO_ELEMENT); /* it is another one */
    si_do(FORM, "unsaved", "hide #unsaved");
    si_kill(FORM);
    CHECK_IS(mac_snapshot(s, bus, "", ALL, 100, 5000, &t), BACKSTEP_E_APP_GONE);
    CHECK_IS(mac_act(s, bus, button, BACKSTEP_OP_ACTION, 5000, "s", "AXPress"), BACKSTEP_E_APP_GONE);
}

static void run(void (*test)(void)) {
    si_reset();
    CHECK(si_load_file(form));
    s = mac_open();
    if (s && mac_bus(s, FORM, bus)) test();
    else CHECK(!"the form is listed");
    if (s) mac_close(s);
    if (si_live()) si_live_report();
    CHECK_IS(si_live(), 0);
}

int main(void) {
    run(test_tree);
    run(test_read);
    run(test_acts);
    run(test_texts);
    run(test_events);
    run(test_gone);
    return check_report("macos form");
}
