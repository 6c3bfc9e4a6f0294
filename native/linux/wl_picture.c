/* Pictures: each output that the rectangle touches is copied into memory shared with the compositor. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create, seals */
#endif
#include "wl.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SCREEN, WINDOW, RECT };
enum { ROUTE_MEMORY = 1 };
enum { ARGB8888 = 0, XRGB8888 = 1, ABGR8888 = 0x34324241, XBGR8888 = 0x34324258 }; /* wl_shm's */
enum { Y_INVERT = 1 };

#define SIDE 32767u
#define PIXELS ((int64_t)1 << 27) /* of a picture: 512 MiB; outputs may lie far apart */

static int on_frame(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *a) {
    (void)message;
    bs_wl *w = (bs_wl *)(uintptr_t)about;
    if (target != w->picture.frame) return 0;
    switch (event) {
    case COPY_FRAME_BUFFER:
        for (unsigned i = 0; i < 4; i++) w->picture.told[i] = a[i].u;
        w->picture.wanted |= w->lib->version(target) < 3; /* later ones say when all was told */
        break;
    case COPY_FRAME_BUFFER_DONE: w->picture.wanted = true; break;
    case COPY_FRAME_FLAGS: w->picture.inverted = a[0].u & Y_INVERT; break;
    case COPY_FRAME_READY: w->picture.ready = true; break;
    case COPY_FRAME_FAILED: w->picture.failed = true; break;
    }
    return 0;
}

static void end_frame(bs_wl *w) {
    if (w->picture.frame) bs_wl_request(w, w->picture.frame, COPY_FRAME_DESTROY);
    bs_wl_drop(w, &w->picture.frame);
}

static void drop_buffer(bs_wl *w) {
    if (w->picture.buffer) bs_wl_request(w, w->picture.buffer, WL_BUFFER_DESTROY);
    bs_wl_drop(w, &w->picture.buffer);
    if (w->picture.memory) munmap(w->picture.memory, w->picture.size);
    w->picture.memory = NULL;
}

void bs_wl_picture_close(bs_wl *w) {
    end_frame(w);
    drop_buffer(w);
}

/* Memory for as many pixels as were told, that the compositor cannot make smaller under us. */
static int share(bs_wl *w) {
    uint32_t format = w->picture.told[0], width = w->picture.told[1], height = w->picture.told[2], stride = w->picture.told[3];
    if (w->picture.buffer && w->picture.format == format && w->picture.width == width && w->picture.height == height && w->picture.stride == stride) return BACKSTEP_OK;
    drop_buffer(w);
    if (format != ARGB8888 && format != XRGB8888 && format != ABGR8888 && format != XBGR8888) {
        return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the compositor's pixels are not 8 bits each of red, green and blue in 32 bits (format 0x%x)", format);
    }
    if (!width || !height || width > SIDE || height > SIDE || stride < width * 4 || stride > SIDE * 8) {
        return bs_screen_explain(&w->base, BACKSTEP_E_PROTOCOL, "the compositor told a picture of %ux%u pixels, %u bytes a row", width, height, stride);
    }
    size_t size = (size_t)stride * height;
    if (size > (size_t)PIXELS * 4) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "a picture of %ux%u pixels is larger than can be shared", width, height);
    int fd = memfd_create("backstep-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    uint8_t *memory = MAP_FAILED;
    if (fd >= 0 && !ftruncate(fd, (off_t)size) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL)) memory = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    struct wl_proxy *pool = NULL;
    if (memory != MAP_FAILED) pool = bs_wl_make(w, w->shm, WL_SHM_CREATE_POOL, (union wl_argument[]){{.o = NULL}, {.i = fd}, {.i = (int32_t)size}}, &bs_wl_shm_pool);
    if (fd >= 0) close(fd);
    if (pool) {
        w->picture.buffer = bs_wl_make(w, pool, WL_SHM_POOL_CREATE_BUFFER, (union wl_argument[]){{.o = NULL}, {.i = 0}, {.i = (int32_t)width},
            {.i = (int32_t)height}, {.i = (int32_t)stride}, {.u = format}}, &bs_wl_buffer);
        bs_wl_request(w, pool, WL_SHM_POOL_DESTROY);
        bs_wl_drop(w, &pool);
    }
    if (memory != MAP_FAILED) w->picture.memory = memory, w->picture.size = size;
    if (!w->picture.buffer) return memory == MAP_FAILED ? bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "there is no memory to share a picture in") : bs_wl_unmade(w);
    w->picture.format = format, w->picture.width = width, w->picture.height = height, w->picture.stride = stride;
    return BACKSTEP_OK;
}

static int await_frame(bs_wl *w, const bool *what) {
    int status = bs_wl_flush(w);
    while (!status && !*what && !w->picture.failed) status = bs_wl_wait(w, -1, w->base.deadline_us);
    if (!status && w->picture.failed) status = bs_screen_explain(&w->base, BACKSTEP_E_REFUSED, "the compositor would not give a picture of the output");
    return status;
}

