/* What the tests of the macOS core share: a session over the stand-in, requests, and rows of a snapshot by name. */
#ifndef MAC_HARNESS_H
#define MAC_HARNESS_H

#include <string.h>

#include "../../include/backstep.h"
#include "../check.h"
#include "standin/standin.h"

#define FORM 100

uint64_t mac_open(void);                       /* connected; 0: it could not be */
void mac_close(uint64_t session);
bool mac_bus(uint64_t session, int pid, char bus[64]); /* by APPS */
void mac_to(bs_buf *request, const char *bus, const char *path);

/* A snapshot or a reading, with its columns. */
typedef struct mac_tree {
    bs_buf reply;
    uint32_t rows, fields, cut, calls;
    const uint32_t *states, *interfaces, *path, *name, *description, *id, *text, *actions, *attributes, *selected, *keys, *native;
    const int32_t *parent, *rect, *caret, *children;
    const double *value;
    const uint16_t *role;
    const uint32_t *offsets;
    const uint8_t *arena;
} mac_tree;

int mac_snapshot(uint64_t session, const char *bus, const char *path, uint32_t fields, uint32_t max_text, unsigned ms, mac_tree *t);
int mac_read(uint64_t session, const char *bus, const char *path, uint32_t much, unsigned ms, mac_tree *t);
bool mac_decode(mac_tree *t);
void mac_free(mac_tree *t);
const char *mac_string(const mac_tree *t, uint32_t number); /* of a static buffer, four deep; "(none)" */
int mac_row(const mac_tree *t, const char *native, const char *name); /* -1: none; native or name may be NULL */
bool mac_has(const mac_tree *t, int row, unsigned state);
const char *mac_path(const mac_tree *t, int row);

/* An operation on an element; its reply's sentence is mac_why(). */
int mac_act(uint64_t session, const char *bus, const char *path, uint32_t op, unsigned ms, const char *format, ...); /* format: s str, i i32, u u32, d f64 */
const char *mac_why(void);
bs_buf *mac_reply(void);

#endif
