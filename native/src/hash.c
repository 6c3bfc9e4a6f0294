/*
 * Hashes of subtrees, for who compares trees and does not want to carry them: the same in every process and on every
 * machine. Of a node: role, the states that last, name, description, what was read of text and value, and the hashes of
 * its children in order. No geometry, no address, and none of the states that come and go with focus, scrolling or the pointer.
 */
#include <stdlib.h>
#include <string.h>

#include "../include/backstep.h"
#include "tree.h"

/* ACTIVE, ARMED, BUSY, FOCUSED, HAS_TOOLTIP, OPAQUE, SHOWING, STALE, TRANSIENT; TRUNCATED, ANIMATED. */
#define PASSING_LOW (1u << 1 | 1u << 2 | 1u << 3 | 1u << 12 | 1u << 13 | 1u << 18 | 1u << 25 | 1u << 27 | 1u << 28)
#define PASSING_HIGH (1u << (34 - 32) | 1u << (35 - 32))

uint64_t bs_hash_mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return (h ^ h >> 32) * 0xd6e8feb86659fd93u;
}

uint64_t bs_hash_text(bs_str text) {
    uint64_t h = 0x2545f4914f6cdd1du + text.length;
    for (uint32_t i = 0; i < text.length;) {
        // By bytes and shifts: the same whatever the machine's order.
        uint64_t word = 0;
        for (unsigned k = 0; k < 8 && i < text.length; k++, i++) word |= (uint64_t)(uint8_t)text.text[i] << (8 * k);
        h = bs_hash_mix(h, word);
    }
    return h;
}

static uint64_t own(const bs_tree *t, const bs_node *n, uint32_t fields) {
    uint64_t h = bs_hash_mix(0x6261636b73746570u, n->role);
    h = bs_hash_mix(h, (uint64_t)(n->states[1] & ~PASSING_HIGH) << 32 | (n->states[0] & ~PASSING_LOW));
    h = bs_hash_mix(h, bs_hash_text(bs_string(&t->strings, n->name)));
    h = bs_hash_mix(h, bs_hash_text(bs_string(&t->strings, n->description)));
    if (fields & BACKSTEP_F_TEXT) h = bs_hash_mix(h, n->text == BS_NONE ? 1 : bs_hash_text(bs_string(&t->strings, n->text)));
    if (fields & BACKSTEP_F_VALUE) {
        uint64_t bits;
        double current = n->value[0] == 0 ? 0 : n->value[0]; // -0 is 0
        memcpy(&bits, &current, sizeof bits);
        h = bs_hash_mix(h, current != current ? 1 : bits);
    }
    return h;
}

void bs_hash_row(const bs_tree *t, uint32_t fields, uint32_t i, const uint32_t *order, const uint32_t *row, uint64_t *hashes) {
    const bs_node *n = &t->nodes[order[i]];
    hashes[i] = bs_hash_mix(own(t, n, fields), hashes[i]);
    if (i && n->parent >= 0) hashes[row[n->parent]] = bs_hash_mix(hashes[row[n->parent]] + 1, hashes[i]);
}
