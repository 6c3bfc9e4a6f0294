/*
 * Every message to an application passes here: it has a timeout of its own (AX holds one for each object, and children do
 * not inherit it), is counted, is not sent when nobody waits any more, and whatever comes out of it is caught.
 *
 * Questions get 1.5 s at most, and are asked again while there is time; what changes something gets all that is left, and
 * is never said twice.
 */
#ifndef BS_ASK_H
#define BS_ASK_H

#include "names.h"

/* One message an element. AXValue is not among them: a password's must not even be asked for, and only the role tells. */
#define BS_BASICS AX_Role, AX_Subrole, AX_Title, AX_Description, AX_Help, AX_Identifier, AX_DOMIdentifier, AX_Enabled, AX_Focused, AX_Position, AX_Size, AX_Children, AX_Selected, \
    AX_Expanded, AX_Disclosing, AX_DisclosureLevel, AX_ElementBusy, AX_Required, AX_Orientation, AX_Main, AX_Minimized, AX_Modal, AX_PlaceholderValue, AX_MenuItemMarkChar, \
    AX_MenuItemCmdChar, AX_MenuItemCmdModifiers, AX_TitleUIElement, AX_RoleDescription
/* Where each lies in the answer. */
enum bs_basic { B_ROLE, B_SUBROLE, B_TITLE, B_DESCRIPTION, B_HELP, B_IDENTIFIER, B_DOM_IDENTIFIER, B_ENABLED, B_FOCUSED, B_POSITION, B_SIZE, B_CHILDREN, B_SELECTED,
    B_EXPANDED, B_DISCLOSING, B_LEVEL, B_BUSY, B_REQUIRED, B_ORIENTATION, B_MAIN, B_MINIMIZED, B_MODAL, B_PLACEHOLDER, B_MARK, B_COMMAND, B_COMMAND_KEYS, B_TITLE_ELEMENT, B_ROLE_WORDS, BS_BASIC_COUNT };
/* The second message, where the role has some. */
#define BS_VALUES AX_Value, AX_MinValue, AX_MaxValue, AX_ValueIncrement, AX_SelectedTextRange, AX_NumberOfCharacters, AX_ValueDescription
enum bs_value { V_VALUE, V_MINIMUM, V_MAXIMUM, V_STEP, V_RANGE, V_CHARACTERS, V_WORDS, BS_VALUE_COUNT };
#define BS_SELECTIONS AX_SelectedRows, AX_SelectedChildren, AX_SelectedCells, AX_Value
enum bs_selected { S_ROWS, S_CHILDREN, S_CELLS, S_VALUE, BS_SELECTION_COUNT };
#define BS_PLACES AX_Role, AX_Position, AX_Size
enum bs_place { P_ROLE, P_POSITION, P_SIZE, BS_PLACE_COUNT };

struct bs_job;

/* Each answers a status; what comes out is the caller's to drop, and NULL unless OK. */
int bs_ask_many(struct bs_job *job, AXUIElementRef of, CFArrayRef names, CFArrayRef *out);
int bs_ask_one(struct bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef *out);
int bs_ask_part(struct bs_job *job, AXUIElementRef of, CFStringRef name, CFIndex from, CFIndex most, CFArrayRef *out);
int bs_ask_actions(struct bs_job *job, AXUIElementRef of, CFArrayRef *out);
int bs_ask_settable(struct bs_job *job, AXUIElementRef of, CFStringRef name, bool *yes);
int bs_ask_about(struct bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef parameter, CFTypeRef *out);
int bs_ask_at(struct bs_job *job, AXUIElementRef application, double x, double y, AXUIElementRef *out);
int bs_ask_observe(struct bs_job *job, AXUIElementRef of, AXObserverRef observer, CFStringRef notification, void *refcon);

/* These change something. Every error that AppKit also answers after acting is E_UNSURE: it may have happened. */
int bs_tell_set(struct bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef value);
int bs_tell_perform(struct bs_job *job, AXUIElementRef of, CFStringRef action);
/* The same, of what is no act of its own (a caret before a text is inserted, a flag that wakes a tree): not counted as sent. */
int bs_tell_aside(struct bs_job *job, AXUIElementRef of, CFStringRef name, CFTypeRef value, AXError *error);

/* What an AXError means, and the sentence that says it. */
int bs_meaning(AXError error, bool act);
const char *bs_meaning_text(AXError error);

#endif
