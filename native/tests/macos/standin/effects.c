/*
 * What a rule of a script says, effects separated by "; ". Elements are #labels; without one it is the element of the rule.
 *   set [#x] AXName literal · toggle [#x] · log "text with {AXName} or {#x AXName}" · answer CODE · ignore (of a set: it is not done)
 *   count #x N (adds to the number at the end of its AXValue) · show #x · hide #x · focus #x · notify [#x] AXName · insert [#x] "text" · rows #list FIRST "Row %d" (what they show, the elements stay)
 *   wait MS · block [#x] (until the message's timeout: -25204; or, answered, until #x is hidden) · throw · hang · exit · launch PID · after MS REST (of the effects, later)
 */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "standin.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { uint64_t at; pid_t pid; uint32_t id; char *effects; } later[256];
static int later_n;
static bool ticking;
static atomic_uint turn; /* counts what was put off */

static void filled(si_app *a, int node, const char *text, char *to, size_t room) {
    size_t n = 0;
    for (; *text && n + 1 < room; text++) {
        if (*text != '{') {
            to[n++] = *text;
            continue;
        }
        char label[64] = "", name[64] = "";
        if (sscanf(text, "{#%63s %63[^}]}", label, name) != 2) *label = 0, sscanf(text, "{%63[^}]}", name);
        si_attr *at = si_attr_of(&a->nodes[*label ? si_labelled(a, label) : node], name);
        char *v = at ? si_v_text(&at->v) : strdup("");
        n += (size_t)snprintf(to + n, room - n, "%s", v);
        if (n >= room) n = room - 1;
        free(v);
        text += strcspn(text, "}");
    }
    to[n] = 0;
}
static void renumber(si_app *a, int node) {
    a->nodes[node].id = si_fresh();
    for (int i = 0; i < a->nodes[node].children_n; i++) renumber(a, a->nodes[node].children[i]);
}
void si_show(si_app *a, int node, bool show) {
    si_node *n = &a->nodes[node];
    const char *role = si_text_of(n, "AXRole");
    if (n->hidden == !show) {
        if (show && !strcmp(role, "AXWindow") && a->focused_window != node) a->focused_window = node, si_post(a, node, "AXFocusedWindowChanged"); /* as makeKeyAndOrderFront does */
        return;
    }
    if (show) {
        n->hidden = false;
        renumber(a, node);
        si_post(a, node, !strcmp(role, "AXWindow") ? "AXWindowCreated" : !strcmp(role, "AXSheet") ? "AXSheetCreated" : !strcmp(role, "AXDrawer") ? "AXDrawerCreated" : !strcmp(role, "AXMenu") ? "AXMenuOpened" : "AXCreated");
        if (!strcmp(role, "AXWindow")) a->focused_window = node, si_post(a, node, "AXFocusedWindowChanged");
    } else {
        if (!strcmp(role, "AXMenu")) si_post(a, node, "AXMenuClosed");
        si_post(a, node, "AXUIElementDestroyed");
        n->hidden = true;
        if (a->focused_window == node) {
            a->focused_window = -1;
            for (int i = 0; i < a->nodes[0].children_n; i++) {
                int w = a->nodes[0].children[i];
                if (!a->nodes[w].hidden && !strcmp(si_text_of(&a->nodes[w], "AXRole"), "AXWindow")) a->focused_window = w;
            }
        }
        if (a->focus >= 0 && !si_is_there(a, a->focus)) a->focus = -1;
    }
    si_post(a, n->parent, "AXLayoutChanged");
}

