/* From the name of a display to a connected socket and the cookie that opens it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dup3 */
#endif
#include "x11_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { FAMILY_LOCAL = 256, FAMILY_WILD = 65535, FAMILY_IPV4 = 0, FAMILY_IPV6 = 6 };

/* ":N", ":N.S", "unix:N", "host:N.S", "[v6]:N" */
static bool parse(const char *display, char host[256], unsigned *number, int *screen) {
    const char *colon = strrchr(display, ':');
    if (!colon || colon - display > 250) return false;
    const char *from = display, *to = colon;
    if (to - from >= 2 && *from == '[' && to[-1] == ']') from++, to--;
    memcpy(host, from, (size_t)(to - from));
    host[to - from] = 0;
    if (!strcmp(host, "unix") || !strcmp(host, "localhost/unix")) host[0] = 0;
    char *end;
    if (colon[1] < '0' || colon[1] > '9') return false;
    unsigned long n = strtoul(colon + 1, &end, 10), s = 0;
    if (*end == '.') {
        if (end[1] < '0' || end[1] > '9') return false;
        s = strtoul(end + 1, &end, 10);
    }
    if (*end || n > 59535 || s > 255) return false;
    *number = (unsigned)n;
    *screen = (int)s;
    return true;
}

/* Publishes the socket, so that the caller can interrupt what follows. */
static bool publish(bs_x11 *x, int fd, bs_screen *_Atomic *slot) {
    if (x->control >= 0) return dup3(fd, x->control, O_CLOEXEC) >= 0;
    x->control = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (x->control >= 0 && slot) atomic_store(slot, &x->base);
    return x->control >= 0;
}

/* 0, or the errno. A full backlog of a local socket answers EAGAIN at once, hence the pause; a slot is a wait of 20 ms at most. */
static int reach(bs_x11 *x, int fd, const struct sockaddr *to, socklen_t length) {
    int error = connect(fd, to, length) < 0 ? errno : 0;
    while (error == EAGAIN || error == EINPROGRESS || error == EINTR || error == EALREADY) {
        if (atomic_load(&x->interrupted)) return ECANCELED;
        if (bs_now_us() >= x->base.deadline_us) return ETIMEDOUT;
        struct pollfd p = {.fd = fd, .events = POLLOUT};
        if (to->sa_family == AF_UNIX) {
            poll(NULL, 0, 5);
            error = connect(fd, to, length) < 0 ? errno : 0;
        } else if (poll(&p, 1, 20) > 0) {
            socklen_t size = sizeof error;
            if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) error = errno;
        }
    }
    return error == EISCONN ? 0 : error;
}

static int connect_local(bs_x11 *x, unsigned number, bs_screen *_Atomic *slot, int *error) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || !publish(x, fd, slot)) {
        *error = errno;
        if (fd >= 0) close(fd);
        return -1;
    }
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    int n = snprintf(a.sun_path, sizeof a.sun_path, "/tmp/.X11-unix/X%u", number);
    *error = reach(x, fd, (struct sockaddr *)&a, (socklen_t)sizeof a);
    if (*error == ENOENT || *error == ECONNREFUSED) { /* some servers listen in the abstract namespace alone */
        memmove(a.sun_path + 1, a.sun_path, (size_t)n);
        a.sun_path[0] = 0;
        int second = reach(x, fd, (struct sockaddr *)&a, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n));
        if (!second || second == ECANCELED || second == ETIMEDOUT) *error = second;
    }
    if (!*error) return fd;
    close(fd);
    return -1;
}

static int connect_remote(bs_x11 *x, const char *host, unsigned number, bs_screen *_Atomic *slot, int *error, struct sockaddr_storage *peer) {
    char port[16];
    snprintf(port, sizeof port, "%u", 6000 + number);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    *error = ENOENT;
    if (getaddrinfo(host, port, &hints, &list)) return -1; /* bounded by the resolver's own time-out alone */
    int fd = -1;
    for (struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0) {
            *error = errno;
            continue;
        }
        *error = publish(x, fd, slot) ? reach(x, fd, a->ai_addr, a->ai_addrlen) : errno;
        if (*error) {
            close(fd);
            fd = -1;
            if (*error == ECANCELED || *error == ETIMEDOUT) break;
        } else {
            int on = 1;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            memcpy(peer, a->ai_addr, a->ai_addrlen);
        }
    }
    freeaddrinfo(list);
    return fd;
}

