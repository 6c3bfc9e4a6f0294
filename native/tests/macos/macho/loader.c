/*
 * Loads an x86-64 Mach-O library into a Linux process: both systems call functions alike. Segments are mapped, pointers moved (rebase), names
 * bound to what the shim resolves, constructors run; unwind.c has an exception find its way out of it.
 * Classic fixups only (LC_DYLD_INFO_ONLY).
 */
#define _GNU_SOURCE
#include "loader.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 0xfeedfacf, CPU_X86_64 = 0x01000007, LC_SEGMENT_64 = 0x19, LC_SYMTAB = 2, MOD_INIT = 9 };
#define LC_DYLD_INFO_ONLY 0x80000022u
typedef struct { uint32_t magic; int32_t cpu, sub; uint32_t type, commands, size, flags, reserved; } header;
typedef struct { uint32_t command, size; char name[16]; uint64_t address, bytes, offset, in_file; int32_t most, first; uint32_t sections, flags; } segment;
typedef struct { char name[16], segment[16]; uint64_t address, size; uint32_t offset, align, relocations, count, flags, r1, r2, r3; } section;
typedef struct { uint32_t command, size, rebase, rebase_size, bind, bind_size, weak, weak_size, lazy, lazy_size, exports, exports_size; } fixups;
typedef struct { uint32_t command, size, symbols, count, strings, strings_size; } symbols;
typedef struct { uint32_t name; uint8_t type, section; uint16_t description; uint64_t value; } symbol;
struct macho { uint8_t *base; uint64_t low; const uint8_t *file; const segment *segments[16]; unsigned n; const symbols *table; };

static uint8_t *moved(macho *m, uint64_t address) { return m->base + (address - m->low); }
static uint64_t unsigned_number(const uint8_t **p) {
    uint64_t r = 0;
    int shift = 0;
    do r |= (uint64_t)(**p & 0x7f) << shift, shift += 7;
    while (*(*p)++ & 0x80);
    return r;
}
static int64_t signed_number(const uint8_t **p) {
    int64_t r = 0;
    int shift = 0;
    uint8_t b;
    do b = *(*p)++, r |= (int64_t)(b & 0x7f) << shift, shift += 7;
    while (b & 0x80);
    return shift < 64 && (b & 0x40) ? r | -(1ll << shift) : r;
}
static void move_pointer(macho *m, uint8_t *at) { *(uint64_t *)(void *)at += (uint64_t)(uintptr_t)m->base - m->low; }
static void rebase(macho *m, const uint8_t *p, const uint8_t *end) {
    uint8_t *at = NULL;
    while (p < end) {
        uint8_t op = *p & 0xF0, low = *p & 0x0F;
        uint64_t n = 1, skip = 0;
        p++;
        switch (op) {
        case 0x00: return;
        case 0x10: continue;
        case 0x20: at = moved(m, m->segments[low]->address) + unsigned_number(&p); continue;
        case 0x30: at += unsigned_number(&p); continue;
        case 0x40: at += 8 * low; continue;
        case 0x50: n = low; break;
        case 0x60: n = unsigned_number(&p); break;
        case 0x70: skip = unsigned_number(&p); break;
        case 0x80: n = unsigned_number(&p), skip = unsigned_number(&p); break;
        }
        for (; n--; at += 8 + skip) move_pointer(m, at);
    }
}
static int bind(macho *m, const uint8_t *p, const uint8_t *end, bool lazy, macho_resolver resolve) {
    uint8_t *at = NULL;
    const char *name = "";
    int64_t addend = 0;
    int missing = 0;
    while (p < end) {
        uint8_t op = *p & 0xF0, low = *p & 0x0F;
        uint64_t n = 1, skip = 0;
        p++;
        switch (op) {
        case 0x00:
            if (!lazy) return missing;
            continue;
        case 0x10: case 0x30: case 0x50: continue;
        case 0x20: unsigned_number(&p); continue;
        case 0x40: name = (const char *)p, p += strlen(name) + 1; continue;
        case 0x60: addend = signed_number(&p); continue;
        case 0x70: at = moved(m, m->segments[low]->address) + unsigned_number(&p); continue;
        case 0x80: at += unsigned_number(&p); continue;
        case 0x90: break;
        case 0xA0: skip = unsigned_number(&p); break;
        case 0xB0: skip = 8ull * low; break;
        case 0xC0: n = unsigned_number(&p), skip = unsigned_number(&p); break;
        }
        void *found = resolve(name);
        if (!found) fprintf(stderr, "macho: nothing is called %s\n", name), missing++;
        for (; n--; at += 8 + skip) *(uint64_t *)(void *)at = (uint64_t)(uintptr_t)found + (uint64_t)addend;
    }
    return missing;
}

