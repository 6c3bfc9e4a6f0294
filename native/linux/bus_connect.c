#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bus.h"

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Undoes the %xx escapes of an address value: its length, or -1.
static int unescape(const char *from, size_t n, char *into, size_t room) {
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        if (length == room) return -1;
        if (from[i] != '%') {
            into[length++] = from[i];
            continue;
        }
        if (i + 2 >= n || hex(from[i + 1]) < 0 || hex(from[i + 2]) < 0) return -1;
        into[length++] = (char)(hex(from[i + 1]) * 16 + hex(from[i + 2]));
        i += 2;
    }
    return (int)length;
}

// The value of one key of "key=value,key=value".
static bool value_of(bs_str entry, const char *key, bs_str *value) {
    size_t width = strlen(key);
    const char *at = entry.text, *end = entry.text + entry.length;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        if ((size_t)(stop - at) > width && !memcmp(at, key, width) && at[width] == '=') {
            *value = (bs_str){at + width + 1, (uint32_t)(stop - at - (ptrdiff_t)width - 1)};
            return true;
        }
        at = comma ? comma + 1 : end;
    }
    return false;
}

static int dial_unix(bs_str entry) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    bs_str value;
    size_t skip = 0; // an abstract name starts after a NUL
    if (value_of(entry, "abstract", &value)) skip = 1;
    else if (!value_of(entry, "path", &value)) return errno = EINVAL, -1;
    int n = unescape(value.text, value.length, to.sun_path + skip, sizeof to.sun_path - 1 - skip);
    if (n <= 0) return errno = ENAMETOOLONG, -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + skip + (size_t)n + (skip ? 0 : 1));
    // A local connect succeeds or fails at once; EAGAIN means a full backlog, which counts as a failure.
    if (connect(fd, (struct sockaddr *)&to, size)) {
        int why = errno;
        close(fd);
        return errno = why, -1;
    }
    return fd;
}

bool bs_bus_is_of(int fd, uint32_t pid) {
    struct ucred who;
    socklen_t size = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) || size != sizeof who) return false;
    return pid && who.pid > 0 && (uint32_t)who.pid == pid && who.uid == geteuid();
}

int bs_bus_dial(bs_str address, bs_buf *why) {
    const char *at = address.text, *end = address.text + address.length;
    int last = EINVAL;
    while (at < end) {
        const char *semicolon = memchr(at, ';', (size_t)(end - at));
        const char *stop = semicolon ? semicolon : end;
        if (stop - at > 5 && !memcmp(at, "unix:", 5)) {
            int fd = dial_unix((bs_str){at + 5, (uint32_t)(stop - at - 5)});
            if (fd >= 0) return fd;
            last = errno;
        }
        at = semicolon ? semicolon + 1 : end;
    }
    bs_put_format(why, "Cannot connect to the bus at \"%.*s\": %s", (int)(address.length < 200 ? address.length : 200), address.text,
                  last == EINVAL ? "only unix:path= and unix:abstract= addresses are supported" : strerror(last));
    return -1;
}
