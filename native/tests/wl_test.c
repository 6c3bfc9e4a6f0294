/* The Wayland half on a real headless sway: what runs, and what is left behind by who dies. */
#define _GNU_SOURCE
#include "wl_harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *only = "";
static unsigned rounds = 1;

static void test(const char *name, void (*body)(void)) {
    if (!strstr(name, only)) return;
    printf("%s\n", name);
    fflush(stdout);
    for (unsigned i = 0; i < rounds; i++) body();
}

void *__wrap_dlopen(const char *file, int flags);
void *__real_dlopen(const char *file, int flags);
static bool without_libwayland;

void *__wrap_dlopen(const char *file, int flags) {
    return without_libwayland && file && strstr(file, "wayland") ? NULL : __real_dlopen(file, flags);
}

/* The first test: what is loaded stays. */
static void test_missing(void) {
    without_libwayland = true;
    CHECK(open_fails("wayland:/tmp/bswl-none/wayland-0", 1000000, NULL) == BACKSTEP_E_DISPLAY && strstr(reply_text(), "Debian: libwayland-client0"), "%s", reply_text());
    without_libwayland = false;
    CHECK(open_fails("wayland:/tmp/bswl-none/wayland-0", 1000000, NULL) == BACKSTEP_E_DISPLAY && strstr(reply_text(), "No such file"), "installed meanwhile: %s", reply_text());
}

/* Whoever dies with keys down: the compositor lets go of them. */
static void test_death(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display); /* the seat keeps its keyboard, so that the focus stays */
    observer *w = observer_start(c.display, "a", 400, 300);
    observer_clear(w);
    pid_t child = fork();
    if (!child) {
        bs_wl *own = (bs_wl *)open_or_die(c.display);
        own->base.deadline_us = bs_now_us() + 5000000;
        bs_wl_key(own, 42, true);
        bs_wl_modifiers(own, BS_WL_SHIFT, 0);
        bs_wl_key(own, 30, true);
        bs_wl_sync(own);
        pause();
        _exit(0);
    }
    CHECK(observer_awaits(w, "+41/1 ", 5000), "\"%s\"", observer_log(w));
    kill(child, SIGKILL);
    uint64_t start = bs_now_us();
    waitpid(child, NULL, 0);
    CHECK(observer_awaits(w, "-41/1 ", 3000) || observer_awaits(w, "blur ", 10), "the key is let go of: \"%s\"", observer_log(w));
    CHECK(observer_awaits(w, "-ffe1/", 3000) || observer_awaits(w, "blur ", 10), "Shift is let go of: \"%s\"", observer_log(w));
    printf("  let go %.1f ms after the death: %s\n", (double)(bs_now_us() - start) / 1000, observer_log(w));
    observer_clear(w);
    CHECK(!text(s, "a", 3000) && observer_types(w, "a", 3000), "\"%s\" with modifiers of the dead: \"%s\"", observer_typed(w), observer_log(w));
    observer_stop(w);
    end(s);
    sway_stop(&c);
}

/* And in the middle of a drag: the watcher lets go of the button. */
static void test_death_in_a_drag(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    observer *w = observer_start(c.display, "a", 400, 300);
    for (unsigned i = 0; i < 3; i++) {
        observer_clear(w);
        pid_t child = fork();
        if (!child) {
            modifiers_held = 1;
            bs_screen *own = open_or_die(c.display);
            pointer(own, 2, 150, 200, 1 + (int32_t)i, 1, 350, 300, 8000, 0, 0, 10000, NULL);
            _exit(0);
        }
        const char *const told[3][2] = {{"b110+ ", "b110- "}, {"b112+ ", "b112- "}, {"b111+ ", "b111- "}};
        CHECK(observer_awaits(w, told[i][0], 5000), "\"%s\"", observer_log(w));
        kill(child, SIGKILL);
        uint64_t start = bs_now_us();
        waitpid(child, NULL, 0);
        CHECK(observer_awaits(w, told[i][1], 5000), "the button is let go of: \"%s\"", observer_log(w));
        printf("  button %u: let go %.1f ms after the death\n", i + 1, (double)(bs_now_us() - start) / 1000);
        observer_clear(w);
        CHECK(!click(s, 200, 200) && observer_awaits(w, "b110+ b110- ", 3000), "clicks go on: \"%s\"", observer_log(w));
    }
    observer_stop(w);
    end(s);
    sway_stop(&c);
}

