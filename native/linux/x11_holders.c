/*
 * Whose the keyboard, the clipboard, a window and a place of the screen are: the processes of their clients, as the server
 * itself knows them (X-Resource 1.2). What a window says of itself (_NET_WM_PID) is that client's word only, and many say nothing.
 *
 * Who has a grab, X does not tell; that somebody has one, it does: a grab on a window that is not shown is refused, and
 * before that for the reason that another client has one. So nothing is ever grabbed here.
 *
 * Two requests are all it takes, so they are written out instead of linking libxcb-res.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include <xcb/xcbext.h>

enum { QUERY_VERSION = 0, QUERY_CLIENT_IDS = 4, PID = 2 };
enum { KEYBOARD = 1, POINTER = 2 };
enum { UNKNOWN, CLIENT, OWN, MANAGER, NOBODY, CLIPBOARD_MANAGER };
enum { SHOWN = 1, IS_MANAGER = 2, IS_OWN = 4 };

#define CLIENTS 4096u
#define WINDOWS 4096u
#define PLACES 16u
#define DEPTH 32u

static xcb_extension_t extension = {.name = "X-Resource"};

typedef struct client {
    uint32_t base, pid, flags;
} client;

typedef struct clients {
    client *all;
    unsigned count;
    uint32_t mask; /* of the bits that a client numbers its own things with */
} clients;

static unsigned request(bs_x11 *x, uint8_t opcode, void *body, size_t size) {
    xcb_protocol_request_t what = {.count = 1, .ext = &extension, .opcode = opcode};
    struct iovec parts[3] = {{0}, {0}, {body, size}}; /* two in front are xcb's */
    return xcb_send_request(x->c, XCB_REQUEST_CHECKED, parts + 2, &what);
}

/* Whether the server tells processes: 1.2 or later. */
static int told(bs_x11 *x, bool *yes) {
    xcb_prefetch_extension_data(x->c, &extension);
    int status = bs_x11_sync(x); /* the answer about the extension is there then */
    const xcb_query_extension_reply_t *found = status ? NULL : xcb_get_extension_data(x->c, &extension);
    *yes = false;
    if (status || !found || !found->present) return status;
    struct {
        uint8_t head[4], major, minor;
        uint16_t pad;
    } body = {.major = 1, .minor = 2};
    struct {
        uint8_t head[8];
        uint16_t major, minor;
    } *version;
    status = bs_x11_await(x, request(x, QUERY_VERSION, &body, sizeof body), &version);
    *yes = version && (version->major > 1 || (version->major == 1 && version->minor >= 2));
    free(version);
    return status;
}

static uint32_t word_at(const uint8_t *bytes, size_t at) {
    uint32_t v;
    memcpy(&v, bytes + at, 4);
    return v;
}

/* Every local client with its process. A reply is 32 bytes and then, for each: its number, what is told, how many bytes, these. */
static int read_clients(bs_x11 *x, clients *to) {
    struct {
        uint8_t head[4];
        uint32_t n, client, mask;
    } body = {.n = 1, .client = 0, .mask = PID}; /* 0: all */
    uint8_t *reply;
    int status = bs_x11_await(x, request(x, QUERY_CLIENT_IDS, &body, sizeof body), &reply);
    if (status || !reply) return status;
    size_t size = 32 + 4 * (size_t)word_at(reply, 4), at = 32;
    uint32_t n = word_at(reply, 8);
    if (n > CLIENTS) n = CLIENTS;
    to->all = calloc(n + 1, sizeof *to->all);
    if (!to->all) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    for (uint32_t i = 0; i < n && !status && size - at >= 12; i++) {
        uint32_t base = word_at(reply, at), what = word_at(reply, at + 4), length = word_at(reply, at + 8);
        at += 12;
        if (length > size - at || length % 4) break;
        if ((what & PID) && length >= 4) to->all[to->count++] = (client){.base = base & ~to->mask, .pid = word_at(reply, at)};
        at += length;
    }
    free(reply);
    return status;
}

static client *client_of(const clients *of, xcb_window_t window) {
    for (unsigned i = 0; i < of->count && window; i++) {
        if (of->all[i].base == (window & ~of->mask)) return &of->all[i];
    }
    return NULL;
}

static void flag(const clients *of, xcb_window_t window, uint32_t flags) {
    client *c = client_of(of, window);
    if (c) c->flags |= flags;
}

