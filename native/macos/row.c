#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "cf.h"
#include "keyboard.h"
#include "looks.h"
#include "windows.h"

void bs_path_text(uint32_t number, char to[16]) { snprintf(to, 16, "/%u", number); }

uint32_t bs_path_number(bs_str path, bool *root) {
    static const char linux_root[] = "/org/a11y/atspi/accessible/root"; /* what asks whether an application answers at all */
    *root = !path.length || (path.length == 2 && !memcmp(path.text, "/0", 2)) || (path.length == sizeof linux_root - 1 && !memcmp(path.text, linux_root, path.length));
    if (*root || path.length < 2 || path.length > 10 || path.text[0] != '/' || path.text[1] == '0') return 0;
    uint64_t number = 0;
    for (uint32_t i = 1; i < path.length; i++) {
        if (path.text[i] < '0' || path.text[i] > '9') return 0;
        number = 10 * number + (uint64_t)(path.text[i] - '0');
    }
    return (uint32_t)number;
}

static uint32_t intern_text(bs_tree *t, CFTypeRef value) {
    bs_buf text = {0};
    bs_cf_text(value, &text);
    uint32_t number = bs_intern(&t->strings, (bs_str){(const char *)text.data, (uint32_t)text.length});
    if (text.failed) t->failed = true;
    bs_buf_free(&text);
    return number;
}

static uint32_t first_text(bs_tree *t, const CFTypeRef *basics, const enum bs_basic *which, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        uint32_t number = intern_text(t, basics[which[i]]);
        if (number) return number;
    }
    return 0;
}

static void roles(bs_tree *t, bs_node *n, const CFTypeRef *basics, bs_row *row) {
    bs_buf text = {0};
    bs_cf_text(basics[B_ROLE], &text);
    enum bs_ax_role role = bs_role_number((const char *)text.data, text.length);
    size_t length = text.length;
    bs_put_u8(&text, ' ');
    CFTypeRef sub = basics[B_SUBROLE];
    enum bs_ax_subrole subrole = AX_SUB_COUNT;
    if (bs_is_string(sub) && bs_cf_text(sub, &text) && !text.failed) subrole = bs_subrole_number((const char *)text.data + length + 1, text.length - length - 1);
    if (text.length == length + 1) text.length = length;
    row->role = bs_role_of(role, subrole);
    n->role = row->role.number;
    n->native_role = bs_intern(&t->strings, (bs_str){(const char *)text.data, (uint32_t)text.length});
    row->opened = false;
    if (text.failed) t->failed = true;
    bs_buf_free(&text);
}

static int32_t whole(double v) { return v > 1e9 ? 1000000000 : v < -1e9 ? -1000000000 : (int32_t)floor(v + 0.5); }

void bs_row_place(int32_t to[4], const double rect[4], const bs_wish *wish) {
    to[0] = whole(rect[0] - wish->origin[0]), to[1] = whole(rect[1] - wish->origin[1]);
    to[2] = whole(rect[0] + rect[2]) - whole(rect[0]), to[3] = whole(rect[1] + rect[3]) - whole(rect[1]);
}

static void place(bs_node *n, const CFTypeRef *basics, const bs_wish *wish, bs_row *row) {
    double x, y, w, h;
    row->rect[2] = -1;
    if (!bs_cf_point(basics[B_POSITION], &x, &y) || !bs_cf_size(basics[B_SIZE], &w, &h)) return;
    if (w < 0 || h < 0) return;
    row->rect[0] = x, row->rect[1] = y, row->rect[2] = w, row->rect[3] = h;
    bs_row_place(n->rect, row->rect, wish);
}

