/* POINTER, and what keys and pointer have in common. */
#include "input.h"

#include "../src/cond.h"
#include "cf.h"
#include "ops.h"

enum { MOVE, CLICK, DRAG, WHEEL };
#define STEP_US 8000u      /* between two events of one gesture */
#define DRAG_STEPS 30u

static CGEventSourceRef source;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static CGEventSourceRef ours(void) {
    pthread_mutex_lock(&lock);
    if (!source) {
        source = CGEventSourceCreate(kCGEventSourceStateHIDSystemState);
        if (source) CGEventSourceSetUserData(source, BS_OURS);
    }
    CGEventSourceRef s = source;
    pthread_mutex_unlock(&lock);
    return s;
}

void bs_input_stop(void) {
    pthread_mutex_lock(&lock);
    bs_cf_drop(source);
    source = NULL;
    pthread_mutex_unlock(&lock);
}

/* An operation releases what it pressed before it ends, also when nobody waits for it any more. */
void bs_input_release(uint64_t session) { (void)session; }

int bs_input_allowed(bs_job *job) {
    if (CGPreflightPostEventAccess()) return BACKSTEP_OK;
    return bs_job_fail(job, BACKSTEP_E_PERMISSION, "input: this program may not send keys and clicks (Privacy & Security, Accessibility)");
}

int bs_input_pause(bs_job *job, uint32_t us) {
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never;
    uint64_t until = bs_now_us() + us;
    if (bs_cond_init(&never)) return BACKSTEP_OK;
    pthread_mutex_lock(&own);
    while (bs_now_us() < until) bs_cond_until(&never, &own, until);
    pthread_mutex_unlock(&own);
    pthread_cond_destroy(&never);
    return atomic_load(&job->over) ? bs_job_fail(job, BACKSTEP_E_CANCELLED_UNKNOWN, "nobody waits for it any more") : BACKSTEP_OK;
}

static int post(bs_job *job, CGEventRef event, CGEventFlags flags) {
    if (!event) return bs_job_fail(job, BACKSTEP_E_MEMORY, "no event could be made");
    CGEventSetFlags(event, flags);
    atomic_store(&job->sent, true);
    CGEventPost(kCGHIDEventTap, event);
    bs_cf_drop(event);
    return BACKSTEP_OK;
}

int bs_input_key(bs_job *job, bs_stroke stroke, CGEventFlags held, bool down, const UniChar *units, uint32_t count) {
    CGEventRef event = CGEventCreateKeyboardEvent(ours(), stroke.key, down);
    if (event && count) CGEventKeyboardSetUnicodeString(event, count, units);
    return post(job, event, held | stroke.flags);
}

int bs_input_modifiers(bs_job *job, CGEventFlags from, CGEventFlags to) {
    static const CGEventFlags all[] = {kCGEventFlagMaskControl, kCGEventFlagMaskShift, kCGEventFlagMaskAlternate, kCGEventFlagMaskCommand};
    int status = BACKSTEP_OK;
    for (unsigned k = 0; k < 4; k++) {
        CGEventFlags one = all[to > from ? k : 3 - k];
        if ((from & one) == (to & one)) continue;
        from ^= one;
        int failed = bs_input_key(job, (bs_stroke){bs_key_of_modifier(one), 0}, from, (to & one) != 0, NULL, 0);
        if (failed) status = failed;
    }
    return status;
}

typedef struct gesture {
    uint32_t kind, button, count, duration;
    CGPoint at, to;
    int32_t wheel[2];
    CGEventFlags held;
} gesture;

static CGEventType typed(const gesture *g, CGEventType left, CGEventType right, CGEventType other) { return g->button == 1 ? left : g->button == 3 ? right : other; }
static CGMouseButton button_of(const gesture *g) { return g->button == 1 ? kCGMouseButtonLeft : g->button == 3 ? kCGMouseButtonRight : kCGMouseButtonCenter; }

static int mouse(bs_job *job, const gesture *g, CGEventType type, CGPoint at, int64_t click) {
    CGEventRef event = CGEventCreateMouseEvent(ours(), type, at, button_of(g));
    if (event && click) CGEventSetIntegerValueField(event, kCGMouseEventClickState, click);
    return post(job, event, g->held);
}

static int click(bs_job *job, const gesture *g) {
    CGEventType down = typed(g, kCGEventLeftMouseDown, kCGEventRightMouseDown, kCGEventOtherMouseDown), up = typed(g, kCGEventLeftMouseUp, kCGEventRightMouseUp, kCGEventOtherMouseUp);
    int status = BACKSTEP_OK;
    for (uint32_t i = 1; i <= g->count && !status; i++) {
        status = mouse(job, g, down, g->at, i);
        if (status) return status;
        int over = bs_input_pause(job, STEP_US);
        status = mouse(job, g, up, g->at, i); /* whatever happened meanwhile */
        if (!status) status = over;
    }
    return status;
}

