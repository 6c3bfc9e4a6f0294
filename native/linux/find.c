/*
 * FIND_ROLE: the first element in preorder that has one of some roles, without reading the rest of the tree. The cache
 * answers what it can; what lies before the match and is not in it is asked for, a few calls ahead.
 */
#include <stdlib.h>

#include "snapshot.h"

#define AHEAD 32u      /* calls in flight: each may prove to lie behind the match */
#define MAX_ROLES 64u
#define MAX_NODES 200000u

/* Of a node, in `waiting`. */
enum { ROLE_ASKED = 1, ROLE_KNOWN = 2, COUNT_ASKED = 4, COUNT_KNOWN = 8, KIDS_ASKED = 16, KIDS_KNOWN = 32, STATES_ASKED = 64, STATES_KNOWN = 128, SEEDED = 256 };
enum { ASK_ROLE, ASK_COUNT, ASK_STATES, ASK_KIDS, ASKS }; /* a tag is node * ASKS + what, behind BS_TAGS */

typedef struct find {
    bs_tree tree;
    bs_seeds *seeds;
    bs_reading reading;
    uint64_t roles[2];
    uint32_t calls, cut, bulk; /* bulk: answers of the cache and the probe still out */
    bool counts; /* who may claim two thousand million children is asked how many first */
    uint32_t *stack;
    uint32_t stack_size;
} find;

static void free_find(void *state) {
    find *f = state;
    bs_tree_free(&f->tree);
    bs_seeds_free(&f->seeds);
    bs_reading_free(&f->reading);
    free(f->stack);
    free(f);
}

static bool wanted(const find *f, const bs_node *n) { return n->role < 128 && f->roles[n->role >> 6] >> (n->role & 63) & 1; }

static void ask(bs_op *op, uint32_t node, uint32_t what) {
    static const struct { const char *member; uint32_t asked; } calls[ASKS] = {
        [ASK_ROLE] = {"GetRole", ROLE_ASKED}, [ASK_COUNT] = {NULL, COUNT_ASKED},
        [ASK_STATES] = {"GetState", STATES_ASKED}, [ASK_KIDS] = {"GetChildren", KIDS_ASKED},
    };
    find *f = op->state;
    bs_node *n = &f->tree.nodes[node];
    if (n->waiting & calls[what].asked) return;
    n->waiting |= calls[what].asked;
    f->calls++;
    bs_target to = {bs_string(&f->tree.strings, n->bus), bs_string(&f->tree.strings, n->path)};
    bs_bus *way = op->via && n->bus == f->tree.nodes[0].bus ? op->via : op->link->bus;
    bs_out *o = bs_bus_begin(way, to, calls[what].member ? BS_ACCESSIBLE : "org.freedesktop.DBus.Properties",
                             calls[what].member ? calls[what].member : "Get", calls[what].member ? "" : "ss");
    if (!calls[what].member) {
        bs_out_cstr(o, BS_ACCESSIBLE);
        bs_out_cstr(o, "ChildCount");
    }
    bs_bus_send(way, &op->caller, BS_TAGS + node * ASKS + what, BS_NO_DEADLINE);
}

static uint32_t add(find *f, uint32_t parent, bs_str bus, bs_str path) {
    if (!bs_unique_name_valid(bus) || bs_str_is(path, "/org/a11y/atspi/null")) return BS_NONE;
    if (f->tree.count >= MAX_NODES) {
        f->cut |= BS_CUT_NODES;
        return BS_NONE;
    }
    return bs_tree_add(&f->tree, (int32_t)parent, bs_intern(&f->tree.strings, bus), bs_intern(&f->tree.strings, path));
}

