/* The selections we own, as other clients see them: answering their requests, large content chunk by chunk (INCR). */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)256 << 10) /* what toolkits use, too: a larger property would hold up the server for everybody */
#define FORGOTTEN_US 60000000u    /* a requestor that took nothing for so long will not */

void bs_x11_blob_drop(bs_blob *blob) {
    if (blob && !--blob->references) free(blob);
}

void bs_x11_offers_drop(bs_selection *s) {
    for (unsigned i = 0; i < s->count; i++) bs_x11_blob_drop(s->offers[i].blob);
    free(s->offers);
    s->offers = NULL;
    s->count = 0;
    s->owned = false;
}

bs_selection *bs_x11_selection(bs_x11 *x, xcb_atom_t name) {
    for (unsigned i = 0; i < 2; i++) {
        if (x->clipboard.selection[i].name == name) return &x->clipboard.selection[i];
    }
    return NULL;
}

static void drop_transfer(bs_transfer *t) {
    bs_x11_blob_drop(t->blob);
    *t = (bs_transfer){0};
}

static void watch(bs_x11 *x, xcb_window_t window, bool on) {
    uint32_t mask = on ? XCB_EVENT_MASK_PROPERTY_CHANGE | XCB_EVENT_MASK_STRUCTURE_NOTIFY : XCB_EVENT_MASK_NO_EVENT;
    xcb_change_window_attributes(x->c, window, XCB_CW_EVENT_MASK, &mask);
}

static void start_transfer(bs_x11 *x, xcb_window_t requestor, xcb_atom_t property, const bs_offer *offer) {
    bs_transfer *slot = NULL, *all = x->clipboard.transfer;
    uint64_t now = bs_now_us();
    for (unsigned i = 0; i < BS_TRANSFERS; i++) {
        bs_transfer *t = &all[i];
        if (t->blob && (now - t->touched_us > FORGOTTEN_US || (t->requestor == requestor && t->property == property))) drop_transfer(t);
        if (!slot || (slot->blob && (!t->blob || t->touched_us < slot->touched_us))) slot = t;
    }
    drop_transfer(slot);
    offer->blob->references++;
    *slot = (bs_transfer){requestor, property, offer->type, offer->blob, 0, now};
    uint32_t size = (uint32_t)offer->blob->size;
    watch(x, requestor, true);
    xcb_change_property(x->c, XCB_PROP_MODE_REPLACE, requestor, property, x->atom[BS_A_INCR], 32, 1, &size);
}

/* The requestor deleted the property: it has read the last chunk and wants the next one. An empty one ends it. */
static void go_on(bs_x11 *x, xcb_window_t requestor, xcb_atom_t property) {
    bs_transfer *t = NULL;
    unsigned of_window = 0;
    for (unsigned i = 0; i < BS_TRANSFERS; i++) {
        bs_transfer *other = &x->clipboard.transfer[i];
        if (!other->blob || other->requestor != requestor) continue;
        of_window++;
        if (other->property == property) t = other;
    }
    if (!t) return;
    size_t n = t->blob->size - t->at < CHUNK ? t->blob->size - t->at : CHUNK;
    xcb_change_property(x->c, XCB_PROP_MODE_REPLACE, requestor, property, t->type, 8, (uint32_t)n, t->blob->bytes + t->at);
    t->at += n;
    t->touched_us = bs_now_us();
    if (n) return;
    drop_transfer(t);
    if (of_window == 1) watch(x, requestor, false);
}

