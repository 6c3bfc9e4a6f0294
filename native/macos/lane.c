#include <signal.h>
#include <stdlib.h>

#include "../src/cond.h"
#include "cf.h"
#include "guard.h"
#include "job.h"
#include "names.h"
#include "ops.h"

#define STOP_US 120000u

struct bs_lane {
    bs_lane *next;      /* of those that wait for a place */
    bs_lane *before, *after; /* of those that have a thread */
    bs_app *app;        /* retained; NULL: the desktop's */
    bs_job *first, **last;
    bs_job *current;
    pthread_cond_t go;
    bool threaded, waiting, asking, quarantined, retired;
    bool leaves;        /* another lane of its application was left behind in an act, or this one */
    bool stays;         /* its act was called off while another one was still left behind: it is left when that comes back */
    uint32_t refs;      /* its application, its thread, jobs */
    unsigned era;       /* of the start that it belongs to */
};

/* Guards lanes, their queues and the list of jobs. Never held while a lane asks. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t quiet;
static bool quiet_made;
static bs_job *jobs;
static bs_lane *threaded, *desk, *waiting, **waiting_last = &waiting;
static unsigned era;
static bs_lane_count count;

static void unref(bs_lane *l) {
    if (--l->refs) return;
    pthread_cond_destroy(&l->go);
    bs_app_release(l->app);
    free(l);
}

static bs_lane *new_lane(bs_app *app) {
    bs_lane *l = calloc(1, sizeof *l);
    if (!l || bs_cond_init(&l->go)) {
        free(l);
        return NULL;
    }
    l->last = &l->first;
    l->refs = 1;
    l->era = era;
    l->app = app;
    if (app) atomic_fetch_add(&app->refs, 1);
    return l;
}

static void unlist(bs_job *job) {
    if (job->previous) job->previous->next = job->next;
    else jobs = job->next;
    if (job->next) job->next->previous = job->previous;
}

/* Ends a ticket; its job may live on. */
static void complete(bs_job *job, int status, bs_buf *reply) {
    unlist(job);
    atomic_store(&job->over, true);
    bs_core_complete(job->session, job->ticket, status, reply);
}

static void tell(bs_job *job, int status, const char *sentence) {
    bs_buf reply = {0};
    bs_put_cstr(&reply, sentence);
    complete(job, status, &reply);
}

static void drop_from_queue(bs_lane *l, bs_job *job) {
    bs_job **at = &l->first;
    while (*at && *at != job) at = &(*at)->behind;
    if (*at) *at = job->behind;
    l->last = &l->first;
    while (*l->last) l->last = &(*l->last)->behind;
}

static void unwait(bs_lane *l) {
    bs_lane **at = &waiting;
    while (*at && *at != l) at = &(*at)->next;
    if (*at) *at = l->next;
    waiting_last = &waiting;
    while (*waiting_last) waiting_last = &(*waiting_last)->next;
    l->waiting = false;
}

static void *body(void *argument);

static bool start_thread(bs_lane *l) {
    pthread_t thread;
    pthread_attr_t attr;
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_attr_init(&attr)) return false;
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the host's signals are not for this thread */
    bool started = bs_names_hold();
    if (started && pthread_create(&thread, &attr, body, l)) {
        bs_names_drop();
        started = false;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (!started) return false;
    l->threaded = true;
    l->refs++;
    count.threads++;
    l->before = NULL;
    l->after = threaded;
    if (threaded) threaded->before = l;
    threaded = l;
    return true;
}

/* Gives places to those that wait, the oldest first. */
static void pump(void) {
    while (waiting && count.asking < BS_ASKING) {
        bs_lane *l = waiting;
        unwait(l);
        if (!l->threaded && !start_thread(l)) {
            while (l->first) {
                bs_job *job = l->first;
                drop_from_queue(l, job);
                tell(job, BACKSTEP_E_LIMIT, "no thread could be started");
                bs_job_free(job);
                unref(l);
            }
            continue;
        }
        l->asking = true;
        count.asking++;
        pthread_cond_signal(&l->go);
    }
}

