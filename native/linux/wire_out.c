#include <string.h>

#include "wire.h"

void bs_out_align(bs_out *o, unsigned n) {
    size_t over = (o->buf->length - o->start) & (n - 1);
    uint8_t *at = over ? bs_buf_reserve(o->buf, n - over) : NULL;
    if (at) memset(at, 0, n - over);
}

void bs_out_u8(bs_out *o, uint8_t v) { bs_put(o->buf, &v, 1); }

void bs_out_u32(bs_out *o, uint32_t v) {
    bs_out_align(o, 4);
    bs_put(o->buf, &v, 4);
}

void bs_out_i32(bs_out *o, int32_t v) { bs_out_u32(o, (uint32_t)v); }

void bs_out_f64(bs_out *o, double v) {
    bs_out_align(o, 8);
    bs_put(o->buf, &v, 8);
}

void bs_out_str(bs_out *o, bs_str s) {
    bs_out_u32(o, s.length);
    bs_put(o->buf, s.text, s.length);
    bs_out_u8(o, 0);
}

void bs_out_cstr(bs_out *o, const char *s) { bs_out_str(o, bs_cstr(s)); }

static void signature(bs_out *o, bs_str s) {
    if (s.length > 255) o->buf->failed = true;
    bs_out_u8(o, (uint8_t)s.length);
    bs_put(o->buf, s.text, s.length);
    bs_out_u8(o, 0);
}

void bs_out_signature(bs_out *o, const char *s) { signature(o, bs_cstr(s)); }

// A mark is the place of the length and, above it, the alignment of the first element.
size_t bs_out_array(bs_out *o, unsigned element) {
    bs_out_u32(o, 0);
    size_t mark = o->buf->length - 4;
    bs_out_align(o, element);
    return mark << 4 | element;
}

void bs_out_array_end(bs_out *o, size_t mark) {
    if (o->buf->failed) return;
    size_t at = mark >> 4, element = mark & 15, first = at + 4;
    size_t over = (first - o->start) & (element - 1);
    if (over) first += element - over;
    size_t n = o->buf->length - first;
    if (n > BS_WIRE_MAX_ARRAY) {
        o->buf->failed = true;
        return;
    }
    uint32_t length = (uint32_t)n;
    memcpy(o->buf->data + at, &length, 4);
}

static void field(bs_out *o, uint8_t code, const char *type, bs_str value) {
    if (!value.length) return;
    bs_out_align(o, 8);
    bs_out_u8(o, code);
    bs_out_signature(o, type);
    if (*type == 'g') signature(o, value);
    else bs_out_str(o, value);
}

void bs_out_begin(bs_out *o, bs_buf *buf, const bs_head *h) {
    *o = (bs_out){buf, buf->length, 0};
    bs_out_u8(o, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 'B' : 'l');
    bs_out_u8(o, h->type);
    bs_out_u8(o, h->flags);
    bs_out_u8(o, 1);
    bs_out_u32(o, 0); // the body's length, known at the end
    bs_out_u32(o, h->serial);
    size_t fields = bs_out_array(o, 8);
    field(o, 1, "o", h->path);
    field(o, 2, "s", h->interface);
    field(o, 3, "s", h->member);
    field(o, 4, "s", h->error);
    if (h->reply_serial) {
        bs_out_align(o, 8);
        bs_out_u8(o, 5);
        bs_out_signature(o, "u");
        bs_out_u32(o, h->reply_serial);
    }
    field(o, 6, "s", h->destination);
    field(o, 7, "s", h->sender);
    field(o, 8, "g", h->signature);
    bs_out_array_end(o, fields);
    bs_out_align(o, 8);
    o->body = buf->length;
}

bool bs_out_end(bs_out *o) {
    bs_buf *b = o->buf;
    if (b->failed || b->length - o->start > BS_WIRE_MAX) {
        // What stood in the buffer before this message stays good.
        b->length = o->start;
        b->failed = false;
        return false;
    }
    uint32_t body = (uint32_t)(b->length - o->body);
    memcpy(b->data + o->start + 4, &body, 4);
    return true;
}
