#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "op.h"

enum { LIST, NAME, PID, TOOLKIT, VERSION, WHATS };

/* Tags beyond those of applications. */
#define OWNER UINT32_MAX
#define REGISTERED (UINT32_MAX - 1)
#define MAX_APPS 1024u
#define SHARE_US 2000000u /* an application gets a quarter of the time, and no more than this */

typedef struct app {
    char *bus, *path, *text[WHATS]; // NAME, TOOLKIT and VERSION are used
    uint32_t pid;
    bool gone;
} app;

typedef struct apps {
    app *list;
    uint32_t count;
} apps;

static void free_apps(void *state) {
    apps *a = state;
    for (uint32_t i = 0; i < a->count; i++) {
        free(a->list[i].bus);
        free(a->list[i].path);
        for (unsigned k = 0; k < WHATS; k++) free(a->list[i].text[k]);
    }
    free(a->list);
    free(a);
}

static void finish(bs_op *op) {
    apps *a = op->state;
    uint32_t present = 0;
    for (uint32_t i = 0; i < a->count; i++) present += !a->list[i].gone;
    bs_put_u32(&op->reply, present);
    for (uint32_t i = 0; i < a->count; i++) {
        const app *p = &a->list[i];
        if (p->gone) continue;
        bs_put_cstr(&op->reply, p->bus);
        bs_put_cstr(&op->reply, p->path);
        bs_put_cstr(&op->reply, p->text[NAME] ? p->text[NAME] : "");
        bs_put_u32(&op->reply, p->pid);
        bs_put_cstr(&op->reply, p->text[TOOLKIT] ? p->text[TOOLKIT] : "");
        bs_put_cstr(&op->reply, p->text[VERSION] ? p->text[VERSION] : "");
    }
    bs_op_finish(op, BACKSTEP_OK);
}

// Asks one application for everything at once.
static void ask(bs_op *op, uint32_t index, uint64_t deadline) {
    static const struct { const char *interface, *property; } wanted[WHATS] = {
        [NAME] = {BS_ACCESSIBLE, "Name"},
        [TOOLKIT] = {"org.a11y.atspi.Application", "ToolkitName"},
        [VERSION] = {"org.a11y.atspi.Application", "Version"},
    };
    apps *a = op->state;
    bs_bus *bus = op->link->bus;
    bs_target to = {bs_cstr(a->list[index].bus), bs_cstr(a->list[index].path)};
    for (uint32_t what = NAME; what < WHATS; what++) {
        bs_out *o;
        if (what == PID) {
            bs_target daemon_itself = {bs_cstr("org.freedesktop.DBus"), bs_cstr("/org/freedesktop/DBus")};
            o = bs_bus_begin(bus, daemon_itself, "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s");
            bs_out_str(o, to.bus);
        } else {
            o = bs_bus_begin(bus, to, "org.freedesktop.DBus.Properties", "Get", "ss");
            bs_out_cstr(o, wanted[what].interface);
            bs_out_cstr(o, wanted[what].property);
        }
        bs_bus_send(bus, &op->caller, index * WHATS + what, deadline);
    }
}

static bool add(apps *a, bs_str bus, bs_str path) {
    app *list = realloc(a->list, (a->count + 1) * sizeof *list);
    if (!list) return false;
    a->list = list;
    list[a->count] = (app){.bus = strndup(bus.text, bus.length), .path = strndup(path.text, path.length)};
    a->count++; // counted even when half made, so that it is freed
    return list[a->count - 1].bus && list[a->count - 1].path;
}

static void listed(bs_op *op, bs_msg *reply) {
    apps *a = op->state;
    if (!bs_signature_is(reply, "a(so)")) {
        bs_op_fail_answer(op, BACKSTEP_E_PROTOCOL, NULL);
        return;
    }
    size_t end = bs_in_array(&reply->body, 8);
    while (bs_in_more(&reply->body, end) && a->count < MAX_APPS) {
        bs_in_struct(&reply->body);
        bs_str bus = bs_in_str(&reply->body), path = bs_in_path(&reply->body);
        if (reply->body.failed || !bs_unique_name_valid(bus)) continue;
        if (!add(a, bus, path)) {
            bs_op_finish(op, BACKSTEP_E_MEMORY);
            return;
        }
    }
    if (reply->body.failed) {
        bs_op_fail_answer(op, BACKSTEP_E_PROTOCOL, NULL);
        return;
    }
    uint64_t now = bs_now_us(), share = (op->deadline - now) / 4;
    for (uint32_t i = 0; i < a->count; i++) ask(op, i, now + (share < SHARE_US ? share : SHARE_US));
    if (!a->count) finish(op);
}

static void list(bs_op *op) {
    op->to = (bs_target){bs_cstr(op->link->registry), bs_cstr(BS_ROOT_PATH)};
    bs_op_call(op, LIST, BS_ACCESSIBLE, "GetChildren");
}

static void no_registry(bs_op *op) {
    bs_op_fail(op, BACKSTEP_E_BUS, "the registry of the accessibility bus is gone: applications cannot be listed");
}

// The registry died since: one that took its place knows nothing of our wish for events.
static void owner_answered(bs_op *op, int status, bs_msg *reply) {
    bs_str owner = status == BACKSTEP_OK && bs_signature_is(reply, "s") ? bs_in_str(&reply->body) : (bs_str){"", 0};
    if (!bs_unique_name_valid(owner)) {
        no_registry(op);
        return;
    }
    memcpy(op->link->registry, owner.text, owner.length);
    op->link->registry[owner.length] = 0;
    bs_register_events(op, REGISTERED);
    list(op);
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    apps *a = op->state;
    if (tag == OWNER) {
        owner_answered(op, status, reply);
        return;
    }
    if (tag == REGISTERED) {
        if (a->list && !op->caller.in_flight) finish(op);
        return;
    }
    if (!a->list) {
        if (status == BACKSTEP_OK) listed(op, reply);
        else if (status == BACKSTEP_E_APP_GONE) no_registry(op);
        else bs_op_fail_answer(op, status, reply);
        return;
    }
    app *p = &a->list[tag / WHATS];
    uint32_t what = tag % WHATS;
    if (status == BACKSTEP_E_BUS) {
        bs_op_fail_answer(op, status, NULL);
        return;
    }
    if (status == BACKSTEP_E_APP_GONE && what == NAME) p->gone = true;
    if (status == BACKSTEP_OK && what == PID && bs_signature_is(reply, "u")) p->pid = bs_in_u32(&reply->body);
    if (status == BACKSTEP_OK && what != PID && bs_signature_is(reply, "v") && bs_in_variant(&reply->body, "s")) {
        bs_str text = bs_in_str(&reply->body);
        free(p->text[what]);
        p->text[what] = strndup(text.text, text.length);
    }
    if (!op->caller.in_flight) finish(op);
}

void bs_apps_start(bs_op *op, bs_reader *request) {
    (void)request;
    apps *a = calloc(1, sizeof *a);
    if (!a) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = a;
    op->free_state = free_apps;
    op->caller.answer = answered;
    if (*op->link->registry) {
        list(op);
        return;
    }
    bs_out *o = bs_bus_begin(op->link->bus, (bs_target){bs_cstr("org.freedesktop.DBus"), bs_cstr("/org/freedesktop/DBus")}, "org.freedesktop.DBus", "GetNameOwner", "s");
    bs_out_cstr(o, BS_REGISTRY);
    bs_op_send(op, OWNER);
}
