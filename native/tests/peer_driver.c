#define _GNU_SOURCE
#include "peer_driver.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONFIG "/usr/share/defaults/at-spi2/accessibility.conf"

// Dies with us, however we end.
static pid_t spawn(char *const argv[], int in, int out, const char *bus_address) {
    pid_t parent = getpid(), pid = fork();
    if (pid) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    if (in >= 0) dup2(in, 0);
    if (out >= 0) dup2(out, 1);
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0 && bus_address) dup2(nothing, 2);
    if (bus_address) {
        setenv("AT_SPI_BUS_ADDRESS", bus_address, 1);
        unsetenv("DISPLAY"); // a registry that outlives its display complains at length
        setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1);
    }
    execvp(argv[0], argv);
    _exit(127);
}

// One line, without its end. False: the writer is gone, or silent.
static bool read_line(int fd, char *into, size_t room) {
    size_t n = 0;
    struct pollfd p = {fd, POLLIN, 0};
    while (n + 1 < room && poll(&p, 1, 10000 * (int)check_slow()) > 0 && read(fd, into + n, 1) == 1) {
        if (into[n] == '\n') return into[n] = 0, true;
        n++;
    }
    into[n] = 0;
    return false;
}

bool a11y_start(a11y_bus *b) {
    *b = (a11y_bus){0};
    snprintf(b->dir, sizeof b->dir, "/tmp/bs-peer-XXXXXX");
    if (!mkdtemp(b->dir)) return false;
    char address[100], listen[120], line[256];
    snprintf(address, sizeof address, "unix:path=%s/bus", b->dir);
    snprintf(listen, sizeof listen, "--address=%s", address);
    int ready[2];
    if (pipe2(ready, O_CLOEXEC)) return false;
    char *argv[] = {"dbus-daemon", "--config-file=" CONFIG, "--nofork", "--nopidfile", "--print-address=1", listen, NULL};
    b->pid = spawn(argv, -1, ready[1], address);
    close(ready[1]);
    bool good = b->pid > 0 && read_line(ready[0], line, sizeof line);
    close(ready[0]);
    snprintf(b->address, sizeof b->address, "%s", address);
    CHECK(good);
    return good;
}

pid_t start_display(char *name, size_t room) {
    int ready[2];
    if (pipe(ready)) return -1;
    pid_t parent = getpid(), pid = fork();
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1), dup2(nothing, 2), dup2(ready[1], 9);
        close(ready[0]), close(ready[1]);
        execlp("Xvfb", "Xvfb", "-displayfd", "9", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-ac", "-noreset", (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    char number[16] = "";
    ssize_t n = 0, more;
    while (n < 15 && !strchr(number, '\n') && (more = read(ready[0], number + n, (size_t)(15 - n))) > 0) n += more;
    close(ready[0]);
    snprintf(name, room, ":%d", atoi(number));
    return n > 0 ? pid : -1;
}

// The registry outlives a bus that is killed, and is no child of ours: it is known by the address it was started with.
unsigned a11y_signal_registry(const a11y_bus *b, int signal) {
    unsigned reached = 0;
    char needle[160];
    int width = snprintf(needle, sizeof needle, "AT_SPI_BUS_ADDRESS=%s", b->address) + 1;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[300], environment[32768];
        snprintf(path, sizeof path, "/proc/%s/environ", e->d_name);
        int fd = *e->d_name >= '1' && *e->d_name <= '9' && atoi(e->d_name) != getpid() ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        ssize_t n = fd < 0 ? 0 : read(fd, environment, sizeof environment);
        if (fd >= 0) close(fd);
        if (n > 0 && atoi(e->d_name) != b->pid && memmem(environment, (size_t)n, needle, (size_t)width)) reached += !kill(atoi(e->d_name), signal);
    }
    if (d) closedir(d);
    return reached;
}

void a11y_stop(a11y_bus *b) {
    if (b->pid > 0) kill(b->pid, SIGKILL), waitpid(b->pid, NULL, 0), a11y_signal_registry(b, SIGKILL);
    char path[100];
    snprintf(path, sizeof path, "%s/bus", b->dir);
    unlink(path);
    rmdir(b->dir);
    *b = (a11y_bus){0};
}

static const char *say(peer *p, const char *format, va_list args) {
    char line[4096];
    int n = vsnprintf(line, sizeof line - 1, format, args);
    line[n++] = '\n';
    bool sent = write(p->to, line, (size_t)n) == n, came = sent && read_line(p->from, p->answer, sizeof p->answer);
    bool good = came && !strncmp(p->answer, "ok", 2);
    if (!good) fprintf(stderr, "peer: %.*s: %s\n", n - 1, line, came ? p->answer : "no answer");
    CHECK(good);
    return !good ? "" : p->answer[2] ? p->answer + 3 : "";
}

