/* Whose keyboard, clipboard, windows and places are. The other clients are connections of this process, so that its pid is known. */
#define _GNU_SOURCE
#include "x11_harness.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNKNOWN, CLIENT, OWN, MANAGER, NOBODY, CLIPBOARD_MANAGER };

typedef struct holders {
    uint32_t grabs, focus_pid, focus, clipboard_pid, clipboard, clients, ours, window_pid, place_pids, place_pid;
} holders;

static holders ask(bs_screen *x, uint32_t window, int32_t at_x, int32_t at_y) {
    bs_buf q = {0};
    bs_put_u32(&q, 1), bs_put_u32(&q, window), bs_put_u32(&q, 1), bs_put_i32(&q, at_x), bs_put_i32(&q, at_y);
    holders h = {0};
    CHECK(run(x, BACKSTEP_OP_HOLDERS, &q, 3000, NULL) == 0, "holders: %s", reply_text());
    size_t at = 0;
    h.grabs = reply_u32(at), h.focus_pid = reply_u32(at + 4), h.focus = reply_u32(at + 8);
    h.clipboard_pid = reply_u32(at + 12), h.clipboard = reply_u32(at + 16);
    h.clients = reply_u32(at + 20), at += 24;
    for (uint32_t i = 0; i < h.clients; i++, at += 8) h.ours += reply_u32(at) == (uint32_t)getpid();
    CHECK(reply_u32(at) == 1, "one window");
    h.window_pid = reply_u32(at + 4);
    CHECK(reply_u32(at + 8) == 1, "one place");
    h.place_pids = reply_u32(at + 12);
    h.place_pid = h.place_pids ? reply_u32(at + 16) : 0;
    CHECK(reply_size() == at + 16 + 4 * (size_t)h.place_pids, "nothing follows");
    return h;
}

static uint8_t grab(xcb_connection_t *c, xcb_window_t window) {
    xcb_grab_keyboard_reply_t *k = xcb_grab_keyboard_reply(c, xcb_grab_keyboard(c, 0, window, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC), NULL);
    xcb_grab_pointer_reply_t *p = xcb_grab_pointer_reply(c, xcb_grab_pointer(c, 0, window, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC, 0, 0, XCB_CURRENT_TIME), NULL);
    uint8_t status = !k || !p ? 255 : k->status ? k->status : p->status;
    free(k);
    free(p);
    return status;
}

static void done(xcb_connection_t *c) {
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
}

static void own(xcb_connection_t *c, const char *selection, xcb_window_t window) {
    xcb_intern_atom_reply_t *a = xcb_intern_atom_reply(c, xcb_intern_atom(c, 0, (uint16_t)strlen(selection), selection), NULL);
    CHECK(a, "an atom");
    if (a) xcb_set_selection_owner(c, window, a->atom, XCB_CURRENT_TIME);
    free(a);
    done(c);
}

static void test_grabs(bs_screen *x, xcb_connection_t *c, xcb_window_t root) {
    for (unsigned i = 0; i < 200; i++) {
        CHECK(ask(x, 1, 0, 0).grabs == 0, "nobody has a grab");
        CHECK(grab(c, root) == XCB_GRAB_STATUS_SUCCESS, "and we took none");
        CHECK(ask(x, 1, 0, 0).grabs == 3, "somebody has both");
        xcb_ungrab_pointer(c, XCB_CURRENT_TIME);
        done(c);
        CHECK(ask(x, 1, 0, 0).grabs == 1, "the keyboard alone");
        xcb_ungrab_keyboard(c, XCB_CURRENT_TIME);
        done(c);
    }
}

static void test_owners(bs_screen *x, xcb_connection_t *c, xcb_window_t window, uint32_t shown) {
    uint32_t pid = (uint32_t)getpid();
    xcb_set_input_focus(c, XCB_INPUT_FOCUS_NONE, XCB_INPUT_FOCUS_POINTER_ROOT, XCB_CURRENT_TIME);
    done(c);
    holders h = ask(x, shown, 210, 230);
    CHECK(h.focus == NOBODY && h.clipboard == NOBODY, "nobody: %u, %u", h.focus, h.clipboard);
    CHECK(h.window_pid == pid, "whose window, whatever it says: %u", h.window_pid);
    CHECK(h.place_pids == 1 && h.place_pid == pid, "whose place: %u of %u", h.place_pid, h.place_pids);
    CHECK(h.ours >= 3, "%u of %u connections are of this process", h.ours, h.clients);
    h = ask(x, 1, 900, 700);
    CHECK(h.place_pids == 0 && h.window_pid != pid, "nothing lies there: %u, %u", h.place_pids, h.window_pid);
    xcb_set_input_focus(c, XCB_INPUT_FOCUS_NONE, shown, XCB_CURRENT_TIME);
    own(c, "CLIPBOARD", window);
    h = ask(x, shown, -5, -5);
    CHECK(h.focus == CLIENT && h.focus_pid == pid, "the focus: %u of %u", h.focus, h.focus_pid);
    CHECK(h.clipboard == CLIENT && h.clipboard_pid == pid, "the clipboard: %u of %u", h.clipboard, h.clipboard_pid);
    own(c, "CLIPBOARD_MANAGER", window);
    CHECK(ask(x, shown, 0, 0).clipboard == CLIPBOARD_MANAGER, "what a manager has may be anybody's");
    CHECK(clip_write(x, "CLIPBOARD", "UTF8_STRING", "mine", 4) == 0 && ask(x, shown, 0, 0).clipboard == OWN, "our own");
}

static void test_refused(bs_screen *x) {
    bs_buf q = {0};
    bs_put_u32(&q, 0), bs_put_u32(&q, 17);
    CHECK(run(x, BACKSTEP_OP_HOLDERS, &q, 1000, NULL) == BACKSTEP_E_INVALID, "too many places: %s", reply_text());
    q = (bs_buf){0};
    bs_put_u32(&q, 4097);
    CHECK(run(x, BACKSTEP_OP_HOLDERS, &q, 1000, NULL) == BACKSTEP_E_INVALID, "too many windows: %s", reply_text());
    q = (bs_buf){0};
    bs_put_u32(&q, 0), bs_put_u32(&q, 1), bs_put_i32(&q, 40000), bs_put_i32(&q, 0);
    CHECK(run(x, BACKSTEP_OP_HOLDERS, &q, 1000, NULL) == BACKSTEP_E_INVALID, "no place: %s", reply_text());
}

void test_holders(const char *display) {
    bs_screen *x = open_or_die(display);
    uint32_t shown = coloured_window(display, 200, 220, 50, 60, 0xff0000);
    xcb_connection_t *c = xcb_connect(display, NULL);
    xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(c)).data->root, window = xcb_generate_id(c);
    xcb_create_window(c, 0, window, root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL); /* never shown */
    done(c);
    test_grabs(x, c, root);
    test_owners(x, c, window, shown);
    test_refused(x);
    xcb_disconnect(c);
    uncolour();
    end(x);
}