static bool field(FILE *f, uint8_t *data, size_t cap, size_t *length) {
    int high = fgetc(f), low = fgetc(f);
    if (high < 0 || low < 0) return false;
    size_t n = (size_t)high << 8 | (size_t)low;
    *length = n;
    for (size_t i = 0; i < n; i++) {
        int c = fgetc(f);
        if (c < 0) return false;
        if (i < cap) data[i] = (uint8_t)c;
    }
    return true;
}

static bool equal(const uint8_t *a, size_t n, const void *b, size_t m) {
    return n == m && !memcmp(a, b, n);
}

/* The best entry of the file given, else of $XAUTHORITY or ~/.Xauthority: an exact address and number before wildcards. */
static void find_cookie(const char *file, const struct sockaddr_storage *peer, unsigned number, bs_cookie *cookie) {
    char path[4096], name[256] = "", digits[16];
    const char *home = getenv("HOME");
    if (!file) file = getenv("XAUTHORITY");
    if (!file || !*file) {
        if (!home || snprintf(path, sizeof path, "%s/.Xauthority", home) >= (int)sizeof path) return;
        file = path;
    }
    FILE *f = fopen(file, "re");
    if (!f) return;
    gethostname(name, sizeof name - 1);
    snprintf(digits, sizeof digits, "%u", number);
    const void *address = name;
    size_t length = strlen(name);
    int family = FAMILY_LOCAL;
    if (peer->ss_family == AF_INET) {
        const struct sockaddr_in *a = (const void *)peer;
        if (ntohl(a->sin_addr.s_addr) >> 24 != 127) family = FAMILY_IPV4, address = &a->sin_addr, length = 4;
    } else if (peer->ss_family == AF_INET6) {
        const struct sockaddr_in6 *a = (const void *)peer;
        if (!IN6_IS_ADDR_LOOPBACK(&a->sin6_addr)) family = FAMILY_IPV6, address = &a->sin6_addr, length = 16;
    }
    static const char protocol[] = "MIT-MAGIC-COOKIE-1";
    int best = 0, high, low;
    while ((high = fgetc(f)) >= 0 && (low = fgetc(f)) >= 0) {
        uint8_t where[256], which[16], kind[32], data[sizeof cookie->data];
        size_t a, b, c, d;
        if (!field(f, where, sizeof where, &a) || !field(f, which, sizeof which, &b) || !field(f, kind, sizeof kind, &c) || !field(f, data, sizeof data, &d)) break;
        if (a > sizeof where || b > sizeof which || d > sizeof data || !equal(kind, c, protocol, sizeof protocol - 1)) continue;
        int entry = high << 8 | low, score = 1;
        if (entry == family && equal(where, a, address, length)) score += 2;
        else if (entry != FAMILY_WILD) continue;
        if (b && equal(which, b, digits, strlen(digits))) score += 1;
        else if (b) continue;
        if (score > best) {
            best = score;
            memcpy(cookie->data, data, d);
            cookie->length = (unsigned)d;
        }
    }
    fclose(f);
}

int bs_x11_connect(bs_x11 *x, const char *where, bs_screen *_Atomic *slot, int *screen, bs_cookie *cookie, int *status) {
    char host[256], display[320];
    const char *space = strchr(where, ' ');
    size_t length = space ? (size_t)(space - where) : strlen(where);
    if (length >= sizeof display) length = sizeof display - 1; /* too long for any display: parse refuses it */
    memcpy(display, where, length);
    display[length] = 0;
    unsigned number;
    struct sockaddr_storage peer = {.ss_family = AF_UNIX};
    if (!parse(display, host, &number, screen)) {
        *status = bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "\"%.80s\" is not the name of a display, such as \":0\"", display);
        return -1;
    }
    int error, fd = *host ? connect_remote(x, host, number, slot, &error, &peer) : connect_local(x, number, slot, &error);
    if (fd >= 0 && atomic_load(&x->interrupted)) {
        close(fd);
        fd = -1;
        error = ECANCELED;
    }
    if (fd < 0) {
        *status = error == ETIMEDOUT ? BACKSTEP_E_TIMEOUT_UNSENT : BACKSTEP_E_DISPLAY;
        const char *why = *host && error == ENOENT ? "the host name is unknown" : error == ECANCELED ? "interrupted" : NULL;
        if (!why) why = strerror(error);
        bs_screen_explain(&x->base, *status, "cannot connect to the display %.80s: %s", display, why);
        return -1;
    }
    find_cookie(space ? space + 1 : NULL, &peer, number, cookie);
    return fd;
}
