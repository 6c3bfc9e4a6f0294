/*
 * Backstep's native accessibility core: the whole public surface.
 *
 * Rules of this header. Scalars and caller-allocated buffers only: no callback, no returned pointer, no pointer kept
 * after a call returns. submit() never blocks; wait() is the one call that does, for 500 ms at most; take() copies a
 * result. Deadlines start at submission. A session handle carries a generation: a handle that was closed is an error
 * for ever, never another session. Everything is little-endian; requests and replies are packed without padding
 * (snapshots excepted, see below). `str` is a u32 byte length followed by that many bytes of UTF-8, without NUL.
 */
#ifndef BACKSTEP_H
#define BACKSTEP_H

#include <stdint.h>

#define BACKSTEP_ABI 16u

#if defined(__GNUC__)
#define BACKSTEP_API __attribute__((visibility("default")))
#else
#define BACKSTEP_API
#endif

/* What a call answers when it is negative, and the status of a completion. */
enum backstep_status {
    BACKSTEP_OK = 0,
    BACKSTEP_E_INVALID = -1,         /* malformed argument or request */
    BACKSTEP_E_HANDLE = -2,          /* no such session: never opened, or closed */
    BACKSTEP_E_TICKET = -3,          /* no such ticket: unknown, not complete yet, or taken already */
    BACKSTEP_E_SHORT = -4,           /* wait(): buffer too short for one record */
    BACKSTEP_E_TIMEOUT_UNSENT = -5,  /* the deadline passed before anything reached the peer: nothing happened */
    BACKSTEP_E_TIMEOUT_UNKNOWN = -6, /* the deadline passed after it was sent: it may yet happen */
    BACKSTEP_E_CANCELLED_UNSENT = -7,
    BACKSTEP_E_CANCELLED_UNKNOWN = -8,
    BACKSTEP_E_APP_GONE = -9,        /* the application left the bus */
    BACKSTEP_E_NO_ELEMENT = -10,     /* the application knows no such object (any more) */
    BACKSTEP_E_UNSUPPORTED = -11,    /* the element lacks the interface, method or action */
    BACKSTEP_E_REFUSED = -12,        /* the application answered "false" */
    BACKSTEP_E_APP_ERROR = -13,      /* the application answered another error; the reply is its text */
    BACKSTEP_E_BUS = -14,            /* no connection to the accessibility bus, or it broke */
    BACKSTEP_E_DISPLAY = -15,        /* no connection to the display, or it broke */
    BACKSTEP_E_PROTOCOL = -16,       /* a peer sent bytes that are no valid message */
    BACKSTEP_E_LIMIT = -17,          /* a bound of this core was reached (sessions, tickets, size) */
    BACKSTEP_E_MEMORY = -18,
    BACKSTEP_E_SECURE = -19,         /* the text of a password field is never read */
    BACKSTEP_E_PERMISSION = -20,     /* the person has not granted it: the reply begins with the grant ("accessibility", "input" or "pictures") and ": " */
    BACKSTEP_E_UNSURE = -21,         /* the application answered an error that it also gives after acting: it may have happened */
    BACKSTEP_E_CHANGED = -22         /* the element is not what was expected: nothing was sent */
};

/*
 * Operations. Each line: request fields -> reply fields. A failed operation's reply is one `str`: what happened, in
 * English, for a person. `bus` and `path` together name an accessible object.
 */