// What the cache knows: the role, and the kids where it has all of them. The top's kids are always asked for.
static void seed(find *f, uint32_t node) {
    f->tree.nodes[node].waiting |= SEEDED;
    if (!f->seeds || !node) return;
    bs_strings *own = &f->tree.strings;
    const bs_node *told = bs_seed_find(f->seeds, bs_string(own, f->tree.nodes[node].bus), bs_string(own, f->tree.nodes[node].path));
    if (!told) return;
    bs_node *n = &f->tree.nodes[node];
    n->role = told->role;
    n->children = told->children;
    n->states[0] = told->states[0];
    n->waiting |= ROLE_KNOWN | STATES_KNOWN | (told->children >= 0 ? COUNT_KNOWN : 0);
    if (!told->kid_count || (!f->counts && bs_seed_pages(f->seeds, told)) || !bs_tree_kids(&f->tree, node, told->kid_count)) return;
    for (uint32_t i = 0; i < told->kid_count; i++) {
        const bs_node *kid = &f->seeds->nodes[f->seeds->kids[told->first_kid + i]];
        uint32_t at = add(f, node, bs_string(&f->seeds->strings, kid->bus), bs_string(&f->seeds->strings, kid->path));
        f->tree.kids[f->tree.nodes[node].first_kid + i] = at;
    }
    f->tree.nodes[node].waiting |= KIDS_KNOWN;
}

// False: its kids are not known yet.
static bool kids_ready(bs_op *op, uint32_t node) {
    find *f = op->state;
    const bs_node *n = &f->tree.nodes[node];
    if (n->waiting & (KIDS_KNOWN | KIDS_ASKED)) return n->waiting & KIDS_KNOWN;
    if (f->counts && (n->waiting & (COUNT_KNOWN | STATES_KNOWN)) != (COUNT_KNOWN | STATES_KNOWN)) {
        if (!(n->waiting & COUNT_KNOWN)) ask(op, node, ASK_COUNT);
        if (!(n->waiting & STATES_KNOWN)) ask(op, node, ASK_STATES);
        return false;
    }
    if (n->waiting & COUNT_KNOWN && n->children == 0) return true;
    bool manages = n->states[0] >> BS_STATE_MANAGES_DESCENDANTS & 1;
    if (f->counts && (n->children > (manages ? BS_MAX_KIDS : (int32_t)MAX_NODES) || (manages && n->children < 0))) {
        f->cut |= BS_CUT_KIDS;
        return true;
    }
    ask(op, node, ASK_KIDS);
    return false;
}

static bool push(find *f, uint32_t *depth, uint32_t node) {
    if (*depth == f->stack_size) {
        uint32_t size = f->stack_size ? f->stack_size * 2 : 256;
        uint32_t *stack = realloc(f->stack, size * sizeof *stack);
        if (!stack) return f->tree.failed = true, false;
        f->stack = stack;
        f->stack_size = size;
    }
    f->stack[(*depth)++] = node;
    return true;
}

static void finish(bs_op *op, uint32_t node) {
    find *f = op->state;
    const bs_node *n = node == BS_NONE ? NULL : &f->tree.nodes[node];
    bs_str none = {"", 0}, bus = n ? bs_string(&f->tree.strings, n->bus) : none, path = n ? bs_string(&f->tree.strings, n->path) : none;
    bs_put_str(&op->reply, bus.text, bus.length);
    bs_put_str(&op->reply, path.text, path.length);
    bs_put_u32(&op->reply, f->calls);
    bs_put_u32(&op->reply, f->cut);
    for (uint32_t i = 0; i < f->tree.count; i++) {
        n = &f->tree.nodes[i];
        bs_secret_role(&op->link->secrets, bs_string(&f->tree.strings, n->bus), bs_string(&f->tree.strings, n->path), n->role);
    }
    bs_op_finish(op, BACKSTEP_OK);
}

