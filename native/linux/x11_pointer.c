/* The pointer through XTEST. */
#include "x11_internal.h"

#include <stdlib.h>

#include <xcb/xtest.h>

enum { MOVE, CLICK, DRAG, WHEEL };

#define FRAME_US 16667u /* a drag moves at 60 Hz, as a mouse would make an application redraw */
#define NUDGE 12        /* pixels; toolkits begin to drag after 8 (GTK), 10 (Qt) or 4 (others) */
#define HOLD_US 50000u  /* over the target before letting go: the target has to say that it takes the drop */
#define NOTCHES 1000

typedef struct request {
    uint32_t kind;
    int32_t x, y;
    uint32_t button, count;
    int32_t x2, y2;
    uint32_t duration_ms;
    int32_t wheel_x, wheel_y;
    uint32_t modifiers; /* 1 Control, 2 Shift, 4 Alt, 8 Super */
} request;

static void move(bs_x11 *x, int32_t to_x, int32_t to_y) {
    x->touched = true;
    bs_x11_input_moved(x, to_x, to_y,
        xcb_test_fake_input(x->c, XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, x->root, (int16_t)to_x, (int16_t)to_y, 0).sequence);
}

/* Which physical button gives a logical one: they are swapped for left-handed people. */
static int physical(bs_x11 *x, uint32_t logical, uint8_t *button) {
    xcb_get_pointer_mapping_reply_t *map;
    int status = bs_x11_await(x, xcb_get_pointer_mapping(x->c).sequence, &map);
    *button = (uint8_t)logical;
    for (int i = 0; map && i < xcb_get_pointer_mapping_map_length(map); i++) {
        if (xcb_get_pointer_mapping_map(map)[i] != logical) continue;
        *button = (uint8_t)(i + 1);
        break;
    }
    free(map);
    return status;
}

static int click(bs_x11 *x, const request *q, uint8_t button) {
    move(x, q->x, q->y);
    for (uint32_t i = 0; i < q->count; i++) {
        bs_x11_button(x, button, true);
        bs_x11_button(x, button, false);
    }
    return bs_x11_sync(x);
}

static int32_t between(int32_t a, int32_t b, double part) {
    double v = a + ((double)b - a) * part;
    return (int32_t)(v < 0 ? v - 0.5 : v + 0.5);
}

static int drag(bs_x11 *x, const request *q, uint8_t button) {
    uint64_t total = (uint64_t)q->duration_ms * 1000, hold = total / 4 < HOLD_US ? total / 4 : HOLD_US;
    int64_t dx = (int64_t)q->x2 - q->x, dy = (int64_t)q->y2 - q->y;
    int64_t far = llabs(dx) > llabs(dy) ? llabs(dx) : llabs(dy);
    double first = far > NUDGE ? (double)NUDGE / (double)far : 1;
    move(x, q->x, q->y);
    bs_x11_button(x, button, true);
    int status = bs_x11_sync(x);
    uint64_t start = bs_now_us(), travel = total - hold;
    if (!status) {
        move(x, between(q->x, q->x2, first), between(q->y, q->y2, first));
        status = bs_x11_sync(x);
    }
    /* Without a duration there are still some steps: a single leap is no drag to most applications. */
    for (unsigned step = 1; !status && (travel ? bs_now_us() - start < travel : step <= 8); step++) {
        if (travel) status = bs_x11_pause(x, start + step * (uint64_t)FRAME_US < start + travel ? start + step * (uint64_t)FRAME_US : start + travel);
        if (status) break;
        double part = travel ? (double)(bs_now_us() - start) / (double)travel : step / 9.0;
        if (part < first) part = first;
        if (part > 1) part = 1;
        move(x, between(q->x, q->x2, part), between(q->y, q->y2, part));
        status = bs_x11_flush(x);
    }
    if (status) return status;
    move(x, q->x2, q->y2);
    status = bs_x11_sync(x);
    if (!status && hold) status = bs_x11_pause(x, start + total);
    if (status) return status;
    bs_x11_button(x, button, false);
    return bs_x11_sync(x);
}

static int wheel(bs_x11 *x, const request *q) {
    const struct { int32_t n; uint8_t button; } turn[2] = {
        {abs(q->wheel_y), q->wheel_y < 0 ? 4 : 5}, {abs(q->wheel_x), q->wheel_x < 0 ? 6 : 7}};
    move(x, q->x, q->y);
    int status = BACKSTEP_OK;
    for (unsigned t = 0; t < 2; t++) {
        for (int32_t i = 0; i < turn[t].n && !status; i++) {
            bs_x11_button(x, turn[t].button, true);
            bs_x11_button(x, turn[t].button, false);
            if (i % 16 == 15 && !(status = bs_x11_sync(x))) status = bs_x11_check(x);
        }
    }
    return status ? status : bs_x11_sync(x);
}

static int make(bs_x11 *x, const request *q, uint8_t button) {
    switch (q->kind) {
    case CLICK: return click(x, q, button);
    case DRAG: return drag(x, q, button);
    case WHEEL: return wheel(x, q);
    default: move(x, q->x, q->y); return bs_x11_sync(x);
    }
}

static int off_screen(bs_x11 *x, int32_t px, int32_t py) {
    if (px >= 0 && py >= 0 && px < x->width && py < x->height) return BACKSTEP_OK;
    return bs_x11_fail(x, BACKSTEP_E_INVALID, "the point %d,%d is outside of the screen of %dx%d", px, py, x->width, x->height);
}

int bs_x11_op_pointer(bs_x11 *x, bs_reader *r) {
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
    int status = bs_x11_malformed(x, r);
    if (!status) status = off_screen(x, q.x, q.y);
    if (!status && q.kind == DRAG) status = off_screen(x, q.x2, q.y2);
    if (status) return status;
    if (q.kind > WHEEL) return bs_x11_fail(x, BACKSTEP_E_INVALID, "no such kind of pointer action: %u", q.kind);
    uint8_t button = 0;
    if (q.kind == CLICK || q.kind == DRAG) {
        if (q.button < 1 || q.button > 3) return bs_x11_fail(x, BACKSTEP_E_INVALID, "the button is 1, 2 or 3, not %u", q.button);
        if (q.kind == CLICK && (q.count < 1 || q.count > 3)) return bs_x11_fail(x, BACKSTEP_E_INVALID, "a click is made 1 to 3 times, not %u", q.count);
        status = physical(x, q.button, &button);
        if (status) return status;
    }
    if (q.kind == WHEEL && (q.wheel_x > NOTCHES || q.wheel_x < -NOTCHES || q.wheel_y > NOTCHES || q.wheel_y < -NOTCHES)) {
        return bs_x11_fail(x, BACKSTEP_E_INVALID, "the wheel turns %d notches at most at a time", NOTCHES);
    }
    if (q.modifiers > 15) return bs_x11_fail(x, BACKSTEP_E_INVALID, "no such modifiers: %u", q.modifiers);
    if (q.kind == DRAG) bs_x11_watch(x);
    if (q.modifiers) status = bs_x11_modifiers_down(x, q.modifiers);
    if (!status) status = make(x, &q, button);
    if (!status && q.modifiers) status = bs_x11_modifiers_up(x);
    return status;
}
