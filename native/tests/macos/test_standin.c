/* The stand-in itself: what crashes a Mac aborts here, clocks and allocations do as they are told, and its rules are kept. */
#define _GNU_SOURCE
#include "../../macos/apple.h"
#include "harness.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static CFStringRef text(const char *t) { return CFStringCreateWithCString(NULL, t, kCFStringEncodingUTF8); }
static void release_twice(void) {
    CFStringRef s = text("x"), *keep = malloc(sizeof *keep);
    *keep = s;
    CFRetain(s), CFRelease(s), CFRelease(s);
    CFRelease(*keep);
}
static void release_null(void) { CFRelease(NULL); }
static void retain_null(void) { CFRetain(NULL); }
static void type_of_null(void) { (void)CFGetTypeID(NULL); }
static void beyond_array(void) {
    CFStringRef s = text("x");
    const void *v[] = {s};
    (void)CFArrayGetValueAtIndex(CFArrayCreate(NULL, v, 1, &kCFTypeArrayCallBacks), 1);
}
static void beyond_string(void) { (void)CFStringGetCharacterAtIndex(text("x"), 1); }
static void wrong_type(void) { (void)CFArrayGetCount((CFArrayRef)text("x")); }
static void password(void) {
    si_load("application 300 \"P\"\nAXWindow Title=\"W\" at=0,0,9,9\n  AXTextField/AXSecureTextField Value*=\"secret\"\n");
    AXUIElementRef app = AXUIElementCreateApplication(300);
    CFArrayRef windows = NULL, fields = NULL;
    CFTypeRef value;
    AXUIElementCopyAttributeValue(app, text("AXWindows"), (CFTypeRef *)&windows);
    AXUIElementCopyAttributeValue(CFArrayGetValueAtIndex(windows, 0), text("AXChildren"), (CFTypeRef *)&fields);
    AXUIElementCopyAttributeValue(CFArrayGetValueAtIndex(fields, 0), text("AXValue"), &value);
}
static void nothing(void) {}
/* What became of a child that did it: the signal that ended it, or its exit status. */
static int ends_by(void (*f)(void)) {
    pid_t child = fork();
    if (!child) {
        if (!freopen("/dev/null", "w", stderr)) _exit(3);
        f();
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {}
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}
static void heard(AXObserverRef o, AXUIElementRef e, CFStringRef n, void *count) { (void)o, (void)e, (void)n, ++*(int *)count; }
static void observers(void) {
    si_reset();
    si_load("application 300 \"O\" mute=\"AXMoved\" refuse=\"AXResized\"\nAXWindow #w Title=\"W\" at=0,0,9,9\n  AXButton #b Title=\"B\"\n");
    AXObserverRef o = NULL;
    AXUIElementRef app = AXUIElementCreateApplication(300), all = AXUIElementCreateSystemWide();
    CFStringRef title = text("AXTitleChanged"), moved = text("AXMoved"), resized = text("AXResized"), end = text("AXUIElementDestroyed");
    int count = 0;
    CHECK_IS(AXObserverCreate(300, heard, &o), kAXErrorSuccess);
    CHECK_IS(AXObserverAddNotification(o, app, title, &count), kAXErrorSuccess);
    CHECK_IS(AXObserverAddNotification(o, app, title, &count), kAXErrorNotificationAlreadyRegistered);
    CHECK_IS(AXObserverAddNotification(o, app, moved, &count), kAXErrorSuccess);
    CHECK_IS(AXObserverAddNotification(o, app, end, &count), kAXErrorSuccess);
    CHECK_IS(AXObserverAddNotification(o, app, resized, &count), kAXErrorNotificationUnsupported);
    CHECK_IS(AXObserverRemoveNotification(o, app, resized), kAXErrorNotificationNotRegistered);
    CHECK(AXObserverAddNotification(o, all, title, &count) != kAXErrorSuccess);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), AXObserverGetRunLoopSource(o), kCFRunLoopDefaultMode);
    si_do(300, "b", "set AXTitle \"C\"; notify AXMoved");
    CHECK_IS(count, 0); /* only while its run loop runs */
    CHECK_IS(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.2, 1), kCFRunLoopRunHandledSource);
    CHECK_IS(count, 1); /* and the other never comes */
    si_do(300, "b", "hide #b"); /* nobody registered for its end */
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.05, 0);
    CHECK_IS(count, 1);
    CFRunLoopRemoveSource(CFRunLoopGetCurrent(), AXObserverGetRunLoopSource(o), kCFRunLoopDefaultMode);
    CHECK_IS(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 5, 0), kCFRunLoopRunFinished); /* at once, without a source */
    CFRelease(o), CFRelease(app), CFRelease(all), CFRelease(title), CFRelease(moved), CFRelease(resized), CFRelease(end);
    CHECK_IS(si_live(), 0);
}
/* A timeout is of one object, not of another that is equal to it. */
static void timeouts(void) {
    si_reset();
    si_load("application 300 \"T\"\nAXWindow Title=\"W\" at=0,0,9,9\n");
    si_virtual(true);
    si_hang(300, true);
    AXUIElementRef one = AXUIElementCreateApplication(300), other = AXUIElementCreateApplication(300);
    CFStringRef title = text("AXTitle");
    CFTypeRef v;
    CHECK(CFEqual(one, other) && CFHash(one) == CFHash(other));
    AXUIElementSetMessagingTimeout(one, 0.25f);
    double before = si_now();
    CHECK_IS(AXUIElementCopyAttributeValue(one, title, &v), kAXErrorCannotComplete);
    CHECK(si_now() - before > 0.24 && si_now() - before < 1.5);
    before = si_now();
    CHECK_IS(AXUIElementCopyAttributeValue(other, title, &v), kAXErrorCannotComplete);
    CHECK(si_now() - before > 5.9);
    CFRelease(one), CFRelease(other), CFRelease(title);
    si_reset();
}
int main(void) {
    CHECK_IS(ends_by(nothing), 0);
    CHECK_IS(ends_by(release_null), SIGABRT);
    CHECK_IS(ends_by(retain_null), SIGABRT);
    CHECK_IS(ends_by(type_of_null), SIGABRT);
    CHECK_IS(ends_by(beyond_array), SIGABRT);
    CHECK_IS(ends_by(beyond_string), SIGABRT);
    CHECK_IS(ends_by(wrong_type), SIGABRT);
    CHECK_IS(ends_by(password), SIGABRT);
    CHECK(ends_by(release_twice) != 0);
    observers();
    timeouts();
    /* Half a surrogate pair has no UTF-8, and is stepped over only with a loss byte. */
    const UniChar half[] = {'a', 0xD83D, 'b'};
    CFStringRef s = CFStringCreateWithCharacters(NULL, half, 3);
    UInt8 bytes[8];
    CFIndex used;
    CHECK_IS(CFStringGetBytes(s, CFRangeMake(0, 3), kCFStringEncodingUTF8, 0, 0, bytes, 8, &used), 1);
    CHECK_IS(CFStringGetBytes(s, CFRangeMake(0, 3), kCFStringEncodingUTF8, '?', 0, bytes, 8, &used), 3);
    CHECK(used == 3 && !memcmp(bytes, "a?b", 3));
    CFRelease(s);
    static const UInt8 bad[] = {0xC0, 0x80};
    CHECK(!CFStringCreateWithBytes(NULL, bad, 2, kCFStringEncodingUTF8, 0));
    CHECK_IS(si_live(), 0);
    return check_report("macos standin");
}
