#define _GNU_SOURCE
#include "wl_harness.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned checks, failures;
uint32_t modifiers_held;
static bs_buf reply;

#define NOBODY 64999 /* sway does not run as root */

static void become_sway(const char *folder, unsigned outputs) {
    char config[128], run[128], many[32], path[4096];
    const char *search = getenv("PATH");
    snprintf(path, sizeof path, "PATH=%s", search ? search : "/usr/bin:/bin");
    snprintf(config, sizeof config, "%s/config", folder);
    snprintf(run, sizeof run, "XDG_RUNTIME_DIR=%s", folder);
    snprintf(many, sizeof many, "WLR_HEADLESS_OUTPUTS=%u", outputs);
    char *environment[] = {path, run, many, "WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman", "LANG=C.UTF-8", NULL};
    if (geteuid() == 0 && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))) _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    if (!freopen("/dev/null", "w", stdout) || !freopen(getenv("SWAY_LOG") ? getenv("SWAY_LOG") : "/dev/null", "w", stderr)) _exit(126);
    execvpe("sway", (char *[]){"sway", "-c", config, NULL}, environment);
    _exit(127);
}

static bool listens(const char *path) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool reached = fd >= 0 && !connect(fd, (struct sockaddr *)&a, sizeof a);
    if (fd >= 0) close(fd);
    return reached;
}

compositor sway_start(unsigned outputs, const char *more) {
    compositor c = {.folder = "/tmp/bswl.XXXXXX"};
    char path[128];
    if (!mkdtemp(c.folder)) abort();
    snprintf(path, sizeof path, "%s/config", c.folder);
    FILE *f = fopen(path, "w");
    if (!f) abort();
    fprintf(f, "xwayland disable\noutput HEADLESS-1 mode 1280x800\ndefault_floating_border none\nfocus_follows_mouse no\n"
        "for_window [app_id=\".*\"] floating enable, move absolute position 100 80\n%s\n", more);
    fclose(f);
    if (geteuid() == 0 && (chown(path, NOBODY, NOBODY) || chown(c.folder, NOBODY, NOBODY))) abort();
    c.pid = fork();
    if (!c.pid) become_sway(c.folder, outputs);
    snprintf(c.display, sizeof c.display, BS_WAYLAND "%s/wayland-1", c.folder);
    for (uint64_t until = bs_now_us() + 20000000; !listens(c.display + sizeof BS_WAYLAND - 1); poll(NULL, 0, 5)) {
        if (bs_now_us() < until && !waitpid(c.pid, NULL, WNOHANG)) continue;
        fprintf(stderr, "sway did not start\n");
        exit(2);
    }
    return c;
}

void sway_stop(compositor *c) {
    char path[128];
    kill(c->pid, SIGKILL);
    waitpid(c->pid, NULL, 0);
    const char *const files[] = {"config", "wayland-1", "wayland-1.lock"};
    for (unsigned i = 0; i < 3; i++) snprintf(path, sizeof path, "%s/%s", c->folder, files[i]), unlink(path);
    snprintf(path, sizeof path, "%s/sway-ipc.%d.%d.sock", c->folder, geteuid() ? (int)geteuid() : NOBODY, c->pid);
    unlink(path);
    if (rmdir(c->folder)) fprintf(stderr, "%s is left: %s\n", c->folder, strerror(errno));
}

strange strange_start(int how) {
    strange s = {.path = "/tmp/bswl-strange.XXXXXX"};
    int unique = mkstemp(s.path);
    if (unique < 0) abort();
    close(unique);
    unlink(s.path);
    snprintf(s.display, sizeof s.display, BS_WAYLAND "%s", s.path);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", s.path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, how == NEVER_ACCEPTS ? 0 : 8)) abort();
    s.pid = fork();
    if (!s.pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int held = -1;
        if (how == NEVER_ACCEPTS) held = socket(AF_UNIX, SOCK_STREAM, 0), connect(held, (struct sockaddr *)&a, sizeof a); /* the backlog is full */
        while (how != NEVER_ACCEPTS) {
            int one = accept(fd, NULL, NULL);
            const uint32_t nonsense[2] = {1, 8u << 16 | 55}; /* an event of the display that there is none of */
            if (how == TALKS_NONSENSE && write(one, nonsense, sizeof nonsense) < 0) _exit(1);
            if (how == CLOSES) close(one);
        }
        pause();
        _exit(held);
    }
    close(fd);
    poll(NULL, 0, 50); /* until the backlog is full */
    return s;
}

