#define _GNU_SOURCE
#include "core.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../include/backstep.h"
#include "cond.h"
#include "queue.h"

#define TICKET_BITS 12
#define MAX_TICKETS (1u << TICKET_BITS)        /* not taken yet, of one session */
#define MAX_REQUEST (64u << 20)
#define MAX_REQUESTS ((uint64_t)256 << 20)     /* bytes of all requests of one session that are not complete */
#define CLOSE_US 180000u

typedef struct ticket {
    uint64_t id;
    uint32_t request_bytes;
    bs_record *record; // made beforehand, so that completing cannot fail; NULL once complete
    bs_buf reply;
} ticket;

typedef struct session {
    uint64_t handle;
    bool closing, closed;
    void *remains;
    uint64_t next_ticket, request_bytes;
    uint32_t open_tickets, search;
    bs_backlog backlog;
    ticket *tickets[MAX_TICKETS];
} session;

// `life` orders opening and closing, `lock` guards everything else; the second may be taken within the first.
static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, closed = PTHREAD_COND_INITIALIZER;
static session *sessions[BS_MAX_SESSIONS];
static uint32_t session_count;
static uint64_t next_generation = 1;
static bs_queue queue;
static bs_command *commands, **commands_end = &commands;
static bool waiting, woken, on_our_clock;

static session *find(uint64_t handle) {
    session *s = sessions[BS_SLOT(handle)];
    return s && s->handle == handle ? s : NULL;
}

static session *find_open(uint64_t handle) {
    session *s = find(handle);
    return s && !s->closing ? s : NULL;
}

static bs_backlog *find_backlog(uint64_t handle) {
    session *s = find(handle);
    return s ? &s->backlog : NULL;
}

static ticket *find_ticket(session *s, uint64_t id) {
    ticket *t = s->tickets[id & (MAX_TICKETS - 1)];
    return t && t->id == id ? t : NULL;
}

static void free_ticket(session *s, ticket *t) {
    s->tickets[t->id & (MAX_TICKETS - 1)] = NULL;
    s->open_tickets--;
    bs_record_free(t->record);
    bs_buf_free(&t->reply);
    free(t);
}

static void tell_waiter(void) { pthread_cond_signal(&changed); }

static void push_command(bs_command *c) {
    c->next = NULL;
    *commands_end = c;
    commands_end = &c->next;
}

uint32_t backstep_abi(void) { return BACKSTEP_ABI; }

int64_t backstep_open(void) {
    session *s = calloc(1, sizeof *s);
    if (!s) return BACKSTEP_E_MEMORY;
    int64_t answer = BACKSTEP_E_LIMIT;
    pthread_mutex_lock(&life);
    if (session_count == 0) {
        bs_queue_clear(&queue);
        int status = bs_platform_start();
        if (status < 0) {
            pthread_mutex_unlock(&life);
            free(s);
            return status;
        }
    }
    pthread_mutex_lock(&lock);
    for (unsigned slot = 0; slot < BS_MAX_SESSIONS; slot++) {
        if (sessions[slot]) continue;
        s->handle = next_generation++ * BS_MAX_SESSIONS + slot;
        s->next_ticket = 1;
        sessions[slot] = s;
        bs_peek_open(s->handle);
        session_count++;
        answer = (int64_t)s->handle;
        break;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&life);
    if (answer < 0) free(s);
    return answer;
}

int32_t backstep_close(uint64_t handle) {
    bs_command *c = calloc(1, sizeof *c);
    if (!c) return BACKSTEP_E_MEMORY;
    uint64_t deadline = bs_now_us() + CLOSE_US;
    pthread_mutex_lock(&lock);
    session *s = find_open(handle);
    if (!s) {
        pthread_mutex_unlock(&lock);
        free(c);
        return BACKSTEP_E_HANDLE;
    }
    s->closing = true;
    bs_peek_close(handle);
    c->what = BS_DO_CLOSE;
    c->session = handle;
    push_command(c);
    bs_platform_wake();
    while (!s->closed) pthread_cond_wait(&closed, &lock); // the I/O thread never blocks
    pthread_mutex_unlock(&lock);
    bs_platform_bury(s->remains, deadline);

    pthread_mutex_lock(&life);
    pthread_mutex_lock(&lock);
    sessions[BS_SLOT(handle)] = NULL;
    bs_queue_orphan(&queue, handle);
    for (unsigned i = 0; i < MAX_TICKETS; i++)
        if (s->tickets[i]) free_ticket(s, s->tickets[i]);
    free(s);
    bool last = --session_count == 0;
    pthread_mutex_unlock(&lock);
    if (last) bs_platform_stop();
    pthread_mutex_unlock(&life);
    return BACKSTEP_OK;
}

