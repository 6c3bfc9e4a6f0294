/* CFString and what holds one. Kept as UTF-16, as lengths and ranges count; a lone surrogate is allowed, as on a Mac. */
#define _GNU_SOURCE
#include "object.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CFIndex put(char *to, uint32_t c) { /* also of lone surrogates, for comparisons */
    if (c < 0x80) return to[0] = (char)c, 1;
    if (c < 0x800) return to[0] = (char)(0xC0 | c >> 6), to[1] = (char)(0x80 | (c & 0x3F)), 2;
    if (c < 0x10000) return to[0] = (char)(0xE0 | c >> 12), to[1] = (char)(0x80 | (c >> 6 & 0x3F)), to[2] = (char)(0x80 | (c & 0x3F)), 3;
    return to[0] = (char)(0xF0 | c >> 18), to[1] = (char)(0x80 | (c >> 12 & 0x3F)), to[2] = (char)(0x80 | (c >> 6 & 0x3F)), to[3] = (char)(0x80 | (c & 0x3F)), 4;
}
static bool is_high(UniChar u) { return u >= 0xD800 && u < 0xDC00; }
static bool is_low(UniChar u) { return u >= 0xDC00 && u < 0xE000; }
/* The character at a unit and how many units it takes; lone: a surrogate without its other half. */
static uint32_t at(const UniChar *u, CFIndex i, CFIndex n, CFIndex *took, bool *lone) {
    *took = 1;
    *lone = false;
    if (is_high(u[i]) && i + 1 < n && is_low(u[i + 1])) return *took = 2, 0x10000u + ((uint32_t)(u[i] - 0xD800) << 10) + (uint32_t)(u[i + 1] - 0xDC00);
    *lone = is_high(u[i]) || is_low(u[i]);
    return u[i];
}

