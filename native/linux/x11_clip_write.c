/* Setting the clipboard: content under the types that are given, for as long as the session stands. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

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

/* What no content can have as its type: questions, and what asks the owner to do something. */
static const char *const no_content[] = {"TARGETS", "TIMESTAMP", "MULTIPLE", "INCR", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY",
    "GTK_TEXT_BUFFER_CONTENTS" /* an address in the owner's memory */};

bool bs_x11_clip_content(bs_str name) {
    for (unsigned i = 0; i < sizeof no_content / sizeof *no_content; i++) {
        if (bs_x11_str_is(name, no_content[i])) return false;
    }
    return name.length && name.length <= 255;
}

/* Names, then `typed` the types that they come as, then one more: the MIME type of text. */
static int read_offers(bs_x11 *x, bs_reader *r, bs_selection *s, uint32_t n, bool typed) {
    bs_str names[2 * BS_OFFERS + 1], bytes[BS_OFFERS];
    xcb_atom_t atoms[2 * BS_OFFERS + 1];
    size_t total = 0;
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        names[i] = bs_get_str(r);
        if (typed) names[n + i] = bs_get_str(r);
        bytes[i] = bs_get_bytes(r);
        total += bytes[i].length;
    }
    int status = bs_screen_malformed(&x->base, r);
    if (status) return status;
    if (total > BS_CLIP_LIMIT) return bs_x11_clip_too_large(x, BS_CLIP_LIMIT);
    uint32_t all = typed ? 2 * n : n;
    for (uint32_t i = 0; i < all; i++) {
        if (!bs_x11_clip_content(names[i])) {
            return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "\"%.*s\" is no type that content can have", (int)(names[i].length < 80 ? names[i].length : 80), names[i].text);
        }
    }
    const char *mime = "text/plain;charset=utf-8";
    names[all] = (bs_str){mime, (uint32_t)strlen(mime)};
    status = bs_x11_atoms(x, names, all + 1, atoms);
    if (status) return status;
    s->offers = calloc(n + 3, sizeof *s->offers);
    bool whole = s->offers != NULL;
    for (uint32_t i = 0; i < n && whole; i++) {
        xcb_atom_t type = typed ? atoms[n + i] : atoms[i] == x->atom[BS_A_TEXT] ? x->atom[BS_A_UTF8_STRING] : atoms[i];
        if (!offered(s, atoms[i])) whole = offer(s, atoms[i], type, blob_of(bytes[i].text, bytes[i].length));
    }
    if (whole && !typed) whole = offer_text(x, s, atoms[all]);
    return whole ? BACKSTEP_OK : bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
}

static int write_selection(bs_x11 *x, bs_reader *r, bool typed) {
    bs_str selection = bs_get_str(r);
    uint32_t n = bs_get_u32(r);
    bs_selection *s, fresh = {0};
    if (!r->failed && n > BS_OFFERS) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "a selection has %u types at most", BS_OFFERS);
    int status = n && !r->failed ? read_offers(x, r, &fresh, n, typed) : bs_screen_malformed(&x->base, r);
    if (!status) status = bs_x11_clip_selection(x, selection, &s);
    if (!status) status = bs_x11_clip_time(x, &fresh.since);
    if (status) {
        bs_x11_offers_drop(&fresh);
        return status;
    }
    bs_x11_offers_drop(s);
    fresh.name = s->name;
    fresh.owned = n != 0;
    *s = fresh; /* before the request: whoever sees us as the owner may ask at once */
    x->base.touched = true;
    xcb_window_t owner = n ? x->own : XCB_WINDOW_NONE;
    xcb_set_selection_owner(x->c, owner, s->name, s->since);
    xcb_window_t now;
    status = bs_x11_clip_owner(x, s->name, &now);
    return !status && now != owner ? bs_screen_explain(&x->base, BACKSTEP_E_REFUSED, "another application took the clipboard at the same moment") : status;
}

int bs_x11_op_clip_write(bs_x11 *x, bs_reader *r) {
    return write_selection(x, r, false);
}

int bs_x11_op_clip_restore(bs_x11 *x, bs_reader *r) {
    return write_selection(x, r, true);
}
