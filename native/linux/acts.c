/* What changes an application: one call each, after reading only what the call cannot do without. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "op.h"

enum { ACT, READ_BACK, PROBE, TOOLKIT, ACTION_COUNT, SELECTIONS, ROW, ACTION_NAME /* and upwards: + index */ };

#define ACTION "org.a11y.atspi.Action"
#define COMPONENT "org.a11y.atspi.Component"
#define EDITABLE "org.a11y.atspi.EditableText"
#define SELECTION "org.a11y.atspi.Selection"
#define TABLE "org.a11y.atspi.Table"
#define TEXT "org.a11y.atspi.Text"
#define MAX_ACTIONS 256

typedef struct act {
    bs_str name;           // ACTION: its name; INSERT_TEXT: what to insert
    int32_t start, end;    // SELECT_TEXT; INSERT_TEXT: start; SELECT of a row: end, whether it is to be selected
    int32_t count, found;  // ACTION: how many, which one
    bool any;              // ACTION: at least one said its name
    bool set;              // SET_VALUE: it was answered, what it came to is on its way
    bs_buf names;          // for the message when there is none
} act;

static void free_act(void *state) {
    act *a = state;
    bs_buf_free(&a->names);
    free(a);
}

// From here on what is sent counts: if no answer comes, it may have happened.
static bs_out *begin_action(bs_op *op, const char *interface, const char *member, const char *signature) {
    op->caller.counts = true;
    return bs_op_begin(op, interface, member, signature);
}

static void do_action(bs_op *op, int32_t index) {
    bs_out_i32(begin_action(op, ACTION, "DoAction", "i"), index);
    bs_op_send(op, ACT);
}

// All names at once; the first that fits is used.
static void ask_names(bs_op *op, int32_t count) {
    act *a = op->state;
    a->count = count > MAX_ACTIONS ? MAX_ACTIONS : count;
    if (a->count <= 0) {
        bs_op_fail(op, BACKSTEP_E_UNSUPPORTED, "the element has no actions");
        return;
    }
    for (int32_t i = 0; i < a->count; i++) {
        bs_out_i32(bs_op_begin(op, ACTION, "GetName", "i"), i);
        bs_op_send(op, ACTION_NAME + (uint32_t)i);
    }
}

static void named(bs_op *op, int32_t index, bs_msg *reply) {
    act *a = op->state;
    bs_str name = reply && bs_signature_is(reply, "s") ? bs_in_str(&reply->body) : (bs_str){"", 0};
    a->any = a->any || reply;
    if (name.length == a->name.length && !memcmp(name.text, a->name.text, name.length) && (a->found < 0 || index < a->found)) a->found = index;
    if (a->names.length < 400) {
        if (a->names.length) bs_put(&a->names, ", ", 2);
        bs_put(&a->names, name.text, name.length);
    }
    if (op->caller.in_flight) return;
    if (a->found >= 0) do_action(op, a->found);
    else if (!a->any) bs_op_call(op, PROBE, BS_ACCESSIBLE, "GetRole"); // it had actions a moment ago: is it there still?
    else bs_op_fail(op, BACKSTEP_E_UNSUPPORTED, "the element has no action \"%.*s\"; it has: %.*s", (int)a->name.length, a->name.text, (int)a->names.length,
                    a->names.length ? (const char *)a->names.data : "");
}

static void select_text(bs_op *op, int32_t selections) {
    act *a = op->state;
    if (a->start == a->end && selections <= 0) {
        bs_op_finish(op, BACKSTEP_OK); // nothing is selected already
        return;
    }
    if (a->start == a->end) {
        bs_out_i32(begin_action(op, TEXT, "RemoveSelection", "i"), 0);
    } else {
        bs_out *o = selections > 0 ? begin_action(op, TEXT, "SetSelection", "iii") : begin_action(op, TEXT, "AddSelection", "ii");
        if (selections > 0) bs_out_i32(o, 0);
        bs_out_i32(o, a->start);
        bs_out_i32(o, a->end);
    }
    bs_op_send(op, ACT);
}

static void select_row(bs_op *op, int32_t row) {
    if (row < 0) {
        bs_op_fail(op, BACKSTEP_E_REFUSED, "the child is in no row");
        return;
    }
    bs_out_i32(begin_action(op, TABLE, ((act *)op->state)->end ? "AddRowSelection" : "RemoveRowSelection", "i"), row);
    bs_op_send(op, ACT);
}

