/*
 * CoreGraphics: input. What is posted is logged, and does to the scripted applications what a person's would: a click runs `on click:`
 * or AXPress of what lies there and focuses it, keys reach the focused element. Modifiers of an event are those of its own flags.
 */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "runloop.h"
#include "standin.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
unsigned si_granted(void);

typedef struct { si s; CGEventType type; CGPoint at; CGEventFlags flags; CGEventTimestamp time; int64_t fields[128]; UniChar text[20]; int text_n; bool has_text; } si_event;
typedef struct { si s; CGEventSourceStateID state; int64_t data; } si_source;
static char *log_text;
static size_t log_n;
static CGPoint pointer = {100, 100};
static bool keys_down[128];
static uint32_t buttons_down;
static uint64_t last_input_ns;
static uint32_t counters[32];
static struct { si_port *port; CGEventTapCallBack f; void *info; CGEventMask mask; bool on; } taps[8];
static int taps_n;

const char *si_input(void) { return log_text ? log_text : ""; }
void si_input_clear(void) {
    free(log_text);
    log_text = NULL;
    log_n = 0;
    memset(keys_down, 0, sizeof keys_down);
    buttons_down = 0;
}
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    char line[256];
    va_list l;
    va_start(l, format);
    int n = vsnprintf(line, sizeof line, format, l);
    va_end(l);
    log_text = realloc(log_text, log_n + (size_t)n + 2);
    memcpy(log_text + log_n, line, (size_t)n);
    log_n += (size_t)n;
    log_text[log_n++] = '\n';
    log_text[log_n] = 0;
}
static si_event *event(CGEventRef p, const char *what) { return (si_event *)si_check(p, SI_EVENT, what); }
static si_event *make(CGEventType type, CGPoint at) {
    si_event *e = si_new(SI_EVENT, sizeof *e);
    if (!e) return NULL;
    e->type = type;
    e->at = at;
    e->time = si_now_ns();
    e->flags = kCGEventFlagMaskNonCoalesced;
    return e;
}
void si_forget_event(si *p);
void si_forget_event(si *p) { (void)p; }

CGEventSourceRef CGEventSourceCreate(CGEventSourceStateID state) {
    if (state < -1 || state > 1) return NULL;
    si_source *s = si_new(SI_EVENT_SOURCE, sizeof *s);
    if (s) s->state = state;
    return (CGEventSourceRef)s;
}
static void checked(CGEventSourceRef s, const char *what) {
    if (s) si_check(s, SI_EVENT_SOURCE, what);
}
CGEventFlags CGEventSourceFlagsState(CGEventSourceStateID s) { return (void)s, 0; }
bool CGEventSourceKeyState(CGEventSourceStateID s, CGKeyCode k) { return (void)s, k < 128 && keys_down[k]; }
bool CGEventSourceButtonState(CGEventSourceStateID s, CGMouseButton b) { return (void)s, b < 32 && buttons_down >> b & 1; }
CFTimeInterval CGEventSourceSecondsSinceLastEventType(CGEventSourceStateID s, CGEventType t) { return (void)s, (void)t, last_input_ns ? (double)(si_now_ns() - last_input_ns) / 1e9 : 1e6; }
uint32_t CGEventSourceCounterForEventType(CGEventSourceStateID s, CGEventType t) { return (void)s, t < 32 ? counters[t] : 0; }
void CGEventSourceSetLocalEventsSuppressionInterval(CGEventSourceRef s, CFTimeInterval t) { (void)t, checked(s, "CGEventSourceSetLocalEventsSuppressionInterval"); }
void CGEventSourceSetUserData(CGEventSourceRef s, int64_t d) { ((si_source *)si_check(s, SI_EVENT_SOURCE, "CGEventSourceSetUserData"))->data = d; }

