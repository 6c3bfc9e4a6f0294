/* SNAPSHOT, READ, FIND_ROLE and PLACES: element by element, one message each for its basics, a second where its role has values. */
#include <stdio.h>
#include <stdlib.h>

#include "ask.h"
#include "cf.h"
#include "ops.h"
#include "row.h"

#define MOST_DEPTH 255u
#define MOST_KIDS 2000 /* of one list, table or outline */

/* An element that is still to be read. */
typedef struct todo {
    AXUIElementRef element; /* retained */
    uint32_t node, number;
    double clip[4];
    bool open;
} todo;

typedef struct walk {
    bs_job *job;
    bs_tree tree;
    bs_wish wish;
    uint32_t max_nodes, max_depth, bus;
    todo *stack;
    uint32_t depth, room;
    uint32_t *titles; /* of each node the handle of what names it */
    uint32_t title_room;
    bool failed;
} walk;

static void free_walk(walk *w) {
    while (w->depth) bs_cf_drop(w->stack[--w->depth].element);
    free(w->stack);
    free(w->titles);
    bs_tree_free(&w->tree);
}

static bool push(walk *w, todo t) {
    if (w->depth == w->room) {
        uint32_t room = w->room ? 2 * w->room : 256;
        todo *stack = realloc(w->stack, room * sizeof *stack);
        if (!stack) return false;
        w->stack = stack;
        w->room = room;
    }
    t.element = (AXUIElementRef)CFRetain(t.element);
    w->stack[w->depth++] = t;
    return true;
}

static uint32_t add(walk *w, int32_t parent, uint32_t number) {
    char path[16];
    bs_path_text(number, path);
    uint32_t text = bs_intern(&w->tree.strings, (bs_str){path, (uint32_t)__builtin_strlen(path)});
    return bs_tree_add(&w->tree, parent, w->bus, text);
}

static bool begin(walk *w, bs_job *job) {
    w->job = job;
    bs_intern(&w->tree.strings, (bs_str){"", 0});
    w->bus = bs_intern(&w->tree.strings, (bs_str){job->app->bus, (uint32_t)__builtin_strlen(job->app->bus)});
    return add(w, -1, job->number) == 0 && push(w, (todo){.element = job->element, .node = 0, .number = job->number, .clip = {0, 0, -1, -1}, .open = true});
}

static void intersect(double clip[4], const double with[4]) {
    if (clip[2] < 0) {
        for (unsigned i = 0; i < 4; i++) clip[i] = with[i];
        return;
    }
    double right = clip[0] + clip[2] < with[0] + with[2] ? clip[0] + clip[2] : with[0] + with[2], bottom = clip[1] + clip[3] < with[1] + with[3] ? clip[1] + clip[3] : with[1] + with[3];
    if (with[0] > clip[0]) clip[0] = with[0];
    if (with[1] > clip[1]) clip[1] = with[1];
    clip[2] = right > clip[0] ? right - clip[0] : 0;
    clip[3] = bottom > clip[1] ? bottom - clip[1] : 0;
}

/* What is below a row is clipped by this. */
static void clips(const bs_row *row, const bs_node *n, todo *t) {
    bool menu = n->role == 41;
    if (menu || row->role.traits & BS_T_WINDOW) t->clip[2] = -1;
    if (row->rect[2] >= 0 && row->role.traits & (BS_T_WINDOW | BS_T_CLIPS)) intersect(t->clip, row->rect);
    if (n->role == 33 || n->role == 35) t->open = t->open && row->opened; /* its menu is always there, open or not */
}

static bool descend(walk *w, uint32_t node, const bs_row *row, const todo *of) {
    if (!row->children) return true;
    const bs_node *n = &w->tree.nodes[node];
    CFIndex count = CFArrayGetCount(row->children);
    if (n->depth >= w->max_depth && count) {
        w->wish.cut |= 2;
        return true;
    }
    if (row->role.traits & BS_T_LISTS && count > MOST_KIDS) count = MOST_KIDS, w->wish.cut |= 8;
    if (count > (CFIndex)w->max_nodes) count = (CFIndex)w->max_nodes;
    todo below = *of;
    clips(row, n, &below);
    if (!bs_tree_kids(&w->tree, node, (uint32_t)count)) return false;
    uint32_t first = w->tree.nodes[node].first_kid, at = w->depth;
    for (CFIndex i = 0; i < count; i++) {
        CFTypeRef child = CFArrayGetValueAtIndex(row->children, i);
        if (!bs_is(child, AXUIElementGetTypeID())) continue;
        if (w->tree.count >= w->max_nodes) {
            w->wish.cut |= 1;
            break;
        }
        uint32_t number = bs_handle_of(&w->job->app->handles, child);
        uint32_t kid = number ? add(w, (int32_t)node, number) : BS_NONE;
        if (!number || w->tree.failed) return false;
        if (kid == BS_NONE) continue; /* it is in the tree already: a ring, or listed twice */
        w->tree.kids[first + (uint32_t)i] = kid;
        below.element = child;
        below.node = kid;
        below.number = number;
        if (!push(w, below)) return false;
    }
    /* The first child is read first. */
    for (uint32_t a = at, b = w->depth; b > at && a < --b; a++) {
        todo t = w->stack[a];
        w->stack[a] = w->stack[b];
        w->stack[b] = t;
    }
    return true;
}

