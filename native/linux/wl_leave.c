/* Leaving the selections that we own to a process of its own, which goes on when we end. */
#include "wl.h"

static unsigned owned(const bs_wl *w) {
    return (unsigned)(w->selection[0].own != NULL) + (unsigned)(w->selection[1].own != NULL);
}

enum bs_screen_offers bs_wl_offers(const bs_wl *w) {
    bool reading = false;
    for (unsigned i = 0; i < BS_WL_TRANSFERS; i++) reading |= w->transfer[i].fd >= 0;
    return owned(w) ? BS_OFFERS_CONTENT : reading ? BS_OFFERS_ON_ITS_WAY : BS_OFFERS_NOTHING;
}

/* As a request of CLIP_RESTORE. */
static void put_selection(const bs_wl_own *own, const char *name, bs_buf *into) {
    unsigned n = own->n < BS_WL_OFFERS ? own->n : BS_WL_OFFERS;
    bs_put_cstr(into, name);
    bs_put_u32(into, n);
    for (unsigned i = 0; i < n; i++) {
        bs_put_cstr(into, own->item[i].type);
        bs_put_cstr(into, own->item[i].type);
        bs_put_str(into, (const char *)own->item[i].blob->bytes, own->item[i].blob->size);
    }
}

int bs_wl_op_clip_leave(bs_wl *w, bs_reader *r) {
    int status = bs_screen_malformed(&w->base, r);
    unsigned n = owned(w);
    for (unsigned i = 0; i < 2 && !status; i++) {
        if (!w->selection[i].own) continue;
        bs_buf content = {0};
        put_selection(w->selection[i].own, i ? "PRIMARY" : "CLIPBOARD", &content);
        status = bs_watch_leave(&w->base, w->name, &content);
        bs_buf_free(&content);
    }
    while (!status && owned(w)) status = bs_wl_wait(w, -1, w->base.deadline_us);
    if (!status) bs_put_u32(w->base.reply, n);
    return status;
}
