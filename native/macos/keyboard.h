/* Keys go to the focus within the window that has the keyboard, of the application in front: what has AXFocused elsewhere gets none. */
#ifndef BS_KEYBOARD_H
#define BS_KEYBOARD_H

#include "job.h"

/* Is its application the one that keys go to? Asked once a job. */
int bs_keyboard_front(bs_job *job, bool *front);
/* Is the element in the window of its application that has the keyboard? True also where the application does not say. `window` may be NULL; else, where the answer is false, it becomes the window of the element, which the caller drops. */
bool bs_keyboard_within(bs_job *job, AXUIElementRef element, AXUIElementRef *window);

#endif
