/* Each question of a snapshot: how it is put, and what its answer means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"

#define TEXT "org.a11y.atspi.Text"
#define VALUE "org.a11y.atspi.Value"
#define ACTION "org.a11y.atspi.Action"
#define SELECTION "org.a11y.atspi.Selection"
#define TABLE "org.a11y.atspi.Table"

/* property: read through Properties.Get, its value of type `answer`; otherwise a method with the arguments `takes`:
 * "" none, "i" the task's index (or the one of a table's corner), "u" the coordinates, "ii" zero and as many
 * characters as wanted, or a row and a column; "iiu" a place and the coordinates; "s" the task's bus, of the bus itself. */
static const struct { const char *interface, *member, *answer, *takes; bool property; } questions[] = {
    [BS_ASK_ROLE] = {BS_ACCESSIBLE, "GetRole", "u", "", false},
    [BS_ASK_STATES] = {BS_ACCESSIBLE, "GetState", "au", "", false},
    [BS_ASK_INTERFACES] = {BS_ACCESSIBLE, "GetInterfaces", "as", "", false},
    [BS_ASK_COUNT] = {BS_ACCESSIBLE, "ChildCount", "i", "", true},
    [BS_ASK_NAME] = {BS_ACCESSIBLE, "Name", "s", "", true},
    [BS_ASK_DESCRIPTION] = {BS_ACCESSIBLE, "Description", "s", "", true},
    [BS_ASK_ATTRIBUTES] = {BS_ACCESSIBLE, "GetAttributes", "a{ss}", "", false},
    [BS_ASK_ID] = {BS_ACCESSIBLE, "AccessibleId", "s", "", true},
    [BS_ASK_CHILDREN] = {BS_ACCESSIBLE, "GetChildren", "a(so)", "", false},
    [BS_ASK_CHILD] = {BS_ACCESSIBLE, "GetChildAtIndex", "(so)", "i", false},
    [BS_ASK_OWNER] = {"org.freedesktop.DBus", "GetNameOwner", "s", "s", false},
    [BS_ASK_PARENT] = {BS_ACCESSIBLE, "Parent", "(so)", "", true},
    [BS_ASK_EXTENTS] = {"org.a11y.atspi.Component", "GetExtents", "(iiii)", "u", false},
    [BS_ASK_RELATIONS] = {BS_ACCESSIBLE, "GetRelationSet", "a(ua(so))", "", false},
    [BS_ASK_KEYS] = {ACTION, "GetKeyBinding", "s", "i", false},
    [BS_ASK_TREE] = {"org.a11y.atspi.Collection", "GetTree", "a((so)a{sv})", "", false},
    [BS_ASK_TEXT_COUNT] = {TEXT, "CharacterCount", "i", "", true},
    [BS_ASK_TEXT] = {TEXT, "GetText", "s", "ii", false},
    [BS_ASK_WHOLE_TEXT] = {TEXT, "GetText", "s", "ii", false},
    [BS_ASK_TEXT_STYLE] = {TEXT, "GetDefaultAttributes", "a{ss}", "", false},
    [BS_ASK_TEXT_RECT] = {TEXT, "GetRangeExtents", "iiii", "iiu", false},
    [BS_ASK_CARET] = {TEXT, "CaretOffset", "i", "", true},
    [BS_ASK_SELECTIONS] = {TEXT, "GetNSelections", "i", "", false},
    [BS_ASK_RANGE] = {TEXT, "GetSelection", "ii", "i", false},
    [BS_ASK_VALUE] = {VALUE, "CurrentValue", "d", "", true},
    [BS_ASK_MINIMUM] = {VALUE, "MinimumValue", "d", "", true},
    [BS_ASK_MAXIMUM] = {VALUE, "MaximumValue", "d", "", true},
    [BS_ASK_STEP] = {VALUE, "MinimumIncrement", "d", "", true},
    [BS_ASK_ACTION_COUNT] = {ACTION, "NActions", "i", "", true},
    [BS_ASK_ACTION] = {ACTION, "GetName", "s", "i", false}, // GetActions is localised
    [BS_ASK_ACTIONS] = {ACTION, "GetActions", "a(sss)", "", false},
    [BS_ASK_SELECTED_COUNT] = {SELECTION, "NSelectedChildren", "i", "", true},
    [BS_ASK_SELECTED] = {SELECTION, "GetSelectedChild", "(so)", "i", false},
    [BS_ASK_INDEX] = {BS_ACCESSIBLE, "GetIndexInParent", "i", "", false},
    [BS_ASK_AREA] = {"org.a11y.atspi.Component", "GetExtents", "(iiii)", "u", false},
    [BS_ASK_CORNER] = {"org.a11y.atspi.Component", "GetAccessibleAtPoint", "(so)", "iiu", false},
    [BS_ASK_CORNER_INDEX] = {BS_ACCESSIBLE, "GetIndexInParent", "i", "", false},
    [BS_ASK_CORNER_ROW] = {TABLE, "GetRowAtIndex", "i", "i", false},
    [BS_ASK_CORNER_COLUMN] = {TABLE, "GetColumnAtIndex", "i", "i", false},
    [BS_ASK_CELL] = {TABLE, "GetAccessibleAt", "(so)", "ii", false},
};

