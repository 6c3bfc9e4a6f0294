#include "mirror.h"

#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

#define PERIOD_US 1000000u
#define SUSPECT_US 250000u
#define COST_SHARE 50u /* proving takes at most a fiftieth of the time */
#define MOST_ODD 256u

enum { STATE_SHOWING = 25, STATE_TRANSIENT = 28, ROLE_LIST = 31, ROLE_TABLE = 55, ROLE_TREE = 65, ROLE_TREE_TABLE = 66, ROLE_DOCUMENT_WEB = 95 };

void bs_mirror_free(bs_mirror *m) {
    if (!m || --m->refs) return;
    bs_tree_free(&m->tree);
    free(m->dirt);
    free(m);
}

void bs_journal_free(bs_journal *j) {
    if (!j || --j->refs) {
        // Only the peer is left: nobody will ask for what was noted.
        if (j && j->refs == 1) bs_buf_free(&j->bytes), j->lost = false;
        return;
    }
    bs_buf_free(&j->bytes);
    free(j);
}

static bs_str name_of(const bs_peer *p) { return (bs_str){p->name, p->name_length}; }

uint64_t bs_mirror_due(const bs_mirror *m) {
    uint64_t least = m->suspect ? SUSPECT_US : PERIOD_US, most = m->proof_cost_us * COST_SHARE;
    return m->proven_us + (most > least ? most : least);
}

void bs_mirror_publish(bs_link *l, bs_peer *p) {
    const bs_mirror *m = p->mirror;
    bool stands = m && m->clean && !m->never && !m->elsewhere && !m->silent && !p->gone;
    bs_core_mirror(l->session, name_of(p), stands ? m->generation : 0, stands ? bs_mirror_due(m) : 0);
}

void bs_mirror_drop(bs_link *l, bs_peer *p) {
    if (!p->mirror) return;
    bs_mirror_free(p->mirror);
    p->mirror = NULL;
    bs_mirror_publish(l, p);
}

void bs_mirror_drop_all(bs_link *l) {
    for (bs_peer *p = l->peers; p; p = p->next) {
        bs_mirror_drop(l, p);
        if (p->journal && p->journal->refs > 1) p->journal->lost = true; // what is being made, too
    }
}

bs_journal *bs_mirror_journal(bs_link *l, bs_peer *p) {
    if (l->deaf || p->distrusted) return NULL;
    if (!p->journal) {
        p->journal = calloc(1, sizeof *p->journal);
        if (!p->journal) return NULL;
        p->journal->refs = 1;
    }
    p->journal->refs++;
    return p->journal;
}

// Of its own windows Chromium tells little, of its pages all: what has no page around it is loose. GTK 4 recycles the items of lists.
static bool is_loose(const bs_mirror *m, const bs_peer *p, uint32_t node) {
    const bs_tree *t = &m->tree;
    const bs_node *n = &t->nodes[node];
    if (n->parent < 0) return false;
    const bs_node *parent = &t->nodes[n->parent];
    if (p->toolkit == BS_TOOLKIT_CHROMIUM) {
        if (parent->role == ROLE_DOCUMENT_WEB) return false;
        return n->parent == 0 || m->dirt[n->parent] & BS_LOOSE;
    }
    bool items = parent->role == ROLE_LIST || parent->role == ROLE_TABLE || parent->role == ROLE_TREE || parent->role == ROLE_TREE_TABLE;
    return p->toolkit == BS_TOOLKIT_GTK4 && (items || m->dirt[n->parent] & BS_LOOSE);
}

// What may never be held; geometry, texts and the like are given back.
static void sort_out(bs_mirror *m, const bs_peer *p) {
    bs_tree *t = &m->tree;
    // Scrolling tells nobody what of a page shows: in Chromium that goes with the geometry.
    m->untold = p->toolkit == BS_TOOLKIT_CHROMIUM ? 1u << STATE_SHOWING : 0;
    for (uint32_t i = 0; i < t->count; i++) {
        bs_node *n = &t->nodes[i];
        free(n->actions), free(n->selected);
        n->actions = NULL, n->selected = NULL;
        n->action_count = n->selected_count = 0;
        n->waiting = 0;
        n->odd = false;
        bool below = n->parent >= 0 && t->nodes[n->parent].below;
        // It is embedded a moment later, which is said by nobody.
        if (n->expects) m->dirt[i] |= BS_DIRT_KIDS, m->clean = false;
        if (n->dropped && n->parent >= 0) m->dirt[n->parent] |= BS_DIRT_KIDS, m->clean = false;
        if (n->states[0] >> BS_STATE_MANAGES_DESCENDANTS & 1) m->dirt[i] |= BS_NEVER_BELOW;
        if (is_loose(m, p, i)) m->dirt[i] |= BS_LOOSE;
        if (n->states[0] >> STATE_TRANSIENT & 1) m->dirt[i] |= BS_NEVER_HELD;
        if (n->bus != t->nodes[0].bus) m->elsewhere++;
        n->below = below || m->dirt[i] & BS_NEVER_BELOW;
        if (below || m->dirt[i] & BS_NEVER_HELD) m->never++;
        else if (m->dirt[i] & BS_LOOSE) m->loose++;
        if (!n->has_id && n->bus == t->nodes[0].bus) m->no_ids++;
    }
}

bool bs_mirror_lacks(bs_link *l, bs_str bus, bs_str path) {
    const bs_peer *p = bs_peer_find(l, bus);
    if (!p || !p->mirror) return false;
    const bs_tree *t = &p->mirror->tree;
    uint32_t b = bs_string_number(&t->strings, bus), at = bs_string_number(&t->strings, path);
    return b == BS_NONE || at == BS_NONE || bs_tree_find(t, b, at) == BS_NONE;
}