static bool known_op(uint32_t op) {
    return (op >= BACKSTEP_OP_CONNECT && op <= BACKSTEP_OP_ROLES) || (op >= BACKSTEP_OP_ACTION && op <= BACKSTEP_OP_IF_SAME) ||
        (op >= BACKSTEP_OP_TEXT && op <= BACKSTEP_OP_WATCH_INPUT) || (op >= BACKSTEP_OP_CAPTURE && op <= BACKSTEP_OP_DRAWN) ||
        (op >= BACKSTEP_OP_CLIP_READ && op <= BACKSTEP_OP_CLIP_LEAVE);
}

// A ticket in a free place of the session's table, or NULL.
static ticket *new_ticket(session *s, uint32_t request_bytes) {
    if (s->open_tickets == MAX_TICKETS) return NULL;
    while (s->tickets[s->search]) s->search = (s->search + 1) & (MAX_TICKETS - 1);
    ticket *t = calloc(1, sizeof *t);
    bs_record *r = bs_record_new(s->handle, BACKSTEP_R_COMPLETION);
    if (!t || !r) {
        free(t);
        bs_record_free(r);
        return NULL;
    }
    t->id = s->next_ticket++ << TICKET_BITS | s->search;
    t->request_bytes = request_bytes;
    t->record = r;
    s->tickets[s->search] = t;
    s->open_tickets++;
    s->request_bytes += request_bytes;
    return t;
}

int64_t backstep_submit(uint64_t handle, uint32_t op, const uint8_t *request, uint32_t length, uint32_t timeout_ms) {
    uint64_t now = bs_now_us();
    if (!known_op(op) || (!request && length) || timeout_ms < 1 || timeout_ms > 600000) return BACKSTEP_E_INVALID;
    if (length > MAX_REQUEST) return BACKSTEP_E_LIMIT;
    bs_command *c = malloc(sizeof *c + length);
    if (!c) return BACKSTEP_E_MEMORY;
    *c = (bs_command){.what = BS_DO_SUBMIT, .op = op, .session = handle, .deadline_us = now + timeout_ms * 1000ull, .length = length};
    if (length) memcpy(c->request, request, length);
    int64_t answer;
    pthread_mutex_lock(&lock);
    session *s = find_open(handle);
    if (!s) {
        answer = BACKSTEP_E_HANDLE;
    } else if (s->open_tickets == MAX_TICKETS || s->request_bytes + length > MAX_REQUESTS) {
        answer = BACKSTEP_E_LIMIT;
    } else {
        ticket *t = new_ticket(s, length);
        answer = t ? (int64_t)t->id : BACKSTEP_E_MEMORY;
    }
    if (answer > 0) {
        c->ticket = (uint64_t)answer;
        push_command(c);
        bs_platform_wake();
    }
    pthread_mutex_unlock(&lock);
    if (answer < 0) free(c);
    return answer;
}

int32_t backstep_cancel(uint64_t handle, uint64_t id) {
    bs_command *c = calloc(1, sizeof *c);
    if (!c) return BACKSTEP_E_MEMORY;
    *c = (bs_command){.what = BS_DO_CANCEL, .session = handle, .ticket = id};
    pthread_mutex_lock(&lock);
    session *s = find_open(handle);
    ticket *t = s ? find_ticket(s, id) : NULL;
    bool ask = t && t->record; // a complete ticket needs no cancelling
    if (ask) {
        push_command(c);
        bs_platform_wake();
    }
    pthread_mutex_unlock(&lock);
    if (!ask) free(c);
    return !s ? BACKSTEP_E_HANDLE : !t ? BACKSTEP_E_TICKET : BACKSTEP_OK;
}

