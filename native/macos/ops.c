#include "ops.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cf.h"
#include "observe.h"
#include "row.h"
#include "wake_web.h"

int bs_job_fail(bs_job *job, int status, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(job->why, sizeof job->why, format, list);
    va_end(list);
    size_t n = strlen(job->why);
    while (n && !bs_utf8_valid(job->why, n)) job->why[--n] = 0; /* cut within a character */
    return status;
}

bs_job *bs_job_new(bs_command *command) {
    bs_job *job = calloc(1, sizeof *job);
    if (!job) return NULL;
    job->session = command->session;
    job->ticket = command->ticket;
    job->deadline = command->deadline_us;
    job->code = command->op;
    job->command = command;
    job->request = (bs_reader){command->request, command->length, 0, false};
    return job;
}

void bs_job_free(bs_job *job) {
    bs_cf_drop(job->element);
    bs_app_release(job->app);
    bs_buf_free(&job->reply);
    free(job->command);
    free(job);
}

bool bs_job_malformed(bs_job *job) { return job->request.failed || job->request.at != job->request.length; }

int bs_job_element(bs_job *job) {
    if (!job->number) job->element = (AXUIElementRef)CFRetain(job->app->element);
    else job->element = bs_handle_take(&job->app->handles, job->number);
    return job->element ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_NO_ELEMENT, "no element has this number (any more)");
}

static int (*const operations[])(bs_job *) = {
    [BACKSTEP_OP_CONNECT] = bs_op_connect, [BACKSTEP_OP_APPS] = bs_op_apps, [BACKSTEP_OP_SNAPSHOT] = bs_op_snapshot, [BACKSTEP_OP_READ] = bs_op_snapshot,
    [BACKSTEP_OP_AT_POINT] = bs_op_at_point, [BACKSTEP_OP_FIND_ROLE] = bs_op_find_role, [BACKSTEP_OP_ROLES] = bs_op_find_role, [BACKSTEP_OP_PLACES] = bs_op_places,
    [BACKSTEP_OP_ACTION] = bs_op_act, [BACKSTEP_OP_FOCUS] = bs_op_act, [BACKSTEP_OP_SET_VALUE] = bs_op_act, [BACKSTEP_OP_SCROLL_TO] = bs_op_act,
    [BACKSTEP_OP_SET_TEXT] = bs_op_text, [BACKSTEP_OP_INSERT_TEXT] = bs_op_text, [BACKSTEP_OP_DELETE_TEXT] = bs_op_text, [BACKSTEP_OP_CARET] = bs_op_text,
    [BACKSTEP_OP_SELECT_TEXT] = bs_op_text, [BACKSTEP_OP_SELECT] = bs_op_select, [BACKSTEP_OP_TEXT] = bs_op_type, [BACKSTEP_OP_CHORD] = bs_op_type,
    [BACKSTEP_OP_RELEASE] = bs_op_type, [BACKSTEP_OP_POINTER] = bs_op_pointer, [BACKSTEP_OP_WATCH_INPUT] = bs_op_watch_input, [BACKSTEP_OP_CAPTURE] = bs_op_capture, [BACKSTEP_OP_WINDOWS] = bs_op_windows,
    [BACKSTEP_OP_WINDOW] = bs_op_window, [BACKSTEP_OP_HOLDERS] = bs_op_holders, [BACKSTEP_OP_CLIP_READ] = bs_op_clipboard, [BACKSTEP_OP_CLIP_WRITE] = bs_op_clipboard, [BACKSTEP_OP_CLIP_KEEP] = bs_op_clipboard,
    [BACKSTEP_OP_CLIP_RESTORE] = bs_op_clipboard, [BACKSTEP_OP_CLIP_LEAVE] = bs_op_clipboard,
};

static const char *lacking(uint32_t code) {
    switch (code) {
    case BACKSTEP_OP_SCROLL_TO_POINT: return "macOS scrolls an element into view, and not to a place";
    case BACKSTEP_OP_IF_SAME: return "macOS is asked what an element is before something is done to it";
    case BACKSTEP_OP_DRAWN: return "macOS does not tell what was drawn";
    default: return "this is not there on macOS yet";
    }
}

static int run(bs_job *job) {
    int (*operation)(bs_job *) = job->code < sizeof operations / sizeof *operations ? operations[job->code] : NULL;
    if (!operation) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "%s", lacking(job->code));
    if (job->app && job->code <= BACKSTEP_OP_SCROLL_TO_POINT) {
        if (!bs_app_runs(job->app)) return bs_job_fail(job, BACKSTEP_E_APP_GONE, "the application has ended");
        int status = bs_job_element(job);
        if (status) return status;
        bs_wake_web(job);
        bs_observe(job);
    }
    return operation(job);
}

int bs_job_run(bs_job *job) {
    bs_buf_clear(&job->reply);
    int status = run(job);
    if (status == BACKSTEP_E_NO_ELEMENT && job->number && job->element) bs_handle_gone(&job->app->handles, job->number);
    if (status >= 0) return status;
    bs_buf_clear(&job->reply);
    bs_put_cstr(&job->reply, job->why);
    return status;
}
