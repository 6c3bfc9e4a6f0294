/* Applications that hang, die, lie and contradict themselves, on a bus they share with one that is well. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer_driver.h"

#define STALL_MS 500 /* what a huge application may cost the others at most */

static a11y_bus bus;
static uint64_t session;
static peer sick, well;

#define FRAME "node win root role=23 name=Window rect=0,0,400,300 states=1,8,24,25,30\n"
#define TREE                                                                                                                                      \
    FRAME "node ok win role=43 name=OK interfaces=Action,Component actions=click,press rect=10,10,80,30\n"                                         \
          "node entry win role=61 name=Name interfaces=Component,Text,EditableText text=\"Grüße, 世界\" caret=3 select=1,4 states=7,8,24,25,30\n"     \
          "node secret win role=40 name=Password interfaces=Component,Text,EditableText text=hunter2 states=7,8,24,25,30\n"                        \
          "node slider win role=51 interfaces=Component,Value value=5,0,10,0.5 id=volume attributes=class:slider\n"                                \
          "node list win role=31 name=List interfaces=Component,Selection\n"                                                                       \
          "many row list 40 role=32 name=\"row %d\" rect=0,%d,100,20\n"                                                                            \
          "deep nest win 12 role=39 name=\"level %d\"\n"

static double healthy_ms;

static double time_healthy(void) {
    rows v;
    uint64_t before = bs_now_us();
    CHECK_IS(take_snapshot(session, &well, "root", BACKSTEP_F_EXTENTS, 0, 3000, &v), 0);
    double ms = (double)(bs_now_us() - before) / 1000;
    CHECK_IS(v.n, 1 + 1 + 5 + 40 + 12);
    rows_free(&v);
    return ms;
}

// The usual speed: the best of what was measured while all was well, with room for a shared machine.
static void healthy_is_served(const char *meanwhile) {
    double most = healthy_ms * 3 + 20 * check_slow(), ms = time_healthy(), again = ms > most ? time_healthy() : ms;
    check_count++;
    if (again <= most || again <= most * check_load() + 4 * machine_late_ms()) return;
    check_failures++;
    fprintf(stderr, "while %s the other application took %.1f ms, not about %.1f\n", meanwhile, again, healthy_ms);
}

// Every kind of cache, every byte order: the same tree.
static void test_same_tree(void) {
    static const char *const ways[] = {"cache good", "cache none", "cache old", "cache empty", "cache partial", "cache wrong", "big on"};
    uint64_t expected = 0;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        peer_say(&sick, "%s", ways[i]);
        rows v;
        CHECK_IS(take_snapshot(session, &sick, "root", BACKSTEP_F_ALL, 0, 3000, &v), 0);
        bool lies = !strcmp(ways[i], "cache wrong"); // about numbers of children; the shape is walked all the same
        uint64_t hash = v.n ? rows_hash(&v, false) : 0;
        if (!i) expected = hash;
        if (hash != expected) fprintf(stderr, "%s: %u rows, another tree\n", ways[i], v.n);
        CHECK(hash == expected);
        CHECK_IS(v.n, 59);
        int entry = row_of(&v, "entry"), slider = row_of(&v, "slider"), row = row_of(&v, "row7");
        CHECK(entry > 0 && slider > 0 && row > 0);
        if (entry > 0 && slider > 0 && row > 0) {
            bs_str text = row_text(&v, v.text[entry]), name = row_text(&v, v.name[row]);
            CHECK(text.length == strlen("Grüße, 世界") && !memcmp(text.text, "Grüße, 世界", text.length));
            CHECK(name.length == 5 && !memcmp(name.text, "row 7", 5));
            CHECK(v.value[4 * slider] == 5 && v.value[4 * slider + 3] == 0.5);
            CHECK(v.rect[4 * row + 1] == 7 && v.role[row] == 32);
            CHECK(lies || v.children[row_of(&v, "list")] == 40);
        }
        rows_free(&v);
        peer_say(&sick, "cache good");
    }
    peer_say(&sick, "big off");
    CHECK_IS(peer_ask(&sick, "calls GetAll *"), 0); // two releases of Qt crash on it
}

typedef struct failing {
    const char *fault;
    int status;
    unsigned ms; // how long it takes; 0 = not long
    bool dies;
} failing;

