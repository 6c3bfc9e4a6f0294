/* Reading the clipboard: one type of it, or all. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2 */
#endif
#include "wl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define WAIT_US 1000000u /* for one content: its owner may have to make it first */
#define REST_US 250000u  /* of the deadline for the answer, or a quarter of it */
#define CHUNK 65536u

enum { KEPT = 0, LARGE = 1, SILENT = 2 };

/* Names of one and the same text, by the convention of X and of Wayland. */
static const char *const texts[] = {"text/plain;charset=utf-8", "UTF8_STRING", "text/plain"};
#define TEXTS (sizeof texts / sizeof *texts)

/* What is asked of an X owner, and what means nothing outside of its owner. */
static bool is_content(const char *type) {
    static const char *const no[] = {"TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "GTK_TEXT_BUFFER_CONTENTS"};
    for (unsigned i = 0; i < sizeof no / sizeof *no; i++) {
        if (!strcmp(type, no[i])) return false;
    }
    return true;
}

static const char *type_at(const bs_wl_selection *s, unsigned i) {
    return s->own ? s->own->item[i].type : s->offer->type[i];
}

static unsigned types(const bs_wl_selection *s) {
    return s->own ? s->own->n : s->offer ? s->offer->n : 0;
}

static int number_of(const bs_wl_selection *s, bs_str type) {
    for (unsigned i = 0; i < types(s); i++) {
        if (bs_wl_is(type, type_at(s, i))) return (int)i;
    }
    bool text = false;
    for (unsigned k = 0; k < TEXTS; k++) text |= bs_wl_is(type, texts[k]);
    for (unsigned k = 0; k < TEXTS && text; k++) {
        for (unsigned i = 0; i < types(s); i++) {
            if (!strcmp(type_at(s, i), texts[k])) return (int)i;
        }
    }
    return -1;
}

/* Reads to the end: OK, LIMIT, or a timeout at `until_us`, which may come before the deadline. */
static int drain(bs_wl *w, int fd, size_t most, uint64_t until_us, bs_buf *into) {
    for (;;) {
        uint8_t chunk[CHUNK];
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0) return into->failed ? bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory") : BACKSTEP_OK;
        if (n > 0) {
            if ((size_t)n > most - into->length) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "the content is larger than %zu bytes", most);
            bs_put(into, chunk, (size_t)n);
            int status = bs_wl_check(w);
            if (status) return status;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) return bs_screen_explain(&w->base, BACKSTEP_E_DISPLAY, "the clipboard's pipe broke");
        int status = bs_wl_wait(w, fd, until_us);
        if (!status && bs_now_us() >= until_us) status = bs_screen_explain(&w->base, BACKSTEP_E_TIMEOUT_UNKNOWN, "it did not finish in time");
        if (status == BACKSTEP_E_TIMEOUT_UNKNOWN) bs_screen_explain(&w->base, status, "the application that owns the clipboard did not finish before the deadline");
        if (status) return status;
    }
}

static int take(bs_wl *w, const bs_wl_selection *s, unsigned i, size_t most, uint64_t until_us, bs_buf *into) {
    if (s->own) {
        const bs_wl_blob *blob = s->own->item[i].blob;
        if (blob->size > most) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "the content is larger than %zu bytes", most);
        bs_put(into, blob->bytes, blob->size);
        return BACKSTEP_OK;
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "no descriptor is left to read the clipboard with");
    int flags = fcntl(ends[1], F_GETFL); /* its owner expects one that waits */
    if (flags >= 0) fcntl(ends[1], F_SETFL, flags & ~O_NONBLOCK);
    bs_wl_send(w, s->offer->proxy, DATA_OFFER_RECEIVE, (union wl_argument[]){{.s = s->offer->type[i]}, {.i = ends[1]}});
    close(ends[1]);
    w->base.touched = true;
    int status = bs_wl_flush(w);
    if (!status) status = drain(w, ends[0], most, until_us, into);
    close(ends[0]);
    return status;
}

