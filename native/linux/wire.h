/* The D-Bus wire format: one message written or read, every length checked, both byte orders when reading. */
#ifndef BS_WIRE_H
#define BS_WIRE_H

#include "../src/bytes.h"

enum { BS_WIRE_CALL = 1, BS_WIRE_RETURN = 2, BS_WIRE_ERROR = 3, BS_WIRE_SIGNAL = 4 };
enum { BS_WIRE_NO_REPLY = 1, BS_WIRE_NO_START = 2 };

#define BS_WIRE_MAX (128u << 20)       /* bytes of one message, and */
#define BS_WIRE_MAX_ARRAY (64u << 20)  /* of one array: what the specification allows */
#define BS_WIRE_MAX_NESTING 32         /* containers within containers */

typedef struct bs_head {
    uint8_t type, flags;
    uint32_t serial, reply_serial;
    bs_str path, interface, member, error, destination, sender, signature;
} bs_head;

/* Reading. Past the end, or anything malformed, sets `failed` and answers zeros: the caller checks once. */
typedef struct bs_in {
    const uint8_t *data;
    size_t length, at;
    bool swap, failed;
} bs_in;

typedef struct bs_msg {
    bs_head head;
    bs_in body;
} bs_msg;

int64_t bs_wire_size(const uint8_t *data, size_t have); /* bytes of the first message; 0 = too few to tell; -1 = invalid */
bool bs_wire_parse(const uint8_t *data, size_t size, bs_msg *m);
bool bs_wire_parse_head(const uint8_t *data, size_t have, bs_msg *m); /* of a message that is not whole: its body is empty */

uint8_t bs_in_u8(bs_in *in);
uint32_t bs_in_u32(bs_in *in);
int32_t bs_in_i32(bs_in *in);
uint64_t bs_in_u64(bs_in *in);
double bs_in_f64(bs_in *in);
bool bs_in_bool(bs_in *in);
bs_str bs_in_str(bs_in *in);
bs_str bs_in_path(bs_in *in);
bs_str bs_in_signature(bs_in *in);
void bs_in_struct(bs_in *in);
size_t bs_in_array(bs_in *in, unsigned align); /* where it ends: read elements while bs_in_more() */
bool bs_in_more(bs_in *in, size_t end);
void bs_in_skip(bs_in *in, bs_str signature); /* values of all types of a signature */
bool bs_in_variant(bs_in *in, const char *signature); /* false, and the value skipped, when it holds another type */

bool bs_signature_is(const bs_msg *m, const char *signature);
bool bs_str_is(bs_str s, const char *text);
bool bs_path_valid(bs_str path);
bool bs_bus_name_valid(bs_str name);
bool bs_unique_name_valid(bs_str name); /* ":1.23": a connection, not whoever owns a name just now */

/* Writing, in this machine's byte order, appended to a buffer. */
typedef struct bs_out {
    bs_buf *buf;
    size_t start, body;
} bs_out;

void bs_out_begin(bs_out *o, bs_buf *buf, const bs_head *head);
bool bs_out_end(bs_out *o); /* fills in the body's length; false, and the message removed, when it could not be written */
void bs_out_align(bs_out *o, unsigned n);
void bs_out_u8(bs_out *o, uint8_t v);
void bs_out_u32(bs_out *o, uint32_t v);
void bs_out_i32(bs_out *o, int32_t v);
void bs_out_f64(bs_out *o, double v);
void bs_out_str(bs_out *o, bs_str s);
void bs_out_cstr(bs_out *o, const char *s);
void bs_out_signature(bs_out *o, const char *s);
size_t bs_out_array(bs_out *o, unsigned align); /* a mark for bs_out_array_end */
void bs_out_array_end(bs_out *o, size_t mark);

static inline bs_str bs_cstr(const char *s) { return (bs_str){s, (uint32_t)__builtin_strlen(s)}; }

#endif
