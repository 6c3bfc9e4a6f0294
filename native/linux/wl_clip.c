/* The clipboard: what others offer, and who wants what we offer. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strdup */
#endif
#include "wl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void drop_offer(bs_wl_offer *offer) {
    bs_wl *w = offer->of;
    bs_wl_offer **at = &w->offers;
    while (*at && *at != offer) at = &(*at)->next;
    if (*at) *at = offer->next;
    bs_wl_request(w, offer->proxy, DATA_OFFER_DESTROY);
    bs_wl_drop(w, &offer->proxy);
    for (unsigned i = 0; i < offer->n; i++) free(offer->type[i]);
    free(offer);
}

static int on_offer(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)target, (void)message;
    bs_wl_offer *offer = (bs_wl_offer *)(uintptr_t)about;
    const char *type = a[0].s;
    if (event != DATA_OFFER_OFFER || !type || !*type || strlen(type) > 255 || !bs_utf8_valid(type, strlen(type)) || offer->n == BS_WL_TYPES) return 0;
    for (unsigned i = 0; i < offer->n; i++) {
        if (!strcmp(offer->type[i], type)) return 0;
    }
    char *copy = strdup(type);
    if (copy) offer->type[offer->n++] = copy;
    return 0;
}

static void new_offer(bs_wl *w, struct wl_proxy *proxy) {
    bs_wl_offer *offer = calloc(1, sizeof *offer);
    if (!offer || !bs_wl_listen(w, proxy, on_offer, offer)) {
        free(offer);
        bs_wl_request(w, proxy, DATA_OFFER_DESTROY);
        bs_wl_drop(w, &proxy);
        return;
    }
    *offer = (bs_wl_offer){.of = w, .proxy = proxy, .next = w->offers};
    w->offers = offer;
}

/* The selection has this now; what belongs to none is over. */
static void select_offer(bs_wl *w, bs_wl_selection *s, const struct wl_proxy *proxy) {
    s->generation++;
    s->offer = NULL;
    for (bs_wl_offer *offer = w->offers, *next; offer; offer = next) {
        next = offer->next;
        if (offer->proxy == proxy) s->offer = offer;
        else if (offer != w->selection[0].offer && offer != w->selection[1].offer) drop_offer(offer);
    }
}

static int on_device(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)target, (void)message;
    bs_wl *w = (bs_wl *)(uintptr_t)about;
    if (event == DATA_DEVICE_OFFER && a[0].o) new_offer(w, a[0].o);
    if (event == DATA_DEVICE_SELECTION) select_offer(w, &w->selection[0], a[0].o);
    if (event == DATA_DEVICE_PRIMARY) select_offer(w, &w->selection[1], a[0].o);
    if (event == DATA_DEVICE_FINISHED) { /* the seat is gone */
        bs_wl_request(w, w->device, DATA_DEVICE_DESTROY);
        bs_wl_drop(w, &w->device);
    }
    return 0;
}

bool bs_wl_clip_begin(bs_wl *w) {
    if (!w->data) return true;
    w->device = bs_wl_make(w, w->data, DATA_GET_DEVICE, (union wl_argument[]){{.o = NULL}, {.o = w->seat}}, w->ext ? &bs_wl_ext_data_device : &bs_wl_data_device);
    return w->device && bs_wl_listen(w, w->device, on_device, w);
}

static int no_device(bs_wl *w) {
    return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the compositor lacks ext_data_control_manager_v1 and zwlr_data_control_manager_v1, or has no seat (any more)");
}

int bs_wl_clip_selection(bs_wl *w, bs_str name, bs_wl_selection **s) {
    bool primary = bs_wl_is(name, "PRIMARY");
    *s = &w->selection[primary];
    if (!primary && !bs_wl_is(name, "CLIPBOARD")) {
        return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "the selection is CLIPBOARD or PRIMARY, not \"%.*s\"", (int)(name.length < 80 ? name.length : 80), name.text);
    }
    if (!w->device) return no_device(w);
    if (primary && !w->ext && w->lib->version(w->device) < 2) return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the compositor's zwlr_data_control_manager_v1 has no PRIMARY selection");
    int status = bs_wl_sync(w); /* what has changed so far was told then */
    return status || w->device ? status : no_device(w);
}

void bs_wl_own_drop(bs_wl_own *own) {
    if (!own) return;
    if (own->source) bs_wl_request(own->of, own->source, DATA_SOURCE_DESTROY);
    bs_wl_drop(own->of, &own->source);
    for (unsigned i = 0; i < own->n; i++) {
        free(own->item[i].type);
        bs_wl_blob_drop(own->item[i].blob);
    }
    free(own);
}

static int on_source(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)target, (void)message;
    bs_wl_own *own = (bs_wl_own *)(uintptr_t)about;
    bs_wl *w = own->of;
    if (event == DATA_SOURCE_SEND) {
        bs_wl_blob *blob = NULL;
        for (unsigned i = 0; i < own->n; i++) {
            if (!strcmp(own->item[i].type, a[0].s)) blob = own->item[i].blob;
        }
        if (blob) bs_wl_give(w, a[1].i, blob);
        else close(a[1].i);
    } else if (event == DATA_SOURCE_CANCELLED) {
        for (unsigned i = 0; i < 2; i++) {
            if (w->selection[i].own == own) w->selection[i].own = NULL;
        }
        bs_wl_own_drop(own);
    }
    return 0;
}

int bs_wl_own_listen(bs_wl_own *own) {
    return bs_wl_listen(own->of, own->source, on_source, own) ? BACKSTEP_OK : bs_wl_unmade(own->of);
}

void bs_wl_clip_close(bs_wl *w) {
    bs_wl_give_up(w);
    for (unsigned i = 0; i < 2; i++) {
        bs_wl_own_drop(w->selection[i].own);
        w->selection[i].own = NULL;
    }
    while (w->offers) drop_offer(w->offers);
}
