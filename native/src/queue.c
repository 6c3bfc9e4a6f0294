#include "queue.h"

#include <stdlib.h>
#include <string.h>

#include "../include/backstep.h"

#define MAX_EVENTS 8192u          /* of one session, and */
#define MAX_BYTES ((size_t)8 << 20)
#define MAX_ORPHANS 4096u

bs_record *bs_record_new(uint64_t session, uint32_t kind) {
    bs_record *r = calloc(1, sizeof *r);
    if (r) r->session = session, r->kind = kind, r->fixed = true;
    return r;
}

void bs_record_free(bs_record *r) {
    if (r) free(r->more);
    free(r);
}

void bs_queue_push(bs_queue *q, bs_record *r) {
    r->next = NULL;
    if (!q->first) q->last = &q->first;
    *q->last = r;
    q->last = &r->next;
}

void bs_queue_event(bs_queue *q, bs_backlog *log, uint64_t session, uint32_t kind, bs_buf *bytes) {
    bool room = !bytes->failed && log->events < MAX_EVENTS && log->bytes + bytes->length <= MAX_BYTES;
    bs_record *r = room ? bs_record_new(session, kind) : NULL;
    if (r) {
        r->fixed = false;
        r->more = bytes->data;
        r->length = (uint32_t)bytes->length;
        log->events++;
        log->bytes += bytes->length;
        *bytes = (bs_buf){0};
        bs_queue_push(q, r);
        return;
    }
    bs_buf_free(bytes);
    log->dropped++;
    if (log->told) return;
    r = bs_record_new(session, BACKSTEP_R_LOST);
    if (!r) return; // the next drop tries again
    r->length = 8;
    log->told = true;
    bs_queue_push(q, r);
}

static void left(bs_queue *q, bs_record *r, bs_backlog *log) {
    if ((r->kind == BACKSTEP_R_EVENT || r->kind == BACKSTEP_R_INPUT || r->kind == BACKSTEP_R_PERSON) && log) {
        log->events--;
        log->bytes -= r->length;
    } else if (r->kind == BACKSTEP_R_COMPLETION && !log && q->orphans) {
        q->orphans--;
    }
}

int32_t bs_queue_pull(bs_queue *q, uint8_t *buf, uint32_t cap, bs_backlog *(*find)(uint64_t session)) {
    uint32_t used = 0;
    while (q->first) {
        bs_record *r = q->first;
        uint32_t size = 16 + r->length;
        if (size > cap - used) return used ? (int32_t)used : BACKSTEP_E_SHORT;
        bs_backlog *log = find(r->session);
        bs_buf head = {.data = buf + used, .capacity = 32}; // never grows: eight or sixteen bytes of `cap` at least are left
        bs_put_u32(&head, size);
        bs_put_u32(&head, r->kind);
        bs_put_u64(&head, r->session);
        if (r->kind == BACKSTEP_R_LOST) {
            bs_put_u64(&head, log ? log->dropped : 0);
            if (log) log->dropped = 0, log->told = false;
        } else if (r->length) {
            memcpy(buf + used + 16, r->fixed ? r->small : r->more, r->length);
        }
        used += size;
        q->first = r->next;
        left(q, r, log);
        bs_record_free(r);
    }
    return (int32_t)used;
}

void bs_queue_orphan(bs_queue *q, uint64_t session) {
    for (bs_record **at = &q->first; *at;) {
        bs_record *r = *at;
        if (r->session == session && r->kind != BACKSTEP_R_COMPLETION) {
            *at = r->next;
            bs_record_free(r);
            continue;
        }
        if (r->session == session) q->orphans++;
        at = &r->next;
    }
    // With nobody waiting, completions of closed sessions must not pile up for ever: the oldest go.
    q->last = &q->first;
    while (*q->last) q->last = &(*q->last)->next;
    while (q->orphans > MAX_ORPHANS && q->first && q->first->kind == BACKSTEP_R_COMPLETION && q->first->session != session) {
        bs_record *r = q->first;
        q->first = r->next;
        q->orphans--;
        bs_record_free(r);
    }
    if (!q->first) q->last = &q->first;
}

void bs_queue_clear(bs_queue *q) {
    while (q->first) {
        bs_record *r = q->first;
        q->first = r->next;
        bs_record_free(r);
    }
    q->orphans = 0;
}
