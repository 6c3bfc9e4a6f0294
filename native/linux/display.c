#define _GNU_SOURCE
#include "display.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../include/backstep.h"
#include "../src/cond.h"
#include "screen.h"

#define GRACE_US 20000u      /* an operation that keeps its deadline itself may say so more precisely */
#define MANNERS_US 100000u   /* how long closing waits for a thread to end by itself before it interrupts */

typedef struct job {
    struct job *next;
    bs_command *command;
    atomic_bool cancel;
    bool told; // its ticket is complete
} job;

struct bs_display {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    pthread_t thread;
    uint64_t session, deadline;
    char *name;
    int wake;
    bool without; // no keyboard and no pointer are made
    bool quit, done, left; // left: nobody joins, the thread frees
    bs_display_state state;
    job *running, *first, **last;
    bs_screen *_Atomic screen; // written under the lock except while opening
};

static void complete(uint64_t session, job *j, int status, const char *text) {
    bs_buf reply = {0};
    if (text) bs_put_cstr(&reply, text);
    j->told = true;
    bs_core_complete(session, j->command->ticket, status, &reply);
}

static void free_job(job *j) {
    free(j->command);
    free(j);
}

static void free_display(bs_display *d) {
    close(d->wake);
    pthread_cond_destroy(&d->ended);
    pthread_mutex_destroy(&d->lock);
    free(d->name);
    free(d);
}

static void poke(bs_display *d) {
    uint64_t one = 1;
    if (write(d->wake, &one, sizeof one) < 0) return; // full: it is awake already
}

// The lock is held: as long as nobody asked us to quit, the I/O thread is there to be woken.
static void wake_io(bs_display *d) {
    if (!d->quit) bs_platform_wake();
}

static const bs_screen_kind *kind_of(const bs_display *d) {
    if (strncmp(d->name, BS_WAYLAND, sizeof BS_WAYLAND - 1)) return &bs_screen_x11; /* which has its devices anyway */
    return d->without ? &bs_screen_wl_without : &bs_screen_wl;
}

static bs_screen *open_display(bs_display *d) {
    int status = BACKSTEP_E_DISPLAY;
    bs_buf message = {0};
    bs_screen *s = kind_of(d)->open(d->name, d->deadline, &status, &message, &d->screen);
    pthread_mutex_lock(&d->lock);
    atomic_store(&d->screen, s);
    if (s) {
        d->state.ready = true;
        s->kind->size(s, &d->state.width, &d->state.height);
        d->state.server = s->kind->server(s);
    } else {
        d->state.failed = true;
        d->state.status = status;
        bs_reader r = {message.data, message.length, 0, false};
        bs_str text = bs_get_str(&r);
        snprintf(d->state.message, sizeof d->state.message, "%.*s", (int)(text.length < 240 ? text.length : 240), text.text);
    }
    wake_io(d);
    pthread_mutex_unlock(&d->lock);
    bs_buf_free(&message);
    return s;
}

// Tells what somebody else did with keyboard and pointer; answers when to look again.
static uint64_t tell_input(bs_display *d, bs_screen *s, bool now) {
    bs_screen_seen seen;
    uint64_t due;
    if (!s->kind->input(s, now, &seen, &due)) return due;
    bs_buf record = {0};
    bs_put_u64(&record, seen.last_us);
    bs_put_u32(&record, seen.keys);
    bs_put_u32(&record, seen.buttons);
    bs_put_u32(&record, seen.wheels);
    bs_put_u32(&record, seen.motions);
    bs_core_event(d->session, BACKSTEP_R_INPUT, &record);
    return due;
}

// Tells what somebody else did, one by one, where that was asked for.
static void tell_each(bs_display *d, bs_screen *s) {
    bs_screen_told one;
    while (s->kind->told(s, &one)) {
        bs_buf record = {0};
        bs_put_u64(&record, one.us);
        bs_put_u32(&record, one.what);
        bs_put_u32(&record, one.detail);
        bs_put_i32(&record, one.x);
        bs_put_i32(&record, one.y);
        bs_put_u32(&record, one.modifiers);
        bs_put_u32(&record, one.time);
        bs_put_u32(&record, one.moved);
        bs_put_u32(&record, one.lost);
        bs_core_event(d->session, BACKSTEP_R_PERSON, &record);
    }
}