enum backstep_op {
    /* str accessibility bus address ("" = ask the session bus), str session bus address ("" = none), str display
     * ("" = none; ":7" or ":7 /path/of/Xauthority", the file that lets us in, by default $XAUTHORITY or ~/.Xauthority; "wayland:/absolute/path/of/socket"
     * of a compositor), then, where it is there,
     * u32 flags (1: the display is a private one, whose server may be kept on one processor with an application for a few milliseconds; 2: nothing will be typed or
     * clicked; 4: the desktop that this process runs on, for whichever of session bus and display is "") -> u32 have (1 accessibility, 2 display), str unique bus name,
     * i32 width, i32 height (of the screen; of the box around a compositor's outputs, in logical pixels). Registers for events before it answers. At least one of the
     * three or flag 4 must be given; macOS has but flag 4, and the bus of an application there is "pid:start", of an element with the path "/number". */
    BACKSTEP_OP_CONNECT = 1,
    /* -> u32 count, then per application: str bus, str path, str name, u32 pid, str toolkit, str version */
    BACKSTEP_OP_APPS = 2,
    /* str bus, str path ("" = the application's root), u32 fields, u32 coords (0 screen, 1 window), u32 max_nodes
     * (0 = 100,000), u32 max_depth (0 = 255), u32 max_text (characters an element); then, or nothing: u32 source
     * (0 the application; 1 the mirror where there is one; 2 the same, without those fields that it may not hold; 3 as 4, and the mirror is compared first
     * with what the application caches of itself, so that what came or went without an event is in it; 4 as 2, and what elements show that manage their descendants
     * is as it was read last: good for who looks for something else. Of Qt, which announces few changes, only 4 is made from a mirror, and but the description and the
     * interfaces are asked of each element),
     * u64 known (a generation; 0 = none); then, or nothing: u32 n, u32 role[n] (below 256; 0 of them = any): where Qt is asked of each element, only
     * those of these roles and what is inside of them are asked for their states and names, what has children for its name, and the others' are as they were read last -> columns. From a mirror, what may be held is answered without a call; when its
     * generation is `known`, and nothing is wanted that may not be held, the reply is a header of 0 nodes. */
    BACKSTEP_OP_SNAPSHOT = 3,
    /* str bus, str path, u32 coords, u32 max_text, then, or nothing (0): u32 what -> columns of exactly one row, read afresh.
     * what: 0 every field but HASH; in one round trip, the rest unknown: 1 role, name, id; 2 these, description, states, extents;
     * 3 as 0, without what is selected (some applications die of being asked for it) */
    BACKSTEP_OP_READ = 4,
    /* str bus, str path (a window or an application root), u32 coords, i32 x, i32 y -> str bus, str path ("" = none).
     * What the application answers; of what its parent does not count (GetIndexInParent is -1), that parent. */
    BACKSTEP_OP_AT_POINT = 5,
    /* str bus, str path ("" = the application's root), u32 n, u32 role[n] (AtspiRole; 64 at most) -> the first element in
     * preorder that has one of the roles: str bus, str path ("" = none), u32 calls made, u32 cut (as in a snapshot).
     * Reads no more of the tree than lies before it. */
    BACKSTEP_OP_FIND_ROLE = 6,
    /* str bus, str path ("" = the application's root; it is not asked), u32 coords, u32 n (4,096 at most), str path[n] -> u32 n, then per element: i32 x, y, w, h
     * (w -1 = unknown), u32 there (0 it did not tell its states: it is gone, or hangs), u32 states[2]. All are asked at once, and only they. */
    BACKSTEP_OP_PLACES = 7,
    /* str bus, str path ("" = the application's root), u32 n, u32 role[n] (AtspiRole; 64 at most) -> u32 count, then per element: str bus, str path. All
     * elements below it that have one of the roles, in the tree's order, as the application finds them in one call (Collection.GetMatches). Of sheets with
     * a thousand million cells and of pages this takes an application very long: only GTK 3 is to be asked. UNSUPPORTED without a Collection. macOS: walked, as FIND_ROLE. */
    BACKSTEP_OP_ROLES = 8,

