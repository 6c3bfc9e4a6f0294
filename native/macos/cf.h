/* Values of CoreFoundation as ours, and back. Whatever may belong to an application is let go of within a guard. */
#ifndef BS_CF_H
#define BS_CF_H

#include "../src/bytes.h"
#include "apple.h"

void bs_cf_drop(CFTypeRef value); /* NULL is fine */

CFStringRef bs_cf_string(bs_str text); /* NULL: no valid UTF-8, or no memory */
CFStringRef bs_cf_cstring(const char *text);
CFNumberRef bs_cf_number(double value);
AXValueRef bs_cf_range(CFIndex location, CFIndex length);

bool bs_is(CFTypeRef value, CFTypeID type);
bool bs_is_string(CFTypeRef value);
bool bs_cf_text(CFTypeRef value, bs_buf *to);         /* appends UTF-8 of a string or attributed string, `?` for what is half a character; false: it is neither */
bool bs_cf_truth(CFTypeRef value, bool otherwise);    /* of a boolean or a number */
bool bs_cf_double(CFTypeRef value, double *to);       /* of a number or a boolean */
bool bs_cf_point(CFTypeRef value, double *x, double *y);
bool bs_cf_size(CFTypeRef value, double *width, double *height);
bool bs_cf_take_range(CFTypeRef value, CFRange *to);
bool bs_cf_rect(CFTypeRef value, CGRect *to);
bool bs_cf_error(CFTypeRef value, AXError *to);       /* what stands in a batch for a value that is not there */
CFTypeRef bs_cf_at(CFArrayRef array, CFIndex index);  /* NULL: beyond its end, CFNull, or an AXError */
void bs_cf_all(CFArrayRef array, CFTypeRef *to, CFIndex count); /* the same of its first values */
CFArrayRef bs_cf_array(CFTypeRef value);              /* NULL: it is none */

/* Characters and UTF-16 units: AX counts the second. */
int32_t bs_characters(CFStringRef text, CFIndex units);      /* how many characters begin before that unit */
CFIndex bs_units(CFStringRef text, int32_t characters);      /* where that character begins; behind the last: the length */
/* Cuts UTF-8 after so many characters; true: it was longer. */
bool bs_cut_characters(bs_buf *text, size_t from, uint32_t most);

#endif
