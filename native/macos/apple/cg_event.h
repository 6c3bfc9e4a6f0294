/* CoreGraphics: input. */
#ifndef BS_APPLE_CG_EVENT_H
#define BS_APPLE_CG_EVENT_H
#include "cg.h"
#include "runloop.h"
#include <sys/types.h>

typedef struct __CGEvent *CGEventRef;
typedef struct __CGEventSource *CGEventSourceRef;
typedef void *CGEventTapProxy;
typedef uint32_t CGEventType;
typedef uint32_t CGEventField;
typedef uint64_t CGEventFlags;
typedef uint64_t CGEventMask;
typedef uint64_t CGEventTimestamp;
typedef int32_t CGEventSourceStateID;
typedef uint32_t CGEventTapLocation;
typedef uint32_t CGEventTapPlacement;
typedef uint32_t CGEventTapOptions;
typedef uint32_t CGMouseButton;
typedef uint32_t CGScrollEventUnit;
typedef uint16_t CGKeyCode;
typedef CGEventRef (*CGEventTapCallBack)(CGEventTapProxy proxy, CGEventType type, CGEventRef event, void *info);

enum {
    kCGEventNull = 0,
    kCGEventLeftMouseDown = 1,
    kCGEventLeftMouseUp = 2,
    kCGEventRightMouseDown = 3,
    kCGEventRightMouseUp = 4,
    kCGEventMouseMoved = 5,
    kCGEventLeftMouseDragged = 6,
    kCGEventRightMouseDragged = 7,
    kCGEventKeyDown = 10,
    kCGEventKeyUp = 11,
    kCGEventFlagsChanged = 12,
    kCGEventScrollWheel = 22,
    kCGEventOtherMouseDown = 25,
    kCGEventOtherMouseUp = 26,
    kCGEventOtherMouseDragged = 27
};
#define kCGEventTapDisabledByTimeout 0xFFFFFFFEu
#define kCGEventTapDisabledByUserInput 0xFFFFFFFFu
#define kCGAnyInputEventType 0xFFFFFFFFu
enum {
    kCGEventFlagMaskNonCoalesced = 0x100,
    kCGEventFlagMaskAlphaShift = 0x10000,
    kCGEventFlagMaskShift = 0x20000,
    kCGEventFlagMaskControl = 0x40000,
    kCGEventFlagMaskAlternate = 0x80000,
    kCGEventFlagMaskCommand = 0x100000,
    kCGEventFlagMaskNumericPad = 0x200000,
    kCGEventFlagMaskHelp = 0x400000,
    kCGEventFlagMaskSecondaryFn = 0x800000
};
enum {
    kCGMouseEventNumber = 0,
    kCGMouseEventClickState = 1,
    kCGMouseEventPressure = 2,
    kCGMouseEventButtonNumber = 3,
    kCGMouseEventDeltaX = 4,
    kCGMouseEventDeltaY = 5,
    kCGMouseEventSubtype = 7,
    kCGKeyboardEventAutorepeat = 8,
    kCGKeyboardEventKeycode = 9,
    kCGKeyboardEventKeyboardType = 10,
    kCGScrollWheelEventDeltaAxis1 = 11,
    kCGScrollWheelEventDeltaAxis2 = 12,
    kCGEventTargetProcessSerialNumber = 39,
    kCGEventTargetUnixProcessID = 40,
    kCGEventSourceUnixProcessID = 41,
    kCGEventSourceUserData = 42,
    kCGEventSourceStateID = 45,
    kCGScrollWheelEventIsContinuous = 88,
    kCGMouseEventWindowUnderMousePointer = 91,
    kCGMouseEventWindowUnderMousePointerThatCanHandleThisEvent = 92,
    kCGScrollWheelEventFixedPtDeltaAxis1 = 93,
    kCGScrollWheelEventFixedPtDeltaAxis2 = 94,
    kCGScrollWheelEventPointDeltaAxis1 = 96,
    kCGScrollWheelEventPointDeltaAxis2 = 97
};
enum { kCGMouseButtonLeft = 0, kCGMouseButtonRight = 1, kCGMouseButtonCenter = 2 };
enum { kCGScrollEventUnitPixel = 0, kCGScrollEventUnitLine = 1 };
enum { kCGHIDEventTap = 0, kCGSessionEventTap = 1, kCGAnnotatedSessionEventTap = 2 };
enum { kCGHeadInsertEventTap = 0, kCGTailAppendEventTap = 1 };
enum { kCGEventTapOptionDefault = 0, kCGEventTapOptionListenOnly = 1 };
enum { kCGEventSourceStatePrivate = -1, kCGEventSourceStateCombinedSessionState = 0, kCGEventSourceStateHIDSystemState = 1 };