bs_bus *bs_way(const bs_op *op, uint32_t bus) {
    bs_snapshot *s = op->state;
    // What is embedded from another process is not at the other end of this connection.
    return op->via && bus == bs_node_of(s, 0)->bus ? op->via : op->link->bus;
}

/* For GetText: the whole text, also when it is longer by now than it was when its characters were counted. */
enum { TO_ITS_END = -1 };

void bs_field_ask(bs_op *op, const bs_task *task, uint32_t tag) {
    bs_snapshot *s = op->state;
    const bs_node *n = bs_node_of(s, task->node);
    bool other = bs_asks_other(task->what), lazy = task->what >= BS_ASK_AREA && task->what <= BS_ASK_CELL;
    int32_t pair[2] = {0, task->what == BS_ASK_WHOLE_TEXT ? TO_ITS_END : (int32_t)task->index};
    if (lazy) bs_lazy_arguments(s, task, pair);
    bs_target to = {bs_string(&s->tree.strings, other ? task->bus : n->bus), bs_string(&s->tree.strings, other ? task->path : n->path)};
    const char *takes = questions[task->what].takes;
    bs_bus *way = bs_way(op, other ? task->bus : n->bus);
    if (task->what == BS_ASK_OWNER) to = (bs_target){bs_cstr("org.freedesktop.DBus"), bs_cstr("/org/freedesktop/DBus")};
    if (task->what == BS_ASK_TREE) {
        bs_collection_ask(op, tag, to, BS_SCOPE_ROW);
        return;
    }
    if (task->what == BS_ASK_ID && bs_peer_is_page(op->link, to.bus)) {
        bs_bus_begin(way, to, BS_ACCESSIBLE, "GetAttributes", "");
        bs_bus_send(way, &op->caller, tag, BS_NO_DEADLINE);
        return;
    }
    if (questions[task->what].property) {
        bs_out *o = bs_bus_begin(way, to, "org.freedesktop.DBus.Properties", "Get", "ss");
        bs_out_cstr(o, questions[task->what].interface);
        bs_out_cstr(o, questions[task->what].member);
        bs_bus_send(way, &op->caller, tag, BS_NO_DEADLINE);
        return;
    }
    bs_out *o = bs_bus_begin(way, to, questions[task->what].interface, questions[task->what].member, takes);
    if (!strcmp(takes, "i")) bs_out_i32(o, lazy ? bs_lazy_index(s, task) : (int32_t)task->index);
    if (!strcmp(takes, "s")) bs_out_str(o, bs_string(&s->tree.strings, task->bus));
    if (!strcmp(takes, "ii") || !strcmp(takes, "iiu")) {
        bs_out_i32(o, pair[0]);
        bs_out_i32(o, pair[1]);
    }
    if (!strcmp(takes, "u") || !strcmp(takes, "iiu")) bs_out_u32(o, s->coords);
    bs_bus_send(way, &op->caller, tag, BS_NO_DEADLINE);
}

