/* The whole of it, through the public header: a session that is connected to a compositor alone. */
#include "wl_harness.h"

#include <string.h>

static uint64_t session;

/* Submits, awaits the completion, takes the reply: its status. */
static int call(uint32_t op, bs_buf *request, bs_buf *answer) {
    int64_t ticket = backstep_submit(session, op, request->data, (uint32_t)request->length, 5000);
    bs_buf_free(request);
    bs_buf_clear(answer);
    CHECK(ticket > 0, "submitted: %lld", (long long)ticket);
    for (uint64_t until = bs_now_us() + 8000000; ticket > 0 && bs_now_us() < until;) {
        uint8_t records[80000];
        int32_t n = backstep_wait(records, sizeof records, 500);
        bs_reader r = {.data = records, .length = n > 0 ? (size_t)n : 0};
        while (r.at < r.length) {
            size_t end = r.at + bs_get_u32(&r);
            uint32_t kind = bs_get_u32(&r);
            bs_get_u64(&r);
            if (kind == BACKSTEP_R_COMPLETION && bs_get_u64(&r) == (uint64_t)ticket) {
                int status = bs_get_i32(&r);
                uint32_t size = bs_get_u32(&r);
                uint8_t *into = bs_buf_reserve(answer, size);
                CHECK(backstep_take(session, (uint64_t)ticket, into, size) == (int64_t)size, "taken");
                return status;
            }
            r.at = end;
        }
    }
    CHECK(false, "operation %u did not complete", op);
    return 0;
}

static int connect_with(const char *display, uint32_t flags, bs_buf *answer) {
    bs_buf q = {0};
    bs_put_cstr(&q, ""), bs_put_cstr(&q, ""), bs_put_cstr(&q, display), bs_put_u32(&q, flags);
    return call(BACKSTEP_OP_CONNECT, &q, answer);
}

static int connect_to(const char *display, bs_buf *answer) {
    return connect_with(display, 1, answer);
}

static bool says(const bs_buf *answer, const char *part) {
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)(answer->length > 4 ? answer->length - 4 : 0), answer->data ? (const char *)answer->data + 4 : "");
    return strstr(text, part) != NULL;
}

static void words(const bs_buf *answer, uint32_t *have, int32_t *width, int32_t *height) {
    bs_reader r = {.data = answer->data, .length = answer->length};
    *have = bs_get_u32(&r);
    bs_get_str(&r);
    *width = bs_get_i32(&r);
    *height = bs_get_i32(&r);
    CHECK(!r.failed && r.at == r.length, "the reply of CONNECT is whole");
}

static bool broke(void) {
    for (uint64_t until = bs_now_us() + 5000000; bs_now_us() < until;) {
        uint8_t records[80000];
        int32_t n = backstep_wait(records, sizeof records, 500);
        if (n >= 20 && records[4] == BACKSTEP_R_BROKEN && records[16] == 2) return true;
    }
    return false;
}

void test_live(void) {
    compositor c = sway_start(1, "");
    bs_buf answer = {0}, q = {0};
    session = (uint64_t)backstep_open();
    CHECK(connect_to("wayland:/tmp/bswl-none", &answer) == BACKSTEP_E_DISPLAY && says(&answer, "No such file"), "no socket");
    backstep_close(session);
    session = (uint64_t)backstep_open();
    CHECK(!connect_to(c.display, &answer), "connected");
    uint32_t have;
    int32_t width, height;
    words(&answer, &have, &width, &height);
    CHECK(have == 2 && width == 1280 && height == 800, "have %u, %dx%d", have, width, height);
    observer *w = observer_start(c.display, "a", 400, 300);
    observer_clear(w);
    bs_put_cstr(&q, "Grüße");
    CHECK(!call(BACKSTEP_OP_TEXT, &q, &answer) && observer_types(w, "Grüße", 3000), "\"%s\"", observer_typed(w));
    /* The display thread serves the clipboard while nothing is asked of it. */
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, 1), bs_put_cstr(&q, "UTF8_STRING"), bs_put_cstr(&q, "served");
    CHECK(!call(BACKSTEP_OP_CLIP_WRITE, &q, &answer), "written");
    bs_screen *other = open_or_die(c.display);
    CHECK(!clip_read_within(other, "CLIPBOARD", "UTF8_STRING", 3000) && reply_is("served", 6), "%s", reply_text());
    end(other);
    sway_stop(&c);
    CHECK(broke(), "the end of the compositor is told");
    bs_put_cstr(&q, "a");
    CHECK(call(BACKSTEP_OP_TEXT, &q, &answer) == BACKSTEP_E_DISPLAY, "later calls fail");
    observer_stop(w);
    CHECK(backstep_close(session) == BACKSTEP_OK, "closed");
    bs_buf_free(&answer);
}

/* Whoever does not type makes no keyboard: an application would see its focus go and come back. */
void test_without(void) {
    compositor c = sway_start(1, "");
    bs_buf answer = {0}, q = {0};
    uint64_t first = session = (uint64_t)backstep_open();
    CHECK(!connect_with(c.display, 1, &answer), "connected");
    observer *w = observer_start(c.display, "a", 400, 300);
    observer_clear(w);
    uint64_t quiet = session = (uint64_t)backstep_open();
    CHECK(!connect_with(c.display, 2, &answer), "connected without keyboard and pointer");
    bs_put_cstr(&q, "a");
    CHECK(call(BACKSTEP_OP_TEXT, &q, &answer) == BACKSTEP_E_UNSUPPORTED && says(&answer, "without keyboard and pointer"), "nothing is typed");
    bs_put_cstr(&q, "CLIPBOARD"), bs_put_u32(&q, 1), bs_put_cstr(&q, "UTF8_STRING"), bs_put_cstr(&q, "copied");
    CHECK(!call(BACKSTEP_OP_CLIP_WRITE, &q, &answer), "the clipboard is there");
    bs_screen *_Atomic slot = NULL;
    int status = 0;
    bs_screen *s = bs_screen_wl_without.open(c.display, bs_now_us() + 5000000, &status, &answer, &slot);
    CHECK(s && click(s, 20, 20) == BACKSTEP_E_UNSUPPORTED, "nothing is clicked: %s", reply_text());
    if (s) end(s);
    CHECK(!strstr(observer_log(w), "blur"), "the focus stays: \"%s\"", observer_log(w));
    uint64_t busy = session = (uint64_t)backstep_open();
    CHECK(!connect_with(c.display, 1, &answer) && observer_awaits(w, "blur focus ", 3000), "a keyboard is noticed: \"%s\"", observer_log(w));
    observer_stop(w);
    CHECK(!backstep_close(busy) && !backstep_close(quiet) && !backstep_close(first), "closed");
    sway_stop(&c);
    bs_buf_free(&answer);
}
