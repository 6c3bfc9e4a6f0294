/* Tables that make their cells when asked (a sheet of LibreOffice claims 2^31): only the cells that show are fetched, from
 * the one at the top left of the table's area to the one at its bottom right. */
#include "snapshot.h"

#define FAR (1 << 24) /* pixels; sums of what an application says must not overflow */

enum { FIRST, LAST }; /* the two corners; a task's index */

static bs_lazy *lazy_of(bs_snapshot *s, uint32_t node) {
    for (uint32_t i = 0; i < s->lazy_count; i++)
        if (s->lazy[i].node == node) return &s->lazy[i];
    return NULL;
}

bool bs_lazy_begin(bs_snapshot *s, uint32_t node) {
    const uint32_t needed = BACKSTEP_I_TABLE | BACKSTEP_I_COMPONENT;
    if ((bs_node_of(s, node)->interfaces & needed) != needed || s->lazy_count == BS_MAX_LAZY) return false;
    s->lazy[s->lazy_count++] = (bs_lazy){.node = node, .waiting = 1, .cell = {{-1, -1}, {-1, -1}}};
    bs_want(s, (bs_task){.node = node, .what = BS_ASK_AREA});
    return true;
}

// All that could be learnt of the corners is there: the cells between them, row by row.
static void want_cells(bs_snapshot *s, bs_lazy *l) {
    int32_t top = l->cell[FIRST][0], left = l->cell[FIRST][1], bottom = l->cell[LAST][0], right = l->cell[LAST][1];
    // A corner that is not what it seems must not become a million questions.
    if (top < 0 || left < 0 || bottom < top || right < left || right - left >= (int32_t)BS_MAX_KIDS) {
        bs_walk_first_kids(s, l->node);
        return;
    }
    l->width = (uint32_t)(right - left) + 1;
    uint32_t rows = (uint32_t)(bottom - top) + 1, most = BS_MAX_KIDS / l->width;
    if (rows > most) rows = most;
    if (!bs_tree_kids(&s->tree, l->node, rows * l->width)) return; // the tree says that it failed
    for (uint32_t i = 0; i < rows * l->width; i++) bs_want(s, (bs_task){.node = l->node, .what = BS_ASK_CELL, .index = i});
}

void bs_lazy_arguments(const bs_snapshot *s, const bs_task *task, int32_t at[2]) {
    const bs_lazy *l = lazy_of((bs_snapshot *)s, task->node);
    at[0] = at[1] = 0;
    for (unsigned k = 0; l && k < 2; k++) {
        if (task->what == BS_ASK_CORNER) at[k] = task->index == FIRST ? l->area[k] + 1 : l->area[k] + l->area[k + 2] - 2;
        else if (l->width) at[k] = l->cell[FIRST][k] + (int32_t)(k ? task->index % l->width : task->index / l->width);
    }
}

static bool area(bs_lazy *l, bs_in *body) {
    int32_t rect[4];
    bs_in_struct(body);
    for (unsigned k = 0; k < 4; k++) rect[k] = bs_in_i32(body);
    if (body->failed) return false;
    for (unsigned k = 0; k < 4; k++)
        if (rect[k] < -FAR || rect[k] > FAR) return false;
    for (unsigned k = 0; k < 4; k++) l->area[k] = rect[k];
    return true;
}

bool bs_lazy_answer(bs_snapshot *s, const bs_task *task, bs_in *body, int32_t number) {
    bs_lazy *l = lazy_of(s, task->node);
    if (!l || task->index > LAST) return false;
    bs_task next = {.node = task->node, .index = task->index};
    switch ((enum bs_ask)task->what) {
    case BS_ASK_AREA:
        if (!area(l, body) || l->area[2] < 4 || l->area[3] < 4) return true;
        l->waiting += 2;
        for (next.index = FIRST, next.what = BS_ASK_CORNER; next.index <= LAST; next.index++) bs_want(s, next);
        return true;
    case BS_ASK_CORNER: {
        bs_in_struct(body);
        bs_str bus = bs_in_str(body), path = bs_in_path(body);
        if (body->failed || !bs_bus_name_valid(bus)) return false;
        next.what = BS_ASK_CORNER_INDEX, next.bus = bs_intern(&s->tree.strings, bus), next.path = bs_intern(&s->tree.strings, path);
        l->waiting++;
        bs_want(s, next);
        return true;
    }
    case BS_ASK_CORNER_INDEX:
        if (number < 0) return true;
        l->corner[task->index] = number;
        l->waiting += 2;
        for (next.what = BS_ASK_CORNER_ROW; next.what <= BS_ASK_CORNER_COLUMN; next.what++) bs_want(s, next);
        return true;
    default: l->cell[task->index][task->what - BS_ASK_CORNER_ROW] = number; return true;
    }
}

int32_t bs_lazy_index(const bs_snapshot *s, const bs_task *task) {
    const bs_lazy *l = lazy_of((bs_snapshot *)s, task->node);
    return l ? l->corner[task->index] : 0;
}

void bs_lazy_answered(bs_snapshot *s, const bs_task *task) {
    bs_lazy *l = lazy_of(s, task->node);
    if (l && --l->waiting == 0) want_cells(s, l);
}
