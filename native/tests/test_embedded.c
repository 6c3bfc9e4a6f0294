/* What another process draws in a window: a socket of ATK with a page of WebKitGTK in it, which gives a name of its own. Only
 * who calls the socket its parent is told as its child. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer_driver.h"

#define PAGE "/org/a11y/webkit/accessible/"

/* Another one each time: the bus may not have seen yet that who had the last one is gone. */
static char name[64];

static a11y_bus bus;
static uint64_t session;
static peer app, page;

#define WINDOW                                                                                                                    \
    "app Host gtk 3.24\n"                                                                                                         \
    "node win root role=23 name=Window interfaces=Component\n"                                                                    \
    "node ok win role=43 name=OK interfaces=Action,Component\n"                                                                   \
    "node socket win role=20 interfaces=Component states= children=1\n"
#define DOCUMENT                                                                                                                  \
    "app Page none 1\n"                                                                                                           \
    "node top root role=20 interfaces=Component states=\n"                                                                        \
    "node doc top role=95 name=Acts interfaces=Component id=44\n"                                                                 \
    "node go doc role=43 name=Go interfaces=Action,Component id=45 attributes=id:count\n"

static int take(uint32_t source, rows *v) { return take_from(session, &app, source, 0, BACKSTEP_F_ID, 0, 5000, v); }

static void embed(const char *how) {
    peer_restart(&app, bus.address, WINDOW);
    peer_restart(&page, bus.address, DOCUMENT);
    static unsigned turn;
    snprintf(name, sizeof name, "peer.Sandboxed.WebProcess-%u", ++turn);
    peer_say(&page, "own %s", name);
    peer_say(&page, "fault GetItems exit"); // as WebKitGTK 2.50 does now and then
    peer_say(&page, "node top - in=%s,%ssocket", how ? how : app.name, PEER_PATH);
}

static void plug(const char *named, const char *at) { peer_say(&app, "node socket - holds=%s,%s", named, at); }

static uint32_t count(uint32_t source) {
    rows v;
    CHECK_IS(take(source, &v), 0);
    uint32_t n = v.n;
    rows_free(&v);
    return n;
}

// Told with its own connection's name, and with the ids of the page: AccessibleId counts objects there.
static void test_page(void) {
    static const char *const caches[] = {"good", "none", "empty", "partial", "wrong", "old"};
    for (unsigned c = 0; c < 6; c++) {
        embed(NULL);
        peer_say(&app, "cache %s", caches[c]);
        plug(name, PAGE "top");
        rows v;
        CHECK_IS(take(0, &v), 0);
        CHECK_IS(v.n, 7);
        int go = row_of(&v, "go");
        CHECK(go >= 0 && row_text(&v, v.name[go]).length == 2);
        rows_free(&v);
        CHECK_IS(peer_ask(&page, "calls GetItems *"), 0);
        CHECK(peer_ask(&page, "calls GetAttributes go") > 0);
        CHECK_IS(peer_ask(&page, "calls AccessibleId go"), 0);
        CHECK_IS(run_act(session, &page, "go", BACKSTEP_OP_FOCUS, 5000, "") == BACKSTEP_E_APP_GONE, false);
    }
}

// A large part of a page is walked, too, by who has seen the window and by who has not.
static void test_part(void) {
    for (unsigned seen = 0; seen < 2; seen++) {
        embed(NULL);
        plug(name, PAGE "top");
        peer_say(&page, "many more doc 200 role=29 interfaces=Component");
        peer_say(&page, "fault ToolkitName error org.freedesktop.DBus.Error.UnknownMethod"); // there is no application
        if (seen) CHECK_IS(count(0), 207);
        rows v;
        CHECK_IS(take_snapshot(session, &page, "doc", BACKSTEP_F_ID, 0, 5000, &v), 0);
        CHECK_IS(v.n, 202);
        rows_free(&v);
        bs_buf q = {0}, reply = {0};
        bs_put_cstr(&q, page.name), bs_put_cstr(&q, PEER_PATH "doc"), bs_put_u32(&q, 1), bs_put_u32(&q, 43);
        CHECK_IS(check_run(session, BACKSTEP_OP_FIND_ROLE, &q, 3000, &reply), 0);
        bs_buf_free(&q), bs_buf_free(&reply);
        CHECK_IS(peer_ask(&page, "calls GetItems *"), 0);
    }
}

static void says_so(void) {
    check_seen_count = 0;
    peer_say(&app, "emit Object StateChanged transient 0 0 socket");
    CHECK(saw_record(BACKSTEP_R_EVENT, session, 3000));
}

