/* Which bulk calls are worth making, by toolkit, and when. What they leave open is walked. */
#include "snapshot.h"

static const bs_plan plans[] = {
    [BS_TOOLKIT_OTHER] = BS_PLAN_CACHE, [BS_TOOLKIT_GTK3] = BS_PLAN_COLLECTION, [BS_TOOLKIT_GTK4] = BS_PLAN_REACH,
    [BS_TOOLKIT_CHROMIUM] = BS_PLAN_PARTS, [BS_TOOLKIT_QT] = BS_PLAN_WALK,
};

// Names, roles and states come with the cache: the collection is for the rest, which is places on the screen, numbers, ids.
static bool of_use(const bs_snapshot *s) {
    uint32_t not_told = BACKSTEP_F_ATTRIBUTES | (s->coords ? BACKSTEP_F_EXTENTS : 0) | (s->plan == BS_PLAN_PARTS ? BACKSTEP_F_VALUE : 0);
    return s->columns.fields & ~not_told;
}

static void ask_in_bulk(bs_op *op) {
    bs_snapshot *s = op->state;
    s->bulk_later = false;
    if (s->plan == BS_PLAN_WALK) return;
    bs_cache_ask(op, BS_TAG_CACHE);
    s->cache_asked_us = bs_now_us();
    s->awaiting++, s->columns.calls++;
    if (s->plan != BS_PLAN_COLLECTION || !of_use(s)) return;
    if (s->columns.fields & BACKSTEP_F_EXTENTS && !s->coords) bs_together(op);
    bs_collection_ask(op, BS_TAG_COLLECTION, op->to, BS_SCOPE_ALL);
    s->awaiting++, s->columns.calls++;
}

static void know(bs_op *op, bs_peer *p) {
    bs_snapshot *s = op->state;
    s->began = op->link->generation;
    s->began_us = bs_now_us();
    bool whole = op->code == BACKSTEP_OP_SNAPSHOT && bs_str_is(op->to.path, BS_ROOT_PATH);
    s->journal = whole ? bs_mirror_journal(op->link, p) : NULL;
    s->journal_from = s->journal ? s->journal->bytes.length : 0;
    s->columns.missed = p->missed;
    s->plan = bs_peer_tells_all(p) ? plans[p->toolkit] : BS_PLAN_WALK;
    s->ids = !p->lacks_ids;
    s->lists = p->toolkit == BS_TOOLKIT_GTK4 || p->toolkit == BS_TOOLKIT_QT;
    s->pages = p->toolkit == BS_TOOLKIT_GTK4;
    s->clamps = p->clamps;
    op->via = p->direct;
    s->columns.direct = p->direct != NULL;
}

// The toolkit is known. The top is always asked itself: GTK 4's cache counts no children of an application.
static void begin(bs_op *op, bs_peer *p) {
    bs_snapshot *s = op->state;
    know(op, p);
    if (bs_mirror_begin(op, p)) return;
    bs_walk_node(s, 0);
    bool worth = s->max_depth >= BS_LEAST_DEPTH && s->max_nodes > BS_LEAST_NODES && s->plan != BS_PLAN_WALK;
    // What was large when the whole was read is large still.
    bool large = bs_str_is(op->to.path, BS_ROOT_PATH) || (p->mirror && bs_tree_has_more(&p->mirror->tree, op->to.path, BS_LEAST_NODES));
    s->bulk_later = worth && !large;
    if (!worth || !large) return;
    bs_snapshot_fill(op); // before the queue stands still
    ask_in_bulk(op);
}

void bs_strategy_begin(bs_op *op) {
    bs_snapshot *s = op->state;
    bs_peer *p = bs_peer_of(op->link, op->to.bus);
    if (!p) {
        s->tree.failed = true;
        return;
    }
    // Reading one element does not wait to learn about its application.
    if (p->probed || op->code == BACKSTEP_OP_READ) {
        begin(op, p);
        return;
    }
    bs_peer_probe(op, BS_TAG_PROBE);
    s->awaiting += BS_PROBE_CALLS;
    s->columns.calls += BS_PROBE_CALLS;
}

void bs_strategy_answer(bs_op *op, uint32_t tag, bs_msg *reply) {
    bs_snapshot *s = op->state;
    s->awaiting--;
    if (tag >= BS_TAG_PROBE && tag < BS_TAG_PART) {
        bs_peer *p = bs_peer_of(op->link, op->to.bus);
        if (!p) s->tree.failed = true;
        else bs_peer_probed(op->link, p, tag - BS_TAG_PROBE, reply);
        if (!p || s->awaiting) return;
        p->probed = true;
        begin(op, p);
        return;
    }
    if (tag == BS_TAG_PROOF) {
        bs_peer *p = bs_peer_find(op->link, op->to.bus);
        if (!p || !bs_mirror_proved(op, p, reply)) bs_snapshot_afresh(op);
        return;
    }
    if (tag == BS_TAG_CACHE) s->cache_us = bs_now_us() - s->cache_asked_us;
    if (reply && tag == BS_TAG_CACHE) bs_cache_answer(s, reply);
    bs_peer *p = s->seeds ? bs_peer_find(op->link, op->to.bus) : NULL;
    if (p) p->has_cache = true;
    if (tag == BS_TAG_COLLECTION) bs_apart(op);
    if (reply && tag == BS_TAG_COLLECTION) bs_collection_answer(s, reply, BS_SCOPE_ALL);
    if (tag == BS_TAG_CACHE && s->plan == BS_PLAN_PARTS && s->seeds && of_use(s)) bs_parts_begin(op);
    if (tag >= BS_TAG_PART) {
        if (reply) bs_collection_answer(s, reply, BS_SCOPE_PART);
        s->parts_answered++;
        bs_parts_fill(op);
    }
    if (!s->awaiting && s->reached) bs_walk_resume(s);
}

void bs_strategy_grown(bs_op *op) {
    bs_snapshot *s = op->state;
    if (s->bulk_later && s->tree.count > BS_LEAST_NODES) ask_in_bulk(op);
}

bool bs_strategy_drained(bs_op *op) {
    bs_snapshot *s = op->state;
    if (s->plan != BS_PLAN_REACH || !s->reached || s->awaiting) return true;
    // What was reached is in the cache by now.
    s->plan = BS_PLAN_CACHE;
    s->columns.reached = true;
    ask_in_bulk(op);
    return false;
}

uint32_t bs_strategy_number(const bs_snapshot *s) {
    if (s->columns.reached) return BACKSTEP_S_REACH;
    if (s->grown_used) return s->walked ? BACKSTEP_S_COLLECTION_WALK : BACKSTEP_S_COLLECTION;
    if (s->seeded) return s->walked ? BACKSTEP_S_CACHE_WALK : BACKSTEP_S_CACHE;
    return BACKSTEP_S_WALK;
}
