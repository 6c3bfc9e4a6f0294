/* One image of a display's part or of a window, from whichever way this system has. */
#ifndef BS_SHOT_H
#define BS_SHOT_H

#include "job.h"

/* By ScreenCaptureKit (from macOS 14). BACKSTEP_E_UNSUPPORTED: this system lacks it. rect: within the display, in points. */
int bs_shot_display(bs_job *job, CGDirectDisplayID display, CGRect rect, double scale, CGImageRef *image);
int bs_shot_window(bs_job *job, uint32_t window, CGRect bounds, double scale, CGImageRef *image);

#endif
