/*
 * Chromium: Collection.GetTree tells the places of a whole subtree for a third of what asking each element costs, but its
 * time grows with the square of the number of siblings. So the tree that the cache knows is cut into parts whose siblings
 * are few, and each is asked for by itself, some of them at once. What lies above them is asked element by element.
 */
#include <stdlib.h>

#include "snapshot.h"

#define SIBLINGS 64u /* at most so many children of any one element within a part */
#define AT_ONCE 48u  /* parts in flight */

/* Of a seed, while the parts are made. */
typedef struct extent {
    uint32_t widest, height, size;
} extent;

// Children before their parents, below and with `root`; the number of them. In `order`, which has room for all.
static uint32_t order_of(const bs_seeds *t, uint32_t root, uint32_t *order) {
    uint32_t n = 0;
    order[n++] = root;
    for (uint32_t at = 0; at < n; at++) {
        const bs_node *node = &t->nodes[order[at]];
        for (uint32_t i = 0; i < node->kid_count && n < t->count; i++) order[n++] = t->kids[node->first_kid + i];
    }
    return n;
}

static extent measure(const bs_seeds *t, uint32_t seed, const extent *of) {
    const bs_node *n = &t->nodes[seed];
    // Children that the cache does not all know may be any number.
    extent e = {.widest = n->kid_count || n->children == 0 ? n->kid_count : UINT32_MAX, .height = 0, .size = 1};
    for (uint32_t i = 0; i < n->kid_count; i++) {
        extent kid = of[t->kids[n->first_kid + i]];
        if (kid.widest > e.widest) e.widest = kid.widest;
        if (kid.height + 1 > e.height) e.height = kid.height + 1;
        e.size += kid.size;
    }
    return e;
}

// Parts from the top: the largest subtrees without a wide place in them.
static void cut(bs_snapshot *s, uint32_t root, extent *of, uint32_t *order) {
    const bs_seeds *t = s->seeds;
    uint32_t n = order_of(t, root, order);
    for (uint32_t i = n; i-- > 0;) of[order[i]] = measure(t, order[i], of);
    // Who wants less than there is would pay for what is then left out.
    if (of[root].height > s->max_depth || of[root].size > s->max_nodes) return;
    uint32_t depth = 0;
    order[depth++] = root;
    while (depth) {
        uint32_t at = order[--depth];
        const bs_node *node = &t->nodes[at];
        if (of[at].widest <= SIBLINGS) {
            if (of[at].size > 1) s->parts[s->part_count++] = at;
            continue;
        }
        for (uint32_t i = 0; i < node->kid_count; i++) order[depth++] = t->kids[node->first_kid + i];
    }
}

// Does the top call one of its own descendants its parent? Every seed has one parent, so that no other ring is reached from it.
static bool goes_round(const bs_seeds *t, uint32_t top) {
    int32_t up = t->nodes[top].parent;
    for (uint32_t n = 0; n < t->count && up >= 0 && (uint32_t)up != top; n++) up = t->nodes[up].parent;
    return up >= 0;
}

void bs_parts_begin(bs_op *op) {
    bs_snapshot *s = op->state;
    const bs_seeds *t = s->seeds;
    extent *of = calloc(t->count, sizeof *of);
    uint32_t *order = malloc(t->count * sizeof *order);
    s->parts = malloc(t->count * sizeof *s->parts);
    if (!of || !order || !s->parts) {
        s->tree.failed = true;
    } else {
        const bs_node *top = bs_seed_find(s->seeds, op->to.bus, op->to.path);
        int32_t above = top ? (int32_t)(top - t->nodes) : -1;
        if (top && goes_round(t, (uint32_t)above)) top = NULL, above = INT32_MIN; // no parts: it is walked
        if (top && top->kid_count) cut(s, (uint32_t)above, of, order);
        // Caches do not know the application itself, or not its windows.
        for (uint32_t i = 0; !(top && top->kid_count) && i < t->count; i++)
            if (t->nodes[i].parent == above && &t->nodes[i] != top) cut(s, i, of, order);
    }
    free(of);
    free(order);
    s->awaiting += s->part_count;
    bs_parts_fill(op);
}

void bs_parts_fill(bs_op *op) {
    bs_snapshot *s = op->state;
    while (s->part_at < s->part_count && s->part_at - s->parts_answered < AT_ONCE) {
        bs_parts_ask(op, s->part_at++);
        s->columns.calls++;
    }
}

void bs_parts_ask(bs_op *op, uint32_t part) {
    bs_snapshot *s = op->state;
    const bs_node *n = &s->seeds->nodes[s->parts[part]];
    bs_target to = {bs_string(&s->seeds->strings, n->bus), bs_string(&s->seeds->strings, n->path)};
    bs_collection_ask(op, BS_TAG_PART + part, to, BS_SCOPE_PART);
}
