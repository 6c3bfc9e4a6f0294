/* Reading the clipboard of others and setting our own. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT ((size_t)64 << 20)
#define OFFERS 64u

static bool is(bs_str s, const char *text) {
    return s.length == strlen(text) && !memcmp(s.text, text, s.length);
}

static int selection_of(bs_x11 *x, bs_str name, bs_selection **s) {
    bool primary = is(name, "PRIMARY");
    *s = &x->clipboard.selection[primary];
    if (primary || is(name, "CLIPBOARD")) return BACKSTEP_OK;
    return bs_x11_fail(x, BACKSTEP_E_INVALID, "the selection is CLIPBOARD or PRIMARY, not \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
}

/* The server's time, which the rules of selections want instead of "now". */
static int server_time(bs_x11 *x, xcb_timestamp_t *time) {
    x->clipboard.now = 0;
    xcb_change_property(x->c, XCB_PROP_MODE_APPEND, x->own, x->atom[BS_A_BACKSTEP_TIME], XCB_ATOM_INTEGER, 32, 0, NULL);
    int status = bs_x11_flush(x);
    while (!status && !x->clipboard.now) status = bs_x11_wait_events(x, x->deadline_us);
    *time = x->clipboard.now;
    return status;
}

static int too_large(bs_x11 *x) {
    return bs_x11_fail(x, BACKSTEP_E_LIMIT, "the content is larger than %zu MiB", LIMIT >> 20);
}

/* Names of atoms, one a line. */
static int put_names(bs_x11 *x, const uint8_t *atoms, size_t n) {
    unsigned *sequence = calloc(n + 1, sizeof *sequence);
    if (!sequence) return bs_x11_fail(x, BACKSTEP_E_MEMORY, "out of memory");
    int status = BACKSTEP_OK;
    size_t start = x->reply->length;
    for (size_t i = 0; i < n; i++) {
        xcb_atom_t atom;
        memcpy(&atom, atoms + 4 * i, 4);
        sequence[i] = xcb_get_atom_name(x->c, atom).sequence;
    }
    for (size_t i = 0; i < n; i++) {
        xcb_get_atom_name_reply_t *reply = NULL;
        if (status) xcb_discard_reply(x->c, sequence[i]);
        else status = bs_x11_await(x, sequence[i], &reply);
        if (!reply) continue; /* a number that is no atom */
        if (x->reply->length > start) bs_put_u8(x->reply, '\n');
        bs_put(x->reply, xcb_get_atom_name_name(reply), (size_t)xcb_get_atom_name_name_length(reply));
        free(reply);
    }
    free(sequence);
    return status;
}

