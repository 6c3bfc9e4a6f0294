#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include "mirror.h"
#include "op.h"

#define APPLICATION "org.a11y.atspi.Application"

/* The bus answers the first, so that it is known before the last, which the application answers. */
enum { PID, TOOLKIT, VERSION, ADDRESS };

#define GREETING_US 1000000u /* to authenticate us; and how long a connection may say nothing while an answer is overdue */
#define MAX_DIALS 2u         /* of one application: whoever is silent twice is reached over the bus */

static bool named(const bs_peer *p, bs_str name) { return p->name_length == name.length && !memcmp(p->name, name.text, name.length); }

bs_peer *bs_peer_find(bs_link *l, bs_str name) {
    for (bs_peer *p = l->peers; p; p = p->next)
        if (!p->gone && named(p, name)) return p;
    return NULL;
}

bool bs_peer_is_page(bs_link *l, bs_str name) {
    const bs_peer *p = bs_peer_find(l, name);
    return p && p->page;
}

bool bs_peer_tells_all(const bs_peer *p) { return p->toolkit != BS_TOOLKIT_QT && !p->page && !p->nameless; } // Qt answers nothing

// What it holds of the application; calls must be at their end.
static void free_peer(bs_peer *p) {
    bs_mirror_free(p->mirror);
    bs_journal_free(p->journal);
    for (uint32_t i = 0; i < p->odd_count; i++) free(p->odd[i].path);
    free(p->odd);
    free(p);
}

bs_peer *bs_peer_of(bs_link *l, bs_str name) {
    bs_peer *p = bs_peer_find(l, name);
    if (p) return p;
    p = calloc(1, sizeof *p + name.length);
    if (!p) return NULL;
    p->name_length = name.length;
    memcpy(p->name, name.text, name.length);
    p->next = l->peers;
    l->peers = p;
    return p;
}

void bs_peer_probe(bs_op *op, uint32_t tag) {
    bs_target root = {op->to.bus, bs_cstr(BS_ROOT_PATH)};
    bs_target daemon_itself = {bs_cstr("org.freedesktop.DBus"), bs_cstr("/org/freedesktop/DBus")};
    bs_out *o = bs_bus_begin(op->link->bus, daemon_itself, "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s");
    bs_out_str(o, op->to.bus);
    bs_op_send(op, tag + PID);
    bs_op_get(op, tag + TOOLKIT, root, APPLICATION, "ToolkitName");
    bs_op_get(op, tag + VERSION, root, APPLICATION, "Version");
    bs_bus_begin(op->link->bus, root, APPLICATION, "GetApplicationBusAddress", "");
    bs_op_send(op, tag + ADDRESS);
}

static void dial(bs_link *l, bs_peer *p, bs_str address) {
    unsigned open = 0;
    for (const bs_peer *q = l->peers; q; q = q->next) open += q->direct != NULL;
    if (!address.length || p->direct || open >= BS_MAX_DIRECT || p->dials >= MAX_DIALS) return;
    p->dials++;
    // Whoever else listens there, by mistake or on purpose, would answer in this application's name.
    p->direct = bs_bus_open_straight(address, p->pid, bs_now_us() + GREETING_US);
}

// GTK before 4.14 implements Text for its own widgets alone, each of which limits an end to its text. Later any program may.
static bool clamps(bs_str version) {
    unsigned minor = 0;
    uint32_t i = 2;
    for (; i < version.length && i < 5 && version.text[i] >= '0' && version.text[i] <= '9'; i++) minor = 10 * minor + (unsigned)(version.text[i] - '0');
    return version.length > 2 && version.text[0] == '4' && version.text[1] == '.' && i > 2 && i < version.length && version.text[i] == '.' && minor < 14;
}

void bs_peer_probed(bs_link *l, bs_peer *p, uint32_t which, bs_msg *reply) {
    if (which == TOOLKIT) p->nameless = !reply;
    if (!reply) return;
    if (which == ADDRESS) {
        if (bs_signature_is(reply, "s")) dial(l, p, bs_in_str(&reply->body));
        return;
    }
    if (which == PID) {
        if (bs_signature_is(reply, "u")) p->pid = bs_in_u32(&reply->body);
        return;
    }
    if (!bs_signature_is(reply, "v") || !bs_in_variant(&reply->body, "s")) return;
    bs_str text = bs_in_str(&reply->body);
    if (which == TOOLKIT) {
        if (bs_str_is(text, "GTK")) p->toolkit = BS_TOOLKIT_GTK4;
        else if (bs_str_is(text, "Chromium")) p->toolkit = BS_TOOLKIT_CHROMIUM;
        else if (bs_str_is(text, "Qt")) p->toolkit = BS_TOOLKIT_QT;
        else if (bs_str_is(text, "gtk")) p->toolkit = BS_TOOLKIT_GTK3;
    } else if (p->toolkit == BS_TOOLKIT_GTK4) {
        p->clamps = clamps(text);
    } else if (p->toolkit == BS_TOOLKIT_GTK3 && text.length && text.text[0] != '3') {
        p->toolkit = BS_TOOLKIT_OTHER; // the answers come in their order: this one knows the first
    }
}

void bs_peer_silent(bs_link *l, const bs_bus *direct) {
    for (bs_peer *p = l->peers; p; p = p->next) {
        if (p->direct != direct || bs_bus_heard(direct) + GREETING_US > bs_now_us()) continue;
        bs_bus_break(p->direct, "it said nothing");
        p->probed = false; // an application that only hung offers another one
    }
}

void bs_peer_left(bs_link *l, bs_str name) {
    for (bs_peer *p = l->peers; p; p = p->next) {
        if (p->gone || !named(p, name)) continue;
        bs_mirror_drop(l, p);
        p->gone = true;
        if (p->direct) bs_bus_fail_all(p->direct, BACKSTEP_E_APP_GONE);
    }
}

void bs_peer_lost(bs_link *l, bs_str name) {
    bs_peer *p = bs_peer_find(l, name);
    if (!p) return;
    bs_mirror_drop(l, p);
    p->gone = true;
}

static void hang_up(bs_link *l, bs_peer *p, int status) {
    bs_bus *b = p->direct;
    // From now on nobody takes this way: what fails here is asked again over the bus.
    p->direct = NULL;
    bs_mirror_drop(l, p);
    for (bs_op *op = l->ops; op; op = op->next)
        if (op->via == b) op->via = NULL;
    bs_bus_fail_all(b, status);
    bs_bus_close(b);
}

void bs_peer_tidy(bs_link *l) {
    for (bs_peer **at = &l->peers; *at;) {
        bs_peer *p = *at;
        if (p->direct && (p->gone || bs_bus_broken(p->direct))) {
            hang_up(l, p, p->gone ? BACKSTEP_E_APP_GONE : BACKSTEP_E_BUS);
            at = &l->peers; // who was told of it may have added others
            continue;
        }
        if (!p->gone) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        free_peer(p);
    }
}

void bs_peers_free(bs_link *l) {
    while (l->peers) {
        bs_peer *p = l->peers;
        l->peers = p->next;
        bs_bus_close(p->direct);
        free_peer(p);
    }
}
