/* The connection to the display: opening, waiting with a deadline, handing out operations and events, closing. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll */
#endif
#include "x11_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <xcb/composite.h>
#include <xcb/damage.h>
#include <xcb/shm.h>
#include <xcb/xcbext.h>
#include <xcb/xfixes.h>
#include <xcb/xtest.h>

/* How late a cancellation may be noticed: the flag is another thread's, and no descriptor tells of it. */
#define SLICE_US 20000u

static const char *const atom_names[BS_A_COUNT] = {
#define A(name) #name,
    BS_X11_ATOMS(A)
#undef A
};

static int broken(bs_x11 *x) {
    if (atomic_load(&x->interrupted)) return bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the connection to the display was interrupted");
    switch (x->c ? xcb_connection_has_error(x->c) : 0) {
    case XCB_CONN_CLOSED_MEM_INSUFFICIENT: return bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory while talking to the display");
    case XCB_CONN_CLOSED_REQ_LEN_EXCEED: return bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "a request was larger than the X server takes");
    default: return bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the connection to the X server broke");
    }
}

int bs_x11_check(bs_x11 *x) {
    if (atomic_load(&x->interrupted) || (x->c && xcb_connection_has_error(x->c))) return broken(x);
    return bs_screen_due(&x->base);
}

static bool ready(bs_x11 *x, short events, uint64_t until_us) {
    uint64_t now = bs_now_us(), left = until_us > now ? until_us - now : 0;
    if (left > SLICE_US) left = SLICE_US;
    struct pollfd p = {.fd = xcb_get_file_descriptor(x->c), .events = events};
    struct timespec t = {.tv_sec = 0, .tv_nsec = (long)left * 1000};
    return ppoll(&p, 1, &t, NULL) > 0;
}

int bs_x11_flush(bs_x11 *x) {
    /* A server that stands still leaves the socket full; waiting here honours the deadline, xcb's own wait would not. */
    for (;;) {
        int status = bs_x11_check(x);
        if (status) return status;
        if (ready(x, POLLOUT, x->base.deadline_us)) break;
    }
    return xcb_flush(x->c) > 0 ? BACKSTEP_OK : broken(x);
}

bool bs_x11_push(bs_x11 *x) {
    return !xcb_connection_has_error(x->c) && ready(x, POLLOUT, 0) && xcb_flush(x->c) > 0;
}

static void handle(bs_x11 *x, const xcb_generic_event_t *event) {
    switch (event->response_type & 0x7f) {
    case 0: /* an error nobody waited for: a window that went away, a requestor that died */
        return;
    case XCB_MAPPING_NOTIFY: {
        const xcb_mapping_notify_event_t *e = (const void *)event;
        if (e->request == XCB_MAPPING_POINTER) {
            x->person.buttons_known = false;
            return;
        }
        x->keyboard.stale = true;
        x->keyboard.changes++;
        return;
    }
    case XCB_CONFIGURE_NOTIFY: {
        const xcb_configure_notify_event_t *e = (const void *)event;
        if (e->window == x->root && e->event == x->root) x->width = e->width, x->height = e->height;
        return;
    }
    case XCB_PROPERTY_NOTIFY: {
        const xcb_property_notify_event_t *e = (const void *)event;
        if (e->window == x->own && e->atom == x->atom[BS_A__NET_FRAME_EXTENTS]) x->framed = true;
        bs_x11_clip_event(x, event);
        return;
    }
    case XCB_CLIENT_MESSAGE: {
        const xcb_client_message_event_t *e = (const void *)event;
        if (e->format == 32 && e->type == x->atom[BS_A_WM_PROTOCOLS] && e->data.data32[0] == x->atom[BS_A__NET_WM_PING]
            && e->window == x->root && e->data.data32[3] == x->own) bs_x11_pong(x, e->data.data32[1], e->data.data32[2]);
        return;
    }
    case XCB_GE_GENERIC: bs_x11_input_event(x, event); return;
    default:
        if (bs_x11_drawn_event(x, event)) return;
        if (x->composite.drawn_event && (event->response_type & 0x7f) == x->composite.drawn_event) x->composite.drawn++;
        else bs_x11_clip_event(x, event);
    }
}

