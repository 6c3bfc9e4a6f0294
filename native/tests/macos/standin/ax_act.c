/* The accessibility client: what changes an application, and what is asked with a parameter. */
#define _GNU_SOURCE
#include "ax.h"
#include "clock.h"
#include "standin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

AXError AXUIElementIsAttributeSettable(AXUIElementRef p, CFStringRef attribute, Boolean *settable) {
    si_app *a;
    int node;
    double timeout;
    AXError e = si_begin(p, "IsAttributeSettable", NULL, &a, &node, &timeout);
    if (e) return e;
    si_attr *at = si_attr_of(&a->nodes[node], si_utf8(attribute));
    if (at) *settable = at->settable ? 0x80 : 0; /* anything but 0 is true */
    si_end(a);
    return at ? kAXErrorSuccess : kAXErrorAttributeUnsupported;
}
static char *labels(si_app *a, CFArrayRef array) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    for (CFIndex i = 0; i < CFArrayGetCount(array); i++) {
        si_element *e = (si_element *)(uintptr_t)CFArrayGetValueAtIndex(array, i);
        int node;
        if (e->s.type == SI_ELEMENT && si_owner(e->pid, e->node, &node) == a && a->nodes[node].label) fprintf(f, "%s#%s", i ? " " : "", a->nodes[node].label);
    }
    fclose(f);
    return text;
}
/* What a client wrote, as the attribute has it; false: of another type. */
static bool taken(si_app *a, enum si_kind kind, CFTypeRef value, si_v *v) {
    CFTypeID type = CFGetTypeID(value);
    *v = (si_v){.kind = kind};
    if (type == CFStringGetTypeID()) {
        if (kind == SI_V_STRING || kind == SI_V_ATTRIBUTED || kind == SI_V_URL) return v->text = strdup(si_utf8(value)), true;
        return false;
    }
    if (type == CFBooleanGetTypeID()) return v->i = CFBooleanGetValue(value), v->n[0] = (double)v->i, kind == SI_V_BOOL || kind == SI_V_INT;
    if (type == CFNumberGetTypeID()) {
        CFNumberGetValue(value, kCFNumberDoubleType, &v->n[0]);
        int64_t i;
        CFNumberGetValue(value, kCFNumberSInt64Type, &i);
        v->i = i;
        return kind == SI_V_INT || kind == SI_V_REAL || kind == SI_V_BOOL;
    }
    if (type == CFArrayGetTypeID()) return kind == SI_V_ELEMENTS && (v->text = labels(a, value));
    if (type == AXUIElementGetTypeID()) return false;
    if (type != AXValueGetTypeID()) return false;
    CGPoint point;
    CGSize size;
    CFRange range;
    if (AXValueGetValue(value, kAXValueTypeCGPoint, &point)) return v->n[0] = point.x, v->n[1] = point.y, kind == SI_V_POINT;
    if (AXValueGetValue(value, kAXValueTypeCGSize, &size)) return v->n[0] = size.width, v->n[1] = size.height, kind == SI_V_SIZE;
    if (AXValueGetValue(value, kAXValueTypeCFRange, &range)) return v->n[0] = (double)range.location, v->n[1] = (double)range.length, kind == SI_V_RANGE;
    return false;
}
AXError AXUIElementSetAttributeValue(AXUIElementRef p, CFStringRef attribute, CFTypeRef value) {
    const char *name = si_utf8(attribute);
    si_check(value, SI_NONE, "AXUIElementSetAttributeValue");
    si_app *a;
    int node;
    double timeout;
    char detail[96];
    snprintf(detail, sizeof detail, "set %s", name);
    AXError e = si_begin(p, "SetAttributeValue", detail, &a, &node, &timeout);
    if (e) return e;
    si_node *n = &a->nodes[node];
    si_rule *r = si_rule_of(n, detail);
    si_attr *at = si_attr_of(n, name);
    si_v v = {0};
    bool fits = at && taken(a, at->v.kind, value, &v), quiet = r && strstr(r->effects, "ignore");
    si_result x = {0};
    if (!strcmp(name, "AXSelectedText") && si_attr_of(n, "AXSelectedTextRange") && CFGetTypeID(value) == CFStringGetTypeID()) si_insert(a, node, si_utf8(value));
    else if (!node && !strcmp(name, "AXFrontmost")) CFBooleanGetValue(value) ? si_to_front(a) : (void)0;
    else if (!node && !strcmp(name, "AXHidden")) a->hidden = CFBooleanGetValue(value), si_post(a, 0, a->hidden ? "AXApplicationHidden" : "AXApplicationShown");
    else if (!at && !r) e = a->set_unknown;
    else if (at && !at->settable && !r) e = a->set_unknown;
    else if (at && !fits) e = kAXErrorIllegalArgument;
    else if (at && v.kind == SI_V_RANGE && si_attr_of(n, "AXValue")) {
        CFStringRef s = si_str(si_text_of(n, "AXValue"));
        if (v.n[0] < 0 || v.n[1] < 0 || v.n[0] + v.n[1] > (double)CFStringGetLength(s)) e = kAXErrorIllegalArgument;
        CFRelease(s);
    }
    if (!e && at && fits && (at->settable || r) && !quiet) {
        if (!strcmp(name, "AXFocused")) {
            if (v.i) a->focus = node, si_post(a, node, "AXFocusedUIElementChanged");
            else if (a->focus == node) a->focus = -1;
            si_v_free(&v);
        } else si_set(a, node, name, v);
    } else si_v_free(&v);
    if (!e && r) x = si_run(a, node, r->effects, timeout);
    si_end(a);
    if (x.thrown) si_throw();
    return e ? e : x.answer;
}
AXError AXUIElementPerformAction(AXUIElementRef p, CFStringRef action) {
    const char *name = si_utf8(action);
    si_app *a;
    int node;
    double timeout;
    AXError e = si_begin(p, "PerformAction", name, &a, &node, &timeout);
    if (e) return e;
    si_node *n = &a->nodes[node];
    bool has = false;
    for (int i = 0; i < n->actions_n; i++) has |= !strcmp(n->actions[i], name);
    si_rule *r = NULL;
    for (int i = 0; i < n->rules_n; i++) { /* a rule has a name's newline as \n */
        const char *want = n->rules[i].when;
        size_t k = strcspn(name, "\n");
        if (!strcmp(want, name) || (name[k] && !strncmp(want, name, k) && want[k] == 0)) r = &n->rules[i];
    }
    si_result x = {0};
    si_attr *enabled = si_attr_of(n, "AXEnabled");
    if (!has) e = a->act_unknown;
    else if (enabled && enabled->v.kind == SI_V_BOOL && !enabled->v.i) e = kAXErrorSuccess; /* success without effect */
    else if (r) x = si_run(a, node, r->effects, timeout);
    else if (!strcmp(name, "AXRaise")) a->focused_window = si_window_of(a, node), si_post(a, a->focused_window, "AXFocusedWindowChanged");
    si_end(a);
    if (x.thrown) si_throw();
    return e ? e : x.answer;
}

