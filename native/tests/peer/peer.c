/* A scripted application: the other side of AT-SPI, with any tree and any fault on demand.
 *
 *   peer --join ADDRESS    a client of an accessibility bus, registered with its registry as any application is
 *   peer --bus PATH        a bus of its own for one client at a time, with a registry that lists just this application
 *
 * Directives (script.h) come on standard input, one a line, at any time; each is answered by one line: "ok", "ok WORD",
 * or "error TEXT". Besides those of a script:
 *   start                            joins, or listens: answers its own name on the bus
 *   leave                            closes the connection; "start" comes back under another name
 *   emit CLASS MEMBER MINOR DETAIL1 DETAIL2 ID [TEXT]     an event ("Object StateChanged focused 1 0 ok0"); a TEXT of "@ID" is an
 *                                    element, as events about children have it
 *   flood COUNT                      so many events
 *   calls MEMBER ID                  how often it was asked of it ("*" of any element)
 *   text ID, value ID, states ID     what the element is now, whatever it answered
 *   forge NAME FIRST COUNT           so many answers nobody asked of it, to the connection of that name, from that serial on:
 *                                    a registry's list of one application that is not there
 *   gone NAME WHO                    tells the connection of that name, in the bus's words, that WHO left
 *   straight PATH                    listens there for connections that go round the bus, and says so when it is asked
 *   straightcalls                    how many calls came that way
 *   sasl TEXT                        (bus, straight) what authentication is answered; \n, \r and \0 as escapes; "-" nothing; "close"
 *   exit
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "answers.h"

#define REGISTRY "org.a11y.atspi.Registry"
#define REGISTRY_OWN ":1.0" /* on a bus of our own; the launcher of accessibility buses, too */
#define LAUNCHER_OWN ":1.2"
#define DAEMON "org.freedesktop.DBus"
#define ROOT "/org/a11y/atspi/accessible/root"

typedef struct later {
    struct later *next;
    uint64_t due;
    pack bytes;
} later;

/* One connection: to or as a bus, or straight to the core. */
typedef struct line {
    int listener, fd, steps; // steps: of authentication, as the one who is called
    bool straight;
    pack in, out;
    later *queue;
} line;

static const char *address, *bus_path;
static line bus = {.listener = -1, .fd = -1}, straight = {.listener = -1, .fd = -1, .straight = true};
static unsigned straight_calls;
static char own[64] = ":1.1", sasl[256] = "OK 0123456789abcdef0123456789abcdef\\r\\n";
static uint32_t serial;

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void hang_up(line *l) {
    if (l->fd >= 0) close(l->fd);
    l->fd = -1;
    l->steps = 0;
    l->in.n = l->out.n = 0;
    for (later *q; (q = l->queue);) l->queue = q->next, pack_free(&q->bytes), free(q);
}

static void flush(line *l, bool all) {
    while (l->fd >= 0 && l->out.n) {
        ssize_t n = send(l->fd, l->out.data, l->out.n, MSG_NOSIGNAL | (all ? 0 : MSG_DONTWAIT));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return;
        if (n < 0) return hang_up(l);
        memmove(l->out.data, l->out.data + n, l->out.n - (size_t)n);
        l->out.n -= (size_t)n;
    }
}

static void send_message(head *h, const pack *body) {
    h->serial = ++serial;
    pack_message(&bus.out, h, body);
}

static void set(char *field, size_t room, const char *value) {
    size_t n = strlen(value) < room ? strlen(value) : room - 1;
    memcpy(field, value, n);
    field[n] = 0;
}
#define SET(field, value) set(field, sizeof(field), value)

static void emit(const char *class, const char *member, const char *minor, int d1, int d2, const char *path, const char *text) {
    head h = {.type = SIGNAL, .flags = 1};
    SET(h.path, path);
    snprintf(h.interface, sizeof h.interface, "org.a11y.atspi.Event.%s", class);
    SET(h.member, member);
    SET(h.signature, "siiva{sv}");
    if (bus_path) SET(h.sender, own);
    pack b = {.big = script.big};
    pack_str(&b, minor);
    pack_u32(&b, (uint32_t)d1);
    pack_u32(&b, (uint32_t)d2);
    if (*text == '@') {
        char child[160];
        snprintf(child, sizeof child, "/org/a11y/atspi/accessible/%s", text + 1);
        pack_sig(&b, "(so)");
        pack_ref(&b, own, child);
    } else {
        pack_sig(&b, "s");
        pack_str(&b, text);
    }
    pack_close(&b, pack_open(&b, 8), 8);
    send_message(&h, &b);
    pack_free(&b);
}

