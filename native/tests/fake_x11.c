#define _GNU_SOURCE
/* A display that obeys the tests: its name says how it behaves.
 * "ok" opens at once; "no" fails; "slow" opens after 300 ms. TEXT sleeps as many ms as the text says: politely (watching
 * cancel and deadline) when it starts with "p", stubbornly (until interrupted) when it starts with "s", deaf to
 * everything when it starts with "d". */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../include/backstep.h"
#include "../linux/screen.h"

typedef struct fake {
    bs_screen base; // first
    int fd;
    atomic_bool interrupted;
} fake;

atomic_int fake_closed, fake_executed;

static bs_screen *open_fake(const char *display, uint64_t deadline, int *status, bs_buf *message, bs_screen *_Atomic *slot) {
    (void)deadline, (void)slot;
    if (!strcmp(display, "slow")) usleep(300000);
    fake *f = strcmp(display, "no") ? calloc(1, sizeof *f) : NULL;
    if (!f) {
        *status = BACKSTEP_E_DISPLAY;
        bs_put_cstr(message, "no such display");
        return NULL;
    }
    f->base.kind = &bs_screen_x11;
    f->fd = eventfd(0, EFD_CLOEXEC);
    return &f->base;
}

static int fd(const bs_screen *s) { return ((const fake *)s)->fd; }
static int server(const bs_screen *s) { return (void)s, 0; }
static void size(const bs_screen *s, int32_t *width, int32_t *height) { (void)s, *width = 640, *height = 480; }
static int pump(bs_screen *s) { return atomic_load(&((fake *)s)->interrupted) ? -1 : 0; }
static enum bs_screen_offers offers(const bs_screen *s) {
    return (void)s, BS_OFFERS_NOTHING;
}

static bool input(bs_screen *s, bool now, bs_screen_seen *into, uint64_t *due_us) {
    (void)s, (void)now, (void)into, *due_us = UINT64_MAX;
    return false;
}
static bool told(bs_screen *s, bs_screen_told *into) { return (void)s, (void)into, false; }
static void interrupt(bs_screen *s) { atomic_store(&((fake *)s)->interrupted, true); }

static int exec(bs_screen *s, uint32_t op, bs_reader *request, uint64_t deadline, atomic_bool *cancel, bs_buf *reply) {
    atomic_fetch_add(&fake_executed, 1);
    bs_str text = bs_get_str(request);
    if (op != BACKSTEP_OP_TEXT || request->failed || text.length < 2) return BACKSTEP_E_INVALID;
    char digits[16] = {0};
    memcpy(digits, text.text + 1, text.length < 16 ? text.length - 1 : 15);
    uint64_t until = bs_now_us() + (uint64_t)atoi(digits) * 1000;
    while (bs_now_us() < until) {
        usleep(1000);
        if (text.text[0] == 'p' && atomic_load(cancel)) return BACKSTEP_E_CANCELLED_UNKNOWN;
        if (text.text[0] == 'p' && bs_now_us() > deadline) return BACKSTEP_E_TIMEOUT_UNKNOWN;
        if (text.text[0] != 'd' && pump(s) < 0) return BACKSTEP_E_DISPLAY;
    }
    bs_put_u32(reply, 7);
    return BACKSTEP_OK;
}

static void close_fake(bs_screen *s) {
    close(fd(s));
    free(s);
    atomic_fetch_add(&fake_closed, 1);
}

const bs_screen_kind bs_screen_x11 = {open_fake, fd, server, size, exec, pump, offers, input, told, interrupt, close_fake};
