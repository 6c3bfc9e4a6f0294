/* CoreFoundation's other values. */
#define _GNU_SOURCE
#include "object.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { si s; bool on; } si_boolean;
static si_boolean yes = {SI_STATIC(SI_BOOLEAN), true}, no = {SI_STATIC(SI_BOOLEAN), false};
static si null = SI_STATIC(SI_NULL);
const CFBooleanRef kCFBooleanTrue = (CFBooleanRef)&yes, kCFBooleanFalse = (CFBooleanRef)&no;
const CFNullRef kCFNull = (CFNullRef)&null;
const CFAllocatorRef kCFAllocatorDefault = NULL, kCFAllocatorNull = NULL;
/* The collections look at which of these they were given: only those of CF values are stood in for. */
const CFArrayCallBacks kCFTypeArrayCallBacks = {0, NULL, NULL, NULL, NULL};
const CFDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks = {0, NULL, NULL, NULL, NULL, NULL};
const CFDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks = {0, NULL, NULL, NULL, NULL};

#define TYPE(f, t) CFTypeID f(void) { return t; }
TYPE(CFStringGetTypeID, SI_STRING)
TYPE(CFArrayGetTypeID, SI_ARRAY)
TYPE(CFDictionaryGetTypeID, SI_DICTIONARY)
TYPE(CFNumberGetTypeID, SI_NUMBER)
TYPE(CFBooleanGetTypeID, SI_BOOLEAN)
TYPE(CFNullGetTypeID, SI_NULL)
TYPE(CFDataGetTypeID, SI_DATA)
TYPE(CFURLGetTypeID, SI_URL)
TYPE(CFAttributedStringGetTypeID, SI_ATTRIBUTED)
TYPE(AXUIElementGetTypeID, SI_ELEMENT)
TYPE(AXValueGetTypeID, SI_VALUE)
TYPE(AXObserverGetTypeID, SI_OBSERVER)

Boolean CFEqual(CFTypeRef a, CFTypeRef b) {
    si *x = si_check(a, SI_NONE, "CFEqual"), *y = si_check(b, SI_NONE, "CFEqual");
    if (x == y) return 1;
    if (x->type != y->type) return 0;
    if (x->type == SI_STRING) return !strcmp(si_utf8(a), si_utf8(b));
    if (x->type == SI_ELEMENT) return ((si_element *)x)->pid == ((si_element *)y)->pid && ((si_element *)x)->node == ((si_element *)y)->node;
    if (x->type == SI_NUMBER) return ((si_number *)x)->d == ((si_number *)y)->d;
    if (x->type == SI_URL || x->type == SI_ATTRIBUTED) return CFEqual(((si_wrapper *)x)->of, ((si_wrapper *)y)->of);
    if (x->type == SI_VALUE) return ((si_axvalue *)x)->kind == ((si_axvalue *)y)->kind && !memcmp(&((si_axvalue *)x)->u, &((si_axvalue *)y)->u, sizeof ((si_axvalue *)x)->u);
    if (x->type == SI_ARRAY) {
        si_array *p = (si_array *)x, *q = (si_array *)y;
        if (p->n != q->n) return 0;
        for (CFIndex i = 0; i < p->n; i++)
            if (!CFEqual(p->v[i], q->v[i])) return 0;
        return 1;
    }
    return 0;
}
CFHashCode CFHash(CFTypeRef a) {
    si *x = si_check(a, SI_NONE, "CFHash");
    if (x->type == SI_ELEMENT) return ((CFHashCode)((si_element *)x)->pid * 2654435761u ^ ((si_element *)x)->node) & 0xFFF; /* collisions happen */
    if (x->type == SI_NUMBER) return (CFHashCode)(long)((si_number *)x)->d;
    if (x->type == SI_STRING) {
        CFHashCode h = 5381;
        for (const char *c = si_utf8(a); *c; c++) h = h * 33 + (uint8_t)*c;
        return h;
    }
    return (CFHashCode)x;
}

