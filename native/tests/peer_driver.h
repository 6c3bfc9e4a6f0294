/* Drives scripted applications (peer/) on a private accessibility bus with the registry of the system. */
#ifndef BS_PEER_DRIVER_H
#define BS_PEER_DRIVER_H

#include <sys/types.h>

#include "../include/backstep.h"
#include "check.h"

#define PEER_PATH "/org/a11y/atspi/accessible/"

typedef struct a11y_bus {
    pid_t pid;
    char dir[64], address[128];
} a11y_bus;

bool a11y_start(a11y_bus *b);
void a11y_stop(a11y_bus *b); /* kills the daemon and its registry */
unsigned a11y_signal_registry(const a11y_bus *b, int signal); /* how many processes got it */

pid_t start_display(char *name, size_t room); /* an Xvfb; the caller kills and awaits it */

typedef struct peer {
    pid_t pid;
    int to, from;
    char name[64]; /* on the bus */
    char answer[4096];
    size_t length;
} peer;

/* how: "--join" or "--bus"; at: the address or the path. The script's lines are said before it starts. */
bool peer_start(peer *p, const char *how, const char *at, const char *script);
const char *peer_say(peer *p, const char *format, ...) __attribute__((format(printf, 2, 3))); /* what follows "ok"; counts as a check */
long peer_ask(peer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));        /* the same as a number */
void peer_restart(peer *p, const char *at, const char *script); /* another process in its place, joined */
void peer_stop(peer *p);

uint64_t connect_bus(const char *accessibility, const char *session_bus, const char *display, unsigned ms, int *status); /* a session, connected or not */

/* A snapshot's columns, as far as the tests look at them. */
typedef struct rows {
    bs_buf bytes;
    uint32_t n, cut, strategy, calls, route, source, afresh, missed;
    uint64_t generation;
    const uint64_t *hash;
    const uint32_t *states, *interfaces, *path, *name, *text, *actions, *offsets;
    const uint32_t *relations;
    const int32_t *parent, *rect, *children, *text_rect;
    const uint16_t *role;
    const double *value;
    const char *arena;
    uint32_t strings;
} rows;

int take_snapshot(uint64_t session, const peer *p, const char *id, uint32_t fields, uint32_t max_nodes, unsigned ms, rows *v);
/* The whole application, with places on the screen: those are what is asked for in bulk. */
int64_t submit_snapshot_on_screen(uint64_t session, const peer *p, uint32_t fields, unsigned ms);
int take_snapshot_on_screen(uint64_t session, const peer *p, uint32_t fields, unsigned ms, rows *v);
/* The whole application by a source of SNAPSHOT, asked for elements of a role (0 = any); known: a generation. From its mirror, where that is of use: source 1. */
int take_from(uint64_t session, const peer *p, uint32_t source, uint32_t role, uint32_t fields, uint64_t known, unsigned ms, rows *v);
int take_mirror(uint64_t session, const peer *p, uint32_t fields, uint64_t known, unsigned ms, rows *v);
int take_read(uint64_t session, const peer *p, const char *id, unsigned ms, rows *v);
int64_t submit_snapshot(uint64_t session, const peer *p, unsigned ms);
bs_str row_text(const rows *v, uint32_t string);
int row_of(const rows *v, const char *id);
uint64_t rows_hash(const rows *v, bool with_children); /* of names, roles, states, shape, places and texts */
void rows_free(rows *v);

/* One act: kind gives the arguments ("s" text, "i" number, "d" double). */
int64_t submit_act(uint64_t session, const peer *p, const char *id, uint32_t op, unsigned ms, const char *kind, ...);
int run_act(uint64_t session, const peer *p, const char *id, uint32_t op, unsigned ms, const char *kind, ...);
int await_status(uint64_t session, int64_t ticket, unsigned ms); /* its reply is dropped */

bool saw_record(uint32_t kind, uint64_t session, unsigned ms); /* waits for one, and takes it out */
/* Measures, from a thread of its own, how late this machine wakes who sleeps: what others load onto it is not the core's fault. */
void machine_watch(bool on);
double machine_late_ms(void); /* the worst of the last six seconds */
void took_about(uint64_t since_us, unsigned ms, const char *what); /* a check: ±10 % and a few ticks */

#endif
