/*
 * Whether the focused application has read what was sent to it. X does not tell, but nearly every toolkit answers
 * _NET_WM_PING from the same queue that its keys are in.
 *
 * Some applications hear of keys on one connection and look them up in a map that they follow on another: Chromium takes its
 * keys itself and has GTK translate them. Nothing orders the two, so that a key can overtake the map it is meant for. Hence
 * every connection of the application is asked: GTK answers at windows that never show, too.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

/* What the application's other connections get once the focused one has answered; who misses it is not waited for again. */
#define HELPER_US 2000000u

#define MANY 1024u /* windows that are looked at */

static uint32_t first_word(const xcb_get_property_reply_t *p) {
    uint32_t v = 0;
    if (p && p->format == 32 && p->value_len) memcpy(&v, xcb_get_property_value(p), 4);
    return v;
}

static bool answers(const bs_x11 *x, const xcb_get_property_reply_t *protocols) {
    for (unsigned i = 0; protocols && protocols->format == 32 && i < protocols->value_len; i++) {
        xcb_atom_t atom;
        memcpy(&atom, (const uint8_t *)xcb_get_property_value(protocols) + 4 * (size_t)i, 4);
        if (atom == x->atom[BS_A__NET_WM_PING]) return true;
    }
    return false;
}

static unsigned ask_protocols(bs_x11 *x, xcb_window_t window) {
    return xcb_get_property(x->c, 0, window, x->atom[BS_A_WM_PROTOCOLS], XCB_ATOM_ATOM, 0, 64).sequence;
}

static unsigned ask_pid(bs_x11 *x, xcb_window_t window) {
    return xcb_get_property(x->c, 0, window, x->atom[BS_A__NET_WM_PID], XCB_ATOM_CARDINAL, 0, 1).sequence;
}

uint64_t bs_x11_within(const bs_x11 *x, uint64_t us) {
    uint64_t now = bs_now_us(), half = x->base.deadline_us > now ? (x->base.deadline_us - now) / 2 : 0;
    return now + (half < us ? half : us);
}

int bs_x11_focus(bs_x11 *x, xcb_window_t *window) {
    xcb_get_input_focus_reply_t *focus;
    int status = bs_x11_await(x, xcb_get_input_focus(x->c).sequence, &focus);
    *window = focus ? focus->focus : 0;
    free(focus);
    return status;
}

/* The focused window, or the nearest one above it that answers pings, and its process; 0 = none. */
static int find_answering(bs_x11 *x, xcb_window_t window, xcb_window_t *answering, uint32_t *pid) {
    int status = BACKSTEP_OK;
    *answering = *pid = 0;
    for (unsigned depth = 0; depth < 16 && window > 1 && window != x->root && !*answering; depth++) {
        unsigned sequence[3] = {ask_protocols(x, window), ask_pid(x, window), xcb_query_tree(x->c, window).sequence};
        void *reply[3] = {0};
        for (unsigned i = 0; i < 3; i++) {
            if (status) xcb_discard_reply(x->c, sequence[i]);
            else status = bs_x11_await(x, sequence[i], &reply[i]);
        }
        if (answers(x, reply[0])) {
            *answering = window;
            *pid = first_word(reply[1]);
        }
        window = reply[2] ? ((xcb_query_tree_reply_t *)reply[2])->parent : 0;
        for (unsigned i = 0; i < 3; i++) free(reply[i]);
        if (status) return status;
    }
    return BACKSTEP_OK;
}

/* Adds the window if it is the first seen of a connection of the same process that answers pings. */
static void consider(bs_x11 *x, uint32_t pid, xcb_window_t window, const xcb_get_property_reply_t *protocols, const xcb_get_property_reply_t *of) {
    bs_proof *p = &x->proof;
    xcb_window_t client = ~xcb_get_setup(x->c)->resource_id_mask;
    if (p->asked == BS_PROOFS || first_word(of) != pid || !answers(x, protocols)) return;
    for (unsigned i = 0; i < p->asked; i++) {
        if ((p->window[i] & client) == (window & client)) return;
    }
    p->window[p->asked++] = window;
}

/* Windows that never show lie directly in the root; those that do may be in a frame, and are on the manager's list. */
static int find_helpers(bs_x11 *x, uint32_t pid) {
    xcb_query_tree_reply_t *tree;
    xcb_get_property_reply_t *list = NULL;
    unsigned listed = xcb_get_property(x->c, 0, x->root, x->atom[BS_A__NET_CLIENT_LIST], XCB_ATOM_WINDOW, 0, MANY).sequence;
    int status = bs_x11_await(x, xcb_query_tree(x->c, x->root).sequence, &tree);
    if (status) xcb_discard_reply(x->c, listed);
    else status = bs_x11_await(x, listed, &list);
    unsigned children = tree ? (unsigned)xcb_query_tree_children_length(tree) : 0;
    unsigned managed = list && list->format == 32 ? list->value_len : 0;
    if (children > MANY) children = MANY;
    unsigned n = children + managed;
    xcb_window_t *windows = calloc(n + 1, sizeof *windows);
    unsigned *sequences = calloc(2 * (size_t)n + 1, sizeof *sequences);
    if (!status && (!windows || !sequences)) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    if (!status) {
        if (children) memcpy(windows, xcb_query_tree_children(tree), children * sizeof *windows);
        if (managed) memcpy(windows + children, xcb_get_property_value(list), managed * sizeof *windows);
        for (unsigned i = 0; i < n; i++) {
            sequences[2 * i] = ask_protocols(x, windows[i]);
            sequences[2 * i + 1] = ask_pid(x, windows[i]);
        }
        for (unsigned i = 0; i < n; i++) {
            void *reply[2] = {0};
            for (unsigned k = 0; k < 2; k++) {
                if (status) xcb_discard_reply(x->c, sequences[2 * i + k]);
                else status = bs_x11_await(x, sequences[2 * i + k], &reply[k]);
            }
            if (!status) consider(x, pid, windows[i], reply[0], reply[1]);
            free(reply[0]);
            free(reply[1]);
        }
    }
    free(windows);
    free(sequences);
    free(tree);
    free(list);
    return status;
}