    /* str bus, str path, str action name ("" = the first action) -> nothing. REFUSED where the application says false */
    BACKSTEP_OP_ACTION = 16,
    BACKSTEP_OP_FOCUS = 17,       /* str bus, str path -> nothing */
    BACKSTEP_OP_SET_TEXT = 18,    /* str bus, str path, str text */
    BACKSTEP_OP_INSERT_TEXT = 19, /* str bus, str path, i32 at (characters), str text */
    BACKSTEP_OP_DELETE_TEXT = 20, /* str bus, str path, i32 start, i32 end (characters) */
    BACKSTEP_OP_CARET = 21,       /* str bus, str path, i32 at */
    BACKSTEP_OP_SELECT_TEXT = 22, /* str bus, str path, i32 start, i32 end; start == end removes the selection */
    BACKSTEP_OP_SET_VALUE = 23,   /* str bus, str path, f64 value -> f64 the value right after, asked along with it (NaN: not told) */
    BACKSTEP_OP_SELECT = 24,      /* str bus, str path (the container), i32 child index, u32 mode (0 deselect, 1 select, 2 all, 3 none;
                                   * 4 deselect, 5 select the row of the child in its table. macOS: INVALID) */
    BACKSTEP_OP_SCROLL_TO = 25,   /* str bus, str path, u32 type (AtspiScrollType) */
    BACKSTEP_OP_SCROLL_TO_POINT = 26, /* str bus, str path, u32 coords, i32 x, i32 y: where its top left is to be */
    /* str bus, str path, u32 role, str name, str id ("" = not asked), u32 op (ACTION to SCROLL_TO_POINT), then what that takes after its path -> what it answers.
     * It is begun once the element says of itself exactly this; else, and where it does not say, CHANGED. macOS: UNSUPPORTED. */
    BACKSTEP_OP_IF_SAME = 27,

    /* Input through XTEST, or a compositor's virtual keyboard and pointer; every one releases what it pressed, also when it fails half-way.
     * On Wayland places are in logical pixels, as the compositor lays its outputs out; UNSUPPORTED where it lacks a protocol. */
    BACKSTEP_OP_TEXT = 32,    /* str text: any Unicode text, "\n" is Return, "\t" is Tab. Wayland: UNSUPPORTED, before anything is typed, beyond U+FFFF */
    BACKSTEP_OP_CHORD = 33,   /* u32 n, u32 keysym[n]: pressed in order, released in reverse */
    BACKSTEP_OP_POINTER = 34, /* u32 kind (0 move, 1 click, 2 drag, 3 wheel), i32 x, i32 y, u32 button (1 left 2 middle 3 right), u32 count, i32 x2, i32 y2,
                                 u32 duration_ms, i32 wheel_x, i32 wheel_y (notches; down and right are positive), u32 modifiers held meanwhile (1 Control, 2 Shift,
                                 4 Alt, 8 Super) */
    BACKSTEP_OP_RELEASE = 35, /* releases every key and button this session holds down; with u32 1 every one that is down, whoever pressed it (Wayland: ours) -> u32 released */
    /* u32 what (0 nothing, 1 counted, 2 each as well) -> nothing. Tells in INPUT records how much anybody else does with keyboard and pointer,
     * and with 2 in PERSON records what. UNSUPPORTED without the X Input extension 2.1, and on Wayland. Ends with the session. */
    BACKSTEP_OP_WATCH_INPUT = 36,

