#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

static bs_buf reply;
static char why[1024];

static void keep_why(int status) {
    *why = 0;
    if (status >= 0 || reply.length < 4) return;
    bs_reader r = {reply.data, reply.length, 0, false};
    bs_str text = bs_get_str(&r);
    if (!r.failed) snprintf(why, sizeof why, "%.*s", (int)text.length, text.text);
}

const char *mac_why(void) { return why; }
bs_buf *mac_reply(void) { return &reply; }

static int run(uint64_t s, uint32_t op, bs_buf *q, unsigned ms) {
    bs_buf_free(&reply);
    int status = check_run(s, op, q, ms, &reply);
    bs_buf_free(q);
    keep_why(status);
    return status;
}

uint64_t mac_open(void) {
    int64_t s = backstep_open();
    CHECK(s > 0);
    bs_buf q = {0};
    for (unsigned i = 0; i < 3; i++) bs_put_cstr(&q, "");
    bs_put_u32(&q, 4);
    int status = run((uint64_t)s, BACKSTEP_OP_CONNECT, &q, 5000);
    CHECK_IS(status, 0);
    return status ? 0 : (uint64_t)s;
}

void mac_close(uint64_t session) {
    CHECK_IS(backstep_close(session), 0);
    bs_buf_free(&reply);
}

bool mac_bus(uint64_t session, int pid, char bus[64]) {
    bs_buf q = {0};
    int status = run(session, BACKSTEP_OP_APPS, &q, 5000);
    CHECK_IS(status, 0);
    bs_reader r = {reply.data, reply.length, 0, false};
    bool found = false;
    *bus = 0;
    for (uint32_t n = status ? 0 : bs_get_u32(&r); n-- > 0 && !r.failed;) {
        bs_str name = bs_get_str(&r);
        bs_get_str(&r), bs_get_str(&r);
        bool it = bs_get_u32(&r) == (uint32_t)pid;
        bs_get_str(&r), bs_get_str(&r);
        if (!it) continue;
        found = true;
        snprintf(bus, 64, "%.*s", (int)name.length, name.text);
    }
    CHECK(!r.failed);
    return found;
}

void mac_to(bs_buf *q, const char *bus, const char *path) {
    bs_put_cstr(q, bus);
    bs_put_cstr(q, path);
}

static size_t aligned(size_t n) { return (n + 7) & ~(size_t)7; }

static const void *column(mac_tree *t, size_t *at, uint32_t field, size_t width) {
    if (field && !(t->fields & field)) return NULL;
    *at = aligned(*at);
    const void *p = t->reply.data + *at;
    *at += width * t->rows;
    return p;
}

bool mac_decode(mac_tree *t) {
    if (t->reply.length < 64) return false;
    const uint32_t *h = (const uint32_t *)(const void *)t->reply.data;
    t->rows = h[2], t->fields = h[3], t->cut = h[4], t->calls = h[6];
    uint32_t strings = h[7], bytes = h[8];
    size_t at = 64;
    t->value = column(t, &at, BACKSTEP_F_VALUE, 32);
    column(t, &at, BACKSTEP_F_HASH, 8);
    t->states = column(t, &at, 0, 8);
    t->parent = column(t, &at, 0, 4);
    t->rect = column(t, &at, BACKSTEP_F_EXTENTS, 16);
    t->interfaces = column(t, &at, 0, 4);
    column(t, &at, 0, 4);
    t->path = column(t, &at, 0, 4);
    t->name = column(t, &at, 0, 4);
    t->description = column(t, &at, 0, 4);
    t->id = column(t, &at, BACKSTEP_F_ID, 4);
    t->text = column(t, &at, BACKSTEP_F_TEXT, 4);
    t->caret = column(t, &at, BACKSTEP_F_TEXT, 12);
    t->actions = column(t, &at, BACKSTEP_F_ACTIONS, 4);
    t->attributes = column(t, &at, BACKSTEP_F_ATTRIBUTES, 4);
    t->selected = column(t, &at, BACKSTEP_F_SELECTION, 4);
    column(t, &at, BACKSTEP_F_RELATIONS, 4);
    t->keys = column(t, &at, BACKSTEP_F_KEYS, 4);
    column(t, &at, BACKSTEP_F_TEXT_STYLE, 4);
    t->native = column(t, &at, BACKSTEP_F_NATIVE_ROLE, 4);
    column(t, &at, BACKSTEP_F_TEXT_RECT, 16);
    t->children = column(t, &at, 0, 4);
    t->role = column(t, &at, 0, 2);
    at = aligned(at);
    t->offsets = (const uint32_t *)(const void *)(t->reply.data + at);
    at = aligned(at + ((size_t)strings + 1) * 4);
    t->arena = t->reply.data + at;
    CHECK_IS(t->reply.length, at + bytes);
    return t->reply.length == at + bytes;
}

