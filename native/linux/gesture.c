/* Clicks, drags and turns of the wheel, whatever display they are for. */
#include "gesture.h"

#include <stdlib.h>

#include "../include/backstep.h"

enum { MOVE, CLICK, DRAG, WHEEL };

#define FRAME_US 16667u /* a drag moves at 60 Hz, as a mouse would make an application redraw */
#define NUDGE 12        /* pixels; toolkits begin to drag after 8 (GTK), 10 (Qt) or 4 (others) */
#define HOLD_US 50000u  /* over the target before letting go: the target has to say that it takes the drop */
#define AGAIN_US 10000u /* between the presses of one click: Chromium takes two of the same millisecond for one */
#define NOTCHES 1000
#define AT_ONCE 16      /* notches between two looks at the deadline and the cancellation */

typedef struct request {
    uint32_t kind;
    int32_t x, y;
    uint32_t button, count;
    int32_t x2, y2;
    uint32_t duration_ms;
    int32_t wheel_x, wheel_y;
    uint32_t modifiers; /* 1 Control, 2 Shift, 4 Alt, 8 Super */
} request;

static int click(bs_screen *s, const bs_pointer *p, const request *q, uint32_t button) {
    for (uint32_t i = 0; i < q->count; i++) {
        int status = i > 0 ? p->sync(s) : BACKSTEP_OK;
        if (!status && i > 0) status = p->pause(s, bs_now_us() + AGAIN_US);
        if (status) return status;
        p->button(s, button, true);
        p->button(s, button, false);
    }
    return p->sync(s);
}

static int32_t between(int32_t a, int32_t b, double part) {
    double v = a + ((double)b - a) * part;
    return (int32_t)(v < 0 ? v - 0.5 : v + 0.5);
}

static void move_along(bs_screen *s, const bs_pointer *p, const request *q, double part) {
    p->move(s, between(q->x, q->x2, part), between(q->y, q->y2, part));
}

static int drag(bs_screen *s, const bs_pointer *p, const request *q, uint32_t button) {
    uint64_t total = (uint64_t)q->duration_ms * 1000, hold = total / 4 < HOLD_US ? total / 4 : HOLD_US;
    int64_t dx = (int64_t)q->x2 - q->x, dy = (int64_t)q->y2 - q->y;
    int64_t far = llabs(dx) > llabs(dy) ? llabs(dx) : llabs(dy);
    double first = far > NUDGE ? (double)NUDGE / (double)far : 1;
    p->button(s, button, true);
    int status = p->sync(s);
    uint64_t start = bs_now_us(), travel = total - hold;
    if (!status) {
        move_along(s, p, q, first);
        status = p->sync(s);
    }
    /* Without a duration there are still some steps: a single leap is no drag to most applications. */
    for (unsigned step = 1; !status && (travel ? bs_now_us() - start < travel : step <= 8); step++) {
        uint64_t next = step * (uint64_t)FRAME_US;
        if (travel) status = p->pause(s, start + (next < travel ? next : travel));
        if (status) break;
        double part = travel ? (double)(bs_now_us() - start) / (double)travel : step / 9.0;
        move_along(s, p, q, part < first ? first : part > 1 ? 1 : part);
        status = p->flush(s);
    }
    if (status) return status;
    p->move(s, q->x2, q->y2);
    status = p->sync(s);
    if (!status && hold) status = p->pause(s, start + total);
    if (status) return status;
    p->button(s, button, false);
    return p->sync(s);
}

static int wheel(bs_screen *s, const bs_pointer *p, const request *q) {
    const int32_t turn[2] = {q->wheel_y, q->wheel_x};
    int status = BACKSTEP_OK;
    for (unsigned across = 0; across < 2; across++) {
        for (int32_t i = 0; i < abs(turn[across]) && !status; i++) {
            status = p->notch(s, across, turn[across] < 0 ? -1 : 1);
            if (!status && i % AT_ONCE == AT_ONCE - 1) status = p->sync(s);
        }
    }
    return status ? status : p->sync(s);
}

static int make(bs_screen *s, const bs_pointer *p, const request *q, uint32_t button) {
    int status = BACKSTEP_OK;
    if (q->kind == WHEEL) p->move(s, q->x, q->y);
    else status = p->approach(s, q->x, q->y);
    if (status) return status;
    switch (q->kind) {
    case CLICK: return click(s, p, q, button);
    case DRAG: return drag(s, p, q, button);
    case WHEEL: return wheel(s, p, q);
    default: return p->sync(s);
    }
}

static bool too_far(int32_t notches) {
    return notches > NOTCHES || notches < -NOTCHES;
}

static int judge(bs_screen *s, const bs_pointer *p, const request *q) {
    if (q->kind > WHEEL) return bs_screen_explain(s, BACKSTEP_E_INVALID, "no such kind of pointer action: %u", q->kind);
    bool presses = q->kind == CLICK || q->kind == DRAG;
    if (presses && (q->button < 1 || q->button > 3)) return bs_screen_explain(s, BACKSTEP_E_INVALID, "the button is 1, 2 or 3, not %u", q->button);
    if (q->kind == CLICK && (q->count < 1 || q->count > 3)) {
        return bs_screen_explain(s, BACKSTEP_E_INVALID, "a click is made 1 to 3 times, not %u", q->count);
    }
    if (q->kind == WHEEL && (too_far(q->wheel_x) || too_far(q->wheel_y))) {
        return bs_screen_explain(s, BACKSTEP_E_INVALID, "the wheel turns %d notches at most at a time", NOTCHES);
    }
    if (q->modifiers > 15) return bs_screen_explain(s, BACKSTEP_E_INVALID, "no such modifiers: %u", q->modifiers);
    int status = p->off_screen(s, q->x, q->y);
    return status || q->kind != DRAG ? status : p->off_screen(s, q->x2, q->y2);
}

int bs_gesture(bs_screen *s, const bs_pointer *p, bs_reader *r) {
    request q = {.kind = bs_get_u32(r)};
    q.x = bs_get_i32(r);
    q.y = bs_get_i32(r);
    q.button = bs_get_u32(r);
    q.count = bs_get_u32(r);
    q.x2 = bs_get_i32(r);
    q.y2 = bs_get_i32(r);
    q.duration_ms = bs_get_u32(r);
    q.wheel_x = bs_get_i32(r);
    q.wheel_y = bs_get_i32(r);
    q.modifiers = bs_get_u32(r);
    uint32_t button = 0;
    int status = bs_screen_malformed(s, r);
    if (!status) status = judge(s, p, &q);
    if (!status && (q.kind == CLICK || q.kind == DRAG)) status = p->button_of(s, q.button, &button);
    if (!status && q.kind == DRAG) p->watch(s);
    if (!status && q.modifiers) status = p->modifiers(s, q.modifiers);
    if (!status) status = make(s, p, &q, button);
    if (!status && q.modifiers) status = p->modifiers_up(s);
    return status;
}
