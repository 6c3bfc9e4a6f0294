/* Drives real GTK3 (and, where installed, GTK4) programs on the desktop that with-desktop.sh made. */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../include/backstep.h"
#include "check.h"

typedef struct app {
    char bus[64], path[128], name[64], toolkit[32];
    uint32_t pid;
} app;

static uint64_t session;

static void put_target(bs_buf *b, const char *bus, const char *path) {
    bs_put_cstr(b, bus);
    bs_put_cstr(b, path);
}

static pid_t start(const char *program) {
    pid_t pid = fork();
    if (pid) return pid;
    freopen("/dev/null", "w", stderr);
    execlp(program, program, (char *)NULL);
    _exit(127);
}

static void text_of(char *into, size_t room, bs_str s) { snprintf(into, room, "%.*s", (int)s.length, s.text); }

// All applications: how many, or -1.
static int list_apps(app *into, int room, unsigned ms) {
    bs_buf reply = {0};
    int status = check_run(session, BACKSTEP_OP_APPS, NULL, ms, &reply);
    bs_reader r = {reply.data, reply.length, 0, false};
    int n = status ? -1 : (int)bs_get_u32(&r);
    for (int i = 0; i < n && i < room; i++) {
        text_of(into[i].bus, sizeof into[i].bus, bs_get_str(&r));
        text_of(into[i].path, sizeof into[i].path, bs_get_str(&r));
        text_of(into[i].name, sizeof into[i].name, bs_get_str(&r));
        into[i].pid = bs_get_u32(&r);
        text_of(into[i].toolkit, sizeof into[i].toolkit, bs_get_str(&r));
        bs_get_str(&r);
    }
    CHECK(n < 0 || (!r.failed && r.at == r.length));
    bs_buf_free(&reply);
    return n;
}

static bool find_app(pid_t pid, app *found) {
    app all[16];
    uint64_t until = bs_now_us() + 60000000ull; // a browser on a busy machine takes its time
    while (bs_now_us() < until) {
        int n = list_apps(all, 16, 3000);
        for (int i = 0; i < n && i < 16; i++)
            if (all[i].pid == (uint32_t)pid && *all[i].name) return *found = all[i], true;
        usleep(50000);
    }
    return false;
}

/* A snapshot taken apart: pointers into its bytes, which start at a multiple of eight. */
typedef struct view {
    bs_buf bytes;
    uint32_t n, fields, cut, strategy, calls, strings, direct;
    const double *value;
    const uint32_t *states, *interfaces, *bus, *path, *name, *description, *id, *text, *actions, *attributes, *selected, *offsets;
    const int32_t *parent, *rect, *caret, *children;
    const uint16_t *role;
    const char *arena;
} view;

static const void *column(const view *v, size_t *at, size_t size) {
    *at = (*at + 7) & ~(size_t)7;
    const void *here = v->bytes.data + *at;
    *at += size;
    return here;
}

static bool open_view(view *v) {
    if (v->bytes.length < 64) return false;
    const uint32_t *h = (const uint32_t *)(const void *)v->bytes.data;
    CHECK_IS(h[0], BACKSTEP_SNAPSHOT_MAGIC);
    CHECK_IS(h[1], 1);
    size_t at = 64, n = h[2];
    v->n = h[2], v->fields = h[3], v->cut = h[4], v->strategy = h[5], v->calls = h[6], v->strings = h[7], v->direct = h[9];
    if (v->fields & BACKSTEP_F_VALUE) v->value = column(v, &at, 32 * n);
    v->states = column(v, &at, 8 * n);
    v->parent = column(v, &at, 4 * n);
    if (v->fields & BACKSTEP_F_EXTENTS) v->rect = column(v, &at, 16 * n);
    v->interfaces = column(v, &at, 4 * n);
    v->bus = column(v, &at, 4 * n);
    v->path = column(v, &at, 4 * n);
    v->name = column(v, &at, 4 * n);
    v->description = column(v, &at, 4 * n);
    if (v->fields & BACKSTEP_F_ID) v->id = column(v, &at, 4 * n);
    if (v->fields & BACKSTEP_F_TEXT) v->text = column(v, &at, 4 * n);
    if (v->fields & BACKSTEP_F_CARET) v->caret = column(v, &at, 12 * n);
    if (v->fields & BACKSTEP_F_ACTIONS) v->actions = column(v, &at, 4 * n);
    if (v->fields & BACKSTEP_F_ATTRIBUTES) v->attributes = column(v, &at, 4 * n);
    if (v->fields & BACKSTEP_F_SELECTION) v->selected = column(v, &at, 4 * n);
    v->children = column(v, &at, 4 * n);
    v->role = column(v, &at, 2 * n);
    v->offsets = column(v, &at, 4 * ((size_t)v->strings + 1));
    v->arena = column(v, &at, h[8]);
    CHECK_IS(at, v->bytes.length);
    return at == v->bytes.length;
}

