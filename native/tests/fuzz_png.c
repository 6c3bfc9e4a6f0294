/* libFuzzer: a PNG file as it is and with its checksums made to fit, a DEFLATE stream, and two pictures of foreign bytes. */
#include <stdlib.h>
#include <string.h>

#include "../include/backstep.h"
#include "../src/inflate.h"

static uint32_t crc_of(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    }
    return ~c;
}

/* Buffers are exactly as long as was asked for, so that a sanitizer sees one byte too many. */
static void decode(const uint8_t *data, size_t size) {
    uint32_t header[2];
    uint64_t room;
    uint8_t *out;
    int rc = backstep_png_header(data, (uint32_t)size, header, 2);
    if (rc != 0 || (uint64_t)header[0] * header[1] > 1u << 20) return;
    room = 4 * (uint64_t)header[0] * header[1] + header[1];
    if ((out = malloc(room)) == NULL) return;
    if (backstep_png_decode(data, (uint32_t)size, out, room - 1) != BACKSTEP_E_SHORT) abort();
    if (backstep_png_decode(data, (uint32_t)size, out, room) > 0) abort();
    free(out);
}

static void with_checksums(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (copy == NULL) return;
    memcpy(copy, data, size);
    for (size_t at = 8; size - at >= 12 && at < size;) {
        uint32_t length = (uint32_t)copy[at] << 24 | (uint32_t)copy[at + 1] << 16 | (uint32_t)copy[at + 2] << 8 | copy[at + 3], crc;
        if (length > size - at - 12) break;
        crc = crc_of(copy + at + 4, length + 4);
        for (unsigned k = 0; k < 4; k++) copy[at + 8 + length + k] = (uint8_t)(crc >> (24 - 8 * k));
        at += 12 + (size_t)length;
    }
    decode(copy, size);
    free(copy);
}

static void stream(const uint8_t *data, size_t size) {
    size_t room = data[0] * 16u + data[1];
    uint8_t *out = malloc(room ? room : 1);
    if (out == NULL) return;
    bs_inflate(data + 2, size - 2, out, room);
    free(out);
}

static void pictures(const uint8_t *data, size_t size) {
    uint32_t width = 1 + data[0] % 150, height = (uint32_t)((size - 2) / (8 * width)), count = (width + 63) / 64 * ((height + 63) / 64);
    size_t bytes = 4 * (size_t)width * height;
    uint8_t *tiles, *marks;
    int64_t dirty, different, seen = 0;
    if (height == 0) return;
    tiles = malloc(count);
    if (tiles == NULL) return;
    dirty = backstep_pixels_tiles(data + 2, bytes, data + 2 + bytes, bytes, width, height, tiles, count);
    if (dirty < 0 || dirty > count) abort();
    marks = calloc(dirty ? (size_t)dirty : 1, 64 * 64);
    if (marks != NULL) {
        different = backstep_pixels_compare(data + 2, bytes, data + 2 + bytes, bytes, width, height, tiles, count, marks,
                                            (uint64_t)dirty * 64 * 64, data[1], ~0ull);
        for (int64_t i = 0; i < dirty * 64 * 64; i++) seen += marks[i] == BACKSTEP_MARK_DIFFERENT;
        if (different != seen) abort();
    }
    free(marks);
    free(tiles);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    decode(data, size);
    with_checksums(data, size);
    if (size < 2) return 0;
    stream(data, size);
    pictures(data, size);
    return 0;
}
