/* NSEvent, NSScreen, NSProcessInfo, the pasteboard, ScreenCaptureKit; and the list of all classes. */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "objc.h"
#include "standin.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NSEvent: what a key types. It throws for keys that type nothing. */
const char *si_layout(unsigned key, bool shift);
static id event_with(id self, SEL s, CGEventRef e) {
    (void)self, (void)s;
    si_object *o = si_make("NSEvent");
    if (o) o->pid = (int)CGEventGetIntegerValueField(e, kCGKeyboardEventKeycode);
    return si_autorelease(o);
}
static id applying(id self, SEL s, unsigned long modifiers) {
    (void)s;
    unsigned key = (unsigned)((si_object *)self)->pid;
    if (key >= 54 && key <= 63) si_throw();
    return si_autorelease((void *)(uintptr_t)si_str(si_layout(key, modifiers & kCGEventFlagMaskShift)));
}
const si_method SI_METHODS_EVENT[] = {{"+eventWithCGEvent:", event_with}, {"-charactersByApplyingModifiers:", applying}, {NULL, NULL}};

/* NSScreen, NSProcessInfo */
static id screens(id self, SEL s) {
    (void)self, (void)s;
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 2, &kCFTypeArrayCallBacks);
    for (int i = 1; list && i <= 2; i++) {
        si_object *o = si_make("NSScreen");
        if (o) o->pid = i, CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
static double scale(id self, SEL s) { return (void)s, ((si_object *)self)->pid == 1 ? 2.0 : 1.0; }
static CGRect frame(id self, SEL s) { return (void)s, CGDisplayBounds((CGDirectDisplayID)((si_object *)self)->pid); }
const si_method SI_METHODS_SCREEN[] = {{"+screens", screens}, {"-backingScaleFactor", scale}, {"-frame", frame}, {NULL, NULL}};
static id process_info(id self, SEL s) { return (void)self, (void)s, si_autorelease(si_make("NSProcessInfo")); }
static id version(id self, SEL s) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)si_str("Version 13.6 (Build 22G120)")); }
const si_method SI_METHODS_PROCESS[] = {{"+processInfo", process_info}, {"-operatingSystemVersionString", version}, {NULL, NULL}};

/* NSPasteboard */
static si_object *board;
static long changes = 1;
static CFMutableDictionaryRef content(void) { return (CFMutableDictionaryRef)(uintptr_t)board->payload; }
static id general(id self, SEL s) {
    (void)self, (void)s;
    if (!board && (board = si_make("NSPasteboard"))) {
        si_uncounted(&board->s);
        board->payload = CFDictionaryCreateMutable(NULL, 4, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    }
    return (id)board;
}
void si_pasteboard_clear(void) {
    if (!board) return;
    CFRelease(board->payload);
    free(board);
    board = NULL;
}
static long change_count(id self, SEL s) { return (void)self, (void)s, changes; }
static id types(id self, SEL s) {
    (void)self, (void)s;
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 4, &kCFTypeArrayCallBacks);
    const void *keys[32];
    CFIndex n = CFDictionaryGetCount(content());
    CFDictionaryGetKeysAndValues(content(), keys, NULL);
    for (CFIndex i = 0; list && i < n; i++) CFArrayAppendValue(list, keys[i]);
    return si_autorelease((void *)list);
}
static id data_for(id self, SEL s, id type) { return (void)self, (void)s, (id)(uintptr_t)CFDictionaryGetValue(content(), type); }
static id string_for(id self, SEL s, id type) {
    CFDataRef d = (CFDataRef)data_for(self, s, type);
    return d ? si_autorelease((void *)(uintptr_t)CFStringCreateWithBytes(NULL, CFDataGetBytePtr(d), CFDataGetLength(d), kCFStringEncodingUTF8, 0)) : NULL;
}
static long clear(id self, SEL s) {
    (void)self, (void)s;
    const void *keys[32];
    CFIndex n = CFDictionaryGetCount(content());
    CFDictionaryGetKeysAndValues(content(), keys, NULL);
    for (CFIndex i = n - 1; i >= 0; i--) CFDictionaryRemoveValue(content(), keys[i]);
    return ++changes;
}
static long declare(id self, SEL s, id list, id owner) { return (void)list, (void)owner, clear(self, s); }
static BOOL set_data(id self, SEL s, id data, id type) { return (void)self, (void)s, CFDictionarySetValue(content(), type, data), 1; }
static BOOL set_string(id self, SEL s, id text, id type) {
    (void)self, (void)s;
    CFDataRef d = CFDataCreate(NULL, (const UInt8 *)si_utf8((CFTypeRef)text), (CFIndex)strlen(si_utf8((CFTypeRef)text)));
    if (!d) return 0;
    CFDictionarySetValue(content(), type, d);
    CFRelease(d);
    return 1;
}
const si_method SI_METHODS_BOARD[] = {{"+generalPasteboard", general}, {"-changeCount", change_count}, {"-types", types}, {"-dataForType:", data_for}, {"-stringForType:", string_for}, {"-clearContents", clear},
                                  {"-declareTypes:owner:", declare}, {"-setData:forType:", set_data}, {"-setString:forType:", set_string}, {NULL, NULL}};

