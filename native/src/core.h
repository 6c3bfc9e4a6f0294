/* Between the public functions and a platform's I/O thread. */
#ifndef BS_CORE_H
#define BS_CORE_H

#include "bytes.h"

#define BS_MAX_SESSIONS 64u
#define BS_SLOT(handle) ((unsigned)((handle) & (BS_MAX_SESSIONS - 1)))

enum { BS_DO_SUBMIT, BS_DO_CANCEL, BS_DO_CLOSE };

typedef struct bs_command {
    struct bs_command *next;
    uint32_t what, op;
    uint64_t session, ticket, deadline_us;
    uint32_t length;
    uint8_t request[];
} bs_command;

/* What the platform calls, on any thread. */
bs_command *bs_core_commands(void); /* all that were queued, oldest first; the caller frees each */
void bs_core_complete(uint64_t session, uint64_t ticket, int status, bs_buf *reply); /* takes over reply's memory */
void bs_core_event(uint64_t session, uint32_t kind, bs_buf *record); /* EVENT, INPUT or PERSON; takes over its memory */
void bs_core_broken(uint64_t session, uint32_t what);
void bs_core_mirror(uint64_t session, bs_str bus, uint64_t generation, uint64_t until_us); /* peek.c: 0 = none that stands */
void bs_core_closed(uint64_t session, void *remains); /* answers BS_DO_CLOSE */

/* core.c to peek.c */
void bs_peek_open(uint64_t session);
void bs_peek_close(uint64_t session);

/* What the platform gives. */
int bs_platform_start(void); /* the I/O thread: 0 or a status */
void bs_platform_stop(void); /* ends and joins it */
void bs_platform_wake(void);
void bs_platform_bury(void *remains, uint64_t deadline_us); /* may block until then: what CLOSE left to do */

#endif