static void states(bs_node *n, const CFTypeRef *basics, const bs_row *row) {
    uint32_t traits = row->role.traits, *s = n->states;
    bool enabled = bs_cf_truth(basics[B_ENABLED], true);
    bs_set_state(s, BS_STATE_ENABLED, enabled);
    bs_set_state(s, BS_STATE_SENSITIVE, enabled);
    bs_set_state(s, BS_STATE_FOCUSED, bs_cf_truth(basics[B_FOCUSED], false));
    CFTypeRef selected = basics[B_SELECTED], expanded = basics[B_EXPANDED], disclosing = basics[B_DISCLOSING];
    bool menu = n->role == 33 || n->role == 35;
    if (!menu) bs_set_state(s, BS_STATE_SELECTABLE, selected != NULL);
    bs_set_state(s, BS_STATE_SELECTED, bs_cf_truth(selected, false));
    if (!expanded) expanded = n->role == 91 || n->role == 90 ? disclosing : NULL;
    if (expanded) {
        bool open = bs_cf_truth(expanded, false);
        bs_set_state(s, BS_STATE_EXPANDABLE, true);
        bs_set_state(s, open ? BS_STATE_EXPANDED : BS_STATE_COLLAPSED, true);
    }
    bs_set_state(s, BS_STATE_BUSY, bs_cf_truth(basics[B_BUSY], false));
    bs_set_state(s, BS_STATE_REQUIRED, bs_cf_truth(basics[B_REQUIRED], false));
    if (traits & BS_T_WINDOW) {
        bs_set_state(s, BS_STATE_ACTIVE, bs_cf_truth(basics[B_MAIN], false) || bs_cf_truth(basics[B_FOCUSED], false));
        bs_set_state(s, BS_STATE_ICONIFIED, bs_cf_truth(basics[B_MINIMIZED], false));
        bs_set_state(s, BS_STATE_MODAL, bs_cf_truth(basics[B_MODAL], false));
    }
    bool field = traits & (BS_T_EDITABLE | BS_T_SECRET);
    bs_set_state(s, BS_STATE_FOCUSABLE, field || traits & (BS_T_CHECK | BS_T_CHOICE | BS_T_SELECTS) || (traits & BS_T_PRESS && !menu));
    bs_set_state(s, BS_STATE_EDITABLE, field);
    bs_set_state(s, traits & BS_T_MULTI_LINE ? BS_STATE_MULTI_LINE : BS_STATE_SINGLE_LINE, field);
    bs_set_state(s, BS_STATE_CHECKABLE, traits & BS_T_CHECK || basics[B_MARK] != NULL);
    bs_set_state(s, BS_STATE_HAS_POPUP, traits & BS_T_CHOICE || n->role == 129);
    bs_buf orientation = {0};
    if (bs_cf_text(basics[B_ORIENTATION], &orientation) && orientation.length > 2 && !orientation.failed)
        bs_set_state(s, orientation.data[2] == 'V' ? BS_STATE_VERTICAL : BS_STATE_HORIZONTAL, true);
    bs_buf_free(&orientation);
    if (n->role == 35 && basics[B_MARK]) {
        bs_buf mark = {0};
        bs_cf_text(basics[B_MARK], &mark);
        bs_set_state(s, BS_STATE_CHECKED, mark.length > 0);
        bs_buf_free(&mark);
    }
}

static void interfaces(bs_node *n, const bs_row *row) {
    uint32_t traits = row->role.traits;
    n->interfaces = BACKSTEP_I_ACCESSIBLE | BACKSTEP_I_COMPONENT;
    if (traits & BS_T_PRESS) n->interfaces |= BACKSTEP_I_ACTION;
    if (traits & (BS_T_TEXT | BS_T_SECRET)) n->interfaces |= BACKSTEP_I_TEXT;
    if (traits & BS_T_EDITABLE) n->interfaces |= BACKSTEP_I_EDITABLE_TEXT;
    if (traits & BS_T_NUMBER) n->interfaces |= BACKSTEP_I_VALUE;
    if (traits & BS_T_SELECTS) n->interfaces |= BACKSTEP_I_SELECTION;
    if (n->role == 75) n->interfaces |= BACKSTEP_I_APPLICATION;
    if (n->role == 55) n->interfaces |= BACKSTEP_I_TABLE;
    if (n->role == 27) n->interfaces |= BACKSTEP_I_IMAGE;
    if (n->role == 88) n->interfaces |= BACKSTEP_I_HYPERLINK;
}

