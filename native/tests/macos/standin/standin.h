/*
 * What tests ask of the stand-in of macOS. Its behaviours, with their sources: docs/reference/macos-behaviours.md.
 * A script is one or more applications; its format is at the head of script.c.
 */
#ifndef SI_STANDIN_H
#define SI_STANDIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Applications. */
bool si_load(const char *script);          /* adds; a line that is not understood aborts */
bool si_load_file(const char *path);
void si_reset(void);                       /* no application, no log, everything granted, the real clock */
void si_hang(int pid, bool hangs);         /* answers nothing; messages end at their timeout */
void si_deafen(int pid, bool deaf);        /* answers nothing, and messages do not end at their timeout either */
void si_kill(int pid);                     /* the process is gone */
void si_launch(int pid);                   /* one that the script has as `absent` begins */
void si_notify(int pid, const char *label, const char *notification);
bool si_do(int pid, const char *label, const char *effects); /* as the person at the machine would: "set Value \"x\"" */

/* The applications' own account of what happened to them, one line a fact. */
const char *si_log(void);
bool si_logged(const char *text);
void si_log_clear(void);
char *si_attribute(int pid, const char *label, const char *attribute); /* as text; NULL: absent. The caller frees it */

/* What the client did. */
long si_messages(int pid);                 /* to one application since the last si_messages_clear(); 0: to all */
long si_asked(int pid, const char *what);  /* how often an attribute (also within batches), an action or a call was asked for */
void si_messages_clear(void);
uint64_t si_busy_ns(void);                 /* time spent within the accessibility calls */
unsigned si_threads_inside(void);          /* how many threads are within such a call */

/* Objects. */
long si_live(void);
void si_live_report(void);
void si_fail_after(long creations);        /* that many succeed, one fails, then all succeed; -1: none fails */
bool si_short(void);
void si_exempt(int by);                    /* of this thread nothing fails while the sum is above 0 */
bool si_used(void);                        /* the one that was to fail has failed */

/* Grants: what TCC would say. */
enum { SI_ACCESSIBILITY = 1, SI_SCREEN = 2, SI_POST = 4, SI_LISTEN = 8 };
void si_grant(unsigned grants);
void si_session(bool there);               /* false: no login session (ssh) */

/* The clock. Virtual: whatever would wait moves it on instead. */
void si_virtual(bool on);
void si_advance(double seconds);
double si_now(void);                       /* seconds, as CLOCK_MONOTONIC of the code under test */

/* Windows of the window server, pointer and keyboard: what arrived, one event a line. */
const char *si_input(void);
void si_input_clear(void);
void si_pasteboard_clear(void);            /* what it holds are objects, too */
void si_absent(const char *symbol);        /* dlsym and objc_getClass do not find it; NULL: all are there */
#endif
