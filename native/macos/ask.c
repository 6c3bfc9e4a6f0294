#include "ask.h"

#include <time.h>

#include "../include/backstep.h"
#include "cf.h"
#include "guard.h"
#include "input.h"
#include "job.h"

#define MOST_S 1.5
#define YOUNG_US 30000000u /* an application is new for so long */
#define AGAIN_US 50000u
#define NOTHING 0.001 /* seconds that are not worth asking in */

enum what { MANY, ONE, PART, ACTIONS, SETTABLE, ABOUT, AT, OBSERVE, SET, PERFORM };

typedef struct message {
    enum what what;
    AXUIElementRef of;
    CFTypeRef name, value; /* value: also a list of names, a parameter */
    CFIndex from, most;
    double x, y;
    float timeout;
    AXObserverRef observer;
    void *refcon;
    CFTypeRef out;
    Boolean yes;
    AXError error;
} message;

static void send_message(void *argument) {
    message *m = argument;
    AXUIElementSetMessagingTimeout(m->of, m->timeout);
    switch (m->what) {
    case MANY: m->error = AXUIElementCopyMultipleAttributeValues(m->of, m->value, 0, (CFArrayRef *)&m->out); break;
    case ONE: m->error = AXUIElementCopyAttributeValue(m->of, m->name, &m->out); break;
    case PART: m->error = AXUIElementCopyAttributeValues(m->of, m->name, m->from, m->most, (CFArrayRef *)&m->out); break;
    case ACTIONS: m->error = AXUIElementCopyActionNames(m->of, (CFArrayRef *)&m->out); break;
    case SETTABLE: m->error = AXUIElementIsAttributeSettable(m->of, m->name, &m->yes); break;
    case ABOUT: m->error = AXUIElementCopyParameterizedAttributeValue(m->of, m->name, m->value, &m->out); break;
    case AT: m->error = AXUIElementCopyElementAtPosition(m->of, (float)m->x, (float)m->y, (AXUIElementRef *)&m->out); break;
    case OBSERVE: m->error = AXObserverAddNotification(m->observer, m->of, m->name, m->refcon); break;
    case SET: m->error = AXUIElementSetAttributeValue(m->of, m->name, m->value); break;
    case PERFORM: m->error = AXUIElementPerformAction(m->of, m->name); break;
    }
}

int bs_meaning(AXError error, bool act) {
    switch (error) {
    case kAXErrorSuccess:
    case kAXErrorNotificationAlreadyRegistered: return BACKSTEP_OK;
    case kAXErrorInvalidUIElement: return BACKSTEP_E_NO_ELEMENT;
    case kAXErrorAPIDisabled: return BACKSTEP_E_PERMISSION;
    case kAXErrorFailure:
    case kAXErrorCannotComplete:
    case kAXErrorNotEnoughPrecision: return act ? BACKSTEP_E_UNSURE : BACKSTEP_E_APP_ERROR;
    case kAXErrorAttributeUnsupported:
    case kAXErrorActionUnsupported: return act ? BACKSTEP_E_UNSURE : BACKSTEP_E_UNSUPPORTED;
    case kAXErrorIllegalArgument: return act ? BACKSTEP_E_REFUSED : BACKSTEP_E_APP_ERROR;
    case kAXErrorNoValue: return act ? BACKSTEP_E_UNSURE : BACKSTEP_E_UNSUPPORTED;
    case kAXErrorNotificationUnsupported:
    case kAXErrorNotificationNotRegistered:
    case kAXErrorNotImplemented:
    case kAXErrorParameterizedAttributeUnsupported: return BACKSTEP_E_UNSUPPORTED;
    default: return act ? BACKSTEP_E_UNSURE : BACKSTEP_E_APP_ERROR;
    }
}

