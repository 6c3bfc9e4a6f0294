#include "observe.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../src/cond.h"
#include "ask.h"
#include "cf.h"
#include "guard.h"
#include "row.h"

struct bs_observed {
    bs_app *app; /* not retained: it is unobserved first */
    AXObserverRef observer;
    uint32_t registered; /* how far the notifications were asked for */
    atomic_ullong heard;
};

/* The thread lives while sessions are open, from the first observer on. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static CFRunLoopRef loop;
static CFRunLoopSourceRef keeper; /* a loop without a source ends at once */
static bool running, stopping;
static uint64_t listeners[BS_MAX_SESSIONS];

typedef struct meaning {
    const char *kind;
    int32_t detail;
    enum { NO_CHILD, CHILD } child; /* what it is about came: it is told of its application */
} meaning;

/* "object:state-changed:checked" and others that only the role decides: see told(). */
static const meaning meanings[AX_TOLD_COUNT] = {
    [AX_TOLD_MainWindowChanged] = {"window:activate", 0, NO_CHILD}, [AX_TOLD_FocusedWindowChanged] = {"window:activate", 0, NO_CHILD},
    [AX_TOLD_FocusedUIElementChanged] = {"object:state-changed:focused", 1, NO_CHILD}, [AX_TOLD_ApplicationActivated] = {"object:state-changed:active", 1, NO_CHILD},
    [AX_TOLD_ApplicationDeactivated] = {"object:state-changed:active", 0, NO_CHILD}, [AX_TOLD_ApplicationHidden] = {"object:state-changed:showing", 0, NO_CHILD},
    [AX_TOLD_ApplicationShown] = {"object:state-changed:showing", 1, NO_CHILD}, [AX_TOLD_WindowCreated] = {"window:create", 0, CHILD},
    [AX_TOLD_WindowMoved] = {"object:bounds-changed", 0, NO_CHILD}, [AX_TOLD_WindowResized] = {"object:bounds-changed", 0, NO_CHILD},
    [AX_TOLD_WindowMiniaturized] = {"window:minimize", 0, NO_CHILD}, [AX_TOLD_WindowDeminiaturized] = {"window:restore", 0, NO_CHILD},
    [AX_TOLD_DrawerCreated] = {NULL, 0, CHILD}, [AX_TOLD_SheetCreated] = {"window:create", 0, CHILD}, [AX_TOLD_HelpTagCreated] = {NULL, 0, CHILD},
    [AX_TOLD_ValueChanged] = {"object:property-change:accessible-value", 0, NO_CHILD}, [AX_TOLD_UIElementDestroyed] = {"object:state-changed:defunct", 1, NO_CHILD},
    [AX_TOLD_ElementBusyChanged] = {"object:state-changed:busy", 0, NO_CHILD}, [AX_TOLD_MenuOpened] = {"object:state-changed:showing", 1, CHILD},
    [AX_TOLD_MenuClosed] = {"object:state-changed:showing", 0, NO_CHILD}, [AX_TOLD_MenuItemSelected] = {"object:selection-changed", 0, NO_CHILD},
    [AX_TOLD_RowCountChanged] = {"object:children-changed:add", -1, NO_CHILD}, [AX_TOLD_RowExpanded] = {"object:state-changed:expanded", 1, NO_CHILD},
    [AX_TOLD_RowCollapsed] = {"object:state-changed:expanded", 0, NO_CHILD}, [AX_TOLD_SelectedCellsChanged] = {"object:selection-changed", 0, NO_CHILD},
    [AX_TOLD_UnitsChanged] = {"object:property-change:accessible-value", 0, NO_CHILD}, [AX_TOLD_SelectedChildrenMoved] = {"object:bounds-changed", 0, NO_CHILD},
    [AX_TOLD_SelectedChildrenChanged] = {"object:selection-changed", 0, NO_CHILD}, [AX_TOLD_Resized] = {"object:bounds-changed", 0, NO_CHILD},
    [AX_TOLD_Moved] = {"object:bounds-changed", 0, NO_CHILD}, [AX_TOLD_Created] = {NULL, 0, CHILD}, [AX_TOLD_SelectedRowsChanged] = {"object:selection-changed", 0, NO_CHILD},
    [AX_TOLD_SelectedColumnsChanged] = {"object:selection-changed", 0, NO_CHILD}, [AX_TOLD_SelectedTextChanged] = {"object:text-caret-moved", -1, NO_CHILD},
    [AX_TOLD_TitleChanged] = {"object:property-change:accessible-name", 0, NO_CHILD}, [AX_TOLD_LayoutChanged] = {"object:children-changed:add", -1, NO_CHILD},
    [AX_TOLD_AnnouncementRequested] = {"object:announcement", 0, NO_CHILD}, [AX_TOLD_LoadComplete] = {"document:load-complete", 0, NO_CHILD},
    [AX_TOLD_LiveRegionChanged] = {"object:children-changed:add", -1, NO_CHILD}, [AX_TOLD_LiveRegionCreated] = {NULL, 0, CHILD},
    [AX_TOLD_ExpandedChanged] = {"object:state-changed:expanded", 0, NO_CHILD}, [AX_TOLD_InvalidStatusChanged] = {"object:state-changed:invalid-entry", 0, NO_CHILD},
};

