/*
 * What a window shows though others lie over it: Composite keeps the pixels of each top-level window apart once that is
 * asked for. An application learns of it by having to draw what was covered, so that the first picture waits for that.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#include <xcb/composite.h>
#include <xcb/damage.h>

#define QUIET_US 60000u /* without drawing: what was covered has been drawn */
#define DRAW_US 600000u /* some never rest, and some never draw */
#define MANY 1024u      /* windows above it that are looked at */

/* The window below the root that holds this one, and where this one begins in its pixels. */
static int find_top(bs_x11 *x, xcb_window_t window, xcb_window_t *top) {
    *top = window;
    for (unsigned depth = 0; depth < 64; depth++) {
        xcb_query_tree_reply_t *tree;
        int status = bs_x11_await(x, xcb_query_tree(x->c, *top).sequence, &tree);
        if (status) return status;
        if (!tree) return bs_x11_window_gone(x, window);
        xcb_window_t parent = tree->parent;
        free(tree);
        if (parent == x->root || !parent) return BACKSTEP_OK;
        *top = parent;
    }
    return bs_x11_window_gone(x, window);
}

static bool overlaps(bs_area a, bs_area b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* Is any of the n windows seen, and over the area? */
static int any_over(bs_x11 *x, const xcb_window_t *windows, unsigned n, bs_area a, bool *over) {
    unsigned *sequence = calloc(2u * n + 1, sizeof *sequence);
    if (!sequence) return bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    int status = BACKSTEP_OK;
    for (unsigned i = 0; i < n; i++) {
        sequence[2 * i] = xcb_get_window_attributes(x->c, windows[i]).sequence;
        sequence[2 * i + 1] = xcb_get_geometry(x->c, windows[i]).sequence;
    }
    for (unsigned i = 0; i < n; i++) {
        void *reply[2] = {0};
        for (unsigned k = 0; k < 2; k++) {
            if (!status) status = bs_x11_await(x, sequence[2 * i + k], &reply[k]);
            else if (!xcb_connection_has_error(x->c)) xcb_discard_reply(x->c, sequence[2 * i + k]);
        }
        const xcb_get_window_attributes_reply_t *w = reply[0];
        const xcb_get_geometry_reply_t *g = reply[1];
        if (w && g && w->map_state == XCB_MAP_STATE_VIEWABLE && w->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT) {
            *over |= overlaps(a, (bs_area){g->x, g->y, g->width + 2 * g->border_width, g->height + 2 * g->border_width});
        }
        free(reply[0]);
        free(reply[1]);
    }
    free(sequence);
    return status;
}

int bs_x11_covered(bs_x11 *x, xcb_window_t window, bs_area a, xcb_window_t *top, bool *covered) {
    *covered = a.x < 0 || a.y < 0 || a.x + a.w > x->width || a.y + a.h > x->height;
    int status = find_top(x, window, top);
    if (status || *covered) return status;
    xcb_query_tree_reply_t *tree;
    status = bs_x11_await(x, xcb_query_tree(x->c, x->root).sequence, &tree);
    if (status || !tree) return status;
    const xcb_window_t *all = xcb_query_tree_children(tree);
    unsigned n = (unsigned)xcb_query_tree_children_length(tree), at = 0;
    while (at < n && all[at] != *top) at++;
    unsigned above = at < n ? n - at - 1 : 0;
    status = any_over(x, all + n - (above < MANY ? above : MANY), above < MANY ? above : MANY, a, covered);
    free(tree);
    return status;
}

static int have_composite(bs_x11 *x, bool *have) {
    *have = x->composite.usable;
    if (x->composite.known) return BACKSTEP_OK;
    const xcb_query_extension_reply_t *e = xcb_get_extension_data(x->c, &xcb_composite_id);
    if (e && e->present) {
        xcb_composite_query_version_reply_t *version;
        int status = bs_x11_await(x, xcb_composite_query_version(x->c, 0, 2).sequence, &version);
        if (status) return status;
        x->composite.usable = version && (version->major_version || version->minor_version >= 2);
        free(version);
    }
    x->composite.known = true;
    *have = x->composite.usable;
    return BACKSTEP_OK;
}

/* Until nothing was drawn in the window for a while. */
static int await_drawing(bs_x11 *x) {
    uint64_t start = bs_now_us(), end = start + DRAW_US;
    for (;;) {
        unsigned seen = x->composite.drawn;
        uint64_t quiet = bs_now_us() + QUIET_US;
        int status = bs_x11_pause(x, quiet < end ? quiet : end);
        if (status || seen == x->composite.drawn || bs_now_us() >= end) return status;
    }
}

/* Has the server keep a window's pixels from now on, for as long as we are connected. */
static int redirect(bs_x11 *x, xcb_window_t top) {
    bs_composite *c = &x->composite;
    const xcb_query_extension_reply_t *damage = xcb_get_extension_data(x->c, &xcb_damage_id);
    xcb_window_t *slot = &c->redirected[c->turn++ % BS_REDIRECTED];
    if (*slot) xcb_composite_unredirect_window(x->c, *slot, XCB_COMPOSITE_REDIRECT_AUTOMATIC);
    *slot = top;
    uint32_t watch = 0;
    if (damage && damage->present) {
        void *version;
        int status = bs_x11_await(x, xcb_damage_query_version(x->c, 1, 1).sequence, &version);
        free(version);
        if (status) return status;
        c->drawn_event = (uint8_t)(damage->first_event + XCB_DAMAGE_NOTIFY);
        watch = xcb_generate_id(x->c);
        xcb_damage_create(x->c, watch, top, XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
    }
    x->base.touched = true; /* its application draws */
    xcb_composite_redirect_window(x->c, top, XCB_COMPOSITE_REDIRECT_AUTOMATIC);
    int status = bs_x11_sync(x);
    if (!status) status = await_drawing(x);
    if (watch && !xcb_connection_has_error(x->c)) xcb_damage_destroy(x->c, watch);
    return status;
}

static int name_pixmap(bs_x11 *x, xcb_window_t top, xcb_pixmap_t *pixmap) {
    *pixmap = xcb_generate_id(x->c);
    unsigned named = xcb_composite_name_window_pixmap_checked(x->c, top, *pixmap).sequence;
    void *nothing;
    int status = bs_x11_sync(x);
    if (status) xcb_discard_reply(x->c, named);
    else status = bs_x11_await(x, named, &nothing);
    if (status || x->x_error) *pixmap = XCB_NONE;
    return status;
}

int bs_x11_covered_pixels(bs_x11 *x, xcb_window_t window, xcb_window_t top, bs_area a, uint8_t *to, uint32_t *route) {
    bool have;
    int status = have_composite(x, &have);
    if (status) return status;
    if (!have) {
        return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "window 0x%x is covered or not wholly on the screen, and the X server lacks the Composite extension that would show it",
            window);
    }
    xcb_pixmap_t pixmap;
    status = name_pixmap(x, top, &pixmap);
    if (!status && !pixmap) {
        status = redirect(x, top);
        if (!status) status = name_pixmap(x, top, &pixmap);
    }
    if (status) return status;
    if (!pixmap) return bs_x11_window_gone(x, window);
    unsigned sequence[2] = {xcb_translate_coordinates(x->c, window, top, 0, 0).sequence, xcb_get_geometry(x->c, pixmap).sequence};
    void *reply[2] = {0};
    status = bs_x11_await(x, sequence[0], &reply[0]);
    if (status) xcb_discard_reply(x->c, sequence[1]);
    else status = bs_x11_await(x, sequence[1], &reply[1]);
    const xcb_translate_coordinates_reply_t *t = reply[0];
    const xcb_get_geometry_reply_t *g = reply[1];
    if (!status && (!t || !g)) status = bs_x11_window_gone(x, window);
    if (!status) {
        /* Its pixels begin with the outermost window's border. */
        xcb_get_geometry_reply_t *outer;
        status = bs_x11_await(x, xcb_get_geometry(x->c, top).sequence, &outer);
        int border = outer ? outer->border_width : 0;
        free(outer);
        a.x = t->dst_x + border;
        a.y = t->dst_y + border;
        bool inside = a.x >= 0 && a.y >= 0 && a.x + a.w <= g->width && a.y + a.h <= g->height && (g->depth == 24 || g->depth == 32);
        if (!status && !inside) status = bs_screen_explain(&x->base, BACKSTEP_E_REFUSED, "window 0x%x changed its size while it was pictured", window);
    }
    free(reply[0]);
    free(reply[1]);
    if (!status) status = bs_x11_drawable_pixels(x, pixmap, a, to, route);
    if (!xcb_connection_has_error(x->c)) xcb_free_pixmap(x->c, pixmap);
    *route |= BS_ROUTE_WINDOW;
    return status;
}
