/* CONNECT. Both buses let anybody answer anything, so nobody is called by a well-known name: its owner is asked for first, of
 * the bus itself, and then only that connection is listened to. */
#include <stdlib.h>
#include <string.h>

#include "op.h"

enum { HELLO, SETUP, OWNER, START, SESSION_HELLO, SESSION_OWNER, SESSION_START, ADDRESS, ENABLE };

#define ENABLE_US 1000000u /* what the wish to switch accessibility on may cost */

typedef struct connecting {
    bool wants_bus, bus_ready, wants_display;
    uint32_t setup; // answers of the accessibility bus still out
    bool courtesy;  // the session bus is told that accessibility is wanted, and not asked where its bus is
    bool enabling, started, session_started;
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
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" BS_REGISTRY "'",
};

static const bs_target daemon_itself = {{"org.freedesktop.DBus", 20}, {"/org/freedesktop/DBus", 21}};

#define LAUNCHER "org.a11y.Bus"

static void on_session_signal(void *link, const bs_msg *signal) { (void)link, (void)signal; }

static void hello(bs_op *op, bs_bus *bus, uint32_t tag) {
    bs_bus_begin(bus, daemon_itself, "org.freedesktop.DBus", "Hello", "");
    bs_bus_send(bus, &op->caller, tag, BS_NO_DEADLINE);
}

static void ask_owner(bs_op *op, bs_bus *bus, const char *name, uint32_t tag, uint64_t deadline) {
    bs_out *o = bs_bus_begin(bus, daemon_itself, "org.freedesktop.DBus", "GetNameOwner", "s");
    bs_out_cstr(o, name);
    bs_bus_send(bus, &op->caller, tag, deadline);
}

static void ask_start(bs_op *op, bs_bus *bus, const char *name, uint32_t tag) {
    bs_out *o = bs_bus_begin(bus, daemon_itself, "org.freedesktop.DBus", "StartServiceByName", "su");
    bs_out_cstr(o, name);
    bs_out_u32(o, 0);
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
    c->setup = 2;
    for (size_t i = 0; i < sizeof matches / sizeof *matches; i++, c->setup++) {
        bs_out *o = bs_bus_begin(bus, daemon_itself, "org.freedesktop.DBus", "AddMatch", "s");
        bs_out_cstr(o, matches[i]);
        bs_bus_send(bus, &op->caller, SETUP, BS_NO_DEADLINE);
    }
    ask_owner(op, bus, BS_REGISTRY, OWNER, BS_NO_DEADLINE);
    return true;
}

void bs_register_events(bs_link *l, bs_caller *caller, uint32_t tag) {
    _Static_assert(sizeof events / sizeof *events == BS_REGISTRATIONS, "as many as the header says");
    bs_target registry = {bs_cstr(l->registry), bs_cstr("/org/a11y/atspi/registry")};
    for (size_t i = 0; i < BS_REGISTRATIONS; i++) {
        bs_out *o = bs_bus_begin(l->bus, registry, BS_REGISTRY, "RegisterEvent", "s");
        bs_out_cstr(o, events[i]);
        bs_bus_send(l->bus, caller, tag, BS_NO_DEADLINE);
    }
}

// Some toolkits speak only once somebody has said on the session bus that accessibility is wanted.
static void enable(bs_op *op, bs_target launcher) {
    connecting *c = op->state;
    bs_bus *bus = op->link->session_bus;
    bs_out *o = bs_bus_begin(bus, launcher, "org.freedesktop.DBus.Properties", "Set", "ssv");
    bs_out_cstr(o, "org.a11y.Status");
    bs_out_cstr(o, "IsEnabled");
    bs_out_signature(o, "b");
    bs_out_u32(o, 1);
    c->enabling = true;
    bs_bus_send(bus, &op->caller, ENABLE, c->courtesy ? bs_now_us() + ENABLE_US : BS_NO_DEADLINE);
}

static void launcher_known(bs_op *op, bs_str owner) {
    connecting *c = op->state;
    bs_target launcher = {owner, bs_cstr("/org/a11y/bus")};
    if (!c->courtesy) {
        bs_bus_begin(op->link->session_bus, launcher, LAUNCHER, "GetAddress", "");
        bs_bus_send(op->link->session_bus, &op->caller, ADDRESS, BS_NO_DEADLINE);
    }
    enable(op, launcher);
}

static bs_str said(bs_msg *reply) { return bs_signature_is(reply, "s") ? bs_in_str(&reply->body) : (bs_str){"", 0}; }

