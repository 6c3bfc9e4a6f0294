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

int bs_x11_op_drawn(bs_x11 *x, bs_reader *r) {
    bs_drawn *d = &x->drawn;
    int64_t left = bs_get_i32(r), top = bs_get_i32(r), width = bs_get_i32(r), height = bs_get_i32(r);
    if (r->failed || width < 0 || height < 0) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "the request is too short, or of less than nothing");
    if (!d->known) {
        int status = begin(x);
        if (status) return status;
    }
    if (!d->damage) return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the X server lacks the DAMAGE extension");
    /* What was drawn until the server answers is told before the answer. */
    int status = bs_x11_sync(x);
    if (status) return status;
    /* Of what was drawn before we looked, or before all that is noted, nothing is known. */
    uint64_t last = d->since_us;
    unsigned count = d->next < BS_DRAWN ? d->next : BS_DRAWN;
    if (d->next > BS_DRAWN && d->of[d->next % BS_DRAWN].at_us > last) last = d->of[d->next % BS_DRAWN].at_us;
    for (unsigned i = 0; i < count; i++) {
        const bs_drawing *one = &d->of[i];
        bool apart = one->x >= left + width || one->x + one->width <= left || one->y >= top + height || one->y + one->height <= top;
        if (!apart && one->at_us > last) last = one->at_us;
    }
    uint64_t quiet = (bs_now_us() - last) / 1000;
    bs_put_u32(x->base.reply, quiet < INT32_MAX ? (uint32_t)quiet : INT32_MAX);
    return BACKSTEP_OK;
}
