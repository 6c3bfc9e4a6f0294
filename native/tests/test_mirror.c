/* The mirror of an application: current by events, noticed to be wrong where events were never sent, and never older than
 * the question. A second session, which reads the application, says what is true. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peer_driver.h"

static a11y_bus bus;
static uint64_t session, other;
static peer app;

#define TREE                                                                                                                                     \
    "node win root role=23 name=Window rect=0,0,400,300 states=1,8,24,25,30\n"                                                                    \
    "node ok win role=43 name=OK interfaces=Action,Component actions=click,press rect=10,10,80,30 id=the-ok\n"                                    \
    "node entry win role=61 name=Name interfaces=Component,Text,EditableText text=Hello states=7,8,24,25,30\n"                                    \
    "node box win role=39 name=Box\n"                                                                                                             \
    "many row box 60 role=32 name=\"row %d\" rect=0,%d,100,20\n"                                                                                  \
    "node nest win role=39\n"                                                                                                                     \
    "many leaf nest 300 role=29 name=\"leaf %d\"\n"

#define PROOF_US 1050000u

static int64_t peek(void) { return backstep_peek(session, (const uint8_t *)app.name, (uint32_t)strlen(app.name)); }

// Says something of the application and waits until the session has heard it.
#define SAID(...)                                                \
    do {                                                         \
        check_seen_count = 0;                                    \
        peer_say(&app, __VA_ARGS__);                             \
        CHECK(saw_record(BACKSTEP_R_EVENT, session, 2000));      \
    } while (0)

static uint64_t truth(void) {
    rows v;
    CHECK_IS(take_snapshot(other, &app, "root", BACKSTEP_F_ID, 0, 3000, &v), 0);
    CHECK_IS(v.source, 0);
    uint64_t h = v.n ? rows_hash(&v, true) : 0;
    rows_free(&v);
    return h;
}

typedef struct took {
    uint32_t n, source, calls, afresh, missed;
    uint64_t generation;
} took;

// From the mirror where there is one; what it says is true.
static took looks(const char *when) {
    rows v;
    CHECK_IS(take_mirror(session, &app, BACKSTEP_F_ID, 0, 3000, &v), 0);
    took t = {v.n, v.source, v.calls, v.afresh, v.missed, v.generation};
    uint64_t mine = v.n ? rows_hash(&v, true) : 0, yours = truth();
    if (mine != yours) fprintf(stderr, "%s: the mirror shows another tree\n", when);
    CHECK(mine == yours);
    rows_free(&v);
    return t;
}

static void begins(void) {
    rows v;
    CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_ID, 0, 3000, &v), 0);
    CHECK(v.source == 0 && v.generation > 0);
    CHECK_IS(peek(), v.generation);
    rows_free(&v);
}

static void test_clean(void) {
    CHECK_IS(peek(), 0);
    begins();
    took t = looks("untouched");
    CHECK(t.source == 1 && t.calls == 0 && t.afresh == 0);
    CHECK_IS(peek(), t.generation);
    rows v;
    CHECK_IS(take_mirror(session, &app, BACKSTEP_F_ID, t.generation, 1000, &v), 0);
    CHECK(v.n == 0 && v.calls == 0 && v.generation == t.generation);
    rows_free(&v);
    // What may not be held is asked for.
    CHECK_IS(take_mirror(session, &app, BACKSTEP_F_ID | BACKSTEP_F_TEXT, t.generation, 1000, &v), 0);
    CHECK(v.n == t.n && v.calls > 0 && v.calls < 10);
    int entry = row_of(&v, "entry");
    CHECK(entry > 0 && row_text(&v, v.text[entry < 0 ? 0 : entry]).length == 5);
    rows_free(&v);
    CHECK_IS(backstep_peek(session, (const uint8_t *)":1.999", 6), 0);
    CHECK_IS(backstep_peek(session + 64, (const uint8_t *)":1.999", 6), BACKSTEP_E_HANDLE);
    CHECK_IS(backstep_peek(session, NULL, 6), BACKSTEP_E_INVALID);
}

static void test_events(void) {
    begins();
    peer_say(&app, "node ok - states=4,8,24,25,30");
    SAID("emit Object StateChanged checked 1 0 ok");
    CHECK_IS(peek(), 0);
    took t = looks("a state");
    CHECK(t.source == 1 && t.calls == 1 && t.afresh == 1);
    CHECK(peek() > 0);
    peer_say(&app, "node row3 - name=renamed");
    SAID("emit Object PropertyChange accessible-name 0 0 row3 renamed");
    CHECK(looks("a name").source == 1);
    peer_say(&app, "drop row7");
    SAID("emit Object ChildrenChanged remove 7 0 box @row7");
    CHECK(looks("a child that went").source == 1);
    peer_say(&app, "node newcomer box role=43 name=New");
    SAID("emit Object ChildrenChanged add 59 0 box @newcomer");
    CHECK(looks("a child that came").source == 1);
    peer_say(&app, "node deeper newcomer role=29 name=Deeper");
    SAID("emit Object ChildrenChanged add 0 0 newcomer @deeper");
    CHECK(looks("a grandchild").source == 1);
    // One path, another element: with as many children as before.
    peer_say(&app, "drop row9");
    peer_say(&app, "emit Object ChildrenChanged remove 9 0 box @row9");
    peer_say(&app, "node row9 box role=7 name=recycled interfaces=Action,Component");
    SAID("emit Object ChildrenChanged add 9 0 box @row9");
    check_pull(20);
    CHECK(looks("a recycled path").source == 1);
    // Gone with a last word, and nothing of its parent.
    peer_say(&app, "drop row11");
    SAID("emit Object StateChanged defunct 1 0 row11");
    CHECK(looks("a defunct element").source == 1);
    peer_say(&app, "node dialog root role=16 name=Dialog");
    peer_say(&app, "node yes dialog role=43 name=Yes");
    SAID("emit Window Create \"\" 0 0 dialog");
    CHECK(looks("a window").source == 1);
    peer_say(&app, "drop dialog");
    SAID("emit Window Destroy \"\" 0 0 dialog");
    CHECK(looks("a window that went").source == 1);
    // Events without a change, and of what is not held, cost a question and nothing else.
    SAID("emit Object StateChanged focused 1 0 leaf5");
    SAID("emit Object BoundsChanged \"\" 0 0 leaf6");
    t = looks("nothing");
    CHECK(t.source == 1 && t.calls == 1);
}

static void test_storm(void) {
    begins();
    check_seen_count = 0;
    for (int i = 0; i < 30; i++) {
        peer_say(&app, "drop leaf%d", i);
        peer_say(&app, "emit Object ChildrenChanged remove 0 0 nest @leaf%d", i);
    }
    for (int i = 0; i < 30; i++) CHECK(saw_record(BACKSTEP_R_EVENT, session, 2000));
    CHECK(looks("a storm of removals").source == 1);
    // A whole new tree: the application's bulk answer costs less than so many questions.
    peer_say(&app, "drop nest");
    peer_say(&app, "node page win role=39");
    peer_say(&app, "many part page 400 role=29 name=\"part %%d\"");
    SAID("emit Object ChildrenChanged add 4 0 win @page");
    CHECK(looks("another tree").source == 0);
    CHECK(looks("and after it").source == 1);
}

// So long at least, and on a slow machine until fifty times what a proof takes have passed.
static void wait_until_due(unsigned least_us) {
    usleep(least_us);
    for (unsigned i = 0; i < 6000 && peek(); i++) usleep(10000);
}

static void wait_for_proof(void) { wait_until_due(PROOF_US); }

static void test_missed(void) {
    static const char *const silent[] = {
        "node row20 - name=silent",
        "node row21 - states=4,8,24,25,30",
        "drop row22",
        "node unheard box role=43 name=Unheard",
    };
    begins();
    uint32_t before = looks("before").missed;
    for (unsigned i = 0; i < sizeof silent / sizeof *silent; i++) {
        peer_say(&app, "%s", silent[i]);
        if (i == 0) {
            // Nobody can know yet: this is what the second is for.
            rows v;
            CHECK_IS(take_mirror(session, &app, BACKSTEP_F_ID, 0, 1000, &v), 0);
            CHECK(v.source == 1);
            rows_free(&v);
        }
        wait_for_proof();
        CHECK_IS(peek(), 0);
        took t = looks(silent[i]);
        CHECK(t.source == 0);
        CHECK_IS(t.missed, before + i + 1);
    }
    // One for another, as many as before.
    peer_say(&app, "drop row23");
    peer_say(&app, "node row23b box role=32 name=\"row 23\"");
    wait_for_proof();
    took t = looks("one for another");
    CHECK(t.source == 0 && t.missed == before + 5);
    // An event of what is not held makes it doubtful: it is proven sooner.
    peer_say(&app, "node row24 - name=doubtful");
    SAID("emit Object StateChanged focused 1 0 nobody");
    wait_until_due(300000);
    CHECK_IS(peek(), 0);
    CHECK_IS(looks("doubt").missed, before + 6);
    // A doubtful one stands for a quarter of a second, but not for what is then told.
    begins();
    SAID("emit Object StateChanged focused 1 0 nobody");
    CHECK(peek() > 0);
    SAID("emit Object StateChanged focused 1 0 ok");
    CHECK_IS(peek(), 0);
    looks("doubt and dirt");
    // What was told is not missed, however late it is asked about; and what is true needs no rebuilding.
    peer_say(&app, "node row25 - name=told");
    SAID("emit Object PropertyChange accessible-name 0 0 row25 told");
    wait_for_proof();
    t = looks("told");
    CHECK(t.source == 1 && t.missed == before + 6);
    // Nobody asks: nothing is asked.
    long calls = peer_ask(&app, "calls * *");
    wait_for_proof();
    CHECK_IS(peer_ask(&app, "calls * *"), calls);
}

// Proofs take a fiftieth of the time, the first too: what the same question took for the tree tells how long one takes.
static void test_costly(void) {
    peer_say(&app, "fault GetItems slow 60");
    begins();
    peer_say(&app, "heal");
    long items = peer_ask(&app, "calls GetItems *");
    usleep(PROOF_US);
    CHECK(peek() > 0);
    rows v;
    CHECK_IS(take_mirror(session, &app, BACKSTEP_F_ID, 0, 1000, &v), 0);
    CHECK(v.source == 1);
    rows_free(&v);
    CHECK_IS(peer_ask(&app, "calls GetItems *"), items);
    wait_until_due(2000000);
    CHECK_IS(looks("a costly proof").source, 1);
    CHECK_IS(peer_ask(&app, "calls GetItems *"), items + 2); // the other reader's, too
}

static void test_meanwhile(void) {
    // The snapshot hangs on one element; another one, asked long before, changes.
    rows v;
    peer_say(&app, "fault ChildCount on=row30 slow 300");
    peer_say(&app, "cache none");
    int64_t ticket = submit_snapshot(session, &app, 5000);
    check_pull(100);
    usleep(100000);
    peer_say(&app, "node ok - name=Later");
    peer_say(&app, "emit Object PropertyChange accessible-name 0 0 ok Later");
    peer_say(&app, "drop row31");
    peer_say(&app, "emit Object ChildrenChanged remove 31 0 box @row31");
    CHECK_IS(await_status(session, ticket, 6000), 0);
    peer_say(&app, "heal");
    peer_say(&app, "cache good");
    CHECK_IS(peek(), 0); // what came is dirty at once
    CHECK(looks("a change while it was read").source == 1);
    // The same while the mirror itself is being brought up to date.
    peer_say(&app, "node row33 - name=slow");
    SAID("emit Object PropertyChange accessible-name 0 0 row33 slow");
    peer_say(&app, "fault Name on=row33 slow 300");
    bs_buf q = {0};
    bs_put_cstr(&q, app.name);
    bs_put_cstr(&q, "");
    uint32_t rest[] = {BACKSTEP_F_ID, 1, 0, 0, 1000, 1, 0, 0};
    for (unsigned i = 0; i < 8; i++) bs_put_u32(&q, rest[i]);
    ticket = backstep_submit(session, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, 5000 * check_slow());
    check_pull(100);
    bs_buf_free(&q);
    peer_say(&app, "node row34 - name=meanwhile");
    peer_say(&app, "emit Object PropertyChange accessible-name 0 0 row34 meanwhile");
    CHECK_IS(await_status(session, ticket, 6000), 0);
    peer_say(&app, "heal");
    CHECK_IS(peek(), 0);
    CHECK(looks("a change while it was brought up to date").source == 1);
    (void)v;
}

static void test_odd(void) {
    // A cache that tells of each element something else than the element: no endless rebuilding, and no wrong tree.
    peer_say(&app, "cache wrong");
    for (unsigned i = 0; i < 3; i++) {
        begins();
        wait_for_proof();
        looks("a cache that lies");
    }
    peer_say(&app, "cache good");
}

static void test_lost(void) {
    begins();
    peer_say(&app, "node row40 - name=drowned");
    peer_say(&app, "emit Object PropertyChange accessible-name 0 0 row40 drowned");
    peer_say(&app, "flood 12000"); // fewer than `check_seen` holds
    check_seen_count = 0;
    usleep(200000 * check_slow());
    // The mirror hears before the queue does: what is lost there is not lost here.
    took t = looks("a flood");
    CHECK(t.missed == looks("after it").missed);
    CHECK(saw_record(BACKSTEP_R_LOST, session, 3000));
    while (check_seen_count) check_seen_count = 0, check_pull(50);
}

static void test_coming_back(void) {
    begins();
    char old[64];
    snprintf(old, sizeof old, "%s", app.name);
    peer_say(&app, "leave");
    rows v;
    CHECK_IS(take_snapshot(session, &app, "root", 0, 0, 1000, &v), BACKSTEP_E_APP_GONE); // until the bus has told
    rows_free(&v);
    CHECK_IS(take_mirror(session, &app, BACKSTEP_F_ID, 0, 1000, &v), BACKSTEP_E_APP_GONE);
    rows_free(&v);
    CHECK_IS(backstep_peek(session, (const uint8_t *)old, (uint32_t)strlen(old)), 0);
    snprintf(app.name, sizeof app.name, "%s", peer_say(&app, "start"));
    CHECK_IS(peek(), 0);
    CHECK(looks("another connection").source == 0);
    CHECK(looks("another connection's mirror").source == 1);
}

static uint64_t root_hash(uint32_t fields) {
    rows v;
    CHECK_IS(take_snapshot(other, &app, "root", fields | BACKSTEP_F_HASH, 0, 3000, &v), 0);
    uint64_t h = v.hash ? v.hash[0] : 0;
    rows_free(&v);
    return h;
}

static void test_hashes(void) {
    uint64_t first = root_hash(0);
    CHECK(first && first == root_hash(BACKSTEP_F_EXTENTS));
    peer_say(&app, "node row50 - rect=5,5,5,5 states=8,12,24,25,30"); // geometry and focus
    CHECK(root_hash(BACKSTEP_F_EXTENTS) == first);
    peer_say(&app, "node row50 - states=4,8,24,25,30");
    uint64_t checked = root_hash(0);
    CHECK(checked != first);
    peer_say(&app, "node row50 - states=8,24,25,30");
    CHECK(root_hash(0) == first);
    peer_say(&app, "node row50 - name=x");
    CHECK(root_hash(0) != first);
    peer_say(&app, "node row50 - name=\"row 50\"");
    peer_say(&app, "node entry - text=Other");
    CHECK(root_hash(0) == first);
    CHECK(root_hash(BACKSTEP_F_TEXT) != first);
    rows a, b;
    CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_HASH, 0, 3000, &a), 0);
    CHECK_IS(take_mirror(session, &app, BACKSTEP_F_HASH, 0, 3000, &b), 0);
    CHECK(a.n == b.n && b.source == 1 && a.hash && b.hash && !memcmp(a.hash, b.hash, 8 * (size_t)a.n));
    rows_free(&a);
    rows_free(&b);
}

// Many changes, each told, in an order of their own; the mirror is the tree.
static void test_any_changes(void) {
    begins();
    unsigned seed = 20261121, added = 0, from_mirror = 0, looked = 0;
    for (unsigned i = 0; i < 300; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned pick = seed >> 8 & 7, which = (seed >> 12) % 60;
        check_seen_count = 0;
        switch (pick) {
        case 0: case 1:
            peer_say(&app, "node m%u box role=%u name=\"made %u\"", added, 29 + added % 20, i);
            peer_say(&app, "emit Object ChildrenChanged add 0 0 box @m%u", added++);
            break;
        case 2:
            if (!added) continue;
            peer_say(&app, "drop m%u", --added);
            peer_say(&app, "emit Object ChildrenChanged remove 0 0 box @m%u", added);
            break;
        case 3: case 4:
            peer_say(&app, "node part%u - name=\"now %u\"", which, i);
            peer_say(&app, "emit Object PropertyChange accessible-name 0 0 part%u x", which);
            break;
        case 5:
            peer_say(&app, "node part%u - states=%u,8,24,25,30", which, i % 2 ? 4 : 11);
            peer_say(&app, "emit Object StateChanged checked 1 0 part%u", which);
            break;
        case 6:
            peer_say(&app, "node part%u - description=\"told %u\"", which, i);
            peer_say(&app, "emit Object PropertyChange accessible-description 0 0 part%u x", which);
            break;
        default:
            peer_say(&app, "node ok - role=%u", 43 + i % 2);
            peer_say(&app, "emit Object PropertyChange accessible-role 0 0 ok x");
        }
        CHECK(saw_record(BACKSTEP_R_EVENT, session, 2000));
        if (i % 7 == 3) looked++, from_mirror += looks("any changes").source;
    }
    CHECK(from_mirror >= looked - 2);
}

// Qt announces few changes: each element is asked what it is, what it is called, its states and its children, and nothing else.
static void test_silent(void) {
    enum { REMEMBERED = 4, ASKED = 4 };
    peer_restart(&app, bus.address, TREE);
    peer_say(&app, "app Mirror Qt 5.15.8");
    rows v;
    CHECK_IS(take_from(session, &app, REMEMBERED, 0, 0, 0, 3000, &v), 0);
    CHECK(v.source == 0 && v.n > 300); // nothing is kept yet
    uint32_t n = v.n;
    rows_free(&v);
    CHECK_IS(peek(), 0);
    long calls = peer_ask(&app, "calls * *");
    CHECK_IS(take_from(session, &app, REMEMBERED, 0, BACKSTEP_F_EXTENTS, 0, 3000, &v), 0);
    CHECK(v.source == 1 && v.n == n && v.rect == NULL);
    CHECK_IS(v.calls, ASKED * n);
    CHECK_IS(peer_ask(&app, "calls * *"), calls + ASKED * n);
    CHECK_IS(peer_ask(&app, "calls GetInterfaces ok"), 1);
    rows_free(&v);
    CHECK_IS(peek(), 0);
    // Whoever wants more than that, or all of it as it is, reads the application.
    for (uint32_t source = 0; source < REMEMBERED; source++) {
        CHECK_IS(take_from(session, &app, source, 0, 0, 0, 3000, &v), 0);
        CHECK_IS(v.source, 0);
        rows_free(&v);
    }
    static const char *const unheard[] = {
        "node row3 - name=renamed", "node row4 - role=43", "node row5 - states=4,8,24,25,30", "drop row7", "node late row8 role=43 name=Late",
        "node later box role=43 name=Later", "drop leaf9", "node leaf9 nest role=43 name=recycled interfaces=Action",
        "drop ok", "node ok box role=43 name=moved", "node box - name=\"another box\"", "drop nest",
    };
    for (unsigned i = 0; i < sizeof unheard / sizeof *unheard; i++) {
        peer_say(&app, "%s", unheard[i]);
        CHECK_IS(take_from(session, &app, REMEMBERED, 0, 0, 0, 3000, &v), 0);
        CHECK_IS(v.source, 1);
        uint64_t mine = rows_hash(&v, true);
        rows_free(&v);
        CHECK_IS(take_snapshot(other, &app, "root", 0, 0, 3000, &v), 0);
        if (rows_hash(&v, true) != mine) fprintf(stderr, "%s: another tree\n", unheard[i]);
        CHECK(rows_hash(&v, true) == mine);
        rows_free(&v);
    }
}

// Who looks for elements of a role gets their names and states, and of all others what they are and where.
static void test_silent_by_role(void) {
    enum { REMEMBERED = 4, LABEL = 29, BUTTON = 43, KEPT = 2, ASKED = 4 };
    peer_restart(&app, bus.address, TREE);
    peer_say(&app, "app Mirror Qt 5.15.8");
    rows v;
    CHECK_IS(take_from(session, &app, REMEMBERED, BUTTON, 0, 0, 3000, &v), 0);
    CHECK(v.source == 0 && v.n > 300);
    uint32_t n = v.n;
    rows_free(&v);
    CHECK_IS(take_from(session, &app, REMEMBERED, BUTTON, 0, 0, 3000, &v), 0);
    CHECK(v.source == 1 && v.n == n);
    CHECK_IS(v.calls, KEPT * n + (ASKED - KEPT) + 4); // there is one button, and four hold something: their names are used
    rows_free(&v);
    peer_say(&app, "node ok - name=renamed");
    peer_say(&app, "node leaf2 - name=unasked");
    peer_say(&app, "node leaf3 - role=43");
    peer_say(&app, "node leaf3 - name=\"a button now\"");
    peer_say(&app, "node come box role=43 name=come");
    peer_say(&app, "drop leaf4");
    CHECK_IS(take_from(session, &app, REMEMBERED, BUTTON, 0, 0, 3000, &v), 0);
    CHECK_IS(v.source, 1);
    static const struct { const char *id, *name; uint16_t role; } now[] = {
        {"ok", "renamed", BUTTON}, {"leaf2", "leaf 2", LABEL}, {"leaf3", "a button now", BUTTON}, {"come", "come", BUTTON},
    };
    for (unsigned i = 0; i < sizeof now / sizeof *now; i++) {
        int row = row_of(&v, now[i].id);
        CHECK(row >= 0);
        if (row < 0) continue;
        bs_str name = row_text(&v, v.name[row]);
        CHECK(name.length == strlen(now[i].name) && !memcmp(name.text, now[i].name, name.length));
        CHECK_IS(v.role[row], now[i].role);
    }
    CHECK_IS(row_of(&v, "leaf4"), -1);
    rows_free(&v);
    // For whom each may match, each is asked.
    CHECK_IS(take_from(session, &app, REMEMBERED, 0, 0, 0, 3000, &v), 0);
    uint64_t mine = rows_hash(&v, true);
    rows_free(&v);
    CHECK_IS(take_snapshot(other, &app, "root", 0, 0, 3000, &v), 0);
    CHECK(rows_hash(&v, true) == mine);
    rows_free(&v);
    CHECK_IS(take_from(session, &app, REMEMBERED, 256, 0, 0, 3000, &v), BACKSTEP_E_INVALID);
    rows_free(&v);
}

// Is the element with this id what lies at a point of "ok"?
static bool lies_there(const char *id) {
    check_done d = check_await(session, submit_act(session, &app, "win", BACKSTEP_OP_AT_POINT, 3000, "iii", 1, 20, 20), 4000);
    CHECK(d.came && !d.status);
    bs_reader r = {d.reply.data, d.reply.length, 0, false};
    bs_get_str(&r);
    bs_str path = bs_get_str(&r);
    const char *slash = path.length ? memrchr(path.text, '/', path.length) : NULL;
    size_t length = slash ? (size_t)(path.text + path.length - slash - 1) : 0;
    bool is = slash && length == strlen(id) && !memcmp(slash + 1, id, length);
    bs_buf_free(&d.reply);
    return is;
}

// What lies at a point and is in no tree stands for what it is a part of; what has just come is itself.
static void test_apart(void) {
    begins();
    CHECK(lies_there("ok"));
    peer_say(&app, "node new ok role=29 interfaces=Component rect=10,10,80,30");
    CHECK(lies_there("new"));
    peer_say(&app, "node part new role=29 interfaces=Component rect=10,10,80,30 apart=1");
    CHECK(lies_there("new"));
    peer_say(&app, "node new - apart=1");
    CHECK(lies_there("ok"));
    // Without a parent that can be asked it is itself.
    peer_say(&app, "fault Parent error org.freedesktop.DBus.Error.Failed");
    CHECK(lies_there("part"));
    peer_say(&app, "heal");
    peer_say(&app, "drop new");
}

int main(void) {
    int status = -1;
    if (!a11y_start(&bus)) return 1;
    session = connect_bus(bus.address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    other = connect_bus(bus.address, "", "", 5000, &status);
    CHECK_IS(status, 0);
    if (!status && peer_start(&app, "--join", bus.address, TREE)) {
        test_clean();
        test_events();
        test_storm();
        test_missed();
        test_costly();
        test_meanwhile();
        test_any_changes();
        test_lost();
        test_hashes();
        test_odd();
        test_coming_back();
        test_apart();
        test_silent();
        test_silent_by_role();
    } else CHECK(false);
    CHECK_IS(backstep_close(session), 0);
    CHECK_IS(backstep_close(other), 0);
    peer_stop(&app);
    a11y_stop(&bus);
    return check_report("mirror");
}
