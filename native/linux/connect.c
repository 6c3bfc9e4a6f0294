#include <stdlib.h>
#include <string.h>

#include "op.h"

enum { HELLO, SETUP, SESSION_HELLO, ADDRESS, ENABLE };

#define ENABLE_US 1000000u /* what the wish to switch accessibility on may cost */

typedef struct connecting {
    bool wants_bus, bus_ready, wants_display;
    uint32_t setup; // answers of the accessibility bus still out
    bool enabling;
    char name[256]; // ours on the accessibility bus
} connecting;

static const char *const events[] = {
    "object:state-changed",    "object:text-changed",     "object:text-caret-moved",          "object:text-selection-changed",
    "object:children-changed", "object:property-change",  "object:selection-changed",         "object:value-changed",
    "object:bounds-changed",   "object:link-selected",    "object:active-descendant-changed", "object:visible-data-changed",
    "window:",                 "focus:",                  "document:",
};

static const char *const matches[] = {
    "type='signal',interface='org.a11y.atspi.Event.Object'",
    "type='signal',interface='org.a11y.atspi.Event.Window'",
    "type='signal',interface='org.a11y.atspi.Event.Focus'",
    "type='signal',interface='org.a11y.atspi.Event.Document'",
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''",
};

static const bs_target daemon_itself = {{"org.freedesktop.DBus", 20}, {"/org/freedesktop/DBus", 21}};
static const bs_target launcher = {{"org.a11y.Bus", 12}, {"/org/a11y/bus", 13}};
static const bs_target registry = {{BS_REGISTRY, 23}, {"/org/a11y/atspi/registry", 24}};

static void on_session_signal(void *link, const bs_msg *signal) { (void)link, (void)signal; }

static void hello(bs_op *op, bs_bus *bus, uint32_t tag) {
    bs_bus_begin(bus, daemon_itself, "org.freedesktop.DBus", "Hello", "");
    bs_bus_send(bus, &op->caller, tag, BS_NO_DEADLINE);
}

// Everything in one write: the bus answers in order. False: the op has ended.
static bool open_bus(bs_op *op, bs_str address) {
    connecting *c = op->state;
    bs_bus *bus = bs_bus_open(address, bs_event_signal, op->link, &op->reply);
    if (!bus) {
        bs_op_finish(op, BACKSTEP_E_BUS);
        return false;
    }
    op->link->bus = bus;
    hello(op, bus, HELLO);
    c->setup = 1;
    for (size_t i = 0; i < sizeof matches / sizeof *matches; i++, c->setup++) {
        bs_out *o = bs_bus_begin(bus, daemon_itself, "org.freedesktop.DBus", "AddMatch", "s");
        bs_out_cstr(o, matches[i]);
        bs_bus_send(bus, &op->caller, SETUP, BS_NO_DEADLINE);
    }
    for (size_t i = 0; i < sizeof events / sizeof *events; i++, c->setup++) {
        bs_out *o = bs_bus_begin(bus, registry, BS_REGISTRY, "RegisterEvent", "s");
        bs_bus_may_start(bus);
        bs_out_cstr(o, events[i]);
        bs_bus_send(bus, &op->caller, SETUP, BS_NO_DEADLINE);
    }
    return true;
}

