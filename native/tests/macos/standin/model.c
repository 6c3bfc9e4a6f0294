#define _GNU_SOURCE
#include "model.h"
#include "clock.h"
#include "standin.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static si_app *apps[64];
static int apps_n;
static char *said;
static size_t said_n;
static uint32_t fresh = 1;
static struct { int pid; char what[64]; long n; } counts[2048];
static int counts_n;

void si_lock(void) { pthread_mutex_lock(&lock); }
void si_unlock(void) { pthread_mutex_unlock(&lock); }
uint32_t si_fresh(void) { return fresh++; }
si_app *si_apps(int i) { return i < apps_n ? apps[i] : NULL; }
si_app *si_app_of(pid_t pid) {
    for (int i = 0; i < apps_n; i++)
        if (apps[i]->pid == pid) return apps[i];
    return NULL;
}
void si_app_added(si_app *a);
void si_app_added(si_app *a) {
    if (apps_n == 64 || si_app_of(a->pid)) abort();
    apps[apps_n++] = a;
}
si_app *si_owner(pid_t pid, uint32_t id, int *node) {
    for (int i = 0; i < apps_n; i++) {
        si_app *a = apps[i];
        if (id == 0 && a->pid == pid) return *node = 0, a;
        if (id == 0) continue;
        /* Nodes are numbered in order at first: that is where to look before all are. */
        uint32_t first = a->n > 1 ? a->nodes[1].id : 0, guess = id - first + 1;
        if (guess < (uint32_t)a->n && a->nodes[guess].id == id && a->nodes[guess].pid == pid) return *node = (int)guess, a;
        for (int k = 1; k < a->n; k++)
            if (a->nodes[k].id == id && a->nodes[k].pid == pid) return *node = k, a;
    }
    return NULL;
}
int si_labelled(si_app *a, const char *label) {
    for (int i = 0; i < a->n; i++)
        if (a->nodes[i].label && !strcmp(a->nodes[i].label, label)) return i;
    fprintf(stderr, "stand-in: %s has no element #%s\n", a->name, label);
    abort();
}
bool si_is_there(si_app *a, int i) {
    for (; i >= 0; i = a->nodes[i].parent)
        if (a->nodes[i].hidden) return false;
    return true;
}
si_attr *si_attr_of(si_node *n, const char *name) {
    for (int i = 0; i < n->attrs_n; i++)
        if (!strcmp(n->attrs[i].name, name)) return &n->attrs[i];
    return NULL;
}
si_rule *si_rule_of(si_node *n, const char *when) {
    for (int i = 0; i < n->rules_n; i++)
        if (!strcmp(n->rules[i].when, when)) return &n->rules[i];
    return NULL;
}
const char *si_text_of(si_node *n, const char *name) {
    si_attr *a = si_attr_of(n, name);
    return a && a->v.kind == SI_V_STRING ? a->v.text : "";
}
int si_window_of(si_app *a, int i) {
    while (i > 0 && strcmp(si_text_of(&a->nodes[i], "AXRole"), "AXWindow")) i = a->nodes[i].parent;
    return i > 0 ? i : -1;
}
CGRect si_rect_of(si_app *a, int i) {
    si_attr *p = si_attr_of(&a->nodes[i], "AXPosition"), *s = si_attr_of(&a->nodes[i], "AXSize");
    return p && s ? CGRectMake(p->v.n[0], p->v.n[1], s->v.n[0], s->v.n[1]) : CGRectMake(0, 0, -1, -1);
}
void si_v_free(si_v *v) {
    free(v->text);
    *v = (si_v){0};
}
si_v si_v_string(const char *text) { return (si_v){.kind = SI_V_STRING, .text = strdup(text)}; }
si_v si_v_int(int64_t i) { return (si_v){.kind = SI_V_INT, .i = i}; }