    /* Pictures: u32 what (0 screen, 1 window, 2 rect of the screen), u32 window, i32 x, i32 y, i32 w, i32 h
     * -> u32 width, u32 height, u32 route (0 over the socket, 1 through shared memory, 2 nothing of it was drawn since the last
     * picture; + 16 a window's own pixels, since it is covered or hangs over the edge), u32 scale (thousandths of a pixel that one unit of places is: 1000 on Linux,
     * often 2000 on macOS), then width*height*4 bytes RGBA, alpha 255. On Wayland one pixel is a logical one, whatever the scale; the screen is the box around the outputs; a window is UNSUPPORTED */
    BACKSTEP_OP_CAPTURE = 40,
    /* This one to DRAWN are UNSUPPORTED on Wayland, where the window manager's own IPC has windows.
     * -> u32 count, then per managed top-level window, bottom to top: u32 window, u32 pid, i32 x, i32 y, i32 w, i32 h (client area, screen coordinates),
     * u32 flags (1 active, 2 minimised, 4 override-redirect, 8 a tooltip by its _NET_WM_WINDOW_TYPE, 16 on a Space that is not shown: macOS alone, 32 modal by its _NET_WM_STATE: X11 alone), i32 frame[4] (left, right, top, bottom of decorations drawn by the client: _GTK_FRAME_EXTENTS),
     * str title, str class */
    BACKSTEP_OP_WINDOWS = 41,
    /* u32 window, u32 verb (0 activate, 1 close, 2 minimise, 3 restore, 4 move+resize), i32 x, i32 y, i32 w, i32 h (-1 = leave) */
    BACKSTEP_OP_WINDOW = 42,
    /* u32 n (4,096 at most), u32 window[n], u32 m (16 at most), m times i32 x, i32 y (screen) -> u32 grabs (1 keyboard, 2 pointer: another client has grabbed it),
     * twice (who has the focus; who owns CLIPBOARD) u32 pid, u32 what (0 not told, 1 a client, 2 this session, 3 the window manager, 4 nobody, 5 a clipboard manager);
     * u32 clients, each u32 pid, u32 flags (1 it shows a window, 2 it is the window manager, 4 this session); u32 n, u32 pid[n] (0 not told);
     * u32 m, m times u32 k, u32 pid[k] of the windows that lie there, the root's child first, the window manager's left out.
     * Processes are those that the server knows of its local clients, whatever their windows say. Grabs nothing. UNSUPPORTED without X-Resource 1.2.
     * macOS: of a place the topmost window's alone; the clipboard's owner is not told. */
    BACKSTEP_OP_HOLDERS = 43,
    /* i32 x, y, w, h (screen), u32 within -> u32 milliseconds for which nothing was drawn there, as far as was looked: that begins with the first such question;
     * i32 x, y, w, h: the box around what was drawn there in the last `within` milliseconds, all of it where that was not looked at for so long; w 0: nothing.
     * Sure only on a display that no compositor draws for. UNSUPPORTED without XDamage. */
    BACKSTEP_OP_DRAWN = 44,

    /* str selection ("CLIPBOARD" or "PRIMARY"), str target ("TARGETS" lists them, one a line) -> the bytes; an empty
     * clipboard is UNSUPPORTED. Wayland: one content answers to UTF8_STRING, text/plain;charset=utf-8 and text/plain where its owner offers any of these */
    BACKSTEP_OP_CLIP_READ = 48,
    /* str selection, u32 n, then n times: str target, str bytes. n = 0 empties it. The content lives as long as the session. */
    BACKSTEP_OP_CLIP_WRITE = 49,
    /* str selection, u32 most (bytes of one content), u32 most (of all; 0 = 64 MiB each) -> u32 owner (0 = it is empty), u32 since (its TIMESTAMP; 0 = not
     * told, or all was kept; Wayland: both count what the selection has held), u32 n, then n times: str target, str type, u32 state (0 kept, 1 larger than allowed, 2 not answered within a second,
     * 3 numbers of the server's), str bytes ("" unless kept). Each content that the owner names, large ones chunk by chunk; questions (TARGETS, SAVE_TARGETS…)
     * and what the owner then refuses are left out. An owner that does not name them is asked for UTF8_STRING. REFUSED: it changed hands meanwhile. */
    BACKSTEP_OP_CLIP_KEEP = 50,
    /* str selection, u32 n, then n times: str target, str type, str bytes. As CLIP_WRITE, and text gets no further names. */
    BACKSTEP_OP_CLIP_RESTORE = 51,
    /* -> u32 n. What this session offers on its n selections is offered by a process of its own from then on, until somebody else writes there or the
     * display ends. macOS: 0, the pasteboard keeps it. UNSUPPORTED where backstep-watcher is missing. */
    BACKSTEP_OP_CLIP_LEAVE = 52
};

