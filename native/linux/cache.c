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

static bool whole(const bs_reading *r) {
    return r->seeds && !r->body.failed && !r->seeds->failed && !r->seeds->strings.failed;
}

/* One seed in each of four passes: it is read; it finds its parent; it makes room for its kids, where as many call it parent
 * as it counts; it takes its own place among its parent's, where it has an index of its own. */
static void item(bs_reading *r) { read_item(r->seeds, &r->body); }

static void kin(bs_reading *r) {
    bs_seeds *t = r->seeds;
    bs_node *n = &t->nodes[r->at];
    uint32_t parent = bs_tree_find(t, n->attributes, n->text);
    n->parent = parent == BS_NONE || parent == r->at ? -1 : (int32_t)parent;
    if (n->parent >= 0) t->nodes[parent].action_count++; // how many call it parent
}

static void room(bs_reading *r) {
    bs_node *n = &r->seeds->nodes[r->at];
    if (n->children > 0 && n->action_count == (uint32_t)n->children) bs_tree_kids(r->seeds, r->at, n->action_count);
    n->action_count = 0;
}

static void seat(bs_reading *r) {
    bs_seeds *t = r->seeds;
    const bs_node *n = &t->nodes[r->at];
    if (n->parent < 0) return;
    bs_node *parent = &t->nodes[n->parent];
    if (n->waiting >= parent->kid_count || t->kids[parent->first_kid + n->waiting] != BS_NONE) parent->kid_count = 0;
    else t->kids[parent->first_kid + n->waiting] = r->at;
}

bool bs_reading_some(bs_reading *r, uint32_t most) {
    static void (*const passes[])(bs_reading *) = {item, kin, room, seat};
    const uint32_t all = sizeof passes / sizeof *passes;
    while (most && r->pass < all && whole(r)) {
        bool more = r->pass ? r->at < r->seeds->count : bs_in_more(&r->body, r->end) && r->seeds->count < MAX_ITEMS;
        if (!more) {
            r->pass++, r->at = 0;
            continue;
        }
        passes[r->pass](r);
        r->at++, most--;
    }
    bool good = whole(r);
    if (good && r->pass < all) return true;
    if (!good || !r->seeds->count) bs_seeds_free(&r->seeds);
    bs_buf_free(&r->kept);
    return false;
}

static void begin(bs_reading *r, const bs_in *body) {
    *r = (bs_reading){.body = *body, .seeds = calloc(1, sizeof(bs_seeds))};
    r->end = bs_in_array(&r->body, 8);
}

bool bs_reading_later(bs_reading *r, bs_msg *reply) {
    if (reply->body.length < BS_LARGE || r->seeds || !bs_cache_is(reply)) return false;
    begin(r, &reply->body);
    if (r->seeds && bs_bus_keep(&r->kept)) return true;
    bs_seeds_free(&r->seeds);
    return false;
}

void bs_reading_free(bs_reading *r) {
    bs_seeds_free(&r->seeds);
    bs_buf_free(&r->kept);
}

bs_seeds *bs_cache_read(bs_in *body) {
    bs_reading r;
    begin(&r, body);
    while (bs_reading_some(&r, UINT32_MAX)) continue;
    *body = r.body;
    return r.seeds;
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

// What the cache tells of a node. NULL: nothing.
static const bs_node *told(const bs_snapshot *s, uint32_t node) {
    const bs_node *n = &s->tree.nodes[node];
    return s->seeds ? bs_seed_find(s->seeds, bs_string(&s->tree.strings, n->bus), bs_string(&s->tree.strings, n->path)) : NULL;
}

bool bs_cache_has(const bs_snapshot *s, uint32_t node) { return told(s, node) != NULL; }

bool bs_cache_seed(bs_snapshot *s, uint32_t node) {
    const bs_node *seed = told(s, node);
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

const bs_node *bs_cache_kids(const bs_snapshot *s, uint32_t node) {
    const bs_node *seed = told(s, node);
    // The count may have been read afresh since.
    if (!seed || !seed->kid_count || (int32_t)seed->kid_count != s->tree.nodes[node].children) return NULL;
    return s->pages && bs_seed_pages(s->seeds, seed) ? NULL : seed;
}

void bs_seeds_free(bs_seeds **seeds) {
    if (!*seeds) return;
    bs_tree_free(*seeds);
    free(*seeds);
    *seeds = NULL;
}
