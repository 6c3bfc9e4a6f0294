/* The clipboard of a session that has ended: offered until another client takes it, or the display ends. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../include/backstep.h"
#include "../linux/screen.h"

#define OPEN_US 10000000u
#define SLOW_MS 60000 /* whoever has taken nothing of what it asked for for so long will not */

/* clipboard.c */
int offer_clipboard(const char *display);

static bool restore(bs_screen *s, const uint8_t *request, size_t length) {
    bs_reader reader = {.data = request, .length = length};
    bs_buf reply = {0};
    int status = s->kind->exec(s, BACKSTEP_OP_CLIP_RESTORE, &reader, bs_now_us() + OPEN_US, NULL, &reply);
    bs_buf_free(&reply);
    return !status;
}

int offer_clipboard(const char *display) {
    off_t size = lseek(0, 0, SEEK_END); /* fstat is younger than the glibc that it has to run with */
    if (size <= 0) return 1;
    size_t length = (size_t)size;
    const uint8_t *request = mmap(NULL, length, PROT_READ, MAP_SHARED, 0, 0);
    if (request == MAP_FAILED) return 1;
    signal(SIGPIPE, SIG_IGN); /* who reads from us may end */
    const bs_screen_kind *kind = strncmp(display, BS_WAYLAND, sizeof BS_WAYLAND - 1) ? &bs_screen_x11 : &bs_screen_wl_without;
    int status;
    bs_buf message = {0};
    bs_screen *_Atomic slot = NULL;
    bs_screen *s = kind->open(display, bs_now_us() + OPEN_US, &status, &message, &slot);
    bs_buf_free(&message);
    if (!s) return 1;
    bool restored = restore(s, request, length);
    munmap((void *)(uintptr_t)request, length);
    close(0); /* the last that holds what was shared */
    while (restored && kind->pump(s) >= 0) {
        enum bs_screen_offers offers = kind->offers(s);
        struct pollfd end = {.fd = kind->fd(s), .events = POLLIN};
        if (offers == BS_OFFERS_NOTHING || poll(&end, 1, offers == BS_OFFERS_CONTENT ? -1 : SLOW_MS) == 0) break;
    }
    kind->close(s);
    return !restored;
}
