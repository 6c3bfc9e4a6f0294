/* Reading: trees, roles, texts and offsets, passwords, what a batch lacks, cycles, batches that fail, web trees that come late. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>
#include <string.h>

static void form(void) {
    uint64_t s = mac_connect("form.txt");
    const char *bus = mac_bus(s, 100);
    CHECK(*bus);
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus, "", BACKSTEP_F_ALL | BACKSTEP_F_NATIVE_ROLE, MAC_MS, &v), BACKSTEP_OK);
    CHECK(v.n == 19 && v.native);
    CHECK(mac_native(&v, "AXTextField AXSecureTextField") >= 0);
    CHECK(mac_native(&v, "AXDisclosureTriangle") >= 0);
    int name = mac_named(&v, "Name"), send = mac_named(&v, "Send"), window = mac_named(&v, "Form");
    CHECK(name >= 0 && send >= 0 && window >= 0);
    mac_free(&v);
    mac_end("form", s);
}
int main(void) {
    form();
    return check_report("macos read");
}