/* Columns of a snapshot. BASE is always there: role, states, parent, interfaces, bus, path, name, description, children. */
enum backstep_field {
    BACKSTEP_F_EXTENTS = 1,
    BACKSTEP_F_TEXT = 2,       /* text of what has the Text interface; never of what was seen as a password field in this session */
    BACKSTEP_F_VALUE = 4,
    BACKSTEP_F_ACTIONS = 8,    /* names, one a line; in a name "\\n" stands for a line break and "\\\\" for a backslash. ACTION takes them as they are */
    BACKSTEP_F_ATTRIBUTES = 16,/* "name:value", one a line */
    BACKSTEP_F_SELECTION = 32, /* indices of the selected children, as "0,3" */
    BACKSTEP_F_ID = 64,        /* the accessible id */
    BACKSTEP_F_CARET = 8192,   /* caret and selection of these texts, with TEXT */
    BACKSTEP_F_ALL = 8319,     /* all of the above */
    BACKSTEP_F_HASH = 128,     /* of each subtree; not among ALL. See docs/reference/native-abi.md */
    BACKSTEP_F_RELATIONS = 256, /* "type:path path", one a line: AtspiRelationType and what it points to; not among ALL, a call an element */
    BACKSTEP_F_TEXT_RECT = 512, /* where its text lies, where that has fewer characters than are read; not among ALL, a call an element */
    BACKSTEP_F_KEYS = 1024,    /* keys of the first action, as the toolkit writes them; not among ALL, a call an element with actions */
    BACKSTEP_F_TEXT_STYLE = 2048, /* default attributes of its text, "name:value", one a line; not among ALL, a call an element with text */
    BACKSTEP_F_NATIVE_ROLE = 4096 /* "AXRole AXSubrole", or the first alone; not among ALL, yet in each READ. Where the platform has none the reply's fields lack it: Linux */
};

enum backstep_interface {
    BACKSTEP_I_ACCESSIBLE = 1, BACKSTEP_I_ACTION = 2, BACKSTEP_I_APPLICATION = 4, BACKSTEP_I_COLLECTION = 8,
    BACKSTEP_I_COMPONENT = 16, BACKSTEP_I_DOCUMENT = 32, BACKSTEP_I_EDITABLE_TEXT = 64, BACKSTEP_I_HYPERLINK = 128,
    BACKSTEP_I_HYPERTEXT = 256, BACKSTEP_I_IMAGE = 512, BACKSTEP_I_SELECTION = 1024, BACKSTEP_I_TABLE = 2048,
    BACKSTEP_I_TABLE_CELL = 4096, BACKSTEP_I_TEXT = 8192, BACKSTEP_I_VALUE = 16384
};

/* How a snapshot came about: what was asked in bulk, and whether what that lacked was walked. */
enum backstep_strategy {
    BACKSTEP_S_WALK = 0,            /* element by element, many calls at once */
    BACKSTEP_S_CACHE = 1,           /* the application's Cache.GetItems */
    BACKSTEP_S_CACHE_WALK = 2,
    BACKSTEP_S_COLLECTION = 3,      /* the cache and Collection.GetTree */
    BACKSTEP_S_COLLECTION_WALK = 4,
    BACKSTEP_S_REACH = 5            /* children first, so that the cache learns of them, then the cache */
};

/*
 * A snapshot: nodes in preorder, so that the subtree of a node is one run of rows. A header of sixteen u32:
 *   0 magic 0x504e5342 ("BSNP")  1 version (1)  2 node count  3 fields  4 cut (1 nodes, 2 depth, 4 text, 8 children of
 *   a huge container)  5 strategy (enum backstep_strategy)  6 calls made  7 string count  8 arena bytes  9 route (0 over the bus,
 *   1 straight to the application)  10 source (0 the application, 1 its mirror)  11 nodes asked afresh (of a mirror's)
 *   12 milliseconds since the mirror was proven  13, 14 generation of the mirror that this is (low, high; 0 = it is none)
 *   15 how often a mirror of this application has proved to have missed something
 * then these columns, each starting at a multiple of eight bytes from the start of the reply; a column whose field is
 * not set is absent altogether:
 *   f64 value[4n] (current, minimum, maximum, step; NaN = none)      VALUE
 *   u64 hash[n]                                                      HASH
 *   u32 states[2n] (low, high)
 *   i32 parent[n] (row; -1 for the root)
 *   i32 rect[4n] (x, y, width, height; width -1 = unknown)           EXTENTS
 *   u32 interfaces[n]
 *   u32 bus[n] u32 path[n] u32 name[n] u32 description[n]            (string numbers)
 *   u32 id[n]                                                        ID
 *   u32 text[n] (0xffffffff = has none)                              TEXT
 *   i32 caret[3n] (caret, selection start, end; -1 = none)           TEXT
 *   u32 actions[n]                                                   ACTIONS
 *   u32 attributes[n]                                                ATTRIBUTES
 *   u32 selected[n] (0xffffffff = no Selection interface)            SELECTION
 *   u32 relations[n]                                                 RELATIONS
 *   u32 keys[n]                                                      KEYS
 *   u32 text_style[n]                                                TEXT_STYLE
 *   u32 native_role[n]                                               NATIVE_ROLE
 *   i32 text_rect[4n] (x, y, width, height; width -1 = unknown)      TEXT_RECT
 *   i32 children[n] (what the application says; -1 = unknown)
 *   u16 role[n] (AtspiRole)
 *   u32 offsets[strings + 1], u8 arena[]: string k is arena[offsets[k] .. offsets[k+1]), string 0 is empty
 */
