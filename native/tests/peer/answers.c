#define _GNU_SOURCE
#include "answers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "/org/a11y/atspi/accessible/"
#define PAGE "/org/a11y/webkit/accessible/" /* the same elements */
#define NOWHERE "/org/a11y/atspi/null"

const char *node_path(int at) {
    static char ring[4][128];
    static unsigned next;
    char *into = ring[next++ & 3];
    if (at < 0) snprintf(into, sizeof *ring, NOWHERE);
    else snprintf(into, sizeof *ring, PREFIX "%s", script.nodes[at].id);
    return into;
}

static bool is(const char *a, const char *b) { return !strcmp(a, b); }
static const char *or_empty(const char *s) { return s ? s : ""; }
static bool properties(const head *call) { return is(call->interface, "org.freedesktop.DBus.Properties"); }

void answer_subject(const head *call, unpack args, answer *a) {
    const char *name = call->member;
    if (properties(call) && !is(name, "GetAll")) {
        unpack_str(&args);
        name = unpack_str(&args);
    }
    a->member = member_number(name);
    a->node = -1;
    if (is(call->path, "/org/a11y/atspi/cache")) a->node = 0;
    if (!strncmp(call->path, PREFIX, strlen(PREFIX))) a->node = node_find(call->path + strlen(PREFIX));
    if (!strncmp(call->path, PAGE, strlen(PAGE))) a->node = node_find(call->path + strlen(PAGE));
    if (a->node >= 0 && script.nodes[a->node].gone) a->node = -1;
}

static void fail(answer *a, const char *error) { snprintf(a->error, sizeof a->error, "org.freedesktop.DBus.Error.%s", error); }
static void typed(answer *a, const char *signature) { snprintf(a->signature, sizeof a->signature, "%s", signature); }

static void say_bool(answer *a, bool v) { typed(a, "b"), pack_u32(&a->body, v); }
static void say_i32(answer *a, int v) { typed(a, "i"), pack_u32(&a->body, (uint32_t)v); }
static void say_str(answer *a, const char *v) { typed(a, "s"), pack_str(&a->body, v); }
// "BUS,PATH"
static void pack_elsewhere(pack *p, const char *where) {
    char name[128];
    const char *comma = strchr(where, ',');
    snprintf(name, sizeof name, "%.*s", comma ? (int)(comma - where) : 0, where);
    pack_ref(p, name, comma ? comma + 1 : "/");
}

static void say_ref(answer *a, const char *bus, int at) { typed(a, "(so)"), pack_ref(&a->body, at < 0 ? "" : bus, node_path(at)); }

static void held_str(answer *a, const char *v) { typed(a, "v"), pack_sig(&a->body, "s"), pack_str(&a->body, v); }
static void held_i32(answer *a, int v) { typed(a, "v"), pack_sig(&a->body, "i"), pack_u32(&a->body, (uint32_t)v); }
static void held_f64(answer *a, double v) { typed(a, "v"), pack_sig(&a->body, "d"), pack_f64(&a->body, v); }

// Characters of UTF-8, and the byte where the n-th begins.
static int characters(const char *text) {
    int n = 0;
    for (; *text; text++) n += (*text & 0xc0) != 0x80;
    return n;
}

static size_t byte_of(const char *text, int character) {
    size_t at = 0;
    for (; text[at]; at++)
        if ((text[at] & 0xc0) != 0x80 && character-- <= 0) break;
    return at;
}

static void splice(node *n, int start, int end, const char *what) {
    const char *old = or_empty(n->text);
    size_t from = byte_of(old, start), to = end < start ? from : byte_of(old, end);
    char *text = malloc(strlen(old) + strlen(what) + 1);
    if (!text) abort();
    sprintf(text, "%.*s%s%s", (int)from, old, what, old + to);
    free(n->text);
    n->text = text;
}

static int count_actions(const node *n) {
    if (!n->actions || !*n->actions) return 0;
    int count = 1;
    for (const char *p = n->actions; *p; p++) count += *p == ',';
    return count;
}

static const char *action_name(const node *n, int index) {
    static char name[128];
    const char *at = or_empty(n->actions);
    while (index-- > 0 && strchr(at, ',')) at = strchr(at, ',') + 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    return name;
}