static void want_place(bs_lane *l) {
    if (l->asking || l->waiting || !l->first) return;
    l->waiting = true;
    l->next = NULL;
    *waiting_last = l;
    waiting_last = &l->next;
    pump();
}

/* Within the lock. False: it is complete already, for want of memory. */
static bool submit(bs_job *job) {
    bs_lane *l = job->app ? job->app->lane : desk;
    if (!l && job->app) l = job->app->lane = new_lane(job->app);
    job->previous = NULL;
    job->next = jobs;
    if (jobs) jobs->previous = job;
    jobs = job;
    if (!l) {
        tell(job, BACKSTEP_E_MEMORY, "out of memory");
        return false;
    }
    l->refs++;
    job->lane = l;
    job->behind = NULL;
    *l->last = job;
    l->last = &job->behind;
    want_place(l);
    return true;
}

typedef struct guarded_run {
    bs_job *job;
    int status;
} guarded_run;

static void run(void *argument) {
    guarded_run *r = argument;
    r->status = bs_job_run(r->job);
}

static int do_job(bs_job *job) {
    void *pool = objc_autoreleasePoolPush();
    guarded_run r = {job, BACKSTEP_OK};
    if (bs_guarded(run, &r)) r.status = bs_job_fail(job, atomic_load(&job->sent) && job->code >= BACKSTEP_OP_ACTION ? BACKSTEP_E_UNSURE : BACKSTEP_E_APP_ERROR, "an exception came out of the system's frameworks");
    objc_autoreleasePoolPop(pool);
    return r.status;
}

/* Does the lane go on asking? It does not keep others from their turn. */
static void next_turn(bs_lane *l) {
    l->asking = false;
    count.asking--;
    if (l->quarantined) l->quarantined = false, count.quarantined--;
    want_place(l);
    pump();
}

/*
 * An act that opened a menu or a dialog is not answered before that is closed, while the application answers everything else
 * from within its loop: whoever called the act off goes on with another lane. The old one ends when AX returns; until then it
 * keeps its place among those that ask, and there is one such lane an application at most.
 */
static void leave_behind(bs_lane *old) {
    bs_app *app = old->app;
    if (!app || app->lane != old) return;
    old->stays = old->leaves;
    if (old->stays) return;
    bs_lane *l = new_lane(app);
    if (!l) return;
    l->leaves = true;
    l->first = old->first;
    l->last = l->first ? old->last : &l->first;
    for (bs_job *job = l->first; job; job = job->behind) job->lane = l, l->refs++, old->refs--;
    old->first = NULL;
    old->last = &old->first;
    old->retired = true;
    app->lane = l;
    unref(old); /* the application's */
    want_place(l);
}

/* What was left behind has come back: the next one may be. */
static void came_back(bs_lane *l) {
    bs_lane *now = l->retired && l->app ? l->app->lane : NULL;
    if (!now) return;
    now->leaves = false;
    if (now->stays) leave_behind(now);
}

static void ask(bs_lane *l) {
    bs_job *job = l->first;
    drop_from_queue(l, job);
    l->current = job;
    job->running = true;
    pthread_mutex_unlock(&lock);
    int status = do_job(job);
    pthread_mutex_lock(&lock);
    l->current = NULL;
    job->running = false;
    bool moves = status == BS_MOVED && !atomic_load(&job->over);
    if (moves) {
        unlist(job);
        moves = submit(job);
    } else if (!atomic_load(&job->over)) {
        complete(job, status, &job->reply);
    }
    l->stays = false;
    came_back(l);
    next_turn(l);
    if (!moves) {
        pthread_mutex_unlock(&lock);
        bs_job_free(job);
        pthread_mutex_lock(&lock);
    }
    unref(l); /* the job's */
}

