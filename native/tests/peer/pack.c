#define _GNU_SOURCE
#include "pack.h"

#include <stdlib.h>
#include <string.h>

void pack_bytes(pack *p, const void *bytes, size_t n) {
    if (p->n + n > p->room) {
        p->room = (p->n + n) * 2 + 64;
        p->data = realloc(p->data, p->room);
        if (!p->data) abort();
    }
    if (n) memcpy(p->data + p->n, bytes, n);
    p->n += n;
}

void pack_align(pack *p, unsigned n) {
    while (p->n % n) pack_byte(p, 0);
}

void pack_byte(pack *p, uint8_t v) { pack_bytes(p, &v, 1); }

static void put(uint8_t *at, uint64_t v, unsigned n, bool big) {
    for (unsigned i = 0; i < n; i++) at[big ? n - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

static uint64_t get(const uint8_t *at, unsigned n, bool big) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v |= (uint64_t)at[big ? n - 1 - i : i] << 8 * i;
    return v;
}

void pack_u32(pack *p, uint32_t v) {
    uint8_t bytes[4];
    pack_align(p, 4);
    put(bytes, v, 4, p->big);
    pack_bytes(p, bytes, 4);
}

void pack_f64(pack *p, double v) {
    uint64_t bits;
    uint8_t bytes[8];
    memcpy(&bits, &v, 8);
    pack_align(p, 8);
    put(bytes, bits, 8, p->big);
    pack_bytes(p, bytes, 8);
}

void pack_str(pack *p, const char *text) {
    pack_u32(p, (uint32_t)strlen(text));
    pack_bytes(p, text, strlen(text) + 1);
}

void pack_sig(pack *p, const char *signature) {
    pack_byte(p, (uint8_t)strlen(signature));
    pack_bytes(p, signature, strlen(signature) + 1);
}

void pack_ref(pack *p, const char *bus, const char *path) {
    pack_align(p, 8);
    pack_str(p, bus);
    pack_str(p, path);
}

size_t pack_open(pack *p, unsigned align) {
    pack_u32(p, 0);
    size_t mark = p->n - 4;
    pack_align(p, align);
    return mark;
}

void pack_close(pack *p, size_t mark, unsigned align) {
    size_t first = (mark + 4 + align - 1) / align * align;
    put(p->data + mark, p->n - first, 4, p->big);
}

void pack_poke(pack *p, size_t at, uint32_t v) {
    if (at + 4 <= p->n) put(p->data + at, v, 4, p->big);
}

void pack_free(pack *p) {
    free(p->data);
    *p = (pack){0};
}

static void field(pack *p, uint8_t code, const char *type, const char *value) {
    if (!*value) return;
    pack_align(p, 8);
    pack_byte(p, code);
    pack_sig(p, type);
    if (*type == 'g') pack_sig(p, value);
    else pack_str(p, value);
}

void pack_message(pack *out, const head *h, const pack *body) {
    pack m = {.big = body->big};
    pack_byte(&m, m.big ? 'B' : 'l');
    pack_byte(&m, h->type);
    pack_byte(&m, h->flags);
    pack_byte(&m, 1);
    pack_u32(&m, (uint32_t)body->n);
    pack_u32(&m, h->serial);
    size_t mark = pack_open(&m, 8);
    field(&m, 1, "o", h->path);
    field(&m, 2, "s", h->interface);
    field(&m, 3, "s", h->member);
    field(&m, 4, "s", h->error);
    if (h->reply_serial) {
        pack_align(&m, 8);
        pack_byte(&m, 5);
        pack_sig(&m, "u");
        pack_u32(&m, h->reply_serial);
    }
    field(&m, 6, "s", h->destination);
    field(&m, 7, "s", h->sender);
    field(&m, 8, "g", h->signature);
    pack_close(&m, mark, 8);
    pack_align(&m, 8);
    pack_bytes(out, m.data, m.n);
    pack_bytes(out, body->data, body->n);
    pack_free(&m);
}

static void seek(unpack *u, unsigned align) { u->at = (u->at + align - 1) / align * align; }

uint32_t unpack_u32(unpack *u) {
    seek(u, 4);
    if (u->at + 4 > u->n) return 0;
    u->at += 4;
    return (uint32_t)get(u->data + u->at - 4, 4, u->big);
}

double unpack_f64(unpack *u) {
    seek(u, 8);
    if (u->at + 8 > u->n) return 0;
    u->at += 8;
    uint64_t bits = get(u->data + u->at - 8, 8, u->big);
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

static const char *text(unpack *u, size_t length) {
    if (u->at + length + 1 > u->n || u->data[u->at + length]) return "";
    u->at += length + 1;
    return (const char *)u->data + u->at - length - 1;
}

const char *unpack_str(unpack *u) { return text(u, unpack_u32(u)); }

const char *unpack_sig(unpack *u) { return u->at < u->n ? text(u, u->data[u->at++]) : ""; }

size_t message_size(const uint8_t *data, size_t have) {
    if (have < 16) return 0;
    bool big = data[0] == 'B';
    size_t size = 16 + (get(data + 12, 4, big) + 7) / 8 * 8 + get(data + 4, 4, big);
    return size <= have ? size : 0;
}

static void keep(char *into, size_t room, const char *from) {
    size_t n = strlen(from);
    if (n >= room) n = room - 1;
    memcpy(into, from, n);
    into[n] = 0;
}

void message_read(const uint8_t *data, size_t size, head *h, unpack *body) {
    *h = (head){.type = data[1], .flags = data[2]};
    bool big = data[0] == 'B';
    uint32_t length = (uint32_t)get(data + 4, 4, big);
    h->serial = (uint32_t)get(data + 8, 4, big);
    unpack u = {data, size, 16, big};
    size_t end = 16 + get(data + 12, 4, big);
    while (u.at < end) {
        seek(&u, 8);
        if (u.at >= end) break;
        uint8_t code = data[u.at++];
        char type = *unpack_sig(&u);
        if (type == 'u') {
            uint32_t v = unpack_u32(&u);
            if (code == 5) h->reply_serial = v;
            continue;
        }
        const char *v = type == 'g' ? unpack_sig(&u) : unpack_str(&u);
        char *const into[] = {NULL, h->path, h->interface, h->member, h->error, NULL, h->destination, h->sender, h->signature};
        if (code < 9 && into[code]) keep(into[code], code == 1 || code == 8 ? 256 : 128, v);
    }
    *body = (unpack){data + size - length, length, 0, big};
}
