/* What our process and the one that watches over it share: what has to come up again should we die. */
#ifndef BS_WATCH_H
#define BS_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "screen.h"

#define BS_KEEP_DOWN (256 + 32)

typedef struct bs_keep {
    _Atomic uint32_t window;              /* goes when the server has dealt with all that we sent */
    _Atomic uint32_t mark;                /* on that window; never 0 */
    _Atomic uint32_t caps;                /* a keycode: Caps Lock is to be switched on again with it */
    _Atomic uint32_t lent[256];           /* keycodes that have a symbol of ours */
    _Atomic uint8_t down[BS_KEEP_DOWN];   /* keycodes, and 256 + button; on Wayland evdev codes of buttons */
} bs_keep;

typedef struct bs_watch {
    bool tried;
    bs_keep *keep; /* shared with the watcher; NULL: there is none */
    int page, pipe; /* pipe: closes when we end, however */
} bs_watch;

/* Shares a page, once: false the next time, and where there can be none. Then it is filled, and the watcher started, without
 * which input goes on all the same. */
bool bs_watch_share(bs_watch *w);
void bs_watch_start(bs_watch *w, const char *display);
void bs_watch_close(bs_watch *w);

/* Starts a process that goes on offering a selection when we end: `request` is one of CLIP_RESTORE. It owns the selection a moment later.
 * Answers a backstep_status. */
#define BS_WATCH_CLIPBOARD "clipboard" /* its second argument */
int bs_watch_leave(bs_screen *s, const char *display, const bs_buf *request);

#endif