CGEventRef CGEventCreate(CGEventSourceRef s) { return checked(s, "CGEventCreate"), (CGEventRef)make(kCGEventNull, pointer); }
CGEventRef CGEventCreateKeyboardEvent(CGEventSourceRef s, CGKeyCode key, bool down) {
    checked(s, "CGEventCreateKeyboardEvent");
    bool modifier = key >= 54 && key <= 63;
    si_event *e = make(modifier ? kCGEventFlagsChanged : down ? kCGEventKeyDown : kCGEventKeyUp, pointer);
    if (!e) return NULL;
    e->fields[kCGKeyboardEventKeycode] = key;
    e->fields[kCGEventSourceUserData] = s ? ((si_source *)s)->data : 0;
    if (modifier) e->fields[127] = down;
    return (CGEventRef)e;
}
CGEventRef CGEventCreateMouseEvent(CGEventSourceRef s, CGEventType type, CGPoint at, CGMouseButton button) {
    checked(s, "CGEventCreateMouseEvent");
    si_event *e = make(type, at);
    if (!e) return NULL;
    e->fields[kCGMouseEventButtonNumber] = button;
    e->fields[kCGMouseEventClickState] = 1;
    e->fields[kCGEventSourceUserData] = s ? ((si_source *)s)->data : 0;
    return (CGEventRef)e;
}
CGEventRef CGEventCreateScrollWheelEvent2(CGEventSourceRef s, CGScrollEventUnit unit, uint32_t wheels, int32_t one, int32_t two, int32_t three) {
    (void)three;
    checked(s, "CGEventCreateScrollWheelEvent2");
    si_event *e = make(kCGEventScrollWheel, pointer);
    if (!e) return NULL;
    e->fields[kCGScrollWheelEventDeltaAxis1] = one;
    e->fields[kCGScrollWheelEventDeltaAxis2] = wheels > 1 ? two : 0;
    e->fields[kCGScrollWheelEventIsContinuous] = unit == kCGScrollEventUnitPixel;
    return (CGEventRef)e;
}
CGEventRef CGEventCreateCopy(CGEventRef p) {
    si_event *from = event(p, "CGEventCreateCopy"), *e = make(from->type, from->at);
    if (!e) return NULL;
    si s = e->s;
    *e = *from;
    e->s.magic = s.magic;
    atomic_store(&e->s.refs, 1);
    return (CGEventRef)e;
}
CGEventType CGEventGetType(CGEventRef p) { return event(p, "CGEventGetType")->type; }
void CGEventSetType(CGEventRef p, CGEventType t) { event(p, "CGEventSetType")->type = t; }
CGPoint CGEventGetLocation(CGEventRef p) { return event(p, "CGEventGetLocation")->at; }
void CGEventSetLocation(CGEventRef p, CGPoint at) { event(p, "CGEventSetLocation")->at = at; }
CGEventFlags CGEventGetFlags(CGEventRef p) { return event(p, "CGEventGetFlags")->flags; }
void CGEventSetFlags(CGEventRef p, CGEventFlags f) { event(p, "CGEventSetFlags")->flags = f; }
CGEventTimestamp CGEventGetTimestamp(CGEventRef p) { return event(p, "CGEventGetTimestamp")->time; }
void CGEventSetTimestamp(CGEventRef p, CGEventTimestamp t) { event(p, "CGEventSetTimestamp")->time = t; }
int64_t CGEventGetIntegerValueField(CGEventRef p, CGEventField f) { return f < 128 ? event(p, "CGEventGetIntegerValueField")->fields[f] : 0; }
void CGEventSetIntegerValueField(CGEventRef p, CGEventField f, int64_t v) {
    if (f < 128) event(p, "CGEventSetIntegerValueField")->fields[f] = v;
}
double CGEventGetDoubleValueField(CGEventRef p, CGEventField f) { return (double)CGEventGetIntegerValueField(p, f); }
void CGEventSetDoubleValueField(CGEventRef p, CGEventField f, double v) { CGEventSetIntegerValueField(p, f, (int64_t)v); }
void CGEventKeyboardSetUnicodeString(CGEventRef p, unsigned long n, const UniChar *units) {
    si_event *e = event(p, "CGEventKeyboardSetUnicodeString");
    e->text_n = n > 20 ? 20 : (int)n; /* the rest is lost */
    e->has_text = true;
    memcpy(e->text, units, (size_t)e->text_n * 2);
}
void CGEventKeyboardGetUnicodeString(CGEventRef p, unsigned long most, unsigned long *n, UniChar *units) {
    si_event *e = event(p, "CGEventKeyboardGetUnicodeString");
    *n = (unsigned long)e->text_n < most ? (unsigned long)e->text_n : most;
    memcpy(units, e->text, *n * 2);
}