static void put_event(const bs_app *app, uint32_t number, const char *kind, int32_t detail, const char *text) {
    char path[16];
    bs_path_text(number, path);
    for (unsigned i = 0; i < BS_MAX_SESSIONS; i++) {
        uint64_t session = __atomic_load_n(&listeners[i], __ATOMIC_ACQUIRE);
        if (!session) continue;
        bs_buf out = {0};
        bs_put_u64(&out, bs_now_us());
        bs_put_cstr(&out, app->bus);
        bs_put_cstr(&out, path);
        bs_put_cstr(&out, kind);
        bs_put_i32(&out, detail);
        bs_put_i32(&out, 0);
        bs_put_cstr(&out, text);
        bs_core_event(session, BACKSTEP_R_EVENT, &out);
    }
}

static void told(bs_app *app, enum bs_ax_notification what, AXUIElementRef element) {
    bool about_all = CFEqual(element, app->element);
    uint32_t number = about_all ? 0 : what == AX_TOLD_UIElementDestroyed ? bs_handle_known(&app->handles, element) : bs_handle_of(&app->handles, element);
    if (!number && !about_all) return; /* nobody was ever told of it */
    const meaning *m = &meanings[what];
    bs_handle known = bs_handle_look(&app->handles, number);
    char path[16];
    bs_path_text(number, path);
    if (m->child == CHILD) put_event(app, 0, "object:children-changed:add", -1, path);
    const char *kind = m->kind;
    if (what == AX_TOLD_ValueChanged) {
        /* By what it was when it was read: nothing is asked here. */
        bool text = known.secret || known.role == 79 || known.role == 61 || known.role == 29 || known.role == 12;
        bool check = known.role == 7 || known.role == 44 || known.role == 130 || known.role == 62;
        if (text) put_event(app, number, "object:text-changed:insert", 0, "");
        if (check) put_event(app, number, known.role == 62 ? "object:state-changed:expanded" : "object:state-changed:checked", -1, "");
        if (text && !known.secret) kind = NULL;
    }
    if (kind) put_event(app, number, kind, m->detail, "");
    if (what == AX_TOLD_UIElementDestroyed) bs_handle_gone(&app->handles, number);
    if (what == AX_TOLD_WindowMiniaturized || what == AX_TOLD_WindowDeminiaturized) bs_handle_note(&app->handles, number, known.role, false, what == AX_TOLD_WindowMiniaturized);
}

static void heard(AXObserverRef observer, AXUIElementRef element, CFStringRef notification, void *refcon) {
    (void)observer;
    bs_observed *o = refcon;
    enum bs_ax_notification what = element && notification ? bs_notification_number(notification) : AX_TOLD_COUNT;
    if (what == AX_TOLD_COUNT) return;
    told(o->app, what, element);
    atomic_fetch_add(&o->heard, 1);
}

static void nothing(void *info) { (void)info; }

static void one_turn(void *argument) {
    (void)argument;
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 60, true);
}

