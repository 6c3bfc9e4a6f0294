#include <stdlib.h>
#include <string.h>

#include "check.h"

static void test_round_trip(void) {
    bs_buf b = {0};
    bs_put_u8(&b, 7);
    bs_put_u32(&b, 0x01020304);
    bs_put_i32(&b, -5);
    bs_put_u64(&b, 0x0102030405060708);
    bs_put_f64(&b, -0.5);
    bs_put_str(&b, "h\xc3\xa9", 3);
    bs_put_cstr(&b, "");
    bs_put_format(&b, "%d-%s", 12, "x");
    CHECK(!b.failed);
    CHECK(b.data[1] == 4 && b.data[4] == 1); // little-endian
    for (size_t cut = 1; cut <= b.length; cut++) {
        uint8_t *exact = malloc(cut); // so that a sanitizer sees one byte too many
        memcpy(exact, b.data, cut);
        bs_reader r = {exact, cut, 1, false};
        uint32_t u = bs_get_u32(&r);
        int32_t i = bs_get_i32(&r);
        uint64_t q = bs_get_u64(&r);
        double d = bs_get_f64(&r);
        bs_str s = bs_get_str(&r), empty = bs_get_str(&r), f = bs_get_str(&r);
        CHECK(r.failed == (cut < b.length));
        if (cut < b.length) {
            CHECK_IS(f.length, 0);
        } else {
            CHECK(u == 0x01020304 && i == -5 && q == 0x0102030405060708 && d == -0.5);
            CHECK(s.length == 3 && !memcmp(s.text, "h\xc3\xa9", 3) && empty.length == 0 && f.length == 4 && !memcmp(f.text, "12-x", 4));
        }
        free(exact);
    }
    bs_buf_free(&b);
}

static void test_hostile(void) {
    const uint8_t huge[] = {0xff, 0xff, 0xff, 0xff, 'a'};
    bs_reader r = {huge, sizeof huge, 0, false};
    CHECK_IS(bs_get_bytes(&r).length, 0);
    CHECK(r.failed);
    const uint8_t with_nul[] = {2, 0, 0, 0, 'a', 0};
    r = (bs_reader){with_nul, sizeof with_nul, 0, false};
    CHECK_IS(bs_get_str(&r).length, 0);
    CHECK(r.failed);
    r = (bs_reader){with_nul, sizeof with_nul, 0, false};
    CHECK_IS(bs_get_bytes(&r).length, 2);
    CHECK(!r.failed);
    bs_buf b = {0};
    CHECK(!bs_buf_reserve(&b, SIZE_MAX / 2));
    CHECK(b.failed);
    bs_put_u32(&b, 1);
    CHECK_IS(b.length, 0);
    bs_buf_clear(&b);
    bs_put_u32(&b, 1);
    CHECK_IS(b.length, 4);
    bs_buf_free(&b);
}

static void test_utf8(void) {
    static const struct { const char *text; bool valid; } cases[] = {
        {"", true}, {"ascii", true}, {"\xc3\xa9", true}, {"\xe4\xb8\x96", true}, {"\xf0\x9f\x98\x80", true}, {"\xf4\x8f\xbf\xbf", true},
        {"\x80", false}, {"\xc0\x80", false}, {"\xc1\xbf", false}, {"\xe0\x9f\xbf", false}, {"\xed\xa0\x80", false}, {"\xf0\x8f\xbf\xbf", false},
        {"\xf4\x90\x80\x80", false}, {"\xf5\x80\x80\x80", false}, {"\xc3", false}, {"\xe4\xb8", false}, {"\xf0\x9f\x98", false}, {"\xc3(", false},
        {"a\xff", false}, {"\xee\x80\x80", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is = bs_utf8_valid(cases[i].text, strlen(cases[i].text));
        if (is != cases[i].valid) fprintf(stderr, "case %zu\n", i);
        CHECK(is == cases[i].valid);
    }
}

int main(void) {
    test_round_trip();
    test_hostile();
    test_utf8();
    return check_report("bytes");
}