static unsigned drain(bs_x11 *x, xcb_generic_event_t *(*next)(xcb_connection_t *)) {
    unsigned n = 0;
    for (xcb_generic_event_t *event; (event = next(x->c)); n++) {
        handle(x, event);
        free(event);
    }
    return n;
}

int bs_x11_await(bs_x11 *x, unsigned sequence, void *reply_out) {
    void **out = reply_out, *reply = NULL;
    *out = NULL;
    x->x_error = 0;
    int status = bs_x11_flush(x);
    while (!status) {
        xcb_generic_error_t *error = NULL;
        if (xcb_poll_for_reply(x->c, sequence, &reply, &error)) {
            if (error) x->x_error = error->error_code;
            free(error);
            drain(x, xcb_poll_for_queued_event);
            if (!reply && !x->x_error && xcb_connection_has_error(x->c)) return broken(x);
            *out = reply;
            return BACKSTEP_OK;
        }
        if (drain(x, xcb_poll_for_queued_event)) status = bs_x11_flush(x); /* a handler may have answered someone */
        else if (!(status = bs_x11_check(x))) ready(x, POLLIN, x->base.deadline_us);
    }
    if (!xcb_connection_has_error(x->c)) xcb_discard_reply(x->c, sequence);
    return status;
}

int bs_x11_sync(bs_x11 *x) {
    void *reply;
    int status = bs_x11_await(x, xcb_get_input_focus(x->c).sequence, &reply);
    free(reply);
    return status;
}

int bs_x11_wait_events(bs_x11 *x, uint64_t until_us) {
    if (until_us > x->base.deadline_us) until_us = x->base.deadline_us;
    for (;;) {
        unsigned n = drain(x, xcb_poll_for_event);
        int status = n ? bs_x11_flush(x) : bs_x11_check(x);
        if (status || n || bs_now_us() >= until_us) return status;
        ready(x, POLLIN, until_us);
    }
}

int bs_x11_pause(bs_x11 *x, uint64_t until_us) {
    int status;
    do status = bs_x11_wait_events(x, until_us);
    while (!status && bs_now_us() < until_us);
    return status;
}

int bs_x11_atoms(bs_x11 *x, const bs_str *names, unsigned n, xcb_atom_t *atoms) {
    int status = BACKSTEP_OK;
    unsigned *sequence = calloc(n ? n : 1, sizeof *sequence);
    if (!sequence) return bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    for (unsigned i = 0; i < n; i++) sequence[i] = xcb_intern_atom(x->c, 0, (uint16_t)names[i].length, names[i].text).sequence;
    for (unsigned i = 0; i < n; i++) {
        xcb_intern_atom_reply_t *reply = NULL;
        if (status) xcb_discard_reply(x->c, sequence[i]);
        else status = bs_x11_await(x, sequence[i], &reply);
        atoms[i] = reply ? reply->atom : XCB_ATOM_NONE;
        free(reply);
    }
    free(sequence);
    return status;
}

const char *bs_x11_error_name(uint8_t code) {
    static const char *const names[] = {"no error", "BadRequest", "BadValue", "BadWindow", "BadPixmap", "BadAtom", "BadCursor", "BadFont",
        "BadMatch", "BadDrawable", "BadAccess", "BadAlloc", "BadColor", "BadGC", "BadIDChoice", "BadName", "BadLength", "BadImplementation"};
    return code < sizeof names / sizeof *names ? names[code] : "an extension's error";
}

/* What has to be known before the first operation. Extensions and request length come with the first round trip: asking
 * xcb for them afterwards does not block. */
