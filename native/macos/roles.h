/* What an AX role is among AtspiRole's, and what can be asked of it. NATIVE_ROLE tells the rest: several AX roles share one. */
#ifndef BS_ROLES_H
#define BS_ROLES_H

#include <stdbool.h>
#include <stdint.h>

#include "names.h"

enum bs_trait {
    BS_T_TEXT = 1,       /* its AXValue is a text */
    BS_T_EDITABLE = 2,   /* as a rule that text can be written */
    BS_T_NUMBER = 4,     /* its AXValue is a number */
    BS_T_CHECK = 8,      /* its AXValue says whether it is on */
    BS_T_SELECTS = 16,   /* its rows or children can be chosen */
    BS_T_PRESS = 32,     /* as a rule it has an action */
    BS_T_MULTI_LINE = 64,
    BS_T_SECRET = 128,   /* its AXValue is never asked for */
    BS_T_CHOICE = 256,   /* its AXValue is what it shows: a popup button */
    BS_T_WINDOW = 512,
    BS_T_CLIPS = 1024,   /* what lies outside of it is scrolled away */
    BS_T_LISTS = 2048    /* it may have more children than anybody reads */
};

typedef struct bs_role {
    uint16_t number; /* AtspiRole */
    uint32_t traits;
} bs_role;

bs_role bs_role_of(enum bs_ax_role role, enum bs_ax_subrole subrole);
static inline bool bs_has_values(bs_role r) { return r.traits & (BS_T_TEXT | BS_T_NUMBER | BS_T_CHECK | BS_T_CHOICE) && !(r.traits & BS_T_SECRET); }

/* AtspiStateType */
enum bs_state {
    BS_STATE_ACTIVE = 1, BS_STATE_BUSY = 3, BS_STATE_CHECKED = 4, BS_STATE_COLLAPSED = 5, BS_STATE_EDITABLE = 7, BS_STATE_ENABLED = 8, BS_STATE_EXPANDABLE = 9,
    BS_STATE_EXPANDED = 10, BS_STATE_FOCUSABLE = 11, BS_STATE_FOCUSED = 12, BS_STATE_HORIZONTAL = 14, BS_STATE_ICONIFIED = 15, BS_STATE_MODAL = 16,
    BS_STATE_MULTI_LINE = 17, BS_STATE_SELECTABLE = 22, BS_STATE_SELECTED = 23, BS_STATE_SENSITIVE = 24, BS_STATE_SHOWING = 25, BS_STATE_SINGLE_LINE = 26,
    BS_STATE_VERTICAL = 29, BS_STATE_VISIBLE = 30, BS_STATE_MANAGES_DESCENDANTS = 31, BS_STATE_INDETERMINATE = 32, BS_STATE_REQUIRED = 33,
    BS_STATE_SELECTABLE_TEXT = 38, BS_STATE_CHECKABLE = 41, BS_STATE_HAS_POPUP = 42, BS_STATE_READ_ONLY = 43
};
static inline void bs_set_state(uint32_t states[2], enum bs_state state, bool on) {
    if (on) states[state / 32] |= 1u << (state % 32);
}

#endif