const char *peer_say(peer *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *answer = say(p, format, args);
    va_end(args);
    return answer;
}

long peer_ask(peer *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *answer = say(p, format, args);
    va_end(args);
    return *answer ? atol(answer) : -1;
}

bool peer_start(peer *p, const char *how, const char *at, const char *script) {
    *p = (peer){.to = -1, .from = -1};
    signal(SIGPIPE, SIG_IGN); // a peer may die while it is spoken to
    char program[512];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 8);
    while (n > 0 && program[n - 1] != '/') n--;
    if (n <= 0) return false;
    snprintf(program + n, 8, "peer");
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC)) return false;
    if (pipe2(out, O_CLOEXEC)) return close(in[0]), close(in[1]), false;
    char *argv[] = {program, (char *)(uintptr_t)how, (char *)(uintptr_t)at, NULL};
    p->pid = spawn(argv, in[0], out[1], NULL);
    close(in[0]);
    close(out[1]);
    p->to = in[1];
    p->from = out[0];
    while (*script) {
        size_t length = strcspn(script, "\n");
        if (length) peer_say(p, "%.*s", (int)length, script);
        script += length + (script[length] != 0);
    }
    snprintf(p->name, sizeof p->name, "%s", peer_say(p, "start"));
    return *p->name != 0;
}

void peer_stop(peer *p) {
    if (p->pid <= 0) return;
    close(p->to);
    close(p->from);
    kill(p->pid, SIGKILL);
    waitpid(p->pid, NULL, 0);
    *p = (peer){.to = -1, .from = -1};
}

void peer_restart(peer *p, const char *at, const char *script) {
    peer_stop(p);
    CHECK(peer_start(p, "--join", at, script));
}

uint64_t connect_bus(const char *accessibility, const char *session_bus, const char *display, unsigned ms, int *status) {
    int64_t s = backstep_open();
    CHECK(s > 0);
    bs_buf q = {0};
    bs_put_cstr(&q, accessibility);
    bs_put_cstr(&q, session_bus);
    bs_put_cstr(&q, display);
    *status = check_run((uint64_t)s, BACKSTEP_OP_CONNECT, &q, ms, NULL);
    bs_buf_free(&q);
    return (uint64_t)s;
}

static void put_target(bs_buf *q, const peer *p, const char *id) {
    char path[160];
    snprintf(path, sizeof path, PEER_PATH "%s", id);
    bs_put_cstr(q, p->name);
    bs_put_cstr(q, path);
}

static const void *column(rows *v, size_t *at, size_t size) {
    *at = (*at + 7) & ~(size_t)7;
    const void *here = v->bytes.data + *at;
    *at += size;
    return here;
}

static bool open_rows(rows *v) {
    const uint32_t *h = (const uint32_t *)(const void *)v->bytes.data;
    if (v->bytes.length < 64 || h[0] != BACKSTEP_SNAPSHOT_MAGIC) return false;
    size_t at = 64, n = h[2];
    uint32_t f = h[3];
    v->n = h[2], v->cut = h[4], v->strategy = h[5], v->calls = h[6], v->strings = h[7], v->route = h[9];
    v->source = h[10], v->afresh = h[11], v->generation = h[13] | (uint64_t)h[14] << 32, v->missed = h[15];
    if (!n) return v->bytes.length == 64 && v->source == 1; // the caller holds it already
    if (f & BACKSTEP_F_VALUE) v->value = column(v, &at, 32 * n);
    if (f & BACKSTEP_F_HASH) v->hash = column(v, &at, 8 * n);
    v->states = column(v, &at, 8 * n);
    v->parent = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_EXTENTS) v->rect = column(v, &at, 16 * n);
    v->interfaces = column(v, &at, 4 * n);
    column(v, &at, 4 * n); // bus
    v->path = column(v, &at, 4 * n);
    v->name = column(v, &at, 4 * n);
    column(v, &at, 4 * n); // description
    if (f & BACKSTEP_F_ID) column(v, &at, 4 * n);
    if (f & BACKSTEP_F_TEXT) v->text = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_CARET) column(v, &at, 12 * n);
    if (f & BACKSTEP_F_ACTIONS) v->actions = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_ATTRIBUTES) column(v, &at, 4 * n);
    if (f & BACKSTEP_F_SELECTION) column(v, &at, 4 * n);
    if (f & BACKSTEP_F_RELATIONS) v->relations = column(v, &at, 4 * n);
    if (f & BACKSTEP_F_KEYS) column(v, &at, 4 * n);
    if (f & BACKSTEP_F_TEXT_STYLE) column(v, &at, 4 * n);
    if (f & BACKSTEP_F_TEXT_RECT) v->text_rect = column(v, &at, 16 * n);
    v->children = column(v, &at, 4 * n);
    v->role = column(v, &at, 2 * n);
    v->offsets = column(v, &at, 4 * ((size_t)v->strings + 1));
    v->arena = column(v, &at, h[8]);
    if (at != v->bytes.length) return false;
    for (uint32_t i = 0; i < v->n; i++) {
        if (v->parent[i] >= (int32_t)i || (i && v->parent[i] < 0) || v->path[i] >= v->strings || v->name[i] >= v->strings) return false;
    }
    return true;
}

