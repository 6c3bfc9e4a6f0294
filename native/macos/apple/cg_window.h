/* CoreGraphics: the window server's list of windows, and the login session. */
#ifndef BS_APPLE_CG_WINDOW_H
#define BS_APPLE_CG_WINDOW_H
#include "cg.h"

typedef uint32_t CGWindowID;
typedef uint32_t CGWindowListOption;
typedef uint32_t CGWindowImageOption;
enum {
    kCGNullWindowID = 0,
    kCGWindowListOptionAll = 0,
    kCGWindowListOptionOnScreenOnly = 1 << 0,
    kCGWindowListOptionOnScreenAboveWindow = 1 << 1,
    kCGWindowListOptionOnScreenBelowWindow = 1 << 2,
    kCGWindowListOptionIncludingWindow = 1 << 3,
    kCGWindowListExcludeDesktopElements = 1 << 4
};
enum {
    kCGWindowImageDefault = 0,
    kCGWindowImageBoundsIgnoreFraming = 1 << 0,
    kCGWindowImageShouldBeOpaque = 1 << 1,
    kCGWindowImageOnlyShadows = 1 << 2,
    kCGWindowImageBestResolution = 1 << 3,
    kCGWindowImageNominalResolution = 1 << 4
};
/* Keys of each window's dictionary. The name is absent without the grant of Screen Recording. */
extern const CFStringRef kCGWindowNumber;
extern const CFStringRef kCGWindowLayer;
extern const CFStringRef kCGWindowBounds;
extern const CFStringRef kCGWindowSharingState;
extern const CFStringRef kCGWindowAlpha;
extern const CFStringRef kCGWindowOwnerPID;
extern const CFStringRef kCGWindowOwnerName;
extern const CFStringRef kCGWindowName;
extern const CFStringRef kCGWindowIsOnscreen;

/* Front to back. NULL outside of a login session. */
CFArrayRef CGWindowListCopyWindowInfo(CGWindowListOption option, CGWindowID relative);
/* The login session as a dictionary; NULL where there is none (ssh). */
CFDictionaryRef CGSessionCopyCurrentDictionary(void);
#endif
