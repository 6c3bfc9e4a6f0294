/* libFuzzer: one connection and any operation on it, against a bus that answers with the fuzzer's bytes. The real bus.c,
 * op.c and every operation; only the socket's other end, the display and the queue of records are ours.
 *
 * The input: the operation's code, the number of bytes of its request, the request, then what the bus sends. Each answer
 * is a byte of kind and two of length: to the oldest call without an answer, a reply of one of the types below with so
 * many bytes of body, an error, raw bytes, a signal; or the clock is let past the deadline. A snapshot of a whole application
 * may be followed by one from its mirror, and by another, with what is left of the input: as of an application that announces
 * little, each element of which is asked again, or as of another. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../linux/mirror.h"
#include "../linux/op.h"
#include "../linux/peer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int ends[2];
static bool complete;

int bs_bus_dial(bs_str address, bs_buf *why) {
    (void)address, (void)why;
    return dup(ends[0]);
}

bool bs_bus_is_of(int fd, uint32_t pid) { return (void)fd, (void)pid, true; }

void bs_core_complete(uint64_t session, uint64_t ticket, int status, bs_buf *reply) {
    (void)session, (void)ticket;
    if (status > 0 || status < BACKSTEP_E_CHANGED) abort();
    if (complete) abort(); // twice
    if (status == BACKSTEP_OK && !reply->failed && ticket == BACKSTEP_OP_SNAPSHOT) {
        // The columns must add up: a reader trusts the header.
        uint32_t head[16];
        if (reply->length < 64) abort();
        memcpy(head, reply->data, sizeof head);
        if (head[2] == 0 && head[10] == 1 && reply->length == 64) head[2] = 0, complete = true;
        if (complete) {
            bs_buf_free(reply);
            return;
        }
        if (head[0] != BACKSTEP_SNAPSHOT_MAGIC || head[2] < 1 || (uint64_t)head[2] * 40 > reply->length || head[8] > reply->length) abort();
    }
    complete = true;
    bs_buf_free(reply);
}

void bs_core_event(uint64_t session, uint32_t kind, bs_buf *record) {
    (void)kind;
    (void)session;
    if (!record->failed) {
        // Exactly the fields of an event, and each of them valid text.
        bs_reader r = {record->data, record->length, 0, false};
        bs_get_u64(&r);
        bs_get_str(&r), bs_get_str(&r);
        bs_str kind = bs_get_str(&r);
        bs_get_i32(&r), bs_get_i32(&r);
        bs_str text = bs_get_str(&r);
        if (text.length && kind.length > 12 && !memcmp(kind.text, "object:text-", 12) && text.text[0] != '/') abort(); // what was typed
        if (r.failed || r.at != r.length) abort();
    }
    bs_buf_free(record);
}

void bs_core_broken(uint64_t session, uint32_t what) { (void)session, (void)what; }
void bs_core_mirror(uint64_t session, bs_str bus, uint64_t generation, uint64_t until_us) { (void)session, (void)bus, (void)generation, (void)until_us; }
bs_display *bs_display_start(uint64_t session, bs_str name, bool without, uint64_t deadline) { return (void)session, (void)name, (void)without, (void)deadline, NULL; }
void bs_display_look(bs_display *d, bs_display_state *state) { (void)d, memset(state, 0, sizeof *state); }

// Reads what the core wrote: the calls in order, as their serials. What we cannot read, it must not have written.
static bs_buf heard;
static uint32_t serials[4096];
static size_t serial_count, serial_next;

static void listen_to_it(bool authenticated) {
    static bool begun;
    if (!authenticated) begun = false, heard.length = 0, serial_count = serial_next = 0;
    uint8_t chunk[65536];
    ssize_t n;
    while ((n = recv(ends[1], chunk, sizeof chunk, MSG_DONTWAIT)) > 0) bs_put(&heard, chunk, (size_t)n);
    if (!heard.length) return;
    uint8_t *at = heard.data, *end = at + heard.length;
    if (!begun) {
        uint8_t *begin = memmem(at, heard.length, "BEGIN\r\n", 7);
        if (!begin) return;
        begun = true;
        at = begin + 7;
    }
    for (int64_t length; (length = bs_wire_size(at, (size_t)(end - at))) != 0 && length <= end - at; at += length) {
        bs_msg m;
        if (length < 0 || !bs_wire_parse(at, (size_t)length, &m)) abort();
        bs_in_skip(&m.body, m.head.signature);
        if (m.body.failed || m.body.at != m.body.length) abort();
        if (m.head.type == BS_WIRE_CALL && serial_count < 4096) serials[serial_count++] = m.head.serial;
    }
    size_t left = (size_t)(end - at);
    memmove(heard.data, at, left);
    heard.length = left;
}

static void say(const uint8_t *bytes, size_t n) {
    while (n) {
        ssize_t w = send(ends[1], bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (w <= 0) return;
        bytes += w, n -= (size_t)w;
    }
}

static void say_message(uint8_t kind, const uint8_t *body, size_t n) {
    static const char *const types[] = {"v", "u", "au", "as", "a{ss}", "a(so)", "(so)", "(iiii)", "s", "i", "ii", "a((so)(so)(so)iiassusau)", "b", "", "a((so)a{sv})",
        "siiva{sv}"};
    static const char *const errors[] = {"UnknownObject", "UnknownMethod", "Failed", "NoReply"};
    bs_buf out = {0};
    bs_out o;
    char error[64];
    snprintf(error, sizeof error, "org.freedesktop.DBus.Error.%s", errors[kind & 3]);
    uint32_t serial = serial_next < serial_count ? serials[serial_next++] : 1;
    bs_head head = {.type = kind < 0x40 ? BS_WIRE_RETURN : BS_WIRE_ERROR, .serial = 9, .reply_serial = serial, .signature = bs_cstr(kind < 0x40 ? types[kind & 15] : "s")};
    if (kind >= 0x40) head.error = bs_cstr(error);
    if (kind >= 0x60) {
        bool owner = kind & 1;
        static const char *const members[] = {"StateChanged", "ChildrenChanged", "PropertyChange", "VisibleDataChanged"};
        static const char *const paths[] = {"/org/a11y/atspi/accessible/root", "/org/a11y/atspi/accessible/1", "/org/a11y/atspi/accessible/2", "/a"};
        head = (bs_head){.type = BS_WIRE_SIGNAL, .serial = 9, .path = bs_cstr(paths[kind >> 3 & 3]), .member = bs_cstr(owner ? "NameOwnerChanged" : members[kind >> 1 & 3]),
                         .interface = bs_cstr(owner ? "org.freedesktop.DBus" : "org.a11y.atspi.Event.Object"),
                         .sender = bs_cstr(owner ? "org.freedesktop.DBus" : ":1.5"), .signature = bs_cstr(owner ? "sss" : "siiva{sv}")};
    }
    bs_out_begin(&o, &out, &head);
    bs_put(&out, body, n);
    if (bs_out_end(&o)) say(out.data, out.length);
    bs_buf_free(&out);
}

static void turn(bs_link *l) {
    if (l->bus) {
        bs_bus_flush(l->bus);
        bs_bus_readable(l->bus);
        if (bs_bus_broken(l->bus)) bs_bus_fail_all(l->bus, BACKSTEP_E_BUS);
    }
    for (bs_op *op = l->ops, *after; op; op = after) {
        after = op->next;
        if (op->caller.starved) bs_op_fail(op, BACKSTEP_E_MEMORY, "starved");
        else if (op->work) op->work(op);
    }
    bs_peer_tidy(l);
    if (l->connecting) bs_connect_step(l->connecting);
    for (bs_peer *p = l->peers; p; p = p->next)
        if (p->direct) bs_bus_expire(p->direct, bs_now_us());
    if (l->bus) bs_bus_flush(l->bus);
}

static void answer(bs_link *l, const uint8_t **from, size_t *left) {
    const uint8_t *data = *from;
    size_t size = *left;
    for (unsigned turns = 0; size > 3 && !complete && turns < 3000; turns++) {
        listen_to_it(true);
        uint8_t kind = data[0];
        size_t n = data[1] | (size_t)data[2] << 8;
        data += 3, size -= 3;
        if (n > size) n = size;
        if (kind < 0x80) say_message(kind, data, n);
        else if (kind < 0xc0) say(data, n);
        else if (l->bus && kind < 0xe0) bs_bus_peer_gone(l->bus, bs_cstr(":1.5"));
        else if (l->bus) bs_bus_expire(l->bus, kind & 1 ? UINT64_MAX - 1 : 0);
        data += n, size -= n;
        turn(l);
    }
    for (unsigned turns = 0; !complete && turns < 3000 && l->ops && l->ops->work; turns++) turn(l);
    *from = data;
    *left = size;
}

static void from_mirror(bs_link *l, uint32_t source, uint32_t roles) {
    bs_buf q = {0};
    bs_put_cstr(&q, ":1.5");
    bs_put_cstr(&q, "");
    uint32_t rest[] = {BACKSTEP_F_ID | BACKSTEP_F_HASH, 1, 0, 0, 50, source, 0, 0};
    for (unsigned i = 0; i < 8; i++) bs_put_u32(&q, rest[i]);
    bs_put_u32(&q, roles);
    for (uint32_t i = 0; i < roles; i++) bs_put_u32(&q, 40 + i);
    bs_command *c = malloc(sizeof *c + q.length);
    if (!c) abort();
    *c = (bs_command){.op = BACKSTEP_OP_SNAPSHOT, .session = 1, .ticket = BACKSTEP_OP_SNAPSHOT, .deadline_us = UINT64_MAX / 2, .length = (uint32_t)q.length};
    memcpy(c->request, q.data, q.length);
    bs_buf_free(&q);
    bs_op_start(l, c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends)) return 0;
    uint8_t code = data[0], raw = data[1];
    size_t length = data[2] | (size_t)(data[3] & 3) << 8;
    data += 4, size -= 4;
    if (length > size) length = size;
    bs_link l = {.session = 1};
    uint8_t c_code = code == BACKSTEP_OP_IF_SAME ? code : code % 26;
    complete = false;
    bool connects = code == BACKSTEP_OP_CONNECT;
    listen_to_it(false);
    if (!connects) {
        l.bus = bs_bus_open(bs_cstr("fuzz"), bs_event_signal, &l, NULL);
        l.connected = true;
        if (!(raw & 8)) strcpy(l.registry, ":1.0"); // otherwise there is none
    }
    bs_command *c = malloc(sizeof *c + length + 80);
    if (!c) abort();
    *c = (bs_command){.op = c_code, .session = 1, .ticket = c_code, .deadline_us = UINT64_MAX / 2};
    bs_buf request = {0};
    // A request of the fuzzer's own, or a valid name before its bytes.
    if (!(raw & 1) && !connects) bs_put_cstr(&request, ":1.5"), bs_put_cstr(&request, raw & 2 ? "" : "/org/a11y/atspi/accessible/1");
    if (!(raw & 1) && connects) bs_put_cstr(&request, "fuzz"), bs_put_cstr(&request, ""), bs_put_cstr(&request, "");
    if (request.length) memcpy(c->request, request.data, request.length);
    memcpy(c->request + request.length, data, length);
    c->length = (uint32_t)(request.length + length);
    bs_buf_free(&request);
    data += length, size -= length;
    if (!connects || !(raw & 4)) say((const uint8_t *)"OK 0123456789abcdef\r\n", 21);
    bs_op_start(&l, c);
    turn(&l);
    answer(&l, &data, &size);
    // What was kept of it, and what its events made of that.
    for (unsigned again = 0; again < 2 && complete && raw & 8 && l.bus && c_code == BACKSTEP_OP_SNAPSHOT && !bs_bus_broken(l.bus); again++) {
        complete = false;
        bool silent = raw & 32;
        for (bs_peer *p = l.peers; p; p = p->next) {
            if (p->mirror && raw & 16) p->mirror->proven_us = 0; // it is due to be proven
            if (p->mirror) p->mirror->silent = silent;
        }
        from_mirror(&l, silent ? 4 : again + 1, raw >> 6);
        turn(&l);
        answer(&l, &data, &size);
    }
    while (l.ops) bs_op_cancel(l.ops);
    if (!complete) abort(); // every ticket completes
    bs_bus_abandon(&l.registering.caller);
    bs_peers_free(&l);
    bs_bus_close(l.bus);
    bs_bus_close(l.session_bus);
    close(ends[0]), close(ends[1]);
    return 0;
}