static const char *string(const view *v, uint32_t k) {
    static char ring[8][512];
    static unsigned next;
    char *into = ring[next++ & 7];
    if (k >= v->strings) return "(none)";
    snprintf(into, sizeof ring[0], "%.*s", (int)(v->offsets[k + 1] - v->offsets[k]), v->arena + v->offsets[k]);
    return into;
}

static uint32_t coords = 1;

static int snapshot(const app *a, const char *path, uint32_t fields, uint32_t max_nodes, uint32_t max_depth, view *v) {
    bs_buf q = {0};
    memset(v, 0, sizeof *v);
    put_target(&q, a->bus, path);
    uint32_t rest[] = {fields, coords, max_nodes, max_depth, 1000};
    for (unsigned i = 0; i < 5; i++) bs_put_u32(&q, rest[i]);
    int status = check_run(session, BACKSTEP_OP_SNAPSHOT, &q, 10000, &v->bytes);
    bs_buf_free(&q);
    if (status == 0 && !open_view(v)) return -998;
    return status;
}

static int read_one(const app *a, const char *path, view *v) {
    bs_buf q = {0};
    memset(v, 0, sizeof *v);
    put_target(&q, a->bus, path);
    bs_put_u32(&q, coords);
    bs_put_u32(&q, 1000);
    int status = check_run(session, BACKSTEP_OP_READ, &q, 3000, &v->bytes);
    bs_buf_free(&q);
    if (status == 0 && !open_view(v)) return -998;
    return status;
}

static int act(const app *a, const char *path, uint32_t op, const char *kind, ...) {
    bs_buf q = {0};
    put_target(&q, a->bus, path);
    __builtin_va_list args;
    __builtin_va_start(args, kind);
    for (; *kind; kind++) {
        if (*kind == 's') bs_put_cstr(&q, __builtin_va_arg(args, const char *));
        if (*kind == 'i') bs_put_i32(&q, __builtin_va_arg(args, int));
        if (*kind == 'd') bs_put_f64(&q, __builtin_va_arg(args, double));
    }
    __builtin_va_end(args);
    int status = check_run(session, op, &q, 3000, NULL);
    bs_buf_free(&q);
    return status;
}

static void check_shape(const view *v) {
    CHECK(v->n > 0);
    CHECK_IS(v->parent[0], -1);
    bool preorder = true, unique = true;
    int32_t stack[512];
    int depth = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        // In preorder a row's parent is one of the ancestors of the row before it.
        while (i && depth && stack[depth - 1] != v->parent[i]) depth--;
        preorder = preorder && (i == 0 || depth > 0) && depth < 511;
        stack[depth++] = (int32_t)i;
    }
    for (uint32_t i = 1; i < v->n && unique; i++)
        for (uint32_t k = 0; k < i; k++)
            if (v->path[i] == v->path[k] && v->bus[i] == v->bus[k]) unique = false;
    CHECK(preorder);
    CHECK(unique);
}

// The first row with these bits of interfaces, or -1.
static int row_with(const view *v, uint32_t interfaces, int role) {
    for (uint32_t i = 0; i < v->n; i++)
        if ((v->interfaces[i] & interfaces) == interfaces && (role < 0 || v->role[i] == role)) return (int)i;
    return -1;
}

static double time_of(const app *a, uint32_t fields, view *v) {
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        if (i) bs_buf_free(&v->bytes);
        uint64_t before = bs_now_us();
        CHECK_IS(snapshot(a, "", fields, 0, 0, v), 0);
        double ms = (double)(bs_now_us() - before) / 1000;
        if (ms < best) best = ms;
    }
    return best;
}

static void report(const app *a, const char *what, uint32_t fields) {
    view v;
    double ms = time_of(a, fields, &v);
    printf("  %-24s %-10s %5u nodes %6u calls strategy %u direct %u cut %u %8.1f ms\n", a->name, what, v.n, v.calls, v.strategy, v.direct,
           v.cut, ms);
    bs_buf_free(&v.bytes);
}

