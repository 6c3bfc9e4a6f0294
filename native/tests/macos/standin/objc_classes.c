/*
 * The classes that the core asks: Foundation's values, NSWorkspace, NSRunningApplication, NSPasteboard, NSEvent, NSScreen, ScreenCaptureKit.
 * A value of CoreFoundation is an object too, as on a Mac. What is not listed answers nothing: it throws.
 */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "objc.h"
#include "standin.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { void *isa; int flags, reserved; void (*invoke)(void *, void *, void *); } block;
static si_class *class_named(const char *name) { return (si_class *)objc_getClass(name); }
static si_object *make(const char *name) {
    si_object *o = si_new(SI_OBJECT, sizeof *o);
    if (o) o->isa = class_named(name);
    return o;
}
void si_forget_object(si *p);
void si_forget_object(si *p) {
    si_object *o = (si_object *)p;
    if (p->type != SI_OBJECT) return;
    if (o->payload) CFRelease(o->payload);
    if (o->more) CFRelease(o->more);
}
/* A completion runs on a thread of its own, as they do. */
typedef struct { block *b; void *one, *two; bool copied; } completion;
static void *complete(void *p) {
    completion *c = p;
    void *pool = objc_autoreleasePoolPush();
    c->b->invoke(c->b, c->one, c->two);
    if (c->one) CFRelease(c->one);
    if (c->two) CFRelease(c->two);
    objc_autoreleasePoolPop(pool);
    if (c->copied) free(c->b);
    free(c);
    return NULL;
}
/* Takes over one and two. */
static void call_later(block *b, void *one, void *two) {
    completion *c = malloc(sizeof *c);
    const struct { unsigned long reserved, size; } *descriptor = *(void **)((char *)b + sizeof *b);
    bool global = b->flags & 1 << 28; /* those are never copied */
    *c = (completion){global ? b : malloc(descriptor->size), one, two, !global};
    if (!global) memcpy(c->b, b, descriptor->size);
    pthread_t t;
    if (pthread_create(&t, NULL, complete, c)) abort();
    pthread_detach(t);
}

/* NSObject */
static id retain(id self, SEL s) { return (void)s, objc_retain(self); }
static void release(id self, SEL s) { (void)s, objc_release(self); }
static id autorelease(id self, SEL s) { return (void)s, si_autorelease(self); }
static id init(id self, SEL s) { return (void)s, self; }
static id alloc(id self, SEL s) { return (void)s, (id)make(((si_class *)self)->name); }
static id new_one(id self, SEL s) { return alloc(self, s); }
static BOOL responds(id self, SEL s, SEL which) { return (void)s, class_respondsToSelector(object_getClass(self), which); }
static BOOL class_responds(id self, SEL s, SEL which) {
    (void)s;
    for (const si_method *m = ((si_class *)self)->methods; m && m->name; m++)
        if (!strcmp(m->name + 1, (const char *)which)) return 1;
    return 0;
}
static BOOL is_equal(id self, SEL s, id other) { return (void)s, other && CFEqual(self, other); }
static id description(id self, SEL s) { return (void)s, si_autorelease((void *)(uintptr_t)CFCopyDescription(self)); }
static const si_method OBJECT[] = {{"-retain", retain}, {"-release", release}, {"-autorelease", autorelease}, {"-init", init}, {"+alloc", alloc}, {"+new", new_one}, {"-respondsToSelector:", responds},
                                   {"+respondsToSelector:", class_responds}, {"+instancesRespondToSelector:", class_responds}, {"-isEqual:", is_equal}, {"-description", description}, {NULL, NULL}};
