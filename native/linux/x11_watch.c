/* What the process that watches over us has to know of the X server: see watch.c. */
#include "x11_internal.h"

void bs_x11_watch(bs_x11 *x) {
    if (!bs_watch_share(&x->watch)) return;
    uint32_t mark = (uint32_t)bs_now_us() | 1;
    x->watch.keep->window = x->own;
    x->watch.keep->mark = mark;
    xcb_change_property(x->c, XCB_PROP_MODE_REPLACE, x->own, x->atom[BS_A_BACKSTEP_MARK], XCB_ATOM_INTEGER, 32, 1, &mark);
    bs_watch_start(&x->watch, x->display);
}

void bs_x11_watch_down(bs_x11 *x, unsigned what) {
    if (x->watch.keep) x->watch.keep->down[what] = 1;
}

void bs_x11_watch_lent(bs_x11 *x, xcb_keycode_t code, xcb_keysym_t symbol) {
    if (x->watch.keep) x->watch.keep->lent[code] = symbol;
}

/* All that was asked for is on its way to the server: the page says what is still down. */
void bs_x11_watch_sent(bs_x11 *x) {
    bs_keep *keep = x->watch.keep;
    if (!keep) return;
    keep->caps = x->keyboard.lifted;
    for (unsigned i = 0; i < BS_KEEP_DOWN; i++) {
        bool held = false;
        for (unsigned h = 0; h < x->helds; h++) held |= x->held[h] == i;
        if (!held) keep->down[i] = 0;
    }
}
