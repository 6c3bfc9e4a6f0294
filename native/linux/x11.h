/* The X server: input through XTEST, pictures, windows (EWMH) and the clipboard, over XCB. What each does: screen.h. */
#ifndef BS_X11_H
#define BS_X11_H

#include "screen.h"

typedef struct bs_x11 bs_x11;

/* ":N" or "host:N.S", optionally followed by a space and an authority file. */
bs_x11 *bs_x11_open(const char *display, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot);
int bs_x11_fd(const bs_x11 *x);
void bs_x11_size(const bs_x11 *x, int32_t *width, int32_t *height);
int bs_x11_exec(bs_x11 *x, uint32_t op, bs_reader *request, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply);
int bs_x11_pump(bs_x11 *x);
bool bs_x11_input(bs_x11 *x, bool now, bs_screen_seen *into, uint64_t *due_us);
bool bs_x11_told(bs_x11 *x, bs_screen_told *into);
void bs_x11_interrupt(bs_x11 *x);
void bs_x11_close(bs_x11 *x);

#endif