static void test_unsupported(void) {
    compositor c = sway_start(1, "");
    bs_screen *s = open_or_die(c.display);
    static const uint32_t ops[] = {BACKSTEP_OP_WINDOWS, BACKSTEP_OP_WINDOW, BACKSTEP_OP_HOLDERS, BACKSTEP_OP_DRAWN, BACKSTEP_OP_WATCH_INPUT};
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
        bs_buf q = {0};
        CHECK(run(s, ops[i], &q, 1000, NULL) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "Wayland does not tell"), "%u: %s", ops[i], reply_text());
    }
    bs_buf q = {0};
    CHECK(run(s, 99, &q, 1000, NULL) == BACKSTEP_E_INVALID, "%s", reply_text());
    CHECK(!run(s, BACKSTEP_OP_RELEASE, &q, 1000, NULL) && reply_u32(0) == 0, "%s", reply_text());
    int status = 0;
    bs_buf message = {0};
    bs_wl *bare = bs_wl_open(c.display, bs_now_us() + 5000000, &status, &message, NULL, 0); /* as where the compositor lacks the protocols */
    bs_buf_free(&message);
    bare->devices = BS_WL_POINTER | BS_WL_KEYBOARD; /* as if they had been asked for */
    CHECK(text(&bare->base, "a", 1000) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "zwp_virtual_keyboard_manager_v1"), "%s", reply_text());
    CHECK(chord(&bare->base, 1, (const uint32_t[]){'a'}) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "zwp_virtual_keyboard_manager_v1"), "%s", reply_text());
    CHECK(click(&bare->base, 1, 1) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "zwlr_virtual_pointer_manager_v1"), "%s", reply_text());
    CHECK(clip_read_within(&bare->base, "CLIPBOARD", "TARGETS", 1000) == BACKSTEP_E_UNSUPPORTED && strstr(reply_text(), "data_control"), "%s", reply_text());
    CHECK(!run(&bare->base, BACKSTEP_OP_RELEASE, &q, 1000, NULL), "%s", reply_text());
    end(&bare->base);
    for (uint32_t op = BACKSTEP_OP_TEXT; op <= BACKSTEP_OP_CLIP_RESTORE; op++) { /* cut short, and too long */
        for (unsigned n = 0; n < 12; n++) {
            bs_buf bad = {0};
            for (unsigned i = 0; i < n * 3; i++) bs_put_u8(&bad, (uint8_t)(0x70 + i));
            status = run(s, op, &bad, 1000, NULL);
            CHECK(status < 0 || (op == BACKSTEP_OP_RELEASE && n == 0), "operation %u took %u bytes", op, n * 3);
        }
    }
    end(s);
    sway_stop(&c);
}

void bench(void); /* wl_bench.c */

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* blocked on a session's display thread */
    if (argc > 1 && !strcmp(argv[1], "bench")) {
        bench();
        return 0;
    }
    if (argc > 1) only = argv[1];
    if (argc > 2) rounds = (unsigned)atoi(argv[2]);
    if (!*only) test("missing", test_missing);
    test("pointer", test_pointer);
    test("chord", test_chord);
    test("text", test_text);
    test("outputs", test_outputs);
    test("origin", test_origin);
    test("death", test_death);
    test("drag death", test_death_in_a_drag);
    test("unsupported", test_unsupported);
    test("pictures", test_pictures);
    test("clip", test_clip);
    test("failures", test_failures);
    test("hostile", test_hostile);
    test("live", test_live);
    test("without devices", test_without);
    forget_reply();
    printf("wayland: %u checks, %u failed\n", checks, failures);
    return failures ? 1 : 0;
}