int take_snapshot(uint64_t session, const peer *p, const char *id, uint32_t fields, uint32_t max_nodes, unsigned ms, rows *v) {
    bs_buf q = {0};
    *v = (rows){0};
    put_target(&q, p, id);
    uint32_t rest[] = {fields, 1, max_nodes, 0, 1000};
    for (unsigned i = 0; i < 5; i++) bs_put_u32(&q, rest[i]);
    int status = check_run(session, BACKSTEP_OP_SNAPSHOT, &q, ms, &v->bytes);
    bs_buf_free(&q);
    if (status == 0) CHECK(open_rows(v));
    return status;
}

int64_t submit_snapshot_on_screen(uint64_t session, const peer *p, uint32_t fields, unsigned ms) {
    bs_buf q = {0};
    put_target(&q, p, "root");
    uint32_t rest[] = {fields, 0, 0, 0, 1000};
    for (unsigned i = 0; i < 5; i++) bs_put_u32(&q, rest[i]);
    int64_t ticket = backstep_submit(session, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, ms * check_slow());
    bs_buf_free(&q);
    CHECK(ticket > 0);
    return ticket;
}

int take_snapshot_on_screen(uint64_t session, const peer *p, uint32_t fields, unsigned ms, rows *v) {
    check_done d = check_await(session, submit_snapshot_on_screen(session, p, fields, ms), ms + 2000);
    CHECK(d.came);
    *v = (rows){.bytes = d.reply};
    if (d.status == 0) CHECK(open_rows(v));
    return d.status;
}

int take_from(uint64_t session, const peer *p, uint32_t source, uint32_t role, uint32_t fields, uint64_t known, unsigned ms, rows *v) {
    bs_buf q = {0};
    *v = (rows){0};
    put_target(&q, p, "root");
    uint32_t rest[] = {fields, 1, 0, 0, 1000, source};
    for (unsigned i = 0; i < 6; i++) bs_put_u32(&q, rest[i]);
    bs_put_u64(&q, known);
    if (role) bs_put_u32(&q, 1), bs_put_u32(&q, role);
    int status = check_run(session, BACKSTEP_OP_SNAPSHOT, &q, ms, &v->bytes);
    bs_buf_free(&q);
    if (status == 0) CHECK(open_rows(v));
    return status;
}

int take_mirror(uint64_t session, const peer *p, uint32_t fields, uint64_t known, unsigned ms, rows *v) {
    return take_from(session, p, 1, 0, fields, known, ms, v);
}

int64_t submit_snapshot(uint64_t session, const peer *p, unsigned ms) {
    bs_buf q = {0};
    put_target(&q, p, "root");
    uint32_t rest[] = {BACKSTEP_F_ALL, 1, 0, 0, 1000};
    for (unsigned i = 0; i < 5; i++) bs_put_u32(&q, rest[i]);
    int64_t ticket = backstep_submit(session, BACKSTEP_OP_SNAPSHOT, q.data, (uint32_t)q.length, ms * check_slow());
    bs_buf_free(&q);
    CHECK(ticket > 0);
    return ticket;
}

int take_read(uint64_t session, const peer *p, const char *id, unsigned ms, rows *v) {
    bs_buf q = {0};
    *v = (rows){0};
    put_target(&q, p, id);
    bs_put_u32(&q, 1);
    bs_put_u32(&q, 1000);
    int status = check_run(session, BACKSTEP_OP_READ, &q, ms, &v->bytes);
    bs_buf_free(&q);
    if (status == 0) CHECK(open_rows(v) && v->n == 1);
    return status;
}

bs_str row_text(const rows *v, uint32_t k) {
    if (k >= v->strings) return (bs_str){"", 0};
    return (bs_str){v->arena + v->offsets[k], v->offsets[k + 1] - v->offsets[k]};
}

int row_of(const rows *v, const char *id) {
    for (uint32_t i = 0; i < v->n; i++) {
        bs_str path = row_text(v, v->path[i]);
        size_t skip = strlen(PEER_PATH);
        if (path.length == skip + strlen(id) && !memcmp(path.text + skip, id, strlen(id))) return (int)i;
    }
    return -1;
}

