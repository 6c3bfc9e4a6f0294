#define _GNU_SOURCE
#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void bs_buf_free(bs_buf *b) {
    free(b->data);
    *b = (bs_buf){0};
}

void bs_buf_clear(bs_buf *b) {
    b->length = 0;
    b->failed = false;
}

uint8_t *bs_buf_reserve(bs_buf *b, size_t n) {
    if (b->failed) return NULL;
    if (n > b->capacity - b->length) {
        if (n > SIZE_MAX / 4 || b->length > SIZE_MAX / 4) {
            b->failed = true;
            return NULL;
        }
        size_t capacity = b->capacity ? b->capacity : 64;
        while (capacity < b->length + n) capacity *= 2;
        uint8_t *data = realloc(b->data, capacity);
        if (!data) {
            b->failed = true;
            return NULL;
        }
        b->data = data;
        b->capacity = capacity;
    } else if (!b->data) {
        // An empty reservation in an empty buffer still answers memory, so that NULL only ever means failure.
        b->data = malloc(64);
        if (!b->data) {
            b->failed = true;
            return NULL;
        }
        b->capacity = 64;
    }
    uint8_t *at = b->data + b->length;
    b->length += n;
    return at;
}

void bs_put(bs_buf *b, const void *bytes, size_t n) {
    uint8_t *at = bs_buf_reserve(b, n);
    if (at && n) memcpy(at, bytes, n);
}

// Little-endian whatever the machine: byte by byte, which compilers turn into one store.
static void put_le(bs_buf *b, uint64_t v, unsigned n) {
    uint8_t *at = bs_buf_reserve(b, n);
    if (!at) return;
    for (unsigned i = 0; i < n; i++) at[i] = (uint8_t)(v >> (8 * i));
}

void bs_put_u8(bs_buf *b, uint8_t v) { put_le(b, v, 1); }
void bs_put_u32(bs_buf *b, uint32_t v) { put_le(b, v, 4); }
void bs_put_i32(bs_buf *b, int32_t v) { put_le(b, (uint32_t)v, 4); }
void bs_put_u64(bs_buf *b, uint64_t v) { put_le(b, v, 8); }

void bs_put_f64(bs_buf *b, double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    put_le(b, bits, 8);
}

void bs_put_str(bs_buf *b, const char *text, size_t n) {
    if (n > UINT32_MAX) {
        b->failed = true;
        return;
    }
    bs_put_u32(b, (uint32_t)n);
    bs_put(b, text, n);
}

void bs_put_cstr(bs_buf *b, const char *text) { bs_put_str(b, text, strlen(text)); }

void bs_put_format(bs_buf *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = NULL;
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0) {
        b->failed = true;
        return;
    }
    bs_put_str(b, text, (size_t)n);
    free(text);
}

static const uint8_t *take(bs_reader *r, size_t n) {
    if (r->failed || n > r->length - r->at) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *at = r->data + r->at;
    r->at += n;
    return at;
}

static uint64_t get_le(bs_reader *r, unsigned n) {
    const uint8_t *at = take(r, n);
    uint64_t v = 0;
    for (unsigned i = 0; at && i < n; i++) v |= (uint64_t)at[i] << (8 * i);
    return v;
}

uint32_t bs_get_u32(bs_reader *r) { return (uint32_t)get_le(r, 4); }
int32_t bs_get_i32(bs_reader *r) { return (int32_t)(uint32_t)get_le(r, 4); }
uint64_t bs_get_u64(bs_reader *r) { return get_le(r, 8); }

double bs_get_f64(bs_reader *r) {
    uint64_t bits = get_le(r, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

bs_str bs_get_bytes(bs_reader *r) {
    uint32_t n = bs_get_u32(r);
    const uint8_t *at = take(r, n);
    return at ? (bs_str){(const char *)at, n} : (bs_str){"", 0};
}

bs_str bs_get_str(bs_reader *r) {
    bs_str s = bs_get_bytes(r);
    if (memchr(s.text, 0, s.length) || !bs_utf8_valid(s.text, s.length)) {
        r->failed = true;
        return (bs_str){"", 0};
    }
    return s;
}

bool bs_utf8_valid(const char *text, size_t n) {
    const uint8_t *p = (const uint8_t *)text, *end = p + n;
    while (p < end) {
        if (*p < 0x80) {
            p++;
            continue;
        }
        unsigned more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : 1;
        if (*p < 0xc2 || *p > 0xf4 || (size_t)(end - p) <= more) return false;
        uint32_t code = *p & (0x3fu >> more);
        for (unsigned i = 1; i <= more; i++) {
            if ((p[i] & 0xc0) != 0x80) return false;
            code = code << 6 | (p[i] & 0x3fu);
        }
        // Overlong forms, surrogates and what lies beyond Unicode.
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (code < least[more] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return false;
        p += more + 1;
    }
    return true;
}

uint64_t bs_now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}
