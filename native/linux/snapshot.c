#include "snapshot.h"

#include <stdlib.h>
#include <string.h>


void bs_want(bs_snapshot *s, bs_task task) {
    if (s->queue_end == s->queue_size) {
        // Reuse the front before growing.
        if (s->queue_at > s->queue_size / 2) {
            memmove(s->queue, s->queue + s->queue_at, (s->queue_end - s->queue_at) * sizeof *s->queue);
            s->queue_end -= s->queue_at;
            s->queue_at = 0;
        } else {
            uint32_t size = s->queue_size ? s->queue_size * 2 : 1024;
            bs_task *queue = size < (1u << 27) ? realloc(s->queue, size * sizeof *queue) : NULL;
            if (!queue) {
                s->tree.failed = true;
                return;
            }
            s->queue = queue;
            s->queue_size = size;
        }
    }
    s->queue[s->queue_end++] = task;
}

static void empty(bs_snapshot *s) {
    bs_seeds_free(&s->seeds);
    bs_seeds_free(&s->grown);
    bs_tree_free(&s->tree);
    bs_mirror_free(s->mirror);
    bs_journal_free(s->journal);
    bs_reading_free(&s->reading);
    bs_columns_end(s->writer);
    s->writer = NULL;
    bs_strings_free(&s->action_lists);
    free(s->parts);
    free(s->list_owner);
    s->mirror = NULL;
    s->journal = NULL;
    s->parts = s->list_owner = NULL;
    s->part_count = s->part_at = s->parts_answered = s->list_room = s->lazy_count = s->kids_from = 0;
}

static void free_snapshot(void *state) {
    bs_snapshot *s = state;
    empty(s);
    free(s->queue);
    free(s);
}

static bool put_root(bs_op *op) {
    bs_snapshot *s = op->state;
    for (uint32_t i = 0; i < BS_WINDOW; i++) s->free_places[i] = BS_WINDOW - 1 - i;
    s->free_count = BS_WINDOW;
    return bs_tree_add(&s->tree, -1, bs_intern(&s->tree.strings, op->to.bus), bs_intern(&s->tree.strings, op->to.path)) != BS_NONE;
}

void bs_snapshot_afresh(bs_op *op) {
    bs_snapshot *s = op->state;
    bs_bus_abandon(&op->caller);
    op->work = NULL;
    empty(s);
    s->queue_at = s->queue_end = 0;
    s->awaiting = s->reached = s->afresh = s->again = 0;
    s->wants_mirror = s->shared = s->bulk_later = s->seeded = s->walked = s->grown_used = false;
    s->columns = (bs_columns){.fields = s->wanted, .calls = s->columns.calls};
    if (put_root(op)) bs_strategy_begin(op);
}

static void write_on(bs_op *op) {
    bs_snapshot *s = op->state;
    if (s->writer && bs_columns_some(s->writer, &op->reply, BS_AT_ONCE)) return;
    bool whole = bs_columns_end(s->writer);
    s->writer = NULL;
    op->work = NULL;
    // What events told meanwhile is in the journal; what else happened is looked at again.
    if (whole && s->columns.generation && bs_mirror_may_keep(op)) bs_mirror_keep(op);
    if (whole && !op->reply.failed) bs_op_finish(op, BACKSTEP_OK);
    else bs_op_fail_answer(op, BACKSTEP_E_MEMORY, NULL);
}

static void finish(bs_op *op) {
    bs_snapshot *s = op->state;
    if (bs_node_of(s, 0)->dropped) {
        bs_op_fail_answer(op, BACKSTEP_E_NO_ELEMENT, NULL);
        return;
    }
    if (op->code == BACKSTEP_OP_READ) s->columns.cut &= ~(uint32_t)(BS_CUT_DEPTH | BS_CUT_KIDS); // no children were asked for
    s->columns.strategy = bs_strategy_number(s);
    s->columns.afresh = s->afresh;
    if (s->same) {
        bs_columns_same(&s->columns, &op->reply);
        bs_op_finish(op, BACKSTEP_OK);
        return;
    }
    if (bs_mirror_may_keep(op)) s->columns.generation = ++op->link->generation;
    s->writer = bs_columns_begin(&s->tree, &s->columns);
    op->work = write_on;
    // Who is small is written at once.
    while (s->tree.count <= BS_AT_ONCE && s->writer && bs_columns_some(s->writer, &op->reply, BS_AT_ONCE)) continue;
    if (s->tree.count <= BS_AT_ONCE) write_on(op);
}

static bool memory_short(const bs_snapshot *s) { return s->tree.failed || s->tree.strings.failed; }

static void pump(bs_op *op);

static void go_on(bs_op *op) {
    op->work = NULL;
    pump(op);
}

