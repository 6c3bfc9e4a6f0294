/* A compositor that speaks the wire format well, and tells what none should: sizes, names, places, types and offers as a test wants them. */
#define _GNU_SOURCE
#include "wl_harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { NOTHING, DISPLAY, REGISTRY, SEAT, SHM, POOL, OUTPUT, XDG_OUTPUTS, XDG_OUTPUT, POINTERS, KEYBOARDS, KEYBOARD, COPIES, FRAME, DATA, DEVICE, OFFER };

#define OBJECTS 4096u
#define OFFERED 0xff000000u /* objects that a compositor makes are numbered from here on */
#define FIRST_OUTPUT 100u   /* in the registry */

typedef struct served {
    const hostile *h;
    int fd;
    uint8_t kind[OBJECTS], in[1 << 16];
    size_t held;
    int files[64];
    unsigned n_files, syncs;
    uint32_t device;
} served;

static void put(served *s, const void *bytes, size_t n) {
    for (size_t at = 0; at < n;) {
        ssize_t sent = send(s->fd, (const uint8_t *)bytes + at, n - at, MSG_NOSIGNAL);
        if (sent <= 0) _exit(0); /* the client has gone */
        at += (size_t)sent;
    }
}

static void tell(served *s, uint32_t object, uint32_t event, unsigned n, const uint32_t *words) {
    uint32_t head[2] = {object, (8 + 4 * n) << 16 | event};
    put(s, head, sizeof head);
    if (n) put(s, words, 4 * (size_t)n);
}

/* `n` bytes of text between words before and after it; its length counts the NUL. */
static void tell_text(served *s, uint32_t object, uint32_t event, unsigned before, const uint32_t *first, const char *text, size_t n, unsigned after, const uint32_t *last) {
    uint32_t words[1024] = {0};
    unsigned at = before;
    if (before) memcpy(words, first, 4 * (size_t)before);
    words[at++] = (uint32_t)n + 1;
    memcpy(words + at, text, n);
    at += (unsigned)(n + 4) / 4;
    if (after) memcpy(words + at, last, 4 * (size_t)after);
    tell(s, object, event, at + after, words);
}

static void tell_globals(served *s, uint32_t registry) {
    static const struct {
        const char *name;
        uint32_t version;
    } all[] = {{"wl_seat", 1}, {"wl_shm", 1}, {"zxdg_output_manager_v1", 3}, {"zwlr_virtual_pointer_manager_v1", 1}, {"zwp_virtual_keyboard_manager_v1", 1},
        {"zwlr_screencopy_manager_v1", 3}, {"zwlr_data_control_manager_v1", 2}};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) tell_text(s, registry, 0, 1, &(uint32_t){i + 1}, all[i].name, strlen(all[i].name), 1, &all[i].version);
    for (uint32_t i = 0; i < s->h->outputs; i++) tell_text(s, registry, 0, 1, &(uint32_t){FIRST_OUTPUT + i}, "wl_output", 9, 1, &(uint32_t){2});
}

static void tell_output(served *s, uint32_t id, uint32_t global) {
    const hostile *h = s->h;
    uint32_t number = global - FIRST_OUTPUT, nowhere[] = {(uint32_t)h->x + number * (uint32_t)h->apart, (uint32_t)h->y, 0, 0, 0, 0, 0, (uint32_t)h->transform};
    uint32_t words[] = {nowhere[0], nowhere[1], 0, 0, 0, 1, 0, 1, 0, nowhere[7]}; /* two empty names */
    tell(s, id, WL_OUTPUT_GEOMETRY, 10, words);
    tell(s, id, WL_OUTPUT_MODE, 4, (uint32_t[]){1, (uint32_t)h->width, (uint32_t)h->height, 60000});
    tell(s, id, WL_OUTPUT_SCALE, 1, (uint32_t[]){(uint32_t)h->scale});
    tell(s, id, WL_OUTPUT_DONE, 0, NULL);
}

static void tell_clipboard(served *s, uint32_t device) {
    const hostile *h = s->h;
    char type[2001];
    s->device = device;
    for (uint32_t offer = 0; offer < h->offers; offer++) {
        tell(s, device, DATA_DEVICE_OFFER, 1, (uint32_t[]){OFFERED + offer});
        tell_text(s, OFFERED + offer, DATA_OFFER_OFFER, 0, NULL, "\xff\xfe", 2, 0, NULL);
        tell_text(s, OFFERED + offer, DATA_OFFER_OFFER, 0, NULL, "", 0, 0, NULL);
        memset(type, 'x', sizeof type);
        tell_text(s, OFFERED + offer, DATA_OFFER_OFFER, 0, NULL, type, sizeof type - 1, 0, NULL);
        for (unsigned i = 0; i < h->types; i++) {
            int n = snprintf(type, sizeof type, "type/%u", i / 2); /* each twice */
            tell_text(s, OFFERED + offer, DATA_OFFER_OFFER, 0, NULL, type, (size_t)n, 0, NULL);
        }
        if (!h->unselected) tell(s, device, offer % 2 ? DATA_DEVICE_PRIMARY : DATA_DEVICE_SELECTION, 1, (uint32_t[]){OFFERED + offer});
    }
}

/* Content without an end. The client closes its pipe when it has had enough. */
static void flood(int fd) {
    static uint8_t bytes[1 << 16];
    while (write(fd, bytes, sizeof bytes) > 0) {}
}

