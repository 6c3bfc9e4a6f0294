/* The one file of Objective-C. */
#include "guard.h"

#include "apple.h"

int bs_guarded(void (*call)(void *), void *with) {
    @try {
        call(with);
    } @catch (id what) {
        (void)what;
        return 1;
    }
    return 0;
}
