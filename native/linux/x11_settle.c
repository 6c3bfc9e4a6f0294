/*
 * X tells nobody when another client has read the keys sent to it. Nearly every toolkit answers _NET_WM_PING though, from
 * the same queue that its keys are in: an answer to a ping sent after the keys proves that they were translated. Windows
 * that do not take part get a fixed pause.
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

/* The focused window, or the nearest one above it that answers pings; 0 = none. */
static int find_answering(bs_x11 *x, xcb_window_t *answering) {
    *answering = 0;
    xcb_get_input_focus_reply_t *focus;
    int status = bs_x11_await(x, xcb_get_input_focus(x->c).sequence, &focus);
    if (status || !focus) return status;
    xcb_window_t window = focus->focus;
    free(focus);
    for (unsigned depth = 0; depth < 16 && window > 1 && window != x->root && !*answering; depth++) {
        unsigned property = xcb_get_property(x->c, 0, window, x->atom[BS_A_WM_PROTOCOLS], XCB_ATOM_ATOM, 0, 64).sequence;
        unsigned tree = xcb_query_tree(x->c, window).sequence;
        xcb_get_property_reply_t *p = NULL;
        xcb_query_tree_reply_t *t = NULL;
        status = bs_x11_await(x, property, &p);
        if (status) xcb_discard_reply(x->c, tree);
        else status = bs_x11_await(x, tree, &t);
        if (p && p->format == 32) {
            const xcb_atom_t *atoms = xcb_get_property_value(p);
            for (unsigned i = 0; i < p->value_len; i++) {
                if (atoms[i] == x->atom[BS_A__NET_WM_PING]) *answering = window;
            }
        }
        window = t ? t->parent : 0;
        free(p);
        free(t);
        if (status) return status;
    }
    return BACKSTEP_OK;
}

static void listen_at_root(bs_x11 *x, uint32_t more) {
    uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY | more;
    xcb_change_window_attributes(x->c, x->root, XCB_CW_EVENT_MASK, &mask);
}

static int ping(bs_x11 *x, xcb_window_t window) {
    /* Applications send the message back to the root with the window replaced: the fourth word tells our pings from the window manager's. */
    uint32_t stamp = ++x->ping;
    xcb_client_message_event_t event = {.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = window, .type = x->atom[BS_A_WM_PROTOCOLS],
        .data.data32 = {x->atom[BS_A__NET_WM_PING], stamp, window, x->own}};
    listen_at_root(x, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY);
    xcb_send_event(x->c, 0, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&event);
    int status = bs_x11_sync(x);
    while (!status && x->pong != stamp) status = bs_x11_wait_events(x, x->deadline_us);
    if (!xcb_connection_has_error(x->c)) listen_at_root(x, 0);
    if (status == BACKSTEP_E_TIMEOUT_UNKNOWN) {
        bs_x11_fail(x, status, "the focused application did not take the keys typed so far before the deadline");
    }
    return status;
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
    xcb_window_t window;
    int status = find_answering(x, &window);
    if (!status) status = window ? ping(x, window) : bs_x11_pause(x, bs_now_us() + PAUSE_US);
    if (!status && window && x->keyboard.method) status = bs_x11_pause(x, bs_now_us() + METHOD_US);
    if (!status && window && x->keyboard.method) status = ping(x, window);
    if (status) return status;
    for (unsigned i = 0; i < 2 * x->keyboard.spares; i++) x->keyboard.spare[i].pending = false;
    return BACKSTEP_OK;
}