/* The text of AXValue, at most so many characters, and where caret and selection are in it. */
static void text_of(bs_wish *wish, bs_tree *t, bs_node *n, bs_row *row, const CFTypeRef *values) {
    CFTypeRef value = values[V_VALUE];
    bs_buf text = {0};
    if (!bs_cf_text(value, &text)) {
        double number; /* a field may hold a number */
        if (!bs_cf_double(value, &number)) {
            n->text = value ? BS_NONE : bs_intern(&t->strings, (bs_str){"", 0});
            return;
        }
        char digits[32];
        snprintf(digits, sizeof digits, "%.15g", number);
        bs_put(&text, digits, strlen(digits));
    }
    /* What only shows a text is called what it says, however little of it is wanted. */
    if (!n->name && !(row->role.traits & (BS_T_EDITABLE | BS_T_CHOICE))) n->name = bs_intern(&t->strings, (bs_str){(const char *)text.data, (uint32_t)text.length});
    bool cut = bs_cut_characters(&text, 0, wish->max_text);
    if (cut) wish->cut |= 4;
    n->text = bs_intern(&t->strings, (bs_str){(const char *)text.data, (uint32_t)text.length});
    if (text.failed) t->failed = true;
    bs_buf_free(&text);
    CFRange range;
    CFTypeRef plain = bs_is_string(value) ? value : bs_is(value, CFAttributedStringGetTypeID()) ? CFAttributedStringGetString((CFAttributedStringRef)value) : NULL;
    if (plain && !cut) row->units = CFStringGetLength(plain);
    if (!plain || !bs_cf_take_range(values[V_RANGE], &range) || range.location < 0 || range.length < 0) return;
    n->caret[0] = bs_characters(plain, range.location + range.length);
    if (range.length > 0) n->caret[1] = bs_characters(plain, range.location), n->caret[2] = n->caret[0];
}

static void numbers_of(bs_node *n, const CFTypeRef *values) {
    double v;
    for (unsigned i = 0; i < 4; i++)
        if (bs_cf_double(values[V_VALUE + i], &v)) n->value[i] = v;
    if (isnan(n->value[0])) return;
    if (isnan(n->value[1])) n->value[1] = 0;
    if (isnan(n->value[2])) n->value[2] = n->role == 48 || n->role == 42 ? 1 : n->value[2];
}

static void take_values(bs_wish *wish, bs_tree *t, bs_node *n, bs_row *row, const CFTypeRef *values) {
    uint32_t traits = row->role.traits;
    if (traits & BS_T_TEXT) text_of(wish, t, n, row, values);
    if (traits & BS_T_NUMBER) numbers_of(n, values);
    double on;
    if (traits & BS_T_CHECK && bs_cf_double(values[V_VALUE], &on)) {
        if (n->role == 37) {
            bs_set_state(n->states, BS_STATE_SELECTED, on != 0);
        } else if (row->role.number == 62 && row->value[B_SUBROLE] == NULL) { /* a disclosure triangle */
            n->states[BS_STATE_CHECKABLE / 32] &= ~(1u << BS_STATE_CHECKABLE % 32);
            bs_set_state(n->states, BS_STATE_EXPANDABLE, true);
            bs_set_state(n->states, on != 0 ? BS_STATE_EXPANDED : BS_STATE_COLLAPSED, true);
        } else {
            bs_set_state(n->states, BS_STATE_CHECKED, on == 1);
            bs_set_state(n->states, BS_STATE_INDETERMINATE, on == 2);
        }
    }
    if (traits & BS_T_CHOICE) {
        text_of(wish, t, n, row, values);
        n->interfaces |= BACKSTEP_I_TEXT;
    }
}

static int values(bs_job *job, bs_wish *wish, bs_tree *t, uint32_t node, AXUIElementRef element, bs_row *row) {
    CFArrayRef got;
    CFTypeRef value[BS_VALUE_COUNT];
    int status = bs_ask_many(job, element, bs_name()->values, &got);
    if (status) return status;
    bs_cf_all(got, value, BS_VALUE_COUNT);
    take_values(wish, t, &t->nodes[node], row, value);
    bs_cf_drop(got);
    return BACKSTEP_OK;
}

