/* What the files of the display half share. Only the session's display thread calls these, bs_x11_interrupt() apart. */
#ifndef BS_X11_INTERNAL_H
#define BS_X11_INTERNAL_H

#include <xcb/xcb.h>

#include "../include/backstep.h"
#include "x11.h"
#include "watch.h"

#define BS_X11_ATOMS(A) \
    A(UTF8_STRING) A(TEXT) A(TARGETS) A(MULTIPLE) A(TIMESTAMP) A(INCR) A(CLIPBOARD) A(CLIPBOARD_MANAGER) A(BACKSTEP_TIME) A(BACKSTEP_MARK) A(XIM_SERVERS) \
    A(WM_PROTOCOLS) A(WM_DELETE_WINDOW) A(WM_CHANGE_STATE) A(WM_STATE) \
    A(_NET_SUPPORTED) A(_NET_SUPPORTING_WM_CHECK) A(_NET_CLIENT_LIST) A(_NET_CLIENT_LIST_STACKING) \
    A(_NET_ACTIVE_WINDOW) A(_NET_CLOSE_WINDOW) A(_NET_MOVERESIZE_WINDOW) A(_NET_WM_PING) A(_NET_WM_PID) \
    A(_NET_WM_NAME) A(_NET_WM_STATE) A(_NET_WM_STATE_HIDDEN) A(_NET_WM_STATE_MODAL) A(_GTK_FRAME_EXTENTS) A(_NET_REQUEST_FRAME_EXTENTS) A(_NET_FRAME_EXTENTS) \
    A(_NET_WM_WINDOW_TYPE) A(_NET_WM_WINDOW_TYPE_TOOLTIP)

enum bs_x11_atom {
#define A(name) BS_A_##name,
    BS_X11_ATOMS(A)
#undef A
    BS_A_COUNT
};

/* One level (0 plain, 1 with Shift) of a keycode the layout leaves empty, lent to a character the layout lacks. */
typedef struct bs_spare {
    xcb_keycode_t code;
    bool pending;              /* typed, and no proof yet that the application has looked the symbol up */
    xcb_keysym_t symbol, sent; /* what it shall mean and what it means at the server; 0: free */
    uint64_t used;             /* number of the last use; larger is later */
    uint64_t run;              /* the run of text that needs the symbol */
} bs_spare;

#define BS_SPARES 48u

typedef struct bs_keyboard {
    bool stale;  /* the server's map changed since it was read */
    bool method; /* an input method has the keys before the application */
    xcb_keycode_t min, max;
    unsigned width, group;
    xcb_keysym_t *symbols;
    bool modifier[256], lent[256];
    xcb_keycode_t shift, caps, lifted; /* lifted: Caps Lock switched off for as long as text is typed */
    bs_spare spare[2 * BS_SPARES]; /* both levels of a keycode are neighbours */
    unsigned spares;               /* keycodes */
    uint64_t uses, runs;
    uint64_t changes, taken; /* of the map, by anybody: how many were told of, and how many the window below has taken */
    xcb_window_t taken_by;
} bs_keyboard;

#define BS_PROOFS 8u

/* Whom the focused application is asked through whether it has taken what was sent: a window of each of its connections. */
typedef struct bs_proof {
    bool found;                                    /* in this operation */
    xcb_window_t focus, window[BS_PROOFS];         /* what they were looked up for, and they: the focused one first */
    unsigned asked;                                /* windows */
    uint32_t first, answered;                      /* the first one's number in the last round, and who answered */
    xcb_window_t mute[BS_PROOFS];                  /* that list the protocol and do not answer */
    unsigned mutes;
} bs_proof;

/* Content of a selection: shared by what we offer and by transfers under way. */
typedef struct bs_blob {
    unsigned references;
    size_t size;
    uint8_t bytes[];
} bs_blob;

typedef struct bs_offer {
    xcb_atom_t target, type;
    bs_blob *blob;
} bs_offer;

typedef struct bs_selection {
    xcb_atom_t name;
    xcb_timestamp_t since;
    bool owned;
    bs_offer *offers;
    unsigned count;
} bs_selection;

/* One content on its way to another client, chunk by chunk. */
typedef struct bs_transfer {
    xcb_window_t requestor;
    xcb_atom_t property, type;
    bs_blob *blob;
    size_t at;
    uint64_t touched_us;
} bs_transfer;

#define BS_TRANSFERS 32
#define BS_INBOXES 8

typedef struct bs_clipboard {
    bs_selection selection[2]; /* CLIPBOARD, PRIMARY */
    bs_transfer transfer[BS_TRANSFERS];
    /* a read under way: its property is one of a few in turn, so that a late answer is not taken for this one */
    xcb_atom_t inbox[BS_INBOXES], wanted;
    xcb_window_t into; /* whose property */
    unsigned turn;
    bool answered, refused, arrived;
    xcb_timestamp_t asked, now; /* now: of the last change of BACKSTEP_TIME, 0 = none yet */
} bs_clipboard;

