/* What the test of the display half is written with: servers, requests, and a client that is typed into. */
#ifndef X11_HARNESS_H
#define X11_HARNESS_H

#include "../linux/x11_internal.h"
#include "screen_harness.h"

typedef struct server {
    pid_t pid;
    char display[16];
} server;
server server_start(const char *const *more);
void server_stop(server *s);
void open_interrupted(const char *display);

bs_screen *open_or_die(const char *display);
bs_x11 *x11_of(bs_screen *s);

/* Operations. The reply stays until the next one. */
int capture(bs_screen *x, uint32_t what, uint32_t window, int32_t px, int32_t py, int32_t w, int32_t h);
int drawn(bs_screen *x, int32_t px, int32_t py, int32_t w, int32_t h);
int drawn_within(bs_screen *x, int32_t px, int32_t py, int32_t w, int32_t h, uint32_t within);
int windows(bs_screen *x);
typedef struct listed {
    uint32_t pid, flags;
    int32_t x, y, w, h, frame[4];
    char title[64], class[64];
} listed;
bool find_listed(uint32_t window, listed *out);
int window_verb(bs_screen *x, uint32_t window, uint32_t verb, int32_t px, int32_t py, int32_t w, int32_t h);
int clip_read(bs_screen *x, const char *selection, const char *target);
void test_keep(const char *display); /* x11_clip_test.c */
void test_holders(const char *display); /* x11_holders_test.c */
void test_person(const char *display, unsigned actions); /* x11_person_test.c */
/* Input of another client, as a person makes it, and ours; x11_test.c. */
void foreign(xcb_connection_t *c, uint8_t type, uint8_t detail, int16_t px, int16_t py);
void foreign_done(xcb_connection_t *c);
int watch_input(bs_screen *x, uint32_t what);
unsigned dice(uint64_t *seed, unsigned below);
void random_action(bs_screen *x, uint64_t *seed);

/* Windows of a connection of their own. */
uint32_t coloured_window(const char *display, int16_t px, int16_t py, uint16_t w, uint16_t h, uint32_t colour);
uint32_t popup_window(int16_t px, int16_t py, uint16_t w, uint16_t h);
/* Of the window that was made last: sets _NET_WM_STATE. */
void make_modal(uint32_t window);
void recolour(uint32_t window, uint32_t colour); /* filled with it when this returns */
void unmap(uint32_t window);
void uncolour(void);

/* What the server says, asked by a passing client. */
unsigned lent_keycodes(const char *display); /* keycodes with a symbol above 0x01000000 */
unsigned modifiers_on(const char *display);
unsigned buttons_down(const char *display);
unsigned keys_down(const char *display);
uint32_t focus_of(const char *display);
void hold_key(const char *display, uint8_t code, bool down);

/* A focused window whose client notes what it gets. It reads the keyboard map late, as toolkits do: when a key comes after a change. */
typedef struct victim victim;
victim *victim_start(const char *display, bool answers_pings, unsigned delay_us);
/* One that hears of keys on a connection and of the map on another, which it looks at this seldom only. */
#define VICTIM_NEVER UINT64_MAX
victim *victim_start_split(const char *display, uint64_t lag_us);
void victim_lag(victim *v, uint64_t lag_us);
void victim_hang(victim *v, bool hangs); /* reads nothing any more; or goes on */
void victim_stop(victim *v);
void victim_clear(victim *v);
void victim_wait(victim *v, size_t bytes, unsigned timeout_ms);
char *victim_text(victim *v);
void victim_log_is(victim *v, const char *expected);
unsigned victim_motions(victim *v);

#endif
