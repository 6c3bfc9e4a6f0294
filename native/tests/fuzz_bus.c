/* libFuzzer: the address of a bus, its authentication, and the stream of messages however it is cut into pieces, with
 * calls in flight. The input: what the address adds to a good one, NUL, then pairs of a length and so many bytes. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../include/backstep.h"
#include "../linux/bus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int ends[2];

// Whatever the address says, it is this pair that is connected; nobody else on this machine.
int socket(int domain, int type, int protocol) {
    (void)type, (void)protocol;
    if (domain != AF_UNIX) abort();
    return dup(ends[0]);
}

int connect(int fd, const struct sockaddr *to, socklen_t n) {
    (void)fd;
    const struct sockaddr_un *u = (const struct sockaddr_un *)to;
    if (n > sizeof *u || n < 4 || u->sun_family != AF_UNIX) abort();
    if (u->sun_path[0] && u->sun_path[n - sizeof(sa_family_t) - 1]) abort(); // a path must be terminated
    return u->sun_path[1] == 'z' ? (errno = ENOENT, -1) : 0;
}

static unsigned answers;
static bs_bus *bus;

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    if (status > 0 || status < BACKSTEP_E_SECURE || (status == BACKSTEP_OK && !reply)) abort();
    answers++;
    if (reply) {
        bs_in body = reply->body;
        bs_in_skip(&body, reply->head.signature);
    }
    if (tag == 3) bs_bus_abandon(caller); // an operation that ends within an answer
    if (tag == 1 && status == BACKSTEP_OK) {
        bs_out_cstr(bs_bus_begin(bus, (bs_target){bs_cstr(":1.9"), bs_cstr("/a")}, "x.Y", "Again", "s"), "more");
        bs_bus_send(bus, caller, 2, UINT64_MAX);
    }
}

static void heard(void *context, const bs_msg *signal) {
    (void)context;
    bs_in body = signal->body;
    bs_in_skip(&body, signal->head.signature);
    if (bs_str_is(signal->head.member, "Gone")) bs_bus_peer_gone(bus, bs_cstr(":1.5"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    if (!end || end - data > 4096 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends)) return 0;
    bs_buf address = {0}, why = {0};
    bs_put(&address, data, (size_t)(end - data));
    if (end - data < 5) bs_put(&address, "unix:path=/x", 12);
    size -= (size_t)(end - data) + 1;
    data = end + 1;
    bs_caller caller = {.answer = answered};
    bus = bs_bus_open((bs_str){(const char *)address.data, (uint32_t)address.length}, heard, NULL, &why);
    for (uint32_t i = 0; bus && i < 6; i++) {
        bs_bus_begin(bus, (bs_target){bs_cstr(i & 1 ? "a.b" : ":1.5"), bs_cstr("/a")}, "x.Y", "Z", "");
        bs_bus_send(bus, &caller, i, i == 5 ? 7 : UINT64_MAX);
    }
    while (bus && size > 1 && !bs_bus_broken(bus)) {
        size_t n = data[0] | (size_t)(data[1] & 3) << 8;
        if (data[1] & 0x80) bs_bus_expire(bus, data[1] & 0x40 ? 8 : 6);
        data += 2, size -= 2;
        if (n > size) n = size;
        if (n && send(ends[1], data, n, MSG_NOSIGNAL) < 0) break;
        data += n, size -= n;
        bs_bus_readable(bus);
        bs_bus_flush(bus);
        uint8_t sink[8192];
        while (recv(ends[1], sink, sizeof sink, 0) > 0) {}
    }
    if (bus) bs_bus_fail_all(bus, BACKSTEP_E_BUS);
    if (caller.in_flight || caller.first) abort();
    bs_bus_close(bus);
    close(ends[0]), close(ends[1]);
    bs_buf_free(&address);
    bs_buf_free(&why);
    return 0;
}
