#define _GNU_SOURCE
#include "bus.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../include/backstep.h"

#define BUCKETS 1024u /* a power of two: serials spread by themselves */
#define CHUNK (64u << 10)
#define MAX_REFUSALS (1u << 20) /* bytes of answers to those who call us and do not read */
#define DAEMON "org.freedesktop.DBus"

struct bs_pending {
    bs_pending *hash_next;              // within its bucket
    bs_pending *bus_prev, *bus_next;    // all of one bus
    bs_pending *own_prev, *own_next;    // all of one caller
    bs_bus *bus;
    bs_caller *caller;
    uint64_t deadline, from, to;        // from, to: its place in the stream of bytes ever written
    uint32_t serial, tag;
    bool counts;
    uint32_t name_length;
    char name[];                        // the destination
};

struct bs_bus {
    int fd;
    uint32_t serial;
    bool authenticated, straight;
    const char *broken;
    uint64_t heard, until; // until: when it must have authenticated us
    void (*on_signal)(void *, const bs_msg *);
    void *context;
    bs_buf auth, out, in;
    size_t out_at, in_at;
    uint64_t skip;    // bytes of a message that there is no room for
    uint64_t written; // bytes of `out` ever written to the socket
    uint64_t next_deadline;
    bs_out writing;
    bs_pending *draft; // begun, not sent yet
    bs_pending *first, *buckets[BUCKETS];
};

static bs_bus *begin(int fd, void (*on_signal)(void *, const bs_msg *), void *context) {
    bs_bus *b = calloc(1, sizeof *b);
    if (!b) {
        close(fd);
        return NULL;
    }
    b->fd = fd;
    b->on_signal = on_signal;
    b->context = context;
    b->next_deadline = b->until = UINT64_MAX;
    b->heard = bs_now_us();
    // EXTERNAL: the socket says who we are; the user id travels as the hexadecimal of its decimal digits.
    char uid[24];
    snprintf(uid, sizeof uid, "%lu", (unsigned long)geteuid());
    bs_put(&b->auth, "\0AUTH EXTERNAL ", 15);
    for (const char *p = uid; *p; p++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", (unsigned)(unsigned char)*p);
        bs_put(&b->auth, digits, 2);
    }
    bs_put(&b->auth, "\r\n", 2);
    return b;
}

bs_bus *bs_bus_open(bs_str address, void (*on_signal)(void *, const bs_msg *), void *context, bs_buf *why) {
    int fd = bs_bus_dial(address, why);
    return fd < 0 ? NULL : begin(fd, on_signal, context);
}

static void no_signal(void *context, const bs_msg *signal) { (void)context, (void)signal; }

bs_bus *bs_bus_open_straight(bs_str address, uint32_t pid, uint64_t until) {
    bs_buf why = {0}; // who cannot be dialled is reached over the bus
    int fd = bs_bus_dial(address, &why);
    bs_buf_free(&why);
    if (fd >= 0 && !bs_bus_is_of(fd, pid)) {
        close(fd);
        return NULL;
    }
    bs_bus *b = fd < 0 ? NULL : begin(fd, no_signal, NULL);
    if (!b) return NULL;
    b->straight = true;
    b->until = b->next_deadline = until;
    return b;
}

void bs_bus_break(bs_bus *b, const char *why) {
    if (!b->broken) b->broken = why;
}

uint64_t bs_bus_heard(const bs_bus *b) { return b->heard; }

static void unlink_pending(bs_pending *p) {
    bs_pending **at = &p->bus->buckets[p->serial & (BUCKETS - 1)];
    while (*at != p) at = &(*at)->hash_next;
    *at = p->hash_next;
    if (p->bus_prev) p->bus_prev->bus_next = p->bus_next;
    else p->bus->first = p->bus_next;
    if (p->bus_next) p->bus_next->bus_prev = p->bus_prev;
    if (p->own_prev) p->own_prev->own_next = p->own_next;
    else p->caller->first = p->own_next;
    if (p->own_next) p->own_next->own_prev = p->own_prev;
    p->caller->in_flight--;
}

static void finish(bs_pending *p, int status, bs_msg *reply) {
    bs_caller *caller = p->caller;
    uint32_t tag = p->tag;
    if (p->counts && p->from < p->bus->written) caller->sent = true;
    unlink_pending(p);
    free(p);
    caller->answer(caller, tag, status, reply);
}