// Some toolkits speak only once somebody has said on the session bus that accessibility is wanted.
static void enable(bs_op *op, bool starting) {
    connecting *c = op->state;
    bs_bus *bus = op->link->session_bus;
    bs_out *o = bs_bus_begin(bus, launcher, "org.freedesktop.DBus.Properties", "Set", "ssv");
    // GetAddress, just before, starts the service: without this the bus would say that there is none yet.
    if (starting) bs_bus_may_start(bus);
    bs_out_cstr(o, "org.a11y.Status");
    bs_out_cstr(o, "IsEnabled");
    bs_out_signature(o, "b");
    bs_out_u32(o, 1);
    c->enabling = true;
    bs_bus_send(bus, &op->caller, ENABLE, starting ? BS_NO_DEADLINE : bs_now_us() + ENABLE_US);
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    connecting *c = op->state;
    if (tag == ENABLE) {
        c->enabling = false; // a failure is not fatal: most toolkits do not look at it
        return;
    }
    if (status != BACKSTEP_OK) {
        if (tag == SESSION_HELLO && op->link->bus) return; // the session bus was a courtesy only
        bs_op_fail_answer(op, BACKSTEP_E_BUS, reply);
        return;
    }
    if (tag == SETUP || tag == HELLO) c->setup--;
    if (tag == HELLO) {
        bs_str name = bs_signature_is(reply, "s") ? bs_in_str(&reply->body) : (bs_str){"", 0};
        if (!name.length || name.length >= sizeof c->name) {
            bs_op_fail(op, BACKSTEP_E_PROTOCOL, "the accessibility bus gave us no name");
            return;
        }
        memcpy(c->name, name.text, name.length);
    }
    if (tag == ADDRESS) {
        bs_str address = bs_signature_is(reply, "s") ? bs_in_str(&reply->body) : (bs_str){"", 0};
        open_bus(op, address);
        return;
    }
    if (op->link->bus && c->setup == 0) c->bus_ready = true;
}

void bs_connect_step(bs_op *op) {
    connecting *c = op->state;
    bs_display_state screen = {0};
    if (c->wants_display) {
        bs_display_look(op->link->display, &screen);
        if (screen.failed) {
            bs_op_fail(op, screen.status < 0 ? screen.status : BACKSTEP_E_DISPLAY, "%s", screen.message);
            return;
        }
        if (!screen.ready) return;
    }
    if ((c->wants_bus && !c->bus_ready) || c->enabling) return;
    if (c->wants_bus && bs_bus_broken(op->link->bus)) {
        bs_op_fail(op, BACKSTEP_E_BUS, "the accessibility bus is gone: %s", bs_bus_broken(op->link->bus));
        return;
    }
    op->link->connected = true;
    op->link->server = op->link->ours ? screen.server : 0;
    bs_put_u32(&op->reply, (c->wants_bus ? 1 : 0) | (c->wants_display ? 2 : 0));
    bs_put_cstr(&op->reply, c->name);
    bs_put_i32(&op->reply, screen.width);
    bs_put_i32(&op->reply, screen.height);
    bs_op_finish(op, BACKSTEP_OK);
}

void bs_connect_start(bs_op *op, bs_reader *request) {
    bs_str address = bs_get_str(request), session = bs_get_str(request), display = bs_get_str(request);
    uint32_t flags = request->at < request->length ? bs_get_u32(request) : 0;
    bs_link *link = op->link;
    if (request->failed || flags > 1 || !(address.length || session.length || display.length)) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "CONNECT names an accessibility bus, a session bus or a display");
        return;
    }
    if (link->connected || link->connecting) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "this session is connected already");
        return;
    }
    connecting *c = calloc(1, sizeof *c);
    if (!c) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = c;
    op->free_state = free;
    op->caller.answer = answered;
    link->connecting = op;
    link->ours = flags & 1;
    c->wants_bus = address.length || session.length;
    c->wants_display = display.length > 0;
    if (c->wants_display) {
        link->display = bs_display_start(link->session, display, op->deadline);
        if (!link->display) {
            bs_op_fail(op, BACKSTEP_E_LIMIT, "the display's thread could not be started");
            return;
        }
    }
    if (session.length) {
        link->session_bus = bs_bus_open(session, on_session_signal, NULL, &op->reply);
        if (!link->session_bus && !address.length) {
            bs_op_finish(op, BACKSTEP_E_BUS);
            return;
        }
        bs_buf_clear(&op->reply);
    }
    if (link->session_bus) {
        hello(op, link->session_bus, SESSION_HELLO);
        if (!address.length) {
            bs_bus_begin(link->session_bus, launcher, "org.a11y.Bus", "GetAddress", "");
            bs_bus_may_start(link->session_bus);
            bs_bus_send(link->session_bus, &op->caller, ADDRESS, BS_NO_DEADLINE);
        }
        enable(op, !address.length);
    }
    if (address.length) open_bus(op, address);
}