CFStringRef CFStringCreateWithCharacters(CFAllocatorRef a, const UniChar *units, CFIndex n) {
    (void)a;
    si_string *s = si_new(SI_STRING, sizeof *s);
    if (!s) return NULL;
    s->n = n;
    s->u = malloc((size_t)n * 2 + 2);
    if (n) memcpy(s->u, units, (size_t)n * 2);
    s->utf8 = malloc((size_t)n * 3 + 1);
    for (CFIndex i = 0, took; i < n; i += took) {
        bool lone;
        s->bytes += put(s->utf8 + s->bytes, at(units, i, n, &took, &lone));
    }
    s->utf8[s->bytes] = 0;
    return (CFStringRef)s;
}
/* -1: not of the encoding. Units go to `u`, which has room for one a byte. */
static CFIndex decode(const UInt8 *b, CFIndex n, UniChar *u) {
    CFIndex out = 0;
    for (CFIndex i = 0; i < n;) {
        uint32_t c = b[i];
        int more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : -1;
        if (more < 0 || i + more >= n + (more == 0)) return -1;
        if (more) c &= 0x3Fu >> more;
        for (int k = 1; k <= more; k++) {
            if ((b[i + k] & 0xC0) != 0x80) return -1;
            c = c << 6 | (b[i + k] & 0x3F);
        }
        if ((more == 2 && c < 0x800) || (more == 3 && c < 0x10000) || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) return -1;
        if (c >= 0x10000) u[out++] = (UniChar)(0xD800 + ((c - 0x10000) >> 10)), u[out++] = (UniChar)(0xDC00 + ((c - 0x10000) & 0x3FF));
        else u[out++] = (UniChar)c;
        i += more + 1;
    }
    return out;
}
CFStringRef CFStringCreateWithBytes(CFAllocatorRef a, const UInt8 *b, CFIndex n, CFStringEncoding e, Boolean external) {
    (void)external;
    if (n < 0) si_wrong("CFStringCreateWithBytes with a negative length", b);
    UniChar *u = malloc((size_t)n * 2 + 2);
    CFIndex units = 0;
    if (e == kCFStringEncodingUTF16LE || e == kCFStringEncodingUTF16) memcpy(u, b, (size_t)n), units = n / 2;
    else if (e == kCFStringEncodingUTF8 || e == kCFStringEncodingASCII) units = decode(b, n, u);
    else si_wrong("CFStringCreateWithBytes in an encoding that nobody needs", b);
    CFStringRef s = units < 0 ? NULL : CFStringCreateWithCharacters(a, u, units);
    free(u);
    return s;
}
CFStringRef CFStringCreateWithCString(CFAllocatorRef a, const char *text, CFStringEncoding e) { return CFStringCreateWithBytes(a, (const UInt8 *)text, (CFIndex)strlen(text), e, 0); }
CFStringRef CFStringCreateWithSubstring(CFAllocatorRef a, CFStringRef p, CFRange r) {
    si_string *s = (si_string *)si_check(p, SI_STRING, "CFStringCreateWithSubstring");
    if (r.location < 0 || r.length < 0 || r.location + r.length > s->n) si_wrong("a range beyond the string", p);
    return CFStringCreateWithCharacters(a, s->u + r.location, r.length);
}
CFStringRef si_str(const char *utf8) { return CFStringCreateWithCString(NULL, utf8, kCFStringEncodingUTF8); }
const char *si_utf8(CFTypeRef p) { return ((si_string *)si_check(p, SI_STRING, "a string"))->utf8; }
CFIndex CFStringGetLength(CFStringRef p) { return ((si_string *)si_check(p, SI_STRING, "CFStringGetLength"))->n; }
UniChar CFStringGetCharacterAtIndex(CFStringRef p, CFIndex i) {
    si_string *s = (si_string *)si_check(p, SI_STRING, "CFStringGetCharacterAtIndex");
    if (i < 0 || i >= s->n) si_wrong("an index beyond the string", p);
    return s->u[i];
}
void CFStringGetCharacters(CFStringRef p, CFRange r, UniChar *to) {
    si_string *s = (si_string *)si_check(p, SI_STRING, "CFStringGetCharacters");
    if (r.location < 0 || r.length < 0 || r.location + r.length > s->n) si_wrong("a range beyond the string", p);
    memcpy(to, s->u + r.location, (size_t)r.length * 2);
}
CFIndex CFStringGetBytes(CFStringRef p, CFRange r, CFStringEncoding e, UInt8 loss, Boolean external, UInt8 *to, CFIndex room, CFIndex *used) {
    (void)external;
    si_string *s = (si_string *)si_check(p, SI_STRING, "CFStringGetBytes");
    if (r.location < 0 || r.length < 0 || r.location + r.length > s->n) si_wrong("a range beyond the string", p);
    if (e != kCFStringEncodingUTF8) si_wrong("CFStringGetBytes in an encoding that nobody needs", p);
    CFIndex out = 0, end = r.location + r.length, i = r.location, took;
    for (; i < end; i += took) {
        bool lone;
        char bytes[4];
        uint32_t c = at(s->u, i, end, &took, &lone);
        if (lone && !loss) break;
        CFIndex n = lone ? (bytes[0] = (char)loss, 1) : put(bytes, c);
        if (to && out + n > room) break;
        if (to) memcpy(to + out, bytes, (size_t)n);
        out += n;
    }
    if (used) *used = out;
    return i - r.location;
}
Boolean CFStringGetCString(CFStringRef p, char *to, CFIndex room, CFStringEncoding e) {
    CFIndex used, n = CFStringGetLength(p);
    if (room < 1) return 0;
    if (CFStringGetBytes(p, CFRangeMake(0, n), e, 0, 0, (UInt8 *)to, room - 1, &used) < n) return 0;
    to[used] = 0;
    return 1;
}
/* As for most strings of a Mac: there is no such pointer. */
const char *CFStringGetCStringPtr(CFStringRef p, CFStringEncoding e) {
    (void)e;
    si_check(p, SI_STRING, "CFStringGetCStringPtr");
    return NULL;
}
CFIndex CFStringGetMaximumSizeForEncoding(CFIndex units, CFStringEncoding e) { return e == kCFStringEncodingASCII ? units : units * 3; }
CFComparisonResult CFStringCompare(CFStringRef a, CFStringRef b, CFOptionFlags options) {
    (void)options;
    int c = strcmp(si_utf8(a), si_utf8(b));
    return c < 0 ? kCFCompareLessThan : c > 0 ? kCFCompareGreaterThan : kCFCompareEqualTo;
}
Boolean CFStringHasPrefix(CFStringRef p, CFStringRef prefix) { return !strncmp(si_utf8(p), si_utf8(prefix), strlen(si_utf8(prefix))); }

