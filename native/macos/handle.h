/*
 * The elements of one application by number. AX gives another object for the same element each time: CFEqual says that they
 * are the same. A number stands for one element for ever; whoever is gone has none any more.
 */
#ifndef BS_HANDLE_H
#define BS_HANDLE_H

#include <pthread.h>

#include "apple.h"

typedef struct bs_handle {
    AXUIElementRef element; /* retained; NULL: it is gone */
    CFHashCode hash;
    uint16_t role;          /* AtspiRole as last read; 0: never */
    bool secret;            /* it was a password field once: its text is never asked for */
    bool minimised;         /* a window that was told to be */
    uint32_t window;        /* the window server's number; 0: not known, or it is no window */
} bs_handle;

typedef struct bs_handles {
    pthread_mutex_t lock; /* lanes and the thread of the observers */
    bs_handle *all;       /* number n is all[n - 1] */
    uint32_t count, capacity;
    uint32_t *table; /* open addressing: number, 0 = free; numbers of who is gone stay until the table grows */
    uint32_t table_size;
} bs_handles;

bool bs_handles_init(bs_handles *h);
void bs_handles_free(bs_handles *h);
void bs_handles_all_gone(bs_handles *h);
uint32_t bs_handle_of(bs_handles *h, AXUIElementRef element);      /* its number, a new one if need be; 0: out of memory */
uint32_t bs_handle_known(bs_handles *h, AXUIElementRef element);   /* 0: it has none */
AXUIElementRef bs_handle_take(bs_handles *h, uint32_t number);     /* retained; NULL: nobody, or gone */
void bs_handle_gone(bs_handles *h, uint32_t number);
bs_handle bs_handle_look(bs_handles *h, uint32_t number);          /* a copy, whose element is not retained */
void bs_handle_note(bs_handles *h, uint32_t number, uint16_t role, bool secret, bool minimised);
void bs_handle_window(bs_handles *h, uint32_t number, uint32_t window);

bool bs_handles_minimised(bs_handles *h, uint32_t window);     /* is the window of this number told to be? */

#endif
