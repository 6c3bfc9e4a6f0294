/*
 * The public functions, forwarded into the machine code of the Mach-O that BACKSTEP_MACHO names. BACKSTEP_STANDIN names the script of the
 * applications, where no test loads one (from Deno). Without a virtual clock: whoever waits there waits for real.
 */
#define _GNU_SOURCE
#include "../../../include/backstep.h"
#include "../standin/standin.h"
#include "loader.h"
#include <stdio.h>
#include <stdlib.h>

static macho *library;
static void *find(const char *name) {
    void *f = macho_symbol(library, name);
    if (f) return f;
    fprintf(stderr, "macho: the library has no %s\n", name);
    abort();
}
__attribute__((constructor)) static void load(void) {
    const char *file = getenv("BACKSTEP_MACHO"), *script = getenv("BACKSTEP_STANDIN");
    library = file ? macho_load(file, shim_resolve) : NULL;
    if (!library) {
        fprintf(stderr, "macho: BACKSTEP_MACHO names no library that can be loaded\n");
        abort();
    }
    macho_unwinding(library);
    macho_start(library);
    if (!script) return;
    si_reset();
    if (!si_load_file(script)) {
        fprintf(stderr, "macho: cannot read %s\n", script);
        abort();
    }
}
#define FORWARD(type, name, parameters, arguments)                                       \
    type name parameters {                                                               \
        static type(*to) parameters;                                                      \
        if (!to) to = (type(*) parameters)find("_" #name);                                 \
        return to arguments;                                                              \
    }
FORWARD(uint32_t, backstep_abi, (void), ())
FORWARD(int64_t, backstep_open, (void), ())
FORWARD(int32_t, backstep_close, (uint64_t s), (s))
FORWARD(int64_t, backstep_submit, (uint64_t s, uint32_t op, const uint8_t *q, uint32_t n, uint32_t ms), (s, op, q, n, ms))
FORWARD(int32_t, backstep_wait, (uint8_t * b, uint32_t n, uint32_t ms), (b, n, ms))
FORWARD(int64_t, backstep_take, (uint64_t s, uint64_t t, uint8_t *b, uint32_t n), (s, t, b, n))
FORWARD(int32_t, backstep_cancel, (uint64_t s, uint64_t t), (s, t))
FORWARD(int64_t, backstep_peek, (uint64_t s, const uint8_t *b, uint32_t n), (s, b, n))
FORWARD(int32_t, backstep_wake, (void), ())
FORWARD(uint32_t, backstep_pixels_abi, (void), ())
FORWARD(int32_t, backstep_png_header, (const uint8_t *f, uint32_t n, uint32_t *h, uint32_t w), (f, n, h, w))
FORWARD(int32_t, backstep_png_decode, (const uint8_t *f, uint32_t n, uint8_t *o, uint64_t r), (f, n, o, r))
FORWARD(int64_t, backstep_pixels_tiles, (const uint8_t *a, uint64_t an, const uint8_t *b, uint64_t bn, uint32_t w, uint32_t h, uint8_t *t, uint32_t r), (a, an, b, bn, w, h, t, r))
FORWARD(int64_t, backstep_pixels_compare, (const uint8_t *a, uint64_t an, const uint8_t *b, uint64_t bn, uint32_t w, uint32_t h, const uint8_t *t, uint32_t tn, uint8_t *m, uint64_t r, uint32_t tol, uint64_t budget), (a, an, b, bn, w, h, t, tn, m, r, tol, budget))
