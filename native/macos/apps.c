/* APPS: who has windows, as the window server knows them. NSWorkspace's list stands still without a main run loop. */
#include <stdlib.h>
#include <string.h>

#include "cf.h"
#include "ops.h"

typedef struct list {
    pid_t pids[1024];
    CFStringRef names[1024]; /* not retained: they live in the windows' list */
    uint32_t count;
} list;

static bool listed(const list *l, pid_t pid) {
    for (uint32_t i = 0; i < l->count; i++)
        if (l->pids[i] == pid) return true;
    return false;
}

static void take(list *l, CFDictionaryRef window) {
    double pid, layer = 0;
    if (!bs_cf_double(CFDictionaryGetValue(window, kCGWindowOwnerPID), &pid) || pid < 1 || listed(l, (pid_t)pid) || l->count == 1024) return;
    bs_cf_double(CFDictionaryGetValue(window, kCGWindowLayer), &layer);
    if (layer != 0) return; /* the Dock, the menu bar's extras and the like */
    CFTypeRef name = CFDictionaryGetValue(window, kCGWindowOwnerName);
    l->pids[l->count] = (pid_t)pid;
    l->names[l->count++] = bs_is_string(name) ? name : NULL;
}

static bool put(bs_job *job, pid_t pid, CFStringRef title) {
    int status;
    bs_app *app = bs_app_by_pid(pid, &status);
    if (!app) return false; /* it has ended meanwhile */
    bs_buf name = {0};
    bs_cf_text(title, &name);
    bs_put_cstr(&job->reply, app->bus);
    bs_put_cstr(&job->reply, "/0");
    bs_put_str(&job->reply, (const char *)name.data, name.length);
    bs_put_u32(&job->reply, (uint32_t)pid);
    bs_put_cstr(&job->reply, "AX");
    bs_put_cstr(&job->reply, "");
    bs_buf_free(&name);
    bs_app_release(app);
    return true;
}

int bs_op_apps(bs_job *job) {
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    if (!AXIsProcessTrusted()) return bs_job_fail(job, BACKSTEP_E_PERMISSION, "accessibility: this program may not use the accessibility of others");
    bs_apps_sweep(false);
    CFArrayRef windows = CGWindowListCopyWindowInfo(kCGWindowListOptionAll | kCGWindowListExcludeDesktopElements, kCGNullWindowID);
    list *l = calloc(1, sizeof *l);
    uint32_t count = 0;
    size_t at = job->reply.length;
    bs_put_u32(&job->reply, 0);
    for (CFIndex i = 0; l && windows && i < CFArrayGetCount(windows); i++) {
        CFTypeRef window = CFArrayGetValueAtIndex(windows, i);
        if (bs_is(window, CFDictionaryGetTypeID())) take(l, window);
    }
    for (uint32_t i = 0; l && i < l->count; i++) count += put(job, l->pids[i], l->names[i]);
    if (!job->reply.failed) memcpy(job->reply.data + at, &count, 4);
    bs_cf_drop(windows);
    bool well = l != NULL;
    free(l);
    return well ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
}
