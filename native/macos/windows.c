/* WINDOWS and WINDOW. */
#include "windows.h"

#include <string.h>

#include "ask.h"
#include "cf.h"
#include "guard.h"
#include "objc.h"
#include "ops.h"

enum { ACTIVE = 1, MINIMISED = 2, POPUP = 4, ELSEWHERE = 16 };
enum { ACTIVATE, CLOSE, MINIMISE, RESTORE, PLACE };
/* Layers of menus, popovers and tooltips; above are the cursor, the Dock's and the screen saver's. */
enum { LAYER_NORMAL = 0, LAYER_TORN_OFF = 3, LAYER_MODAL = 8, LAYER_POPUP = 101, LAYER_TIP = 102 };

CFArrayRef bs_window_list(void) { return CGWindowListCopyWindowInfo(kCGWindowListOptionAll | kCGWindowListExcludeDesktopElements, kCGNullWindowID); }

bool bs_window_at(CFArrayRef list, CFIndex index, bs_window *w) {
    CFTypeRef one = CFArrayGetValueAtIndex(list, index);
    double number, pid, layer = 0;
    if (!bs_is(one, CFDictionaryGetTypeID())) return false;
    CFDictionaryRef d = one;
    if (!bs_cf_double(CFDictionaryGetValue(d, kCGWindowNumber), &number) || !bs_cf_double(CFDictionaryGetValue(d, kCGWindowOwnerPID), &pid)) return false;
    bs_cf_double(CFDictionaryGetValue(d, kCGWindowLayer), &layer);
    CFTypeRef bounds = CFDictionaryGetValue(d, kCGWindowBounds), title = CFDictionaryGetValue(d, kCGWindowName), owner = CFDictionaryGetValue(d, kCGWindowOwnerName);
    *w = (bs_window){.number = (uint32_t)number, .pid = (pid_t)pid, .layer = (int)layer, .shown = bs_cf_truth(CFDictionaryGetValue(d, kCGWindowIsOnscreen), false),
        .title = bs_is_string(title) ? title : NULL, .owner = bs_is_string(owner) ? owner : NULL};
    return bs_is(bounds, CFDictionaryGetTypeID()) && CGRectMakeWithDictionaryRepresentation(bounds, &w->bounds);
}

typedef struct asking {
    AXUIElementRef element;
    bs_get_window get;
    CGWindowID window;
} asking;

static void get_window(void *argument) {
    asking *a = argument;
    if (a->get(a->element, &a->window)) a->window = 0;
}

uint32_t bs_window_of_element(AXUIElementRef element) {
    asking a = {element, (bs_get_window)(uintptr_t)bs_symbol(NULL, BS_GET_WINDOW), 0};
    return a.get && !bs_guarded(get_window, &a) ? a.window : 0;
}

static bool is_popup(const bs_window *w) { return w->layer == LAYER_POPUP || w->layer == LAYER_TIP; }
static bool counts(const bs_window *w) { return (w->layer == LAYER_NORMAL || w->layer == LAYER_TORN_OFF || w->layer == LAYER_MODAL || (is_popup(w) && w->shown)) && w->bounds.size.width > 1 && w->bounds.size.height > 1; }

static void put(bs_job *job, const bs_window *w, uint32_t flags) {
    bs_buf title = {0}, owner = {0};
    if (w->title) bs_cf_text(w->title, &title);
    if (w->owner) bs_cf_text(w->owner, &owner);
    bs_put_u32(&job->reply, w->number);
    bs_put_u32(&job->reply, (uint32_t)w->pid);
    bs_put_i32(&job->reply, (int32_t)w->bounds.origin.x);
    bs_put_i32(&job->reply, (int32_t)w->bounds.origin.y);
    bs_put_i32(&job->reply, (int32_t)w->bounds.size.width);
    bs_put_i32(&job->reply, (int32_t)w->bounds.size.height);
    bs_put_u32(&job->reply, flags);
    for (unsigned i = 0; i < 4; i++) bs_put_i32(&job->reply, 0);
    bs_put_str(&job->reply, (const char *)title.data, title.length);
    bs_put_str(&job->reply, (const char *)owner.data, owner.length);
    bs_buf_free(&title);
    bs_buf_free(&owner);
}

/* What does not show is minimised where its application told so, else it lies on another Space (or its application is hidden). */
static uint32_t flags_of(const bs_window *w, bool *frontmost_seen) {
    if (is_popup(w)) return POPUP;
    if (w->shown) {
        bool active = !*frontmost_seen && w->layer == LAYER_NORMAL;
        *frontmost_seen |= active;
        return active ? ACTIVE : 0;
    }
    return bs_app_window_minimised(w->pid, w->number) ? MINIMISED : ELSEWHERE;
}

