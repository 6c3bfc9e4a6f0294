/* Every name of the accessibility client as a CFString that is made once, and as a number for our own tables. */
#ifndef BS_NAMES_H
#define BS_NAMES_H

#include "apple.h"

#define BS_NUMBERED(name, text) AX_##name,
enum bs_attribute { AX_ATTRIBUTES(BS_NUMBERED) AX_ATTRIBUTE_COUNT };
#undef BS_NUMBERED
#define BS_NUMBERED(name, text) AX_ROLE_##name,
enum bs_ax_role { AX_ROLES(BS_NUMBERED) AX_ROLE_COUNT };
#undef BS_NUMBERED
#define BS_NUMBERED(name, text) AX_SUB_##name,
enum bs_ax_subrole { AX_SUBROLES(BS_NUMBERED) AX_SUB_COUNT };
#undef BS_NUMBERED
#define BS_NUMBERED(name, text) AX_DO_##name,
enum bs_ax_action { AX_ACTIONS(BS_NUMBERED) AX_DO_COUNT };
#undef BS_NUMBERED
#define BS_NUMBERED(name, text) AX_ABOUT_##name,
enum bs_parameterized { AX_PARAMETERIZED(BS_NUMBERED) AX_ABOUT_COUNT };
#undef BS_NUMBERED
#define BS_NUMBERED(name, text) AX_TEXT_##name,
enum bs_text_key { AX_TEXT_KEYS(BS_NUMBERED) AX_TEXT_COUNT };
#undef BS_NUMBERED
#define BS_NUMBERED(name, text) AX_TOLD_##name,
enum bs_ax_notification { AX_NOTIFICATIONS(BS_NUMBERED) AX_TOLD_COUNT };
#undef BS_NUMBERED

typedef struct bs_names {
    CFStringRef attribute[AX_ATTRIBUTE_COUNT], action[AX_DO_COUNT], notification[AX_TOLD_COUNT], parameterized[AX_ABOUT_COUNT], text_key[AX_TEXT_COUNT];
    CFArrayRef basics, values, selections, places; /* what is asked for in one message: ask.h */
} bs_names;

/*
 * They live while somebody holds them: the platform, and each thread of a lane, which may be left behind in a hanging
 * application. False: out of memory.
 */
bool bs_names_hold(void);
void bs_names_drop(void);
const bs_names *bs_name(void);

const char *bs_attribute_text(enum bs_attribute which);
const char *bs_notification_text(enum bs_ax_notification which);
enum bs_ax_role bs_role_number(const char *text, size_t length);       /* AX_ROLE_COUNT: none of ours */
enum bs_ax_subrole bs_subrole_number(const char *text, size_t length); /* AX_SUB_COUNT: none of ours */
enum bs_ax_notification bs_notification_number(CFStringRef name);      /* AX_TOLD_COUNT: none of ours */

#endif
