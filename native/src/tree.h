/* The nodes of a snapshot while it is being made, and their strings, each kept once. */
#ifndef BS_TREE_H
#define BS_TREE_H

#include "bytes.h"

#define BS_NONE 0xffffffffu

typedef struct bs_strings {
    bs_buf arena;
    uint32_t *offsets; /* count + 1 of them */
    uint32_t *table;   /* open addressing: number + 1, 0 = free */
    uint32_t count, capacity, table_size;
    bool failed;
} bs_strings;

void bs_strings_free(bs_strings *s);
uint32_t bs_intern(bs_strings *s, bs_str text); /* its number; on failure sets failed and answers 0, the empty string */
bs_str bs_string(const bs_strings *s, uint32_t number);
uint32_t bs_string_number(const bs_strings *s, bs_str text); /* or BS_NONE when it is not there */
bool bs_strings_copy(bs_strings *to, const bs_strings *from); /* the same strings under the same numbers; false: out of memory */

typedef struct bs_node {
    int32_t parent; /* node number, not row */
    uint32_t bus, path, name, description, id, text, attributes, relations, keys, text_style, native_role;
    uint32_t states[2], interfaces;
    int32_t children, rect[4], text_rect[4], caret[3];
    double value[4];
    uint32_t *actions;  /* string numbers; owned */
    int32_t *selected;  /* indices; owned */
    uint32_t action_count, selected_count;
    uint32_t like; /* its actions have the names that those of this node have: node number + 1; 0 = names of its own */
    uint32_t first_kid, kid_count; /* a run in the tree's kids; BS_NONE = not known (yet), or dropped */
    uint32_t waiting;   /* what the walk still needs before it can go on below this node */
    uint32_t joined[2]; /* string numbers of actions and selected children, while columns are written */
    uint16_t role, depth;
    bool dropped, has_selection, has_kids; /* has_kids: they were asked for, before its basics */
    bool expects; /* told a child of another process that has not said yet that it is one */
    bool again;   /* held, and silent: what it is and which children it has is asked again */
    bool in_full; /* of a silent mirror's snapshot: its name and states are asked, and those of what is inside */
    bool below, has_id, odd; /* of a mirror, see mirror.h: nothing under it is held; the id was answered; not proven */
} bs_node;

typedef struct bs_tree {
    bs_strings strings;
    bs_node *nodes;
    uint32_t count, capacity;
    uint32_t *kids;
    uint32_t kid_count, kid_capacity;
    uint32_t *seen; /* open addressing over bus and path: node number + 1 */
    uint32_t seen_size;
    bool failed;
} bs_tree;

void bs_tree_free(bs_tree *t);
/* A new node, or BS_NONE when bus and path are in the tree already (or memory is short: failed). */
uint32_t bs_tree_add(bs_tree *t, int32_t parent, uint32_t bus, uint32_t path);
/* The node of a bus and a path, or BS_NONE. */
uint32_t bs_tree_find(const bs_tree *t, uint32_t bus, uint32_t path);
/* The node of a path on the bus of its first node, or BS_NONE. */
uint32_t bs_tree_of(const bs_tree *t, bs_str path);
#define BS_TREE_MOST_COUNTED 64u
/* Are there more than so many nodes (fewer than BS_TREE_MOST_COUNTED) from a path on? */
bool bs_tree_has_more(const bs_tree *t, bs_str path, uint32_t than);
/* Room for n kids, all BS_NONE; false: failed. */
bool bs_tree_kids(bs_tree *t, uint32_t node, uint32_t n);

typedef struct bs_columns {
    uint32_t fields, cut, strategy, calls;
    bool direct, reached; /* straight to the application; children first, then its cache */
    bool from_mirror;
    uint32_t afresh, proven_ms, missed; /* as in the header's words 11, 12 and 15 */
    uint64_t generation;
} bs_columns;

/* columns.c: writes the reply of SNAPSHOT and READ from node 0 downwards, some rows at a time, into an empty buffer. The
 * tree and the columns must stay as they are meanwhile. */
typedef struct bs_writer bs_writer;
bs_writer *bs_columns_begin(bs_tree *t, const bs_columns *c); /* NULL: out of memory */
bool bs_columns_some(bs_writer *w, bs_buf *out, uint32_t most); /* so many steps; false: that was all */
bool bs_columns_end(bs_writer *w); /* frees it; false: NULL, or out of memory on the way */
bool bs_columns_write(bs_tree *t, const bs_columns *c, bs_buf *out); /* all at once; false: out of memory */
void bs_columns_same(const bs_columns *c, bs_buf *out); /* the header alone: what the caller holds is still right */

/* hash.c: of one row its subtree. From the last row up, into zeros: every child tells its parent before the parent is finished. */
void bs_hash_row(const bs_tree *t, uint32_t fields, uint32_t i, const uint32_t *order, const uint32_t *row, uint64_t *hashes);
uint64_t bs_hash_mix(uint64_t h, uint64_t word);
uint64_t bs_hash_text(bs_str text);

#endif
