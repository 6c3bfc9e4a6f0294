/* Connections that go straight to an application: offered, refused, silent, broken, mendacious; and what others may say
 * in somebody's name. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../linux/bus.h"
#include "peer_driver.h"

#define TREE                                                                                                                                \
    "node win root role=23 name=Window rect=0,0,400,300\n"                                                                                    \
    "node ok win role=43 name=OK interfaces=Action,Component actions=click\n"                                                               \
    "node entry win role=61 interfaces=Component,Text,EditableText text=abc select=1,2\n"                                                   \
    "node list win role=31 interfaces=Component,Selection\n"                                                                                \
    "many row list 60 role=32 name=\"row %d\" rect=0,%d,100,20\n"
#define ROWS 65

static a11y_bus bus;
static peer app, other;
static char dir[64], path[80], elsewhere[80];
static uint64_t expected;

static uint64_t fresh(void) {
    int status = -1;
    peer_restart(&app, bus.address, TREE "cache none\n"); // so that there is much to ask
    uint64_t s = connect_bus(bus.address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    return s;
}

// One snapshot: whole, the same tree whichever way it came.
static void whole(uint64_t s, unsigned route, unsigned ms, const char *what) {
    rows v;
    uint64_t before = bs_now_us();
    CHECK_IS(take_snapshot(s, &app, "root", BACKSTEP_F_ALL, 0, ms, &v), 0);
    uint64_t hash = v.n ? rows_hash(&v, true) : 0;
    if (!expected) expected = hash;
    if (v.n != ROWS || v.route != route || hash != expected) fprintf(stderr, "%s: %u rows, route %u, %.1f ms\n", what, v.n, v.route, (double)(bs_now_us() - before) / 1000);
    CHECK_IS(v.n, ROWS);
    CHECK_IS(v.route, route);
    CHECK(hash == expected);
    rows_free(&v);
}

static void test_offered(void) {
    uint64_t s = fresh();
    whole(s, 0, 3000, "not offered");
    CHECK_IS(backstep_close(s), 0);
    s = fresh();
    peer_say(&app, "straight %s", path);
    whole(s, 1, 3000, "offered");
    whole(s, 1, 3000, "offered, again");
    CHECK(peer_ask(&app, "straightcalls") > 2 * ROWS);
    for (unsigned i = 0; i < 2; i++) CHECK_IS(run_act(s, &app, "ok", BACKSTEP_OP_ACTION, 1000, "s", ""), 0); // there and back
    // A second session, whom the application does not even accept, loses a second once and nothing else.
    int status = -1;
    uint64_t second = connect_bus(bus.address, "", "", 5000, &status), before = bs_now_us();
    CHECK_IS(status, 0);
    whole(second, 0, 4000, "not accepted");
    CHECK(bs_now_us() - before > 900000 && check_within(before, 1500));
    whole(s, 1, 3000, "the first meanwhile");
    CHECK_IS(backstep_close(second), 0);
    // Gone from the bus it is gone, although its own line is open.
    peer_say(&app, "fault GetExtents via=straight hang");
    int64_t ticket = submit_snapshot(s, &app, 10000);
    check_pull(30);
    peer_say(&app, "leave");
    before = bs_now_us();
    CHECK_IS(await_status(s, ticket, 3000), BACKSTEP_E_APP_GONE);
    CHECK(check_within(before, 300));
    CHECK_IS(backstep_close(s), 0);
}

// Whatever stands in the address, nothing but a local socket is ever connected to, and the bus serves instead, at once.
static void test_addresses(void) {
    char file[100], fifo[100], program[100], made[100];
    snprintf(file, sizeof file, "%s/file", dir);
    snprintf(fifo, sizeof fifo, "%s/fifo", dir);
    snprintf(program, sizeof program, "%s/made", dir);
    close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    CHECK_IS(mkfifo(fifo, 0600), 0);
    int net = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    CHECK(!bind(net, (struct sockaddr *)&at, size) && !listen(net, 4) && !getsockname(net, (struct sockaddr *)&at, &size));
    const char *addresses[] = {"unix:path=/nonexistent/socket", file, fifo, dir, "unix:path=", "unix:abstract=bs-nobody-is-here", "unix:runtime=yes", "launchd:env=X",
        "nonsense", ";;;,,,===", "unix:path=%zz", made, "tcp:", "nonce-tcp:", "unixexec:"};
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        uint64_t s = fresh();
        const char *a = addresses[i];
        if (a == made) memset(made, 'x', sizeof made - 1), made[sizeof made - 1] = 0;
        if (a == file || a == fifo || a == dir) peer_say(&app, "address unix:path=%s", a);
        else if (strstr(a, "tcp:")) peer_say(&app, "address %shost=127.0.0.1,port=%u,noncefile=%s;tcp:host=localhost,port=%u", a, ntohs(at.sin_port), file, ntohs(at.sin_port));
        else if (!strcmp(a, "unixexec:")) peer_say(&app, "address unixexec:path=/usr/bin/touch,argv1=%s", program);
        else peer_say(&app, "address %s", a);
        uint64_t before = bs_now_us();
        whole(s, 0, 3000, a);
        CHECK(check_within(before, 500));
        CHECK_IS(backstep_close(s), 0);
    }
    struct pollfd p = {net, POLLIN, 0};
    CHECK_IS(poll(&p, 1, 0), 0); // nobody called
    CHECK(access(program, F_OK));
    close(net);
    unlink(file), unlink(fifo);
}

// Another application's socket, and the socket of somebody who is no application at all.
static void test_mendacious(void) {
    peer_say(&other, "straight %s", elsewhere);
    long before = peer_ask(&other, "straightcalls");
    uint64_t s = fresh();
    peer_say(&app, "address unix:path=%s", elsewhere);
    whole(s, 0, 3000, "the socket of another application");
    CHECK_IS(peer_ask(&other, "straightcalls"), before);
    CHECK_IS(backstep_close(s), 0);
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    snprintf(to.sun_path, sizeof to.sun_path, "%s/mine", dir);
    int mine = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(!bind(mine, (struct sockaddr *)&to, sizeof to) && !listen(mine, 4));
    s = fresh();
    peer_say(&app, "address unix:path=%s", to.sun_path);
    whole(s, 0, 3000, "the socket of nobody");
    int fd = accept4(mine, NULL, NULL, SOCK_CLOEXEC);
    char byte;
    CHECK(fd >= 0 && recv(fd, &byte, 1, 0) == 0); // hung up on, without a word
    close(fd), close(mine);
    CHECK_IS(backstep_close(s), 0);
    unlink(to.sun_path);
    // Another user's, of the right process: only root can make one.
    if (geteuid()) return;
    int ready[2];
    CHECK_IS(pipe2(ready, O_CLOEXEC), 0);
    CHECK_IS(chmod(dir, 0777), 0);
    pid_t child = fork();
    if (!child) {
        int listener = setuid(65534) ? -1 : socket(AF_UNIX, SOCK_STREAM, 0);
        if (bind(listener, (struct sockaddr *)&to, sizeof to) || listen(listener, 4) || write(ready[1], "x", 1) != 1) _exit(1);
        pause();
        _exit(0);
    }
    close(ready[1]);
    CHECK_IS(read(ready[0], &byte, 1), 1);
    char address[120];
    snprintf(address, sizeof address, "unix:path=%s", to.sun_path);
    fd = bs_bus_dial(bs_cstr(address), NULL);
    CHECK(fd >= 0 && !bs_bus_is_of(fd, (uint32_t)child) && !bs_bus_is_of(fd, 0));
    close(fd), close(ready[0]);
    kill(child, SIGKILL), waitpid(child, NULL, 0);
    unlink(to.sun_path);
    CHECK_IS(chmod(dir, 0700), 0);
}

// It breaks, at the start or in the middle: what was asked is asked again over the bus, and nobody notices.
static void test_breaking(void) {
    static const struct { const char *sasl, *fault; } all[] = {
        {"REJECTED EXTERNAL\\r\\n", NULL}, {"close", NULL}, {"\\0\\0\\0\\n", NULL}, {"OK 1234deadbeef\\r\\nthis is no message, is it", NULL},
        {NULL, "* via=straight close"}, {NULL, "GetExtents via=straight from=20 close"}, {NULL, "GetExtents via=straight from=30 half"},
        {NULL, "GetRole via=straight from=9 garbage 200"}, {NULL, "GetState via=straight from=40 tail 64"}, {NULL, "Name via=straight from=3 pokehead 0 0"},
        {NULL, "GetItems via=straight close"}, {NULL, "GetChildren via=straight pokehead 4 4294967295"}, {NULL, "GetText via=straight close"},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        uint64_t s = fresh();
        peer_say(&app, "straight %s", path);
        if (all[i].sasl) peer_say(&app, "sasl %s", all[i].sasl);
        if (all[i].fault) peer_say(&app, "fault %s", all[i].fault);
        uint64_t before = bs_now_us();
        whole(s, 0, 3000, all[i].fault ? all[i].fault : all[i].sasl);
        CHECK(check_within(before, 500));
        peer_say(&app, "heal");
        whole(s, 0, 3000, "after it broke");
        CHECK(!saw_record(BACKSTEP_R_BROKEN, s, 0)); // the session's own connection is well
        CHECK_IS(backstep_close(s), 0);
    }
    // The first element of a role, found while the line breaks.
    uint64_t s = fresh();
    peer_say(&app, "straight %s", path);
    whole(s, 1, 3000, "before a find");
    peer_say(&app, "fault GetRole via=straight from=4 close");
    bs_buf q = {0}, reply = {0};
    bs_put_cstr(&q, app.name), bs_put_cstr(&q, ""), bs_put_u32(&q, 1), bs_put_u32(&q, 32);
    CHECK_IS(check_run(s, BACKSTEP_OP_FIND_ROLE, &q, 3000, &reply), 0);
    CHECK(reply.length && memmem(reply.data, reply.length, PEER_PATH "row0", strlen(PEER_PATH "row0")));
    bs_buf_free(&q), bs_buf_free(&reply);
    // Places: each is told in its order, who is gone or has none too, and a line that breaks meanwhile is no loss.
    static const char *const asked[] = {"row0", "row59", "nothing", "list"};
    bs_put_cstr(&q, app.name), bs_put_cstr(&q, ""), bs_put_u32(&q, 1), bs_put_u32(&q, 4);
    for (unsigned i = 0; i < 4; i++) {
        char whose[128];
        snprintf(whose, sizeof whose, PEER_PATH "%s", asked[i]);
        bs_put_cstr(&q, whose);
    }
    peer_say(&app, "fault GetExtents via=straight from=2 close");
    CHECK_IS(check_run(s, BACKSTEP_OP_PLACES, &q, 3000, &reply), 0);
    bs_reader told = {reply.data, reply.length, 0, false};
    CHECK_IS(bs_get_u32(&told), 4);
    for (unsigned i = 0; i < 4; i++) {
        int32_t at[4];
        for (unsigned k = 0; k < 4; k++) at[k] = bs_get_i32(&told);
        CHECK_IS(bs_get_u32(&told), i == 2 ? 0 : 1);
        bs_get_u64(&told);
        if (i < 2) CHECK(at[2] == 100 && at[3] == 20);
        if (i == 2) CHECK(at[2] == -1);
    }
    CHECK(!told.failed && told.at == told.length);
    bs_buf_free(&q), bs_buf_free(&reply);
    bs_put_cstr(&q, app.name), bs_put_cstr(&q, ""), bs_put_u32(&q, 1), bs_put_u32(&q, 1), bs_put_cstr(&q, "no path");
    CHECK_IS(check_run(s, BACKSTEP_OP_PLACES, &q, 3000, &reply), BACKSTEP_E_INVALID);
    bs_buf_free(&q), bs_buf_free(&reply);
    peer_say(&app, "heal");
    // An application that dies of it is gone.
    peer_say(&app, "fault GetExtents from=3 exit");
    CHECK_IS(await_status(s, submit_snapshot(s, &app, 3000), 4000), BACKSTEP_E_APP_GONE);
    CHECK_IS(backstep_close(s), 0);
}

static void test_silent(void) {
    uint64_t s = fresh();
    peer_say(&app, "straight %s", path);
    peer_say(&app, "sasl -");
    int64_t ticket = submit_snapshot(s, &app, 5000);
    uint64_t before = bs_now_us();
    CHECK_IS(run_act(s, &other, "ok", BACKSTEP_OP_ACTION, 800, "s", ""), 0); // nobody else waits
    CHECK(check_within(before, 300));
    CHECK_IS(await_status(s, ticket, 6000), 0);
    CHECK(bs_now_us() - before > 900000 && check_within(before, 1600));
    before = bs_now_us();
    whole(s, 0, 3000, "after a silent line");
    CHECK(check_within(before, 500));
    CHECK_IS(backstep_close(s), 0);
    // It answers the greeting and then nothing: the deadline passes, twice at most; then it is the bus again.
    s = fresh();
    peer_say(&app, "straight %s", path);
    peer_say(&app, "fault * via=straight hang");
    unsigned late = 0;
    for (unsigned i = 0; i < 3; i++) {
        int status = await_status(s, submit_snapshot(s, &app, 1300), 3000);
        CHECK(status == 0 || status == BACKSTEP_E_TIMEOUT_UNKNOWN);
        late += status != 0;
    }
    CHECK(check_slow() > 1 || late == 2);
    whole(s, 0, 5000, "after two silent lines");
    CHECK_IS(backstep_close(s), 0);
    // One that only hung is reached straight again.
    s = fresh();
    peer_say(&app, "straight %s", path);
    whole(s, 1, 3000, "before it hung");
    kill(app.pid, SIGSTOP);
    before = bs_now_us();
    CHECK_IS(await_status(s, submit_snapshot(s, &app, 1300), 3000), BACKSTEP_E_TIMEOUT_UNKNOWN);
    took_about(before, 1300, "stopped, on a straight line");
    kill(app.pid, SIGCONT);
    whole(s, 1, 3000, "after it hung");
    CHECK_IS(backstep_close(s), 0);
}

static char own_name[64];

static uint64_t connect_named(void) {
    int64_t s = backstep_open();
    bs_buf q = {0}, reply = {0};
    bs_put_cstr(&q, bus.address), bs_put_cstr(&q, ""), bs_put_cstr(&q, "");
    CHECK_IS(check_run((uint64_t)s, BACKSTEP_OP_CONNECT, &q, 5000, &reply), 0);
    bs_reader r = {reply.data, reply.length, 0, false};
    bs_get_u32(&r);
    bs_str name = bs_get_str(&r);
    snprintf(own_name, sizeof own_name, "%.*s", (int)name.length, name.text);
    bs_buf_free(&q), bs_buf_free(&reply);
    return (uint64_t)s;
}

// What is the registry's or the bus's to say, said by an application. The accessibility bus lets it all through.
static void test_forged(void) {
    uint64_t s = connect_named();
    CHECK(a11y_signal_registry(&bus, SIGSTOP) >= 1);
    int64_t apps = backstep_submit(s, BACKSTEP_OP_APPS, NULL, 0, 8000 * check_slow());
    check_pull(50);
    peer_say(&app, "forge %s 1 600", own_name);
    check_done d = check_await(s, apps, 200);
    CHECK(!d.came); // the list is still the registry's to give
    a11y_signal_registry(&bus, SIGCONT);
    d = check_await(s, apps, 9000);
    CHECK_IS(d.status, 0);
    CHECK(d.reply.length && memmem(d.reply.data, d.reply.length, app.name, strlen(app.name)) && !memmem(d.reply.data, d.reply.length, "forged", 6));
    bs_buf_free(&d.reply);
    // "He left": only the bus may say so.
    peer_say(&other, "fault DoAction slow 150");
    int64_t act = submit_act(s, &other, "ok", BACKSTEP_OP_ACTION, 3000, "s", "");
    check_pull(30);
    peer_say(&app, "gone %s %s", own_name, other.name);
    CHECK_IS(await_status(s, act, 4000), 0);
    peer_say(&other, "heal");
    // An event is the sender's, whatever path it names.
    check_seen_count = 0;
    peer_say(&app, "emit Object StateChanged focused 1 0 entry");
    uint64_t until = bs_now_us() + 2000000ull * check_slow();
    while (!check_seen_count && bs_now_us() < until) check_pull(50);
    CHECK(check_seen_count && !strcmp(check_seen[0].bus, app.name));
    check_seen_count = 0;
    // Nobody is asked by a name that may be anybody's.
    bs_buf q = {0}, reply = {0};
    bs_put_cstr(&q, "org.a11y.atspi.Registry"), bs_put_cstr(&q, "/org/a11y/atspi/accessible/root");
    bs_put_u32(&q, 0), bs_put_u32(&q, 100);
    CHECK_IS(check_run(s, BACKSTEP_OP_READ, &q, 1000, &reply), BACKSTEP_E_INVALID);
    bs_buf_free(&q), bs_buf_free(&reply);
    CHECK_IS(backstep_close(s), 0);
}

// Is the second of two snapshots made from a mirror?
static bool mirrored(uint64_t s, const peer *p) {
    rows v;
    uint32_t source = 0;
    for (unsigned i = 0; i < 2; i++) {
        CHECK_IS(take_mirror(s, p, BACKSTEP_F_ID, 0, 3000, &v), 0);
        source = v.source;
        rows_free(&v);
    }
    return source == 1;
}

static void test_dying_registry(void) {
    uint64_t s = connect_named();
    bs_buf reply = {0};
    CHECK_IS(check_run(s, BACKSTEP_OP_APPS, NULL, 3000, &reply), 0);
    CHECK(mirrored(s, &other));
    // In the middle of a question.
    a11y_signal_registry(&bus, SIGSTOP);
    int64_t apps = backstep_submit(s, BACKSTEP_OP_APPS, NULL, 0, 8000 * check_slow());
    check_pull(50);
    CHECK(a11y_signal_registry(&bus, SIGKILL) >= 1);
    check_done d = check_await(s, apps, 3000);
    CHECK_IS(d.status, BACKSTEP_E_BUS);
    CHECK(d.reply.length && memmem(d.reply.data, d.reply.length, "registry", 8));
    bs_buf_free(&d.reply);
    CHECK_IS(check_run(s, BACKSTEP_OP_APPS, NULL, 3000, &reply), BACKSTEP_E_BUS);
    // Nobody says what is told and what is not: no mirrors.
    CHECK(!mirrored(s, &other));
    // Who is known is served all the same, and nothing is broken.
    whole(s, 0, 3000, "without a registry");
    CHECK(!saw_record(BACKSTEP_R_BROKEN, s, 0));
    // The next CONNECT starts another registry, which the first session takes up: whoever joins it is listed.
    int status = -1;
    uint64_t second = connect_bus(bus.address, "", "", 10000, &status);
    CHECK_IS(status, 0);
    peer_restart(&other, bus.address, TREE);
    CHECK_IS(check_run(s, BACKSTEP_OP_APPS, NULL, 3000, &reply), 0);
    CHECK(reply.length && memmem(reply.data, reply.length, other.name, strlen(other.name)));
    bs_buf_free(&reply);
    // It was told which events we wish for: mirrors are kept again.
    bool again = false;
    for (unsigned i = 0; i < 20 && !again; i++) {
        again = mirrored(s, &other);
        check_pull(20);
    }
    CHECK(again);
    check_seen_count = 0;
    peer_say(&other, "emit Object StateChanged focused 1 0 ok");
    CHECK(saw_record(BACKSTEP_R_EVENT, s, 2000));
    CHECK_IS(backstep_close(second), 0);
    CHECK_IS(backstep_close(s), 0);
}

// The bus dies while an application is asked straight: that ends, too, and is told once.
static void test_dying_bus(void) {
    uint64_t s = fresh();
    peer_say(&app, "straight %s", path);
    whole(s, 1, 3000, "before the bus dies");
    peer_say(&app, "fault GetExtents via=straight hang");
    int64_t ticket = submit_snapshot(s, &app, 20000);
    check_pull(30);
    uint64_t before = bs_now_us();
    kill(bus.pid, SIGKILL);
    CHECK_IS(await_status(s, ticket, 3000), BACKSTEP_E_BUS);
    CHECK(check_within(before, 300));
    CHECK(saw_record(BACKSTEP_R_BROKEN, s, 1000) && !saw_record(BACKSTEP_R_BROKEN, s, 0));
    CHECK_IS(await_status(s, submit_snapshot(s, &app, 3000), 3000), BACKSTEP_E_BUS);
    CHECK_IS(backstep_close(s), 0);
}

int main(void) {
    snprintf(dir, sizeof dir, "/tmp/bs-straight-XXXXXX");
    if (!mkdtemp(dir) || !a11y_start(&bus)) return 1;
    snprintf(path, sizeof path, "%s/app", dir);
    snprintf(elsewhere, sizeof elsewhere, "%s/other", dir);
    machine_watch(true);
    uint64_t keeper = connect_named(); // the registry is started, and stays
    if (peer_start(&other, "--join", bus.address, TREE) && peer_start(&app, "--join", bus.address, TREE)) {
        test_offered();
        test_addresses();
        test_mendacious();
        test_breaking();
        test_silent();
        peer_restart(&app, bus.address, TREE "cache none\n");
        test_forged();
        test_dying_registry();
        test_dying_bus();
    } else CHECK(false);
    CHECK_IS(backstep_close(keeper), 0);
    peer_stop(&app);
    peer_stop(&other);
    a11y_stop(&bus);
    unlink(path), unlink(elsewhere);
    CHECK_IS(rmdir(dir), 0);
    machine_watch(false);
    return check_report("straight");
}