#define INTERFACE(name, bit) {name, sizeof name - 1, bit}
static const struct { const char *name; uint32_t length, bit; } interfaces[] = {
    INTERFACE("Accessible", BACKSTEP_I_ACCESSIBLE), INTERFACE("Action", BACKSTEP_I_ACTION),       INTERFACE("Application", BACKSTEP_I_APPLICATION),
    INTERFACE("Collection", BACKSTEP_I_COLLECTION), INTERFACE("Component", BACKSTEP_I_COMPONENT), INTERFACE("Document", BACKSTEP_I_DOCUMENT),
    INTERFACE("EditableText", BACKSTEP_I_EDITABLE_TEXT), INTERFACE("Hyperlink", BACKSTEP_I_HYPERLINK), INTERFACE("Hypertext", BACKSTEP_I_HYPERTEXT),
    INTERFACE("Image", BACKSTEP_I_IMAGE),           INTERFACE("Selection", BACKSTEP_I_SELECTION), INTERFACE("Table", BACKSTEP_I_TABLE),
    INTERFACE("TableCell", BACKSTEP_I_TABLE_CELL),  INTERFACE("Text", BACKSTEP_I_TEXT),           INTERFACE("Value", BACKSTEP_I_VALUE),
};

uint32_t bs_interface_bits(bs_in *body) {
    static const char prefix[] = "org.a11y.atspi.";
    const uint32_t skip = sizeof prefix - 1;
    uint32_t bits = 0;
    size_t end = bs_in_array(body, 4);
    while (bs_in_more(body, end)) {
        bs_str name = bs_in_str(body);
        if (name.length <= skip || memcmp(name.text, prefix, skip)) continue;
        bs_str last = {name.text + skip, name.length - skip};
        for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++)
            if (last.length == interfaces[i].length && !memcmp(last.text, interfaces[i].name, last.length)) bits |= interfaces[i].bit;
    }
    return bits;
}

// "name:value", one a line.
uint32_t bs_field_attributes(bs_strings *strings, bs_in *body) {
    bs_buf b = {0};
    size_t end = bs_in_array(body, 8);
    while (bs_in_more(body, end)) {
        bs_in_struct(body);
        bs_str key = bs_in_str(body), value = bs_in_str(body);
        if (b.length) bs_put_u8(&b, '\n');
        bs_put(&b, key.text, key.length);
        bs_put_u8(&b, ':');
        bs_put(&b, value.text, value.length);
    }
    if (b.failed || b.length > BS_WIRE_MAX) strings->failed = true;
    uint32_t number = strings->failed ? 0 : bs_intern(strings, (bs_str){(const char *)b.data, (uint32_t)b.length});
    bs_buf_free(&b);
    return number;
}

bs_str bs_field_attribute(bs_in *body, const char *wanted) {
    bs_str found = {"", 0};
    size_t end = bs_in_array(body, 8);
    while (bs_in_more(body, end)) {
        bs_in_struct(body);
        bs_str key = bs_in_str(body), value = bs_in_str(body);
        if (!body->failed && bs_str_is(key, wanted)) found = value;
    }
    return found;
}

// "type:path path", one a line; what lies in another application has no path here.
static uint32_t relations(bs_snapshot *s, uint32_t node, bs_in *body) {
    bs_strings *strings = &s->tree.strings;
    bs_buf b = {0};
    size_t end = bs_in_array(body, 8);
    while (bs_in_more(body, end)) {
        bs_in_struct(body);
        char type[16];
        snprintf(type, sizeof type, b.length ? "\n%u:" : "%u:", bs_in_u32(body));
        bs_put(&b, type, strlen(type));
        size_t targets = bs_in_array(body, 8);
        for (bool first = true; bs_in_more(body, targets);) {
            bs_in_struct(body);
            bs_str bus = bs_in_str(body), path = bs_in_path(body), own = bs_string(strings, bs_node_of(s, node)->bus);
            if (bus.length != own.length || memcmp(bus.text, own.text, own.length)) continue;
            if (!first) bs_put_u8(&b, ' ');
            bs_put(&b, path.text, path.length);
            first = false;
        }
    }
    if (b.failed || b.length > BS_WIRE_MAX) strings->failed = true;
    uint32_t number = strings->failed || body->failed ? 0 : bs_intern(strings, (bs_str){(const char *)b.data, (uint32_t)b.length});
    bs_buf_free(&b);
    return number;
}

bool bs_text_at_once(const bs_snapshot *s) {
    return s->clamps && s->max_text && s->max_text < INT32_MAX && !(s->columns.fields & (BACKSTEP_F_TEXT_STYLE | BACKSTEP_F_TEXT_RECT));
}

