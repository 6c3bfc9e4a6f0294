/* The pointer: absolute motion over the whole layout. */
#include "wl.h"

#include <stdlib.h>

enum { MOVE, CLICK, DRAG, WHEEL };

#define FRAME_US 16667u /* a drag moves at 60 Hz, as a mouse would make an application redraw */
#define NUDGE 12        /* pixels; toolkits begin to drag after 8 (GTK), 10 (Qt) or 4 (others) */
#define HOLD_US 50000u  /* over the target before letting go: the target has to say that it takes the drop */
#define NOTCHES 1000
#define FINE 256        /* a place is told in parts of a pixel, and a little inside of it: rounding may put it into the one before */
#define LAYOUT (UINT32_MAX / FINE)
#define NOTCH 15        /* what a notch scrolls, as libinput tells it */

typedef struct request {
    uint32_t kind;
    int32_t x, y;
    uint32_t button, count;
    int32_t x2, y2;
    uint32_t duration_ms;
    int32_t wheel_x, wheel_y;
    uint32_t modifiers; /* 1 Control, 2 Shift, 4 Alt, 8 Super */
} request;

static void move(bs_wl *w, int32_t x, int32_t y) {
    bs_wl_area all = bs_wl_layout(w);
    w->touched = true;
    bs_wl_send(w, w->pointer, POINTER_MOTION_ABSOLUTE, (union wl_argument[]){{.u = bs_wl_time()}, {.u = (uint32_t)((x - all.x) * FINE + 1)},
        {.u = (uint32_t)((y - all.y) * FINE + 1)}, {.u = (uint32_t)(all.w * FINE)}, {.u = (uint32_t)(all.h * FINE)}});
    bs_wl_request(w, w->pointer, POINTER_FRAME);
}

static int click(bs_wl *w, const request *q, uint32_t button) {
    move(w, q->x, q->y);
    for (uint32_t i = 0; i < q->count; i++) {
        bs_wl_button(w, button, true);
        bs_wl_button(w, button, false);
    }
    return bs_wl_sync(w);
}

static int32_t between(int32_t a, int32_t b, double part) {
    double v = a + ((double)b - a) * part;
    return (int32_t)(v < 0 ? v - 0.5 : v + 0.5);
}

static int drag(bs_wl *w, const request *q, uint32_t button) {
    uint64_t total = (uint64_t)q->duration_ms * 1000, hold = total / 4 < HOLD_US ? total / 4 : HOLD_US;
    int64_t dx = (int64_t)q->x2 - q->x, dy = (int64_t)q->y2 - q->y;
    int64_t far = llabs(dx) > llabs(dy) ? llabs(dx) : llabs(dy);
    double first = far > NUDGE ? (double)NUDGE / (double)far : 1;
    move(w, q->x, q->y);
    bs_wl_button(w, button, true);
    int status = bs_wl_sync(w);
    uint64_t start = bs_now_us(), travel = total - hold;
    if (!status) {
        move(w, between(q->x, q->x2, first), between(q->y, q->y2, first));
        status = bs_wl_sync(w);
    }
    /* Without a duration there are still some steps: a single leap is no drag to most applications. */
    for (unsigned step = 1; !status && (travel ? bs_now_us() - start < travel : step <= 8); step++) {
        uint64_t next = start + step * (uint64_t)FRAME_US;
        if (travel) status = bs_wl_pause(w, next < start + travel ? next : start + travel);
        if (status) break;
        double part = travel ? (double)(bs_now_us() - start) / (double)travel : step / 9.0;
        if (part < first) part = first;
        if (part > 1) part = 1;
        move(w, between(q->x, q->x2, part), between(q->y, q->y2, part));
        status = bs_wl_flush(w);
    }
    if (status) return status;
    move(w, q->x2, q->y2);
    status = bs_wl_sync(w);
    if (!status && hold) status = bs_wl_pause(w, start + total);
    if (status) return status;
    bs_wl_button(w, button, false);
    return bs_wl_sync(w);
}

