/* Pictures: what is asked for, and whether it can be had. The pixels: x11_screen.c, x11_composite.c. */
#include "x11_internal.h"

#include <stdlib.h>

enum { SCREEN, WINDOW, RECT };

/* What can be converted: 32 bits a pixel, little-endian, red in the third byte. */
static int check_format(bs_x11 *x) {
    const xcb_setup_t *setup = xcb_get_setup(x->c);
    uint8_t depth = x->screen->root_depth;
    unsigned bits = 0;
    for (xcb_format_iterator_t f = xcb_setup_pixmap_formats_iterator(setup); f.rem; xcb_format_next(&f)) {
        if (f.data->depth == depth) bits = f.data->bits_per_pixel;
    }
    const xcb_visualtype_t *visual = NULL;
    for (xcb_depth_iterator_t d = xcb_screen_allowed_depths_iterator(x->screen); d.rem; xcb_depth_next(&d)) {
        for (xcb_visualtype_iterator_t v = xcb_depth_visuals_iterator(d.data); v.rem; xcb_visualtype_next(&v)) {
            if (v.data->visual_id == x->screen->root_visual) visual = v.data;
        }
    }
    bool fits = visual && (depth == 24 || depth == 32) && bits == 32 && setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST
        && (visual->_class == XCB_VISUAL_CLASS_TRUE_COLOR || visual->_class == XCB_VISUAL_CLASS_DIRECT_COLOR)
        && visual->red_mask == 0xff0000 && visual->green_mask == 0xff00 && visual->blue_mask == 0xff;
    if (fits) return BACKSTEP_OK;
    return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the screen's pixels are not 8 bits each of red, green and blue in 32 bits (depth %u, %u bits a pixel, masks %x %x %x)",
        depth, bits, visual ? visual->red_mask : 0, visual ? visual->green_mask : 0, visual ? visual->blue_mask : 0);
}

static int window_area(bs_x11 *x, xcb_window_t window, bs_area *a) {
    unsigned s[3] = {xcb_get_geometry(x->c, window).sequence, xcb_get_window_attributes(x->c, window).sequence,
        xcb_translate_coordinates(x->c, window, x->root, 0, 0).sequence};
    void *reply[3] = {0};
    int status = BACKSTEP_OK;
    for (unsigned i = 0; i < 3; i++) {
        if (status) xcb_discard_reply(x->c, s[i]);
        else status = bs_x11_await(x, s[i], &reply[i]);
    }
    const xcb_get_geometry_reply_t *g = reply[0];
    const xcb_get_window_attributes_reply_t *attributes = reply[1];
    const xcb_translate_coordinates_reply_t *t = reply[2];
    if (!status) {
        if (!g || !attributes || !t) status = bs_x11_window_gone(x, window);
        else if (attributes->map_state != XCB_MAP_STATE_VIEWABLE) {
            status = bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "window 0x%x is not on the screen: it is minimised or not mapped", window);
        } else *a = (bs_area){t->dst_x, t->dst_y, g->width, g->height};
    }
    for (unsigned i = 0; i < 3; i++) free(reply[i]);
    return status;
}

static int clip(bs_x11 *x, bs_area *a) {
    bs_area asked = *a;
    int64_t right = a->x + a->w < x->width ? a->x + a->w : x->width, bottom = a->y + a->h < x->height ? a->y + a->h : x->height;
    if (a->x < 0) a->x = 0;
    if (a->y < 0) a->y = 0;
    a->w = right - a->x;
    a->h = bottom - a->y;
    if (asked.w > 0 && asked.h > 0 && a->w > 0 && a->h > 0) return BACKSTEP_OK;
    return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "nothing of the rectangle %lldx%lld at %lld,%lld is on the screen of %dx%d",
        (long long)asked.w, (long long)asked.h, (long long)asked.x, (long long)asked.y, x->width, x->height);
}

int bs_x11_op_capture(bs_x11 *x, bs_reader *r) {
    uint32_t what = bs_get_u32(r), window = bs_get_u32(r);
    bs_area a = {.x = bs_get_i32(r)};
    a.y = bs_get_i32(r);
    a.w = bs_get_i32(r);
    a.h = bs_get_i32(r);
    int status = bs_screen_malformed(&x->base, r);
    if (status) return status;
    if (what > RECT) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "no such kind of picture: %u", what);
    if (!status) status = check_format(x);
    xcb_window_t top = 0;
    bool covered = false;
    if (!status && what == SCREEN) a = (bs_area){0, 0, x->width, x->height};
    if (!status && what == WINDOW) status = window_area(x, window, &a);
    if (!status && what == WINDOW) status = bs_x11_covered(x, window, a, &top, &covered);
    if (!status && !covered) status = clip(x, &a);
    if (status) return status;
    bs_put_u32(x->base.reply, (uint32_t)a.w);
    bs_put_u32(x->base.reply, (uint32_t)a.h);
    size_t route_at = x->base.reply->length;
    bs_put_u32(x->base.reply, 0);
    bs_put_u32(x->base.reply, BS_SCALE_1);
    uint8_t *to = bs_buf_reserve(x->base.reply, (size_t)(a.w * a.h) * 4);
    if (!to) return bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    uint32_t route = 0;
    status = covered ? bs_x11_covered_pixels(x, window, top, a, to, &route) : bs_x11_screen_pixels(x, a, to, &route);
    if (!status) x->base.reply->data[route_at] = (uint8_t)route;
    return status;
}
