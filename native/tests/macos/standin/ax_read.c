/* The accessibility client: what an application says of itself, wrongly where its script has it so. */
#define _GNU_SOURCE
#include "ax.h"
#include "standin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CFTypeRef elements(si_app *a, const int *nodes, int n) {
    CFMutableArrayRef array = CFArrayCreateMutable(NULL, n, &kCFTypeArrayCallBacks);
    for (int i = 0; array && i < n; i++) {
        AXUIElementRef e = si_element_of(a->nodes[nodes[i]].pid, a->nodes[nodes[i]].id);
        if (e) CFArrayAppendValue(array, e), CFRelease(e);
    }
    return array;
}
static CFTypeRef of_labels(si_app *a, const char *labels) {
    int nodes[256], n = 0;
    char label[64];
    for (int used; n < 256 && sscanf(labels, " #%63[^ ]%n", label, &used) == 1; labels += used) {
        nodes[n] = si_labelled(a, label);
        if (si_is_there(a, nodes[n])) n++;
    }
    return elements(a, nodes, n);
}
static CFTypeRef plain(si_app *a, const si_v *v, AXError *error) {
    CGRect r = {{v->n[0], v->n[1]}, {v->n[2], v->n[3]}};
    CGSize size = {v->n[0], v->n[1]};
    CFRange range = {(CFIndex)v->n[0], (CFIndex)v->n[1]};
    switch (v->kind) {
    case SI_V_STRING: return si_str(v->text);
    case SI_V_INT: return si_int(v->i);
    case SI_V_REAL: return CFNumberCreate(NULL, kCFNumberDoubleType, v->n);
    case SI_V_BOOL: return CFRetain(v->i ? kCFBooleanTrue : kCFBooleanFalse);
    case SI_V_POINT: return AXValueCreate(kAXValueTypeCGPoint, &r.origin);
    case SI_V_SIZE: return AXValueCreate(kAXValueTypeCGSize, &size);
    case SI_V_RECT: return AXValueCreate(kAXValueTypeCGRect, &r);
    case SI_V_RANGE: return AXValueCreate(kAXValueTypeCFRange, &range);
    case SI_V_URL: return si_url(v->text);
    case SI_V_ATTRIBUTED: return si_attributed(v->text);
    case SI_V_ELEMENTS: return of_labels(a, v->text);
    case SI_V_ELEMENT: {
        int node = si_labelled(a, v->text + 1);
        if (si_is_there(a, node)) return si_element_of(a->nodes[node].pid, a->nodes[node].id);
        *error = kAXErrorNoValue;
        return NULL;
    }
    case SI_V_STRINGS: {
        CFMutableArrayRef array = CFArrayCreateMutable(NULL, 4, &kCFTypeArrayCallBacks);
        for (const char *p = v->text; array && *p;) {
            size_t n = strcspn(p, "\n");
            CFStringRef s = CFStringCreateWithBytes(NULL, (const UInt8 *)p, (CFIndex)n, kCFStringEncodingUTF8, 0);
            if (s) CFArrayAppendValue(array, s), CFRelease(s);
            p += n + (p[n] != 0);
        }
        return array;
    }
    case SI_V_NOTHING: return NULL; /* success, and nothing came */
    case SI_V_ERROR: return *error = (AXError)v->i, NULL;
    default: return *error = kAXErrorAttributeUnsupported, NULL;
    }
}
static CFTypeRef one(si_app *a, int node, AXError *error) {
    if (node < 0) return *error = kAXErrorNoValue, NULL;
    return si_element_of(a->nodes[node].pid, a->nodes[node].id);
}
static bool is_text(si_node *n) {
    const char *role = si_text_of(n, "AXRole");
    return !strcmp(role, "AXTextField") || !strcmp(role, "AXTextArea") || !strcmp(role, "AXComboBox") || !strcmp(role, "AXStaticText");
}
/* What an attribute is now. NULL with *error = 0: the application answers success, and gives nothing. */
static CFTypeRef value(si_app *a, int node, const char *name, double timeout, AXError *error, bool *thrown) {
    si_node *n = &a->nodes[node];
    *error = kAXErrorSuccess;
    char when[96];
    snprintf(when, sizeof when, "get %s", name);
    si_rule *r = si_rule_of(n, when);
    if (r) {
        si_result x = si_run(a, node, r->effects, timeout);
        n = &a->nodes[node];
        if (x.thrown) return *thrown = true, *error = kAXErrorFailure, NULL;
        if (x.answer) return *error = x.answer, NULL;
    }
    if (!strcmp(name, "AXValue") && !strcmp(si_text_of(n, "AXSubrole"), "AXSecureTextField")) {
        fprintf(stderr, "stand-in: the AXValue of a password field was asked for\n");
        abort();
    }
    si_attr *at = si_attr_of(n, name);
    /* A row is chosen where its table says so. */
    si_attr *chosen = at && !strcmp(name, "AXSelected") && n->parent >= 0 ? si_attr_of(&a->nodes[n->parent], "AXSelectedRows") : NULL;
    if (chosen && chosen->v.kind == SI_V_ELEMENTS) {
        char list[1024], own[80];
        snprintf(list, sizeof list, " %s ", chosen->v.text ? chosen->v.text : "");
        snprintf(own, sizeof own, " #%s ", n->label ? n->label : "");
        return CFRetain(n->label && strstr(list, own) ? kCFBooleanTrue : kCFBooleanFalse);
    }
    if (!strcmp(name, "AXFocused") && at) return CFRetain(a->focus == node ? kCFBooleanTrue : kCFBooleanFalse);
    if (at) return plain(a, &at->v, error);
    if (!strcmp(name, "AXParent")) return one(a, n->parent, error);
    if (!strcmp(name, "AXWindow") || !strcmp(name, "AXTopLevelUIElement")) return one(a, si_window_of(a, node), error);
    if (!strcmp(name, "AXFrame") && si_attr_of(n, "AXPosition")) {
        CGRect rect = si_rect_of(a, node);
        return AXValueCreate(kAXValueTypeCGRect, &rect);
    }
    if (!strcmp(name, "AXChildren") || (!node && !strcmp(name, "AXWindows"))) {
        bool windows = name[2] == 'W';
        int *nodes = malloc((size_t)(n->children_n + 1) * sizeof *nodes), k = 0;
        for (int i = 0; i < n->children_n; i++) {
            si_node *c = &a->nodes[n->children[i]];
            if (!c->hidden && !c->elsewhere && (!windows || !strcmp(si_text_of(c, "AXRole"), "AXWindow"))) nodes[k++] = n->children[i];
        }
        CFTypeRef array = k || n->children_n || windows ? elements(a, nodes, k) : NULL;
        free(nodes);
        if (!array) *error = kAXErrorNoValue;
        return array;
    }
    if (!strcmp(name, "AXNumberOfCharacters") && is_text(n) && (at = si_attr_of(n, "AXValue")) && at->v.kind == SI_V_STRING) {
        CFStringRef s = si_str(at->v.text);
        CFTypeRef count = si_int(CFStringGetLength(s));
        CFRelease(s);
        return count;
    }
    if (!strcmp(name, "AXSelectedText") && (at = si_attr_of(n, "AXSelectedTextRange")) && si_attr_of(n, "AXValue")) {
        CFStringRef s = si_str(si_text_of(n, "AXValue")), part = CFStringCreateWithSubstring(NULL, s, CFRangeMake((CFIndex)at->v.n[0], (CFIndex)at->v.n[1]));
        CFRelease(s);
        return part;
    }
    if (!node) {
        if (!strcmp(name, "AXFocusedUIElement")) return one(a, a->focus, error);
        if (!strcmp(name, "AXFocusedWindow") || !strcmp(name, "AXMainWindow")) return one(a, a->focused_window, error);
        if (!strcmp(name, "AXFrontmost")) return CFRetain(si_front() == a ? kCFBooleanTrue : kCFBooleanFalse);
        if (!strcmp(name, "AXHidden")) return CFRetain(a->hidden ? kCFBooleanTrue : kCFBooleanFalse);
        if (!strcmp(name, "AXMenuBar"))
            for (int i = 0; i < n->children_n; i++)
                if (!strcmp(si_text_of(&a->nodes[n->children[i]], "AXRole"), "AXMenuBar")) return one(a, n->children[i], error);
    }
    return *error = kAXErrorAttributeUnsupported, NULL;
}
AXError AXUIElementCopyAttributeValue(AXUIElementRef p, CFStringRef attribute, CFTypeRef *to) {
    const char *name = si_utf8(attribute);
    si_app *a;
    int node;
    double timeout;
    bool thrown = false;
    *to = NULL;
    if (((si_element *)si_check(p, SI_ELEMENT, "AXUIElementCopyAttributeValue"))->pid == 0) {
        if (strcmp(name, "AXFocusedApplication")) return kAXErrorCannotComplete;
        si_lock();
        if (si_front()) *to = si_element_of(si_front()->pid, 0);
        si_unlock();
        return *to ? kAXErrorSuccess : kAXErrorNoValue;
    }
    AXError e = si_begin(p, "CopyAttributeValue", name, &a, &node, &timeout);
    if (e) return e;
    *to = value(a, node, name, timeout, &e, &thrown);
    si_end(a);
    if (thrown) si_throw();
    return e;
}
AXError AXUIElementCopyMultipleAttributeValues(AXUIElementRef p, CFArrayRef names, AXCopyMultipleAttributeOptions options, CFArrayRef *to) {
    si_app *a;
    int node;
    double timeout;
    *to = NULL;
    AXError e = si_begin(p, "CopyMultipleAttributeValues", NULL, &a, &node, &timeout);
    if (e) return e;
    si_rule *whole = si_rule_of(&a->nodes[0], "batch");
    if (whole) e = si_run(a, 0, whole->effects, timeout).answer;
    CFMutableArrayRef array = e ? NULL : CFArrayCreateMutable(NULL, CFArrayGetCount(names), &kCFTypeArrayCallBacks);
    bool thrown = false;
    for (CFIndex i = 0, n = CFArrayGetCount(names); array && i < n; i++) {
        const char *name = si_utf8(CFArrayGetValueAtIndex(names, i));
        AXError each;
        si_count(a, name);
        CFTypeRef v = value(a, node, name, timeout, &each, &thrown);
        if (each == kAXErrorCannotComplete) e = each;
        if (each && options & kAXCopyMultipleAttributeOptionStopOnError) e = each;
        if (thrown || e) {
            if (v) CFRelease(v);
            CFRelease(array);
            array = NULL;
            break;
        }
        /* Missing ones: some as an error, some as null. */
        if (!v) v = each ? (CFTypeRef)AXValueCreate(kAXValueTypeAXError, &each) : CFRetain(kCFNull);
        if (v) CFArrayAppendValue(array, v), CFRelease(v);
        else CFArrayAppendValue(array, kCFNull);
    }
    si_end(a);
    if (thrown) si_throw();
    *to = array;
    return array || e ? e : kAXErrorFailure;
}
/* One attribute as an array: with its length, whole, or a part. */
static AXError listed(AXUIElementRef p, const char *call, CFStringRef attribute, CFArrayRef *to) {
    si_app *a;
    int node;
    double timeout;
    bool thrown = false;
    *to = NULL;
    AXError e = si_begin(p, call, si_utf8(attribute), &a, &node, &timeout);
    if (e) return e;
    CFTypeRef v = value(a, node, si_utf8(attribute), timeout, &e, &thrown);
    si_end(a);
    if (thrown) si_throw();
    if (v && CFGetTypeID(v) != CFArrayGetTypeID()) e = kAXErrorIllegalArgument, CFRelease(v), v = NULL;
    *to = v;
    return v || e ? e : kAXErrorNoValue;
}
AXError AXUIElementGetAttributeValueCount(AXUIElementRef p, CFStringRef attribute, CFIndex *count) {
    CFArrayRef all;
    AXError e = listed(p, "GetAttributeValueCount", attribute, &all);
    if (!e) *count = CFArrayGetCount(all), CFRelease(all);
    return e;
}
AXError AXUIElementCopyAttributeValues(AXUIElementRef p, CFStringRef attribute, CFIndex index, CFIndex most, CFArrayRef *to) {
    CFArrayRef all;
    *to = NULL;
    AXError e = listed(p, "CopyAttributeValues", attribute, &all);
    if (e) return e;
    CFIndex n = CFArrayGetCount(all);
    CFMutableArrayRef part = index < 0 || index > n ? NULL : CFArrayCreateMutable(NULL, most, &kCFTypeArrayCallBacks);
    for (CFIndex i = index; part && i < n && i < index + most; i++) CFArrayAppendValue(part, CFArrayGetValueAtIndex(all, i));
    CFRelease(all);
    *to = part;
    return part ? kAXErrorSuccess : kAXErrorIllegalArgument;
}
static AXError names(AXUIElementRef p, const char *call, CFArrayRef *to, bool actions) {
    si_app *a;
    int node;
    double timeout;
    *to = NULL;
    AXError e = si_begin(p, call, NULL, &a, &node, &timeout);
    if (e) return e;
    si_node *n = &a->nodes[node];
    CFMutableArrayRef array = CFArrayCreateMutable(NULL, 8, &kCFTypeArrayCallBacks);
    for (int i = 0; array && i < (actions ? n->actions_n : n->attrs_n); i++) {
        CFStringRef s = si_str(actions ? n->actions[i] : n->attrs[i].name);
        if (s) CFArrayAppendValue(array, s), CFRelease(s);
    }
    si_rule *r = actions ? si_rule_of(n, "get actions") : NULL;
    si_result x = r ? si_run(a, node, r->effects, timeout) : (si_result){0};
    si_end(a);
    if ((x.answer || x.thrown) && array) CFRelease(array), array = NULL;
    if (x.thrown) si_throw();
    *to = array;
    return x.answer ? x.answer : array ? kAXErrorSuccess : kAXErrorFailure;
}
AXError AXUIElementCopyActionNames(AXUIElementRef p, CFArrayRef *to) { return names(p, "CopyActionNames", to, true); }
AXError AXUIElementCopyAttributeNames(AXUIElementRef p, CFArrayRef *to) { return names(p, "CopyAttributeNames", to, false); }
AXError AXUIElementCopyActionDescription(AXUIElementRef p, CFStringRef action, CFStringRef *to) {
    si_app *a;
    int node;
    double timeout;
    *to = NULL;
    AXError e = si_begin(p, "CopyActionDescription", NULL, &a, &node, &timeout);
    if (e) return e;
    si_end(a);
    *to = si_str(si_utf8(action) + (strncmp(si_utf8(action), "AX", 2) ? 0 : 2));
    return *to ? kAXErrorSuccess : kAXErrorFailure;
}
AXError AXUIElementCopyElementAtPosition(AXUIElementRef p, float x, float y, AXUIElementRef *to) {
    si_app *a = NULL;
    int node;
    double timeout;
    *to = NULL;
    AXUIElementRef of = p, top = NULL;
    if (((si_element *)si_check(p, SI_ELEMENT, "AXUIElementCopyElementAtPosition"))->pid == 0) {
        si_lock();
        for (int i = 0; si_apps(i) && !top; i++)
            for (int k = 0; k < si_apps(i)->nodes[0].children_n && !top; k++) {
                int w = si_apps(i)->nodes[0].children[k];
                CGRect r = si_rect_of(si_apps(i), w);
                if (!si_apps(i)->nodes[w].hidden && !si_apps(i)->hidden && (double)x >= r.origin.x && (double)x < r.origin.x + r.size.width && (double)y >= r.origin.y && (double)y < r.origin.y + r.size.height) top = si_element_of(si_apps(i)->pid, 0);
            }
        si_unlock();
        if (!top) return kAXErrorNoValue;
        of = top;
    }
    AXError e = si_begin(of, "CopyElementAtPosition", NULL, &a, &node, &timeout);
    if (!e) {
        si_rule *r = si_rule_of(&a->nodes[0], "point");
        if (r) e = si_run(a, 0, r->effects, timeout).answer;
        int best = -1, depth = -1;
        for (int i = 1; i < a->n && !e; i++) {
            CGRect rect = si_rect_of(a, i);
            if (!si_is_there(a, i) || (double)x < rect.origin.x || (double)y < rect.origin.y || (double)x >= rect.origin.x + rect.size.width || (double)y >= rect.origin.y + rect.size.height) continue;
            int d = 0;
            for (int up = i; up >= 0; up = a->nodes[up].parent) d++;
            if (d >= depth) best = i, depth = d;
        }
        if (!e && best >= 0) *to = si_element_of(a->nodes[best].pid, a->nodes[best].id);
        if (!e && !*to) e = kAXErrorNoValue;
        si_end(a);
    }
    if (top) CFRelease(top);
    return e;
}