/* Indices of what is chosen, among its own children. */
static void chosen(bs_node *n, const bs_row *row, CFArrayRef list) {
    CFIndex children = row->children ? CFArrayGetCount(row->children) : 0, count = list ? CFArrayGetCount(list) : 0;
    n->has_selection = true;
    if (!count) return;
    n->selected = malloc((size_t)count * sizeof *n->selected);
    if (!n->selected) return;
    /* Both lists are in the tree's order as a rule: one pass each. */
    CFIndex from = 0;
    for (CFIndex i = 0; i < count; i++) {
        CFTypeRef one = CFArrayGetValueAtIndex(list, i);
        if (!bs_is(one, AXUIElementGetTypeID())) continue;
        for (CFIndex step = 0; step < children; step++) {
            CFIndex k = (from + step) % children;
            if (!CFEqual(one, CFArrayGetValueAtIndex(row->children, k))) continue;
            n->selected[n->selected_count++] = (int32_t)k;
            from = k + 1;
            break;
        }
    }
}

static int selection(bs_job *job, bs_tree *t, uint32_t node, AXUIElementRef element, const bs_row *row) {
    CFArrayRef got;
    int status = bs_ask_many(job, element, bs_name()->selections, &got);
    if (status) return status;
    bs_node *n = &t->nodes[node];
    CFArrayRef list = bs_cf_array(bs_cf_at(got, S_ROWS));
    if (!list) list = bs_cf_array(bs_cf_at(got, S_CHILDREN));
    if (!list) list = bs_cf_array(bs_cf_at(got, S_CELLS));
    if (list || n->role != 38) {
        chosen(n, row, list);
    } else { /* a tab group tells its tab as its value */
        CFTypeRef tab = bs_cf_at(got, S_VALUE);
        CFArrayRef one = tab && bs_is(tab, AXUIElementGetTypeID()) ? CFArrayCreate(NULL, &tab, 1, &kCFTypeArrayCallBacks) : NULL;
        chosen(n, row, one);
        bs_cf_drop(one);
    }
    bs_cf_drop(got);
    return BACKSTEP_OK;
}

static int actions(bs_job *job, bs_tree *t, uint32_t node, AXUIElementRef element) {
    CFArrayRef names;
    int status = bs_ask_actions(job, element, &names);
    if (status) return status;
    CFIndex count = bs_cf_array(names) ? CFArrayGetCount(names) : 0;
    uint32_t *to = count > 0 && count <= 256 ? calloc((size_t)count, sizeof *to) : NULL;
    uint32_t kept = 0;
    for (CFIndex i = 0; to && i < count; i++) {
        uint32_t name = intern_text(t, CFArrayGetValueAtIndex(names, i));
        if (name) to[kept++] = name;
    }
    bs_node *n = &t->nodes[node];
    n->actions = to;
    n->action_count = kept;
    if (kept) n->interfaces |= BACKSTEP_I_ACTION;
    else n->interfaces &= ~(uint32_t)BACKSTEP_I_ACTION;
    bs_cf_drop(names);
    return BACKSTEP_OK;
}

/* What can be set, asked: of one element only. */
static int settable(bs_job *job, bs_tree *t, uint32_t node, AXUIElementRef element, const bs_row *row) {
    const bs_names *names = bs_name();
    bool yes;
    int status = bs_ask_settable(job, element, names->attribute[AX_Focused], &yes);
    if (status && status != BACKSTEP_E_UNSUPPORTED && status != BACKSTEP_E_APP_ERROR) return status;
    bs_node *n = &t->nodes[node];
    n->states[BS_STATE_FOCUSABLE / 32] &= ~(1u << BS_STATE_FOCUSABLE % 32);
    bs_set_state(n->states, BS_STATE_FOCUSABLE, yes);
    if (!(row->role.traits & (BS_T_TEXT | BS_T_EDITABLE | BS_T_NUMBER))) return BACKSTEP_OK;
    status = bs_ask_settable(job, element, names->attribute[AX_Value], &yes);
    if (status && status != BACKSTEP_E_UNSUPPORTED && status != BACKSTEP_E_APP_ERROR) return status;
    n = &t->nodes[node];
    if (row->role.traits & BS_T_NUMBER) {
        bs_set_state(n->states, BS_STATE_READ_ONLY, !yes);
        return BACKSTEP_OK;
    }
    n->states[BS_STATE_EDITABLE / 32] &= ~(1u << BS_STATE_EDITABLE % 32);
    bs_set_state(n->states, BS_STATE_EDITABLE, yes);
    bs_set_state(n->states, BS_STATE_READ_ONLY, !yes);
    n->interfaces = yes ? n->interfaces | BACKSTEP_I_EDITABLE_TEXT : n->interfaces & ~(uint32_t)BACKSTEP_I_EDITABLE_TEXT;
    return BACKSTEP_OK;
}

