/* Short of memory, of descriptors, of shared memory: each is an answer, never a crash, a hang or a leak. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer_driver.h"

#define TREE                                                                                                                                \
    "node win root role=23 name=Window rect=0,0,400,300\n"                                                                                    \
    "node ok win role=43 name=OK interfaces=Action,Component actions=click,press\n"                                                         \
    "node entry win role=61 interfaces=Component,Text,EditableText text=abc select=1,2\n"                                                   \
    "node slider win role=51 interfaces=Component,Value value=5,0,10,0.5 id=volume attributes=class:slider\n"                               \
    "node list win role=31 interfaces=Component,Selection,Collection\n"                                                                                \
    "many row list 8 role=32 states=23,24 name=\"row %d\"\n"
#define ROWS 14

/* Allocations fail on the threads of the core, or in its functions on this one; never in the test's own. */
static atomic_long countdown = -1; // this many succeed, then one fails, then all succeed; -1: none fails
static atomic_bool no_shared_memory;
static _Thread_local bool is_test;
static bool in_call; // this thread is within a function of the core whose allocations may fail

static bool fails(void) {
    if (is_test && !in_call) return false;
    long left = atomic_load(&countdown);
    while (left >= 0)
        if (atomic_compare_exchange_weak(&countdown, &left, left - 1)) return left == 0;
    return false;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strndup(const char *s, size_t n);
int __real_shmget(int key, size_t n, int flags);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strndup(const char *s, size_t n);
int __wrap_shmget(int key, size_t n, int flags);
void *__wrap_malloc(size_t n) { return fails() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t n) { return fails() ? NULL : __real_realloc(p, n); }
char *__wrap_strndup(const char *s, size_t n) { return fails() ? NULL : __real_strndup(s, n); }
int __wrap_shmget(int key, size_t n, int flags) { return atomic_load(&no_shared_memory) ? (errno = ENOSPC, -1) : __real_shmget(key, n, flags); }

static a11y_bus bus;
static peer app;
static char display[16], line[80];
static pid_t x;
static unsigned outcomes[32];

static bool is_one_of(int status, const int *list, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (list[i] == status) return true;
    return false;
}

// What a shortage may be answered with; "it may have happened" only where it may.
static void expect(int status, const char *what) {
    static const int allowed[] = {BACKSTEP_OK, BACKSTEP_E_MEMORY, BACKSTEP_E_LIMIT, BACKSTEP_E_BUS, BACKSTEP_E_DISPLAY};
    check_count++;
    outcomes[-status & 31]++;
    if (is_one_of(status, allowed, sizeof allowed / sizeof *allowed)) return;
    check_failures++;
    fprintf(stderr, "%s: %d\n", what, status);
}

static int64_t submit(uint64_t s, uint32_t op, const bs_buf *q) {
    in_call = true;
    int64_t ticket = backstep_submit(s, op, q->data, (uint32_t)q->length, 3000 * check_slow());
    in_call = false;
    return ticket;
}

static int run(uint64_t s, uint32_t op, const bs_buf *q, const char *what) {
    uint64_t before = bs_now_us();
    int64_t ticket = submit(s, op, q);
    int status = ticket < 0 ? (int)ticket : await_status(s, ticket, 4000);
    expect(status, what);
    CHECK(check_within(before, 1500)); // nobody waits for what cannot come
    return status;
}

static void target(bs_buf *q, const char *id) {
    char path[160];
    snprintf(path, sizeof path, PEER_PATH "%s", id);
    bs_buf_clear(q);
    bs_put_cstr(q, app.name);
    bs_put_cstr(q, path);
}

static void numbers(bs_buf *q, unsigned n, const uint32_t *list) {
    for (unsigned i = 0; i < n; i++) bs_put_u32(q, list[i]);
}

// A session's life. True when its CONNECT went well.
static bool life(bool with_display) {
    in_call = true;
    int64_t opened = backstep_open();
    in_call = false;
    expect(opened > 0 ? 0 : (int)opened, "open");
    if (opened < 0) return false;
    uint64_t s = (uint64_t)opened;
    bs_buf q = {0};
    bs_put_cstr(&q, bus.address), bs_put_cstr(&q, ""), bs_put_cstr(&q, with_display ? display : "");
    bool connected = run(s, BACKSTEP_OP_CONNECT, &q, "connect") == 0;
    if (connected) {
        bs_buf_clear(&q);
        run(s, BACKSTEP_OP_APPS, &q, "apps");
        target(&q, "root"), numbers(&q, 5, (uint32_t[]){BACKSTEP_F_ALL, 1, 0, 0, 1000});
        run(s, BACKSTEP_OP_SNAPSHOT, &q, "snapshot");
        run(s, BACKSTEP_OP_SNAPSHOT, &q, "snapshot again");
        target(&q, "entry"), numbers(&q, 2, (uint32_t[]){1, 100});
        run(s, BACKSTEP_OP_READ, &q, "read");
        target(&q, "root"), numbers(&q, 2, (uint32_t[]){1, 32});
        run(s, BACKSTEP_OP_FIND_ROLE, &q, "find");
        target(&q, "win"), numbers(&q, 3, (uint32_t[]){1, 20, 20});
        run(s, BACKSTEP_OP_AT_POINT, &q, "point");
        bs_buf_clear(&q), bs_put_cstr(&q, app.name), bs_put_cstr(&q, ""), numbers(&q, 2, (uint32_t[]){1, 1}), bs_put_cstr(&q, PEER_PATH "ok");
        run(s, BACKSTEP_OP_PLACES, &q, "places");
        target(&q, "list"), numbers(&q, 2, (uint32_t[]){1, 32});
        run(s, BACKSTEP_OP_ROLES, &q, "roles");
        target(&q, "ok"), bs_put_cstr(&q, "press");
        run(s, BACKSTEP_OP_ACTION, &q, "action");
        target(&q, "entry"), bs_put_cstr(&q, "abc");
        run(s, BACKSTEP_OP_SET_TEXT, &q, "set text");
        peer_say(&app, "emit Object StateChanged focused 1 0 entry");
    }
    if (connected && with_display) {
        bs_buf_clear(&q), numbers(&q, 6, (uint32_t[]){0, 0, 0, 0, 100, 100});
        run(s, BACKSTEP_OP_CAPTURE, &q, "capture");
        bs_buf_clear(&q);
        run(s, BACKSTEP_OP_WINDOWS, &q, "windows");
        bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, 1), bs_put_cstr(&q, "UTF8_STRING"), bs_put_cstr(&q, "kept");
        run(s, BACKSTEP_OP_CLIP_WRITE, &q, "clip write");
        bs_buf_clear(&q), bs_put_cstr(&q, "CLIPBOARD"), bs_put_cstr(&q, "UTF8_STRING");
        int64_t ticket = submit(s, BACKSTEP_OP_CLIP_READ, &q);
        if (ticket > 0) await_status(s, ticket, 4000); // an offer that was not made is not there: UNSUPPORTED
        bs_buf_clear(&q), bs_put_cstr(&q, "CLIPBOARD"), numbers(&q, 2, (uint32_t[]){0, 0});
        run(s, BACKSTEP_OP_CLIP_KEEP, &q, "clip keep");
        bs_buf_clear(&q), bs_put_cstr(&q, "aß");
        run(s, BACKSTEP_OP_TEXT, &q, "text");
    }
    bs_buf_free(&q);
    in_call = true;
    int closed = backstep_close(s);
    in_call = false;
    expect(closed, "close");
    if (closed < 0) CHECK_IS(backstep_close(s), 0); // the next time there is memory
    check_pull(0);
    check_seen_count = 0;
    return connected;
}

