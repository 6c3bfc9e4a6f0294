/* The window server's list, front to back: windows of the scripted applications, a menu bar, and a window that nobody made for people. */
#define _GNU_SOURCE
#include "model.h"
#include "standin.h"
#include <string.h>
unsigned si_granted(void);

#define KEY(name, text) \
    static struct { si s; CFIndex n; UniChar *u; CFIndex bytes; char *utf8; } key_##name = {SI_STATIC(SI_STRING), 0, NULL, sizeof text - 1, text}; \
    const CFStringRef name = (CFStringRef)&key_##name;
KEY(kCGWindowNumber, "kCGWindowNumber")
KEY(kCGWindowLayer, "kCGWindowLayer")
KEY(kCGWindowBounds, "kCGWindowBounds")
KEY(kCGWindowSharingState, "kCGWindowSharingState")
KEY(kCGWindowAlpha, "kCGWindowAlpha")
KEY(kCGWindowOwnerPID, "kCGWindowOwnerPID")
KEY(kCGWindowOwnerName, "kCGWindowOwnerName")
KEY(kCGWindowName, "kCGWindowName")
KEY(kCGWindowIsOnscreen, "kCGWindowIsOnscreen")

static void put(CFMutableDictionaryRef d, CFTypeRef key, CFTypeRef value) {
    if (!value) return;
    CFDictionarySetValue(d, key, value);
    CFRelease(value);
}
static void put_named(CFMutableDictionaryRef d, const char *name, double v) {
    CFStringRef key = si_str(name);
    if (key) put(d, key, CFNumberCreate(NULL, kCFNumberDoubleType, &v)), CFRelease(key);
}
static void add(CFMutableArrayRef list, uint32_t number, int layer, int pid, const char *owner, const char *name, CGRect r, bool onscreen) {
    CFMutableDictionaryRef d = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFMutableDictionaryRef b = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    if (d && b) {
        put_named(b, "X", r.origin.x), put_named(b, "Y", r.origin.y), put_named(b, "Width", r.size.width), put_named(b, "Height", r.size.height);
        CFDictionarySetValue(d, kCGWindowBounds, b);
        double alpha = 1;
        put(d, kCGWindowNumber, si_int(number)), put(d, kCGWindowLayer, si_int(layer)), put(d, kCGWindowOwnerPID, si_int(pid)), put(d, kCGWindowSharingState, si_int(1));
        put(d, kCGWindowAlpha, CFNumberCreate(NULL, kCFNumberDoubleType, &alpha));
        put(d, kCGWindowOwnerName, si_str(owner));
        if (name && si_granted() & SI_SCREEN) put(d, kCGWindowName, si_str(name));
        if (onscreen) CFDictionarySetValue(d, kCGWindowIsOnscreen, kCFBooleanTrue); /* absent where it is not */
        CFArrayAppendValue(list, d);
    }
    if (d) CFRelease(d);
    if (b) CFRelease(b);
}
CFArrayRef CGWindowListCopyWindowInfo(CGWindowListOption option, CGWindowID relative) {
    if (!CGMainDisplayID()) return NULL;
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 16, &kCFTypeArrayCallBacks);
    if (!list) return NULL;
    bool one = option & kCGWindowListOptionIncludingWindow;
    if (!one) add(list, 1, 24, 1, "Window Server", "Menubar", CGRectMake(0, 0, 1440, 24), true);
    si_lock();
    for (int pass = 0; pass < 2; pass++) /* those in the background behind the others */
        for (int i = 0; si_apps(i); i++) {
            si_app *a = si_apps(i);
            if (a->absent || a->dead || a->background != pass) continue;
            /* An open menu is a window of its own, above the others. */
            for (int m = 1; m < a->n && !one; m++)
                if (!strcmp(si_text_of(&a->nodes[m], "AXRole"), "AXMenu") && si_is_there(a, m)) add(list, 100000u + (uint32_t)(a->pid * 1000 + m), 101, a->pid, a->name, NULL, si_rect_of(a, m), true);
            for (int k = 0; k < a->nodes[0].children_n; k++) {
                int w = a->nodes[0].children[k];
                si_node *n = &a->nodes[w];
                si_attr *minimized = si_attr_of(n, "AXMinimized");
                bool on = !n->elsewhere && !a->hidden && !(minimized && minimized->v.i);
                if (!n->window || n->hidden || (one && n->window != relative) || (option & kCGWindowListOptionOnScreenOnly && !on)) continue;
                add(list, n->window, 0, a->pid, a->name, si_text_of(n, "AXTitle"), si_rect_of(a, w), on);
            }
        }
    si_unlock();
    if (!one && !(option & kCGWindowListExcludeDesktopElements)) add(list, 2, -2147483603, 1, "Dock", "Desktop Picture", CGRectMake(0, 0, 1440, 900), true);
    return list;
}
bool CGRectMakeWithDictionaryRepresentation(CFDictionaryRef d, CGRect *r) {
    static const char *const NAMES[] = {"X", "Y", "Width", "Height"};
    double v[4];
    for (int i = 0; i < 4; i++) {
        CFStringRef key = si_str(NAMES[i]);
        if (!key) return false;
        CFNumberRef n = CFDictionaryGetValue(d, key);
        CFRelease(key);
        if (!n || CFGetTypeID(n) != CFNumberGetTypeID() || !CFNumberGetValue(n, kCFNumberDoubleType, &v[i])) return false;
    }
    *r = CGRectMake(v[0], v[1], v[2], v[3]);
    return true;
}
CFDictionaryRef CGSessionCopyCurrentDictionary(void) {
    if (!CGMainDisplayID()) return NULL;
    CFMutableDictionaryRef d = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFStringRef key = si_str("kCGSSessionOnConsoleKey");
    if (d && key) CFDictionarySetValue(d, key, kCFBooleanTrue);
    if (key) CFRelease(key);
    return d;
}
