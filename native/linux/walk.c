/* The walk: correct on every toolkit. A node's basics first, then, knowing them, its children and the fields asked for. */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

#define BASICS (1u << BS_ASK_ROLE | 1u << BS_ASK_STATES | 1u << BS_ASK_INTERFACES | 1u << BS_ASK_COUNT)
#define ROW (1u << BS_ASK_ROLE | 1u << BS_ASK_STATES | 1u << BS_ASK_INTERFACES | 1u << BS_ASK_TREE)
#define REACHED 0x80000000u /* in `waiting`: its children are asked for, its basics will be in the cache */

static void want(bs_snapshot *s, uint32_t node, uint32_t what) { bs_want(s, (bs_task){.node = node, .what = what}); }

static void want_child(bs_snapshot *s, uint32_t node, uint32_t index) {
    bs_want(s, (bs_task){.node = node, .what = BS_ASK_CHILD, .index = index});
}

// A question that the collection may have answered already.
static void learn(bs_snapshot *s, uint32_t node, const bs_node *told, uint32_t what) {
    if (!bs_collection_told(told, what)) {
        want(s, node, what);
        return;
    }
    bs_node *n = bs_node_of(s, node);
    s->grown_used = true;
    switch (what) {
    case BS_ASK_COUNT: bs_field_number(s, node, what, told->children); break;
    case BS_ASK_TEXT_COUNT: bs_field_number(s, node, what, (int32_t)told->text); break;
    case BS_ASK_CARET: bs_field_number(s, node, what, told->caret[0]); break;
    case BS_ASK_ACTION_COUNT: bs_field_number(s, node, what, (int32_t)told->action_count); break;
    case BS_ASK_SELECTED_COUNT: bs_field_number(s, node, what, (int32_t)told->selected_count); break;
    case BS_ASK_EXTENTS: memcpy(n->rect, told->rect, sizeof n->rect); break;
    case BS_ASK_ID: n->id = bs_intern(&s->tree.strings, bs_string(&s->grown->strings, told->id)), n->has_id = true; break;
    case BS_ASK_ATTRIBUTES: n->attributes = bs_intern(&s->tree.strings, bs_string(&s->grown->strings, told->attributes)); break;
    default: n->value[what - BS_ASK_VALUE] = told->value[what - BS_ASK_VALUE]; break;
    }
}

static void want_basics(bs_snapshot *s, uint32_t node) {
    if (node && (s->seeds || s->columns.reached)) s->walked = true;
    if (s->brief) {
        bool verify = s->brief == BS_READ_VERIFY;
        bs_node_of(s, node)->waiting = 1u << BS_ASK_ROLE | (verify ? 1u << BS_ASK_STATES : 0);
        want(s, node, BS_ASK_ROLE);
        want(s, node, BS_ASK_NAME);
        if (!verify) return;
        want(s, node, BS_ASK_STATES);
        want(s, node, BS_ASK_DESCRIPTION);
        want(s, node, BS_ASK_EXTENTS); // who has no place says so
        return;
    }
    // What manages its descendants answers for none of them in bulk, in GTK 3: each answers for itself.
    int32_t parent = bs_node_of(s, node)->parent;
    if (s->plan == BS_PLAN_COLLECTION && s->grown && parent >= 0 && bs_node_of(s, (uint32_t)parent)->states[0] >> BS_STATE_MANAGES_DESCENDANTS & 1) {
        bs_node_of(s, node)->waiting = ROW;
        want(s, node, BS_ASK_TREE);
        for (uint32_t what = BS_ASK_ROLE; what <= BS_ASK_INTERFACES; what++) want(s, node, what);
        return;
    }
    bs_node_of(s, node)->waiting = BASICS;
    for (uint32_t what = BS_ASK_ROLE; what <= BS_ASK_DESCRIPTION; what++) want(s, node, what);
}

// What the cache does not know of a seeded node. Caches do not count the children of menus and the like.
static void complete(bs_snapshot *s, uint32_t node, const bs_node *told) {
    s->seeded = true;
    if (bs_node_of(s, node)->children < 0) {
        if (!bs_collection_told(told, BS_ASK_COUNT)) {
            bs_node_of(s, node)->waiting = 1u << BS_ASK_COUNT;
            want(s, node, BS_ASK_COUNT);
            return;
        }
        learn(s, node, told, BS_ASK_COUNT);
    }
    bs_walk_known(s, node);
}

void bs_walk_node(bs_snapshot *s, uint32_t node) {
    if (s->mirror && bs_mirror_seed(s, node)) return;
    const bs_node *told = bs_collection_of(s, node);
    if (s->columns.fields & BACKSTEP_F_ATTRIBUTES) learn(s, node, told, BS_ASK_ATTRIBUTES);
    if (s->columns.fields & BACKSTEP_F_ID && s->ids) learn(s, node, told, BS_ASK_ID);
    // The top is always asked itself: GTK4's cache counts no children of an application.
    if (node && bs_cache_seed(s, node)) {
        complete(s, node, told);
    } else if (node && s->seeds && s->plan == BS_PLAN_REACH && bs_node_of(s, node)->depth < s->max_depth) {
        bs_node_of(s, node)->waiting = REACHED;
        s->reached++;
        want(s, node, BS_ASK_CHILDREN);
    } else {
        want_basics(s, node);
    }
}

