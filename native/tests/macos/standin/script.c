/*
 * The text that describes applications. Two spaces a level; a line that begins with -- is a comment.
 *
 *   application 100 "Notes" bundle=com.example.notes path=/Applications/Notes.app latency=54
 *   on set AXManualAccessibility: answer -25205; after 500 show #page
 *   AXWindow/AXStandardWindow #win window=7 at=10,20,400,300 Title="Notes"
 *     AXTextField #name at=20,60,200,22 Value*="Ann" SelectedTextRange*=range:3,0 Focused*=false actions="AXConfirm"
 *       on set AXValue: log "name is {AXValue}"
 *     many 3 AXRow Title="Row %d"
 *
 * Of an application: absent, hidden, background, latency=µs, late=ms (answers -25204 until then), mute="A,B" (these notifications never come),
 *   refuse="A,B" (registering them answers -25207), unset=CODE (setting what cannot be set), unact=CODE (an action that it has not), corpse=CODE.
 * Of an element: #label, at=x,y,w,h, window=N (the window server's number; 0: it has none), actions="A|B", pid=N (another process answers for it), hidden, elsewhere (a window on another
 *   Space), and attributes without their AX: Name=literal, Name*=literal where it can be set. Literals: model.c.
 * A rule belongs to the element above it with less indentation: `on ACTION:`, `on set ATTRIBUTE:`, `on get ATTRIBUTE:`, `on click:`, `on key NAME:`, `on call:`
 *   (any message). Its effects: effects.c.
 */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "standin.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void si_app_added(si_app *a);
typedef struct { char **v; int n; } lines;

static _Noreturn void unknown(const char *line) {
    fprintf(stderr, "stand-in: cannot read the script: %s\n", line);
    abort();
}
static int indent(const char *line) {
    int n = 0;
    while (line[n] == ' ') n++;
    return n / 2;
}
/* The lines of a script, `many` replaced by what it stands for. */
static void add_line(lines *l, const char *text, size_t n) {
    l->v = realloc(l->v, (size_t)(l->n + 1) * sizeof *l->v);
    l->v[l->n++] = strndup(text, n);
}
static char *numbered(const char *line, int i, size_t skip_from, size_t skip) {
    char *out = malloc(strlen(line) * 3 + 64);
    size_t n = 0;
    for (size_t k = 0; line[k]; k++) {
        if (skip && k == skip_from) k += skip;
        if (line[k] == '%' && line[k + 1] == 'd') n += (size_t)sprintf(out + n, "%d", i), k++;
        else out[n++] = line[k];
    }
    out[n] = 0;
    return out;
}
static void expand(const lines *from, int first, int last, lines *to) {
    for (int i = first; i < last; i++) {
        const char *line = from->v[i], *word = line + strspn(line, " ");
        int times, used;
        if (sscanf(word, "many %d %n", &times, &used) < 1) {
            add_line(to, line, strlen(line));
            continue;
        }
        int end = i + 1;
        while (end < last && indent(from->v[end]) > indent(line)) end++;
        for (int k = 0; k < times; k++) {
            lines block = {0}, nested = {0};
            for (int j = i; j < end; j++) {
                char *t = numbered(from->v[j], k, j == i ? (size_t)(word - line) : 0, j == i ? (size_t)used : 0);
                add_line(&block, t, strlen(t));
                free(t);
            }
            expand(&block, 0, block.n, &nested);
            for (int j = 0; j < nested.n; j++) add_line(to, nested.v[j], strlen(nested.v[j])), free(nested.v[j]);
            for (int j = 0; j < block.n; j++) free(block.v[j]);
            free(block.v), free(nested.v);
        }
        i = end - 1;
    }
}

