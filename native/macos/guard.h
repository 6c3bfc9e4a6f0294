/* Where what belongs to others may throw: their objects do, even on release. */
#ifndef BS_GUARD_H
#define BS_GUARD_H

/* Calls; 1: an exception came out of it and ends here. */
int bs_guarded(void (*call)(void *), void *with);

#endif
