/*
 * The display: input through XTEST, pictures, windows (EWMH) and the clipboard, over XCB.
 *
 * A session runs these on a thread of its own, since the library reads the server's answers blocking; the caller
 * enforces deadlines from outside and frees a stuck thread with bs_x11_interrupt().
 */
#ifndef BS_X11_H
#define BS_X11_H

#include <stdatomic.h>

#include "../src/bytes.h"

typedef struct bs_x11 bs_x11;

/* Connects to ":N" or "host:N.S", optionally followed by a space and an authority file. NULL sets *status (a backstep_status) and appends a str to message. *slot is set as
 * soon as there is a descriptor to interrupt. */
bs_x11 *bs_x11_open(const char *display, uint64_t deadline_us, int *status, bs_buf *message, bs_x11 *_Atomic *slot);

int bs_x11_fd(const bs_x11 *x);
void bs_x11_size(const bs_x11 *x, int32_t *width, int32_t *height);

/* One operation (BACKSTEP_OP_TEXT .. BACKSTEP_OP_CLIP_RESTORE). Returns a backstep_status; fills reply, with a str that
 * explains on failure. Checks *cancel and the deadline between steps; releases what it pressed whatever happens. */
int bs_x11_exec(bs_x11 *x, uint32_t op, bs_reader *request, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply);

/* Serves what other clients ask of us (selections), without blocking. Negative: the connection broke. */
int bs_x11_pump(bs_x11 *x);

/* What somebody else did with keyboard and pointer, counted. Never which key. */
typedef struct bs_x11_seen {
    uint32_t keys, buttons, wheels, motions; /* presses, clicks of the wheel, and how often the pointer was found elsewhere */
    uint64_t last_us;
} bs_x11_seen;

/* Takes what was seen since the last time, if anything. Told now and then only, unless it is to be now: *due_us says when
 * to ask again, UINT64_MAX: not before there are events. */
bool bs_x11_input(bs_x11 *x, bool now, bs_x11_seen *into, uint64_t *due_us);

/* From any thread: makes every present and later wait on this connection fail at once. */
void bs_x11_interrupt(bs_x11 *x);

/* Releases held keys and buttons where the connection still stands, and closes. */
void bs_x11_close(bs_x11 *x);

#endif