// What the cache told against what a walk (which a shallow snapshot is) finds: the same children in the same order.
static unsigned differences(const app *a, const view *v, bool tell) {
    unsigned compared = 0, differ = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        if (v->children[i] <= 0) continue;
        char path[256];
        snprintf(path, sizeof path, "%s", string(v, v->path[i]));
        view w;
        CHECK_IS(snapshot(a, path, 0, 0, 1, &w), 0);
        if (!w.n) continue;
        CHECK_IS(w.strategy, 0);
        uint32_t kid = 1;
        for (uint32_t k = i + 1; k < v->n; k++) {
            if (v->parent[k] != (int32_t)i) continue;
            bool same = kid < w.n && !strcmp(string(v, v->path[k]), string(&w, w.path[kid])) && v->role[k] == w.role[kid] &&
                !strcmp(string(v, v->name[k]), string(&w, w.name[kid])) && v->children[k] == w.children[kid];
            differ += !same;
            if (!same && tell && kid < w.n)
                fprintf(stderr, "  below %s: %s role %u \"%s\" of %d, walked %s role %u \"%s\" of %d\n", path, string(v, v->path[k]), v->role[k], string(v, v->name[k]),
                        v->children[k], string(&w, w.path[kid]), w.role[kid], string(&w, w.name[kid]), w.children[kid]);
            kid++;
        }
        differ += kid != w.n;
        compared++;
        bs_buf_free(&w.bytes);
    }
    CHECK(compared > 5);
    return differ;
}

// Applications change while they are looked at (a browser's tab tells of its memory): then they are looked at again.
static void compare_with_walk(const app *a, const view *v) {
    unsigned differ = differences(a, v, false);
    for (unsigned tries = 0; differ && tries < 3; tries++) {
        view again;
        CHECK_IS(snapshot(a, "", BACKSTEP_F_ALL, 0, 0, &again), 0);
        differ = differences(a, &again, tries == 2);
        bs_buf_free(&again.bytes);
    }
    CHECK_IS(differ, 0);
}

static void test_factory(const app *a) {
    view v, one;
    CHECK_IS(snapshot(a, "", BACKSTEP_F_ALL, 0, 0, &v), 0);
    check_shape(&v);
    CHECK(v.n > 200);
    CHECK_IS(v.cut & ~4u, 0); // a long text may be cut
    CHECK(!strcmp(string(&v, v.bus[0]), a->bus));
    // What the whole snapshot says about an element is what READ says about it alone.
    unsigned compared = 0;
    for (uint32_t i = 0; i < v.n; i += 7) {
        char path[256];
        snprintf(path, sizeof path, "%s", string(&v, v.path[i]));
        CHECK_IS(read_one(a, path, &one), 0);
        if (!one.n) continue;
        compared++;
        CHECK_IS(one.n, 1);
        CHECK_IS(one.role[0], v.role[i]);
        CHECK_IS(one.interfaces[0], v.interfaces[i]);
        CHECK(!strcmp(string(&one, one.name[0]), string(&v, v.name[i])));
        CHECK(!strcmp(string(&one, one.text[0]), string(&v, v.text[i])));
        CHECK(!strcmp(string(&one, one.actions[0]), string(&v, v.actions[i])));
        CHECK(!strcmp(string(&one, one.selected[0]), string(&v, v.selected[i])));
        CHECK(!memcmp(one.rect, v.rect + 4 * i, 16));
        CHECK(one.value[0] == v.value[4 * i] || (isnan(one.value[0]) && isnan(v.value[4 * i])));
        bs_buf_free(&one.bytes);
    }
    CHECK(compared > 20);
    unsigned named = 0, placed = 0, actions = 0, values = 0, texts = 0, selections = 0, passwords = 0;
    for (uint32_t i = 0; i < v.n; i++) {
        named += *string(&v, v.name[i]) != 0;
        placed += v.rect[4 * i + 2] > 0;
        actions += *string(&v, v.actions[i]) != 0;
        values += !isnan(v.value[4 * i]);
        texts += v.text[i] != 0xffffffffu && v.text[i] != 0;
        selections += v.selected[i] != 0xffffffffu && *string(&v, v.selected[i]);
        if (v.role[i] == 40) {
            passwords++;
            CHECK_IS(v.text[i], 0xffffffffu);
        }
    }
    CHECK(named > 40 && placed > 100 && actions > 20 && values > 3 && texts > 10 && selections > 0);
    printf("  factory: %u named, %u placed, %u with actions, %u values, %u texts, %u selections, %u passwords\n", named, placed, actions, values, texts,
           selections, passwords);

    compare_with_walk(a, &v);
    view cut;
    CHECK_IS(snapshot(a, "", 0, 50, 0, &cut), 0);
    check_shape(&cut);
    CHECK(cut.n <= 50 && cut.n > 40);
    CHECK_IS(cut.cut & 1, 1);
    bs_buf_free(&cut.bytes);
    CHECK_IS(snapshot(a, "", 0, 0, 2, &cut), 0);
    CHECK(cut.n > 1 && cut.n < v.n);
    CHECK_IS(cut.cut, 2);
    bs_buf_free(&cut.bytes);
    // A subtree is the run of rows that it is in the whole.
    uint32_t top = 0;
    for (uint32_t i = 1; i < v.n && !top; i++)
        if (v.children[i] > 1) top = i;
    uint32_t end = top + 1;
    while (end < v.n && v.parent[end] >= (int32_t)top) end++;
    char path[256];
    snprintf(path, sizeof path, "%s", string(&v, v.path[top]));
    CHECK_IS(snapshot(a, path, 0, 0, 0, &cut), 0);
    CHECK_IS(cut.n, end - top);
    bs_buf_free(&cut.bytes);
    bs_buf_free(&v.bytes);
}

