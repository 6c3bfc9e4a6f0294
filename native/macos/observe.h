/*
 * What applications tell of themselves. An observer an application, made when it is first looked at; all of them are heard on
 * one thread with a run loop of its own. What is heard becomes the EVENT records that AT-SPI would have brought.
 */
#ifndef BS_OBSERVE_H
#define BS_OBSERVE_H

#include "job.h"

CFRunLoopRef bs_observers_loop(void); /* running; NULL: no thread */
int bs_observers_start(void); /* with the first session: nothing runs before something is observed */
void bs_observers_stop(void);
void bs_observe(bs_job *job);       /* on the application's lane; what cannot be heard is not */
void bs_unobserve(bs_app *app);   /* it may be heard for a moment still */
void bs_observed_free(bs_app *app); /* nobody hears any more */
void bs_tell_session(uint64_t session, bool connected); /* whom events are for; the I/O thread */
uint64_t bs_heard(bs_app *app);     /* how many notifications came of it */

#endif
