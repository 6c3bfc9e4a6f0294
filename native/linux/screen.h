/*
 * The display that a session drives: one connection to an X server or to a Wayland compositor.
 *
 * A session runs these on a thread of its own, since they wait for the server's answers; the caller enforces deadlines from
 * outside and frees a stuck thread with interrupt().
 */
#ifndef BS_SCREEN_H
#define BS_SCREEN_H

#include <stdatomic.h>

#include "../src/bytes.h"

typedef struct bs_screen bs_screen;

#define BS_SCALE_1 1000u /* of CAPTURE: a pixel is a unit of places */

/* What somebody else did with keyboard and pointer, counted. Never which key. */
typedef struct bs_screen_seen {
    uint32_t keys, buttons, wheels, motions; /* presses, clicks of the wheel, and how often the pointer was found elsewhere */
    uint64_t last_us;
} bs_screen_seen;

/* One thing that somebody else did: the fields of a PERSON record. */
typedef struct bs_screen_told {
    uint64_t us;
    uint32_t what, detail;
    int32_t x, y;
    uint32_t modifiers, time, moved, lost;
} bs_screen_told;

/* What a session has for other clients. ON_ITS_WAY: content that another client has taken the place of, and somebody is reading still. */
enum bs_screen_offers { BS_OFFERS_NOTHING, BS_OFFERS_ON_ITS_WAY, BS_OFFERS_CONTENT };

typedef struct bs_screen_kind {
    /* Connects to the display of this name. NULL sets *status (a backstep_status) and appends a str to message. *slot is set as
     * soon as there is a descriptor to interrupt. */
    bs_screen *(*open)(const char *name, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot);

    int (*fd)(const bs_screen *s);     /* readable when pump() has something to do */
    int (*server)(const bs_screen *s); /* process id of who serves it, for together.c; 0: unknown, or not to be arranged */
    void (*size)(const bs_screen *s, int32_t *width, int32_t *height);

    /* One operation (BACKSTEP_OP_TEXT .. BACKSTEP_OP_CLIP_LEAVE). Returns a backstep_status; fills reply, with a str that
     * explains on failure. Checks *cancel and the deadline between steps; releases what it pressed whatever happens. */
    int (*exec)(bs_screen *s, uint32_t op, bs_reader *request, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply);

    /* Serves what other clients ask of us (selections), without blocking. Negative: the connection broke. */
    int (*pump)(bs_screen *s);

    enum bs_screen_offers (*offers)(const bs_screen *s);

    /* Takes what was seen since the last time, if anything. Told now and then only, unless it is to be now: *due_us says when
     * to ask again, UINT64_MAX: not before there are events. */
    bool (*input)(bs_screen *s, bool now, bs_screen_seen *into, uint64_t *due_us);

    /* The oldest of what somebody did, where each is told; false: nothing more is known yet. */
    bool (*told)(bs_screen *s, bs_screen_told *into);

    /* From any thread: makes every present and later wait on this connection fail at once. */
    void (*interrupt)(bs_screen *s);

    /* Releases held keys and buttons where the connection still stands, and closes. */
    void (*close)(bs_screen *s);
} bs_screen_kind;

/* What every kind of connection begins with. */
struct bs_screen {
    const bs_screen_kind *kind;

    /* the operation under way */
    uint64_t deadline_us;
    atomic_bool *cancel, never;
    bs_buf *reply; /* NULL: none is */
    size_t reply_start;
    bool touched; /* something that others can notice was sent */
};

/* explain.c. The int ones answer a backstep_status; on failure the reply already holds its explanation. */
void bs_screen_begin(bs_screen *s, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply); /* cancel NULL: nobody cancels */
void bs_screen_end(bs_screen *s);
int bs_screen_explain(bs_screen *s, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
int bs_screen_malformed(bs_screen *s, const bs_reader *r); /* OK, or INVALID when the request was not read to its exact end */
int bs_screen_due(bs_screen *s); /* whether it was cancelled, or its deadline passed */

extern const bs_screen_kind bs_screen_x11, bs_screen_wl;
extern const bs_screen_kind bs_screen_wl_without; /* the same without keyboard and pointer, whose making applications notice */

#define BS_WAYLAND "wayland:" /* in front of the path of a compositor's socket; every other name is of an X display */

/* rgba.c */
void bs_rgba_of_bgrx(uint8_t *restrict to, const uint8_t *restrict from, size_t pixels); /* alpha 255 */

#endif
