/* What the tests of the macOS core share: a session over the stand-in, requests, and snapshots as rows. */
#ifndef MAC_HARNESS_H
#define MAC_HARNESS_H
#include "../../include/backstep.h"
#include "../check.h"
#include "standin/standin.h"

#define MAC_MS 20000u /* a deadline that nothing is to reach */

uint64_t mac_connect(const char *script); /* the script (a file of apps/, or a text that begins with "application") as the only applications; a session */
uint64_t mac_session(void);               /* another session, connected */
void mac_close(uint64_t session);
void mac_reopen(const char *script);      /* other applications for the same session */
const char *mac_bus(uint64_t session, int pid); /* its address, from APPS; "" where it is not listed */

typedef struct mac_rows {
    bs_buf bytes;
    uint32_t n, fields, cut, calls, strings;
    const double *value;
    const uint64_t *hash;
    const uint32_t *states, *interfaces, *path, *name, *description, *id, *text, *actions, *selected, *keys, *native, *offsets, *attributes, *relations, *style;
    const int32_t *parent, *rect, *caret, *children, *text_rect;
    const uint16_t *role;
    const char *arena;
} mac_rows;
int mac_snapshot(uint64_t s, const char *bus, const char *path, uint32_t fields, unsigned ms, mac_rows *v); /* a status */
int64_t mac_snapshot_submit(uint64_t s, const char *bus, uint32_t fields, unsigned ms);
int mac_read(uint64_t s, const char *bus, const char *path, uint32_t what, unsigned ms, mac_rows *v);
bool mac_parse(bs_buf *reply, mac_rows *v); /* takes over the reply */
void mac_free(mac_rows *v);
bs_str mac_string(const mac_rows *v, uint32_t number);
bool mac_is(const mac_rows *v, uint32_t number, const char *text);
int mac_named(const mac_rows *v, const char *name); /* the row, or -1 */
int mac_native(const mac_rows *v, const char *role);
void mac_path(const mac_rows *v, int row, char *to, size_t room);
/* The path of the first element with this name, from a snapshot of its own. */
bool mac_find(uint64_t s, const char *bus, const char *name, char *to, size_t room);

/* One operation on an element: "s" str, "i" i32, "u" u32, "d" f64. A status; the reply's sentence is in mac_said. */
int mac_do(uint64_t s, const char *bus, const char *path, uint32_t op, unsigned ms, const char *kind, ...);
int64_t mac_submit(uint64_t s, const char *bus, const char *path, uint32_t op, unsigned ms, const char *kind, ...);
int mac_op(uint64_t s, uint32_t op, unsigned ms, bs_buf *reply, const char *kind, ...);
int mac_act(int pid, const char *name, const char *action); /* a snapshot, then ACTION: for tests that need no more */
extern char mac_said[512];
const char *mac_value(int pid, const char *label, const char *attribute); /* of the application itself; until the next call */
bool mac_until(bool (*done)(void *), void *with, unsigned ms); /* real time */
bool mac_event(const char *event, const char *text, unsigned ms); /* waits for such an EVENT record; text NULL: any */
void mac_end(const char *name, uint64_t session); /* closes, and checks that no object is left */
#endif