static char *word(const char **at) {
    *at += strspn(*at, " ");
    size_t n = strcspn(*at, " =");
    if (!n) return NULL;
    char *w = strndup(*at, n);
    *at += n;
    return w;
}
/* The rest of key=…: a quoted text or a bare word. */
static char *plain(const char **at) {
    si_v v;
    if (**at == '"' && si_v_parse(at, &v)) return v.text;
    size_t n = strcspn(*at, " ");
    char *w = strndup(*at, n);
    *at += n;
    return w;
}
static int add_node(si_app *a, int parent) {
    if ((a->n & (a->n - 1)) == 0) a->nodes = realloc(a->nodes, (size_t)(a->n ? a->n * 2 : 1) * sizeof *a->nodes);
    a->nodes[a->n] = (si_node){.parent = parent, .id = a->n ? si_fresh() : 0, .pid = a->pid};
    if (parent >= 0) {
        si_node *p = &a->nodes[parent];
        if ((p->children_n & (p->children_n - 1)) == 0) p->children = realloc(p->children, (size_t)(p->children_n ? p->children_n * 2 : 1) * sizeof *p->children);
        p->children[p->children_n++] = a->n;
    }
    return a->n++;
}
static void attribute(si_app *a, int node, const char *name, bool settable, si_v v) {
    char full[80];
    snprintf(full, sizeof full, "AX%s", name);
    si_set(a, node, full, v);
    si_attr_of(&a->nodes[node], full)->settable = settable;
}
static void application(si_app *a, const char *at, const char *line) {
    si_v v;
    a->pid = (pid_t)strtol(at, (char **)(uintptr_t)&at, 10);
    at += strspn(at, " ");
    if (a->pid <= 0 || !si_v_parse(&at, &v)) unknown(line);
    a->name = v.text;
    add_node(a, -1);
    a->focus = a->focused_window = -1;
    a->act_unknown = kAXErrorActionUnsupported;
    a->corpse = kAXErrorInvalidUIElement;
    attribute(a, 0, "Role", false, si_v_string("AXApplication"));
    attribute(a, 0, "Title", false, si_v_string(a->name));
    for (char *w; (w = word(&at)); free(w)) {
        char *text = *at == '=' ? at++, plain(&at) : NULL;
        bool known = true, kept = false;
        if (!strcmp(w, "absent")) a->absent = true;
        else if (!strcmp(w, "hidden")) a->hidden = true;
        else if (!strcmp(w, "background")) a->background = true;
        else if (!text) known = false;
        else if (!strcmp(w, "bundle")) a->bundle = text, kept = true;
        else if (!strcmp(w, "path")) a->path = text, kept = true;
        else if (!strcmp(w, "mute")) a->mute = text, kept = true;
        else if (!strcmp(w, "refuse")) a->refuse = text, kept = true;
        else if (!strcmp(w, "latency")) a->latency_us = (unsigned)atoi(text);
        else if (!strcmp(w, "late")) a->late_ms = (unsigned)atoi(text);
        else if (!strcmp(w, "unset")) a->set_unknown = atoi(text);
        else if (!strcmp(w, "unact")) a->act_unknown = atoi(text);
        else if (!strcmp(w, "corpse")) a->corpse = atoi(text);
        else known = false;
        if (!kept) free(text);
        if (!known) unknown(line);
    }
    a->born_ns = si_now_ns();
}
static void action(si_node *n, const char *name, size_t length) {
    n->actions = realloc(n->actions, (size_t)(n->actions_n + 1) * sizeof *n->actions);
    n->actions[n->actions_n++] = strndup(name, length);
}
static void element(si_app *a, int node, const char *at, const char *line) {
    char *role = word(&at);
    if (!role) unknown(line);
    char *sub = strchr(role, '/');
    if (sub) *sub++ = 0;
    attribute(a, node, "Role", false, si_v_string(role));
    if (sub) attribute(a, node, "Subrole", false, si_v_string(sub));
    if (!strcmp(role, "AXWindow")) a->nodes[node].window = 1000 + a->nodes[node].id;
    free(role);
    for (char *w; (w = word(&at)); free(w)) {
        si_node *n = &a->nodes[node];
        if (*w == '#') {
            n->label = strdup(w + 1);
            continue;
        }
        if (*at != '=') {
            if (!strcmp(w, "hidden")) n->hidden = true;
            else if (!strcmp(w, "elsewhere")) n->elsewhere = true;
            else unknown(line);
            continue;
        }
        at++;
        if (!strcmp(w, "at")) {
            double r[4];
            if (sscanf(at, "%lf,%lf,%lf,%lf", &r[0], &r[1], &r[2], &r[3]) != 4) unknown(line);
            at += strcspn(at, " ");
            bool window = !strcmp(si_text_of(n, "AXRole"), "AXWindow");
            attribute(a, node, "Position", window, (si_v){.kind = SI_V_POINT, .n = {r[0], r[1]}});
            attribute(a, node, "Size", window, (si_v){.kind = SI_V_SIZE, .n = {r[2], r[3]}});
        } else if (!strcmp(w, "window") || !strcmp(w, "pid")) {
            char *t = plain(&at);
            if (*w == 'w') n->window = (uint32_t)atoi(t);
            else n->pid = (pid_t)atoi(t);
            free(t);
        } else if (!strcmp(w, "actions")) {
            char *t = plain(&at);
            for (const char *p = t; *p;) {
                size_t k = strcspn(p, "|");
                action(n, p, k);
                p += k + (p[k] != 0);
            }
            free(t);
        } else {
            si_v v;
            size_t k = strlen(w);
            bool settable = w[k - 1] == '*';
            if (settable) w[k - 1] = 0;
            if (!si_v_parse(&at, &v)) unknown(line);
            attribute(a, node, w, settable, v);
        }
    }
}
static void rule(si_node *n, const char *at, const char *line) {
    const char *colon = strstr(at, ": ");
    if (!colon) unknown(line);
    n->rules = realloc(n->rules, (size_t)(n->rules_n + 1) * sizeof *n->rules);
    n->rules[n->rules_n++] = (si_rule){strndup(at, (size_t)(colon - at)), strdup(colon + 2)};
}

