#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARENA ((size_t)512 << 20)

void bs_strings_free(bs_strings *s) {
    bs_buf_free(&s->arena);
    free(s->offsets);
    free(s->table);
    *s = (bs_strings){0};
}

// FNV-1a over eight bytes a step where there are as many.
static uint32_t hash(bs_str text) {
    uint64_t h = 0xcbf29ce484222325u;
    uint32_t i = 0;
    for (; i + 8 <= text.length; i += 8) {
        uint64_t word;
        memcpy(&word, text.text + i, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    for (; i < text.length; i++) h = (h ^ (uint8_t)text.text[i]) * 0x100000001b3u;
    h ^= h >> 32;
    return (uint32_t)(h * 0x9e3779b1u >> 7);
}

bs_str bs_string(const bs_strings *s, uint32_t k) {
    if (k >= s->count) return (bs_str){"", 0};
    return (bs_str){(const char *)s->arena.data + s->offsets[k], s->offsets[k + 1] - s->offsets[k]};
}

static void place(bs_strings *s, uint32_t number) {
    uint32_t at = hash(bs_string(s, number)) & (s->table_size - 1);
    while (s->table[at]) at = (at + 1) & (s->table_size - 1);
    s->table[at] = number + 1;
}

static bool grow_strings(bs_strings *s) {
    uint32_t capacity = s->capacity ? s->capacity * 2 : 1024;
    uint32_t *offsets = realloc(s->offsets, (capacity + 1) * sizeof *offsets);
    if (offsets) s->offsets = offsets;
    uint32_t *table = offsets ? calloc(capacity * 2, sizeof *table) : NULL;
    if (!table) return false;
    if (!s->count) s->offsets[0] = 0;
    free(s->table);
    s->table = table;
    s->table_size = capacity * 2;
    s->capacity = capacity;
    for (uint32_t k = 0; k < s->count; k++) place(s, k);
    return true;
}

static uint32_t append(bs_strings *s, bs_str text) {
    if (s->count == s->capacity && !grow_strings(s)) return s->failed = true, 0;
    if (s->arena.length + text.length > MAX_ARENA) return s->failed = true, 0;
    bs_put(&s->arena, text.text, text.length);
    if (s->arena.failed) return s->failed = true, 0;
    s->offsets[++s->count] = (uint32_t)s->arena.length;
    place(s, s->count - 1);
    return s->count - 1;
}

uint32_t bs_intern(bs_strings *s, bs_str text) {
    if (!s->count) append(s, (bs_str){"", 0}); // string 0
    if (s->failed || !text.length) return 0;
    for (uint32_t at = hash(text) & (s->table_size - 1); s->table[at]; at = (at + 1) & (s->table_size - 1)) {
        bs_str other = bs_string(s, s->table[at] - 1);
        if (other.length == text.length && !memcmp(other.text, text.text, text.length)) return s->table[at] - 1;
    }
    return append(s, text);
}

uint32_t bs_string_number(const bs_strings *s, bs_str text) {
    if (!text.length) return s->count ? 0 : BS_NONE;
    if (!s->table_size) return BS_NONE;
    for (uint32_t at = hash(text) & (s->table_size - 1); s->table[at]; at = (at + 1) & (s->table_size - 1)) {
        bs_str other = bs_string(s, s->table[at] - 1);
        if (other.length == text.length && !memcmp(other.text, text.text, text.length)) return s->table[at] - 1;
    }
    return BS_NONE;
}

bool bs_strings_copy(bs_strings *to, const bs_strings *from) {
    *to = (bs_strings){.count = from->count, .capacity = from->capacity, .table_size = from->table_size};
    to->offsets = malloc(((size_t)from->capacity + 1) * sizeof *to->offsets);
    to->table = malloc((size_t)from->table_size * sizeof *to->table);
    if (!from->count || !to->offsets || !to->table) {
        bs_strings_free(to);
        return false;
    }
    memcpy(to->offsets, from->offsets, ((size_t)from->count + 1) * sizeof *to->offsets);
    memcpy(to->table, from->table, (size_t)from->table_size * sizeof *to->table);
    bs_put(&to->arena, from->arena.data, from->arena.length);
    if (!to->arena.failed) return true;
    bs_strings_free(to);
    return false;
}

void bs_tree_free(bs_tree *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        free(t->nodes[i].actions);
        free(t->nodes[i].selected);
    }
    bs_strings_free(&t->strings);
    free(t->nodes);
    free(t->kids);
    free(t->seen);
    *t = (bs_tree){0};
}

static uint32_t seat(const bs_tree *t, uint32_t bus, uint32_t path) {
    uint32_t at = (path * 0x9e3779b1u ^ bus * 0x85ebca6bu) & (t->seen_size - 1);
    while (t->seen[at]) {
        const bs_node *n = &t->nodes[t->seen[at] - 1];
        if (n->bus == bus && n->path == path) break;
        at = (at + 1) & (t->seen_size - 1);
    }
    return at;
}

static bool grow_nodes(bs_tree *t) {
    uint32_t capacity = t->capacity ? t->capacity * 2 : 256;
    bs_node *nodes = realloc(t->nodes, capacity * sizeof *nodes);
    if (nodes) t->nodes = nodes;
    uint32_t *seen = nodes ? calloc(capacity * 2, sizeof *seen) : NULL;
    if (!seen) return false;
    free(t->seen);
    t->seen = seen;
    t->seen_size = capacity * 2;
    t->capacity = capacity;
    for (uint32_t i = 0; i < t->count; i++) t->seen[seat(t, t->nodes[i].bus, t->nodes[i].path)] = i + 1;
    return true;
}

uint32_t bs_tree_add(bs_tree *t, int32_t parent, uint32_t bus, uint32_t path) {
    if (t->count == t->capacity && !grow_nodes(t)) return t->failed = true, BS_NONE;
    uint32_t at = seat(t, bus, path);
    if (t->seen[at]) return BS_NONE;
    t->nodes[t->count] = (bs_node){
        .parent = parent, .bus = bus, .path = path, .text = BS_NONE, .children = -1, .rect = {0, 0, -1, -1}, .text_rect = {0, 0, -1, -1}, .caret = {-1, -1, -1},
        .value = {NAN, NAN, NAN, NAN}, .depth = parent < 0 ? 0 : (uint16_t)(t->nodes[parent].depth + 1),
    };
    t->seen[at] = ++t->count;
    return t->count - 1;
}

uint32_t bs_tree_find(const bs_tree *t, uint32_t bus, uint32_t path) {
    uint32_t at = t->seen_size ? t->seen[seat(t, bus, path)] : 0;
    return at ? at - 1 : BS_NONE;
}

uint32_t bs_tree_of(const bs_tree *t, bs_str path) {
    uint32_t number = t->count ? bs_string_number(&t->strings, path) : BS_NONE;
    return number == BS_NONE ? BS_NONE : bs_tree_find(t, t->nodes[0].bus, number);
}

bool bs_tree_has_more(const bs_tree *t, bs_str path, uint32_t than) {
    uint32_t found[BS_TREE_MOST_COUNTED], count = 0, top = bs_tree_of(t, path);
    if (top == BS_NONE || than >= BS_TREE_MOST_COUNTED) return false;
    found[count++] = top;
    for (uint32_t next = 0; next < count && count <= than; next++) {
        const bs_node *n = &t->nodes[found[next]];
        for (uint32_t i = 0; i < n->kid_count && count <= than; i++) {
            uint32_t kid = t->kids[n->first_kid + i];
            if (kid != BS_NONE) found[count++] = kid;
        }
    }
    return count > than;
}

bool bs_tree_kids(bs_tree *t, uint32_t node, uint32_t n) {
    if (n > t->kid_capacity - t->kid_count) {
        uint64_t capacity = t->kid_capacity ? t->kid_capacity : 256;
        while (capacity < (uint64_t)t->kid_count + n) capacity *= 2;
        uint32_t *kids = capacity < (1u << 28) ? realloc(t->kids, capacity * sizeof *kids) : NULL;
        if (!kids) return t->failed = true, false;
        t->kids = kids;
        t->kid_capacity = (uint32_t)capacity;
    }
    t->nodes[node].first_kid = t->kid_count;
    t->nodes[node].kid_count = n;
    for (uint32_t i = 0; i < n; i++) t->kids[t->kid_count++] = BS_NONE;
    return true;
}
