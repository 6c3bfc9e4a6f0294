/* Windows as the window server has them. */
#ifndef BS_WINDOWS_H
#define BS_WINDOWS_H

#include "job.h"

typedef struct bs_window {
    uint32_t number;
    pid_t pid;
    int layer;
    bool shown; /* on the Space that is shown, and neither minimised nor hidden */
    CGRect bounds;
    CFStringRef title, owner; /* within the list; NULL: not told */
} bs_window;

CFArrayRef bs_window_list(void); /* front to back; the caller's to drop */
bool bs_window_at(CFArrayRef list, CFIndex index, bs_window *w);
uint32_t bs_window_of_element(AXUIElementRef element); /* 0: not told */

#endif
