/*
 * Collection.GetTree of the ATK bridge: one call answers properties of a whole subtree, in preorder. Nobody documents it,
 * the bridge has had it since 2013. Its match rule is ignored; an empty list of properties has crashed an application and
 * is never sent. It tells no role, state or interface, and stops at what manages its descendants.
 *
 * In its tree of seeds `waiting` holds which questions a node answers, and `text`, `action_count`, `selected_count` are
 * numbers as they were told.
 */
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

#define MAX_ITEMS 1000000u
#define BIT(what) (1u << (what))
#define KIN 0x80000000u  /* no fields: for the whole tree, */
#define NAME 0x40000000u /* and for what the cache does not know */

/* What is worth naming, the fields it is for, and the question it answers. */
static const struct { const char *name, *type; uint32_t fields, what; } properties[] = {
    {"Parent", "(so)", KIN, BS_ASK_CHILDREN},
    {"ChildCount", "i", KIN | NAME, BS_ASK_COUNT},
    {"Name", "s", NAME, BS_ASK_NAME},
    {"Description", "s", NAME, BS_ASK_DESCRIPTION},
    {"Component.ScreenExtents", "(uuuu)", BACKSTEP_F_EXTENTS, BS_ASK_EXTENTS},
    {"AccessibleId", "s", BACKSTEP_F_ID, BS_ASK_ID},
    {"Attributes", "a{ss}", BACKSTEP_F_ATTRIBUTES, BS_ASK_ATTRIBUTES},
    {"Text.CharacterCount", "i", BACKSTEP_F_TEXT, BS_ASK_TEXT_COUNT},
    {"Text.CaretOffset", "i", BACKSTEP_F_CARET, BS_ASK_CARET},
    {"Value.CurrentValue", "d", BACKSTEP_F_VALUE, BS_ASK_VALUE},
    {"Value.MinimumValue", "d", BACKSTEP_F_VALUE, BS_ASK_MINIMUM},
    {"Value.MaximumValue", "d", BACKSTEP_F_VALUE, BS_ASK_MAXIMUM},
    {"Value.MinimumIncrement", "d", BACKSTEP_F_VALUE, BS_ASK_STEP},
    {"Action.NActions", "i", BACKSTEP_F_ACTIONS, BS_ASK_ACTION_COUNT},
    {"Selection.NSelectedChildren", "i", BACKSTEP_F_SELECTION, BS_ASK_SELECTED_COUNT},
};

#define PROPERTIES (sizeof properties / sizeof *properties)

void bs_collection_ask(bs_op *op, uint32_t tag, bs_target of, bs_scope scope) {
    bs_snapshot *s = op->state;
    bs_bus *way = bs_way(op, bs_node_of(s, 0)->bus);
    // Chromium dies of Value.MinimumValue. What the others tell was asked of it many thousand times.
    uint32_t fields = scope == BS_SCOPE_PART ? s->columns.fields & ~(uint32_t)BACKSTEP_F_VALUE : s->columns.fields | (scope == BS_SCOPE_ALL ? KIN : NAME);
    bs_out *o = bs_bus_begin(way, of, "org.a11y.atspi.Collection", "GetTree", "(aiia{ss}iaiiasib)as");
    bs_out_align(o, 8);
    // A rule that matches everything: no states, attributes, roles or interfaces.
    for (unsigned i = 0; i < 4; i++) {
        bs_out_array_end(o, bs_out_array(o, i == 1 ? 8 : 4));
        bs_out_i32(o, 0);
    }
    bs_out_u32(o, 0);
    size_t names = bs_out_array(o, 4);
    for (size_t i = 0; i < PROPERTIES; i++) {
        // The extents it tells are those on the screen.
        if (properties[i].what == BS_ASK_EXTENTS && s->coords != 0) continue;
        if (properties[i].fields & fields) bs_out_cstr(o, properties[i].name);
    }
    bs_out_array_end(o, names);
    bs_bus_send(way, &op->caller, tag, BS_NO_DEADLINE);
}

static void read_property(bs_seeds *t, bs_node *n, bs_str name, bs_in *in) {
    size_t k = 0;
    while (k < PROPERTIES && !bs_str_is(name, properties[k].name)) k++;
    if (k == PROPERTIES) {
        bs_in_skip(in, bs_cstr("v"));
        return;
    }
    const char *type = properties[k].type;
    uint32_t what = properties[k].what;
    if (!bs_in_variant(in, type)) return; // of another type: it is asked for
    int32_t i = !strcmp(type, "i") ? bs_in_i32(in) : 0;
    switch (what) {
    case BS_ASK_CHILDREN: {
        bs_in_struct(in);
        bs_str bus = bs_in_str(in), path = bs_in_path(in);
        if (in->failed) return;
        uint32_t parent = bs_tree_find(t, bs_intern(&t->strings, bus), bs_intern(&t->strings, path));
        n->parent = parent == BS_NONE ? -1 : (int32_t)parent; // preorder: it came before
        break;
    }
    case BS_ASK_EXTENTS: {
        int32_t rect[4];
        bs_in_struct(in);
        for (unsigned j = 0; j < 4; j++) rect[j] = bs_in_i32(in);
        bs_field_place(n, rect);
        break;
    }
    case BS_ASK_COUNT: n->children = i < 0 ? -1 : i; break;
    case BS_ASK_NAME: n->name = bs_intern(&t->strings, bs_in_str(in)); break;
    case BS_ASK_DESCRIPTION: n->description = bs_intern(&t->strings, bs_in_str(in)); break;
    case BS_ASK_ID: n->id = bs_intern(&t->strings, bs_in_str(in)); break;
    case BS_ASK_ATTRIBUTES: n->attributes = bs_field_attributes(&t->strings, in); break;
    case BS_ASK_TEXT_COUNT: n->text = (uint32_t)i; break;
    case BS_ASK_CARET: n->caret[0] = i; break;
    case BS_ASK_ACTION_COUNT: n->action_count = (uint32_t)i; break;
    case BS_ASK_SELECTED_COUNT: n->selected_count = (uint32_t)i; break;
    default: n->value[what - BS_ASK_VALUE] = bs_in_f64(in); break;
    }
    if (!in->failed) n->waiting |= BIT(what);
}

