/* The scripted applications: what a script says, changed by what is done to them. One lock for all of it. */
#ifndef SI_MODEL_H
#define SI_MODEL_H
#include "object.h"
#include <pthread.h>

enum si_kind { SI_V_NONE, SI_V_STRING, SI_V_INT, SI_V_REAL, SI_V_BOOL, SI_V_POINT, SI_V_SIZE, SI_V_RECT, SI_V_RANGE, SI_V_ELEMENT, SI_V_ELEMENTS, SI_V_STRINGS, SI_V_URL, SI_V_ATTRIBUTED, SI_V_NOTHING, SI_V_ERROR };
typedef struct { enum si_kind kind; char *text; double n[4]; int64_t i; } si_v; /* elements: their labels, by spaces; strings: one a line */
typedef struct { char *name; si_v v; bool settable; } si_attr;
typedef struct { char *when, *effects; } si_rule;
typedef struct si_node {
    uint32_t id;      /* another one each time it is shown: an element of before is then invalid */
    int parent;       /* index, -1: none */
    int *children, children_n;
    char *label;
    si_attr *attrs;
    int attrs_n;
    char **actions;
    int actions_n;
    si_rule *rules;
    int rules_n;
    bool hidden, elsewhere;
    pid_t pid;        /* whose process answers for it: not always its tree's */
    uint32_t window;  /* the window server's number */
} si_node;
typedef struct si_app {
    pid_t pid;
    char *name, *bundle, *path, *mute, *refuse;
    si_node *nodes;
    int n, focus, focused_window;
    unsigned latency_us, answer_unknown_set, unknown_set, late_ms;
    int set_unknown, act_unknown, corpse, app_order;
    bool absent, dead, hung, deaf, hidden, background;
    uint64_t born_ns;
    long messages;
    pthread_mutex_t turn; /* an application answers one message at a time */
} si_app;

extern _Thread_local si_app *si_turn; /* whose message this thread is within: ax.c */
void si_lock(void);
void si_unlock(void);
si_app *si_front(void);                              /* whoever keys go to; NULL: nobody */
void si_to_front(si_app *a);
si_app *si_app_of(pid_t pid);                       /* of the tree; NULL: there is none */
si_app *si_apps(int i);                             /* NULL: no more */
si_app *si_owner(pid_t pid, uint32_t id, int *node); /* whose tree has this node; NULL: nobody's any more */
int si_labelled(si_app *a, const char *label);
bool si_is_there(si_app *a, int node);              /* neither it nor what it is in is hidden */
si_attr *si_attr_of(si_node *n, const char *name);
si_rule *si_rule_of(si_node *n, const char *when);
void si_set(si_app *a, int node, const char *name, si_v v); /* takes over v */
void si_v_free(si_v *v);
si_v si_v_string(const char *text);
si_v si_v_int(int64_t i);
bool si_v_parse(const char **at, si_v *v);
char *si_v_text(const si_v *v);
const char *si_text_of(si_node *n, const char *name); /* of a string, or "" */
CGRect si_rect_of(si_app *a, int node);
int si_window_of(si_app *a, int node);
void si_logf(const char *format, ...);
void si_count(si_app *a, const char *what);
uint32_t si_fresh(void);

/* effects.c: what a rule says. The AX error that it answers. With the lock held, except while it waits. */
typedef struct { int answer; bool ignore, thrown; } si_result;
si_result si_run(si_app *a, int node, const char *effects, double timeout);
void si_post(si_app *a, int node, const char *notification); /* observer.c */
void si_due(void);                                  /* runs what `after` put off and is due now */
void si_effects_clear(void);
void si_insert(si_app *a, int node, const char *text); /* as typed: replaces the selection */
void si_show(si_app *a, int node, bool show);
_Noreturn void si_throw(void);                      /* objc.c: an exception of the framework */
#endif
