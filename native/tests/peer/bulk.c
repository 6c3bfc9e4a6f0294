/* What is asked of many elements, or many things of one, in one call: Collection.GetTree of the ATK bridge, Action.GetActions,
 * and the cells of a table. Each of them can lie ("tree"). */
#define _GNU_SOURCE
#include "answers.h"

#include <stdio.h>
#include <string.h>

static bool is(const char *a, const char *b) { return !strcmp(a, b); }
static const char *or_empty(const char *s) { return s ? s : ""; }

static void skip_array(unpack *u, unsigned align) {
    uint32_t n = unpack_u32(u);
    u->at = (u->at + align - 1) / align * align + n;
}

// The match rule that nobody looks at: (aiia{ss}iaiiasib).
static void skip_rule(unpack *u) {
    u->at = (u->at + 7) / 8 * 8;
    for (unsigned i = 0; i < 4; i++) {
        skip_array(u, i == 1 ? 8 : 4);
        unpack_u32(u);
    }
    unpack_u32(u);
}

static size_t entry(pack *b, const char *name, const char *type) {
    pack_align(b, 8);
    pack_str(b, name);
    pack_sig(b, type);
    return b->n;
}

static void number(pack *b, const char *name, int v) {
    bool other = script.tree == TREE_TYPES;
    entry(b, name, other ? "s" : "i");
    if (other) pack_str(b, "many");
    else pack_u32(b, (uint32_t)(script.tree == TREE_COUNTS ? v + 3 : v));
}

static void text(pack *b, const char *name, const char *v) {
    bool other = script.tree == TREE_TYPES;
    entry(b, name, other ? "i" : "s");
    if (other) pack_u32(b, 7);
    else pack_str(b, or_empty(v));
}

// One property that was asked for, where the element has it. False: it has not.
static void property(pack *b, const char *bus, int at, const char *name) {
    const node *n = &script.nodes[at];
    bool has_text = n->interfaces >> I_TEXT & 1;
    static const char *const values[] = {"Value.CurrentValue", "Value.MinimumValue", "Value.MaximumValue", "Value.MinimumIncrement"};
    if (is(name, "Parent")) {
        entry(b, name, "(so)");
        int parent = script.tree == TREE_COUNTS && at ? at : n->parent; // its own parent
        pack_align(b, 8);
        pack_ref(b, parent < 0 ? "" : bus, node_path(parent));
    } else if (is(name, "ChildCount")) number(b, name, answer_children(at));
    else if (is(name, "Name")) text(b, name, at ? n->name : script.name);
    else if (is(name, "Description")) text(b, name, n->description);
    else if (is(name, "AccessibleId")) text(b, name, n->aid);
    else if (is(name, "Text.CharacterCount") && has_text) number(b, name, (int)strlen(or_empty(n->text)));
    else if (is(name, "Text.CaretOffset") && has_text) number(b, name, n->caret);
    else if (is(name, "Action.NActions") && n->interfaces >> I_ACTION & 1) number(b, name, answer_actions(at));
    else if (is(name, "Component.ScreenExtents") && n->interfaces >> I_COMPONENT & 1) {
        entry(b, name, "(uuuu)");
        pack_align(b, 8);
        for (unsigned i = 0; i < 4; i++) pack_u32(b, (uint32_t)n->rect[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        if (!is(name, values[i]) || !(n->interfaces >> I_VALUE & 1)) continue;
        entry(b, name, "d");
        pack_f64(b, n->value[i]);
    }
}

static void subtree(pack *b, const char *bus, int at, unpack wanted, size_t end) {
    const node *n = &script.nodes[at];
    pack_align(b, 8);
    pack_ref(b, bus, node_path(at));
    size_t mark = pack_open(b, 8);
    // Others than were asked for: a stranger, and one of a part that was not wanted.
    if (script.tree == TREE_OTHERS) {
        entry(b, "Colour", "(ii)");
        pack_align(b, 8);
        pack_u32(b, 1), pack_u32(b, 2);
        entry(b, "Selection.NSelectedChildren", "i");
        pack_u32(b, 2000000000);
    }
    for (unpack names = wanted; names.at < end && script.tree != TREE_OTHERS;) property(b, bus, at, unpack_str(&names));
    pack_close(b, mark, 8);
    for (int i = 0; i < n->kid_count; i++) subtree(b, bus, n->kids[i], wanted, end);
}

void answer_tree(answer *a, const char *bus, unpack args) {
    skip_rule(&args);
    uint32_t size = unpack_u32(&args);
    snprintf(a->signature, sizeof a->signature, "a((so)a{sv})");
    size_t mark = pack_open(&a->body, 8);
    subtree(&a->body, bus, a->node, args, args.at + size);
    pack_close(&a->body, mark, 8);
}

static void matching(pack *b, const char *bus, int at, const uint32_t *roles, uint32_t words) {
    const node *n = &script.nodes[at];
    for (int i = 0; i < n->kid_count; i++) {
        const node *kid = &script.nodes[n->kids[i]];
        uint32_t role = (uint32_t)kid->role;
        if (role / 32 < words && roles[role / 32] >> role % 32 & 1) pack_align(b, 8), pack_ref(b, bus, node_path(n->kids[i]));
        matching(b, bus, n->kids[i], roles, words);
    }
}

// Of the rule the roles count, of which an element is to have one.
void answer_matches(answer *a, const char *bus, unpack args) {
    args.at = (args.at + 7) / 8 * 8;
    uint32_t roles[8] = {0}, words = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (i == 2) {
            words = unpack_u32(&args) / 4;
            for (uint32_t k = 0; k < words; k++) roles[k % 8] = unpack_u32(&args);
        } else skip_array(&args, i == 1 ? 8 : 4);
        unpack_u32(&args);
    }
    snprintf(a->signature, sizeof a->signature, "a(so)");
    size_t mark = pack_open(&a->body, 8);
    matching(&a->body, bus, a->node, roles, words);
    pack_close(&a->body, mark, 8);
}

// What a person would call them: nobody but GetName tells what they are called.
void answer_action_list(answer *a) {
    snprintf(a->signature, sizeof a->signature, "a(sss)");
    size_t mark = pack_open(&a->body, 8);
    int n = answer_actions(a->node) + (script.tree == TREE_COUNTS ? 2 : 0);
    for (int i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "Aktion %d", i);
        pack_align(&a->body, 8);
        pack_str(&a->body, name);
        pack_str(&a->body, or_empty(script.nodes[a->node].description));
        pack_str(&a->body, "");
    }
    pack_close(&a->body, mark, 8);
}

bool answer_table(answer *a, const char *member, unpack args, int *cell) {
    const node *n = &script.nodes[a->node];
    int first = (int)unpack_u32(&args), second = (int)unpack_u32(&args), wide = n->columns;
    bool row = is(member, "GetRowAtIndex"), column = is(member, "GetColumnAtIndex");
    if (wide <= 0 || !(row || column || is(member, "GetAccessibleAt"))) return false;
    *cell = -1;
    if (row || column) {
        snprintf(a->signature, sizeof a->signature, "i");
        pack_u32(&a->body, (uint32_t)(row ? first / wide : first % wide));
    } else if (first >= 0 && second >= 0 && second < wide && first < n->kid_count / wide) {
        *cell = n->kids[first * wide + second];
    }
    return true;
}