static int selected_kid(const node *n, int index) {
    for (int i = 0; i < n->kid_count; i++)
        if (script.nodes[n->kids[i]].states >> 23 & 1 && index-- == 0) return n->kids[i];
    return -1;
}

static int index_of(int at) {
    int parent = script.nodes[at].parent, hint = script.nodes[at].place;
    if (parent >= 0 && hint < script.nodes[parent].kid_count && script.nodes[parent].kids[hint] == at) return hint;
    for (int i = 0; parent >= 0 && i < script.nodes[parent].kid_count; i++)
        if (script.nodes[parent].kids[i] == at) return i;
    return -1;
}

static int shown_count(const node *n) { return n->claims == LONG_MIN ? n->kid_count : (int)n->claims; }

int answer_children(int at) { return shown_count(&script.nodes[at]); }
int answer_actions(int at) { return count_actions(&script.nodes[at]); }

static void property(answer *a, const char *interface, const char *name) {
    const node *n = &script.nodes[a->node];
    const char *last = strrchr(interface, '.') ? strrchr(interface, '.') + 1 : interface;
    static const char *const values[] = {"CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement"};
    for (unsigned i = 0; i < 4; i++)
        if (is(last, "Value") && n->interfaces >> I_VALUE & 1 && is(name, values[i])) return held_f64(a, n->value[i]);
    if (is(last, "Accessible")) {
        if (is(name, "Name")) return held_str(a, a->node ? or_empty(n->name) : script.name);
        if (is(name, "Description")) return held_str(a, or_empty(n->description));
        if (is(name, "AccessibleId")) return held_str(a, or_empty(n->aid));
        if (is(name, "Locale")) return held_str(a, "");
        if (is(name, "ChildCount")) return held_i32(a, shown_count(n));
    }
    if (is(last, "Application") && n->interfaces >> I_APPLICATION & 1) {
        if (is(name, "ToolkitName")) return held_str(a, script.toolkit);
        if (is(name, "Version") || is(name, "AtspiVersion")) return held_str(a, script.version);
        if (is(name, "Id")) return held_i32(a, 1);
    }
    if (is(last, "Text") && n->interfaces >> I_TEXT & 1) {
        if (is(name, "CharacterCount")) return held_i32(a, characters(or_empty(n->text)));
        if (is(name, "CaretOffset")) return held_i32(a, n->caret);
    }
    if (is(last, "Action") && n->interfaces >> I_ACTION & 1 && is(name, "NActions")) return held_i32(a, count_actions(n));
    if (is(last, "Selection") && n->interfaces >> I_SELECTION & 1 && is(name, "NSelectedChildren")) {
        int count = 0;
        while (selected_kid(n, count) >= 0) count++;
        return held_i32(a, count);
    }
    fail(a, "UnknownProperty");
}

static void set_property(answer *a, unpack args) {
    const char *interface = unpack_str(&args), *name = unpack_str(&args), *type = unpack_sig(&args);
    if (is(interface, "org.a11y.atspi.Value") && is(name, "CurrentValue") && is(type, "d") && script.nodes[a->node].interfaces >> I_VALUE & 1) {
        if (!a->idle) script.nodes[a->node].value[0] = unpack_f64(&args);
    } else if (!is(interface, "org.a11y.atspi.Application")) {
        fail(a, "UnknownProperty");
    }
}

