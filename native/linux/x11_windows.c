/* The list of windows: what the window manager manages, and the menus and popups above. Requests are sent together. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#define MANY 4096u /* windows; the rest of a longer list is left out */

enum { FLAG_ACTIVE = 1, FLAG_MINIMISED = 2, FLAG_OVERRIDE = 4, FLAG_TOOLTIP = 8, FLAG_MODAL = 32 };
enum { GEOMETRY, ORIGIN, ATTRIBUTES, PID, STATE, WM_STATE, FRAME, NET_NAME, NAME, CLASS, TYPE, QUERIES };

typedef struct list {
    xcb_window_t *windows;
    unsigned count;
} list;

/* Awaits replies in order; after a failure the others are dropped. A reply is NULL where the window is gone. */
static int collect(bs_x11 *x, const unsigned *sequences, void **replies, unsigned n) {
    int status = BACKSTEP_OK;
    for (unsigned i = 0; i < n; i++) {
        replies[i] = NULL;
        if (status) {
            if (!xcb_connection_has_error(x->c)) xcb_discard_reply(x->c, sequences[i]);
        } else status = bs_x11_await(x, sequences[i], &replies[i]);
    }
    return status;
}

static unsigned property(bs_x11 *x, xcb_window_t window, xcb_atom_t name, xcb_atom_t type, uint32_t words) {
    return xcb_get_property(x->c, 0, window, name, type, 0, words).sequence;
}

static uint32_t word(const xcb_get_property_reply_t *p, unsigned i) {
    uint32_t v = 0;
    if (p && p->format == 32 && i < p->value_len) memcpy(&v, (const uint8_t *)xcb_get_property_value(p) + 4 * (size_t)i, 4);
    return v;
}

int bs_x11_window_gone(bs_x11 *x, xcb_window_t window) {
    return bs_screen_explain(&x->base, BACKSTEP_E_NO_ELEMENT, "there is no window 0x%x (any more)", window);
}

int bs_x11_manager(bs_x11 *x, xcb_window_t *manager) {
    *manager = 0;
    xcb_get_property_reply_t *p;
    int status = bs_x11_await(x, property(x, x->root, x->atom[BS_A__NET_SUPPORTING_WM_CHECK], XCB_ATOM_WINDOW, 1), &p);
    xcb_window_t window = word(p, 0);
    free(p);
    if (status || !window) return status;
    /* The property outlives its manager; the window, which names itself, does not. */
    status = bs_x11_await(x, property(x, window, x->atom[BS_A__NET_SUPPORTING_WM_CHECK], XCB_ATOM_WINDOW, 1), &p);
    if (!status && word(p, 0) == window) *manager = window;
    free(p);
    return status;
}

static bool has(const list *l, xcb_window_t window) {
    for (unsigned i = 0; i < l->count; i++) {
        if (l->windows[i] == window) return true;
    }
    return false;
}

/* The children of the root, bottom to top, that a person sees: `override` of them those no window manager touches. */
static int visible_children(bs_x11 *x, list *normal, list *override) {
    xcb_query_tree_reply_t *tree;
    int status = bs_x11_await(x, xcb_query_tree(x->c, x->root).sequence, &tree);
    if (status || !tree) return status;
    unsigned n = (unsigned)xcb_query_tree_children_length(tree);
    const xcb_window_t *windows = xcb_query_tree_children(tree);
    if (n > MANY) windows += n - MANY, n = MANY;
    unsigned *sequences = calloc(n + 1, sizeof *sequences);
    void **replies = calloc(n + 1, sizeof *replies);
    normal->windows = calloc(n + 1, sizeof *windows);
    override->windows = calloc(n + 1, sizeof *windows);
    if (!sequences || !replies || !normal->windows || !override->windows) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    else {
        for (unsigned i = 0; i < n; i++) sequences[i] = xcb_get_window_attributes(x->c, windows[i]).sequence;
        status = collect(x, sequences, replies, n);
        for (unsigned i = 0; i < n; i++) {
            const xcb_get_window_attributes_reply_t *a = replies[i];
            if (a && a->map_state == XCB_MAP_STATE_VIEWABLE && a->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT && windows[i] != x->own) {
                list *l = a->override_redirect ? override : normal;
                l->windows[l->count++] = windows[i];
            }
            free(replies[i]);
        }
    }
    free(sequences);
    free(replies);
    free(tree);
    return status;
}

/* Some window managers make their frames override-redirect: whatever holds a managed window is no popup. */
static int drop_frames(bs_x11 *x, const list *managed, list *override) {
    unsigned n = managed->count;
    unsigned *sequences = calloc(n + 1, sizeof *sequences);
    void **replies = calloc(n + 1, sizeof *replies);
    xcb_window_t *above = calloc(n + 1, sizeof *above);
    int status = sequences && replies && above ? BACKSTEP_OK : bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    if (!status) memcpy(above, managed->windows, n * sizeof *above);
    for (unsigned round = 0; !status && n && round < 6; round++) {
        for (unsigned i = 0; i < n; i++) sequences[i] = xcb_query_tree(x->c, above[i]).sequence;
        status = collect(x, sequences, replies, n);
        unsigned left = 0;
        for (unsigned i = 0; i < n; i++) {
            const xcb_query_tree_reply_t *t = replies[i];
            if (t && t->parent && t->parent != x->root) above[left++] = t->parent;
            else if (t && t->parent == x->root) {
                for (unsigned k = 0; k < override->count; k++) {
                    if (override->windows[k] == above[i]) override->windows[k] = 0;
                }
            }
            free(replies[i]);
        }
        n = left;
    }
    free(sequences);
    free(replies);
    free(above);
    return status;
}