static void read_item(bs_seeds *t, bs_in *in) {
    bs_in_struct(in);
    bs_in_struct(in);
    bs_str bus = bs_in_str(in), path = bs_in_path(in);
    if (in->failed) return;
    uint32_t at = bs_tree_add(t, -1, bs_intern(&t->strings, bus), bs_intern(&t->strings, path));
    bs_node nowhere = {.parent = -1}; // what comes twice is read over
    size_t end = bs_in_array(in, 8);
    while (bs_in_more(in, end)) {
        bs_in_struct(in);
        bs_str name = bs_in_str(in);
        if (!in->failed) read_property(t, at == BS_NONE ? &nowhere : &t->nodes[at], name, in);
    }
}

// Gives each node its kids where as many came as it counts.
static void adopt(bs_seeds *t) {
    uint32_t *told = calloc((size_t)t->count + 1, sizeof *told);
    if (!told) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < t->count; i++)
        if (t->nodes[i].parent >= 0) told[t->nodes[i].parent]++;
    for (uint32_t i = 0; i < t->count && !t->failed; i++) {
        if (told[i] && (int32_t)told[i] == t->nodes[i].children) bs_tree_kids(t, i, told[i]);
        told[i] = 0;
    }
    for (uint32_t i = 0; i < t->count && !t->failed; i++) {
        int32_t parent = t->nodes[i].parent;
        if (parent >= 0 && t->nodes[parent].kid_count) t->kids[t->nodes[parent].first_kid + told[parent]++] = i;
    }
    free(told);
}

static void read_items(bs_seeds *t, bs_in *body) {
    size_t end = bs_in_array(body, 8);
    while (bs_in_more(body, end) && t->count < MAX_ITEMS && !t->failed && !t->strings.failed) read_item(t, body);
}

bs_seeds *bs_collection_read(bs_in *body) {
    bs_seeds *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    read_items(t, body);
    if (!body->failed && !t->failed && !t->strings.failed && t->count) adopt(t);
    if (body->failed || t->failed || t->strings.failed || !t->count) bs_seeds_free(&t);
    return t;
}

void bs_collection_answer(bs_snapshot *s, bs_msg *reply, bs_scope scope) {
    if (!bs_signature_is(reply, "a((so)a{sv})")) return;
    if (scope == BS_SCOPE_ALL) {
        bs_seeds_free(&s->grown);
        s->grown = bs_collection_read(&reply->body);
        return;
    }
    // One part of several: what was read of a malformed one before it broke off was whole.
    if (!s->grown) s->grown = calloc(1, sizeof *s->grown);
    if (s->grown) read_items(s->grown, &reply->body);
    if (s->grown && (s->grown->failed || s->grown->strings.failed)) bs_seeds_free(&s->grown);
}

void bs_collection_row(bs_snapshot *s, uint32_t node) {
    const bs_node *told = bs_collection_of(s, node);
    bs_node *n = bs_node_of(s, node);
    if (bs_collection_told(told, BS_ASK_NAME)) n->name = bs_intern(&s->tree.strings, bs_string(&s->grown->strings, told->name));
    if (bs_collection_told(told, BS_ASK_DESCRIPTION)) n->description = bs_intern(&s->tree.strings, bs_string(&s->grown->strings, told->description));
    if (bs_collection_told(told, BS_ASK_COUNT)) n->children = told->children;
}

const bs_node *bs_collection_of(const bs_snapshot *s, uint32_t node) {
    if (!s->grown) return NULL;
    const bs_node *n = &s->tree.nodes[node];
    return bs_seed_find(s->grown, bs_string(&s->tree.strings, n->bus), bs_string(&s->tree.strings, n->path));
}

bool bs_collection_told(const bs_node *told, uint32_t what) { return told && told->waiting & BIT(what); }

const bs_node *bs_collection_kids(const bs_snapshot *s, uint32_t node) {
    const bs_node *told = bs_collection_of(s, node);
    return told && told->kid_count && (int32_t)told->kid_count == s->tree.nodes[node].children ? told : NULL;
}