/* Copies a part of an output (in its own logical pixels), or all of it where `part` is NULL. */
static int copy(bs_wl *w, const bs_wl_output_state *o, const bs_wl_area *part) {
    union wl_argument arguments[] = {{.o = NULL}, {.i = 0}, {.o = o->output}, {.i = 0}, {.i = 0}, {.i = 0}, {.i = 0}};
    if (part) arguments[3].i = (int32_t)part->x, arguments[4].i = (int32_t)part->y, arguments[5].i = (int32_t)part->w, arguments[6].i = (int32_t)part->h;
    w->picture.wanted = w->picture.inverted = w->picture.ready = w->picture.failed = false;
    w->picture.frame = bs_wl_make(w, w->copies, part ? COPY_REGION : COPY_OUTPUT, arguments, &bs_wl_copy_frame);
    if (!w->picture.frame || !bs_wl_listen(w, w->picture.frame, on_frame, w)) return bs_wl_unmade(w);
    int status = await_frame(w, &w->picture.wanted);
    if (!status) status = share(w);
    if (status) return status;
    bs_wl_send(w, w->picture.frame, COPY_FRAME_COPY, (union wl_argument[]){{.o = w->picture.buffer}});
    status = await_frame(w, &w->picture.ready);
    if (status) drop_buffer(w); /* the compositor may yet write into it: the next picture has its own */
    return status;
}

static bs_wl_area common(bs_wl_area a, bs_wl_area b) {
    int64_t right = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w, bottom = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
    bs_wl_area c = {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, 0, 0};
    c.w = right > c.x ? right - c.x : 0;
    c.h = bottom > c.y ? bottom - c.y : 0;
    return c;
}

/* A part is copied alone where its edges are edges of the output's own pixels: not of one that is turned, or of a broken scale. */
static int picture(bs_wl *w, unsigned number, bs_wl_area a, uint8_t *to) {
    bs_wl_output_state o = w->output[number]; /* the list may change while we wait */
    bs_wl_area whole = bs_wl_output_area(&o), part = common(a, whole), own = {part.x - whole.x, part.y - whole.y, part.w, part.h};
    if (!part.w || !part.h) return BACKSTEP_OK;
    bool plain = !o.transform && whole.w > 0 && o.width % whole.w == 0 && o.height % whole.h == 0;
    bool all = !plain || (part.w == whole.w && part.h == whole.h);
    int status = copy(w, &o, all ? NULL : &own);
    if (!status) {
        bs_wl_paint(to, a, &(bs_wl_pixels){.bytes = w->picture.memory, .width = w->picture.width, .height = w->picture.height, .stride = w->picture.stride,
            .transform = (uint32_t)o.transform, .blue_first = w->picture.format == ARGB8888 || w->picture.format == XRGB8888, .inverted = w->picture.inverted,
            .covers = all ? whole : part});
    }
    end_frame(w);
    return status;
}

static bool covered(const bs_wl *w, bs_wl_area a) {
    for (unsigned i = 0; i < w->outputs; i++) {
        bs_wl_area both = common(a, bs_wl_output_area(&w->output[i]));
        if (both.w == a.w && both.h == a.h) return true;
    }
    return false;
}

int bs_wl_op_capture(bs_wl *w, bs_reader *r) {
    uint32_t what = bs_get_u32(r);
    bs_get_u32(r);
    bs_wl_area asked = {.x = bs_get_i32(r)}, layout = bs_wl_layout(w);
    asked.y = bs_get_i32(r);
    asked.w = bs_get_i32(r);
    asked.h = bs_get_i32(r);
    int status = bs_screen_malformed(&w->base, r);
    if (status) return status;
    if (what > RECT) return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "no such kind of picture: %u", what);
    if (what == WINDOW) return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the compositor gives pictures of outputs, not of windows; ask for the rectangle where the window lies");
    if (!w->copies || !w->shm) return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the compositor lacks zwlr_screencopy_manager_v1");
    bs_wl_area a = what == SCREEN ? layout : common(asked, layout);
    if (a.w <= 0 || a.h <= 0 || (what == RECT && (asked.w <= 0 || asked.h <= 0))) {
        return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "nothing of the rectangle %lldx%lld at %lld,%lld is on the outputs, which lie in %lldx%lld at %lld,%lld", (long long)asked.w,
            (long long)asked.h, (long long)asked.x, (long long)asked.y, (long long)layout.w, (long long)layout.h, (long long)layout.x, (long long)layout.y);
    }
    if (a.w > SIDE || a.h > SIDE || a.w * a.h > PIXELS) {
        return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "a picture has %u pixels a side at most, and %lld in all; %lldx%lld were asked for", SIDE, (long long)PIXELS, (long long)a.w,
            (long long)a.h);
    }
    bs_put_u32(w->base.reply, (uint32_t)a.w);
    bs_put_u32(w->base.reply, (uint32_t)a.h);
    bs_put_u32(w->base.reply, ROUTE_MEMORY);
    bs_put_u32(w->base.reply, BS_SCALE_1);
    uint8_t *to = bs_buf_reserve(w->base.reply, (size_t)(a.w * a.h) * 4);
    if (!to) return bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
    if (!covered(w, a)) { /* black where no output lies */
        const uint8_t black[4] = {0, 0, 0, 255};
        for (size_t i = 0; i < (size_t)(a.w * a.h); i++) memcpy(to + 4 * i, black, 4);
    }
    for (unsigned i = 0; i < w->outputs && !status; i++) status = picture(w, i, a, to);
    return status;
}