static bool never(void *p) { return (void)p, false; }
static void pause_for(double seconds) {
    uint64_t at = si_now_ns() + (uint64_t)(seconds * 1e9);
    si_unlock();
    si_wait_until(at, never, NULL);
    si_lock();
}
typedef struct { si_app *a; int node; uint32_t id; } nest;
static bool closed(void *p) {
    nest *n = p;
    si_lock();
    bool gone = n->a->dead || (n->node >= 0 && (!si_is_there(n->a, n->node) || n->a->nodes[n->node].id != n->id)); /* closed, and open once more */
    si_unlock();
    return gone;
}
/* A loop of its own, of a menu or a modal window, until that closes: other messages are answered meanwhile. False: it stays. */
static bool nested(si_app *a, int node, double seconds) {
    uint64_t at = si_now_ns() + (uint64_t)(seconds * 1e9);
    bool turn = si_turn == a;
    nest n = {a, node, node >= 0 ? a->nodes[node].id : 0};
    si_unlock();
    if (turn) pthread_mutex_unlock(&a->turn);
    bool over = false;
    /* Looked at now and then: whoever closes it holds the lock that waking would need. */
    while (!(over = closed(&n)) && si_now_ns() < at) si_wait_until(si_now_ns() + 5000000 < at ? si_now_ns() + 5000000 : at, never, NULL);
    if (turn) pthread_mutex_lock(&a->turn);
    si_lock();
    return over;
}
static bool more(void *seen) { return atomic_load(&turn) != *(unsigned *)seen; }
static void *tick(void *unused) {
    (void)unused;
    for (;;) {
        si_lock();
        uint64_t next = UINT64_MAX;
        for (int i = 0; i < later_n; i++)
            if (later[i].at < next) next = later[i].at;
        unsigned seen = atomic_load(&turn);
        si_unlock();
        si_wait_passive(next, more, &seen); /* whoever moves the clock on wakes this, too */
        si_due();
    }
    return NULL;
}
static void put_off(si_app *a, int node, double ms, const char *effects) {
    if (later_n == 256) abort();
    later[later_n].at = si_now_ns() + (uint64_t)(ms * 1e6);
    later[later_n].pid = a->pid;
    later[later_n].id = (uint32_t)node;
    later[later_n++].effects = strdup(effects);
    atomic_fetch_add(&turn, 1);
    pthread_t t;
    if (!ticking && !pthread_create(&t, NULL, tick, NULL)) ticking = true, pthread_detach(t);
}
void si_due(void) {
    si_lock();
    for (;;) {
        int first = -1;
        for (int i = 0; i < later_n; i++)
            if (later[i].at <= si_now_ns() && (first < 0 || later[i].at < later[first].at)) first = i;
        if (first < 0) break;
        si_app *a = si_app_of(later[first].pid);
        int node = (int)later[first].id;
        char *effects = later[first].effects;
        later[first] = later[--later_n];
        if (a && !a->dead) si_run(a, node, effects, 6);
        free(effects);
    }
    si_unlock();
}
void si_effects_clear(void) {
    si_lock();
    while (later_n) free(later[--later_n].effects);
    si_unlock();
}

