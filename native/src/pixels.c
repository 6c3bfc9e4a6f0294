/*
 * Which pixels of two pictures differ. Pure functions over the caller's buffers: nothing is kept, and any thread may call.
 * The twin in TypeScript is src/checks/visual/pixel.ts: whole numbers only, so that both answer the same.
 */
#include <string.h>

#include "../include/backstep.h"
#include "pixels.h"

/* Of red, green and blue in brightness, in thousandths: BT.601, as in YIQ. */
#define RED 299
#define GREEN 587
#define BLUE 114

struct pictures {
    const uint8_t *a, *b;
    int32_t width, height;
};

/* The brightness of a tile and of the pixels around it, in each picture; made when a tile is first asked for. */
#define WIDE (TILE + 2)
struct planes {
    int32_t left, top; /* of the pixel at 0 */
    int made;
    int32_t a[WIDE * WIDE], b[WIDE * WIDE];
};

BACKSTEP_API uint32_t backstep_pixels_abi(void) { return BACKSTEP_PIXELS_ABI; }

static uint32_t pixel(const uint8_t *p, size_t i) {
    uint32_t v;
    memcpy(&v, p + 4 * i, 4);
    return v;
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t size_of(int32_t v) { return v < 0 ? -v : v; }

/* The largest difference of a channel, in 1/255 of a step, over black or over white, whichever tells them apart more. */
static int32_t distance(uint32_t p, uint32_t q) {
    int32_t pa = (int32_t)(p >> 24), qa = (int32_t)(q >> 24), most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int32_t black = (int32_t)(p >> shift & 255) * pa - (int32_t)(q >> shift & 255) * qa;
        most = larger(most, larger(size_of(black), size_of(black - 255 * (pa - qa))));
    }
    return most;
}

/* Over white, in 1/255,000. */
static int32_t brightness(uint32_t p) {
    int32_t alpha = (int32_t)(p >> 24), rest = 255 * (255 - alpha);
    return RED * ((int32_t)(p & 255) * alpha + rest) + GREEN * ((int32_t)(p >> 8 & 255) * alpha + rest) +
           BLUE * ((int32_t)(p >> 16 & 255) * alpha + rest);
}

static void make_plane(const struct pictures *in, const uint8_t *p, const struct planes *planes, int32_t *plane) {
    int32_t right = planes->left + WIDE < in->width ? planes->left + WIDE : in->width;
    int32_t bottom = planes->top + WIDE < in->height ? planes->top + WIDE : in->height;
    for (int32_t y = planes->top < 0 ? 0 : planes->top; y < bottom; y++)
        for (int32_t x = planes->left < 0 ? 0 : planes->left; x < right; x++)
            plane[(y - planes->top) * WIDE + x - planes->left] = brightness(pixel(p, (size_t)y * in->width + x));
}

/* Has it three neighbours or more of its own colour? Beyond the edge counts as one. */
static int has_many_siblings(const struct pictures *in, const uint8_t *p, int32_t x, int32_t y) {
    int32_t left = larger(x - 1, 0), top = larger(y - 1, 0);
    int32_t right = x + 1 < in->width ? x + 1 : x, bottom = y + 1 < in->height ? y + 1 : y;
    int same = x == left || x == right || y == top || y == bottom;
    uint32_t own = pixel(p, (size_t)y * in->width + x);
    for (int32_t v = top; v <= bottom; v++)
        for (int32_t u = left; u <= right; u++) {
            if (u == x && v == y) continue;
            same += pixel(p, (size_t)v * in->width + u) == own;
            if (same > 2) return 1;
        }
    return 0;
}

/* Vysniauskas 2009, as pixelmatch does it: between something darker and something brighter, one of which is a plain area. */
static int antialiased(const struct pictures *in, const int32_t *plane, int32_t px, int32_t py, int32_t x, int32_t y) {
    int32_t left = larger(x - 1, 0), top = larger(y - 1, 0);
    int32_t right = x + 1 < in->width ? x + 1 : x, bottom = y + 1 < in->height ? y + 1 : y;
    int equal = x == left || x == right || y == top || y == bottom;
    int32_t own = plane[(y - py) * WIDE + x - px], darkest = 0, brightest = 0;
    int32_t dark[2] = {0, 0}, bright[2] = {0, 0};
    for (int32_t u = left; u <= right; u++)
        for (int32_t v = top; v <= bottom; v++) {
            int32_t delta;
            if (u == x && v == y) continue;
            delta = own - plane[(v - py) * WIDE + u - px];
            if (delta == 0) {
                if (++equal > 2) return 0;
            } else if (delta < darkest) {
                darkest = delta;
                dark[0] = u;
                dark[1] = v;
            } else if (delta > brightest) {
                brightest = delta;
                bright[0] = u;
                bright[1] = v;
            }
        }
    if (darkest == 0 || brightest == 0) return 0;
    return (has_many_siblings(in, in->a, dark[0], dark[1]) && has_many_siblings(in, in->b, dark[0], dark[1])) ||
           (has_many_siblings(in, in->a, bright[0], bright[1]) && has_many_siblings(in, in->b, bright[0], bright[1]));
}

BACKSTEP_API int64_t backstep_pixels_compare(const uint8_t *a, uint64_t a_length, const uint8_t *b, uint64_t b_length, uint32_t width,
                                             uint32_t height, const uint8_t *tiles, uint32_t tile_count, uint8_t *marks,
                                             uint64_t room, uint32_t tolerance, uint64_t budget) {
    struct pictures in = {a, b, (int32_t)width, (int32_t)height};
    uint32_t columns = bs_across(width);
    struct planes planes;
    int64_t different = 0;
    if (!a || !b || !tiles || !marks || !bs_pictures_fit(a_length, b_length, width, height) || tolerance > 255) return BACKSTEP_E_INVALID;
    if (tile_count != columns * bs_across(height)) return BACKSTEP_E_INVALID;
    for (uint32_t tile = 0; tile < tile_count; tile++) {
        int32_t left = (int32_t)(tile % columns * TILE), top = (int32_t)(tile / columns * TILE);
        int32_t right = left + TILE < in.width ? left + TILE : in.width, bottom = top + TILE < in.height ? top + TILE : in.height;
        if (!tiles[tile]) continue;
        if (room < TILE * TILE) return BACKSTEP_E_SHORT;
        planes.left = left - 1;
        planes.top = top - 1;
        planes.made = 0;
        for (int32_t y = top; y < bottom; y++) {
            uint8_t *mark = marks + (size_t)(y - top) * TILE;
            for (int32_t x = left; x < right; x++, mark++) {
                size_t i = (size_t)y * width + (size_t)x;
                uint32_t p = pixel(a, i), q = pixel(b, i);
                if (p == q || *mark == BACKSTEP_MARK_IGNORED) continue;
                if (distance(p, q) <= (int32_t)tolerance * 255) continue;
                if (!planes.made) {
                    make_plane(&in, a, &planes, planes.a);
                    make_plane(&in, b, &planes, planes.b);
                    planes.made = 1;
                }
                if (antialiased(&in, planes.a, planes.left, planes.top, x, y) ||
                    antialiased(&in, planes.b, planes.left, planes.top, x, y))
                    *mark = BACKSTEP_MARK_ANTIALIASED;
                else {
                    *mark = BACKSTEP_MARK_DIFFERENT;
                    different++;
                }
            }
        }
        marks += TILE * TILE;
        room -= TILE * TILE;
        if ((uint64_t)different > budget) break;
    }
    return different;
}