void strange_stop(strange *s) {
    kill(s->pid, SIGKILL);
    waitpid(s->pid, NULL, 0);
    unlink(s->path);
}

typedef struct later {
    uint64_t us;
    pid_t pid;
    int signal;
    bs_screen *interrupt;
    bs_screen *_Atomic *slot;
    atomic_bool *cancel;
} later;

static void *do_later(void *argument) {
    later *l = argument;
    usleep((useconds_t)l->us);
    if (l->pid) kill(l->pid, l->signal);
    if (l->interrupt) l->interrupt->kind->interrupt(l->interrupt);
    if (l->cancel) atomic_store(l->cancel, true);
    bs_screen *s = l->slot ? atomic_exchange(l->slot, NULL) : NULL;
    if (s) s->kind->interrupt(s);
    free(l);
    return NULL;
}

static void start_later(later what) {
    later *l = malloc(sizeof *l);
    *l = what;
    pthread_t t;
    pthread_create(&t, NULL, do_later, l);
    pthread_detach(t);
}

void kill_later(pid_t pid, int signal, uint64_t us) { start_later((later){.us = us, .pid = pid, .signal = signal}); }
void cancel_later(atomic_bool *flag, uint64_t us) { start_later((later){.us = us, .cancel = flag}); }
void interrupt_later(bs_screen *s, uint64_t us) { start_later((later){.us = us, .interrupt = s}); }
void interrupt_opening_later(bs_screen *_Atomic *slot, uint64_t us) { start_later((later){.us = us, .slot = slot}); }

bs_screen *open_or_die(const char *display) {
    bs_screen *_Atomic slot = NULL;
    int status = 0;
    bs_buf_clear(&reply);
    bs_screen *s = bs_screen_wl.open(display, bs_now_us() + 10000000, &status, &reply, &slot);
    if (!s) fprintf(stderr, "open %s: %d %s\n", display, status, reply_text()), exit(2);
    if (slot != s) fprintf(stderr, "the slot is not set\n"), exit(2);
    return s;
}

int open_fails(const char *display, uint64_t within_us, bs_screen *_Atomic *slot) {
    bs_screen *_Atomic own = NULL;
    int status = 0;
    bs_buf_clear(&reply);
    bs_screen *s = bs_screen_wl.open(display, bs_now_us() + within_us, &status, &reply, slot ? slot : &own);
    CHECK(!s && !own, "%s opens", display);
    if (s) end(s);
    return status;
}

void end(bs_screen *s) { s->kind->close(s); }

int run(bs_screen *s, uint32_t op, bs_buf *request, uint32_t timeout_ms, atomic_bool *cancel) {
    bs_reader r = {.data = request->data, .length = request->length};
    bs_buf_clear(&reply);
    int status = s->kind->exec(s, op, &r, bs_now_us() + timeout_ms * 1000ull, cancel, &reply);
    bs_buf_free(request);
    return status;
}

const char *reply_text(void) {
    static char text[600];
    uint32_t n = reply.length >= 4 ? reply_u32(0) : 0;
    snprintf(text, sizeof text, "%.*s", n + 4 == reply.length ? (int)n : 0, reply.data ? (char *)reply.data + 4 : "");
    return text;
}

const uint8_t *reply_data(void) { return reply.data; }
size_t reply_size(void) { return reply.length; }
void forget_reply(void) { bs_buf_free(&reply); }

