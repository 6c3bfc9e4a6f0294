/* Growable output and bounded input: the only ways bytes are written to and read from memory in the core. */
#ifndef BS_BYTES_H
#define BS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Output. A failed allocation sets `failed`, drops what follows, and is reported once, by whoever finishes the buffer. */
typedef struct bs_buf {
    uint8_t *data;
    size_t length, capacity;
    bool failed;
} bs_buf;

void bs_buf_free(bs_buf *b);
void bs_buf_clear(bs_buf *b);
uint8_t *bs_buf_reserve(bs_buf *b, size_t n); /* n uninitialised bytes appended, or NULL */
void bs_put(bs_buf *b, const void *bytes, size_t n);
void bs_put_u8(bs_buf *b, uint8_t v);
void bs_put_u32(bs_buf *b, uint32_t v);
void bs_put_i32(bs_buf *b, int32_t v);
void bs_put_u64(bs_buf *b, uint64_t v);
void bs_put_f64(bs_buf *b, double v);
void bs_put_str(bs_buf *b, const char *text, size_t n); /* u32 length, bytes */
void bs_put_cstr(bs_buf *b, const char *text);
void bs_put_format(bs_buf *b, const char *format, ...) __attribute__((format(printf, 2, 3))); /* as one str */

/* Input. Reading past the end sets `failed` and answers zeros and empty strings; the caller checks once. */
typedef struct bs_reader {
    const uint8_t *data;
    size_t length, at;
    bool failed;
} bs_reader;

/* A view into the reader's memory, not terminated. */
typedef struct bs_str {
    const char *text;
    uint32_t length;
} bs_str;

uint32_t bs_get_u32(bs_reader *r);
int32_t bs_get_i32(bs_reader *r);
uint64_t bs_get_u64(bs_reader *r);
double bs_get_f64(bs_reader *r);
bs_str bs_get_str(bs_reader *r); /* rejects NUL and invalid UTF-8 by setting failed */
bs_str bs_get_bytes(bs_reader *r); /* the same layout, any bytes */

bool bs_utf8_valid(const char *text, size_t n);
uint64_t bs_now_us(void); /* CLOCK_MONOTONIC */

#endif