// An id that was not asked for this time is still that of an element that is the same in everything else.
static void carry_ids(bs_mirror *m, const bs_mirror *old) {
    for (uint32_t i = 0; i < m->tree.count; i++) {
        bs_node *n = &m->tree.nodes[i];
        if (n->has_id) continue;
        uint32_t bus = bs_string_number(&old->tree.strings, bs_string(&m->tree.strings, n->bus));
        uint32_t path = bs_string_number(&old->tree.strings, bs_string(&m->tree.strings, n->path));
        uint32_t at = bus == BS_NONE || path == BS_NONE ? BS_NONE : bs_tree_find(&old->tree, bus, path);
        const bs_node *was = at == BS_NONE ? NULL : &old->tree.nodes[at];
        bs_str a, b;
        if (!was || !was->has_id || was->role != n->role || old->dirt[at] & (BS_DIRT_ALL | BS_NEVER_HELD)) continue;
        a = bs_string(&m->tree.strings, n->name), b = bs_string(&old->tree.strings, was->name);
        if (a.length != b.length || memcmp(a.text, b.text, a.length)) continue;
        n->id = bs_intern(&m->tree.strings, bs_string(&old->tree.strings, was->id));
        n->has_id = true;
    }
}

// What a proof found to differ and a fresh reading finds as it was is odd for good: the cache and the element disagree.
static void settle_odd(bs_mirror *m, bs_peer *p) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < p->odd_count; k++) {
        bs_odd o = p->odd[k];
        uint32_t at = bs_tree_of(&m->tree, bs_cstr(o.path));
        bool here = at != BS_NONE && (o.sure || bs_mirror_basics(&m->tree, at) == o.hash);
        if (!here) {
            free(o.path);
            continue;
        }
        o.sure = true;
        m->tree.nodes[at].odd = true;
        p->odd[kept++] = o;
    }
    p->odd_count = kept;
    p->distrusted = kept >= MOST_ODD;
}

static void read_journal(bs_mirror *m, const bs_journal *j, size_t from) {
    if (j->bytes.length <= from) return; // nothing was told
    bs_reader r = {j->bytes.data + from, j->bytes.length - from, 0, false};
    while (r.at < r.length && !r.failed) {
        uint32_t dirt = bs_get_u32(&r);
        bs_str path = bs_get_bytes(&r);
        if (!r.failed) bs_mirror_mark(m, path, dirt);
    }
}

bool bs_mirror_may_keep(bs_op *op) {
    const bs_snapshot *s = op->state;
    const bs_peer *p = bs_peer_find(op->link, op->to.bus);
    bool whole = s->journal && !s->same && !(s->columns.cut & (BS_CUT_NODES | BS_CUT_DEPTH)) && s->max_depth == BS_MAX_DEPTH;
    if (!whole || !p || op->link->deaf || p->journal != s->journal || bs_node_of(op->state, 0)->dropped) return false;
    // Without a cache there is nothing to prove it with. What another has brought meanwhile is good enough.
    return (p->has_cache || p->toolkit == BS_TOOLKIT_QT) && !p->distrusted && !(p->mirror && p->mirror->generation > s->began);
}

void bs_mirror_keep(bs_op *op) {
    bs_snapshot *s = op->state;
    bs_peer *p = bs_peer_find(op->link, op->to.bus);
    if (!p) return;
    bs_mirror *m = s->journal->lost ? NULL : calloc(1, sizeof *m);
    if (m) m->dirt = calloc(s->tree.count, sizeof *m->dirt);
    if (!m || !m->dirt) {
        free(m);
        bs_mirror_drop(op->link, p);
        return;
    }
    const bs_mirror *base = s->mirror;
    m->refs = 1;
    m->silent = p->toolkit == BS_TOOLKIT_QT;
    m->clean = true;
    m->tree = s->tree;
    s->tree = (bs_tree){0};
    sort_out(m, p);
    if (p->mirror && m->no_ids) {
        uint32_t asked = m->no_ids;
        carry_ids(m, p->mirror);
        m->no_ids = 0;
        for (uint32_t i = 0; i < m->tree.count && asked; i++) m->no_ids += !m->tree.nodes[i].has_id;
    }
    m->proven_us = base ? base->proven_us : s->began_us;
    // A proof asks for the same.
    m->proof_cost_us = s->cache_us ? s->cache_us : p->mirror ? p->mirror->proof_cost_us : 0;
    m->wasteful = s->columns.fields & (uint32_t)~(BACKSTEP_F_ID | BACKSTEP_F_EXTENTS | BACKSTEP_F_HASH | BACKSTEP_F_VALUE);
    m->lean = base && s->shared ? base->lean : m->tree.strings.count;
    if (m->tree.strings.count > 2 * m->lean + 1024) m->wasteful = true;
    m->generation = s->columns.generation;
    if (!base) settle_odd(m, p);
    else
        for (uint32_t k = 0; k < p->odd_count; k++) {
            uint32_t at = bs_tree_of(&m->tree, bs_cstr(p->odd[k].path));
            if (at != BS_NONE) m->tree.nodes[at].odd = true;
        }
    read_journal(m, s->journal, s->journal_from);
    if (m->tree.failed || m->tree.strings.failed || p->distrusted) {
        bs_mirror_free(m);
        bs_mirror_drop(op->link, p);
        return;
    }
    bs_mirror_free(p->mirror);
    p->mirror = m;
    bs_mirror_publish(op->link, p);
}
