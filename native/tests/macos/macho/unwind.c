/*
 * Exceptions through the library's own frames: Apple's compact tables of how each function's frame lies become the DWARF that Linux's unwinder
 * reads, and the personality of Objective-C is one that finds the landing pad in the function's own table. So guard.m runs as it was compiled.
 */
#define _GNU_SOURCE
#include "loader.h"
#include "../standin/objc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

void __register_frame(void *frames);
static _Thread_local struct _Unwind_Exception thrown = {.exception_class = 0x4241434b53544550};

static uint64_t number(const uint8_t **p) {
    uint64_t r = 0;
    int shift = 0;
    do r |= (uint64_t)(**p & 0x7f) << shift, shift += 7;
    while (*(*p)++ & 0x80);
    return r;
}
/* The landing pad of a call, in a table whose call sites are ULEB128 (what clang writes); 0: none. */
static uintptr_t landing(const uint8_t *p, uintptr_t function, uintptr_t at) {
    if (*p++ != 0xFF) abort(); /* landing pads are counted from elsewhere */
    if (*p++ != 0xFF) number(&p);
    if (*p++ != 0x01) abort();
    uint64_t size = number(&p);
    for (const uint8_t *end = p + size; p < end;) {
        uint64_t start = number(&p), length = number(&p), pad = number(&p), action = number(&p);
        if (at >= function + start && at < function + start + length) return pad && action ? function + pad : 0;
    }
    return 0;
}
static _Unwind_Reason_Code personality(int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *e, struct _Unwind_Context *c) {
    (void)version, (void)class;
    const uint8_t *table = _Unwind_GetLanguageSpecificData(c);
    uintptr_t pad = table ? landing(table, _Unwind_GetRegionStart(c), _Unwind_GetIP(c) - 1) : 0;
    if (!pad) return _URC_CONTINUE_UNWIND;
    if (actions & _UA_SEARCH_PHASE) return _URC_HANDLER_FOUND;
    _Unwind_SetGR(c, __builtin_eh_return_data_regno(0), (uintptr_t)e);
    _Unwind_SetGR(c, __builtin_eh_return_data_regno(1), 1);
    _Unwind_SetIP(c, pad);
    return _URC_INSTALL_CONTEXT;
}
static void raise_it(void) { _Unwind_RaiseException(&thrown); } /* returns where nobody catches it */
void *macho_begin_catch(void *e) { return e; }
void macho_end_catch(void) {}

/* One section of frames as it grows. */
static uint8_t *frames;
static size_t used, room;
static void put(const void *bytes, size_t n) {
    if (used + n > room) frames = realloc(frames, room = (used + n) * 2);
    memcpy(frames + used, bytes, n);
    used += n;
}
static void put_byte(unsigned b) { put(&(uint8_t){(uint8_t)b}, 1); }
static void put_word(uint64_t w) { put(&w, 8); }
static void finish(size_t from) {
    while ((used - from) % 8 != 4) put_byte(0); /* DW_CFA_nop */
    uint32_t length = (uint32_t)(used - from);
    memcpy(frames + from - 4, &length, 4);
}
static size_t begin(void) {
    put(&(uint32_t){0}, 4);
    return used;
}
static void header(void) {
    size_t from = begin();
    put(&(uint32_t){0}, 4);
    put_byte(1);
    put("zPLR", 5);
    put_byte(1), put_byte(0x78), put_byte(16); /* code 1, data -8, return address */
    put_byte(11);                              /* the augmentation: all of it absolute */
    put_byte(0), put_word((uint64_t)(uintptr_t)personality), put_byte(0), put_byte(0);
    put_byte(0x0C), put_byte(6), put_byte(16); /* the frame is at rbp + 16 */
    put_byte(0x80 | 6), put_byte(2), put_byte(0x80 | 16), put_byte(1);
    finish(from);
}
static void frame(uint64_t function, uint64_t size, uint32_t encoding, uint64_t table) {
    static const uint8_t REGISTERS[] = {0, 3, 12, 13, 14, 15, 0, 0}; /* rbx, r12 to r15, as DWARF numbers them */
    if ((encoding & 0x0F000000u) != 0x01000000u) return; /* no frame pointer: nothing is thrown through it, or the search ends there */
    size_t from = begin();
    put(&(uint32_t){(uint32_t)used}, 4); /* back to the header, which is the first */
    put_word(function), put_word(size);
    put_byte(8), put_word(table);
    unsigned offset = encoding >> 16 & 0xFF;
    for (unsigned i = 0, saved = encoding & 0x7FFF; saved; saved >>= 3, i++)
        if (saved & 7) put_byte(0x80u | REGISTERS[saved & 7]), put_byte(2 + offset - i);
    finish(from);
}

void macho_unwinding(macho *m) {
    size_t size;
    const uint8_t *info = macho_section(m, "__unwind_info", &size);
    const uint32_t *h = (const uint32_t *)(const void *)info;
    if (!info || h[0] != 1) {
        fprintf(stderr, "macho: no table of frames\n");
        abort();
    }
    header();
    const uint32_t *common = (const uint32_t *)(const void *)(info + h[1]), *index = (const uint32_t *)(const void *)(info + h[5]);
    uint8_t *image = macho_image(m);
    for (uint32_t i = 0; i + 1 < h[6]; i++) {
        const uint8_t *page = info + index[3 * i + 1];
        const uint32_t *lsda = (const uint32_t *)(const void *)(info + index[3 * i + 2]), *lsda_end = (const uint32_t *)(const void *)(info + index[3 * i + 5]);
        uint32_t kind = *(const uint32_t *)(const void *)page, next_page = index[3 * (i + 1)];
        uint16_t at, count, encodings_at = 0;
        memcpy(&at, page + 4, 2), memcpy(&count, page + 6, 2);
        if (kind == 3) memcpy(&encodings_at, page + 8, 2);
        const uint32_t *entries = (const uint32_t *)(const void *)(page + at), *own = (const uint32_t *)(const void *)(page + encodings_at);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t start = kind == 3 ? index[3 * i] + (entries[k] & 0xFFFFFF) : entries[2 * k];
            uint32_t end = k + 1 == count ? next_page : kind == 3 ? index[3 * i] + (entries[k + 1] & 0xFFFFFF) : entries[2 * (k + 1)];
            uint32_t which = entries[k] >> 24, encoding = kind == 3 ? which < h[2] ? common[which] : own[which - h[2]] : entries[2 * k + 1];
            uint64_t table = 0;
            for (const uint32_t *l = lsda; l < lsda_end; l += 2)
                if (l[0] == start) table = (uint64_t)(uintptr_t)(image + l[1]);
            frame((uint64_t)(uintptr_t)(image + start), end - start, encoding, table);
        }
    }
    put(&(uint32_t){0}, 4);
    __register_frame(frames);
    si_thrower = raise_it;
}
