#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../include/backstep.h"

// Only tests/replay.c wants to know what was reached.
void __sanitizer_cov_trace_pc(void);
__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void) {}

int check_failures, check_count;
check_record check_seen[20000];
unsigned check_seen_count;

int check_report(const char *name) {
    printf("%s: %d checks, %d failed\n", name, check_count, check_failures);
    return check_failures ? 1 : 0;
}

unsigned check_slow(void) {
    const char *text = getenv("SLOW");
    return text && atoi(text) > 0 ? (unsigned)atoi(text) : 1;
}

double check_load(void) {
    double load = 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) != 1 || processors < 1) return 1;
    return load > (double)processors ? load / (double)processors : 1;
}

bool check_within(uint64_t since, unsigned ms) {
    double took = (double)(bs_now_us() - since) / 1000, most = ms * check_slow() * check_load();
    if (took >= most) fprintf(stderr, "it took %.1f ms, not less than %.1f:\n", took, most);
    return took < most;
}

static void copy(char *into, size_t room, bs_str s) { snprintf(into, room, "%.*s", (int)s.length, s.text); }

void check_pull(unsigned ms) {
    static uint8_t buf[1 << 20];
    int32_t n = backstep_wait(buf, sizeof buf, ms);
    CHECK(n >= 0);
    bs_reader r = {buf, n > 0 ? (size_t)n : 0, 0, false};
    while (r.at < r.length && !r.failed) {
        size_t start = r.at;
        uint32_t size = bs_get_u32(&r);
        check_record c = {.kind = bs_get_u32(&r), .session = bs_get_u64(&r)};
        if (c.kind == BACKSTEP_R_COMPLETION) {
            c.ticket = bs_get_u64(&r);
            c.status = bs_get_i32(&r);
            c.number = bs_get_u32(&r);
        } else if (c.kind == BACKSTEP_R_EVENT) {
            bs_get_u64(&r);
            copy(c.bus, sizeof c.bus, bs_get_str(&r));
            copy(c.path, sizeof c.path, bs_get_str(&r));
            copy(c.event, sizeof c.event, bs_get_str(&r));
            c.number = (uint32_t)bs_get_i32(&r);
            bs_get_i32(&r);
            copy(c.text, sizeof c.text, bs_get_str(&r));
        } else if (c.kind == BACKSTEP_R_INPUT) {
            bs_get_u64(&r);
            c.number = bs_get_u32(&r);
            for (unsigned k = 0; k < 3; k++) bs_get_u32(&r);
        } else if (c.kind == BACKSTEP_R_LOST) {
            c.number = bs_get_u64(&r);
        } else {
            c.number = bs_get_u32(&r);
        }
        CHECK(!r.failed && r.at == start + size);
        if (check_seen_count < sizeof check_seen / sizeof *check_seen) check_seen[check_seen_count++] = c;
    }
    CHECK(!r.failed);
}

check_done check_await(uint64_t session, int64_t ticket, unsigned ms) {
    check_done d = {0};
    uint64_t until = bs_now_us() + ms * 1000ull * check_slow();
    for (;;) {
        for (unsigned i = 0; i < check_seen_count; i++) {
            check_record *c = &check_seen[i];
            if (c->kind != BACKSTEP_R_COMPLETION || c->session != session || c->ticket != (uint64_t)ticket) continue;
            d.came = true;
            d.status = c->status;
            uint8_t *at = bs_buf_reserve(&d.reply, c->number);
            CHECK_IS(backstep_take(session, (uint64_t)ticket, at, (uint32_t)c->number), c->number);
            memmove(c, c + 1, (check_seen_count - i - 1) * sizeof *c);
            check_seen_count--;
            return d;
        }
        if (bs_now_us() >= until) return d;
        check_pull(100);
    }
}

int check_run(uint64_t session, uint32_t op, const bs_buf *request, unsigned ms, bs_buf *reply) {
    int64_t ticket = backstep_submit(session, op, request ? request->data : NULL, request ? (uint32_t)request->length : 0, ms * check_slow());
    if (ticket < 0) return (int)ticket;
    check_done d = check_await(session, ticket, ms + 1000);
    CHECK(d.came);
    if (reply) {
        bs_buf_free(reply);
        *reply = d.reply;
    } else {
        bs_buf_free(&d.reply);
    }
    return d.came ? d.status : -999;
}
