/* What the pointer is to do, on whichever display: the request is parsed, judged, and carried out through a table. */
#ifndef BS_GESTURE_H
#define BS_GESTURE_H

#include "screen.h"

/* What a display's pointer can do. The int ones answer a backstep_status. */
typedef struct bs_pointer {
    int (*off_screen)(bs_screen *s, int32_t x, int32_t y);               /* OK, or INVALID: the point is on no screen */
    int (*button_of)(bs_screen *s, uint32_t logical, uint32_t *button);  /* what presses 1 left, 2 middle, 3 right */
    void (*watch)(bs_screen *s);                                         /* a button is about to be held for a while */
    int (*modifiers)(bs_screen *s, uint32_t mask);                       /* go down: 1 Control, 2 Shift, 4 Alt, 8 Super */
    int (*modifiers_up)(bs_screen *s);
    int (*approach)(bs_screen *s, int32_t x, int32_t y);                 /* where it begins; one that is there is moved, too */
    void (*move)(bs_screen *s, int32_t x, int32_t y);
    void (*button)(bs_screen *s, uint32_t button, bool down);
    int (*notch)(bs_screen *s, bool across, int32_t direction);          /* of the wheel; direction 1 is down, or right */
    int (*flush)(bs_screen *s);
    int (*sync)(bs_screen *s);                                           /* the display has carried out what was sent */
    int (*pause)(bs_screen *s, uint64_t until_us);
} bs_pointer;

/* BACKSTEP_OP_POINTER. What is still down when it fails is for the caller to release. */
int bs_gesture(bs_screen *s, const bs_pointer *p, bs_reader *r);

#endif