CFMutableArrayRef CFArrayCreateMutable(CFAllocatorRef a, CFIndex capacity, const CFArrayCallBacks *c) {
    (void)a;
    if (c != &kCFTypeArrayCallBacks) si_wrong("an array whose callbacks are not kCFTypeArrayCallBacks", c);
    si_array *s = si_new(SI_ARRAY, sizeof *s);
    if (!s) return NULL;
    s->room = capacity > 4 ? capacity : 4;
    s->v = malloc((size_t)s->room * sizeof *s->v);
    return (CFMutableArrayRef)s;
}
void CFArrayAppendValue(CFMutableArrayRef p, const void *value) {
    si_array *s = (si_array *)si_check(p, SI_ARRAY, "CFArrayAppendValue");
    if (s->n == s->room) s->v = realloc(s->v, (size_t)(s->room *= 2) * sizeof *s->v);
    s->v[s->n++] = CFRetain(value);
}
CFArrayRef CFArrayCreate(CFAllocatorRef a, const void **values, CFIndex n, const CFArrayCallBacks *c) {
    CFMutableArrayRef s = CFArrayCreateMutable(a, n, c);
    for (CFIndex i = 0; s && i < n; i++) CFArrayAppendValue(s, values[i]);
    return s;
}
CFIndex CFArrayGetCount(CFArrayRef p) { return ((si_array *)si_check(p, SI_ARRAY, "CFArrayGetCount"))->n; }
const void *CFArrayGetValueAtIndex(CFArrayRef p, CFIndex i) {
    si_array *s = (si_array *)si_check(p, SI_ARRAY, "CFArrayGetValueAtIndex");
    if (i < 0 || i >= s->n) si_wrong("an index beyond the array", p);
    return s->v[i];
}
void CFArrayGetValues(CFArrayRef p, CFRange r, const void **to) {
    for (CFIndex i = 0; i < r.length; i++) to[i] = CFArrayGetValueAtIndex(p, r.location + i);
}

CFMutableDictionaryRef CFDictionaryCreateMutable(CFAllocatorRef a, CFIndex capacity, const CFDictionaryKeyCallBacks *k, const CFDictionaryValueCallBacks *v) {
    (void)a;
    if (k != &kCFTypeDictionaryKeyCallBacks || v != &kCFTypeDictionaryValueCallBacks) si_wrong("a dictionary with other callbacks than those of CF values", k);
    si_dictionary *s = si_new(SI_DICTIONARY, sizeof *s);
    if (!s) return NULL;
    s->room = capacity > 8 ? capacity : 8;
    s->k = malloc((size_t)s->room * sizeof *s->k);
    s->v = malloc((size_t)s->room * sizeof *s->v);
    return (CFMutableDictionaryRef)s;
}
static CFIndex found(si_dictionary *s, const void *key) {
    for (CFIndex i = 0; i < s->n; i++)
        if (CFEqual(s->k[i], key)) return i;
    return -1;
}
void CFDictionarySetValue(CFMutableDictionaryRef p, const void *key, const void *value) {
    si_dictionary *s = (si_dictionary *)si_check(p, SI_DICTIONARY, "CFDictionarySetValue");
    CFIndex i = found(s, key);
    CFRetain(value);
    if (i >= 0) {
        CFRelease(s->v[i]);
        s->v[i] = value;
        return;
    }
    if (s->n == s->room) {
        s->room *= 2;
        s->k = realloc(s->k, (size_t)s->room * sizeof *s->k);
        s->v = realloc(s->v, (size_t)s->room * sizeof *s->v);
    }
    s->k[s->n] = CFRetain(key);
    s->v[s->n++] = value;
}
void CFDictionaryRemoveValue(CFMutableDictionaryRef p, const void *key) {
    si_dictionary *s = (si_dictionary *)si_check(p, SI_DICTIONARY, "CFDictionaryRemoveValue");
    CFIndex i = found(s, key);
    if (i < 0) return;
    CFRelease(s->k[i]);
    CFRelease(s->v[i]);
    s->n--;
    s->k[i] = s->k[s->n];
    s->v[i] = s->v[s->n];
}
CFDictionaryRef CFDictionaryCreate(CFAllocatorRef a, const void **keys, const void **values, CFIndex n, const CFDictionaryKeyCallBacks *k, const CFDictionaryValueCallBacks *v) {
    CFMutableDictionaryRef s = CFDictionaryCreateMutable(a, n, k, v);
    for (CFIndex i = 0; s && i < n; i++) CFDictionarySetValue(s, keys[i], values[i]);
    return s;
}
CFIndex CFDictionaryGetCount(CFDictionaryRef p) { return ((si_dictionary *)si_check(p, SI_DICTIONARY, "CFDictionaryGetCount"))->n; }
const void *CFDictionaryGetValue(CFDictionaryRef p, const void *key) {
    si_dictionary *s = (si_dictionary *)si_check(p, SI_DICTIONARY, "CFDictionaryGetValue");
    CFIndex i = found(s, key);
    return i < 0 ? NULL : s->v[i];
}
Boolean CFDictionaryGetValueIfPresent(CFDictionaryRef p, const void *key, const void **value) {
    const void *v = CFDictionaryGetValue(p, key);
    if (v && value) *value = v;
    return v != NULL;
}
void CFDictionaryGetKeysAndValues(CFDictionaryRef p, const void **keys, const void **values) {
    si_dictionary *s = (si_dictionary *)si_check(p, SI_DICTIONARY, "CFDictionaryGetKeysAndValues");
    if (keys) memcpy(keys, s->k, (size_t)s->n * sizeof *keys);
    if (values) memcpy(values, s->v, (size_t)s->n * sizeof *values);
}

