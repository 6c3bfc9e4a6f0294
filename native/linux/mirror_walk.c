/* The walk's answers from a mirror, and whether they are to be had at all. */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

#define MOST_AFRESH(n) (32u + (n) / 8) /* beyond, the application's bulk answers cost less than so many questions */

static void want(bs_snapshot *s, uint32_t node, uint32_t what) { bs_want(s, (bs_task){.node = node, .what = what}); }

// A number of the snapshot's strings as one of the mirror's, or BS_NONE.
static uint32_t held_string(const bs_snapshot *s, uint32_t number) {
    if (s->shared) return number < s->mirror->tree.strings.count ? number : BS_NONE;
    return bs_string_number(&s->mirror->tree.strings, bs_string(&s->tree.strings, number));
}

static uint32_t own_string(bs_snapshot *s, uint32_t held) {
    return s->shared ? held : bs_intern(&s->tree.strings, bs_string(&s->mirror->tree.strings, held));
}

static uint32_t held_node(const bs_snapshot *s, uint32_t node) {
    const bs_node *n = &s->tree.nodes[node];
    uint32_t bus = held_string(s, n->bus), path = held_string(s, n->path);
    return bus == BS_NONE || path == BS_NONE ? BS_NONE : bs_tree_find(&s->mirror->tree, bus, path);
}

// Is it in what may not be held, or in what an event spoilt? Known of the top alone, its ancestors are not walked.
static bool is_below(const bs_mirror *m, uint32_t at, uint32_t not_held) {
    for (int32_t up = m->tree.nodes[at].parent; up >= 0; up = m->tree.nodes[up].parent)
        if (m->dirt[up] & not_held) return true;
    return false;
}

static bool is_elsewhere(const bs_mirror *m, uint32_t at) { return m->tree.nodes[at].bus != m->tree.nodes[0].bus; }

// Does nobody say what became of it?
static bool is_silent(const bs_mirror *m, uint32_t at) { return m->silent || is_elsewhere(m, at); }

// What is silent is of use to who verifies what he finds.
static bool takes_silent(const bs_snapshot *s) { return s->lenient && !s->prove; }

// Who looks for something else takes what passes in a list as it was read last; what another process shows is asked all the same.
static bool is_lent(const bs_snapshot *s, uint32_t at) {
    const bs_tree *t = &s->mirror->tree;
    return s->lenient && t->nodes[at].below && t->nodes[at].bus == t->nodes[0].bus;
}

static void ask_more(bs_snapshot *s, uint32_t node) {
    bs_node *n = bs_node_of(s, node);
    n->in_full = true;
    n->waiting |= 1u << BS_ASK_STATES;
    want(s, node, BS_ASK_STATES);
    want(s, node, BS_ASK_NAME);
}

/* What it is and which children it has: what had some is asked for them at once. What may match, and what is inside of that,
 * is asked for more; what is around others has a name that is used. */
static void ask_again(bs_snapshot *s, uint32_t node, const bs_node *held, uint32_t dirt) {
    bs_node *n = bs_node_of(s, node);
    bool manages = held->states[0] >> BS_STATE_MANAGES_DESCENDANTS & 1;
    bool inside = n->parent >= 0 && bs_node_of(s, (uint32_t)n->parent)->in_full;
    n->again = true;
    n->waiting = 1u << BS_ASK_ROLE;
    n->has_kids = held->kid_count && held->kid_count <= BS_MAX_KIDS && !manages && n->depth < s->max_depth;
    n->children = -1;
    want(s, node, BS_ASK_ROLE);
    if (!n->has_kids) n->waiting |= 1u << BS_ASK_COUNT;
    want(s, node, n->has_kids ? BS_ASK_CHILDREN : BS_ASK_COUNT);
    if (inside || bs_of_roles(s, held->role) || dirt & BS_DIRT_STATES) ask_more(s, node);
    else if (held->kid_count || dirt & BS_DIRT_NAME) want(s, node, BS_ASK_NAME);
    if (dirt & BS_DIRT_NAME) want(s, node, BS_ASK_DESCRIPTION);
    s->afresh++;
    s->again++;
}