static void accessible(answer *a, const char *bus, const char *member, unpack args) {
    const node *n = &script.nodes[a->node];
    if (is(member, "GetRole")) {
        typed(a, "u"), pack_u32(&a->body, n->role);
    } else if (is(member, "GetState")) {
        typed(a, "au");
        size_t mark = pack_open(&a->body, 4);
        pack_u32(&a->body, (uint32_t)n->states);
        pack_u32(&a->body, (uint32_t)(n->states >> 32));
        pack_close(&a->body, mark, 4);
    } else if (is(member, "GetInterfaces")) {
        typed(a, "as");
        size_t mark = pack_open(&a->body, 4);
        for (unsigned i = 0; i < INTERFACES; i++) {
            char name[64];
            snprintf(name, sizeof name, "org.a11y.atspi.%s", interface_names[i]);
            if (n->interfaces >> i & 1) pack_str(&a->body, name);
        }
        pack_close(&a->body, mark, 4);
    } else if (is(member, "GetChildren")) {
        typed(a, "a(so)");
        size_t mark = pack_open(&a->body, 8);
        for (int i = 0; i < n->kid_count; i++) pack_ref(&a->body, bus, node_path(n->kids[i]));
        pack_close(&a->body, mark, 8);
    } else if (is(member, "GetChildAtIndex")) {
        uint32_t index = unpack_u32(&args);
        if (n->holds && !index) typed(a, "(so)"), pack_elsewhere(&a->body, n->holds);
        else say_ref(a, bus, index < (uint32_t)n->kid_count ? n->kids[index] : -1);
    } else if (is(member, "GetAttributes")) {
        typed(a, "a{ss}");
        size_t mark = pack_open(&a->body, 8);
        const char *colon = n->attributes ? strchr(n->attributes, ':') : NULL;
        if (colon) {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)(colon - n->attributes), n->attributes);
            pack_ref(&a->body, key, colon + 1); // two strings, laid out like a reference
        }
        pack_close(&a->body, mark, 8);
    } else if (is(member, "GetRelationSet")) {
        // Each is labelled by its parent, and by somebody in another application.
        typed(a, "a(ua(so))");
        size_t mark = pack_open(&a->body, 8);
        if (n->parent >= 0) {
            pack_align(&a->body, 8), pack_u32(&a->body, 2);
            size_t targets = pack_open(&a->body, 8);
            pack_ref(&a->body, ":1.999", node_path(n->parent)), pack_ref(&a->body, bus, node_path(n->parent));
            pack_close(&a->body, targets, 8);
        }
        pack_close(&a->body, mark, 8);
    } else if (is(member, "GetIndexInParent")) {
        say_i32(a, n->apart ? -1 : index_of(a->node));
    } else if (is(member, "GetApplication")) {
        say_ref(a, bus, 0);
    } else {
        fail(a, "UnknownMethod");
    }
}

static void text(answer *a, const char *member, unpack args) {
    node *n = &script.nodes[a->node];
    int first = (int)unpack_u32(&args), second = (int)unpack_u32(&args), third = (int)unpack_u32(&args);
    const char *content = or_empty(n->text);
    if (is(member, "GetText")) {
        size_t from = byte_of(content, first), to = second < 0 ? strlen(content) : byte_of(content, second);
        char *part = strndup(content + from, to > from ? to - from : 0);
        say_str(a, or_empty(part));
        free(part);
    } else if (is(member, "GetRangeExtents")) {
        typed(a, "iiii"), pack_u32(&a->body, 5), pack_u32(&a->body, 6), pack_u32(&a->body, (uint32_t)(second - first)), pack_u32(&a->body, 8);
    } else if (is(member, "GetNSelections")) {
        say_i32(a, n->select[0] != n->select[1]);
    } else if (is(member, "GetSelection")) {
        typed(a, "ii"), pack_u32(&a->body, (uint32_t)n->select[0]), pack_u32(&a->body, (uint32_t)n->select[1]);
    } else if (is(member, "SetCaretOffset")) {
        if (!a->idle) n->caret = first;
        say_bool(a, true);
    } else if (is(member, "AddSelection") || is(member, "SetSelection") || is(member, "RemoveSelection")) {
        bool set = is(member, "SetSelection"), remove = is(member, "RemoveSelection");
        if (!a->idle) n->select[0] = remove ? 0 : set ? second : first, n->select[1] = remove ? 0 : set ? third : second;
        say_bool(a, true);
    } else {
        fail(a, "UnknownMethod");
    }
}

static void editable(answer *a, const char *member, unpack args) {
    node *n = &script.nodes[a->node];
    if (is(member, "SetTextContents")) {
        const char *content = unpack_str(&args);
        if (!a->idle) splice(n, 0, INT_MAX, content);
    } else if (is(member, "InsertText")) {
        int at = (int)unpack_u32(&args);
        const char *what = unpack_str(&args);
        char *part = strndup(what, unpack_u32(&args));
        if (!a->idle) splice(n, at, at, or_empty(part));
        free(part);
    } else if (is(member, "DeleteText")) {
        int start = (int)unpack_u32(&args), end = (int)unpack_u32(&args);
        if (!a->idle) splice(n, start, end, "");
    } else {
        return fail(a, "UnknownMethod");
    }
    say_bool(a, true);
}