static int tree(uint64_t s, uint32_t op, bs_buf *q, unsigned ms, mac_tree *t) {
    *t = (mac_tree){0};
    int status = check_run(s, op, q, ms, &t->reply);
    bs_buf_free(q);
    if (!status) {
        CHECK(mac_decode(t));
        return status;
    }
    bs_buf_free(&reply);
    reply = t->reply;
    t->reply = (bs_buf){0};
    keep_why(status);
    return status;
}

int mac_snapshot(uint64_t s, const char *bus, const char *path, uint32_t fields, uint32_t max_text, unsigned ms, mac_tree *t) {
    bs_buf q = {0};
    mac_to(&q, bus, path);
    bs_put_u32(&q, fields), bs_put_u32(&q, 0), bs_put_u32(&q, 0), bs_put_u32(&q, 0), bs_put_u32(&q, max_text);
    return tree(s, BACKSTEP_OP_SNAPSHOT, &q, ms, t);
}

int mac_read(uint64_t s, const char *bus, const char *path, uint32_t much, unsigned ms, mac_tree *t) {
    bs_buf q = {0};
    mac_to(&q, bus, path);
    bs_put_u32(&q, 0), bs_put_u32(&q, 1 << 20), bs_put_u32(&q, much);
    return tree(s, BACKSTEP_OP_READ, &q, ms, t);
}

void mac_free(mac_tree *t) {
    bs_buf_free(&t->reply);
    *t = (mac_tree){0};
}

const char *mac_string(const mac_tree *t, uint32_t number) {
    static char text[4][4096];
    static unsigned turn;
    char *to = text[turn++ % 4];
    if (number == 0xffffffffu) return "(none)";
    snprintf(to, sizeof text[0], "%.*s", (int)(t->offsets[number + 1] - t->offsets[number]), (const char *)t->arena + t->offsets[number]);
    return to;
}

int mac_row(const mac_tree *t, const char *native, const char *name) {
    for (uint32_t i = 0; i < t->rows; i++) {
        if (native && strcmp(mac_string(t, t->native[i]), native)) continue;
        if (!name || !strcmp(mac_string(t, t->name[i]), name)) return (int)i;
    }
    return -1;
}

bool mac_has(const mac_tree *t, int row, unsigned state) { return row >= 0 && t->states[2 * row + (int)(state / 32)] & 1u << state % 32; }

const char *mac_path(const mac_tree *t, int row) { return row < 0 ? "/999999" : mac_string(t, t->path[row]); }

int mac_act(uint64_t s, const char *bus, const char *path, uint32_t op, unsigned ms, const char *format, ...) {
    bs_buf q = {0};
    if (bus) mac_to(&q, bus, path);
    va_list list;
    va_start(list, format);
    for (const char *f = format; *f; f++) {
        if (*f == 's') bs_put_cstr(&q, va_arg(list, const char *));
        else if (*f == 'i') bs_put_i32(&q, va_arg(list, int));
        else if (*f == 'u') bs_put_u32(&q, va_arg(list, unsigned));
        else bs_put_f64(&q, va_arg(list, double));
    }
    va_end(list);
    return run(s, op, &q, ms);
}
