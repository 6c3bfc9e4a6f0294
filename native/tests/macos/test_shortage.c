/*
 * Short of memory: every allocation of the core (in the build that has short.h before it), and every object of CoreFoundation that it makes,
 * fails once. Each is an answer, never a crash, a hang, a leak, or a yes for what did not happen.
 */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>
#include <string.h>

static uint64_t s;
static const char *bus;
static char name_path[64], bold_path[64];

static int look(void) {
    mac_rows v;
    int status = mac_snapshot(s, bus, "", BACKSTEP_F_ALL | BACKSTEP_F_HASH | BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v);
    mac_free(&v);
    return status;
}
static int read_one(void) {
    mac_rows v;
    int status = mac_read(s, bus, name_path, 0, MAC_MS, &v);
    mac_free(&v);
    return status;
}
static int press(void) { return mac_do(s, bus, bold_path, BACKSTEP_OP_ACTION, MAC_MS, "s", "AXPress"); }
static int write_text(void) { return mac_do(s, bus, name_path, BACKSTEP_OP_SET_TEXT, MAC_MS, "s", "Zoë 😀"); }
static int select_text(void) { return mac_do(s, bus, name_path, BACKSTEP_OP_SELECT_TEXT, MAC_MS, "ii", 1, 3); }
static int list(void) { return mac_op(s, BACKSTEP_OP_APPS, MAC_MS, NULL, ""); }
static int windows(void) { return mac_op(s, BACKSTEP_OP_WINDOWS, MAC_MS, NULL, ""); }
static const struct { const char *name; int (*f)(void); } DO[] = {{"snapshot", look}, {"read", read_one}, {"press", press}, {"set text", write_text}, {"select text", select_text}, {"apps", list}, {"windows", windows}};

int main(void) {
    unsigned failed = 0, tries = 0;
    si_exempt(1); /* this thread's own allocations are the test's; the core's threads are meant */
    for (unsigned k = 0; k < sizeof DO / sizeof *DO; k++) {
        int in_a_row = 0;
        for (long n = 0; n < 4000 && in_a_row < 3; n += n < 40 ? 1 : n < 400 ? 7 : 61) {
            s = mac_connect("form.txt");
            bus = mac_bus(s, 100);
            CHECK(mac_find(s, bus, "Bold", bold_path, sizeof bold_path));
            mac_rows v;
            CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
            mac_path(&v, mac_native(&v, "AXTextField"), name_path, sizeof name_path);
            mac_free(&v);
            si_log_clear();
            si_fail_after(n);
            int status = DO[k].f();
            bool used = si_used();
            si_fail_after(-1);
            tries++;
            failed += status != BACKSTEP_OK;
            in_a_row = used ? 0 : in_a_row + 1;
            if (status == BACKSTEP_OK && DO[k].f == press) CHECK(si_logged("bold 1"));
            if (status == BACKSTEP_OK && DO[k].f == write_text) CHECK(!strcmp(mac_value(100, "name", "AXValue"), "Zoë 😀"));
            /* What is said not to have happened, did not. */
            if (status == BACKSTEP_E_MEMORY && DO[k].f == press) CHECK(!si_logged("bold"));
            CHECK_IS(look(), BACKSTEP_OK); /* and it goes on */
            mac_end(DO[k].name, s);
        }
    }
    printf("  %u tries, %u of them failed\n", tries, failed);
    CHECK(failed > 8);
    return check_report("macos shortage");
}
