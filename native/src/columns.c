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

// macOS has names of several lines.
static void put_escaped(bs_buf *b, bs_str name) {
    for (uint32_t i = 0; i < name.length; i++) {
        char c = name.text[i];
        if (c == '\n' || c == '\\') bs_put_u8(b, '\\');
        bs_put_u8(b, (uint8_t)(c == '\n' ? 'n' : c));
    }
}

static uint32_t joined_actions(bs_tree *t, const bs_node *n) {
    bs_buf b = {0};
    if (n->like) n = &t->nodes[n->like - 1];
    for (uint32_t i = 0; i < n->action_count; i++) {
        bs_str name = bs_string(&t->strings, n->actions[i]);
        if (i) bs_put_u8(&b, '\n');
        put_escaped(&b, name);
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

/* In the order of the header's list. Those of a field are there when it was asked for. */
enum { VALUE, HASH, STATES, PARENT, RECT, INTERFACES, BUS, PATH, NAME, DESCRIPTION, ID, TEXT, CARET, ACTIONS, ATTRIBUTES, SELECTION, RELATIONS, KEYS, TEXT_STYLE, NATIVE_ROLE, TEXT_RECT, CHILDREN, ROLE, COLUMNS };

static const struct { uint32_t field, width; } columns[COLUMNS] = {
    [VALUE] = {BACKSTEP_F_VALUE, 32}, [HASH] = {BACKSTEP_F_HASH, 8}, [STATES] = {0, 8}, [PARENT] = {0, 4}, [RECT] = {BACKSTEP_F_EXTENTS, 16},
    [INTERFACES] = {0, 4}, [BUS] = {0, 4}, [PATH] = {0, 4}, [NAME] = {0, 4}, [DESCRIPTION] = {0, 4}, [ID] = {BACKSTEP_F_ID, 4},
    [TEXT] = {BACKSTEP_F_TEXT, 4}, [CARET] = {BACKSTEP_F_CARET, 12}, [ACTIONS] = {BACKSTEP_F_ACTIONS, 4}, [ATTRIBUTES] = {BACKSTEP_F_ATTRIBUTES, 4},
    [SELECTION] = {BACKSTEP_F_SELECTION, 4}, [RELATIONS] = {BACKSTEP_F_RELATIONS, 4}, [KEYS] = {BACKSTEP_F_KEYS, 4}, [TEXT_STYLE] = {BACKSTEP_F_TEXT_STYLE, 4}, [NATIVE_ROLE] = {BACKSTEP_F_NATIVE_ROLE, 4}, [TEXT_RECT] = {BACKSTEP_F_TEXT_RECT, 16}, [CHILDREN] = {0, 4}, [ROLE] = {0, 2},
};

enum { JOIN, HASHES, LAY_OUT, ROWS, STRINGS, DONE };

struct bs_writer {
    bs_tree *t;
    const bs_columns *c;
    uint32_t *order, *row; /* of each row its node, and the other way round */
    uint64_t *hashes;
    uint32_t rows, stage, at;
    size_t start[COLUMNS]; /* where each column begins; 0: it is not there */
    size_t strings;        /* where their offsets begin */
    bool failed;
};

static size_t aligned(size_t n) { return (n + 7) & ~(size_t)7; }

static void put_head(const bs_columns *c, uint32_t rows, const bs_strings *s, bs_buf *out) {
    uint32_t head[16] = {BACKSTEP_SNAPSHOT_MAGIC, 1, rows, c->fields, c->cut, c->strategy, c->calls, s->count, (uint32_t)s->arena.length, c->direct,
                         c->from_mirror, c->afresh, c->proven_ms, (uint32_t)c->generation, (uint32_t)(c->generation >> 32), c->missed};
    for (unsigned i = 0; i < 16; i++) bs_put_u32(out, head[i]);
}

void bs_columns_same(const bs_columns *c, bs_buf *out) {
    static const bs_strings none;
    put_head(c, 0, &none, out);
}

// Joined strings come first: they add to the string table, whose size stands in the header.
static void join(bs_writer *w, uint32_t i) {
    bs_node *n = &w->t->nodes[w->order[i]];
    n->joined[0] = w->c->fields & BACKSTEP_F_ACTIONS ? joined_actions(w->t, n) : 0;
    n->joined[1] = w->c->fields & BACKSTEP_F_SELECTION ? joined_selected(w->t, n) : 0;
}

// Room for everything; what lies between two columns is zero.
static void lay_out(bs_writer *w, bs_buf *out) {
    const bs_strings *s = &w->t->strings;
    put_head(w->c, w->rows, s, out);
    size_t at = out->length, gaps[COLUMNS + 1] = {0};
    for (unsigned k = 0; k < COLUMNS; k++) {
        if (columns[k].field && !(w->c->fields & columns[k].field)) continue;
        w->start[k] = at;
        at += (size_t)w->rows * columns[k].width;
        gaps[k] = at;
        at = aligned(at);
    }
    w->strings = at;
    at += ((size_t)s->count + 1) * sizeof *s->offsets;
    gaps[COLUMNS] = at;
    at = aligned(at) + s->arena.length;
    if (out->failed || !bs_buf_reserve(out, at - out->length)) {
        w->failed = true;
        return;
    }
    for (unsigned k = 0; k <= COLUMNS; k++)
        if (gaps[k]) memset(out->data + gaps[k], 0, aligned(gaps[k]) - gaps[k]);
}

// As bytes.c, for little-endian machines.
static void put(const bs_writer *w, bs_buf *out, unsigned column, uint32_t i, const void *cell) {
    uint32_t width = columns[column].width;
    if (w->start[column]) memcpy(out->data + w->start[column] + (size_t)i * width, cell, width);
}

// All columns of one row: the nodes, which are large, are gone through once.
static void put_row(bs_writer *w, bs_buf *out, uint32_t i) {
    const bs_node *n = &w->t->nodes[w->order[i]];
    uint32_t parent = n->parent < 0 ? BS_NONE : w->row[n->parent];
    put(w, out, VALUE, i, n->value);
    if (w->hashes) put(w, out, HASH, i, &w->hashes[i]);
    put(w, out, STATES, i, n->states);
    put(w, out, PARENT, i, &parent);
    put(w, out, RECT, i, n->rect);
    put(w, out, INTERFACES, i, &n->interfaces);
    put(w, out, BUS, i, &n->bus);
    put(w, out, PATH, i, &n->path);
    put(w, out, NAME, i, &n->name);
    put(w, out, DESCRIPTION, i, &n->description);
    put(w, out, ID, i, &n->id);
    put(w, out, TEXT, i, &n->text);
    put(w, out, CARET, i, n->caret);
    put(w, out, ACTIONS, i, &n->joined[0]);
    put(w, out, ATTRIBUTES, i, &n->attributes);
    put(w, out, SELECTION, i, &n->joined[1]);
    put(w, out, RELATIONS, i, &n->relations);
    put(w, out, KEYS, i, &n->keys);
    put(w, out, TEXT_STYLE, i, &n->text_style);
    put(w, out, NATIVE_ROLE, i, &n->native_role);
    put(w, out, TEXT_RECT, i, n->text_rect);
    put(w, out, CHILDREN, i, &n->children);
    put(w, out, ROLE, i, &n->role);
}

static void put_strings(const bs_writer *w, bs_buf *out) {
    const bs_strings *s = &w->t->strings;
    size_t size = ((size_t)s->count + 1) * sizeof *s->offsets;
    memcpy(out->data + w->strings, s->offsets, size);
    if (s->arena.length) memcpy(out->data + aligned(w->strings + size), s->arena.data, s->arena.length);
}

bs_writer *bs_columns_begin(bs_tree *t, const bs_columns *c) {
    bs_intern(&t->strings, (bs_str){"", 0});
    bs_writer *w = calloc(1, sizeof *w);
    if (!w || t->strings.failed) {
        free(w);
        return NULL;
    }
    *w = (bs_writer){.t = t, .c = c, .order = malloc(((size_t)t->count + 1) * 3 * sizeof *w->order)};
    if (!w->order) {
        free(w);
        return NULL;
    }
    w->row = w->order + t->count;
    w->rows = preorder(t, w->order, w->order + 2 * (size_t)t->count);
    for (uint32_t i = 0; i < w->rows; i++) w->row[w->order[i]] = i;
    if (c->fields & BACKSTEP_F_HASH) w->failed = !(w->hashes = calloc((size_t)w->rows + 1, sizeof *w->hashes));
    return w;
}

bool bs_columns_some(bs_writer *w, bs_buf *out, uint32_t most) {
    bool joins = w->c->fields & (BACKSTEP_F_ACTIONS | BACKSTEP_F_SELECTION);
    while (most && w->stage < DONE && !w->failed) {
        bool all = w->at == w->rows || (w->stage == JOIN && !joins) || (w->stage == HASHES && !w->hashes);
        uint32_t i = w->at;
        if (w->stage == LAY_OUT || w->stage == STRINGS) {
            if (w->t->failed || w->t->strings.failed) w->failed = true;
            else if (w->stage == LAY_OUT) lay_out(w, out);
            else put_strings(w, out);
            w->stage++, w->at = 0;
            return w->stage < DONE && !w->failed; // each takes as long as some rows
        }
        if (all) {
            w->stage++, w->at = 0;
            continue;
        }
        if (w->stage == JOIN) join(w, i);
        else if (w->stage == HASHES) bs_hash_row(w->t, w->c->fields, w->rows - 1 - i, w->order, w->row, w->hashes);
        else put_row(w, out, i);
        w->at++, most--;
    }
    return w->stage < DONE && !w->failed;
}

bool bs_columns_end(bs_writer *w) {
    if (!w) return false;
    bool whole = w->stage == DONE && !w->failed;
    free(w->order);
    free(w->hashes);
    free(w);
    return whole;
}

bool bs_columns_write(bs_tree *t, const bs_columns *c, bs_buf *out) {
    bs_writer *w = bs_columns_begin(t, c);
    while (w && bs_columns_some(w, out, UINT32_MAX)) continue;
    return bs_columns_end(w) && !out->failed;
}
