/* What guard.m is where no Objective-C compiler is: the stand-in's exceptions end here. */
#include "../../../macos/guard.h"
#include "objc.h"
int bs_guarded(void (*call)(void *), void *with) { return si_guarded(call, with); }
