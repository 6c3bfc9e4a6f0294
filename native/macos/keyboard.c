#include "keyboard.h"

#include "ask.h"
#include "cf.h"

int bs_keyboard_front(bs_job *job, bool *front) {
    *front = true;
    if (!job->app) return BACKSTEP_OK;
    if (!job->front) {
        CFTypeRef told = NULL;
        int status = bs_ask_one(job, job->app->element, bs_name()->attribute[AX_Frontmost], &told);
        if (status && status != BACKSTEP_E_UNSUPPORTED) return status;
        job->front = status || bs_cf_truth(told, true) ? 1 : 2;
        bs_cf_drop(told);
    }
    *front = job->front == 1;
    return BACKSTEP_OK;
}

/* An element that another names; NULL: none. The caller's to drop. */
static AXUIElementRef named_by(bs_job *job, AXUIElementRef of, enum bs_attribute which) {
    CFTypeRef got = NULL;
    if (!bs_ask_one(job, of, bs_name()->attribute[which], &got) && bs_is(got, AXUIElementGetTypeID())) return got;
    bs_cf_drop(got);
    return NULL;
}

bool bs_keyboard_within(bs_job *job, AXUIElementRef element, AXUIElementRef *to) {
    if (!job->app) return true;
    AXUIElementRef now = named_by(job, job->app->element, AX_FocusedWindow), window = now ? named_by(job, element, AX_Window) : NULL;
    bool there = !window || CFEqual(window, now);
    if (!there) { /* a sheet has the keyboard, and is no AXWindow */
        AXUIElementRef top = named_by(job, element, AX_TopLevelUIElement);
        there = top && CFEqual(top, now);
        bs_cf_drop(top);
    }
    bs_cf_drop(now);
    if (!there && to) *to = window;
    else bs_cf_drop(window);
    return there;
}
