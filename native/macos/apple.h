/*
 * What the core uses of macOS: CoreFoundation, HIServices (accessibility), CoreGraphics, the Objective-C runtime and the
 * process calls of libSystem. With an SDK (on a Mac) Apple's own headers are taken; elsewhere our own declarations, written
 * from published facts of the ABI: names, numbers and types, none of Apple's text. scripts/apple-check compares them with
 * the Debian crates (CF, CG) and with docs/reference/macos-constants.md (AX).
 */
#ifndef BS_APPLE_H
#define BS_APPLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__APPLE__) && __has_include(<ApplicationServices/ApplicationServices.h>)
#define BS_APPLE_SDK 1
#include <ApplicationServices/ApplicationServices.h>
#include <CoreFoundation/CoreFoundation.h>
#include <CoreGraphics/CoreGraphics.h>
#include <objc/message.h>
#include <objc/runtime.h>
/* The runtime exports these two, its headers do not tell them. */
void *objc_autoreleasePoolPush(void);
void objc_autoreleasePoolPop(void *pool);
#else
#include "apple/cf.h"
#include "apple/runloop.h"
#include "apple/cg.h"
#include "apple/cg_event.h"
#include "apple/cg_window.h"
#include "apple/ax.h"
#include "apple/objc.h"
#endif
#include "apple/ax_names.h"
#include "apple/private.h"
#include "apple/system.h"
#endif