static int drag(bs_job *job, const gesture *g) {
    CGEventType moved = typed(g, kCGEventLeftMouseDragged, kCGEventRightMouseDragged, kCGEventOtherMouseDragged);
    uint32_t pause = g->duration * 1000 / DRAG_STEPS > STEP_US ? g->duration * 1000 / DRAG_STEPS : STEP_US;
    int status = mouse(job, g, typed(g, kCGEventLeftMouseDown, kCGEventRightMouseDown, kCGEventOtherMouseDown), g->at, 1), over = BACKSTEP_OK;
    if (status) return status;
    CGPoint now = g->at;
    for (uint32_t i = 1; i <= DRAG_STEPS && !status && !over; i++) {
        over = bs_input_pause(job, pause);
        if (over) break;
        now = CGPointMake(g->at.x + (g->to.x - g->at.x) * i / DRAG_STEPS, g->at.y + (g->to.y - g->at.y) * i / DRAG_STEPS);
        status = mouse(job, g, moved, now, 1);
    }
    if (!over) over = bs_input_pause(job, pause);
    int last = mouse(job, g, typed(g, kCGEventLeftMouseUp, kCGEventRightMouseUp, kCGEventOtherMouseUp), now, 1);
    return over ? over : status ? status : last;
}

static int wheel(bs_job *job, const gesture *g) {
    int32_t down = g->wheel[1], right = g->wheel[0];
    int status = BACKSTEP_OK;
    while ((down || right) && !status) { /* a notch each, as a wheel turns */
        int32_t y = down > 0 ? 1 : down < 0 ? -1 : 0, x = right > 0 ? 1 : right < 0 ? -1 : 0;
        CGEventRef event = CGEventCreateScrollWheelEvent2(ours(), kCGScrollEventUnitLine, 2, -3 * y, -3 * x, 0);
        if (event) CGEventSetLocation(event, g->at);
        status = post(job, event, g->held);
        if (!status) status = bs_input_pause(job, STEP_US);
        down -= y, right -= x;
    }
    return status;
}

static CGEventFlags flags_of(uint32_t modifiers) {
    static const CGEventFlags all[] = {kCGEventFlagMaskControl, kCGEventFlagMaskShift, kCGEventFlagMaskAlternate, kCGEventFlagMaskCommand};
    CGEventFlags flags = 0;
    for (unsigned i = 0; i < 4; i++)
        if (modifiers & 1u << i) flags |= all[i];
    return flags;
}

int bs_op_pointer(bs_job *job) {
    bs_reader *r = &job->request;
    gesture g = {.kind = bs_get_u32(r)};
    g.at.x = bs_get_i32(r), g.at.y = bs_get_i32(r);
    g.button = bs_get_u32(r), g.count = bs_get_u32(r);
    g.to.x = bs_get_i32(r), g.to.y = bs_get_i32(r);
    g.duration = bs_get_u32(r);
    g.wheel[0] = bs_get_i32(r), g.wheel[1] = bs_get_i32(r);
    uint32_t modifiers = bs_get_u32(r);
    bool presses = g.kind == CLICK || g.kind == DRAG;
    if (bs_job_malformed(job) || g.kind > WHEEL || modifiers > 15 || (presses && (g.button < 1 || g.button > 3 || g.count < 1 || g.count > 10)) || g.duration > 60000) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    if (g.wheel[0] > 1000 || g.wheel[0] < -1000 || g.wheel[1] > 1000 || g.wheel[1] < -1000) return bs_job_fail(job, BACKSTEP_E_INVALID, "the wheel turns 1,000 notches at most");
    int status = bs_input_allowed(job);
    if (status) return status;
    CGEventFlags held = flags_of(modifiers);
    status = bs_input_modifiers(job, 0, held);
    g.held = held;
    if (!status) status = mouse(job, &(gesture){.button = 1, .held = held}, kCGEventMouseMoved, g.at, 0);
    if (!status && g.kind != MOVE) status = bs_input_pause(job, STEP_US);
    if (!status && g.kind == CLICK) status = click(job, &g);
    if (!status && g.kind == DRAG) status = drag(job, &g);
    if (!status && g.kind == WHEEL) status = wheel(job, &g);
    int released = bs_input_modifiers(job, held, 0);
    return status ? status : released;
}
