#include "wire.h"

#include <string.h>

static const uint8_t *take(bs_in *in, size_t n) {
    if (in->failed || n > in->length - in->at) {
        in->failed = true;
        return NULL;
    }
    const uint8_t *at = in->data + in->at;
    in->at += n;
    return at;
}

static void align(bs_in *in, unsigned n) {
    size_t over = in->at & (n - 1);
    const uint8_t *padding = over ? take(in, n - over) : NULL;
    for (size_t i = 0; padding && i < n - over; i++)
        if (padding[i]) in->failed = true;
}

uint8_t bs_in_u8(bs_in *in) {
    const uint8_t *at = take(in, 1);
    return at ? *at : 0;
}

uint32_t bs_in_u32(bs_in *in) {
    align(in, 4);
    const uint8_t *at = take(in, 4);
    uint32_t v = 0;
    if (at) memcpy(&v, at, 4);
    return in->swap ? __builtin_bswap32(v) : v;
}

int32_t bs_in_i32(bs_in *in) { return (int32_t)bs_in_u32(in); }

uint64_t bs_in_u64(bs_in *in) {
    align(in, 8);
    const uint8_t *at = take(in, 8);
    uint64_t v = 0;
    if (at) memcpy(&v, at, 8);
    return in->swap ? __builtin_bswap64(v) : v;
}

double bs_in_f64(bs_in *in) {
    uint64_t bits = bs_in_u64(in);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

bool bs_in_bool(bs_in *in) {
    uint32_t v = bs_in_u32(in);
    if (v > 1) in->failed = true;
    return v == 1;
}

static bs_str text(bs_in *in, uint32_t n) {
    const uint8_t *at = n < BS_WIRE_MAX ? take(in, (size_t)n + 1) : NULL;
    if (!at || at[n] || memchr(at, 0, n)) {
        in->failed = true;
        return (bs_str){"", 0};
    }
    return (bs_str){(const char *)at, n};
}

bs_str bs_in_str(bs_in *in) {
    bs_str s = text(in, bs_in_u32(in));
    if (!bs_utf8_valid(s.text, s.length)) {
        in->failed = true;
        return (bs_str){"", 0};
    }
    return s;
}

bs_str bs_in_path(bs_in *in) {
    bs_str s = text(in, bs_in_u32(in));
    if (!bs_path_valid(s)) {
        in->failed = true;
        return (bs_str){"", 0};
    }
    return s;
}

bs_str bs_in_signature(bs_in *in) { return text(in, bs_in_u8(in)); }

void bs_in_struct(bs_in *in) { align(in, 8); }

size_t bs_in_array(bs_in *in, unsigned element) {
    uint32_t n = bs_in_u32(in);
    align(in, element);
    if (in->failed || n > BS_WIRE_MAX_ARRAY || n > in->length - in->at) {
        in->failed = true;
        return 0;
    }
    return in->at + n;
}

bool bs_in_more(bs_in *in, size_t end) {
    if (!in->failed && in->at > end) in->failed = true;
    return !in->failed && in->at < end;
}

static unsigned alignment(char type) {
    switch (type) {
    case 'y': case 'g': case 'v': return 1;
    case 'n': case 'q': return 2;
    case 'x': case 't': case 'd': case '(': case '{': return 8;
    default: return 4;
    }
}

// The end of the one complete type at *s, or NULL when there is none.
static const char *type_end(const char *s, const char *end, unsigned depth) {
    if (s == end || depth > BS_WIRE_MAX_NESTING) return NULL;
    char c = *s++;
    if (strchr("ybnqiuxtdsogvh", c)) return c ? s : NULL;
    if (c == 'a') {
        if (s == end || *s != '{') return type_end(s, end, depth + 1);
        s++;
        if (s == end || !*s || !strchr("ybnqiuxtdsogh", *s)) return NULL;
        s = type_end(s + 1, end, depth + 1);
        return s && s < end && *s == '}' ? s + 1 : NULL;
    }
    if (c != '(') return NULL;
    do {
        s = type_end(s, end, depth + 1);
    } while (s && s < end && *s != ')');
    return s && s < end ? s + 1 : NULL;
}

static void skip_one(bs_in *in, const char *s, const char *end, unsigned depth) {
    if (in->failed || depth > BS_WIRE_MAX_NESTING) {
        in->failed = true;
        return;
    }
    switch (*s) {
    case 'y': bs_in_u8(in); return;
    case 'n': case 'q': align(in, 2), take(in, 2); return;
    case 'b': bs_in_bool(in); return;
    case 'i': case 'u': case 'h': bs_in_u32(in); return;
    case 'x': case 't': case 'd': bs_in_u64(in); return;
    case 's': bs_in_str(in); return;
    case 'o': bs_in_path(in); return;
    case 'g': bs_in_signature(in); return;
    case 'v': {
        bs_str inner = bs_in_signature(in);
        if (in->failed || type_end(inner.text, inner.text + inner.length, depth) != inner.text + inner.length) {
            in->failed = true;
            return;
        }
        skip_one(in, inner.text, inner.text + inner.length, depth + 1);
        return;
    }
    case 'a': {
        size_t stop = bs_in_array(in, alignment(s[1]));
        while (bs_in_more(in, stop)) skip_one(in, s + 1, end, depth + 1);
        return;
    }
    default: // a structure or a dictionary's entry
        align(in, 8);
        for (const char *p = s + 1; p && *p != ')' && *p != '}'; p = type_end(p, end, depth)) skip_one(in, p, end, depth + 1);
    }
}

void bs_in_skip(bs_in *in, bs_str signature) {
    const char *s = signature.text, *end = s + signature.length;
    while (s < end && !in->failed) {
        const char *next = type_end(s, end, 0);
        if (!next) {
            in->failed = true;
            return;
        }
        skip_one(in, s, next, 0);
        s = next;
    }
}

bool bs_in_variant(bs_in *in, const char *signature) {
    bs_str held = bs_in_signature(in);
    if (in->failed) return false;
    if (bs_str_is(held, signature)) return true;
    if (type_end(held.text, held.text + held.length, 0) != held.text + held.length) in->failed = true;
    else skip_one(in, held.text, held.text + held.length, 1);
    return false;
}

int64_t bs_wire_size(const uint8_t *data, size_t have) {
    if (have < 16) return 0;
    if (data[0] != 'l' && data[0] != 'B') return -1;
    bs_in in = {data, 16, 4, (data[0] == 'B') != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__), false};
    uint64_t body = bs_in_u32(&in);
    uint32_t serial = bs_in_u32(&in);
    uint64_t fields = bs_in_u32(&in);
    uint64_t size = 16 + ((fields + 7) & ~(uint64_t)7) + body;
    if (data[3] != 1 || !serial || fields > BS_WIRE_MAX_ARRAY || size > BS_WIRE_MAX) return -1;
    return (int64_t)size;
}