static void test_acts_fail(void) {
    static const failing all[] = {
        {"hang", BACKSTEP_E_TIMEOUT_UNKNOWN, 400, false},
        {"slow 200", BACKSTEP_OK, 200, false},
        {"slow 2000", BACKSTEP_E_TIMEOUT_UNKNOWN, 400, false},
        {"serial 100000", BACKSTEP_E_TIMEOUT_UNKNOWN, 400, false},
        {"error org.freedesktop.DBus.Error.Failed", BACKSTEP_E_APP_ERROR, 0, false},
        {"error org.example.Nonsense", BACKSTEP_E_APP_ERROR, 0, false},
        {"error org.freedesktop.DBus.Error.UnknownMethod", BACKSTEP_E_UNSUPPORTED, 0, false},
        {"error org.freedesktop.DBus.Error.UnknownObject", BACKSTEP_E_NO_ELEMENT, 0, false},
        {"refuse", BACKSTEP_E_REFUSED, 0, false},
        {"lie", BACKSTEP_OK, 0, false},
        {"twice", BACKSTEP_OK, 0, false},
        {"big", BACKSTEP_OK, 0, false},
        {"type s", BACKSTEP_E_PROTOCOL, 0, false},
        {"type v", BACKSTEP_E_PROTOCOL, 0, false},
        {"poke 0 7", BACKSTEP_E_APP_GONE, 0, true}, // no boolean: the bus throws the application out
        {"cut 2", BACKSTEP_E_APP_GONE, 0, true},
        {"pokehead 4 4294967295", BACKSTEP_E_APP_GONE, 0, true},
        {"garbage 600", BACKSTEP_E_APP_GONE, 0, true},
        {"half", BACKSTEP_E_APP_GONE, 0, true},
        {"close", BACKSTEP_E_APP_GONE, 0, true},
        {"exit", BACKSTEP_E_APP_GONE, 0, true},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        peer_say(&sick, "heal");
        peer_say(&sick, "fault DoAction %s", all[i].fault);
        long before_states = peer_ask(&sick, "states ok");
        uint64_t before = bs_now_us();
        int64_t ticket = submit_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 400, "s", "press");
        if (all[i].ms) healthy_is_served(all[i].fault);
        int status = await_status(session, ticket, 1500);
        if (status != all[i].status) fprintf(stderr, "DoAction %s:\n", all[i].fault);
        CHECK_IS(status, all[i].status);
        if (all[i].ms) took_about(before, all[i].ms, all[i].fault);
        else CHECK(check_within(before, 200));
        if (!strcmp(all[i].fault, "lie")) CHECK_IS(peer_ask(&sick, "states ok"), before_states);
        if (!strcmp(all[i].fault, "twice")) CHECK(peer_ask(&sick, "states ok") != before_states);
        if (all[i].dies) peer_restart(&sick, bus.address, TREE);
    }
    peer_say(&sick, "heal");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 1000, "s", "press"), 0);
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 1000, "s", "fly"), BACKSTEP_E_UNSUPPORTED);
}

// An element that goes between two questions is gone; it does not lack the action.
static void test_gone_in_between(void) {
    peer_say(&sick, "fault GetName error org.freedesktop.DBus.Error.UnknownObject");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 1000, "s", "press"), BACKSTEP_E_NO_ELEMENT);
    peer_say(&sick, "heal");
    peer_say(&sick, "fault GetName error org.freedesktop.DBus.Error.UnknownMethod"); // as GDBus says it
    peer_say(&sick, "fault GetRole error org.freedesktop.DBus.Error.UnknownMethod");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 1000, "s", "press"), BACKSTEP_E_NO_ELEMENT);
    peer_say(&sick, "heal");
    peer_say(&sick, "fault GetName error org.freedesktop.DBus.Error.UnknownMethod");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 1000, "s", "press"), BACKSTEP_E_UNSUPPORTED);
    peer_say(&sick, "heal");
    // One that is gone when the action is asked for.
    peer_say(&sick, "fault DoAction error org.freedesktop.DBus.Error.UnknownMethod");
    peer_say(&sick, "fault GetRole error org.freedesktop.DBus.Error.UnknownMethod");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 1000, "s", "press"), BACKSTEP_E_NO_ELEMENT);
    peer_say(&sick, "heal");
    // Nor does it lack a place: who is asked what lies there is gone, or has none.
    peer_say(&sick, "fault GetAccessibleAtPoint error org.freedesktop.DBus.Error.UnknownMethod");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_AT_POINT, 1000, "iii", 1, 20, 20), BACKSTEP_E_UNSUPPORTED);
    peer_say(&sick, "fault GetRole error org.freedesktop.DBus.Error.UnknownMethod");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_AT_POINT, 1000, "iii", 1, 20, 20), BACKSTEP_E_NO_ELEMENT);
    peer_say(&sick, "heal");
    peer_say(&sick, "fault GetAccessibleAtPoint error org.freedesktop.DBus.Error.UnknownMethod");
    peer_say(&sick, "fault GetRole hang");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_AT_POINT, 300, "iii", 1, 20, 20), BACKSTEP_E_TIMEOUT_UNKNOWN);
    peer_say(&sick, "heal");
}