#define BACKSTEP_SNAPSHOT_MAGIC 0x504e5342u

/*
 * Records handed out by wait(): u32 size of the record with this field, u32 kind, u64 session, then by kind
 *   COMPLETION: u64 ticket, i32 status, u32 reply bytes
 *   EVENT:      u64 microseconds (CLOCK_MONOTONIC), str bus, str path, str kind ("object:state-changed:focused"), i32 detail1, i32 detail2, str text
 *               (a new name, or the path of a child that came or went; never what stands in a field: whoever needs that reads it)
 *   LOST:       u64 events dropped: whoever mirrors this session must read again
 *   BROKEN:     u32 what (1 accessibility, 2 display): the connection is gone, later calls fail
 *   INPUT:      u64 microseconds (CLOCK_MONOTONIC) of the last of it, u32 keys pressed, u32 buttons pressed, u32 clicks of the wheel,
 *               u32 times the pointer was found more than 8 pixels away, by anybody but this session, since the last such record. A
 *               record stands for 100 ms, or until an operation of the display completes. Which key it was is never told.
 *   PERSON:     u64 microseconds (CLOCK_MONOTONIC) when it came, u32 what (enum backstep_person), u32 detail, i32 x, i32 y (screen: where the pointer was),
 *               u32 modifiers that were down (1 Control, 2 Shift, 4 Alt, 8 Super), u32 milliseconds of the X server's clock,
 *               u32 moved (1: the pointer went on before its place could be asked), u32 lost (how many such were dropped before this one).
 *               By anybody but this session.
 */
enum backstep_person {
    BACKSTEP_P_PRESS = 1,   /* detail: button (1 left 2 middle 3 right, 8 back, 9 forward) */
    BACKSTEP_P_RELEASE = 2, /* the same */
    BACKSTEP_P_WHEEL = 3,   /* detail: 4 up, 5 down, 6 left, 7 right; one notch */
    BACKSTEP_P_KEY = 4,     /* detail: keysym, as the key has it without Shift: a key that types nothing, or any with Control, Alt or Super; also while it repeats */
    BACKSTEP_P_TEXT = 5,    /* detail: 0. A key that types, or may: never which */
    BACKSTEP_P_REST = 6     /* detail: 0. The pointer was moved, and has stood still for 50 ms */
};
enum backstep_record {
    BACKSTEP_R_COMPLETION = 1,
    BACKSTEP_R_EVENT = 2,
    BACKSTEP_R_LOST = 3,
    BACKSTEP_R_BROKEN = 4,
    BACKSTEP_R_INPUT = 5,
    BACKSTEP_R_PERSON = 6
};

/* The version of this header that the library was built from. */
BACKSTEP_API uint32_t backstep_abi(void);

/* A new, unconnected session: a handle > 0, or a negative status. At most 64 at once. */
BACKSTEP_API int64_t backstep_open(void);

/* Ends a session: open tickets complete as cancelled, held keys are released, descriptors closed. Blocks 200 ms at most. */
BACKSTEP_API int32_t backstep_close(uint64_t session);

/* Queues an operation: a ticket > 0, or a negative status. timeout_ms: 1 to 600,000. Never blocks. */
BACKSTEP_API int64_t backstep_submit(uint64_t session, uint32_t op, const uint8_t *request, uint32_t length, uint32_t timeout_ms);

