/* The Objective-C runtime. objc_msgSend is called through a pointer of the method's own type. */
#ifndef BS_APPLE_OBJC_H
#define BS_APPLE_OBJC_H
#include <stdbool.h>

typedef struct objc_class *Class;
#ifndef __OBJC__
typedef struct objc_object *id;
typedef struct objc_selector *SEL;
#endif
#if defined(__aarch64__) || defined(__arm64__)
typedef bool BOOL;
#else
typedef signed char BOOL;
#endif

Class objc_getClass(const char *name);
Class object_getClass(id object);
const char *object_getClassName(id object);
Class objc_getMetaClass(const char *name);
const char *class_getName(Class of);
bool class_respondsToSelector(Class of, SEL selector);
SEL sel_registerName(const char *name);
#ifndef __OBJC__ /* whose compiler knows both */
void objc_msgSend(void);
#if defined(__x86_64__)
/* Of a method that returns more than 16 bytes by value (a CGRect), on this architecture only. */
void objc_msgSend_stret(void);
#endif
#endif
void *objc_autoreleasePoolPush(void);
void objc_autoreleasePoolPop(void *pool);
id objc_retain(id object);
void objc_release(id object);
#endif