static bool note_title(walk *w, uint32_t node, uint32_t title) {
    if (!title) return true;
    if (w->title_room < w->tree.capacity) {
        uint32_t *titles = realloc(w->titles, w->tree.capacity * sizeof *titles);
        if (!titles) return false;
        for (uint32_t i = w->title_room; i < w->tree.capacity; i++) titles[i] = 0;
        w->titles = titles;
        w->title_room = w->tree.capacity;
    }
    w->titles[node] = title;
    return true;
}

/* What a label outside of the tree says. */
static int ask_title(walk *w, uint32_t number, uint32_t *name) {
    AXUIElementRef element = bs_handle_take(&w->job->app->handles, number);
    if (!element) return BACKSTEP_OK;
    bs_tree t = {0};
    bs_wish wish = {.max_text = 1};
    bs_row row = {0};
    bs_intern(&t.strings, (bs_str){"", 0});
    int status = bs_tree_add(&t, -1, 0, 0) == 0 ? bs_row_read(w->job, &wish, &t, 0, element, number, &row) : BACKSTEP_E_MEMORY;
    if (!status) *name = bs_intern(&w->tree.strings, bs_string(&t.strings, t.nodes[0].name));
    bs_cf_drop(row.basics);
    bs_cf_drop(element);
    bs_tree_free(&t);
    return status == BACKSTEP_E_TIMEOUT_UNKNOWN || status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_CANCELLED_UNKNOWN ? status : BACKSTEP_OK;
}

/* "2:/7": labelled by (AtspiRelationType), the one relation that its first message tells. */
static void relate(walk *w, uint32_t node) {
    char path[16], text[20];
    bs_path_text(w->titles[node], path);
    snprintf(text, sizeof text, "2:%s", path);
    w->tree.nodes[node].relations = bs_intern(&w->tree.strings, (bs_str){text, (uint32_t)__builtin_strlen(text)});
}

/* What has no title of its own is called what its label says. */
static int name_by_titles(walk *w) {
    int status = BACKSTEP_OK;
    for (uint32_t i = 0; i < w->tree.count && i < w->title_room && !status; i++) {
        if (!w->titles[i]) continue;
        if (w->wish.fields & BACKSTEP_F_RELATIONS) relate(w, i);
        if (w->tree.nodes[i].name) continue;
        char path[16];
        bs_path_text(w->titles[i], path);
        uint32_t text = bs_string_number(&w->tree.strings, (bs_str){path, (uint32_t)__builtin_strlen(path)});
        uint32_t title = text == BS_NONE ? BS_NONE : bs_tree_find(&w->tree, w->bus, text);
        if (title != BS_NONE) w->tree.nodes[i].name = w->tree.nodes[title].name;
        else status = ask_title(w, w->titles[i], &w->tree.nodes[i].name);
    }
    return status;
}

/* Reads one of the stack. A status ends it all; an element that is gone meanwhile is left out. */
static int step(walk *w, bool kids, uint16_t *role) {
    todo t = w->stack[--w->depth];
    bs_row row;
    int status = bs_row_read(w->job, &w->wish, &w->tree, t.node, t.element, t.number, &row);
    bs_cf_drop(t.element);
    if (status) {
        bool lost = status == BACKSTEP_E_NO_ELEMENT || status == BACKSTEP_E_APP_ERROR || status == BACKSTEP_E_UNSUPPORTED || status == BACKSTEP_E_PROTOCOL;
        if (!t.node || !lost) return status;
        w->tree.nodes[t.node].dropped = true;
        if (status == BACKSTEP_E_NO_ELEMENT) bs_handle_gone(&w->job->app->handles, t.number);
        return BACKSTEP_OK;
    }
    *role = w->tree.nodes[t.node].role;
    bs_row_shows(&w->tree.nodes[t.node], &row, t.clip, t.open);
    bool well = note_title(w, t.node, row.title_element) && (!kids || descend(w, t.node, &row, &t)) && !w->tree.failed;
    bs_cf_drop(row.basics);
    return well ? BACKSTEP_OK : bs_job_fail(w->job, BACKSTEP_E_MEMORY, "out of memory");
}

