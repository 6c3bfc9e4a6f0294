/* AT_POINT */
#include "ask.h"
#include "cf.h"
#include "ops.h"
#include "row.h"

int bs_op_at_point(bs_job *job) {
    uint32_t coords = bs_get_u32(&job->request);
    double x = bs_get_i32(&job->request), y = bs_get_i32(&job->request);
    if (bs_job_malformed(job) || coords > 1) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    if (coords) {
        CFArrayRef got;
        int status = bs_ask_many(job, job->element, bs_name()->places, &got);
        if (status) return status;
        double left = 0, top = 0;
        bs_cf_point(bs_cf_at(got, P_POSITION), &left, &top);
        bs_cf_drop(got);
        x += left, y += top;
    }
    AXUIElementRef found = NULL;
    int status = bs_ask_at(job, job->app->element, x, y, &found);
    if (status && status != BACKSTEP_E_UNSUPPORTED && status != BACKSTEP_E_APP_ERROR) return status;
    bool own = found && bs_is(found, AXUIElementGetTypeID());
    uint32_t number = own && !CFEqual(found, job->app->element) ? bs_handle_of(&job->app->handles, found) : 0;
    char path[16];
    bs_path_text(number, path);
    bs_buf_clear(&job->reply);
    bs_put_cstr(&job->reply, own ? job->app->bus : "");
    bs_put_cstr(&job->reply, own ? path : "");
    bs_cf_drop(found);
    return BACKSTEP_OK;
}