// The application was asked for so many characters; some answer more.
static bs_str at_most(bs_str text, uint32_t characters) {
    uint32_t i = 0;
    for (; i < text.length; i++)
        if ((text.text[i] & 0xc0) != 0x80 && characters-- == 0) break;
    return (bs_str){text.text, i};
}

static void text_count(bs_snapshot *s, uint32_t node, int32_t count) {
    if (count < 0) count = 0;
    if ((uint32_t)count > s->max_text) s->columns.cut |= BS_CUT_TEXT;
    uint32_t wanted = (uint32_t)count > s->max_text ? s->max_text : (uint32_t)count;
    bs_node_of(s, node)->text = 0;
    uint32_t what = wanted == (uint32_t)count ? BS_ASK_WHOLE_TEXT : BS_ASK_TEXT;
    if (wanted) bs_want(s, (bs_task){.node = node, .what = what, .index = wanted});
    if (wanted && s->columns.fields & BACKSTEP_F_TEXT_STYLE) bs_want(s, (bs_task){.node = node, .what = BS_ASK_TEXT_STYLE});
    if (wanted && s->columns.fields & BACKSTEP_F_TEXT_RECT && wanted == (uint32_t)count)
        bs_want(s, (bs_task){.node = node, .what = BS_ASK_TEXT_RECT, .index = wanted});
}

static void action_count(bs_snapshot *s, uint32_t node, int32_t count) {
    bs_node *n = bs_node_of(s, node);
    if (count <= 0 || n->actions) return;
    n->action_count = count > BS_MAX_ACTIONS ? BS_MAX_ACTIONS : (uint32_t)count;
    n->actions = calloc(n->action_count, sizeof *n->actions);
    if (!n->actions) {
        n->action_count = 0;
        s->tree.failed = true;
        return;
    }
    for (uint32_t i = 0; i < n->action_count; i++) bs_want(s, (bs_task){.node = node, .what = BS_ASK_ACTION, .index = i});
}

/*
 * GetActions tells the number of actions and what a person would call them, in one call; GetName tells what they are
 * really called, one call each. Elements of one role with one list share the names: the first is asked for them.
 */
static bool action_list(bs_snapshot *s, uint32_t node, bs_in *body) {
    bs_node *n = bs_node_of(s, node);
    bs_buf key = {0};
    int32_t count = 0;
    bool named = true;
    bs_put_u32(&key, n->role);
    size_t end = bs_in_array(body, 8);
    for (; bs_in_more(body, end); count++) {
        bs_in_struct(body);
        bs_str name = bs_in_str(body), description = bs_in_str(body), keys = bs_in_str(body);
        named = named && name.length;
        bs_put_str(&key, name.text, name.length);
        bs_put_str(&key, description.text, description.length);
        bs_put_str(&key, keys.text, keys.length);
    }
    // A list without names (Chromium's) tells no two apart.
    if (!body->failed && count && named) {
        uint32_t number = bs_intern(&s->action_lists, (bs_str){(const char *)key.data, (uint32_t)key.length});
        if (number >= s->list_room) {
            uint32_t room = (number + 1) * 2;
            uint32_t *owners = realloc(s->list_owner, room * sizeof *owners);
            if (!owners) s->tree.failed = true;
            else for (s->list_owner = owners; s->list_room < room;) s->list_owner[s->list_room++] = BS_NONE;
        }
        uint32_t owner = number < s->list_room && !s->action_lists.failed ? s->list_owner[number] : BS_NONE;
        if (owner != BS_NONE && !bs_node_of(s, owner)->dropped) n->like = owner + 1;
        else if (number < s->list_room) s->list_owner[number] = node;
    }
    if (key.failed || s->action_lists.failed) s->tree.failed = true;
    bs_buf_free(&key);
    if (!body->failed && !n->like) action_count(s, node, count);
    return !body->failed;
}

static void selected_count(bs_snapshot *s, uint32_t node, int32_t count) {
    bs_node *n = bs_node_of(s, node);
    n->has_selection = true;
    if (count <= 0 || n->selected) return;
    if (count > BS_MAX_KIDS) s->columns.cut |= BS_CUT_KIDS;
    uint32_t wanted = count > BS_MAX_KIDS ? BS_MAX_KIDS : (uint32_t)count;
    n->selected = malloc(wanted * sizeof *n->selected);
    if (!n->selected) {
        s->tree.failed = true;
        return;
    }
    n->selected_count = wanted;
    for (uint32_t i = 0; i < wanted; i++) {
        n->selected[i] = -1;
        bs_want(s, (bs_task){.node = node, .what = BS_ASK_SELECTED, .index = i});
    }
}