const char *bs_meaning_text(AXError error) {
    switch (error) {
    case kAXErrorSuccess: return "it was done";
    case kAXErrorFailure: return "the application failed (kAXErrorFailure)";
    case kAXErrorIllegalArgument: return "the application does not take this (kAXErrorIllegalArgument)";
    case kAXErrorInvalidUIElement: return "the application knows no such element any more (kAXErrorInvalidUIElement)";
    case kAXErrorInvalidUIElementObserver: return "the observer is not valid (kAXErrorInvalidUIElementObserver)";
    case kAXErrorCannotComplete: return "the application did not complete the message (kAXErrorCannotComplete)";
    case kAXErrorAttributeUnsupported: return "the element has no such attribute (kAXErrorAttributeUnsupported)";
    case kAXErrorActionUnsupported: return "the element has no such action (kAXErrorActionUnsupported)";
    case kAXErrorNotificationUnsupported: return "the application does not tell this (kAXErrorNotificationUnsupported)";
    case kAXErrorNotImplemented: return "the application does not implement this (kAXErrorNotImplemented)";
    case kAXErrorNotificationAlreadyRegistered: return "it is told already (kAXErrorNotificationAlreadyRegistered)";
    case kAXErrorNotificationNotRegistered: return "it was not told (kAXErrorNotificationNotRegistered)";
    case kAXErrorAPIDisabled: return "accessibility: this program may not use the accessibility of others (kAXErrorAPIDisabled)";
    case kAXErrorNoValue: return "the attribute has no value (kAXErrorNoValue)";
    case kAXErrorParameterizedAttributeUnsupported: return "the element has no such attribute with a parameter (kAXErrorParameterizedAttributeUnsupported)";
    case kAXErrorNotEnoughPrecision: return "the value lacks precision (kAXErrorNotEnoughPrecision)";
    default: return "the application answered an error that nobody knows";
    }
}

static int too_late(bs_job *job) {
    bool sent = atomic_load(&job->sent);
    return bs_job_fail(job, sent ? BACKSTEP_E_TIMEOUT_UNKNOWN : BACKSTEP_E_TIMEOUT_UNSENT, sent ? "the application did not answer in time; what was asked may yet happen" : "the deadline passed before anything was asked for");
}

/* Sends it once. `act`: as a part of what the operation is there for. */
static int once(bs_job *job, message *m, bool act, double most) {
    if (atomic_load(&job->over)) return bs_job_fail(job, BACKSTEP_E_CANCELLED_UNKNOWN, "nobody waits for it any more");
    uint64_t now = bs_now_us();
    double left = job->deadline > now ? (double)(job->deadline - now) / 1e6 : 0;
    bool counts = act || job->code < BACKSTEP_OP_ACTION;
    if (left < NOTHING) return too_late(job);
    m->timeout = (float)(left < most ? left : most);
    if (counts) atomic_store(&job->sent, true);
    job->calls++;
    m->out = NULL;
    if (bs_guarded(send_message, m)) {
        m->error = kAXErrorFailure;
        return bs_job_fail(job, act ? BACKSTEP_E_UNSURE : BACKSTEP_E_APP_ERROR, "an exception came out of the application's object");
    }
    int status = bs_meaning(m->error, act);
    if (status && m->out) bs_cf_drop(m->out), m->out = NULL;
    if (!status) return status;
    if (job->app && (m->error == kAXErrorInvalidUIElement || m->error == kAXErrorCannotComplete) && !bs_app_runs(job->app)) return bs_job_fail(job, BACKSTEP_E_APP_GONE, "the application has ended");
    if (m->error == kAXErrorCannotComplete && bs_now_us() >= job->deadline) return too_late(job);
    return bs_job_fail(job, status, act && status == BACKSTEP_E_UNSURE ? "it may have happened: %s" : "%s", bs_meaning_text(m->error));
}

/* What was launched a moment ago does not complete messages yet. */
static bool begins(const bs_job *job) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t us = (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
    return job->app && job->app->started && us < job->app->started + YOUNG_US;
}

/* A question. One that was not answered in time is asked again, while there is some; one that failed at once, only once. */
static int question(bs_job *job, message *m) {
    bool failed = false;
    for (;;) {
        uint64_t began = bs_now_us();
        int status = once(job, m, false, MOST_S);
        bool late = (double)(bs_now_us() - began) >= 1e6 * (double)m->timeout * 0.9, young = !late && begins(job);
        if (status != BACKSTEP_E_APP_ERROR || m->error != kAXErrorCannotComplete || (!late && failed && !young)) return status;
        if (young && bs_input_pause(job, AGAIN_US)) return status;
        failed |= !late;
    }
}