void bs_bus_close(bs_bus *b) {
    if (!b) return;
    free(b->draft);
    close(b->fd);
    bs_buf_free(&b->auth);
    bs_buf_free(&b->out);
    bs_buf_free(&b->in);
    free(b);
}

int bs_bus_fd(const bs_bus *b) { return b->fd; }

const char *bs_bus_broken(const bs_bus *b) { return b->broken; }

short bs_bus_events(const bs_bus *b) {
    bool more = b->auth.length || (b->authenticated && b->out.length > b->out_at);
    return (short)(POLLIN | (more ? POLLOUT : 0));
}

bs_out *bs_bus_begin(bs_bus *b, bs_target to, const char *interface, const char *member, const char *signature) {
    if (++b->serial == 0) b->serial = 1;
    free(b->draft);
    b->draft = malloc(sizeof *b->draft + to.bus.length);
    if (b->draft) {
        *b->draft = (bs_pending){.bus = b, .serial = b->serial, .name_length = to.bus.length};
        memcpy(b->draft->name, to.bus.text, to.bus.length);
    }
    bs_head head = {.type = BS_WIRE_CALL, .flags = BS_WIRE_NO_START, .serial = b->serial, .path = to.path, .destination = to.bus,
                    .interface = bs_cstr(interface), .member = bs_cstr(member), .signature = bs_cstr(signature)};
    bs_out_begin(&b->writing, &b->out, &head);
    return &b->writing;
}

void bs_bus_send(bs_bus *b, bs_caller *caller, uint32_t tag, uint64_t deadline) {
    bs_pending *p = b->draft;
    b->draft = NULL;
    bool whole = bs_out_end(&b->writing);
    if (!p || !whole) {
        if (whole) b->out.length = b->writing.start;
        free(p);
        caller->starved = true;
        return;
    }
    p->caller = caller;
    p->tag = tag;
    p->counts = caller->counts;
    p->deadline = deadline;
    p->from = b->written + (b->writing.start - b->out_at);
    p->to = b->written + (b->out.length - b->out_at);
    p->hash_next = b->buckets[p->serial & (BUCKETS - 1)];
    b->buckets[p->serial & (BUCKETS - 1)] = p;
    p->bus_next = b->first;
    if (b->first) b->first->bus_prev = p;
    b->first = p;
    p->own_next = caller->first;
    if (caller->first) caller->first->own_prev = p;
    caller->first = p;
    caller->in_flight++;
    if (deadline < b->next_deadline) b->next_deadline = deadline;
}

// A message of which no byte left this process is cut out of the queue: "unsent" must stay true.
static void unsend(bs_bus *b, uint64_t from, uint64_t to) {
    size_t at = b->out_at + (size_t)(from - b->written), n = (size_t)(to - from);
    memmove(b->out.data + at, b->out.data + at + n, b->out.length - at - n);
    b->out.length -= n;
    for (bs_pending *p = b->first; p; p = p->bus_next) {
        if (p->from <= from) continue;
        p->from -= n;
        p->to -= n;
    }
}

void bs_bus_abandon(bs_caller *caller) {
    while (caller->first) {
        bs_pending *p = caller->first;
        bs_bus *b = p->bus;
        uint64_t from = p->from, to = p->to;
        if (p->counts && from < b->written) caller->sent = true;
        unlink_pending(p);
        free(p);
        // Alignment counts from each message's own start, so cutting one out moves nothing within another.
        if (from >= b->written) unsend(b, from, to);
    }
}

void bs_bus_peer_gone(bs_bus *b, bs_str name) {
    for (bs_pending *p = b->first; p;) {
        if (p->name_length != name.length || memcmp(p->name, name.text, name.length)) {
            p = p->bus_next;
            continue;
        }
        finish(p, BACKSTEP_E_APP_GONE, NULL);
        p = b->first; // the answer may have ended other calls
    }
}

void bs_bus_fail_all(bs_bus *b, int status) {
    while (b->first) finish(b->first, status, NULL);
}

uint64_t bs_bus_expire(bs_bus *b, uint64_t now) {
    if (now < b->next_deadline) return b->next_deadline;
    for (bs_pending *p = b->first; p;) {
        if (p->deadline > now) {
            p = p->bus_next;
            continue;
        }
        finish(p, BACKSTEP_E_TIMEOUT_UNKNOWN, NULL);
        p = b->first;
    }
    if (!b->authenticated && b->until <= now) bs_bus_break(b, "it did not authenticate us in time");
    b->next_deadline = b->authenticated || b->broken ? UINT64_MAX : b->until;
    for (bs_pending *p = b->first; p; p = p->bus_next)
        if (p->deadline < b->next_deadline) b->next_deadline = p->deadline;
    return b->next_deadline;
}