static void *body(void *argument) {
    bs_lane *l = argument;
    pthread_mutex_lock(&lock);
    uint64_t until = bs_now_us() + BS_IDLE_US;
    for (;;) {
        if (l->asking && l->first) {
            ask(l);
            until = bs_now_us() + BS_IDLE_US;
            continue;
        }
        if (l->asking) next_turn(l);
        if (l->retired || l->era != era || (bs_now_us() >= until && !l->waiting)) break;
        bs_cond_until(&l->go, &lock, until > bs_now_us() ? until : bs_now_us() + BS_IDLE_US);
    }
    l->threaded = false;
    if (l->before) l->before->after = l->after;
    else threaded = l->after;
    if (l->after) l->after->before = l->before;
    unref(l);
    bs_names_drop();
    if (!--count.threads && quiet_made) pthread_cond_signal(&quiet);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int bs_lanes_start(void) {
    pthread_mutex_lock(&lock);
    if (!quiet_made) quiet_made = !bs_cond_init(&quiet);
    era++;
    desk = new_lane(NULL);
    pthread_mutex_unlock(&lock);
    return desk ? BACKSTEP_OK : BACKSTEP_E_MEMORY;
}

void bs_lanes_stop(void) {
    uint64_t until = bs_now_us() + STOP_US;
    pthread_mutex_lock(&lock);
    era++;
    bs_lane *old = desk;
    desk = NULL;
    unref(old);
    for (bs_lane *l = threaded; l; l = l->after) pthread_cond_signal(&l->go);
    while (quiet_made && count.threads && bs_now_us() < until) {
        if (count.threads == count.quarantined) break; // who hangs ends when AX returns
        bs_cond_until(&quiet, &lock, until);
    }
    pthread_mutex_unlock(&lock);
}

void bs_lane_retire(bs_app *app) {
    pthread_mutex_lock(&lock);
    bs_lane *l = app->lane;
    app->lane = NULL;
    if (l) {
        l->retired = true;
        pthread_cond_signal(&l->go);
        unref(l);
    }
    pthread_mutex_unlock(&lock);
}

void bs_lane_submit(bs_job *job) {
    pthread_mutex_lock(&lock);
    bool taken = submit(job);
    pthread_mutex_unlock(&lock);
    if (!taken) bs_job_free(job);
}

/* Ends a job from outside. One that its lane has begun lives on there. */
static void end(bs_job *job, int unsent, int unknown, const char *before, const char *after) {
    bool sent = job->running && atomic_load(&job->sent);
    bs_lane *l = job->lane;
    tell(job, sent ? unknown : unsent, sent ? after : before);
    if (job->running) return;
    drop_from_queue(l, job);
    if (!l->first && l->waiting) unwait(l);
    bs_job_free(job);
    unref(l);
}

uint64_t bs_lanes_expire(uint64_t now) {
    uint64_t next = UINT64_MAX;
    pthread_mutex_lock(&lock);
    for (bs_job *job = jobs, *after; job; job = after) {
        after = job->next;
        if (job->deadline > now) {
            if (job->deadline < next) next = job->deadline;
            continue;
        }
        bs_lane *l = job->lane;
        if (job->running && !l->quarantined) l->quarantined = true, count.quarantined++;
        end(job, BACKSTEP_E_TIMEOUT_UNSENT, BACKSTEP_E_TIMEOUT_UNKNOWN, "the deadline passed before anything was asked for", "the application did not answer in time; what was asked may yet happen");
    }
    pthread_mutex_unlock(&lock);
    return next;
}

void bs_lanes_cancel(uint64_t session, uint64_t ticket) {
    pthread_mutex_lock(&lock);
    for (bs_job *job = jobs, *after; job; job = after) {
        after = job->next;
        if (job->session != session || (ticket && job->ticket != ticket)) continue;
        bool acting = ticket && job->running && job->code >= BACKSTEP_OP_ACTION && atomic_load(&job->sent);
        if (acting) leave_behind(job->lane);
        end(job, BACKSTEP_E_CANCELLED_UNSENT, BACKSTEP_E_CANCELLED_UNKNOWN, "cancelled before anything was asked for", "cancelled after it was sent; what was asked may yet happen");
    }
    pthread_mutex_unlock(&lock);
}

void bs_lane_move(bs_job *job, bs_app *app) {
    bs_app_release(job->app);
    job->app = app;
}

bs_lane_count bs_lanes_count(void) {
    pthread_mutex_lock(&lock);
    bs_lane_count now = count;
    pthread_mutex_unlock(&lock);
    return now;
}