// What the act needs to know first may fail, too: then nothing was done, and that is what is said.
static void test_before_the_action(void) {
    peer_say(&sick, "fault NActions hang");
    uint64_t before = bs_now_us();
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 300, "s", "press"), BACKSTEP_E_TIMEOUT_UNSENT);
    took_about(before, 300, "NActions hang");
    peer_say(&sick, "heal");
    peer_say(&sick, "fault GetName hang");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 300, "s", "press"), BACKSTEP_E_TIMEOUT_UNSENT);
    peer_say(&sick, "heal");
    // 2^31 actions, and an answer of another type.
    peer_say(&sick, "fault NActions poke 4 2147483647");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 2000, "s", "press"), 0);
    peer_say(&sick, "heal");
    peer_say(&sick, "fault NActions type v");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 1000, "s", "press"), BACKSTEP_E_PROTOCOL);
    peer_say(&sick, "heal");
}

// A value comes back with the action that sets it, and as what the application made of it; whoever must only be known again
// is asked three questions.
static void test_round_trips(void) {
    check_done d = check_await(session, submit_act(session, &sick, "slider", BACKSTEP_OP_SET_VALUE, 2000, "d", 5.5), 3000);
    bs_reader r = {d.reply.data, d.reply.length, 0, false};
    CHECK_IS(d.status, 0);
    CHECK(bs_get_f64(&r) == 5.5 && !r.failed && r.at == r.length);
    bs_buf_free(&d.reply);
    peer_say(&sick, "fault CurrentValue lie");
    d = check_await(session, submit_act(session, &sick, "slider", BACKSTEP_OP_SET_VALUE, 2000, "d", 6.5), 3000);
    r = (bs_reader){d.reply.data, d.reply.length, 0, false};
    CHECK(d.status == 0 && bs_get_f64(&r) == 5.5);
    bs_buf_free(&d.reply);
    peer_say(&sick, "heal");

    long before = peer_ask(&sick, "calls * slider");
    bs_buf q = {0};
    char path[128];
    snprintf(path, sizeof path, "%sslider", PEER_PATH);
    bs_put_cstr(&q, sick.name);
    bs_put_cstr(&q, path);
    for (uint32_t k = 0; k < 3; k++) bs_put_u32(&q, 1); // window coordinates, a character, brief
    bs_buf reply = {0};
    CHECK_IS(check_run(session, BACKSTEP_OP_READ, &q, 2000, &reply), 0);
    CHECK_IS(peer_ask(&sick, "calls * slider") - before, 3);
    bs_buf_free(&q);
    bs_buf_free(&reply);
}

static int press_if(unsigned role, const char *name, const char *id, unsigned ms) {
    return run_act(session, &sick, "ok", BACKSTEP_OP_IF_SAME, ms, "issis", (int)role, name, id, BACKSTEP_OP_ACTION, "press");
}

// What is done to an element only if it is what was expected: nothing reaches whatever else answers at its address.
static void test_if_same(void) {
    long presses = peer_ask(&sick, "calls DoAction ok");
    CHECK_IS(press_if(43, "OK", "", 1000), 0);
    CHECK_IS(peer_ask(&sick, "calls DoAction ok") - presses, 1);
    check_done d = check_await(session, submit_act(session, &sick, "slider", BACKSTEP_OP_IF_SAME, 2000, "issid", 51, "", "volume", BACKSTEP_OP_SET_VALUE, 4.5), 3000);
    bs_reader r = {d.reply.data, d.reply.length, 0, false};
    CHECK(d.status == 0 && bs_get_f64(&r) == 4.5 && !r.failed && r.at == r.length);
    bs_buf_free(&d.reply);
    CHECK(!strcmp(peer_say(&sick, "value slider"), "4.5"));

    presses = peer_ask(&sick, "calls DoAction ok");
    CHECK_IS(press_if(44, "OK", "", 1000), BACKSTEP_E_CHANGED);
    CHECK_IS(press_if(43, "O", "", 1000), BACKSTEP_E_CHANGED);
    CHECK_IS(press_if(43, "OK!", "", 1000), BACKSTEP_E_CHANGED);
    CHECK_IS(press_if(43, "OK", "other", 1000), BACKSTEP_E_CHANGED);
    static const char *const faults[] = {"GetRole error org.freedesktop.DBus.Error.UnknownObject", "GetRole type v", "Name type i", "Name error org.example.Nonsense"};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) {
        peer_say(&sick, "fault %s", faults[i]);
        CHECK_IS(press_if(43, "OK", "", 1000), BACKSTEP_E_CHANGED);
        peer_say(&sick, "heal");
    }
    peer_say(&sick, "fault Name hang");
    CHECK_IS(press_if(43, "OK", "", 300), BACKSTEP_E_TIMEOUT_UNSENT);
    peer_say(&sick, "heal");
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_IF_SAME, 1000, "issis", 43, "OK", "", BACKSTEP_OP_READ, "press"), BACKSTEP_E_INVALID);
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_IF_SAME, 1000, "issis", 43, "OK", "", BACKSTEP_OP_IF_SAME, "press"), BACKSTEP_E_INVALID);
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_IF_SAME, 1000, "iss", 43, "OK", ""), BACKSTEP_E_INVALID);
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_IF_SAME, 1000, "issi", 43, "OK", "", BACKSTEP_OP_ACTION), BACKSTEP_E_INVALID);
    CHECK_IS(peer_ask(&sick, "calls DoAction ok") - presses, 0);

    peer_say(&sick, "fault DoAction hang");
    CHECK_IS(press_if(43, "OK", "", 300), BACKSTEP_E_TIMEOUT_UNKNOWN);
    peer_say(&sick, "heal");
    peer_say(&sick, "fault GetRole exit");
    CHECK_IS(press_if(43, "OK", "", 1000), BACKSTEP_E_APP_GONE);
    peer_restart(&sick, bus.address, TREE);
}