// Every allocation fails once.
static void test_memory(bool with_display, unsigned dense, unsigned step) {
    unsigned n = 0, lives = 0;
    for (;; n += n < dense ? 1 : step) {
        atomic_store(&countdown, (long)n);
        life(with_display);
        bool spent = atomic_exchange(&countdown, -1) < 0;
        lives++;
        if (!spent || check_failures > 20) break;
    }
    CHECK(n > 100);
    printf("  %u allocations of a life%s failed, one in each of %u lives: %u MEMORY, %u LIMIT, %u BUS, %u DISPLAY\n", n, with_display ? " with a display" : "", lives,
           outcomes[18], outcomes[17], outcomes[14], outcomes[15]);
    memset(outcomes, 0, sizeof outcomes);
    CHECK(life(with_display) && outcomes[0] >= 9);
}

static unsigned descriptors(void) {
    unsigned n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d)) n++;
    if (d) closedir(d);
    return n - 3; // ".", "..", and the folder itself
}

static void test_descriptors(void) {
    struct rlimit before;
    CHECK_IS(getrlimit(RLIMIT_NOFILE, &before), 0);
    unsigned held = descriptors(), complete = 0;
    for (unsigned room = 0; room < 14; room++) {
        int spare = open("/dev/null", O_RDONLY | O_CLOEXEC); // the first free number: the limit counts from there
        close(spare);
        struct rlimit few = {(rlim_t)(spare + (int)room), before.rlim_max};
        CHECK_IS(setrlimit(RLIMIT_NOFILE, &few), 0);
        complete += life(true);
        CHECK_IS(setrlimit(RLIMIT_NOFILE, &before), 0);
        uint64_t until = bs_now_us() + 1000000ull * check_slow(); // a display that could not be opened is left to its own thread
        while (descriptors() != held && bs_now_us() < until) usleep(1000);
        CHECK_IS(descriptors(), held);
    }
    CHECK(complete > 2 && complete < 13);
    // None is left in the middle of a session: what goes straight goes over the bus, and what is open works on.
    int status = -1;
    uint64_t s = connect_bus(bus.address, "", display, 5000, &status);
    CHECK_IS(status, 0);
    struct rlimit none = {3, before.rlim_max};
    CHECK_IS(setrlimit(RLIMIT_NOFILE, &none), 0);
    rows v;
    CHECK_IS(take_snapshot(s, &app, "root", BACKSTEP_F_ALL, 0, 3000, &v), 0);
    CHECK_IS(v.n, ROWS);
    CHECK_IS(v.route, 0);
    rows_free(&v);
    int64_t second = backstep_open();
    uint64_t other = (uint64_t)second;
    CHECK(second > 0); // it needs none of its own before CONNECT
    bs_buf q = {0};
    bs_put_cstr(&q, bus.address), bs_put_cstr(&q, ""), bs_put_cstr(&q, "");
    CHECK_IS(check_run(other, BACKSTEP_OP_CONNECT, &q, 2000, NULL), BACKSTEP_E_BUS);
    CHECK_IS(setrlimit(RLIMIT_NOFILE, &before), 0);
    CHECK_IS(check_run(other, BACKSTEP_OP_CONNECT, &q, 2000, NULL), 0); // the same session, once there are some
    bs_buf_free(&q);
    CHECK_IS(backstep_close(other), 0);
    CHECK_IS(backstep_close(s), 0);
}

