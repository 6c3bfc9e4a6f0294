/* What is done to one window: asked of the window manager where one runs, else done with core requests. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRAME 1000u /* pixels; what says more says nonsense */

enum { ACTIVATE, CLOSE, MINIMISE, RESTORE, PLACE };

static void message(bs_x11 *x, xcb_window_t to, uint32_t mask, xcb_window_t about, xcb_atom_t type, const uint32_t data[5]) {
    xcb_client_message_event_t e = {.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = about, .type = type};
    memcpy(e.data.data32, data, sizeof e.data.data32);
    x->base.touched = true;
    xcb_send_event(x->c, 0, to, mask, (const char *)&e);
}

static void ask_manager(bs_x11 *x, xcb_window_t about, enum bs_x11_atom type, const uint32_t data[5]) {
    message(x, x->root, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT, about, x->atom[type], data);
}

int bs_x11_lists(bs_x11 *x, xcb_window_t window, enum bs_x11_atom name, enum bs_x11_atom atom, bool *yes) {
    *yes = false;
    xcb_get_property_reply_t *p;
    int status = bs_x11_await(x, xcb_get_property(x->c, 0, window, x->atom[name], XCB_ATOM_ATOM, 0, 1024).sequence, &p);
    const xcb_atom_t *atoms = p && p->format == 32 ? xcb_get_property_value(p) : NULL;
    for (unsigned i = 0; atoms && i < p->value_len; i++) *yes |= atoms[i] == x->atom[atom];
    free(p);
    return status;
}

/* The error of a request without reply, once a round trip has passed it. */
static int finish(bs_x11 *x, xcb_void_cookie_t last, xcb_window_t window, const char *what) {
    void *nothing;
    int status = bs_x11_sync(x);
    if (status) {
        if (!xcb_connection_has_error(x->c)) xcb_discard_reply(x->c, last.sequence);
        return status;
    }
    status = bs_x11_await(x, last.sequence, &nothing);
    if (status || !x->x_error) return status;
    if (x->x_error == XCB_WINDOW) return bs_x11_window_gone(x, window);
    return bs_screen_explain(&x->base, BACKSTEP_E_REFUSED, "window 0x%x cannot be %s: %s", window, what, bs_x11_error_name(x->x_error));
}

static int activate(bs_x11 *x, xcb_window_t window, bool managed) {
    if (managed) {
        ask_manager(x, window, BS_A__NET_ACTIVE_WINDOW, (uint32_t[5]){2, XCB_CURRENT_TIME}); /* 2: on behalf of a person, whatever was typed since */
        return bs_x11_sync(x);
    }
    uint32_t above = XCB_STACK_MODE_ABOVE;
    x->base.touched = true;
    xcb_map_window(x->c, window);
    xcb_configure_window(x->c, window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
    return finish(x, xcb_set_input_focus_checked(x->c, XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME), window, "activated");
}

static int close_window(bs_x11 *x, xcb_window_t window, bool managed) {
    bool polite;
    if (managed) {
        ask_manager(x, window, BS_A__NET_CLOSE_WINDOW, (uint32_t[5]){XCB_CURRENT_TIME, 2});
        return bs_x11_sync(x);
    }
    int status = bs_x11_lists(x, window, BS_A_WM_PROTOCOLS, BS_A_WM_DELETE_WINDOW, &polite);
    if (status) return status;
    if (!polite) return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "window 0x%x cannot be asked to close: it does not know WM_DELETE_WINDOW", window);
    message(x, window, XCB_EVENT_MASK_NO_EVENT, window, x->atom[BS_A_WM_PROTOCOLS], (uint32_t[5]){x->atom[BS_A_WM_DELETE_WINDOW], XCB_CURRENT_TIME});
    return bs_x11_sync(x);
}

/*
 * How wide its frame is at the left and at the top. With static gravity Openbox moves a window by that as soon as it gives itself
 * another size, so that the frame is placed where its width is known.
 */
