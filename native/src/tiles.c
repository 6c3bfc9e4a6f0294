/* Which tiles of two pictures differ. Most of two pictures is the same, so that this is how fast memory is read. */
#include <string.h>

#include "../include/backstep.h"
#include "pixels.h"

/* One row of tiles; how many of them differ. */
static int64_t band(const uint8_t *a, const uint8_t *b, size_t line, size_t lines, uint8_t *tiles, uint32_t columns) {
    int64_t found = 0;
    memset(tiles, 0, columns);
    if (memcmp(a, b, lines * line) == 0) return 0;
    for (size_t y = 0; y < lines; y++, a += line, b += line) {
        if (memcmp(a, b, line) == 0) continue;
        for (uint32_t column = 0; column < columns; column++) {
            size_t left = 4 * (size_t)column * TILE, right = left + 4 * TILE < line ? left + 4 * TILE : line;
            if (!tiles[column] && memcmp(a + left, b + left, right - left) != 0) tiles[column] = 1;
        }
    }
    for (uint32_t column = 0; column < columns; column++) found += tiles[column];
    return found;
}

BACKSTEP_API int64_t backstep_pixels_tiles(const uint8_t *a, uint64_t a_length, const uint8_t *b, uint64_t b_length, uint32_t width,
                                           uint32_t height, uint8_t *tiles, uint32_t room) {
    size_t line = 4 * (size_t)width;
    uint32_t columns = bs_across(width), rows = bs_across(height);
    int64_t found = 0;
    if (!a || !b || !tiles || !bs_pictures_fit(a_length, b_length, width, height)) return BACKSTEP_E_INVALID;
    if (room < (uint64_t)columns * rows) return BACKSTEP_E_SHORT;
    for (uint32_t row = 0; row < rows; row++) {
        size_t from = (size_t)row * TILE, to = from + TILE < height ? from + TILE : height;
        found += band(a + from * line, b + from * line, line, to - from, tiles + (size_t)row * columns, columns);
    }
    return found;
}
