#define _GNU_SOURCE
#include "harness.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char mac_said[512];

static void load(const char *script) {
    si_reset();
    bool fine;
    if (!strncmp(script, "application", 11)) fine = si_load(script);
    else {
        char path[256];
        snprintf(path, sizeof path, "%s%s", MAC_APPS, script);
        fine = si_load_file(path);
    }
    CHECK(fine);
}
void mac_reopen(const char *script) { load(script); }
uint64_t mac_session(void) {
    int64_t s = backstep_open();
    CHECK(s > 0);
    bs_buf q = {0}, r = {0};
    bs_put_cstr(&q, ""), bs_put_cstr(&q, ""), bs_put_cstr(&q, "");
    bs_put_u32(&q, 4);
    CHECK_IS(check_run((uint64_t)s, BACKSTEP_OP_CONNECT, &q, MAC_MS, &r), BACKSTEP_OK);
    bs_buf_free(&q), bs_buf_free(&r);
    return (uint64_t)s;
}
uint64_t mac_connect(const char *script) {
    load(script);
    return mac_session();
}
void mac_close(uint64_t s) { CHECK_IS(backstep_close(s), BACKSTEP_OK); }
static bool none_left(void *p) { return (void)p, si_live() == 0; }
void mac_end(const char *name, uint64_t s) {
    if (s) mac_close(s);
    si_pasteboard_clear();
    /* Threads of lanes end on their own a moment later. */
    if (!mac_until(none_left, NULL, 10000)) fprintf(stderr, "%s:\n", name), si_live_report();
    CHECK_IS(si_live(), 0);
}
bool mac_until(bool (*done)(void *), void *with, unsigned ms) {
    uint64_t until = bs_now_us() + ms * 1000ull * check_slow();
    while (!done(with)) {
        if (bs_now_us() > until) return false;
        backstep_wait(NULL, 0, 5);
        usleep(1000);
    }
    return true;
}
const char *mac_bus(uint64_t s, int pid) {
    static char found[64][64];
    static int next;
    char *bus = found[next++ % 64];
    *bus = 0;
    bs_buf q = {0}, reply = {0};
    CHECK_IS(check_run(s, BACKSTEP_OP_APPS, &q, MAC_MS, &reply), BACKSTEP_OK);
    bs_reader r = {reply.data, reply.length, 0, false};
    for (uint32_t n = bs_get_u32(&r); n-- && !r.failed;) {
        bs_str b = bs_get_str(&r);
        bs_get_str(&r), bs_get_str(&r);
        if (bs_get_u32(&r) == (uint32_t)pid) snprintf(bus, 64, "%.*s", (int)b.length, b.text);
        bs_get_str(&r), bs_get_str(&r);
    }
    CHECK(!r.failed);
    bs_buf_free(&reply);
    return bus;
}

static void arguments(bs_buf *q, const char *kind, va_list list) {
    for (; *kind; kind++)
        if (*kind == 's') bs_put_cstr(q, va_arg(list, const char *));
        else if (*kind == 'i') bs_put_i32(q, va_arg(list, int));
        else if (*kind == 'u') bs_put_u32(q, va_arg(list, unsigned));
        else bs_put_f64(q, va_arg(list, double));
}
static void say(const bs_buf *reply) {
    bs_reader r = {reply->data, reply->length, 0, false};
    bs_str t = bs_get_str(&r);
    snprintf(mac_said, sizeof mac_said, "%.*s", r.failed ? 0 : (int)t.length, r.failed ? "" : t.text);
}
int64_t mac_submit(uint64_t s, const char *bus, const char *path, uint32_t op, unsigned ms, const char *kind, ...) {
    bs_buf q = {0};
    bs_put_cstr(&q, bus), bs_put_cstr(&q, path);
    va_list list;
    va_start(list, kind);
    arguments(&q, kind, list);
    va_end(list);
    int64_t t = backstep_submit(s, op, q.data, (uint32_t)q.length, ms);
    bs_buf_free(&q);
    return t;
}
int mac_do(uint64_t s, const char *bus, const char *path, uint32_t op, unsigned ms, const char *kind, ...) {
    bs_buf q = {0}, r = {0};
    bs_put_cstr(&q, bus), bs_put_cstr(&q, path);
    va_list list;
    va_start(list, kind);
    arguments(&q, kind, list);
    va_end(list);
    int status = check_run(s, op, &q, ms, &r);
    say(&r);
    bs_buf_free(&q), bs_buf_free(&r);
    return status;
}
int mac_op(uint64_t s, uint32_t op, unsigned ms, bs_buf *reply, const char *kind, ...) {
    bs_buf q = {0}, r = {0};
    va_list list;
    va_start(list, kind);
    arguments(&q, kind, list);
    va_end(list);
    int status = check_run(s, op, &q, ms, &r);
    if (status) say(&r);
    bs_buf_free(&q);
    if (reply) *reply = r;
    else bs_buf_free(&r);
    return status;
}

