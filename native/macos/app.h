/*
 * The applications that were looked at or listed: for the whole process, since AX knows no sessions. An application is a
 * process id with the time of its start, so that a number that the system gives away again is somebody else.
 */
#ifndef BS_APP_H
#define BS_APP_H

#include <stdatomic.h>

#include "../src/bytes.h"
#include "handle.h"

#define BS_BUS_ROOM 48

typedef struct bs_lane bs_lane;
typedef struct bs_observed bs_observed;

typedef struct bs_app {
    struct bs_app *next;
    atomic_uint refs; /* the list, its lane, each job */
    pid_t pid;
    uint64_t started; /* microseconds since 1970; 0: not told */
    char bus[BS_BUS_ROOM];
    AXUIElementRef element;
    bs_handles handles;
    bs_lane *lane;         /* lane.c */
    bs_observed *observed; /* observe.c; NULL: it was not looked at */
    bool ended;            /* swept already */
    bool woken;            /* wake_web.c has looked whether it is a browser; of its lane alone */
} bs_app;

/* By "pid:start", retained. NULL with a status: it is malformed, that process is gone, or out of memory. */
bs_app *bs_app_by_bus(bs_str bus, int *status);
bs_app *bs_app_by_pid(pid_t pid, int *status);
void bs_app_release(bs_app *app);
bool bs_app_runs(const bs_app *app); /* is that process still there? */
/*
 * Whoever has ended is observed no more, and its elements are gone; it is freed with the last session, since the thread of
 * the observers may just hear of it. all: of everybody, once that thread has ended.
 */
void bs_apps_sweep(bool all);

/* Has the application told that this window of the server's is minimised? */
bool bs_app_window_minimised(pid_t pid, uint32_t window);

uint64_t bs_process_start(pid_t pid, bool *there); /* apps.c */

#endif