void bs_walk_resume(bs_snapshot *s) {
    s->reached = 0;
    // Kids are added at the end, as nodes that were never waiting.
    for (uint32_t node = 0, count = s->tree.count; node < count; node++) {
        bs_node *n = bs_node_of(s, node);
        if (n->waiting != REACHED || n->dropped) continue;
        n->waiting = 0;
        n->has_kids = true;
        if (bs_cache_has(s, node) && bs_cache_seed(s, node)) complete(s, node, NULL);
        else want_basics(s, node);
    }
}

uint32_t bs_walk_some_kids(bs_snapshot *s, uint32_t n, uint32_t *end) {
    uint32_t from = s->kids_from;
    *end = n - from > BS_AT_ONCE ? from + BS_AT_ONCE : n;
    s->kids_from = *end < n ? *end : 0;
    return from;
}

// Adds all children of a node that a tree of seeds knows, some of them at a time; false: it does not know them.
static bool add_kids(bs_snapshot *s, uint32_t node, const bs_seeds *from, const bs_node *told) {
    if (!told) return false;
    uint32_t n = told->kid_count, first = told->first_kid;
    if (!s->kids_from && !bs_tree_kids(&s->tree, node, n)) return true; // the tree says that it failed
    uint32_t end = 0;
    for (uint32_t i = bs_walk_some_kids(s, n, &end); i < end; i++) {
        const bs_node *kid = &from->nodes[from->kids[first + i]];
        bs_walk_kid(s, node, i, bs_string(&from->strings, kid->bus), bs_string(&from->strings, kid->path));
    }
    return true;
}

void bs_walk_descend(bs_snapshot *s, uint32_t node) {
    bs_node *n = bs_node_of(s, node);
    s->kids_of = node;
    if (n->children == 0 || n->has_kids) return;
    if (n->depth >= s->max_depth) {
        s->columns.cut |= BS_CUT_DEPTH;
        return;
    }
    bool manages = n->states[0] >> BS_STATE_MANAGES_DESCENDANTS & 1;
    bool huge = n->children > BS_MAX_KIDS && (manages || (uint32_t)n->children > s->max_nodes);
    if (manages && n->children < 0) {
        // Who manages its descendants and does not say how many there are is never asked for all of them.
        s->columns.cut |= BS_CUT_KIDS;
        return;
    }
    if (!huge) {
        if (s->mirror && bs_mirror_kids(s, node)) return;
        if (s->seeds && add_kids(s, node, s->seeds, bs_cache_kids(s, node))) return;
        if (s->grown && add_kids(s, node, s->grown, bs_collection_kids(s, node))) return;
        if (s->seeds && node) s->walked = true;
        want(s, node, BS_ASK_CHILDREN);
        return;
    }
    s->columns.cut |= BS_CUT_KIDS;
    if ((uint32_t)n->children <= s->max_nodes || !bs_lazy_begin(s, node)) bs_walk_first_kids(s, node);
}

void bs_walk_first_kids(bs_snapshot *s, uint32_t node) {
    if (!bs_tree_kids(&s->tree, node, BS_MAX_KIDS)) return;
    for (uint32_t i = 0; i < BS_MAX_KIDS; i++) want_child(s, node, i);
}

void bs_walk_known(bs_snapshot *s, uint32_t node) {
    bs_node *n = bs_node_of(s, node);
    if (n->states[0] >> BS_STATE_DEFUNCT & 1) {
        n->dropped = true;
        return;
    }
    uint32_t fields = s->columns.fields, has = n->interfaces;
    bool secret = bs_secret_role(s->secrets, bs_string(&s->tree.strings, n->bus), bs_string(&s->tree.strings, n->path), n->role);
    const bs_node *told = bs_collection_of(s, node);
    if (fields & BACKSTEP_F_EXTENTS && has & BACKSTEP_I_COMPONENT) learn(s, node, told, BS_ASK_EXTENTS);
    if (fields & BACKSTEP_F_RELATIONS) want(s, node, BS_ASK_RELATIONS);
    if (fields & BACKSTEP_F_KEYS && has & BACKSTEP_I_ACTION) want(s, node, BS_ASK_KEYS);
    if (fields & BACKSTEP_F_TEXT && has & BACKSTEP_I_TEXT && !secret) {
        if (bs_text_at_once(s)) bs_want(s, (bs_task){.node = node, .what = BS_ASK_TEXT, .index = s->max_text + 1});
        else learn(s, node, told, BS_ASK_TEXT_COUNT);
        if (fields & BACKSTEP_F_CARET) {
            learn(s, node, told, BS_ASK_CARET);
            want(s, node, BS_ASK_SELECTIONS);
        }
    }
    if (fields & BACKSTEP_F_VALUE && has & BACKSTEP_I_VALUE)
        for (uint32_t what = BS_ASK_VALUE; what <= BS_ASK_STEP; what++) learn(s, node, told, what);
    if (fields & BACKSTEP_F_ACTIONS && has & BACKSTEP_I_ACTION) {
        if (s->lists) want(s, node, BS_ASK_ACTIONS);
        else learn(s, node, told, BS_ASK_ACTION_COUNT);
    }
    if (fields & BACKSTEP_F_SELECTION && has & BACKSTEP_I_SELECTION) learn(s, node, told, BS_ASK_SELECTED_COUNT);
    // In its turn: what is known of sixty thousand elements is not gone through at once.
    if (n->children && !n->has_kids) want(s, node, BS_ASK_DESCEND);
}