static void test_shared_memory(void) {
    atomic_store(&no_shared_memory, true);
    int status = -1;
    uint64_t s = connect_bus("", "", display, 5000, &status);
    CHECK_IS(status, 0);
    bs_buf q = {0}, reply = {0};
    numbers(&q, 6, (uint32_t[]){0, 0, 0, 0, 0, 0});
    CHECK_IS(check_run(s, BACKSTEP_OP_CAPTURE, &q, 3000, &reply), 0);
    CHECK_IS(reply.length, 16 + 640 * 480 * 4);
    bs_buf_free(&q), bs_buf_free(&reply);
    CHECK_IS(backstep_close(s), 0);
    atomic_store(&no_shared_memory, false);
}

// A limit on the address space, in a process of its own: a tree that does not fit is E_MEMORY, a small one is served after it.
static void test_address_space(void) {
#if !defined(__SANITIZE_ADDRESS__)
    if (check_slow() > 1) return;
    peer huge;
    CHECK(peer_start(&huge, "--join", bus.address, "node win root role=23\nmany n win 60000 role=32 name=\"item %d\"\n"));
    pid_t child = fork();
    if (!child) {
        check_failures = 0;
        mallopt(M_ARENA_MAX, 1); // another one would have 64 MB of addresses set aside
        int status = -1;
        uint64_t s = connect_bus(bus.address, "", "", 5000, &status);
        rows v;
        CHECK_IS(take_snapshot(s, &app, "root", 0, 0, 3000, &v), 0);
        rows_free(&v);
        long pages = 0;
        FILE *f = fopen("/proc/self/statm", "re");
        CHECK(f && fscanf(f, "%ld", &pages) == 1);
        struct rlimit least = {(rlim_t)pages * 4096 + (1 << 20), RLIM_INFINITY};
        CHECK_IS(setrlimit(RLIMIT_AS, &least), 0);
        submit_snapshot(s, &huge, 20000);
        uint64_t until = bs_now_us() + 20000000;
        check_seen_count = 0;
        while (!check_seen_count && bs_now_us() < until) check_pull(100);
        CHECK_IS(check_seen_count ? check_seen[0].status : 0, BACKSTEP_E_MEMORY);
        CHECK_IS(take_snapshot(s, &app, "root", BACKSTEP_F_ALL, 0, 3000, &v), 0);
        CHECK_IS(v.n, ROWS);
        fflush(stdout);
        _exit(check_failures != 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    peer_stop(&huge);
#endif
}

int main(void) {
    is_test = true;
    char dir[] = "/tmp/bs-shortage-XXXXXX";
    if (!mkdtemp(dir) || !a11y_start(&bus)) return 1;
    snprintf(line, sizeof line, "%s/app", dir);
    x = start_display(display, sizeof display);
    CHECK(x > 0);
    if (peer_start(&app, "--join", bus.address, TREE)) {
        peer_say(&app, "straight %s", line);
        test_address_space();
        CHECK(life(true));
        bool slow = check_slow() > 1;
        test_memory(false, slow ? 20 : 150, slow ? 67 : 5);
        test_memory(true, slow ? 0 : 60, slow ? 97 : 11);
        test_descriptors();
        test_shared_memory();
    } else CHECK(false);
    if (x > 0) kill(x, SIGKILL), waitpid(x, NULL, 0);
    peer_stop(&app);
    a11y_stop(&bus);
    unlink(line);
    CHECK_IS(rmdir(dir), 0);
    return check_report("shortage");
}
