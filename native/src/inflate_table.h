/* Codes of DEFLATE as look-up tables: one look for what is short, two for what is long. */
#ifndef BS_INFLATE_TABLE_H
#define BS_INFLATE_TABLE_H

#include <stdint.h>

/*
 * An entry: bits 0-4 how many bits of the code to drop, 5-9 extra bits behind it (or the width of the second table), 10-11
 * the kind, 16-31 the literal, the base of a length or distance, or where the second table begins.
 */
enum { BS_LITERAL, BS_BASE, BS_SECOND, BS_OTHER };
/* The value of a BS_OTHER entry. */
enum { BS_END, BS_INVALID };

#define BS_ENTRY(drop, extra, kind, value) \
    ((uint32_t)(drop) | (uint32_t)(extra) << 5 | (uint32_t)(kind) << 10 | (uint32_t)(value) << 16)
#define BS_DROP(e) ((e) & 31u)
#define BS_EXTRA(e) ((e) >> 5 & 31u)
#define BS_KIND(e) ((e) >> 10 & 3u)
#define BS_VALUE(e) ((e) >> 16)

/* Bits of a first table, and entries of it and all its second ones: zlib's `enough 288 11 15`, `enough 32 8 15`. */
#define BS_LENGTH_BITS 11
#define BS_LENGTH_ROOM 2400
#define BS_DISTANCE_BITS 8
#define BS_DISTANCE_ROOM 420
#define BS_LONGEST_CODE 15

enum bs_alphabet { BS_LENGTHS, BS_DISTANCES, BS_CODE_LENGTHS };

/* 0, or -1 where the code lengths make no code. `bits`: of the first table. */
int bs_make_table(enum bs_alphabet alphabet, const uint8_t *lengths, unsigned symbols, unsigned bits, uint32_t *table,
                  unsigned room);

#endif
