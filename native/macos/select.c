/* SELECT: rows by AXSelectedRows, tabs by pressing them, other children by AXSelectedChildren or their own AXSelected. */
#include <stdlib.h>

#include "ask.h"
#include "cf.h"
#include "ops.h"
#include "row.h"

enum { DESELECT, SELECT, ALL, NONE };

static int settable(bs_job *job, AXUIElementRef of, enum bs_attribute which, bool *yes) {
    int status = bs_ask_settable(job, of, bs_name()->attribute[which], yes);
    return status == BACKSTEP_E_UNSUPPORTED || status == BACKSTEP_E_APP_ERROR ? BACKSTEP_OK : status;
}

static bool among(CFArrayRef list, CFTypeRef one) {
    for (CFIndex i = 0; list && i < CFArrayGetCount(list); i++)
        if (CFEqual(CFArrayGetValueAtIndex(list, i), one)) return true;
    return false;
}

/* What is to be chosen afterwards. */
static CFArrayRef wanted(CFArrayRef children, CFArrayRef now, CFTypeRef child, uint32_t mode) {
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
    if (!list) return NULL;
    for (CFIndex i = 0; children && mode == ALL && i < CFArrayGetCount(children); i++) CFArrayAppendValue(list, CFArrayGetValueAtIndex(children, i));
    for (CFIndex i = 0; now && (mode == SELECT || mode == DESELECT) && i < CFArrayGetCount(now); i++) {
        CFTypeRef one = CFArrayGetValueAtIndex(now, i);
        if (mode == SELECT || !CFEqual(one, child)) CFArrayAppendValue(list, one);
    }
    if (mode == SELECT && !among(now, child)) CFArrayAppendValue(list, child);
    return list;
}

/* One that takes several keeps those; AppKit drops the others of one that takes one. */
static int by_list(bs_job *job, enum bs_attribute which, CFArrayRef children, CFTypeRef child, uint32_t mode) {
    CFTypeRef now = NULL;
    int status = bs_ask_one(job, job->element, bs_name()->attribute[which], &now);
    if (status && status != BACKSTEP_E_UNSUPPORTED && status != BACKSTEP_E_APP_ERROR) return status;
    CFArrayRef list = wanted(children, bs_cf_array(now), child, mode);
    status = list ? bs_tell_set(job, job->element, bs_name()->attribute[which], list) : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    bs_cf_drop(list);
    bs_cf_drop(now);
    return status;
}

static int by_child(bs_job *job, AXUIElementRef child, uint32_t mode) {
    bool yes;
    int status = settable(job, child, AX_Selected, &yes);
    if (status) return status;
    if (yes) return bs_tell_set(job, child, bs_name()->attribute[AX_Selected], mode == SELECT ? kCFBooleanTrue : kCFBooleanFalse);
    CFArrayRef names = NULL;
    status = mode == SELECT ? bs_ask_actions(job, child, &names) : BACKSTEP_E_UNSUPPORTED;
    bool press = !status && bs_cf_array(names) && among(names, bs_name()->action[AX_DO_Press]);
    bs_cf_drop(names);
    if (press) return bs_tell_perform(job, child, bs_name()->action[AX_DO_Press]);
    return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "neither the container nor the child takes a choice");
}

static int choose(bs_job *job, CFArrayRef children, CFIndex index, uint32_t mode) {
    bool one = mode == SELECT || mode == DESELECT;
    CFTypeRef child = one && children && index >= 0 && index < CFArrayGetCount(children) ? CFArrayGetValueAtIndex(children, index) : NULL;
    if (one && !bs_is(child, AXUIElementGetTypeID())) return bs_job_fail(job, BACKSTEP_E_NO_ELEMENT, "the container has no such child");
    bool rows, several = false;
    int status = settable(job, job->element, AX_SelectedRows, &rows);
    if (!status && !rows) status = settable(job, job->element, AX_SelectedChildren, &several);
    if (status) return status;
    if (rows || several) return by_list(job, rows ? AX_SelectedRows : AX_SelectedChildren, children, child, mode);
    if (one) return by_child(job, child, mode);
    return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the container takes no choice of several");
}

int bs_op_select(bs_job *job) {
    int32_t index = bs_get_i32(&job->request);
    uint32_t mode = bs_get_u32(&job->request);
    if (bs_job_malformed(job) || mode > NONE) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    CFTypeRef children = NULL;
    int status = bs_ask_one(job, job->element, bs_name()->attribute[AX_Children], &children);
    if (!status) status = choose(job, bs_cf_array(children), index, mode);
    bs_cf_drop(children);
    if (status == BACKSTEP_E_NO_ELEMENT) return bs_job_fail(job, BACKSTEP_E_INVALID, "%s", "the container has no such child");
    return status;
}
