/* Leaving the selections that we own to a process of its own, which goes on when we end. */
#include "x11_internal.h"

static unsigned owned(const bs_x11 *x) {
    return (unsigned)x->clipboard.selection[0].owned + (unsigned)x->clipboard.selection[1].owned;
}

enum bs_screen_offers bs_x11_offers(const bs_x11 *x) {
    bool reading = false;
    for (unsigned i = 0; i < BS_TRANSFERS; i++) reading |= x->clipboard.transfer[i].blob != NULL;
    return owned(x) ? BS_OFFERS_CONTENT : reading ? BS_OFFERS_ON_ITS_WAY : BS_OFFERS_NOTHING;
}

static int put_atom(bs_x11 *x, xcb_atom_t atom, bs_buf *into) {
    bs_buf name = {0};
    int status = bs_x11_clip_name(x, atom, &name);
    bs_put_str(into, (const char *)name.data, name.length);
    if (name.failed) into->failed = true;
    bs_buf_free(&name);
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
        if (!x->clipboard.selection[i].owned) continue;
        bs_buf content = {0};
        status = put_selection(x, &x->clipboard.selection[i], &content);
        if (!status) status = bs_watch_leave(&x->base, x->display, &content);
        bs_buf_free(&content);
    }
    while (!status && owned(x)) status = bs_x11_wait_events(x, x->base.deadline_us);
    if (!status) bs_put_u32(x->base.reply, n);
    return status;
}
