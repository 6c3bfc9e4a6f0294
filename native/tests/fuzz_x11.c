/* libFuzzer: what other clients of the display say about themselves, and what a person does: the list of windows, a read of the clipboard, raw events,
 * with a server whose answers are well-formed (a server's are) and filled with the fuzzer's bytes. */
#include <stdlib.h>
#include <string.h>

#include <sys/uio.h>

#include <xcb/xcbext.h>

#include "../linux/x11_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *input;
static size_t left;

static uint8_t byte(void) { return left ? left--, *input++ : 0; }
static uint32_t number(void) { return byte() | (uint32_t)byte() << 8; }

static void fill(void *into, size_t n) {
    size_t have = n < left ? n : left;
    memset(into, 0, n);
    memcpy(into, input, have);
    input += have, left -= have;
}

enum { PROPERTY = 1, TREE, ATTRIBUTES, GEOMETRY, TRANSLATE, FOCUS, OWNER, ATOM_NAME, POINTER, BUTTONS };

// The request's number says which answer it gets.
xcb_get_property_cookie_t xcb_get_property(xcb_connection_t *c, uint8_t d, xcb_window_t w, xcb_atom_t p, xcb_atom_t t, uint32_t o, uint32_t n) {
    return (void)c, (void)d, (void)w, (void)p, (void)t, (void)o, (void)n, (xcb_get_property_cookie_t){PROPERTY};
}
xcb_query_tree_cookie_t xcb_query_tree(xcb_connection_t *c, xcb_window_t w) { return (void)c, (void)w, (xcb_query_tree_cookie_t){TREE}; }
xcb_get_window_attributes_cookie_t xcb_get_window_attributes(xcb_connection_t *c, xcb_window_t w) {
    return (void)c, (void)w, (xcb_get_window_attributes_cookie_t){ATTRIBUTES};
}
xcb_get_geometry_cookie_t xcb_get_geometry(xcb_connection_t *c, xcb_drawable_t d) { return (void)c, (void)d, (xcb_get_geometry_cookie_t){GEOMETRY}; }
xcb_translate_coordinates_cookie_t xcb_translate_coordinates(xcb_connection_t *c, xcb_window_t w, xcb_window_t to, int16_t x, int16_t y) {
    return (void)c, (void)w, (void)to, (void)x, (void)y, (xcb_translate_coordinates_cookie_t){TRANSLATE};
}
xcb_get_input_focus_cookie_t xcb_get_input_focus(xcb_connection_t *c) { return (void)c, (xcb_get_input_focus_cookie_t){FOCUS}; }
xcb_get_selection_owner_cookie_t xcb_get_selection_owner(xcb_connection_t *c, xcb_atom_t s) { return (void)c, (void)s, (xcb_get_selection_owner_cookie_t){OWNER}; }
xcb_get_atom_name_cookie_t xcb_get_atom_name(xcb_connection_t *c, xcb_atom_t a) { return (void)c, (void)a, (xcb_get_atom_name_cookie_t){ATOM_NAME}; }
xcb_void_cookie_t xcb_delete_property(xcb_connection_t *c, xcb_window_t w, xcb_atom_t p) { return (void)c, (void)w, (void)p, (xcb_void_cookie_t){0}; }
xcb_void_cookie_t xcb_convert_selection(xcb_connection_t *c, xcb_window_t w, xcb_atom_t s, xcb_atom_t t, xcb_atom_t p, xcb_timestamp_t at) {
    return (void)c, (void)w, (void)s, (void)t, (void)p, (void)at, (xcb_void_cookie_t){0};
}
xcb_void_cookie_t xcb_change_property(xcb_connection_t *c, uint8_t m, xcb_window_t w, xcb_atom_t p, xcb_atom_t t, uint8_t f, uint32_t n, const void *d) {
    return (void)c, (void)m, (void)w, (void)p, (void)t, (void)f, (void)n, (void)d, (xcb_void_cookie_t){0};
}
xcb_void_cookie_t xcb_set_selection_owner(xcb_connection_t *c, xcb_window_t w, xcb_atom_t s, xcb_timestamp_t t) {
    return (void)c, (void)w, (void)s, (void)t, (xcb_void_cookie_t){0};
}
xcb_void_cookie_t xcb_create_window(xcb_connection_t *c, uint8_t d, xcb_window_t w, xcb_window_t up, int16_t x, int16_t y, uint16_t wide, uint16_t high, uint16_t b,
    uint16_t k, xcb_visualid_t v, uint32_t m, const void *l) {
    return (void)c, (void)d, (void)w, (void)up, (void)x, (void)y, (void)wide, (void)high, (void)b, (void)k, (void)v, (void)m, (void)l, (xcb_void_cookie_t){0};
}
xcb_void_cookie_t xcb_destroy_window(xcb_connection_t *c, xcb_window_t w) { return (void)c, (void)w, (xcb_void_cookie_t){0}; }
xcb_query_pointer_cookie_t xcb_query_pointer(xcb_connection_t *c, xcb_window_t w) { return (void)c, (void)w, (xcb_query_pointer_cookie_t){POINTER}; }
xcb_get_pointer_mapping_cookie_t xcb_get_pointer_mapping(xcb_connection_t *c) { return (void)c, (xcb_get_pointer_mapping_cookie_t){BUTTONS}; }
unsigned xcb_send_request(xcb_connection_t *c, int flags, struct iovec *parts, const xcb_protocol_request_t *what) {
    return (void)c, (void)flags, (void)parts, (void)what, 1u;
}
void xcb_prefetch_extension_data(xcb_connection_t *c, xcb_extension_t *e) { (void)c, (void)e; }
const xcb_query_extension_reply_t *xcb_get_extension_data(xcb_connection_t *c, xcb_extension_t *e) {
    static const xcb_query_extension_reply_t there = {.present = 1, .major_opcode = 131};
    return (void)c, (void)e, &there;
}
int xcb_poll_for_reply(xcb_connection_t *c, unsigned sequence, void **reply, xcb_generic_error_t **error) {
    (void)c, (void)sequence;
    *error = NULL;
    uint8_t how = byte();
    if (how == 0xff) return 0; // not yet
    *reply = how == 0xfe ? NULL : malloc(sizeof(xcb_query_pointer_reply_t));
    if (*reply) fill(*reply, sizeof(xcb_query_pointer_reply_t));
    return 1;
}
uint32_t xcb_generate_id(xcb_connection_t *c) { return (void)c, 9; }
int xcb_connection_has_error(xcb_connection_t *c) { return (void)c, 0; }
void xcb_discard_reply(xcb_connection_t *c, unsigned s) { (void)c, (void)s; }