int32_t backstep_wait(uint8_t *buf, uint32_t cap, uint32_t timeout_ms) {
    if (!buf && cap) return BACKSTEP_E_INVALID;
    if (cap > INT32_MAX) cap = INT32_MAX;
    uint64_t until = bs_now_us() + (timeout_ms > 500 ? 500 : timeout_ms) * 1000ull;
    pthread_mutex_lock(&lock);
    if (waiting) {
        pthread_mutex_unlock(&lock);
        return BACKSTEP_E_INVALID;
    }
    // Nobody waits on it yet: there is one waiter.
    if (!on_our_clock && bs_cond_init(&changed) != 0) {
        pthread_mutex_unlock(&lock);
        return BACKSTEP_E_LIMIT;
    }
    on_our_clock = waiting = true;
    while (!queue.first && !woken && bs_now_us() < until) bs_cond_until(&changed, &lock, until);
    int32_t answer = bs_queue_pull(&queue, buf, cap, find_backlog);
    waiting = woken = false;
    pthread_mutex_unlock(&lock);
    return answer;
}

int32_t backstep_wake(void) {
    pthread_mutex_lock(&lock);
    woken = true; // kept for the next waiter when there is none now, so that no wake is lost in between
    tell_waiter();
    pthread_mutex_unlock(&lock);
    return BACKSTEP_OK;
}

int64_t backstep_take(uint64_t handle, uint64_t id, uint8_t *buf, uint32_t cap) {
    if (!buf && cap) return BACKSTEP_E_INVALID;
    int64_t answer;
    pthread_mutex_lock(&lock);
    session *s = find_open(handle);
    ticket *t = s ? find_ticket(s, id) : NULL;
    if (!s) {
        answer = BACKSTEP_E_HANDLE;
    } else if (!t || t->record) {
        answer = BACKSTEP_E_TICKET;
    } else {
        answer = (int64_t)t->reply.length;
        if (t->reply.length <= cap) {
            if (t->reply.length) memcpy(buf, t->reply.data, t->reply.length);
            free_ticket(s, t);
        }
    }
    pthread_mutex_unlock(&lock);
    return answer;
}

bs_command *bs_core_commands(void) {
    pthread_mutex_lock(&lock);
    bs_command *all = commands;
    commands = NULL;
    commands_end = &commands;
    pthread_mutex_unlock(&lock);
    return all;
}

void bs_core_complete(uint64_t handle, uint64_t id, int status, bs_buf *reply) {
    if (reply->failed || reply->length > UINT32_MAX) {
        bs_buf_free(reply);
        // Only the answer is lost: what an act came to stays known.
        if (status == BACKSTEP_OK) status = BACKSTEP_E_MEMORY;
    }
    pthread_mutex_lock(&lock);
    session *s = find(handle);
    ticket *t = s ? find_ticket(s, id) : NULL;
    if (t && t->record) {
        bs_record *r = t->record;
        t->record = NULL;
        t->reply = *reply;
        *reply = (bs_buf){0};
        s->request_bytes -= t->request_bytes;
        bs_buf b = {.data = r->small, .capacity = sizeof r->small};
        bs_put_u64(&b, id);
        bs_put_i32(&b, status);
        bs_put_u32(&b, (uint32_t)t->reply.length);
        r->length = 16;
        bs_queue_push(&queue, r);
        tell_waiter();
    }
    pthread_mutex_unlock(&lock);
    bs_buf_free(reply);
}

void bs_core_event(uint64_t handle, uint32_t kind, bs_buf *record) {
    pthread_mutex_lock(&lock);
    session *s = find_open(handle);
    if (s) {
        bs_queue_event(&queue, &s->backlog, handle, kind, record);
        tell_waiter();
    }
    pthread_mutex_unlock(&lock);
    bs_buf_free(record);
}

void bs_core_broken(uint64_t handle, uint32_t what) {
    bs_record *r = bs_record_new(handle, BACKSTEP_R_BROKEN);
    pthread_mutex_lock(&lock);
    if (r && find_open(handle)) {
        bs_buf b = {.data = r->small, .capacity = sizeof r->small};
        bs_put_u32(&b, what);
        r->length = 4;
        bs_queue_push(&queue, r);
        tell_waiter();
        r = NULL;
    }
    pthread_mutex_unlock(&lock);
    bs_record_free(r);
}

void bs_core_closed(uint64_t handle, void *remains) {
    pthread_mutex_lock(&lock);
    session *s = find(handle);
    if (s) {
        s->closed = true;
        s->remains = remains;
        pthread_cond_broadcast(&closed);
    }
    pthread_mutex_unlock(&lock);
}

// Completions that nobody asked for after the last close.
__attribute__((destructor)) static void leave(void) { bs_queue_clear(&queue); }