void bs_field_number(bs_snapshot *s, uint32_t node, uint32_t what, int32_t value) {
    bs_node *n = bs_node_of(s, node);
    if (what == BS_ASK_COUNT) n->children = value < 0 ? -1 : value;
    if (what == BS_ASK_TEXT_COUNT) text_count(s, node, value);
    if (what == BS_ASK_CARET) n->caret[0] = value;
    if (what == BS_ASK_ACTION_COUNT) action_count(s, node, value);
    if (what == BS_ASK_SELECTED_COUNT) selected_count(s, node, value);
}

static void place(int32_t to[4], const int32_t rect[4]) {
    memcpy(to, rect, 4 * sizeof *to);
    // What is off screen answers the least of all numbers: that is no place.
    if (rect[2] < 0 || rect[3] < 0 || rect[0] == INT32_MIN || rect[1] == INT32_MIN) memcpy(to, (int32_t[4]){0, 0, -1, -1}, 4 * sizeof *to);
}

void bs_field_place(bs_node *n, const int32_t rect[4]) { place(n->rect, rect); }

static void reference(bs_snapshot *s, const bs_task *task, bs_in *body) {
    bs_in_struct(body);
    bs_str bus = bs_in_str(body), path = bs_in_path(body);
    if (body->failed) return;
    if (task->what != BS_ASK_SELECTED) {
        bs_walk_kid(s, task->node, task->index, bus, path);
    } else if (bs_unique_name_valid(bus)) {
        bs_want(s, (bs_task){task->node, BS_ASK_INDEX, task->index, bs_intern(&s->tree.strings, bus), bs_intern(&s->tree.strings, path)});
    }
}

static bool same(bs_str one, bs_str other) { return one.length == other.length && !memcmp(one.text, other.text, one.length); }

// Anybody can tell an element of another process for its child: only who says so itself is one, and is used as part of this application.
static void adopt(bs_snapshot *s, const bs_task *task, bs_in *body) {
    bs_in_struct(body);
    bs_str bus = bs_in_str(body), path = bs_in_path(body);
    const bs_node *n = bs_node_of(s, task->node);
    bs_str own_bus = bs_string(&s->tree.strings, n->bus), own_path = bs_string(&s->tree.strings, n->path);
    if (!body->failed && same(bus, own_bus) && same(path, own_path)) bs_walk_add(s, task->node, task->index, task->bus, task->path);
}

void bs_field_refused(bs_snapshot *s, const bs_task *task) {
    // GTK 4 does not list some actions that it counts.
    if (task->what == BS_ASK_ACTIONS) bs_want(s, (bs_task){.node = task->node, .what = BS_ASK_ACTION_COUNT});
    if (task->what == BS_ASK_WHOLE_TEXT) bs_want(s, (bs_task){.node = task->node, .what = BS_ASK_TEXT, .index = task->index});
}