int bs_bus_error_status(bs_str name) {
    static const struct { const char *name; int status; } known[] = {
        {"UnknownObject", BACKSTEP_E_NO_ELEMENT},      {"UnknownMethod", BACKSTEP_E_UNSUPPORTED},
        {"UnknownInterface", BACKSTEP_E_UNSUPPORTED},  {"UnknownProperty", BACKSTEP_E_UNSUPPORTED},
        {"NotSupported", BACKSTEP_E_UNSUPPORTED},      {"PropertyReadOnly", BACKSTEP_E_UNSUPPORTED},
        {"ServiceUnknown", BACKSTEP_E_APP_GONE},       {"NameHasNoOwner", BACKSTEP_E_APP_GONE},
        {"NoReply", BACKSTEP_E_APP_GONE},              {"Disconnected", BACKSTEP_E_APP_GONE},
    };
    const char *prefix = "org.freedesktop.DBus.Error.";
    size_t n = strlen(prefix);
    if (name.length <= n || memcmp(name.text, prefix, n)) return BACKSTEP_E_APP_ERROR;
    bs_str last = {name.text + n, name.length - (uint32_t)n};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (bs_str_is(last, known[i].name)) return known[i].status;
    return BACKSTEP_E_APP_ERROR;
}

// Nobody calls us; whoever tries shall not wait for an answer.
static void refuse(bs_bus *b, const bs_msg *call) {
    if (call->head.flags & BS_WIRE_NO_REPLY || b->out.length - b->out_at > MAX_REFUSALS) return;
    if (++b->serial == 0) b->serial = 1;
    bs_head head = {.type = BS_WIRE_ERROR, .flags = BS_WIRE_NO_REPLY, .serial = b->serial, .reply_serial = call->head.serial,
                    .destination = call->head.sender, .error = bs_cstr("org.freedesktop.DBus.Error.UnknownMethod")};
    bs_out o;
    bs_out_begin(&o, &b->out, &head);
    bs_out_end(&o);
}

// Serials are guessed easily, and the policies of both buses let answers through that nobody asked for: only who was
// called may answer, and the bus itself for who is gone. It sets every sender, so what has none is its own. Whoever is
// called by a well-known name could not be told from others: that owner is asked for first.
static bool may_answer(const bs_bus *b, const bs_pending *p, const bs_head *h) {
    if (b->straight || !h->sender.length) return true;
    if (h->sender.length == p->name_length && !memcmp(h->sender.text, p->name, p->name_length)) return true;
    return h->type == BS_WIRE_ERROR && bs_str_is(h->sender, DAEMON);
}

static bs_pending *asked(const bs_bus *b, const bs_head *h) {
    bs_pending *p = b->buckets[h->reply_serial & (BUCKETS - 1)];
    while (p && p->serial != h->reply_serial) p = p->hash_next;
    return p && may_answer(b, p, h) ? p : NULL; // late: its call was given up; or forged
}

// Short of memory within a message: its call fails, what is left of it is read over, and the connection goes on.
static void leave_out(bs_bus *b) {
    bs_msg m;
    int64_t size = b->authenticated ? bs_wire_size(b->in.data, b->in.length) : 0;
    bool known = size > 0 && bs_wire_parse_head(b->in.data, b->in.length, &m);
    bs_pending *p = known && (m.head.type == BS_WIRE_RETURN || m.head.type == BS_WIRE_ERROR) ? asked(b, &m.head) : NULL;
    if (known) b->skip = (uint64_t)size - b->in.length;
    else b->broken = "out of memory";
    bs_buf_free(&b->in);
    if (p) finish(p, BACKSTEP_E_MEMORY, NULL);
}

static void dispatch(bs_bus *b, bs_msg *m) {
    if (m->head.type == BS_WIRE_SIGNAL) {
        b->on_signal(b->context, m);
        return;
    }
    if (m->head.type == BS_WIRE_CALL) {
        refuse(b, m);
        return;
    }
    if (m->head.type != BS_WIRE_RETURN && m->head.type != BS_WIRE_ERROR) return;
    bs_pending *p = asked(b, &m->head);
    if (p) finish(p, m->head.type == BS_WIRE_RETURN ? BACKSTEP_OK : bs_bus_error_status(m->head.error), m);
}

