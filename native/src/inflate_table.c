#include "inflate_table.h"

#include <string.h>

/* The symbols 257 to 285, and the distances: RFC 1951, 3.2.5. */
static const uint16_t length_base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_base[30] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
                                           193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const uint8_t distance_extra[30] = {0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

static uint32_t entry_of(enum bs_alphabet alphabet, unsigned symbol, unsigned drop) {
    if (alphabet == BS_CODE_LENGTHS) return BS_ENTRY(drop, 0, BS_LITERAL, symbol);
    if (alphabet == BS_DISTANCES) {
        if (symbol >= 30) return BS_ENTRY(drop, 0, BS_OTHER, BS_INVALID);
        return BS_ENTRY(drop, distance_extra[symbol], BS_BASE, distance_base[symbol]);
    }
    if (symbol < 256) return BS_ENTRY(drop, 0, BS_LITERAL, symbol);
    if (symbol == 256) return BS_ENTRY(drop, 0, BS_OTHER, BS_END);
    if (symbol >= 286) return BS_ENTRY(drop, 0, BS_OTHER, BS_INVALID);
    return BS_ENTRY(drop, length_extra[symbol - 257], BS_BASE, length_base[symbol - 257]);
}

static unsigned reversed(unsigned code, unsigned length) {
    unsigned back = 0;
    for (unsigned i = 0; i < length; i++) back |= (code >> i & 1u) << (length - 1 - i);
    return back;
}

int bs_make_table(enum bs_alphabet alphabet, const uint8_t *lengths, unsigned symbols, unsigned bits, uint32_t *table,
                  unsigned room) {
    unsigned count[BS_LONGEST_CODE + 1] = {0}, first[BS_LONGEST_CODE + 2] = {0};
    uint16_t sorted[288];
    unsigned used = 0, longest = 0, next = 1u << bits, code = 0, prefix = ~0u, second = 0, width = 0;
    long left = 1;

    if (symbols > 288 || next > room) return -1;
    for (unsigned s = 0; s < symbols; s++) {
        if (lengths[s] > BS_LONGEST_CODE) return -1;
        count[lengths[s]]++;
    }
    used = symbols - count[0];
    count[0] = 0;
    for (unsigned l = 1; l <= BS_LONGEST_CODE; l++) {
        left = 2 * left - (long)count[l];
        if (left < 0) return -1; /* more codes than there is room for */
        if (count[l]) longest = l;
        first[l + 1] = first[l] + count[l];
    }
    /* Room may be left by one code of one bit only, or by none at all, and not where lengths of codes are told. */
    if (left > 0 && (alphabet == BS_CODE_LENGTHS || used > 1 || longest > 1)) return -1;
    for (unsigned i = 0; i < next; i++) table[i] = BS_ENTRY(1, 0, BS_OTHER, BS_INVALID);
    for (unsigned s = 0; s < symbols; s++)
        if (lengths[s]) sorted[first[lengths[s]]++] = (uint16_t)s;

    for (unsigned i = 0, length = 1; i < used; i++, code++) {
        while (count[length] == 0) {
            length++;
            code <<= 1;
        }
        unsigned back = reversed(code, length);
        if (length <= bits) {
            uint32_t e = entry_of(alphabet, sorted[i], length);
            for (unsigned at = back; at < 1u << bits; at += 1u << length) table[at] = e;
        } else {
            if ((back & ((1u << bits) - 1)) != prefix) {
                long open;
                prefix = back & ((1u << bits) - 1);
                width = length - bits;
                open = 1l << width;
                while (width + bits < longest && (open -= (long)count[width + bits]) > 0) {
                    width++;
                    open <<= 1;
                }
                second = next;
                if (next + (1u << width) > room) return -1;
                next += 1u << width;
                for (unsigned at = second; at < next; at++) table[at] = BS_ENTRY(1, 0, BS_OTHER, BS_INVALID);
                table[prefix] = BS_ENTRY(bits, width, BS_SECOND, second);
            }
            uint32_t e = entry_of(alphabet, sorted[i], length - bits);
            for (unsigned at = back >> bits; at < 1u << width; at += 1u << (length - bits)) table[second + at] = e;
        }
        count[length]--;
    }
    return 0;
}
