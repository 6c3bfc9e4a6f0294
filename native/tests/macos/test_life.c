/* 300 sessions, one after the other and several at once, over applications that come, change and go: nothing is left. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>

int main(void) {
    mac_reopen("form.txt");
    for (int i = 0; i < 300; i++) {
        uint64_t s = mac_session(), other = i % 10 ? 0 : mac_session();
        const char *bus = mac_bus(s, 100);
        mac_rows v;
        CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_ALL | BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
        char path[64];
        mac_path(&v, mac_named(&v, "Bold"), path, sizeof path);
        mac_free(&v);
        CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_ACTION, MAC_MS, "s", "AXPress"), BACKSTEP_OK);
        if (i % 7 == 0) si_do(100, "", "show #unsaved"), si_do(100, "", "hide #unsaved");
        if (i % 50 == 49) si_kill(100), si_launch(100);
        if (other) mac_close(other);
        mac_close(s);
    }
    mac_end("life", 0);
    return check_report("macos life");
}