/* Foundation */
static const char *utf8(id self, SEL s) { return (void)s, si_utf8((CFTypeRef)self); }
static unsigned long length(id self, SEL s) { return (void)s, (unsigned long)CFStringGetLength((CFStringRef)self); }
static id string_with_utf8(id self, SEL s, const char *text) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)si_str(text)); }
static const si_method STRING[] = {{"-UTF8String", utf8}, {"-length", length}, {"-isEqualToString:", is_equal}, {"+stringWithUTF8String:", string_with_utf8}, {NULL, NULL}};
static unsigned long count(id self, SEL s) { return (void)s, (unsigned long)CFArrayGetCount((CFArrayRef)self); }
static id at_index(id self, SEL s, unsigned long i) { return (void)s, (id)(uintptr_t)CFArrayGetValueAtIndex((CFArrayRef)self, (CFIndex)i); }
static id first_object(id self, SEL s) { return (void)s, count(self, s) ? at_index(self, s, 0) : NULL; }
static id array_with(id self, SEL s, id one) {
    (void)self, (void)s;
    const void *v[] = {one};
    return si_autorelease((void *)(uintptr_t)CFArrayCreate(NULL, v, 1, &kCFTypeArrayCallBacks));
}
static id empty_array(id self, SEL s) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks)); }
static const si_method ARRAY[] = {{"-count", count}, {"-objectAtIndex:", at_index}, {"-firstObject", first_object}, {"+arrayWithObject:", array_with}, {"+array", empty_array}, {NULL, NULL}};
static const void *data_bytes(id self, SEL s) { return (void)s, CFDataGetBytePtr((CFDataRef)self); }
static unsigned long data_length(id self, SEL s) { return (void)s, (unsigned long)CFDataGetLength((CFDataRef)self); }
static id data_with(id self, SEL s, const void *b, unsigned long n) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)CFDataCreate(NULL, b, (CFIndex)n)); }
static const si_method DATA[] = {{"-bytes", data_bytes}, {"-length", data_length}, {"+dataWithBytes:length:", data_with}, {NULL, NULL}};
static int int_value(id self, SEL s) {
    (void)s;
    int i = 0;
    CFNumberGetValue((CFNumberRef)self, kCFNumberIntType, &i);
    return i;
}
static id number_with_bool(id self, SEL s, BOOL b) { return (void)self, (void)s, (id)(uintptr_t)(b ? kCFBooleanTrue : kCFBooleanFalse); }
static const si_method NUMBER[] = {{"-intValue", int_value}, {"+numberWithBool:", number_with_bool}, {NULL, NULL}};
static id file_url(id self, SEL s, id path) {
    (void)self, (void)s;
    const char *p = si_utf8((CFTypeRef)path);
    return si_autorelease((void *)(uintptr_t)CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)p, (CFIndex)strlen(p), 0));
}
static id url_with(id self, SEL s, id text) {
    (void)self, (void)s;
    const char *p = si_utf8((CFTypeRef)text);
    return si_autorelease((void *)(uintptr_t)CFURLCreateWithBytes(NULL, (const UInt8 *)p, (CFIndex)strlen(p), kCFStringEncodingUTF8, NULL));
}
static id url_path(id self, SEL s) {
    (void)s;
    UInt8 path[4096];
    if (!CFURLGetFileSystemRepresentation((CFURLRef)self, 1, path, sizeof path)) return NULL;
    return si_autorelease((void *)(uintptr_t)si_str((const char *)path));
}
static id url_text(id self, SEL s) { return (void)s, (id)(uintptr_t)CFURLGetString((CFURLRef)self); }
static const si_method URL[] = {{"+fileURLWithPath:", file_url}, {"+URLWithString:", url_with}, {"-path", url_path}, {"-absoluteString", url_text}, {NULL, NULL}};

