/*
 * Waiting until the focused application has taken what was sent, which an answered ping proves (x11_proof.c). Windows that do
 * not take part get a fixed pause after keys; changes of the map reach them in the order of their keys.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

/* For windows without ping (plain Xlib clients): some forty times what such a client takes to read a burst of keys. */
#define PAUSE_US 40000u

/*
 * An input method is a process of its own that keys go through before they are characters: an answered ping proves only
 * that they are on their way.
 */
#define METHOD_US 60000u

/* What plain keys wait for an application to have the layout that they are of: one that hangs is to be reached all the same. */
#define PLAIN_US 1000000u

/* What keys wait for the window manager to have dealt with a click. */
#define CLICK_US 5000000u

int bs_x11_map_taken(bs_x11 *x, bool lent) {
    bs_keyboard *k = &x->keyboard;
    xcb_window_t focus;
    int status = bs_x11_focus(x, &focus);
    if (status || (k->taken_by == focus && k->taken == k->changes)) return status;
    status = bs_x11_witnesses(x, focus);
    uint64_t changes = k->changes; /* one that comes while they answer is not proven */
    if (!status && x->proof.asked) status = bs_x11_ask(x, lent ? x->base.deadline_us : bs_x11_within(x, PLAIN_US));
    if (status) return status;
    k->taken_by = focus;
    k->taken = changes;
    return BACKSTEP_OK;
}

int bs_x11_input_method(bs_x11 *x, bool *active) {
    *active = false;
    xcb_get_property_reply_t *p;
    int status = bs_x11_await(x, xcb_get_property(x->c, 0, x->root, x->atom[BS_A_XIM_SERVERS], XCB_ATOM_ATOM, 0, 16).sequence, &p);
    for (unsigned i = 0; !status && p && p->format == 32 && i < p->value_len && !*active; i++) {
        xcb_atom_t name;
        memcpy(&name, (const uint8_t *)xcb_get_property_value(p) + 4 * (size_t)i, 4);
        xcb_get_selection_owner_reply_t *owner;
        status = bs_x11_await(x, xcb_get_selection_owner(x->c, name).sequence, &owner);
        *active = owner && owner->owner; /* the property outlives its servers */
        free(owner);
    }
    free(p);
    return status;
}

int bs_x11_settle(bs_x11 *x) {
    xcb_window_t focus;
    int status = bs_x11_focus(x, &focus);
    if (!status) status = bs_x11_witnesses(x, focus);
    if (status) return status;
    bool asks = x->proof.asked;
    status = asks ? bs_x11_ask(x, x->base.deadline_us) : bs_x11_pause(x, bs_now_us() + PAUSE_US);
    if (!status && asks && x->keyboard.method) status = bs_x11_pause(x, bs_now_us() + METHOD_US);
    if (!status && asks && x->keyboard.method) status = bs_x11_ask(x, x->base.deadline_us);
    if (status) return status;
    for (unsigned i = 0; i < 2 * x->keyboard.spares; i++) x->keyboard.spare[i].pending = false;
    return BACKSTEP_OK;
}

/*
 * Who is clicked gets the keyboard from the window manager, which hears of the click by a grab: keys sent before it has dealt
 * with that go to whoever had the keyboard. A request that it answers in turn (EWMH _NET_REQUEST_FRAME_EXTENTS) proves that it
 * has; window managers that do not know it are not waited for.
 */
int bs_x11_click_taken(bs_x11 *x) {
    xcb_window_t manager;
    bool knows;
    if (!x->clicked) return BACKSTEP_OK;
    int status = bs_x11_manager(x, &manager);
    if (!status && manager && manager != x->mute_manager) {
        status = bs_x11_lists(x, x->root, BS_A__NET_SUPPORTED, BS_A__NET_REQUEST_FRAME_EXTENTS, &knows);
        if (!status && knows) {
            xcb_client_message_event_t event = {.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = x->own, .type = x->atom[BS_A__NET_REQUEST_FRAME_EXTENTS]};
            uint64_t until_us = bs_x11_within(x, CLICK_US);
            x->framed = false;
            xcb_send_event(x->c, 0, x->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, (const char *)&event);
            status = bs_x11_sync(x);
            while (!status && !x->framed && bs_now_us() < until_us) status = bs_x11_wait_events(x, until_us);
            if (!status && !x->framed) x->mute_manager = manager; /* it says that it knows and does not answer */
        }
    }
    if (!status) x->clicked = false;
    return status;
}
