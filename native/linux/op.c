#include "op.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bs_op_finish(bs_op *op, int status) {
    bs_bus_abandon(&op->caller);
    bs_apart(op);
    if (op->link->connecting == op) op->link->connecting = NULL;
    if (op->previous) op->previous->next = op->next;
    else op->link->ops = op->next;
    if (op->next) op->next->previous = op->previous;
    bs_core_complete(op->link->session, op->ticket, status, &op->reply);
    if (op->state && op->free_state) op->free_state(op->state);
    free(op->command);
    free(op);
}

void bs_op_fail(bs_op *op, int status, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t n = strlen(text);
    while (n && !bs_utf8_valid(text, n)) n--; // what was cut in the middle of a character
    bs_buf_clear(&op->reply);
    bs_put_str(&op->reply, text, n);
    bs_op_finish(op, status);
}

static const char *sentence(int status) {
    switch (status) {
    case BACKSTEP_E_APP_GONE: return "the application left the accessibility bus";
    case BACKSTEP_E_NO_ELEMENT: return "the application knows no such element (any more)";
    case BACKSTEP_E_UNSUPPORTED: return "the element does not support this";
    case BACKSTEP_E_REFUSED: return "the application answered \"false\"";
    case BACKSTEP_E_BUS: return "the connection to the accessibility bus broke";
    case BACKSTEP_E_MEMORY: return "out of memory";
    case BACKSTEP_E_PROTOCOL: return "the application's answer is not of the type that the method has";
    default: return "the call failed";
    }
}

void bs_op_fail_answer(bs_op *op, int status, const bs_msg *error) {
    // Whoever asks an application that has left would otherwise leave what is known of it behind for the session's life.
    bool told = error && bs_str_is(error->head.sender, "org.freedesktop.DBus");
    if (status == BACKSTEP_E_APP_GONE && told && op->to.bus.length) bs_peer_lost(op->link, op->to.bus);
    if (!error || error->head.type != BS_WIRE_ERROR) {
        bs_op_fail(op, status, "%s", sentence(status));
        return;
    }
    bs_in body = error->body;
    bs_str text = error->head.signature.length && error->head.signature.text[0] == 's' ? bs_in_str(&body) : (bs_str){"", 0};
    bs_op_fail(op, status, "%.*s: %.*s", (int)error->head.error.length, error->head.error.text, (int)text.length, text.text);
}

void bs_op_overdue(bs_op *op) {
    if (op->via) bs_peer_silent(op->link, op->via);
    bs_bus_abandon(&op->caller);
    if (op->caller.sent) bs_op_fail(op, BACKSTEP_E_TIMEOUT_UNKNOWN, "the application did not answer in time; what was asked may yet happen");
    else bs_op_fail(op, BACKSTEP_E_TIMEOUT_UNSENT, "the deadline passed before anything was asked for");
}

void bs_op_cancel(bs_op *op) {
    bs_bus_abandon(&op->caller);
    if (op->caller.sent) bs_op_fail(op, BACKSTEP_E_CANCELLED_UNKNOWN, "cancelled after it was sent; what was asked may yet happen");
    else bs_op_fail(op, BACKSTEP_E_CANCELLED_UNSENT, "cancelled before anything was asked for");
}

bs_out *bs_op_begin(bs_op *op, const char *interface, const char *member, const char *signature) {
    return bs_bus_begin(op->link->bus, op->to, interface, member, signature);
}

void bs_op_send(bs_op *op, uint32_t tag) { bs_bus_send(op->link->bus, &op->caller, tag, BS_NO_DEADLINE); }

void bs_op_call(bs_op *op, uint32_t tag, const char *interface, const char *member) {
    bs_op_begin(op, interface, member, "");
    bs_op_send(op, tag);
}

void bs_op_get(bs_op *op, uint32_t tag, bs_target of, const char *interface, const char *property) {
    bs_out *o = bs_bus_begin(op->link->bus, of, "org.freedesktop.DBus.Properties", "Get", "ss");
    bs_out_cstr(o, interface);
    bs_out_cstr(o, property);
    bs_op_send(op, tag);
}

static bool names_object(uint32_t code) { return code >= BACKSTEP_OP_SNAPSHOT && code <= BACKSTEP_OP_IF_SAME; }

// Reads "str bus, str path". What is not a valid name must never be sent: the bus would disconnect us for it.
static bool read_target(bs_op *op, bs_reader *r) {
    op->to.bus = bs_get_str(r);
    op->to.path = bs_get_str(r);
    bool window = op->code == BACKSTEP_OP_SNAPSHOT || op->code == BACKSTEP_OP_AT_POINT || op->code == BACKSTEP_OP_FIND_ROLE || op->code == BACKSTEP_OP_PLACES || op->code == BACKSTEP_OP_ROLES;
    if (!r->failed && !op->to.path.length && window) op->to.path = bs_cstr(BS_ROOT_PATH);
    return !r->failed && bs_unique_name_valid(op->to.bus) && bs_path_valid(op->to.path);
}

void bs_op_start(bs_link *link, bs_command *command) {
    bs_op *op = calloc(1, sizeof *op);
    if (!op) {
        bs_buf none = {0};
        bs_core_complete(link->session, command->ticket, BACKSTEP_E_MEMORY, &none);
        free(command);
        return;
    }
    op->link = link;
    op->ticket = command->ticket;
    op->deadline = command->deadline_us;
    op->code = command->op;
    op->command = command;
    op->caller.counts = op->code < BACKSTEP_OP_ACTION;
    op->next = link->ops;
    if (link->ops) link->ops->previous = op;
    link->ops = op;
    bs_reader request = {command->request, command->length, 0, false};
    if (op->deadline <= bs_now_us()) {
        bs_op_overdue(op);
    } else if (op->code == BACKSTEP_OP_CONNECT) {
        bs_connect_start(op, &request);
    } else if (!link->bus || !link->connected) {
        bs_op_fail(op, BACKSTEP_E_BUS, "this session has no accessibility bus: CONNECT comes first");
    } else if (bs_bus_broken(link->bus)) {
        bs_op_fail(op, BACKSTEP_E_BUS, "the accessibility bus is gone: %s", bs_bus_broken(link->bus));
    } else if (names_object(op->code) && !read_target(op, &request)) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "the request names no valid bus name and object path");
    } else if (op->code == BACKSTEP_OP_APPS) {
        bs_apps_start(op, &request);
    } else if (op->code == BACKSTEP_OP_SNAPSHOT || op->code == BACKSTEP_OP_READ) {
        bs_snapshot_start(op, &request);
    } else if (op->code == BACKSTEP_OP_FIND_ROLE) {
        bs_find_start(op, &request);
    } else if (op->code == BACKSTEP_OP_AT_POINT) {
        bs_point_start(op, &request);
    } else if (op->code == BACKSTEP_OP_PLACES) {
        bs_places_start(op, &request);
    } else if (op->code == BACKSTEP_OP_ROLES) {
        bs_roles_start(op, &request);
    } else if (op->code == BACKSTEP_OP_IF_SAME) {
        bs_if_same_start(op, &request);
    } else {
        bs_act_start(op, &request);
    }
}
