/* One connection to a message bus: connecting, authentication, framing, and the calls that wait for an answer.
 * Everything here runs on the I/O thread and never blocks. */
#ifndef BS_BUS_H
#define BS_BUS_H

#include "wire.h"

typedef struct bs_bus bs_bus;
typedef struct bs_pending bs_pending;

/* Who makes calls: the first member of an operation. Ended callers abandon what is still in flight. */
typedef struct bs_caller {
    bs_pending *first;
    uint32_t in_flight;
    bool counts;  /* what is sent from now on may change something: */
    bool sent;    /* such a call reached, or may have reached, the bus */
    bool starved; /* a call could not even be queued: out of memory */
    /* One answer: status is BACKSTEP_OK with a reply, or an error with the error message or NULL. The caller may end within. */
    void (*answer)(struct bs_caller *caller, uint32_t tag, int status, bs_msg *reply);
} bs_caller;

typedef struct bs_target {
    bs_str bus, path;
} bs_target;

/* Connects to a D-Bus address list. NULL when none of its entries can be reached; why gets a str. */
bs_bus *bs_bus_open(bs_str address, void (*on_signal)(void *context, const bs_msg *signal), void *context, bs_buf *why);
void bs_bus_close(bs_bus *b); /* every caller must have been abandoned */

int bs_bus_fd(const bs_bus *b);
short bs_bus_events(const bs_bus *b); /* what to poll for */
void bs_bus_readable(bs_bus *b);
void bs_bus_flush(bs_bus *b);
const char *bs_bus_broken(const bs_bus *b); /* why, or NULL */

/* A call: begin, write its arguments, send. The deadline is the call's own; UINT64_MAX leaves it to the caller. */
bs_out *bs_bus_begin(bs_bus *b, bs_target to, const char *interface, const char *member, const char *signature);
void bs_bus_send(bs_bus *b, bs_caller *caller, uint32_t tag, uint64_t deadline_us);

/* Within answer(): the memory that the reply lies in becomes the caller's, who frees it. False: there is none to be had. */
bool bs_bus_keep(bs_buf *into);

void bs_bus_abandon(bs_caller *caller);                     /* forgets the caller's calls; takes back what was not sent */
void bs_bus_peer_gone(bs_bus *b, bs_str name);              /* its calls end as APP_GONE */
void bs_bus_fail_all(bs_bus *b, int status);                /* every call ends */
uint64_t bs_bus_expire(bs_bus *b, uint64_t now_us);         /* ends overdue calls as TIMEOUT_UNKNOWN; the next deadline */

int bs_bus_error_status(bs_str error_name); /* what a D-Bus error means */

/* A connection straight to an application, of this process id and our own user; anybody else is not connected to. It has
 * until the moment given to authenticate us. */
bs_bus *bs_bus_open_straight(bs_str address, uint32_t pid, uint64_t until_us);
void bs_bus_break(bs_bus *b, const char *why); /* as if it had broken; why is kept */
uint64_t bs_bus_heard(const bs_bus *b);        /* when it last said anything */

/* bus_connect.c: a connected, non-blocking socket, or -1; and who is at its other end. */
int bs_bus_dial(bs_str address, bs_buf *why);
bool bs_bus_is_of(int fd, uint32_t pid);

#endif
