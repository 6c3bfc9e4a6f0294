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
#include "../linux/x11.h"

struct bs_x11 {
    int fd;
    atomic_bool interrupted;
};

atomic_int fake_closed, fake_executed;

bs_x11 *bs_x11_open(const char *display, uint64_t deadline, int *status, bs_buf *message, bs_x11 *_Atomic *slot) {
    (void)deadline, (void)slot;
    if (!strcmp(display, "slow")) usleep(300000);
    bs_x11 *x = strcmp(display, "no") ? calloc(1, sizeof *x) : NULL;
    if (!x) {
        *status = BACKSTEP_E_DISPLAY;
        bs_put_cstr(message, "no such display");
        return NULL;
    }
    x->fd = eventfd(0, EFD_CLOEXEC);
    return x;
}

int bs_x11_fd(const bs_x11 *x) { return x->fd; }
void bs_x11_size(const bs_x11 *x, int32_t *width, int32_t *height) { (void)x, *width = 640, *height = 480; }
int bs_x11_pump(bs_x11 *x) { return atomic_load(&x->interrupted) ? -1 : 0; }
bool bs_x11_input(bs_x11 *x, bool now, bs_x11_seen *into, uint64_t *due_us) {
    (void)x, (void)now, (void)into, *due_us = UINT64_MAX;
    return false;
}
void bs_x11_interrupt(bs_x11 *x) { atomic_store(&x->interrupted, true); }

int bs_x11_exec(bs_x11 *x, uint32_t op, bs_reader *request, uint64_t deadline, atomic_bool *cancel, bs_buf *reply) {
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
        if (text.text[0] != 'd' && atomic_load(&x->interrupted)) return BACKSTEP_E_DISPLAY;
    }
    bs_put_u32(reply, 7);
    return BACKSTEP_OK;
}

void bs_x11_close(bs_x11 *x) {
    close(x->fd);
    free(x);
    atomic_fetch_add(&fake_closed, 1);
}
