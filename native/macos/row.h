/* One element as a row of a tree: what its messages answered. */
#ifndef BS_ROW_H
#define BS_ROW_H

#include "../src/tree.h"
#include "ask.h"
#include "job.h"
#include "roles.h"

/* What is read, and how. */
typedef struct bs_wish {
    uint32_t fields, coords, max_text;
    double origin[2];   /* of the window, where coords says so */
    bool exact;         /* READ: what can be set is asked, not guessed by role */
    bool brief, verify; /* READ: little */
    uint32_t cut;       /* what was left out: as in the header */
} bs_wish;

typedef struct bs_row {
    bs_role role;
    CFArrayRef basics;        /* the caller's to drop */
    CFTypeRef value[BS_BASIC_COUNT]; /* within it; NULL: it has none */
    CFArrayRef children;      /* within basics; NULL: none */
    double rect[4];           /* width < 0: unknown */
    bool opened;              /* a menu bar's item or popup that shows its menu */
    uint32_t title_element;   /* handle of what names it; 0: nothing */
    CFIndex units;            /* UTF-16, of a text that was read whole; 0: it has none, or was cut */
} bs_row;

/* The element is retained by whoever calls. False statuses: it could not be read, and the node is as it was. */
int bs_row_read(bs_job *job, bs_wish *wish, bs_tree *t, uint32_t node, AXUIElementRef element, uint32_t number, bs_row *row);
/* A place of the screen as a node's, rounded, within the window where that is wished for. */
void bs_row_place(int32_t to[4], const double rect[4], const bs_wish *wish);
/* Does it show within what clips it? clip: x, y, width, height; width < 0: nothing clips. */
void bs_row_shows(bs_node *n, const bs_row *row, const double clip[4], bool within_open);
void bs_path_text(uint32_t number, char to[16]); /* "/7" */
uint32_t bs_path_number(bs_str path, bool *root); /* 0 and not root: malformed */

#endif
