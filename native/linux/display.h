/* A session's display thread: runs the blocking display operations one after another, within deadlines kept from outside. */
#ifndef BS_DISPLAY_H
#define BS_DISPLAY_H

#include "../src/core.h"

typedef struct bs_display bs_display;

typedef struct bs_display_state {
    bool ready, failed, broken;
    int status;             /* why it failed, with */
    char message[256];      /* a sentence */
    int32_t width, height;
    int server;             /* process id of an X server, as the socket tells; 0 = unknown, or a compositor */
} bs_display_state;

/* Starts the thread, which opens the display until the deadline and wakes the I/O thread. NULL: out of resources. */
/* `without`: makes no keyboard and no pointer, where making them is noticed. */
bs_display *bs_display_start(uint64_t session, bs_str name, bool without, uint64_t deadline_us);
void bs_display_look(bs_display *d, bs_display_state *into);

/* Queues an operation, and takes the command over; the ticket completes from whichever thread ends it. */
void bs_display_submit(bs_display *d, bs_command *command);
void bs_display_cancel(bs_display *d, uint64_t ticket);
uint64_t bs_display_expire(bs_display *d, uint64_t now_us); /* completes overdue tickets; the next deadline */

/* First quit (never blocks: every ticket completes as cancelled), then bury: joins the thread, by force where needed;
 * at the deadline the thread is left to free everything itself when it comes back. A deadline of 0 never waits. */
void bs_display_quit(bs_display *d);
void bs_display_bury(bs_display *d, uint64_t deadline_us);

#endif
