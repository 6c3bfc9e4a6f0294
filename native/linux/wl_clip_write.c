/* Setting the clipboard: content under the types that are given, for as long as the session stands. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strndup */
#endif
#include "wl.h"

#include <stdlib.h>
#include <string.h>

#define TOGETHER 8u  /* types between two flushes: libwayland keeps 4 KiB */

static bool add(bs_wl_own *own, bs_str type, bs_wl_blob *blob) {
    for (unsigned i = 0; i < own->n; i++) {
        if (bs_wl_is(type, own->item[i].type)) return true;
    }
    char *name = blob ? strndup(type.text, type.length) : NULL;
    if (!name) return false;
    blob->references++;
    own->item[own->n].type = name;
    own->item[own->n++].blob = blob;
    return true;
}

static bool add_bytes(bs_wl_own *own, bs_str type, bs_str bytes) {
    bs_wl_blob *blob = malloc(sizeof *blob + bytes.length);
    if (!blob) return false;
    blob->references = 1;
    blob->size = bytes.length;
    if (bytes.length) memcpy(blob->bytes, bytes.text, bytes.length);
    bool added = add(own, type, blob);
    bs_wl_blob_drop(blob);
    return added;
}

/* Applications ask for text under several names; on Wayland all of them are UTF-8. */
static bool add_text_names(bs_wl_own *own) {
    static const char *const names[] = {"UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING"};
    bs_wl_blob *text = NULL;
    for (unsigned i = 0; i < own->n && !text; i++) {
        if (!strcmp(own->item[i].type, names[0]) || !strcmp(own->item[i].type, names[1])) text = own->item[i].blob;
    }
    for (unsigned k = 0; text && k < sizeof names / sizeof *names; k++) {
        if (!add(own, (bs_str){names[k], (uint32_t)strlen(names[k])}, text)) return false;
    }
    return true;
}

static int read_items(bs_wl *w, bs_reader *r, bs_wl_own *own, uint32_t n, bool typed) {
    size_t total = 0;
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        bs_str type = bs_get_str(r);
        if (typed) bs_get_str(r); /* X knows names and types of content; Wayland knows types */
        bs_str bytes = bs_get_bytes(r);
        if (r->failed) break;
        total += bytes.length;
        if (total > BS_WL_CONTENT) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "the content is larger than %zu bytes", BS_WL_CONTENT);
        if (!type.length || type.length > 255 || bs_wl_is(type, "TARGETS")) {
            return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "\"%.*s\" is no type that content can have", (int)(type.length < 80 ? type.length : 80), type.text);
        }
        if (!add_bytes(own, type, bytes)) return bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
    }
    int status = bs_screen_malformed(&w->base, r);
    return status || typed || add_text_names(own) ? status : bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
}

static int offer(bs_wl *w, bs_wl_own *own) {
    own->source = bs_wl_make(w, w->data, DATA_CREATE_SOURCE, (union wl_argument[]){{.o = NULL}}, w->ext ? &bs_wl_ext_data_source : &bs_wl_data_source);
    int status = own->source ? bs_wl_own_listen(own) : bs_wl_unmade(w);
    for (unsigned i = 0; i < own->n && !status; i++) {
        bs_wl_send(w, own->source, DATA_SOURCE_OFFER, (union wl_argument[]){{.s = own->item[i].type}});
        if (i % TOGETHER == TOGETHER - 1) status = bs_wl_flush(w);
    }
    return status;
}

/* Takes `own` (NULL: nothing is offered) over. */
static int set(bs_wl *w, bs_wl_selection *s, bs_wl_own *own) {
    bool primary = s == &w->selection[1];
    bs_wl_own *before = s->own;
    s->own = own;
    w->base.touched = true;
    bs_wl_send(w, w->device, primary ? DATA_DEVICE_SET_PRIMARY : DATA_DEVICE_SET, (union wl_argument[]){{.o = own ? own->source : NULL}});
    bs_wl_own_drop(before); /* after it, so that there is no moment without content */
    int status = bs_wl_sync(w);
    return !status && s->own != own ? bs_screen_explain(&w->base, BACKSTEP_E_REFUSED, "another application took the clipboard at the same moment") : status;
}

static int write_selection(bs_wl *w, bs_reader *r, bool typed) {
    bs_str selection = bs_get_str(r);
    uint32_t n = bs_get_u32(r);
    if (!r->failed && n > BS_WL_OFFERS) return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "a selection has %u types at most", BS_WL_OFFERS);
    bs_wl_own *own = n && !r->failed ? calloc(1, sizeof *own) : NULL;
    bs_wl_selection *s;
    int status = BACKSTEP_OK;
    if (own) own->of = w;
    if (n && !r->failed && !own) status = bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
    else status = own ? read_items(w, r, own, n, typed) : bs_screen_malformed(&w->base, r);
    if (!status) status = bs_wl_clip_selection(w, selection, &s);
    if (!status && own) status = offer(w, own);
    if (!status) return set(w, s, own);
    bs_wl_own_drop(own);
    return status;
}

int bs_wl_op_clip_write(bs_wl *w, bs_reader *r) {
    return write_selection(w, r, false);
}

int bs_wl_op_clip_restore(bs_wl *w, bs_reader *r) {
    return write_selection(w, r, true);
}