static bool give(bs_x11 *x, const bs_selection *s, xcb_window_t requestor, xcb_atom_t target, xcb_atom_t property) {
    if (target == x->atom[BS_A_TIMESTAMP]) {
        xcb_change_property(x->c, XCB_PROP_MODE_REPLACE, requestor, property, XCB_ATOM_INTEGER, 32, 1, &s->since);
        return true;
    }
    if (target == x->atom[BS_A_TARGETS]) {
        xcb_atom_t first[2] = {x->atom[BS_A_TARGETS], x->atom[BS_A_TIMESTAMP]};
        xcb_change_property(x->c, XCB_PROP_MODE_REPLACE, requestor, property, XCB_ATOM_ATOM, 32, 2, first);
        for (unsigned i = 0; i < s->count; i++) {
            xcb_change_property(x->c, XCB_PROP_MODE_APPEND, requestor, property, XCB_ATOM_ATOM, 32, 1, &s->offers[i].target);
        }
        return true;
    }
    for (unsigned i = 0; i < s->count; i++) {
        const bs_offer *o = &s->offers[i];
        if (o->target != target) continue;
        if (o->blob->size > CHUNK) start_transfer(x, requestor, property, o);
        else xcb_change_property(x->c, XCB_PROP_MODE_REPLACE, requestor, property, o->type, 8, (uint32_t)o->blob->size, o->blob->bytes);
        return true;
    }
    return false;
}

static void answer(bs_x11 *x, const xcb_selection_request_event_t *e) {
    const bs_selection *s = bs_x11_selection(x, e->selection);
    xcb_atom_t property = e->property ? e->property : e->target; /* obsolete clients leave it to us */
    bool ours = s && s->owned && (e->time == XCB_CURRENT_TIME || (int32_t)(e->time - s->since) >= 0);
    bool given = ours && e->requestor != x->own && give(x, s, e->requestor, e->target, property);
    xcb_selection_notify_event_t reply = {.response_type = XCB_SELECTION_NOTIFY, .time = e->time, .requestor = e->requestor,
        .selection = e->selection, .target = e->target, .property = given ? property : XCB_ATOM_NONE};
    char event[32] = {0};
    memcpy(event, &reply, sizeof reply);
    xcb_send_event(x->c, 0, e->requestor, XCB_EVENT_MASK_NO_EVENT, event);
}

void bs_x11_clip_event(bs_x11 *x, const xcb_generic_event_t *event) {
    bs_clipboard *c = &x->clipboard;
    switch (event->response_type & 0x7f) {
    case XCB_SELECTION_REQUEST: answer(x, (const void *)event); return;
    case XCB_SELECTION_CLEAR: {
        const xcb_selection_clear_event_t *e = (const void *)event;
        bs_selection *s = bs_x11_selection(x, e->selection);
        if (s && e->owner == x->own && (int32_t)(e->time - s->since) >= 0) bs_x11_offers_drop(s);
        return;
    }
    case XCB_SELECTION_NOTIFY: {
        const xcb_selection_notify_event_t *e = (const void *)event;
        if (e->requestor != c->into || !c->wanted) return;
        if (e->property == c->wanted) c->answered = true;
        else if (e->property == XCB_ATOM_NONE && (e->time == c->asked || e->time == XCB_CURRENT_TIME)) c->refused = true;
        return;
    }
    case XCB_PROPERTY_NOTIFY: {
        const xcb_property_notify_event_t *e = (const void *)event;
        if (e->window == x->own && e->atom == x->atom[BS_A_BACKSTEP_TIME]) c->now = e->time;
        else if (c->wanted && e->window == c->into && e->atom == c->wanted && e->state == XCB_PROPERTY_NEW_VALUE) c->arrived = true;
        else if (e->window != x->own && e->state == XCB_PROPERTY_DELETE) go_on(x, e->window, e->atom);
        return;
    }
    case XCB_DESTROY_NOTIFY: {
        const xcb_destroy_notify_event_t *e = (const void *)event;
        for (unsigned i = 0; i < BS_TRANSFERS; i++) {
            if (c->transfer[i].blob && c->transfer[i].requestor == e->window) drop_transfer(&c->transfer[i]);
        }
        return;
    }
    default: return;
    }
}

void bs_x11_clip_close(bs_x11 *x) {
    for (unsigned i = 0; i < 2; i++) bs_x11_offers_drop(&x->clipboard.selection[i]);
    for (unsigned i = 0; i < BS_TRANSFERS; i++) drop_transfer(&x->clipboard.transfer[i]);
}
