/* Whoever hangs ends at its deadline, by a clock that moves on as fast as they wait, and delays nobody else; quarantine is bounded. */
#define _GNU_SOURCE
#include "harness.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned threads(void) {
    unsigned n = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; (e = readdir(d));) n += *e->d_name != '.';
    closedir(d);
    return n;
}
static void many(char *text, size_t room, int n) {
    size_t at = 0;
    *text = 0;
    for (int i = 0; i < n; i++) at += (size_t)snprintf(text + at, room - at, "application %d \"App %d\"\nAXWindow Title=\"Window\" at=0,0,100,100\n  AXButton Title=\"OK\" actions=\"AXPress\"\n    on AXPress: log \"ok %d\"\n", 300 + i, i, i);
}
static void by_the_clock(void) {
    uint64_t s = mac_connect("form.txt");
    const char *bus = mac_bus(s, 100);
    si_virtual(true);
    si_hang(100, true);
    double before = si_now();
    mac_rows v;
    int status = mac_snapshot(s, bus, "", 0, 3000, &v);
    double took = si_now() - before;
    CHECK(status == BACKSTEP_E_TIMEOUT_UNSENT || status == BACKSTEP_E_TIMEOUT_UNKNOWN);
    CHECK(took >= 2.9 && took < 4.7); /* the last question began within the deadline, and has 1.5 s at most */
    if (took >= 4.7) fprintf(stderr, "it took %.3f s\n", took);
    mac_free(&v);
    si_hang(100, false);
    CHECK_IS(mac_snapshot(s, bus, "", 0, MAC_MS, &v), BACKSTEP_OK);
    mac_free(&v);
    si_virtual(false);
    mac_end("by the clock", s);
}
/* In real time: one that does not even answer at its timeout; its neighbour goes on as if alone. */
static void neighbour(void) {
    char script[4096];
    many(script, sizeof script, 2);
    uint64_t s = mac_connect(script);
    char bus[2][64];
    for (int i = 0; i < 2; i++) snprintf(bus[i], 64, "%s", mac_bus(s, 300 + i));
    si_deafen(300, true);
    uint64_t begun = bs_now_us();
    int64_t stuck = mac_snapshot_submit(s, bus[0], 0, 600);
    mac_rows v;
    for (int i = 0; i < 20; i++) {
        CHECK_IS(mac_snapshot(s, bus[1], "", 0, MAC_MS, &v), BACKSTEP_OK);
        CHECK(v.n == 3);
        mac_free(&v);
    }
    CHECK(check_within(begun, 550));
    check_done d = check_await(s, stuck, 5000);
    CHECK(d.came && (d.status == BACKSTEP_E_TIMEOUT_UNSENT || d.status == BACKSTEP_E_TIMEOUT_UNKNOWN));
    uint64_t took = bs_now_us() - begun;
    CHECK(took >= 590000 && took < 600000 + 500000 * check_slow() * (uint64_t)check_load());
    bs_buf_free(&d.reply);
    si_deafen(300, false);
    mac_end("neighbour", s);
}
/* An act that hangs may have happened. */
static void act_hangs(void) {
    char script[4096], path[64];
    many(script, sizeof script, 1);
    uint64_t s = mac_connect(script);
    const char *bus = mac_bus(s, 300);
    CHECK(mac_find(s, bus, "OK", path, sizeof path));
    si_do(300, "", "hang");
    CHECK_IS(mac_do(s, bus, path, BACKSTEP_OP_ACTION, 300, "s", "AXPress") == BACKSTEP_E_TIMEOUT_UNKNOWN || !si_logged("ok"), 1);
    si_hang(300, false);
    mac_end("act hangs", s);
}
/* Forty that never return: 16 wait, the others are said to be unsent, and no thread more is stuck. */
static void quarantine(void) {
    char script[16384];
    many(script, sizeof script, 40);
    uint64_t s = mac_connect(script);
    char bus[40][64];
    int64_t tickets[40];
    for (int i = 0; i < 40; i++) snprintf(bus[i], 64, "%s", mac_bus(s, 300 + i));
    for (int i = 0; i < 39; i++) si_deafen(300 + i, true);
    unsigned before = threads();
    for (int i = 0; i < 39; i++) tickets[i] = mac_snapshot_submit(s, bus[i], 0, 400);
    unsigned most = 0, inside = 0, asked = 0;
    for (int i = 0; i < 39; i++) {
        if (threads() > most) most = threads();
        if (si_threads_inside() > inside) inside = si_threads_inside();
        check_done d = check_await(s, tickets[i], 8000);
        CHECK(d.came && (d.status == BACKSTEP_E_TIMEOUT_UNSENT || d.status == BACKSTEP_E_TIMEOUT_UNKNOWN));
        asked += d.status == BACKSTEP_E_TIMEOUT_UNKNOWN;
        bs_buf_free(&d.reply);
    }
    CHECK(inside <= 16 && asked <= 16); /* whoever was not asked is said to be unsent */
    CHECK(most <= before + 17 + 2);
    printf("  40 that hang: %u threads more, %u of them within a call\n", most > before ? most - before : 0, inside);
    for (int i = 0; i < 39; i++) si_deafen(300 + i, false);
    mac_rows v;
    CHECK_IS(mac_snapshot(s, bus[39], "", 0, MAC_MS, &v), BACKSTEP_OK);
    mac_free(&v);
    mac_end("quarantine", s);
}
static bool said(void *line) { return si_logged(line); }
static void open_and_call_off(uint64_t s, const char *bus, const char *button, char *line) {
    char path[64];
    CHECK(mac_find(s, bus, button, path, sizeof path));
    int64_t t = mac_submit(s, bus, path, BACKSTEP_OP_ACTION, MAC_MS, "s", "AXPress");
    CHECK(mac_until(said, line, 5000));
    CHECK_IS(backstep_cancel(s, (uint64_t)t), 0);
    check_done d = check_await(s, t, 5000);
    CHECK(d.came && d.status == BACKSTEP_E_CANCELLED_UNKNOWN);
    bs_buf_free(&d.reply);
}
/* A press is not answered before its menu is closed. It is left behind; a second one is so when the first has come back. */
static void two_menus(void) {
    uint64_t s = mac_connect("application 300 \"Menus\"\nAXWindow Title=\"Window\" at=0,0,300,300\n"
        "  AXButton Title=\"One\" actions=\"AXPress\"\n    on AXPress: show #m1; log \"one\"; block #m1\n"
        "  AXButton Title=\"Two\" actions=\"AXPress\"\n    on AXPress: show #m2; log \"two\"; block #m2\n"
        "  AXMenu #m1 hidden at=0,0,10,10\n  AXMenu #m2 hidden at=0,20,10,10\n");
    const char *bus = mac_bus(s, 300);
    mac_rows v;
    open_and_call_off(s, bus, "One", (char[]){"one"});
    CHECK_IS(mac_snapshot(s, bus, "", 0, MAC_MS, &v), BACKSTEP_OK);
    mac_free(&v);
    open_and_call_off(s, bus, "Two", (char[]){"two"});
    int64_t t = mac_snapshot_submit(s, bus, 0, 10000);
    CHECK(si_do(300, "m1", "hide #m1"));
    check_done d = check_await(s, t, 12000);
    CHECK(d.came && d.status == BACKSTEP_OK);
    bs_buf_free(&d.reply);
    CHECK(si_do(300, "m2", "hide #m2"));
    CHECK_IS(mac_snapshot(s, bus, "", 0, MAC_MS, &v), BACKSTEP_OK);
    mac_free(&v);
    mac_end("two menus", s);
}
int main(void) {
    by_the_clock();
    two_menus();
    neighbour();
    act_hangs();
    quarantine();
    return check_report("macos hang");
}
