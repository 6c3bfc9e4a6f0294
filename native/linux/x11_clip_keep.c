/* Reading all that is on the clipboard, type by type, so that it can be put back. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#define WAIT_US 1000000u /* for one content: its owner may have to make it first */
#define REST_US 250000u  /* of the deadline for the answer, or a quarter of it */
#define TYPES 256u

enum { KEPT = 0, LARGE = 1, SILENT = 2, NUMBERS = 3 };

typedef struct kept {
    size_t most, left; /* bytes of one content, and of all that are still to come */
    uint64_t until_us;
    uint32_t n, unkept;
    bs_buf items;
    bs_buf name; /* of a type, as it was last asked for */
} kept;

int bs_x11_clip_name(bs_x11 *x, xcb_atom_t atom, bs_buf *into) {
    xcb_get_atom_name_reply_t *reply = NULL;
    into->length = 0;
    int status = bs_x11_await(x, xcb_get_atom_name(x->c, atom).sequence, &reply);
    if (reply) bs_put(into, xcb_get_atom_name_name(reply), (size_t)xcb_get_atom_name_name_length(reply));
    free(reply);
    return status;
}

/* Atoms may be named anything. */
static bool is_text(const bs_buf *name) {
    return name->length && !memchr(name->data, 0, name->length) && bs_utf8_valid((const char *)name->data, name->length);
}

static int put_item(bs_x11 *x, kept *k, bs_str name, xcb_atom_t target, xcb_atom_t type, uint32_t state, const uint8_t *bytes, size_t n) {
    int status = BACKSTEP_OK;
    if (type != XCB_ATOM_NONE && type != target) status = bs_x11_clip_name(x, type, &k->name);
    else k->name.length = 0, bs_put(&k->name, name.text, name.length);
    if (status) return status;
    if (!is_text(&k->name)) k->name.length = 0;
    bs_put_str(&k->items, name.text, name.length);
    bs_put_str(&k->items, (const char *)k->name.data, k->name.length);
    bs_put_u32(&k->items, state);
    bs_put_str(&k->items, (const char *)bytes, state == KEPT ? n : 0);
    if (state == KEPT) k->left -= n;
    else k->unkept++;
    k->n++;
    return BACKSTEP_OK;
}

