/* Acts: each through the application's own account of it. What an error after an act means; what changes nothing; what throws. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>
#include <string.h>

static uint64_t s;
static const char *bus;
static int act(const char *name, const char *action) {
    char path[64];
    if (!mac_find(s, bus, name, path, sizeof path)) return 1;
    return mac_do(s, bus, path, BACKSTEP_OP_ACTION, MAC_MS, "s", action);
}
static int on(const char *name, uint32_t op, const char *kind, const char *text) {
    char path[64];
    if (!mac_find(s, bus, name, path, sizeof path)) return 1;
    return mac_do(s, bus, path, op, MAC_MS, kind, text);
}

static void form(void) {
    s = mac_connect("form.txt");
    bus = mac_bus(s, 100);
    CHECK_IS(act("Send", "AXPress"), BACKSTEP_OK);
    CHECK(si_logged("sent Ann"));
    CHECK_IS(act("Bold", "AXPress"), BACKSTEP_OK);
    CHECK(si_logged("bold 1"));
    CHECK_IS(act("Large", "AXPress"), BACKSTEP_OK);
    CHECK(!strcmp(mac_value(100, "small", "AXValue"), "0"));
    char path[64];
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
    mac_path(&v, mac_native(&v, "AXTextField"), path, sizeof path);
    mac_free(&v);
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_SET_TEXT, MAC_MS, "s", "Ben"), BACKSTEP_OK);
    CHECK(si_logged("name Ben"));
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_FOCUS, MAC_MS, ""), BACKSTEP_OK);
    CHECK(mac_find(s, bus, "Volume", path, sizeof path));
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_SET_VALUE, MAC_MS, "d", 60.0), BACKSTEP_OK);
    CHECK(si_logged("volume 60"));
    /* An action that the element has not, and a text that cannot be set: nothing happens, and that is what is said. */
    int status = act("Send", "AXNothing");
    CHECK(status == BACKSTEP_E_UNSUPPORTED);
    CHECK(on("Status", BACKSTEP_OP_SET_TEXT, "s", "x") != BACKSTEP_OK);
    CHECK(strcmp(mac_value(100, "status", "AXValue"), "x"));
    /* A disabled element answers success and does nothing: that must not be said to have worked. */
    status = act("Off", "AXPress");
    CHECK(!si_logged("off"));
    mac_end("form", s);
}

