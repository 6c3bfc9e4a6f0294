/*
 * From an output's own pixels to logical ones: an output may be turned, mirrored, and of a scale that is no whole number. A logical pixel is
 * the mean of what lies under it.
 */
#include "wl.h"

/* Where a logical place lies on the output as it was made, by the protocol's eight ways of turning it; both in parts of the whole. */
static void turn(uint32_t transform, double u, double v, double *x, double *y) {
    if (transform & 4) u = 1 - u; /* mirrored first */
    switch (transform & 3) {
    case 0: *x = u, *y = v; break;
    case 1: *x = v, *y = 1 - u; break;
    case 2: *x = 1 - u, *y = 1 - v; break;
    default: *x = 1 - v, *y = u; break;
    }
}

static void order(double *a, double *b) {
    double low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low, *b = high;
}

/* What of the run from `low` to `high` the pixel `i` covers. */
static double share(double low, double high, uint32_t i) {
    double from = low > i ? low : i, to = high < i + 1.0 ? high : i + 1.0;
    return to > from ? to - from : 0;
}

static void mean(uint8_t *to, const bs_wl_pixels *p, double left, double top, double right, double bottom) {
    double sum[3] = {0}, all = 0;
    for (uint32_t y = (uint32_t)top; y < p->height && y < bottom; y++) {
        double tall = share(top, bottom, y);
        const uint8_t *row = p->bytes + (size_t)(p->inverted ? p->height - 1 - y : y) * p->stride;
        for (uint32_t x = (uint32_t)left; x < p->width && x < right; x++) {
            double part = tall * share(left, right, x);
            for (unsigned c = 0; c < 3; c++) sum[c] += part * row[4 * x + c];
            all += part;
        }
    }
    for (unsigned c = 0; c < 3; c++) to[p->blue_first ? 2 - c : c] = all > 0 ? (uint8_t)(sum[c] / all + 0.5) : 0;
    to[3] = 255;
}

static void copy_row(uint8_t *to, const uint8_t *from, size_t n, bool blue_first) {
    if (blue_first) {
        bs_rgba_of_bgrx(to, from, n);
        return;
    }
    for (size_t i = 0; i < n; i++, to += 4, from += 4) to[0] = from[0], to[1] = from[1], to[2] = from[2], to[3] = 255;
}

void bs_wl_paint(uint8_t *to, bs_wl_area a, const bs_wl_pixels *p) {
    const bs_wl_area *c = &p->covers;
    int64_t left = a.x > c->x ? a.x : c->x, top = a.y > c->y ? a.y : c->y;
    int64_t right = a.x + a.w < c->x + c->w ? a.x + a.w : c->x + c->w, bottom = a.y + a.h < c->y + c->h ? a.y + a.h : c->y + c->h;
    if (left >= right) return;
    bool same = !p->transform && p->width == c->w && p->height == c->h;
    for (int64_t y = top; y < bottom; y++) {
        uint8_t *at = to + (size_t)((y - a.y) * a.w + left - a.x) * 4;
        if (same) {
            size_t row = (size_t)(p->inverted ? c->h - 1 - (y - c->y) : y - c->y);
            copy_row(at, p->bytes + row * p->stride + (size_t)(left - c->x) * 4, (size_t)(right - left), p->blue_first);
            continue;
        }
        for (int64_t x = left; x < right; x++, at += 4) {
            double x1, y1, x2, y2;
            turn(p->transform, (double)(x - c->x) / (double)c->w, (double)(y - c->y) / (double)c->h, &x1, &y1);
            turn(p->transform, (double)(x + 1 - c->x) / (double)c->w, (double)(y + 1 - c->y) / (double)c->h, &x2, &y2);
            order(&x1, &x2);
            order(&y1, &y2);
            mean(at, p, x1 * p->width, y1 * p->height, x2 * p->width, y2 * p->height);
        }
    }
}