static const fault *find_fault(const answer *a, bool is_straight) {
    const fault *found = NULL;
    for (int i = 0; i < script.fault_count; i++) {
        fault *f = &script.faults[i];
        if ((f->member != ANY && f->member != a->member) || (f->node != ANY && f->node != a->node) || (f->via != ANY && f->via != is_straight)) continue;
        f->seen++;
        if (f->seen >= f->from && (!f->times || f->seen < f->from + f->times) && !found) found = f;
    }
    return found;
}

static void queue_later(line *line, long ms, pack *bytes) {
    later *l = calloc(1, sizeof *l);
    if (!l) abort();
    const char *slow = getenv("SLOW"); // the tests stretch their deadlines by it, under valgrind
    l->due = now_ms() + (uint64_t)ms * (slow && atoi(slow) > 1 ? (uint64_t)atoi(slow) : 1);
    l->bytes = *bytes;
    later **at = &line->queue;
    while (*at && (*at)->due <= l->due) at = &(*at)->next;
    l->next = *at;
    *at = l;
}

// Zeros enough for a value of any type: strings are empty, arrays too.
static void retype(answer *a, const char *signature) {
    static const uint8_t zeros[64];
    a->body.n = 0;
    SET(a->signature, signature);
    if (!strcmp(signature, "v")) pack_bytes(&a->body, "\1y\0\0", 4);
    else if (strcspn(signature, "s") == 0) pack_str(&a->body, "");
    else if (strcspn(signature, "xtd") == 0) pack_bytes(&a->body, zeros, 8);
    else if (strcspn(signature, "a") == 0) pack_bytes(&a->body, zeros, signature[1] == '(' || signature[1] == '{' ? 8 : 4);
    else pack_bytes(&a->body, zeros, *signature ? 4 : 0);
}

// The daemon's and the registry's side, for a client of our own bus. False: it is the application that is called.
static bool of_bus(const head *call, unpack args, answer *a, const char **sender) {
    if (!strcmp(call->destination, DAEMON)) {
        *sender = DAEMON;
        if (!strcmp(call->member, "Hello")) {
            SET(a->signature, "s");
            pack_str(&a->body, ":1.7");
        } else if (!strcmp(call->member, "GetConnectionUnixProcessID")) {
            SET(a->signature, "u");
            pack_u32(&a->body, (uint32_t)getpid());
        } else if (!strcmp(call->member, "GetNameOwner")) {
            SET(a->signature, "s");
            pack_str(&a->body, strcmp(unpack_str(&args), REGISTRY) ? LAUNCHER_OWN : REGISTRY_OWN);
        }
        return true;
    }
    if (!strcmp(call->destination, LAUNCHER_OWN)) *sender = LAUNCHER_OWN;
    if (strcmp(call->destination, REGISTRY_OWN)) return false;
    *sender = REGISTRY_OWN;
    if (!strcmp(call->member, "GetChildren")) {
        SET(a->signature, "a(so)");
        size_t mark = pack_open(&a->body, 8);
        pack_ref(&a->body, own, ROOT);
        pack_close(&a->body, mark, 8);
    }
    return true;
}

static void called(line *l, const head *call, unpack args) {
    answer a = {0};
    const char *sender = own;
    answer_subject(call, args, &a);
    script.nodes[a.node < 0 ? 0 : a.node].calls[a.member]++;
    straight_calls += l->straight;
    const fault *f = find_fault(&a, l->straight);
    enum kind kind = f ? f->kind : KINDS;
    a.body.big = script.big || kind == K_BIG;
    a.idle = kind == K_LIE || kind == K_REFUSE;
    if (kind == K_EXIT) _exit(3);
    if (kind == K_CLOSE) return pack_free(&a.body), hang_up(l);
    if (!bus_path || !of_bus(call, args, &a, &sender)) answer_make(own, call, args, &a);
    if (kind == K_HANG || (call->flags & 1)) return pack_free(&a.body);
    head h = {.type = RETURN, .flags = 1, .reply_serial = call->serial};
    if (kind == K_ERROR) SET(a.error, f->text);
    if (kind == K_TYPE) retype(&a, f->text);
    if (kind == K_REFUSE) retype(&a, "b");
    if (*a.error) {
        h.type = ERROR;
        SET(h.error, a.error);
        a.body.n = 0;
        SET(a.signature, "s");
        pack_str(&a.body, "the script says so");
    }
    if (kind == K_SERIAL) h.reply_serial += (uint32_t)f->number;
    if (kind == K_CUT) a.body.n = a.body.n > (size_t)f->number ? a.body.n - (size_t)f->number : 0;
    if (kind == K_POKE) pack_poke(&a.body, (size_t)f->number, (uint32_t)f->second);
    SET(h.signature, a.signature);
    SET(h.destination, call->sender);
    if (bus_path && !l->straight) SET(h.sender, sender), SET(h.destination, ":1.7");
    h.serial = ++serial;
    pack m = {.big = a.body.big};
    pack_message(&m, &h, &a.body);
    if (kind == K_POKEHEAD) pack_poke(&m, (size_t)f->number, (uint32_t)f->second);
    if (kind == K_GARBAGE || kind == K_TAIL) {
        if (kind == K_GARBAGE) m.n = 0;
        for (long i = 0; i < f->number; i++) pack_byte(&m, (uint8_t)(i * 37 + 200));
    }
    pack_free(&a.body);
    if (kind == K_SLOW) return queue_later(l, f->number, &m);
    pack_bytes(&l->out, m.data, kind == K_HALF ? m.n / 2 : m.n);
    if (kind == K_TWICE) pack_bytes(&l->out, m.data, m.n);
    if (kind == K_HALF) flush(l, true), hang_up(l);
    pack_free(&m);
}

