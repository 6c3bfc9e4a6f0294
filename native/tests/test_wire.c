#include <stdlib.h>
#include <string.h>

#include "../linux/snapshot.h"
#include "check.h"

static void build(bs_buf *b) {
    bs_out o;
    bs_head head = {.type = BS_WIRE_SIGNAL, .serial = 77, .path = bs_cstr("/a/b"), .interface = bs_cstr("x.Y"), .member = bs_cstr("Z"),
                    .sender = bs_cstr(":1.5"), .signature = bs_cstr("sia(so)a{sv}davy")};
    bs_out_begin(&o, b, &head);
    bs_out_cstr(&o, "h\xc3\xa9llo");
    bs_out_i32(&o, -2);
    size_t mark = bs_out_array(&o, 8);
    for (int i = 0; i < 3; i++) {
        bs_out_align(&o, 8);
        bs_out_cstr(&o, ":1.2");
        bs_out_cstr(&o, "/x");
    }
    bs_out_array_end(&o, mark);
    bs_out_array_end(&o, bs_out_array(&o, 8)); // empty, with its padding
    bs_out_f64(&o, 2.5);
    mark = bs_out_array(&o, 1);
    bs_out_signature(&o, "u");
    bs_out_u32(&o, 9);
    bs_out_signature(&o, "(su)");
    bs_out_align(&o, 8);
    bs_out_cstr(&o, "in");
    bs_out_u32(&o, 8);
    bs_out_array_end(&o, mark);
    bs_out_u8(&o, 3);
    CHECK(bs_out_end(&o));
}

// The same message in the other byte order, made by walking over it: every number where its alignment says.
static void swap32(uint8_t *p) {
    uint8_t t[4] = {p[3], p[2], p[1], p[0]};
    memcpy(p, t, 4);
}

static void test_round_trip(void) {
    bs_buf b = {0};
    bs_put(&b, "junk5", 5); // alignment counts from the message's own start
    build(&b);
    const uint8_t *at = b.data + 5;
    size_t n = b.length - 5;
    CHECK_IS(bs_wire_size(at, n), n);
    bs_msg m;
    CHECK(bs_wire_parse(at, n, &m));
    CHECK(m.head.type == BS_WIRE_SIGNAL && m.head.serial == 77);
    CHECK(bs_str_is(m.head.path, "/a/b") && bs_str_is(m.head.interface, "x.Y") && bs_str_is(m.head.member, "Z") && bs_str_is(m.head.sender, ":1.5"));
    bs_in body = m.body, again = m.body;
    CHECK(bs_str_is(bs_in_str(&body), "h\xc3\xa9llo"));
    CHECK_IS(bs_in_i32(&body), -2);
    size_t end = bs_in_array(&body, 8);
    int count = 0;
    while (bs_in_more(&body, end)) {
        bs_in_struct(&body);
        CHECK(bs_str_is(bs_in_str(&body), ":1.2") && bs_str_is(bs_in_path(&body), "/x"));
        count++;
    }
    CHECK_IS(count, 3);
    end = bs_in_array(&body, 8);
    CHECK(!bs_in_more(&body, end));
    CHECK(bs_in_f64(&body) == 2.5);
    end = bs_in_array(&body, 1);
    CHECK(bs_in_more(&body, end) && bs_in_variant(&body, "u"));
    CHECK_IS(bs_in_u32(&body), 9);
    CHECK(!bs_in_variant(&body, "s")); // another type: skipped whole
    CHECK(!bs_in_more(&body, end) && !body.failed);
    CHECK_IS(bs_in_u8(&body), 3);
    CHECK(!body.failed && body.at == body.length);
    bs_in_skip(&again, m.head.signature);
    CHECK(!again.failed && again.at == again.length);
    bs_buf_free(&b);
}

static void test_truncated(void) {
    bs_buf b = {0};
    build(&b);
    bs_msg whole;
    CHECK(bs_wire_parse(b.data, b.length, &whole));
    for (size_t n = 0; n < b.length; n++) {
        uint8_t *exact = malloc(n ? n : 1);
        memcpy(exact, b.data, n);
        bs_msg m;
        CHECK(!bs_wire_parse(exact, n, &m));
        // Its head can be read as soon as all of it is there.
        bool head = n >= b.length - whole.body.length;
        CHECK(bs_wire_parse_head(exact, n, &m) == head);
        CHECK(!head || (m.head.serial == whole.head.serial && bs_str_is(m.head.sender, ":1.5") && m.body.length == 0));
        free(exact);
    }
    // The body cut at every byte, with a header that says so.
    for (uint32_t n = 0; n < whole.body.length; n++) {
        size_t size = b.length - whole.body.length + n;
        uint8_t *exact = malloc(size);
        memcpy(exact, b.data, size);
        memcpy(exact + 4, &n, 4);
        bs_msg m;
        CHECK(bs_wire_parse(exact, size, &m));
        bs_in_skip(&m.body, m.head.signature);
        CHECK(m.body.failed);
        free(exact);
    }
    // And every byte damaged: no check here but the sanitizer's.
    for (size_t i = 0; i < b.length; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            b.data[i] ^= (uint8_t)(1u << bit);
            bs_msg m;
            if (bs_wire_parse(b.data, b.length, &m)) bs_in_skip(&m.body, m.head.signature);
            b.data[i] ^= (uint8_t)(1u << bit);
        }
    }
    bs_buf_free(&b);
}