// The first element of a role, as it is found alone, is the first in the whole tree; found first, before anything is cached.
static void test_find(const app *a, bool cold) {
    static const uint32_t roles[] = {43, 7, 61, 29, 44, 75, 127};
    char found[sizeof roles / sizeof *roles][256];
    for (unsigned i = 0; i < sizeof roles / sizeof *roles; i++) {
        bs_buf q = {0}, reply = {0};
        put_target(&q, a->bus, "");
        bs_put_u32(&q, 1);
        bs_put_u32(&q, roles[i]);
        uint64_t before = bs_now_us();
        CHECK_IS(check_run(session, BACKSTEP_OP_FIND_ROLE, &q, 5000, &reply), 0);
        double ms = (double)(bs_now_us() - before) / 1000;
        bs_reader r = {reply.data, reply.length, 0, false};
        bs_get_str(&r);
        text_of(found[i], sizeof found[i], bs_get_str(&r));
        uint32_t calls = bs_get_u32(&r);
        if (i == 0) printf("  %-24s first push button%s in %.1f ms and %u calls\n", a->name, cold ? ", cold," : "", ms, calls);
        bs_get_u32(&r);
        CHECK(!r.failed && r.at == r.length);
        bs_buf_free(&q);
        bs_buf_free(&reply);
    }
    view v;
    CHECK_IS(snapshot(a, "", 0, 0, 0, &v), 0);
    for (unsigned i = 0; i < sizeof roles / sizeof *roles; i++) {
        int row = row_with(&v, 0, (int)roles[i]);
        if (strcmp(found[i], row < 0 ? "" : string(&v, v.path[row]))) fprintf(stderr, "role %u: %s\n", roles[i], found[i]);
        CHECK(!strcmp(found[i], row < 0 ? "" : string(&v, v.path[row])));
    }
    CHECK(*found[0] && !*found[6]);
    bs_buf_free(&v.bytes);
}

