/*
 * Tries each action on a form that writes down what happens to it, and prints one JSON line a claim of docs/reference/toolkits.md. On a Mac:
 * probe PID ACCOUNT (scripts/probe-macos.sh starts the form). Over the stand-in (make macos-probe) the same code drives apps/form.txt.
 */
#define _GNU_SOURCE
#include "../../../include/backstep.h"
#include "../../../src/bytes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef __APPLE__
#include "../standin/standin.h"
#endif

static uint64_t session;
static char bus[64], said[400];
#ifdef __APPLE__
static char account_file[1024];
#endif
static int failed;

static int request(uint32_t op, bs_buf *q, bs_buf *reply) {
    static uint8_t record[1 << 16];
    int64_t ticket = backstep_submit(session, op, q->data, (uint32_t)q->length, 10000);
    bs_buf_free(q);
    for (int i = 0; ticket > 0 && i < 60; i++) {
        int32_t n = backstep_wait(record, sizeof record, 500);
        bs_reader r = {record, n > 0 ? (size_t)n : 0, 0, false};
        while (r.at < r.length) {
            size_t start = r.at;
            uint32_t size = bs_get_u32(&r), kind = bs_get_u32(&r);
            bs_get_u64(&r);
            if (kind == BACKSTEP_R_COMPLETION && bs_get_u64(&r) == (uint64_t)ticket) {
                int32_t status = bs_get_i32(&r);
                uint32_t bytes = bs_get_u32(&r);
                uint8_t *to = bs_buf_reserve(reply, bytes);
                if (backstep_take(session, (uint64_t)ticket, to, bytes) < 0) return BACKSTEP_E_TICKET;
                if (status) {
                    bs_reader text = {reply->data, reply->length, 0, false};
                    bs_str s = bs_get_str(&text);
                    snprintf(said, sizeof said, "%.*s", (int)s.length, s.text);
                }
                return status;
            }
            r.at = start + size;
        }
    }
    return ticket > 0 ? BACKSTEP_E_TIMEOUT_UNKNOWN : (int)ticket;
}
static bool logged(const char *text) {
    for (int i = 0; i < 60; i++) {
#ifndef __APPLE__
        if (si_logged(text)) return true;
#else
        static char all[1 << 16];
        FILE *f = fopen(account_file, "r");
        size_t n = f ? fread(all, 1, sizeof all - 1, f) : 0;
        if (f) fclose(f);
        all[n] = 0;
        if (strstr(all, text)) return true;
#endif
        usleep(50000);
    }
    return false;
}
/* Where a column begins; `at` goes on behind it. */
static size_t skip(size_t *at, size_t size) {
    size_t from = (*at + 7) & ~(size_t)7;
    *at = from + size;
    return from;
}
/* The path of the first element of a role with a name, or "". */
static void find(const char *role, const char *name, char *to, size_t room) {
    bs_buf q = {0}, reply = {0};
    *to = 0;
    bs_put_cstr(&q, bus), bs_put_cstr(&q, ""), bs_put_u32(&q, BACKSTEP_F_NATIVE_ROLE);
    for (int i = 0; i < 4; i++) bs_put_u32(&q, 0);
    if (!request(BACKSTEP_OP_SNAPSHOT, &q, &reply)) {
        const uint32_t *h = (const uint32_t *)(const void *)reply.data;
        size_t n = h[2], strings = h[7], at = 64;
        skip(&at, 8 * n), skip(&at, 4 * n), skip(&at, 4 * n), skip(&at, 4 * n);
        const uint32_t *path = (const uint32_t *)(const void *)(reply.data + skip(&at, 4 * n)), *names = (const uint32_t *)(const void *)(reply.data + skip(&at, 4 * n));
        skip(&at, 4 * n);
        const uint32_t *native = (const uint32_t *)(const void *)(reply.data + skip(&at, 4 * n));
        skip(&at, 4 * n), skip(&at, 2 * n);
        const uint32_t *offsets = (const uint32_t *)(const void *)(reply.data + skip(&at, 4 * (strings + 1)));
        const char *arena = (const char *)(reply.data + skip(&at, h[8]));
        for (size_t i = 0; i < n && !*to; i++) {
            size_t a = offsets[native[i]], b = offsets[names[i]];
            if (strlen(name) != offsets[names[i] + 1] - b || strncmp(arena + b, name, strlen(name)) || strncmp(arena + a, role, strlen(role))) continue;
            snprintf(to, room, "%.*s", (int)(offsets[path[i] + 1] - offsets[path[i]]), arena + offsets[path[i]]);
        }
    }
    bs_buf_free(&reply);
}
static void tell(const char *claim, const char *method, int status, bool seen) {
    if (status || !seen) failed++;
    for (char *c = said; *c; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') *c = ' ';
    printf("{\"claim\": \"macos/%s\", \"method\": \"%s\", \"verified\": %s, \"status\": %d, \"said\": \"%s\"}\n", claim, method, !status && seen ? "true" : "false", status, said);
    fflush(stdout);
    *said = 0;
}
static int on(const char *role, const char *name, uint32_t op, const char *text, double number) {
    char path[64];
    bs_buf q = {0}, reply = {0};
    find(role, name, path, sizeof path);
    if (!*path) return snprintf(said, sizeof said, "there is no %s %s", role, name), BACKSTEP_E_NO_ELEMENT;
    bs_put_cstr(&q, bus), bs_put_cstr(&q, path);
    if (text) bs_put_cstr(&q, text);
    else if (op == BACKSTEP_OP_SET_VALUE) bs_put_f64(&q, number);
    int status = request(op, &q, &reply);
    bs_buf_free(&reply);
    return status;
}
int main(int argc, char **argv) {
    bs_buf q = {0}, reply = {0};
#ifndef __APPLE__
    (void)argc, (void)argv;
    si_reset();
    if (!si_load_file("tests/macos/apps/form.txt")) return 2;
    uint32_t pid = 100;
    static const char *const SEEN[] = {"sent", "bold 1", "large", "name Ben", "volume 60", "saved"};
    const char *item = "Save";
#else
    if (argc < 3) return fprintf(stderr, "probe PID ACCOUNT\n"), 2;
    uint32_t pid = (uint32_t)atoi(argv[1]);
    snprintf(account_file, sizeof account_file, "%s", argv[2]);
    static const char *const SEEN[] = {"Send", "Bold 1", "Large 1", "Name Ben", "Volume 60", "Report"};
    const char *item = "Report";
#endif
    session = (uint64_t)backstep_open();
    bs_put_cstr(&q, ""), bs_put_cstr(&q, ""), bs_put_cstr(&q, ""), bs_put_u32(&q, 4);
    if (request(BACKSTEP_OP_CONNECT, &q, &reply)) return fprintf(stderr, "probe: %s\n", said), 1;
    bs_buf_free(&reply);
    int status = request(BACKSTEP_OP_APPS, &q, &reply);
    bs_reader r = {reply.data, reply.length, 0, false};
    for (uint32_t n = status ? 0 : bs_get_u32(&r); n-- && !r.failed;) {
        bs_str b = bs_get_str(&r);
        bs_get_str(&r), bs_get_str(&r);
        if (bs_get_u32(&r) == pid) snprintf(bus, sizeof bus, "%.*s", (int)b.length, b.text);
        bs_get_str(&r), bs_get_str(&r);
    }
    bs_buf_free(&reply);
    if (!*bus) return fprintf(stderr, "probe: process %u is not among the applications: %s\n", pid, said), 1;
    status = on("AXButton", "Send", BACKSTEP_OP_ACTION, "AXPress", 0), tell("button", "AXPress", status, logged(SEEN[0]));
    status = on("AXCheckBox", "Bold", BACKSTEP_OP_ACTION, "AXPress", 0), tell("check-box", "AXPress", status, logged(SEEN[1]));
    status = on("AXRadioButton", "Large", BACKSTEP_OP_ACTION, "AXPress", 0), tell("radio", "AXPress", status, logged(SEEN[2]));
    status = on("AXTextField", "Name", BACKSTEP_OP_SET_TEXT, "Ben", 0), tell("set-text", "AXValue", status, logged(SEEN[3]));
    status = on("AXSlider", "Volume", BACKSTEP_OP_SET_VALUE, NULL, 60), tell("slider", "AXValue", status, logged(SEEN[4]));
    status = on("AXTextField", "Name", BACKSTEP_OP_FOCUS, NULL, 0), tell("focus", "AXFocused", status, true);
    if (on("AXMenuBarItem", "File", BACKSTEP_OP_ACTION, "AXPress", 0)) *said = 0; /* a menu that is there only while it is open */
    status = on("AXMenuItem", item, BACKSTEP_OP_ACTION, "AXPress", 0), tell("menu-item", "AXPress", status, logged(SEEN[5]));
    backstep_close(session);
    fprintf(stderr, "probe: %d not verified\n", failed);
    return failed ? 1 : 0;
}