/* What an owner goes on to send after we gave up must not be taken for another answer: the window goes that it sends to. */
static void another_window(bs_x11 *x, xcb_window_t *window) {
    uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    if (*window) xcb_destroy_window(x->c, *window);
    *window = xcb_generate_id(x->c);
    xcb_create_window(x->c, 0, *window, x->root, -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
}

/* One content into a buffer of its own, within its own time: a failure of it is none of the whole. */
static int take_into(bs_x11 *x, kept *k, xcb_window_t window, xcb_atom_t selection, xcb_atom_t target, size_t most, bs_buf *into, xcb_atom_t *type, uint8_t *format) {
    bs_buf *reply = x->base.reply;
    size_t start = x->base.reply_start;
    uint64_t deadline = x->base.deadline_us, own = bs_now_us() + WAIT_US;
    into->length = 0;
    x->base.reply = into;
    x->base.reply_start = 0;
    x->base.deadline_us = own < k->until_us ? own : k->until_us;
    int status = bs_x11_clip_take(x, window, selection, target, most, type, format);
    x->base.reply = reply;
    x->base.reply_start = start;
    x->base.deadline_us = deadline;
    if (status && status != BACKSTEP_E_UNSUPPORTED && into->length > 4) { /* why, in the reply too: the str that explains */
        x->base.reply->length = start;
        bs_put(x->base.reply, into->data, into->length);
    }
    return into->failed ? bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory") : status;
}

static bool is_late(int status) {
    return status == BACKSTEP_E_TIMEOUT_UNKNOWN || status == BACKSTEP_E_TIMEOUT_UNSENT;
}

static int keep_one(bs_x11 *x, kept *k, xcb_window_t *window, xcb_atom_t selection, xcb_atom_t target, bs_str name, bs_buf *content) {
    xcb_atom_t type = XCB_ATOM_NONE;
    uint8_t format = 8;
    size_t most = k->most < k->left ? k->most : k->left;
    if (bs_now_us() >= k->until_us) return put_item(x, k, name, target, type, SILENT, NULL, 0);
    int status = take_into(x, k, *window, selection, target, most, content, &type, &format);
    if (status == BACKSTEP_E_UNSUPPORTED) return BACKSTEP_OK; /* named, and not given to anybody */
    uint32_t state = is_late(status) ? SILENT : status == BACKSTEP_E_LIMIT ? LARGE : KEPT;
    if (status && state == KEPT) return status;
    if (state != KEPT) another_window(x, window);
    else if (format != 8) state = NUMBERS; /* of windows, pixmaps, colours: they mean nothing once their owner is gone */
    return put_item(x, k, name, target, type, state, content->data, content->length);
}

/* Every type that the owner names and that is content, each once. */
static int keep_named(bs_x11 *x, kept *k, xcb_window_t *window, xcb_atom_t selection, const uint8_t *atoms, size_t n, bs_buf *content) {
    bs_buf name = {0};
    int status = BACKSTEP_OK;
    for (size_t i = 0; i < n && i < TYPES && !status; i++) {
        xcb_atom_t atom, other = XCB_ATOM_NONE;
        memcpy(&atom, atoms + 4 * i, 4);
        for (size_t j = 0; j < i && other != atom; j++) memcpy(&other, atoms + 4 * j, 4);
        if (atom == XCB_ATOM_NONE || other == atom) continue;
        status = bs_x11_clip_name(x, atom, &name);
        bs_str s = {(const char *)name.data, (uint32_t)name.length};
        if (status || !is_text(&name) || !bs_x11_clip_content(s)) continue;
        status = keep_one(x, k, window, selection, atom, s, content);
    }
    if (name.failed && !status) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    bs_buf_free(&name);
    return status;
}

static int keep_other(bs_x11 *x, kept *k, xcb_atom_t selection, xcb_window_t owner, uint32_t *since) {
    bs_buf targets = {0}, content = {0};
    xcb_window_t window = XCB_WINDOW_NONE, now = owner;
    xcb_atom_t type;
    uint8_t format;
    another_window(x, &window);
    int status = take_into(x, k, window, selection, x->atom[BS_A_TARGETS], TYPES * 4 * 4, &targets, &type, &format);
    bool told = !status && format == 32;
    /* One that does not tell what it has is asked for text. */
    xcb_atom_t text = x->atom[BS_A_UTF8_STRING];
    if (!status || status == BACKSTEP_E_UNSUPPORTED) {
        status = keep_named(x, k, &window, selection, told ? targets.data : (const uint8_t *)&text, told ? targets.length / 4 : 1, &content);
    }
    /* By this it is told whether what was not kept is still there. */
    if (!status && k->unkept) {
        status = take_into(x, k, window, selection, x->atom[BS_A_TIMESTAMP], 4, &content, &type, &format);
        if (!status && format == 32 && content.length == 4) memcpy(since, content.data, 4);
        if (status == BACKSTEP_E_UNSUPPORTED || status == BACKSTEP_E_LIMIT || is_late(status)) status = BACKSTEP_OK;
    }
    if (!status) status = bs_x11_clip_owner(x, selection, &now);
    if (!status && now != owner) status = bs_screen_explain(&x->base, BACKSTEP_E_REFUSED, "the clipboard changed hands while it was read");
    xcb_destroy_window(x->c, window);
    x->clipboard.into = XCB_WINDOW_NONE;
    bs_buf_free(&targets);
    bs_buf_free(&content);
    return status;
}

static int keep_own(bs_x11 *x, kept *k, const bs_selection *s) {
    bs_buf name = {0};
    int status = BACKSTEP_OK;
    for (unsigned i = 0; i < s->count && !status; i++) {
        const bs_offer *o = &s->offers[i];
        status = bs_x11_clip_name(x, o->target, &name);
        bool fits = o->blob->size <= k->most && o->blob->size <= k->left;
        if (!status) status = put_item(x, k, (bs_str){(const char *)name.data, (uint32_t)name.length}, o->target, o->type, fits ? KEPT : LARGE, o->blob->bytes, o->blob->size);
    }
    bs_buf_free(&name);
    return status;
}

int bs_x11_op_clip_keep(bs_x11 *x, bs_reader *r) {
    bs_str selection = bs_get_str(r);
    uint32_t most = bs_get_u32(r), all = bs_get_u32(r), since = 0;
    kept k = {.most = most && most < BS_CLIP_LIMIT ? most : BS_CLIP_LIMIT, .left = all && all < BS_CLIP_LIMIT ? all : BS_CLIP_LIMIT};
    uint64_t now = bs_now_us();
    uint64_t all_us = x->base.deadline_us > now ? x->base.deadline_us - now : 0;
    k.until_us = x->base.deadline_us - (all_us / 4 < REST_US ? all_us / 4 : REST_US);
    bs_selection *s;
    xcb_window_t owner = XCB_WINDOW_NONE;
    int status = bs_screen_malformed(&x->base, r);
    if (!status) status = bs_x11_clip_selection(x, selection, &s);
    if (!status) status = bs_x11_clip_owner(x, s->name, &owner);
    if (!status && owner == x->own) since = s->since, status = keep_own(x, &k, s);
    else if (!status && owner) status = keep_other(x, &k, s->name, owner, &since);
    if (!status && (k.items.failed || k.name.failed)) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    if (!status) {
        x->base.reply->length = x->base.reply_start; /* what explained a content that was not kept */
        bs_put_u32(x->base.reply, owner);
        bs_put_u32(x->base.reply, since);
        bs_put_u32(x->base.reply, k.n);
        bs_put(x->base.reply, k.items.data, k.items.length);
    }
    bs_buf_free(&k.items);
    bs_buf_free(&k.name);
    return status;
}