/* Of a window, for who wants places within it. */
static int window_origin(bs_job *job, bs_wish *wish) {
    if (!wish->coords) return BACKSTEP_OK;
    CFTypeRef window = NULL;
    int status = bs_ask_one(job, job->element, bs_name()->attribute[AX_Window], &window);
    AXUIElementRef of = !status && bs_is(window, AXUIElementGetTypeID()) ? window : job->element;
    CFArrayRef got;
    if (!bs_ask_many(job, of, bs_name()->places, &got)) {
        bs_cf_point(bs_cf_at(got, P_POSITION), &wish->origin[0], &wish->origin[1]);
        bs_cf_drop(got);
    }
    bs_cf_drop(window);
    return BACKSTEP_OK;
}

static int write(walk *w) {
    bs_job *job = w->job;
    bs_columns c = {.fields = w->wish.fields, .cut = w->wish.cut, .strategy = BACKSTEP_S_WALK, .calls = job->calls, .direct = true};
    bs_buf_clear(&job->reply);
    return bs_columns_write(&w->tree, &c, &job->reply) ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
}

int bs_op_snapshot(bs_job *job) {
    enum { KNOWN = BACKSTEP_F_ALL | BACKSTEP_F_HASH | BACKSTEP_F_RELATIONS | BACKSTEP_F_TEXT_RECT | BACKSTEP_F_KEYS | BACKSTEP_F_TEXT_STYLE | BACKSTEP_F_NATIVE_ROLE };
    bs_reader *r = &job->request;
    bool read = job->code == BACKSTEP_OP_READ;
    walk w = {0};
    w.wish.fields = read ? BACKSTEP_F_ALL | BACKSTEP_F_NATIVE_ROLE : bs_get_u32(r);
    w.wish.coords = bs_get_u32(r);
    w.max_nodes = read ? 1 : bs_get_u32(r);
    w.max_depth = read ? 0 : bs_get_u32(r);
    w.wish.max_text = bs_get_u32(r);
    bool more = r->at < r->length && !r->failed;
    uint32_t much = read && more ? bs_get_u32(r) : 0, source = !read && more ? bs_get_u32(r) : 0;
    if (!read && more) bs_get_u64(r);
    if (bs_job_malformed(job) || w.wish.fields & ~(uint32_t)KNOWN || w.wish.coords > 1 || source > 4 || much > 3) return bs_job_fail(job, BACKSTEP_E_INVALID, "the request is too short, or asks for unknown fields or coordinates");
    if (much == 3) w.wish.fields &= ~(uint32_t)BACKSTEP_F_SELECTION;
    w.wish.brief = much == 1, w.wish.verify = much == 2;
    if (w.wish.brief || w.wish.verify) w.wish.fields = BACKSTEP_F_ID | BACKSTEP_F_NATIVE_ROLE | (w.wish.verify ? BACKSTEP_F_EXTENTS : 0);
    w.wish.exact = read;
    if (!read && (!w.max_nodes || w.max_nodes > 1000000)) w.max_nodes = w.max_nodes ? 1000000 : 100000;
    if (!read && (!w.max_depth || w.max_depth > MOST_DEPTH)) w.max_depth = MOST_DEPTH;
    if (w.max_nodes == 1 && !read) w.max_depth = 0;
    int status = begin(&w, job) ? window_origin(job, &w.wish) : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    uint16_t role;
    while (!status && w.depth) status = step(&w, !read, &role);
    if (!status) status = name_by_titles(&w);
    if (!status) status = write(&w);
    free_walk(&w);
    return status;
}

