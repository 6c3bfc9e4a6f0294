/* Compositors that are not there, are strange, stand still or die; cancellation and interruption. */
#define _GNU_SOURCE
#include "wl_harness.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static bool within(uint64_t since_us, uint64_t ms) { return bs_now_us() - since_us < ms * 1000 + 1000000; /* a busy machine */ }

static void not_there(void) {
    CHECK(open_fails("wayland:relative", 1000000, NULL) == BACKSTEP_E_INVALID && strstr(reply_text(), "absolute path"), "%s", reply_text());
    CHECK(open_fails("wayland:", 1000000, NULL) == BACKSTEP_E_INVALID, "%s", reply_text());
    char far[300] = "wayland:/";
    memset(far + 9, 'x', sizeof far - 10);
    CHECK(open_fails(far, 1000000, NULL) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(open_fails("wayland:/tmp/bswl-none/wayland-0", 1000000, NULL) == BACKSTEP_E_DISPLAY && strstr(reply_text(), "No such file"), "%s", reply_text());
    int fd = open("/tmp/bswl-plain-file", O_CREAT | O_WRONLY, 0600);
    close(fd);
    CHECK(open_fails("wayland:/tmp/bswl-plain-file", 1000000, NULL) == BACKSTEP_E_DISPLAY, "no socket: %s", reply_text());
    unlink("/tmp/bswl-plain-file");
}

static void strangers(void) {
    static const struct {
        int how, status;
    } kinds[] = {{NEVER_ACCEPTS, BACKSTEP_E_TIMEOUT_UNSENT}, {NEVER_ANSWERS, BACKSTEP_E_TIMEOUT_UNSENT}, {CLOSES, BACKSTEP_E_DISPLAY}, {TALKS_NONSENSE, BACKSTEP_E_DISPLAY}};
    for (unsigned i = 0; i < 4; i++) {
        strange s = strange_start(kinds[i].how);
        uint64_t start = bs_now_us();
        int status = open_fails(s.display, 300000, NULL);
        CHECK(status == kinds[i].status, "%d: %s", status, reply_text());
        CHECK(within(start, 300), "stranger %u kept us for %llu us", i, (unsigned long long)(bs_now_us() - start));
        if (kinds[i].how < CLOSES) {
            static bs_screen *_Atomic slot;
            interrupt_opening_later(&slot, 100000);
            start = bs_now_us();
            status = open_fails(s.display, 20000000, &slot);
            CHECK(status == BACKSTEP_E_DISPLAY && !slot, "interrupted: %d: %s", status, reply_text());
            CHECK(within(start, 100), "opening is interrupted at once");
        }
        strange_stop(&s);
    }
}

static void standing_still(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    kill(c.pid, SIGSTOP);
    uint64_t start = bs_now_us();
    CHECK(click(s, 10, 10) == BACKSTEP_E_TIMEOUT_UNKNOWN && within(start, 3000), "%s", reply_text());
    start = bs_now_us();
    int status = capture(s, 0, 0, 0, 0, 0);
    CHECK(status == BACKSTEP_E_TIMEOUT_UNSENT && within(start, 5000), "%d %s", status, reply_text());
    start = bs_now_us();
    CHECK(clip_read_within(s, "CLIPBOARD", "TARGETS", 200) == BACKSTEP_E_TIMEOUT_UNSENT && within(start, 200), "%s", reply_text());
    /* More than the socket and libwayland take: it waits, and does not give up the connection. */
    static char many[200001];
    memset(many, 'a', sizeof many - 1);
    start = bs_now_us();
    status = text(s, many, 500);
    CHECK(status == BACKSTEP_E_TIMEOUT_UNKNOWN && within(start, 500), "%d %s", status, reply_text());
    atomic_bool cancel = false;
    cancel_later(&cancel, 100000);
    start = bs_now_us();
    status = pointer(s, 1, 10, 10, 1, 1, 0, 0, 0, 0, 0, 5000, &cancel);
    CHECK(status == BACKSTEP_E_CANCELLED_UNKNOWN && within(start, 100), "%d %s", status, reply_text());
    for (unsigned i = 0; i < 70; i++) status = pointer(s, 1, 10, 10, 1, 1, 0, 0, 0, 0, 0, 1, NULL); /* more than may be open */
    CHECK(status == BACKSTEP_E_TIMEOUT_UNSENT || status == BACKSTEP_E_TIMEOUT_UNKNOWN, "%d %s", status, reply_text());
    kill(c.pid, SIGCONT);
    CHECK(!click(s, 10, 10), "it goes on: %s", reply_text());
    CHECK(!capture(s, 0, 0, 0, 0, 0), "%s", reply_text());
    kill(c.pid, SIGSTOP);
    interrupt_later(s, 100000);
    start = bs_now_us();
    CHECK(click(s, 10, 10) == BACKSTEP_E_DISPLAY && strstr(reply_text(), "interrupted") && within(start, 100), "%s", reply_text());
    CHECK(s->kind->pump(s) < 0 && click(s, 10, 10) == BACKSTEP_E_DISPLAY, "later ones fail, too");
    start = bs_now_us();
    end(s);
    CHECK(within(start, 0), "closing does not wait");
    kill(c.pid, SIGCONT);
    sway_stop(&c);
}

static void dying(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    CHECK(!clip_write(s, "CLIPBOARD", "UTF8_STRING", "x", 1), "%s", reply_text());
    kill_later(c.pid, SIGKILL, 150000);
    uint64_t start = bs_now_us();
    int status = pointer(s, 2, 10, 10, 1, 1, 500, 500, 3000, 0, 0, 10000, NULL);
    CHECK(status == BACKSTEP_E_DISPLAY && strstr(reply_text(), "broke") && within(start, 150), "%d %s", status, reply_text());
    CHECK(s->kind->pump(s) < 0, "the pump tells");
    CHECK(capture(s, 0, 0, 0, 0, 0) == BACKSTEP_E_DISPLAY && text(s, "a", 1000) == BACKSTEP_E_DISPLAY && clip_read_within(s, "CLIPBOARD", "TARGETS", 1000) == BACKSTEP_E_DISPLAY
            && clip_write(s, "CLIPBOARD", "UTF8_STRING", "x", 1) == BACKSTEP_E_DISPLAY, "%s", reply_text());
    end(s);
    sway_stop(&c);
}

/* Nothing stays down when an operation ends half-way, or the session does. */
static void half_way(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    observer *w = observer_start(c.display, "a", 400, 300);
    observer_clear(w);
    atomic_bool cancel = false;
    cancel_later(&cancel, 200000);
    modifiers_held = 4;
    int status = pointer(s, 2, 110, 90, 1, 1, 400, 300, 5000, 0, 0, 10000, &cancel);
    CHECK(status == BACKSTEP_E_CANCELLED_UNKNOWN, "%d %s", status, reply_text());
    CHECK(observer_awaits(w, "b110- ", 3000) && observer_awaits(w, "-ffe9/", 3000), "\"%s\"", observer_log(w));
    CHECK(observer_awaits_modifiers(w, 0, 3000), "Alt is no longer in the modifiers");
    observer_clear(w);
    status = pointer(s, 2, 110, 90, 1, 1, 400, 300, 5000, 0, 0, 200, NULL);
    CHECK(status == BACKSTEP_E_TIMEOUT_UNKNOWN, "%d %s", status, reply_text());
    CHECK(observer_awaits(w, "b110- ", 3000) && observer_awaits(w, "-ffe9/", 3000), "\"%s\"", observer_log(w));
    modifiers_held = 0;
    observer_clear(w);
    bs_wl *own = (bs_wl *)s;
    bs_screen *other = open_or_die(c.display); /* keeps the seat's devices */
    bs_wl_key(own, 30, true);
    bs_wl_button(own, 0x110, true);
    end(s);
    CHECK(observer_awaits(w, "b110- ", 3000) && observer_awaits(w, "-61/", 3000), "closed with both down: \"%s\"", observer_log(w));
    observer_stop(w);
    end(other);
    sway_stop(&c);
}

void test_failures(void) {
    not_there();
    strangers();
    standing_still();
    dying();
    half_way();
}
