/*
 * What was drawn a moment ago, and where: XDamage of the whole screen, noted as it comes from the first question on. Only
 * who sees every window's drawing on the screen can say that nothing moved, which is so on a display of our own.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>
#include <xcb/damage.h>

/* The server's answer is that it has the extension: asked once, and what is drawn is noted from then on. */
static int begin(bs_x11 *x) {
    bs_drawn *d = &x->drawn;
    const xcb_query_extension_reply_t *damage = xcb_get_extension_data(x->c, &xcb_damage_id);
    if (damage && damage->present) {
        void *version;
        int status = bs_x11_await(x, xcb_damage_query_version(x->c, 1, 1).sequence, &version);
        bool there = version != NULL;
        free(version);
        if (status) return status;
        if (there) {
            d->event = (uint8_t)(damage->first_event + XCB_DAMAGE_NOTIFY);
            d->damage = xcb_generate_id(x->c);
            xcb_damage_create(x->c, d->damage, x->root, XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
            d->since_us = bs_now_us();
        }
    }
    d->known = true;
    return BACKSTEP_OK;
}

bool bs_x11_drawn_event(bs_x11 *x, const xcb_generic_event_t *event) {
    bs_drawn *d = &x->drawn;
    const xcb_damage_notify_event_t *e = (const void *)event;
    if (!d->damage || (event->response_type & 0x7f) != d->event || e->damage != d->damage) return false;
    d->of[d->next++ % BS_DRAWN] = (bs_drawing){bs_now_us(), e->area.x, e->area.y, e->area.width, e->area.height};
    return true;
}

typedef struct box {
    int64_t left, top, right, bottom;
} box;

static void put_box(bs_buf *reply, box b) {
    bool some = b.left < b.right && b.top < b.bottom;
    bs_put_i32(reply, some ? (int32_t)b.left : 0);
    bs_put_i32(reply, some ? (int32_t)b.top : 0);
    bs_put_i32(reply, some ? (int32_t)(b.right - b.left) : 0);
    bs_put_i32(reply, some ? (int32_t)(b.bottom - b.top) : 0);
}

/* What was drawn in `in` since a time, as far as it is noted: that reaches back to the answer. */
static uint64_t drawn_in(const bs_drawn *d, box in, uint64_t since_us, uint64_t *last_us, box *drawn) {
    unsigned count = d->next < BS_DRAWN ? d->next : BS_DRAWN;
    uint64_t noted_us = d->since_us;
    /* Of what was drawn before all that is noted, nothing is known. */
    if (d->next > BS_DRAWN && d->of[d->next % BS_DRAWN].at_us > noted_us) noted_us = d->of[d->next % BS_DRAWN].at_us;
    *last_us = noted_us;
    *drawn = (box){INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (unsigned i = 0; i < count; i++) {
        const bs_drawing *one = &d->of[i];
        box b = {one->x, one->y, (int64_t)one->x + one->width, (int64_t)one->y + one->height};
        if (b.left < in.left) b.left = in.left;
        if (b.top < in.top) b.top = in.top;
        if (b.right > in.right) b.right = in.right;
        if (b.bottom > in.bottom) b.bottom = in.bottom;
        if (b.left >= b.right || b.top >= b.bottom) continue;
        if (one->at_us > *last_us) *last_us = one->at_us;
        if (one->at_us < since_us) continue;
        if (b.left < drawn->left) drawn->left = b.left;
        if (b.top < drawn->top) drawn->top = b.top;
        if (b.right > drawn->right) drawn->right = b.right;
        if (b.bottom > drawn->bottom) drawn->bottom = b.bottom;
    }
    return noted_us;
}

int bs_x11_op_drawn(bs_x11 *x, bs_reader *r) {
    bs_drawn *d = &x->drawn;
    int64_t left = bs_get_i32(r), top = bs_get_i32(r), width = bs_get_i32(r), height = bs_get_i32(r);
    uint64_t within_us = (uint64_t)bs_get_u32(r) * 1000;
    if (r->failed || width < 0 || height < 0) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "the request is too short, or of less than nothing");
    if (!d->known) {
        int status = begin(x);
        if (status) return status;
    }
    if (!d->damage) return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the X server lacks the DAMAGE extension");
    /* What was drawn until the server answers is told before the answer. */
    int status = bs_x11_sync(x);
    if (status) return status;
    box in = {left, top, left + width, top + height};
    uint64_t now = bs_now_us(), since = within_us < now ? now - within_us : 0, last;
    box drawn;
    uint64_t noted = drawn_in(d, in, since, &last, &drawn);
    uint64_t quiet = (now - last) / 1000;
    bs_put_u32(x->base.reply, quiet < INT32_MAX ? (uint32_t)quiet : INT32_MAX);
    put_box(x->base.reply, noted > since ? in : drawn);
    return BACKSTEP_OK;
}
