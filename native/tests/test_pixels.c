#include <stdlib.h>
#include <string.h>

#include "../include/backstep.h"
#include "../src/inflate.h"
#include "check.h"

/* 2 x 2: red, green, blue, white; RGB with the filter Sub on the second row. */
static const uint8_t small[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x02,
    0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfd, 0xd4, 0x9a, 0x73, 0x00, 0x00, 0x00, 0x15, 0x49, 0x44, 0x41,
    0x54, 0x78, 0xda, 0x63, 0xf8, 0xcf, 0xc0, 0xc0, 0xf0, 0x9f, 0x81, 0x11, 0x48, 0xfc, 0xff, 0xcf, 0x00, 0x00, 0x1e, 0xf6,
    0x04, 0xfd, 0x37, 0x86, 0x66, 0x6a, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static void test_decode(void) {
    static const uint8_t wanted[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255};
    uint32_t header[2] = {0};
    uint8_t out[18];
    CHECK_IS(backstep_png_header(small, sizeof small, header, 2), 0);
    CHECK(header[0] == 2 && header[1] == 2);
    CHECK_IS(backstep_png_decode(small, sizeof small, out, sizeof out - 1), BACKSTEP_E_SHORT);
    CHECK_IS(backstep_png_decode(small, sizeof small, out, sizeof out), 0);
    CHECK(memcmp(out, wanted, sizeof wanted) == 0);
    for (size_t cut = 0; cut < sizeof small; cut++) {
        uint8_t *exact = malloc(cut ? cut : 1);
        memcpy(exact, small, cut);
        CHECK_IS(backstep_png_decode(exact, (uint32_t)cut, out, sizeof out), BACKSTEP_PNG_TRUNCATED);
        free(exact);
    }
    for (size_t at = 0; at < sizeof small; at++) {
        uint8_t broken[sizeof small];
        memcpy(broken, small, sizeof small);
        broken[at] ^= 0x10;
        CHECK(backstep_png_decode(broken, sizeof broken, out, sizeof out) < 0);
    }
    CHECK_IS(backstep_png_decode((const uint8_t *)"GIF89a", 6, out, sizeof out), BACKSTEP_PNG_NONE);
}

static void test_inflate(void) {
    /* Eight times "ab" as one match that overlaps itself, by the fixed code; then the same with an end that is missing. */
    static const uint8_t stream[] = {0x78, 0x01, 0x4b, 0x4c, 0x4a, 0x44, 0x81, 0x00, 0x33, 0xd8, 0x06, 0x19};
    uint8_t out[16];
    CHECK_IS(bs_inflate(stream, sizeof stream, out, sizeof out), BS_INFLATED);
    CHECK(memcmp(out, "abababababababab", 16) == 0);
    CHECK_IS(bs_inflate(stream, sizeof stream, out, 15), BS_INFLATE_LONG);
    for (size_t cut = 0; cut < sizeof stream; cut++) CHECK_IS(bs_inflate(stream, cut, out, sizeof out), BS_INFLATE_SHORT);
    CHECK_IS(bs_adler32((const uint8_t *)"Wikipedia", 9), 0x11e60398);
}

static void fill(uint8_t *p, size_t pixels, uint32_t colour) {
    for (size_t i = 0; i < pixels; i++) memcpy(p + 4 * i, &colour, 4);
}

static void test_compare(void) {
    enum { WIDTH = 130, HEIGHT = 70, BYTES = 4 * WIDTH * HEIGHT };
    static uint8_t a[BYTES], b[BYTES], marks[2 * 64 * 64];
    uint8_t tiles[6];
    uint32_t ink = 0xff202020u, near = 0xfff8f8f8u;
    fill(a, WIDTH * HEIGHT, 0xffffffffu);
    memcpy(b, a, BYTES);
    CHECK_IS(backstep_pixels_tiles(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 6), 0);
    memcpy(b + 4 * (69 * WIDTH + 129), &ink, 4); /* the last pixel, in the smallest tile */
    memcpy(b + 4 * (5 * WIDTH + 3), &near, 4);   /* 7 of 255 off */
    CHECK_IS(backstep_pixels_tiles(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 6), 2);
    CHECK(tiles[0] == 1 && tiles[5] == 1 && !tiles[1]);
    CHECK_IS(backstep_pixels_compare(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 6, marks, sizeof marks, 8, ~0ull), 1);
    CHECK_IS(marks[64 * 64 + 5 * 64 + 1], BACKSTEP_MARK_DIFFERENT);
    memset(marks, 0, sizeof marks);
    CHECK_IS(backstep_pixels_compare(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 6, marks, sizeof marks, 6, ~0ull), 2);
    memset(marks, BACKSTEP_MARK_IGNORED, sizeof marks);
    CHECK_IS(backstep_pixels_compare(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 6, marks, sizeof marks, 0, ~0ull), 0);
    CHECK_IS(backstep_pixels_compare(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 6, marks, sizeof marks - 1, 0, ~0ull), BACKSTEP_E_SHORT);
    CHECK_IS(backstep_pixels_compare(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 5, marks, sizeof marks, 0, ~0ull), BACKSTEP_E_INVALID);
    CHECK_IS(backstep_pixels_tiles(a, BYTES - 1, b, BYTES, WIDTH, HEIGHT, tiles, 6), BACKSTEP_E_INVALID);
    CHECK_IS(backstep_pixels_tiles(a, BYTES, b, BYTES, WIDTH, HEIGHT, tiles, 5), BACKSTEP_E_SHORT);
    CHECK_IS(backstep_pixels_tiles(a, ~0ull, b, ~0ull, 0xffffffffu, 0xffffffffu, tiles, 6), BACKSTEP_E_INVALID);
}

int main(void) {
    test_decode();
    test_inflate();
    test_compare();
    return check_report("pixels");
}
