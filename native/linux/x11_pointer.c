/* The pointer through XTEST. */
#include "x11_internal.h"

#include <stdlib.h>

#include <xcb/xtest.h>

#include "gesture.h"

#define NOTICED_US 10000u /* GTK 4 had noticed a move in 3 ms */

static bs_x11 *of(bs_screen *s) {
    return (bs_x11 *)s; /* its first member */
}

static int off_screen(bs_screen *s, int32_t x, int32_t y) {
    const bs_x11 *on = of(s);
    if (x >= 0 && y >= 0 && x < on->width && y < on->height) return BACKSTEP_OK;
    return bs_screen_explain(s, BACKSTEP_E_INVALID, "the point %d,%d is outside of the screen of %dx%d", x, y, on->width, on->height);
}

/* Which physical button gives a logical one: they are swapped for left-handed people. */
static int button_of(bs_screen *s, uint32_t logical, uint32_t *button) {
    bs_x11 *x = of(s);
    xcb_get_pointer_mapping_reply_t *map;
    int status = bs_x11_await(x, xcb_get_pointer_mapping(x->c).sequence, &map);
    *button = logical;
    for (int i = 0; map && i < xcb_get_pointer_mapping_map_length(map); i++) {
        if (xcb_get_pointer_mapping_map(map)[i] != logical) continue;
        *button = (uint32_t)i + 1;
        break;
    }
    free(map);
    return status;
}

static void watch(bs_screen *s) { bs_x11_watch(of(s)); }
static int modifiers(bs_screen *s, uint32_t mask) { return bs_x11_modifiers_down(of(s), mask); }
static int modifiers_up(bs_screen *s) { return bs_x11_modifiers_up(of(s)); }

static void move(bs_screen *s, int32_t to_x, int32_t to_y) {
    bs_x11 *x = of(s);
    s->touched = true;
    bs_x11_input_moved(x, to_x, to_y,
        xcb_test_fake_input(x->c, XCB_MOTION_NOTIFY, 0, XCB_CURRENT_TIME, x->root, (int16_t)to_x, (int16_t)to_y, 0).sequence);
}

/*
 * A while after a key closed a menu, GTK 4 takes no press where the pointer has been since, and none that comes with the first move.
 * One that is there already leaves and comes back, and does so once more with the press.
 */
static int approach(bs_screen *s, int32_t to_x, int32_t to_y) {
    bs_x11 *x = of(s);
    xcb_query_pointer_reply_t *at;
    int status = bs_x11_await(x, xcb_query_pointer(x->c, x->root).sequence, &at);
    if (status) return status;
    bool there = at && at->root_x == to_x && at->root_y == to_y;
    free(at);
    int32_t aside = to_x > 0 ? to_x - 1 : to_x + 1;
    if (there) {
        move(s, aside, to_y);
        move(s, to_x, to_y);
        status = bs_x11_sync(x);
        if (!status) status = bs_x11_pause(x, bs_now_us() + NOTICED_US);
        if (status) return status;
        move(s, aside, to_y);
    }
    move(s, to_x, to_y);
    return BACKSTEP_OK;
}

static void button(bs_screen *s, uint32_t number, bool down) { bs_x11_button(of(s), (uint8_t)number, down); }

static int notch(bs_screen *s, bool across, int32_t direction) {
    uint8_t number = (uint8_t)((across ? 6 : 4) + (direction > 0));
    bs_x11_button(of(s), number, true);
    bs_x11_button(of(s), number, false);
    return BACKSTEP_OK;
}

static int flush(bs_screen *s) { return bs_x11_flush(of(s)); }
static int sync_it(bs_screen *s) { return bs_x11_sync(of(s)); }
static int pause_it(bs_screen *s, uint64_t until_us) { return bs_x11_pause(of(s), until_us); }

int bs_x11_op_pointer(bs_x11 *x, bs_reader *r) {
    static const bs_pointer pointer = {off_screen, button_of, watch, modifiers, modifiers_up, approach, move, button, notch, flush, sync_it, pause_it};
    return bs_gesture(&x->base, &pointer, r);
}