static int managed_windows(bs_x11 *x, list *managed, xcb_window_t *active, bool *known) {
    xcb_window_t manager;
    int status = bs_x11_manager(x, &manager);
    if (status || !manager) return status;
    unsigned sequences[3] = {property(x, x->root, x->atom[BS_A__NET_CLIENT_LIST_STACKING], XCB_ATOM_WINDOW, MANY),
        property(x, x->root, x->atom[BS_A__NET_CLIENT_LIST], XCB_ATOM_WINDOW, MANY), property(x, x->root, x->atom[BS_A__NET_ACTIVE_WINDOW], XCB_ATOM_WINDOW, 1)};
    void *replies[3];
    status = collect(x, sequences, replies, 3);
    for (unsigned k = 0; k < 2 && !status && !*known; k++) {
        const xcb_get_property_reply_t *p = replies[k];
        if (!p || p->format != 32) continue;
        *known = true;
        managed->windows = calloc(p->value_len + 1, sizeof *managed->windows);
        if (!managed->windows) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
        for (unsigned i = 0; i < p->value_len && !status; i++) managed->windows[managed->count++] = word(p, i);
    }
    *active = word(replies[2], 0);
    for (unsigned i = 0; i < 3; i++) free(replies[i]);
    return status;
}

/* Without a window manager the active window is the one above the focus. */
static int focused_window(bs_x11 *x, const list *windows, xcb_window_t *active) {
    xcb_get_input_focus_reply_t *focus;
    int status = bs_x11_await(x, xcb_get_input_focus(x->c).sequence, &focus);
    xcb_window_t window = focus ? focus->focus : 0;
    free(focus);
    for (unsigned depth = 0; depth < 32 && !status && window > 1 && window != x->root && !*active; depth++) {
        if (has(windows, window)) *active = window;
        xcb_query_tree_reply_t *t;
        status = bs_x11_await(x, xcb_query_tree(x->c, window).sequence, &t);
        window = t ? t->parent : 0;
        free(t);
    }
    return status;
}

/* Text of a property as UTF-8: what is not valid is read as Latin-1, which STRING is. */
static void put_text(bs_buf *out, const char *text, size_t n) {
    while (n && !text[n - 1]) n--;
    if (bs_utf8_valid(text, n) && !memchr(text, 0, n)) {
        bs_put_str(out, text, n);
        return;
    }
    uint32_t length = 0;
    for (size_t i = 0; i < n; i++) length += !text[i] ? 0 : (uint8_t)text[i] < 0x80 ? 1 : 2;
    bs_put_u32(out, length);
    for (size_t i = 0; i < n; i++) {
        uint8_t c = (uint8_t)text[i];
        if (c >= 0x80) bs_put_u8(out, (uint8_t)(0xc0 | c >> 6));
        if (c) bs_put_u8(out, c >= 0x80 ? (uint8_t)(0x80 | (c & 0x3f)) : c);
    }
}

static const char *text_of(const xcb_get_property_reply_t *p, size_t *n) {
    *n = p && p->format == 8 ? (size_t)xcb_get_property_value_length(p) : 0;
    return *n ? xcb_get_property_value(p) : "";
}

static bool put_window(bs_x11 *x, xcb_window_t window, void *const *replies, uint32_t flags) {
    const xcb_get_geometry_reply_t *g = replies[GEOMETRY];
    const xcb_translate_coordinates_reply_t *at = replies[ORIGIN];
    const xcb_get_window_attributes_reply_t *a = replies[ATTRIBUTES];
    if (!g || !at || !a) return false;
    size_t title_length, class_length;
    const char *title = text_of(replies[NET_NAME], &title_length), *class = text_of(replies[CLASS], &class_length);
    if (!title_length) title = text_of(replies[NAME], &title_length);
    const char *second = class_length ? memchr(class, 0, class_length) : NULL; /* instance, NUL, class, NUL */
    if (second && (size_t)(second + 1 - class) < class_length) class_length -= (size_t)(second + 1 - class), class = second + 1;
    uint32_t pid = word(replies[PID], 0);
    if (flags & FLAG_OVERRIDE) {
        bool outside = at->dst_x >= x->width || at->dst_y >= x->height || at->dst_x + g->width <= 0 || at->dst_y + g->height <= 0;
        bool cover = g->width >= x->width && g->height >= x->height && !pid && !title_length && !class_length;
        if (outside || cover) return false; /* helpers of toolkits and window managers; a compositor's overlay */
    }
    if (word(replies[WM_STATE], 0) == 3) flags |= FLAG_MINIMISED; /* IconicState */
    const xcb_get_property_reply_t *state = replies[STATE];
    for (unsigned i = 0; state && i < state->value_len; i++) {
        if (word(state, i) == x->atom[BS_A__NET_WM_STATE_HIDDEN]) flags |= FLAG_MINIMISED;
        if (word(state, i) == x->atom[BS_A__NET_WM_STATE_MODAL]) flags |= FLAG_MODAL;
    }
    const xcb_get_property_reply_t *type = replies[TYPE];
    for (unsigned i = 0; type && i < type->value_len; i++) {
        if (word(type, i) == x->atom[BS_A__NET_WM_WINDOW_TYPE_TOOLTIP]) flags |= FLAG_TOOLTIP;
    }
    bs_put_u32(x->base.reply, window);
    bs_put_u32(x->base.reply, pid);
    bs_put_i32(x->base.reply, at->dst_x);
    bs_put_i32(x->base.reply, at->dst_y);
    bs_put_i32(x->base.reply, g->width);
    bs_put_i32(x->base.reply, g->height);
    bs_put_u32(x->base.reply, flags);
    for (unsigned i = 0; i < 4; i++) bs_put_u32(x->base.reply, word(replies[FRAME], i));
    put_text(x->base.reply, title, title_length);
    put_text(x->base.reply, class, class_length);
    return true;
}