static int read_own(bs_x11 *x, const bs_selection *s, xcb_atom_t target, bs_str name) {
    if (target == x->atom[BS_A_TARGETS]) {
        xcb_atom_t atoms[OFFERS + 8];
        size_t n = 0;
        atoms[n++] = x->atom[BS_A_TARGETS];
        atoms[n++] = x->atom[BS_A_TIMESTAMP];
        for (unsigned i = 0; i < s->count; i++) atoms[n++] = s->offers[i].target;
        return put_names(x, (const uint8_t *)atoms, n);
    }
    for (unsigned i = 0; i < s->count; i++) {
        if (s->offers[i].target != target) continue;
        bs_put(x->reply, s->offers[i].blob->bytes, s->offers[i].blob->size);
        return BACKSTEP_OK;
    }
    return bs_x11_fail(x, BACKSTEP_E_UNSUPPORTED, "the clipboard has no content of type \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
}

/* Takes what is in our inbox and empties it, which also asks for the next chunk. */
static int take(bs_x11 *x, xcb_get_property_reply_t **p) {
    x->clipboard.arrived = false;
    int status = bs_x11_await(x, xcb_get_property(x->c, 1, x->own, x->clipboard.wanted, XCB_GET_PROPERTY_TYPE_ANY, 0, LIMIT / 4).sequence, p);
    if (status) return status;
    if (*p && !(*p)->bytes_after) return BACKSTEP_OK;
    status = *p ? too_large(x) : bs_x11_fail(x, BACKSTEP_E_DISPLAY, "the X server would not give the clipboard: %s", bs_x11_error_name(x->x_error));
    free(*p);
    *p = NULL;
    xcb_delete_property(x->c, x->own, x->clipboard.wanted);
    return status;
}

static int read_chunks(bs_x11 *x) {
    size_t total = 0;
    for (;;) {
        int status = BACKSTEP_OK;
        while (!status && !x->clipboard.arrived) status = bs_x11_wait_events(x, x->deadline_us);
        if (!status) status = bs_x11_check(x);
        xcb_get_property_reply_t *p = NULL;
        if (!status) status = take(x, &p);
        if (status) return status;
        size_t n = (size_t)xcb_get_property_value_length(p);
        bool end = p->type != XCB_ATOM_NONE && n == 0;
        total += n;
        if (total <= LIMIT) bs_put(x->reply, xcb_get_property_value(p), n);
        free(p);
        if (total > LIMIT) return too_large(x);
        if (end) return BACKSTEP_OK;
    }
}

static int read_other(bs_x11 *x, xcb_atom_t selection, xcb_atom_t target, bs_str name) {
    bs_clipboard *c = &x->clipboard;
    c->wanted = c->inbox[c->turn++ % BS_INBOXES];
    c->answered = c->refused = c->arrived = false;
    int status = server_time(x, &c->asked);
    if (status) return status;
    xcb_delete_property(x->c, x->own, c->wanted);
    xcb_convert_selection(x->c, x->own, selection, target, c->wanted, c->asked);
    x->touched = true;
    status = bs_x11_flush(x);
    while (!status && !c->answered && !c->refused) status = bs_x11_wait_events(x, x->deadline_us);
    if (status == BACKSTEP_E_TIMEOUT_UNKNOWN) return bs_x11_fail(x, status, "the application that owns the clipboard did not answer before the deadline");
    xcb_get_property_reply_t *p = NULL;
    if (!status && c->refused) {
        return bs_x11_fail(x, BACKSTEP_E_UNSUPPORTED, "the clipboard has no content of type \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
    }
    if (!status) status = take(x, &p);
    if (status) return status;
    if (p->type == x->atom[BS_A_INCR]) {
        status = read_chunks(x);
        if (status == BACKSTEP_E_TIMEOUT_UNKNOWN) bs_x11_fail(x, status, "the application that owns the clipboard did not finish before the deadline");
    } else if (target == x->atom[BS_A_TARGETS] && p->format == 32) {
        status = put_names(x, xcb_get_property_value(p), p->value_len);
    } else {
        bs_put(x->reply, xcb_get_property_value(p), (size_t)xcb_get_property_value_length(p));
    }
    free(p);
    return status;
}

int bs_x11_op_clip_read(bs_x11 *x, bs_reader *r) {
    bs_str selection = bs_get_str(r), name = bs_get_str(r);
    bs_selection *s;
    int status = bs_x11_malformed(x, r);
    if (!status) status = selection_of(x, selection, &s);
    if (status) return status;
    if (!name.length || name.length > 255) return bs_x11_fail(x, BACKSTEP_E_INVALID, "the name of a target has 1 to 255 bytes");
    xcb_atom_t target;
    xcb_get_selection_owner_reply_t *owner = NULL;
    status = bs_x11_atoms(x, &name, 1, &target);
    if (!status) status = bs_x11_await(x, xcb_get_selection_owner(x->c, s->name).sequence, &owner);
    xcb_window_t window = owner ? owner->owner : 0;
    free(owner);
    if (status) return status;
    if (!window) return bs_x11_fail(x, BACKSTEP_E_UNSUPPORTED, "the clipboard is empty");
    status = window == x->own ? read_own(x, s, target, name) : read_other(x, s->name, target, name);
    x->clipboard.wanted = XCB_ATOM_NONE;
    return status;
}

static bs_blob *blob_of(const char *bytes, size_t n) {
    bs_blob *blob = malloc(sizeof *blob + n);
    if (!blob) return NULL;
    blob->references = 1;
    blob->size = n;
    if (n) memcpy(blob->bytes, bytes, n);
    return blob;
}

/* STRING is Latin-1: "?" for whatever it lacks. */
static bs_blob *latin1_of(const bs_blob *utf8) {
    bs_blob *out = blob_of((const char *)utf8->bytes, utf8->size);
    size_t n = 0;
    if (!out || !bs_utf8_valid((const char *)utf8->bytes, utf8->size)) return out;
    for (size_t i = 0; i < utf8->size;) {
        uint8_t b = utf8->bytes[i];
        size_t length = b < 0x80 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
        out->bytes[n++] = length == 1 ? b : length == 2 && b < 0xc4 ? (uint8_t)(b << 6 | (utf8->bytes[i + 1] & 0x3f)) : '?';
        i += length;
    }
    out->size = n;
    return out;
}

static bool offered(const bs_selection *s, xcb_atom_t target) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->offers[i].target == target) return true;
    }
    return false;
}

