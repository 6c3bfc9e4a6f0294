/* A bus that is itself the enemy: it authenticates badly, answers with bytes that are no messages, and closes half-way. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer_driver.h"

static char dir[64], path[80], address[100];
static peer hostile;

#define TREE                                                                                                                                \
    "node win root role=23 name=Window rect=0,0,400,300\n"                                                                                    \
    "node ok win role=43 name=OK interfaces=Action,Component actions=click,press\n"                                                         \
    "node entry win role=61 interfaces=Component,Text,EditableText text=abc select=1,2\n"                                                   \
    "node slider win role=51 interfaces=Component,Value value=5,0,10,0.5 id=volume attributes=class:slider\n"                               \
    "node list win role=31 interfaces=Component,Selection\n"                                                                                \
    "many row list 8 role=32 states=23,24 name=\"row %d\"\n"

static void fresh(void) {
    peer_stop(&hostile);
    CHECK(peer_start(&hostile, "--bus", path, TREE));
}

static int try_connect(unsigned ms) {
    int status = -1;
    uint64_t s = connect_bus(address, "", "", ms, &status);
    CHECK_IS(backstep_close(s), 0);
    return status;
}

static void test_handshake(void) {
    static const struct { const char *sasl; int status; unsigned ms; } all[] = {
        {"REJECTED EXTERNAL\\r\\n", BACKSTEP_E_BUS, 0},
        {"ERROR\\r\\n", BACKSTEP_E_BUS, 0},
        {"DATA\\r\\n", BACKSTEP_E_BUS, 0},
        {"OK\\r\\n", BACKSTEP_E_BUS, 0},
        {"\\r\\n", BACKSTEP_E_BUS, 0},
        {"\\0\\0\\0\\0\\n", BACKSTEP_E_BUS, 0},
        {"close", BACKSTEP_E_BUS, 0},
        {"-", BACKSTEP_E_TIMEOUT_UNSENT, 300},
        {"OK 0123", BACKSTEP_E_TIMEOUT_UNSENT, 300}, // a line without an end
        {"OK 0123456789abcdef\\nthis is no message at all, is it", BACKSTEP_E_BUS, 0},
        {"OK 0123456789abcdef0123456789abcdef\\r\\n", BACKSTEP_OK, 0},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        fresh();
        peer_say(&hostile, "sasl %s", all[i].sasl);
        uint64_t before = bs_now_us();
        int status = try_connect(all[i].ms ? all[i].ms : 2000);
        if (status != all[i].status) fprintf(stderr, "sasl %s:\n", all[i].sasl);
        CHECK_IS(status, all[i].status);
        if (all[i].ms) took_about(before, all[i].ms, "a handshake without an end");
        else CHECK(check_within(before, 500));
    }
}

static void test_connect_answers(void) {
    static const struct { const char *fault; int status; unsigned ms; } all[] = {
        {"Hello hang", BACKSTEP_E_TIMEOUT_UNKNOWN, 300},
        {"Hello error org.freedesktop.DBus.Error.AccessDenied", BACKSTEP_E_BUS, 0},
        {"Hello type u", BACKSTEP_E_PROTOCOL, 0},
        {"Hello poke 0 4000000000", BACKSTEP_E_PROTOCOL, 0},
        {"Hello cut 3", BACKSTEP_E_PROTOCOL, 0},
        {"Hello half", BACKSTEP_E_BUS, 0},
        {"Hello close", BACKSTEP_E_BUS, 0},
        {"Hello exit", BACKSTEP_E_BUS, 0},
        {"Hello garbage 100", BACKSTEP_E_BUS, 0},
        {"Hello big", BACKSTEP_OK, 0},
        {"Hello twice", BACKSTEP_OK, 0},
        {"Hello serial 1", BACKSTEP_E_TIMEOUT_UNKNOWN, 300},
        {"AddMatch error org.freedesktop.DBus.Error.LimitsExceeded", BACKSTEP_E_BUS, 0},
        {"RegisterEvent from=9 hang", BACKSTEP_E_TIMEOUT_UNKNOWN, 300},
        {"RegisterEvent from=15 close", BACKSTEP_E_BUS, 0},
        {"RegisterEvent from=15 tail 64", BACKSTEP_E_BUS, 0}, // broken by what comes together with the last answer
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        fresh();
        peer_say(&hostile, "fault %s", all[i].fault);
        uint64_t before = bs_now_us();
        int status = try_connect(all[i].ms ? all[i].ms : 2000);
        if (status != all[i].status) fprintf(stderr, "%s:\n", all[i].fault);
        CHECK_IS(status, all[i].status);
        if (all[i].ms) took_about(before, all[i].ms, all[i].fault);
        else CHECK(check_within(before, 500));
    }
}

// What is malformed within a message is that answer's misfortune; what is no message ends the connection, once.
static void test_malformed_answers(void) {
    static const struct { const char *fault; int status; bool breaks; } all[] = {
        {"DoAction cut 1", BACKSTEP_E_PROTOCOL, false},
        {"DoAction cut 4", BACKSTEP_E_PROTOCOL, false},
        {"DoAction poke 0 2", BACKSTEP_E_PROTOCOL, false},
        {"DoAction type s", BACKSTEP_E_PROTOCOL, false},
        {"DoAction garbage 64", BACKSTEP_E_BUS, true},
        {"DoAction tail 64", BACKSTEP_OK, true},
        {"DoAction half", BACKSTEP_E_BUS, true},
        {"DoAction close", BACKSTEP_E_BUS, true},
        {"DoAction pokehead 0 0", BACKSTEP_E_BUS, true},           // no byte order
        {"DoAction pokehead 4 4294967295", BACKSTEP_E_BUS, true},  // a body of 4 GiB
        {"DoAction pokehead 12 4294967295", BACKSTEP_E_BUS, true}, // fields without an end
        {"DoAction pokehead 8 0", BACKSTEP_E_BUS, true},           // serial 0
        {"DoAction pokehead 4 134217000", BACKSTEP_E_TIMEOUT_UNKNOWN, false}, // a body that would be allowed, and never comes
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        fresh();
        int status = -1;
        uint64_t s = connect_bus(address, "", "", 2000, &status);
        CHECK_IS(status, 0);
        peer_say(&hostile, "fault %s", all[i].fault);
        status = run_act(s, &hostile, "ok", BACKSTEP_OP_ACTION, 400, "s", "");
        if (status != all[i].status) fprintf(stderr, "%s:\n", all[i].fault);
        CHECK_IS(status, all[i].status);
        CHECK_IS(saw_record(BACKSTEP_R_BROKEN, s, all[i].breaks ? 1000 : 0), all[i].breaks);
        CHECK(!saw_record(BACKSTEP_R_BROKEN, s, 0)); // told once
        if (all[i].breaks) CHECK_IS(run_act(s, &hostile, "ok", BACKSTEP_OP_FOCUS, 400, ""), BACKSTEP_E_BUS);
        else if (all[i].status == BACKSTEP_E_PROTOCOL) CHECK_IS(run_act(s, &hostile, "ok", BACKSTEP_OP_FOCUS, 400, ""), BACKSTEP_OK);
        CHECK_IS(backstep_close(s), 0);
        check_seen_count = 0;
    }
}

// Numbers written over every place of every kind of answer, and its end cut off: whatever comes of it comes within the deadline.
static void test_every_answer_poked(void) {
    static const char *const members[] = {"GetItems", "GetRole", "GetState", "GetInterfaces", "ChildCount", "Name", "GetChildren", "GetExtents", "GetAttributes",
        "CharacterCount", "GetText", "GetNSelections", "GetSelection", "CurrentValue", "NActions", "GetName", "NSelectedChildren", "GetSelectedChild",
        "GetRelationSet", "GetRangeExtents", "GetIndexInParent", "GetAccessibleAtPoint"};
    static const char *const values[] = {"0", "1", "65536", "2147483647", "2147483648", "4294967295"};
    unsigned outcomes[32] = {0};
    fresh();
    int status = -1;
    uint64_t s = connect_bus(address, "", "", 2000, &status);
    unsigned step = check_slow() > 1 ? 7 : 1, turn = 0;
    for (unsigned m = 0; m < sizeof members / sizeof *members; m++) {
        for (unsigned at = 0; at < 48; at += 4) {
            for (unsigned k = 0; k <= sizeof values / sizeof *values; k++) {
                if (turn++ % step) continue;
                peer_say(&hostile, "heal");
                peer_say(&hostile, strcmp(members[m], "GetItems") ? "cache none" : "cache good");
                if (k < sizeof values / sizeof *values) peer_say(&hostile, "fault %s poke %u %s", members[m], at, values[k]);
                else peer_say(&hostile, "fault %s cut %u", members[m], at + 1);
                rows v;
                uint64_t before = bs_now_us();
                status = m == sizeof members / sizeof *members - 1 ? run_act(s, &hostile, "win", BACKSTEP_OP_AT_POINT, 1000, "iii", 1, 20, 20)
                                                                  : take_snapshot(s, &hostile, "root", BACKSTEP_F_ALL | BACKSTEP_F_RELATIONS | BACKSTEP_F_TEXT_RECT, 2000, 1000, &v);
                if (m < sizeof members / sizeof *members - 1) rows_free(&v);
                CHECK(status <= 0 && status > -30);
                CHECK(check_within(before, 1200));
                outcomes[-status & 31]++;
                if (status != BACKSTEP_E_BUS) continue;
                backstep_close(s);
                fresh();
                s = connect_bus(address, "", "", 2000, &status);
                CHECK_IS(status, 0);
            }
        }
    }
    CHECK_IS(backstep_close(s), 0);
    printf("  poked answers: %u snapshots went well, %u PROTOCOL, %u NO_ELEMENT, %u TIMEOUT, %u BUS\n", outcomes[0], outcomes[16], outcomes[10], outcomes[6],
           outcomes[14]);
    CHECK(outcomes[0] > 20 * 7 && outcomes[14] == 0);
}

// The launcher on the session bus is a courtesy: when it hangs, it costs its second, not the whole deadline.
static void test_hung_launcher(void) {
    fresh();
    char other[90], session_bus[110];
    snprintf(other, sizeof other, "%s2", path);
    snprintf(session_bus, sizeof session_bus, "unix:path=%s", other);
    peer launcher;
    CHECK(peer_start(&launcher, "--bus", other, "fault IsEnabled hang\n"));
    int status = -1;
    uint64_t before = bs_now_us(), s = connect_bus(address, session_bus, "", 5000, &status);
    CHECK_IS(status, 0);
    CHECK(check_within(before, 1300));
    CHECK_IS(backstep_close(s), 0);
    // A session bus that breaks in the middle is a courtesy as well.
    peer_say(&launcher, "heal");
    peer_say(&launcher, "fault Hello close");
    s = connect_bus(address, session_bus, "", 3000, &status);
    CHECK_IS(status, 0);
    CHECK_IS(backstep_close(s), 0);
    peer_stop(&launcher);
    unlink(other);
    // Asked for the address of the accessibility bus, it is not: nonsense, silence, an error.
    static const struct { const char *fault; int status; } all[] = {
        {"GetAddress hang", BACKSTEP_E_TIMEOUT_UNKNOWN}, {"GetAddress type u", BACKSTEP_E_BUS}, {"GetAddress close", BACKSTEP_E_BUS},
        {"GetAddress error org.freedesktop.DBus.Error.ServiceUnknown", BACKSTEP_E_BUS}, {"GetAddress garbage 99", BACKSTEP_E_BUS},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        fresh();
        peer_say(&hostile, "fault %s", all[i].fault);
        s = connect_bus("", address, "", 400, &status);
        if (status != all[i].status) fprintf(stderr, "%s:\n", all[i].fault);
        CHECK_IS(status, all[i].status);
        CHECK_IS(backstep_close(s), 0);
    }
}

int main(void) {
    snprintf(dir, sizeof dir, "/tmp/bs-hostile-XXXXXX");
    if (!mkdtemp(dir)) return 1;
    snprintf(path, sizeof path, "%s/bus", dir);
    snprintf(address, sizeof address, "unix:path=%s", path);
    machine_watch(true);
    test_handshake();
    test_connect_answers();
    test_malformed_answers();
    test_every_answer_poked();
    test_hung_launcher();
    peer_stop(&hostile);
    unlink(path);
    rmdir(dir);
    machine_watch(false);
    return check_report("hostile");
}
