/* HOLDERS: whose keys, windows and places are, as the window server and the accessibility server have it, whatever applications say. */
#include <unistd.h>

#include "ask.h"
#include "cf.h"
#include "ops.h"
#include "windows.h"

enum { NOT_TOLD = 0, CLIENT = 1, OURS = 2 };
enum { SHOWN = 1, OWN = 4 };
enum { MOST_WINDOWS = 4096, MOST_PLACES = 16, MOST_LISTED = 4096 };
/* The pointer itself is a window above all others (kCGCursorWindowLevel). */
#define LAYER_CURSOR 2147483630

/* Who gets what is typed; 0: not told. */
static int focused(bs_job *job, pid_t *pid) {
    AXUIElementRef system = AXUIElementCreateSystemWide();
    CFTypeRef application = NULL;
    *pid = 0;
    if (!system) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    int status = bs_ask_one(job, system, bs_name()->attribute[AX_FocusedApplication], &application);
    if (!status && bs_is(application, AXUIElementGetTypeID()) && AXUIElementGetPid(application, pid)) *pid = 0;
    bs_cf_drop(application);
    bs_cf_drop(system);
    return status == BACKSTEP_E_UNSUPPORTED || status == BACKSTEP_E_APP_ERROR ? BACKSTEP_OK : status;
}

static void put_clients(bs_buf *to, CFArrayRef list, CFIndex n) {
    uint32_t count = 0, pids[MOST_LISTED];
    bool shown[MOST_LISTED];
    bs_window w;
    for (CFIndex i = 0; i < n; i++) {
        if (!bs_window_at(list, i, &w)) continue;
        uint32_t at = 0;
        while (at < count && pids[at] != (uint32_t)w.pid) at++;
        if (at == count) pids[count] = (uint32_t)w.pid, shown[count++] = false;
        shown[at] |= w.shown;
    }
    bs_put_u32(to, count);
    for (uint32_t i = 0; i < count; i++) {
        bs_put_u32(to, pids[i]);
        bs_put_u32(to, (shown[i] ? SHOWN : 0) | (pids[i] == (uint32_t)getpid() ? OWN : 0));
    }
}

static void put_owner(bs_buf *to, CFArrayRef list, CFIndex n, uint32_t number) {
    bs_window w;
    uint32_t pid = 0;
    for (CFIndex i = 0; i < n && !pid; i++)
        if (bs_window_at(list, i, &w) && w.number == number) pid = (uint32_t)w.pid;
    bs_put_u32(to, pid);
}

/* The first that lies there: of any layer, since whoever is above gets the click. Nobody: none. */
static void put_top(bs_buf *to, CFArrayRef list, CFIndex n, double x, double y) {
    bs_window w;
    for (CFIndex i = 0; i < n; i++) {
        if (!bs_window_at(list, i, &w) || !w.shown || w.layer >= LAYER_CURSOR) continue;
        CGRect r = w.bounds;
        if (x < r.origin.x || y < r.origin.y || x >= r.origin.x + r.size.width || y >= r.origin.y + r.size.height) continue;
        bs_put_u32(to, 1);
        bs_put_u32(to, (uint32_t)w.pid);
        return;
    }
    bs_put_u32(to, 0);
}

int bs_op_holders(bs_job *job) {
    bs_reader *r = &job->request;
    uint32_t windows = bs_get_u32(r);
    bs_reader of_windows = *r;
    for (uint32_t i = 0; i < windows && i < MOST_WINDOWS; i++) bs_get_u32(r);
    uint32_t places = bs_get_u32(r);
    bs_reader of_places = *r;
    for (uint32_t i = 0; i < places && i < MOST_PLACES; i++) bs_get_i32(r), bs_get_i32(r);
    if (windows > MOST_WINDOWS || places > MOST_PLACES || bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "the request names too many windows or places, or is malformed");
    pid_t pid;
    int status = focused(job, &pid);
    if (status) return status;
    CFArrayRef list = bs_window_list();
    if (!list) return bs_job_fail(job, BACKSTEP_E_DISPLAY, "the window server lists no windows: this process runs outside of a login session");
    CFIndex n = CFArrayGetCount(list);
    if (n > MOST_LISTED) n = MOST_LISTED;
    bs_buf out = {0};
    bs_put_u32(&out, 0); /* nobody can grab keyboard or pointer here */
    bs_put_u32(&out, (uint32_t)pid);
    bs_put_u32(&out, !pid ? NOT_TOLD : pid == getpid() ? OURS : CLIENT);
    bs_put_u32(&out, 0); /* a pasteboard does not tell who wrote it */
    bs_put_u32(&out, NOT_TOLD);
    put_clients(&out, list, n);
    bs_put_u32(&out, windows);
    for (uint32_t i = 0; i < windows; i++) put_owner(&out, list, n, bs_get_u32(&of_windows));
    bs_put_u32(&out, places);
    for (uint32_t i = 0; i < places; i++) {
        double x = bs_get_i32(&of_places), y = bs_get_i32(&of_places);
        put_top(&out, list, n, x, y);
    }
    bs_cf_drop(list);
    bs_buf_free(&job->reply);
    job->reply = out;
    return out.failed ? bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory") : BACKSTEP_OK;
}