int bs_wl_op_clip_read(bs_wl *w, bs_reader *r) {
    bs_str selection = bs_get_str(r), name = bs_get_str(r);
    bs_wl_selection *s;
    int status = bs_screen_malformed(&w->base, r);
    if (!status && (!name.length || name.length > 255)) return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "the name of a target has 1 to 255 bytes");
    if (!status) status = bs_wl_clip_selection(w, selection, &s);
    if (status) return status;
    if (!s->own && !s->offer) return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the clipboard is empty");
    if (bs_wl_is(name, "TARGETS")) {
        for (unsigned i = 0; i < types(s); i++) {
            if (i) bs_put_u8(w->base.reply, '\n');
            bs_put(w->base.reply, type_at(s, i), strlen(type_at(s, i)));
        }
        return BACKSTEP_OK;
    }
    int i = number_of(s, name);
    if (i < 0) return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the clipboard has no content of type \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
    bs_buf content = {0};
    status = take(w, s, (unsigned)i, BS_WL_CONTENT, w->base.deadline_us, &content);
    if (!status) bs_put(w->base.reply, content.data, content.length);
    bs_buf_free(&content);
    return status;
}

typedef struct kept {
    size_t most, left; /* bytes of one content, and of all that are still to come */
    uint64_t until_us;
    uint32_t n, unkept;
    bs_buf items;
} kept;

static void put_item(kept *k, const char *type, uint32_t state, const bs_buf *content) {
    size_t n = state == KEPT ? content->length : 0;
    bs_put_cstr(&k->items, type);
    bs_put_cstr(&k->items, type);
    bs_put_u32(&k->items, state);
    bs_put_str(&k->items, (const char *)content->data, n);
    k->left -= n;
    k->unkept += state != KEPT;
    k->n++;
}

static int keep_one(bs_wl *w, kept *k, const bs_wl_selection *s, unsigned i) {
    bs_buf content = {0};
    char type[256] = "";
    size_t length = strlen(type_at(s, i));
    memcpy(type, type_at(s, i), length < sizeof type ? length : sizeof type - 1); /* it may go while we wait */
    uint64_t own = bs_now_us() + WAIT_US, until = own < k->until_us ? own : k->until_us;
    int status = bs_now_us() >= k->until_us ? BACKSTEP_E_TIMEOUT_UNKNOWN : take(w, s, i, k->most < k->left ? k->most : k->left, until, &content);
    bool late = status == BACKSTEP_E_TIMEOUT_UNKNOWN && bs_now_us() < w->base.deadline_us; /* a failure of it is none of the whole */
    uint32_t state = late ? SILENT : status == BACKSTEP_E_LIMIT ? LARGE : KEPT;
    if (state != KEPT) status = BACKSTEP_OK;
    if (!status) put_item(k, type, state, &content);
    bs_buf_free(&content);
    return status;
}

int bs_wl_op_clip_keep(bs_wl *w, bs_reader *r) {
    bs_str selection = bs_get_str(r);
    uint32_t most = bs_get_u32(r), all = bs_get_u32(r);
    kept k = {.most = most && most < BS_WL_CONTENT ? most : BS_WL_CONTENT, .left = all && all < BS_WL_CONTENT ? all : BS_WL_CONTENT};
    uint64_t now = bs_now_us(), left = w->base.deadline_us > now ? w->base.deadline_us - now : 0;
    k.until_us = w->base.deadline_us - (left / 4 < REST_US ? left / 4 : REST_US);
    bs_wl_selection *s;
    int status = bs_screen_malformed(&w->base, r);
    if (!status) status = bs_wl_clip_selection(w, selection, &s);
    if (status) return status;
    uint32_t generation = s->generation;
    bool empty = !s->own && !s->offer;
    for (unsigned i = 0; i < types(s) && !status && s->generation == generation; i++) {
        if (is_content(type_at(s, i))) status = keep_one(w, &k, s, i);
    }
    if (!status) status = bs_wl_sync(w);
    if (!status && s->generation != generation) status = bs_screen_explain(&w->base, BACKSTEP_E_REFUSED, "the clipboard changed hands while it was read");
    if (!status && k.items.failed) status = bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
    if (!status) {
        w->base.reply->length = w->base.reply_start; /* what explained a content that was not kept */
        bs_put_u32(w->base.reply, empty ? 0 : generation);
        bs_put_u32(w->base.reply, k.unkept ? generation : 0);
        bs_put_u32(w->base.reply, k.n);
        bs_put(w->base.reply, k.items.data, k.items.length);
    }
    bs_buf_free(&k.items);
    return status;
}
