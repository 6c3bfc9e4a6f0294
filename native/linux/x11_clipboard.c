/* Reading one content of the clipboard. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

bool bs_x11_str_is(bs_str s, const char *text) {
    return s.length == strlen(text) && !memcmp(s.text, text, s.length);
}

int bs_x11_clip_selection(bs_x11 *x, bs_str name, bs_selection **s) {
    bool primary = bs_x11_str_is(name, "PRIMARY");
    *s = &x->clipboard.selection[primary];
    if (primary || bs_x11_str_is(name, "CLIPBOARD")) return BACKSTEP_OK;
    return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "the selection is CLIPBOARD or PRIMARY, not \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
}

/* The server's time, which the rules of selections want instead of "now". */
int bs_x11_clip_time(bs_x11 *x, xcb_timestamp_t *time) {
    x->clipboard.now = 0;
    xcb_change_property(x->c, XCB_PROP_MODE_APPEND, x->own, x->atom[BS_A_BACKSTEP_TIME], XCB_ATOM_INTEGER, 32, 0, NULL);
    int status = bs_x11_flush(x);
    while (!status && !x->clipboard.now) status = bs_x11_wait_events(x, x->base.deadline_us);
    *time = x->clipboard.now;
    return status;
}

int bs_x11_clip_too_large(bs_x11 *x, size_t most) {
    return bs_screen_explain(&x->base, BACKSTEP_E_LIMIT, "the content is larger than %zu bytes", most);
}

int bs_x11_clip_owner(bs_x11 *x, xcb_atom_t selection, xcb_window_t *window) {
    xcb_get_selection_owner_reply_t *owner = NULL;
    int status = bs_x11_await(x, xcb_get_selection_owner(x->c, selection).sequence, &owner);
    *window = owner ? owner->owner : 0;
    free(owner);
    return status;
}

/* Names of atoms, one a line. */
static int put_names(bs_x11 *x, const uint8_t *atoms, size_t n) {
    unsigned *sequence = calloc(n + 1, sizeof *sequence);
    if (!sequence) return bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    int status = BACKSTEP_OK;
    size_t start = x->base.reply->length;
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
        if (x->base.reply->length > start) bs_put_u8(x->base.reply, '\n');
        bs_put(x->base.reply, xcb_get_atom_name_name(reply), (size_t)xcb_get_atom_name_name_length(reply));
        free(reply);
    }
    free(sequence);
    return status;
}

static int read_own(bs_x11 *x, const bs_selection *s, xcb_atom_t target, bs_str name) {
    if (target == x->atom[BS_A_TARGETS]) {
        xcb_atom_t atoms[BS_OFFERS + 8];
        size_t n = 0;
        atoms[n++] = x->atom[BS_A_TARGETS];
        atoms[n++] = x->atom[BS_A_TIMESTAMP];
        for (unsigned i = 0; i < s->count; i++) atoms[n++] = s->offers[i].target;
        return put_names(x, (const uint8_t *)atoms, n);
    }
    for (unsigned i = 0; i < s->count; i++) {
        if (s->offers[i].target != target) continue;
        bs_put(x->base.reply, s->offers[i].blob->bytes, s->offers[i].blob->size);
        return BACKSTEP_OK;
    }
    return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the clipboard has no content of type \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
}

/* Takes what is in our inbox and empties it, which also asks for the next chunk. */
static int take(bs_x11 *x, size_t most, xcb_get_property_reply_t **p) {
    bs_clipboard *c = &x->clipboard;
    c->arrived = false;
    int status = bs_x11_await(x, xcb_get_property(x->c, 1, c->into, c->wanted, XCB_GET_PROPERTY_TYPE_ANY, 0, (uint32_t)(most / 4 + 1)).sequence, p);
    if (status) return status;
    if (*p && !(*p)->bytes_after && (size_t)xcb_get_property_value_length(*p) <= most) return BACKSTEP_OK;
    status = *p ? bs_x11_clip_too_large(x, most) : bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the X server would not give the clipboard: %s", bs_x11_error_name(x->x_error));
    free(*p);
    *p = NULL;
    xcb_delete_property(x->c, c->into, c->wanted);
    return status;
}

