/* What the test of the Wayland half is written with: compositors, requests, and a client that says what it got. */
#ifndef WL_HARNESS_H
#define WL_HARNESS_H

#include "../linux/wl.h"
#include "screen_harness.h"

/* A headless sway. `config` is added to what it needs; outputs: HEADLESS-1, HEADLESS-2… */
typedef struct compositor {
    pid_t pid;
    char folder[64], display[100]; /* "wayland:/…" */
} compositor;
compositor sway_start(unsigned outputs, const char *config);
void sway_stop(compositor *c);

/* A socket of which nobody, or somebody strange, reads. */
typedef struct strange {
    pid_t pid;
    char path[64], display[80];
} strange;
enum { NEVER_ACCEPTS, NEVER_ANSWERS, CLOSES, TALKS_NONSENSE };
strange strange_start(int how);
void strange_stop(strange *s);

/* A compositor of our own that tells what none should: wl_hostile.c. Outputs are all alike, `apart` pixels from one to the next. */
typedef struct hostile {
    uint32_t outputs;
    int32_t x, y, apart, width, height, scale, transform;
    uint32_t logical[4];     /* xdg_output's place and size; a width of 0: not told */
    uint32_t picture[4];     /* format, width, height, bytes a row */
    uint32_t flags;          /* of the picture */
    bool untold, ready_early; /* no buffer is described; the picture is ready before anybody asked for it */
    uint32_t offers, types;  /* on the clipboards, by turns; content has no end */
    bool unselected;         /* they belong to no clipboard */
    bool finishes;           /* the clipboard goes in the middle of an operation */
    unsigned raw_at;         /* before the reply to so many syncs: bytes that are no message */
    const void *raw;
    size_t raw_size;
} hostile;
strange hostile_start(const hostile *h);

bs_screen *open_or_die(const char *display);
int open_fails(const char *display, uint64_t within_us, bs_screen *_Atomic *slot); /* the status; its text is the reply */
int click(bs_screen *s, int32_t x, int32_t y);
int capture(bs_screen *s, uint32_t what, int32_t x, int32_t y, int32_t w, int32_t h);
uint32_t pixel(uint32_t x, uint32_t y); /* of the picture in the reply, as 0xRRGGBB */
void test_pointer(void), test_chord(void), test_text(void), test_outputs(void), test_origin(void); /* wl_input_test.c */
void test_clip(void);     /* wl_clip_test.c */
void test_pictures(void); /* wl_picture_test.c */
void test_failures(void); /* wl_failure_test.c */
void test_hostile(void);  /* wl_hostile_test.c */
void test_live(void), test_without(void); /* wl_live_test.c */

/*
 * A window that notes what it is told. Its four quarters are red, green, blue and white, from the top left on, row by row.
 * Keys are noted as "+ffe3/0 +73/4 -73/4 -ffe3/4 ": down or up, the symbol, the modifiers at that moment. The rest: "enter10,20 ", "b110+ ",
 * "b110- ", "axis0:15:1 " (its number, how far, notches). Motion is counted.
 */
typedef struct observer observer;
observer *observer_start(const char *display, const char *name, int width, int height); /* is in its place, and has the keyboard, when this returns */
observer *observer_start_aside(const char *display, const char *name, int width, int height); /* without the keyboard, perhaps */
void observer_stop(observer *w);
void observer_clear(observer *w);
void observer_freeze(observer *w, bool frozen); /* reads nothing any more; or goes on */
void observer_freeze_for(observer *w, uint64_t us); /* from now on, without waiting */
bool observer_awaits(observer *w, const char *part, unsigned ms); /* until the log has this */
bool observer_types(observer *w, const char *text, unsigned ms);  /* until this, and no more, was typed */
const char *observer_log(observer *w);
const char *observer_typed(observer *w);
unsigned observer_motions(observer *w);
bool observer_awaits_modifiers(observer *w, uint32_t mask, unsigned ms);
void observer_at(observer *w, double *x, double *y); /* where the pointer was last, in the window */

/* wl_observer_tables.c */
extern const struct wl_interface observed_surface, observed_compositor, observed_wm_base, observed_xdg_surface, observed_toplevel, observed_keyboard, observed_pointer,
    observed_seat;

#endif