static char *quoted(const char **at) {
    const char *p = *at;
    if (*p != '"') return NULL;
    char *out = malloc(strlen(p) + 1);
    size_t n = 0;
    for (p++; *p && *p != '"'; p++)
        if (*p == '\\' && p[1]) p++, out[n++] = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'r' ? '\r' : *p;
        else out[n++] = *p;
    out[n] = 0;
    if (*p != '"') return free(out), NULL;
    *at = p + 1;
    return out;
}
static int numbers(const char **at, double *to, int most) {
    int n = 0;
    for (char *end; n < most; n++) {
        double d = strtod(*at, &end);
        if (end == *at) break;
        to[n] = d;
        *at = end;
        if (**at != ',') return n + 1;
        (*at)++;
    }
    return n;
}
static bool begins(const char **at, const char *with) {
    size_t n = strlen(with);
    if (strncmp(*at, with, n)) return false;
    *at += n;
    return true;
}
/* A literal: "text", 3, 0.5, true, point:1,2 size:3,4 rect:1,2,3,4 range:0,3 url:"…" rich:"…" list:"a\nb" #label [#a #b] nothing error:-25200 */
bool si_v_parse(const char **at, si_v *v) {
    *v = (si_v){0};
    if (**at == '"') return v->kind = SI_V_STRING, (v->text = quoted(at)) != NULL;
    if (begins(at, "true")) return v->kind = SI_V_BOOL, v->i = 1, true;
    if (begins(at, "false")) return v->kind = SI_V_BOOL, true;
    if (begins(at, "nothing")) return v->kind = SI_V_NOTHING, true;
    if (begins(at, "point:")) return v->kind = SI_V_POINT, numbers(at, v->n, 2) == 2;
    if (begins(at, "size:")) return v->kind = SI_V_SIZE, numbers(at, v->n, 2) == 2;
    if (begins(at, "rect:")) return v->kind = SI_V_RECT, numbers(at, v->n, 4) == 4;
    if (begins(at, "range:")) return v->kind = SI_V_RANGE, numbers(at, v->n, 2) == 2;
    if (begins(at, "url:")) return v->kind = SI_V_URL, (v->text = quoted(at)) != NULL;
    if (begins(at, "rich:")) return v->kind = SI_V_ATTRIBUTED, (v->text = quoted(at)) != NULL;
    if (begins(at, "list:")) return v->kind = SI_V_STRINGS, (v->text = quoted(at)) != NULL;
    if (begins(at, "error:")) return v->kind = SI_V_ERROR, v->i = strtol(*at, (char **)(uintptr_t)at, 10), true;
    if (**at == '#' || **at == '[') {
        v->kind = **at == '[' ? SI_V_ELEMENTS : SI_V_ELEMENT;
        const char *from = v->kind == SI_V_ELEMENTS ? ++*at : *at;
        while (**at && (v->kind == SI_V_ELEMENTS ? **at != ']' : !isspace((unsigned char)**at) && **at != ';')) ++*at;
        v->text = strndup(from, (size_t)(*at - from));
        if (**at == ']') ++*at;
        return true;
    }
    char *end;
    long i = strtol(*at, &end, 10);
    if (end == *at) return false;
    if (*end == '.') return v->kind = SI_V_REAL, v->n[0] = strtod(*at, &end), *at = end, true;
    return v->kind = SI_V_INT, v->i = i, *at = end, true;
}
char *si_v_text(const si_v *v) {
    char *t = NULL;
    switch (v->kind) {
    case SI_V_STRING: case SI_V_URL: case SI_V_ATTRIBUTED: case SI_V_STRINGS: case SI_V_ELEMENT: case SI_V_ELEMENTS: return strdup(v->text);
    case SI_V_INT: case SI_V_ERROR: return asprintf(&t, "%ld", (long)v->i) < 0 ? NULL : t;
    case SI_V_BOOL: return strdup(v->i ? "true" : "false");
    case SI_V_REAL: return asprintf(&t, "%g", v->n[0]) < 0 ? NULL : t;
    case SI_V_POINT: case SI_V_SIZE: case SI_V_RANGE: return asprintf(&t, "%g,%g", v->n[0], v->n[1]) < 0 ? NULL : t;
    case SI_V_RECT: return asprintf(&t, "%g,%g,%g,%g", v->n[0], v->n[1], v->n[2], v->n[3]) < 0 ? NULL : t;
    default: return strdup("");
    }
}

static CFIndex units(const char *s) {
    CFIndex n = 0;
    for (; *s; s++)
        if (((uint8_t)*s & 0xC0) != 0x80) n += (uint8_t)*s >= 0xF0 ? 2 : 1;
    return n;
}
void si_set(si_app *a, int node, const char *name, si_v v) {
    si_node *n = &a->nodes[node];
    si_attr *at = si_attr_of(n, name);
    if (!at) {
        n->attrs = realloc(n->attrs, (size_t)(n->attrs_n + 1) * sizeof *n->attrs);
        at = &n->attrs[n->attrs_n++];
        *at = (si_attr){.name = strdup(name)};
    }
    si_v_free(&at->v);
    at->v = v;
    const char *role = si_text_of(n, "AXRole");
    bool window = !strcmp(role, "AXWindow");
    si_attr *range = si_attr_of(n, "AXSelectedTextRange");
    if (!strcmp(name, "AXValue") && v.kind == SI_V_STRING && range) range->v.n[0] = (double)units(v.text), range->v.n[1] = 0;
    if (!strcmp(name, "AXValue")) si_post(a, node, "AXValueChanged");
    else if (!strcmp(name, "AXTitle")) si_post(a, node, "AXTitleChanged");
    else if (!strcmp(name, "AXSelectedTextRange")) si_post(a, node, "AXSelectedTextChanged");
    else if (!strcmp(name, "AXPosition")) si_post(a, node, window ? "AXWindowMoved" : "AXMoved");
    else if (!strcmp(name, "AXSize")) si_post(a, node, window ? "AXWindowResized" : "AXResized");
    else if (!strcmp(name, "AXMinimized")) si_post(a, node, v.i ? "AXWindowMiniaturized" : "AXWindowDeminiaturized");
    else if (!strcmp(name, "AXSelectedChildren")) si_post(a, node, "AXSelectedChildrenChanged");
    else if (!strcmp(name, "AXSelectedRows")) si_post(a, node, "AXSelectedRowsChanged");
    else if (!strcmp(name, "AXExpanded") || !strcmp(name, "AXDisclosing")) si_post(a, node, v.i ? "AXRowExpanded" : "AXRowCollapsed");
}
void si_insert(si_app *a, int node, const char *text) {
    si_node *n = &a->nodes[node];
    si_attr *value = si_attr_of(n, "AXValue"), *range = si_attr_of(n, "AXSelectedTextRange");
    if (!value || value->v.kind != SI_V_STRING) return;
    CFStringRef old = si_str(value->v.text);
    CFIndex all = CFStringGetLength(old), from = range ? (CFIndex)range->v.n[0] : all, count = range ? (CFIndex)range->v.n[1] : 0;
    if (from > all) from = all;
    if (from + count > all) count = all - from;
    CFStringRef left = CFStringCreateWithSubstring(NULL, old, CFRangeMake(0, from)), right = CFStringCreateWithSubstring(NULL, old, CFRangeMake(from + count, all - from - count));
    char *joined = NULL;
    if (asprintf(&joined, "%s%s%s", si_utf8(left), text, si_utf8(right)) < 0) abort();
    CFRelease(old), CFRelease(left), CFRelease(right);
    si_set(a, node, "AXValue", (si_v){.kind = SI_V_STRING, .text = joined});
    range = si_attr_of(&a->nodes[node], "AXSelectedTextRange");
    if (range) range->v.n[0] = (double)(from + units(text)), range->v.n[1] = 0, si_post(a, node, "AXSelectedTextChanged");
}