static int frame_of(bs_x11 *x, xcb_window_t window, int32_t frame[2], bool *known) {
    xcb_get_property_reply_t *p;
    int status = bs_x11_await(x, xcb_get_property(x->c, 0, window, x->atom[BS_A__NET_FRAME_EXTENTS], XCB_ATOM_CARDINAL, 0, 4).sequence, &p);
    *known = p && p->format == 32 && p->value_len == 4;
    if (*known) {
        uint32_t side[4]; /* left, right, top, bottom */
        memcpy(side, xcb_get_property_value(p), sizeof side);
        *known = side[0] <= MOST_FRAME && side[2] <= MOST_FRAME;
        if (*known) frame[0] = (int32_t)side[0], frame[1] = (int32_t)side[2];
    }
    free(p);
    return status;
}

static int place(bs_x11 *x, xcb_window_t window, bool managed, const int32_t rect[4]) {
    bool understood = false;
    if (rect[2] < -1 || rect[2] == 0 || rect[2] > 65535 || rect[3] < -1 || rect[3] == 0 || rect[3] > 65535 || rect[0] < -32768 || rect[0] > 32767
        || rect[1] < -32768 || rect[1] > 32767) {
        return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "a window cannot be %dx%d at %d,%d", rect[2], rect[3], rect[0], rect[1]);
    }
    int status = managed ? bs_x11_lists(x, x->root, BS_A__NET_SUPPORTED, BS_A__NET_MOVERESIZE_WINDOW, &understood) : BACKSTEP_OK;
    if (status) return status;
    uint32_t values[4];
    uint16_t mask = 0;
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (rect[i] == -1) continue;
        mask |= (uint16_t)(1u << i); /* x, y, width, height have the lowest bits in this order in both requests */
        values[n++] = (uint32_t)rect[i];
    }
    if (!mask) return BACKSTEP_OK;
    if (understood) {
        /* The position is that of the client area, as the list of windows gives it. Source 2: a person. */
        int32_t frame[2] = {0, 0};
        bool framed = false;
        status = frame_of(x, window, frame, &framed);
        if (status) return status;
        uint32_t flags = (framed ? XCB_GRAVITY_NORTH_WEST : XCB_GRAVITY_STATIC) | (uint32_t)mask << 8 | 2u << 12;
        ask_manager(x, window, BS_A__NET_MOVERESIZE_WINDOW,
            (uint32_t[5]){flags, (uint32_t)(rect[0] - frame[0]), (uint32_t)(rect[1] - frame[1]), (uint32_t)rect[2], (uint32_t)rect[3]});
        return bs_x11_sync(x);
    }
    x->base.touched = true;
    return finish(x, xcb_configure_window_checked(x->c, window, mask, values), window, "placed");
}

int bs_x11_op_window(bs_x11 *x, bs_reader *r) {
    xcb_window_t window = bs_get_u32(r), manager;
    uint32_t verb = bs_get_u32(r);
    int32_t rect[4];
    for (unsigned i = 0; i < 4; i++) rect[i] = bs_get_i32(r);
    int status = bs_screen_malformed(&x->base, r);
    if (status) return status;
    if (verb > PLACE) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "no such verb: %u", verb);
    xcb_get_window_attributes_reply_t *attributes;
    status = bs_x11_await(x, xcb_get_window_attributes(x->c, window).sequence, &attributes);
    if (status) return status;
    if (!attributes) return bs_x11_window_gone(x, window);
    if (window == x->root || window == x->own) status = bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "window 0x%x is not an application's", window);
    bool managed = !attributes->override_redirect;
    free(attributes);
    if (!status) status = bs_x11_manager(x, &manager);
    if (status) return status;
    managed = managed && manager;
    switch (verb) {
    case ACTIVATE: return activate(x, window, managed);
    case CLOSE: return close_window(x, window, managed);
    case MINIMISE:
        if (!managed) return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "window 0x%x cannot be minimised: no window manager looks after it", window);
        ask_manager(x, window, BS_A_WM_CHANGE_STATE, (uint32_t[5]){3}); /* IconicState */
        return bs_x11_sync(x);
    case RESTORE:
        x->base.touched = true;
        xcb_map_window(x->c, window);
        return activate(x, window, managed);
    default: return place(x, window, managed, rect);
    }
}
