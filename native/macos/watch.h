/* What others do with keyboard and pointer, counted: a tap that listens on the observers' thread. */
#ifndef BS_WATCH_H
#define BS_WATCH_H

#include "job.h"

void bs_watch_forget(uint64_t session); /* it is closed */
void bs_watch_pause(void);              /* stopping: nothing is heard any more, before the observers' thread ends */
void bs_watch_stop(void);               /* and after it has */

#endif
