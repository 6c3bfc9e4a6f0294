#define _GNU_SOURCE
#include "wl_harness.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 64999 /* sway does not run as root */

static void become_sway(const char *folder, unsigned outputs) {
    char config[128], run[128], many[32], path[4096];
    const char *search = getenv("PATH");
    snprintf(path, sizeof path, "PATH=%s", search ? search : "/usr/bin:/bin");
    snprintf(config, sizeof config, "%s/config", folder);
    snprintf(run, sizeof run, "XDG_RUNTIME_DIR=%s", folder);
    snprintf(many, sizeof many, "WLR_HEADLESS_OUTPUTS=%u", outputs);
    char *environment[] = {path, run, many, "WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman", "LANG=C.UTF-8", NULL};
    if (geteuid() == 0 && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))) _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    if (!freopen("/dev/null", "w", stdout) || !freopen(getenv("SWAY_LOG") ? getenv("SWAY_LOG") : "/dev/null", "w", stderr)) _exit(126);
    execvpe("sway", (char *[]){"sway", "-c", config, NULL}, environment);
    _exit(127);
}

static bool listens(const char *path) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool reached = fd >= 0 && !connect(fd, (struct sockaddr *)&a, sizeof a);
    if (fd >= 0) close(fd);
    return reached;
}

compositor sway_start(unsigned outputs, const char *more) {
    compositor c = {.folder = "/tmp/bswl.XXXXXX"};
    char path[128];
    if (!mkdtemp(c.folder)) abort();
    snprintf(path, sizeof path, "%s/config", c.folder);
    FILE *f = fopen(path, "w");
    if (!f) abort();
    fprintf(f, "xwayland disable\noutput HEADLESS-1 mode 1280x800\ndefault_floating_border none\nfocus_follows_mouse no\n"
        "for_window [app_id=\".*\"] floating enable, move absolute position 100 80\n%s\n", more);
    fclose(f);
    if (geteuid() == 0 && (chown(path, NOBODY, NOBODY) || chown(c.folder, NOBODY, NOBODY))) abort();
    c.pid = fork();
    if (!c.pid) become_sway(c.folder, outputs);
    snprintf(c.display, sizeof c.display, BS_WAYLAND "%s/wayland-1", c.folder);
    for (uint64_t until = bs_now_us() + 20000000; !listens(c.display + sizeof BS_WAYLAND - 1); poll(NULL, 0, 5)) {
        if (bs_now_us() < until && !waitpid(c.pid, NULL, WNOHANG)) continue;
        fprintf(stderr, "sway did not start\n");
        exit(2);
    }
    return c;
}

void sway_stop(compositor *c) {
    char path[128];
    kill(c->pid, SIGKILL);
    waitpid(c->pid, NULL, 0);
    const char *const files[] = {"config", "wayland-1", "wayland-1.lock"};
    for (unsigned i = 0; i < 3; i++) snprintf(path, sizeof path, "%s/%s", c->folder, files[i]), unlink(path);
    snprintf(path, sizeof path, "%s/sway-ipc.%d.%d.sock", c->folder, geteuid() ? (int)geteuid() : NOBODY, c->pid);
    unlink(path);
    if (rmdir(c->folder)) fprintf(stderr, "%s is left: %s\n", c->folder, strerror(errno));
}

strange strange_start(int how) {
    strange s = {.path = "/tmp/bswl-strange.XXXXXX"};
    int unique = mkstemp(s.path);
    if (unique < 0) abort();
    close(unique);
    unlink(s.path);
    snprintf(s.display, sizeof s.display, BS_WAYLAND "%s", s.path);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", s.path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, how == NEVER_ACCEPTS ? 0 : 8)) abort();
    s.pid = fork();
    if (!s.pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int held = -1;
        if (how == NEVER_ACCEPTS) held = socket(AF_UNIX, SOCK_STREAM, 0), connect(held, (struct sockaddr *)&a, sizeof a); /* the backlog is full */
        while (how != NEVER_ACCEPTS) {
            int one = accept(fd, NULL, NULL);
            const uint32_t nonsense[2] = {1, 8u << 16 | 55}; /* an event of the display that there is none of */
            if (how == TALKS_NONSENSE && write(one, nonsense, sizeof nonsense) < 0) _exit(1);
            if (how == CLOSES) close(one);
        }
        pause();
        _exit(held);
    }
    close(fd);
    poll(NULL, 0, 50); /* until the backlog is full */
    return s;
}

void strange_stop(strange *s) {
    kill(s->pid, SIGKILL);
    waitpid(s->pid, NULL, 0);
    unlink(s->path);
}

bs_screen *open_or_die(const char *display) {
    return open_kind_or_die(&bs_screen_wl, display);
}

int open_fails(const char *display, uint64_t within_us, bs_screen *_Atomic *slot) {
    bs_screen *_Atomic own = NULL;
    int status = 0;
    bs_screen *s = bs_screen_wl.open(display, bs_now_us() + within_us, &status, cleared_reply(), slot ? slot : &own);
    CHECK(!s && !own, "%s opens", display);
    if (s) end(s);
    return status;
}

int click(bs_screen *s, int32_t x, int32_t y) { return pointer(s, 1, x, y, 1, 1, 0, 0, 0, 0, 0, 3000, NULL); }

int capture(bs_screen *s, uint32_t what, int32_t x, int32_t y, int32_t w, int32_t h) {
    return capture_within(s, what, 0, x, y, w, h, 5000);
}

uint32_t pixel(uint32_t x, uint32_t y) {
    const uint8_t *data = reply_data();
    size_t at = 16 + ((size_t)y * reply_u32(0) + x) * 4;
    if (at + 4 > reply_size() || data[at + 3] != 255) return 0xdead0000;
    return (uint32_t)data[at] << 16 | (uint32_t)data[at + 1] << 8 | data[at + 2];
}