/* NSRunningApplication: what it was when it was made, but for isTerminated. */
static id running(int pid) {
    si_lock();
    si_app *a = si_app_of(pid);
    bool is = a && !a->absent && !a->dead;
    si_unlock();
    si_object *o = is ? make("NSRunningApplication") : NULL;
    if (o) o->pid = pid;
    return (id)o;
}
static id with_pid(id self, SEL s, int pid) { return (void)self, (void)s, si_autorelease(running(pid)); }
static int pid_of(id self, SEL s) { return (void)s, ((si_object *)self)->pid; }
#define OF_APP(self) si_app *a = si_app_of(((si_object *)(self))->pid)
static id app_text(id self, int what) {
    char text[512] = "";
    bool has = false;
    si_lock();
    OF_APP(self);
    const char *t = a ? what == 0 ? a->bundle : what == 1 ? a->name : a->path : NULL;
    if (t) has = true, snprintf(text, sizeof text, "%s", t);
    si_unlock();
    if (!has) return NULL;
    return si_autorelease((void *)(uintptr_t)(what == 2 ? (CFTypeRef)CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)text, (CFIndex)strlen(text), 1) : (CFTypeRef)si_str(text)));
}
static id bundle_id(id self, SEL s) { return (void)s, app_text(self, 0); }
static id localized_name(id self, SEL s) { return (void)s, app_text(self, 1); }
static id bundle_url(id self, SEL s) { return (void)s, app_text(self, 2); }
static BOOL app_is(id self, int what) {
    si_lock();
    OF_APP(self);
    bool gone = !a || a->dead || a->absent, is = what == 0 ? gone : what == 1 ? !gone && a->hidden : what == 2 ? !gone && !a->background : !gone && si_now_ns() >= a->born_ns + a->late_ms * 1000000ull;
    si_unlock();
    return is;
}
static BOOL is_terminated(id self, SEL s) { return (void)s, app_is(self, 0); }
static BOOL is_hidden(id self, SEL s) { return (void)s, app_is(self, 1); }
static BOOL is_active(id self, SEL s) { return (void)s, app_is(self, 2); }
static BOOL is_launched(id self, SEL s) { return (void)s, app_is(self, 3); }
static long policy(id self, SEL s) { return (void)s, (void)self, 0; }
/* A request: a rule `on quit:` of the application decides what comes of it (a save dialog, nothing, its end). */
static BOOL terminate(id self, SEL s) {
    (void)s;
    int pid = ((si_object *)self)->pid;
    si_lock();
    si_app *a = si_app_of(pid);
    bool there = a && !a->dead && !a->absent && !a->hung;
    si_rule *r = there ? si_rule_of(&a->nodes[0], "quit") : NULL;
    if (there) si_logf("%s is asked to quit", a->name);
    if (r) si_run(a, 0, r->effects, 6);
    si_unlock();
    if (there && !r) si_kill(pid);
    return there;
}
static BOOL force(id self, SEL s) { return (void)s, si_kill(((si_object *)self)->pid), 1; }
static BOOL activate(id self, SEL s, unsigned long options) {
    (void)s, (void)options;
    si_lock();
    OF_APP(self);
    if (a) {
        for (int i = 0; si_apps(i); i++) si_apps(i)->background = si_apps(i) != a;
        si_logf("%s comes to the front", a->name);
        si_post(a, 0, "AXApplicationActivated");
    }
    si_unlock();
    return a != NULL;
}
static BOOL hide_app(id self, bool on) {
    si_lock();
    OF_APP(self);
    if (a) a->hidden = on, si_post(a, 0, on ? "AXApplicationHidden" : "AXApplicationShown");
    si_unlock();
    return a != NULL;
}
static BOOL hide(id self, SEL s) { return (void)s, hide_app(self, true); }
static BOOL unhide(id self, SEL s) { return (void)s, hide_app(self, false); }
static id running_with_bundle(id self, SEL s, id bundle) {
    (void)self, (void)s;
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 4, &kCFTypeArrayCallBacks);
    for (int i = 0; list && si_apps(i); i++) {
        id o = si_apps(i)->bundle && !strcmp(si_apps(i)->bundle, si_utf8((CFTypeRef)bundle)) ? running(si_apps(i)->pid) : NULL;
        if (o) CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
static const si_method RUNNING[] = {{"+runningApplicationWithProcessIdentifier:", with_pid}, {"+runningApplicationsWithBundleIdentifier:", running_with_bundle}, {"-processIdentifier", pid_of}, {"-bundleIdentifier", bundle_id},
                                    {"-localizedName", localized_name}, {"-bundleURL", bundle_url}, {"-isTerminated", is_terminated}, {"-isHidden", is_hidden}, {"-isActive", is_active}, {"-isFinishedLaunching", is_launched},
                                    {"-activationPolicy", policy}, {"-terminate", terminate}, {"-forceTerminate", force}, {"-activateWithOptions:", activate}, {"-hide", hide}, {"-unhide", unhide}, {NULL, NULL}};

/* NSWorkspace: without a main run loop, what runs is what ran when it was first asked. */
static si_object *workspace;
static int frozen[64], frozen_n = -1;
static id shared_workspace(id self, SEL s) {
    (void)self, (void)s;
    if (!workspace) workspace = make("NSWorkspace");
    if (workspace && atomic_load(&workspace->s.refs) < SI_FOREVER / 2) si_uncounted(&workspace->s);
    return (id)workspace;
}
static id running_apps(id self, SEL s) {
    (void)self, (void)s;
    if (frozen_n < 0) {
        frozen_n = 0;
        for (int i = 0; si_apps(i); i++)
            if (!si_apps(i)->absent && !si_apps(i)->dead) frozen[frozen_n++] = si_apps(i)->pid;
    }
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 8, &kCFTypeArrayCallBacks);
    for (int i = 0; list && i < frozen_n; i++) {
        si_object *o = make("NSRunningApplication");
        if (o) o->pid = frozen[i], CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
static id front_app(id self, SEL s) {
    (void)self, (void)s;
    for (int i = 0; si_apps(i); i++)
        if (!si_apps(i)->background && !si_apps(i)->absent && !si_apps(i)->dead) return si_autorelease(running(si_apps(i)->pid));
    return NULL;
}
static si_app *with_bundle(const char *bundle) {
    for (int i = 0; si_apps(i); i++)
        if (si_apps(i)->bundle && si_apps(i)->path && !strcmp(si_apps(i)->bundle, bundle)) return si_apps(i);
    return NULL;
}
static id url_for_bundle(id self, SEL s, id bundle) {
    (void)self, (void)s;
    si_app *a = with_bundle(si_utf8((CFTypeRef)bundle));
    if (!a) return NULL;
    return si_autorelease((void *)(uintptr_t)CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)a->path, (CFIndex)strlen(a->path), 1));
}
static id error_of(long code) {
    si_object *o = make("NSError");
    if (o) o->pid = (int)code;
    return (id)o;
}
static void open_at(id self, SEL s, id url, id configuration, block *b) {
    (void)self, (void)s;
    si_check(configuration, SI_OBJECT, "openApplicationAtURL:");
    UInt8 path[1024];
    si_app *found = NULL;
    if (CFURLGetFileSystemRepresentation((CFURLRef)url, 1, path, sizeof path))
        for (int i = 0; si_apps(i) && !found; i++)
            if (si_apps(i)->path && !strcmp(si_apps(i)->path, (const char *)path)) found = si_apps(i);
    if (found) si_launch(found->pid);
    if (found && !((si_object *)configuration)->pid) found->background = true;
    if (b) call_later(b, found ? running(found->pid) : NULL, found ? NULL : error_of(260));
}
static id configuration(id self, SEL s) {
    (void)self, (void)s;
    si_object *o = make("NSWorkspaceOpenConfiguration");
    if (o) o->pid = 1; /* activates */
    return si_autorelease(o);
}
static void set_activates(id self, SEL s, BOOL on) { (void)s, ((si_object *)self)->pid = on; }
static void set_ignored(id self, SEL s, id v) { (void)self, (void)s, (void)v; }
static BOOL open_url(id self, SEL s, id url) {
    (void)self, (void)s;
    si_lock();
    si_logf("opened %s", si_utf8(CFURLGetString((CFURLRef)url)));
    si_unlock();
    return 1;
}
static const si_method WORKSPACE[] = {{"+sharedWorkspace", shared_workspace}, {"-runningApplications", running_apps}, {"-frontmostApplication", front_app}, {"-URLForApplicationWithBundleIdentifier:", url_for_bundle},
                                      {"-openApplicationAtURL:configuration:completionHandler:", open_at}, {"-openURL:", open_url}, {NULL, NULL}};
