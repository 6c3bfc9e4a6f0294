/* What the tests of both displays are written with: checks, requests and their replies, and what happens later on another thread. */
#ifndef SCREEN_HARNESS_H
#define SCREEN_HARNESS_H

#include <stdio.h>
#include <sys/types.h>

#include "../include/backstep.h"
#include "../linux/screen.h"

extern unsigned checks, failures;
#define CHECK(condition, ...) \
    do { \
        checks++; \
        if (!(condition)) failures++, fprintf(stderr, "%s:%d: failed: %s: ", __FILE__, __LINE__, #condition), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr); \
    } while (0)

void kill_later(pid_t pid, int signal, uint64_t us);
void cancel_later(atomic_bool *flag, uint64_t us);
void interrupt_later(bs_screen *s, uint64_t us);
void interrupt_opening_later(bs_screen *_Atomic *slot, uint64_t us);

bs_screen *open_kind_or_die(const bs_screen_kind *kind, const char *display);
void end(bs_screen *s);

/* Operations. The reply stays until the next one. */
int run(bs_screen *s, uint32_t op, bs_buf *request, uint32_t timeout_ms, atomic_bool *cancel); /* frees the request */
bs_buf *cleared_reply(void); /* for what is no operation */
const char *reply_text(void);
const uint8_t *reply_data(void);
size_t reply_size(void);
uint32_t reply_u32(size_t at);
bool reply_is(const void *bytes, size_t n);
void forget_reply(void);
int chord(bs_screen *s, uint32_t n, const uint32_t *symbols);
int text(bs_screen *s, const char *utf8, uint32_t timeout_ms);
extern uint32_t modifiers_held; /* in what pointer() asks for */
int pointer(bs_screen *s, uint32_t kind, int32_t x, int32_t y, uint32_t button, uint32_t count, int32_t x2, int32_t y2, uint32_t duration_ms, int32_t wheel_x,
    int32_t wheel_y, uint32_t timeout_ms, atomic_bool *cancel);
int capture_within(bs_screen *s, uint32_t what, uint32_t window, int32_t x, int32_t y, int32_t w, int32_t h, uint32_t timeout_ms);
int clip_read_within(bs_screen *s, const char *selection, const char *target, uint32_t timeout_ms);
int clip_write(bs_screen *s, const char *selection, const char *target, const void *bytes, size_t n);
void leave_clipboard(bs_screen *leaving, bs_screen *other, const char *text); /* checks it, and ends the first */
typedef struct pumping pumping;
pumping *pump_start(bs_screen *s);
void pump_stop(pumping *p);

#endif