static void test_other_acts(void) {
    CHECK_IS(run_act(session, &sick, "entry", BACKSTEP_OP_SET_TEXT, 1000, "s", "né"), 0);
    CHECK_IS(run_act(session, &sick, "entry", BACKSTEP_OP_INSERT_TEXT, 1000, "is", 1, "世"), 0);
    CHECK(!strcmp(peer_say(&sick, "text entry"), "n世é"));
    CHECK_IS(run_act(session, &sick, "entry", BACKSTEP_OP_DELETE_TEXT, 1000, "ii", 0, 2), 0);
    CHECK(!strcmp(peer_say(&sick, "text entry"), "é"));
    CHECK_IS(run_act(session, &sick, "slider", BACKSTEP_OP_SET_VALUE, 1000, "d", 7.5), 0);
    CHECK(!strcmp(peer_say(&sick, "value slider"), "7.5"));
    CHECK_IS(run_act(session, &sick, "list", BACKSTEP_OP_SELECT, 1000, "ii", 3, 1), 0);
    CHECK_IS(run_act(session, &sick, "list", BACKSTEP_OP_SELECT, 1000, "ii", 99, 1), BACKSTEP_E_REFUSED);
    CHECK_IS(run_act(session, &sick, "ok", BACKSTEP_OP_SET_VALUE, 1000, "d", 1.0), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(run_act(session, &sick, "nobody", BACKSTEP_OP_SET_VALUE, 1000, "d", 1.0), BACKSTEP_E_NO_ELEMENT);
    CHECK_IS(run_act(session, &sick, "nobody", BACKSTEP_OP_FOCUS, 1000, ""), BACKSTEP_E_NO_ELEMENT);
    // The way that text is written counts bytes or characters, by toolkit: whoever does not say which costs only its own time.
    peer_say(&sick, "fault ToolkitName hang");
    CHECK_IS(run_act(session, &sick, "entry", BACKSTEP_OP_INSERT_TEXT, 300, "is", 0, "世"), BACKSTEP_E_TIMEOUT_UNSENT);
    peer_say(&sick, "heal");
    CHECK(!strcmp(peer_say(&sick, "text entry"), "é"));
}

static void test_snapshots_fail(void) {
    static const failing all[] = {
        {"GetChildren hang", BACKSTEP_E_TIMEOUT_UNKNOWN, 400, false},
        {"GetRole hang", BACKSTEP_E_TIMEOUT_UNKNOWN, 400, false},
        {"GetExtents from=20 hang", BACKSTEP_E_TIMEOUT_UNKNOWN, 400, false},
        {"GetItems hang", BACKSTEP_E_TIMEOUT_UNKNOWN, 400, false},
        {"GetItems slow 150", BACKSTEP_OK, 150, false},
        {"GetItems type s", BACKSTEP_OK, 0, false}, // no cache, then
        {"GetItems error org.freedesktop.DBus.Error.Failed", BACKSTEP_OK, 0, false},
        {"GetExtents error org.freedesktop.DBus.Error.Failed", BACKSTEP_OK, 0, false},
        {"GetExtents type s", BACKSTEP_OK, 0, false},
        {"GetState on=root type s", BACKSTEP_OK, 0, false},
        {"GetRole on=root error org.freedesktop.DBus.Error.UnknownMethod", BACKSTEP_E_NO_ELEMENT, 0, false},
        {"GetRole on=root type s", BACKSTEP_E_PROTOCOL, 0, false},
        {"* from=5 exit", BACKSTEP_E_APP_GONE, 0, true},
        {"GetExtents from=30 close", BACKSTEP_E_APP_GONE, 0, true},
        {"GetExtents from=30 garbage 100", BACKSTEP_E_APP_GONE, 0, true},
        {"GetItems half", BACKSTEP_E_APP_GONE, 0, true},
        {"GetItems cut 8", BACKSTEP_E_APP_GONE, 0, true},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        peer_say(&sick, "heal");
        peer_say(&sick, i ? "cache good" : "cache none"); // with its cache it is not asked for children
        peer_say(&sick, "fault %s", all[i].fault);
        uint64_t before = bs_now_us();
        int64_t ticket = submit_snapshot(session, &sick, all[i].status == BACKSTEP_OK ? 3000 : 400);
        if (all[i].ms) healthy_is_served(all[i].fault);
        int status = await_status(session, ticket, 3500);
        if (status != all[i].status) fprintf(stderr, "%s:\n", all[i].fault);
        CHECK_IS(status, all[i].status);
        if (all[i].status == BACKSTEP_E_TIMEOUT_UNKNOWN) took_about(before, all[i].ms, all[i].fault);
        else CHECK(check_within(before, 350));
        if (all[i].dies) peer_restart(&sick, bus.address, TREE);
    }
    peer_say(&sick, "heal");
}

// Ten in a row on a stopped process: each its own deadline, none the other's time.
static void test_stopped(void) {
    kill(sick.pid, SIGSTOP);
    uint64_t before = bs_now_us();
    int64_t tickets[10];
    for (unsigned i = 0; i < 10; i++) tickets[i] = submit_snapshot(session, &sick, 200 + 100 * i);
    healthy_is_served("stopped");
    for (unsigned i = 0; i < 10; i++) {
        CHECK_IS(await_status(session, tickets[i], 2000), BACKSTEP_E_TIMEOUT_UNKNOWN);
        took_about(before, 200 + 100 * i, "stopped");
        if (i == 4) healthy_is_served("stopped, later");
    }
    kill(sick.pid, SIGCONT);
    rows v;
    CHECK_IS(take_snapshot(session, &sick, "root", 0, 0, 3000, &v), 0);
    CHECK_IS(v.n, 59);
    rows_free(&v);
}

// One application must not be able to answer for another.
static void test_forged_answer(void) {
    static const int ahead[] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (unsigned i = 0; i < sizeof ahead / sizeof *ahead; i++) {
        peer_say(&sick, "heal");
        peer_say(&sick, "fault DoAction serial %d", ahead[i]);
        peer_say(&well, "fault * slow 60"); // so that the forger is first
        int64_t act = submit_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 150, "s", "");
        int64_t other = submit_act(session, &well, "entry", BACKSTEP_OP_SET_TEXT, 2000, "s", "mine");
        int64_t third = submit_act(session, &well, "slider", BACKSTEP_OP_SET_VALUE, 2000, "d", 3.0);
        int64_t press = submit_act(session, &well, "ok", BACKSTEP_OP_ACTION, 2000, "s", "");
        CHECK_IS(await_status(session, act, 1000), BACKSTEP_E_TIMEOUT_UNKNOWN);
        uint64_t before = bs_now_us();
        CHECK_IS(await_status(session, other, 3000), 0);
        CHECK_IS(await_status(session, third, 3000), 0);
        CHECK_IS(await_status(session, press, 3000), 0);
        (void)before;
        peer_say(&well, "heal");
    }
    // Forged refusals: had one been believed, an act would have been called refused.
    peer_say(&sick, "heal");
    peer_say(&sick, "fault DoAction serial 1");
    peer_say(&sick, "node ok - actions=none");
    peer_say(&well, "fault DoAction slow 60");
    for (unsigned i = 0; i < 4; i++) {
        int64_t act = submit_act(session, &sick, "ok", BACKSTEP_OP_ACTION, 150, "s", "");
        int64_t press = submit_act(session, &well, "ok", BACKSTEP_OP_ACTION, 2000, "s", "");
        uint64_t before = bs_now_us();
        CHECK_IS(await_status(session, press, 3000), 0);
        CHECK(bs_now_us() - before > 40000); // its own answer, not the forged one
        CHECK_IS(await_status(session, act, 1000), BACKSTEP_E_TIMEOUT_UNKNOWN);
    }
    peer_say(&well, "heal");
    peer_restart(&sick, bus.address, TREE);
}