/* The screen as it was last fetched, in memory shared with the server. */
typedef struct bs_picture {
    bool known, usable, damage_known; /* whether the server shares memory; whether it was asked to note what is drawn */
    uint32_t segment, damage, region;
    uint8_t *memory;
    size_t size;
    uint32_t width, rows;
    uint64_t *fetched_us; /* of each row; 0: not as it was fetched */
} bs_picture;

#define BS_REDIRECTED 16

typedef struct bs_composite {
    bool known, usable;
    uint8_t drawn_event; /* the number of the event that tells of drawing; 0: none is awaited */
    unsigned drawn, turn;
    xcb_window_t redirected[BS_REDIRECTED];
} bs_composite;

#define BS_DRAWN 256u

/* A rectangle of the screen that was drawn. */
typedef struct bs_drawing {
    uint64_t at_us; /* when we heard of it */
    int32_t x, y, width, height;
} bs_drawing;

typedef struct bs_drawn {
    bool known; /* whether the server was asked to tell */
    uint8_t event;
    uint32_t damage; /* 0: it does not */
    unsigned next;   /* in turn, of all that were ever noted */
    uint64_t since_us;
    bs_drawing of[BS_DRAWN];
} bs_drawn;

/* A press or move that we asked for, until its event comes. */
typedef struct bs_own {
    uint16_t kind; /* 0: free */
    uint8_t detail;
    uint32_t sequence;
    uint64_t us;
} bs_own;

#define BS_OWN 512u /* more than is ever on its way at a time */

/* A raw event of the X Input protocol, up to where xcb puts the full sequence number. */
typedef struct bs_raw {
    uint8_t type, extension;
    uint16_t sequence;
    uint32_t length;
    uint16_t kind, device;
    uint32_t time, detail;
    uint16_t source, valuators;
    uint32_t flags, pad, full_sequence;
} bs_raw;

enum { BS_RAW_KEY = 13, BS_RAW_KEY_UP = 14, BS_RAW_BUTTON = 15, BS_RAW_BUTTON_UP = 16, BS_RAW_MOTION = 17, BS_RAW_REPEATED = 1 << 16 };

#define BS_ACTS 256u

/* What somebody did, until it is known where. */
typedef struct bs_act {
    uint16_t kind; /* of the raw event; BS_RAW_MOTION: the pointer rests */
    uint8_t detail;
    bool moved, repeated;
    uint32_t time;
    unsigned question; /* the number of the one where the pointer is */
    uint64_t us;
    uint8_t down[32]; /* keys that were */
} bs_act;

typedef struct bs_person {
    bool on, buttons_known;
    uint8_t down[32];     /* keys that are */
    uint8_t buttons[256]; /* which one a physical button is: they are swapped for left-handed people */
    bs_act act[BS_ACTS];  /* in turn */
    unsigned first, count;
    uint32_t lost, strokes;
    uint64_t rest_us; /* when the pointer will have stood still for long enough; 0: it was not moved */
    uint32_t moved_ms;
} bs_person;

typedef struct bs_input {
    bool on, moved;    /* moved: by somebody, perhaps */
    uint8_t extension; /* its events bear this */
    bs_own own[BS_OWN];
    unsigned owns, asking; /* asking: number of the question where the pointer is; 0: none */
    int32_t x, y;          /* where the pointer was left, by us or when it was last told */
    uint32_t moves, moves_asked;
    bs_screen_seen seen;
    uint64_t told_us;
} bs_input;

typedef struct bs_area {
    int64_t x, y, w, h;
} bs_area;

/* How a picture came, as the reply says it. */
enum { BS_ROUTE_SOCKET, BS_ROUTE_MEMORY, BS_ROUTE_KEPT, BS_ROUTE_WINDOW = 16 };

struct bs_x11 {
    bs_screen base; /* first */
    xcb_connection_t *c;
    int control; /* our own duplicate of the socket, so that it can be shut down whatever xcb does with its one */
    atomic_bool interrupted;
    atomic_int interrupting; /* calls of bs_x11_interrupt() that have not returned */
    xcb_screen_t *screen;
    xcb_window_t root, own;
    int32_t width, height;
    bool have_test;
    xcb_atom_t atom[BS_A_COUNT];

    uint8_t x_error; /* of the last answer awaited */

    uint16_t held[256 + 32]; /* keycodes, and 256 + button, in the order they went down */
    unsigned helds;
    bs_keyboard keyboard;
    bs_clipboard clipboard;
    bs_proof proof;
    bool clicked, framed;      /* a button went down since keys were sent; the window manager answered */
    xcb_window_t mute_manager; /* one that does not */