/* ScreenCaptureKit: a filter and a configuration are a window or display, and a size. */
CGImageRef si_picture_sized(CGRect r, CGWindowID only, size_t w, size_t h);
static id listed(const char *name, const int *numbers, int n) {
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, n, &kCFTypeArrayCallBacks);
    for (int i = 0; list && i < n; i++) {
        si_object *o = si_make(name);
        if (o) o->pid = numbers[i], CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
static void shareable(id self, SEL s, si_block *b) {
    (void)self, (void)s;
    bool may = CGPreflightScreenCaptureAccess();
    si_call_later(b, may ? si_make("SCShareableContent") : NULL, may ? NULL : si_error(-3801));
}
static id sc_displays(id self, SEL s) { return (void)self, (void)s, listed("SCDisplay", (const int[]){1, 2}, CGMainDisplayID() ? 2 : 0); }
static id sc_windows(id self, SEL s) {
    (void)self, (void)s;
    int numbers[256], n = 0;
    si_lock();
    for (int i = 0; si_apps(i); i++)
        for (int k = 0; k < si_apps(i)->nodes[0].children_n && n < 256; k++) {
            si_node *w = &si_apps(i)->nodes[si_apps(i)->nodes[0].children[k]];
            if (w->window && !w->hidden && !si_apps(i)->dead && !si_apps(i)->absent) numbers[n++] = (int)w->window;
        }
    si_unlock();
    return listed("SCWindow", numbers, n);
}
static unsigned sc_number(id self, SEL s) { return (void)s, (unsigned)((si_object *)self)->pid; }
static id filter_display(id self, SEL s, id display, id without) { return (void)s, (void)without, ((si_object *)self)->pid = -((si_object *)display)->pid, self; }
static id filter_window(id self, SEL s, id window) { return (void)s, ((si_object *)self)->pid = ((si_object *)window)->pid, self; }
typedef struct { size_t w, h; CGRect part; } shot;
static shot *shot_of(id self) {
    si_object *o = (si_object *)self;
    if (!o->payload) {
        shot empty = {0, 0, CGRectMake(0, 0, 0, 0)};
        o->payload = CFDataCreate(NULL, (const UInt8 *)&empty, sizeof empty);
    }
    return o->payload ? (shot *)(uintptr_t)CFDataGetBytePtr(o->payload) : NULL;
}
static void set_width(id self, SEL s, size_t v) {
    (void)s;
    if (shot_of(self)) shot_of(self)->w = v;
}
static void set_height(id self, SEL s, size_t v) {
    (void)s;
    if (shot_of(self)) shot_of(self)->h = v;
}
static void set_cursor(id self, SEL s, BOOL on) { (void)self, (void)s, (void)on; }
static void set_rect(id self, SEL s, CGRect r) {
    (void)s;
    if (shot_of(self)) shot_of(self)->part = r;
}
static void capture(id self, SEL s, id filter, id how, si_block *b) {
    (void)self, (void)s;
    int of = ((si_object *)filter)->pid;
    shot *c = shot_of(how);
    CGRect r = of < 0 ? CGDisplayBounds((CGDirectDisplayID)-of) : CGRectNull;
    if (of < 0 && c && c->part.size.width > 0) r = CGRectMake(r.origin.x + c->part.origin.x, r.origin.y + c->part.origin.y, c->part.size.width, c->part.size.height);
    CGImageRef image = c ? si_picture_sized(r, of > 0 ? (CGWindowID)of : 0, c->w, c->h) : NULL;
    si_call_later(b, image, image ? NULL : si_error(-3815));
}
const si_method SI_METHODS_CONTENT[] = {{"+getShareableContentWithCompletionHandler:", shareable}, {"-displays", sc_displays}, {"-windows", sc_windows}, {NULL, NULL}};
const si_method SI_METHODS_SC_DISPLAY[] = {{"-displayID", sc_number}, {NULL, NULL}};
const si_method SI_METHODS_SC_WINDOW[] = {{"-windowID", sc_number}, {NULL, NULL}};
const si_method SI_METHODS_SC_FILTER[] = {{"-initWithDisplay:excludingWindows:", filter_display}, {"-initWithDesktopIndependentWindow:", filter_window}, {NULL, NULL}};
const si_method SI_METHODS_SC_CONFIGURATION[] = {{"-setWidth:", set_width}, {"-setHeight:", set_height}, {"-setShowsCursor:", set_cursor}, {"-setSourceRect:", set_rect}, {NULL, NULL}};
const si_method SI_METHODS_SC_MANAGER[] = {{"+captureImageWithFilter:configuration:completionHandler:", capture}, {NULL, NULL}};

#define CLASS(name, type, methods) {SI_STATIC(SI_CLASS), name, type, methods}
si_class si_classes[] = {
    CLASS("NSObject", 0, SI_METHODS_OBJECT), CLASS("NSString", SI_STRING, SI_METHODS_STRING), CLASS("NSArray", SI_ARRAY, SI_METHODS_ARRAY), CLASS("NSData", SI_DATA, SI_METHODS_DATA), CLASS("NSNumber", SI_NUMBER, SI_METHODS_NUMBER), CLASS("NSURL", SI_URL, SI_METHODS_URL),
    CLASS("NSRunningApplication", 0, SI_METHODS_RUNNING), CLASS("NSWorkspace", 0, SI_METHODS_WORKSPACE), CLASS("NSWorkspaceOpenConfiguration", 0, SI_METHODS_CONFIGURATION), CLASS("NSError", 0, SI_METHODS_ERROR), CLASS("NSEvent", 0, SI_METHODS_EVENT), CLASS("NSScreen", 0, SI_METHODS_SCREEN),
    CLASS("NSProcessInfo", 0, SI_METHODS_PROCESS), CLASS("NSPasteboard", 0, SI_METHODS_BOARD),
    CLASS("SCShareableContent", 0, SI_METHODS_CONTENT), CLASS("SCDisplay", 0, SI_METHODS_SC_DISPLAY), CLASS("SCWindow", 0, SI_METHODS_SC_WINDOW), CLASS("SCContentFilter", 0, SI_METHODS_SC_FILTER), CLASS("SCStreamConfiguration", 0, SI_METHODS_SC_CONFIGURATION),
    CLASS("SCScreenshotManager", 0, SI_METHODS_SC_MANAGER), CLASS(NULL, 0, NULL)};
