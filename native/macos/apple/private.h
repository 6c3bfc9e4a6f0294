/*
 * What no stub declares: private, or newer than macOS 13, or older than 15. The core asks dlsym for each; where one is
 * absent its answer names it.
 */
#ifndef BS_APPLE_PRIVATE_H
#define BS_APPLE_PRIVATE_H

/* Of ApplicationServices: the window server's number of an AXWindow. */
#define BS_GET_WINDOW "_AXUIElementGetWindow"
typedef AXError (*bs_get_window)(AXUIElementRef element, CGWindowID *window);
/* Of ApplicationServices: an element from the 20 bytes that Apple's own clients keep of one. */
#define BS_CREATE_WITH_TOKEN "_AXUIElementCreateWithRemoteToken"
typedef AXUIElementRef (*bs_create_with_token)(CFDataRef token);
/* Of CoreGraphics, until macOS 14. */
#define BS_CREATE_IMAGE "CGWindowListCreateImage"
typedef CGImageRef (*bs_create_image)(CGRect bounds, CGWindowListOption list, CGWindowID window, CGWindowImageOption option);
/* Of SkyLight: an event to one process, also where it is in the background. */
#define BS_SKYLIGHT "/System/Library/PrivateFrameworks/SkyLight.framework/SkyLight"
#define BS_POST_TO_PID "SLEventPostToPid"
typedef void (*bs_post_to_pid)(pid_t pid, CGEventRef event);
#define BS_MAIN_CONNECTION "SLSMainConnectionID"
typedef int (*bs_main_connection)(void);
#define BS_SPACES_OF_WINDOWS "SLSCopySpacesForWindows"
typedef CFArrayRef (*bs_spaces_of_windows)(int connection, int mask, CFArrayRef windows);

#define BS_APPKIT "/System/Library/Frameworks/AppKit.framework/AppKit"
#define BS_FOUNDATION "/System/Library/Frameworks/Foundation.framework/Foundation"
/* SCScreenshotManager, from macOS 14. */
#define BS_SCREEN_CAPTURE_KIT "/System/Library/Frameworks/ScreenCaptureKit.framework/ScreenCaptureKit"
#endif