// As a client: the answer to a call of our own, awaited; calls that come meanwhile are served. False: the connection is gone.
static bool receive(line *l, bool block, uint32_t awaited, char *first_string, size_t room) {
    for (;;) {
        size_t size;
        while (l->fd >= 0 && (size = message_size(l->in.data, l->in.n))) {
            pack m = {0};
            pack_bytes(&m, l->in.data, size);
            memmove(l->in.data, l->in.data + size, l->in.n - size);
            l->in.n -= size;
            head h;
            unpack args;
            message_read(m.data, m.n, &h, &args);
            bool answer = awaited && h.reply_serial == awaited;
            if (answer && first_string && h.type == RETURN) set(first_string, room, unpack_str(&args));
            if (h.type == CALL) called(l, &h, args);
            pack_free(&m);
            if (answer) return h.type == RETURN;
        }
        if (l->fd < 0) return false;
        if (!block) return true;
        flush(l, true);
        uint8_t chunk[65536];
        ssize_t n = recv(l->fd, chunk, sizeof chunk, 0);
        if (n <= 0) return hang_up(l), false;
        pack_bytes(&l->in, chunk, (size_t)n);
    }
}

static int dial(const char *path, bool abstract, bool serve) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t n = strcspn(path, ",");
    if (n + 2 > sizeof to.sun_path) return -1;
    memcpy(to.sun_path + abstract, path, n);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) return -1;
    if (serve ? bind(s, (struct sockaddr *)&to, size) || listen(s, 16) : connect(s, (struct sockaddr *)&to, size)) return close(s), -1;
    return s;
}

static bool ask(const char *destination, const char *path, const char *interface, const char *member, const char *signature, pack *body, char *into, size_t room) {
    head h = {.type = CALL};
    SET(h.destination, destination);
    SET(h.path, path);
    SET(h.interface, interface);
    SET(h.member, member);
    SET(h.signature, signature);
    send_message(&h, body);
    bool good = receive(&bus, true, h.serial, into, room);
    pack_free(body);
    return good;
}

static const char *start(void) {
    if (bus_path) {
        if (bus.listener < 0) unlink(bus_path), bus.listener = dial(bus_path, false, true);
        return bus.listener < 0 ? NULL : own;
    }
    const char *path = strstr(address, "unix:path="), *abstract = strstr(address, "unix:abstract=");
    bus.fd = path ? dial(path + 10, false, false) : abstract ? dial(abstract + 14, true, false) : -1;
    if (bus.fd < 0) return NULL;
    char uid[24], hex[64] = "";
    snprintf(uid, sizeof uid, "%lu", (unsigned long)geteuid());
    for (size_t i = 0; uid[i]; i++) sprintf(hex + 2 * i, "%02x", (unsigned)uid[i]);
    char line[128];
    int n = snprintf(line, sizeof line, "%cAUTH EXTERNAL %s\r\n", 0, hex);
    char answer[256] = "";
    if (send(bus.fd, line, (size_t)n, MSG_NOSIGNAL) != n || recv(bus.fd, answer, sizeof answer - 1, 0) < 3 || strncmp(answer, "OK ", 3)) return NULL;
    if (send(bus.fd, "BEGIN\r\n", 7, MSG_NOSIGNAL) != 7) return NULL;
    pack none = {0}, ref = {0};
    if (!ask(DAEMON, "/org/freedesktop/DBus", DAEMON, "Hello", "", &none, own, sizeof own)) return NULL;
    pack_ref(&ref, own, ROOT);
    if (!ask(REGISTRY, ROOT, "org.a11y.atspi.Socket", "Embed", "(so)", &ref, NULL, 0)) return NULL;
    return own;
}

