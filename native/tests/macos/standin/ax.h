/* What the calls of the accessibility client share. */
#ifndef SI_AX_H
#define SI_AX_H
#include "model.h"
CFTypeRef si_attributed(const char *utf8), si_url(const char *utf8), si_attributed_with(CFStringRef string, CFDictionaryRef attributes);
AXUIElementRef si_element_of(pid_t pid, uint32_t id);
/* The start of each message. On success the application's turn and the lock are held, until si_end. */
AXError si_begin(AXUIElementRef element, const char *call, const char *detail, si_app **a, int *node, double *timeout);
void si_end(si_app *a);
unsigned si_granted(void);
#endif
