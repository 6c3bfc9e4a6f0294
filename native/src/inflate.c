#include "inflate.h"

#include <string.h>

#include "inflate_table.h"

/* Where a stream is read, and what of it is in the register: `held` bits, the next one lowest. */
struct stream {
    const uint8_t *at, *end;
    uint64_t bits;
    unsigned held;
    unsigned beyond; /* bytes of zeros that were put behind the end */
};

struct room {
    uint8_t *begin, *at, *end;
};

struct tables {
    uint32_t lengths[BS_LENGTH_ROOM];
    uint32_t distances[BS_DISTANCE_ROOM];
};

static uint64_t load64(const uint8_t *from) {
    uint64_t v;
    memcpy(&v, from, 8); /* little-endian, as everything here */
    return v;
}

/* At least 56 bits; behind the end come zeros, which are counted. */
static inline void refill(struct stream *s) {
    if (s->end - s->at >= 8) {
        s->bits |= load64(s->at) << s->held;
        s->at += (63 - s->held) >> 3;
        s->held |= 56;
        return;
    }
    while (s->held <= 56) {
        if (s->at < s->end) s->bits |= (uint64_t)*s->at++ << s->held;
        else s->beyond++;
        s->held += 8;
    }
}

static inline unsigned take(struct stream *s, unsigned n) {
    unsigned v = (unsigned)(s->bits & ((1ull << n) - 1));
    s->bits >>= n;
    s->held -= n;
    return v;
}

/* Were bits used that were not there? */
static int overran(const struct stream *s) { return s->beyond > s->held / 8; }

static inline uint32_t look(struct stream *s, const uint32_t *table, unsigned bits) {
    uint32_t e = table[s->bits & ((1u << bits) - 1)];
    if (BS_KIND(e) == BS_SECOND) {
        (void)take(s, bits);
        e = table[BS_VALUE(e) + (s->bits & ((1u << BS_EXTRA(e)) - 1))];
    }
    (void)take(s, BS_DROP(e));
    return e;
}

/* Eight bytes at a time, up to seven beyond the end: only where there is room behind. */
static inline void copy_wide(uint8_t *to, size_t distance, size_t length) {
    const uint8_t *from = to - distance;
    const uint8_t *end = to + length;
    if (distance >= 8) {
        do {
            memcpy(to, from, 8);
            to += 8;
            from += 8;
        } while (to < end);
    } else if (distance == 1) {
        memset(to, *from, length);
    } else {
        do {
            memcpy(to, &(uint64_t){load64(from)}, 8); /* the first `distance` of them are right */
            to += distance;
            from += distance;
        } while (to < end);
    }
}

/* The longest match, and what copying it may write beyond. */
#define FAR (258 + 16)

static enum bs_inflated block_of(struct stream *s, const struct tables *t, struct room *r) {
    for (;;) {
        uint32_t e;
        size_t length, distance;
        refill(s);
        e = look(s, t->lengths, BS_LENGTH_BITS);
        if (BS_KIND(e) == BS_LITERAL) {
            if (r->at == r->end) return BS_INFLATE_LONG;
            *r->at++ = (uint8_t)BS_VALUE(e);
            if (overran(s)) return BS_INFLATE_SHORT;
            /* Up to two more of 15 bits each are held yet, and a length of 20. */
            if (r->end - r->at < 2) continue;
            e = look(s, t->lengths, BS_LENGTH_BITS);
            if (BS_KIND(e) == BS_LITERAL) {
                *r->at++ = (uint8_t)BS_VALUE(e);
                e = look(s, t->lengths, BS_LENGTH_BITS);
                if (BS_KIND(e) == BS_LITERAL) {
                    *r->at++ = (uint8_t)BS_VALUE(e);
                    continue;
                }
            }
        }
        if (BS_KIND(e) == BS_OTHER) {
            if (overran(s)) return BS_INFLATE_SHORT;
            return BS_VALUE(e) == BS_END ? BS_INFLATED : BS_INFLATE_CORRUPT;
        }
        length = BS_VALUE(e) + take(s, BS_EXTRA(e));
        refill(s);
        e = look(s, t->distances, BS_DISTANCE_BITS);
        if (BS_KIND(e) != BS_BASE) return overran(s) ? BS_INFLATE_SHORT : BS_INFLATE_CORRUPT;
        distance = BS_VALUE(e) + take(s, BS_EXTRA(e));
        if (overran(s)) return BS_INFLATE_SHORT;
        if (distance > (size_t)(r->at - r->begin)) return BS_INFLATE_CORRUPT;
        if (length > (size_t)(r->end - r->at)) return BS_INFLATE_LONG;
        if (r->end - r->at >= FAR) copy_wide(r->at, distance, length);
        else
            for (size_t i = 0; i < length; i++) r->at[i] = r->at[(ptrdiff_t)i - (ptrdiff_t)distance];
        r->at += length;
    }
}

/* Bytes as they are: the register is given back to the stream first. */
static enum bs_inflated stored(struct stream *s, struct room *r) {
    size_t length;
    unsigned whole;
    (void)take(s, s->held & 7);
    whole = s->held / 8;
    if (s->beyond > whole) return BS_INFLATE_SHORT;
    s->at -= whole - s->beyond;
    s->bits = s->held = s->beyond = 0;
    if (s->end - s->at < 4) return BS_INFLATE_SHORT;
    length = (size_t)(s->at[0] | s->at[1] << 8);
    if ((length ^ 0xffff) != (size_t)(s->at[2] | s->at[3] << 8)) return BS_INFLATE_CORRUPT;
    s->at += 4;
    if (length > (size_t)(s->end - s->at)) return BS_INFLATE_SHORT;
    if (length > (size_t)(r->end - r->at)) return BS_INFLATE_LONG;
    memcpy(r->at, s->at, length);
    s->at += length;
    r->at += length;
    return BS_INFLATED;
}