// Goes through what is known in preorder, asks for what is missing on the way, ends where nothing is missing before a match.
static void step(bs_op *op) {
    find *f = op->state;
    uint32_t depth = 0, match = BS_NONE, fresh = 0;
    bool open = false; // something before is not known yet
    op->work = NULL;
    push(f, &depth, 0);
    while (depth && match == BS_NONE && op->caller.in_flight < AHEAD && !f->tree.failed && !f->tree.strings.failed) {
        uint32_t at = f->stack[--depth];
        if (!(f->tree.nodes[at].waiting & SEEDED)) {
            if (fresh++ == BS_AT_ONCE) {
                op->work = step; // the others first
                return;
            }
            seed(f, at);
        }
        if (f->tree.nodes[at].dropped) continue;
        if (!(f->tree.nodes[at].waiting & ROLE_KNOWN)) {
            ask(op, at, ASK_ROLE);
            open = true;
        } else if (wanted(f, &f->tree.nodes[at])) {
            match = at;
            break;
        }
        if (!kids_ready(op, at)) open = true;
        const bs_node *n = &f->tree.nodes[at];
        for (uint32_t i = n->kid_count; i-- > 0;)
            if (f->tree.kids[n->first_kid + i] != BS_NONE && !push(f, &depth, f->tree.kids[n->first_kid + i])) break;
    }
    if (f->tree.failed || f->tree.strings.failed) bs_op_fail_answer(op, BACKSTEP_E_MEMORY, NULL);
    else if (match != BS_NONE && !open) finish(op, match);
    else if (!depth && !open) finish(op, BS_NONE);
}

static bool read_kids(find *f, uint32_t node, bs_in *body) {
    bs_in count = *body;
    uint32_t n = 0;
    size_t end = bs_in_array(&count, 8);
    for (; bs_in_more(&count, end); n++) bs_in_skip(&count, bs_cstr("(so)"));
    if (count.failed || !bs_tree_kids(&f->tree, node, n)) return false;
    bs_in_array(body, 8);
    for (uint32_t i = 0; i < n; i++) {
        bs_in_struct(body);
        bs_str bus = bs_in_str(body), path = bs_in_path(body);
        uint32_t kid = add(f, node, bus, path);
        f->tree.kids[f->tree.nodes[node].first_kid + i] = kid;
    }
    return true;
}

static void learn(find *f, uint32_t node, uint32_t what, bs_msg *reply) {
    bs_node *n = &f->tree.nodes[node];
    static const uint32_t known[ASKS] = {ROLE_KNOWN, COUNT_KNOWN, STATES_KNOWN, KIDS_KNOWN};
    n->waiting |= known[what];
    if (what == ASK_ROLE && reply && bs_signature_is(reply, "u")) n->role = (uint16_t)bs_in_u32(&reply->body);
    else if (what == ASK_ROLE) n->dropped = true; // no object answers its role with an error, except one that is not there
    if (what == ASK_COUNT && reply && bs_signature_is(reply, "v") && bs_in_variant(&reply->body, "i")) n->children = bs_in_i32(&reply->body);
    if (what == ASK_STATES && reply && bs_signature_is(reply, "au")) {
        size_t end = bs_in_array(&reply->body, 4);
        if (bs_in_more(&reply->body, end)) n->states[0] = bs_in_u32(&reply->body);
    }
    if (what == ASK_KIDS && reply && bs_signature_is(reply, "a(so)")) read_kids(f, node, &reply->body);
}

static void read_on(bs_op *op) {
    find *f = op->state;
    if (bs_reading_some(&f->reading, BS_AT_ONCE)) return;
    op->work = NULL;
    f->seeds = f->reading.seeds;
    f->reading.seeds = NULL;
    if (--f->bulk == 0) step(op);
}

