/* IF_SAME: what is done to an element, once the element says of itself what was expected. */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

enum { ROLE, NAME, ID };

typedef struct expected {
    uint32_t role, code; // code: what is to be done
    bs_str name, id;
    size_t at; // in the request, where what that takes begins
} expected;

static bool is(bs_str expected, bs_msg *reply) {
    if (bs_signature_is(reply, "a{ss}")) {
        bs_str id = bs_field_attribute(&reply->body, "id");
        return !reply->body.failed && id.length == expected.length && !memcmp(id.text, expected.text, id.length);
    }
    if (!bs_signature_is(reply, "v") || !bs_in_variant(&reply->body, "s")) return false;
    bs_str told = bs_in_str(&reply->body);
    return !reply->body.failed && told.length == expected.length && !memcmp(told.text, expected.text, told.length);
}

static bool same(const expected *e, uint32_t tag, bs_msg *reply) {
    if (tag != ROLE) return is(tag == NAME ? e->name : e->id, reply);
    return bs_signature_is(reply, "u") && bs_in_u32(&reply->body) == e->role && !reply->body.failed;
}

static void begin(bs_op *op) {
    expected *e = op->state;
    bs_reader rest = {op->command->request, op->command->length, e->at, false};
    op->code = e->code;
    op->state = NULL;
    op->free_state = NULL;
    free(e);
    bs_act_start(op, &rest);
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    if (status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_BUS) bs_op_fail_answer(op, status, reply);
    else if (status != BACKSTEP_OK || !same(op->state, tag, reply)) bs_op_fail(op, BACKSTEP_E_CHANGED, "the element is not what was expected");
    else if (!op->caller.in_flight) begin(op);
}

void bs_if_same_start(bs_op *op, bs_reader *r) {
    expected *e = calloc(1, sizeof *e);
    if (!e) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = e;
    op->free_state = free;
    op->caller.answer = answered;
    e->role = bs_get_u32(r);
    e->name = bs_get_str(r);
    e->id = bs_get_str(r);
    e->code = bs_get_u32(r);
    e->at = r->at;
    if (r->failed || e->code < BACKSTEP_OP_ACTION || e->code > BACKSTEP_OP_SCROLL_TO_POINT) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "the request is too short, or no valid text, or of nothing that is done to an element");
        return;
    }
    bs_op_call(op, ROLE, BS_ACCESSIBLE, "GetRole");
    bs_op_get(op, NAME, op->to, BS_ACCESSIBLE, "Name");
    if (!e->id.length) return;
    if (bs_peer_is_page(op->link, op->to.bus)) bs_op_call(op, ID, BS_ACCESSIBLE, "GetAttributes");
    else bs_op_get(op, ID, op->to, BS_ACCESSIBLE, "AccessibleId");
}