static int read_chunks(bs_x11 *x, size_t most, xcb_atom_t *type, uint8_t *format) {
    size_t total = 0;
    for (;;) {
        int status = BACKSTEP_OK;
        while (!status && !x->clipboard.arrived) status = bs_x11_wait_events(x, x->base.deadline_us);
        if (!status) status = bs_x11_check(x);
        xcb_get_property_reply_t *p = NULL;
        if (!status) status = take(x, most, &p);
        if (status) return status;
        size_t n = (size_t)xcb_get_property_value_length(p);
        bool end = p->type != XCB_ATOM_NONE && n == 0;
        if (!total && p->type) *type = p->type, *format = p->format;
        total += n;
        if (total <= most) bs_put(x->base.reply, xcb_get_property_value(p), n);
        free(p);
        if (total > most) return bs_x11_clip_too_large(x, most);
        if (end) return BACKSTEP_OK;
    }
}

int bs_x11_clip_take(bs_x11 *x, xcb_window_t into, xcb_atom_t selection, xcb_atom_t target, size_t most, xcb_atom_t *type, uint8_t *format) {
    bs_clipboard *c = &x->clipboard;
    c->into = into;
    c->wanted = c->inbox[c->turn++ % BS_INBOXES];
    c->answered = c->refused = c->arrived = false;
    int status = bs_x11_clip_time(x, &c->asked);
    xcb_get_property_reply_t *p = NULL;
    if (!status) {
        xcb_delete_property(x->c, into, c->wanted);
        xcb_convert_selection(x->c, into, selection, target, c->wanted, c->asked);
        x->base.touched = true;
        status = bs_x11_flush(x);
    }
    while (!status && !c->answered && !c->refused) status = bs_x11_wait_events(x, x->base.deadline_us);
    if (status == BACKSTEP_E_TIMEOUT_UNKNOWN) bs_screen_explain(&x->base, status, "the application that owns the clipboard did not answer before the deadline");
    if (!status && c->refused) status = bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the clipboard has no content of that type");
    if (!status) status = take(x, most, &p);
    if (!status && p->type == x->atom[BS_A_INCR]) {
        *type = XCB_ATOM_NONE, *format = 8;
        status = read_chunks(x, most, type, format);
        if (status == BACKSTEP_E_TIMEOUT_UNKNOWN) bs_screen_explain(&x->base, status, "the application that owns the clipboard did not finish before the deadline");
    } else if (!status) {
        *type = p->type, *format = p->format;
        bs_put(x->base.reply, xcb_get_property_value(p), (size_t)xcb_get_property_value_length(p));
    }
    free(p);
    c->wanted = XCB_ATOM_NONE;
    return status;
}

static int read_other(bs_x11 *x, xcb_atom_t selection, xcb_atom_t target, bs_str name) {
    xcb_atom_t type;
    uint8_t format;
    int status = bs_x11_clip_take(x, x->own, selection, target, BS_CLIP_LIMIT, &type, &format);
    if (status == BACKSTEP_E_UNSUPPORTED) {
        return bs_screen_explain(&x->base, status, "the clipboard has no content of type \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
    }
    if (status || target != x->atom[BS_A_TARGETS] || format != 32) return status;
    size_t n = (x->base.reply->length - x->base.reply_start) / 4;
    uint8_t *atoms = malloc(n * 4 + 1);
    if (!atoms || x->base.reply->failed) {
        free(atoms);
        return bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    }
    memcpy(atoms, x->base.reply->data + x->base.reply_start, n * 4);
    x->base.reply->length = x->base.reply_start;
    status = put_names(x, atoms, n);
    free(atoms);
    return status;
}

int bs_x11_op_clip_read(bs_x11 *x, bs_reader *r) {
    bs_str selection = bs_get_str(r), name = bs_get_str(r);
    bs_selection *s;
    int status = bs_screen_malformed(&x->base, r);
    if (!status) status = bs_x11_clip_selection(x, selection, &s);
    if (status) return status;
    if (!name.length || name.length > 255) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "the name of a target has 1 to 255 bytes");
    xcb_atom_t target;
    xcb_window_t window;
    status = bs_x11_atoms(x, &name, 1, &target);
    if (!status) status = bs_x11_clip_owner(x, s->name, &window);
    if (status) return status;
    if (!window) return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the clipboard is empty");
    return window == x->own ? read_own(x, s, target, name) : read_other(x, s->name, target, name);
}
