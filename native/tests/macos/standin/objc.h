#ifndef SI_OBJC_H
#define SI_OBJC_H
#include "object.h"
typedef struct { const char *name; void *f; } si_method; /* "-name:" of objects, "+name:" of the class */
typedef struct si_class { si s; const char *name; uint32_t type; const si_method *methods; } si_class;
typedef struct si_object { si s; si_class *isa; int pid; CFTypeRef payload, more; } si_object;
typedef struct { void *isa; int flags, reserved; void (*invoke)(void *, void *, void *); } si_block;
si_object *si_make(const char *of); /* objc_values.c */
void si_call_later(si_block *b, void *one, void *two); /* on a thread of its own; takes over one and two */
id si_error(long code);
extern const si_method SI_METHODS_ARRAY[], SI_METHODS_BOARD[], SI_METHODS_CONFIGURATION[], SI_METHODS_CONTENT[], SI_METHODS_DATA[], SI_METHODS_ERROR[], SI_METHODS_EVENT[], SI_METHODS_NUMBER[], SI_METHODS_OBJECT[], SI_METHODS_PROCESS[], SI_METHODS_RUNNING[], SI_METHODS_SCREEN[], SI_METHODS_SC_CONFIGURATION[], SI_METHODS_SC_DISPLAY[], SI_METHODS_SC_FILTER[], SI_METHODS_SC_MANAGER[], SI_METHODS_SC_WINDOW[], SI_METHODS_STRING[], SI_METHODS_URL[], SI_METHODS_WORKSPACE[];
extern si_class si_classes[]; /* the first is NSObject: what every object understands */
id si_autorelease(void *object);
int si_guarded(void (*call)(void *), void *with);
extern void (*si_thrower)(void);
#endif
