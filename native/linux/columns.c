/* From the tree of nodes to the columns of the header. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/backstep.h"
#include "tree.h"

// The numbers of the nodes that are reached from node 0, parents before children, subtrees in one run.
static uint32_t preorder(const bs_tree *t, uint32_t *order, uint32_t *stack) {
    uint32_t n = 0, depth = 0;
    if (t->count && !t->nodes[0].dropped) stack[depth++] = 0;
    while (depth) {
        uint32_t at = stack[--depth];
        order[n++] = at;
        // Every node has one parent, so the stack never holds more than all nodes.
        for (uint32_t i = t->nodes[at].kid_count; i-- > 0;) {
            uint32_t kid = t->kids[t->nodes[at].first_kid + i];
            if (kid != BS_NONE && !t->nodes[kid].dropped) stack[depth++] = kid;
        }
    }
    return n;
}

static uint32_t joined_actions(bs_tree *t, const bs_node *n) {
    bs_buf b = {0};
    if (n->like) n = &t->nodes[n->like - 1];
    for (uint32_t i = 0; i < n->action_count; i++) {
        bs_str name = bs_string(&t->strings, n->actions[i]);
        if (i) bs_put_u8(&b, '\n');
        bs_put(&b, name.text, name.length);
    }
    uint32_t number = bs_intern(&t->strings, (bs_str){(const char *)b.data, (uint32_t)b.length});
    if (b.failed) t->failed = true;
    bs_buf_free(&b);
    return number;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t joined_selected(bs_tree *t, bs_node *n) {
    if (!n->has_selection) return BS_NONE;
    // GTK 4's combo box counts what it will not name: what is selected is then not known, which is not nothing.
    for (uint32_t i = 0; i < n->selected_count; i++)
        if (n->selected[i] < 0) return BS_NONE;
    bs_buf b = {0};
    if (n->selected_count) qsort(n->selected, n->selected_count, sizeof *n->selected, ascending);
    for (uint32_t i = 0; i < n->selected_count; i++) {
        char digits[16];
        snprintf(digits, sizeof digits, b.length ? ",%d" : "%d", n->selected[i]);
        bs_put(&b, digits, strlen(digits));
    }
    uint32_t number = bs_intern(&t->strings, (bs_str){(const char *)b.data, (uint32_t)b.length});
    if (b.failed) t->failed = true;
    bs_buf_free(&b);
    return number;
}

static void pad(bs_buf *out) {
    while (out->length & 7 && !out->failed) bs_put_u8(out, 0);
}

#define COLUMN(put, expression)                                                                                                              \
    do {                                                                                                                                     \
        pad(out);                                                                                                                            \
        for (uint32_t i = 0; i < rows; i++) {                                                                                                \
            const bs_node *n = &t->nodes[order[i]];                                                                                          \
            put(out, expression);                                                                                                            \
        }                                                                                                                                    \
    } while (0)

// The same of 32 bits, in one piece: most of a reply are such. As bytes.c, for little-endian machines.
#define COLUMN32(expression)                                                                                                                 \
    do {                                                                                                                                     \
        pad(out);                                                                                                                            \
        uint8_t *at = bs_buf_reserve(out, (size_t)rows * 4);                                                                                 \
        for (uint32_t i = 0; at && i < rows; i++) {                                                                                          \
            const bs_node *n = &t->nodes[order[i]];                                                                                          \
            uint32_t word = (uint32_t)(expression);                                                                                          \
            memcpy(at + 4 * (size_t)i, &word, 4);                                                                                            \
        }                                                                                                                                    \
    } while (0)

static void put_u16(bs_buf *out, uint16_t v) {
    bs_put_u8(out, (uint8_t)v);
    bs_put_u8(out, (uint8_t)(v >> 8));
}

static void put_states(bs_buf *out, const bs_node *n) {
    bs_put_u32(out, n->states[0]);
    bs_put_u32(out, n->states[1]);
}

static void put_value(bs_buf *out, const bs_node *n) {
    for (unsigned k = 0; k < 4; k++) bs_put_f64(out, n->value[k]);
}

static void put_rect(bs_buf *out, const bs_node *n) {
    for (unsigned k = 0; k < 4; k++) bs_put_i32(out, n->rect[k]);
}

static void put_caret(bs_buf *out, const bs_node *n) {
    for (unsigned k = 0; k < 3; k++) bs_put_i32(out, n->caret[k]);
}

static void put_head(const bs_columns *c, uint32_t rows, const bs_strings *s, bs_buf *out) {
    uint32_t head[16] = {BACKSTEP_SNAPSHOT_MAGIC, 1, rows, c->fields, c->cut, c->strategy, c->calls, s->count, (uint32_t)s->arena.length, c->direct,
                         c->from_mirror, c->afresh, c->proven_ms, (uint32_t)c->generation, (uint32_t)(c->generation >> 32), c->missed};
    for (unsigned i = 0; i < 16; i++) bs_put_u32(out, head[i]);
}

static void put_hashes(const bs_tree *t, uint32_t fields, bs_buf *out, uint32_t rows, const uint32_t *order, const uint32_t *row) {
    uint64_t *hashes = bs_hash_tree(t, fields, rows, order, row);
    if (!hashes) out->failed = true;
    pad(out);
    for (uint32_t i = 0; hashes && i < rows; i++) bs_put_u64(out, hashes[i]);
    free(hashes);
}

void bs_columns_same(const bs_columns *c, bs_buf *out) {
    static const bs_strings none;
    put_head(c, 0, &none, out);
}

static void write_columns(bs_tree *t, const bs_columns *c, bs_buf *out, uint32_t rows, const uint32_t *order, const uint32_t *row) {
    uint32_t fields = c->fields;
    // Joined strings come first: they add to the string table, whose size stands in the header.
    for (uint32_t i = 0; i < rows; i++) {
        bs_node *n = &t->nodes[order[i]];
        n->joined[0] = fields & BACKSTEP_F_ACTIONS ? joined_actions(t, n) : 0;
        n->joined[1] = fields & BACKSTEP_F_SELECTION ? joined_selected(t, n) : 0;
    }
    const bs_strings *s = &t->strings;
    put_head(c, rows, s, out);
    if (fields & BACKSTEP_F_VALUE) COLUMN(put_value, n);
    if (fields & BACKSTEP_F_HASH) put_hashes(t, fields, out, rows, order, row);
    COLUMN(put_states, n);
    COLUMN32(n->parent < 0 ? -1 : (int32_t)row[n->parent]);
    if (fields & BACKSTEP_F_EXTENTS) COLUMN(put_rect, n);
    COLUMN32(n->interfaces);
    COLUMN32(n->bus);
    COLUMN32(n->path);
    COLUMN32(n->name);
    COLUMN32(n->description);
    if (fields & BACKSTEP_F_ID) COLUMN32(n->id);
    if (fields & BACKSTEP_F_TEXT) COLUMN32(n->text);
    if (fields & BACKSTEP_F_TEXT) COLUMN(put_caret, n);
    if (fields & BACKSTEP_F_ACTIONS) COLUMN32(n->joined[0]);
    if (fields & BACKSTEP_F_ATTRIBUTES) COLUMN32(n->attributes);
    if (fields & BACKSTEP_F_SELECTION) COLUMN32(n->joined[1]);
    COLUMN32(n->children);
    COLUMN(put_u16, n->role);
    pad(out);
    bs_put(out, s->offsets, ((size_t)s->count + 1) * sizeof *s->offsets);
    pad(out);
    bs_put(out, s->arena.data, s->arena.length);
}

bool bs_columns_write(bs_tree *t, const bs_columns *c, bs_buf *out) {
    bs_intern(&t->strings, (bs_str){"", 0});
    uint32_t *memory = malloc(((size_t)t->count + 1) * 3 * sizeof *memory);
    if (!memory || t->strings.failed) {
        free(memory);
        return false;
    }
    uint32_t *order = memory, *row = memory + t->count, *stack = memory + 2 * (size_t)t->count;
    uint32_t rows = preorder(t, order, stack);
    for (uint32_t i = 0; i < rows; i++) row[order[i]] = i;
    write_columns(t, c, out, rows, order, row);
    free(memory);
    return !out->failed && !t->failed && !t->strings.failed;
}
