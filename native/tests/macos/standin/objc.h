#ifndef SI_OBJC_H
#define SI_OBJC_H
#include "object.h"
typedef struct { const char *name; void *f; } si_method; /* "-name:" of objects, "+name:" of the class */
typedef struct si_class { si s; const char *name; uint32_t type; const si_method *methods; } si_class;
typedef struct si_object { si s; si_class *isa; int pid; CFTypeRef payload, more; } si_object;
extern si_class si_classes[]; /* the first is NSObject: what every object understands */
id si_autorelease(void *object);
int si_guarded(void (*call)(void *), void *with);
extern void (*si_thrower)(void);
#endif
