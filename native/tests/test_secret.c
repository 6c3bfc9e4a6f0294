/* Nothing that was typed is in an event, and the text of what was seen as a password field is never read, whatever it is later. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "peer_driver.h"

#define TREE                                                                                                     \
    "node win root role=23 name=Window rect=0,0,400,300\n"                                                       \
    "node plain win role=61 name=Plain interfaces=Component,Text,EditableText text=open\n"                       \
    "node pin win role=40 name=Pin interfaces=Component,Text,EditableText text=hunter2\n"

static a11y_bus bus;
static peer app;
static uint64_t session;

static bool has(const rows *v, const char *what) {
    return memmem(v->bytes.data, v->bytes.length, what, strlen(what));
}

// The text of an element as each way of reading tells it: "" is none.
static void text_is(const char *id, const char *expected) {
    rows v;
    CHECK_IS(take_read(session, &app, id, 3000, &v), 0);
    bs_str text = row_text(&v, v.n == 1 && v.text[0] != 0xffffffff ? v.text[0] : 0);
    CHECK(text.length == strlen(expected) && !memcmp(text.text, expected, text.length));
    CHECK(v.n == 1 && (v.text[0] == 0xffffffff) == !*expected);
    CHECK(!has(&v, "hunter2"));
    rows_free(&v);
    CHECK_IS(take_snapshot(session, &app, "root", BACKSTEP_F_ALL, 0, 3000, &v), 0);
    CHECK(row_of(&v, id) >= 0 && (v.text[row_of(&v, id)] == 0xffffffff) == !*expected);
    CHECK(!has(&v, "hunter2"));
    rows_free(&v);
    CHECK_IS(take_mirror(session, &app, BACKSTEP_F_ALL, 0, 3000, &v), 0);
    CHECK(!has(&v, "hunter2"));
    rows_free(&v);
}

// The next event, or NULL.
static const check_record *event(const char *kind) {
    for (uint64_t until = bs_now_us() + 2000000ull * check_slow(); bs_now_us() < until; check_pull(50)) {
        for (unsigned i = 0; i < check_seen_count; i++)
            if (check_seen[i].kind == BACKSTEP_R_EVENT && !strcmp(check_seen[i].event, kind)) return &check_seen[i];
    }
    return NULL;
}

static void tells(const char *said, const char *kind, const char *expected) {
    check_seen_count = 0;
    peer_say(&app, "emit %s", said);
    const check_record *e = event(kind);
    CHECK(e && !strcmp(e->text, expected));
    if (e && strcmp(e->text, expected)) fprintf(stderr, "%s: \"%s\", not \"%s\"\n", said, e->text, expected);
}

int main(void) {
    if (!a11y_start(&bus)) return 1;
    if (peer_start(&app, "--join", bus.address, TREE)) {
        int status = -1;
        session = connect_bus(bus.address, "", "", 5000, &status);
        CHECK_IS(status, 0);
        tells("Object TextChanged insert 0 7 pin hunter2", "object:text-changed:insert", "");
        tells("Object TextChanged insert 0 7 plain hunter2", "object:text-changed:insert", "");
        tells("Object TextChanged delete 0 7 plain hunter2", "object:text-changed:delete", "");
        tells("Object PropertyChange accessible-value 0 0 plain hunter2", "object:property-change:accessible-value", "");
        tells("Object PropertyChange accessible-name 0 0 plain Other", "object:property-change:accessible-name", "Other");
        text_is("plain", "open");
        text_is("pin", "");
        peer_say(&app, "node pin - role=61");
        text_is("pin", "");
        tells("Object PropertyChange accessible-name 0 0 pin hunter2", "object:property-change:accessible-name", "");
        // What is gone may give its path to another.
        tells("Object StateChanged defunct 1 0 pin", "object:state-changed:defunct", "");
        peer_say(&app, "node pin - text=new");
        text_is("pin", "new");
        // Seen by whoever looks for a role, and read by another.
        peer_say(&app, "node pin - role=40 text=hunter2");
        bs_buf q = {0}, reply = {0};
        bs_put_cstr(&q, app.name), bs_put_cstr(&q, ""), bs_put_u32(&q, 1), bs_put_u32(&q, 40);
        CHECK_IS(check_run(session, BACKSTEP_OP_FIND_ROLE, &q, 3000, &reply), 0);
        bs_buf_free(&q), bs_buf_free(&reply);
        peer_say(&app, "node pin - role=61");
        text_is("pin", "");
        CHECK_IS(backstep_close(session), 0);
    } else CHECK(false);
    peer_stop(&app);
    a11y_stop(&bus);
    return check_report("secret");
}
