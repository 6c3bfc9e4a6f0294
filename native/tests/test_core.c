/* Sessions, tickets and records, with the display of fake_x11.c and without any bus. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../include/backstep.h"
#include "../src/queue.h"
#include "check.h"

extern atomic_int fake_closed, fake_executed;

static bs_buf three(const char *a, const char *b, const char *c) {
    bs_buf q = {0};
    bs_put_cstr(&q, a);
    bs_put_cstr(&q, b);
    bs_put_cstr(&q, c);
    return q;
}

static int connect_to(uint64_t s, const char *bus, const char *display, bs_buf *reply) {
    bs_buf q = three(bus, "", display);
    int status = check_run(s, BACKSTEP_OP_CONNECT, &q, 2000, reply);
    bs_buf_free(&q);
    return status;
}

static int64_t type(uint64_t s, const char *text, unsigned ms) {
    bs_buf q = {0};
    bs_put_cstr(&q, text);
    int64_t ticket = backstep_submit(s, BACKSTEP_OP_TEXT, q.data, (uint32_t)q.length, ms);
    bs_buf_free(&q);
    return ticket;
}

static int32_t status_of(uint64_t s, int64_t ticket, unsigned ms) {
    CHECK(ticket > 0);
    check_done d = check_await(s, ticket, ms);
    CHECK(d.came);
    bs_buf_free(&d.reply);
    return d.status;
}

static void test_handles(void) {
    uint8_t byte = 0;
    CHECK_IS(backstep_abi(), BACKSTEP_ABI);
    CHECK_IS(backstep_close(0), BACKSTEP_E_HANDLE);
    CHECK_IS(backstep_close(12345), BACKSTEP_E_HANDLE);
    int64_t first = backstep_open();
    CHECK(first > 0);
    CHECK_IS(backstep_close((uint64_t)first), 0);
    CHECK_IS(backstep_close((uint64_t)first), BACKSTEP_E_HANDLE);
    int64_t second = backstep_open();
    CHECK(second > 0 && second != first);
    // The old handle is an error for ever, also while another session sits in its place.
    CHECK_IS(backstep_submit((uint64_t)first, BACKSTEP_OP_APPS, NULL, 0, 100), BACKSTEP_E_HANDLE);
    CHECK_IS(backstep_take((uint64_t)first, 1, &byte, 1), BACKSTEP_E_HANDLE);
    CHECK_IS(backstep_cancel((uint64_t)first, 1), BACKSTEP_E_HANDLE);
    CHECK_IS(backstep_take((uint64_t)second, 1, &byte, 1), BACKSTEP_E_TICKET);
    CHECK_IS(backstep_cancel((uint64_t)second, 1), BACKSTEP_E_TICKET);
    CHECK_IS(backstep_submit((uint64_t)second, 999, NULL, 0, 100), BACKSTEP_E_INVALID);
    CHECK_IS(backstep_submit((uint64_t)second, BACKSTEP_OP_APPS, NULL, 1, 100), BACKSTEP_E_INVALID);
    CHECK_IS(backstep_submit((uint64_t)second, BACKSTEP_OP_APPS, NULL, 0, 0), BACKSTEP_E_INVALID);
    CHECK_IS(backstep_submit((uint64_t)second, BACKSTEP_OP_APPS, NULL, 0, 600001), BACKSTEP_E_INVALID);
    CHECK_IS(backstep_close((uint64_t)second), 0);
    uint64_t all[64];
    for (unsigned i = 0; i < 64; i++) {
        int64_t s = backstep_open();
        CHECK(s > 0);
        all[i] = (uint64_t)s;
    }
    CHECK_IS(backstep_open(), BACKSTEP_E_LIMIT);
    for (unsigned i = 0; i < 64; i++) CHECK_IS(backstep_close(all[i]), 0);
}

static void test_requests(void) {
    uint64_t s = (uint64_t)backstep_open();
    bs_buf reply = {0};
    CHECK_IS(check_run(s, BACKSTEP_OP_APPS, NULL, 500, &reply), BACKSTEP_E_BUS);
    bs_reader r = {reply.data, reply.length, 0, false};
    CHECK(bs_get_str(&r).length > 10 && !r.failed); // a sentence
    CHECK_IS(check_run(s, BACKSTEP_OP_WINDOWS, NULL, 500, &reply), BACKSTEP_E_DISPLAY);
    CHECK_IS(check_run(s, BACKSTEP_OP_CONNECT, NULL, 500, &reply), BACKSTEP_E_INVALID);
    CHECK_IS(connect_to(s, "", "", &reply), BACKSTEP_E_INVALID);
    CHECK_IS(connect_to(s, "unix:path=/nowhere/at/all", "", &reply), BACKSTEP_E_BUS);
    CHECK_IS(connect_to(s, "tcp:host=localhost", "", &reply), BACKSTEP_E_BUS);
    CHECK_IS(connect_to(s, "", "no", &reply), BACKSTEP_E_DISPLAY);
    // After a failure the session can be connected still.
    CHECK_IS(connect_to(s, "", "ok", &reply), 0);
    r = (bs_reader){reply.data, reply.length, 0, false};
    CHECK_IS(bs_get_u32(&r), 2);
    CHECK_IS(bs_get_str(&r).length, 0);
    CHECK(bs_get_i32(&r) == 640 && bs_get_i32(&r) == 480 && !r.failed && r.at == r.length);
    CHECK_IS(connect_to(s, "", "ok", &reply), BACKSTEP_E_INVALID);
    bs_buf_free(&reply);
    CHECK_IS(backstep_close(s), 0);
}

static void test_records(void) {
    uint64_t s = (uint64_t)backstep_open();
    uint8_t small[31], byte;
    CHECK_IS(backstep_wait(small, sizeof small, 0), 0);
    CHECK_IS(backstep_wait(NULL, 5, 0), BACKSTEP_E_INVALID);
    int64_t t = backstep_submit(s, BACKSTEP_OP_APPS, NULL, 0, 500);
    CHECK(t > 0);
    while (backstep_wait(NULL, 0, 100) == 0) {}
    CHECK_IS(backstep_wait(small, sizeof small, 0), BACKSTEP_E_SHORT); // a completion has 32 bytes
    CHECK_IS(backstep_wait(small, sizeof small, 0), BACKSTEP_E_SHORT); // and is not lost
    int64_t size = backstep_take(s, (uint64_t)t, &byte, 1);
    CHECK(size > 1);
    CHECK_IS(backstep_take(s, (uint64_t)t, NULL, 0), size); // short: neither copied nor forgotten
    check_done d = check_await(s, t, 500);
    CHECK(d.came && (int64_t)d.reply.length == size);
    bs_buf_free(&d.reply);
    CHECK_IS(backstep_take(s, (uint64_t)t, &byte, 1), BACKSTEP_E_TICKET); // taken
    // Tickets that nobody takes are bounded.
    int64_t last = 0;
    unsigned n = 0;
    while (n < 5000 && (last = backstep_submit(s, BACKSTEP_OP_APPS, NULL, 0, 500)) > 0) n++;
    CHECK_IS(last, BACKSTEP_E_LIMIT);
    CHECK_IS(n, 4096);
    CHECK_IS(backstep_close(s), 0);
    for (int i = 0; i < 20; i++) check_pull(0);
    check_seen_count = 0;
}

static void *wait_long(void *result) {
    uint8_t buf[64];
    uint64_t before = bs_now_us();
    *(int32_t *)result = backstep_wait(buf, sizeof buf, 500);
    return (void *)(uintptr_t)((bs_now_us() - before) / 1000);
}

static void test_waiters(void) {
    uint64_t s = (uint64_t)backstep_open();
    uint8_t buf[64];
    pthread_t thread;
    int32_t result = -99;
    void *took;
    pthread_create(&thread, NULL, wait_long, &result);
    usleep(100000);
    CHECK_IS(backstep_wait(buf, sizeof buf, 0), BACKSTEP_E_INVALID); // one at a time
    CHECK_IS(backstep_wake(), 0);
    pthread_join(thread, &took);
    CHECK_IS(result, 0);
    CHECK((uintptr_t)took < 400 * check_slow());
    uint64_t before = bs_now_us();
    CHECK_IS(backstep_wait(buf, sizeof buf, 60000), 0); // 500 ms at most
    CHECK(bs_now_us() - before >= 490000 && check_within(before, 900));
    backstep_wake();
    before = bs_now_us();
    CHECK_IS(backstep_wait(buf, sizeof buf, 500), 0); // a wake in between is not lost
    CHECK(check_within(before, 200));
    CHECK_IS(backstep_close(s), 0);
}

static void test_display(void) {
    uint64_t s = (uint64_t)backstep_open();
    CHECK_IS(connect_to(s, "", "ok", NULL), 0);
    CHECK_IS(status_of(s, type(s, "p1", 500), 1000), 0);
    // A deaf operation: its ticket ends at its deadline, the one behind it was never sent, later ones run again.
    uint64_t before = bs_now_us();
    int executed = atomic_load(&fake_executed);
    int64_t deaf = type(s, "d600", 200), behind = type(s, "p1", 300), after = type(s, "p1", 5000);
    CHECK_IS(status_of(s, deaf, 2000), BACKSTEP_E_TIMEOUT_UNKNOWN);
    uint64_t took = (bs_now_us() - before) / 1000;
    CHECK(took >= 195 && took < 500 * check_slow());
    CHECK_IS(status_of(s, behind, 2000), BACKSTEP_E_TIMEOUT_UNSENT);
    CHECK_IS(status_of(s, after, 3000), 0);
    CHECK_IS(atomic_load(&fake_executed) - executed, 2);
    // Cancelling what is queued and what runs.
    int64_t runs = type(s, "p3000", 5000), queued = type(s, "p1", 5000);
    usleep(50000);
    CHECK_IS(backstep_cancel(s, (uint64_t)queued), 0);
    CHECK_IS(status_of(s, queued, 500), BACKSTEP_E_CANCELLED_UNSENT);
    CHECK_IS(backstep_cancel(s, (uint64_t)runs), 0);
    CHECK_IS(status_of(s, runs, 500), BACKSTEP_E_CANCELLED_UNKNOWN);
    CHECK_IS(backstep_cancel(s, (uint64_t)runs), BACKSTEP_E_TICKET);
    CHECK_IS(backstep_close(s), 0);
    CHECK_IS(atomic_load(&fake_closed), 2); // the one of test_requests too
}

static void test_close_in_flight(const char *text, unsigned least_closed) {
    uint64_t s = (uint64_t)backstep_open(), other = (uint64_t)backstep_open();
    CHECK_IS(connect_to(s, "", "ok", NULL), 0);
    int closed = atomic_load(&fake_closed);
    int64_t runs = type(s, text, 60000), queued = type(s, "p1", 60000);
    usleep(50000);
    uint64_t before = bs_now_us();
    CHECK_IS(backstep_close(s), 0);
    CHECK(check_within(before, 300));
    CHECK(atomic_load(&fake_closed) - closed >= (int)least_closed);
    // Both completed as cancelled, and can no longer be taken.
    check_pull(0);
    int32_t of_runs = 1, of_queued = 1;
    for (unsigned i = 0; i < check_seen_count; i++) {
        if (check_seen[i].session != s) continue;
        if (check_seen[i].ticket == (uint64_t)runs) of_runs = check_seen[i].status;
        if (check_seen[i].ticket == (uint64_t)queued) of_queued = check_seen[i].status;
    }
    CHECK_IS(of_runs, BACKSTEP_E_CANCELLED_UNKNOWN);
    CHECK_IS(of_queued, BACKSTEP_E_CANCELLED_UNSENT);
    CHECK_IS(backstep_take(s, (uint64_t)runs, NULL, 0), BACKSTEP_E_HANDLE);
    check_seen_count = 0;
    CHECK_IS(backstep_close(other), 0);
}

// A bus that accepts and never says a word: CONNECT ends at its deadline, cancelling and closing at once.
static void test_mute_bus(void) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "backstep-test-%d", (int)getpid());
    socklen_t size = (socklen_t)(sizeof(sa_family_t) + 1 + strlen(at.sun_path + 1));
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_IS(bind(listener, (struct sockaddr *)&at, size), 0);
    CHECK_IS(listen(listener, 8), 0);
    char address[128];
    snprintf(address, sizeof address, "unix:abstract=%s", at.sun_path + 1);
    bs_buf q = three(address, "", "");
    uint64_t s = (uint64_t)backstep_open();
    uint64_t before = bs_now_us();
    int64_t t = backstep_submit(s, BACKSTEP_OP_CONNECT, q.data, (uint32_t)q.length, 200);
    CHECK_IS(backstep_submit(s, BACKSTEP_OP_CONNECT, q.data, (uint32_t)q.length, 60000) > 0, true); // refused: one at a time
    // Authentication never ended, so not one call was sent.
    CHECK_IS(status_of(s, t, 2000), BACKSTEP_E_TIMEOUT_UNSENT);
    CHECK(bs_now_us() - before >= 195000 && check_within(before, 600));
    t = backstep_submit(s, BACKSTEP_OP_CONNECT, q.data, (uint32_t)q.length, 60000);
    CHECK_IS(backstep_cancel(s, (uint64_t)t), 0);
    CHECK_IS(status_of(s, t, 1000), BACKSTEP_E_CANCELLED_UNSENT);
    t = backstep_submit(s, BACKSTEP_OP_CONNECT, q.data, (uint32_t)q.length, 60000);
    usleep(20000);
    before = bs_now_us();
    CHECK_IS(backstep_close(s), 0);
    CHECK(check_within(before, 100));
    bs_buf_free(&q);
    close(listener);
    for (int i = 0; i < 3; i++) check_pull(0);
    check_seen_count = 0;
}

static bs_backlog backlog;
static bs_backlog *the_backlog(uint64_t session) { return session == 5 ? &backlog : NULL; }

static void test_lost(void) {
    bs_queue q = {0};
    for (unsigned i = 0; i < 9000; i++) {
        bs_buf b = {0};
        bs_put_u32(&b, i);
        bs_queue_event(&q, &backlog, 5, BACKSTEP_R_EVENT, &b);
    }
    uint8_t *buf = malloc(1 << 20);
    CHECK_IS(bs_queue_pull(&q, buf, 19, the_backlog), BACKSTEP_E_SHORT);
    int32_t n = bs_queue_pull(&q, buf, 1 << 20, the_backlog);
    CHECK_IS(n, 8192 * 20 + 24);
    bs_reader r = {buf, (size_t)n, 8192 * 20, false};
    CHECK_IS(bs_get_u32(&r), 24);
    CHECK_IS(bs_get_u32(&r), BACKSTEP_R_LOST);
    CHECK_IS(bs_get_u64(&r), 5);
    CHECK_IS(bs_get_u64(&r), 9000 - 8192);
    CHECK(backlog.events == 0 && backlog.bytes == 0 && !backlog.told && backlog.dropped == 0);
    bs_buf b = {0};
    bs_put_u32(&b, 1);
    bs_queue_event(&q, &backlog, 5, BACKSTEP_R_EVENT, &b);
    CHECK_IS(bs_queue_pull(&q, buf, 1 << 20, the_backlog), 20); // and room again
    bs_queue_clear(&q);
    free(buf);
}

int main(void) {
    test_handles();
    test_requests();
    test_records();
    test_waiters();
    test_display();
    test_close_in_flight("p5000", 1);
    test_close_in_flight("s5000", 1);
    test_mute_bus();
    test_lost();
    test_close_in_flight("d400", 0);
    usleep(600000); // the thread that was left comes back and frees what it had
    CHECK_IS(atomic_load(&fake_closed), 5);
    return check_report("core");
}
