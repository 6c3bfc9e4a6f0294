/* What the macOS core takes, over the stand-in: one JSON line a measurement (deno task bench core --macos-stand-in). */
#define _GNU_SOURCE
#include "harness.h"
#include <stdlib.h>

static int by_size(const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b; }
static double median(double *v, int n) { return qsort(v, (size_t)n, sizeof *v, by_size), v[n / 2]; }

static void rows(const char *name, unsigned latency, uint32_t fields) {
    char script[400];
    snprintf(script, sizeof script, "application 300 \"Large\" latency=%u\nAXWindow Title=\"W\" at=0,0,800,600\n  AXTable Title=\"T\" at=0,0,800,600\n    many 2000 AXRow Title=\"Row %%d\" at=0,0,800,20\n      many 4 AXStaticText Value=\"cell %%d\" at=0,0,100,20\n", latency);
    uint64_t s = mac_connect(script);
    const char *bus = mac_bus(s, 300);
    double all[7], own[7];
    long messages = 0;
    uint32_t n = 0;
    for (int i = 0; i < 7; i++) {
        mac_rows v;
        si_messages_clear();
        uint64_t busy = si_busy_ns(), begun = bs_now_us();
        CHECK_IS(mac_snapshot(s, bus, "", fields, MAC_MS * 3, &v), BACKSTEP_OK);
        all[i] = (double)(bs_now_us() - begun) / 1e3;
        own[i] = all[i] - (double)(si_busy_ns() - busy) / 1e6;
        n = v.n;
        messages = si_messages(300);
        mac_free(&v);
    }
    printf("{\"what\":\"%s\",\"rows\":%u,\"ms\":%.1f,\"messages_a_row\":%.2f,\"own_us_a_row\":%.2f}\n", name, n, median(all, 7), n ? (double)messages / n : 0, n ? median(own, 7) * 1e3 / n : 0);
    mac_close(s);
}
static double one(uint64_t s, const char *bus, unsigned ms, int *status) {
    mac_rows v;
    uint64_t begun = bs_now_us();
    *status = mac_snapshot(s, bus, "", BACKSTEP_F_EXTENTS, ms, &v);
    double took = (double)(bs_now_us() - begun) / 1e3;
    mac_free(&v);
    return took;
}
static void hung(void) {
    uint64_t s = mac_connect("application 300 \"Hung\"\nAXWindow Title=\"W\" at=0,0,9,9\napplication 301 \"Neighbour\"\nAXWindow Title=\"W\" at=0,0,9,9\n  many 200 AXButton Title=\"B %d\" at=0,0,9,9\n");
    char bus[2][64];
    for (int i = 0; i < 2; i++) snprintf(bus[i], 64, "%s", mac_bus(s, 300 + i));
    int status;
    double alone[21], beside[21];
    for (int i = 0; i < 21; i++) alone[i] = one(s, bus[1], MAC_MS, &status);
    si_deafen(300, true);
    uint64_t begun = bs_now_us();
    int64_t stuck = mac_snapshot_submit(s, bus[0], 0, 1000);
    for (int i = 0; i < 21; i++) beside[i] = one(s, bus[1], MAC_MS, &status);
    check_done d = check_await(s, stuck, 5000);
    printf("{\"what\":\"hung application, deadline 1,000 ms\",\"ms\":%.1f,\"neighbour_alone_ms\":%.2f,\"neighbour_beside_ms\":%.2f}\n", (double)(bs_now_us() - begun) / 1e3, median(alone, 21), median(beside, 21));
    bs_buf_free(&d.reply);
    si_deafen(300, false);
    mac_close(s);
}
int main(void) {
    rows("10,003 elements", 0, BACKSTEP_F_EXTENTS | BACKSTEP_F_TEXT | BACKSTEP_F_VALUE | BACKSTEP_F_ID | BACKSTEP_F_NATIVE_ROLE);
    rows("10,003 elements, 54 us a message", 54, BACKSTEP_F_EXTENTS | BACKSTEP_F_TEXT | BACKSTEP_F_VALUE | BACKSTEP_F_ID | BACKSTEP_F_NATIVE_ROLE);
    rows("10,003 elements with actions", 0, BACKSTEP_F_ALL | BACKSTEP_F_NATIVE_ROLE);
    hung();
    return check_failures ? 1 : 0;
}
