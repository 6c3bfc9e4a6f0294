#include "cf.h"

#include <string.h>

#include "guard.h"

static void release(void *value) { CFRelease(value); }

void bs_cf_drop(CFTypeRef value) {
    if (value) bs_guarded(release, (void *)(uintptr_t)value);
}

CFStringRef bs_cf_string(bs_str text) { return CFStringCreateWithBytes(NULL, (const UInt8 *)text.text, (CFIndex)text.length, kCFStringEncodingUTF8, false); }

CFStringRef bs_cf_cstring(const char *text) { return bs_cf_string((bs_str){text, (uint32_t)strlen(text)}); }

CFNumberRef bs_cf_number(double value) {
    int64_t whole = value > -9e15 && value < 9e15 ? (int64_t)value : 0;
    if ((double)whole == value) return CFNumberCreate(NULL, kCFNumberSInt64Type, &whole); /* a check box takes 1, not 1.0 */
    return CFNumberCreate(NULL, kCFNumberDoubleType, &value);
}

AXValueRef bs_cf_range(CFIndex location, CFIndex length) {
    CFRange range = {location, length};
    return AXValueCreate(kAXValueTypeCFRange, &range);
}

bool bs_is(CFTypeRef value, CFTypeID type) { return value && CFGetTypeID(value) == type; }

bool bs_is_string(CFTypeRef value) { return bs_is(value, CFStringGetTypeID()); }

bool bs_cf_text(CFTypeRef value, bs_buf *to) {
    if (bs_is(value, CFAttributedStringGetTypeID())) value = CFAttributedStringGetString((CFAttributedStringRef)value);
    if (!bs_is_string(value)) return false;
    CFStringRef text = value;
    CFIndex length = CFStringGetLength(text), used = 0, at = 0;
    size_t from = to->length;
    /* Half a surrogate pair has no UTF-8 at all, whatever stands for what is lost: it is stepped over. */
    /* Most texts are short, and whole. */
    uint8_t *at_once = length <= 256 ? bs_buf_reserve(to, (size_t)length * 3) : NULL;
    if (at_once) {
        at = CFStringGetBytes(text, (CFRange){0, length}, kCFStringEncodingUTF8, 0, false, at_once, length * 3, &used);
        to->length = from + (size_t)used;
        if (at < length) bs_put_u8(to, '?'), at++;
    }
    while (at < length) {
        CFRange rest = {at, length - at};
        CFIndex took = CFStringGetBytes(text, rest, kCFStringEncodingUTF8, 0, false, NULL, 0, &used);
        uint8_t *bytes = used > 0 ? bs_buf_reserve(to, (size_t)used) : NULL;
        if (used > 0 && !bytes) return true;
        if (bytes) CFStringGetBytes(text, (CFRange){at, took}, kCFStringEncodingUTF8, 0, false, bytes, used, &used);
        at += took;
        if (at < length) bs_put_u8(to, '?'), at++;
    }
    /* Requests and replies hold no NUL. */
    for (size_t i = from; i < to->length; i++)
        if (!to->data[i]) to->data[i] = '?';
    return true;
}

bool bs_cf_truth(CFTypeRef value, bool otherwise) {
    if (bs_is(value, CFBooleanGetTypeID())) return CFBooleanGetValue(value);
    double number;
    return bs_cf_double(value, &number) ? number != 0 : otherwise;
}

bool bs_cf_double(CFTypeRef value, double *to) {
    if (bs_is(value, CFBooleanGetTypeID())) {
        *to = CFBooleanGetValue(value) ? 1 : 0;
        return true;
    }
    if (!bs_is(value, CFNumberGetTypeID())) return false;
    CFNumberGetValue(value, kCFNumberDoubleType, to);
    return true;
}

static bool take(CFTypeRef value, AXValueType type, void *to) {
    return bs_is(value, AXValueGetTypeID()) && AXValueGetType(value) == type && AXValueGetValue(value, type, to);
}

bool bs_cf_point(CFTypeRef value, double *x, double *y) {
    CGPoint point;
    if (!take(value, kAXValueTypeCGPoint, &point)) return false;
    *x = point.x, *y = point.y;
    return true;
}

bool bs_cf_size(CFTypeRef value, double *width, double *height) {
    CGSize size;
    if (!take(value, kAXValueTypeCGSize, &size)) return false;
    *width = size.width, *height = size.height;
    return true;
}

bool bs_cf_take_range(CFTypeRef value, CFRange *to) { return take(value, kAXValueTypeCFRange, to); }

bool bs_cf_rect(CFTypeRef value, CGRect *to) { return take(value, kAXValueTypeCGRect, to); }

bool bs_cf_error(CFTypeRef value, AXError *to) { return take(value, kAXValueTypeAXError, to); }

CFTypeRef bs_cf_at(CFArrayRef array, CFIndex index) {
    if (!array || index >= CFArrayGetCount(array)) return NULL;
    CFTypeRef value = CFArrayGetValueAtIndex(array, index);
    AXError error;
    return !value || CFGetTypeID(value) == CFNullGetTypeID() || bs_cf_error(value, &error) ? NULL : value;
}

void bs_cf_all(CFArrayRef array, CFTypeRef *to, CFIndex count) {
    CFTypeID null = CFNullGetTypeID(), boxed = AXValueGetTypeID();
    CFArrayGetValues(array, (CFRange){0, count}, to);
    for (CFIndex i = 0; i < count; i++) {
        CFTypeID type = to[i] ? CFGetTypeID(to[i]) : null;
        if (type == null || (type == boxed && AXValueGetType(to[i]) == kAXValueTypeAXError)) to[i] = NULL;
    }
}

CFArrayRef bs_cf_array(CFTypeRef value) { return bs_is(value, CFArrayGetTypeID()) ? value : NULL; }

static bool low(UniChar unit) { return unit >= 0xdc00 && unit < 0xe000; }
static bool high(UniChar unit) { return unit >= 0xd800 && unit < 0xdc00; }

/* Does a character go on at this unit? Half a pair is a character of its own, as in bs_cf_text. */
static bool goes_on(CFStringRef text, CFIndex at) {
    return at > 0 && low(CFStringGetCharacterAtIndex(text, at)) && high(CFStringGetCharacterAtIndex(text, at - 1));
}

int32_t bs_characters(CFStringRef text, CFIndex units) {
    CFIndex length = CFStringGetLength(text);
    int32_t count = 0;
    if (units > length) units = length;
    for (CFIndex i = 0; i < units; i++) count += !goes_on(text, i);
    return count;
}

CFIndex bs_units(CFStringRef text, int32_t characters) {
    CFIndex length = CFStringGetLength(text), at = 0;
    while (at < length && characters > 0) {
        at++;
        if (at == length || !goes_on(text, at)) characters--;
    }
    return at;
}

bool bs_cut_characters(bs_buf *text, size_t from, uint32_t most) {
    if (text->failed) return false;
    size_t at = from;
    for (; at < text->length; at++) {
        if ((text->data[at] & 0xc0) == 0x80) continue;
        if (!most--) {
            text->length = at;
            return true;
        }
    }
    return false;
}