CGEventSourceRef CGEventSourceCreate(CGEventSourceStateID state);
CGEventFlags CGEventSourceFlagsState(CGEventSourceStateID state);
bool CGEventSourceKeyState(CGEventSourceStateID state, CGKeyCode key);
bool CGEventSourceButtonState(CGEventSourceStateID state, CGMouseButton button);
CFTimeInterval CGEventSourceSecondsSinceLastEventType(CGEventSourceStateID state, CGEventType type);
uint32_t CGEventSourceCounterForEventType(CGEventSourceStateID state, CGEventType type);
void CGEventSourceSetLocalEventsSuppressionInterval(CGEventSourceRef source, CFTimeInterval seconds);
void CGEventSourceSetUserData(CGEventSourceRef source, int64_t data);

CGEventRef CGEventCreate(CGEventSourceRef source);
CGEventRef CGEventCreateKeyboardEvent(CGEventSourceRef source, CGKeyCode key, bool down);
CGEventRef CGEventCreateMouseEvent(CGEventSourceRef source, CGEventType type, CGPoint at, CGMouseButton button);
CGEventRef CGEventCreateScrollWheelEvent2(CGEventSourceRef source, CGScrollEventUnit unit, uint32_t wheels, int32_t first, int32_t second, int32_t third);
CGEventRef CGEventCreateCopy(CGEventRef event);
CGEventType CGEventGetType(CGEventRef event);
void CGEventSetType(CGEventRef event, CGEventType type);
CGPoint CGEventGetLocation(CGEventRef event);
void CGEventSetLocation(CGEventRef event, CGPoint at);
CGEventFlags CGEventGetFlags(CGEventRef event);
void CGEventSetFlags(CGEventRef event, CGEventFlags flags);
CGEventTimestamp CGEventGetTimestamp(CGEventRef event);
void CGEventSetTimestamp(CGEventRef event, CGEventTimestamp at);
int64_t CGEventGetIntegerValueField(CGEventRef event, CGEventField field);
void CGEventSetIntegerValueField(CGEventRef event, CGEventField field, int64_t value);
double CGEventGetDoubleValueField(CGEventRef event, CGEventField field);
void CGEventSetDoubleValueField(CGEventRef event, CGEventField field, double value);
/* 20 UTF-16 units an event at most. */
void CGEventKeyboardSetUnicodeString(CGEventRef event, unsigned long count, const UniChar *units);
void CGEventKeyboardGetUnicodeString(CGEventRef event, unsigned long most, unsigned long *count, UniChar *units);
void CGEventPost(CGEventTapLocation tap, CGEventRef event);
void CGEventPostToPid(pid_t pid, CGEventRef event);

/* NULL without the grant (Input Monitoring, or Accessibility where the tap may change events). */
CFMachPortRef CGEventTapCreate(CGEventTapLocation tap, CGEventTapPlacement place, CGEventTapOptions options, CGEventMask mask, CGEventTapCallBack callback, void *info);
void CGEventTapEnable(CFMachPortRef tap, bool enable);
bool CGEventTapIsEnabled(CFMachPortRef tap);

CGError CGWarpMouseCursorPosition(CGPoint at);
CGError CGAssociateMouseAndMouseCursorPosition(uint32_t connected);

bool CGPreflightPostEventAccess(void);
bool CGRequestPostEventAccess(void);
bool CGPreflightListenEventAccess(void);
bool CGRequestListenEventAccess(void);
bool CGPreflightScreenCaptureAccess(void);
bool CGRequestScreenCaptureAccess(void);
#endif
