#include "watch.h"

#include "cf.h"
#include "input.h"
#include "observe.h"
#include "ops.h"

#define NEAR 8.0 /* points: less is no motion of somebody's */

enum { NONE, COUNTED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CFMachPortRef tap;
static CFRunLoopSourceRef source;
static CFRunLoopRef loop;
static uint64_t watchers[BS_MAX_SESSIONS];
static CGPoint left; /* where the pointer was last seen: by us or by them */
static bool left_known;

static void tell(uint32_t keys, uint32_t buttons, uint32_t wheel, uint32_t moved) {
    for (unsigned i = 0; i < BS_MAX_SESSIONS; i++) {
        uint64_t session = __atomic_load_n(&watchers[i], __ATOMIC_ACQUIRE);
        if (!session) continue;
        bs_buf out = {0};
        bs_put_u64(&out, bs_now_us());
        bs_put_u32(&out, keys);
        bs_put_u32(&out, buttons);
        bs_put_u32(&out, wheel);
        bs_put_u32(&out, moved);
        bs_core_event(session, BACKSTEP_R_INPUT, &out);
    }
}

static bool far(CGPoint at) {
    double x = at.x - left.x, y = at.y - left.y;
    return x * x + y * y > NEAR * NEAR;
}

static bool moves(CGEventType type) { return type == kCGEventMouseMoved || type == kCGEventLeftMouseDragged || type == kCGEventRightMouseDragged || type == kCGEventOtherMouseDragged; }

/* Each is told by itself: the record says when. Which key it was is never looked at. */
static CGEventRef heard(CGEventTapProxy proxy, CGEventType type, CGEventRef event, void *info) {
    (void)proxy, (void)info;
    if (type == kCGEventTapDisabledByTimeout || type == kCGEventTapDisabledByUserInput) {
        if (tap) CGEventTapEnable(tap, true);
        return event;
    }
    CGPoint at = CGEventGetLocation(event);
    bool ours = CGEventGetIntegerValueField(event, kCGEventSourceUserData) == BS_OURS, moved = moves(type) && (!left_known || far(at));
    if (moves(type) && (ours || moved)) left = at, left_known = true;
    if (ours) return event;
    if (type == kCGEventKeyDown) tell(1, 0, 0, 0);
    else if (type == kCGEventLeftMouseDown || type == kCGEventRightMouseDown || type == kCGEventOtherMouseDown) tell(0, 1, 0, 0);
    else if (type == kCGEventScrollWheel) tell(0, 0, 1, 0);
    else if (moved) tell(0, 0, 0, 1);
    return event;
}

static int listen_to_all(bs_job *job) {
    static const CGEventType types[] = {kCGEventKeyDown, kCGEventLeftMouseDown, kCGEventRightMouseDown, kCGEventOtherMouseDown, kCGEventScrollWheel, kCGEventMouseMoved, kCGEventLeftMouseDragged, kCGEventRightMouseDragged, kCGEventOtherMouseDragged};
    CGEventMask mask = 0;
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) mask |= (CGEventMask)1 << types[i];
    if (tap) {
        CGEventTapEnable(tap, true);
        return BACKSTEP_OK;
    }
    CFRunLoopRef on = bs_observers_loop();
    CFMachPortRef made = on ? CGEventTapCreate(kCGSessionEventTap, kCGHeadInsertEventTap, kCGEventTapOptionListenOnly, mask, heard, NULL) : NULL;
    if (!made) return bs_job_fail(job, BACKSTEP_E_PERMISSION, "input: this program may not notice what others do (Privacy & Security, Input Monitoring)");
    CFRunLoopSourceRef to = CFMachPortCreateRunLoopSource(NULL, made, 0);
    if (!to) {
        bs_cf_drop(made);
        return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    }
    tap = made, source = to, loop = on;
    left_known = false;
    CFRunLoopAddSource(on, to, kCFRunLoopDefaultMode);
    CGEventTapEnable(made, true);
    CFRunLoopWakeUp(on);
    return BACKSTEP_OK;
}

static bool watched(void) {
    for (unsigned i = 0; i < BS_MAX_SESSIONS; i++)
        if (watchers[i]) return true;
    return false;
}

static void set_watcher(uint64_t session, bool on) { __atomic_store_n(&watchers[BS_SLOT(session)], on ? session : 0, __ATOMIC_RELEASE); }

int bs_op_watch_input(bs_job *job) {
    uint32_t what = bs_get_u32(&job->request);
    if (bs_job_malformed(job) || what > 2) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    if (what > COUNTED) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "what a person does is not told one by one on macOS yet");
    pthread_mutex_lock(&lock);
    int status = what == COUNTED ? CGPreflightListenEventAccess() ? listen_to_all(job) : bs_job_fail(job, BACKSTEP_E_PERMISSION, "input: this program may not notice what others do (Privacy & Security, Input Monitoring)") : BACKSTEP_OK;
    if (!status) set_watcher(job->session, what == COUNTED);
    if (tap && !watched()) CGEventTapEnable(tap, false);
    pthread_mutex_unlock(&lock);
    return status;
}

void bs_watch_forget(uint64_t session) {
    pthread_mutex_lock(&lock);
    if (watchers[BS_SLOT(session)] == session) set_watcher(session, false);
    if (tap && !watched()) CGEventTapEnable(tap, false);
    pthread_mutex_unlock(&lock);
}

void bs_watch_pause(void) {
    pthread_mutex_lock(&lock);
    if (tap) {
        CGEventTapEnable(tap, false);
        CFRunLoopRemoveSource(loop, source, kCFRunLoopDefaultMode);
    }
    pthread_mutex_unlock(&lock);
}

void bs_watch_stop(void) {
    pthread_mutex_lock(&lock);
    if (tap) CFMachPortInvalidate(tap);
    bs_cf_drop(source);
    bs_cf_drop(tap);
    tap = NULL, source = NULL, loop = NULL;
    pthread_mutex_unlock(&lock);
}