static int prepare(bs_x11 *x) {
    bs_str names[BS_A_COUNT], inboxes[BS_INBOXES];
    char inbox[BS_INBOXES][24];
    xcb_prefetch_extension_data(x->c, &xcb_test_id);
    xcb_prefetch_extension_data(x->c, &xcb_shm_id);
    xcb_prefetch_extension_data(x->c, &xcb_damage_id);
    xcb_prefetch_extension_data(x->c, &xcb_xfixes_id);
    xcb_prefetch_extension_data(x->c, &xcb_composite_id);
    xcb_prefetch_maximum_request_length(x->c);
    for (unsigned i = 0; i < BS_A_COUNT; i++) names[i] = (bs_str){atom_names[i], (uint32_t)strlen(atom_names[i])};
    for (unsigned i = 0; i < BS_INBOXES; i++) {
        inboxes[i] = (bs_str){inbox[i], (uint32_t)snprintf(inbox[i], sizeof inbox[i], "BACKSTEP_INBOX_%u", i)};
    }
    int status = bs_x11_atoms(x, names, BS_A_COUNT, x->atom);
    if (!status) status = bs_x11_atoms(x, inboxes, BS_INBOXES, x->clipboard.inbox);
    if (status) return status;
    x->clipboard.selection[0].name = x->atom[BS_A_CLIPBOARD];
    x->clipboard.selection[1].name = XCB_ATOM_PRIMARY;
    const xcb_query_extension_reply_t *test = xcb_get_extension_data(x->c, &xcb_test_id);
    x->have_test = test && test->present;
    if (x->have_test) xcb_test_grab_control(x->c, 1); /* input goes on while another client grabs the server */
    uint32_t root_mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY, own[2] = {1, XCB_EVENT_MASK_PROPERTY_CHANGE};
    xcb_change_window_attributes(x->c, x->root, XCB_CW_EVENT_MASK, &root_mask);
    x->own = xcb_generate_id(x->c);
    xcb_create_window(x->c, 0, x->own, x->root, -10, -10, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT,
        XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, own);
    return bs_x11_sync(x);
}

static void destroy(bs_x11 *x) {
    while (atomic_load(&x->interrupting)) poll(NULL, 0, 1); /* what it woke may be us, before it has returned */
    if (x->c) xcb_disconnect(x->c);
    bs_x11_picture_close(x);
    bs_x11_clip_close(x);
    bs_watch_close(&x->watch);
    free(x->keyboard.symbols);
    free(x->display);
    if (x->control >= 0) close(x->control);
    free(x);
}

bs_x11 *bs_x11_open(const char *display, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot) {
    bs_x11 *x = calloc(1, sizeof *x);
    if (!x) {
        *status = BACKSTEP_E_MEMORY;
        bs_put_cstr(message, "out of memory");
        return NULL;
    }
    x->base.kind = &bs_screen_x11;
    x->control = -1;
    x->display = strdup(display);
    bs_screen_begin(&x->base, deadline_us, NULL, message);
    x->keyboard.stale = true;
    x->keyboard.changes = 1; /* one may have been under way when we came */
    int number = 0;
    bs_cookie cookie = {0};
    int fd = bs_x11_connect(x, display, slot, &number, &cookie, status);
    if (fd >= 0) {
        char name[] = "MIT-MAGIC-COOKIE-1";
        xcb_auth_info_t auth = {(int)strlen(name), name, (int)cookie.length, (char *)cookie.data};
        x->c = xcb_connect_to_fd(fd, cookie.length ? &auth : NULL); /* closes fd when it fails */
        if (xcb_connection_has_error(x->c)) {
            *status = atomic_load(&x->interrupted) ? broken(x)
                : bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the X server on %.80s closed the connection or did not let us in (%s)", display,
                      cookie.length ? "with the cookie of the authority file" : "no cookie for it in the authority file");
        } else {
            xcb_screen_iterator_t screens = xcb_setup_roots_iterator(xcb_get_setup(x->c));
            for (int i = 0; i < number && screens.rem; i++) xcb_screen_next(&screens);
            x->screen = screens.rem ? screens.data : NULL;
            if (!x->screen) {
                *status = bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the display %.80s has no screen %d", display, number);
            } else {
                x->root = x->screen->root;
                x->width = x->screen->width_in_pixels;
                x->height = x->screen->height_in_pixels;
                *status = prepare(x);
                if (!*status) {
                    bs_screen_end(&x->base);
                    return x;
                }
            }
        }
    }
    /* Whoever interrupts takes x out of the slot first; when that happened, its call is waited for before x goes. */
    if (x->control >= 0 && slot && !atomic_exchange(slot, NULL)) {
        for (int i = 0; i < 1000 && !atomic_load(&x->interrupted); i++) poll(NULL, 0, 1);
    }
    destroy(x);
    return NULL;
}