CFNumberRef CFNumberCreate(CFAllocatorRef a, CFNumberType t, const void *v) {
    (void)a;
    si_number *s = si_new(SI_NUMBER, sizeof *s);
    if (!s) return NULL;
    switch (t) {
    case kCFNumberSInt8Type: s->i = *(const int8_t *)v; break;
    case kCFNumberSInt16Type: s->i = *(const int16_t *)v; break;
    case kCFNumberSInt32Type: case kCFNumberIntType: s->i = *(const int32_t *)v; break;
    case kCFNumberSInt64Type: case kCFNumberLongType: case kCFNumberLongLongType: case kCFNumberCFIndexType: case kCFNumberNSIntegerType: s->i = *(const int64_t *)v; break;
    case kCFNumberFloat32Type: case kCFNumberFloatType: s->real = true; s->d = (double)*(const float *)v; break;
    case kCFNumberFloat64Type: case kCFNumberDoubleType: case kCFNumberCGFloatType: s->real = true; s->d = *(const double *)v; break;
    default: si_wrong("CFNumberCreate of an unknown type", v);
    }
    if (s->real) s->i = isfinite(s->d) && fabs(s->d) < 9e18 ? (int64_t)s->d : 0;
    else s->d = (double)s->i;
    return (CFNumberRef)s;
}
CFNumberRef si_int(int64_t value) { return CFNumberCreate(NULL, kCFNumberSInt64Type, &value); }
Boolean CFNumberGetValue(CFNumberRef p, CFNumberType t, void *to) {
    si_number *s = (si_number *)si_check(p, SI_NUMBER, "CFNumberGetValue");
    bool whole = !s->real || s->d == (double)s->i;
    switch (t) {
    case kCFNumberSInt8Type: *(int8_t *)to = (int8_t)s->i; return whole && s->i == (int8_t)s->i;
    case kCFNumberSInt16Type: *(int16_t *)to = (int16_t)s->i; return whole && s->i == (int16_t)s->i;
    case kCFNumberSInt32Type: case kCFNumberIntType: *(int32_t *)to = (int32_t)s->i; return whole && s->i == (int32_t)s->i;
    case kCFNumberSInt64Type: case kCFNumberLongType: case kCFNumberLongLongType: case kCFNumberCFIndexType: case kCFNumberNSIntegerType: *(int64_t *)to = s->i; return whole;
    case kCFNumberFloat32Type: case kCFNumberFloatType: *(float *)to = (float)s->d; return (double)(float)s->d == s->d;
    case kCFNumberFloat64Type: case kCFNumberDoubleType: case kCFNumberCGFloatType: *(double *)to = s->d; return 1;
    default: si_wrong("CFNumberGetValue of an unknown type", p);
    }
}
Boolean CFNumberIsFloatType(CFNumberRef p) { return ((si_number *)si_check(p, SI_NUMBER, "CFNumberIsFloatType"))->real; }
Boolean CFBooleanGetValue(CFBooleanRef p) { return ((si_boolean *)si_check(p, SI_BOOLEAN, "CFBooleanGetValue"))->on; }