static bool within(const node *n, int x, int y) {
    return x >= n->rect[0] && y >= n->rect[1] && x < n->rect[0] + n->rect[2] && y < n->rect[1] + n->rect[3];
}

static void component(answer *a, const char *bus, const char *member, unpack args) {
    const node *n = &script.nodes[a->node];
    int x = (int)unpack_u32(&args), y = (int)unpack_u32(&args);
    if (is(member, "GetExtents")) {
        typed(a, "(iiii)");
        for (unsigned i = 0; i < 4; i++) pack_u32(&a->body, (uint32_t)n->rect[i]);
    } else if (is(member, "GetAccessibleAtPoint")) {
        int found = -1;
        for (int i = 0; i < n->kid_count; i++)
            if (within(&script.nodes[n->kids[i]], x, y)) found = n->kids[i];
        say_ref(a, bus, found);
    } else if (is(member, "GrabFocus") || is(member, "ScrollTo")) {
        if (!a->idle && is(member, "GrabFocus")) script.nodes[a->node].states |= 1u << 12;
        say_bool(a, true);
    } else {
        fail(a, "UnknownMethod");
    }
}

static void action(answer *a, const char *member, unpack args) {
    node *n = &script.nodes[a->node];
    int index = (int)unpack_u32(&args);
    if (is(member, "GetName")) return say_str(a, action_name(n, index));
    if (is(member, "GetActions")) return answer_action_list(a);
    if (!is(member, "DoAction")) return fail(a, "UnknownMethod");
    bool does = index >= 0 && index < count_actions(n);
    if (does && !a->idle) n->states ^= 1u << 4; // checked
    say_bool(a, does);
}

static void selection(answer *a, const char *bus, const char *member, unpack args) {
    node *n = &script.nodes[a->node];
    int index = (int)unpack_u32(&args);
    if (is(member, "GetSelectedChild")) return say_ref(a, bus, selected_kid(n, index));
    bool one = is(member, "SelectChild") || is(member, "DeselectChild");
    if (!one && !is(member, "SelectAll") && !is(member, "ClearSelection")) return fail(a, "UnknownMethod");
    if (one && (index < 0 || index >= n->kid_count)) return say_bool(a, false);
    for (int i = 0; i < n->kid_count && !a->idle; i++) {
        uint64_t *states = &script.nodes[n->kids[i]].states;
        if (one && i != index) continue;
        *states = *member == 'S' ? *states | 1u << 23 : *states & ~((uint64_t)1 << 23);
    }
    say_bool(a, true);
}

// Rows that are all there: what a sheet only claims to have cannot be selected.
static void select_row(answer *a, bool on, int row) {
    const node *n = &script.nodes[a->node];
    bool there = n->columns > 0 && row >= 0 && row < n->kid_count / n->columns;
    for (int i = 0; there && i < n->columns; i++) {
        uint64_t *states = &script.nodes[n->kids[row * n->columns + i]].states, bit = (uint64_t)1 << 23;
        *states = on ? *states | bit : *states & ~bit;
    }
    say_bool(a, there);
}

static void table(answer *a, const char *bus, const char *member, unpack args) {
    int cell;
    if (is(member, "AddRowSelection") || is(member, "RemoveRowSelection")) return select_row(a, *member == 'A', (int)unpack_u32(&args));
    if (!answer_table(a, member, args, &cell)) return fail(a, "UnknownMethod");
    if (!*a->signature) say_ref(a, bus, cell);
}