bool si_load(const char *script) {
    lines raw = {0}, all = {0};
    for (const char *p = script; *p;) {
        size_t n = strcspn(p, "\n");
        const char *text = p + strspn(p, " ");
        if (text < p + n && strncmp(text, "--", 2)) add_line(&raw, p, n);
        p += n + (p[n] != 0);
    }
    expand(&raw, 0, raw.n, &all);
    si_app *a = NULL;
    int open[64] = {0}, depth = 0;
    si_lock();
    for (int i = 0; i < all.n; i++) {
        const char *line = all.v[i], *at = line + strspn(line, " ");
        int in = indent(line);
        if (!strncmp(at, "application ", 12)) {
            a = calloc(1, sizeof *a);
            pthread_mutex_init(&a->turn, NULL);
            application(a, at + 12, line);
            si_app_added(a);
            depth = 0;
        } else if (!a || in > depth || in > 60) unknown(line);
        else if (!strncmp(at, "on ", 3)) rule(&a->nodes[in ? open[in] : 0], at + 3, line);
        else {
            int node = add_node(a, in ? open[in] : 0);
            element(a, node, at, line);
            open[in + 1] = node;
            depth = in + 1;
            if (a->focused_window < 0 && !in && !a->nodes[node].elsewhere && !strcmp(si_text_of(&a->nodes[node], "AXRole"), "AXWindow")) a->focused_window = node;
        }
    }
    si_unlock();
    for (int i = 0; i < raw.n; i++) free(raw.v[i]);
    for (int i = 0; i < all.n; i++) free(all.v[i]);
    free(raw.v), free(all.v);
    return a != NULL;
}
bool si_load_file(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f) return false;
    char *text = NULL;
    size_t n = 0;
    ssize_t got = getdelim(&text, &n, 0, f);
    fclose(f);
    bool fine = got > 0 && si_load(text);
    free(text);
    return fine;
}