static void *property(void) {
    static const uint8_t formats[] = {8, 32, 16, 0};
    uint8_t how = byte();
    uint32_t format = formats[how & 3], n = format ? number() : 0;
    if (n * format / 8 > left) n = (uint32_t)left / (format ? format / 8 : 1);
    xcb_get_property_reply_t *p = malloc(sizeof *p + n * format / 8); // not a byte more: what reads beyond is found
    if (!p) abort();
    *p = (xcb_get_property_reply_t){.format = (uint8_t)format, .value_len = n, .type = format ? (how >> 2) & 31 : 0, .bytes_after = how == 0xff};
    fill(p + 1, n * format / 8);
    return p;
}

static void *tree(void) {
    uint32_t n = byte();
    xcb_query_tree_reply_t *t = malloc(sizeof *t + n * 4);
    if (!t) abort();
    *t = (xcb_query_tree_reply_t){.children_len = (uint16_t)n, .parent = byte() & 7, .root = 1};
    fill(t + 1, n * 4);
    return t;
}

static void *plain(size_t size, bool named) {
    uint8_t *p = malloc(size + 256);
    if (!p) abort();
    fill(p, size);
    if (!named) return p;
    xcb_get_atom_name_reply_t *a = (void *)p;
    uint16_t n = byte();
    a = realloc(a, sizeof *a + n);
    if (!a) abort();
    a->name_len = n;
    fill(a + 1, n);
    return a;
}