static void insert_text(bs_op *op, uint32_t length) {
    act *a = op->state;
    bs_out *o = begin_action(op, EDITABLE, "InsertText", "isi");
    bs_out_i32(o, a->start);
    bs_out_str(o, a->name);
    bs_out_i32(o, (int32_t)length);
    bs_op_send(op, ACT);
}

// The length of InsertText is in bytes for GTK and all of ATK, and in UTF-16 units for Qt, which pads what is too short.
static uint32_t length_for(bs_str text, bool qt) {
    if (!qt) return text.length;
    uint32_t n = 0;
    for (uint32_t i = 0; i < text.length; i++) n += ((text.text[i] & 0xc0) != 0x80) + ((uint8_t)text.text[i] >= 0xf0);
    return n;
}

// The answer to the action: a boolean, except for the property.
static void done(bs_op *op, bs_msg *reply) {
    if (op->code == BACKSTEP_OP_SET_VALUE) {
        ((act *)op->state)->set = true;
        return;
    }
    if (!bs_signature_is(reply, "b")) {
        bs_op_fail_answer(op, BACKSTEP_E_PROTOCOL, NULL);
        return;
    }
    bool yes = bs_in_bool(&reply->body);
    if (reply->body.failed) bs_op_fail_answer(op, BACKSTEP_E_PROTOCOL, NULL);
    else if (yes) bs_op_finish(op, BACKSTEP_OK);
    else bs_op_fail_answer(op, BACKSTEP_E_REFUSED, NULL);
}

// What the value is right after; where the action failed, that was or will be said.
static void read_back(bs_op *op, int status, bs_msg *reply) {
    if (!((act *)op->state)->set) return;
    bool told = status == BACKSTEP_OK && bs_signature_is(reply, "v") && bs_in_variant(&reply->body, "d");
    double value = told ? bs_in_f64(&reply->body) : NAN;
    bs_put_f64(&op->reply, told && !reply->body.failed ? value : NAN);
    bs_op_finish(op, BACKSTEP_OK);
}

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    bs_op *op = (bs_op *)caller;
    if (tag == READ_BACK) {
        read_back(op, status, reply);
        return;
    }
    if (tag == PROBE) {
        // The object answers its role: then it is the method that is missing. (GDBus calls both an unknown method.)
        bool there = status == BACKSTEP_OK;
        bool lost = status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_BUS;
        bs_op_fail_answer(op, there ? BACKSTEP_E_UNSUPPORTED : lost ? status : BACKSTEP_E_NO_ELEMENT, there ? NULL : reply);
        return;
    }
    if (tag >= ACTION_NAME && status != BACKSTEP_E_APP_GONE && status != BACKSTEP_E_BUS && status != BACKSTEP_E_NO_ELEMENT) {
        named(op, (int32_t)(tag - ACTION_NAME), status == BACKSTEP_OK ? reply : NULL);
        return;
    }
    if (tag == TOOLKIT && status != BACKSTEP_E_APP_GONE && status != BACKSTEP_E_BUS) {
        bool known = status == BACKSTEP_OK && bs_signature_is(reply, "v") && bs_in_variant(&reply->body, "s");
        bs_str name = known ? bs_in_str(&reply->body) : (bs_str){"", 0};
        insert_text(op, length_for(((act *)op->state)->name, bs_str_is(name, "Qt")));
        return;
    }
    if (status == BACKSTEP_E_UNSUPPORTED) {
        // Whatever becomes of the probe: the action was answered, it did not happen.
        op->caller.counts = op->caller.sent = false;
        bs_op_call(op, PROBE, BS_ACCESSIBLE, "GetRole");
        return;
    }
    if (status != BACKSTEP_OK) {
        bs_op_fail_answer(op, status, reply);
        return;
    }
    if (tag == ACT) {
        done(op, reply);
        return;
    }
    bool property = tag == ACTION_COUNT;
    bool typed = property ? bs_signature_is(reply, "v") && bs_in_variant(&reply->body, "i") : bs_signature_is(reply, "i");
    int32_t count = typed ? bs_in_i32(&reply->body) : 0;
    if (!typed || reply->body.failed) bs_op_fail_answer(op, BACKSTEP_E_PROTOCOL, NULL);
    else if (property) ask_names(op, count);
    else if (tag == ROW) select_row(op, count);
    else select_text(op, count);
}

static void write_text(bs_op *op, bs_reader *r) {
    bs_str text = bs_get_str(r);
    if (r->failed) return;
    bs_out_str(begin_action(op, EDITABLE, "SetTextContents", "s"), text);
    bs_op_send(op, ACT);
}

