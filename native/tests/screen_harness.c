#define _GNU_SOURCE
#include "screen_harness.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unsigned checks, failures;
uint32_t modifiers_held;
static bs_buf reply;

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

bs_screen *open_kind_or_die(const bs_screen_kind *kind, const char *display) {
    bs_screen *_Atomic slot = NULL;
    int status = 0;
    bs_buf_clear(&reply);
    bs_screen *s = kind->open(display, bs_now_us() + 10000000, &status, &reply, &slot);
    if (!s) fprintf(stderr, "open %s: %d %s\n", display, status, reply_text()), exit(2);
    if (slot != s) fprintf(stderr, "the slot is not set\n"), exit(2);
    return s;
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

bs_buf *cleared_reply(void) {
    bs_buf_clear(&reply);
    return &reply;
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

int capture_within(bs_screen *s, uint32_t what, uint32_t window, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t timeout_ms) {
    bs_buf q = {0};
    bs_put_u32(&q, what), bs_put_u32(&q, window), bs_put_i32(&q, x), bs_put_i32(&q, y), bs_put_i32(&q, w), bs_put_i32(&q, h);
    return run(s, BACKSTEP_OP_CAPTURE, &q, timeout_ms, NULL);
}

int clip_read_within(bs_screen *s, const char *selection, const char *target, uint32_t timeout_ms) {
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

void leave_clipboard(bs_screen *leaving, bs_screen *other, const char *text) {
    size_t n = strlen(text);
    bs_buf none = {0}, again = {0};
    CHECK(!clip_write(leaving, "CLIPBOARD", "UTF8_STRING", text, n), "%s", reply_text());
    CHECK(!run(leaving, BACKSTEP_OP_CLIP_LEAVE, &none, 5000, NULL) && reply_u32(0) == 1, "one is left: %s", reply_text());
    CHECK(!run(leaving, BACKSTEP_OP_CLIP_LEAVE, &again, 5000, NULL) && reply_u32(0) == 0, "and none a second time: %s", reply_text());
    end(leaving);
    CHECK(!clip_read_within(other, "CLIPBOARD", "UTF8_STRING", 5000) && reply_size() == n && reply_is(text, n), "it stays: %s", reply_text());
    CHECK(!clip_write(other, "CLIPBOARD", "UTF8_STRING", "x", 1), "and gives way: %s", reply_text());
    CHECK(!clip_read_within(other, "CLIPBOARD", "UTF8_STRING", 3000) && reply_is("x", 1), "%s", reply_text());
}