// Keeps the window full.
void bs_snapshot_fill(bs_op *op) {
    bs_snapshot *s = op->state;
    uint32_t descents = 0;
    while (s->free_count && (s->kids_from || s->queue_at < s->queue_end) && !s->awaiting && !memory_short(s)) {
        bs_task task = s->kids_from ? (bs_task){.node = s->kids_of, .what = BS_ASK_DESCEND} : s->queue[s->queue_at++];
        if (bs_node_of(s, task.node)->dropped) s->kids_from = 0;
        if (bs_node_of(s, task.node)->dropped || (task.what == BS_ASK_ID && !s->ids)) continue;
        if (task.what == BS_ASK_GO_ON) {
            bs_walk_known(s, task.node);
            continue;
        }
        if (task.what == BS_ASK_DESCEND) {
            bs_walk_descend(s, task.node);
            if (!s->kids_from && ++descents < BS_AT_ONCE) continue;
            op->work = go_on; // the others first
            return;
        }
        uint32_t place = s->free_places[--s->free_count];
        s->window[place] = task;
        s->columns.calls++;
        bs_field_ask(op, &task, place);
    }
}

// Ends the operation when there is nothing left to ask or to wait for.
static void pump(bs_op *op) {
    bs_snapshot *s = op->state;
    bs_strategy_grown(op);
    if (bs_mirror_too_dirty(s)) bs_snapshot_afresh(op);
    bs_snapshot_fill(op);
    if (memory_short(s)) bs_op_fail_answer(op, BACKSTEP_E_MEMORY, NULL);
    else if (!op->caller.in_flight && !op->caller.starved && !op->work && bs_strategy_drained(op)) finish(op);
}

// What a failed question means for the node. True: it was the end of the operation.
static bool failed(bs_op *op, const bs_task *task, int status, const bs_msg *reply) {
    bs_snapshot *s = op->state;
    bs_node *n = bs_node_of(s, task->node);
    if (status == BACKSTEP_E_BUS || status == BACKSTEP_E_MEMORY) { // an answer that we had no room for is not "none"
        bs_op_fail_answer(op, status, NULL);
        return true;
    }
    if (task->what == BS_ASK_ID) {
        // An application that answers none of them will not begin to.
        bs_peer *p = bs_peer_find(op->link, op->to.bus);
        if (p && !p->has_ids && task->node && status != BACKSTEP_E_NO_ELEMENT) p->lacks_ids = true, s->ids = false;
        if (status != BACKSTEP_E_APP_GONE) return false;
    }
    bool own = !bs_asks_other(task->what);
    if (status == BACKSTEP_E_APP_GONE && own && n->bus == bs_node_of(s, 0)->bus) {
        bs_op_fail_answer(op, status, reply);
        return true;
    }
    if (!own) return false;
    // No object answers its role with an error, except one that is not there: GDBus calls that an unknown method.
    // To Qt, an object that does not know a method is none: what few applications answer tells nothing of the element.
    bool rare = task->what >= BS_ASK_KEYS && task->what <= BS_ASK_TEXT_RECT;
    bool vanished = status == BACKSTEP_E_APP_GONE || (status == BACKSTEP_E_NO_ELEMENT && !rare) || task->what == BS_ASK_ROLE;
    // Of what is held the role is not asked: whatever is asked of it says as much.
    if (s->mirror && task->what <= BS_ASK_DESCRIPTION) vanished = true;
    if (vanished && task->node == 0) {
        bs_op_fail_answer(op, status == BACKSTEP_E_APP_ERROR ? status : BACKSTEP_E_NO_ELEMENT, reply);
        return true;
    }
    if (vanished) n->dropped = true;
    return false;
}

// The straight connection broke: its calls, which only read, are put again over the bus.
static bool again(bs_op *op, uint32_t tag) {
    bs_snapshot *s = op->state;
    if (bs_bus_broken(op->link->bus)) return false;
    s->columns.direct = false;
    s->columns.calls++;
    if (tag == BS_TAG_CACHE) bs_cache_ask(op, tag); // a proof goes over the bus, and does not come here
    else if (tag == BS_TAG_COLLECTION) bs_collection_ask(op, tag, op->to, BS_SCOPE_ALL);
    else if (tag >= BS_TAG_PART) bs_parts_ask(op, tag - BS_TAG_PART);
    else if (tag < BS_WINDOW) bs_field_ask(op, &s->window[tag], tag);
    return true;
}

static void read_on(bs_op *op) {
    bs_snapshot *s = op->state;
    if (bs_reading_some(&s->reading, BS_AT_ONCE)) return;
    op->work = NULL;
    bs_seeds_free(&s->seeds);
    s->seeds = s->reading.seeds;
    s->reading.seeds = NULL;
    bs_strategy_answer(op, BS_TAG_CACHE, NULL);
    pump(op);
}

static void bulk_answered(bs_op *op, uint32_t tag, int status, bs_msg *reply) {
    if (tag == BS_TAG_CACHE && status == BACKSTEP_OK && !op->work && bs_reading_later(&((bs_snapshot *)op->state)->reading, reply)) {
        op->work = read_on;
        return;
    }
    if (status == BACKSTEP_E_BUS || status == BACKSTEP_E_APP_GONE) bs_op_fail_answer(op, status, reply);
    else {
        bs_strategy_answer(op, tag, status == BACKSTEP_OK ? reply : NULL);
        pump(op);
    }
}

