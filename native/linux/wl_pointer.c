/* The pointer: absolute motion over the whole layout. */
#include "wl.h"

#include "gesture.h"

#define FINE 256 /* a place is told in parts of a pixel, and a little inside of it: rounding may put it into the one before */
#define LAYOUT (UINT32_MAX / FINE)
#define NOTCH 15 /* what a notch scrolls, as libinput tells it */
#define EVENTS 4 /* that an application gets of a notch */

static bs_wl *of(bs_screen *s) {
    return (bs_wl *)s; /* its first member */
}

static bool inside(bs_wl_area a, int32_t x, int32_t y) {
    return x >= a.x && y >= a.y && x < a.x + a.w && y < a.y + a.h;
}

/* A layout may have corners that no output covers: the compositor would put the pointer elsewhere. */
static int off_screen(bs_screen *s, int32_t x, int32_t y) {
    bs_wl *w = of(s);
    bs_wl_area all = bs_wl_layout(w);
    if (all.w > LAYOUT || all.h > LAYOUT) return bs_screen_explain(s, BACKSTEP_E_LIMIT, "the outputs are laid out over more than %u pixels", LAYOUT);
    for (unsigned i = 0; i < w->outputs; i++) {
        if (inside(bs_wl_output_area(&w->output[i]), x, y)) return BACKSTEP_OK;
    }
    return bs_screen_explain(s, BACKSTEP_E_INVALID, "the point %d,%d is on no output; they lie in %lldx%lld at %lld,%lld", x, y, (long long)all.w, (long long)all.h,
        (long long)all.x, (long long)all.y);
}

static int button_of(bs_screen *s, uint32_t logical, uint32_t *button) {
    static const uint32_t buttons[] = {0, 0x110, 0x112, 0x111}; /* evdev's left, middle, right */
    *button = buttons[logical & 3];
    return (void)s, BACKSTEP_OK;
}

/* A button stays down at the compositor when its client dies. */
static void watch(bs_screen *s) {
    bs_wl *w = of(s);
    if (bs_watch_share(&w->watch)) bs_watch_start(&w->watch, w->name);
}

static int modifiers(bs_screen *s, uint32_t mask) { return bs_wl_gesture_modifiers(of(s), mask); }

static int modifiers_up(bs_screen *s) {
    bs_wl_release_held(of(s));
    return bs_wl_sync(of(s));
}

static void move(bs_screen *s, int32_t x, int32_t y) {
    bs_wl *w = of(s);
    bs_wl_area all = bs_wl_layout(w);
    s->touched = true;
    bs_wl_send(w, w->pointer, POINTER_MOTION_ABSOLUTE, (union wl_argument[]){{.u = bs_wl_time()}, {.u = (uint32_t)((x - all.x) * FINE + 1)},
        {.u = (uint32_t)((y - all.y) * FINE + 1)}, {.u = (uint32_t)(all.w * FINE)}, {.u = (uint32_t)(all.h * FINE)}});
    bs_wl_request(w, w->pointer, POINTER_FRAME);
}

static int approach(bs_screen *s, int32_t x, int32_t y) {
    move(s, x, y); /* the compositor says anew where the pointer is when a menu closes */
    return BACKSTEP_OK;
}

static void button(bs_screen *s, uint32_t code, bool down) { bs_wl_button(of(s), code, down); }

static int notch(bs_screen *s, bool across, int32_t direction) {
    bs_wl *w = of(s);
    int status = bs_wl_pace(w, EVENTS);
    if (status) return status;
    bs_wl_send(w, w->pointer, POINTER_AXIS_SOURCE, (union wl_argument[]){{.u = 0}}); /* a wheel */
    bs_wl_send(w, w->pointer, POINTER_AXIS_DISCRETE, (union wl_argument[]){{.u = bs_wl_time()}, {.u = across}, {.i = direction * NOTCH * 256}, {.i = direction}});
    bs_wl_request(w, w->pointer, POINTER_FRAME);
    return BACKSTEP_OK;
}

static int flush(bs_screen *s) { return bs_wl_flush(of(s)); }
static int sync_it(bs_screen *s) { return bs_wl_sync(of(s)); }
static int pause_it(bs_screen *s, uint64_t until_us) { return bs_wl_pause(of(s), until_us); }

int bs_wl_op_pointer(bs_wl *w, bs_reader *r) {
    static const bs_pointer pointer = {off_screen, button_of, watch, modifiers, modifiers_up, approach, move, button, notch, flush, sync_it, pause_it};
    if (!w->pointer) return bs_wl_no_device(w, "zwlr_virtual_pointer_manager_v1");
    return bs_gesture(&w->base, &pointer, r);
}