int bs_op_windows(bs_job *job) {
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    CFArrayRef list = bs_window_list();
    CFIndex n = list ? CFArrayGetCount(list) : 0;
    uint32_t count = 0, flags[512];
    bs_window w;
    bool seen = false;
    if (n > 512) n = 512;
    for (CFIndex i = 0; i < n; i++) flags[i] = bs_window_at(list, i, &w) && counts(&w) ? flags_of(&w, &seen) : UINT32_MAX;
    size_t at = job->reply.length;
    bs_put_u32(&job->reply, 0);
    /* Bottom to top, popups last. */
    for (unsigned popups = 0; popups < 2; popups++) {
        for (CFIndex i = n; i-- > 0;) {
            if (flags[i] == UINT32_MAX || !(flags[i] & POPUP) == (popups == 1) || !bs_window_at(list, i, &w)) continue;
            put(job, &w, flags[i]);
            count++;
        }
    }
    if (!job->reply.failed) memcpy(job->reply.data + at, &count, 4);
    bs_cf_drop(list);
    return list ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_DISPLAY, "the window server lists no windows: this process runs outside of a login session");
}

static pid_t owner_of(uint32_t number) {
    CFArrayRef list = bs_window_list();
    pid_t pid = 0;
    bs_window w;
    for (CFIndex i = 0; list && !pid && i < CFArrayGetCount(list); i++)
        if (bs_window_at(list, i, &w) && w.number == number) pid = w.pid;
    bs_cf_drop(list);
    return pid;
}

/* The window of an application by the server's number, retained. */
static int find(bs_job *job, uint32_t number, AXUIElementRef *found) {
    CFTypeRef windows = NULL;
    *found = NULL;
    int status = bs_ask_one(job, job->app->element, bs_name()->attribute[AX_Windows], &windows);
    if (status) return status;
    CFArrayRef list = bs_cf_array(windows);
    for (CFIndex i = 0; list && !*found && i < CFArrayGetCount(list); i++) {
        CFTypeRef one = CFArrayGetValueAtIndex(list, i);
        if (bs_is(one, AXUIElementGetTypeID()) && bs_window_of_element(one) == number) *found = (AXUIElementRef)CFRetain(one);
    }
    bs_cf_drop(windows);
    if (*found) return BACKSTEP_OK;
    return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, bs_symbol(NULL, BS_GET_WINDOW) ? "the application tells no such window: those on another Space it does not" : "this system lacks " BS_GET_WINDOW ", which tells which window is which");
}

static int set(bs_job *job, AXUIElementRef of, enum bs_attribute which, CFTypeRef value) {
    bool yes;
    int status = bs_ask_settable(job, of, bs_name()->attribute[which], &yes);
    if (status) return status;
    if (!yes) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "%s of this window cannot be set", bs_attribute_text(which));
    return value ? bs_tell_set(job, of, bs_name()->attribute[which], value) : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
}

/* Options: all of its windows, and over what is in front. */
static bool activate_process(pid_t pid) {
    id app = bs_framework(BS_APPKIT) ? ((id(*)(id, SEL, pid_t))bs_sender())(bs_class("NSRunningApplication"), bs_sel("runningApplicationWithProcessIdentifier:"), pid) : NULL;
    return app && ((BOOL(*)(id, SEL, unsigned long))bs_sender())(app, bs_sel("activateWithOptions:"), 2);
}

static int to_front(bs_job *job) {
    int status = set(job, job->app->element, AX_Frontmost, kCFBooleanTrue);
    if (status != BACKSTEP_E_UNSUPPORTED) return status;
    return activate_process(job->app->pid) ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_REFUSED, "the application does not come to the front");
}

static int activate(bs_job *job, AXUIElementRef window) {
    int status = bs_tell_perform(job, window, bs_name()->action[AX_DO_Raise]);
    if (status && status != BACKSTEP_E_UNSURE) return status;
    return to_front(job);
}

