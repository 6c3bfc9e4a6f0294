/* What answers for many at once: GetTree (GTK 3 of an application, Chromium of parts, see parts.c), GetActions, tables that
 * make their cells when asked (lazy.c), and two processes on one processor meanwhile (together.c). Right answers and lying ones. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer_driver.h"

static a11y_bus bus;
static uint64_t session;
static peer app;
static char path[128];

// Straight, where no bus stands in between that throws out who sends what is no message.
static void restart(const char *script) {
    peer_restart(&app, bus.address, script);
    peer_say(&app, "straight %s", path);
}

#define TREE                                                                                                                      \
    "node root - interfaces=Application,Collection,Component\n"                                                                   \
    "node win root role=23 name=Window interfaces=Component,Collection rect=0,0,400,300 states=1,8,24,25,30\n"                    \
    "node ok win role=43 name=OK interfaces=Action,Component actions=click,press rect=10,10,80,30\n"                              \
    "node entry win role=61 name=Name interfaces=Component,Text,EditableText text=Hello states=7,8,24,25,30\n"                    \
    "node slider win role=51 interfaces=Component,Value value=5,0,10,0.5\n"                                                       \
    "node wide win role=39 interfaces=Component,Collection\n"                                                                     \
    "many part wide 70 role=39 name=\"part %d\" interfaces=Component,Collection\n"                                                \
    "node list part3 role=31 interfaces=Component,Selection,Collection\n"                                                         \
    "many row list 5 role=32 name=\"row %d\" rect=0,%d,100,20\n"
#define ROWS (1 + 1 + 4 + 70 + 1 + 5)
#define WANTED (BACKSTEP_F_EXTENTS | BACKSTEP_F_TEXT | BACKSTEP_F_VALUE | BACKSTEP_F_ACTIONS | BACKSTEP_F_SELECTION)

static uint64_t tree_hash(unsigned most_ms) {
    rows v;
    uint64_t before = bs_now_us();
    CHECK_IS(take_snapshot_on_screen(session, &app, WANTED, 5000, &v), 0);
    CHECK(check_within(before, most_ms));
    CHECK_IS(v.n, ROWS);
    uint64_t h = v.n ? rows_hash(&v, true) : 0;
    rows_free(&v);
    return h;
}

// The same tree, whatever GetTree says; how often it was asked is told by who asks.
static void test_tree(const char *toolkit, const char *version, long least, long most) {
    static const char *const caches[] = {"good", "none", "partial", "wrong", "empty"};
    static const char *const lies[] = {"tree good", "tree counts", "tree types", "tree others", "fault GetTree cut 40", "fault GetTree type s", "fault GetTree poke 0 2147483647",
        "fault GetTree poke 0 64", "fault GetTree refuse"};
    for (unsigned c = 0; c < sizeof caches / sizeof *caches; c++) {
        restart(TREE);
        peer_say(&app, "app Bulk %s %s", toolkit, version);
        peer_say(&app, "cache %s", caches[c]);
        peer_say(&app, "fault GetTree error org.freedesktop.DBus.Error.UnknownMethod");
        uint64_t walked = tree_hash(3000);
        for (unsigned i = 0; i < sizeof lies / sizeof *lies; i++) {
            peer_say(&app, "heal");
            peer_say(&app, "tree good");
            peer_say(&app, "%s", lies[i]);
            long before = peer_ask(&app, "calls GetTree *");
            uint64_t told = tree_hash(3000);
            if (told != walked) fprintf(stderr, "%s, cache %s, %s: another tree\n", toolkit, caches[c], lies[i]);
            CHECK(told == walked);
            long asked = peer_ask(&app, "calls GetTree *") - before;
            if (c == 0) CHECK(asked >= least && asked <= most);
        }
    }
}

// It saves what it is for: the places of what lies within the parts.
static void test_spared(const char *toolkit, const char *version, const char *without) {
    peer_restart(&app, bus.address, TREE);
    peer_say(&app, "app Bulk %s %s", toolkit, version);
    tree_hash(3000);
    CHECK_IS(peer_ask(&app, "calls GetExtents %s", without), 0);
    peer_say(&app, "tree others");
    tree_hash(3000);
    CHECK_IS(peer_ask(&app, "calls GetExtents %s", without), 1);
}

static uint32_t rows_below(const char *id, unsigned fields) {
    rows v;
    CHECK_IS(take_snapshot(session, &app, id, fields, 0, 3000, &v), 0);
    uint32_t n = v.n;
    rows_free(&v);
    return n;
}

// A part that was seen to be large is read as the whole is: none of it is asked what the cache tells. Of a small one nothing is asked in bulk.
static void test_large_part(void) {
    peer_restart(&app, bus.address, TREE);
    peer_say(&app, "app Bulk GTK 4.8");
    CHECK_IS(rows_below("wide", 0), 1 + 70 + 1 + 5);
    CHECK(peer_ask(&app, "calls GetRole *") > 20); // nobody knew
    uint64_t known = tree_hash(3000);
    CHECK(known != 0);
    long roles = peer_ask(&app, "calls GetRole *"), items = peer_ask(&app, "calls GetItems *");
    CHECK_IS(rows_below("wide", 0), 1 + 70 + 1 + 5);
    CHECK(peer_ask(&app, "calls GetRole *") - roles <= 1); // the top is always asked itself
    CHECK_IS(peer_ask(&app, "calls GetItems *") - items, 1);
    CHECK_IS(rows_below("list", 0), 1 + 5);
    CHECK_IS(peer_ask(&app, "calls GetItems *") - items, 1);
}

// The cache says that the application lies within itself, where parts are cut: it is walked, and ends.
static void test_ring(void) {
    peer_restart(&app, bus.address,
        "node root - interfaces=Application,Collection,Component\nnode ring root role=39 children=1\nmany a root 90 role=39\n"
        "node odd root role=39 children=77\nmany x odd 400 role=39\n");
    peer_say(&app, "app Ring Chromium 130");
    peer_say(&app, "cache ring");
    rows v;
    CHECK_IS(take_snapshot_on_screen(session, &app, WANTED, 5000, &v), 0);
    CHECK_IS(v.n, 1 + 1 + 90 + 1 + 400);
    rows_free(&v);
    CHECK_IS(peer_ask(&app, "calls GetItems *"), 1);
}

// A deadline within parts, and an application that dies of them.
static void test_parts_fail(void) {
    rows v;
    peer_restart(&app, bus.address, TREE);
    peer_say(&app, "app Bulk Chromium 130");
    peer_say(&app, "fault GetTree hang");
    CHECK_IS(take_snapshot_on_screen(session, &app, WANTED, 300, &v), BACKSTEP_E_TIMEOUT_UNKNOWN);
    rows_free(&v);
    peer_say(&app, "heal");
    tree_hash(3000);
    peer_say(&app, "fault GetTree exit");
    CHECK_IS(take_snapshot_on_screen(session, &app, WANTED, 3000, &v), BACKSTEP_E_APP_GONE);
    rows_free(&v);
}

static bool all_named(const char *id, unsigned n, const char *expected) {
    rows v;
    CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_ACTIONS, 0, 3000, &v), 0);
    bool same = v.n > 0;
    for (unsigned i = 0; i < n && same; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%u", id, i);
        int row = row_of(&v, name);
        bs_str text = row < 0 ? (bs_str){"", 0} : row_text(&v, v.actions[row]);
        same = text.length == strlen(expected) && !memcmp(text.text, expected, text.length);
        if (!same) fprintf(stderr, "%s has \"%.*s\"\n", name, (int)text.length, text.text);
    }
    rows_free(&v);
    return same;
}

// Elements of one role that list the same share the names; the list itself is what a person reads, and never told.
static void test_shared_actions(void) {
    restart("node win root role=23\n"
        "many b win 40 role=43 interfaces=Action,Component actions=click,press description=same\n"
        "many c win 10 role=43 interfaces=Action,Component actions=open description=other\n"
        "many d win 10 role=44 interfaces=Action,Component actions=toggle,press description=same\n");
    peer_say(&app, "app Bulk GTK 4.14");
    CHECK(all_named("b", 40, "click\npress"));
    CHECK_IS(peer_ask(&app, "calls GetActions *"), 60);
    CHECK_IS(peer_ask(&app, "calls GetName *"), 2 + 1 + 2);
    CHECK(all_named("c", 10, "open") && all_named("d", 10, "toggle\npress"));
    // Who lists another number is asked for as many names; who cannot list is counted.
    peer_say(&app, "fault GetActions on=b7 error org.freedesktop.DBus.Error.Failed");
    CHECK(all_named("b", 40, "click\npress"));
    CHECK(peer_ask(&app, "calls NActions b7") > 0);
    peer_say(&app, "heal");
    peer_say(&app, "tree counts");
    CHECK(all_named("c", 10, "open\nopen\nopen"));
    peer_say(&app, "tree good");
    static const char *const lies[] = {"fault GetActions type s", "fault GetActions cut 8", "fault GetActions poke 0 65"};
    for (unsigned i = 0; i < sizeof lies / sizeof *lies; i++) {
        peer_say(&app, "%s", lies[i]);
        CHECK(all_named("d", 10, ""));
        peer_say(&app, "heal");
    }
    // The one whose names they share is gone in between: the others have none, or their own, and no one else's.
    peer_say(&app, "fault GetName on=b0 error org.freedesktop.DBus.Error.UnknownObject");
    CHECK(all_named("c", 10, "open"));
}

#define HUGE 2147483647

static void make_sheet(const char *claims) {
    char script[8192], *at = script;
    at += sprintf(at, "app Sheet other 1\nnode win root role=23 rect=0,0,400,300\nnode sheet win role=55 interfaces=Table,Component columns=4 rect=100,100,200,60 %s\n", claims);
    // Twenty rows of four; three of them show.
    for (unsigned i = 0; i < 80; i++) at += sprintf(at, "node c%u sheet role=56 name=c%u rect=%u,%u,50,20\n", i, i, 100 + 50 * (i % 4), 100 + 20 * (i / 4));
    restart("");
    for (char *line = strtok(script, "\n"); line; line = strtok(NULL, "\n")) peer_say(&app, "%s", line);
    peer_say(&app, "cache none");
}

static unsigned cells(long *asked) {
    rows v;
    long before = peer_ask(&app, "calls * *");
    uint64_t began = bs_now_us();
    CHECK_IS(take_snapshot(session, &app, "root", 0, 0, 10000, &v), 0);
    CHECK(check_within(began, 3000));
    CHECK(v.cut & 8);
    unsigned n = v.n > 3 ? v.n - 3 : 0;
    rows_free(&v);
    if (asked) *asked = peer_ask(&app, "calls * *") - before;
    return n;
}

// 2^31 cells are claimed: those in view are asked for, by row and column.
static void test_sheet(void) {
    static const char *const claims[] = {"children=2147483647", "children=2147483647 states=8,24,25,30,31"};
    for (unsigned i = 0; i < 2; i++) {
        make_sheet(claims[i]);
        long asked = 0;
        // The area is three rows of four.
        CHECK_IS(cells(&asked) + 3, 12 + 3 - 0);
        CHECK(asked < 200);
        CHECK_IS(peer_ask(&app, "calls GetChildren sheet"), 0);
        CHECK_IS(peer_ask(&app, "calls GetAccessibleAt sheet"), 12);
    }
    // Whatever is said of the corners, nothing is counted through and every cell is there once.
    static const char *const lies[] = {
        "fault GetExtents on=sheet type s", "fault GetExtents on=sheet poke 8 2147483647", "fault GetExtents on=sheet poke 0 -2147483648",
        "fault GetExtents on=sheet poke 8 -1", "fault GetExtents on=sheet error org.freedesktop.DBus.Error.Failed",
        "fault GetAccessibleAtPoint type s", "fault GetAccessibleAtPoint error org.freedesktop.DBus.Error.Failed",
        "fault GetAccessibleAtPoint times=1 error org.freedesktop.DBus.Error.Failed", "fault GetAccessibleAtPoint poke 4 1668178273",
        "fault GetIndexInParent poke 0 2147483647", "fault GetIndexInParent poke 0 -5", "fault GetIndexInParent from=2 poke 0 2147483647",
        "fault GetRowAtIndex poke 0 2147483647", "fault GetRowAtIndex poke 0 -1", "fault GetRowAtIndex type s",
        "fault GetColumnAtIndex poke 0 2147483647", "fault GetColumnAtIndex from=2 poke 0 2147483647", "fault GetRowAtIndex from=2 poke 0 2147483647",
        "fault GetColumnAtIndex cut 4", "fault GetAccessibleAt type s", "fault GetAccessibleAt error org.freedesktop.DBus.Error.Failed",
    };
    for (unsigned i = 0; i < sizeof lies / sizeof *lies; i++) {
        peer_say(&app, "%s", lies[i]);
        long asked = 0;
        unsigned n = cells(&asked);
        if (n > 80 || asked > 2700) fprintf(stderr, "%s: %u cells, %ld calls\n", lies[i], n, asked);
        CHECK(n <= 80 && asked <= 2700);
        peer_say(&app, "heal");
    }
    CHECK_IS(cells(NULL), 12);
    // A corner that goes away in between.
    peer_say(&app, "fault GetIndexInParent exit");
    rows v;
    CHECK_IS(take_snapshot(session, &app, "root", 0, 0, 5000, &v), BACKSTEP_E_APP_GONE);
    rows_free(&v);
}

// GTK 3 selects no child of a table with several columns: its row is asked for, and selected.
static void test_row_selection(void) {
    make_sheet("");
    CHECK_IS(run_act(session, &app, "sheet", BACKSTEP_OP_SELECT, 1000, "ii", 5, 5), 0);
    CHECK_IS(peer_ask(&app, "calls AddRowSelection sheet"), 1);
    CHECK_IS(run_act(session, &app, "sheet", BACKSTEP_OP_SELECT, 1000, "ii", 5, 4), 0);
    CHECK_IS(peer_ask(&app, "calls RemoveRowSelection sheet"), 1);
    CHECK_IS(run_act(session, &app, "sheet", BACKSTEP_OP_SELECT, 1000, "ii", 4000, 5), BACKSTEP_E_REFUSED);
    CHECK_IS(run_act(session, &app, "win", BACKSTEP_OP_SELECT, 1000, "ii", 0, 5), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(run_act(session, &app, "sheet", BACKSTEP_OP_SELECT, 1000, "ii", 5, 6), BACKSTEP_E_INVALID);
    static const struct {
        const char *fault;
        int status;
    } lies[] = {
        {"fault GetRowAtIndex poke 0 -1", BACKSTEP_E_REFUSED},
        {"fault GetRowAtIndex type s", BACKSTEP_E_PROTOCOL},
        {"fault AddRowSelection type s", BACKSTEP_E_PROTOCOL},
    };
    for (unsigned i = 0; i < sizeof lies / sizeof *lies; i++) {
        peer_say(&app, "%s", lies[i].fault);
        CHECK_IS(run_act(session, &app, "sheet", BACKSTEP_OP_SELECT, 1000, "ii", 5, 5), lies[i].status);
        peer_say(&app, "heal");
    }
    // Nothing has been changed by the question: an answer that does not come is no act that may have happened.
    peer_say(&app, "fault GetRowAtIndex hang");
    CHECK_IS(run_act(session, &app, "sheet", BACKSTEP_OP_SELECT, 300, "ii", 5, 5), BACKSTEP_E_TIMEOUT_UNSENT);
    peer_say(&app, "heal");
    peer_say(&app, "fault AddRowSelection hang");
    CHECK_IS(run_act(session, &app, "sheet", BACKSTEP_OP_SELECT, 300, "ii", 5, 5), BACKSTEP_E_TIMEOUT_UNKNOWN);
    peer_say(&app, "heal");
}

// A machine with nothing to do, whatever else it does: otherwise nobody would be kept together (the Makefile wraps it).
int __wrap_open(const char *name, int flags, ...);
int __real_open(const char *name, int flags, ...);
int __wrap_open(const char *name, int flags, ...) {
    __builtin_va_list rest;
    __builtin_va_start(rest, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? __builtin_va_arg(rest, unsigned) : 0;
    __builtin_va_end(rest);
    static const char idle[] = "0.00 0.00 0.00 1/80 4711\n";
    int fd = strcmp(name, "/proc/loadavg") ? -1 : memfd_create("idle", MFD_CLOEXEC);
    if (fd < 0) return __real_open(name, flags, mode);
    if (write(fd, idle, sizeof idle - 1) < 0) return fd;
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static int processors_of(pid_t pid) {
    cpu_set_t set;
    return sched_getaffinity(pid, sizeof set, &set) ? -1 : CPU_COUNT(&set);
}

// However the operation ends, both are where they were.
static void test_together(void) {
    char display[32];
    pid_t server = start_display(display, sizeof display);
    if (server < 0) {
        printf("  no Xvfb: nobody is kept together\n");
        return;
    }
    bs_buf q = {0};
    bs_put_cstr(&q, bus.address), bs_put_cstr(&q, ""), bs_put_cstr(&q, display), bs_put_u32(&q, 1);
    uint64_t s = (uint64_t)backstep_open();
    CHECK_IS(check_run(s, BACKSTEP_OP_CONNECT, &q, 10000, NULL), 0);
    bs_buf_free(&q);
    int all = processors_of(server), kept = 0;
    for (unsigned how = 0; how < 40; how++) {
        if (!how || how % 4 == 0) {
            peer_restart(&app, bus.address, TREE);
            peer_say(&app, "app Bulk gtk 3.24");
            peer_say(&app, "straight %s", path);
            rows v;
            CHECK_IS(take_snapshot_on_screen(s, &app, 0, 3000, &v), 0); // it is known, and let in
            rows_free(&v);
        }
        peer_say(&app, "heal");
        peer_say(&app, how % 4 == 3 ? "fault GetTree exit" : how % 4 == 2 ? "fault GetTree slow 60" : "fault GetTree slow 1000");
        int64_t ticket = submit_snapshot_on_screen(s, &app, WANTED, how % 4 == 0 ? 60 : 3000);
        check_pull(30);
        kept += processors_of(app.pid) == 1 && processors_of(server) == 1;
        CHECK(processors_of(server) == all || processors_of(server) == 1);
        if (how % 4 == 1) CHECK_IS(backstep_cancel(s, (uint64_t)ticket), 0);
        check_done d = check_await(s, ticket, 5000);
        CHECK(d.came);
        bs_buf_free(&d.reply);
        CHECK_IS(processors_of(server), all);
        if (how % 4 != 3) CHECK_IS(processors_of(app.pid), all);
        if (how >= 7 && kept >= 4 && how % 4 == 3) break;
    }
    printf("  %d times on one processor of %d\n", kept, all);
    CHECK(all < 2 || kept > 0);
    CHECK_IS(backstep_close(s), 0);
    kill(server, SIGKILL), waitpid(server, NULL, 0);
}

// GTK 4 is not asked how long a text is, as long as only GTK itself can say what it is; nobody is asked for a caret unasked.
static void test_text_at_once(void) {
    static const struct { const char *toolkit, *version; bool counted; } all[] = {
        {"GTK", "4.8.3", false}, {"GTK", "4.0.0", false}, {"GTK", "4.14.0", true}, {"GTK", "4.14", true}, {"GTK", "4.8", true}, {"GTK", "4.x", true}, {"GTK", "", true}, {"other", "1", true},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        for (unsigned caret = 0; caret < 2; caret++) {
            rows v;
            restart(TREE);
            peer_say(&app, "app Bulk %s %s", all[i].toolkit, *all[i].version ? all[i].version : "\"\"");
            CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_TEXT | (caret ? BACKSTEP_F_CARET : 0), 0, 3000, &v), 0);
            int entry = row_of(&v, "entry");
            bs_str text = entry < 0 ? (bs_str){"", 0} : row_text(&v, v.text[entry]);
            CHECK(text.length == 5 && !memcmp(text.text, "Hello", 5));
            CHECK_IS(v.cut, 0);
            rows_free(&v);
            CHECK_IS(peer_ask(&app, "calls CharacterCount entry"), all[i].counted);
            CHECK_IS(peer_ask(&app, "calls GetText entry"), 1);
            CHECK_IS(peer_ask(&app, "calls CaretOffset entry"), caret);
            CHECK_IS(peer_ask(&app, "calls GetNSelections entry"), caret);
        }
    }
}

// A text of as many characters as are wanted is whole, one of more is cut, and said to be.
static void test_text_cut(void) {
    static const char *const versions[] = {"4.8.3", "4.14.0"};
    char text[1002];
    memset(text, 'a', sizeof text);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned more = 0; more < 2; more++) {
            rows v;
            text[1000] = more ? 'a' : 0, text[1001] = 0;
            restart(TREE);
            peer_say(&app, "app Bulk GTK %s", versions[i]);
            peer_say(&app, "node long win role=61 name=Long interfaces=Component,Text text=%s", text);
            CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_TEXT, 0, 3000, &v), 0);
            int row = row_of(&v, "long");
            CHECK_IS(row < 0 ? 0 : row_text(&v, v.text[row]).length, 1000);
            CHECK_IS(v.cut, more ? 4 : 0);
            rows_free(&v);
        }
    }
}

// A text is whole however long it was when its characters were counted, and where the end of it has to be named.
static void test_text_whole(void) {
    static const struct { const char *fault; unsigned calls; } all[] = {
        {"CharacterCount on=entry poke 4 3", 1}, {"CharacterCount on=entry poke 4 9", 1},
        {"GetText on=entry times=1 error org.freedesktop.DBus.Error.Failed", 2}, {"GetText on=entry times=1 type s", 2},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        rows v;
        restart(TREE);
        peer_say(&app, "fault %s", all[i].fault);
        CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_TEXT, 0, 3000, &v), 0);
        int entry = row_of(&v, "entry");
        bs_str text = entry < 0 ? (bs_str){"", 0} : row_text(&v, v.text[entry]);
        CHECK(text.length == 5 && !memcmp(text.text, "Hello", 5));
        CHECK_IS(v.cut, 0);
        rows_free(&v);
        CHECK_IS(peer_ask(&app, "calls GetText entry"), all[i].calls);
    }
}

// What costs a call an element comes where it is asked for: relations within the application, and where a text lies.
static void test_relations(void) {
    restart(TREE);
    rows v;
    CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_TEXT | BACKSTEP_F_RELATIONS | BACKSTEP_F_TEXT_RECT, 0, 5000, &v), 0);
    CHECK_IS(v.n, ROWS);
    for (uint32_t i = 0; i < v.n; i++) {
        uint32_t k = v.relations[i], length = v.offsets[k + 1] - v.offsets[k];
        const char *told = v.arena + v.offsets[k];
        if (!i) {
            CHECK_IS(length, 0);
            continue;
        }
        uint32_t parent = v.path[v.parent[i]], wanted = v.offsets[parent + 1] - v.offsets[parent];
        CHECK(length == wanted + 2 && !memcmp(told, "2:", 2) && !memcmp(told + 2, v.arena + v.offsets[parent], wanted));
        bool has_text = v.text[i] != 0xffffffff && v.text[i] != 0;
        CHECK_IS(v.text_rect[4 * i + 2], has_text ? 5 : -1); // "Hello" has five characters
    }
    rows_free(&v);
}

static int ask_roles(const char *of, uint32_t count, const uint32_t *roles, bs_buf *reply) {
    bs_buf q = {0};
    char whose[128];
    snprintf(whose, sizeof whose, PEER_PATH "%s", of);
    bs_put_cstr(&q, app.name), bs_put_cstr(&q, *of ? whose : ""), bs_put_u32(&q, count);
    for (uint32_t i = 0; i < count; i++) bs_put_u32(&q, roles[i]);
    bs_buf_clear(reply);
    int status = check_run(session, BACKSTEP_OP_ROLES, &q, 3000, reply);
    bs_buf_free(&q);
    return status;
}

// The elements of some roles below one, in order and in one call, over whichever way stands.
static void check_roles(const char *of, const char *const *expected, uint32_t count) {
    static const uint32_t roles[] = {32, 43};
    bs_buf reply = {0};
    long before = peer_ask(&app, "calls GetMatches *");
    CHECK_IS(ask_roles(of, 2, roles, &reply), 0);
    CHECK_IS(peer_ask(&app, "calls GetMatches *") - before, 1);
    bs_reader told = {reply.data, reply.length, 0, false};
    CHECK_IS(bs_get_u32(&told), count);
    for (uint32_t i = 0; i < count; i++) {
        bs_str bus_name = bs_get_str(&told), whose = bs_get_str(&told);
        char expect[128];
        snprintf(expect, sizeof expect, PEER_PATH "%s", expected[i]);
        CHECK(bus_name.length == strlen(app.name) && !memcmp(bus_name.text, app.name, bus_name.length));
        CHECK(whose.length == strlen(expect) && !memcmp(whose.text, expect, whose.length));
    }
    CHECK(!told.failed && told.at == told.length);
    bs_buf_free(&reply);
}

static void test_roles(void) {
    static const char *const all[] = {"ok", "row0", "row1", "row2", "row3", "row4"};
    static const uint32_t none = 256, button = 43;
    bs_buf reply = {0};
    restart(TREE);
    peer_say(&app, "app Bulk gtk 3.24");
    check_roles("", all, 6); // before anything is known of the application
    tree_hash(3000);
    check_roles("root", all, 6);
    check_roles("list", all + 1, 5);
    check_roles("part5", NULL, 0);
    peer_say(&app, "fault GetMatches via=straight close");
    CHECK_IS(ask_roles("list", 1, &button, &reply), 0); // a line that breaks meanwhile is no loss
    CHECK_IS(ask_roles("nothing", 1, &button, &reply), BACKSTEP_E_NO_ELEMENT);
    CHECK_IS(ask_roles("list", 1, &none, &reply), BACKSTEP_E_INVALID);
    CHECK_IS(ask_roles("list", 0, &none, &reply), BACKSTEP_E_INVALID);
    static const char *const lies[] = {"fault GetMatches type s", "fault GetMatches cut 12"};
    for (unsigned i = 0; i < 2; i++) {
        peer_restart(&app, bus.address, TREE);
        peer_say(&app, "app Bulk gtk 3.24");
        peer_say(&app, "%s", lies[i]);
        CHECK(ask_roles("list", 1, (uint32_t[]){32}, &reply) < 0);
    }
    peer_restart(&app, bus.address, TREE);
    peer_say(&app, "fault GetMatches error org.freedesktop.DBus.Error.UnknownMethod");
    CHECK_IS(ask_roles("list", 1, &button, &reply), BACKSTEP_E_UNSUPPORTED);
    bs_buf_free(&reply);
}

int main(void) {
    char dir[64] = "/tmp/bs-bulk-XXXXXX";
    if (!mkdtemp(dir) || !a11y_start(&bus)) return 1;
    snprintf(path, sizeof path, "%s/app", dir);
    machine_watch(true);
    int status = -1;
    session = connect_bus(bus.address, "", "", 10000, &status);
    CHECK_IS(status, 0);
    if (peer_start(&app, "--join", bus.address, TREE)) {
        test_tree("gtk", "3.24", 1, 1);
        test_tree("Chromium", "130", 1, 70);
        test_spared("gtk", "3.24", "part5");
        test_spared("Chromium", "130", "list");
        test_large_part();
        test_ring();
        test_parts_fail();
        peer_restart(&app, bus.address, TREE);
        test_shared_actions();
        test_row_selection();
        test_sheet();
        peer_restart(&app, bus.address, TREE);
        test_together();
        test_text_at_once();
        test_text_cut();
        test_text_whole();
        test_relations();
        test_roles();
    } else CHECK(false);
    CHECK_IS(backstep_close(session), 0);
    peer_stop(&app);
    a11y_stop(&bus);
    unlink(path);
    CHECK_IS(rmdir(dir), 0);
    machine_watch(false);
    return check_report("bulk");
}