CFDataRef CFDataCreate(CFAllocatorRef a, const UInt8 *bytes, CFIndex n) {
    (void)a;
    si_data *s = si_new(SI_DATA, sizeof *s);
    if (!s) return NULL;
    s->n = n;
    s->bytes = malloc((size_t)n + 1);
    if (n) memcpy(s->bytes, bytes, (size_t)n);
    return (CFDataRef)s;
}
CFIndex CFDataGetLength(CFDataRef p) { return ((si_data *)si_check(p, SI_DATA, "CFDataGetLength"))->n; }
const UInt8 *CFDataGetBytePtr(CFDataRef p) { return ((si_data *)si_check(p, SI_DATA, "CFDataGetBytePtr"))->bytes; }
CFStringRef CFCopyDescription(CFTypeRef p) {
    char text[80];
    snprintf(text, sizeof text, "<a value of type %lu>", CFGetTypeID(p));
    return si_str(text);
}
CFStringRef CFCopyTypeIDDescription(CFTypeID type) {
    char text[40];
    snprintf(text, sizeof text, "type %lu", type);
    return si_str(text);
}

AXValueRef AXValueCreate(AXValueType kind, const void *v) {
    static const size_t SIZES[] = {0, sizeof(CGPoint), sizeof(CGSize), sizeof(CGRect), sizeof(CFRange), sizeof(AXError)};
    if (kind < 1 || kind > 5) return NULL;
    si_axvalue *s = si_new(SI_VALUE, sizeof *s);
    if (!s) return NULL;
    s->kind = kind;
    memcpy(&s->u, v, SIZES[kind]);
    return (AXValueRef)s;
}
AXValueType AXValueGetType(AXValueRef p) { return ((si_axvalue *)si_check(p, SI_VALUE, "AXValueGetType"))->kind; }
Boolean AXValueGetValue(AXValueRef p, AXValueType kind, void *to) {
    static const size_t SIZES[] = {0, sizeof(CGPoint), sizeof(CGSize), sizeof(CGRect), sizeof(CFRange), sizeof(AXError)};
    si_axvalue *s = (si_axvalue *)si_check(p, SI_VALUE, "AXValueGetValue");
    if (s->kind != kind) return 0;
    memcpy(to, &s->u, SIZES[kind]);
    return 1;
}

void si_forget_loop(si *object);
void si_forget_observer(si *object);
void si_forget_graphics(si *object);
void si_forget_object(si *object);
void si_forget(si *p) {
    switch (p->type) {
    case SI_STRING: free(((si_string *)p)->u), free(((si_string *)p)->utf8); break;
    case SI_ARRAY:
        for (CFIndex i = 0; i < ((si_array *)p)->n; i++) CFRelease(((si_array *)p)->v[i]);
        free(((si_array *)p)->v);
        break;
    case SI_DICTIONARY:
        for (CFIndex i = 0; i < ((si_dictionary *)p)->n; i++) CFRelease(((si_dictionary *)p)->k[i]), CFRelease(((si_dictionary *)p)->v[i]);
        free(((si_dictionary *)p)->k), free(((si_dictionary *)p)->v);
        break;
    case SI_DATA: free(((si_data *)p)->bytes); break;
    case SI_URL: case SI_ATTRIBUTED:
        CFRelease(((si_wrapper *)p)->of);
        if (((si_wrapper *)p)->more) CFRelease(((si_wrapper *)p)->more);
        break;
    case SI_LOOP: case SI_SOURCE: case SI_TIMER: case SI_PORT: si_forget_loop(p); break;
    case SI_OBSERVER: si_forget_observer(p); break;
    case SI_EVENT: case SI_EVENT_SOURCE: case SI_IMAGE: case SI_SPACE: case SI_CONTEXT: case SI_PROVIDER: case SI_MODE: si_forget_graphics(p); break;
    case SI_OBJECT: case SI_CLASS: si_forget_object(p); break;
    default: break;
    }
}