static int flag_shown(bs_x11 *x, const clients *of) {
    xcb_query_tree_reply_t *tree;
    int status = bs_x11_await(x, xcb_query_tree(x->c, x->root).sequence, &tree);
    unsigned n = tree ? (unsigned)xcb_query_tree_children_length(tree) : 0;
    const xcb_window_t *windows = tree ? xcb_query_tree_children(tree) : NULL;
    if (n > WINDOWS) windows += n - WINDOWS, n = WINDOWS; /* the uppermost */
    unsigned *sequences = calloc(n + 1, sizeof *sequences);
    if (!sequences && !status) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    for (unsigned i = 0; i < n && sequences; i++) sequences[i] = xcb_get_window_attributes(x->c, windows[i]).sequence;
    for (unsigned i = 0; i < n && sequences; i++) {
        xcb_get_window_attributes_reply_t *a = NULL;
        if (!status) status = bs_x11_await(x, sequences[i], &a);
        else if (!xcb_connection_has_error(x->c)) xcb_discard_reply(x->c, sequences[i]);
        if (a && a->map_state == XCB_MAP_STATE_VIEWABLE) flag(of, windows[i], SHOWN);
        free(a);
    }
    free(sequences);
    free(tree);
    xcb_get_property_reply_t *list = NULL;
    if (!status) status = bs_x11_await(x, xcb_get_property(x->c, 0, x->root, x->atom[BS_A__NET_CLIENT_LIST], XCB_ATOM_WINDOW, 0, WINDOWS).sequence, &list);
    for (unsigned i = 0; list && list->format == 32 && i < list->value_len; i++) {
        flag(of, word_at(xcb_get_property_value(list), 4 * (size_t)i), SHOWN);
    }
    free(list);
    return status;
}

static int flag_manager(bs_x11 *x, const clients *of) {
    xcb_window_t manager;
    int status = bs_x11_manager(x, &manager);
    if (!status) flag(of, manager, IS_MANAGER);
    return status;
}

/* Both answers are refusals, since our own window is never shown. */
static int find_grabs(bs_x11 *x, uint32_t *grabs) {
    unsigned keys = xcb_grab_keyboard(x->c, 0, x->own, XCB_CURRENT_TIME, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC).sequence;
    unsigned buttons = xcb_grab_pointer(x->c, 0, x->own, 0, XCB_GRAB_MODE_ASYNC, XCB_GRAB_MODE_ASYNC, XCB_NONE, XCB_NONE, XCB_CURRENT_TIME).sequence;
    xcb_grab_keyboard_reply_t *k;
    xcb_grab_pointer_reply_t *p = NULL;
    int status = bs_x11_await(x, keys, &k);
    if (!status) status = bs_x11_await(x, buttons, &p);
    else if (!xcb_connection_has_error(x->c)) xcb_discard_reply(x->c, buttons);
    /* Whatever else is answered, and no answer, is no leave to send. */
    *grabs = (k && k->status == XCB_GRAB_STATUS_NOT_VIEWABLE ? 0 : KEYBOARD) | (p && p->status == XCB_GRAB_STATUS_NOT_VIEWABLE ? 0 : POINTER);
    free(k);
    free(p);
    return status;
}

static void put_holder(bs_x11 *x, const clients *of, xcb_window_t window, uint32_t what) {
    const client *c = client_of(of, window);
    if (what == CLIENT && !c) what = UNKNOWN;
    else if (what == CLIENT && (c->flags & IS_OWN)) what = OWN;
    else if (what == CLIENT && (c->flags & IS_MANAGER)) what = MANAGER;
    bs_put_u32(x->base.reply, c ? c->pid : 0);
    bs_put_u32(x->base.reply, what);
}

static int put_focus(bs_x11 *x, const clients *of) {
    xcb_window_t focus;
    int status = bs_x11_focus(x, &focus);
    if (!status) put_holder(x, of, focus, focus <= XCB_INPUT_FOCUS_POINTER_ROOT || focus == x->root ? NOBODY : CLIENT);
    return status;
}