void bs_walk_answered(bs_snapshot *s, const bs_task *task) {
    bs_node *n = bs_node_of(s, task->node);
    if (task->what >= BS_ASK_AREA && task->what < BS_ASK_CELL) bs_lazy_answered(s, task);
    if ((task->what > BS_ASK_COUNT && task->what != BS_ASK_TREE) || n->dropped) return;
    n->waiting &= ~(1u << task->what);
    if (task->what == BS_ASK_ROLE) bs_mirror_role(s, task->node);
    if (task->what == BS_ASK_TREE) {
        bs_collection_row(s, task->node);
        const bs_node *told = bs_collection_of(s, task->node);
        if (!bs_collection_told(told, BS_ASK_NAME)) want(s, task->node, BS_ASK_NAME);
        if (!bs_collection_told(told, BS_ASK_DESCRIPTION)) want(s, task->node, BS_ASK_DESCRIPTION);
        if (!bs_collection_told(told, BS_ASK_COUNT)) {
            want(s, task->node, BS_ASK_COUNT);
            n->waiting |= 1u << BS_ASK_COUNT;
        }
    }
    // While a bulk answer is on its way, the queue stands still: this waits there for what it may spare.
    if (!n->waiting && s->awaiting) want(s, task->node, BS_ASK_GO_ON);
    else if (!n->waiting) bs_walk_known(s, task->node);
}

void bs_walk_add(bs_snapshot *s, uint32_t node, uint32_t place, uint32_t bus, uint32_t path) {
    if (s->tree.count >= s->max_nodes) {
        s->columns.cut |= BS_CUT_NODES;
        return;
    }
    // What is in the tree already is not entered twice: neither a cycle nor a repetition can loop.
    uint32_t kid = bs_tree_add(&s->tree, (int32_t)node, bus, path);
    if (kid == BS_NONE) return;
    s->tree.kids[bs_node_of(s, node)->first_kid + place] = kid;
    bs_node_of(s, node)->expects = false;
    bs_walk_node(s, kid);
}

void bs_walk_owned(bs_snapshot *s, uint32_t node, uint32_t place, uint32_t bus, uint32_t path) {
    if (bus == bs_node_of(s, node)->bus) {
        bs_walk_add(s, node, place, bus, path);
        return;
    }
    bs_node_of(s, node)->expects = true;
    bs_want(s, (bs_task){node, BS_ASK_PARENT, place, bus, path});
}

void bs_walk_kid(bs_snapshot *s, uint32_t node, uint32_t place, bs_str bus, bs_str path) {
    static const char null_path[] = "/org/a11y/atspi/null";
    if (!bs_bus_name_valid(bus) || bs_str_is(path, null_path)) return;
    uint32_t bus_number = bs_intern(&s->tree.strings, bus), path_number = bs_intern(&s->tree.strings, path);
    // A process that is embedded (WebKitGTK's) gives a name of its own: its elements and events go by its unique one.
    if (bs_unique_name_valid(bus)) {
        bs_walk_owned(s, node, place, bus_number, path_number);
        return;
    }
    bs_node_of(s, node)->expects = true;
    bs_want(s, (bs_task){node, BS_ASK_OWNER, place, bus_number, path_number});
}

bool bs_walk_children(bs_snapshot *s, uint32_t node, bs_in *body) {
    bs_in count = *body;
    uint32_t n = 0;
    size_t end = bs_in_array(&count, 8);
    for (; bs_in_more(&count, end); n++) {
        bs_in_struct(&count);
        bs_in_str(&count);
        bs_in_path(&count);
    }
    if (count.failed) return false;
    // A socket of ATK counts what is plugged into it, and tells it only by its place.
    if (!n && bs_node_of(s, node)->children == 1) {
        if (bs_tree_kids(&s->tree, node, 1)) want_child(s, node, 0);
        return true;
    }
    if (bs_node_of(s, node)->children < 0) bs_node_of(s, node)->children = (int32_t)n;
    if (!bs_tree_kids(&s->tree, node, n)) return true; // the tree says that it failed
    bs_in_array(body, 8);
    for (uint32_t i = 0; i < n; i++) {
        bs_in_struct(body);
        bs_str bus = bs_in_str(body), path = bs_in_path(body);
        bs_walk_kid(s, node, i, bus, path);
    }
    return true;
}