static void bulk_answered(bs_op *op, uint32_t tag, bs_msg *reply) {
    find *f = op->state;
    if (tag == BS_TAG_CACHE && reply && bs_reading_later(&f->reading, reply)) {
        op->work = read_on;
        return;
    }
    f->bulk--;
    if (tag == BS_TAG_CACHE) {
        if (reply && bs_cache_is(reply)) f->seeds = bs_cache_read(&reply->body);
        return;
    }
    bs_peer *p = bs_peer_of(op->link, op->to.bus);
    if (!p) {
        f->tree.failed = true;
        return;
    }
    bs_peer_probed(op->link, p, tag - BS_TAG_PROBE, reply);
    if (tag != BS_TAG_PROBE + BS_PROBE_CALLS - 1) return; // they are answered in their order
    p->probed = true;
    // What is left takes a call or two: the straight connection, which has yet to be let in, is for those who come later.
    f->counts = p->toolkit != BS_TOOLKIT_GTK4;
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    find *f = op->state;
    uint32_t node = tag < BS_TAGS ? 0 : (tag - BS_TAGS) / ASKS, what = tag < BS_TAGS ? 0 : (tag - BS_TAGS) % ASKS;
    bool own = f->tree.nodes[node].bus == f->tree.nodes[0].bus;
    if (status == BACKSTEP_E_BUS && !bs_bus_broken(op->link->bus) && tag >= BS_TAGS) {
        // The straight connection broke: the same over the bus.
        static const uint32_t asked[ASKS] = {ROLE_ASKED, COUNT_ASKED, STATES_ASKED, KIDS_ASKED};
        f->tree.nodes[node].waiting &= ~asked[what];
        ask(op, node, what);
        return;
    }
    bool lost = (status == BACKSTEP_E_BUS && bs_bus_broken(op->link->bus)) || (status == BACKSTEP_E_APP_GONE && own) || (status == BACKSTEP_E_MEMORY && tag >= BS_TAGS);
    if (lost || (status != BACKSTEP_OK && tag >= BS_TAGS && node == 0 && what == ASK_ROLE)) {
        bs_op_fail_answer(op, lost || status == BACKSTEP_E_APP_ERROR ? status : BACKSTEP_E_NO_ELEMENT, reply);
        return;
    }
    if (tag < BS_TAGS) bulk_answered(op, tag, status == BACKSTEP_OK ? reply : NULL);
    else learn(f, node, what, status == BACKSTEP_OK ? reply : NULL);
    if (!f->bulk && op->caller.in_flight < AHEAD / 2) step(op);
}

void bs_find_start(bs_op *op, bs_reader *request) {
    find *f = calloc(1, sizeof *f);
    if (!f) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    op->state = f;
    op->free_state = free_find;
    op->caller.answer = answered;
    uint32_t n = bs_get_u32(request);
    bool valid = n > 0 && n <= MAX_ROLES;
    for (uint32_t i = 0; i < n && valid; i++) {
        uint32_t role = bs_get_u32(request);
        valid = !request->failed && role < 128;
        if (valid) f->roles[role >> 6] |= 1ull << (role & 63);
    }
    if (!valid || request->failed) {
        bs_op_fail(op, BACKSTEP_E_INVALID, "the request names no roles, more than 64, or one beyond 127");
        return;
    }
    bs_tree_add(&f->tree, -1, bs_intern(&f->tree.strings, op->to.bus), bs_intern(&f->tree.strings, op->to.path));
    bs_peer *p = bs_peer_of(op->link, op->to.bus);
    if (!p || f->tree.failed || f->tree.strings.failed) {
        bs_op_fail_answer(op, BACKSTEP_E_MEMORY, NULL);
        return;
    }
    op->via = p->direct;
    f->counts = p->toolkit != BS_TOOLKIT_GTK4;
    if (!p->probed) {
        bs_peer_probe(op, BS_TAG_PROBE);
        f->bulk += BS_PROBE_CALLS;
    }
    // The top of an application comes with the rest, so that no round trip is spent on it: it has a handful of windows.
    ask(op, 0, ASK_ROLE);
    if (bs_str_is(op->to.path, BS_ROOT_PATH)) ask(op, 0, ASK_KIDS);
    // What a part of it is part of may be a page, as long as nobody has asked.
    if (bs_peer_tells_all(p) && (p->probed || bs_str_is(op->to.path, BS_ROOT_PATH))) {
        bs_cache_ask(op, BS_TAG_CACHE);
        f->bulk++;
    }
    f->calls += f->bulk;
    if (!f->bulk) step(op);
}