/* The message that is being handed out; on the I/O thread, as everything here. */
static bs_buf *keeper; // wants its memory
static bool handing;

bool bs_bus_keep(bs_buf *into) {
    if (!handing || keeper) return false;
    keeper = into;
    return true;
}

static void hand_out(bs_bus *b, size_t size) {
    bs_msg m;
    handing = true;
    if (bs_wire_parse(b->in.data + b->in_at, size, &m)) dispatch(b, &m);
    else b->broken = "the bus sent a malformed message";
    handing = false;
    b->in_at += size;
    if (!keeper) return;
    // What came behind it goes on in memory of its own.
    bs_buf rest = {0};
    bs_put(&rest, b->in.data + b->in_at, b->in.length - b->in_at);
    if (rest.failed) b->broken = "out of memory";
    *keeper = b->in;
    keeper = NULL;
    b->in = rest;
    b->in_at = 0;
}

static void authenticate(bs_bus *b) {
    uint8_t *line = b->in.data, *end = memchr(line, '\n', b->in.length);
    if (!end) {
        if (b->in.length > 4096) b->broken = "the bus did not authenticate us";
        return;
    }
    if (end - line < 3 || memcmp(line, "OK ", 3)) {
        b->broken = "the bus refused to authenticate us";
        return;
    }
    b->in_at = (size_t)(end - line) + 1;
    b->authenticated = true;
    bs_put(&b->auth, "BEGIN\r\n", 7);
}

void bs_bus_readable(bs_bus *b) {
    if (b->broken) return;
    uint8_t *room = bs_buf_reserve(&b->in, CHUNK);
    if (!room) {
        leave_out(b);
        return;
    }
    b->in.length -= CHUNK;
    ssize_t n = recv(b->fd, room, b->skip && b->skip < CHUNK ? (size_t)b->skip : CHUNK, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) b->broken = "the bus closed the connection";
    if (n <= 0) return;
    b->heard = bs_now_us();
    if (b->skip) {
        b->skip -= (uint64_t)n;
        return;
    }
    b->in.length += (size_t)n;
    if (!b->authenticated) authenticate(b);
    while (b->authenticated && !b->broken) {
        int64_t size = bs_wire_size(b->in.data + b->in_at, b->in.length - b->in_at);
        if (size < 0) b->broken = "the bus sent bytes that are no message";
        if (size <= 0 || (uint64_t)size > b->in.length - b->in_at) break;
        hand_out(b, (size_t)size);
    }
    if (!b->in_at) return;
    memmove(b->in.data, b->in.data + b->in_at, b->in.length - b->in_at);
    b->in.length -= b->in_at;
    b->in_at = 0;
    // One huge answer must not keep its memory for the life of the session.
    if (b->in.capacity > (4u << 20) && b->in.length == 0) bs_buf_free(&b->in);
}

// Writes what the socket takes: how many bytes.
static size_t put_out(bs_bus *b, const uint8_t *data, size_t n) {
    size_t done = 0;
    while (done < n) {
        ssize_t w = send(b->fd, data + done, n - done, MSG_NOSIGNAL);
        if (w < 0 && errno == EINTR) continue;
        if (w < 0 && errno != EAGAIN) b->broken = "the bus closed the connection";
        if (w <= 0) break;
        done += (size_t)w;
    }
    return done;
}

void bs_bus_flush(bs_bus *b) {
    if (b->broken) return;
    if (b->auth.failed) b->broken = "out of memory";
    if (b->auth.length) {
        size_t n = put_out(b, b->auth.data, b->auth.length);
        memmove(b->auth.data, b->auth.data + n, b->auth.length - n);
        b->auth.length -= n;
    }
    if (!b->authenticated || b->auth.length || b->broken || b->out_at == b->out.length) return;
    size_t n = put_out(b, b->out.data + b->out_at, b->out.length - b->out_at);
    b->out_at += n;
    b->written += n;
    if (b->out_at < b->out.length) {
        if (b->out_at < CHUNK) return;
        memmove(b->out.data, b->out.data + b->out_at, b->out.length - b->out_at);
        b->out.length -= b->out_at;
        b->out_at = 0;
        return;
    }
    b->out.length = b->out_at = 0;
    if (b->out.capacity > (4u << 20)) bs_buf_free(&b->out);
}