static void *buttons(void) {
    uint8_t n = byte();
    xcb_get_pointer_mapping_reply_t *map = malloc(sizeof *map + n);
    if (!map) abort();
    *map = (xcb_get_pointer_mapping_reply_t){.map_len = n};
    fill(map + 1, n);
    return map;
}

int bs_x11_await(bs_x11 *x, unsigned sequence, void *reply_out) {
    (void)x;
    uint8_t how = byte();
    void *reply = NULL;
    memcpy(reply_out, &reply, sizeof reply); // as the real one does
    if (how == 0xfe) return BACKSTEP_E_DISPLAY;
    if (how < 0xf0) {
        reply = sequence == PROPERTY ? property() : sequence == TREE ? tree() : sequence == ATTRIBUTES ? plain(sizeof(xcb_get_window_attributes_reply_t), false)
            : sequence == GEOMETRY ? plain(sizeof(xcb_get_geometry_reply_t), false) : sequence == TRANSLATE ? plain(sizeof(xcb_translate_coordinates_reply_t), false)
            : sequence == BUTTONS ? buttons() : sequence == ATOM_NAME ? plain(sizeof(xcb_get_atom_name_reply_t), true) : plain(sizeof(xcb_get_input_focus_reply_t), false);
    }
    memcpy(reply_out, &reply, sizeof reply);
    return BACKSTEP_OK;
}

int bs_x11_check(bs_x11 *x) { return (void)x, left ? BACKSTEP_OK : BACKSTEP_E_TIMEOUT_UNSENT; }
int bs_x11_flush(bs_x11 *x) { return (void)x, BACKSTEP_OK; }
const char *bs_x11_error_name(uint8_t code) { return (void)code, "?"; }
int bs_x11_atoms(bs_x11 *x, const bs_str *names, unsigned n, xcb_atom_t *atoms) {
    for (unsigned i = 0; i < n; i++) atoms[i] = names[i].length == 7 ? x->atom[BS_A_TARGETS] : 20 + i;
    return BACKSTEP_OK;
}
int bs_x11_wait_events(bs_x11 *x, uint64_t until) {
    (void)until;
    uint8_t how = byte();
    bs_clipboard *c = &x->clipboard;
    c->now = 5;
    if (how & 1) c->answered = true;
    if (how & 2) c->refused = true;
    if (how & 4) c->arrived = true;
    return left ? BACKSTEP_OK : BACKSTEP_E_TIMEOUT_UNKNOWN;
}
int bs_x11_sync(bs_x11 *x) { return bs_x11_check(x); }
// A map of whatever symbols, as wide as it says.
int bs_x11_keymap_read(bs_x11 *x, bool *caps_on, uint8_t down[32]) {
    bs_keyboard *k = &x->keyboard;
    uint8_t how = byte();
    if (how == 0xff) return BACKSTEP_E_DISPLAY;
    k->stale = how & 1;
    k->width = how >> 1 & 7;
    k->min = 8 + (how >> 4), k->max = 255;
    size_t size = 4 * (size_t)k->width * (k->max - k->min + 1u);
    free(k->symbols);
    k->symbols = malloc(size ? size : 1);
    if (!k->symbols) abort();
    fill(k->symbols, size);
    for (unsigned i = 0; i < 256; i += 8) memset(k->modifier + i, byte() & 1, 8);
    fill(down, 32);
    *caps_on = false;
    return BACKSTEP_OK;
}
void bs_x11_blob_drop(bs_blob *blob) { free(blob); }
void bs_x11_offers_drop(bs_selection *s) { (void)s; }

static void check_windows(const bs_buf *b) {
    bs_reader r = {b->data, b->length, 0, false};
    uint32_t n = bs_get_u32(&r);
    for (uint32_t i = 0; i < n && !r.failed; i++) {
        for (unsigned k = 0; k < 11; k++) bs_get_u32(&r);
        bs_get_str(&r);
        bs_get_str(&r);
    }
    if (r.failed || r.at != r.length) abort();
}