static CFTypeRef wrap(uint32_t type, CFTypeRef string) {
    if (!string) return NULL;
    si_wrapper *w = si_new(type, sizeof *w);
    if (!w) return CFRelease(string), NULL;
    w->of = string;
    w->more = NULL;
    return (CFTypeRef)w;
}
CFURLRef CFURLCreateWithBytes(CFAllocatorRef a, const UInt8 *b, CFIndex n, CFStringEncoding e, CFURLRef base) { return (void)base, wrap(SI_URL, CFStringCreateWithBytes(a, b, n, e, 0)); }
CFURLRef CFURLCreateFromFileSystemRepresentation(CFAllocatorRef a, const UInt8 *path, CFIndex n, Boolean folder) {
    char text[4200];
    snprintf(text, sizeof text, "file://%.*s%s", (int)n, (const char *)path, folder && n && path[n - 1] != '/' ? "/" : "");
    return wrap(SI_URL, CFStringCreateWithCString(a, text, kCFStringEncodingUTF8));
}
CFStringRef CFURLGetString(CFURLRef p) { return ((si_wrapper *)si_check(p, SI_URL, "CFURLGetString"))->of; }
Boolean CFURLGetFileSystemRepresentation(CFURLRef p, Boolean resolve, UInt8 *to, CFIndex room) {
    (void)resolve;
    const char *text = si_utf8(CFURLGetString(p));
    if (strncmp(text, "file://", 7) || (CFIndex)strlen(text) - 7 >= room) return 0;
    strcpy((char *)to, text + 7);
    size_t n = strlen((char *)to);
    if (n > 1 && to[n - 1] == '/') to[n - 1] = 0;
    return 1;
}
CFStringRef CFAttributedStringGetString(CFAttributedStringRef p) { return ((si_wrapper *)si_check(p, SI_ATTRIBUTED, "CFAttributedStringGetString"))->of; }
CFIndex CFAttributedStringGetLength(CFAttributedStringRef p) { return CFStringGetLength(CFAttributedStringGetString(p)); }
CFDictionaryRef CFAttributedStringGetAttributes(CFAttributedStringRef p, CFIndex index, CFRange *effective) {
    CFIndex n = CFAttributedStringGetLength(p);
    if (index < 0 || index >= n) si_wrong("an index beyond an attributed string", p);
    if (effective) *effective = (CFRange){0, n};
    return ((si_wrapper *)si_check(p, SI_ATTRIBUTED, "CFAttributedStringGetAttributes"))->more;
}
CFTypeRef si_attributed(const char *utf8);
CFTypeRef si_attributed(const char *utf8) { return wrap(SI_ATTRIBUTED, si_str(utf8)); }
/* Takes both over. */
CFTypeRef si_attributed_with(CFStringRef string, CFDictionaryRef attributes);
CFTypeRef si_attributed_with(CFStringRef string, CFDictionaryRef attributes) {
    CFTypeRef p = wrap(SI_ATTRIBUTED, string);
    if (p) ((si_wrapper *)(uintptr_t)p)->more = attributes;
    else if (attributes) CFRelease(attributes);
    return p;
}
CFTypeRef si_url(const char *utf8);
CFTypeRef si_url(const char *utf8) { return wrap(SI_URL, si_str(utf8)); }