// Milliseconds for poll(); -1 for ever.
static int until(uint64_t due_us) {
    uint64_t now = bs_now_us();
    return due_us == UINT64_MAX ? -1 : due_us <= now ? 0 : (int)((due_us - now + 999) / 1000);
}

// Runs the first queued operation, if there is one.
static bool run_one(bs_display *d, bs_screen *s) {
    pthread_mutex_lock(&d->lock);
    job *j = d->first;
    bool broken = d->state.broken;
    if (j) {
        d->first = j->next;
        if (!d->first) d->last = &d->first;
        d->running = j;
    }
    pthread_mutex_unlock(&d->lock);
    if (!j) return false;
    bs_buf reply = {0};
    bs_reader request = {j->command->request, j->command->length, 0, false};
    int status = BACKSTEP_E_DISPLAY;
    if (broken) bs_put_cstr(&reply, "the connection to the display broke");
    else status = s->kind->exec(s, j->command->op, &request, j->command->deadline_us, &j->cancel, &reply);
    tell_each(d, s);
    tell_input(d, s, true); // before the completion: whoever waits for that knows then
    pthread_mutex_lock(&d->lock);
    d->running = NULL;
    if (!j->told) bs_core_complete(d->session, j->command->ticket, status, &reply);
    pthread_mutex_unlock(&d->lock);
    bs_buf_free(&reply);
    free_job(j);
    return true;
}

static void serve(bs_display *d, bs_screen *s) {
    for (;;) {
        pthread_mutex_lock(&d->lock);
        bool quit = d->quit, broken = d->state.broken;
        pthread_mutex_unlock(&d->lock);
        if (quit) return;
        if (!broken && s->kind->pump(s) < 0) {
            pthread_mutex_lock(&d->lock);
            d->state.broken = true;
            wake_io(d);
            pthread_mutex_unlock(&d->lock);
            continue;
        }
        if (!broken) tell_each(d, s);
        uint64_t due = tell_input(d, s, false);
        if (run_one(d, s)) continue;
        struct pollfd fds[2] = {{d->wake, POLLIN, 0}, {broken ? -1 : s->kind->fd(s), POLLIN, 0}};
        poll(fds, 2, until(due));
        uint64_t count;
        if (fds[0].revents && read(d->wake, &count, sizeof count) < 0) continue;
    }
}

static void *body(void *argument) {
    bs_display *d = argument;
    bs_screen *s = open_display(d);
    if (s) {
        serve(d, s);
        // From here on nobody may interrupt it: it is about to be freed.
        pthread_mutex_lock(&d->lock);
        atomic_store(&d->screen, NULL);
        pthread_mutex_unlock(&d->lock);
        s->kind->close(s);
    }
    pthread_mutex_lock(&d->lock);
    d->done = true;
    bool left = d->left;
    pthread_cond_broadcast(&d->ended);
    pthread_mutex_unlock(&d->lock);
    if (left) free_display(d);
    return NULL;
}

bs_display *bs_display_start(uint64_t session, bs_str name, bool without, uint64_t deadline) {
    bs_display *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->session = session;
    d->without = without;
    d->deadline = deadline;
    d->last = &d->first;
    d->name = strndup(name.text, name.length);
    d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!d->name || d->wake < 0) {
        if (d->wake >= 0) close(d->wake);
        free(d->name);
        free(d);
        return NULL;
    }
    pthread_mutex_init(&d->lock, NULL);
    if (bs_cond_init(&d->ended) != 0) {
        free_display(d);
        return NULL;
    }
    // The host's signals are not for this thread.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&d->thread, NULL, body, d);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) return d;
    free_display(d);
    return NULL;
}

void bs_display_look(bs_display *d, bs_display_state *into) {
    pthread_mutex_lock(&d->lock);
    *into = d->state;
    pthread_mutex_unlock(&d->lock);
}

