/* All that is on the clipboard: kept type by type from owners of every kind, and put back. */
#include "x11_harness.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* An owner of its own connection: what it offers under each name is how it behaves. */
enum { UTF8, TEXT, PICTURE, NUMBERS, REFUSED, MUTE, SAVE, TARGETS, TIMESTAMP, NAMES };
static const char *const names[NAMES] = {"UTF8_STRING", "TEXT", "image/png", "x-numbers", "x-refused", "x-mute", "SAVE_TARGETS", "TARGETS", "TIMESTAMP"};

typedef struct owner {
    pthread_t thread;
    xcb_connection_t *c;
    xcb_atom_t atom[NAMES], selection;
    xcb_window_t window;
    atomic_bool stop, no_targets, silent;
    atomic_uint asked_to_save;
} owner;

static xcb_atom_t atom_of(xcb_connection_t *c, const char *name) {
    xcb_intern_atom_reply_t *a = xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, (uint16_t)strlen(name), name), NULL);
    xcb_atom_t atom = a ? a->atom : XCB_ATOM_NONE;
    free(a);
    return atom;
}

static bool give(owner *o, const xcb_selection_request_event_t *e) {
    static const uint8_t picture[] = {0x89, 'P', 'N', 'G', 0, 1, 2};
    static const uint32_t numbers[] = {7, 8}, since = 4711;
    const xcb_atom_t *a = o->atom;
    if (e->target == a[TARGETS] && !atomic_load(&o->no_targets)) xcb_change_property(o->c, XCB_PROP_MODE_REPLACE, e->requestor, e->property, XCB_ATOM_ATOM, 32, NAMES, a);
    else if (e->target == a[TIMESTAMP]) xcb_change_property(o->c, XCB_PROP_MODE_REPLACE, e->requestor, e->property, XCB_ATOM_INTEGER, 32, 1, &since);
    else if (e->target == a[UTF8]) xcb_change_property(o->c, XCB_PROP_MODE_REPLACE, e->requestor, e->property, a[UTF8], 8, 6, "Gr\xc3\xbc\xc3\x9f");
    else if (e->target == a[TEXT]) xcb_change_property(o->c, XCB_PROP_MODE_REPLACE, e->requestor, e->property, XCB_ATOM_STRING, 8, 4, "Gr\xfc\xdf");
    else if (e->target == a[PICTURE]) xcb_change_property(o->c, XCB_PROP_MODE_REPLACE, e->requestor, e->property, a[PICTURE], 8, sizeof picture, picture);
    else if (e->target == a[NUMBERS]) xcb_change_property(o->c, XCB_PROP_MODE_REPLACE, e->requestor, e->property, XCB_ATOM_INTEGER, 32, 2, numbers);
    else return false;
    return true;
}

static void answer(owner *o, const xcb_selection_request_event_t *e) {
    if (atomic_load(&o->silent) || e->target == o->atom[MUTE]) return;
    if (e->target == o->atom[SAVE]) atomic_fetch_add(&o->asked_to_save, 1);
    xcb_selection_notify_event_t reply = {.response_type = XCB_SELECTION_NOTIFY, .time = e->time, .requestor = e->requestor,
        .selection = e->selection, .target = e->target, .property = give(o, e) ? e->property : XCB_ATOM_NONE};
    char event[32] = {0};
    memcpy(event, &reply, sizeof reply);
    xcb_send_event(o->c, 0, e->requestor, 0, event);
    xcb_flush(o->c);
}

static void *serve(void *argument) {
    owner *o = argument;
    struct pollfd poll_fd = {.fd = xcb_get_file_descriptor(o->c), .events = POLLIN};
    while (!atomic_load(&o->stop)) {
        for (xcb_generic_event_t *event; (event = xcb_poll_for_event(o->c)); free(event)) {
            if ((event->response_type & 0x7f) == XCB_SELECTION_REQUEST) answer(o, (const void *)event);
        }
        poll(&poll_fd, 1, 10);
    }
    return NULL;
}

static void owner_start(owner *o, const char *display) {
    *o = (owner){.c = xcb_connect(display, NULL)};
    for (unsigned i = 0; i < NAMES; i++) o->atom[i] = atom_of(o->c, names[i]);
    o->selection = atom_of(o->c, "CLIPBOARD");
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(o->c)).data;
    o->window = xcb_generate_id(o->c);
    xcb_create_window(o->c, 0, o->window, screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
    xcb_set_selection_owner(o->c, o->window, o->selection, XCB_CURRENT_TIME);
    free(xcb_get_input_focus_reply(o->c, xcb_get_input_focus(o->c), NULL));
    pthread_create(&o->thread, NULL, serve, o);
}

static void owner_stop(owner *o) {
    atomic_store(&o->stop, true);
    pthread_join(o->thread, NULL);
    xcb_disconnect(o->c);
}

static int keep_within(bs_screen *x, uint32_t most, uint32_t all, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, most), bs_put_u32(&q, all);
    return run(x, BACKSTEP_OP_CLIP_KEEP, &q, timeout_ms, NULL);
}

typedef struct item {
    bs_str target, type, bytes;
    uint32_t state;
} item;

/* What the last reply says of a target; false: it is not in there. */
static bool item_of(const char *target, item *out) {
    bs_reader r = {reply_data(), reply_size(), 0, false};
    bs_get_u32(&r), bs_get_u32(&r);
    uint32_t n = bs_get_u32(&r);
    bool found = false;
    for (uint32_t i = 0; i < n; i++) {
        item one = {.target = bs_get_str(&r), .type = bs_get_str(&r)};
        one.state = bs_get_u32(&r), one.bytes = bs_get_bytes(&r);
        if (bs_x11_str_is(one.target, target)) *out = one, found = true;
    }
    CHECK(!r.failed && r.at == r.length, "the reply is whole");
    return found;
}

