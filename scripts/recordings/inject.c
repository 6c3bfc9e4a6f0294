/* A second X client that does what a person does: reads commands from its standard input, a line each, and answers a line
 * each once the server has taken them. "move X Y", "down BUTTON", "up BUTTON", "key KEYSYM DOWN" (DOWN: 1 or 0). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>
#include <xcb/xtest.h>

static xcb_keycode_t code_of(xcb_connection_t *c, const xcb_setup_t *setup, xcb_keysym_t wanted) {
    int count = setup->max_keycode - setup->min_keycode + 1;
    xcb_get_keyboard_mapping_reply_t *map =
        xcb_get_keyboard_mapping_reply(c, xcb_get_keyboard_mapping(c, setup->min_keycode, (uint8_t)count), NULL);
    xcb_keycode_t found = 0;
    if (map == NULL) return 0;
    const xcb_keysym_t *syms = xcb_get_keyboard_mapping_keysyms(map);
    for (int k = 0; k < count && found == 0; k++)
        if (syms[k * map->keysyms_per_keycode] == wanted) found = (xcb_keycode_t)(setup->min_keycode + k);
    free(map);
    return found;
}

int main(void) {
    xcb_connection_t *c = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(c)) return 1;
    const xcb_setup_t *setup = xcb_get_setup(c);
    xcb_window_t root = xcb_setup_roots_iterator(setup).data->root;
    char line[128], what[16];
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        int a = 0, b = 0;
        if (sscanf(line, "%15s %d %d", what, &a, &b) < 2) continue;
        if (strcmp(what, "move") == 0)
            xcb_test_fake_input(c, XCB_MOTION_NOTIFY, 0, 0, root, (int16_t)a, (int16_t)b, 0);
        else if (strcmp(what, "down") == 0)
            xcb_test_fake_input(c, XCB_BUTTON_PRESS, (uint8_t)a, 0, root, 0, 0, 0);
        else if (strcmp(what, "up") == 0)
            xcb_test_fake_input(c, XCB_BUTTON_RELEASE, (uint8_t)a, 0, root, 0, 0, 0);
        else if (strcmp(what, "key") == 0)
            xcb_test_fake_input(c, b != 0 ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code_of(c, setup, (xcb_keysym_t)a), 0, root, 0,
                                0, 0);
        xcb_flush(c);
        free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
        puts("done");
        fflush(stdout);
    }
    xcb_disconnect(c);
    return 0;
}