/* Takes the reference to blob over. */
static bool offer(bs_selection *s, xcb_atom_t target, xcb_atom_t type, bs_blob *blob) {
    if (!blob) return false;
    s->offers[s->count++] = (bs_offer){target, type, blob};
    return true;
}

/* Applications ask for text under several names. */
static bool offer_text(bs_x11 *x, bs_selection *s, xcb_atom_t mime) {
    for (unsigned i = 0; i < s->count; i++) {
        bs_blob *text = s->offers[i].blob;
        if (s->offers[i].target != x->atom[BS_A_UTF8_STRING]) continue;
        if (!offered(s, XCB_ATOM_STRING) && !offer(s, XCB_ATOM_STRING, XCB_ATOM_STRING, latin1_of(text))) return false;
        if (!offered(s, x->atom[BS_A_TEXT])) text->references++, offer(s, x->atom[BS_A_TEXT], x->atom[BS_A_UTF8_STRING], text);
        if (!offered(s, mime)) text->references++, offer(s, mime, mime, text);
        return true;
    }
    return true;
}

static int read_offers(bs_x11 *x, bs_reader *r, bs_selection *s, uint32_t n) {
    bs_str names[OFFERS + 1], bytes[OFFERS];
    xcb_atom_t atoms[OFFERS + 1];
    size_t total = 0;
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        names[i] = bs_get_str(r);
        bytes[i] = bs_get_bytes(r);
        total += bytes[i].length;
    }
    int status = bs_x11_malformed(x, r);
    if (status) return status;
    if (total > LIMIT) return too_large(x);
    for (uint32_t i = 0; i < n; i++) {
        if (!names[i].length || names[i].length > 255 || is(names[i], "TARGETS") || is(names[i], "TIMESTAMP") || is(names[i], "MULTIPLE") || is(names[i], "INCR")) {
            return bs_x11_fail(x, BACKSTEP_E_INVALID, "\"%.*s\" is no type that content can have", (int)(names[i].length < 80 ? names[i].length : 80), names[i].text);
        }
    }
    const char *mime = "text/plain;charset=utf-8";
    names[n] = (bs_str){mime, (uint32_t)strlen(mime)};
    status = bs_x11_atoms(x, names, n + 1, atoms);
    if (status) return status;
    s->offers = calloc(n + 3, sizeof *s->offers);
    bool whole = s->offers != NULL;
    for (uint32_t i = 0; i < n && whole; i++) {
        if (!offered(s, atoms[i])) whole = offer(s, atoms[i], atoms[i] == x->atom[BS_A_TEXT] ? x->atom[BS_A_UTF8_STRING] : atoms[i], blob_of(bytes[i].text, bytes[i].length));
    }
    if (whole) whole = offer_text(x, s, atoms[n]);
    return whole ? BACKSTEP_OK : bs_x11_fail(x, BACKSTEP_E_MEMORY, "out of memory");
}

int bs_x11_op_clip_write(bs_x11 *x, bs_reader *r) {
    bs_str selection = bs_get_str(r);
    uint32_t n = bs_get_u32(r);
    bs_selection *s, fresh = {0};
    if (!r->failed && n > OFFERS) return bs_x11_fail(x, BACKSTEP_E_INVALID, "a selection has %u types at most", OFFERS);
    int status = n && !r->failed ? read_offers(x, r, &fresh, n) : bs_x11_malformed(x, r);
    if (!status) status = selection_of(x, selection, &s);
    if (!status) status = server_time(x, &fresh.since);
    if (status) {
        bs_x11_offers_drop(&fresh);
        return status;
    }
    bs_x11_offers_drop(s);
    fresh.name = s->name;
    fresh.owned = n != 0;
    *s = fresh; /* before the request: whoever sees us as the owner may ask at once */
    x->touched = true;
    xcb_window_t owner = n ? x->own : XCB_WINDOW_NONE;
    xcb_set_selection_owner(x->c, owner, s->name, s->since);
    xcb_get_selection_owner_reply_t *now;
    status = bs_x11_await(x, xcb_get_selection_owner(x->c, s->name).sequence, &now);
    if (!status && (!now || now->owner != owner)) status = bs_x11_fail(x, BACKSTEP_E_REFUSED, "another application took the clipboard at the same moment");
    free(now);
    return status;
}