/* Fills buf with whole records of any session: bytes written, 0 when timeout_ms (500 at most) passed, or a negative
 * status. One waiter at a time: a second one gets BACKSTEP_E_INVALID. */
BACKSTEP_API int32_t backstep_wait(uint8_t *buf, uint32_t cap, uint32_t timeout_ms);

/* Copies a completed ticket's reply and forgets it: its size. When cap is smaller, nothing is copied or forgotten. */
BACKSTEP_API int64_t backstep_take(uint64_t session, uint64_t ticket, uint8_t *buf, uint32_t cap);

/* Asks for a ticket to end early; it still completes, as CANCELLED_UNSENT, CANCELLED_UNKNOWN or as what it came to. */
BACKSTEP_API int32_t backstep_cancel(uint64_t session, uint64_t ticket);

/* The generation of the application's mirror while that is current: it stands for the same tree until it changes. 0: there
 * is no mirror, something in it changed, it holds what may not be kept, or it is due to be proven; a SNAPSHOT from the mirror
 * does what is needed. No I/O, from any thread; a negative status for a session that is not open. */
BACKSTEP_API int64_t backstep_peek(uint64_t session, const uint8_t *bus, uint32_t length);

/* Makes a waiter return at once. */
BACKSTEP_API int32_t backstep_wake(void);

/*
 * Pictures in memory. Pure functions: no session, no I/O, any thread. RGBA, four bytes a pixel, rows without padding.
 */
#define BACKSTEP_PIXELS_ABI 1u
/* Pixels of a tile's side. */
#define BACKSTEP_TILE 64
/* The largest side and the most pixels of a picture. */
#define BACKSTEP_PNG_SIDE 32767u
#define BACKSTEP_PNG_PIXELS 100000000u

/* Why a file cannot be decoded. */
enum backstep_png {
    BACKSTEP_PNG_NONE = -101,       /* it is no PNG */
    BACKSTEP_PNG_TRUNCATED = -102,  /* it ends too early */
    BACKSTEP_PNG_CORRUPT = -103,    /* a checksum or a field is wrong */
    BACKSTEP_PNG_LIMIT = -104,      /* more pixels than are taken */
    BACKSTEP_PNG_UNSUPPORTED = -105 /* interlaced, or 16 bits a channel: another decoder's */
};

/* What is told of a pixel. */
enum backstep_mark { BACKSTEP_MARK_SAME = 0, BACKSTEP_MARK_IGNORED = 1, BACKSTEP_MARK_ANTIALIASED = 2, BACKSTEP_MARK_DIFFERENT = 3 };

BACKSTEP_API uint32_t backstep_pixels_abi(void);
/* Width and height into `header` (2 words), also where the picture is refused for them. 0, or a negative status. */
BACKSTEP_API int32_t backstep_png_header(const uint8_t *file, uint32_t length, uint32_t *header, uint32_t words);
/* `out` has room for 4 * width * height + height bytes, of which the pixels are the first. 0, or a negative status. */
BACKSTEP_API int32_t backstep_png_decode(const uint8_t *file, uint32_t length, uint8_t *out, uint64_t room);
/* Writes a 1 for each tile in which a byte differs, else 0, row by row. How many there are, or a negative status. */
BACKSTEP_API int64_t backstep_pixels_tiles(const uint8_t *a, uint64_t a_length, const uint8_t *b, uint64_t b_length,
                                           uint32_t width, uint32_t height, uint8_t *tiles, uint32_t room);
/*
 * Judges the pixels of the tiles that are not 0. `marks` has 64 * 64 bytes for each of these in order; what is IGNORED there
 * is not looked at, the others are to be 0 and are told. A pixel differs when a channel does by more than `tolerance`
 * of 255 and neither picture has antialiasing there. Ends after the tile in which there are more than `budget`.
 * How many differ, or a negative status.
 */
BACKSTEP_API int64_t backstep_pixels_compare(const uint8_t *a, uint64_t a_length, const uint8_t *b, uint64_t b_length,
                                             uint32_t width, uint32_t height, const uint8_t *tiles, uint32_t tile_count,
                                             uint8_t *marks, uint64_t room, uint32_t tolerance, uint64_t budget);

#endif
