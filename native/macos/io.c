/* The I/O thread: takes commands, hands them to lanes, and ends what is overdue. It asks nobody anything itself. */
#include <signal.h>
#include <stdlib.h>

#include "../src/cond.h"
#include "input.h"
#include "job.h"
#include "names.h"
#include "observe.h"
#include "row.h"
#include "watch.h"

typedef struct bs_link {
    uint64_t session;
    bool connected;
} bs_link;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken;
static bool woken_made, awake, stopping;
static pthread_t thread;
static bs_link links[BS_MAX_SESSIONS];

void bs_platform_wake(void) {
    pthread_mutex_lock(&lock);
    awake = true;
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
}

static void answer(bs_command *c, int status, const char *sentence) {
    bs_buf reply = {0};
    bs_put_cstr(&reply, sentence);
    bs_core_complete(c->session, c->ticket, status, &reply);
    free(c);
}

static bool names_object(uint32_t code) { return code >= BACKSTEP_OP_SNAPSHOT && code <= BACKSTEP_OP_SCROLL_TO_POINT; }

/* Whose lane it goes to, and which element it is about. */
static int address(bs_job *job, const char **why) {
    bs_str bus = bs_get_str(&job->request), path = bs_get_str(&job->request);
    bool root;
    job->number = bs_path_number(path, &root);
    *why = "the request names no application and element";
    if (job->request.failed || (!root && !job->number)) return BACKSTEP_E_INVALID;
    int status;
    job->app = bs_app_by_bus(bus, &status);
    if (status == BACKSTEP_E_APP_GONE) *why = "the application has ended";
    if (status == BACKSTEP_E_MEMORY) *why = "out of memory";
    return status;
}

static void submit(bs_command *c) {
    bs_link *l = &links[BS_SLOT(c->session)];
    bool connects = c->op == BACKSTEP_OP_CONNECT;
    if (l->session != c->session) *l = (bs_link){.session = c->session};
    if (connects && l->connected) return answer(c, BACKSTEP_E_INVALID, "this session is connected already");
    if (!connects && !l->connected) return answer(c, c->op < BACKSTEP_OP_TEXT ? BACKSTEP_E_BUS : BACKSTEP_E_DISPLAY, "this session is not connected: CONNECT comes first");
    bs_job *job = bs_job_new(c);
    if (!job) return answer(c, BACKSTEP_E_MEMORY, "out of memory");
    const char *why = "";
    int status = names_object(c->op) ? address(job, &why) : BACKSTEP_OK;
    if (status) {
        bs_buf reply = {0};
        bs_put_cstr(&reply, why);
        bs_core_complete(c->session, c->ticket, status, &reply);
        bs_job_free(job);
        return;
    }
    if (connects) {
        /* What comes behind it in the same moment is meant for a connected session; whether it is, CONNECT says. */
        l->connected = true;
        bs_tell_session(c->session, true);
    }
    bs_lane_submit(job);
}

static void shut(uint64_t session) {
    bs_link *l = &links[BS_SLOT(session)];
    if (l->session == session) *l = (bs_link){0};
    bs_tell_session(session, false);
    bs_lanes_cancel(session, 0);
    bs_input_release(session);
    bs_watch_forget(session);
    bs_core_closed(session, NULL);
}

void bs_platform_bury(void *remains, uint64_t deadline) { (void)remains, (void)deadline; }

static void run_commands(void) {
    for (bs_command *c = bs_core_commands(), *next; c; c = next) {
        next = c->next;
        if (c->what == BS_DO_SUBMIT) {
            submit(c); /* takes it over */
            continue;
        }
        if (c->what == BS_DO_CANCEL) bs_lanes_cancel(c->session, c->ticket);
        else shut(c->session);
        free(c);
    }
}

static void *body(void *argument) {
    (void)argument;
    uint64_t next = UINT64_MAX;
    pthread_mutex_lock(&lock);
    while (!stopping) {
        while (!awake && !stopping && bs_now_us() < next) {
            if (next == UINT64_MAX) pthread_cond_wait(&woken, &lock);
            else bs_cond_until(&woken, &lock, next);
        }
        awake = false;
        pthread_mutex_unlock(&lock);
        run_commands();
        next = bs_lanes_expire(bs_now_us());
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int bs_platform_start(void) {
    if (!woken_made && bs_cond_init(&woken)) return BACKSTEP_E_LIMIT;
    woken_made = true;
    awake = stopping = false;
    if (!bs_names_hold()) return BACKSTEP_E_MEMORY;
    int status = bs_lanes_start();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the host's signals are not for this thread */
    if (!status && pthread_create(&thread, NULL, body, NULL)) {
        bs_lanes_stop();
        status = BACKSTEP_E_LIMIT;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status) bs_names_drop();
    return status;
}

void bs_platform_stop(void) {
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    bs_lanes_stop();
    bs_watch_pause();
    bs_observers_stop();
    bs_watch_stop();
    bs_apps_sweep(true);
    bs_input_stop();
    bs_names_drop();
}