static void keys(bs_tree *t, bs_node *n, const CFTypeRef *basics) {
    bs_buf text = {0}, key = {0};
    double modifiers = 0;
    bs_cf_double(basics[B_COMMAND_KEYS], &modifiers);
    unsigned m = modifiers >= 0 && modifiers < 16 ? (unsigned)modifiers : 0;
    if (bs_cf_text(basics[B_COMMAND], &key) && key.length) {
        if (m & BS_MENU_CONTROL) bs_put(&text, "<Control>", 9);
        if (m & BS_MENU_OPTION) bs_put(&text, "<Alt>", 5);
        if (m & BS_MENU_SHIFT) bs_put(&text, "<Shift>", 7);
        if (!(m & BS_MENU_NO_COMMAND)) bs_put(&text, "<Command>", 9);
        bs_put(&text, key.data, key.length);
    }
    n->keys = bs_intern(&t->strings, (bs_str){(const char *)text.data, (uint32_t)text.length});
    bs_buf_free(&text);
    bs_buf_free(&key);
}

static void put_attribute(bs_buf *to, const char *name, CFTypeRef value) {
    size_t start = to->length;
    if (start) bs_put_u8(to, '\n');
    bs_put(to, name, strlen(name));
    bs_put_u8(to, ':');
    size_t from = to->length;
    double number;
    if (bs_cf_double(value, &number)) {
        char digits[32];
        snprintf(digits, sizeof digits, "%.15g", number);
        bs_put(to, digits, strlen(digits));
    } else if (!bs_cf_text(value, to) || to->length == from) {
        to->length = start;
        return;
    }
    for (size_t i = from; i < to->length; i++)
        if (to->data[i] == '\n') to->data[i] = ' ';
}

static void attributes(bs_tree *t, bs_node *n, const CFTypeRef *basics) {
    bs_buf text = {0};
    put_attribute(&text, "help", basics[B_HELP]);
    put_attribute(&text, "placeholder-text", basics[B_PLACEHOLDER]);
    put_attribute(&text, "role-description", basics[B_ROLE_WORDS]);
    put_attribute(&text, "level", basics[B_LEVEL]);
    n->attributes = bs_intern(&t->strings, (bs_str){(const char *)text.data, (uint32_t)text.length});
    if (text.failed) t->failed = true;
    bs_buf_free(&text);
}

/* What fails of the second and later messages leaves its column unknown; what ends the whole operation ends it. */
static bool ends(int status) {
    return status == BACKSTEP_E_TIMEOUT_UNKNOWN || status == BACKSTEP_E_TIMEOUT_UNSENT || status == BACKSTEP_E_CANCELLED_UNKNOWN || status == BACKSTEP_E_APP_GONE || status == BACKSTEP_E_PERMISSION;
}