macho *macho_load(const char *file, macho_resolver resolve) {
    struct stat st;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st)) return fprintf(stderr, "macho: cannot open %s\n", file), NULL;
    const uint8_t *f = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    const header *h = (const header *)(const void *)f;
    if (f == MAP_FAILED || h->magic != MAGIC || h->cpu != CPU_X86_64) return fprintf(stderr, "macho: %s is no x86-64 Mach-O\n", file), NULL;
    macho *m = calloc(1, sizeof *m);
    m->file = f;
    m->low = UINT64_MAX;
    uint64_t high = 0;
    const fixups *fix = NULL;
    const uint8_t *c = f + sizeof *h;
    for (uint32_t i = 0; i < h->commands; i++, c += ((const uint32_t *)(const void *)c)[1]) {
        uint32_t command = *(const uint32_t *)(const void *)c;
        if (command == LC_SEGMENT_64) {
            const segment *s = m->segments[m->n++] = (const segment *)(const void *)c;
            if (s->address < m->low) m->low = s->address;
            if (s->address + s->bytes > high) high = s->address + s->bytes;
        } else if (command == LC_DYLD_INFO_ONLY) fix = (const fixups *)(const void *)c;
        else if (command == LC_SYMTAB) m->table = (const symbols *)(const void *)c;
    }
    if (!fix) return fprintf(stderr, "macho: chained fixups; link with -no_fixup_chains\n"), NULL;
    m->base = mmap(NULL, high - m->low, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (unsigned i = 0; i < m->n; i++) memcpy(moved(m, m->segments[i]->address), f + m->segments[i]->offset, m->segments[i]->in_file);
    rebase(m, f + fix->rebase, f + fix->rebase + fix->rebase_size);
    if (bind(m, f + fix->bind, f + fix->bind + fix->bind_size, false, resolve) + bind(m, f + fix->lazy, f + fix->lazy + fix->lazy_size, true, resolve)) return NULL;
    for (unsigned i = 0; i < m->n; i++) {
        const segment *s = m->segments[i];
        mprotect(moved(m, s->address), s->bytes, s->first & 4 ? PROT_READ | PROT_EXEC : PROT_READ | PROT_WRITE);
    }
    return m;
}
/* Constructors: once everything is bound, and whoever loads it is ready for their calls. */
void macho_start(macho *m) {
    for (unsigned i = 0; i < m->n; i++) {
        const section *s = (const section *)(const void *)(m->segments[i] + 1);
        for (uint32_t k = 0; k < m->segments[i]->sections; k++) {
            if ((s[k].flags & 0xFF) != MOD_INIT) continue;
            for (uint64_t n = 0; n < s[k].size / 8; n++) ((void (*)(void)) * (void **)(void *)(moved(m, s[k].address) + 8 * n))();
        }
    }
}
void *macho_symbol(macho *m, const char *name) {
    const symbol *s = (const symbol *)(const void *)(m->file + m->table->symbols);
    for (uint32_t i = 0; i < m->table->count; i++)
        if ((s[i].type & 0x0e) == 0x0e && !strcmp((const char *)m->file + m->table->strings + s[i].name, name)) return moved(m, s[i].value);
    return NULL;
}
const uint8_t *macho_section(macho *m, const char *name, size_t *size) {
    for (unsigned i = 0; i < m->n; i++) {
        const section *s = (const section *)(const void *)(m->segments[i] + 1);
        for (uint32_t k = 0; k < m->segments[i]->sections; k++)
            if (!strncmp(s[k].name, name, 16)) return *size = s[k].size, moved(m, s[k].address);
    }
    return NULL;
}
uint8_t *macho_image(macho *m) { return m->base; }