/* One window of each connection of the application that has the focus: the focused one first. None: it answers no pings. */
int bs_x11_witnesses(bs_x11 *x, xcb_window_t focus) {
    bs_proof *p = &x->proof;
    if (p->found && p->focus == focus) return BACKSTEP_OK;
    uint32_t pid;
    p->asked = 0;
    p->focus = focus;
    int status = find_answering(x, focus, &p->window[0], &pid);
    if (!status && p->window[0]) {
        p->asked = 1;
        if (pid) status = find_helpers(x, pid);
    }
    p->found = !status;
    return status;
}

static void listen_at_root(bs_x11 *x, uint32_t more) {
    uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY | more;
    xcb_change_window_attributes(x->c, x->root, XCB_CW_EVENT_MASK, &mask);
}

static int send_pings(bs_x11 *x) {
    bs_proof *p = &x->proof;
    xcb_void_cookie_t sent[BS_PROOFS];
    p->first += BS_PROOFS; /* a number for each; late answers to earlier ones bear others */
    p->answered = 0;
    for (unsigned i = 0; i < p->asked; i++) {
        /* Applications send the message back to the root with the window replaced: the fourth word tells our pings from the window manager's. */
        xcb_client_message_event_t event = {.response_type = XCB_CLIENT_MESSAGE, .format = 32, .window = p->window[i], .type = x->atom[BS_A_WM_PROTOCOLS],
            .data.data32 = {x->atom[BS_A__NET_WM_PING], p->first + i, p->window[i], x->own}};
        sent[i] = xcb_send_event_checked(x->c, 0, p->window[i], XCB_EVENT_MASK_NO_EVENT, (const char *)&event);
    }
    int status = bs_x11_sync(x);
    for (unsigned i = 0; i < p->asked; i++) {
        if (status) {
            if (!xcb_connection_has_error(x->c)) xcb_discard_reply(x->c, sent[i].sequence);
            continue;
        }
        xcb_generic_error_t *error = xcb_request_check(x->c, sent[i]); /* after the round trip it does not wait */
        if (error) p->answered |= 1u << i; /* the window is gone, nobody is left to ask there */
        free(error);
    }
    return status;
}

static int await_answers(bs_x11 *x, uint32_t wanted, uint64_t until_us) {
    int status = BACKSTEP_OK;
    while (!status && (x->proof.answered & wanted) != wanted && bs_now_us() < until_us) status = bs_x11_wait_events(x, until_us);
    return status;
}

void bs_x11_pong(bs_x11 *x, uint32_t stamp, xcb_window_t window) {
    bs_proof *p = &x->proof;
    if (stamp - p->first < p->asked) p->answered |= 1u << (stamp - p->first);
    for (unsigned i = 0; i < BS_PROOFS; i++) {
        if (p->mute[i] == window) p->mute[i] = 0; /* it was late only */
    }
}

/* Which of those asked are waited for. */
static uint32_t expected(const bs_proof *p) {
    uint32_t all = 0;
    for (unsigned i = 0; i < p->asked; i++) {
        bool mute = false;
        for (unsigned k = 0; i && k < BS_PROOFS; k++) mute |= p->mute[k] == p->window[i];
        if (!mute) all |= 1u << i;
    }
    return all;
}

int bs_x11_ask(bs_x11 *x, uint64_t until_us) {
    bs_proof *p = &x->proof;
    listen_at_root(x, XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY);
    int status = send_pings(x);
    if (!status) status = await_answers(x, 1, until_us);
    uint32_t wanted = expected(p);
    if (!status && (p->answered & 1)) {
        status = await_answers(x, wanted, bs_x11_within(x, HELPER_US));
        for (unsigned i = 1; i < p->asked && !status; i++) {
            if ((wanted & ~p->answered) >> i & 1) p->mute[p->mutes++ % BS_PROOFS] = p->window[i];
        }
    }
    if (!xcb_connection_has_error(x->c)) listen_at_root(x, 0);
    if (status == BACKSTEP_E_TIMEOUT_UNKNOWN) {
        bs_screen_explain(&x->base, status, "the focused application did not take the keys typed so far before the deadline");
    }
    return status;
}
