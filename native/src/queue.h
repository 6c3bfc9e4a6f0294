/* The records that wait for backstep_wait(). The core's lock is held around every call. */
#ifndef BS_QUEUE_H
#define BS_QUEUE_H

#include "bytes.h"

typedef struct bs_record {
    struct bs_record *next;
    uint64_t session;
    uint32_t kind, length;
    bool fixed; /* the content is in `small`; otherwise in `more` */
    uint8_t small[16];
    uint8_t *more;
} bs_record;

/* How many events of one session wait, and how many were dropped. */
typedef struct bs_backlog {
    uint32_t events;
    size_t bytes;
    uint64_t dropped;
    bool told; /* a LOST record is in the queue: its number is filled in when it leaves */
} bs_backlog;

typedef struct bs_queue {
    bs_record *first, **last;
    uint32_t orphans; /* completions of sessions that are closed */
} bs_queue;

bs_record *bs_record_new(uint64_t session, uint32_t kind); /* NULL: out of memory */
void bs_record_free(bs_record *r);
void bs_queue_push(bs_queue *q, bs_record *r);

/* Takes over the bytes. When the session's bound is reached they are dropped, and counted. */
void bs_queue_event(bs_queue *q, bs_backlog *log, uint64_t session, uint32_t kind, bs_buf *bytes);

/* Copies whole records; find answers a session's backlog or NULL. Bytes written, or BACKSTEP_E_SHORT. */
int32_t bs_queue_pull(bs_queue *q, uint8_t *buf, uint32_t cap, bs_backlog *(*find)(uint64_t session));

void bs_queue_orphan(bs_queue *q, uint64_t session); /* the session is closed: its events go, its completions stay a while */
void bs_queue_clear(bs_queue *q);

#endif
