/* Leaving the selections that we own to a process of its own, which goes on when we end. */
#include "x11_internal.h"

#include <stdlib.h>

static unsigned owned(const bs_x11 *x) {
    return (unsigned)x->clipboard.selection[0].owned + (unsigned)x->clipboard.selection[1].owned;
}

enum bs_screen_offers bs_x11_offers(const bs_x11 *x) {
    bool reading = false;
    for (unsigned i = 0; i < BS_TRANSFERS; i++) reading |= x->clipboard.transfer[i].blob != NULL;
    return owned(x) ? BS_OFFERS_CONTENT : reading ? BS_OFFERS_ON_ITS_WAY : BS_OFFERS_NOTHING;
}

static int put_atom(bs_x11 *x, xcb_atom_t atom, bs_buf *into) {
    xcb_get_atom_name_reply_t *reply = NULL;
    int status = bs_x11_await(x, xcb_get_atom_name(x->c, atom).sequence, &reply);
    if (reply) bs_put_str(into, xcb_get_atom_name_name(reply), (size_t)xcb_get_atom_name_name_length(reply));
    else if (!status) status = bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the X server does not tell the name of a type: %s", bs_x11_error_name(x->x_error));
    free(reply);
    return status;
}

/* As a request of CLIP_RESTORE. */
static int put_selection(bs_x11 *x, const bs_selection *s, bs_buf *into) {
    unsigned n = s->count < BS_OFFERS ? s->count : BS_OFFERS;
    int status = put_atom(x, s->name, into);
    bs_put_u32(into, n);
    for (unsigned i = 0; i < n && !status; i++) {
        const bs_offer *o = &s->offers[i];
        status = put_atom(x, o->target, into);
        if (!status) status = put_atom(x, o->type, into);
        bs_put_str(into, (const char *)o->blob->bytes, o->blob->size);
    }
    return status;
}

int bs_x11_op_clip_leave(bs_x11 *x, bs_reader *r) {
    int status = bs_screen_malformed(&x->base, r);
    unsigned n = owned(x);
    for (unsigned i = 0; i < 2 && !status; i++) {
        bs_buf content = {0};
        if (x->clipboard.selection[i].owned) status = put_selection(x, &x->clipboard.selection[i], &content);
        if (!status && content.length) status = bs_watch_leave(&x->base, x->display, &content);
        bs_buf_free(&content);
    }
    while (!status && owned(x)) status = bs_x11_wait_events(x, x->base.deadline_us);
    if (!status) bs_put_u32(x->base.reply, n);
    return status;
}