// The session bus and its launcher; a courtesy costs nothing when it fails.
static void session_answered(bs_op *op, uint32_t tag, int status, bs_msg *reply) {
    connecting *c = op->state;
    bs_str owner = tag == SESSION_OWNER && status == BACKSTEP_OK ? said(reply) : (bs_str){"", 0};
    if (tag == ENABLE || (tag == SESSION_OWNER && c->courtesy)) c->enabling = false; // most toolkits do not look at it
    if (tag == ENABLE) return;
    if (tag == SESSION_OWNER && bs_unique_name_valid(owner)) launcher_known(op, owner);
    else if (c->courtesy) return;
    else if (tag == SESSION_START) ask_owner(op, op->link->session_bus, LAUNCHER, SESSION_OWNER, BS_NO_DEADLINE);
    else if (tag == SESSION_OWNER && !c->session_started && status != BACKSTEP_OK && status != BACKSTEP_E_BUS) {
        c->session_started = true;
        ask_start(op, op->link->session_bus, LAUNCHER, SESSION_START);
    } else if (status != BACKSTEP_OK) bs_op_fail_answer(op, BACKSTEP_E_BUS, reply);
    else if (tag == ADDRESS) open_bus(op, said(reply));
    else if (tag == SESSION_OWNER) bs_op_fail(op, BACKSTEP_E_PROTOCOL, "the session bus named no owner of " LAUNCHER);
}

static void owner_answered(bs_op *op, int status, bs_msg *reply) {
    connecting *c = op->state;
    bs_str owner = status == BACKSTEP_OK ? said(reply) : (bs_str){"", 0};
    if (bs_unique_name_valid(owner)) {
        memcpy(op->link->registry, owner.text, owner.length);
        op->link->registry[owner.length] = 0;
        c->setup += BS_REGISTRATIONS - 1;
        bs_register_events(op->link, &op->caller, SETUP);
    } else if (status == BACKSTEP_OK) {
        bs_op_fail(op, BACKSTEP_E_PROTOCOL, "the accessibility bus named no owner of " BS_REGISTRY);
    } else if (!c->started) {
        c->started = true;
        ask_start(op, op->link->bus, BS_REGISTRY, START);
    } else {
        bs_op_fail_answer(op, BACKSTEP_E_BUS, reply);
    }
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    connecting *c = op->state;
    if (tag >= SESSION_HELLO) {
        session_answered(op, tag, status, reply);
        return;
    }
    if (tag == START) {
        ask_owner(op, op->link->bus, BS_REGISTRY, OWNER, BS_NO_DEADLINE); // it may run although it cannot be started
        return;
    }
    if (tag == OWNER && status != BACKSTEP_E_BUS) {
        owner_answered(op, status, reply);
        return;
    }
    if (status != BACKSTEP_OK) {
        bs_op_fail_answer(op, BACKSTEP_E_BUS, reply);
        return;
    }
    c->setup--;
    if (tag == HELLO) {
        bs_str name = said(reply);
        if (!name.length || name.length >= sizeof c->name) {
            bs_op_fail(op, BACKSTEP_E_PROTOCOL, "the accessibility bus gave us no name");
            return;
        }
        memcpy(c->name, name.text, name.length);
    }
    if (c->setup == 0) c->bus_ready = true;
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

enum { PLATFORM = 4 };

static bs_str environment(const char *name) {
    const char *value = getenv(name);
    return bs_cstr(value ? value : "");
}

void bs_connect_start(bs_op *op, bs_reader *request) {
    bs_str address = bs_get_str(request), session = bs_get_str(request), display = bs_get_str(request);
    uint32_t flags = request->at < request->length ? bs_get_u32(request) : 0;
    bs_link *link = op->link;
    if (flags & PLATFORM) {
        if (!address.length && !session.length) session = environment("DBUS_SESSION_BUS_ADDRESS");
        if (!display.length) display = environment("DISPLAY");
    }
    if (request->failed || flags > 7 || !(address.length || session.length || display.length)) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "CONNECT names an accessibility bus, a session bus or a display, or asks for the platform's own where there is one");
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
        link->display = bs_display_start(link->session, display, flags & 2, op->deadline);
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
    c->courtesy = address.length > 0;
    if (link->session_bus) {
        hello(op, link->session_bus, SESSION_HELLO);
        c->enabling = c->courtesy;
        ask_owner(op, link->session_bus, LAUNCHER, SESSION_OWNER, c->courtesy ? bs_now_us() + ENABLE_US : BS_NO_DEADLINE);
    }
    if (address.length) open_bus(op, address);
}