static void put(CFMutableDictionaryRef to, const char *key, CFTypeRef value) {
    CFStringRef k = si_str(key);
    if (to && k && value) CFDictionarySetValue(to, k, value);
    if (k) CFRelease(k);
    if (value) CFRelease(value);
}
/* From "PostScript name|family|size|language", each of which may be empty. */
static CFDictionaryRef style_of(const char *font) {
    char name[64] = "", family[64] = "", size[16] = "", language[16] = "", *const to[] = {name, family, size, language};
    const size_t room[] = {sizeof name, sizeof family, sizeof size, sizeof language};
    for (unsigned i = 0; i < 4; i++) {
        size_t n = strcspn(font, "|");
        snprintf(to[i], room[i], "%.*s", (int)n, font);
        font += n + (font[n] != 0);
    }
    CFMutableDictionaryRef style = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFMutableDictionaryRef of_font = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    double points = strtod(size, NULL);
    if (*name) put(of_font, "AXFontName", si_str(name));
    if (*family) put(of_font, "AXFontFamily", si_str(family));
    if (*size) put(of_font, "AXFontSize", CFNumberCreate(NULL, kCFNumberDoubleType, &points));
    if (*language) put(style, "AXNaturalLanguageText", si_str(language));
    put(style, "AXFont", of_font);
    return style;
}
static AXError parameterized(si_app *a, int node, const char *name, CFTypeRef parameter, CFTypeRef *to) {
    si_node *n = &a->nodes[node];
    si_attr *at = si_attr_of(n, "AXValue");
    if (!at || at->v.kind != SI_V_STRING) return kAXErrorParameterizedAttributeUnsupported;
    CFRange r = {0, 0};
    bool range = CFGetTypeID(parameter) == AXValueGetTypeID() && AXValueGetValue(parameter, kAXValueTypeCFRange, &r);
    CFStringRef s = si_str(at->v.text);
    AXError e = kAXErrorSuccess;
    CFIndex all = CFStringGetLength(s);
    if (range && (r.location < 0 || r.length < 0 || r.location + r.length > all)) e = kAXErrorIllegalArgument;
    else if (!strcmp(name, "AXStringForRange") && range) *to = CFStringCreateWithSubstring(NULL, s, r);
    else if (!strcmp(name, "AXAttributedStringForRange") && range) {
        si_attr *font = si_attr_of(n, "AXFont");
        if (!font || font->v.kind != SI_V_NOTHING) *to = si_attributed_with(CFStringCreateWithSubstring(NULL, s, r), font ? style_of(si_text_of(n, "AXFont")) : NULL);
    } else if (!strcmp(name, "AXBoundsForRange") && range) {
        CGRect b = si_rect_of(a, node);
        b.origin.x += 8 * (double)r.location;
        b.size.width = 8 * (double)r.length;
        *to = AXValueCreate(kAXValueTypeCGRect, &b);
    } else if (!strcmp(name, "AXLineForIndex") && CFGetTypeID(parameter) == CFNumberGetTypeID()) {
        int64_t i, line = 0;
        CFNumberGetValue(parameter, kCFNumberSInt64Type, &i);
        for (CFIndex k = 0; k < all && k < i; k++) line += CFStringGetCharacterAtIndex(s, k) == '\n';
        *to = si_int(line);
    } else if (!strcmp(name, "AXRangeForLine") && CFGetTypeID(parameter) == CFNumberGetTypeID()) {
        int64_t want, line = 0;
        CFNumberGetValue(parameter, kCFNumberSInt64Type, &want);
        CFIndex from = 0;
        while (from < all && line < want) line += CFStringGetCharacterAtIndex(s, from++) == '\n';
        if (line < want) e = kAXErrorNoValue;
        else {
            CFRange l = {from, 0};
            while (from + l.length < all && CFStringGetCharacterAtIndex(s, from + l.length++) != '\n') {}
            *to = AXValueCreate(kAXValueTypeCFRange, &l);
        }
    } else e = kAXErrorParameterizedAttributeUnsupported;
    CFRelease(s);
    return e;
}
AXError AXUIElementCopyParameterizedAttributeValue(AXUIElementRef p, CFStringRef attribute, CFTypeRef parameter, CFTypeRef *to) {
    si_app *a;
    int node;
    double timeout;
    *to = NULL;
    AXError e = si_begin(p, "CopyParameterizedAttributeValue", si_utf8(attribute), &a, &node, &timeout);
    if (e) return e;
    /* What a password field says of its text is its text. */
    if (!strcmp(si_text_of(&a->nodes[node], "AXSubrole"), "AXSecureTextField")) {
        fprintf(stderr, "stand-in: %s of a password field was asked for\n", si_utf8(attribute));
        abort();
    }
    e = parameterized(a, node, si_utf8(attribute), parameter, to);
    si_end(a);
    return e;
}
AXError AXUIElementCopyParameterizedAttributeNames(AXUIElementRef p, CFArrayRef *to) {
    static const char *const NAMES[] = {"AXStringForRange", "AXBoundsForRange", "AXLineForIndex", "AXRangeForLine", "AXAttributedStringForRange"};
    si_app *a;
    int node;
    double timeout;
    *to = NULL;
    AXError e = si_begin(p, "CopyParameterizedAttributeNames", NULL, &a, &node, &timeout);
    if (e) return e;
    CFMutableArrayRef array = CFArrayCreateMutable(NULL, 4, &kCFTypeArrayCallBacks);
    for (unsigned i = 0; array && si_attr_of(&a->nodes[node], "AXSelectedTextRange") && i < 5; i++) {
        CFStringRef s = si_str(NAMES[i]);
        if (s) CFArrayAppendValue(array, s), CFRelease(s);
    }
    si_end(a);
    *to = array;
    return array ? kAXErrorSuccess : kAXErrorFailure;
}
/* Private: found by dlsym. */
AXError _AXUIElementGetWindow(AXUIElementRef p, CGWindowID *window);
AXError _AXUIElementGetWindow(AXUIElementRef p, CGWindowID *window) {
    si_app *a;
    int node;
    double timeout;
    AXError e = si_begin(p, "_AXUIElementGetWindow", NULL, &a, &node, &timeout);
    if (e) return e;
    int w = si_window_of(a, node);
    *window = w > 0 ? a->nodes[w].window : 0;
    si_end(a);
    return *window ? kAXErrorSuccess : kAXErrorIllegalArgument;
}

void si_hang(int pid, bool hangs) {
    si_lock();
    si_app *a = si_app_of(pid);
    if (a) a->hung = hangs;
    si_unlock();
    si_clock_changed();
}
void si_deafen(int pid, bool deaf) {
    si_lock();
    si_app *a = si_app_of(pid);
    if (a) a->deaf = deaf;
    si_unlock();
    si_clock_changed();
}
