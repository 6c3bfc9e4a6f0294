/* The Objective-C runtime: dispatch by class and selector, autorelease pools, exceptions. What answers: objc_values.c, objc_apps.c, objc_desk.c. */
#define _GNU_SOURCE
#include "objc.h"
#include "model.h"
#include "standin.h"
#include "system.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *selectors[512];
static int selectors_n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *_NSConcreteGlobalBlock[32], *_NSConcreteStackBlock[32];

SEL sel_registerName(const char *name) {
    pthread_mutex_lock(&lock);
    const char *s = NULL;
    for (int i = 0; i < selectors_n && !s; i++)
        if (!strcmp(selectors[i], name)) s = selectors[i];
    if (!s) s = selectors[selectors_n++] = strdup(name);
    pthread_mutex_unlock(&lock);
    return (SEL)(uintptr_t)s;
}
Class objc_getClass(const char *name) {
    if (si_is_absent(name)) return NULL;
    for (si_class *c = si_classes; c->name; c++)
        if (!strcmp(c->name, name)) return (Class)c;
    return NULL;
}
static si_class *of_type(uint32_t type) {
    for (si_class *c = si_classes; c->name; c++)
        if (c->type == type) return c;
    return &si_classes[0];
}
Class object_getClass(id object) {
    si *s = (si *)object;
    if (!s) return NULL;
    si_check(s, SI_NONE, "object_getClass");
    return (Class)(s->type == SI_OBJECT ? ((si_object *)s)->isa : s->type == SI_CLASS ? (si_class *)s : of_type(s->type));
}
const char *class_getName(Class c) { return c ? ((si_class *)c)->name : "nil"; }
const char *object_getClassName(id object) { return class_getName(object_getClass(object)); }
Class objc_getMetaClass(const char *name) { return objc_getClass(name); }
static void *method(si_class *c, bool of_class, const char *selector) {
    for (const si_method *m = c->methods; m && m->name; m++)
        if (m->name[0] == (of_class ? '+' : '-') && !strcmp(m->name + 1, selector)) return m->f;
    for (const si_method *m = si_classes[0].methods; m->name; m++)
        if (m->name[0] == (of_class ? '+' : '-') && !strcmp(m->name + 1, selector)) return m->f;
    return NULL;
}
bool class_respondsToSelector(Class c, SEL s) { return c && method((si_class *)c, false, (const char *)s); }
void *si_method_of(void *self, const char *selector);
void *si_method_of(void *self, const char *selector) {
    si *s = si_check(self, SI_NONE, selector);
    void *f = method((si_class *)object_getClass((id)self), s->type == SI_CLASS, selector);
    if (f) return f;
    fprintf(stderr, "stand-in: %c[%s %s] is not known\n", s->type == SI_CLASS ? '+' : '-', object_getClassName((id)self), selector);
    si_throw();
}
/* As the real one: finds the method, and goes on to it with every argument as it came. */
#if defined(__x86_64__)
#define DISPATCH(name, self, selector)                                                                                                             \
    __asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n"                                                                        \
            "testq %" #self ", %" #self "\njz 1f\n"                                                                                                \
            "pushq %rbp\nmovq %rsp, %rbp\npushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\npushq %r9\npushq %rax\npushq %r10\nsubq $128, %rsp\n" \
            "movups %xmm0, (%rsp)\nmovups %xmm1, 16(%rsp)\nmovups %xmm2, 32(%rsp)\nmovups %xmm3, 48(%rsp)\n"                                        \
            "movups %xmm4, 64(%rsp)\nmovups %xmm5, 80(%rsp)\nmovups %xmm6, 96(%rsp)\nmovups %xmm7, 112(%rsp)\n"                                      \
            "movq %" #selector ", %rax\nmovq %" #self ", %rdi\nmovq %rax, %rsi\ncall si_method_of@PLT\nmovq %rax, %r11\n"                              \
            "movups (%rsp), %xmm0\nmovups 16(%rsp), %xmm1\nmovups 32(%rsp), %xmm2\nmovups 48(%rsp), %xmm3\n"                                        \
            "movups 64(%rsp), %xmm4\nmovups 80(%rsp), %xmm5\nmovups 96(%rsp), %xmm6\nmovups 112(%rsp), %xmm7\n"                                      \
            "addq $128, %rsp\npopq %r10\npopq %rax\npopq %r9\npopq %r8\npopq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\npopq %rbp\njmp *%r11\n"              \
            "1: xorl %eax, %eax\nxorl %edx, %edx\nxorps %xmm0, %xmm0\nxorps %xmm1, %xmm1\nret\n.size " #name ", .-" #name "\n");
DISPATCH(objc_msgSend, rdi, rsi)
DISPATCH(objc_msgSend_stret, rsi, rdx)
#else
#error "the stand-in of the Objective-C runtime is written for x86-64"
#endif

/* Autorelease pools: a stack a thread. An object without a pool is lost, as on a Mac. */
static _Thread_local struct { id *v; int n, room; } pool;
void *objc_autoreleasePoolPush(void) { return (void *)(uintptr_t)(pool.n + 1); }
void objc_autoreleasePoolPop(void *to) {
    int down = (int)(uintptr_t)to - 1;
    if (down < 0 || down > pool.n) si_wrong("objc_autoreleasePoolPop of another pool", to);
    while (pool.n > down) CFRelease(pool.v[--pool.n]);
    if (!down) free(pool.v), pool.v = NULL, pool.room = 0;
}
id si_autorelease(void *object) {
    if (!object) return NULL;
    if (pool.n == pool.room) pool.v = realloc(pool.v, (size_t)(pool.room = pool.room ? pool.room * 2 : 16) * sizeof *pool.v);
    return pool.v[pool.n++] = (id)object;
}
id objc_retain(id object) { return object ? (id)(uintptr_t)CFRetain(object) : NULL; }
void objc_release(id object) {
    if (object) CFRelease(object);
}

/* Exceptions: a longjmp to the innermost guard; without one the process ends, as on a Mac. */
static _Thread_local jmp_buf *guard;
int si_guarded(void (*call)(void *), void *with) {
    jmp_buf here, *before = guard;
    int thrown = setjmp(here);
    if (!thrown) {
        guard = &here;
        call(with);
    }
    guard = before;
    return thrown;
}
void (*si_thrower)(void); /* the Mach-O's own unwinding, where that runs */
_Noreturn void si_throw(void) {
    if (si_thrower) si_thrower();
    if (!guard) {
        fprintf(stderr, "stand-in: an exception that nobody catches\n");
        abort();
    }
    longjmp(*guard, 1);
}