/* What a clipboard manager has may be from anybody. */
static int put_clipboard(bs_x11 *x, const clients *of) {
    xcb_window_t owner = 0, manager = 0;
    int status = bs_x11_clip_owner(x, x->atom[BS_A_CLIPBOARD], &owner);
    if (!status) status = bs_x11_clip_owner(x, x->atom[BS_A_CLIPBOARD_MANAGER], &manager);
    bool managed = owner && manager && (owner & ~of->mask) == (manager & ~of->mask);
    if (!status) put_holder(x, of, owner, !owner ? NOBODY : managed ? CLIPBOARD_MANAGER : CLIENT);
    return status;
}

static void put_pid(bs_x11 *x, const clients *of, xcb_window_t window) {
    const client *c = client_of(of, window);
    bs_put_u32(x->base.reply, c ? c->pid : 0);
}

/* Whose windows lie at a place, from the root's child down: as the server itself looks for whom to tell, shapes and all. */
static int put_place(bs_x11 *x, const clients *of, int32_t at_x, int32_t at_y) {
    xcb_window_t window = x->root, found[DEPTH];
    unsigned n = 0;
    int status = BACKSTEP_OK;
    while (!status && window && n < DEPTH) {
        xcb_translate_coordinates_reply_t *t;
        status = bs_x11_await(x, xcb_translate_coordinates(x->c, x->root, window, (int16_t)at_x, (int16_t)at_y).sequence, &t);
        window = t ? t->child : 0;
        free(t);
        if (window) found[n++] = window;
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++) {
        const client *c = client_of(of, found[i]);
        if (!c || !(c->flags & IS_MANAGER)) found[kept++] = found[i]; /* its frames hold other clients' windows */
    }
    bs_put_u32(x->base.reply, kept);
    for (unsigned i = 0; i < kept; i++) put_pid(x, of, found[i]);
    return status;
}

static int put_all(bs_x11 *x, const clients *of, bs_reader *r) {
    uint32_t grabs;
    int status = find_grabs(x, &grabs);
    if (!status) bs_put_u32(x->base.reply, grabs);
    if (!status) status = put_focus(x, of);
    if (!status) status = put_clipboard(x, of);
    if (status) return status;
    bs_put_u32(x->base.reply, of->count);
    for (unsigned i = 0; i < of->count; i++) {
        bs_put_u32(x->base.reply, of->all[i].pid);
        bs_put_u32(x->base.reply, of->all[i].flags);
    }
    uint32_t windows = bs_get_u32(r);
    bs_put_u32(x->base.reply, windows);
    for (uint32_t i = 0; i < windows; i++) put_pid(x, of, bs_get_u32(r));
    uint32_t places = bs_get_u32(r);
    bs_put_u32(x->base.reply, places);
    for (uint32_t i = 0; i < places && !status; i++) {
        int32_t at_x = bs_get_i32(r), at_y = bs_get_i32(r);
        status = put_place(x, of, at_x, at_y);
    }
    return status;
}

static int check_request(bs_x11 *x, bs_reader r) { /* a copy: it is read once more */
    uint32_t windows = bs_get_u32(&r);
    if (windows > WINDOWS) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "at most %u windows are looked up at a time", WINDOWS);
    for (uint32_t i = 0; i < windows && !r.failed; i++) bs_get_u32(&r);
    uint32_t places = bs_get_u32(&r);
    if (places > PLACES) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "at most %u places are looked at at a time", PLACES);
    for (uint32_t i = 0; i < places && !r.failed; i++) {
        int32_t at_x = bs_get_i32(&r), at_y = bs_get_i32(&r);
        if (at_x < INT16_MIN || at_x > INT16_MAX || at_y < INT16_MIN || at_y > INT16_MAX) {
            return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "there is no place %d, %d on a screen", at_x, at_y);
        }
    }
    return bs_screen_malformed(&x->base, &r);
}

int bs_x11_op_holders(bs_x11 *x, bs_reader *r) {
    clients all = {.mask = xcb_get_setup(x->c)->resource_id_mask};
    bool tells = false;
    int status = check_request(x, *r);
    if (!status) status = told(x, &tells);
    if (!status && !tells) status = bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the X server lacks the X-Resource extension 1.2, which tells whose windows are");
    if (!status) status = read_clients(x, &all);
    flag(&all, x->own, IS_OWN);
    if (!status) status = flag_manager(x, &all);
    if (!status) status = flag_shown(x, &all);
    if (!status) status = put_all(x, &all, r);
    free(all.all);
    return status;
}