static void test_hostile(void) {
    uint8_t head[16] = {'l', 4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    CHECK_IS(bs_wire_size(head, 15), 0);
    CHECK_IS(bs_wire_size(head, 16), 16);
    head[0] = 'x';
    CHECK_IS(bs_wire_size(head, 16), -1);
    head[0] = 'l', head[3] = 2;
    CHECK_IS(bs_wire_size(head, 16), -1);
    head[3] = 1, head[8] = 0;
    CHECK_IS(bs_wire_size(head, 16), -1); // serial 0
    head[8] = 1;
    memset(head + 4, 0xff, 4);
    CHECK_IS(bs_wire_size(head, 16), -1);
    memset(head + 4, 0, 4), memset(head + 12, 0xff, 4);
    CHECK_IS(bs_wire_size(head, 16), -1);
    memset(head + 12, 0, 4);
    head[4 + 3] = 0x08; // exactly 128 MiB of body is too much with its header
    CHECK_IS(bs_wire_size(head, 16), -1);
    // Lengths of arrays and strings that lie.
    const uint8_t long_array[12] = {0xff, 0xff, 0xff, 0x7f};
    bs_in in = {long_array, 12, 0, false, false};
    bs_in_array(&in, 8);
    CHECK(in.failed);
    const uint8_t long_text[8] = {0xff, 0xff, 0xff, 0xff, 'a'};
    in = (bs_in){long_text, 8, 0, false, false};
    CHECK_IS(bs_in_str(&in).length, 0);
    CHECK(in.failed);
    const uint8_t unterminated[] = {1, 0, 0, 0, 'a', 'b'};
    in = (bs_in){unterminated, 6, 0, false, false};
    bs_in_str(&in);
    CHECK(in.failed);
    // Nesting: a variant in a variant in a variant, far too often; signatures that never end.
    uint8_t deep[3 * 200 + 4];
    for (size_t i = 0; i + 3 <= sizeof deep; i += 3) memcpy(deep + i, "\1v\0", 3);
    in = (bs_in){deep, sizeof deep, 0, false, false};
    bs_in_skip(&in, bs_cstr("v"));
    CHECK(in.failed);
    static const char *const wrong[] = {"a", "(", "()", "(i", "a{vs}", "a{s}", "a{sii}", "z", "{sv}", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaay",
        "((((((((((((((((((((((((((((((((((((((y))))))))))))))))))))))))))))))))))))))"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        in = (bs_in){deep, sizeof deep, 0, false, false};
        bs_in_skip(&in, bs_cstr(wrong[i]));
        CHECK(in.failed);
    }
}

static void test_big_endian(void) {
    // A reply by hand: serial 3, answers 9, "su": "hi", 7.
    uint8_t m[] = {'B', 2, 0, 1, 0, 0, 0, 12, 0, 0, 0, 3, 0, 0, 0, 16, 5, 1, 'u', 0, 0, 0, 0, 9, 8, 1, 'g', 0, 2, 's', 'u', 0,
                   0, 0, 0, 2, 'h', 'i', 0, 0, 0, 0, 0, 7};
    bs_msg msg;
    CHECK_IS(bs_wire_size(m, sizeof m), sizeof m);
    CHECK(bs_wire_parse(m, sizeof m, &msg));
    CHECK(msg.head.type == BS_WIRE_RETURN && msg.head.reply_serial == 9 && bs_signature_is(&msg, "su"));
    CHECK(bs_str_is(bs_in_str(&msg.body), "hi"));
    CHECK_IS(bs_in_u32(&msg.body), 7);
    CHECK(!msg.body.failed);
    // The same in little-endian reads the same.
    static const size_t numbers[] = {4, 8, 12, 20, 32, 40};
    m[0] = 'l';
    for (size_t i = 0; i < 6; i++) swap32(m + numbers[i]);
    CHECK(bs_wire_parse(m, sizeof m, &msg));
    CHECK(msg.head.reply_serial == 9 && bs_str_is(bs_in_str(&msg.body), "hi") && bs_in_u32(&msg.body) == 7);
}

static void test_names(void) {
    static const char *const paths[] = {"/", "/a", "/a_1/B"}, *const no_paths[] = {"", "a", "//", "/a/", "/a//b", "/a-b", "/\xc3\xa9"};
    static const char *const names[] = {":1.5", "a.b", "org.a11y.Bus", "_a.b-c"}, *const no_names[] = {"", "a", ".a", "a.", "a..b", "1a.b", "a.1", ":", "a b.c"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) CHECK(bs_path_valid(bs_cstr(paths[i])));
    for (size_t i = 0; i < sizeof no_paths / sizeof *no_paths; i++) CHECK(!bs_path_valid(bs_cstr(no_paths[i])));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) CHECK(bs_bus_name_valid(bs_cstr(names[i])));
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++) CHECK(!bs_bus_name_valid(bs_cstr(no_names[i])));
    CHECK_IS(bs_bus_error_status(bs_cstr("org.freedesktop.DBus.Error.UnknownObject")), -10);
    CHECK_IS(bs_bus_error_status(bs_cstr("org.freedesktop.DBus.Error.UnknownMethod")), -11);
    CHECK_IS(bs_bus_error_status(bs_cstr("org.freedesktop.DBus.Error.NoReply")), -9);
    CHECK_IS(bs_bus_error_status(bs_cstr("org.freedesktop.DBus.Error.Failed")), -13);
    CHECK_IS(bs_bus_error_status(bs_cstr("UnknownMethod")), -13);
}