/* Errors that come after an act are "it may have happened"; each did here. */
static void doubts(void) {
    static const struct { const char *name, *log; int code; } ACTS[] = {{"Doubt", "doubt", -25205}, {"Doubt two", "doubt2", -25200}, {"Doubt three", "doubt3", -25206}, {"Doubt four", "doubt4", -25204}};
    s = mac_connect("second.txt");
    bus = mac_bus(s, 200);
    for (unsigned i = 0; i < sizeof ACTS / sizeof *ACTS; i++) {
        int status = act(ACTS[i].name, "AXPress");
        CHECK(si_logged(ACTS[i].log));
        CHECK(status == BACKSTEP_E_UNSURE || status == BACKSTEP_E_TIMEOUT_UNKNOWN);
        if (status != BACKSTEP_E_UNSURE) fprintf(stderr, "%d is answered with %d: %s\n", ACTS[i].code, status, mac_said);
    }
    si_log_clear();
    char path[64];
    CHECK(mac_find(s, bus, "Modal", path, sizeof path));
    int status = mac_do(s, bus, path, BACKSTEP_OP_ACTION, 400, "s", "AXPress");
    CHECK(si_logged("modal"));
    CHECK(status == BACKSTEP_E_UNSURE || status == BACKSTEP_E_TIMEOUT_UNKNOWN);
    CHECK(mac_find(s, bus, "Yes", path, sizeof path)); /* and the dialog is there to be seen */
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_ACTION, MAC_MS, "s", "AXPress"), BACKSTEP_OK);
    CHECK(si_logged("yes"));
    /* An exception out of an act: it may have happened. */
    si_log_clear();
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_ACTIONS | BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
    int close = -1;
    for (uint32_t i = 0; i < v.n; i++) {
        bs_str a = mac_string(&v, v.actions[i]);
        if (a.length > 8 && memmem(a.text, a.length, "Name:Close\\nTarget", 17)) close = (int)i;
    }
    CHECK(close >= 0);
    mac_path(&v, close, path, sizeof path);
    mac_free(&v);
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_ACTION, MAC_MS, "s", "Name:Close\nTarget:0x0\nSelector:(null)"), BACKSTEP_OK);
    CHECK(si_logged("custom close"));
    mac_end("doubts", s);
}
/* Writes that say they worked, and did not. */
static void refusals(void) {
    s = mac_connect("second.txt");
    bus = mac_bus(s, 200);
    CHECK(on("Fixed", BACKSTEP_OP_SET_TEXT, "s", "other") != BACKSTEP_OK);
    CHECK(!strcmp(mac_value(200, "fixed", "AXValue"), "fixed"));
    CHECK(on("Secret", BACKSTEP_OP_SET_TEXT, "s", "new") == BACKSTEP_OK);
    CHECK(!strcmp(mac_value(200, "secret", "AXValue"), "new"));
    mac_end("refusals", s);
}
static bool focused(const char *of, const char *name) {
    mac_rows v;
    CHECK_IS(mac_snapshot(s, of, "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
    int row = mac_named(&v, name);
    bool is = row >= 0 && v.states[2 * row] >> 12 & 1; /* FOCUSED */
    mac_free(&v);
    return is;
}
/* What has the focus within an application behind another gets no keys: giving it the focus brings that one to the front. */
static void behind(void) {
    s = mac_connect("two.txt");
    char front[64], back[64];
    snprintf(front, sizeof front, "%s", mac_bus(s, 300));
    snprintf(back, sizeof back, "%s", mac_bus(s, 301));
    CHECK(si_do(301, "f", "focus #f"));
    CHECK(!focused(back, "Mine"));
    bus = back;
    CHECK_IS(on("Mine", BACKSTEP_OP_FOCUS, "", ""), BACKSTEP_OK);
    CHECK(si_logged("Back comes to the front"));
    CHECK(focused(back, "Mine"));
    bus = front;
    CHECK_IS(on("Other", BACKSTEP_OP_FOCUS, "", ""), BACKSTEP_OK);
    CHECK(si_logged("Front comes to the front"));
    CHECK(focused(front, "Other"));
    CHECK(!focused(back, "Mine"));
    mac_end("behind", s);
}
/* What has the focus within a window that has not the keyboard gets no keys: giving it the focus raises its window. */
static void second_window(void) {
    s = mac_connect("two.txt");
    char front[64];
    snprintf(front, sizeof front, "%s", mac_bus(s, 300));
    bus = front;
    CHECK_IS(on("Other", BACKSTEP_OP_FOCUS, "", ""), BACKSTEP_OK);
    CHECK_IS(si_asked(300, "AXRaise"), 0); /* it has the keyboard already */
    CHECK(si_do(300, "ask", "show #ask"));
    CHECK_IS(mac_op(s, BACKSTEP_OP_TEXT, MAC_MS, NULL, "s", "a"), BACKSTEP_OK);
    CHECK(!si_logged("front a"));
    CHECK(!focused(front, "Other")); /* it says AXFocused, and gets no keys */
    CHECK_IS(on("Answer", BACKSTEP_OP_FOCUS, "", ""), BACKSTEP_OK);
    CHECK_IS(mac_op(s, BACKSTEP_OP_TEXT, MAC_MS, NULL, "s", "b"), BACKSTEP_OK);
    CHECK(si_logged("answer b"));
    CHECK_IS(on("Other", BACKSTEP_OP_FOCUS, "", ""), BACKSTEP_OK);
    CHECK_IS(mac_op(s, BACKSTEP_OP_TEXT, MAC_MS, NULL, "s", "c"), BACKSTEP_OK);
    CHECK(si_logged("front c"));
    CHECK(focused(front, "Other"));
    mac_end("second window", s);
}
int main(void) {
    form();
    behind();
    second_window();
    doubts();
    refusals();
    return check_report("macos acts");
}
