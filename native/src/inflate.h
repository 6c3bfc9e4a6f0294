/* DEFLATE (RFC 1951) in a zlib wrapper (RFC 1950), from one buffer into one whose size is known beforehand. */
#ifndef BS_INFLATE_H
#define BS_INFLATE_H

#include <stddef.h>
#include <stdint.h>

enum bs_inflated {
    BS_INFLATED = 0,
    BS_INFLATE_SHORT = -1,   /* the data ends before the stream does, or gives less than was to come */
    BS_INFLATE_CORRUPT = -2, /* no valid stream, or its checksum does not fit */
    BS_INFLATE_LONG = -3     /* it gives more than there is room for */
};

/* Fills `to` exactly. Reads nothing outside of `from`, writes nothing outside of `to`, keeps nothing. */
enum bs_inflated bs_inflate(const uint8_t *from, size_t length, uint8_t *to, size_t size);

uint32_t bs_adler32(const uint8_t *bytes, size_t length);

#endif
