/*
 * An operation on its way through a lane.
 *
 * A lane is one application's thread: parallel questions to one application do not help, and one that hangs must delay
 * nobody else. AX calls cannot be called off. So a ticket completes from outside, at its deadline, and its lane stays
 * blocked until AX returns: it is in quarantine. BS_ASKING lanes ask at once, those in quarantine among them; what has no
 * such place waits, and times out unsent. Whatever hangs, that is the most threads that are stuck.
 */
#ifndef BS_JOB_H
#define BS_JOB_H

#include "../include/backstep.h"
#include "../src/core.h"
#include "app.h"

#define BS_ASKING 16u
#define BS_IDLE_US 5000000u /* how long a lane without work keeps its thread */

typedef struct bs_job bs_job;

struct bs_job {
    bs_job *previous, *next; /* of all that are not complete: lane.c */
    bs_job *behind;          /* of its lane's queue */
    uint8_t front;           /* is its application in front: 0 not asked, 1 yes, 2 no */
    uint64_t session, ticket, deadline;
    uint32_t code;
    bs_command *command; /* owned: strings point into it */
    bs_reader request;   /* what is left of it */
    bs_lane *lane;
    bs_app *app;            /* retained; NULL: of the desktop itself */
    AXUIElementRef element; /* retained; what it is about */
    uint32_t number;        /* its handle; 0: the application itself */
    bs_buf reply;
    atomic_bool sent;       /* what it wants was asked for: from here on it may have happened */
    atomic_bool over;       /* complete already, from outside: nobody waits for it */
    bool running;
    uint32_t calls;         /* messages sent */
    char why[512];          /* what the last failure was: the reply, where the whole operation fails */
};

/* lane.c. All of the I/O thread, but for what says otherwise. */
int bs_lanes_start(void);
void bs_lanes_stop(void);                /* waits a moment for lanes to end; who hangs is left behind */
void bs_lane_submit(bs_job *job);        /* to the lane of job->app, or the desktop's */
void bs_lane_retire(bs_app *app);        /* its application is gone; any thread */
uint64_t bs_lanes_expire(uint64_t now);  /* completes what is overdue; when the next is */
void bs_lanes_cancel(uint64_t session, uint64_t ticket); /* 0: all of the session */
void bs_lane_move(bs_job *job, bs_app *app); /* within an operation of the desktop: it goes on in an application's lane, from its start; takes over the reference. The caller returns BS_MOVED */
#define BS_MOVED 1

/* For tests and the bench: threads of lanes, and how many of them hang. */
typedef struct bs_lane_count {
    uint32_t threads, asking, quarantined;
} bs_lane_count;
bs_lane_count bs_lanes_count(void);

/* ops.c: does it, on its lane. A status, or BS_MOVED; the reply of one that fails is a sentence. */
int bs_job_run(bs_job *job);
int bs_job_fail(bs_job *job, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
bs_job *bs_job_new(bs_command *command); /* takes it over; NULL: out of memory, the command is still the caller's */
void bs_job_free(bs_job *job);

#endif