// What is embedded is asked each time, since its events go by another name; the window is not.
static void test_mirror(void) {
    embed(NULL);
    plug(name, PAGE "top");
    CHECK_IS(count(2), 7);
    long asked = peer_ask(&app, "calls GetRole ok");
    peer_say(&page, "node later doc role=43 name=Later interfaces=Component");
    CHECK_IS(count(2), 8);
    CHECK_IS(peer_ask(&app, "calls GetRole ok"), asked);
    // Nor does who holds a tree already hold what another process shows.
    for (uint32_t source = 1; source <= 4; source++) {
        rows v;
        CHECK_IS(take(source, &v), 0);
        uint64_t held = v.generation;
        rows_free(&v);
        peer_say(&page, "node go - name=Gone%u", source);
        CHECK_IS(take_from(session, &app, source, 0, BACKSTEP_F_ID, held, 5000, &v), 0);
        int go = v.n ? row_of(&v, "go") : -1;
        CHECK(go >= 0 && row_text(&v, v.name[go]).length == 5);
        rows_free(&v);
    }
    // Who verifies what he finds uses what does not change without it: what is no button is asked for little.
    peer_say(&page, "node text doc role=29 name=Text interfaces=Component id=46");
    CHECK_IS(count(0), 9);
    CHECK_IS(count(1), 9);
    long interfaces = peer_ask(&page, "calls GetInterfaces *"), states = peer_ask(&page, "calls GetState text"), ids = peer_ask(&page, "calls GetAttributes text");
    peer_say(&page, "node go - name=Again attributes=id:other");
    peer_say(&page, "node doc - name=Title");
    rows v;
    CHECK_IS(take_from(session, &app, 4, 43, BACKSTEP_F_ID, 0, 5000, &v), 0);
    int go = row_of(&v, "go"), doc = row_of(&v, "doc");
    CHECK(go >= 0 && row_text(&v, v.name[go]).length == 5 && doc >= 0 && row_text(&v, v.name[doc]).length == 5);
    rows_free(&v);
    CHECK_IS(peer_ask(&page, "calls GetInterfaces *"), interfaces);
    CHECK_IS(peer_ask(&page, "calls GetState text"), states);
    CHECK_IS(peer_ask(&page, "calls GetAttributes text"), ids);
    // Whoever wants to know how it is has all of it read.
    peer_say(&page, "node text - name=Other");
    for (uint32_t source = 0; source <= 3; source++) {
        CHECK_IS(take_from(session, &app, source, 43, BACKSTEP_F_ID, 0, 5000, &v), 0);
        int text = row_of(&v, "text");
        CHECK(text >= 0 && row_text(&v, v.name[text]).length == 5);
        rows_free(&v);
        CHECK(peer_ask(&page, "calls GetState text") > states);
        states = peer_ask(&page, "calls GetState text");
    }
    peer_say(&page, "drop text");
    // Embedded is what says so, which may be a moment later.
    peer_say(&page, "node top - in=:1.9999,%ssocket", PEER_PATH);
    CHECK_IS(count(2), 4);
    peer_say(&page, "node top - in=%s,%ssocket", app.name, PEER_PATH);
    CHECK_IS(count(2), 8);
    // A page that comes later is said by a state of what it is embedded in.
    peer_say(&app, "node socket - holds=:1.9999,%stop children=0", PEER_PATH);
    says_so();
    CHECK_IS(count(2), 4);
    peer_say(&app, "node socket - children=1");
    plug(name, PAGE "top");
    says_so();
    CHECK_IS(count(2), 8);
}

// An application that tells an element of another one for its own would have it used in its name.
static void test_taken(void) {
    embed(":1.1");
    plug(name, PAGE "top");
    CHECK_IS(count(0), 4);
    plug(page.name, PEER_PATH "doc");
    CHECK_IS(count(0), 4);
    embed(NULL);
    plug(page.name, PEER_PATH "top");
    CHECK_IS(count(0), 7);
    static const char *const lies[] = {"fault Parent error org.freedesktop.DBus.Error.UnknownProperty", "fault Parent type s", "fault Parent cut 8", "fault Parent on=top exit"};
    for (unsigned i = 0; i < sizeof lies / sizeof *lies; i++) {
        embed(NULL);
        plug(name, PAGE "top");
        peer_say(&page, "%s", lies[i]);
        CHECK_IS(count(0), 4);
    }
    // Nobody has the name, or who has it is the application itself.
    embed(NULL);
    plug("peer.Nobody", PAGE "top");
    CHECK_IS(count(0), 4);
    peer_say(&app, "own peer.Itself");
    plug("peer.Itself", PEER_PATH "ok");
    CHECK_IS(count(0), 4);
}

int main(void) {
    if (!a11y_start(&bus)) return 1;
    int status = -1;
    session = connect_bus(bus.address, "", "", 10000, &status);
    CHECK_IS(status, 0);
    if (peer_start(&app, "--join", bus.address, WINDOW) && peer_start(&page, "--join", bus.address, DOCUMENT)) {
        test_page();
        test_part();
        test_mirror();
        test_taken();
    } else CHECK(false);
    CHECK_IS(backstep_close(session), 0);
    peer_stop(&page);
    peer_stop(&app);
    a11y_stop(&bus);
    return check_report("embedded");
}
