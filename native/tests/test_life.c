/* Buses and displays that die, and three hundred lives of a session among applications that die, too. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer_driver.h"

#define TREE                                                                                                                                \
    "node win root role=23 name=Window rect=0,0,400,300\n"                                                                                    \
    "node ok win role=43 name=OK interfaces=Action,Component actions=click\n"                                                               \
    "node list win role=31 interfaces=Component,Selection\n"                                                                                \
    "many row list 100 role=32 name=\"row %d\"\n"

static void test_dying_bus(void) {
    a11y_bus bus, next;
    peer app;
    int status = -1;
    if (!a11y_start(&bus)) return;
    uint64_t s = connect_bus(bus.address, "", "", 5000, &status), bystander = connect_bus(bus.address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    CHECK(peer_start(&app, "--join", bus.address, TREE "fault DoAction hang\n"));
    int64_t pending[20];
    for (unsigned i = 0; i < 20; i++) pending[i] = submit_act(s, &app, "ok", BACKSTEP_OP_ACTION, 20000, "s", "");
    check_pull(50);
    kill(bus.pid, SIGKILL);
    uint64_t before = bs_now_us();
    for (unsigned i = 0; i < 20; i++) CHECK_IS(await_status(s, pending[i], 2000), BACKSTEP_E_BUS);
    CHECK(check_within(before, 500));
    CHECK(saw_record(BACKSTEP_R_BROKEN, s, 1000) && saw_record(BACKSTEP_R_BROKEN, bystander, 1000));
    before = bs_now_us();
    CHECK_IS(run_act(s, &app, "ok", BACKSTEP_OP_ACTION, 5000, "s", ""), BACKSTEP_E_BUS);
    CHECK_IS(check_run(bystander, BACKSTEP_OP_APPS, NULL, 5000, NULL), BACKSTEP_E_BUS);
    CHECK(check_within(before, 200)); // at once: nothing is waited for
    CHECK(!saw_record(BACKSTEP_R_BROKEN, s, 0));            // told once
    CHECK_IS(backstep_close(s), 0);
    peer_stop(&app);
    a11y_stop(&bus);
    // The core is as good as new on another bus, while the broken session is still open.
    if (!a11y_start(&next)) return;
    s = connect_bus(next.address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    CHECK(peer_start(&app, "--join", next.address, TREE));
    rows v;
    CHECK_IS(take_snapshot(s, &app, "root", 0, 0, 3000, &v), 0);
    CHECK_IS(v.n, 104);
    rows_free(&v);
    CHECK_IS(backstep_close(bystander), 0);
    // A bus that is stopped, not dead, costs a deadline; when it goes on, so do we.
    kill(next.pid, SIGSTOP);
    before = bs_now_us();
    CHECK_IS(run_act(s, &app, "ok", BACKSTEP_OP_ACTION, 300, "s", ""), BACKSTEP_E_TIMEOUT_UNKNOWN);
    took_about(before, 300, "a stopped bus");
    kill(next.pid, SIGCONT);
    CHECK_IS(run_act(s, &app, "ok", BACKSTEP_OP_ACTION, 2000, "s", ""), 0);
    CHECK_IS(backstep_close(s), 0);
    peer_stop(&app);
    a11y_stop(&next);
}

static void test_dying_display(void) {
    a11y_bus bus;
    peer app;
    char display[16];
    int status = -1;
    if (!a11y_start(&bus)) return;
    pid_t x = start_display(display, sizeof display);
    CHECK(x > 0);
    uint64_t s = connect_bus(bus.address, "", display, 10000, &status);
    CHECK_IS(status, 0);
    CHECK(peer_start(&app, "--join", bus.address, TREE));
    bs_buf picture = {0}, reply = {0};
    for (unsigned i = 0; i < 6; i++) bs_put_u32(&picture, i < 4 ? 0 : 100);
    CHECK_IS(check_run(s, BACKSTEP_OP_CAPTURE, &picture, 3000, &reply), 0);
    CHECK_IS(reply.length, 16 + 640 * 480 * 4);
    kill(x, SIGSTOP);
    uint64_t before = bs_now_us();
    int64_t slow = backstep_submit(s, BACKSTEP_OP_CAPTURE, picture.data, (uint32_t)picture.length, 300 * check_slow());
    int64_t pending = backstep_submit(s, BACKSTEP_OP_CAPTURE, picture.data, (uint32_t)picture.length, 20000 * check_slow());
    rows v;
    CHECK_IS(take_snapshot(s, &app, "root", 0, 0, 3000, &v), 0); // the other half is served meanwhile
    rows_free(&v);
    CHECK_IS(await_status(s, slow, 2000), BACKSTEP_E_TIMEOUT_UNSENT); // a picture changes nothing
    took_about(before, 300, "a stopped display");
    kill(x, SIGKILL);
    waitpid(x, NULL, 0);
    before = bs_now_us();
    CHECK_IS(await_status(s, pending, 3000), BACKSTEP_E_DISPLAY);
    CHECK(saw_record(BACKSTEP_R_BROKEN, s, 1000));
    CHECK(check_within(before, 1000));
    before = bs_now_us();
    CHECK_IS(check_run(s, BACKSTEP_OP_CAPTURE, &picture, 5000, NULL), BACKSTEP_E_DISPLAY);
    CHECK_IS(check_run(s, BACKSTEP_OP_WINDOWS, NULL, 5000, NULL), BACKSTEP_E_DISPLAY);
    CHECK(check_within(before, 200));
    CHECK(!saw_record(BACKSTEP_R_BROKEN, s, 0));
    CHECK_IS(take_snapshot(s, &app, "root", 0, 0, 3000, &v), 0); // the bus is well
    rows_free(&v);
    CHECK_IS(run_act(s, &app, "ok", BACKSTEP_OP_ACTION, 2000, "s", ""), 0);
    // A display that is not there any more fails at once, and leaves the session to be connected otherwise.
    uint64_t other = connect_bus("", "", ":9123", 3000, &status); // not its number: that may be another's by now
    CHECK_IS(status, BACKSTEP_E_DISPLAY);
    CHECK_IS(backstep_close(other), 0);
    CHECK_IS(backstep_close(s), 0);
    bs_buf_free(&picture);
    bs_buf_free(&reply);
    peer_stop(&app);
    a11y_stop(&bus);
}

static long resident_pages(void) {
    long total = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &total, &resident) != 2) resident = 0;
    if (f) fclose(f);
    return resident;
}

static unsigned entries(const char *folder) {
    unsigned n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d)) n++;
    if (d) closedir(d);
    return n;
}

static uint64_t longest_close;

// Open, connect, look, act, close; every third application dies in the middle, every seventh session is closed with work in flight.
static void one_life(const a11y_bus *bus, peer *app, unsigned i) {
    int status = -1;
    if (!app->pid) CHECK(peer_start(app, "--join", bus->address, TREE));
    uint64_t s = connect_bus(bus->address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    rows v;
    CHECK_IS(take_snapshot(s, app, "root", BACKSTEP_F_ALL, 0, 5000, &v), 0);
    CHECK_IS(v.n, 104);
    rows_free(&v);
    CHECK_IS(run_act(s, app, "ok", BACKSTEP_OP_ACTION, 3000, "s", ""), 0);
    if (i % 3 == 2) {
        peer_say(app, "fault GetExtents from=%u exit", 1 + i % 40);
        CHECK_IS(await_status(s, submit_snapshot(s, app, 5000), 6000), BACKSTEP_E_APP_GONE);
        CHECK_IS(run_act(s, app, "ok", BACKSTEP_OP_ACTION, 3000, "s", ""), BACKSTEP_E_APP_GONE);
        peer_stop(app);
        *app = (peer){0};
    } else if (i % 7 == 3) {
        peer_say(app, "fault * hang");
        int64_t ticket = submit_snapshot(s, app, 60000);
        check_pull(i % 5);
        uint64_t before = bs_now_us();
        CHECK_IS(backstep_close(s), 0);
        uint64_t took = bs_now_us() - before;
        if (took > longest_close) longest_close = took;
        CHECK_IS(backstep_take(s, (uint64_t)ticket, NULL, 0), BACKSTEP_E_HANDLE);
        peer_say(app, "heal");
    }
    if (i % 3 == 2 || i % 7 != 3) CHECK_IS(backstep_close(s), 0);
    check_pull(0);
    check_seen_count = 0;
}

static void test_lives(unsigned count) {
    a11y_bus bus;
    peer app = {0};
    if (!a11y_start(&bus)) return;
    long warm = 0, most = 0;
    unsigned files = 0, threads = 0;
    uint64_t before = bs_now_us();
    for (unsigned i = 0; i < count; i++) {
        one_life(&bus, &app, i);
        long now = resident_pages();
        if (i == count / 4) warm = now, files = entries("/proc/self/fd"), threads = entries("/proc/self/task");
        if (i > count / 4 && now > most) most = now;
    }
    if (!app.pid) CHECK(peer_start(&app, "--join", bus.address, TREE)); // one descriptor pair more, as it was
    bool with_app = (count / 4) % 3 != 2;
    CHECK_IS(entries("/proc/self/fd"), files + (with_app ? 0 : 2));
    CHECK_IS(entries("/proc/self/task"), threads);
    CHECK_IS(threads, 1 + 2); // "." and "..": with no session open there is no thread of ours
    printf("  %u lives in %.1f s: resident %ld kB after a quarter, at most %ld kB later\n", count, (double)(bs_now_us() - before) / 1e6, warm * 4, most * 4);
#if !defined(__SANITIZE_ADDRESS__)
    if (check_slow() == 1) CHECK(most - warm < 256); // 1 MB; a sanitizer and valgrind hold back what was freed
#endif
    printf("  closing with work in flight took %.1f ms at most\n", (double)longest_close / 1000);
    CHECK((double)longest_close < 250000 * check_slow() * check_load()); // 200 ms, and what a busy machine adds
    peer_stop(&app);
    a11y_stop(&bus);
}

int main(void) {
    machine_watch(true);
    test_dying_bus();
    test_dying_display();
    machine_watch(false);
    test_lives(check_slow() > 1 ? 40 : 300);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0); // nobody of ours is left
    return check_report("life");
}