static void greet(line *l) {
    uint8_t chunk[4096];
    ssize_t n = recv(l->fd, chunk, sizeof chunk, 0);
    if (n <= 0) return hang_up(l);
    if (l->steps) {
        pack_bytes(&l->in, chunk, (size_t)n);
        // What follows "BEGIN" is messages.
        if (l->steps == 1 && l->in.n >= 7 && !memcmp(l->in.data, "BEGIN\r\n", 7)) {
            memmove(l->in.data, l->in.data + 7, l->in.n - 7);
            l->in.n -= 7;
            l->steps = 2;
        }
        if (l->steps == 2) receive(l, false, 0, NULL, 0);
        return;
    }
    if (!memchr(chunk, '\n', (size_t)n)) return;
    if (!strcmp(sasl, "close")) return hang_up(l);
    if (!strcmp(sasl, "-")) return;
    for (const char *p = sasl; *p; p++) {
        bool escape = *p == '\\' && p[1];
        if (escape) p++;
        pack_byte(&l->out, (uint8_t)(!escape ? *p : *p == 'n' ? '\n' : *p == 'r' ? '\r' : *p == '0' ? 0 : *p));
    }
    l->steps = 1;
}

static void reply(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void reply(const char *format, ...) {
    __builtin_va_list args;
    __builtin_va_start(args, format);
    vprintf(format, args);
    __builtin_va_end(args);
    putchar('\n');
    fflush(stdout);
}

static void forge(const char *to, uint32_t from, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        head h = {.type = RETURN, .flags = 1, .reply_serial = from + i};
        SET(h.destination, to);
        SET(h.signature, "a(so)");
        pack body = {0};
        size_t mark = pack_open(&body, 8);
        pack_ref(&body, own, ROOT "/forged");
        pack_close(&body, mark, 8);
        send_message(&h, &body);
        pack_free(&body);
    }
    flush(&bus, true);
}

static void forge_gone(const char *to, const char *who) {
    head h = {.type = SIGNAL, .flags = 1};
    SET(h.destination, to);
    SET(h.path, "/org/freedesktop/DBus");
    SET(h.interface, DAEMON);
    SET(h.member, "NameOwnerChanged");
    SET(h.signature, "sss");
    pack body = {0};
    pack_str(&body, who);
    pack_str(&body, who);
    pack_str(&body, "");
    send_message(&h, &body);
    pack_free(&body);
    flush(&bus, true);
}