static void check_kept(const bs_buf *b, size_t most, size_t all) {
    bs_reader r = {b->data, b->length, 0, false};
    size_t total = 0;
    bs_get_u32(&r);
    bs_get_u32(&r);
    uint32_t n = bs_get_u32(&r);
    for (uint32_t i = 0; i < n && !r.failed; i++) {
        bs_str target = bs_get_str(&r);
        bs_get_str(&r);
        uint32_t state = bs_get_u32(&r);
        bs_str bytes = bs_get_bytes(&r);
        if (!target.length || state > 3 || (state && bytes.length) || bytes.length > most) abort();
        total += bytes.length;
    }
    if (r.failed || r.at != r.length || total > all) abort();
}

// What somebody did, as raw events in any order, with answers that come or do not.
static void person(bs_x11 *x) {
    bs_buf request = {0};
    bs_put_u32(&request, 2);
    bs_reader r = {request.data, request.length, 0, false};
    if (bs_x11_op_watch_input(x, &r)) left = 0;
    while (left) {
        bs_raw raw;
        uint8_t what = byte();
        if (what == 0xff) x->keyboard.stale = true;
        if (what == 0xfe) x->person.buttons_known = false;
        if (what == 0xfd) x->person.rest_us = 1, bs_x11_person_rest(x);
        fill(&raw, sizeof raw);
        raw.extension = 131;
        raw.kind = (uint16_t)(BS_RAW_KEY + what % 5);
        union { bs_raw raw; xcb_generic_event_t event; } both = {.raw = raw};
        bs_x11_input_event(x, &both.event);
        bs_screen_told t;
        for (unsigned i = 0; i < 3 && bs_x11_told(x, &t); i++) {
            if (t.what < BACKSTEP_P_PRESS || t.what > BACKSTEP_P_REST || t.modifiers > 15 || t.moved > 1) abort();
            if (t.what >= BACKSTEP_P_TEXT && t.detail) abort(); // which key it was
        }
    }
    bs_x11_person_stop(x);
    free(x->keyboard.symbols);
    bs_buf_free(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input = data, left = size;
    bs_buf reply = {0};
    bs_x11 *x = calloc(1, sizeof *x);
    if (!x) return 0;
    x->width = 640, x->height = 480;
    x->own = 3, x->root = 1;
    for (unsigned i = 0; i < BS_A_COUNT; i++) x->atom[i] = i + 1;
    uint8_t how = byte();
    bool clipboard = how & 1, all = clipboard && (how & 8);
    if (how == 0xff) {
        person(x);
        bs_buf_free(&reply);
        free(x);
        return 0;
    }
    bs_buf request = {0};
    if (clipboard) bs_put_cstr(&request, how & 2 ? "PRIMARY" : "CLIPBOARD");
    if (all) bs_put_u32(&request, how & 16 ? 100 : 0), bs_put_u32(&request, how & 32 ? 300 : 0);
    else if (clipboard) bs_put_cstr(&request, how & 4 ? "TARGETS" : "UTF8_STRING");
    bs_reader r = {request.data, request.length, 0, false};
    bs_screen_begin(&x->base, bs_now_us() + 60000000, NULL, &reply);
    int status = all ? bs_x11_op_clip_keep(x, &r) : clipboard ? bs_x11_op_clip_read(x, &r) : bs_x11_op_windows(x, &r);
    if (status > 0 || status < BACKSTEP_E_SECURE) abort();
    if (!status && !clipboard && !reply.failed) check_windows(&reply);
    if (!status && all && !reply.failed) check_kept(&reply, how & 16 ? 100 : SIZE_MAX, how & 32 ? 300 : SIZE_MAX);
    bs_buf_free(&request);
    bs_buf_free(&reply);
    free(x);
    return 0;
}