static const si_method CONFIGURATION[] = {{"+configuration", configuration}, {"-setActivates:", set_activates}, {"-setArguments:", set_ignored}, {"-setEnvironment:", set_ignored}, {"-setCreatesNewApplicationInstance:", set_ignored},
                                          {"-setHides:", set_ignored}, {"-setAddsToRecentItems:", set_ignored}, {"-setPromptsUserIfNeeded:", set_ignored}, {NULL, NULL}};
static long error_code(id self, SEL s) { return (void)s, ((si_object *)self)->pid; }
static id error_text(id self, SEL s) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)si_str("The application can't be found.")); }
static const si_method ERROR[] = {{"-code", error_code}, {"-localizedDescription", error_text}, {NULL, NULL}};

/* NSEvent: what a key types. It throws for keys that type nothing. */
const char *si_layout(unsigned key, bool shift);
static id event_with(id self, SEL s, CGEventRef e) {
    (void)self, (void)s;
    si_object *o = make("NSEvent");
    if (o) o->pid = (int)CGEventGetIntegerValueField(e, kCGKeyboardEventKeycode);
    return si_autorelease(o);
}
static id applying(id self, SEL s, unsigned long modifiers) {
    (void)s;
    unsigned key = (unsigned)((si_object *)self)->pid;
    if (key >= 54 && key <= 63) si_throw();
    return si_autorelease((void *)(uintptr_t)si_str(si_layout(key, modifiers & kCGEventFlagMaskShift)));
}
static const si_method EVENT[] = {{"+eventWithCGEvent:", event_with}, {"-charactersByApplyingModifiers:", applying}, {NULL, NULL}};

