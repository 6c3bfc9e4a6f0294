/*
 * The application's own cache: one call answers the basics of most elements. It is a source of answers only, never the
 * tree: what it does not know, or knows in part, is walked. In its tree of seeds a node's `waiting` is its index in
 * its parent, and `attributes` and `text` are the string numbers of the parent's bus and path.
 */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

#define MAX_ITEMS 1000000u

void bs_cache_ask(bs_op *op, uint32_t tag) {
    bs_target cache = {op->to.bus, bs_cstr("/org/a11y/atspi/cache")};
    bs_bus *way = op->via ? op->via : op->link->bus;
    bs_bus_begin(way, cache, "org.a11y.atspi.Cache", "GetItems", "");
    bs_bus_send(way, &op->caller, tag, BS_NO_DEADLINE);
}

// One ((so)(so)(so)iiassusau): itself, its application, its parent, index, children, interfaces, name, role, description, states.
void bs_cache_item(bs_in *in, bs_item *item) {
    bs_in_struct(in);
    for (unsigned i = 0; i < 6; i += 2) {
        bs_in_struct(in);
        item->ref[i] = bs_in_str(in);
        item->ref[i + 1] = bs_in_path(in);
    }
    item->index = bs_in_i32(in);
    item->children = bs_in_i32(in);
    if (item->children < 0) item->children = -1;
    item->interfaces = bs_interface_bits(in);
    item->name = bs_in_str(in);
    item->role = bs_in_u32(in);
    item->description = bs_in_str(in);
    item->states[0] = item->states[1] = 0;
    size_t end = bs_in_array(in, 4);
    for (unsigned k = 0; bs_in_more(in, end); k++) {
        uint32_t word = bs_in_u32(in);
        if (k < 2) item->states[k] = word;
    }
}

static void read_item(bs_seeds *seeds, bs_in *in) {
    bs_item item;
    bs_cache_item(in, &item);
    if (in->failed) return;
    bs_strings *s = &seeds->strings;
    uint32_t at = bs_tree_add(seeds, -1, bs_intern(s, item.ref[0]), bs_intern(s, item.ref[1]));
    if (at == BS_NONE) return;
    bs_node *n = &seeds->nodes[at];
    n->attributes = bs_intern(s, item.ref[4]);
    n->text = bs_intern(s, item.ref[5]);
    n->waiting = (uint32_t)item.index;
    n->children = item.children;
    n->interfaces = item.interfaces;
    n->name = bs_intern(s, item.name);
    n->role = (uint16_t)item.role;
    n->description = bs_intern(s, item.description);
    memcpy(n->states, item.states, sizeof n->states);
}

// Gives each seed its kids where every one of them is there, with an index of its own.
static void adopt(bs_seeds *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t parent = bs_tree_find(t, t->nodes[i].attributes, t->nodes[i].text);
        t->nodes[i].parent = parent == BS_NONE || parent == i ? -1 : (int32_t)parent;
        if (t->nodes[i].parent >= 0) t->nodes[parent].action_count++; // how many call it parent
    }
    for (uint32_t i = 0; i < t->count; i++) {
        bs_node *n = &t->nodes[i];
        if (n->children > 0 && n->action_count == (uint32_t)n->children) bs_tree_kids(t, i, n->action_count);
        n->action_count = 0;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        const bs_node *n = &t->nodes[i];
        if (n->parent < 0) continue;
        bs_node *parent = &t->nodes[n->parent];
        if (n->waiting >= parent->kid_count || t->kids[parent->first_kid + n->waiting] != BS_NONE) parent->kid_count = 0;
        else t->kids[parent->first_kid + n->waiting] = i;
    }
}

bool bs_cache_read_some(bs_seeds **seeds, bs_in *body, size_t end, uint32_t most) {
    bs_seeds *t = *seeds;
    bool more = true;
    while (most-- && (more = bs_in_more(body, end) && t->count < MAX_ITEMS && !t->failed && !t->strings.failed)) read_item(t, body);
    if (more) return true;
    if (!body->failed && !t->failed && !t->strings.failed && t->count) adopt(t);
    if (body->failed || t->failed || t->strings.failed || !t->count) bs_seeds_free(seeds);
    return false;
}

bs_seeds *bs_cache_read(bs_in *body) {
    bs_seeds *seeds = calloc(1, sizeof *seeds);
    if (!seeds) return NULL;
    size_t end = bs_in_array(body, 8);
    bs_cache_read_some(&seeds, body, end, UINT32_MAX);
    return seeds;
}

bool bs_cache_is(const bs_msg *reply) { return bs_signature_is(reply, BS_CACHE_TYPE); }

void bs_cache_answer(bs_snapshot *s, bs_msg *reply) {
    if (!bs_cache_is(reply)) return;
    bs_seeds_free(&s->seeds);
    s->seeds = bs_cache_read(&reply->body);
}

const bs_node *bs_seed_find(bs_seeds *seeds, bs_str bus, bs_str path) {
    uint32_t at = bs_tree_find(seeds, bs_intern(&seeds->strings, bus), bs_intern(&seeds->strings, path));
    return at == BS_NONE ? NULL : &seeds->nodes[at];
}

static const bs_node *seed_of(const bs_snapshot *s, uint32_t node) {
    const bs_node *n = &s->tree.nodes[node];
    return bs_seed_find(s->seeds, bs_string(&s->tree.strings, n->bus), bs_string(&s->tree.strings, n->path));
}

bool bs_cache_has(const bs_snapshot *s, uint32_t node) { return s->seeds && seed_of(s, node); }

bool bs_cache_seed(bs_snapshot *s, uint32_t node) {
    const bs_node *seed = seed_of(s, node);
    if (!seed) return false;
    bs_node *n = bs_node_of(s, node);
    n->name = bs_intern(&s->tree.strings, bs_string(&s->seeds->strings, seed->name));
    n->description = bs_intern(&s->tree.strings, bs_string(&s->seeds->strings, seed->description));
    n->role = seed->role;
    n->interfaces = seed->interfaces;
    n->children = seed->children;
    n->states[0] = seed->states[0];
    n->states[1] = seed->states[1];
    return true;
}

bool bs_seed_pages(const bs_seeds *seeds, const bs_node *seed) {
    for (uint32_t i = 0; i < seed->kid_count; i++)
        if (!(seeds->nodes[seeds->kids[seed->first_kid + i]].interfaces & BACKSTEP_I_COMPONENT)) return true;
    return false;
}

bool bs_cache_kids(bs_snapshot *s, uint32_t node) {
    const bs_node *seed = seed_of(s, node);
    // The count may have been read afresh since.
    if (!seed || !seed->kid_count || (int32_t)seed->kid_count != bs_node_of(s, node)->children) return false;
    uint32_t n = seed->kid_count, first = seed->first_kid;
    if (s->pages && bs_seed_pages(s->seeds, seed)) return false;
    if (!bs_tree_kids(&s->tree, node, n)) return true; // the tree says that it failed
    for (uint32_t i = 0; i < n; i++) {
        const bs_node *kid = &s->seeds->nodes[s->seeds->kids[first + i]];
        bs_walk_kid(s, node, i, bs_string(&s->seeds->strings, kid->bus), bs_string(&s->seeds->strings, kid->path));
    }
    return true;
}

void bs_seeds_free(bs_seeds **seeds) {
    if (!*seeds) return;
    bs_tree_free(*seeds);
    free(*seeds);
    *seeds = NULL;
}
