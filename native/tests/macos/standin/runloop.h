#ifndef SI_RUNLOOP_H
#define SI_RUNLOOP_H
#include "object.h"
void si_source_arrived(CFRunLoopSourceRef source); /* signals it and wakes its loop, as a message at a port does */
typedef struct si_port { si s; bool invalid; CFRunLoopSourceRef source; void (*perform)(void *), (*forget)(struct si_port *); } si_port;
#endif
