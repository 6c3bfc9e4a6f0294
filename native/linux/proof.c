#define _GNU_SOURCE
/*
 * The proof of a mirror: what Cache.GetItems answers, item by item and in any order, compared with what is held and
 * clean. One call tells of every element that the application caches, so that an event that was never sent shows.
 */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

#define MOST_NOTED 64u

static bool is(bs_str a, bs_str b) { return a.length == b.length && !memcmp(a.text, b.text, a.length); }

uint64_t bs_mirror_basics(const bs_tree *t, uint32_t node) {
    const bs_node *n = &t->nodes[node];
    uint64_t h = bs_hash_mix(n->role, (uint64_t)n->states[1] << 32 | n->states[0]);
    h = bs_hash_mix(h, (uint64_t)n->interfaces << 32 | (uint32_t)n->children);
    h = bs_hash_mix(h, bs_hash_text(bs_string(&t->strings, n->name)));
    h = bs_hash_mix(h, bs_hash_text(bs_string(&t->strings, n->description)));
    for (uint32_t i = 0; i < n->kid_count; i++) {
        uint32_t kid = t->kids[n->first_kid + i];
        h = bs_hash_mix(h, kid == BS_NONE ? 1 : bs_hash_text(bs_string(&t->strings, t->nodes[kid].path)));
    }
    return h;
}

static void note(bs_peer *p, uint32_t node) {
    const bs_tree *t = &p->mirror->tree;
    bs_str path = bs_string(&t->strings, t->nodes[node].path);
    for (uint32_t i = 0; i < p->odd_count; i++)
        if (is(bs_cstr(p->odd[i].path), path)) return;
    bs_odd *odd = realloc(p->odd, (p->odd_count + 1) * sizeof *odd);
    if (!odd) return; // it will be noted by the next proof
    p->odd = odd;
    char *copy = strndup(path.text, path.length);
    if (copy) odd[p->odd_count++] = (bs_odd){bs_mirror_basics(t, node), false, copy};
}

static uint32_t find(const bs_mirror *m, bs_str bus, bs_str path) {
    const bs_tree *t = &m->tree;
    return is(bus, bs_string(&t->strings, t->nodes[0].bus)) ? bs_tree_of(t, path) : BS_NONE;
}

// The element as it is held, where nothing says that it has changed.
static bool same(const bs_mirror *m, uint32_t at, const bs_item *item) {
    const bs_node *n = &m->tree.nodes[at];
    uint32_t dirt = m->dirt[at];
    if (n->role != item->role || n->interfaces != item->interfaces) return false;
    bool states = !((n->states[0] ^ item->states[0]) & ~m->untold) && n->states[1] == item->states[1];
    if (!(dirt & BS_DIRT_STATES) && !states) return false;
    if (!(dirt & BS_DIRT_KIDS) && n->children >= 0 && item->children >= 0 && n->children != item->children) return false;
    if (dirt & BS_DIRT_NAME) return true;
    return is(bs_string(&m->tree.strings, n->name), item->name) && is(bs_string(&m->tree.strings, n->description), item->description);
}

// An element that is not held: is its parent, and is another held in its place?
static bool replaces(const bs_mirror *m, uint32_t parent, const bs_item *item) {
    const bs_node *n = &m->tree.nodes[parent];
    // Pages of GTK 4's stacks name a parent that does not count them, see bs_seed_pages.
    if (item->states[0] >> BS_STATE_DEFUNCT & 1 || !(item->interfaces & BACKSTEP_I_COMPONENT)) return false;
    if (m->dirt[parent] & (BS_DIRT_ALL | BS_DIRT_KIDS) || item->index < 0 || (uint32_t)item->index >= n->kid_count) return false;
    uint32_t kid = m->tree.kids[n->first_kid + (uint32_t)item->index];
    return kid != BS_NONE && !m->tree.nodes[kid].dropped;
}

// What is loose is not wrong, it is behind: it will be asked.
static uint32_t put_right(bs_mirror *m, uint32_t at) {
    if (!(m->dirt[at] & BS_LOOSE)) return at;
    m->dirt[at] |= BS_DIRT_ALL | BS_DIRT_KIDS;
    m->clean = false;
    return BS_NONE;
}

// The element whose being held is wrong, or BS_NONE.
static uint32_t wrong(bs_mirror *m, const uint8_t *out, const bs_item *item) {
    uint32_t at = find(m, item->ref[0], item->ref[1]);
    if (at != BS_NONE) {
        // The top is never compared: GTK 4's cache counts no children of an application.
        bool left_out = !at || out[at] & 1 || m->tree.nodes[at].odd || m->dirt[at] & (BS_DIRT_ALL | BS_NEVER_HELD);
        return left_out || same(m, at, item) ? BS_NONE : put_right(m, at);
    }
    uint32_t parent = find(m, item->ref[4], item->ref[5]);
    if (parent == BS_NONE || !parent || out[parent] || m->tree.nodes[parent].odd) return BS_NONE;
    return replaces(m, parent, item) ? put_right(m, parent) : BS_NONE;
}

// 1: it is below what is not held, or spoilt; 2: what is below it is. Parents come before their children.
static uint8_t *left_out(const bs_mirror *m) {
    uint8_t *out = calloc((size_t)m->tree.count + 1, 1);
    for (uint32_t i = 0; out && i < m->tree.count; i++) {
        int32_t parent = m->tree.nodes[i].parent;
        if (parent >= 0 && out[parent]) out[i] = 1;
        if (m->dirt[i] & (BS_DIRT_BELOW | BS_NEVER_BELOW)) out[i] |= 2;
    }
    return out;
}

bool bs_mirror_agrees(bs_peer *p, bs_in *body) {
    bs_mirror *m = p->mirror;
    uint8_t *out = left_out(m);
    uint32_t differ = 0, items = 0;
    size_t end = bs_in_array(body, 8);
    while (out && bs_in_more(body, end) && differ < MOST_NOTED) {
        bs_item item;
        bs_cache_item(body, &item);
        if (body->failed) break;
        items++;
        uint32_t at = wrong(m, out, &item);
        if (at == BS_NONE) continue;
        differ++;
        note(p, at);
    }
    free(out);
    return out && !body->failed && items && !differ;
}
