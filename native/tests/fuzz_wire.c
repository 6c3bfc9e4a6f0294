/* libFuzzer: the message decoder, the cache's decoder, and a whole snapshot answered with the fuzzer's bytes. */
#include <stdlib.h>
#include <string.h>

#include "../linux/snapshot.h"

// The walk's questions go nowhere here.
static bs_buf sent;
static bs_out writing;

bs_out *bs_bus_begin(bs_bus *b, bs_target to, const char *interface, const char *member, const char *signature) {
    (void)b;
    bs_buf_clear(&sent);
    bs_head head = {.type = BS_WIRE_CALL, .serial = 1, .path = to.path, .destination = to.bus, .interface = bs_cstr(interface),
                    .member = bs_cstr(member), .signature = bs_cstr(signature)};
    bs_out_begin(&writing, &sent, &head);
    return &writing;
}

void bs_bus_send(bs_bus *b, bs_caller *caller, uint32_t tag, uint64_t deadline_us) {
    (void)b, (void)caller, (void)tag, (void)deadline_us;
    if (!bs_out_end(&writing)) abort();
    bs_msg m;
    if (!bs_wire_parse(sent.data, sent.length, &m)) abort(); // what we write, we read
    bs_in_skip(&m.body, m.head.signature);
    if (m.body.failed || m.body.at != m.body.length) abort();
}

bool bs_bus_keep(bs_buf *into) { return (void)into, false; }
bs_peer *bs_peer_find(bs_link *l, bs_str name) { return (void)l, (void)name, NULL; }
bool bs_peer_is_page(bs_link *l, bs_str name) { return (void)l, name.length % 2; }
void bs_core_mirror(uint64_t session, bs_str bus, uint64_t generation, uint64_t until_us) { (void)session, (void)bus, (void)generation, (void)until_us; }

static bs_task queue[4096];
static uint32_t queued;
void bs_want(bs_snapshot *s, bs_task task) {
    (void)s;
    if (queued < 4096) queue[queued++] = task;
}

static void snapshot(const uint8_t *data, size_t size) {
    bs_snapshot *s = calloc(1, sizeof *s);
    bs_link link = {0};
    bs_op op = {.state = s, .link = &link, .to = {bs_cstr(":1.9"), bs_cstr("/root")}};
    if (!s) return;
    s->secrets = &link.secrets;
    s->columns.fields = BACKSTEP_F_ALL | BACKSTEP_F_RELATIONS | BACKSTEP_F_KEYS | BACKSTEP_F_TEXT_RECT | BACKSTEP_F_TEXT_STYLE;
    s->max_nodes = 500, s->max_depth = 20, s->max_text = 50, s->ids = true, s->lists = size & 4, s->clamps = size & 8;
    s->plan = size & 1 ? BS_PLAN_REACH : BS_PLAN_COLLECTION;
    queued = 0;
    bs_tree_add(&s->tree, -1, bs_intern(&s->tree.strings, bs_cstr(":1.9")), bs_intern(&s->tree.strings, bs_cstr("/root")));
    unsigned bulk = 0;
    uint32_t next = 0;
    // Bodies one after another, each behind its type and its length: the first two may be the cache and the collection,
    // the others answer the questions in their order.
    static const char *const types[] = {"v", "u", "au", "as", "a{ss}", "a(so)", "(so)", "(iiii)", "s", "i", "ii", "a((so)(so)(so)iiassusau)", "a((so)a{sv})", "a(sss)", "a(ua(so))"};
    while (size > 2) {
        size_t n = data[1] | (size_t)(data[0] & 0x70) << 4;
        bs_msg m = {.head = {.type = BS_WIRE_RETURN, .signature = bs_cstr(types[(data[0] & 15) % 15])}};
        data += 2, size -= 2;
        if (n > size) n = size;
        m.body = (bs_in){data, n, 0, false, false};
        data += n, size -= n;
        if (bulk < 2) {
            if (bulk == 0) bs_cache_answer(s, &m);
            if (bulk == 1) bs_collection_ask(&op, 0, op.to, (bs_scope)(size % 3));
            if (bulk++ == 0) continue;
            bs_collection_answer(s, &m, size & 2 ? BS_SCOPE_ROW : BS_SCOPE_ALL);
            bs_walk_node(s, 0);
            continue;
        }
        if (next == queued && s->reached) {
            s->plan = BS_PLAN_CACHE;
            bs_cache_answer(s, &m);
            bs_walk_resume(s);
            continue;
        }
        if (next == queued) break;
        bs_task task = queue[next++];
        if (bs_node_of(s, task.node)->dropped) continue;
        if (task.what == BS_ASK_GO_ON) continue;
        if (task.what == BS_ASK_DESCEND) {
            bs_walk_descend(s, task.node);
            continue;
        }
        bs_field_ask(&op, &task, 0);
        bs_field_answer(s, &task, &m);
        bs_walk_answered(s, &task);
    }
    bs_buf out = {0};
    if (!s->tree.failed) bs_columns_write(&s->tree, &s->columns, &out);
    bs_buf_free(&out);
    bs_seeds_free(&s->seeds);
    bs_seeds_free(&s->grown);
    bs_strings_free(&s->action_lists);
    free(s->list_owner);
    bs_tree_free(&s->tree);
    free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    uint8_t mode = data[0] & 3;
    data++, size--;
    bs_msg m;
    if (mode == 0 && bs_wire_parse(data, size, &m)) bs_in_skip(&m.body, m.head.signature);
    if (mode == 1) {
        bs_in in = {data, size, 0, false, false};
        bs_seeds *t = bs_cache_read(&in);
        bs_seeds_free(&t);
        in.at = 0, in.failed = false;
        t = bs_collection_read(&in);
        bs_seeds_free(&t);
    }
    if (mode >= 2) snapshot(data, size);
    return 0;
}
