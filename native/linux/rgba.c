/* Pixels from the server's order to ours. A file of its own, since it is built with the loops made wide (Makefile). */
#include <string.h>

#include "screen.h"

void bs_rgba_of_bgrx(uint8_t *restrict to, const uint8_t *restrict from, size_t pixels) {
    for (size_t i = 0; i < pixels; i++) {
        uint32_t v, o;
        memcpy(&v, from + 4 * i, 4);
        o = 0xff000000u | (v & 0xff00u) | ((v >> 16) & 0xffu) | ((v & 0xffu) << 16);
        memcpy(to + 4 * i, &o, 4);
    }
}
