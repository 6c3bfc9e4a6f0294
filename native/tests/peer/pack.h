/* The peer's own D-Bus marshalling: it shares nothing with the core's, so that both sides cannot share a mistake. It
 * writes either byte order, and messages that no library would write. */
#ifndef PEER_PACK_H
#define PEER_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pack {
    uint8_t *data;
    size_t n, room;
    bool big;
} pack;

void pack_bytes(pack *p, const void *bytes, size_t n);
void pack_align(pack *p, unsigned n);
void pack_byte(pack *p, uint8_t v);
void pack_u32(pack *p, uint32_t v);
void pack_f64(pack *p, double v);
void pack_str(pack *p, const char *text); /* also an object path */
void pack_sig(pack *p, const char *signature);
void pack_ref(pack *p, const char *bus, const char *path); /* (so) */
size_t pack_open(pack *p, unsigned align);                 /* an array, until pack_close(p, mark, align) */
void pack_close(pack *p, size_t mark, unsigned align);
void pack_poke(pack *p, size_t at, uint32_t v); /* overwrites four bytes, where there are any */
void pack_free(pack *p);

enum { CALL = 1, RETURN = 2, ERROR = 3, SIGNAL = 4 };

typedef struct head {
    uint8_t type, flags;
    uint32_t serial, reply_serial;
    char path[256], interface[128], member[128], error[128], destination[128], sender[128], signature[256];
} head;

void pack_message(pack *out, const head *h, const pack *body); /* in the body's byte order */

/* Reading what comes from the bus or the core, which are trusted to be well-formed. */
typedef struct unpack {
    const uint8_t *data;
    size_t n, at;
    bool big;
} unpack;

size_t message_size(const uint8_t *data, size_t have); /* 0: not whole yet */
void message_read(const uint8_t *data, size_t size, head *h, unpack *body);
uint32_t unpack_u32(unpack *u);
double unpack_f64(unpack *u);
const char *unpack_str(unpack *u); /* terminated, within the message; never NULL */
const char *unpack_sig(unpack *u);

#endif
