/* Messages to Objective-C from C: objc_msgSend is called as what the method is. Whatever throws is caught by the caller's guard. */
#ifndef BS_OBJC_H
#define BS_OBJC_H

#include "apple.h"

static inline SEL bs_sel(const char *name) { return sel_registerName(name); }
static inline id bs_class(const char *name) { return (id)(void *)objc_getClass(name); } /* NULL: this system has none */

void *bs_sender(void); /* objc_msgSend, to be cast to what the method is */

static inline id bs_send(id to, const char *name) { return to ? ((id(*)(id, SEL))bs_sender())(to, bs_sel(name)) : NULL; }
static inline id bs_send_id(id to, const char *name, const void *with) { return to ? ((id(*)(id, SEL, const void *))bs_sender())(to, bs_sel(name), with) : NULL; }
static inline long bs_send_long(id to, const char *name) { return to ? ((long (*)(id, SEL))bs_sender())(to, bs_sel(name)) : 0; }
static inline bool bs_send_bool_2(id to, const char *name, const void *a, const void *b) { return to && ((BOOL(*)(id, SEL, const void *, const void *))bs_sender())(to, bs_sel(name), a, b); }
static inline bool bs_answers(id to, const char *name) { return to && ((BOOL(*)(id, SEL, SEL))bs_sender())(to, bs_sel("respondsToSelector:"), bs_sel(name)); }

/* Loads a framework whose classes are asked for by name; false: this system lacks it. */
bool bs_framework(const char *path);
void *bs_symbol(const char *library, const char *name); /* NULL: it lacks it; library NULL: whatever is loaded */

#endif
