/* CONNECT: there is one desktop, the one that this process runs on. */
#include "cf.h"
#include "ops.h"

enum { PLATFORM = 4, FLAGS = 7 };

/* The box around all displays, in points. */
static CGRect screen(void) {
    CGDirectDisplayID displays[16];
    uint32_t count = 0;
    CGRect box = CGRectMake(0, 0, 0, 0);
    if (CGGetActiveDisplayList(16, displays, &count)) return box;
    for (uint32_t i = 0; i < count; i++) {
        CGRect one = CGDisplayBounds(displays[i]);
        double right = one.origin.x + one.size.width, bottom = one.origin.y + one.size.height;
        if (right > box.size.width) box.size.width = right;
        if (bottom > box.size.height) box.size.height = bottom;
    }
    return box;
}

int bs_op_connect(bs_job *job) {
    bs_reader *r = &job->request;
    bs_str a11y = bs_get_str(r), session = bs_get_str(r), display = bs_get_str(r);
    uint32_t flags = r->at < r->length ? bs_get_u32(r) : 0;
    if (bs_job_malformed(job) || flags & ~(uint32_t)FLAGS || a11y.length || session.length || display.length || !(flags & PLATFORM)) return bs_job_fail(job, BACKSTEP_E_INVALID, "macOS has but the desktop that this process runs on: CONNECT takes flag 4 and no address");
    CGRect box = screen();
    if (box.size.width < 1) return bs_job_fail(job, BACKSTEP_E_DISPLAY, "this process runs outside of a login session: no display can be seen from here");
    bs_put_u32(&job->reply, (AXIsProcessTrusted() ? 1 : 0) | 2);
    bs_put_cstr(&job->reply, "macos");
    bs_put_i32(&job->reply, (int32_t)box.size.width);
    bs_put_i32(&job->reply, (int32_t)box.size.height);
    return BACKSTEP_OK;
}
