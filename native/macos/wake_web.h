/* Chromium and Electron make the tree of their pages only when they are asked to. */
#ifndef BS_WAKE_WEB_H
#define BS_WAKE_WEB_H

#include "job.h"

void bs_wake_web(bs_job *job); /* on the application's lane, once: what does not wake is read as it is */
bool bs_is_chromium(const char *executable); /* by the framework beside it */

#endif