/* The button that the window names, else the one among its children. */
static int close_button(bs_job *job, AXUIElementRef window, CFTypeRef *button) {
    int status = bs_ask_one(job, window, bs_name()->attribute[AX_CloseButton], button);
    if (status != BACKSTEP_E_UNSUPPORTED) return status;
    CFTypeRef children = NULL;
    status = bs_ask_one(job, window, bs_name()->attribute[AX_Children], &children);
    CFArrayRef list = bs_cf_array(children);
    for (CFIndex i = 0; !status && list && !*button && i < CFArrayGetCount(list) && i < 64; i++) {
        CFTypeRef one = CFArrayGetValueAtIndex(list, i), subrole = NULL;
        if (!bs_is(one, AXUIElementGetTypeID()) || bs_ask_one(job, one, bs_name()->attribute[AX_Subrole], &subrole)) continue;
        bs_buf text = {0};
        if (bs_cf_text(subrole, &text) && !text.failed && bs_subrole_number((const char *)text.data, text.length) == AX_SUB_CloseButton) *button = CFRetain(one);
        bs_buf_free(&text);
        bs_cf_drop(subrole);
    }
    bs_cf_drop(children);
    return status;
}

static int close_it(bs_job *job, AXUIElementRef window) {
    CFTypeRef button = NULL;
    int status = close_button(job, window, &button);
    if (status) return status;
    status = bs_is(button, AXUIElementGetTypeID()) ? bs_tell_perform(job, button, bs_name()->action[AX_DO_Press]) : bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the window has no button that closes it");
    bs_cf_drop(button);
    return status;
}

/* What is -1 stays as it is. */
static int move(bs_job *job, AXUIElementRef window, const int32_t to[4]) {
    CFArrayRef got;
    int status = bs_ask_many(job, window, bs_name()->places, &got);
    if (status) return status;
    CGPoint at = {0, 0};
    CGSize size = {0, 0};
    bs_cf_point(bs_cf_at(got, P_POSITION), &at.x, &at.y);
    bs_cf_size(bs_cf_at(got, P_SIZE), &size.width, &size.height);
    bs_cf_drop(got);
    if (to[0] != -1) at.x = to[0];
    if (to[1] != -1) at.y = to[1];
    if (to[2] != -1) size.width = to[2];
    if (to[3] != -1) size.height = to[3];
    AXValueRef place = AXValueCreate(kAXValueTypeCGPoint, &at), room = AXValueCreate(kAXValueTypeCGSize, &size);
    if (to[0] != -1 || to[1] != -1) status = set(job, window, AX_Position, place);
    if (!status && (to[2] != -1 || to[3] != -1)) status = set(job, window, AX_Size, room);
    bs_cf_drop(place);
    bs_cf_drop(room);
    return status;
}

/* With it on, windows move in steps, or back: it is off meanwhile. */
static int place(bs_job *job, AXUIElementRef window, const int32_t to[4]) {
    CFTypeRef enhanced = NULL;
    AXError error;
    CFStringRef name = bs_name()->attribute[AX_EnhancedUserInterface];
    bool on = !bs_ask_one(job, job->app->element, name, &enhanced) && bs_cf_truth(enhanced, false);
    bs_cf_drop(enhanced);
    if (on) bs_tell_aside(job, job->app->element, name, kCFBooleanFalse, &error);
    int status = move(job, window, to);
    if (on) {
        char why[sizeof job->why];
        memcpy(why, job->why, sizeof why);
        bs_tell_aside(job, job->app->element, name, kCFBooleanTrue, &error);
        memcpy(job->why, why, sizeof why);
    }
    return status;
}

int bs_op_window(bs_job *job) {
    bs_reader *r = &job->request;
    r->at = 0; /* begun once more on the application's lane */
    uint32_t number = bs_get_u32(r), verb = bs_get_u32(r);
    int32_t to[4];
    for (unsigned i = 0; i < 4; i++) to[i] = bs_get_i32(r);
    if (bs_job_malformed(job) || verb > PLACE) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    if (!job->app) {
        int status = BACKSTEP_E_APP_GONE;
        pid_t pid = owner_of(number);
        bs_app *app = pid ? bs_app_by_pid(pid, &status) : NULL;
        if (!app) return bs_job_fail(job, BACKSTEP_E_NO_ELEMENT, "there is no such window");
        bs_lane_move(job, app);
        return BS_MOVED;
    }
    AXUIElementRef window;
    int status = find(job, number, &window);
    /* Where it cannot be told which element is this window, its application comes to the front as it is. */
    if (status == BACKSTEP_E_UNSUPPORTED && verb == ACTIVATE) return to_front(job);
    if (status) return status;
    switch (verb) {
    case ACTIVATE: status = activate(job, window); break;
    case CLOSE: status = close_it(job, window); break;
    case MINIMISE: status = set(job, window, AX_Minimized, kCFBooleanTrue); break;
    case RESTORE: status = set(job, window, AX_Minimized, kCFBooleanFalse); break;
    default: status = place(job, window, to); break;
    }
    bs_cf_drop(window);
    return status;
}
