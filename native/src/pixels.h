/* What both ways of looking at two pictures share. */
#ifndef BS_PIXELS_H
#define BS_PIXELS_H

#include <stdint.h>

#include "../include/backstep.h"

#define TILE BACKSTEP_TILE

/* Are both buffers as long as pictures of this size are, and is that a size that is taken? */
static inline int bs_pictures_fit(uint64_t a, uint64_t b, uint32_t width, uint32_t height) {
    uint64_t pixels = (uint64_t)width * height;
    return width && height && pixels <= BACKSTEP_PNG_PIXELS && a >= 4 * pixels && b >= 4 * pixels;
}

/* How many tiles lie beside each other. */
static inline uint32_t bs_across(uint32_t pixels) { return pixels / TILE + (pixels % TILE != 0); }

#endif