static void item(bs_out *o, const char *path, const char *parent, int32_t index, int32_t children, const char *name) {
    bs_out_align(o, 8);
    const char *refs[] = {path, "/root", parent};
    for (int i = 0; i < 3; i++) {
        bs_out_align(o, 8);
        bs_out_cstr(o, ":1.9");
        bs_out_cstr(o, refs[i]);
    }
    bs_out_i32(o, index);
    bs_out_i32(o, children);
    size_t mark = bs_out_array(o, 4);
    bs_out_cstr(o, "org.a11y.atspi.Accessible");
    bs_out_cstr(o, "org.a11y.atspi.Text");
    bs_out_array_end(o, mark);
    bs_out_cstr(o, name);
    bs_out_u32(o, 23);
    bs_out_cstr(o, "about");
    mark = bs_out_array(o, 4);
    bs_out_u32(o, 5);
    bs_out_u32(o, 6);
    bs_out_array_end(o, mark);
}

static uint32_t seed(bs_seeds *t, const char *path) { return bs_tree_find(t, bs_intern(&t->strings, bs_cstr(":1.9")), bs_intern(&t->strings, bs_cstr(path))); }

static void test_cache(void) {
    bs_buf b = {0};
    bs_out o;
    bs_head head = {.type = BS_WIRE_RETURN, .serial = 1, .reply_serial = 2, .signature = bs_cstr("a((so)(so)(so)iiassusau)")};
    bs_out_begin(&o, &b, &head);
    size_t mark = bs_out_array(&o, 8);
    item(&o, "/b", "/a", 1, 0, "B");
    item(&o, "/a", "/root", 0, 2, "A");
    item(&o, "/c", "/a", 0, 2, "C"); // claims two, one is known
    item(&o, "/d", "/c", 0, -1, "D");
    item(&o, "/e", "/f", 0, 1, "E"); // a cycle
    item(&o, "/f", "/e", 0, 1, "F");
    item(&o, "/f", "/e", 0, 1, "twice");
    bs_out_array_end(&o, mark);
    CHECK(bs_out_end(&o));
    bs_msg m;
    CHECK(bs_wire_parse(b.data, b.length, &m));
    bs_in body = m.body;
    bs_seeds *t = bs_cache_read(&body);
    CHECK(t != NULL);
    if (t) {
        CHECK_IS(t->count, 6);
        uint32_t a = seed(t, "/a"), c = seed(t, "/c");
        CHECK(a != BS_NONE && c != BS_NONE && seed(t, "/nothing") == BS_NONE);
        CHECK_IS(t->nodes[a].kid_count, 2);
        CHECK_IS(t->kids[t->nodes[a].first_kid], c); // in the order of their indices
        CHECK_IS(t->nodes[c].kid_count, 0);
        CHECK(t->nodes[a].role == 23 && t->nodes[a].states[1] == 6 && t->nodes[a].interfaces == (BACKSTEP_I_ACCESSIBLE | BACKSTEP_I_TEXT));
        CHECK(bs_str_is(bs_string(&t->strings, t->nodes[seed(t, "/f")].name), "F"));
        bs_tree_free(t);
        free(t);
    }
    for (size_t n = 0; n < m.body.length; n++) {
        uint8_t *exact = malloc(n ? n : 1);
        memcpy(exact, m.body.data, n);
        bs_in cut = {exact, n, 0, false, false};
        CHECK(bs_cache_read(&cut) == NULL);
        free(exact);
    }
    bs_buf_free(&b);
}

int main(void) {
    test_round_trip();
    test_truncated();
    test_hostile();
    test_big_endian();
    test_names();
    test_cache();
    return check_report("wire");
}