int bs_row_read(bs_job *job, bs_wish *wish, bs_tree *t, uint32_t node, AXUIElementRef element, uint32_t number, bs_row *row) {
    *row = (bs_row){.rect = {0, 0, -1, -1}};
    int status = bs_ask_many(job, element, bs_name()->basics, &row->basics);
    if (status) return status;
    bs_cf_all(row->basics, row->value, BS_BASIC_COUNT);
    const CFTypeRef *basics = row->value;
    bs_node *n = &t->nodes[node];
    roles(t, n, basics, row);
    if (!n->native_role) {
        bs_cf_drop(row->basics);
        row->basics = NULL;
        return bs_job_fail(job, BACKSTEP_E_NO_ELEMENT, "the application tells nothing of this element");
    }
    bs_handle known = number ? bs_handle_look(&job->app->handles, number) : (bs_handle){0};
    if (known.secret && !(row->role.traits & BS_T_SECRET)) row->role.traits = (row->role.traits & ~(uint32_t)BS_T_TEXT) | BS_T_SECRET; /* "show password" */
    static const enum bs_basic names[] = {B_TITLE, B_DESCRIPTION}, more[] = {B_HELP, B_PLACEHOLDER}, ids[] = {B_IDENTIFIER, B_DOM_IDENTIFIER};
    n->name = first_text(t, basics, names, 2);
    n->description = first_text(t, basics, more, 2);
    if (wish->fields & BACKSTEP_F_ID) n->id = first_text(t, basics, ids, 2);
    place(n, basics, wish, row);
    states(n, basics, row);
    if (n->states[BS_STATE_FOCUSED / 32] >> BS_STATE_FOCUSED % 32 & 1) {
        bool front;
        int asked = bs_keyboard_front(job, &front);
        if (asked) {
            bs_cf_drop(row->basics);
            row->basics = NULL;
            return asked;
        }
        if (!front || !bs_keyboard_within(job, element, NULL)) n->states[BS_STATE_FOCUSED / 32] &= ~(1u << BS_STATE_FOCUSED % 32);
    }
    interfaces(n, row);
    row->children = bs_cf_array(basics[B_CHILDREN]);
    n->children = row->children ? (int32_t)CFArrayGetCount(row->children) : 0;
    row->opened = n->states[0] & 1u << BS_STATE_SELECTED;
    if (number) bs_handle_note(&job->app->handles, number, n->role, row->role.traits & BS_T_SECRET, n->states[0] & 1u << BS_STATE_ICONIFIED);
    if (number && row->role.traits & BS_T_WINDOW && !known.window) bs_handle_window(&job->app->handles, number, bs_window_of_element(element));
    CFTypeRef names_it = basics[B_TITLE_ELEMENT];
    if ((!n->name || wish->fields & BACKSTEP_F_RELATIONS) && names_it && bs_is(names_it, AXUIElementGetTypeID())) row->title_element = bs_handle_of(&job->app->handles, names_it);
    if (wish->fields & BACKSTEP_F_ATTRIBUTES) attributes(t, n, basics);
    if (wish->fields & BACKSTEP_F_KEYS) keys(t, n, basics);
    if (bs_has_values(row->role)) status = values(job, wish, t, node, element, row);
    bool little = wish->brief || wish->verify, shows = row->role.traits & BS_T_TEXT && row->units > 0;
    if (!ends(status) && shows && wish->fields & BACKSTEP_F_TEXT_RECT) status = bs_looks_rect(job, wish, t, node, element, row->units);
    if (!ends(status) && shows && wish->fields & BACKSTEP_F_TEXT_STYLE) status = bs_looks_style(job, t, node, element);
    if (!ends(status) && wish->fields & BACKSTEP_F_SELECTION && row->role.traits & BS_T_SELECTS) status = selection(job, t, node, element, row);
    if (!ends(status) && wish->fields & BACKSTEP_F_ACTIONS) status = actions(job, t, node, element);
    if (!ends(status) && wish->exact && !little) status = settable(job, t, node, element, row);
    if (!ends(status)) return BACKSTEP_OK;
    bs_cf_drop(row->basics);
    row->basics = NULL;
    return status;
}

static bool overlap(const double a[4], const double b[4]) {
    return a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];
}

void bs_row_shows(bs_node *n, const bs_row *row, const double clip[4], bool within_open) {
    bool iconified = n->states[0] & 1u << BS_STATE_ICONIFIED;
    bool visible = within_open && row->rect[2] > 0 && row->rect[3] > 0 && !iconified;
    bs_set_state(n->states, BS_STATE_VISIBLE, visible || n->role == 75);
    bs_set_state(n->states, BS_STATE_SHOWING, (visible && (clip[2] < 0 || overlap(row->rect, clip))) || n->role == 75);
}