    bs_picture picture;
    bs_composite composite;
    bs_drawn drawn;
    char *display; /* as it was opened */
    bs_watch watch;
    bs_input input;
    bs_person person;
};

/* x11.c. The int ones answer a backstep_status; on failure the reply already holds its explanation. */
int bs_x11_check(bs_x11 *x); /* connection, cancellation, deadline */
int bs_x11_flush(bs_x11 *x);
bool bs_x11_push(bs_x11 *x); /* whether all was sent; flush for clean-up: no deadline, no wait on a full socket */
int bs_x11_await(bs_x11 *x, unsigned sequence, void *reply_out); /* *reply_out stays NULL where the server answered an error */
int bs_x11_sync(bs_x11 *x);
int bs_x11_wait_events(bs_x11 *x, uint64_t until_us); /* serves events; returns after some came or at the time given */
int bs_x11_pause(bs_x11 *x, uint64_t until_us);
int bs_x11_atoms(bs_x11 *x, const bs_str *names, unsigned n, xcb_atom_t *atoms);
const char *bs_x11_error_name(uint8_t code);

/* x11_connect.c: a connected socket, also in x->control, and the cookie for it. */
typedef struct bs_cookie {
    uint8_t data[64];
    unsigned length;
} bs_cookie;
int bs_x11_connect(bs_x11 *x, const char *display, bs_screen *_Atomic *slot, int *screen, bs_cookie *cookie, int *status);

/* x11_keymap.c */
int bs_x11_keymap_read(bs_x11 *x, bool *caps_on, uint8_t down[32]);
bool bs_x11_keymap_find(const bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code, bool *shift);
bool bs_x11_keymap_find_place(const bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code, bool *shift); /* in whichever group */
bool bs_x11_keymap_lend(bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code, bool *shift); /* false: every spare is needed by this run */
bool bs_x11_keymap_lend_key(bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code); /* the same symbol with and without Shift */
void bs_x11_keymap_typed(bs_x11 *x, xcb_keycode_t code, bool shift);
int bs_x11_keymap_apply(bs_x11 *x); /* sends what was lent, once it is safe */
void bs_x11_keymap_close(bs_x11 *x);

/* x11_proof.c: whom the application with the focus is asked through (none: it answers no pings), and asking them: the focused
 * one until then, the others a while more. */
uint64_t bs_x11_within(const bs_x11 *x, uint64_t us); /* so much from now, and never more than half of what the operation has left */
int bs_x11_focus(bs_x11 *x, xcb_window_t *window);
int bs_x11_witnesses(bs_x11 *x, xcb_window_t focus);
int bs_x11_ask(bs_x11 *x, uint64_t until_us);
void bs_x11_pong(bs_x11 *x, uint32_t stamp, xcb_window_t window);

/* x11_settle.c: waits until the focused application has taken the input sent so far; the last change of the map, if it has
 * not (with symbols that were lent, until the deadline); and the window manager the last click. */
int bs_x11_settle(bs_x11 *x);
int bs_x11_map_taken(bs_x11 *x, bool lent);
int bs_x11_click_taken(bs_x11 *x);
int bs_x11_input_method(bs_x11 *x, bool *active);

/* x11_keys.c */
void bs_x11_key(bs_x11 *x, xcb_keycode_t code, bool down);
void bs_x11_button(bs_x11 *x, uint8_t button, bool down);
uint32_t bs_x11_release_held(bs_x11 *x);
int bs_x11_modifiers_down(bs_x11 *x, uint32_t mask); /* 1 Control, 2 Shift, 4 Alt, 8 Super */
int bs_x11_modifiers_up(bs_x11 *x);
int bs_x11_op_text(bs_x11 *x, bs_reader *r);
int bs_x11_op_chord(bs_x11 *x, bs_reader *r);
int bs_x11_op_release(bs_x11 *x, bs_reader *r);

/* x11_watch.c: the process that lets go of what is down should ours die. Starts it once; without it, input goes on all the same. */
void bs_x11_watch(bs_x11 *x);
void bs_x11_watch_down(bs_x11 *x, unsigned what);
void bs_x11_watch_lent(bs_x11 *x, xcb_keycode_t code, xcb_keysym_t symbol);
void bs_x11_watch_sent(bs_x11 *x);

/* x11_input.c: who else uses keys and pointer. What we send is entered with the number of its request. */
int bs_x11_op_watch_input(bs_x11 *x, bs_reader *r);
void bs_x11_input_key(bs_x11 *x, xcb_keycode_t code, unsigned sequence);
void bs_x11_input_button(bs_x11 *x, uint8_t button, bool down, unsigned sequence);
void bs_x11_input_moved(bs_x11 *x, int32_t to_x, int32_t to_y, unsigned sequence);
void bs_x11_input_event(bs_x11 *x, const xcb_generic_event_t *event);
bool bs_x11_input_answer(bs_x11 *x); /* looks for the answer where the pointer is; events may have come with it */
void bs_x11_input_ask(bs_x11 *x);    /* asks where it is, if it may have been moved; sends nothing by itself */