void si_logf(const char *format, ...) {
    char line[4096];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (n >= (int)sizeof line) n = (int)sizeof line - 1;
    said = realloc(said, said_n + (size_t)n + 2);
    memcpy(said + said_n, line, (size_t)n);
    said_n += (size_t)n;
    said[said_n++] = '\n';
    said[said_n] = 0;
    /* For who cannot call si_log(): a test in Deno. */
    const char *path = getenv("STANDIN_ACCOUNT");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) fprintf(file, "%s\n", line), fclose(file);
}
const char *si_log(void) { return said ? said : ""; }
bool si_logged(const char *text) { return strstr(si_log(), text) != NULL; }
void si_log_clear(void) {
    si_lock();
    said_n = 0;
    if (said) *said = 0;
    si_unlock();
}
void si_count(si_app *a, const char *what) {
    for (int i = 0; i < counts_n; i++)
        if (counts[i].pid == a->pid && !strcmp(counts[i].what, what)) {
            counts[i].n++;
            return;
        }
    if (counts_n == 2048) return;
    counts[counts_n].pid = a->pid;
    snprintf(counts[counts_n].what, sizeof counts[0].what, "%s", what);
    counts[counts_n++].n = 1;
}
long si_asked(int pid, const char *what) {
    long n = 0;
    si_lock();
    for (int i = 0; i < counts_n; i++)
        if ((!pid || counts[i].pid == pid) && !strcmp(counts[i].what, what)) n += counts[i].n;
    si_unlock();
    return n;
}
long si_messages(int pid) {
    long n = 0;
    si_lock();
    for (int i = 0; i < apps_n; i++)
        if (!pid || apps[i]->pid == pid) n += apps[i]->messages;
    si_unlock();
    return n;
}
void si_messages_clear(void) {
    si_lock();
    counts_n = 0;
    for (int i = 0; i < apps_n; i++) apps[i]->messages = 0;
    si_unlock();
}
char *si_attribute(int pid, const char *label, const char *name) {
    si_lock();
    si_app *a = si_app_of(pid);
    si_attr *at = a ? si_attr_of(&a->nodes[si_labelled(a, label)], name) : NULL;
    char *t = at ? si_v_text(&at->v) : NULL;
    si_unlock();
    return t;
}

static void node_free(si_node *n) {
    for (int i = 0; i < n->attrs_n; i++) free(n->attrs[i].name), si_v_free(&n->attrs[i].v);
    for (int i = 0; i < n->actions_n; i++) free(n->actions[i]);
    for (int i = 0; i < n->rules_n; i++) free(n->rules[i].when), free(n->rules[i].effects);
    free(n->attrs), free(n->actions), free(n->rules), free(n->children), free(n->label);
}
void si_reset(void) {
    si_effects_clear();
    si_lock();
    for (int i = 0; i < apps_n; i++) {
        si_app *a = apps[i];
        for (int k = 0; k < a->n; k++) node_free(&a->nodes[k]);
        pthread_mutex_destroy(&a->turn);
        free(a->name), free(a->bundle), free(a->path), free(a->mute), free(a->refuse), free(a->nodes), free(a);
    }
    apps_n = 0;
    counts_n = 0;
    free(said);
    said = NULL;
    said_n = 0;
    fresh = 1;
    si_unlock();
    si_clock_reset();
    si_fail_after(-1);
    si_grant(SI_ACCESSIBILITY | SI_SCREEN | SI_POST | SI_LISTEN);
    si_session(true);
    si_input_clear();
    si_pasteboard_clear();
    si_absent(NULL);
}