// The whole tree on the screen, which bulk calls answer, and the same in the window, which they do not.
static void test_screen(const app *a) {
    view v, w;
    CHECK_IS(snapshot(a, "", BACKSTEP_F_ALL, 0, 0, &w), 0);
    coords = 0;
    CHECK_IS(snapshot(a, "", BACKSTEP_F_ALL, 0, 0, &v), 0);
    CHECK_IS(v.n, w.n);
    bool same = v.n == w.n;
    unsigned placed = 0;
    for (uint32_t i = 0; i < v.n && same; i++) {
        view one;
        char path[256];
        snprintf(path, sizeof path, "%s", string(&v, v.path[i]));
        same = !strcmp(path, string(&w, w.path[i])) && v.parent[i] == w.parent[i] && v.role[i] == w.role[i] && v.states[2 * i] == w.states[2 * i] &&
            v.states[2 * i + 1] == w.states[2 * i + 1] && v.rect[4 * i + 2] == w.rect[4 * i + 2] && v.children[i] == w.children[i] &&
            !strcmp(string(&v, v.text[i]), string(&w, w.text[i])) && !strcmp(string(&v, v.attributes[i]), string(&w, w.attributes[i]));
        if (!same) fprintf(stderr, "%s differs: role %u, %s\n", path, v.role[i], string(&v, v.name[i]));
        placed += v.rect[4 * i + 2] >= 0;
        if (i % 5) continue;
        CHECK_IS(read_one(a, path, &one), 0);
        CHECK(one.n && !memcmp(one.rect, v.rect + 4 * i, 16) && !memcmp(one.caret, v.caret + 3 * i, 12));
        CHECK(one.n && !strcmp(string(&one, one.id[0]), string(&v, v.id[i])) && !strcmp(string(&one, one.actions[0]), string(&v, v.actions[i])));
        for (unsigned k = 0; k < 4 && one.n; k++) CHECK(one.value[k] == v.value[4 * i + k] || (isnan(one.value[k]) && isnan(v.value[4 * i + k])));
        bs_buf_free(&one.bytes);
    }
    CHECK(same && placed > 100);
    report(a, "extents, screen", BACKSTEP_F_EXTENTS);
    report(a, "and values, actions", BACKSTEP_F_EXTENTS | BACKSTEP_F_VALUE | BACKSTEP_F_ACTIONS);
    coords = 1;
    bs_buf_free(&v.bytes);
    bs_buf_free(&w.bytes);
}

// An application that cannot be called straight is called over the bus, and the reply says so.
static void test_route(const app *a) {
    view direct, over;
    CHECK_IS(snapshot(a, "", BACKSTEP_F_EXTENTS, 0, 0, &direct), 0);
    CHECK_IS(direct.direct, 1);
    CHECK_IS(system("rm -rf \"$XDG_RUNTIME_DIR\"/at-spi2*"), 0);
    uint64_t first = session;
    session = (uint64_t)backstep_open();
    bs_buf q = {0};
    bs_put_cstr(&q, "");
    bs_put_cstr(&q, getenv("DBUS_SESSION_BUS_ADDRESS"));
    bs_put_cstr(&q, "");
    CHECK_IS(check_run(session, BACKSTEP_OP_CONNECT, &q, 5000, NULL), 0);
    CHECK_IS(snapshot(a, "", BACKSTEP_F_EXTENTS, 0, 0, &over), 0);
    CHECK_IS(over.direct, 0);
    CHECK_IS(over.n, direct.n);
    CHECK_IS(over.strategy, direct.strategy);
    CHECK_IS(backstep_close(session), 0);
    session = first;
    bs_buf_free(&q);
    bs_buf_free(&direct.bytes);
    bs_buf_free(&over.bytes);
}

static bool saw_event(const char *kind, const char *path, unsigned ms) {
    uint64_t until = bs_now_us() + ms * 1000ull * check_slow();
    do {
        for (unsigned i = 0; i < check_seen_count; i++)
            if (check_seen[i].kind == BACKSTEP_R_EVENT && !strncmp(check_seen[i].event, kind, strlen(kind)) && !strcmp(check_seen[i].path, path)) return true;
        check_pull(50);
    } while (bs_now_us() < until);
    return false;
}

static void text_is(const app *a, const char *path, const char *expected) {
    view v;
    CHECK_IS(read_one(a, path, &v), 0);
    if (v.n && strcmp(string(&v, v.text[0]), expected)) {
        fprintf(stderr, "text is \"%s\", not \"%s\"\n", string(&v, v.text[0]), expected);
        check_failures++;
    }
    check_count++;
    bs_buf_free(&v.bytes);
}