static void test_impossible_trees(void) {
    rows v;
    // Cycles and repetitions: every element once.
    peer_say(&sick, "ref row3 win");
    peer_say(&sick, "ref row3 row3");
    peer_say(&sick, "ref row5 root");
    for (unsigned i = 0; i < 5; i++) peer_say(&sick, "ref list row1");
    for (unsigned cache = 0; cache < 2; cache++) {
        peer_say(&sick, cache ? "cache good" : "cache none");
        CHECK_IS(take_snapshot(session, &sick, "root", 0, 0, 3000, &v), 0);
        CHECK_IS(v.n, 59);
        rows_free(&v);
    }
    peer_restart(&sick, bus.address, TREE);
    // Numbers of children that nobody has, with and without "manages descendants".
    static const char *const lies[] = {
        "node list - children=2147483647", "node list - children=2147483647 states=8,24,25,30,31", "node list - children=-1 states=8,24,25,30,31",
        "node list - children=0 states=8,24,25,30", "node list - children=3", "node win - children=2147483647",
    };
    static const unsigned least[] = {59, 59, 19, 19, 59, 59};
    for (unsigned i = 0; i < sizeof lies / sizeof *lies; i++) {
        peer_say(&sick, "%s", lies[i]);
        for (unsigned cache = 0; cache < 2; cache++) {
            peer_say(&sick, cache ? "cache good" : "cache none");
            uint64_t before = bs_now_us();
            CHECK_IS(take_snapshot(session, &sick, "root", BACKSTEP_F_EXTENTS, 0, 5000, &v), 0);
            if (v.n < least[i]) fprintf(stderr, "%s: %u rows\n", lies[i], v.n);
            CHECK(v.n >= least[i] && v.n <= 59);
            CHECK(check_within(before, 1000)); // 2^31 is not counted through
            rows_free(&v);
        }
        healthy_is_served(lies[i]);
    }
    peer_restart(&sick, bus.address, TREE);
    // GetChildren disagrees with the cache: what it names is there, what it does not name any more is not invented.
    peer_say(&sick, "fault GetChildren on=list type a(so)");
    peer_say(&sick, "cache none");
    CHECK_IS(take_snapshot(session, &sick, "root", 0, 0, 3000, &v), 0);
    CHECK_IS(v.n, 19);
    rows_free(&v);
    // A depth beyond what is asked for, a tree of ten thousand, and a bound on it.
    peer_restart(&sick, bus.address, FRAME "deep d win 300 name=deep\nnode big win role=31\nmany n big 10000 role=32 name=\"item %d\"\n");
    CHECK_IS(take_snapshot(session, &sick, "root", 0, 0, 10000, &v), 0);
    CHECK(v.n > 10000 && v.cut == 2);
    printf("  10,000 elements: strategy %u, %u calls\n", v.strategy, v.calls);
    uint64_t from_cache = rows_hash(&v, true);
    rows_free(&v);
    peer_say(&sick, "cache none"); // walked, it is the same
    CHECK_IS(take_snapshot(session, &sick, "root", 0, 0, 20000, &v), 0);
    CHECK(v.n && rows_hash(&v, true) == from_cache);
    rows_free(&v);
    peer_say(&sick, "cache good");
    CHECK_IS(take_snapshot(session, &sick, "root", 0, 500, 10000, &v), 0);
    CHECK(v.n <= 500 && v.cut & 1);
    rows_free(&v);
    peer_restart(&sick, bus.address, TREE);
}

