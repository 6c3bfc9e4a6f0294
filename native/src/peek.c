/* What is known of mirrors without asking: a small table that the I/O thread writes and anybody reads. Its lock is held
 * for as long as it takes to look through a few names. */
#include <pthread.h>
#include <string.h>

#include "../include/backstep.h"
#include "core.h"

#define MIRRORS 64u   /* of one session; of what is beyond, peek knows nothing */
#define MOST_NAME 63u /* a unique name is ":1." and a number */

typedef struct seen {
    uint64_t generation, until;
    uint32_t length; // 0 = free
    char name[MOST_NAME];
} seen;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { uint64_t session; seen mirrors[MIRRORS]; } table[BS_MAX_SESSIONS];

void bs_peek_open(uint64_t session) {
    pthread_mutex_lock(&lock);
    memset(&table[BS_SLOT(session)], 0, sizeof *table);
    table[BS_SLOT(session)].session = session;
    pthread_mutex_unlock(&lock);
}

void bs_peek_close(uint64_t session) {
    pthread_mutex_lock(&lock);
    if (table[BS_SLOT(session)].session == session) table[BS_SLOT(session)].session = 0;
    pthread_mutex_unlock(&lock);
}

static seen *find(seen *mirrors, bs_str name) {
    for (unsigned i = 0; i < MIRRORS; i++)
        if (mirrors[i].length == name.length && !memcmp(mirrors[i].name, name.text, name.length)) return &mirrors[i];
    return NULL;
}

void bs_core_mirror(uint64_t session, bs_str bus, uint64_t generation, uint64_t until) {
    if (!bus.length || bus.length > MOST_NAME) return;
    pthread_mutex_lock(&lock);
    if (table[BS_SLOT(session)].session == session) {
        seen *mirrors = table[BS_SLOT(session)].mirrors, *at = find(mirrors, bus);
        if (!at && generation) at = find(mirrors, (bs_str){"", 0}); // a free one
        if (at) {
            at->generation = generation;
            at->until = until;
            at->length = generation ? bus.length : 0;
            memcpy(at->name, bus.text, bus.length);
        }
    }
    pthread_mutex_unlock(&lock);
}

int64_t backstep_peek(uint64_t session, const uint8_t *bus, uint32_t length) {
    if (!bus || !length) return BACKSTEP_E_INVALID;
    if (length > MOST_NAME) return 0;
    int64_t answer = BACKSTEP_E_HANDLE;
    uint64_t now = bs_now_us();
    pthread_mutex_lock(&lock);
    if (session && table[BS_SLOT(session)].session == session) {
        const seen *at = find(table[BS_SLOT(session)].mirrors, (bs_str){(const char *)bus, length});
        answer = at && now < at->until ? (int64_t)at->generation : 0;
    }
    pthread_mutex_unlock(&lock);
    return answer;
}