static int fixed_tables(struct tables *t) {
    uint8_t lengths[288], distances[32];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    memset(distances, 5, sizeof distances);
    return bs_make_table(BS_LENGTHS, lengths, 288, BS_LENGTH_BITS, t->lengths, BS_LENGTH_ROOM) |
           bs_make_table(BS_DISTANCES, distances, 32, BS_DISTANCE_BITS, t->distances, BS_DISTANCE_ROOM);
}

/* The tables of a block, as it tells them: RFC 1951, 3.2.7. */
static enum bs_inflated dynamic_tables(struct stream *s, struct tables *t) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint32_t codes[128];
    uint8_t lengths[288 + 32] = {0}, told[19] = {0};
    unsigned literals, distances, count, done = 0;
    refill(s);
    literals = 257 + take(s, 5);
    distances = 1 + take(s, 5);
    count = 4 + take(s, 4);
    if (literals > 286 || distances > 30) return BS_INFLATE_CORRUPT;
    for (unsigned i = 0; i < count; i++) {
        refill(s);
        told[order[i]] = (uint8_t)take(s, 3);
    }
    if (bs_make_table(BS_CODE_LENGTHS, told, 19, 7, codes, 128)) return BS_INFLATE_CORRUPT;
    while (done < literals + distances) {
        uint32_t e;
        unsigned symbol, times, value = 0;
        refill(s);
        e = look(s, codes, 7);
        if (BS_KIND(e) != BS_LITERAL) return BS_INFLATE_CORRUPT;
        symbol = BS_VALUE(e);
        if (symbol < 16) {
            lengths[done++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16) {
            if (done == 0) return BS_INFLATE_CORRUPT;
            value = lengths[done - 1];
        }
        times = symbol == 16 ? 3 + take(s, 2) : symbol == 17 ? 3 + take(s, 3) : 11 + take(s, 7);
        if (times > literals + distances - done) return BS_INFLATE_CORRUPT;
        memset(lengths + done, (int)value, times);
        done += times;
    }
    if (overran(s)) return BS_INFLATE_SHORT;
    if (lengths[256] == 0) return BS_INFLATE_CORRUPT; /* it could never end */
    if (bs_make_table(BS_LENGTHS, lengths, literals, BS_LENGTH_BITS, t->lengths, BS_LENGTH_ROOM)) return BS_INFLATE_CORRUPT;
    if (bs_make_table(BS_DISTANCES, lengths + literals, distances, BS_DISTANCE_BITS, t->distances, BS_DISTANCE_ROOM))
        return BS_INFLATE_CORRUPT;
    return BS_INFLATED;
}

/* Sixteen running sums beside each other, which compilers make one instruction: 5552 bytes are what 32 bits hold. */
uint32_t bs_adler32(const uint8_t *bytes, size_t length) {
    uint32_t low = 1, high = 0;
    while (length > 0) {
        size_t n = length < 5552 ? length : 5552, wide = n / 16;
        uint32_t sum[16] = {0}, weighted[16] = {0};
        for (size_t i = 0; i < wide; i++)
            for (unsigned k = 0; k < 16; k++) {
                weighted[k] += sum[k];
                sum[k] += bytes[16 * i + k];
            }
        high = (uint32_t)((high + (uint64_t)low * (16 * wide)) % 65521);
        for (unsigned k = 0; k < 16; k++) {
            high = (uint32_t)((high + 16ull * weighted[k] + (uint64_t)(16 - k) * sum[k]) % 65521);
            low += sum[k];
        }
        for (size_t i = 16 * wide; i < n; i++) {
            low += bytes[i];
            high += low % 65521;
        }
        low %= 65521;
        high %= 65521;
        bytes += n;
        length -= n;
    }
    return high << 16 | low;
}

enum bs_inflated bs_inflate(const uint8_t *from, size_t length, uint8_t *to, size_t size) {
    struct stream s = {from, from + length, 0, 0, 0};
    struct room r = {to, to, to + size};
    struct tables tables;
    const uint8_t *sum;
    unsigned last;
    if (length < 6) return BS_INFLATE_SHORT;
    if ((from[0] & 15) != 8 || from[0] >> 4 > 7 || (from[0] << 8 | from[1]) % 31 || from[1] & 32) return BS_INFLATE_CORRUPT;
    s.at += 2;
    do {
        enum bs_inflated did;
        unsigned kind;
        refill(&s);
        last = take(&s, 1);
        kind = take(&s, 2);
        if (kind == 3) return BS_INFLATE_CORRUPT;
        if (kind == 0) did = stored(&s, &r);
        else {
            if (kind == 2) did = dynamic_tables(&s, &tables);
            else did = fixed_tables(&tables) ? BS_INFLATE_CORRUPT : BS_INFLATED;
            if (did == BS_INFLATED) did = block_of(&s, &tables, &r);
        }
        if (did != BS_INFLATED) return did;
        if (overran(&s)) return BS_INFLATE_SHORT;
    } while (!last);
    if (r.at != r.end) return BS_INFLATE_SHORT;
    (void)take(&s, s.held & 7);
    sum = s.at - (s.held / 8 - s.beyond);
    if (s.end - sum < 4) return BS_INFLATE_SHORT;
    if (bs_adler32(to, size) != ((uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3]))
        return BS_INFLATE_CORRUPT;
    return BS_INFLATED;
}