static int wheel(bs_wl *w, const request *q) {
    const int32_t turn[2] = {q->wheel_y, q->wheel_x}; /* by the axis's number */
    move(w, q->x, q->y);
    int status = BACKSTEP_OK;
    for (uint32_t axis = 0; axis < 2; axis++) {
        int32_t step = turn[axis] < 0 ? -1 : 1;
        for (int32_t i = 0; i < abs(turn[axis]) && !status; i++) {
            status = i % 16 ? BACKSTEP_OK : bs_wl_pace(w, 16 * 4);
            if (status) break;
            bs_wl_send(w, w->pointer, POINTER_AXIS_SOURCE, (union wl_argument[]){{.u = 0}}); /* a wheel */
            bs_wl_send(w, w->pointer, POINTER_AXIS_DISCRETE, (union wl_argument[]){{.u = bs_wl_time()}, {.u = axis}, {.i = step * NOTCH * 256}, {.i = step}});
            bs_wl_request(w, w->pointer, POINTER_FRAME);
            if (i % 16 == 15) status = bs_wl_sync(w);
        }
    }
    return status ? status : bs_wl_sync(w);
}

static int make(bs_wl *w, const request *q, uint32_t button) {
    switch (q->kind) {
    case CLICK: return click(w, q, button);
    case DRAG: return drag(w, q, button);
    case WHEEL: return wheel(w, q);
    default: move(w, q->x, q->y); return bs_wl_sync(w);
    }
}

static bool inside(bs_wl_area a, int32_t x, int32_t y) {
    return x >= a.x && y >= a.y && x < a.x + a.w && y < a.y + a.h;
}

/* A layout may have corners that no output covers: the compositor would put the pointer elsewhere. */
static int off_screen(bs_wl *w, int32_t x, int32_t y) {
    bs_wl_area all = bs_wl_layout(w);
    if (all.w > LAYOUT || all.h > LAYOUT) return bs_wl_fail(w, BACKSTEP_E_LIMIT, "the outputs are laid out over more than %u pixels", LAYOUT);
    for (unsigned i = 0; i < w->outputs; i++) {
        if (inside(bs_wl_output_area(&w->output[i]), x, y)) return BACKSTEP_OK;
    }
    return bs_wl_fail(w, BACKSTEP_E_INVALID, "the point %d,%d is on no output; they lie in %lldx%lld at %lld,%lld", x, y, (long long)all.w, (long long)all.h,
        (long long)all.x, (long long)all.y);
}

static int judge(bs_wl *w, const request *q) {
    if (!w->pointer) return bs_wl_no_device(w, "zwlr_virtual_pointer_manager_v1");
    if (q->kind > WHEEL) return bs_wl_fail(w, BACKSTEP_E_INVALID, "no such kind of pointer action: %u", q->kind);
    if (q->kind == CLICK || q->kind == DRAG) {
        if (q->button < 1 || q->button > 3) return bs_wl_fail(w, BACKSTEP_E_INVALID, "the button is 1, 2 or 3, not %u", q->button);
        if (q->kind == CLICK && (q->count < 1 || q->count > 3)) return bs_wl_fail(w, BACKSTEP_E_INVALID, "a click is made 1 to 3 times, not %u", q->count);
    }
    if (q->kind == WHEEL && (q->wheel_x > NOTCHES || q->wheel_x < -NOTCHES || q->wheel_y > NOTCHES || q->wheel_y < -NOTCHES)) {
        return bs_wl_fail(w, BACKSTEP_E_INVALID, "the wheel turns %d notches at most at a time", NOTCHES);
    }
    if (q->modifiers > 15) return bs_wl_fail(w, BACKSTEP_E_INVALID, "no such modifiers: %u", q->modifiers);
    int status = off_screen(w, q->x, q->y);
    return status || q->kind != DRAG ? status : off_screen(w, q->x2, q->y2);
}

int bs_wl_op_pointer(bs_wl *w, bs_reader *r) {
    static const uint32_t buttons[] = {0, 0x110, 0x112, 0x111}; /* evdev's left, middle, right */
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
    int status = bs_wl_malformed(w, r);
    if (!status) status = judge(w, &q);
    /* A button is held for a moment here, and stays down at the compositor when its client dies. */
    if (!status && q.kind == DRAG && bs_watch_share(&w->watch)) bs_watch_start(&w->watch, w->name);
    if (!status && q.modifiers) status = bs_wl_gesture_modifiers(w, q.modifiers);
    if (!status) status = make(w, &q, buttons[q.button & 3]);
    if (!status && bs_wl_release_held(w)) status = bs_wl_sync(w);
    return status;
}
