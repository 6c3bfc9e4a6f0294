/* NSRunningApplication and NSWorkspace. */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "objc.h"
#include "standin.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NSRunningApplication: what it was when it was made, but for isTerminated. */
static id running(int pid) {
    si_lock();
    si_app *a = si_app_of(pid);
    bool is = a && !a->absent && !a->dead;
    si_unlock();
    si_object *o = is ? si_make("NSRunningApplication") : NULL;
    if (o) o->pid = pid;
    return (id)o;
}
static id with_pid(id self, SEL s, int pid) { return (void)self, (void)s, si_autorelease(running(pid)); }
static int pid_of(id self, SEL s) { return (void)s, ((si_object *)self)->pid; }
#define OF_APP(self) si_app *a = si_app_of(((si_object *)(self))->pid)
static id app_text(id self, int what) {
    char text[512] = "";
    bool has = false;
    si_lock();
    OF_APP(self);
    const char *t = a ? what == 0 ? a->bundle : what == 1 ? a->name : a->path : NULL;
    if (t) has = true, snprintf(text, sizeof text, "%s", t);
    si_unlock();
    if (!has) return NULL;
    return si_autorelease((void *)(uintptr_t)(what == 2 ? (CFTypeRef)CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)text, (CFIndex)strlen(text), 1) : (CFTypeRef)si_str(text)));
}
static id bundle_id(id self, SEL s) { return (void)s, app_text(self, 0); }
static id localized_name(id self, SEL s) { return (void)s, app_text(self, 1); }
static id bundle_url(id self, SEL s) { return (void)s, app_text(self, 2); }
static BOOL app_is(id self, int what) {
    si_lock();
    OF_APP(self);
    bool gone = !a || a->dead || a->absent, is = what == 0 ? gone : what == 1 ? !gone && a->hidden : what == 2 ? !gone && !a->background : !gone && si_now_ns() >= a->born_ns + a->late_ms * 1000000ull;
    si_unlock();
    return is;
}
static BOOL is_terminated(id self, SEL s) { return (void)s, app_is(self, 0); }
static BOOL is_hidden(id self, SEL s) { return (void)s, app_is(self, 1); }
static BOOL is_active(id self, SEL s) { return (void)s, app_is(self, 2); }
static BOOL is_launched(id self, SEL s) { return (void)s, app_is(self, 3); }
static long policy(id self, SEL s) { return (void)s, (void)self, 0; }
/* A request: a rule `on quit:` of the application decides what comes of it (a save dialog, nothing, its end). */
static BOOL terminate(id self, SEL s) {
    (void)s;
    int pid = ((si_object *)self)->pid;
    si_lock();
    si_app *a = si_app_of(pid);
    bool there = a && !a->dead && !a->absent && !a->hung;
    si_rule *r = there ? si_rule_of(&a->nodes[0], "quit") : NULL;
    if (there) si_logf("%s is asked to quit", a->name);
    if (r) si_run(a, 0, r->effects, 6);
    si_unlock();
    if (there && !r) si_kill(pid);
    return there;
}
static BOOL force(id self, SEL s) { return (void)s, si_kill(((si_object *)self)->pid), 1; }
static BOOL activate(id self, SEL s, unsigned long options) {
    (void)s, (void)options;
    si_lock();
    OF_APP(self);
    if (a) si_to_front(a);
    si_unlock();
    return a != NULL;
}
static BOOL hide_app(id self, bool on) {
    si_lock();
    OF_APP(self);
    if (a) a->hidden = on, si_post(a, 0, on ? "AXApplicationHidden" : "AXApplicationShown");
    si_unlock();
    return a != NULL;
}
static BOOL hide(id self, SEL s) { return (void)s, hide_app(self, true); }
static BOOL unhide(id self, SEL s) { return (void)s, hide_app(self, false); }
static id running_with_bundle(id self, SEL s, id bundle) {
    (void)self, (void)s;
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 4, &kCFTypeArrayCallBacks);
    for (int i = 0; list && si_apps(i); i++) {
        id o = si_apps(i)->bundle && !strcmp(si_apps(i)->bundle, si_utf8((CFTypeRef)bundle)) ? running(si_apps(i)->pid) : NULL;
        if (o) CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
const si_method SI_METHODS_RUNNING[] = {{"+runningApplicationWithProcessIdentifier:", with_pid}, {"+runningApplicationsWithBundleIdentifier:", running_with_bundle}, {"-processIdentifier", pid_of}, {"-bundleIdentifier", bundle_id},
                                    {"-localizedName", localized_name}, {"-bundleURL", bundle_url}, {"-isTerminated", is_terminated}, {"-isHidden", is_hidden}, {"-isActive", is_active}, {"-isFinishedLaunching", is_launched},
                                    {"-activationPolicy", policy}, {"-terminate", terminate}, {"-forceTerminate", force}, {"-activateWithOptions:", activate}, {"-hide", hide}, {"-unhide", unhide}, {NULL, NULL}};

/* NSWorkspace: without a main run loop, what runs is what ran when it was first asked. */
static si_object *workspace;
static int frozen[64], frozen_n = -1;
static id shared_workspace(id self, SEL s) {
    (void)self, (void)s;
    if (!workspace) workspace = si_make("NSWorkspace");
    if (workspace && atomic_load(&workspace->s.refs) < SI_FOREVER / 2) si_uncounted(&workspace->s);
    return (id)workspace;
}
static id running_apps(id self, SEL s) {
    (void)self, (void)s;
    if (frozen_n < 0) {
        frozen_n = 0;
        for (int i = 0; si_apps(i); i++)
            if (!si_apps(i)->absent && !si_apps(i)->dead) frozen[frozen_n++] = si_apps(i)->pid;
    }
    CFMutableArrayRef list = CFArrayCreateMutable(NULL, 8, &kCFTypeArrayCallBacks);
    for (int i = 0; list && i < frozen_n; i++) {
        si_object *o = si_make("NSRunningApplication");
        if (o) o->pid = frozen[i], CFArrayAppendValue(list, o), CFRelease(o);
    }
    return si_autorelease((void *)list);
}
static id front_app(id self, SEL s) {
    (void)self, (void)s;
    for (int i = 0; si_apps(i); i++)
        if (!si_apps(i)->background && !si_apps(i)->absent && !si_apps(i)->dead) return si_autorelease(running(si_apps(i)->pid));
    return NULL;
}
static si_app *with_bundle(const char *bundle) {
    for (int i = 0; si_apps(i); i++)
        if (si_apps(i)->bundle && si_apps(i)->path && !strcmp(si_apps(i)->bundle, bundle)) return si_apps(i);
    return NULL;
}
static id url_for_bundle(id self, SEL s, id bundle) {
    (void)self, (void)s;
    si_app *a = with_bundle(si_utf8((CFTypeRef)bundle));
    if (!a) return NULL;
    return si_autorelease((void *)(uintptr_t)CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)a->path, (CFIndex)strlen(a->path), 1));
}
id si_error(long code) {
    si_object *o = si_make("NSError");
    if (o) o->pid = (int)code;
    return (id)o;
}
static void open_at(id self, SEL s, id url, id configuration, si_block *b) {
    (void)self, (void)s;
    si_check(configuration, SI_OBJECT, "openApplicationAtURL:");
    UInt8 path[1024];
    si_app *found = NULL;
    if (CFURLGetFileSystemRepresentation((CFURLRef)url, 1, path, sizeof path))
        for (int i = 0; si_apps(i) && !found; i++)
            if (si_apps(i)->path && !strcmp(si_apps(i)->path, (const char *)path)) found = si_apps(i);
    bool activates = ((si_object *)configuration)->pid;
    si_lock();
    if (found && !activates && (found->absent || found->dead)) found->background = true;
    si_unlock();
    if (found) si_launch(found->pid);
    si_lock();
    if (found && activates) si_to_front(found);
    si_unlock();
    if (b) si_call_later(b, found ? running(found->pid) : NULL, found ? NULL : si_error(260));
}
static id configuration(id self, SEL s) {
    (void)self, (void)s;
    si_object *o = si_make("NSWorkspaceOpenConfiguration");
    if (o) o->pid = 1; /* activates */
    return si_autorelease(o);
}
static void set_activates(id self, SEL s, BOOL on) { (void)s, ((si_object *)self)->pid = on; }
static void set_ignored(id self, SEL s, id v) { (void)self, (void)s, (void)v; }
static BOOL open_url(id self, SEL s, id url) {
    (void)self, (void)s;
    si_lock();
    si_logf("opened %s", si_utf8(CFURLGetString((CFURLRef)url)));
    si_unlock();
    return 1;
}
const si_method SI_METHODS_WORKSPACE[] = {{"+sharedWorkspace", shared_workspace}, {"-runningApplications", running_apps}, {"-frontmostApplication", front_app}, {"-URLForApplicationWithBundleIdentifier:", url_for_bundle},
                                      {"-openApplicationAtURL:configuration:completionHandler:", open_at}, {"-openURL:", open_url}, {NULL, NULL}};
const si_method SI_METHODS_CONFIGURATION[] = {{"+configuration", configuration}, {"-setActivates:", set_activates}, {"-setArguments:", set_ignored}, {"-setEnvironment:", set_ignored}, {"-setCreatesNewApplicationInstance:", set_ignored},
                                          {"-setHides:", set_ignored}, {"-setAddsToRecentItems:", set_ignored}, {"-setPromptsUserIfNeeded:", set_ignored}, {NULL, NULL}};
static long error_code(id self, SEL s) { return (void)s, ((si_object *)self)->pid; }
static id error_text(id self, SEL s) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)si_str("The application can't be found.")); }
const si_method SI_METHODS_ERROR[] = {{"-code", error_code}, {"-localizedDescription", error_text}, {NULL, NULL}};
