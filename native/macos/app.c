#include "app.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/backstep.h"
#include "cf.h"
#include "job.h"
#include "observe.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bs_app *apps;

uint64_t bs_process_start(pid_t pid, bool *there) {
    struct proc_bsdinfo info;
    int size = pid > 0 ? proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, (int)sizeof info) : 0;
    *there = size == (int)sizeof info;
    return *there ? info.pbi_start_tvsec * 1000000u + info.pbi_start_tvusec : 0;
}

bool bs_app_runs(const bs_app *app) {
    bool there;
    return bs_process_start(app->pid, &there) == app->started && there;
}

void bs_app_release(bs_app *app) {
    if (!app || atomic_fetch_sub(&app->refs, 1) != 1) return;
    bs_observed_free(app);
    bs_handles_free(&app->handles);
    bs_cf_drop(app->element);
    free(app);
}

static bs_app *new_app(pid_t pid, uint64_t started) {
    bs_app *app = calloc(1, sizeof *app);
    if (!app || !bs_handles_init(&app->handles)) {
        free(app);
        return NULL;
    }
    app->pid = pid;
    app->started = started;
    snprintf(app->bus, sizeof app->bus, "%d:%" PRIu64, (int)pid, started);
    app->element = AXUIElementCreateApplication(pid);
    atomic_init(&app->refs, 1);
    if (app->element) return app;
    bs_app_release(app);
    return NULL;
}

/* Retained; makes it where it is not known. */
static bs_app *known(pid_t pid, uint64_t started) {
    pthread_mutex_lock(&lock);
    bs_app *app = apps;
    while (app && (app->pid != pid || app->started != started)) app = app->next;
    if (!app && (app = new_app(pid, started))) {
        app->next = apps;
        apps = app;
    }
    if (app) atomic_fetch_add(&app->refs, 1);
    pthread_mutex_unlock(&lock);
    return app;
}

bs_app *bs_app_by_pid(pid_t pid, int *status) {
    bool there;
    uint64_t started = bs_process_start(pid, &there);
    bs_app *app = there ? known(pid, started) : NULL;
    *status = app ? BACKSTEP_OK : there ? BACKSTEP_E_MEMORY : BACKSTEP_E_APP_GONE;
    return app;
}

bs_app *bs_app_by_bus(bs_str bus, int *status) {
    char text[BS_BUS_ROOM];
    *status = BACKSTEP_E_INVALID;
    if (!bus.length || bus.length >= sizeof text) return NULL;
    memcpy(text, bus.text, bus.length);
    text[bus.length] = 0;
    int pid, end = 0;
    uint64_t started;
    if (sscanf(text, "%d:%" SCNu64 "%n", &pid, &started, &end) != 2 || (uint32_t)end != bus.length || pid <= 0) return NULL;
    bool there;
    bool same = bs_process_start(pid, &there) == started && there;
    bs_app *app = same ? known(pid, started) : NULL;
    *status = app ? BACKSTEP_OK : same ? BACKSTEP_E_MEMORY : BACKSTEP_E_APP_GONE;
    return app;
}

bool bs_app_window_minimised(pid_t pid, uint32_t window) {
    pthread_mutex_lock(&lock);
    bool minimised = false;
    for (bs_app *app = apps; app && !minimised; app = app->next)
        if (app->pid == pid && !app->ended) minimised = bs_handles_minimised(&app->handles, window);
    pthread_mutex_unlock(&lock);
    return minimised;
}

static void sweep_ended(void) {
    pthread_mutex_lock(&lock);
    for (bs_app *app = apps; app; app = app->next) {
        if (app->ended || bs_app_runs(app)) continue;
        app->ended = true;
        bs_unobserve(app);
        bs_handles_all_gone(&app->handles);
    }
    pthread_mutex_unlock(&lock);
}

void bs_apps_sweep(bool all) {
    if (!all) {
        sweep_ended();
        return;
    }
    pthread_mutex_lock(&lock);
    bs_app *list = apps;
    apps = NULL;
    pthread_mutex_unlock(&lock);
    for (bs_app *next; list; list = next) {
        next = list->next;
        bs_lane_retire(list);
        bs_app_release(list);
    }
}
