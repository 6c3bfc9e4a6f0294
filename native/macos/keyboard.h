/* Keys go to the focus within the window that has the keyboard, of the application in front: what has AXFocused elsewhere gets none. */
#ifndef BS_KEYBOARD_H
#define BS_KEYBOARD_H

#include "job.h"

/* Is its application the one that keys go to? Asked once a job. */
int bs_keyboard_front(bs_job *job, bool *front);
/* Is the window that the element is in the one of its application that has the keyboard? Yes also where that is not told. What it is in, where it is not: retained; NULL: nobody asks. */
bool bs_keyboard_within(bs_job *job, AXUIElementRef element, AXUIElementRef *window);

#endif
