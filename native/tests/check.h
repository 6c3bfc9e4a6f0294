/* The smallest test harness: a failed check says where, and the program's exit status tells. */
#ifndef BS_CHECK_H
#define BS_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../src/bytes.h"

extern int check_failures, check_count;

#define CHECK(condition)                                                                                 \
    do {                                                                                                 \
        check_count++;                                                                                   \
        if (!(condition)) check_failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    } while (0)
#define CHECK_IS(actual, expected)                                                                                       \
    do {                                                                                                                 \
        long long a_ = (long long)(actual), e_ = (long long)(expected);                                                  \
        check_count++;                                                                                                   \
        if (a_ != e_) check_failures++, fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #actual, a_, e_); \
    } while (0)

int check_report(const char *name);   /* the exit status */
double check_load(void);              /* how many wait for each processor: 1 = nobody waits */
bool check_within(uint64_t since_us, unsigned ms); /* no longer ago than that, and what a busy machine adds */
unsigned check_slow(void);            /* how many times slower this run is allowed to be (SLOW=10 under valgrind) */

/* Waits for a ticket's completion among the records, keeping events and the rest in `seen`. */
typedef struct check_done {
    bool came;
    int32_t status;
    bs_buf reply;
} check_done;

check_done check_await(uint64_t session, int64_t ticket, unsigned ms);
int check_run(uint64_t session, uint32_t op, const bs_buf *request, unsigned ms, bs_buf *reply); /* submit, await, take */

/* Records other than the completion that was awaited, in order of arrival. */
typedef struct check_record {
    uint32_t kind;
    uint64_t session, ticket;
    int32_t status;
    char bus[64], path[128], event[96], text[256];
    uint64_t number;
} check_record;
extern check_record check_seen[20000];
extern unsigned check_seen_count;
void check_pull(unsigned ms); /* one wait() */

#endif
