/*
 * What every object understands, and Foundation's values: those of CoreFoundation are objects too, as on a Mac. What a class does not list
 * throws.
 */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "objc.h"
#include "standin.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static si_class *class_named(const char *name) { return (si_class *)objc_getClass(name); }
si_object *si_make(const char *name) {
    si_object *o = si_new(SI_OBJECT, sizeof *o);
    if (o) o->isa = class_named(name);
    return o;
}
void si_forget_object(si *p);
void si_forget_object(si *p) {
    si_object *o = (si_object *)p;
    if (p->type != SI_OBJECT) return;
    if (o->payload) CFRelease(o->payload);
    if (o->more) CFRelease(o->more);
}
/* A completion runs on a thread of its own, as they do. */
typedef struct { si_block *b; void *one, *two; bool copied; } completion;
static void *complete(void *p) {
    completion *c = p;
    void *pool = objc_autoreleasePoolPush();
    c->b->invoke(c->b, c->one, c->two);
    if (c->one) CFRelease(c->one);
    if (c->two) CFRelease(c->two);
    objc_autoreleasePoolPop(pool);
    if (c->copied) free(c->b);
    free(c);
    return NULL;
}
/* Takes over one and two. */
void si_call_later(si_block *b, void *one, void *two) {
    completion *c = malloc(sizeof *c);
    const struct { unsigned long reserved, size; } *descriptor = *(void **)((char *)b + sizeof *b);
    bool global = b->flags & 1 << 28; /* those are never copied */
    *c = (completion){global ? b : malloc(descriptor->size), one, two, !global};
    if (!global) memcpy(c->b, b, descriptor->size);
    pthread_t t;
    if (pthread_create(&t, NULL, complete, c)) abort();
    pthread_detach(t);
}

/* NSObject */
static id retain(id self, SEL s) { return (void)s, objc_retain(self); }
static void release(id self, SEL s) { (void)s, objc_release(self); }
static id autorelease(id self, SEL s) { return (void)s, si_autorelease(self); }
static id init(id self, SEL s) { return (void)s, self; }
static id alloc(id self, SEL s) { return (void)s, (id)si_make(((si_class *)self)->name); }
static id new_one(id self, SEL s) { return alloc(self, s); }
static BOOL responds(id self, SEL s, SEL which) { return (void)s, class_respondsToSelector(object_getClass(self), which); }
static BOOL class_responds(id self, SEL s, SEL which) {
    (void)s;
    for (const si_method *m = ((si_class *)self)->methods; m && m->name; m++)
        if (!strcmp(m->name + 1, (const char *)which)) return 1;
    return 0;
}
static BOOL is_equal(id self, SEL s, id other) { return (void)s, other && CFEqual(self, other); }
static id description(id self, SEL s) { return (void)s, si_autorelease((void *)(uintptr_t)CFCopyDescription(self)); }
const si_method SI_METHODS_OBJECT[] = {{"-retain", retain}, {"-release", release}, {"-autorelease", autorelease}, {"-init", init}, {"+alloc", alloc}, {"+new", new_one}, {"-respondsToSelector:", responds},
                                   {"+respondsToSelector:", class_responds}, {"+instancesRespondToSelector:", class_responds}, {"-isEqual:", is_equal}, {"-description", description}, {NULL, NULL}};
/* Foundation */
static const char *utf8(id self, SEL s) { return (void)s, si_utf8((CFTypeRef)self); }
static unsigned long length(id self, SEL s) { return (void)s, (unsigned long)CFStringGetLength((CFStringRef)self); }
static id string_with_utf8(id self, SEL s, const char *text) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)si_str(text)); }
const si_method SI_METHODS_STRING[] = {{"-UTF8String", utf8}, {"-length", length}, {"-isEqualToString:", is_equal}, {"+stringWithUTF8String:", string_with_utf8}, {NULL, NULL}};
static unsigned long count(id self, SEL s) { return (void)s, (unsigned long)CFArrayGetCount((CFArrayRef)self); }
static id at_index(id self, SEL s, unsigned long i) { return (void)s, (id)(uintptr_t)CFArrayGetValueAtIndex((CFArrayRef)self, (CFIndex)i); }
static id first_object(id self, SEL s) { return (void)s, count(self, s) ? at_index(self, s, 0) : NULL; }
static id array_with(id self, SEL s, id one) {
    (void)self, (void)s;
    const void *v[] = {one};
    return si_autorelease((void *)(uintptr_t)CFArrayCreate(NULL, v, 1, &kCFTypeArrayCallBacks));
}
static id empty_array(id self, SEL s) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks)); }
const si_method SI_METHODS_ARRAY[] = {{"-count", count}, {"-objectAtIndex:", at_index}, {"-firstObject", first_object}, {"+arrayWithObject:", array_with}, {"+array", empty_array}, {NULL, NULL}};
static const void *data_bytes(id self, SEL s) { return (void)s, CFDataGetBytePtr((CFDataRef)self); }
static unsigned long data_length(id self, SEL s) { return (void)s, (unsigned long)CFDataGetLength((CFDataRef)self); }
static id data_with(id self, SEL s, const void *b, unsigned long n) { return (void)self, (void)s, si_autorelease((void *)(uintptr_t)CFDataCreate(NULL, b, (CFIndex)n)); }
const si_method SI_METHODS_DATA[] = {{"-bytes", data_bytes}, {"-length", data_length}, {"+dataWithBytes:length:", data_with}, {NULL, NULL}};
static int int_value(id self, SEL s) {
    (void)s;
    int i = 0;
    CFNumberGetValue((CFNumberRef)self, kCFNumberIntType, &i);
    return i;
}
static id number_with_bool(id self, SEL s, BOOL b) { return (void)self, (void)s, (id)(uintptr_t)(b ? kCFBooleanTrue : kCFBooleanFalse); }
const si_method SI_METHODS_NUMBER[] = {{"-intValue", int_value}, {"+numberWithBool:", number_with_bool}, {NULL, NULL}};
static id file_url(id self, SEL s, id path) {
    (void)self, (void)s;
    const char *p = si_utf8((CFTypeRef)path);
    return si_autorelease((void *)(uintptr_t)CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)p, (CFIndex)strlen(p), 0));
}
static id url_with(id self, SEL s, id text) {
    (void)self, (void)s;
    const char *p = si_utf8((CFTypeRef)text);
    return si_autorelease((void *)(uintptr_t)CFURLCreateWithBytes(NULL, (const UInt8 *)p, (CFIndex)strlen(p), kCFStringEncodingUTF8, NULL));
}
static id url_path(id self, SEL s) {
    (void)s;
    UInt8 path[4096];
    if (!CFURLGetFileSystemRepresentation((CFURLRef)self, 1, path, sizeof path)) return NULL;
    return si_autorelease((void *)(uintptr_t)si_str((const char *)path));
}
static id url_text(id self, SEL s) { return (void)s, (id)(uintptr_t)CFURLGetString((CFURLRef)self); }
const si_method SI_METHODS_URL[] = {{"+fileURLWithPath:", file_url}, {"+URLWithString:", url_with}, {"-path", url_path}, {"-absoluteString", url_text}, {NULL, NULL}};
