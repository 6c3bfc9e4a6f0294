/*
 * PLACES: where some elements of one application lie, and their states, all asked at once. Who wants to know whether one
 * element can be reached asks it of that element and of what is around it, and not of the whole tree.
 */
#include <stdlib.h>

#include "op.h"

#define MOST 4096u
#define WINDOW 128u /* calls in flight, as for snapshots */

/* What is asked of each element; a tag is its number * ASKS + what. */
enum { ASK_EXTENTS, ASK_STATES, ASKS };

typedef struct place {
    bs_str path; /* in the request */
    int32_t rect[4];
    uint32_t states[2];
    bool there; /* it told its states */
} place;

typedef struct places {
    uint32_t coords, count, next; /* next: of the count * ASKS questions, the first that was not asked */
    place *of;
} places;

static void free_places(void *state) {
    places *p = state;
    free(p->of);
    free(p);
}

static void ask(bs_op *op, uint32_t tag) {
    const places *p = op->state;
    bool extents = tag % ASKS == ASK_EXTENTS;
    bs_bus *way = op->via ? op->via : op->link->bus;
    bs_target to = {op->to.bus, p->of[tag / ASKS].path};
    bs_out *o = bs_bus_begin(way, to, extents ? "org.a11y.atspi.Component" : BS_ACCESSIBLE, extents ? "GetExtents" : "GetState", extents ? "u" : "");
    if (extents) bs_out_u32(o, p->coords);
    bs_bus_send(way, &op->caller, tag, BS_NO_DEADLINE);
}

static void finish(bs_op *op) {
    const places *p = op->state;
    bs_put_u32(&op->reply, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        for (unsigned k = 0; k < 4; k++) bs_put_u32(&op->reply, (uint32_t)p->of[i].rect[k]);
        bs_put_u32(&op->reply, p->of[i].there);
        bs_put_u32(&op->reply, p->of[i].states[0]);
        bs_put_u32(&op->reply, p->of[i].states[1]);
    }
    bs_op_finish(op, op->reply.failed ? BACKSTEP_E_MEMORY : BACKSTEP_OK);
}

static void go_on(bs_op *op) {
    places *p = op->state;
    while (p->next < p->count * ASKS && op->caller.in_flight < WINDOW) ask(op, p->next++);
    if (op->caller.starved) bs_op_fail_answer(op, BACKSTEP_E_MEMORY, NULL);
    else if (!op->caller.in_flight) finish(op);
}

static void take(place *to, uint32_t what, bs_msg *reply) {
    bs_in *body = &reply->body;
    if (what == ASK_EXTENTS && bs_signature_is(reply, "(iiii)")) {
        int32_t rect[4];
        bs_in_struct(body);
        for (unsigned k = 0; k < 4; k++) rect[k] = bs_in_i32(body);
        for (unsigned k = 0; k < 4 && !body->failed; k++) to->rect[k] = rect[k];
    } else if (what == ASK_STATES && bs_signature_is(reply, "au")) {
        size_t end = bs_in_array(body, 4);
        for (unsigned k = 0; bs_in_more(body, end); k++) {
            uint32_t word = bs_in_u32(body);
            if (k < 2) to->states[k] = word;
        }
        to->there = !body->failed;
    }
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    places *p = op->state;
    // The straight connection broke: what only reads is asked again over the bus.
    if (status == BACKSTEP_E_BUS && !bs_bus_broken(op->link->bus)) {
        op->via = NULL;
        ask(op, tag);
        return;
    }
    if (status == BACKSTEP_E_BUS || status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_MEMORY) {
        bs_op_fail_answer(op, status, reply);
        return;
    }
    // Who is gone, or has no place, says so by an error: it stays unknown.
    if (status == BACKSTEP_OK) take(&p->of[tag / ASKS], tag % ASKS, reply);
    go_on(op);
}

void bs_places_start(bs_op *op, bs_reader *r) {
    places *p = calloc(1, sizeof *p);
    if (!p) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = p;
    op->free_state = free_places;
    op->caller.answer = answered;
    p->coords = bs_get_u32(r);
    uint32_t count = bs_get_u32(r);
    bool fits = !r->failed && p->coords <= 1 && count <= MOST;
    p->of = fits ? calloc(count + 1, sizeof *p->of) : NULL;
    if (fits && !p->of) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    for (; fits && p->count < count; p->count++) {
        place *one = &p->of[p->count];
        one->path = bs_get_str(r);
        one->rect[2] = one->rect[3] = -1;
        fits = !r->failed && bs_path_valid(one->path); // the bus would throw us out for one that is none
        if (!fits) break;
    }
    if (!fits) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "the request is too short, too long, or names what is no path or unknown coordinates");
        return;
    }
    const bs_peer *peer = bs_peer_find(op->link, op->to.bus);
    op->via = peer ? peer->direct : NULL;
    go_on(op);
}
