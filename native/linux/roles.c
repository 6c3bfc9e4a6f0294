/*
 * ROLES: every element below one that has one of some roles, as the application finds them itself: one Collection.GetMatches.
 * What manages its descendants is in no cache, and is not read element by element to tell that nothing in it is meant.
 */
#include <stdlib.h>

#include "op.h"

#define MOST_ROLES 64u
#define MOST_FOUND 100000u
#define RULE "(aiia{ss}iaiiasib)"

enum { MATCH_ALL = 1, MATCH_ANY = 2, SORT_CANONICAL = 1, WORDS = 8 };

typedef struct wanted {
    uint32_t words[WORDS]; /* a bit a role */
} wanted;

static void nothing(bs_out *o, uint32_t align) {
    bs_out_array_end(o, bs_out_array(o, align));
    bs_out_i32(o, MATCH_ALL);
}

static void ask(bs_op *op) {
    const wanted *w = op->state;
    bs_bus *way = op->via ? op->via : op->link->bus;
    bs_out *o = bs_bus_begin(way, op->to, "org.a11y.atspi.Collection", "GetMatches", RULE "uib");
    bs_out_align(o, 8);
    nothing(o, 4); // whatever its states
    nothing(o, 8); // and attributes
    size_t roles = bs_out_array(o, 4);
    for (unsigned k = 0; k < WORDS; k++) bs_out_i32(o, (int32_t)w->words[k]);
    bs_out_array_end(o, roles);
    bs_out_i32(o, MATCH_ANY);
    nothing(o, 4); // and interfaces
    bs_out_u32(o, 0);
    bs_out_u32(o, SORT_CANONICAL);
    bs_out_i32(o, 0); // all of them
    bs_out_u32(o, 1); // and what is inside of them
    bs_bus_send(way, &op->caller, 0, BS_NO_DEADLINE);
}

static void take(bs_op *op, bs_msg *reply) {
    bs_in *body = &reply->body;
    size_t count_at = op->reply.length, end = bs_in_array(body, 8);
    uint32_t count = 0;
    bs_put_u32(&op->reply, 0);
    while (bs_in_more(body, end) && count < MOST_FOUND) {
        bs_in_struct(body);
        bs_str bus = bs_in_str(body), path = bs_in_path(body);
        if (body->failed) break;
        bs_put_str(&op->reply, bus.text, bus.length);
        bs_put_str(&op->reply, path.text, path.length);
        count++;
    }
    if (body->failed || bs_in_more(body, end)) {
        bs_op_fail(op, BACKSTEP_E_PROTOCOL, "the application found more than can be, or told it in no valid form");
        return;
    }
    if (!op->reply.failed)
        for (unsigned k = 0; k < 4; k++) op->reply.data[count_at + k] = (uint8_t)(count >> 8 * k);
    bs_op_finish(op, op->reply.failed ? BACKSTEP_E_MEMORY : BACKSTEP_OK);
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    (void)tag;
    // The straight connection broke: what only reads is asked again over the bus.
    if (status == BACKSTEP_E_BUS && !bs_bus_broken(op->link->bus)) {
        op->via = NULL;
        ask(op);
    } else if (status != BACKSTEP_OK) {
        bs_op_fail_answer(op, status, reply);
    } else if (!bs_signature_is(reply, "a(so)")) {
        bs_op_fail_answer(op, BACKSTEP_E_PROTOCOL, NULL);
    } else {
        take(op, reply);
    }
}

void bs_roles_start(bs_op *op, bs_reader *r) {
    wanted *w = calloc(1, sizeof *w);
    if (!w) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = w;
    op->free_state = free;
    op->caller.answer = answered;
    uint32_t count = bs_get_u32(r);
    bool fits = !r->failed && count && count <= MOST_ROLES;
    for (uint32_t k = 0; fits && k < count; k++) {
        uint32_t role = bs_get_u32(r);
        fits = !r->failed && role < 32 * WORDS;
        if (fits) w->words[role / 32] |= 1u << role % 32;
    }
    if (!fits) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "the request is too short, too long, or names what is no role");
        return;
    }
    const bs_peer *peer = bs_peer_find(op->link, op->to.bus);
    op->via = peer ? peer->direct : NULL;
    ask(op);
}