void bs_mirror_role(bs_snapshot *s, uint32_t node) {
    bs_node *n = bs_node_of(s, node);
    if (!s->mirror || n->in_full || !bs_of_roles(s, n->role)) return;
    if (n->again) ask_more(s, node);
    else n->in_full = true; // it is not held, and asked for all; so is what is inside
}

bool bs_mirror_seed(bs_snapshot *s, uint32_t node) {
    bs_node *n = bs_node_of(s, node);
    const bs_mirror *m = s->mirror;
    uint32_t at = held_node(s, node), dirt = at == BS_NONE ? BS_DIRT_ALL : m->dirt[at];
    uint32_t not_held = s->lenient ? BS_DIRT_BELOW : BS_DIRT_BELOW | BS_NEVER_BELOW;
    bool below = n->parent >= 0 ? bs_node_of(s, (uint32_t)n->parent)->below : at != BS_NONE && is_below(m, at, not_held);
    n->below = below || dirt & not_held;
    if (at != BS_NONE && is_lent(s, at)) dirt &= ~(uint32_t)BS_NEVER_HELD;
    // The top of a part is always asked: what holds it may have gone with it.
    bool part = node == 0 && m->tree.nodes[0].path != held_string(s, n->path);
    bool untold = at != BS_NONE && is_elsewhere(m, at) && !takes_silent(s);
    if (below || part || untold || dirt & (BS_DIRT_ALL | BS_NEVER_HELD) || (dirt & BS_LOOSE && !s->held_only)) {
        s->afresh++;
        return false;
    }
    const bs_node *held = &m->tree.nodes[at];
    n->name = own_string(s, held->name);
    n->description = own_string(s, held->description);
    n->role = held->role;
    n->interfaces = held->interfaces;
    n->children = held->children;
    n->states[0] = held->states[0];
    n->states[1] = held->states[1];
    n->has_id = held->has_id;
    if (held->has_id) n->id = own_string(s, held->id);
    // Of what is silent, the id is asked where it may be looked for: of what may match, and of what is around that.
    bool again = is_silent(m, at) && (held->kid_count || bs_of_roles(s, held->role));
    if (s->columns.fields & BACKSTEP_F_ID && s->ids && (!held->has_id || again)) want(s, node, BS_ASK_ID);
    if (s->columns.fields & BACKSTEP_F_ATTRIBUTES) want(s, node, BS_ASK_ATTRIBUTES);
    if (is_silent(m, at)) {
        ask_again(s, node, held, dirt);
        return true;
    }
    uint32_t waiting = 0;
    if (dirt & BS_DIRT_STATES) waiting |= 1u << BS_ASK_STATES, want(s, node, BS_ASK_STATES);
    if (dirt & BS_DIRT_KIDS) waiting |= 1u << BS_ASK_COUNT, want(s, node, BS_ASK_COUNT);
    if (dirt & BS_DIRT_NAME) want(s, node, BS_ASK_NAME), want(s, node, BS_ASK_DESCRIPTION);
    if (dirt & BS_DIRT_EVENTS) s->afresh++;
    n->waiting = waiting;
    if (!waiting) bs_walk_known(s, node);
    return true;
}

bool bs_mirror_kids(bs_snapshot *s, uint32_t node) {
    const bs_mirror *m = s->mirror;
    uint32_t at = held_node(s, node);
    if (at == BS_NONE || is_silent(m, at)) return false;
    // What comes in the middle of it is in the journal; half of the kids cannot be asked for.
    bool anew = bs_node_of(s, node)->below || m->dirt[at] & BS_DIRT_KIDS || (m->dirt[at] & BS_LOOSE && !s->held_only);
    if (!s->kids_from && anew) return false;
    uint32_t n = m->tree.nodes[at].kid_count, first = m->tree.nodes[at].first_kid;
    if (!n || m->tree.nodes[at].children != bs_node_of(s, node)->children) return false;
    if (!s->kids_from && !bs_tree_kids(&s->tree, node, n)) return true; // the tree says that it failed
    uint32_t end = 0;
    for (uint32_t i = bs_walk_some_kids(s, n, &end); i < end; i++) {
        uint32_t kid = m->tree.kids[first + i];
        if (kid == BS_NONE || m->tree.nodes[kid].dropped) continue;
        const bs_strings *strings = &m->tree.strings;
        bs_walk_kid(s, node, i, bs_string(strings, m->tree.nodes[kid].bus), bs_string(strings, m->tree.nodes[kid].path));
    }
    return true;
}