static void ask(bs_x11 *x, xcb_window_t w, unsigned *s) {
    s[GEOMETRY] = xcb_get_geometry(x->c, w).sequence;
    s[ORIGIN] = xcb_translate_coordinates(x->c, w, x->root, 0, 0).sequence;
    s[ATTRIBUTES] = xcb_get_window_attributes(x->c, w).sequence;
    s[PID] = property(x, w, x->atom[BS_A__NET_WM_PID], XCB_ATOM_CARDINAL, 1);
    s[STATE] = property(x, w, x->atom[BS_A__NET_WM_STATE], XCB_ATOM_ATOM, 64);
    s[WM_STATE] = property(x, w, x->atom[BS_A_WM_STATE], x->atom[BS_A_WM_STATE], 2);
    s[FRAME] = property(x, w, x->atom[BS_A__GTK_FRAME_EXTENTS], XCB_ATOM_CARDINAL, 4);
    s[NET_NAME] = property(x, w, x->atom[BS_A__NET_WM_NAME], x->atom[BS_A_UTF8_STRING], 4096);
    s[NAME] = property(x, w, XCB_ATOM_WM_NAME, XCB_GET_PROPERTY_TYPE_ANY, 4096);
    s[CLASS] = property(x, w, XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 256);
    s[TYPE] = property(x, w, x->atom[BS_A__NET_WM_WINDOW_TYPE], XCB_ATOM_ATOM, 16);
}

static int describe(bs_x11 *x, const list *managed, const list *override, xcb_window_t active) {
    unsigned total = managed->count + override->count;
    unsigned *sequences = calloc((size_t)total * QUERIES + 1, sizeof *sequences);
    void **replies = calloc((size_t)total * QUERIES + 1, sizeof *replies);
    int status = sequences && replies ? BACKSTEP_OK : bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    if (!status) {
        for (unsigned i = 0; i < total; i++) {
            ask(x, i < managed->count ? managed->windows[i] : override->windows[i - managed->count], sequences + (size_t)i * QUERIES);
        }
        status = collect(x, sequences, replies, total * QUERIES);
    }
    if (!status) {
        uint32_t count = 0;
        size_t at = x->base.reply->length;
        bs_put_u32(x->base.reply, 0);
        for (unsigned i = 0; i < total; i++) {
            bool popup = i >= managed->count;
            xcb_window_t window = popup ? override->windows[i - managed->count] : managed->windows[i];
            count += put_window(x, window, replies + (size_t)i * QUERIES, (window == active ? FLAG_ACTIVE : 0) | (popup ? FLAG_OVERRIDE : 0));
        }
        if (!x->base.reply->failed) memcpy(x->base.reply->data + at, &count, 4);
    }
    for (unsigned i = 0; replies && i < total * QUERIES; i++) free(replies[i]);
    free(sequences);
    free(replies);
    return status;
}

int bs_x11_op_windows(bs_x11 *x, bs_reader *r) {
    list managed = {0}, normal = {0}, override = {0};
    xcb_window_t active = 0;
    bool known = false;
    int status = bs_screen_malformed(&x->base, r);
    if (!status) status = managed_windows(x, &managed, &active, &known);
    if (!status) status = visible_children(x, &normal, &override);
    list *main = known ? &managed : &normal;
    if (!status && !known) status = focused_window(x, main, &active);
    if (!status && known) status = drop_frames(x, &managed, &override);
    if (!status) {
        unsigned kept = 0;
        for (unsigned i = 0; i < override.count; i++) {
            if (override.windows[i] && !has(main, override.windows[i])) override.windows[kept++] = override.windows[i];
        }
        override.count = kept;
        status = describe(x, main, &override, active);
    }
    free(managed.windows);
    free(normal.windows);
    free(override.windows);
    return status;
}
