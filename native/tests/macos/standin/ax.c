/* The accessibility client: each call is a message to an application, answered one at a time, late, wrongly or never. */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "standin.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEFAULT_TIMEOUT 6.0
static _Atomic float process_timeout;
static unsigned grants = SI_ACCESSIBILITY | SI_SCREEN | SI_POST | SI_LISTEN;
static atomic_uint inside;
static _Atomic uint64_t busy;
static _Thread_local struct timespec entered;
const CFStringRef kAXTrustedCheckOptionPrompt;
CFTypeRef si_attributed(const char *utf8), si_url(const char *utf8);
AXUIElementRef si_element_of(pid_t pid, uint32_t id);
AXError si_begin(AXUIElementRef element, const char *call, const char *detail, si_app **a, int *node, double *timeout);
void si_end(si_app *a);

void si_grant(unsigned g) { grants = g; }
unsigned si_granted(void);
unsigned si_granted(void) { return grants; }
uint64_t si_busy_ns(void) { return atomic_load(&busy); }
unsigned si_threads_inside(void) { return atomic_load(&inside); }
Boolean AXIsProcessTrusted(void) { return grants & SI_ACCESSIBILITY; }
Boolean AXIsProcessTrustedWithOptions(CFDictionaryRef options) {
    if (options) si_check(options, SI_DICTIONARY, "AXIsProcessTrustedWithOptions");
    return grants & SI_ACCESSIBILITY;
}
static struct { si s; CFIndex n; UniChar *u; CFIndex bytes; char *utf8; } prompt = {SI_STATIC(SI_STRING), 0, NULL, 24, "AXTrustedCheckOptionPrompt"};
const CFStringRef kAXTrustedCheckOptionPrompt = (CFStringRef)&prompt;

AXUIElementRef si_element_of(pid_t pid, uint32_t id) {
    si_element *e = si_new(SI_ELEMENT, sizeof *e);
    if (!e) return NULL;
    e->pid = pid;
    e->node = id;
    return (AXUIElementRef)e;
}
static si_element *checked(AXUIElementRef p, const char *call) { return (si_element *)si_check(p, SI_ELEMENT, call); }
AXUIElementRef AXUIElementCreateApplication(pid_t pid) { return si_element_of(pid, 0); }
AXUIElementRef AXUIElementCreateSystemWide(void) { return si_element_of(0, 0); }
AXError AXUIElementGetPid(AXUIElementRef p, pid_t *pid) {
    *pid = checked(p, "AXUIElementGetPid")->pid;
    return *pid ? kAXErrorSuccess : kAXErrorIllegalArgument;
}
AXError AXUIElementSetMessagingTimeout(AXUIElementRef p, float seconds) {
    si_element *e = checked(p, "AXUIElementSetMessagingTimeout");
    if (seconds < 0) return kAXErrorIllegalArgument;
    if (e->pid == 0) atomic_store(&process_timeout, seconds);
    else atomic_store(&e->timeout, seconds);
    return kAXErrorSuccess;
}

static void enter(void) {
    atomic_fetch_add(&inside, 1);
    si_exempt(1);
    si_real_clock(CLOCK_MONOTONIC, &entered);
}
static void leave(void) {
    struct timespec now;
    si_real_clock(CLOCK_MONOTONIC, &now);
    atomic_fetch_add(&busy, (uint64_t)((now.tv_sec - entered.tv_sec) * 1000000000 + now.tv_nsec - entered.tv_nsec));
    atomic_fetch_sub(&inside, 1);
    si_exempt(-1);
}
static AXError out(AXError e) { return leave(), e; }
typedef struct { pid_t pid; uint64_t at; } silence;
static bool speaks(void *p) {
    si_lock();
    si_app *a = si_app_of(((silence *)p)->pid);
    bool yes = !a || a->dead || !(a->hung || a->deaf);
    si_unlock();
    return yes;
}
/*
 * The start of each message. On success the application's turn and the lock are held, until si_end. An element of another process than its
 * tree's is answered by the tree's application, which is how its node is found.
 */
_Thread_local si_app *si_turn;
AXError si_begin(AXUIElementRef p, const char *call, const char *detail, si_app **app, int *node, double *timeout) {
    si_element *e = checked(p, call);
    bool is_short = si_short(); /* what kAXErrorFailure is for: an object could not be made */
    enter();
    if (is_short) return out(kAXErrorFailure);
    float own = atomic_load(&e->timeout), all = atomic_load(&process_timeout);
    *timeout = own > 0 ? (double)own : all > 0 ? (double)all : DEFAULT_TIMEOUT;
    if (!(grants & SI_ACCESSIBILITY)) return out(kAXErrorAPIDisabled);
    si_due();
    si_lock();
    si_app *a = si_owner(e->pid, e->node, node);
    if (!a) {
        a = si_app_of(e->pid);
        int corpse = a && e->node ? kAXErrorInvalidUIElement : kAXErrorCannotComplete;
        if (a) a->messages++, si_count(a, call);
        si_unlock();
        return out(corpse);
    }
    a->messages++;
    si_count(a, call);
    if (detail) si_count(a, detail);
    uint64_t until = si_now_ns() + (uint64_t)(*timeout * 1e9);
    AXError error = kAXErrorSuccess;
    if (a->dead) error = a->corpse;
    else if (a->absent || si_now_ns() < a->born_ns + a->late_ms * 1000000ull) error = kAXErrorCannotComplete;
    if (error) {
        si_unlock();
        return out(error);
    }
    if (a->hung || a->deaf) {
        silence s = {a->pid, 0};
        bool deaf = a->deaf;
        si_unlock();
        if (!si_wait_until(deaf ? UINT64_MAX : until, speaks, &s)) return out(kAXErrorCannotComplete);
        si_lock();
        a = si_owner(e->pid, e->node, node);
        if (!a || a->dead) {
            error = a ? a->corpse : kAXErrorInvalidUIElement;
            si_unlock();
            return out(error);
        }
    }
    si_unlock();
    pthread_mutex_lock(&a->turn);
    si_turn = a;
    if (a->latency_us) si_wait_until(si_now_ns() + a->latency_us * 1000ull, NULL, NULL);
    si_lock();
    a = si_owner(e->pid, e->node, node);
    if (!a) abort();
    si_rule *r = si_rule_of(&a->nodes[0], "call");
    if (r) {
        si_result x = si_run(a, 0, r->effects, *timeout);
        if (x.thrown || x.answer) {
            si_end(a);
            if (x.thrown) si_throw();
            return x.answer;
        }
    }
    if (!si_is_there(a, *node)) return si_end(a), kAXErrorInvalidUIElement;
    *app = a;
    return kAXErrorSuccess;
}
void si_end(si_app *a) {
    si_unlock();
    si_turn = NULL;
    pthread_mutex_unlock(&a->turn);
    leave();
}

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
        if (!strcmp(name, "AXFrontmost")) return CFRetain(si_apps(0) == a && !a->background ? kCFBooleanTrue : kCFBooleanFalse);
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
    if (checked(p, "AXUIElementCopyAttributeValue")->pid == 0) {
        if (strcmp(name, "AXFocusedApplication")) return kAXErrorCannotComplete;
        si_lock();
        for (int i = 0; si_apps(i) && !*to; i++)
            if (!si_apps(i)->background && !si_apps(i)->absent && !si_apps(i)->dead) *to = si_element_of(si_apps(i)->pid, 0);
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
    if (checked(p, "AXUIElementCopyElementAtPosition")->pid == 0) {
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