static int target(si_app *a, int node, const char **at) {
    if (**at != '#') return node;
    char label[64];
    int used = 0;
    if (sscanf(*at, "#%63[^ ;]%n", label, &used) != 1) abort();
    *at += used;
    *at += strspn(*at, " ");
    return si_labelled(a, label);
}
static _Noreturn void unknown(const char *effects) {
    fprintf(stderr, "stand-in: no such effect: %s\n", effects);
    abort();
}
si_result si_run(si_app *a, int node, const char *effects, double timeout) {
    si_result r = {0};
    for (const char *at = effects; *at;) {
        at += strspn(at, "; ");
        if (!*at) break;
        char verb[16];
        int used = 0;
        if (sscanf(at, "%15[a-z]%n", verb, &used) != 1) unknown(at);
        at += used;
        at += strspn(at, " ");
        si_v v = {0};
        if (!strcmp(verb, "after")) {
            double ms = strtod(at, (char **)(uintptr_t)&at);
            put_off(a, node, ms, at);
            si_clock_changed();
            break;
        }
        if (!strcmp(verb, "set")) {
            int x = target(a, node, &at);
            char name[64];
            if (sscanf(at, "%63[A-Za-z]%n", name, &used) != 1) unknown(effects);
            at += used;
            at += strspn(at, " ");
            if (!si_v_parse(&at, &v)) unknown(effects);
            if (v.kind == SI_V_STRING && strchr(v.text, '{')) {
                char text[2048];
                filled(a, node, v.text, text, sizeof text);
                free(v.text);
                v.text = strdup(text);
            }
            si_set(a, x, name, v);
        } else if (!strcmp(verb, "toggle")) {
            int x = target(a, node, &at);
            si_attr *value = si_attr_of(&a->nodes[x], "AXValue");
            si_set(a, x, "AXValue", si_v_int(!(value && value->v.i)));
        } else if (!strcmp(verb, "log")) {
            char text[2048];
            if (!si_v_parse(&at, &v)) unknown(effects);
            filled(a, node, v.text, text, sizeof text);
            si_logf("%s", text);
            si_v_free(&v);
        } else if (!strcmp(verb, "insert")) {
            int x = target(a, node, &at);
            if (!si_v_parse(&at, &v)) unknown(effects);
            si_insert(a, x, v.text);
            si_v_free(&v);
        } else if (!strcmp(verb, "rows")) {
            int x = target(a, node, &at);
            long first = strtol(at, (char **)(uintptr_t)&at, 10);
            at += strspn(at, " ");
            if (!si_v_parse(&at, &v)) unknown(effects);
            const char *mark = strstr(v.text, "%d");
            for (int i = 0; i < a->nodes[x].children_n; i++) {
                char text[256];
                snprintf(text, sizeof text, "%.*s%ld%s", mark ? (int)(mark - v.text) : 0, v.text, first + i, mark ? mark + 2 : v.text);
                si_attr *title = si_attr_of(&a->nodes[a->nodes[x].children[i]], "AXTitle");
                if (title) free(title->v.text), title->v.text = strdup(text);
            }
            si_v_free(&v);
        } else if (!strcmp(verb, "notify")) {
            int x = target(a, node, &at);
            char name[64];
            if (sscanf(at, "%63[A-Za-z]%n", name, &used) != 1) unknown(effects);
            at += used;
            si_post(a, x, name);
        } else if (!strcmp(verb, "show") || !strcmp(verb, "hide")) si_show(a, target(a, node, &at), *verb == 's');
        else if (!strcmp(verb, "focus")) a->focus = target(a, node, &at), si_post(a, a->focus, "AXFocusedUIElementChanged");
        else if (!strcmp(verb, "count")) {
            /* The number at the end of a text. */
            int x = target(a, node, &at);
            long by = strtol(at, (char **)(uintptr_t)&at, 10);
            const char *text = si_text_of(&a->nodes[x], "AXValue"), *digits = text + strlen(text);
            while (digits > text && (digits[-1] == '-' || (digits[-1] >= '0' && digits[-1] <= '9'))) digits--;
            char whole[256];
            snprintf(whole, sizeof whole, "%.*s%ld", (int)(digits - text), text, strtol(digits, NULL, 10) + by);
            si_set(a, x, "AXValue", si_v_string(whole));
        } else if (!strcmp(verb, "answer")) r.answer = (int)strtol(at, (char **)(uintptr_t)&at, 10);
        else if (!strcmp(verb, "ignore")) r.ignore = true;
        else if (!strcmp(verb, "throw")) r.thrown = true;
        else if (!strcmp(verb, "hang")) a->hung = true;
        else if (!strcmp(verb, "exit")) {
            si_unlock();
            si_kill(a->pid);
            si_lock();
        } else if (!strcmp(verb, "launch")) {
            int pid = (int)strtol(at, (char **)(uintptr_t)&at, 10);
            si_unlock();
            si_launch(pid);
            si_lock();
        } else if (!strcmp(verb, "block")) {
            int x = *at == '#' ? target(a, node, &at) : -1;
            if (!nested(a, x, timeout)) r.answer = kAXErrorCannotComplete;
        } else if (!strcmp(verb, "wait")) {
            double s = strtod(at, (char **)(uintptr_t)&at) / 1e3;
            pause_for(s < timeout ? s : timeout);
            if (s > timeout) r.answer = kAXErrorCannotComplete;
        } else unknown(verb);
        at += strspn(at, " ");
        if (*at && *at != ';') unknown(effects);
    }
    return r;
}
bool si_do(int pid, const char *label, const char *effects) {
    si_lock();
    si_app *a = si_app_of(pid);
    if (a) si_run(a, *label ? si_labelled(a, label) : 0, effects, 6);
    si_unlock();
    return a != NULL;
}
