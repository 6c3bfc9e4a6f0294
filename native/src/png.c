/* PNG (ISO/IEC 15948) to RGBA, eight bits a channel, in the caller's buffer and in no other of its size. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../include/backstep.h"
#include "inflate.h"

/* What a header says. */
struct picture {
    uint32_t width, height;
    unsigned depth, colour, channels;
    size_t row;  /* bytes of a filtered row without its filter */
    size_t step; /* bytes between a sample and the same one of the pixel before, at least 1 */
};

/* What comes before the pixels. */
struct palette {
    uint32_t colours[256]; /* RGBA as bytes */
    unsigned count;
    int has_key;
    uint16_t key[3];
};

struct chunk {
    const uint8_t *type, *data;
    uint32_t length;
};

static uint32_t crc_table[8][256];
static pthread_once_t crc_made = PTHREAD_ONCE_INIT;

static void make_crc(void) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        crc_table[0][n] = c;
    }
    for (uint32_t n = 0; n < 256; n++)
        for (int k = 1; k < 8; k++) crc_table[k][n] = crc_table[0][crc_table[k - 1][n] & 255] ^ crc_table[k - 1][n] >> 8;
}

/* Eight bytes at a time. */
static uint32_t crc_of(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t a, b;
        memcpy(&a, p, 4);
        memcpy(&b, p + 4, 4);
        a ^= c;
        c = crc_table[7][a & 255] ^ crc_table[6][a >> 8 & 255] ^ crc_table[5][a >> 16 & 255] ^ crc_table[4][a >> 24] ^
            crc_table[3][b & 255] ^ crc_table[2][b >> 8 & 255] ^ crc_table[1][b >> 16 & 255] ^ crc_table[0][b >> 24];
    }
    while (n--) c = crc_table[0][(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t be32(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

/* The chunk at `*at`, whole and with a checksum that fits; `*at` goes behind it. */
static int next_chunk(const uint8_t *file, size_t length, size_t *at, struct chunk *c) {
    if (length - *at < 12) return BACKSTEP_PNG_TRUNCATED;
    c->length = be32(file + *at);
    if (c->length > 0x7fffffffu) return BACKSTEP_PNG_CORRUPT;
    if (c->length > length - *at - 12) return BACKSTEP_PNG_TRUNCATED;
    c->type = file + *at + 4;
    c->data = c->type + 4;
    if (crc_of(c->type, c->length + 4) != be32(c->data + c->length)) return BACKSTEP_PNG_CORRUPT;
    *at += 12 + (size_t)c->length;
    return 0;
}

static int is(const struct chunk *c, const char *type) { return memcmp(c->type, type, 4) == 0; }

static int header_of(const uint8_t *file, size_t length, size_t *at, struct picture *p) {
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t channels[7] = {1, 0, 3, 1, 2, 0, 4};
    struct chunk c;
    int rc;
    if (length < 8) return memcmp(file, signature, length) == 0 ? BACKSTEP_PNG_TRUNCATED : BACKSTEP_PNG_NONE;
    if (memcmp(file, signature, 8) != 0) return BACKSTEP_PNG_NONE;
    *at = 8;
    pthread_once(&crc_made, make_crc);
    if ((rc = next_chunk(file, length, at, &c)) != 0) return rc;
    if (!is(&c, "IHDR") || c.length != 13) return BACKSTEP_PNG_CORRUPT;
    p->width = be32(c.data);
    p->height = be32(c.data + 4);
    p->depth = c.data[8];
    p->colour = c.data[9];
    if (p->width == 0 || p->height == 0 || c.data[10] != 0 || c.data[11] != 0 || c.data[12] > 1) return BACKSTEP_PNG_CORRUPT;
    if (p->colour > 6 || channels[p->colour] == 0) return BACKSTEP_PNG_CORRUPT;
    if (p->depth != 8 && p->depth != 16 && !((p->depth == 1 || p->depth == 2 || p->depth == 4) && (p->colour == 0 || p->colour == 3)))
        return BACKSTEP_PNG_CORRUPT;
    if (p->depth == 16 && p->colour == 3) return BACKSTEP_PNG_CORRUPT;
    if (p->width > BACKSTEP_PNG_SIDE || p->height > BACKSTEP_PNG_SIDE || (uint64_t)p->width * p->height > BACKSTEP_PNG_PIXELS)
        return BACKSTEP_PNG_LIMIT;
    if (p->depth == 16 || c.data[12] == 1) return BACKSTEP_PNG_UNSUPPORTED;
    p->channels = channels[p->colour];
    p->row = ((size_t)p->width * p->channels * p->depth + 7) / 8;
    p->step = p->depth < 8 ? 1 : p->channels;
    return 0;
}

BACKSTEP_API int32_t backstep_png_header(const uint8_t *file, uint32_t length, uint32_t *header, uint32_t words) {
    struct picture p = {0};
    size_t at = 0;
    int rc;
    if (!file || !header || words < 2) return BACKSTEP_E_INVALID;
    rc = header_of(file, length, &at, &p);
    header[0] = p.width;
    header[1] = p.height;
    return rc;
}

/* The four filters, in place: `row` has `n` bytes, `up` those of the row above. */
static void unfilter_sub(uint8_t *row, size_t n, size_t step) {
    for (size_t i = step; i < n; i++) row[i] = (uint8_t)(row[i] + row[i - step]);
}

static void unfilter_up(uint8_t *restrict row, const uint8_t *restrict up, size_t n) {
    for (size_t i = 0; i < n; i++) row[i] = (uint8_t)(row[i] + up[i]);
}

static void unfilter_average(uint8_t *restrict row, const uint8_t *restrict up, size_t n, size_t step) {
    for (size_t i = 0; i < step && i < n; i++) row[i] = (uint8_t)(row[i] + (up[i] >> 1));
    for (size_t i = step; i < n; i++) row[i] = (uint8_t)(row[i] + ((row[i - step] + up[i]) >> 1));
}

static inline uint8_t paeth(int a, int b, int c) {
    int pa = b - c, pb = a - c, pc = pa + pb;
    pa = pa < 0 ? -pa : pa;
    pb = pb < 0 ? -pb : pb;
    pc = pc < 0 ? -pc : pc;
    if (pb < pa) {
        pa = pb;
        a = b;
    }
    return (uint8_t)(pc < pa ? c : a);
}

/* With a step that the compiler knows, the channels are kept in registers. */
static inline void paeth_rows(uint8_t *restrict row, const uint8_t *restrict up, size_t n, size_t step) {
    int a[4] = {0}, c[4] = {0};
    size_t i = 0;
    for (; i + step <= n; i += step)
        for (size_t k = 0; k < step; k++) {
            int b = up[i + k];
            a[k] = (uint8_t)(row[i + k] + paeth(a[k], b, c[k]));
            c[k] = b;
            row[i + k] = (uint8_t)a[k];
        }
}

static void unfilter_paeth(uint8_t *restrict row, const uint8_t *restrict up, size_t n, size_t step) {
    switch (step) {
    case 4: paeth_rows(row, up, n, 4); break;
    case 3: paeth_rows(row, up, n, 3); break;
    case 2: paeth_rows(row, up, n, 2); break;
    default: paeth_rows(row, up, n, 1); break;
    }
}

static int unfilter(unsigned filter, uint8_t *row, const uint8_t *up, size_t n, size_t step) {
    switch (filter) {
    case 0: return 0;
    case 1:
        if (step == 4) unfilter_sub(row, n, 4);
        else if (step == 3) unfilter_sub(row, n, 3);
        else unfilter_sub(row, n, step);
        return 0;
    case 2: unfilter_up(row, up, n); return 0;
    case 3:
        if (step == 4) unfilter_average(row, up, n, 4);
        else if (step == 3) unfilter_average(row, up, n, 3);
        else unfilter_average(row, up, n, step);
        return 0;
    case 4: unfilter_paeth(row, up, n, step); return 0;
    default: return -1;
    }
}

static void rgb_row(uint8_t *restrict to, const uint8_t *restrict from, uint32_t width) {
    uint32_t x = 0;
    /* The byte too many that is read is the next pixel's; the last pixel has none. */
    for (; x + 1 < width; x++) {
        uint32_t v;
        memcpy(&v, from + 3 * (size_t)x, 4);
        v |= 0xff000000u;
        memcpy(to + 4 * (size_t)x, &v, 4);
    }
    memcpy(to + 4 * (size_t)x, from + 3 * (size_t)x, 3);
    to[4 * (size_t)x + 3] = 255;
}

/* A row of samples to RGBA. */
static int expand(const struct picture *p, const struct palette *palette, uint8_t *to, const uint8_t *from) {
    if (p->colour == 2) {
        rgb_row(to, from, p->width);
        if (palette->has_key)
            for (uint32_t x = 0; x < p->width; x++, to += 4)
                if (to[0] == palette->key[0] && to[1] == palette->key[1] && to[2] == palette->key[2]) to[3] = 0;
        return 0;
    }
    for (uint32_t x = 0; x < p->width; x++, to += 4) {
        if (p->colour == 4) {
            to[0] = to[1] = to[2] = from[2 * (size_t)x];
            to[3] = from[2 * (size_t)x + 1];
            continue;
        }
        size_t bit = (size_t)x * p->depth;
        unsigned most = (1u << p->depth) - 1, v = from[bit / 8] >> (8 - p->depth - bit % 8) & most;
        if (p->colour == 3) {
            if (v >= palette->count) return -1;
            memcpy(to, &palette->colours[v], 4);
        } else {
            to[0] = to[1] = to[2] = (uint8_t)(v * 255 / most);
            to[3] = palette->has_key && v == palette->key[0] ? 0 : 255;
        }
    }
    return 0;
}

static int read_palette(const struct chunk *c, const struct picture *p, struct palette *to) {
    if (c->length == 0 || c->length % 3 || c->length > 768 || p->colour == 0 || p->colour == 4 || to->count) return -1;
    to->count = c->length / 3;
    if (p->colour == 3 && to->count > 1u << p->depth) return -1;
    for (unsigned i = 0; i < to->count; i++) {
        uint8_t rgba[4] = {c->data[3 * i], c->data[3 * i + 1], c->data[3 * i + 2], 255};
        memcpy(&to->colours[i], rgba, 4);
    }
    return 0;
}

static int read_transparency(const struct chunk *c, const struct picture *p, struct palette *to) {
    if (p->colour == 3) {
        if (c->length > to->count) return -1;
        for (unsigned i = 0; i < c->length; i++) memcpy((uint8_t *)&to->colours[i] + 3, c->data + i, 1);
        return 0;
    }
    if ((p->colour != 0 && p->colour != 2) || c->length != 2 * p->channels) return -1;
    for (unsigned i = 0; i < p->channels; i++) to->key[i] = (uint16_t)(c->data[2 * i] << 8 | c->data[2 * i + 1]);
    to->has_key = 1;
    return 0;
}

/* The chunks up to the end: the palette, and the IDAT ones as one stream, which is a copy where there are several. */
static int read_chunks(const uint8_t *file, size_t length, size_t at, const struct picture *p, struct palette *palette,
                       const uint8_t **stream, size_t *size, uint8_t **copy) {
    struct chunk c;
    size_t from = 0;
    unsigned parts = 0;
    int rc, ended = 0;
    *size = 0;
    for (size_t here = at; !ended;) {
        size_t begin = here;
        if ((rc = next_chunk(file, length, &here, &c)) != 0) return rc;
        if (is(&c, "IDAT")) {
            if (parts && begin != from) return BACKSTEP_PNG_CORRUPT; /* they stand together */
            if (parts++ == 0) *stream = c.data;
            from = here;
            *size += c.length;
        } else if (is(&c, "PLTE")) {
            if (parts || read_palette(&c, p, palette)) return BACKSTEP_PNG_CORRUPT;
        } else if (is(&c, "tRNS")) {
            if (parts || read_transparency(&c, p, palette)) return BACKSTEP_PNG_CORRUPT;
        } else if (is(&c, "IEND")) {
            ended = 1;
        } else if (!(c.type[0] & 32)) {
            return BACKSTEP_PNG_CORRUPT; /* one that matters, and that is not known */
        }
    }
    if (parts == 0 || (p->colour == 3 && palette->count == 0)) return BACKSTEP_PNG_CORRUPT;
    if (parts == 1) return 0;
    if (*size == 0) return BACKSTEP_PNG_TRUNCATED;
    if ((*copy = malloc(*size)) == NULL) return BACKSTEP_E_MEMORY;
    from = 0;
    for (size_t here = at; next_chunk(file, length, &here, &c) == 0 && !is(&c, "IEND");)
        if (is(&c, "IDAT")) {
            memcpy(*copy + from, c.data, c.length);
            from += c.length;
        }
    *stream = *copy;
    return 0;
}

/*
 * The filtered rows lie in the caller's buffer, at its end; each goes to its place before it, so that nothing is
 * overwritten that is still to be read: of four bytes a pixel in place, of fewer by way of two rows of our own.
 */
static int place_rows(const struct picture *p, const struct palette *palette, uint8_t *out, const uint8_t *raw) {
    size_t line = 4 * (size_t)p->width;
    uint8_t *rows = calloc(2, p->row + 4), *row = rows, *up = rows + p->row + 4;
    int rc = 0;
    if (!rows) return BACKSTEP_E_MEMORY;
    for (uint32_t y = 0; y < p->height && rc == 0; y++, raw += p->row + 1) {
        unsigned filter = raw[0];
        if (p->colour == 6) {
            uint8_t *to = out + y * line;
            memmove(to, raw + 1, line);
            rc = unfilter(filter, to, y ? to - line : rows, line, 4);
        } else {
            uint8_t *was = row;
            memcpy(row, raw + 1, p->row);
            rc = unfilter(filter, row, up, p->row, p->step);
            if (rc == 0) rc = expand(p, palette, out + y * line, row);
            row = up;
            up = was;
        }
    }
    free(rows);
    return rc ? BACKSTEP_PNG_CORRUPT : 0;
}

BACKSTEP_API int32_t backstep_png_decode(const uint8_t *file, uint32_t length, uint8_t *out, uint64_t room) {
    struct picture p = {0};
    struct palette palette = {0};
    const uint8_t *stream = NULL;
    uint8_t *copy = NULL, *raw;
    size_t at = 0, size = 0, whole, filtered;
    int rc;
    if (!file || !out) return BACKSTEP_E_INVALID;
    if ((rc = header_of(file, length, &at, &p)) != 0) return rc;
    whole = 4 * (size_t)p.width * p.height + p.height;
    if (room < whole) return BACKSTEP_E_SHORT;
    if ((rc = read_chunks(file, length, at, &p, &palette, &stream, &size, &copy)) == 0) {
        filtered = (p.row + 1) * p.height;
        raw = out + (whole - filtered);
        switch (bs_inflate(stream, size, raw, filtered)) {
        case BS_INFLATED: rc = place_rows(&p, &palette, out, raw); break;
        case BS_INFLATE_SHORT: rc = BACKSTEP_PNG_TRUNCATED; break;
        default: rc = BACKSTEP_PNG_CORRUPT; break;
        }
    }
    free(copy);
    return rc;
}