static void *body(void *argument) {
    (void)argument;
    CFRunLoopSourceContext context = {.perform = nothing};
    CFRunLoopSourceRef source = CFRunLoopSourceCreate(NULL, 0, &context);
    CFRunLoopRef own = CFRunLoopGetCurrent();
    if (source) CFRunLoopAddSource(own, source, kCFRunLoopDefaultMode);
    pthread_mutex_lock(&lock);
    keeper = source;
    loop = own;
    pthread_cond_broadcast(&changed);
    while (!stopping) {
        pthread_mutex_unlock(&lock);
        void *pool = objc_autoreleasePoolPush();
        bs_guarded(one_turn, NULL);
        objc_autoreleasePoolPop(pool);
        pthread_mutex_lock(&lock);
    }
    loop = NULL;
    pthread_mutex_unlock(&lock);
    if (source) {
        CFRunLoopRemoveSource(own, source, kCFRunLoopDefaultMode);
        CFRunLoopSourceInvalidate(source);
        CFRelease(source);
    }
    return NULL;
}

/* Has the loop run; with it held. */
static void wake_loop(void) {
    CFRunLoopSourceSignal(keeper);
    CFRunLoopWakeUp(loop);
}

int bs_observers_start(void) { return BACKSTEP_OK; }

void bs_observers_stop(void) {
    pthread_mutex_lock(&lock);
    bool end = running;
    stopping = true;
    if (end && loop) wake_loop();
    pthread_mutex_unlock(&lock);
    if (end) pthread_join(thread, NULL);
    pthread_mutex_lock(&lock);
    running = stopping = false;
    keeper = NULL;
    pthread_mutex_unlock(&lock);
}

/* The loop, running. NULL: no thread. */
CFRunLoopRef bs_observers_loop(void) {
    pthread_mutex_lock(&lock);
    if (!running && !stopping) {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        running = !pthread_create(&thread, NULL, body, NULL);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    while (running && !stopping && !loop) pthread_cond_wait(&changed, &lock);
    CFRunLoopRef there = running && !stopping && keeper ? loop : NULL;
    pthread_mutex_unlock(&lock);
    return there;
}

void bs_tell_session(uint64_t session, bool connected) { __atomic_store_n(&listeners[BS_SLOT(session)], connected ? session : 0, __ATOMIC_RELEASE); }

uint64_t bs_heard(bs_app *app) { return app->observed ? atomic_load(&app->observed->heard) : 0; }

typedef struct making {
    bs_observed *o;
    AXError error;
} making;

static void make(void *argument) {
    making *m = argument;
    m->error = AXObserverCreate(m->o->app->pid, heard, &m->o->observer);
}

static bs_observed *new_observed(bs_app *app) {
    bs_observed *o = calloc(1, sizeof *o);
    if (!o) return NULL;
    o->app = app;
    making m = {o, kAXErrorFailure};
    CFRunLoopRef on = bs_observers_loop();
    if (on && !bs_guarded(make, &m) && !m.error && o->observer) {
        CFRunLoopAddSource(on, AXObserverGetRunLoopSource(o->observer), kCFRunLoopDefaultMode);
        CFRunLoopWakeUp(on); /* a loop that waits already looks at its sources anew */
        return o;
    }
    bs_cf_drop(o->observer);
    free(o);
    return NULL;
}

/* Registers what is not yet. One that times out is tried again at the next look, and fails no operation. */
void bs_observe(bs_job *job) {
    bs_app *app = job->app;
    if (!app->observed) app->observed = new_observed(app);
    bs_observed *o = app->observed;
    while (o && o->registered < AX_TOLD_COUNT) {
        int status = bs_ask_observe(job, app->element, o->observer, bs_name()->notification[o->registered], o);
        if (status == BACKSTEP_E_TIMEOUT_UNKNOWN || status == BACKSTEP_E_TIMEOUT_UNSENT || status == BACKSTEP_E_CANCELLED_UNKNOWN || status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_PERMISSION ||
            status == BACKSTEP_E_APP_ERROR) break;
        o->registered++; /* or it has no such notification */
    }
}

void bs_unobserve(bs_app *app) {
    pthread_mutex_lock(&lock);
    CFRunLoopRef on = loop;
    if (on && app->observed) CFRunLoopRemoveSource(on, AXObserverGetRunLoopSource(app->observed->observer), kCFRunLoopDefaultMode);
    pthread_mutex_unlock(&lock);
}

void bs_observed_free(bs_app *app) {
    if (app->observed) bs_cf_drop(app->observed->observer);
    free(app->observed);
}