uint32_t reply_u32(size_t at) {
    uint32_t v = 0xdeadbeef;
    if (at + 4 <= reply.length) memcpy(&v, reply.data + at, 4);
    return v;
}

bool reply_is(const void *bytes, size_t n) { return reply.length == n && !memcmp(reply.data, bytes, n); }

int chord(bs_screen *s, uint32_t n, const uint32_t *symbols) {
    bs_buf q = {0};
    bs_put_u32(&q, n);
    for (uint32_t i = 0; i < n; i++) bs_put_u32(&q, symbols[i]);
    return run(s, BACKSTEP_OP_CHORD, &q, 3000, NULL);
}

int text(bs_screen *s, const char *utf8, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_cstr(&q, utf8);
    return run(s, BACKSTEP_OP_TEXT, &q, timeout_ms, NULL);
}

int pointer(bs_screen *s, uint32_t kind, int32_t x, int32_t y, uint32_t button, uint32_t count, int32_t x2, int32_t y2, uint32_t duration_ms, int32_t wheel_x,
    int32_t wheel_y, uint32_t timeout_ms, atomic_bool *cancel) {
    bs_buf q = {0};
    bs_put_u32(&q, kind), bs_put_i32(&q, x), bs_put_i32(&q, y), bs_put_u32(&q, button), bs_put_u32(&q, count);
    bs_put_i32(&q, x2), bs_put_i32(&q, y2), bs_put_u32(&q, duration_ms), bs_put_i32(&q, wheel_x), bs_put_i32(&q, wheel_y);
    bs_put_u32(&q, modifiers_held);
    return run(s, BACKSTEP_OP_POINTER, &q, timeout_ms, cancel);
}

int click(bs_screen *s, int32_t x, int32_t y) { return pointer(s, 1, x, y, 1, 1, 0, 0, 0, 0, 0, 3000, NULL); }

int capture(bs_screen *s, uint32_t what, int32_t x, int32_t y, int32_t w, int32_t h) {
    bs_buf q = {0};
    bs_put_u32(&q, what), bs_put_u32(&q, 0), bs_put_i32(&q, x), bs_put_i32(&q, y), bs_put_i32(&q, w), bs_put_i32(&q, h);
    return run(s, BACKSTEP_OP_CAPTURE, &q, 5000, NULL);
}

uint32_t pixel(uint32_t x, uint32_t y) {
    size_t at = 12 + ((size_t)y * reply_u32(0) + x) * 4;
    if (at + 4 > reply.length || reply.data[at + 3] != 255) return 0xdead0000;
    return (uint32_t)reply.data[at] << 16 | (uint32_t)reply.data[at + 1] << 8 | reply.data[at + 2];
}

int clip_read(bs_screen *s, const char *selection, const char *target, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_cstr(&q, selection), bs_put_cstr(&q, target);
    return run(s, BACKSTEP_OP_CLIP_READ, &q, timeout_ms, NULL);
}

int clip_write(bs_screen *s, const char *selection, const char *target, const void *bytes, size_t n) {
    bs_buf q = {0};
    bs_put_cstr(&q, selection);
    bs_put_u32(&q, target != NULL);
    if (target) bs_put_cstr(&q, target), bs_put_str(&q, bytes, n);
    return run(s, BACKSTEP_OP_CLIP_WRITE, &q, 3000, NULL);
}

struct pumping {
    pthread_t thread;
    bs_screen *s;
    atomic_bool stop;
};

static void *pump(void *argument) {
    pumping *p = argument;
    struct pollfd fd = {.fd = p->s->kind->fd(p->s), .events = POLLIN};
    while (!atomic_load(&p->stop) && p->s->kind->pump(p->s) >= 0) poll(&fd, 1, 10);
    return NULL;
}

pumping *pump_start(bs_screen *s) {
    pumping *p = calloc(1, sizeof *p);
    p->s = s;
    pthread_create(&p->thread, NULL, pump, p);
    return p;
}

void pump_stop(pumping *p) {
    atomic_store(&p->stop, true);
    pthread_join(p->thread, NULL);
    free(p);
}