// What is embedded was added just now: whose pages are told in another way is noted before anything is asked of it.
static void embedded(bs_op *op, const bs_task *task) {
    static const char pages[] = "/org/a11y/webkit/";
    bs_snapshot *s = op->state;
    bs_str path = bs_string(&s->tree.strings, task->path);
    uint32_t kid = s->tree.kids[bs_node_of(s, task->node)->first_kid + task->index];
    if (kid == BS_NONE || path.length < sizeof pages || memcmp(path.text, pages, sizeof pages - 1)) return;
    bs_peer *p = bs_peer_of(op->link, bs_string(&s->tree.strings, bs_node_of(s, kid)->bus));
    if (p) p->page = true;
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    bs_snapshot *s = op->state;
    if (status == BACKSTEP_E_BUS && again(op, tag)) return;
    if (tag >= BS_WINDOW) {
        bulk_answered(op, tag, status, reply);
        return;
    }
    bs_task task = s->window[tag];
    s->free_places[s->free_count++] = tag;
    if (!bs_node_of(s, task.node)->dropped) {
        if (status != BACKSTEP_OK && failed(op, &task, status, reply)) return;
        bool whole = status != BACKSTEP_OK || bs_field_answer(s, &task, reply);
        if (!whole && task.what == BS_ASK_ROLE && task.node == 0) {
            bs_op_fail_answer(op, BACKSTEP_E_PROTOCOL, NULL);
            return;
        }
        if (status == BACKSTEP_OK && task.what == BS_ASK_PARENT) embedded(op, &task);
        if (status != BACKSTEP_OK) bs_field_refused(s, &task);
        if (!whole && task.what == BS_ASK_ROLE) bs_node_of(s, task.node)->dropped = true;
        if (status == BACKSTEP_OK && task.what == BS_ASK_ID) {
            bs_peer *p = bs_peer_find(op->link, op->to.bus);
            if (p) p->has_ids = true;
        }
        bs_walk_answered(s, &task);
    }
    pump(op);
}

static void read_roles(bs_snapshot *s, bs_reader *request) {
    uint32_t n = bs_get_u32(request);
    s->by_role = n > 0;
    for (; n && !request->failed; n--) {
        uint32_t role = bs_get_u32(request);
        if (role < BS_ROLES) s->roles[role / 8] |= (uint8_t)(1u << role % 8);
        else request->failed = true;
    }
}

void bs_snapshot_start(bs_op *op, bs_reader *request) {
    bs_snapshot *s = calloc(1, sizeof *s);
    if (!s) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = s;
    op->free_state = free_snapshot;
    op->caller.answer = answered;
    s->secrets = &op->link->secrets;
    bool read = op->code == BACKSTEP_OP_READ;
    s->columns.fields = read ? BACKSTEP_F_ALL : bs_get_u32(request);
    s->coords = bs_get_u32(request);
    s->max_nodes = read ? 1 : bs_get_u32(request);
    s->max_depth = read ? 0 : bs_get_u32(request);
    s->max_text = bs_get_u32(request);
    bool more = request->at < request->length && !request->failed;
    s->brief = read && more ? bs_get_u32(request) : 0;
    if (s->brief == BS_READ_NO_SELECTION) { // everything else: some applications die of being asked for it
        s->columns.fields &= ~(uint32_t)BACKSTEP_F_SELECTION;
        s->brief = 0;
    }
    if (s->brief) s->columns.fields = BACKSTEP_F_ID | (s->brief == BS_READ_VERIFY ? BACKSTEP_F_EXTENTS : 0);
    uint32_t source = !read && more ? bs_get_u32(request) : 0;
    s->known = !read && more ? bs_get_u64(request) : 0;
    if (!read && more && request->at < request->length) read_roles(s, request);
    s->wants_mirror = source > 0;
    s->held_only = source >= 2;
    s->prove = source == 3;
    s->lenient = source >= 3;
    s->columns.fields &= ~(uint32_t)BACKSTEP_F_NATIVE_ROLE; // roles are AtspiRole's own here
    s->wanted = s->columns.fields;
    if (request->failed || s->columns.fields & ~(uint32_t)(BACKSTEP_F_ALL | BACKSTEP_F_HASH | BACKSTEP_F_RELATIONS | BACKSTEP_F_TEXT_RECT | BACKSTEP_F_KEYS | BACKSTEP_F_TEXT_STYLE) || s->coords > 1 || source > 4 || s->brief > BS_READ_VERIFY) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "the request is too short, or asks for unknown fields or coordinates");
        return;
    }
    if (!read && (s->max_nodes == 0 || s->max_nodes > 1000000)) s->max_nodes = s->max_nodes ? 1000000 : 100000;
    if (!read && (s->max_depth == 0 || s->max_depth > BS_MAX_DEPTH)) s->max_depth = BS_MAX_DEPTH;
    if (s->max_text > INT32_MAX) s->max_text = INT32_MAX;
    if (!put_root(op)) {
        bs_op_fail_answer(op, BACKSTEP_E_MEMORY, NULL);
        return;
    }
    bs_strategy_begin(op);
    pump(op);
}