static void start_insert(bs_op *op, bs_reader *r) {
    act *a = op->state;
    a->start = bs_get_i32(r);
    a->name = bs_get_str(r);
    if (r->failed) return;
    bool plain = true;
    for (uint32_t i = 0; i < a->name.length; i++) plain = plain && !(a->name.text[i] & 0x80);
    bs_target root = {op->to.bus, bs_cstr(BS_ROOT_PATH)};
    // Where every character is one byte, all toolkits mean the same length.
    if (plain) insert_text(op, a->name.length);
    else bs_op_get(op, TOOLKIT, root, "org.a11y.atspi.Application", "ToolkitName");
}

static void select_child(bs_op *op, bs_reader *r) {
    static const char *const members[] = {"DeselectChild", "SelectChild", "SelectAll", "ClearSelection"};
    int32_t index = bs_get_i32(r);
    uint32_t mode = bs_get_u32(r);
    if (r->failed || mode > 5) {
        r->failed = true;
        return;
    }
    if (mode > 3) {
        ((act *)op->state)->end = mode == 5;
        bs_out_i32(bs_op_begin(op, TABLE, "GetRowAtIndex", "i"), index);
        bs_op_send(op, ROW);
        return;
    }
    bs_out *o = begin_action(op, SELECTION, members[mode], mode < 2 ? "i" : "");
    if (mode < 2) bs_out_i32(o, index);
    bs_op_send(op, ACT);
}

static void set_value(bs_op *op, bs_reader *r) {
    double value = bs_get_f64(r);
    if (r->failed) return;
    bs_out *o = begin_action(op, "org.freedesktop.DBus.Properties", "Set", "ssv");
    bs_out_cstr(o, "org.a11y.atspi.Value");
    bs_out_cstr(o, "CurrentValue");
    bs_out_signature(o, "d");
    bs_out_f64(o, value);
    bs_op_send(op, ACT);
    // Questions are answered in their order: this one goes along.
    bs_op_get(op, READ_BACK, op->to, "org.a11y.atspi.Value", "CurrentValue");
}

static void numbers(bs_op *op, bs_reader *r, const char *interface, const char *member, const char *signature) {
    int32_t values[3] = {0};
    for (unsigned i = 0; signature[i]; i++) values[i] = bs_get_i32(r);
    if (r->failed) return;
    bs_out *o = begin_action(op, interface, member, signature);
    for (unsigned i = 0; signature[i]; i++) bs_out_i32(o, values[i]);
    bs_op_send(op, ACT);
}

void bs_act_start(bs_op *op, bs_reader *r) {
    act *a = calloc(1, sizeof *a);
    if (!a) {
        bs_op_finish(op, BACKSTEP_E_MEMORY);
        return;
    }
    a->found = -1;
    op->state = a;
    op->free_state = free_act;
    op->caller.answer = answered;
    switch (op->code) {
    case BACKSTEP_OP_ACTION:
        a->name = bs_get_str(r);
        if (r->failed) break;
        if (a->name.length) bs_op_get(op, ACTION_COUNT, op->to, ACTION, "NActions");
        else do_action(op, 0);
        break;
    case BACKSTEP_OP_FOCUS:
        begin_action(op, COMPONENT, "GrabFocus", "");
        bs_op_send(op, ACT);
        break;
    case BACKSTEP_OP_SET_TEXT: write_text(op, r); break;
    case BACKSTEP_OP_INSERT_TEXT: start_insert(op, r); break;
    case BACKSTEP_OP_DELETE_TEXT: numbers(op, r, EDITABLE, "DeleteText", "ii"); break;
    case BACKSTEP_OP_CARET: numbers(op, r, TEXT, "SetCaretOffset", "i"); break;
    case BACKSTEP_OP_SELECT_TEXT:
        a->start = bs_get_i32(r);
        a->end = bs_get_i32(r);
        if (!r->failed) bs_op_call(op, SELECTIONS, TEXT, "GetNSelections");
        break;
    case BACKSTEP_OP_SET_VALUE: set_value(op, r); break;
    case BACKSTEP_OP_SELECT: select_child(op, r); break;
    case BACKSTEP_OP_SCROLL_TO: numbers(op, r, COMPONENT, "ScrollTo", "u"); break;
    case BACKSTEP_OP_SCROLL_TO_POINT: numbers(op, r, COMPONENT, "ScrollToPoint", "uii"); break;
    default: r->failed = true;
    }
    if (r->failed) bs_op_fail(op, BACKSTEP_E_INVALID, "the request is too short, or no valid text");
}
