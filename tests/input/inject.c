/*
 * A second X client, as a person is to the core: does what each line of standard input says, and answers "done" once the X
 * server has carried it out. move X Y, press BUTTON, release BUTTON, down KEYCODE, up KEYCODE; symbol KEYSYM answers the keycode.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xcb/xtest.h>

static int keycode_of(xcb_connection_t *c, xcb_keysym_t symbol) {
    const xcb_setup_t *setup = xcb_get_setup(c);
    unsigned n = setup->max_keycode - setup->min_keycode + 1u;
    xcb_get_keyboard_mapping_reply_t *map = xcb_get_keyboard_mapping_reply(c, xcb_get_keyboard_mapping(c, setup->min_keycode, (uint8_t)n), NULL);
    int code = 0;
    for (unsigned i = 0; map && i < n && !code; i++) {
        if (xcb_get_keyboard_mapping_keysyms(map)[i * map->keysyms_per_keycode] == symbol) code = (int)(setup->min_keycode + i);
    }
    free(map);
    return code;
}

int main(void) {
    xcb_connection_t *c = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(c)) return 1;
    xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root;
    char line[128], what[32];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        unsigned a = 0, b = 0;
        if (sscanf(line, "%31s %u %u", what, &a, &b) < 2) return 2;
        uint8_t type = !strcmp(what, "move") ? XCB_MOTION_NOTIFY : !strcmp(what, "press") ? XCB_BUTTON_PRESS : !strcmp(what, "release") ? XCB_BUTTON_RELEASE
            : !strcmp(what, "down") ? XCB_KEY_PRESS : !strcmp(what, "up") ? XCB_KEY_RELEASE : 0;
        if (!strcmp(what, "symbol")) {
            printf("%d\n", keycode_of(c, a));
            continue;
        }
        if (!type) return 2;
        xcb_test_fake_input(c, type, type == XCB_MOTION_NOTIFY ? 0 : (uint8_t)a, XCB_CURRENT_TIME, type == XCB_MOTION_NOTIFY ? root : XCB_NONE,
            (int16_t)a, (int16_t)b, 0);
        free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
        puts("done");
    }
    xcb_disconnect(c);
    return 0;
}