int bs_x11_fd(const bs_x11 *x) {
    return xcb_get_file_descriptor(x->c);
}

void bs_x11_size(const bs_x11 *x, int32_t *width, int32_t *height) {
    *width = x->width;
    *height = x->height;
}

int bs_x11_exec(bs_x11 *x, uint32_t op, bs_reader *request, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply) {
    static int (*const table[])(bs_x11 *, bs_reader *) = {
        [BACKSTEP_OP_TEXT] = bs_x11_op_text, [BACKSTEP_OP_CHORD] = bs_x11_op_chord, [BACKSTEP_OP_POINTER] = bs_x11_op_pointer,
        [BACKSTEP_OP_RELEASE] = bs_x11_op_release, [BACKSTEP_OP_WATCH_INPUT] = bs_x11_op_watch_input,
        [BACKSTEP_OP_CAPTURE] = bs_x11_op_capture, [BACKSTEP_OP_WINDOWS] = bs_x11_op_windows,
        [BACKSTEP_OP_WINDOW] = bs_x11_op_window, [BACKSTEP_OP_HOLDERS] = bs_x11_op_holders, [BACKSTEP_OP_DRAWN] = bs_x11_op_drawn, [BACKSTEP_OP_CLIP_READ] = bs_x11_op_clip_read, [BACKSTEP_OP_CLIP_WRITE] = bs_x11_op_clip_write,
        [BACKSTEP_OP_CLIP_KEEP] = bs_x11_op_clip_keep, [BACKSTEP_OP_CLIP_RESTORE] = bs_x11_op_clip_restore, [BACKSTEP_OP_CLIP_LEAVE] = bs_x11_op_clip_leave,
    };
    bs_screen_begin(&x->base, deadline_us, cancel, reply);
    x->proof.found = false;
    int status = bs_x11_check(x);
    if (!status) {
        drain(x, xcb_poll_for_event);
        if (op >= sizeof table / sizeof *table || !table[op]) status = bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "no such operation: %u", op);
        else if (op <= BACKSTEP_OP_RELEASE && !x->have_test) status = bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the X server lacks the XTEST extension");
        else status = table[op](x, request);
    }
    bs_x11_release_held(x); /* nothing when the operation went well */
    drain(x, xcb_poll_for_queued_event);
    if (bs_x11_push(x)) bs_x11_watch_sent(x);
    bs_screen_end(&x->base);
    return reply->failed ? BACKSTEP_E_MEMORY : status;
}

int bs_x11_pump(bs_x11 *x) {
    drain(x, xcb_poll_for_event);
    if (bs_x11_input_answer(x)) drain(x, xcb_poll_for_queued_event);
    bs_x11_input_ask(x);
    bs_x11_person_rest(x);
    bs_x11_push(x);
    return xcb_connection_has_error(x->c) || atomic_load(&x->interrupted) ? BACKSTEP_E_DISPLAY : BACKSTEP_OK;
}

void bs_x11_interrupt(bs_x11 *x) {
    /* The flag first for a socket that is not connected yet, which cannot be shut down: connecting looks at it. */
    atomic_fetch_add(&x->interrupting, 1);
    atomic_store(&x->interrupted, true);
    shutdown(x->control, SHUT_RDWR);
    atomic_fetch_sub(&x->interrupting, 1); /* the last touch: x may be freed from here on */
}

void bs_x11_close(bs_x11 *x) {
    if (!x) return;
    bs_screen_begin(&x->base, bs_now_us() + 120000, NULL, NULL);
    if (!xcb_connection_has_error(x->c) && !atomic_load(&x->interrupted)) {
        bs_x11_release_held(x);
        bs_x11_keymap_close(x);
        bs_x11_picture_detach(x);
        if (!bs_x11_sync(x)) bs_x11_watch_sent(x);
    }
    destroy(x);
}