static const void *column(mac_rows *v, size_t *at, size_t size) {
    *at = (*at + 7) & ~(size_t)7;
    const void *p = v->bytes.data + *at;
    *at += size;
    return p;
}
bool mac_parse(bs_buf *reply, mac_rows *v) {
    *v = (mac_rows){.bytes = *reply};
    *reply = (bs_buf){0};
    if (v->bytes.length < 64) return false;
    const uint32_t *h = (const uint32_t *)(void *)v->bytes.data;
    if (h[0] != BACKSTEP_SNAPSHOT_MAGIC) return false;
    uint32_t f = v->fields = h[3];
    size_t n = v->n = h[2], at = 64;
    v->cut = h[4], v->calls = h[6], v->strings = h[7];
    if (f & BACKSTEP_F_VALUE) v->value = column(v, &at, 32 * n);
    if (f & BACKSTEP_F_HASH) v->hash = column(v, &at, 8 * n);
    v->states = column(v, &at, 8 * n);
    v->parent = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_EXTENTS) v->rect = column(v, &at, 16 * n);
    v->interfaces = column(v, &at, 4 * n);
    column(v, &at, 4 * n);
    v->path = column(v, &at, 4 * n);
    v->name = column(v, &at, 4 * n);
    v->description = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_ID) v->id = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_TEXT) v->text = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_CARET) v->caret = column(v, &at, 12 * n);
    if (f & BACKSTEP_F_ACTIONS) v->actions = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_ATTRIBUTES) v->attributes = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_SELECTION) v->selected = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_RELATIONS) v->relations = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_KEYS) v->keys = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_TEXT_STYLE) v->style = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_NATIVE_ROLE) v->native = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_TEXT_RECT) v->text_rect = column(v, &at, 16 * n);
    v->children = column(v, &at, 4 * n);
    v->role = column(v, &at, 2 * n);
    v->offsets = column(v, &at, 4 * ((size_t)v->strings + 1));
    v->arena = column(v, &at, h[8]);
    return at <= v->bytes.length + 8;
}
void mac_free(mac_rows *v) {
    bs_buf_free(&v->bytes);
    *v = (mac_rows){0};
}
static void snapshot_request(bs_buf *q, const char *bus, const char *path, uint32_t fields) {
    bs_put_cstr(q, bus), bs_put_cstr(q, path);
    bs_put_u32(q, fields), bs_put_u32(q, 0), bs_put_u32(q, 0), bs_put_u32(q, 0), bs_put_u32(q, 10000);
}
int64_t mac_snapshot_submit(uint64_t s, const char *bus, uint32_t fields, unsigned ms) {
    bs_buf q = {0};
    snapshot_request(&q, bus, "", fields);
    int64_t t = backstep_submit(s, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, ms);
    bs_buf_free(&q);
    return t;
}
static int taken(uint64_t s, uint32_t op, bs_buf *q, unsigned ms, mac_rows *v) {
    bs_buf r = {0};
    int status = check_run(s, op, q, ms, &r);
    bs_buf_free(q);
    *v = (mac_rows){0};
    if (status) say(&r), bs_buf_free(&r);
    else CHECK(mac_parse(&r, v));
    return status;
}
int mac_snapshot(uint64_t s, const char *bus, const char *path, uint32_t fields, unsigned ms, mac_rows *v) {
    bs_buf q = {0};
    snapshot_request(&q, bus, path, fields);
    return taken(s, BACKSTEP_OP_SNAPSHOT, &q, ms, v);
}
int mac_read(uint64_t s, const char *bus, const char *path, uint32_t what, unsigned ms, mac_rows *v) {
    bs_buf q = {0};
    bs_put_cstr(&q, bus), bs_put_cstr(&q, path);
    bs_put_u32(&q, 0), bs_put_u32(&q, 10000), bs_put_u32(&q, what);
    return taken(s, BACKSTEP_OP_READ, &q, ms, v);
}
bs_str mac_string(const mac_rows *v, uint32_t k) {
    if (!v->offsets || k >= v->strings) return (bs_str){"", 0};
    return (bs_str){v->arena + v->offsets[k], v->offsets[k + 1] - v->offsets[k]};
}
bool mac_is(const mac_rows *v, uint32_t k, const char *text) {
    bs_str s = mac_string(v, k);
    return s.length == strlen(text) && !memcmp(s.text, text, s.length);
}
static int where(const mac_rows *v, const uint32_t *of, const char *text) {
    for (uint32_t i = 0; of && i < v->n; i++)
        if (mac_is(v, of[i], text)) return (int)i;
    return -1;
}
int mac_named(const mac_rows *v, const char *name) { return where(v, v->name, name); }
int mac_native(const mac_rows *v, const char *role) { return where(v, v->native, role); }
void mac_path(const mac_rows *v, int row, char *to, size_t room) {
    bs_str p = row < 0 ? (bs_str){"", 0} : mac_string(v, v->path[row]);
    snprintf(to, room, "%.*s", (int)p.length, p.text);
}
bool mac_find(uint64_t s, const char *bus, const char *name, char *to, size_t room) {
    mac_rows v;
    *to = 0;
    int status = mac_snapshot(s, bus, "", 0, MAC_MS, &v), row = status ? -1 : mac_named(&v, name);
    if (row >= 0) mac_path(&v, row, to, room);
    else fprintf(stderr, "no element is called %s (status %d)\n", name, status);
    mac_free(&v);
    return row >= 0;
}
const char *mac_value(int pid, const char *label, const char *attribute) {
    static char *kept;
    free(kept);
    kept = si_attribute(pid, label, attribute);
    return kept ? kept : "";
}
bool mac_event(const char *event, const char *text, unsigned ms) {
    uint64_t until = bs_now_us() + ms * 1000ull * check_slow();
    do {
        for (unsigned i = 0; i < check_seen_count; i++) {
            check_record *c = &check_seen[i];
            if (c->kind != BACKSTEP_R_EVENT || strcmp(c->event, event) || (text && strcmp(c->text, text))) continue;
            memmove(c, c + 1, (--check_seen_count - i) * sizeof *c);
            return true;
        }
        check_pull(20);
    } while (bs_now_us() < until);
    return false;
}

/* The core's allocations in the build that makes them fail; also its CF objects (si_short). */
void *mac_malloc(size_t n);
void *mac_calloc(size_t n, size_t size);
void *mac_realloc(void *p, size_t n);
char *mac_strdup(const char *s);
void *mac_malloc(size_t n) { return si_short() ? NULL : malloc(n); }
void *mac_calloc(size_t n, size_t size) { return si_short() ? NULL : calloc(n, size); }
void *mac_realloc(void *p, size_t n) { return si_short() ? NULL : realloc(p, n); }
char *mac_strdup(const char *s) { return si_short() ? NULL : strdup(s); }
