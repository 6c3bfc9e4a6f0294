/*
 * Every object of the stand-in begins with this. What crashes a Mac aborts here, with a line that says what was done:
 * a release too many, NULL where a value must be, an index beyond an array, a value of another type.
 */
#ifndef SI_OBJECT_H
#define SI_OBJECT_H
#include "../../../macos/apple.h"
#include <stdatomic.h>

enum si_type {
    SI_NONE, SI_STRING, SI_ARRAY, SI_DICTIONARY, SI_NUMBER, SI_BOOLEAN, SI_NULL, SI_DATA, SI_URL, SI_ATTRIBUTED, SI_LOOP, SI_SOURCE,
    SI_TIMER, SI_PORT, SI_ELEMENT, SI_VALUE, SI_OBSERVER, SI_EVENT, SI_EVENT_SOURCE, SI_IMAGE, SI_SPACE, SI_CONTEXT, SI_PROVIDER, SI_MODE,
    SI_CLASS, SI_OBJECT, SI_TYPES
};
typedef struct si {
    uint32_t magic, type;
    atomic_long refs;
} si;
#define SI_MAGIC 0xCF0B7EC7u
#define SI_FOREVER (1L << 40)
#define SI_STATIC(t) {SI_MAGIC, (t), SI_FOREVER}

typedef struct { si s; CFIndex n; UniChar *u; CFIndex bytes; char *utf8; } si_string;
typedef struct { si s; CFIndex n, room; const void **v; } si_array;
typedef struct { si s; CFIndex n, room; const void **k, **v; } si_dictionary;
typedef struct { si s; bool real; double d; int64_t i; } si_number;
typedef struct { si s; CFIndex n; uint8_t *bytes; } si_data;
typedef struct { si s; CFTypeRef of, more; } si_wrapper; /* a URL or an attributed string: a string inside, and the attributes of all its characters (NULL: none) */
typedef struct { si s; uint32_t kind; union { CGPoint point; CGSize size; CGRect rect; CFRange range; AXError error; } u; } si_axvalue;
typedef struct { si s; pid_t pid; uint32_t node; _Atomic float timeout; } si_element;

void *si_new(uint32_t type, size_t size); /* NULL where allocations are to fail */
si *si_check(CFTypeRef value, uint32_t type, const char *what); /* SI_NONE: any type */
_Noreturn void si_wrong(const char *what, const void *value);
void si_uncounted(si *object);
void si_forget(si *object); /* what an object holds; by type, in the file that makes it */

CFStringRef si_str(const char *utf8);       /* the caller's to release */
const char *si_utf8(CFTypeRef string);      /* as long as the string */
CFNumberRef si_int(int64_t value);
#endif