static void command(char *text) {
    char copy[4096];
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = copy, *word = next_word(&rest), *first = next_word(&rest);
    int at = first ? node_find(first) : -1;
    if (!word) return reply("ok");
    if (!strcmp(word, "start")) {
        const char *name = start();
        if (name) reply("ok %s", name);
        else reply("error no bus there");
    } else if (!strcmp(word, "leave")) {
        hang_up(&bus);
        reply("ok");
    } else if (!strcmp(word, "own") && first) {
        pack name = {0};
        pack_str(&name, first);
        pack_u32(&name, 0);
        reply(ask(DAEMON, "/org/freedesktop/DBus", DAEMON, "RequestName", "su", &name, NULL, 0) ? "ok" : "error no such name to be had");
    } else if (!strcmp(word, "exit")) {
        _exit(0);
    } else if (!strcmp(word, "emit")) {
        char *words[7] = {first};
        for (unsigned i = 1; i < 7; i++) words[i] = next_word(&rest);
        if (!words[5]) return reply("error emit CLASS MEMBER MINOR DETAIL1 DETAIL2 ID [TEXT]");
        char path[128];
        snprintf(path, sizeof path, "/org/a11y/atspi/accessible/%s", words[5]);
        emit(words[0], words[1], words[2], atoi(words[3]), atoi(words[4]), path, words[6] ? words[6] : "");
        flush(&bus, true);
        reply("ok");
    } else if (!strcmp(word, "flood")) {
        for (long i = 0; i < (first ? atol(first) : 0); i++) {
            emit("Object", "StateChanged", "focused", (int)i, 0, ROOT, "");
            if (i % 256 == 255) flush(&bus, true);
        }
        flush(&bus, true);
        reply("ok");
    } else if (!strcmp(word, "calls")) {
        char *id = next_word(&rest);
        reply("ok %u", calls_of(first ? first : "*", id ? id : "*"));
    } else if (!strcmp(word, "forge") && first) {
        char *from = next_word(&rest), *count = next_word(&rest);
        forge(first, from ? (uint32_t)atol(from) : 1, count ? (uint32_t)atol(count) : 1);
        reply("ok");
    } else if (!strcmp(word, "gone") && first) {
        char *who = next_word(&rest);
        forge_gone(first, who ? who : "");
        reply("ok");
    } else if (!strcmp(word, "straight") && first) {
        if (straight.listener >= 0) close(straight.listener);
        hang_up(&straight);
        unlink(first);
        straight.listener = dial(first, false, true);
        snprintf(script.address, sizeof script.address, "unix:path=%s", first);
        reply(straight.listener < 0 ? "error cannot listen" : "ok");
    } else if (!strcmp(word, "straightcalls")) {
        reply("ok %u", straight_calls);
    } else if (!strcmp(word, "sasl")) {
        SET(sasl, text + 5);
        reply("ok");
    } else if (!strcmp(word, "text") && at >= 0) {
        reply("ok %s", script.nodes[at].text ? script.nodes[at].text : "");
    } else if (!strcmp(word, "value") && at >= 0) {
        reply("ok %g", script.nodes[at].value[0]);
    } else if (!strcmp(word, "states") && at >= 0) {
        reply("ok %llu", (unsigned long long)script.nodes[at].states);
    } else if (script_line(text)) {
        reply("ok");
    } else {
        reply("error %s", script_error);
    }
}

static bool read_commands(void) {
    static pack lines;
    char chunk[4096];
    ssize_t n = read(0, chunk, sizeof chunk);
    if (n <= 0) return false;
    pack_bytes(&lines, chunk, (size_t)n);
    for (uint8_t *end; lines.n && (end = memchr(lines.data, '\n', lines.n));) {
        *end = 0;
        char line[4096];
        set(line, sizeof line, (const char *)lines.data);
        size_t used = (size_t)(end - lines.data) + 1;
        memmove(lines.data, lines.data + used, lines.n - used);
        lines.n -= used;
        command(line);
    }
    return true;
}

static void attend(line *l, short events, short caller) {
    for (later *q; (q = l->queue) && q->due <= now_ms();) {
        pack_bytes(&l->out, q->bytes.data, q->bytes.n);
        l->queue = q->next;
        pack_free(&q->bytes);
        free(q);
    }
    if (caller) {
        l->fd = accept4(l->listener, NULL, NULL, SOCK_CLOEXEC);
        if (l == &bus) serial = 0;
    }
    if (!(events & (POLLIN | POLLHUP)) || l->fd < 0) return;
    if (l->listener >= 0) return greet(l);
    uint8_t chunk[65536];
    ssize_t n = recv(l->fd, chunk, sizeof chunk, 0);
    if (n <= 0) hang_up(l);
    else pack_bytes(&l->in, chunk, (size_t)n), receive(l, false, 0, NULL, 0);
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "--join")) address = argv[2];
    else if (argc == 3 && !strcmp(argv[1], "--bus")) bus_path = argv[2];
    else return fprintf(stderr, "usage: peer --join ADDRESS | --bus PATH\n"), 2;
    script_start();
    for (;;) {
        line *lines[] = {&bus, &straight};
        struct pollfd fds[5] = {{0, POLLIN, 0}};
        int timeout = -1;
        for (unsigned i = 0; i < 2; i++) {
            line *l = lines[i];
            flush(l, false);
            uint64_t now = now_ms();
            int wait = !l->queue ? -1 : l->queue->due <= now ? 0 : (int)(l->queue->due - now);
            if (wait >= 0 && (timeout < 0 || wait < timeout)) timeout = wait;
            fds[1 + 2 * i] = (struct pollfd){l->fd, (short)(POLLIN | (l->out.n ? POLLOUT : 0)), 0};
            fds[2 + 2 * i] = (struct pollfd){l->fd < 0 ? l->listener : -1, POLLIN, 0};
        }
        if (poll(fds, 5, timeout) < 0) continue;
        for (unsigned i = 0; i < 2; i++) attend(lines[i], fds[1 + 2 * i].revents, fds[2 + 2 * i].revents);
        if (fds[0].revents && !read_commands()) return 0; // whoever drives us is gone
    }
}