static void test_acts(const app *a) {
    view v;
    CHECK_IS(snapshot(a, "", BACKSTEP_F_TEXT | BACKSTEP_F_VALUE | BACKSTEP_F_ACTIONS | BACKSTEP_F_EXTENTS, 0, 0, &v), 0);
    int entry = -1, label = row_with(&v, BACKSTEP_I_TEXT, 29), slider = row_with(&v, BACKSTEP_I_VALUE, 51), check = -1;
    for (uint32_t i = 0; i < v.n && entry < 0; i++)
        if (v.interfaces[i] & BACKSTEP_I_EDITABLE_TEXT && v.states[2 * i] >> 7 & 1 && v.states[2 * i] >> 24 & 1 && v.states[2 * i] >> 26 & 1 && v.role[i] == 61) entry = (int)i;
    for (uint32_t i = 0; i < v.n && check < 0; i++)
        if (v.role[i] == 7 && v.states[2 * i] >> 24 & 1 && v.states[2 * i] >> 25 & 1) check = (int)i;
    CHECK(entry >= 0 && label >= 0 && slider >= 0 && check >= 0);
    if (entry < 0 || label < 0 || slider < 0 || check < 0) return;
    char path[256], other[256];
    snprintf(path, sizeof path, "%s", string(&v, v.path[entry]));
    check_seen_count = 0;
    CHECK_IS(act(a, path, BACKSTEP_OP_SET_TEXT, "s", "Grüße, 世界"), 0);
    text_is(a, path, "Grüße, 世界");
    CHECK(saw_event("object:text-changed:insert", path, 2000));
    CHECK_IS(act(a, path, BACKSTEP_OP_INSERT_TEXT, "is", 5, "äöü"), 0);
    text_is(a, path, "Grüßeäöü, 世界");
    CHECK_IS(act(a, path, BACKSTEP_OP_DELETE_TEXT, "ii", 5, 8), 0);
    text_is(a, path, "Grüße, 世界");
    CHECK_IS(act(a, path, BACKSTEP_OP_CARET, "i", 3), 0);
    CHECK_IS(act(a, path, BACKSTEP_OP_SELECT_TEXT, "ii", 1, 4), 0);
    view one;
    CHECK_IS(read_one(a, path, &one), 0);
    if (one.n) CHECK(one.caret[1] == 1 && one.caret[2] == 4);
    bs_buf_free(&one.bytes);
    CHECK_IS(act(a, path, BACKSTEP_OP_SELECT_TEXT, "ii", 2, 2), 0);
    CHECK_IS(read_one(a, path, &one), 0);
    if (one.n) CHECK_IS(one.caret[1], -1);
    bs_buf_free(&one.bytes);
    snprintf(other, sizeof other, "%s", string(&v, v.path[slider]));
    CHECK_IS(act(a, other, BACKSTEP_OP_SET_VALUE, "d", 30.0), 0);
    CHECK_IS(read_one(a, other, &one), 0);
    if (one.n) CHECK(one.value[0] == 30.0);
    bs_buf_free(&one.bytes);
    snprintf(other, sizeof other, "%s", string(&v, v.path[check]));
    CHECK_IS(act(a, other, BACKSTEP_OP_ACTION, "s", ""), 0);
    CHECK(saw_event("object:state-changed:checked", other, 2000));
    CHECK_IS(act(a, other, BACKSTEP_OP_ACTION, "s", "click"), 0);
    CHECK_IS(act(a, other, BACKSTEP_OP_ACTION, "s", "no such action"), BACKSTEP_E_UNSUPPORTED);
    // Errors, told apart.
    snprintf(other, sizeof other, "%s", string(&v, v.path[label]));
    CHECK_IS(act(a, other, BACKSTEP_OP_SET_TEXT, "s", "x"), BACKSTEP_E_UNSUPPORTED);
    CHECK_IS(act(a, "/org/a11y/atspi/accessible/99999999", BACKSTEP_OP_SET_TEXT, "s", "x"), BACKSTEP_E_NO_ELEMENT);
    CHECK_IS(act(a, "/org/a11y/atspi/accessible/99999999", BACKSTEP_OP_FOCUS, ""), BACKSTEP_E_NO_ELEMENT);
    CHECK_IS(read_one(a, "/org/a11y/atspi/accessible/99999999", &one), BACKSTEP_E_NO_ELEMENT);
    bs_buf_free(&one.bytes);
    app nobody = *a;
    snprintf(nobody.bus, sizeof nobody.bus, ":1.99999");
    CHECK_IS(read_one(&nobody, path, &one), BACKSTEP_E_APP_GONE);
    bs_buf_free(&one.bytes);
    CHECK_IS(act(&nobody, path, BACKSTEP_OP_SET_TEXT, "s", "x"), BACKSTEP_E_APP_GONE);
    CHECK_IS(act(a, "not a path", BACKSTEP_OP_FOCUS, ""), BACKSTEP_E_INVALID);
    // A point in the middle of the check box is in something.
    bs_buf q = {0}, reply = {0};
    put_target(&q, a->bus, "");
    bs_put_u32(&q, 1);
    bs_put_i32(&q, v.rect[4 * check] + v.rect[4 * check + 2] / 2);
    bs_put_i32(&q, v.rect[4 * check + 1] + v.rect[4 * check + 3] / 2);
    CHECK_IS(check_run(session, BACKSTEP_OP_AT_POINT, &q, 3000, &reply), 0);
    bs_reader r = {reply.data, reply.length, 0, false};
    bs_str bus = bs_get_str(&r), found = bs_get_str(&r);
    CHECK(!r.failed && bus.length == strlen(a->bus) && found.length > 0);
    printf("  at the check box: %.*s (%s)\n", (int)found.length, found.text, string(&v, v.path[check]));
    bs_buf_free(&q);
    bs_buf_free(&reply);
    bs_buf_free(&v.bytes);
}

