/* The screens of the layout: where each lies, in logical pixels, and how its own pixels lie in it. */
#include "wl.h"

#include <string.h>

static int on_output(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message;
    bs_wl *w = (bs_wl *)(uintptr_t)about;
    bs_wl_output_state *o = NULL;
    for (unsigned i = 0; i < w->outputs; i++) {
        if (w->output[i].output == target) o = &w->output[i];
    }
    if (!o) return 0;
    if (event == WL_OUTPUT_GEOMETRY) o->x = a[0].i, o->y = a[1].i, o->transform = a[7].i & 7;
    if (event == WL_OUTPUT_MODE && (a[0].u & 1)) o->width = a[1].i, o->height = a[2].i; /* 1: the current one */
    if (event == WL_OUTPUT_SCALE && a[0].i > 0) o->scale = a[0].i;
    return 0;
}

static int on_xdg_output(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message;
    bs_wl *w = (bs_wl *)(uintptr_t)about;
    for (unsigned i = 0; i < w->outputs; i++) {
        bs_wl_output_state *o = &w->output[i];
        if (o->xdg != target) continue;
        if (event == XDG_OUTPUT_POSITION) o->told.x = a[0].i, o->told.y = a[1].i;
        if (event == XDG_OUTPUT_SIZE) o->told.w = a[0].i, o->told.h = a[1].i;
    }
    return 0;
}

void bs_wl_output_found(bs_wl *w, uint32_t global, uint32_t version) {
    if (w->outputs == BS_WL_OUTPUTS) return;
    bs_wl_output_state *o = &w->output[w->outputs];
    *o = (bs_wl_output_state){.global = global, .scale = 1};
    version = version < (uint32_t)bs_wl_output.version ? version : (uint32_t)bs_wl_output.version;
    union wl_argument arguments[] = {{.u = global}, {.s = bs_wl_output.name}, {.u = version}, {.o = NULL}};
    o->output = w->lib->make(w->registry, WL_REGISTRY_BIND, arguments, &bs_wl_output, version);
    if (!o->output || !bs_wl_listen(w, o->output, on_output, w)) return bs_wl_drop(w, &o->output);
    w->outputs++;
    if (w->synced) bs_wl_output_measure(w, o); /* it came later */
}

void bs_wl_output_measure(bs_wl *w, bs_wl_output_state *o) {
    if (!w->xdg_outputs || o->xdg) return;
    o->xdg = bs_wl_make(w, w->xdg_outputs, XDG_OUTPUT_MANAGER_GET, (union wl_argument[]){{.o = NULL}, {.o = o->output}}, &bs_wl_xdg_output);
    if (o->xdg && !bs_wl_listen(w, o->xdg, on_xdg_output, w)) bs_wl_drop(w, &o->xdg);
}

static void forget(bs_wl *w, bs_wl_output_state *o) {
    if (o->xdg && !w->broken) bs_wl_request(w, o->xdg, XDG_OUTPUT_DESTROY);
    bs_wl_drop(w, &o->xdg);
    bs_wl_drop(w, &o->output);
}

void bs_wl_output_lost(bs_wl *w, uint32_t global) {
    for (unsigned i = 0; i < w->outputs; i++) {
        if (w->output[i].global != global) continue;
        forget(w, &w->output[i]);
        memmove(&w->output[i], &w->output[i + 1], (--w->outputs - i) * sizeof *w->output);
        return;
    }
}

void bs_wl_outputs_drop(bs_wl *w) {
    while (w->outputs) forget(w, &w->output[--w->outputs]);
}

bs_wl_area bs_wl_output_area(const bs_wl_output_state *o) {
    if (o->told.w > 0 && o->told.h > 0) return o->told;
    bool turned = o->transform & 1; /* by 90 or 270 degrees */
    int32_t w = turned ? o->height : o->width, h = turned ? o->width : o->height;
    return (bs_wl_area){o->x, o->y, w / o->scale, h / o->scale};
}

bs_wl_area bs_wl_layout(const bs_wl *w) {
    bs_wl_area all = {0};
    for (unsigned i = 0; i < w->outputs; i++) {
        bs_wl_area a = bs_wl_output_area(&w->output[i]);
        if (a.w <= 0 || a.h <= 0) continue;
        if (!all.w) {
            all = a;
            continue;
        }
        int64_t right = all.x + all.w > a.x + a.w ? all.x + all.w : a.x + a.w, bottom = all.y + all.h > a.y + a.h ? all.y + all.h : a.y + a.h;
        if (a.x < all.x) all.x = a.x;
        if (a.y < all.y) all.y = a.y;
        all.w = right - all.x;
        all.h = bottom - all.y;
    }
    return all;
}
