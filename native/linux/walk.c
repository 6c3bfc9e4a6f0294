/* The walk: correct on every toolkit. A node's basics first, then, knowing them, its children and the fields asked for. */
#include <stdlib.h>

#include "snapshot.h"

#define BASICS (1u << BS_ASK_ROLE | 1u << BS_ASK_STATES | 1u << BS_ASK_INTERFACES | 1u << BS_ASK_COUNT)

static void want(bs_snapshot *s, uint32_t node, uint32_t what) { bs_want(s, (bs_task){.node = node, .what = what}); }

void bs_walk_node(bs_snapshot *s, uint32_t node) {
    // The top is always asked itself: GTK4's cache counts no children of an application.
    bool seeded = s->seeds && node && bs_cache_seed(s, node);
    if (s->columns.fields & BACKSTEP_F_ATTRIBUTES) want(s, node, BS_ASK_ATTRIBUTES);
    if (s->columns.fields & BACKSTEP_F_ID) want(s, node, BS_ASK_ID);
    if (seeded && bs_node_of(s, node)->children < 0) {
        // Caches do not count the children of menus and the like.
        bs_node_of(s, node)->waiting = 1u << BS_ASK_COUNT;
        want(s, node, BS_ASK_COUNT);
        return;
    }
    if (seeded) {
        bs_walk_known(s, node);
        return;
    }
    if (s->seeds && node) s->columns.strategy = 2;
    bs_node_of(s, node)->waiting = BASICS;
    for (uint32_t what = BS_ASK_ROLE; what <= BS_ASK_DESCRIPTION; what++) want(s, node, what);
}

static void want_children(bs_snapshot *s, uint32_t node) {
    bs_node *n = bs_node_of(s, node);
    if (n->children == 0) return;
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
        if (s->seeds && bs_cache_kids(s, node)) return;
        if (s->seeds) s->columns.strategy = 2;
        want(s, node, BS_ASK_CHILDREN);
        return;
    }
    s->columns.cut |= BS_CUT_KIDS;
    if (!bs_tree_kids(&s->tree, node, BS_MAX_KIDS)) return;
    for (uint32_t i = 0; i < BS_MAX_KIDS; i++) bs_want(s, (bs_task){.node = node, .what = BS_ASK_CHILD, .index = i});
}

void bs_walk_known(bs_snapshot *s, uint32_t node) {
    bs_node *n = bs_node_of(s, node);
    if (n->states[0] >> BS_STATE_DEFUNCT & 1) {
        n->dropped = true;
        return;
    }
    uint32_t fields = s->columns.fields, has = n->interfaces;
    if (fields & BACKSTEP_F_EXTENTS && has & BACKSTEP_I_COMPONENT) want(s, node, BS_ASK_EXTENTS);
    if (fields & BACKSTEP_F_TEXT && has & BACKSTEP_I_TEXT && n->role != BS_ROLE_PASSWORD) {
        want(s, node, BS_ASK_TEXT_COUNT);
        want(s, node, BS_ASK_CARET);
        want(s, node, BS_ASK_SELECTIONS);
    }
    if (fields & BACKSTEP_F_VALUE && has & BACKSTEP_I_VALUE)
        for (uint32_t what = BS_ASK_VALUE; what <= BS_ASK_STEP; what++) want(s, node, what);
    if (fields & BACKSTEP_F_ACTIONS && has & BACKSTEP_I_ACTION) want(s, node, BS_ASK_ACTION_COUNT);
    if (fields & BACKSTEP_F_SELECTION && has & BACKSTEP_I_SELECTION) want(s, node, BS_ASK_SELECTED_COUNT);
    want_children(s, node);
}

void bs_walk_answered(bs_snapshot *s, const bs_task *task) {
    bs_node *n = bs_node_of(s, task->node);
    if (task->what > BS_ASK_COUNT || n->dropped) return;
    n->waiting &= ~(1u << task->what);
    if (!n->waiting) bs_walk_known(s, task->node);
}

void bs_walk_kid(bs_snapshot *s, uint32_t node, uint32_t place, bs_str bus, bs_str path) {
    static const char null_path[] = "/org/a11y/atspi/null";
    if (!bs_bus_name_valid(bus) || bs_str_is(path, null_path)) return;
    if (s->tree.count >= s->max_nodes) {
        s->columns.cut |= BS_CUT_NODES;
        return;
    }
    uint32_t bus_number = bs_intern(&s->tree.strings, bus), path_number = bs_intern(&s->tree.strings, path);
    // What is in the tree already is not entered twice: neither a cycle nor a repetition can loop.
    uint32_t kid = bs_tree_add(&s->tree, (int32_t)node, bus_number, path_number);
    if (kid == BS_NONE) return;
    s->tree.kids[bs_node_of(s, node)->first_kid + place] = kid;
    bs_walk_node(s, kid);
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