// GTK4: entries are read and written with characters that are not bytes.
static void test_gtk4_text(const app *a) {
    view v;
    CHECK_IS(snapshot(a, "", BACKSTEP_F_TEXT, 0, 0, &v), 0);
    int entry = -1;
    for (uint32_t i = 0; i < v.n && entry < 0; i++)
        if (v.interfaces[i] & BACKSTEP_I_EDITABLE_TEXT && v.states[2 * i] >> 7 & 1 && v.states[2 * i] >> 24 & 1) entry = (int)i;
    CHECK(entry >= 0);
    if (entry >= 0) {
        char path[256];
        snprintf(path, sizeof path, "%s", string(&v, v.path[entry]));
        CHECK_IS(act(a, path, BACKSTEP_OP_SET_TEXT, "s", "Grüße, 世界"), 0);
        text_is(a, path, "Grüße, 世界");
        CHECK_IS(act(a, path, BACKSTEP_OP_INSERT_TEXT, "is", 5, "äöü"), 0);
        text_is(a, path, "Grüßeäöü, 世界");
        CHECK_IS(act(a, path, BACKSTEP_OP_DELETE_TEXT, "ii", 5, 8), 0);
        text_is(a, path, "Grüße, 世界");
        CHECK_IS(act(a, path, BACKSTEP_OP_FOCUS, ""), BACKSTEP_E_UNSUPPORTED);
        CHECK_IS(act(a, "/org/a11y/atspi/accessible/99999999", BACKSTEP_OP_FOCUS, ""), BACKSTEP_E_NO_ELEMENT);
    }
    bs_buf_free(&v.bytes);
}

// A stopped application costs its own deadline; the other one answers meanwhile; dying ends what is in flight.
static void test_hung(const app *hung, pid_t pid, const app *other) {
    kill(pid, SIGSTOP);
    uint64_t before = bs_now_us();
    bs_buf q = {0};
    put_target(&q, hung->bus, "");
    for (unsigned i = 0; i < 5; i++) bs_put_u32(&q, 0);
    int64_t stuck = backstep_submit(session, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, 2000 * check_slow());
    int64_t cancelled = backstep_submit(session, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, 5000 * check_slow());
    int64_t dying = backstep_submit(session, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, 30000 * check_slow());
    view v;
    uint64_t asked = bs_now_us();
    CHECK_IS(snapshot(other, "", BACKSTEP_F_EXTENTS, 0, 0, &v), 0);
    CHECK(bs_now_us() - asked < 1500000ull * check_slow());
    CHECK(v.n > 1);
    bs_buf_free(&v.bytes);
    CHECK_IS(backstep_cancel(session, (uint64_t)cancelled), 0);
    check_done d = check_await(session, cancelled, 1000);
    CHECK_IS(d.status, BACKSTEP_E_CANCELLED_UNKNOWN);
    bs_buf_free(&d.reply);
    CHECK(check_within(before, 1800));
    d = check_await(session, stuck, 4000);
    CHECK(d.came);
    CHECK_IS(d.status, BACKSTEP_E_TIMEOUT_UNKNOWN);
    uint64_t took = (bs_now_us() - before) / 1000;
    CHECK(took >= 1990 * check_slow() && check_within(before, 2500));
    bs_buf_free(&d.reply);
    app all[16];
    before = bs_now_us();
    int n = list_apps(all, 16, 2000), known = 0;
    CHECK(check_within(before, 1600));
    CHECK_IS(n, 2);
    for (int i = 0; i < n; i++) {
        if (all[i].pid == (uint32_t)pid) known += !*all[i].name;
        else known += *all[i].name != 0;
    }
    CHECK_IS(known, 2); // the hung one without a name, the other with its own
    kill(pid, SIGKILL);
    before = bs_now_us();
    d = check_await(session, dying, 2000);
    CHECK(d.came);
    CHECK_IS(d.status, BACKSTEP_E_APP_GONE);
    CHECK(check_within(before, 1500));
    bs_buf_free(&d.reply);
    bs_buf_free(&q);
}

