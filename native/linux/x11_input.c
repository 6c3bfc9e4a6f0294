/*
 * Noticing that somebody else uses the keyboard or the pointer: raw events of the X Input extension. The server stamps every
 * event with the last request of ours that it had carried out, and carries XTEST requests out at once: an event that bears
 * the number of a press of ours, and is the same key, is that press. Everything else is somebody's, another program's too.
 * What is counted is that a key went down, never which: this must not become a way to read what people type. What somebody
 * records is told by x11_person.c.
 *
 * Two requests and one event are all it takes, so they are written out here instead of linking libxcb-xinput.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include <xcb/xcbext.h>

enum { SELECT_EVENTS = 46, QUERY_VERSION = 47, ALL_MASTERS = 1 };

#define NOISE 8            /* pixels that the pointer may be away from where it was left */
#define DEFERRED_US 1000000u /* an event may come late: while a grab holds a device back */
#define TELL_US 100000u    /* what comes in between is told together */

static xcb_extension_t extension = {.name = "XInputExtension"};

static unsigned request(bs_x11 *x, uint8_t opcode, bool answers, void *body, size_t size) {
    xcb_protocol_request_t what = {.count = 1, .ext = &extension, .opcode = opcode, .isvoid = !answers};
    struct iovec parts[3] = {{0}, {0}, {body, size}}; /* two in front are xcb's */
    return xcb_send_request(x->c, answers ? XCB_REQUEST_CHECKED : 0, parts + 2, &what);
}

static void select_events(bs_x11 *x, uint32_t mask) {
    struct {
        uint8_t head[4];
        uint32_t window;
        uint16_t masks, pad, device, words;
        uint32_t mask;
    } body = {.window = x->root, .masks = 1, .device = ALL_MASTERS, .words = 1, .mask = mask};
    request(x, SELECT_EVENTS, false, &body, sizeof body);
}

static int start(bs_x11 *x) {
    xcb_prefetch_extension_data(x->c, &extension);
    int status = bs_x11_sync(x); /* the answer about the extension is there then */
    const xcb_query_extension_reply_t *found = status ? NULL : xcb_get_extension_data(x->c, &extension);
    if (status) return status;
    if (!found || !found->present) return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the X server lacks the X Input extension");
    struct {
        uint8_t head[4];
        uint16_t major, minor;
    } body = {.major = 2, .minor = 2}; /* from 2.1 on raw events come also while another client has a grab */
    struct {
        uint8_t head[8];
        uint16_t major, minor;
    } *version;
    status = bs_x11_await(x, request(x, QUERY_VERSION, true, &body, sizeof body), &version);
    bool enough = version && (version->major > 2 || (version->major == 2 && version->minor >= 1));
    free(version);
    if (status) return status;
    if (!enough) return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the X server's X Input extension is older than 2.1");
    xcb_query_pointer_reply_t *at;
    status = bs_x11_await(x, xcb_query_pointer(x->c, x->root).sequence, &at);
    if (status) return status;
    x->input = (bs_input){.on = true, .extension = found->major_opcode};
    if (at) x->input.x = at->root_x, x->input.y = at->root_y;
    free(at);
    return BACKSTEP_OK;
}

int bs_x11_op_watch_input(bs_x11 *x, bs_reader *r) {
    uint32_t on = bs_get_u32(r);
    int status = bs_screen_malformed(&x->base, r);
    if (status) return status;
    if (on > 2) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "watching input is 0, 1 or 2, not %u", on);
    if (on && !x->input.on) status = start(x);
    if (status) return status;
    uint32_t counted = 1u << BS_RAW_KEY | 1u << BS_RAW_BUTTON | 1u << BS_RAW_MOTION;
    select_events(x, on == 2 ? counted | 1u << BS_RAW_KEY_UP | 1u << BS_RAW_BUTTON_UP : on ? counted : 0);
    if (on != 2) bs_x11_person_stop(x);
    else if (!x->person.on) status = bs_x11_person_start(x);
    if (!on) {
        if (x->input.asking) xcb_discard_reply(x->c, x->input.asking);
        x->input = (bs_input){0};
    }
    return status ? status : bs_x11_sync(x);
}

static bs_own *next_own(bs_x11 *x, uint8_t kind, uint32_t detail, unsigned sequence) {
    bs_own *own = &x->input.own[x->input.owns++ % BS_OWN];
    *own = (bs_own){kind, (uint8_t)detail, sequence, bs_now_us()};
    return own;
}