/* For who knows no batches. */
static int one_by_one(bs_job *job, AXUIElementRef of, CFArrayRef names, CFArrayRef *out) {
    CFMutableArrayRef all = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
    int status = all ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    for (CFIndex i = 0; !status && i < CFArrayGetCount(names); i++) {
        message m = {.what = ONE, .of = of, .name = CFArrayGetValueAtIndex(names, i)};
        status = question(job, &m);
        if (status == BACKSTEP_E_UNSUPPORTED || status == BACKSTEP_E_APP_ERROR) status = BACKSTEP_OK;
        if (!status) CFArrayAppendValue(all, m.out ? m.out : (CFTypeRef)kCFNull);
        bs_cf_drop(m.out);
    }
    if (status) bs_cf_drop(all);
    else *out = all;
    return status;
}

int bs_ask_many(bs_job *job, AXUIElementRef of, CFArrayRef names, CFArrayRef *out) {
    message m = {.what = MANY, .of = of, .value = names};
    int status = question(job, &m);
    *out = m.out;
    if (status == BACKSTEP_E_UNSUPPORTED) return one_by_one(job, of, names, out);
    if (status || (m.out && bs_cf_array(m.out) && CFArrayGetCount(m.out) == CFArrayGetCount(names))) return status;
    bs_cf_drop(m.out);
    *out = NULL;
    return bs_job_fail(job, BACKSTEP_E_PROTOCOL, "the application answered another number of values than it was asked for");
}

int bs_ask_one(bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef *out) {
    message m = {.what = ONE, .of = of, .name = name};
    int status = question(job, &m);
    *out = m.out;
    if (!status && !m.out) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the attribute has no value");
    return status;
}

int bs_ask_part(bs_job *job, AXUIElementRef of, CFStringRef name, CFIndex from, CFIndex most, CFArrayRef *out) {
    message m = {.what = PART, .of = of, .name = name, .from = from, .most = most};
    int status = question(job, &m);
    *out = m.out;
    return status;
}

int bs_ask_actions(bs_job *job, AXUIElementRef of, CFArrayRef *out) {
    message m = {.what = ACTIONS, .of = of};
    int status = question(job, &m);
    *out = m.out;
    return status;
}

int bs_ask_settable(bs_job *job, AXUIElementRef of, CFStringRef name, bool *yes) {
    message m = {.what = SETTABLE, .of = of, .name = name};
    int status = question(job, &m);
    *yes = !status && m.yes;
    return status;
}

int bs_ask_about(bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef parameter, CFTypeRef *out) {
    message m = {.what = ABOUT, .of = of, .name = name, .value = parameter};
    int status = question(job, &m);
    *out = m.out;
    return status;
}

int bs_ask_at(bs_job *job, AXUIElementRef application, double x, double y, AXUIElementRef *out) {
    message m = {.what = AT, .of = application, .x = x, .y = y};
    int status = question(job, &m);
    *out = m.out;
    return status;
}

int bs_ask_observe(bs_job *job, AXUIElementRef of, AXObserverRef observer, CFStringRef notification, void *refcon) {
    message m = {.what = OBSERVE, .of = of, .observer = observer, .name = notification, .refcon = refcon};
    return once(job, &m, false, MOST_S);
}

int bs_tell_set(bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef value) {
    message m = {.what = SET, .of = of, .name = name, .value = value};
    return once(job, &m, true, 600);
}

int bs_tell_perform(bs_job *job, AXUIElementRef of, CFStringRef action) {
    message m = {.what = PERFORM, .of = of, .name = action};
    return once(job, &m, true, 600);
}

int bs_tell_aside(bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef value, AXError *error) {
    message m = {.what = SET, .of = of, .name = name, .value = value};
    int status = once(job, &m, false, MOST_S);
    *error = m.error;
    return status;
}