/* The layout: a US keyboard. */
const char *si_layout(unsigned key, bool shift);
const char *si_layout(unsigned key, bool shift) {
    static const char PLAIN[] = "asdfhgzxcv\0bqweryt123465=97-80]ou[ip\rlj'k;\\,/nm.\t `", SHIFTED[] = "ASDFHGZXCV\0BQWERYT!@#$^%+(&_*)}OU{IP\rLJ\"K:|<?NM>\t ~";
    static _Thread_local char c[2];
    c[0] = key < sizeof PLAIN - 1 ? (shift ? SHIFTED : PLAIN)[key] : 0;
    return c;
}
static void pressed(si_app *a, int node, const char *rule) {
    for (int i = node; i >= 0; i = a->nodes[i].parent) {
        si_rule *r = si_rule_of(&a->nodes[i], rule);
        if (!r && !strcmp(rule, "click")) r = si_rule_of(&a->nodes[i], "AXPress");
        si_attr *enabled = si_attr_of(&a->nodes[i], "AXEnabled");
        if (enabled && enabled->v.kind == SI_V_BOOL && !enabled->v.i) return;
        if (r) {
            si_run(a, i, r->effects, 6);
            return;
        }
    }
}
/* Those in the background lie behind the others; whoever is clicked comes to the front, and the keyboard goes to the window that is clicked. */
static bool click_among(CGPoint p, pid_t only, const char *rule, bool background) {
    for (int i = 0; si_apps(i); i++) {
        si_app *a = si_apps(i);
        if ((only ? a->pid != only : a->background != background) || a->absent || a->dead || a->hung || a->hidden) continue;
        int best = -1, depth = -1;
        for (int k = 1; k < a->n; k++) {
            CGRect r = si_rect_of(a, k);
            if (!si_is_there(a, k) || p.x < r.origin.x || p.y < r.origin.y || p.x >= r.origin.x + r.size.width || p.y >= r.origin.y + r.size.height) continue;
            int d = 0;
            for (int up = k; up >= 0; up = a->nodes[up].parent) d += 1 + (a->nodes[up].elsewhere ? -1000 : 0);
            if (d >= depth) best = k, depth = d;
        }
        if (best < 0) continue;
        si_attr *focused = si_attr_of(&a->nodes[best], "AXFocused");
        if (focused && a->focus != best) a->focus = best, si_post(a, best, "AXFocusedUIElementChanged");
        if (!only) si_to_front(a);
        int window = si_window_of(a, best);
        if (window >= 0 && window != a->focused_window) a->focused_window = window, si_post(a, window, "AXFocusedWindowChanged");
        pressed(a, best, rule);
        return true;
    }
    return false;
}
static void click(CGPoint p, pid_t only, const char *rule) {
    if (!click_among(p, only, rule, false) && !only) click_among(p, only, rule, true);
}
static bool shortcut(si_app *a, char key, CGEventFlags flags) {
    for (int i = 1; i < a->n; i++) {
        const char *c = si_text_of(&a->nodes[i], "AXMenuItemCmdChar");
        si_attr *m = si_attr_of(&a->nodes[i], "AXMenuItemCmdModifiers");
        int64_t mods = m ? m->v.i : 0;
        if (!*c || (c[0] | 32) != (key | 32) || !!(mods & BS_MENU_NO_COMMAND) == !!(flags & kCGEventFlagMaskCommand)) continue;
        if (!!(mods & BS_MENU_SHIFT) != !!(flags & kCGEventFlagMaskShift) || !!(mods & BS_MENU_OPTION) != !!(flags & kCGEventFlagMaskAlternate)) continue;
        pressed(a, i, "AXPress");
        return true;
    }
    return false;
}
/* Who gets the keys: an open menu, else what has the focus in the window in front, else that window. */
static int heard_by(si_app *a) {
    for (int m = 1; m < a->n; m++)
        if (!strcmp(si_text_of(&a->nodes[m], "AXRole"), "AXMenu") && si_is_there(a, m)) return m;
    bool inside = a->focus >= 0 && (a->focused_window < 0 || si_window_of(a, a->focus) == a->focused_window);
    return inside ? a->focus : a->focused_window;
}
static void typed(si_event *e, pid_t only) {
    si_app *a = NULL;
    a = only ? si_app_of(only) : si_front();
    if (!a || a->hung || a->dead) return;
    unsigned key = (unsigned)e->fields[kCGKeyboardEventKeycode];
    bool command = e->flags & kCGEventFlagMaskCommand;
    char text[128];
    if (e->has_text) {
        CFStringRef s = CFStringCreateWithCharacters(NULL, e->text, e->text_n);
        snprintf(text, sizeof text, "%s", si_utf8(s));
        CFRelease(s);
    } else snprintf(text, sizeof text, "%s", si_layout(key, e->flags & kCGEventFlagMaskShift));
    if ((command || e->flags & kCGEventFlagMaskControl) && shortcut(a, *si_layout(key, false), e->flags)) return;
    static const struct { unsigned key; const char *name; } NAMED[] = {{36, "return"}, {48, "tab"}, {51, "delete"}, {53, "escape"}, {123, "left"}, {124, "right"}, {125, "down"}, {126, "up"}, {76, "enter"}};
    int to = heard_by(a);
    if (to < 0) return;
    for (unsigned i = 0; i < sizeof NAMED / sizeof *NAMED && !e->has_text; i++) {
        char rule[24];
        snprintf(rule, sizeof rule, "key %s", NAMED[i].name);
        if (NAMED[i].key != key) continue;
        /* What the element does not take goes to what it is in. */
        si_rule *r = NULL;
        int taker = to;
        while (taker > 0 && !(r = si_rule_of(&a->nodes[taker], rule))) taker = a->nodes[taker].parent;
        si_attr *range = to == a->focus ? si_attr_of(&a->nodes[a->focus], "AXSelectedTextRange") : NULL;
        if (r) si_run(a, taker, r->effects, 6);
        else if (key == 51 && range) {
            if (range->v.n[1] < 1 && range->v.n[0] >= 1) range->v.n[0]--, range->v.n[1] = 1;
            si_insert(a, a->focus, "");
        }
        return;
    }
    if (to != a->focus) return;
    if (command) {
        si_attr *range = si_attr_of(&a->nodes[a->focus], "AXSelectedTextRange");
        if (*si_layout(key, false) == 'a' && range) {
            CFStringRef s = si_str(si_text_of(&a->nodes[a->focus], "AXValue"));
            range->v.n[0] = 0, range->v.n[1] = (double)CFStringGetLength(s);
            CFRelease(s);
            si_post(a, a->focus, "AXSelectedTextChanged");
        }
        return;
    }
    if (*text) si_insert(a, a->focus, text);
    si_rule *r = si_rule_of(&a->nodes[a->focus], "typed");
    if (r) si_run(a, a->focus, r->effects, 6);
}
static si_event *tapped[256];
static int tapped_n;
/* For every tap: what came from a person, and what was posted to all. With the lock held. */
static void to_taps(const si_event *e) {
    for (int i = 0; i < taps_n && tapped_n < 256; i++) {
        if (!taps[i].on || !(taps[i].mask >> e->type & 1)) continue;
        si_exempt(1);
        tapped[tapped_n] = (si_event *)CGEventCreateCopy((CGEventRef)(uintptr_t)e);
        si_exempt(-1);
        if (tapped[tapped_n]) tapped[tapped_n++]->fields[126] = i; /* which tap's */
    }
}
static void wake_taps(void) {
    for (int i = 0; i < taps_n; i++)
        if (taps[i].port->source) si_source_arrived(taps[i].port->source);
}
static void post(CGEventRef p, pid_t pid, const char *route) {
    si_event *e = event(p, route);
    if (!(si_granted() & SI_POST)) return; /* without the grant it is dropped in silence */
    si_lock();
    unsigned key = (unsigned)e->fields[kCGKeyboardEventKeycode];
    if (e->type < 32) counters[e->type]++;
    if (!pid) e->fields[kCGEventSourceUnixProcessID] = getpid(), to_taps(e);
    if (e->type == kCGEventKeyDown || e->type == kCGEventKeyUp || e->type == kCGEventFlagsChanged) {
        bool down = e->type == kCGEventKeyDown || (e->type == kCGEventFlagsChanged && e->fields[127]);
        if (key < 128 && !pid) keys_down[key] = down;
        note("%s key %u %s flags=%llx pid=%d text=%d", route, key, down ? "down" : "up", (unsigned long long)(e->flags & ~0xFFull & ~(uint64_t)kCGEventFlagMaskNonCoalesced), pid, e->text_n);
        if (e->type == kCGEventKeyDown) typed(e, pid);
    } else if (e->type == kCGEventScrollWheel) {
        note("%s wheel %lld,%lld pid=%d", route, (long long)e->fields[kCGScrollWheelEventDeltaAxis1], (long long)e->fields[kCGScrollWheelEventDeltaAxis2], pid);
        click(pid ? e->at : pointer, pid, "wheel");
    } else if (e->type != kCGEventNull) {
        note("%s mouse %u at %g,%g button=%lld clicks=%lld flags=%llx pid=%d window=%lld", route, e->type, e->at.x, e->at.y, (long long)e->fields[kCGMouseEventButtonNumber], (long long)e->fields[kCGMouseEventClickState],
             (unsigned long long)(e->flags & ~0xFFull & ~(uint64_t)kCGEventFlagMaskNonCoalesced), pid, (long long)e->fields[kCGMouseEventWindowUnderMousePointer]);
        if (!pid) pointer = e->at;
        uint32_t bit = 1u << (e->fields[kCGMouseEventButtonNumber] & 31);
        bool down = e->type == kCGEventLeftMouseDown || e->type == kCGEventRightMouseDown || e->type == kCGEventOtherMouseDown;
        bool up = e->type == kCGEventLeftMouseUp || e->type == kCGEventRightMouseUp || e->type == kCGEventOtherMouseUp;
        if (down) buttons_down |= bit;
        if (up) buttons_down &= ~bit;
        if (e->type == kCGEventLeftMouseUp) click(e->at, pid, "click");
        if (e->type == kCGEventRightMouseUp) click(e->at, pid, "AXShowMenu");
    }
    si_unlock();
    if (!pid) wake_taps();
}
void CGEventPost(CGEventTapLocation tap, CGEventRef p) {
    if (tap > kCGAnnotatedSessionEventTap) si_wrong("CGEventPost to no tap", p);
    post(p, 0, "post");
}
void CGEventPostToPid(pid_t pid, CGEventRef p) { post(p, pid, "topid"); }
void SLEventPostToPid(pid_t pid, CGEventRef p); /* private: by dlsym */
void SLEventPostToPid(pid_t pid, CGEventRef p) { post(p, pid, "skylight"); }
CGError CGWarpMouseCursorPosition(CGPoint at) {
    si_lock();
    pointer = at;
    note("warp %g,%g", at.x, at.y);
    si_unlock();
    return kCGErrorSuccess;
}
CGError CGAssociateMouseAndMouseCursorPosition(uint32_t c) { return (void)c, kCGErrorSuccess; }
bool CGPreflightPostEventAccess(void) { return si_granted() & SI_POST; }
bool CGRequestPostEventAccess(void) { return si_granted() & SI_POST; }
bool CGPreflightListenEventAccess(void) { return si_granted() & SI_LISTEN; }
bool CGRequestListenEventAccess(void) { return si_granted() & SI_LISTEN; }
bool CGPreflightScreenCaptureAccess(void) { return si_granted() & SI_SCREEN; }
bool CGRequestScreenCaptureAccess(void) { return si_granted() & SI_SCREEN; }