/* x11_person.c: what somebody else did, one by one, with its place. */
int bs_x11_person_start(bs_x11 *x);
void bs_x11_person_stop(bs_x11 *x);
void bs_x11_person_note(bs_x11 *x, const bs_raw *e); /* of every event, ours too */
void bs_x11_person_act(bs_x11 *x, const bs_raw *e);  /* of somebody else's */
void bs_x11_person_rest(bs_x11 *x);                  /* looks whether the pointer stands still by now */

/* x11_pointer.c, x11_picture.c, x11_windows.c, x11_window.c */
int bs_x11_op_pointer(bs_x11 *x, bs_reader *r);
int bs_x11_op_capture(bs_x11 *x, bs_reader *r);

/* x11_screen.c, x11_composite.c: `to` has room for the area; *route says how it came. */
int bs_x11_screen_pixels(bs_x11 *x, bs_area a, uint8_t *to, uint32_t *route);
int bs_x11_drawable_pixels(bs_x11 *x, xcb_drawable_t from, bs_area a, uint8_t *to, uint32_t *route);
void bs_x11_picture_detach(bs_x11 *x);
void bs_x11_picture_close(bs_x11 *x);
int bs_x11_covered(bs_x11 *x, xcb_window_t window, bs_area a, xcb_window_t *top, bool *covered);
int bs_x11_covered_pixels(bs_x11 *x, xcb_window_t window, xcb_window_t top, bs_area a, uint8_t *to, uint32_t *route);

int bs_x11_op_windows(bs_x11 *x, bs_reader *r);
int bs_x11_manager(bs_x11 *x, xcb_window_t *manager); /* the window manager's window; 0 = none runs */
int bs_x11_window_gone(bs_x11 *x, xcb_window_t window);
int bs_x11_op_window(bs_x11 *x, bs_reader *r);
int bs_x11_op_drawn(bs_x11 *x, bs_reader *r); /* x11_drawn.c: how long nothing was drawn in a rectangle */
bool bs_x11_drawn_event(bs_x11 *x, const xcb_generic_event_t *event); /* false: it is about something else */
int bs_x11_op_holders(bs_x11 *x, bs_reader *r); /* x11_holders.c: whose keyboard, clipboard, windows and places are */
/* Whether the list of atoms in a property has one: protocols of a window, features of a window manager. */
int bs_x11_lists(bs_x11 *x, xcb_window_t window, enum bs_x11_atom name, enum bs_x11_atom atom, bool *yes);

/* x11_clipboard.c (one content), x11_clip_keep.c (all of it), x11_clip_write.c (setting it), x11_leave.c (leaving it to another process), x11_offer.c (what we serve to others) */
#define BS_CLIP_LIMIT ((size_t)64 << 20)
#define BS_OFFERS 64u
int bs_x11_op_clip_read(bs_x11 *x, bs_reader *r);
int bs_x11_op_clip_keep(bs_x11 *x, bs_reader *r);
int bs_x11_op_clip_write(bs_x11 *x, bs_reader *r);
int bs_x11_op_clip_restore(bs_x11 *x, bs_reader *r);
int bs_x11_op_clip_leave(bs_x11 *x, bs_reader *r);
int bs_x11_clip_selection(bs_x11 *x, bs_str name, bs_selection **s);
int bs_x11_clip_time(bs_x11 *x, xcb_timestamp_t *time);
int bs_x11_clip_owner(bs_x11 *x, xcb_atom_t selection, xcb_window_t *window); /* 0: it is empty */
int bs_x11_clip_too_large(bs_x11 *x, size_t most);
bool bs_x11_str_is(bs_str s, const char *text);
int bs_x11_clip_name(bs_x11 *x, xcb_atom_t atom, bs_buf *into); /* of a type, in place of what was there; empty where it has none */
bool bs_x11_clip_content(bs_str name); /* whether content can have this type */
/* Appends the content to the reply. UNSUPPORTED: its owner has none of this type; LIMIT: it is larger than `most` bytes. */
int bs_x11_clip_take(bs_x11 *x, xcb_window_t into, xcb_atom_t selection, xcb_atom_t target, size_t most, xcb_atom_t *type, uint8_t *format);
void bs_x11_blob_drop(bs_blob *blob);
void bs_x11_offers_drop(bs_selection *s);
bs_selection *bs_x11_selection(bs_x11 *x, xcb_atom_t name);
void bs_x11_clip_event(bs_x11 *x, const xcb_generic_event_t *event);
enum bs_screen_offers bs_x11_offers(const bs_x11 *x);
void bs_x11_clip_close(bs_x11 *x);

#endif
