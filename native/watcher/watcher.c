/*
 * backstep-watcher DISPLAY: waits until the process that holds the other end of descriptor 0 is gone, and then lets go of
 * the keys and buttons that the page in descriptor 3 says it held. Started by linux/watch.c.
 * backstep-watcher DISPLAY clipboard: offers what descriptor 0 has, a request of CLIP_RESTORE.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xcb/xtest.h>

#include "../linux/x11_internal.h"

#define OPEN_US 10000000u
#define GONE_US 60000000u /* an X server that stands still may go on */

/* wayland.c */
int watch_wayland(const char *display, const bs_keep *keep);
/* clipboard.c */
int offer_clipboard(const char *display);

static bool anything(const bs_keep *keep) {
    bool any = keep->caps;
    for (unsigned i = 0; i < BS_KEEP_DOWN; i++) any |= keep->down[i];
    for (unsigned i = 0; i < 256; i++) any |= keep->lent[i] != 0;
    return any;
}

/*
 * What it sent before it died comes first: its window is there until the server has read that. The mark tells it from
 * another one, since the server gives the numbers of a client that is gone to the next, which may be us.
 */
static bool await_end(bs_x11 *x, const bs_keep *keep) {
    for (;;) {
        xcb_get_property_reply_t *p;
        if (bs_x11_await(x, xcb_get_property(x->c, 0, keep->window, x->atom[BS_A_BACKSTEP_MARK], XCB_ATOM_INTEGER, 0, 1).sequence, &p)) return false;
        uint32_t mark = 0;
        if (p && p->format == 32 && p->value_len == 1) memcpy(&mark, xcb_get_property_value(p), 4);
        free(p);
        if (mark != keep->mark) return true;
        if (bs_x11_pause(x, bs_now_us() + 5000)) return false;
    }
}

static void give_back(bs_x11 *x, const bs_keep *keep) {
    const xcb_setup_t *setup = xcb_get_setup(x->c);
    xcb_get_keyboard_mapping_reply_t *map;
    unsigned n = setup->max_keycode - setup->min_keycode + 1u;
    if (bs_x11_await(x, xcb_get_keyboard_mapping(x->c, setup->min_keycode, (uint8_t)n).sequence, &map) || !map) return;
    const xcb_keysym_t *symbols = xcb_get_keyboard_mapping_keysyms(map);
    unsigned width = map->keysyms_per_keycode;
    if ((unsigned)xcb_get_keyboard_mapping_keysyms_length(map) < n * width) width = 0;
    xcb_keysym_t nothing[256] = {0};
    for (unsigned i = 0; i < n && width; i++) {
        uint32_t ours = keep->lent[setup->min_keycode + i];
        if (ours && symbols[i * width] == ours) xcb_change_keyboard_mapping(x->c, 1, (xcb_keycode_t)(setup->min_keycode + i), (uint8_t)width, nothing);
    }
    free(map);
}

static void let_go(bs_x11 *x, const bs_keep *keep) {
    for (unsigned i = 0; i < BS_KEEP_DOWN; i++) {
        if (keep->down[i]) xcb_test_fake_input(x->c, i < 256 ? XCB_KEY_RELEASE : XCB_BUTTON_RELEASE, (uint8_t)(i < 256 ? i : i - 256), XCB_CURRENT_TIME, 0, 0, 0, 0);
    }
    if (keep->caps) {
        xcb_test_fake_input(x->c, XCB_KEY_PRESS, (uint8_t)keep->caps, XCB_CURRENT_TIME, 0, 0, 0, 0);
        xcb_test_fake_input(x->c, XCB_KEY_RELEASE, (uint8_t)keep->caps, XCB_CURRENT_TIME, 0, 0, 0, 0);
    }
    give_back(x, keep);
    bs_x11_sync(x);
}

int main(int argc, char **argv) {
    if (argc != 2 && (argc != 3 || strcmp(argv[2], BS_WATCH_CLIPBOARD))) return 2;
    if (fork()) return 0; /* whoever started us waits for this one only */
    if (argc == 3) {
        for (int fd = 3; fd < 256; fd++) close(fd);
        return chdir("/") ? 1 : offer_clipboard(argv[1]);
    }
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    for (unsigned i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    for (int fd = 4; fd < 256; fd++) close(fd); /* what its parent forgot to close on exec */
    if (chdir("/")) return 1;
    bs_keep *keep = mmap(NULL, sizeof *keep, PROT_READ, MAP_SHARED, 3, 0);
    if (keep == MAP_FAILED) return 1;
    if (!strncmp(argv[1], BS_WAYLAND, sizeof BS_WAYLAND - 1)) return watch_wayland(argv[1], keep);
    int status;
    bs_buf message = {0};
    bs_screen *_Atomic slot = NULL;
    bs_x11 *x = bs_x11_open(argv[1], bs_now_us() + OPEN_US, &status, &message, &slot);
    bs_buf_free(&message);
    if (!x) return 1;
    struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = bs_x11_fd(x), .events = POLLIN}};
    while (poll(ends, 2, -1) < 0 || !ends[0].revents) {
        if (ends[1].revents && bs_x11_pump(x) < 0) return 0; /* no display, nothing to let go of */
    }
    if (anything(keep)) {
        bs_buf reply = {0};
        bs_screen_begin(&x->base, bs_now_us() + GONE_US, NULL, &reply);
        if (await_end(x, keep)) let_go(x, keep);
        bs_screen_end(&x->base);
        bs_buf_free(&reply);
    }
    bs_x11_close(x);
    return 0;
}