bool bs_field_answer(bs_snapshot *s, const bs_task *task, bs_msg *reply) {
    bs_node *n = bs_node_of(s, task->node);
    bs_in *body = &reply->body;
    bs_strings *strings = &s->tree.strings;
    const char *type = questions[task->what].answer;
    if (task->what == BS_ASK_ID && bs_signature_is(reply, "a{ss}")) {
        bs_str id = bs_field_attribute(body, "id");
        if (!body->failed) n->id = bs_intern(strings, id), n->has_id = true;
        return !body->failed;
    }
    if (questions[task->what].property ? !bs_signature_is(reply, "v") || !bs_in_variant(body, type) : !bs_signature_is(reply, type)) return false;
    // Read first, store only what was whole.
    int32_t i = !strcmp(type, "i") ? bs_in_i32(body) : 0;
    double d = !strcmp(type, "d") ? bs_in_f64(body) : 0;
    bs_str text = !strcmp(type, "s") ? bs_in_str(body) : (bs_str){"", 0};
    if (body->failed) return false;
    switch ((enum bs_ask)task->what) {
    case BS_ASK_ROLE: n->role = (uint16_t)bs_in_u32(body); break;
    case BS_ASK_STATES: {
        size_t end = bs_in_array(body, 4);
        for (unsigned k = 0; bs_in_more(body, end); k++) {
            uint32_t word = bs_in_u32(body);
            if (k < 2) n->states[k] = word;
        }
        break;
    }
    case BS_ASK_INTERFACES: n->interfaces = bs_interface_bits(body); break;
    case BS_ASK_COUNT: case BS_ASK_TEXT_COUNT: case BS_ASK_CARET: case BS_ASK_ACTION_COUNT: case BS_ASK_SELECTED_COUNT:
        bs_field_number(s, task->node, task->what, i);
        break;
    case BS_ASK_NAME: n->name = bs_intern(strings, text); break;
    case BS_ASK_DESCRIPTION: n->description = bs_intern(strings, text); break;
    case BS_ASK_ATTRIBUTES: n->attributes = bs_field_attributes(strings, body); break;
    case BS_ASK_ID: n->id = bs_intern(strings, text), n->has_id = true; break;
    case BS_ASK_TREE: bs_collection_answer(s, reply, BS_SCOPE_ROW); break;
    case BS_ASK_CHILDREN: return bs_walk_children(s, task->node, body);
    case BS_ASK_CHILD: case BS_ASK_CELL: case BS_ASK_SELECTED: reference(s, task, body); break;
    case BS_ASK_OWNER:
        if (bs_unique_name_valid(text)) bs_walk_owned(s, task->node, task->index, bs_intern(strings, text), task->path);
        break;
    case BS_ASK_PARENT: adopt(s, task, body); break;
    case BS_ASK_RELATIONS: n->relations = relations(s, task->node, body); break;
    case BS_ASK_KEYS: n->keys = bs_intern(strings, text); break;
    case BS_ASK_TEXT_STYLE: n->text_style = bs_field_attributes(strings, body); break;
    case BS_ASK_TEXT_RECT: {
        int32_t rect[4];
        for (unsigned k = 0; k < 4; k++) rect[k] = bs_in_i32(body);
        if (!body->failed) place(n->text_rect, rect);
        break;
    }
    case BS_ASK_EXTENTS: {
        bs_in_struct(body);
        int32_t rect[4];
        for (unsigned k = 0; k < 4; k++) rect[k] = bs_in_i32(body);
        if (!body->failed) bs_field_place(n, rect);
        break;
    }
    case BS_ASK_TEXT: case BS_ASK_WHOLE_TEXT: {
        bs_str wanted = at_most(text, s->max_text);
        bool asked_for_more = task->what == BS_ASK_WHOLE_TEXT || task->index > s->max_text;
        if (asked_for_more && wanted.length < text.length) s->columns.cut |= BS_CUT_TEXT;
        if (task->what == BS_ASK_WHOLE_TEXT && !text.length) bs_field_refused(s, task);
        n->text = bs_intern(strings, wanted);
        break;
    }
    case BS_ASK_SELECTIONS:
        if (i > 0) bs_want(s, (bs_task){.node = task->node, .what = BS_ASK_RANGE});
        break;
    case BS_ASK_RANGE: {
        int32_t start = bs_in_i32(body), end = bs_in_i32(body);
        if (!body->failed && start != end) n->caret[1] = start, n->caret[2] = end;
        break;
    }
    case BS_ASK_VALUE: case BS_ASK_MINIMUM: case BS_ASK_MAXIMUM: case BS_ASK_STEP: n->value[task->what - BS_ASK_VALUE] = d; break;
    case BS_ASK_ACTION:
        if (task->index < n->action_count) n->actions[task->index] = bs_intern(strings, text);
        break;
    case BS_ASK_ACTIONS: return action_list(s, task->node, body);
    case BS_ASK_INDEX:
        if (task->index < n->selected_count) n->selected[task->index] = i;
        break;
    case BS_ASK_AREA: case BS_ASK_CORNER: case BS_ASK_CORNER_INDEX: case BS_ASK_CORNER_ROW: case BS_ASK_CORNER_COLUMN:
        return bs_lazy_answer(s, task, body, i) && !body->failed;
    case BS_ASK_DESCEND: case BS_ASK_GO_ON: break;
    }
    return !body->failed;
}