// `have` bytes of a message, of which all must be there that are not its body.
bool bs_wire_parse_head(const uint8_t *data, size_t have, bs_msg *m) {
    *m = (bs_msg){0};
    bs_str none = {"", 0};
    bs_head *h = &m->head;
    h->path = h->interface = h->member = h->error = h->destination = h->sender = h->signature = none;
    if (have < 16 || bs_wire_size(data, have) < 0) return false;
    bs_in in = {data, have, 4, (data[0] == 'B') != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__), false};
    h->type = data[1];
    h->flags = data[2];
    bs_in_u32(&in); // the body's length
    h->serial = bs_in_u32(&in);
    size_t end = bs_in_array(&in, 8);
    while (bs_in_more(&in, end)) {
        bs_in_struct(&in);
        uint8_t code = bs_in_u8(&in);
        bs_str *into = code == 2 ? &h->interface : code == 3 ? &h->member : code == 4 ? &h->error
            : code == 6 ? &h->destination : code == 7 ? &h->sender : NULL;
        bool right = true;
        if (into) {
            right = bs_in_variant(&in, "s");
            if (right) *into = bs_in_str(&in);
        } else if (code == 1) {
            right = bs_in_variant(&in, "o");
            if (right) h->path = bs_in_path(&in);
        } else if (code == 5) {
            right = bs_in_variant(&in, "u");
            if (right) h->reply_serial = bs_in_u32(&in);
        } else if (code == 8) {
            right = bs_in_variant(&in, "g");
            if (right) h->signature = bs_in_signature(&in);
        } else {
            bs_in_skip(&in, bs_cstr("v"));
        }
        if (!right) return false;
    }
    align(&in, 8);
    if (in.failed || h->type == 0) return false;
    bool named = h->member.length && h->path.length;
    if (h->type == BS_WIRE_CALL && !named) return false;
    if (h->type == BS_WIRE_SIGNAL && !(named && h->interface.length)) return false;
    if ((h->type == BS_WIRE_RETURN || h->type == BS_WIRE_ERROR) && !h->reply_serial) return false;
    if (h->type == BS_WIRE_ERROR && !h->error.length) return false;
    m->body = (bs_in){data + in.at, 0, 0, in.swap, false};
    return true;
}

bool bs_wire_parse(const uint8_t *data, size_t size, bs_msg *m) {
    if (size < 16 || bs_wire_size(data, size) != (int64_t)size || !bs_wire_parse_head(data, size, m)) return false;
    // The body starts at a multiple of eight, so that it can be read as if it stood alone. All that is left is body, or
    // the two lengths of the message contradict each other.
    bs_in length = {data, 16, 4, m->body.swap, false};
    m->body.length = size - (size_t)(m->body.data - data);
    return m->body.length == bs_in_u32(&length);
}

bool bs_str_is(bs_str s, const char *what) { return s.length == strlen(what) && !memcmp(s.text, what, s.length); }

bool bs_signature_is(const bs_msg *m, const char *signature) { return bs_str_is(m->head.signature, signature); }

static bool word(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool bs_path_valid(bs_str p) {
    if (!p.length || p.text[0] != '/') return false;
    for (uint32_t i = 1; i < p.length; i++) {
        if (p.text[i] == '/' ? p.text[i - 1] == '/' : !word(p.text[i])) return false;
    }
    return p.length == 1 || p.text[p.length - 1] != '/';
}

bool bs_bus_name_valid(bs_str n) {
    if (!n.length || n.length > 255) return false;
    bool unique = n.text[0] == ':', dotted = false;
    uint32_t begin = unique ? 1 : 0;
    for (uint32_t i = begin; i < n.length; i++) {
        char c = n.text[i];
        bool first = i == begin || n.text[i - 1] == '.';
        if (c == '.') {
            if (first) return false;
            dotted = true;
        } else if (!(word(c) || c == '-') || (first && !unique && c >= '0' && c <= '9')) {
            return false;
        }
    }
    return dotted && n.text[n.length - 1] != '.';
}

bool bs_unique_name_valid(bs_str n) { return bs_bus_name_valid(n) && n.text[0] == ':'; }