static void cache_item(answer *a, const char *bus, int at) {
    const node *n = &script.nodes[at];
    pack *b = &a->body;
    bool old = script.cache == CACHE_OLD, lies = script.cache == CACHE_WRONG && at;
    int ring = script.cache == CACHE_RING && !at ? node_find("ring") : -1; // the top calls one of its own its parent
    pack_align(b, 8);
    pack_ref(b, bus, node_path(at));
    pack_ref(b, bus, node_path(0));
    pack_ref(b, n->parent < 0 && ring < 0 ? "" : bus, node_path(lies ? 0 : ring >= 0 ? ring : n->parent));
    if (old) {
        size_t kids = pack_open(b, 8);
        for (int i = 0; i < n->kid_count; i++) pack_ref(b, bus, node_path(n->kids[i]));
        pack_close(b, kids, 8);
    } else {
        pack_u32(b, (uint32_t)(lies ? at : ring >= 0 ? 0 : index_of(at)));
        pack_u32(b, (uint32_t)(lies ? 1 : shown_count(n)));
    }
    size_t mark = pack_open(b, 4);
    for (unsigned i = 0; i < INTERFACES; i++) {
        char name[64];
        snprintf(name, sizeof name, "org.a11y.atspi.%s", interface_names[i]);
        if (n->interfaces >> i & 1) pack_str(b, name);
    }
    pack_close(b, mark, 4);
    pack_str(b, or_empty(n->name));
    pack_u32(b, n->role);
    pack_str(b, or_empty(n->description));
    mark = pack_open(b, 4);
    pack_u32(b, (uint32_t)n->states);
    pack_u32(b, (uint32_t)(n->states >> 32));
    pack_close(b, mark, 4);
}

static void cache(answer *a, const char *bus, const char *member) {
    if (script.cache == CACHE_NONE) return fail(a, "UnknownObject");
    if (!is(member, "GetItems")) return fail(a, "UnknownMethod");
    typed(a, script.cache == CACHE_OLD ? "a((so)(so)(so)a(so)assusau)" : "a((so)(so)(so)iiassusau)");
    size_t mark = pack_open(&a->body, 8);
    for (int i = 0; i < script.count && script.cache != CACHE_EMPTY; i++)
        if (!script.nodes[i].gone && (script.cache != CACHE_PARTIAL || i % 3 != 1)) cache_item(a, bus, i);
    pack_close(&a->body, mark, 8);
}

void answer_make(const char *bus, const head *call, unpack args, answer *a) {
    if (is(call->path, "/org/a11y/atspi/cache")) return cache(a, bus, call->member);
    if (a->node < 0) return fail(a, "UnknownObject");
    if (properties(call)) {
        if (is(call->member, "Set")) return set_property(a, args);
        const char *interface = unpack_str(&args), *name = unpack_str(&args);
        // GetAll crashes two releases of Qt: nobody may send it.
        if (!is(call->member, "Get")) return fail(a, "UnknownMethod");
        if (!is(name, "Parent")) return property(a, interface, name);
        typed(a, "v");
        pack_sig(&a->body, "(so)");
        if (script.nodes[a->node].in) return pack_elsewhere(&a->body, script.nodes[a->node].in);
        pack_ref(&a->body, script.nodes[a->node].parent < 0 ? "" : bus, node_path(script.nodes[a->node].parent));
        return;
    }
    const char *last = strrchr(call->interface, '.') ? strrchr(call->interface, '.') + 1 : "";
    int which = -1;
    for (int i = 0; i < INTERFACES; i++)
        if (is(last, interface_names[i]) && script.nodes[a->node].interfaces >> i & 1) which = i;
    switch (which) {
    case I_ACCESSIBLE: return accessible(a, bus, call->member, args);
    case I_APPLICATION:
        if (!is(call->member, "GetApplicationBusAddress") || !*script.address) return fail(a, "UnknownMethod");
        return say_str(a, script.address);
    case I_ACTION: return action(a, call->member, args);
    case I_COLLECTION:
        if (is(call->member, "GetMatches")) return answer_matches(a, bus, args);
        return is(call->member, "GetTree") ? answer_tree(a, bus, args) : fail(a, "UnknownMethod");
    case I_TABLE: return table(a, bus, call->member, args);
    case I_COMPONENT: return component(a, bus, call->member, args);
    case I_EDITABLE: return editable(a, call->member, args);
    case I_SELECTION: return selection(a, bus, call->member, args);
    case I_TEXT: return text(a, call->member, args);
    default: fail(a, "UnknownMethod");
    }
}
