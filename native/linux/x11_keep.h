/* What our process and the one that watches over it share: what has to come up again should we die. */
#ifndef BS_X11_KEEP_H
#define BS_X11_KEEP_H

#include <stdatomic.h>
#include <stdint.h>

#define BS_KEEP_DOWN (256 + 32)

typedef struct bs_keep {
    _Atomic uint32_t window;              /* goes when the server has dealt with all that we sent */
    _Atomic uint32_t mark;                /* on that window; never 0 */
    _Atomic uint32_t caps;                /* a keycode: Caps Lock is to be switched on again with it */
    _Atomic uint32_t lent[256];           /* keycodes that have a symbol of ours */
    _Atomic uint8_t down[BS_KEEP_DOWN];   /* keycodes, and 256 + button */
} bs_keep;

#endif
