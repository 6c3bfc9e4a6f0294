/* ACTION, FOCUS, SET_VALUE, SCROLL_TO. What the element does not offer is refused before anything is asked for. */
#include <math.h>
#include <string.h>

#include "ask.h"
#include "cf.h"
#include "keyboard.h"
#include "ops.h"
#include "row.h"

static bool has(CFArrayRef names, CFStringRef name) {
    for (CFIndex i = 0; bs_cf_array(names) && i < CFArrayGetCount(names); i++)
        if (CFEqual(CFArrayGetValueAtIndex(names, i), name)) return true;
    return false;
}

static int lacks(bs_job *job, CFArrayRef names) {
    bs_buf all = {0};
    for (CFIndex i = 0; bs_cf_array(names) && i < CFArrayGetCount(names) && all.length < 300; i++) {
        if (i) bs_put(&all, ", ", 2);
        bs_cf_text(CFArrayGetValueAtIndex(names, i), &all);
    }
    int status = bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the element has no such action; it has: %.*s", (int)all.length, all.length ? (const char *)all.data : "");
    bs_buf_free(&all);
    return status;
}

/* Unknown names may be answered with success: only what is listed is performed. */
static int perform(bs_job *job, CFStringRef name) {
    CFArrayRef names;
    int status = bs_ask_actions(job, job->element, &names);
    if (status) return status;
    if (!name && bs_cf_array(names) && CFArrayGetCount(names)) name = CFArrayGetValueAtIndex(names, 0);
    status = name && has(names, name) ? bs_tell_perform(job, job->element, name) : lacks(job, names);
    bs_cf_drop(names);
    return status;
}

static int action(bs_job *job) {
    bs_str text = bs_get_str(&job->request);
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    CFStringRef name = text.length ? bs_cf_string(text) : NULL;
    if (text.length && !name) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    int status = perform(job, name);
    bs_cf_drop(name);
    return status;
}

/* Setting what cannot be set "succeeds": it is asked first. */
static int set(bs_job *job, enum bs_attribute which, CFTypeRef value) {
    CFStringRef name = bs_name()->attribute[which];
    bool yes;
    int status = bs_ask_settable(job, job->element, name, &yes);
    if (status) return status;
    if (!yes) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "%s of this element cannot be set", bs_attribute_text(which));
    if (!value) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    return bs_tell_set(job, job->element, name, value);
}

static int raise_window(bs_job *job, AXUIElementRef window) {
    CFArrayRef actions = NULL;
    CFStringRef name = bs_name()->action[AX_DO_Raise];
    int status = !bs_ask_actions(job, window, &actions) && has(actions, name) ? bs_tell_perform(job, window, name) : BACKSTEP_OK;
    bs_cf_drop(actions);
    return status == BACKSTEP_E_UNSURE ? BACKSTEP_OK : status; /* as with windows: raised, whatever it answers */
}

static int keyboard_to_its_window(bs_job *job) {
    AXUIElementRef window = NULL;
    int status = bs_keyboard_within(job, job->element, &window) ? BACKSTEP_OK : raise_window(job, window);
    bs_cf_drop(window);
    return status;
}

static int focus(bs_job *job) {
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    CFTypeRef role = NULL;
    int status = bs_ask_one(job, job->element, bs_name()->attribute[AX_Role], &role);
    if (status) return status;
    bs_buf text = {0};
    bs_cf_text(role, &text);
    bs_cf_drop(role);
    enum bs_ax_role which = text.failed ? AX_ROLE_COUNT : bs_role_number((const char *)text.data, text.length);
    bs_buf_free(&text);
    if (which == AX_ROLE_Application) return set(job, AX_Frontmost, kCFBooleanTrue);
    if (which != AX_ROLE_Window) {
        bool front;
        if ((status = set(job, AX_Focused, kCFBooleanTrue)) || (status = bs_keyboard_front(job, &front))) return status;
        if (!front && (status = bs_tell_set(job, job->app->element, bs_name()->attribute[AX_Frontmost], kCFBooleanTrue))) return status;
        return keyboard_to_its_window(job);
    }
    return perform(job, bs_name()->action[AX_DO_Raise]);
}

static int set_value(bs_job *job) {
    double value = bs_get_f64(&job->request);
    if (bs_job_malformed(job) || !isfinite(value)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request, or no finite number");
    CFNumberRef number = bs_cf_number(value);
    int status = set(job, AX_Value, number);
    bs_cf_drop(number);
    if (status) return status;
    CFTypeRef now = NULL;
    double told = NAN;
    if (!bs_ask_one(job, job->element, bs_name()->attribute[AX_Value], &now)) bs_cf_double(now, &told);
    bs_cf_drop(now);
    bs_buf_clear(&job->reply);
    bs_put_f64(&job->reply, told);
    return BACKSTEP_OK;
}

static int scroll_to(bs_job *job) {
    bs_get_u32(&job->request); /* how far: AppKit decides */
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    return perform(job, bs_name()->action[AX_DO_ScrollToVisible]);
}

int bs_op_act(bs_job *job) {
    switch (job->code) {
    case BACKSTEP_OP_ACTION: return action(job);
    case BACKSTEP_OP_FOCUS: return focus(job);
    case BACKSTEP_OP_SET_VALUE: return set_value(job);
    default: return scroll_to(job);
    }
}