/* FIND_ROLE ends with the first element that has one of the roles; ROLES names all of them. */
int bs_op_find_role(bs_job *job) {
    bs_reader *r = &job->request;
    bool all = job->code == BACKSTEP_OP_ROLES;
    uint32_t n = bs_get_u32(r), wanted[64], count = 0;
    for (uint32_t i = 0; i < n && i < 64; i++) wanted[i] = bs_get_u32(r);
    if (n > 64 || bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "the request names no roles, or too many");
    walk w = {.max_nodes = 100000, .max_depth = MOST_DEPTH};
    int status = begin(&w, job) ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    uint32_t found = BS_NONE;
    bs_buf list = {0};
    while (!status && w.depth && (all || found == BS_NONE)) {
        uint32_t node = w.stack[w.depth - 1].node;
        uint16_t role = 0;
        status = step(&w, true, &role);
        bool matches = false;
        for (uint32_t i = 0; i < n && !status && !w.tree.nodes[node].dropped; i++) matches |= wanted[i] == role;
        if (matches) found = node;
        if (!matches || !all || !node) continue; /* below the element, not itself */
        bs_str path = bs_string(&w.tree.strings, w.tree.nodes[node].path);
        bs_put_cstr(&list, job->app->bus);
        bs_put_str(&list, path.text, path.length);
        count++;
    }
    if (!status && all) {
        bs_buf_clear(&job->reply);
        bs_put_u32(&job->reply, count);
        if (list.length) bs_put(&job->reply, list.data, list.length);
        if (list.failed || job->reply.failed) status = bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    }
    bs_buf_free(&list);
    if (!status && !all) {
        bs_str path = found == BS_NONE ? (bs_str){"", 0} : bs_string(&w.tree.strings, w.tree.nodes[found].path);
        bs_buf_clear(&job->reply);
        bs_put_cstr(&job->reply, found == BS_NONE ? "" : job->app->bus);
        bs_put_str(&job->reply, path.text, path.length);
        bs_put_u32(&job->reply, job->calls);
        bs_put_u32(&job->reply, w.wish.cut);
    }
    free_walk(&w);
    return status;
}

/* One element's place and states; what is gone is told as that. */
static int put_place(bs_job *job, bs_wish *wish, bs_str path, bs_buf *out) {
    bool root;
    uint32_t number = bs_path_number(path, &root);
    AXUIElementRef element = root ? (AXUIElementRef)CFRetain(job->app->element) : bs_handle_take(&job->app->handles, number);
    bs_tree t = {0};
    bs_intern(&t.strings, (bs_str){"", 0});
    int status = bs_tree_add(&t, -1, 0, 0) == 0 ? BACKSTEP_OK : BACKSTEP_E_MEMORY;
    bs_row row = {0};
    bool there = false;
    if (element && !status) {
        status = bs_row_read(job, wish, &t, 0, element, number, &row);
        there = !status;
        if (there) bs_row_shows(&t.nodes[0], &row, (const double[4]){0, 0, -1, -1}, true);
        if (status == BACKSTEP_E_NO_ELEMENT && number) bs_handle_gone(&job->app->handles, number);
        if (status == BACKSTEP_E_NO_ELEMENT || status == BACKSTEP_E_APP_ERROR || status == BACKSTEP_E_UNSUPPORTED) status = BACKSTEP_OK;
    }
    bs_cf_drop(element);
    bs_cf_drop(row.basics);
    static const bs_node none = {.rect = {0, 0, -1, -1}};
    const bs_node *n = there ? &t.nodes[0] : &none;
    for (unsigned i = 0; i < 4; i++) bs_put_i32(out, n->rect[i]);
    bs_put_u32(out, there);
    bs_put_u32(out, n->states[0]);
    bs_put_u32(out, n->states[1]);
    bs_tree_free(&t);
    return status;
}

int bs_op_places(bs_job *job) {
    bs_reader *r = &job->request;
    bs_wish wish = {.fields = BACKSTEP_F_EXTENTS, .coords = bs_get_u32(r), .max_text = 1};
    uint32_t n = bs_get_u32(r);
    if (r->failed || n > 4096 || wish.coords > 1) return bs_job_fail(job, BACKSTEP_E_INVALID, "the request names too many elements, or unknown coordinates");
    int status = window_origin(job, &wish);
    bs_buf out = {0};
    bs_put_u32(&out, n);
    for (uint32_t i = 0; i < n && !status; i++) {
        bs_str path = bs_get_str(r);
        if (r->failed) status = bs_job_fail(job, BACKSTEP_E_INVALID, "the request is too short");
        else status = put_place(job, &wish, path, &out);
    }
    if (!status && bs_job_malformed(job)) status = bs_job_fail(job, BACKSTEP_E_INVALID, "the request is too long");
    bs_buf_free(&job->reply);
    job->reply = out;
    return status;
}