void bs_x11_input_key(bs_x11 *x, xcb_keycode_t code, unsigned sequence) {
    if (x->input.on) next_own(x, BS_RAW_KEY, code, sequence);
}

void bs_x11_input_button(bs_x11 *x, uint8_t button, bool down, unsigned sequence) {
    if (down ? x->input.on : x->person.on) next_own(x, down ? BS_RAW_BUTTON : BS_RAW_BUTTON_UP, button, sequence);
}

void bs_x11_input_moved(bs_x11 *x, int32_t to_x, int32_t to_y, unsigned sequence) {
    if (!x->input.on) return;
    next_own(x, BS_RAW_MOTION, 0, sequence);
    x->input.x = to_x;
    x->input.y = to_y;
    x->input.moves++;
}

/* Takes what we sent out of the book. What is older, and the same, came to nothing: a key that was down already. */
static bool is_own(bs_x11 *x, const bs_raw *e) {
    bs_own *exact = NULL, *late = NULL;
    uint64_t now = bs_now_us();
    uint32_t detail = e->kind == BS_RAW_MOTION ? 0 : e->detail;
    for (unsigned i = 0; i < BS_OWN; i++) {
        bs_own *own = &x->input.own[i];
        if (own->kind != e->kind || own->detail != detail) continue;
        int32_t after = (int32_t)(e->full_sequence - own->sequence); /* the numbers go round */
        if (after == 0) exact = own;
        else if (after > 0 && now - own->us > DEFERRED_US) own->kind = 0;
        else if (after > 0 && (!late || (int32_t)(late->sequence - own->sequence) > 0)) late = own;
    }
    bs_own *own = exact ? exact : late;
    if (own) own->kind = 0;
    return own;
}

void bs_x11_input_event(bs_x11 *x, const xcb_generic_event_t *event) {
    bs_raw e;
    bs_input *in = &x->input;
    memcpy(&e, event, sizeof e); /* xcb makes every event this long at least */
    if (!in->on || e.extension != in->extension || e.kind < BS_RAW_KEY || e.kind > BS_RAW_MOTION) return;
    bs_x11_person_note(x, &e);
    if (e.kind == BS_RAW_KEY_UP) return;
    bool repeated = e.kind == BS_RAW_KEY && (e.flags & BS_RAW_REPEATED); /* held, not pressed again */
    if (!repeated && is_own(x, &e)) return;
    bs_x11_person_act(x, &e);
    if (repeated || e.kind == BS_RAW_BUTTON_UP) return;
    if (e.kind == BS_RAW_MOTION) {
        in->moved = true; /* how far is asked for: devices tell distances, positions or pressure */
        return;
    }
    if (e.kind == BS_RAW_KEY) in->seen.keys++;
    else if (e.detail >= 4 && e.detail <= 7) in->seen.wheels++;
    else in->seen.buttons++;
    in->seen.last_us = bs_now_us();
}

static bool away(int32_t a, int32_t b) {
    return a - b > NOISE || b - a > NOISE;
}

bool bs_x11_input_answer(bs_x11 *x) {
    bs_input *in = &x->input;
    void *reply = NULL;
    xcb_generic_error_t *error = NULL;
    if (!in->asking || !xcb_poll_for_reply(x->c, in->asking, &reply, &error)) return false;
    in->asking = 0;
    const xcb_query_pointer_reply_t *at = reply;
    /* What we have moved since says nothing of where somebody else moved it. */
    if (at && in->moves != in->moves_asked) in->moved = true;
    else if (at && (away(at->root_x, in->x) || away(at->root_y, in->y))) {
        in->seen.motions++;
        in->seen.last_us = bs_now_us();
        in->x = at->root_x;
        in->y = at->root_y;
    }
    free(reply);
    free(error);
    return true;
}

void bs_x11_input_ask(bs_x11 *x) {
    bs_input *in = &x->input;
    if (!in->moved || in->asking) return;
    in->moved = false;
    in->moves_asked = in->moves;
    in->asking = xcb_query_pointer(x->c, x->root).sequence;
}

bool bs_x11_input(bs_x11 *x, bool now, bs_screen_seen *into, uint64_t *due_us) {
    bs_input *in = &x->input;
    *due_us = x->person.rest_us ? x->person.rest_us : UINT64_MAX;
    if (!in->seen.last_us) return false;
    uint64_t time = bs_now_us();
    if (!now && time < in->told_us + TELL_US) {
        if (in->told_us + TELL_US < *due_us) *due_us = in->told_us + TELL_US;
        return false;
    }
    in->told_us = time;
    *into = in->seen;
    in->seen = (bs_screen_seen){0};
    return true;
}