static bool is_kept(const char *target, const char *type, const void *bytes, size_t n) {
    item i;
    return item_of(target, &i) && i.state == 0 && bs_x11_str_is(i.type, type) && i.bytes.length == n && !memcmp(i.bytes.text, bytes, n);
}

static bool is_left(const char *target, uint32_t state) {
    item i;
    return item_of(target, &i) && i.state == state && i.bytes.length == 0;
}

static void put(bs_buf *q, const char *target, const char *type, const void *bytes, size_t n) {
    bs_put_cstr(q, target), bs_put_cstr(q, type), bs_put_str(q, bytes, n);
}

static int restore(bs_screen *x, const void *big, size_t size) {
    bs_buf q = {0};
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, 3);
    put(&q, "TEXT", "STRING", "Gr\xfc\xdf", 4), put(&q, "image/png", "image/png", "\x89PNG\0\1\2", 7), put(&q, "x-big", "x-large", big, size);
    return run(x, BACKSTEP_OP_CLIP_RESTORE, &q, 3000, NULL);
}

static void of_others(bs_screen *x, const char *display) {
    owner o;
    owner_start(&o, display);
    CHECK(keep_within(x, 0, 0, 10000) == 0, "keep: %s", reply_text());
    CHECK(reply_u32(0) == o.window && reply_u32(4) == 4711, "whose it is, and since when");
    CHECK(is_kept("UTF8_STRING", "UTF8_STRING", "Gr\xc3\xbc\xc3\x9f", 6) && is_kept("TEXT", "STRING", "Gr\xfc\xdf", 4), "text, by its own type");
    CHECK(is_kept("image/png", "image/png", "\x89PNG\0\1\2", 7), "a picture");
    CHECK(is_left("x-numbers", 3) && is_left("x-mute", 2), "what cannot be kept is named");
    item i;
    CHECK(!item_of("x-refused", &i) && !item_of("TARGETS", &i) && !item_of("SAVE_TARGETS", &i), "no content");
    CHECK(!atomic_load(&o.asked_to_save), "nobody is asked to do something");
    CHECK(keep_within(x, 6, 8, 10000) == 0 && is_kept("UTF8_STRING", "UTF8_STRING", "Gr\xc3\xbc\xc3\x9f", 6) && is_left("TEXT", 1) && is_left("image/png", 1),
        "no more than is allowed: %s", reply_text());
    uint64_t start = bs_now_us();
    CHECK(keep_within(x, 0, 0, 900) == 0 && is_left("x-mute", 2) && bs_now_us() - start < 900000, "in time: %s", reply_text());
    atomic_store(&o.no_targets, true);
    CHECK(keep_within(x, 0, 0, 10000) == 0 && reply_u32(8) == 1 && is_kept("UTF8_STRING", "UTF8_STRING", "Gr\xc3\xbc\xc3\x9f", 6), "text of who names nothing");
    atomic_store(&o.silent, true);
    CHECK(keep_within(x, 0, 0, 200) == BACKSTEP_E_TIMEOUT_UNKNOWN, "an owner that says nothing: %s", reply_text());
    owner_stop(&o);
}

void test_keep(const char *display) {
    bs_screen *a = open_or_die(display), *b = open_or_die(display);
    bs_buf none = {0};
    bs_put_cstr(&none, "CLIPBOARD"), bs_put_u32(&none, 0);
    CHECK(run(a, BACKSTEP_OP_CLIP_RESTORE, &none, 3000, NULL) == 0, "emptied: %s", reply_text());
    CHECK(keep_within(a, 0, 0, 3000) == 0 && reply_u32(0) == 0 && reply_u32(8) == 0 && reply_size() == 12, "empty: %s", reply_text());
    of_others(a, display);
    size_t size = 2000017;
    char *big = malloc(size);
    for (size_t i = 0; i < size; i++) big[i] = (char)(i * 2654435761u >> 13);
    CHECK(restore(a, big, size) == 0, "restore: %s", reply_text());
    for (unsigned way = 0; way < 2; way++) { /* our own, and that of another */
        bs_screen *x = way ? b : a;
        pumping *p = way ? pump_start(a) : NULL;
        CHECK(keep_within(x, 0, 0, 10000) == 0 && reply_u32(8) == 3, "exactly what was put there: %u, %s", reply_u32(8), reply_text());
        CHECK(is_kept("TEXT", "STRING", "Gr\xfc\xdf", 4) && is_kept("x-big", "x-large", big, size), "types and bytes, way %u", way);
        CHECK(keep_within(x, 1000000, 0, 10000) == 0 && is_left("x-big", 1) && is_kept("image/png", "image/png", "\x89PNG\0\1\2", 7), "too large, way %u: %s", way, reply_text());
        CHECK(keep_within(x, 0, 0, 10000) == 0 && is_kept("x-big", "x-large", big, size), "what was given up disturbs nothing, way %u", way);
        if (p) pump_stop(p);
    }
    CHECK(clip_read(a, "CLIPBOARD", "UTF8_STRING") == BACKSTEP_E_UNSUPPORTED, "text gets no further names");
    bs_buf bad = {0};
    bs_put_cstr(&bad, "CLIPBOARD"), bs_put_u32(&bad, 1), put(&bad, "DELETE", "DELETE", "", 0);
    CHECK(run(a, BACKSTEP_OP_CLIP_RESTORE, &bad, 3000, NULL) == BACKSTEP_E_INVALID, "no content: %s", reply_text());
    free(big);
    CHECK(clip_write(a, "CLIPBOARD", NULL, NULL, 0) == 0, "give up");
    leave_clipboard(a, b, "Grüße");
    end(b);
}