// Takes the mirror as the source: from here on nothing is asked in bulk.
static void go(bs_op *op, bs_peer *p) {
    bs_snapshot *s = op->state;
    bs_mirror *m = p->mirror;
    s->mirror = m;
    m->refs++;
    s->plan = BS_PLAN_WALK;
    s->pages = false;
    s->columns.from_mirror = true;
    if (s->held_only) s->columns.fields &= BACKSTEP_F_ID | BACKSTEP_F_HASH;
    s->columns.proven_ms = (uint32_t)((bs_now_us() - m->proven_us) / 1000);
    bool holds_all = !(s->columns.fields & ~(uint32_t)BACKSTEP_F_ID) && bs_str_is(op->to.path, BS_ROOT_PATH);
    if (s->known && !m->silent && s->known == m->generation && m->clean && !m->elsewhere && (!m->never || s->lenient) && !(m->loose && !s->held_only) && holds_all) {
        s->same = true;
        s->columns.generation = m->generation;
        return;
    }
    if (!m->wasteful) {
        bs_strings strings;
        if (bs_strings_copy(&strings, &m->tree.strings)) {
            bs_tree_free(&s->tree);
            s->tree.strings = strings;
            s->shared = true;
            bs_tree_add(&s->tree, -1, bs_intern(&s->tree.strings, op->to.bus), bs_intern(&s->tree.strings, op->to.path));
        }
    }
    if (!s->tree.failed) bs_walk_node(s, 0);
}

bool bs_mirror_begin(bs_op *op, bs_peer *p) {
    bs_snapshot *s = op->state;
    const bs_mirror *m = p->mirror;
    if (!s->wants_mirror || op->code != BACKSTEP_OP_SNAPSHOT || !m || op->link->deaf) return false;
    if (m->silent) {
        if (!takes_silent(s)) return false;
        go(op, p);
        return true;
    }
    uint32_t most = MOST_AFRESH(m->tree.count);
    uint32_t asked = (s->lenient ? 0 : m->never) + (s->held_only ? 0 : m->loose) + (takes_silent(s) ? 0 : m->elsewhere);
    if (asked > most || (s->columns.fields & BACKSTEP_F_ID && s->ids && m->no_ids > most)) return false;
    if (!s->prove && bs_now_us() < bs_mirror_due(m)) {
        go(op, p);
        return true;
    }
    // Over the bus, so that every event that came before the answer was true is here before the answer is.
    bs_target cache = {op->to.bus, bs_cstr("/org/a11y/atspi/cache")};
    bs_bus_begin(op->link->bus, cache, "org.a11y.atspi.Cache", "GetItems", "");
    bs_bus_send(op->link->bus, &op->caller, BS_TAG_PROOF, BS_NO_DEADLINE);
    s->awaiting++, s->columns.calls++;
    return true;
}

bool bs_mirror_proved(bs_op *op, bs_peer *p, bs_msg *reply) {
    bs_snapshot *s = op->state;
    bs_mirror *m = p->mirror;
    if (!m) return false; // it was dropped meanwhile
    uint64_t now = bs_now_us();
    if (reply && bs_cache_is(reply) && bs_mirror_agrees(p, &reply->body)) {
        m->proof_cost_us = now - s->began_us;
        m->proven_us = now;
        m->suspect = false;
        bs_mirror_publish(op->link, p);
        go(op, p);
        return true;
    }
    p->missed++;
    bs_mirror_drop(op->link, p);
    return false;
}

bool bs_mirror_too_dirty(const bs_snapshot *s) { return s->mirror && !s->mirror->silent && s->afresh - s->again > MOST_AFRESH(s->mirror->tree.count); }