// The slowest act of a session on another bus (so that it is the core that is measured, not the bus daemon), while a huge
// application is read by this one.
static void beside(uint64_t second, const peer *other, const char *what, const char *tree, unsigned least) {
    peer_restart(&sick, bus.address, tree);
    double alone = 0, worst = 0;
    for (unsigned i = 0; i < 200; i++) {
        uint64_t before = bs_now_us();
        CHECK_IS(run_act(second, other, "slider", BACKSTEP_OP_SET_VALUE, 20000, "d", 1.0), 0);
        alone += (double)(bs_now_us() - before) / 200000;
    }
    bs_buf q = {0}; // its tree and names: what takes longest is what the core does by itself
    bs_put_cstr(&q, sick.name), bs_put_cstr(&q, "");
    for (unsigned i = 0; i < 5; i++) bs_put_u32(&q, 0);
    int64_t ticket = backstep_submit(session, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, 60000 * check_slow());
    bs_buf_free(&q);
    uint64_t began = bs_now_us();
    unsigned asked = 0;
    check_done d = {0};
    while (!d.came && asked < 200000) {
        uint64_t before = bs_now_us();
        CHECK_IS(run_act(second, other, "slider", BACKSTEP_OP_SET_VALUE, 20000, "d", 1.0), 0);
        double ms = (double)(bs_now_us() - before) / 1000;
        if (ms > worst) worst = ms;
        asked++;
        d = check_await(session, ticket, 0);
    }
    CHECK(d.came);
    CHECK_IS(d.status, 0);
    uint32_t n = 0;
    if (d.reply.length > 64) memcpy(&n, d.reply.data + 8, 4);
    CHECK(n >= least);
    printf("  beside %s (%u rows in %.0f ms): an act takes %.2f ms alone; %u acts, the slowest %.1f ms, %.0f times as long\n", what, n,
           (double)(bs_now_us() - began) / 1000, alone, asked, worst, worst / alone);
    bs_buf_free(&d.reply);
    CHECK(worst < STALL_MS * check_slow() * check_load() + 4 * machine_late_ms());
}