static void mix(uint64_t *h, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++) *h = (*h ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

uint64_t rows_hash(const rows *v, bool with_children) {
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < v->n; i++) {
        bs_str strings[3] = {row_text(v, v->path[i]), row_text(v, v->name[i]), row_text(v, v->text ? v->text[i] : 0)};
        for (unsigned k = 0; k < 3; k++) mix(&h, strings[k].text, strings[k].length), mix(&h, "", 1);
        mix(&h, &v->role[i], 2);
        mix(&h, &v->states[2 * i], 8);
        mix(&h, &v->interfaces[i], 4);
        mix(&h, &v->parent[i], 4);
        if (v->rect) mix(&h, &v->rect[4 * i], 16);
        if (with_children) mix(&h, &v->children[i], 4);
    }
    return h;
}

void rows_free(rows *v) {
    bs_buf_free(&v->bytes);
    *v = (rows){0};
}

static int64_t submit_args(uint64_t session, const peer *p, const char *id, uint32_t op, unsigned ms, const char *kind, va_list args) {
    bs_buf q = {0};
    put_target(&q, p, id);
    for (; *kind; kind++) {
        if (*kind == 's') bs_put_cstr(&q, va_arg(args, const char *));
        if (*kind == 'i') bs_put_i32(&q, va_arg(args, int));
        if (*kind == 'd') bs_put_f64(&q, va_arg(args, double));
    }
    int64_t ticket = backstep_submit(session, op, q.data, (uint32_t)q.length, ms * check_slow());
    bs_buf_free(&q);
    CHECK(ticket > 0);
    return ticket;
}

int64_t submit_act(uint64_t session, const peer *p, const char *id, uint32_t op, unsigned ms, const char *kind, ...) {
    va_list args;
    va_start(args, kind);
    int64_t ticket = submit_args(session, p, id, op, ms, kind, args);
    va_end(args);
    return ticket;
}

int run_act(uint64_t session, const peer *p, const char *id, uint32_t op, unsigned ms, const char *kind, ...) {
    va_list args;
    va_start(args, kind);
    int64_t ticket = submit_args(session, p, id, op, ms, kind, args);
    va_end(args);
    return await_status(session, ticket, ms + 1000);
}

int await_status(uint64_t session, int64_t ticket, unsigned ms) {
    check_done d = check_await(session, ticket, ms);
    CHECK(d.came);
    bs_buf_free(&d.reply);
    return d.came ? d.status : -999;
}

bool saw_record(uint32_t kind, uint64_t session, unsigned ms) {
    uint64_t until = bs_now_us() + ms * 1000ull * check_slow();
    for (;;) {
        for (unsigned i = 0; i < check_seen_count; i++) {
            if (check_seen[i].kind != kind || check_seen[i].session != session) continue;
            memmove(&check_seen[i], &check_seen[i + 1], (check_seen_count - i - 1) * sizeof *check_seen);
            check_seen_count--;
            return true;
        }
        if (bs_now_us() >= until) return false;
        check_pull(50);
    }
}

#define SLOTS 64u /* of 100 ms */
static atomic_uint lateness_us[SLOTS];
static atomic_bool watching;
static pthread_t watcher;

static void *watch(void *nothing) {
    uint64_t slot = 0;
    while (atomic_load(&watching)) {
        uint64_t before = bs_now_us();
        usleep(5000);
        uint64_t now = bs_now_us();
        unsigned late = (unsigned)(now - before - 5000);
        for (; slot < now / 100000; slot = slot + SLOTS < now / 100000 ? now / 100000 - SLOTS : slot + 1) atomic_store(&lateness_us[(slot + 1) % SLOTS], 0);
        if (late > atomic_load(&lateness_us[slot % SLOTS])) atomic_store(&lateness_us[slot % SLOTS], late);
    }
    return nothing;
}

void machine_watch(bool on) {
    if (on) {
        atomic_store(&watching, true);
        CHECK_IS(pthread_create(&watcher, NULL, watch, NULL), 0);
    } else if (atomic_exchange(&watching, false)) {
        pthread_join(watcher, NULL);
    }
}

double machine_late_ms(void) {
    unsigned worst = 0;
    for (unsigned i = 0; i < SLOTS; i++)
        if (atomic_load(&lateness_us[i]) > worst) worst = atomic_load(&lateness_us[i]);
    return worst / 1000.0;
}

void took_about(uint64_t since, unsigned ms, const char *what) {
    double took = (double)(bs_now_us() - since) / 1000, least = ms * check_slow() * 0.9, most = ms * check_slow() * 1.1 + 15 * check_slow();
    if (took > most) most += 3 * machine_late_ms() + 100 * (check_load() - 1);
    check_count++;
    if (took >= least && took <= most) return;
    check_failures++;
    fprintf(stderr, "%s took %.1f ms, not %.0f to %.0f\n", what, took, least, most);
}