// A session of its own for the display only.
static void test_display(void) {
    bs_buf q = {0}, reply = {0};
    int64_t s = backstep_open();
    bs_put_cstr(&q, "");
    bs_put_cstr(&q, "");
    bs_put_cstr(&q, getenv("DISPLAY"));
    CHECK_IS(check_run((uint64_t)s, BACKSTEP_OP_CONNECT, &q, 3000, &reply), 0);
    bs_reader r = {reply.data, reply.length, 0, false};
    CHECK_IS(bs_get_u32(&r), 2);
    CHECK_IS(bs_get_str(&r).length, 0);
    int32_t width = bs_get_i32(&r), height = bs_get_i32(&r);
    CHECK(!r.failed && width >= 640 && height >= 480);
    CHECK_IS(check_run((uint64_t)s, BACKSTEP_OP_APPS, NULL, 500, &reply), BACKSTEP_E_BUS);
    CHECK_IS(backstep_close((uint64_t)s), 0);
    bs_buf_free(&q);
    bs_buf_free(&reply);
}

// Its window is there in full: as many elements as a while ago, and more than a few.
static void settle(const app *a) {
    uint64_t until = bs_now_us() + 60000000ull;
    for (uint32_t before = 0; bs_now_us() < until;) {
        view v;
        uint32_t n = snapshot(a, "", 0, 0, 0, &v) == 0 ? v.n : 0;
        bs_buf_free(&v.bytes);
        if (n > 50 && n == before) return;
        before = n;
        usleep(350000 * check_slow());
    }
}

int main(int argc, char **argv) {
    session = (uint64_t)backstep_open();
    pid_t first = start("gtk3-widget-factory"); // before anybody asks for accessibility, the second one after
    bs_buf q = {0}, reply = {0};
    bs_put_cstr(&q, "");
    bs_put_cstr(&q, getenv("DBUS_SESSION_BUS_ADDRESS"));
    bs_put_cstr(&q, "");
    uint64_t before = bs_now_us();
    CHECK_IS(check_run(session, BACKSTEP_OP_CONNECT, &q, 5000, &reply), 0);
    printf("  connected in %.1f ms\n", (double)(bs_now_us() - before) / 1000);
    // Chromium and others look at this once, when they start.
    CHECK_IS(system("dbus-send --session --print-reply=literal --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Get "
                    "string:org.a11y.Status string:IsEnabled | grep -q true"), 0);
    pid_t second = start(argc > 1 ? argv[1] : "gtk4-widget-factory");
    bs_reader r = {reply.data, reply.length, 0, false};
    CHECK_IS(bs_get_u32(&r), 1);
    CHECK(bs_get_str(&r).length > 2);
    CHECK_IS(check_run(session, BACKSTEP_OP_CONNECT, &q, 5000, &reply), BACKSTEP_E_INVALID);
    CHECK_IS(check_run(session, BACKSTEP_OP_WINDOWS, NULL, 1000, &reply), BACKSTEP_E_DISPLAY);
    test_display();
    app factory, other;
    bool both = find_app(first, &factory) && find_app(second, &other);
    CHECK(both);
    if (both) {
        settle(&factory);
        settle(&other);
        printf("  %s on %s, %s on %s\n", factory.name, factory.toolkit, other.name, other.toolkit);
        test_find(&factory, true);
        test_find(&other, true);
        test_factory(&factory);
        test_screen(&factory);
        test_route(&factory);
        view v;
        CHECK_IS(snapshot(&other, "", BACKSTEP_F_ALL, 0, 0, &v), 0);
        check_shape(&v);
        compare_with_walk(&other, &v);
        bs_buf_free(&v.bytes);
        test_acts(&factory);
        if (!strcmp(other.toolkit, "GTK")) test_gtk4_text(&other);
        const app *apps[] = {&factory, &other};
        for (unsigned i = 0; i < 2; i++) {
            report(apps[i], "base", 0);
            report(apps[i], "extents", BACKSTEP_F_EXTENTS);
            report(apps[i], "all", BACKSTEP_F_ALL);
        }
        test_hung(&factory, first, &other);
    }
    kill(first, SIGKILL);
    kill(second, SIGKILL);
    waitpid(first, NULL, 0);
    waitpid(second, NULL, 0);
    bs_buf_free(&q);
    bs_buf_free(&reply);
    before = bs_now_us();
    CHECK_IS(backstep_close(session), 0);
    CHECK(check_within(before, 300));
    return check_report("live");
}