// A huge application is its own reader's trouble: the I/O thread serves the others meanwhile.
static void test_huge_neighbour(void) {
    a11y_bus other;
    peer well_there;
    int status = -1;
    if (!a11y_start(&other) || !peer_start(&well_there, "--join", other.address, TREE)) return;
    uint64_t second = connect_bus(other.address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    char long_names[2000];
    snprintf(long_names, sizeof long_names, FRAME "node big win role=31\nmany n big %u role=32 name=%0750d\n", check_slow() > 1 ? 2000 : 60000, 0);
    beside(second, &well_there, "60,000 elements", check_slow() > 1 ? FRAME "node big win role=31\nmany n big 6000 role=32 name=\"item %d\"\n"
                                                                   : FRAME "node big win role=31\nmany n big 60000 role=32 name=\"item %d\"\n", 6000);
    beside(second, &well_there, "an answer of 60 MB (an array may have 64)", long_names, 2000);
    CHECK_IS(backstep_close(second), 0);
    peer_stop(&well_there);
    a11y_stop(&other);
    peer_restart(&sick, bus.address, TREE);
}

static void test_password(void) {
    rows v;
    CHECK_IS(take_snapshot(session, &sick, "root", BACKSTEP_F_ALL, 0, 3000, &v), 0);
    int at = row_of(&v, "secret");
    CHECK(at > 0 && v.text[at] == 0xffffffffu);
    rows_free(&v);
    CHECK_IS(take_read(session, &sick, "secret", 1000, &v), 0);
    CHECK_IS(v.n ? v.text[0] : 0, 0xffffffffu);
    rows_free(&v);
    peer_say(&sick, "cache none");
    CHECK_IS(take_snapshot(session, &sick, "root", BACKSTEP_F_ALL, 0, 3000, &v), 0);
    rows_free(&v);
    peer_say(&sick, "cache good");
    // It can be written, though.
    CHECK_IS(run_act(session, &sick, "secret", BACKSTEP_OP_SET_TEXT, 1000, "s", "geheim"), 0);
    CHECK_IS(run_act(session, &sick, "secret", BACKSTEP_OP_INSERT_TEXT, 1000, "is", 0, "x"), 0);
    CHECK(!strcmp(peer_say(&sick, "text secret"), "xgeheim"));
    CHECK_IS(peer_ask(&sick, "calls GetText secret"), 0);
    CHECK_IS(peer_ask(&sick, "calls GetStringAtOffset secret"), 0);
    CHECK(peer_ask(&sick, "calls GetText entry") > 0);
}

static void test_recycled(void) {
    rows v;
    CHECK_IS(take_read(session, &sick, "row3", 1000, &v), 0);
    bs_str name = v.n ? row_text(&v, v.name[0]) : (bs_str){"", 0};
    CHECK(name.length == 5 && !memcmp(name.text, "row 3", 5));
    rows_free(&v);
    peer_say(&sick, "node row3 - role=43 name=Delete");
    CHECK_IS(take_read(session, &sick, "row3", 1000, &v), 0);
    name = v.n ? row_text(&v, v.name[0]) : (bs_str){"", 0};
    CHECK(name.length == 6 && !memcmp(name.text, "Delete", 6) && v.role[0] == 43);
    rows_free(&v);
    peer_say(&sick, "drop row4");
    CHECK_IS(take_read(session, &sick, "row4", 1000, &v), BACKSTEP_E_NO_ELEMENT);
    rows_free(&v);
    CHECK_IS(run_act(session, &sick, "row4", BACKSTEP_OP_FOCUS, 1000, ""), BACKSTEP_E_NO_ELEMENT);
    peer_say(&sick, "node row4 list name=again");
    CHECK_IS(take_read(session, &sick, "row4", 1000, &v), 0);
    rows_free(&v);
}

static void test_events(void) {
    check_seen_count = 0;
    peer_say(&sick, "emit Object StateChanged focused 1 0 ok");
    peer_say(&sick, "emit Object ChildrenChanged remove 0 0 vanished_long_ago");
    peer_say(&sick, "big on");
    peer_say(&sick, "emit Window Activate \"\" 0 0 win Title");
    peer_say(&sick, "big off");
    CHECK(saw_record(BACKSTEP_R_EVENT, session, 1000) && saw_record(BACKSTEP_R_EVENT, session, 1000) && saw_record(BACKSTEP_R_EVENT, session, 1000));
    // Nobody waits: the queue is bounded, what was dropped is counted, the others are served all the same.
    uint8_t *buf = malloc(1 << 20);
    while (backstep_wait(buf, 1 << 20, 0) > 0) {}
    peer_say(&sick, "flood 30000");
    rows v;
    bs_buf q = {0};
    int64_t ticket = submit_snapshot(session, &well, 5000);
    uint64_t until = bs_now_us() + 5000000ull * check_slow(), events = 0, dropped = 0, lost = 0;
    int64_t size = BACKSTEP_E_TICKET;
    while ((size = backstep_take(session, (uint64_t)ticket, NULL, 0)) == BACKSTEP_E_TICKET && bs_now_us() < until) usleep(2000);
    CHECK(size > 1000);
    usleep(300000 * check_slow()); // the flood is through, and nobody has waited
    for (int32_t n; (n = backstep_wait(buf, 1 << 20, 200)) > 0;) {
        bs_reader r = {buf, (size_t)n, 0, false};
        while (r.at < r.length) {
            size_t start = r.at;
            uint32_t length = bs_get_u32(&r), kind = bs_get_u32(&r);
            bs_get_u64(&r);
            if (kind == BACKSTEP_R_EVENT) events++;
            if (kind == BACKSTEP_R_LOST) lost++, dropped += bs_get_u64(&r);
            r.at = start + length;
        }
    }
    CHECK(lost >= 1);
    CHECK_IS(events + dropped, 30000);
    CHECK(events <= 8192 + 10);
    peer_say(&sick, "emit Object StateChanged focused 1 0 ok");
    check_seen_count = 0;
    CHECK(saw_record(BACKSTEP_R_EVENT, session, 1000)); // and room again
    uint8_t *reply = malloc((size_t)size);
    CHECK_IS(backstep_take(session, (uint64_t)ticket, reply, (uint32_t)size), size);
    free(reply);
    free(buf);
    bs_buf_free(&q);
    (void)v;
    healthy_is_served("after a flood");
}

static int count_apps(const char *bus_name) {
    bs_buf reply = {0};
    CHECK_IS(check_run(session, BACKSTEP_OP_APPS, NULL, 2000, &reply), 0);
    bs_reader r = {reply.data, reply.length, 0, false};
    uint32_t n = bs_get_u32(&r);
    int found = 0;
    for (uint32_t i = 0; i < n; i++) {
        bs_str bus = bs_get_str(&r);
        bs_get_str(&r), bs_get_str(&r), bs_get_u32(&r), bs_get_str(&r), bs_get_str(&r);
        found += bus.length == strlen(bus_name) && !memcmp(bus.text, bus_name, bus.length);
    }
    CHECK(!r.failed);
    bs_buf_free(&reply);
    return found;
}

static void test_coming_back(void) {
    peer old = sick;
    peer_say(&sick, "fault GetRole hang");
    int64_t ticket = submit_snapshot(session, &sick, 10000);
    check_pull(20);
    peer_say(&sick, "leave");
    uint64_t before = bs_now_us();
    CHECK_IS(await_status(session, ticket, 2000), BACKSTEP_E_APP_GONE);
    CHECK(check_within(before, 200));
    CHECK_IS(run_act(session, &old, "ok", BACKSTEP_OP_ACTION, 1000, "s", ""), BACKSTEP_E_APP_GONE);
    snprintf(sick.name, sizeof sick.name, "%s", peer_say(&sick, "start"));
    CHECK(strcmp(old.name, sick.name));
    CHECK_IS(run_act(session, &old, "ok", BACKSTEP_OP_ACTION, 1000, "s", ""), BACKSTEP_E_APP_GONE); // a name is never given twice
    peer_say(&sick, "heal");
    CHECK_IS(count_apps(sick.name), 1);
    CHECK_IS(count_apps(old.name), 0);
    // One that is stopped is listed, without its name, after its share of the time.
    kill(sick.pid, SIGSTOP);
    before = bs_now_us();
    CHECK_IS(count_apps(sick.name), 1);
    CHECK(check_within(before, 900));
    kill(sick.pid, SIGCONT);
}

int main(void) {
    int status = -1;
    if (!a11y_start(&bus)) return 1;
    machine_watch(true);
    session = connect_bus(bus.address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    if (!status && peer_start(&well, "--join", bus.address, TREE) && peer_start(&sick, "--join", bus.address, TREE)) {
        for (unsigned i = 0; i < 5; i++) {
            double ms = time_healthy();
            if (!i || ms < healthy_ms) healthy_ms = ms;
        }
        printf("  a healthy snapshot of 59 elements: %.1f ms\n", healthy_ms);
        test_same_tree();
        test_acts_fail();
        test_gone_in_between();
        test_before_the_action();
        test_other_acts();
        test_round_trips();
        test_if_same();
        test_snapshots_fail();
        test_stopped();
        test_forged_answer();
        test_impossible_trees();
        test_huge_neighbour();
        test_password();
        test_recycled();
        test_events();
        test_coming_back();
    } else CHECK(false);
    CHECK_IS(backstep_close(session), 0);
    peer_stop(&sick);
    peer_stop(&well);
    a11y_stop(&bus);
    machine_watch(false);
    return check_report("faults");
}
