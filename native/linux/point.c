/* AT_POINT: toolkits answer one level at a time, so the question is repeated on what it brought. Chromium answers with texts
 * that are no children of the buttons which they name: what is in no tree stands for what it is a part of. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "mirror.h"

#define MAX_STEPS 256u

enum { POINT, WINDOWS, ROLE, INDEX, PARENT };

typedef struct place {
    char *bus, *path;
} place;

typedef struct point {
    uint32_t coords, steps;
    int32_t x, y;
    place at;       // the deepest element so far; nothing before the first answer
    place *windows; // of an application root, the last one first
    uint32_t window_count, window_next;
} point;

static void free_place(place *p) {
    free(p->bus);
    free(p->path);
    *p = (place){0};
}

static void free_point(void *state) {
    point *p = state;
    free_place(&p->at);
    for (uint32_t i = 0; i < p->window_count; i++) free_place(&p->windows[i]);
    free(p->windows);
    free(p);
}

static bool set_place(place *p, bs_str bus, bs_str path) {
    place made = {strndup(bus.text, bus.length), strndup(path.text, path.length)};
    free_place(p);
    *p = made;
    return made.bus && made.path;
}

static void ask(bs_op *op, bs_target of) {
    point *p = op->state;
    p->steps++;
    bs_out *o = bs_bus_begin(op->link->bus, of, "org.a11y.atspi.Component", "GetAccessibleAtPoint", "iiu");
    bs_out_i32(o, p->x);
    bs_out_i32(o, p->y);
    bs_out_u32(o, p->coords);
    bs_op_send(op, POINT);
}

static void finish(bs_op *op) {
    point *p = op->state;
    bs_put_cstr(&op->reply, p->at.path ? p->at.bus : "");
    bs_put_cstr(&op->reply, p->at.path ? p->at.path : "");
    bs_op_finish(op, BACKSTEP_OK);
}

// Nothing is deeper. Something new is in no tree that is kept, either; but its parent counts it.
static void settle(bs_op *op) {
    point *p = op->state;
    if (!p->at.path || p->steps >= MAX_STEPS || !bs_mirror_lacks(op->link, bs_cstr(p->at.bus), bs_cstr(p->at.path))) {
        finish(op);
        return;
    }
    p->steps++;
    bs_bus_begin(op->link->bus, (bs_target){bs_cstr(p->at.bus), bs_cstr(p->at.path)}, BS_ACCESSIBLE, "GetIndexInParent", "");
    bs_op_send(op, INDEX);
}

static void indexed(bs_op *op, bs_msg *reply) {
    point *p = op->state;
    int32_t index = bs_signature_is(reply, "i") ? bs_in_i32(&reply->body) : 0;
    if (index >= 0 || reply->body.failed) finish(op);
    else bs_op_get(op, PARENT, (bs_target){bs_cstr(p->at.bus), bs_cstr(p->at.path)}, BS_ACCESSIBLE, "Parent");
}

static void stands_for(bs_op *op, bs_msg *reply) {
    point *p = op->state;
    bs_str bus = {"", 0}, path = {"", 0};
    if (bs_signature_is(reply, "v") && bs_in_variant(&reply->body, "(so)")) {
        bs_in_struct(&reply->body);
        bus = bs_in_str(&reply->body);
        path = bs_in_path(&reply->body);
    }
    bool none = reply->body.failed || !path.length || !bs_unique_name_valid(bus) || bs_str_is(path, "/org/a11y/atspi/null");
    if (none) finish(op);
    else if (!set_place(&p->at, bus, path)) bs_op_finish(op, BACKSTEP_E_MEMORY);
    else settle(op);
}

// The next window of the application, or the end: no window is there.
static void next_window(bs_op *op) {
    point *p = op->state;
    if (p->window_next == p->window_count) {
        finish(op);
        return;
    }
    const place *w = &p->windows[p->window_next++];
    ask(op, (bs_target){bs_cstr(w->bus), bs_cstr(w->path)});
}

static void windows(bs_op *op, bs_msg *reply) {
    point *p = op->state;
    size_t end = bs_signature_is(reply, "a(so)") ? bs_in_array(&reply->body, 8) : 0;
    while (bs_in_more(&reply->body, end) && p->window_count < MAX_STEPS) {
        bs_in_struct(&reply->body);
        bs_str bus = bs_in_str(&reply->body), path = bs_in_path(&reply->body);
        // A path that is none must not be asked: the bus would throw us out for it.
        place *list = !reply->body.failed && bs_unique_name_valid(bus) ? realloc(p->windows, (p->window_count + 1) * sizeof *list) : NULL;
        if (!list) continue;
        p->windows = list;
        memmove(list + 1, list, p->window_count * sizeof *list); // popups come last and lie on top
        list[0] = (place){0};
        p->window_count++;
        if (!set_place(&list[0], bus, path)) {
            bs_op_finish(op, BACKSTEP_E_MEMORY);
            return;
        }
    }
    next_window(op);
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    point *p = op->state;
    if (tag == WINDOWS) {
        if (status == BACKSTEP_OK) windows(op, reply);
        else bs_op_fail_answer(op, status, reply);
        return;
    }
    if (tag == INDEX || tag == PARENT) {
        if (status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_BUS) bs_op_fail_answer(op, status, reply);
        else if (status != BACKSTEP_OK) finish(op);
        else if (tag == INDEX) indexed(op, reply);
        else stands_for(op, reply);
        return;
    }
    if (tag == ROLE) {
        if (status == BACKSTEP_OK) bs_op_fail(op, BACKSTEP_E_UNSUPPORTED, "the element has no place");
        else bs_op_fail_answer(op, status == BACKSTEP_E_UNSUPPORTED ? BACKSTEP_E_NO_ELEMENT : status, reply);
        return;
    }
    // GDBus calls what is asked of an object that is gone an unknown method, too: each that is there has a role.
    if (status == BACKSTEP_E_UNSUPPORTED && !p->at.path && !p->windows) {
        bs_op_call(op, ROLE, BS_ACCESSIBLE, "GetRole");
        return;
    }
    bool ended = status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_BUS;
    if (status != BACKSTEP_OK && (ended || (!p->at.path && !p->windows))) {
        bs_op_fail_answer(op, status, reply);
        return;
    }
    bs_str bus = {"", 0}, path = {"", 0};
    if (status == BACKSTEP_OK && bs_signature_is(reply, "(so)")) {
        bs_in_struct(&reply->body);
        bus = bs_in_str(&reply->body);
        path = bs_in_path(&reply->body);
    }
    bool none = !path.length || !bs_unique_name_valid(bus) || bs_str_is(path, "/org/a11y/atspi/null");
    if (none && !p->at.path && p->windows) {
        next_window(op);
        return;
    }
    bool same = !none && p->at.path && bs_str_is(path, p->at.path) && bs_str_is(bus, p->at.bus);
    if (none || same || p->steps == MAX_STEPS) {
        settle(op);
        return;
    }
    if (!set_place(&p->at, bus, path)) bs_op_finish(op, BACKSTEP_E_MEMORY);
    else ask(op, (bs_target){bs_cstr(p->at.bus), bs_cstr(p->at.path)});
}

void bs_point_start(bs_op *op, bs_reader *r) {
    point *p = calloc(1, sizeof *p);
    if (!p) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = p;
    op->free_state = free_point;
    op->caller.answer = answered;
    p->coords = bs_get_u32(r);
    p->x = bs_get_i32(r);
    p->y = bs_get_i32(r);
    if (r->failed || p->coords > 1) bs_op_fail(op, BACKSTEP_E_INVALID, "the request is too short, or asks for unknown coordinates");
    else if (bs_str_is(op->to.path, BS_ROOT_PATH)) bs_op_call(op, WINDOWS, BS_ACCESSIBLE, "GetChildren"); // it has no place of its own
    else ask(op, op->to);
}