/* NSScreen, NSProcessInfo */
static id screens(id self, SEL s) {
    (void)self, (void)s;
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 2, &kCFTypeArrayCallBacks);
    for (int i = 1; list && i <= 2; i++) {
        si_object *o = make("NSScreen");
        if (o) o->pid = i, CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
static double scale(id self, SEL s) { return (void)s, ((si_object *)self)->pid == 1 ? 2.0 : 1.0; }
static CGRect frame(id self, SEL s) { return (void)s, CGDisplayBounds((CGDirectDisplayID)((si_object *)self)->pid); }
static const si_method SCREEN[] = {{"+screens", screens}, {"-backingScaleFactor", scale}, {"-frame", frame}, {NULL, NULL}};
static id process_info(id self, SEL s) { return (void)self, (void)s, si_autorelease(make("NSProcessInfo")); }
static id version(id self, SEL s) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)si_str("Version 13.6 (Build 22G120)")); }
static const si_method PROCESS[] = {{"+processInfo", process_info}, {"-operatingSystemVersionString", version}, {NULL, NULL}};

/* NSPasteboard */
static si_object *board;
static long changes = 1;
static CFMutableDictionaryRef content(void) { return (CFMutableDictionaryRef)(uintptr_t)board->payload; }
static id general(id self, SEL s) {
    (void)self, (void)s;
    if (!board && (board = make("NSPasteboard"))) {
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
static const si_method BOARD[] = {{"+generalPasteboard", general}, {"-changeCount", change_count}, {"-types", types}, {"-dataForType:", data_for}, {"-stringForType:", string_for}, {"-clearContents", clear},
                                  {"-declareTypes:owner:", declare}, {"-setData:forType:", set_data}, {"-setString:forType:", set_string}, {NULL, NULL}};

/* ScreenCaptureKit: a filter and a configuration are a window or display, and a size. */
CGImageRef si_picture_sized(CGRect r, CGWindowID only, size_t w, size_t h);
static id listed(const char *name, const int *numbers, int n) {
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, n, &kCFTypeArrayCallBacks);
    for (int i = 0; list && i < n; i++) {
        si_object *o = make(name);
        if (o) o->pid = numbers[i], CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
static void shareable(id self, SEL s, block *b) {
    (void)self, (void)s;
    bool may = CGPreflightScreenCaptureAccess();
    call_later(b, may ? make("SCShareableContent") : NULL, may ? NULL : error_of(-3801));
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
static void capture(id self, SEL s, id filter, id how, block *b) {
    (void)self, (void)s;
    int of = ((si_object *)filter)->pid;
    shot *c = shot_of(how);
    CGRect r = of < 0 ? CGDisplayBounds((CGDirectDisplayID)-of) : CGRectNull;
    if (of < 0 && c && c->part.size.width > 0) r = CGRectMake(r.origin.x + c->part.origin.x, r.origin.y + c->part.origin.y, c->part.size.width, c->part.size.height);
    CGImageRef image = c ? si_picture_sized(r, of > 0 ? (CGWindowID)of : 0, c->w, c->h) : NULL;
    call_later(b, image, image ? NULL : error_of(-3815));
}
static const si_method CONTENT[] = {{"+getShareableContentWithCompletionHandler:", shareable}, {"-displays", sc_displays}, {"-windows", sc_windows}, {NULL, NULL}};
static const si_method SC_DISPLAY[] = {{"-displayID", sc_number}, {NULL, NULL}};
static const si_method SC_WINDOW[] = {{"-windowID", sc_number}, {NULL, NULL}};
static const si_method SC_FILTER[] = {{"-initWithDisplay:excludingWindows:", filter_display}, {"-initWithDesktopIndependentWindow:", filter_window}, {NULL, NULL}};
static const si_method SC_CONFIGURATION[] = {{"-setWidth:", set_width}, {"-setHeight:", set_height}, {"-setShowsCursor:", set_cursor}, {"-setSourceRect:", set_rect}, {NULL, NULL}};
static const si_method SC_MANAGER[] = {{"+captureImageWithFilter:configuration:completionHandler:", capture}, {NULL, NULL}};

#define CLASS(name, type, methods) {SI_STATIC(SI_CLASS), name, type, methods}
si_class si_classes[] = {
    CLASS("NSObject", 0, OBJECT), CLASS("NSString", SI_STRING, STRING), CLASS("NSArray", SI_ARRAY, ARRAY), CLASS("NSData", SI_DATA, DATA), CLASS("NSNumber", SI_NUMBER, NUMBER), CLASS("NSURL", SI_URL, URL),
    CLASS("NSRunningApplication", 0, RUNNING), CLASS("NSWorkspace", 0, WORKSPACE), CLASS("NSWorkspaceOpenConfiguration", 0, CONFIGURATION), CLASS("NSError", 0, ERROR), CLASS("NSEvent", 0, EVENT), CLASS("NSScreen", 0, SCREEN),
    CLASS("NSProcessInfo", 0, PROCESS), CLASS("NSPasteboard", 0, BOARD),
    CLASS("SCShareableContent", 0, CONTENT), CLASS("SCDisplay", 0, SC_DISPLAY), CLASS("SCWindow", 0, SC_WINDOW), CLASS("SCContentFilter", 0, SC_FILTER), CLASS("SCStreamConfiguration", 0, SC_CONFIGURATION),
    CLASS("SCScreenshotManager", 0, SC_MANAGER), CLASS(NULL, 0, NULL)};