static void perform(void *info) {
    for (;;) {
        si_event *e = NULL;
        si_lock();
        for (int i = 0; i < tapped_n && !e; i++)
            if (tapped[i]->fields[126] < taps_n && taps[tapped[i]->fields[126]].port == info) e = tapped[i], memmove(tapped + i, tapped + i + 1, (size_t)(--tapped_n - i) * sizeof *tapped);
        int k = e ? (int)e->fields[126] : 0;
        si_unlock();
        if (!e) return;
        taps[k].f(NULL, e->type, (CGEventRef)e, taps[k].info);
        CFRelease(e);
    }
}
static void forget_port(si_port *p) {
    si_lock();
    for (int i = 0; i < tapped_n; i++)
        if (taps[tapped[i]->fields[126]].port == p) CFRelease(tapped[i]), tapped[i--] = tapped[--tapped_n];
    for (int i = 0; i < taps_n; i++)
        if (taps[i].port == p) {
            for (int k = 0; k < tapped_n; k++)
                if (tapped[k]->fields[126] == taps_n - 1) tapped[k]->fields[126] = i;
            taps[i--] = taps[--taps_n];
        }
    si_unlock();
}
CFMachPortRef CGEventTapCreate(CGEventTapLocation tap, CGEventTapPlacement place, CGEventTapOptions options, CGEventMask mask, CGEventTapCallBack f, void *info) {
    (void)tap, (void)place;
    if (!(si_granted() & (options == kCGEventTapOptionListenOnly ? SI_LISTEN : SI_ACCESSIBILITY)) || taps_n == 8) return NULL;
    si_port *p = si_new(SI_PORT, sizeof *p);
    if (!p) return NULL;
    p->perform = perform;
    p->forget = forget_port;
    taps[taps_n].port = p, taps[taps_n].f = f, taps[taps_n].info = info, taps[taps_n].mask = mask, taps[taps_n++].on = true;
    return (CFMachPortRef)p;
}
void CGEventTapEnable(CFMachPortRef p, bool on) {
    for (int i = 0; i < taps_n; i++)
        if ((CFTypeRef)taps[i].port == (CFTypeRef)p) taps[i].on = on;
}
bool CGEventTapIsEnabled(CFMachPortRef p) {
    for (int i = 0; i < taps_n; i++)
        if ((CFTypeRef)taps[i].port == (CFTypeRef)p) return taps[i].on;
    return false;
}
void si_person(unsigned type, double x, double y, unsigned key, uint64_t flags) {
    last_input_ns = si_now_ns();
    if (type < 32) counters[type]++;
    si_exempt(1);
    si_event *e = make(type, CGPointMake(x, y));
    si_exempt(-1);
    if (!e) return;
    e->fields[kCGKeyboardEventKeycode] = e->fields[kCGMouseEventButtonNumber] = key;
    e->flags = flags;
    si_lock();
    pointer = e->at;
    to_taps(e);
    si_unlock();
    CFRelease(e);
    wake_taps();
}
