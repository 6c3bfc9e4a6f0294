/* The bare peer of `deno task bench record`: what any X client has of the X Input extension, and no more.
 *
 *   peer_xi2 listen   selects raw events of buttons and keys, and stamps each press and release of a button and each press of a
 *                     key as it is read. Reads lines: "on", "off", "take", which answers all stamps since the last in one line.
 *   peer_xi2 send     sends input through XTEST. Reads lines: "move X Y", "buttons COUNT GAP_US", "keys COUNT GAP_US KEYSYM";
 *                     answers the stamps of what it sent, taken right before each was written.
 *
 * Stamps are microseconds of CLOCK_MONOTONIC. What is sent through XTEST goes around no grab and reaches every client alike. */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/xtest.h>

enum { SELECT_EVENTS = 46, QUERY_VERSION = 47, ALL_MASTERS = 1, RAW_KEY = 13, RAW_BUTTON = 15, RAW_BUTTON_UP = 16, MOST = 4096 };

static xcb_extension_t xinput = {"XInputExtension", 0};
static uint64_t stamps[MOST];
static unsigned count;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void report(void) {
    for (unsigned i = 0; i < count; i++) printf("%s%llu", i ? " " : "", (unsigned long long)stamps[i]);
    putchar('\n');
    fflush(stdout);
    count = 0;
}

static unsigned request(xcb_connection_t *c, uint8_t opcode, bool answered, void *body, size_t size) {
    xcb_protocol_request_t what = {.count = 1, .ext = &xinput, .opcode = opcode, .isvoid = !answered};
    struct iovec parts[3] = {[2] = {.iov_base = body, .iov_len = size}};
    return xcb_send_request(c, answered ? XCB_REQUEST_CHECKED : 0, parts + 2, &what);
}

static void select_raw(xcb_connection_t *c, uint32_t root, bool on) {
    struct {
        uint8_t head[4];
        uint32_t window;
        uint16_t masks, pad, device, words;
        uint32_t mask;
    } body = {.window = root, .masks = 1, .device = ALL_MASTERS, .words = 1};
    if (on) body.mask = 1u << RAW_KEY | 1u << RAW_BUTTON | 1u << RAW_BUTTON_UP;
    request(c, SELECT_EVENTS, false, &body, sizeof body);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL)); /* the server has taken it */
}

static void stamp_events(xcb_connection_t *c) {
    for (xcb_generic_event_t *e; (e = xcb_poll_for_event(c));) {
        uint16_t kind = ((const xcb_ge_generic_event_t *)e)->event_type;
        bool raw = (e->response_type & 0x7f) == XCB_GE_GENERIC && (kind == RAW_KEY || kind == RAW_BUTTON || kind == RAW_BUTTON_UP);
        if (raw && count < MOST) stamps[count++] = now();
        free(e);
    }
}

static int listen_raw(xcb_connection_t *c, uint32_t root) {
    struct {
        uint8_t head[4];
        uint16_t major, minor;
    } version = {.major = 2, .minor = 2};
    const xcb_query_extension_reply_t *found = xcb_get_extension_data(c, &xinput);
    if (!found || !found->present) return 1;
    free(xcb_wait_for_reply(c, request(c, QUERY_VERSION, true, &version, sizeof version), NULL));
    struct pollfd fds[2] = {{xcb_get_file_descriptor(c), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    puts("ready");
    fflush(stdout);
    for (;;) {
        stamp_events(c);
        if (poll(fds, 2, -1) < 0) return 1;
        if (!fds[1].revents) continue;
        char line[64];
        ssize_t size = read(STDIN_FILENO, line, sizeof line - 1);
        if (size <= 0) return 0;
        line[size] = 0;
        if (!strncmp(line, "take", 4)) {
            free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL)); /* all that was sent before is there then */
            stamp_events(c);
            report();
            continue;
        }
        select_raw(c, root, !strncmp(line, "on", 2));
        puts("done");
        fflush(stdout);
    }
}

static xcb_keycode_t code_of(xcb_connection_t *c, xcb_keysym_t wanted) {
    const xcb_setup_t *setup = xcb_get_setup(c);
    uint8_t codes = (uint8_t)(setup->max_keycode - setup->min_keycode + 1);
    xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(c, xcb_get_keyboard_mapping(c, setup->min_keycode, codes), NULL);
    xcb_keycode_t found = 0;
    for (unsigned k = 0; map && k < codes && !found; k++)
        if (xcb_get_keyboard_mapping_keysyms(map)[k * map->keysyms_per_keycode] == wanted) found = (xcb_keycode_t)(setup->min_keycode + k);
    free(map);
    return found;
}

static void sleep_until(uint64_t us) {
    struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL)) {}
}

static int send_input(xcb_connection_t *c, uint32_t root) {
    char line[64], what[16];
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        int a = 0, b = 0, symbol = 0;
        if (sscanf(line, "%15s %d %d %d", what, &a, &b, &symbol) < 3 || a > MOST) continue;
        if (!strcmp(what, "move")) {
            xcb_test_fake_input(c, XCB_MOTION_NOTIFY, 0, 0, root, (int16_t)a, (int16_t)b, 0);
            free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
            report();
            continue;
        }
        bool keys = !strcmp(what, "keys");
        xcb_keycode_t code = keys ? code_of(c, (xcb_keysym_t)symbol) : 1;
        uint64_t due = now();
        for (int i = 0; i < a; i++) {
            sleep_until(due += (uint64_t)b);
            stamps[count++] = now();
            uint8_t type = keys ? XCB_KEY_PRESS : i % 2 ? XCB_BUTTON_RELEASE : XCB_BUTTON_PRESS;
            xcb_test_fake_input(c, type, code, 0, root, 0, 0, 0);
            xcb_flush(c);
            if (!keys) continue;
            sleep_until(due + (uint64_t)b / 2);
            xcb_test_fake_input(c, XCB_KEY_RELEASE, code, 0, root, 0, 0, 0);
            xcb_flush(c);
        }
        free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
        report();
    }
    return 0;
}

int main(int words, char **word) {
    xcb_connection_t *c = xcb_connect(NULL, NULL);
    if (words != 2 || xcb_connection_has_error(c)) return 1;
    uint32_t root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root;
    int status = !strcmp(word[1], "listen") ? listen_raw(c, root) : send_input(c, root);
    xcb_disconnect(c);
    return status;
}