static int file(served *s) {
    if (!s->n_files) _exit(3);
    int first = s->files[0];
    memmove(s->files, s->files + 1, --s->n_files * sizeof *s->files);
    return first;
}

static void tell_frame(served *s, uint32_t frame) {
    s->kind[frame] = FRAME;
    if (!s->h->untold) tell(s, frame, COPY_FRAME_BUFFER, 4, s->h->picture);
    if (s->h->ready_early) tell(s, frame, COPY_FRAME_READY, 3, (uint32_t[]){0, 0, 0});
    tell(s, frame, COPY_FRAME_BUFFER_DONE, 0, NULL);
}

static void bind_global(served *s, uint32_t global, uint32_t id) {
    static const uint8_t kinds[] = {NOTHING, SEAT, SHM, XDG_OUTPUTS, POINTERS, KEYBOARDS, COPIES, DATA};
    s->kind[id] = global >= FIRST_OUTPUT ? OUTPUT : kinds[global];
    if (global >= FIRST_OUTPUT) tell_output(s, id, global);
}

static void answer_sync(served *s, uint32_t callback) {
    if (++s->syncs == s->h->raw_at) put(s, s->h->raw, s->h->raw_size);
    if (s->h->finishes && s->device && s->syncs > 2) {
        tell(s, s->device, DATA_DEVICE_FINISHED, 0, NULL);
        s->device = 0;
    }
    tell(s, callback, 0, 1, (uint32_t[]){0});
}

static void handle(served *s, uint32_t object, uint32_t request, const uint32_t *a, size_t words) {
    uint8_t kind = object >= OFFERED ? OFFER : object < OBJECTS ? s->kind[object] : NOTHING;
    uint32_t made = words && a[0] < OBJECTS ? a[0] : 0;
    if (kind == DISPLAY && request == WL_DISPLAY_SYNC) answer_sync(s, a[0]);
    if (kind == DISPLAY && request == WL_DISPLAY_GET_REGISTRY) s->kind[made] = REGISTRY, tell_globals(s, made);
    if (kind == REGISTRY && words > 4) bind_global(s, a[0], a[words - 1] % OBJECTS);
    if (kind == XDG_OUTPUTS && request == XDG_OUTPUT_MANAGER_GET) {
        if (s->h->logical[2]) tell(s, made, XDG_OUTPUT_POSITION, 2, s->h->logical), tell(s, made, XDG_OUTPUT_SIZE, 2, s->h->logical + 2);
    }
    if (kind == KEYBOARDS && words > 1) s->kind[a[1] % OBJECTS] = KEYBOARD;
    if (kind == KEYBOARD && request == KEYBOARD_KEYMAP) close(file(s));
    if (kind == SHM && request == WL_SHM_CREATE_POOL) s->kind[made] = POOL, close(file(s));
    if (kind == COPIES && request <= COPY_REGION) tell_frame(s, made);
    if (kind == FRAME && request == COPY_FRAME_COPY) {
        tell(s, object, COPY_FRAME_FLAGS, 1, &s->h->flags);
        tell(s, object, COPY_FRAME_BUFFER, 4, (uint32_t[]){1, UINT32_MAX, UINT32_MAX, UINT32_MAX}); /* too late to say so */
        tell(s, object, COPY_FRAME_READY, 3, (uint32_t[]){0, 0, 0});
    }
    if (kind == DATA && request == DATA_GET_DEVICE) s->kind[made] = DEVICE, tell_clipboard(s, made);
    if (kind == OFFER && request == DATA_OFFER_RECEIVE) {
        int to = file(s);
        flood(to);
        close(to);
    }
}

static bool receive(served *s) {
    char control[CMSG_SPACE(28 * sizeof(int))];
    struct iovec v = {s->in + s->held, sizeof s->in - s->held};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(s->fd, &m, MSG_CMSG_CLOEXEC);
    if (n <= 0) return false;
    s->held += (size_t)n;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int) && s->n_files < 64; i++) memcpy(&s->files[s->n_files++], CMSG_DATA(c) + i * sizeof(int), sizeof(int));
    }
    return true;
}

static void serve(const hostile *h, int fd) {
    static served s;
    s = (served){.h = h, .fd = fd};
    s.kind[1] = DISPLAY;
    while (receive(&s)) {
        size_t used = 0;
        for (uint32_t head[2]; s.held - used >= 8; used += head[1] >> 16) {
            memcpy(head, s.in + used, 8);
            if (s.held - used < head[1] >> 16) break;
            uint32_t words[1024];
            size_t n = (head[1] >> 18) - 2;
            if (n > 1024) _exit(4);
            memcpy(words, s.in + used + 8, n * 4);
            handle(&s, head[0], head[1] & 0xffff, words, n);
        }
        memmove(s.in, s.in + used, s.held -= used);
    }
    close(fd);
}

strange hostile_start(const hostile *h) {
    strange s = {.path = "/tmp/bswl-hostile.XXXXXX"};
    int unique = mkstemp(s.path);
    if (unique < 0) abort();
    close(unique);
    unlink(s.path);
    snprintf(s.display, sizeof s.display, BS_WAYLAND "%s", s.path);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", s.path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 8)) abort();
    s.pid = fork();
    if (!s.pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_IGN);
        for (int one; (one = accept(fd, NULL, NULL)) >= 0;) serve(h, one);
        _exit(0);
    }
    close(fd);
    return s;
}
