#include "wake_web.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ask.h"
#include "cf.h"

#define ROOM 1024
/* The tree comes about half a second after the flag; the wait ends with the operation's own deadline, too. */
#define COMES_US 700000u
#define LOOK_US 25000u

static bool beside(const char *frameworks, const char *name) {
    char path[ROOM];
    static const char end[] = " Framework.framework";
    size_t n = strlen(name);
    if (n < sizeof end || strcmp(name + n - (sizeof end - 1), end)) return false;
    return snprintf(path, sizeof path, "%s/%s/Resources/chrome_100_percent.pak", frameworks, name) < (int)sizeof path && !access(path, R_OK);
}

bool bs_is_chromium(const char *executable) {
    char frameworks[ROOM];
    const char *end = strstr(executable, "/Contents/MacOS/");
    if (!end || snprintf(frameworks, sizeof frameworks, "%.*s/Contents/Frameworks", (int)(end - executable), executable) >= (int)sizeof frameworks) return false;
    DIR *folder = opendir(frameworks);
    bool found = false;
    for (struct dirent *entry; folder && !found && (entry = readdir(folder));) found = beside(frameworks, entry->d_name);
    if (folder) closedir(folder);
    return found;
}

/* Does one of the windows have a web area by now? Three levels down is where it lies as a rule. */
static bool has_web(bs_job *job, AXUIElementRef element, unsigned depth) {
    CFArrayRef basics;
    if (atomic_load(&job->over) || bs_ask_many(job, element, bs_name()->basics, &basics)) return false;
    bs_buf role = {0};
    bool web = bs_cf_text(bs_cf_at(basics, B_ROLE), &role) && !role.failed && bs_role_number((const char *)role.data, role.length) == AX_ROLE_WebArea;
    bs_buf_free(&role);
    CFArrayRef children = bs_cf_array(bs_cf_at(basics, B_CHILDREN));
    for (CFIndex i = 0; !web && children && depth && i < CFArrayGetCount(children) && i < 8; i++) {
        CFTypeRef child = CFArrayGetValueAtIndex(children, i);
        if (bs_is(child, AXUIElementGetTypeID())) web = has_web(job, child, depth - 1);
    }
    bs_cf_drop(basics);
    return web;
}

void bs_wake_web(bs_job *job) {
    bs_app *app = job->app;
    char path[PROC_PIDPATHINFO_MAXSIZE];
    if (app->woken) return;
    app->woken = true;
    int n = proc_pidpath(app->pid, path, sizeof path);
    if (n <= 0 || n >= (int)sizeof path) return;
    path[n] = 0;
    if (!bs_is_chromium(path)) return;
    AXError error = kAXErrorSuccess;
    bs_tell_aside(job, app->element, bs_name()->attribute[AX_ManualAccessibility], kCFBooleanTrue, &error);
    /* Older Electron answers this although it worked; Chrome knows only the other one, which makes windows hard to move. */
    if (error == kAXErrorAttributeUnsupported) bs_tell_aside(job, app->element, bs_name()->attribute[AX_EnhancedUserInterface], kCFBooleanTrue, &error);
    uint64_t until = bs_now_us() + COMES_US;
    if (until > job->deadline) until = job->deadline;
    while (bs_now_us() < until && !atomic_load(&job->over) && !has_web(job, app->element, 6)) usleep(LOOK_US);
}
