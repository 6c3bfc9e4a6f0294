#define _GNU_SOURCE
#include "object.h"
#include "standin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long live[SI_TYPES];
static atomic_long shortage = -1;
static const char *const NAMES[SI_TYPES] = {
    "none", "string", "array", "dictionary", "number", "boolean", "null", "data", "url", "attributed string", "run loop", "source", "timer", "port", "element",
    "AXValue", "observer", "event", "event source", "image", "colour space", "context", "provider", "display mode", "class", "object"};

_Noreturn void si_wrong(const char *what, const void *value) {
    fprintf(stderr, "stand-in: %s of %p\n", what, value);
    abort();
}
si *si_check(CFTypeRef value, uint32_t type, const char *what) {
    si *s = (si *)(uintptr_t)value;
    if (!s) si_wrong(what, NULL);
    if (s->magic != SI_MAGIC) si_wrong(what, value);
    if (type && s->type != type) {
        fprintf(stderr, "stand-in: %s of a %s\n", what, NAMES[s->type]);
        abort();
    }
    return s;
}

static _Thread_local int exempt;
void si_exempt(int by) { exempt += by; }
bool si_short(void) {
    if (exempt) return false;
    long left = atomic_load(&shortage);
    while (left >= 0)
        if (atomic_compare_exchange_weak(&shortage, &left, left - 1)) return left == 0;
    return false;
}
bool si_used(void) { return atomic_load(&shortage) < 0; }
void si_fail_after(long creations) { atomic_store(&shortage, creations); }

void *si_new(uint32_t type, size_t size) {
    if (si_short()) return NULL;
    si *s = calloc(1, size);
    if (!s) abort();
    s->magic = SI_MAGIC;
    s->type = type;
    atomic_store(&s->refs, 1);
    atomic_fetch_add(&live[type], 1);
    return s;
}
CFTypeRef CFRetain(CFTypeRef value) {
    si *s = si_check(value, SI_NONE, "CFRetain");
    if (atomic_fetch_add(&s->refs, 1) < 1) si_wrong("CFRetain after the last release", value);
    return value;
}
void CFRelease(CFTypeRef value) {
    si *s = si_check(value, SI_NONE, "CFRelease");
    long before = atomic_fetch_sub(&s->refs, 1);
    if (before > 1) return;
    if (before < 1) si_wrong("one CFRelease too many", value);
    si_forget(s);
    atomic_fetch_sub(&live[s->type], 1);
    s->magic = 0xDEADDEADu;
    free(s);
}
CFIndex CFGetRetainCount(CFTypeRef value) { return atomic_load(&si_check(value, SI_NONE, "CFGetRetainCount")->refs); }
CFTypeID CFGetTypeID(CFTypeRef value) { return si_check(value, SI_NONE, "CFGetTypeID")->type; }

/* Run loops live as long as their threads: they are not what a session must give back. */
long si_live(void) {
    long sum = 0;
    for (unsigned t = 1; t < SI_TYPES; t++)
        if (t != SI_LOOP && t != SI_CLASS) sum += atomic_load(&live[t]);
    return sum;
}
void si_live_report(void) {
    for (unsigned t = 1; t < SI_TYPES; t++)
        if (atomic_load(&live[t])) fprintf(stderr, "stand-in: %ld live: %s\n", atomic_load(&live[t]), NAMES[t]);
}
/* One that lives as long as the process (a class's shared object): nobody has to give it back. */
void si_uncounted(si *object) {
    atomic_store(&object->refs, SI_FOREVER);
    atomic_fetch_sub(&live[object->type], 1);
}