void bs_display_submit(bs_display *d, bs_command *command) {
    job *j = calloc(1, sizeof *j);
    if (!j) {
        bs_buf none = {0};
        bs_core_complete(d->session, command->ticket, BACKSTEP_E_MEMORY, &none);
        free(command);
        return;
    }
    j->command = command;
    atomic_init(&j->cancel, false);
    pthread_mutex_lock(&d->lock);
    *d->last = j;
    d->last = &j->next;
    pthread_mutex_unlock(&d->lock);
    poke(d);
}

// Ends queued jobs that `why` names, with a status for the rest of the world; the lock is held.
static void end_queued(bs_display *d, bool (*which)(const job *, uint64_t), uint64_t argument, int status, const char *text) {
    for (job **at = &d->first; *at;) {
        job *j = *at;
        if (!which(j, argument)) {
            at = &j->next;
            continue;
        }
        *at = j->next;
        complete(d->session, j, status, text);
        free_job(j);
    }
    d->last = &d->first;
    while (*d->last) d->last = &(*d->last)->next;
}

static bool is_ticket(const job *j, uint64_t ticket) { return j->command->ticket == ticket; }
static bool is_overdue(const job *j, uint64_t now) { return j->command->deadline_us <= now; }
static bool is_any(const job *j, uint64_t nothing) { return (void)j, (void)nothing, true; }

void bs_display_cancel(bs_display *d, uint64_t ticket) {
    pthread_mutex_lock(&d->lock);
    if (d->running && is_ticket(d->running, ticket)) atomic_store(&d->running->cancel, true);
    end_queued(d, is_ticket, ticket, BACKSTEP_E_CANCELLED_UNSENT, "cancelled before it began");
    pthread_mutex_unlock(&d->lock);
}

uint64_t bs_display_expire(bs_display *d, uint64_t now) {
    uint64_t next = UINT64_MAX;
    pthread_mutex_lock(&d->lock);
    end_queued(d, is_overdue, now, BACKSTEP_E_TIMEOUT_UNSENT, "the deadline passed while other input was still being made");
    job *j = d->running;
    if (j && !j->told && is_overdue(j, now - GRACE_US)) {
        atomic_store(&j->cancel, true);
        complete(d->session, j, BACKSTEP_E_TIMEOUT_UNKNOWN, "the display did not answer in time; what was asked may yet happen");
    }
    if (j && !j->told) next = j->command->deadline_us + GRACE_US;
    for (j = d->first; j; j = j->next)
        if (j->command->deadline_us < next) next = j->command->deadline_us;
    pthread_mutex_unlock(&d->lock);
    return next;
}

void bs_display_quit(bs_display *d) {
    pthread_mutex_lock(&d->lock);
    d->quit = true;
    end_queued(d, is_any, 0, BACKSTEP_E_CANCELLED_UNSENT, "the session was closed");
    if (d->running) {
        atomic_store(&d->running->cancel, true);
        if (!d->running->told) complete(d->session, d->running, BACKSTEP_E_CANCELLED_UNKNOWN, "the session was closed");
    }
    pthread_mutex_unlock(&d->lock);
    poke(d);
}

// Waits for the thread's end; the lock is held.
static bool ended_by(bs_display *d, uint64_t until) {
    struct timespec at = {.tv_sec = (time_t)(until / 1000000), .tv_nsec = (long)(until % 1000000) * 1000};
    while (!d->done && bs_now_us() < until) pthread_cond_timedwait(&d->ended, &d->lock, &at);
    return d->done;
}

void bs_display_bury(bs_display *d, uint64_t deadline) {
    uint64_t gentle = bs_now_us() + MANNERS_US;
    pthread_mutex_lock(&d->lock);
    // First politely, so that held keys are released over a connection that still stands.
    if (!ended_by(d, gentle < deadline ? gentle : deadline)) {
        // Taken out first: a failing open that finds its slot empty waits for the interrupt before it frees.
        bs_screen *s = atomic_exchange(&d->screen, NULL);
        if (s) s->kind->interrupt(s);
        ended_by(d, deadline);
    }
    bool done = d->done;
    if (!done) {
        d->left = true;
        pthread_detach(d->thread);
    }
    pthread_mutex_unlock(&d->lock);
    if (!done) return;
    pthread_join(d->thread, NULL);
    free_display(d);
}
