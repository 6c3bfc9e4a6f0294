/* Pictures of the screen: through shared memory where the server shares ours, else in stripes over the socket. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include <xcb/shm.h>

enum { SCREEN, WINDOW, RECT };

#define STRIPE_BYTES (1u << 20)

typedef struct area {
    int64_t x, y, w, h;
} area;

/* What can be converted: 32 bits a pixel, little-endian, red in the third byte. */
static int check_format(bs_x11 *x) {
    const xcb_setup_t *setup = xcb_get_setup(x->c);
    uint8_t depth = x->screen->root_depth;
    unsigned bits = 0;
    for (xcb_format_iterator_t f = xcb_setup_pixmap_formats_iterator(setup); f.rem; xcb_format_next(&f)) {
        if (f.data->depth == depth) bits = f.data->bits_per_pixel;
    }
    const xcb_visualtype_t *visual = NULL;
    for (xcb_depth_iterator_t d = xcb_screen_allowed_depths_iterator(x->screen); d.rem; xcb_depth_next(&d)) {
        for (xcb_visualtype_iterator_t v = xcb_depth_visuals_iterator(d.data); v.rem; xcb_visualtype_next(&v)) {
            if (v.data->visual_id == x->screen->root_visual) visual = v.data;
        }
    }
    bool fits = visual && (depth == 24 || depth == 32) && bits == 32 && setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST
        && (visual->_class == XCB_VISUAL_CLASS_TRUE_COLOR || visual->_class == XCB_VISUAL_CLASS_DIRECT_COLOR)
        && visual->red_mask == 0xff0000 && visual->green_mask == 0xff00 && visual->blue_mask == 0xff;
    if (fits) return BACKSTEP_OK;
    return bs_x11_fail(x, BACKSTEP_E_UNSUPPORTED, "the screen's pixels are not 8 bits each of red, green and blue in 32 bits (depth %u, %u bits a pixel, masks %x %x %x)",
        depth, bits, visual ? visual->red_mask : 0, visual ? visual->green_mask : 0, visual ? visual->blue_mask : 0);
}

static void convert(uint8_t *restrict to, const uint8_t *restrict from, size_t pixels) {
    for (size_t i = 0; i < pixels; i++) {
        uint32_t v, o;
        memcpy(&v, from + 4 * i, 4);
        o = 0xff000000u | (v & 0xff00u) | ((v >> 16) & 0xffu) | ((v & 0xffu) << 16);
        memcpy(to + 4 * i, &o, 4);
    }
}

static void release_memory(bs_x11 *x) {
    if (!x->shm_memory) return;
    shmdt(x->shm_memory);
    x->shm_memory = NULL;
    x->shm_size = 0;
}

void bs_x11_picture_close(bs_x11 *x) {
    release_memory(x);
}

/* Memory shared with the server, at least `size`; x->shm_memory stays NULL where the server cannot attach ours. */
static int share(bs_x11 *x, size_t size) {
    if (!x->shm_known) {
        const xcb_query_extension_reply_t *shm = xcb_get_extension_data(x->c, &xcb_shm_id);
        x->shm_usable = shm && shm->present;
        x->shm_known = true;
    }
    if (!x->shm_usable || x->shm_size >= size) return BACKSTEP_OK;
    if (x->shm_memory) xcb_shm_detach(x->c, x->shm_segment);
    release_memory(x);
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    if (id < 0) return BACKSTEP_OK;
    uint8_t *memory = shmat(id, NULL, 0);
    if (memory == (void *)-1) {
        shmctl(id, IPC_RMID, NULL);
        return BACKSTEP_OK;
    }
    x->shm_segment = xcb_generate_id(x->c);
    unsigned attach = xcb_shm_attach_checked(x->c, x->shm_segment, (uint32_t)id, 0).sequence;
    int status = bs_x11_sync(x);
    shmctl(id, IPC_RMID, NULL); /* gone with the last of us two, however we end */
    void *nothing;
    if (status) xcb_discard_reply(x->c, attach);
    else status = bs_x11_await(x, attach, &nothing);
    if (status || x->x_error) {
        shmdt(memory); /* a server elsewhere, or in another container */
        if (!status) x->shm_usable = false;
        return status;
    }
    x->shm_memory = memory;
    x->shm_size = size;
    return BACKSTEP_OK;
}

static int refused(bs_x11 *x) {
    return bs_x11_fail(x, BACKSTEP_E_DISPLAY, "the X server would not give the picture: %s", bs_x11_error_name(x->x_error));
}

static int through_memory(bs_x11 *x, area a, uint8_t *to) {
    xcb_shm_get_image_reply_t *reply;
    int status = bs_x11_await(x, xcb_shm_get_image(x->c, x->root, (int16_t)a.x, (int16_t)a.y, (uint16_t)a.w, (uint16_t)a.h, ~0u,
        XCB_IMAGE_FORMAT_Z_PIXMAP, x->shm_segment, 0).sequence, &reply);
    if (status) {
        xcb_shm_detach(x->c, x->shm_segment); /* the server may yet write into it: the next picture has its own */
        release_memory(x);
        return status;
    }
    if (!reply) return refused(x);
    free(reply);
    convert(to, x->shm_memory, (size_t)(a.w * a.h));
    return BACKSTEP_OK;
}

static int through_socket(bs_x11 *x, area a, uint8_t *to) {
    int64_t rows = STRIPE_BYTES / (a.w * 4);
    if (rows < 1) rows = 1;
    for (int64_t done = 0; done < a.h; done += rows) {
        int64_t h = a.h - done < rows ? a.h - done : rows;
        xcb_get_image_reply_t *reply;
        int status = bs_x11_await(x, xcb_get_image(x->c, XCB_IMAGE_FORMAT_Z_PIXMAP, x->root, (int16_t)a.x, (int16_t)(a.y + done), (uint16_t)a.w, (uint16_t)h, ~0u).sequence, &reply);
        if (status) return status;
        size_t pixels = (size_t)(a.w * h);
        bool whole = reply && (size_t)xcb_get_image_data_length(reply) >= pixels * 4;
        if (whole) convert(to + (size_t)(done * a.w) * 4, xcb_get_image_data(reply), pixels);
        free(reply);
        if (!whole) return refused(x);
    }
    return BACKSTEP_OK;
}

static int window_area(bs_x11 *x, xcb_window_t window, area *a) {
    unsigned s[3] = {xcb_get_geometry(x->c, window).sequence, xcb_get_window_attributes(x->c, window).sequence,
        xcb_translate_coordinates(x->c, window, x->root, 0, 0).sequence};
    void *reply[3] = {0};
    int status = BACKSTEP_OK;
    for (unsigned i = 0; i < 3; i++) {
        if (status) xcb_discard_reply(x->c, s[i]);
        else status = bs_x11_await(x, s[i], &reply[i]);
    }
    const xcb_get_geometry_reply_t *g = reply[0];
    const xcb_get_window_attributes_reply_t *attributes = reply[1];
    const xcb_translate_coordinates_reply_t *t = reply[2];
    if (!status) {
        if (!g || !attributes || !t) status = bs_x11_window_gone(x, window);
        else if (attributes->map_state != XCB_MAP_STATE_VIEWABLE) {
            status = bs_x11_fail(x, BACKSTEP_E_UNSUPPORTED, "window 0x%x is not on the screen: it is minimised or not mapped", window);
        } else *a = (area){t->dst_x, t->dst_y, g->width, g->height};
    }
    for (unsigned i = 0; i < 3; i++) free(reply[i]);
    return status;
}

static int clip(bs_x11 *x, area *a) {
    area asked = *a;
    int64_t right = a->x + a->w < x->width ? a->x + a->w : x->width, bottom = a->y + a->h < x->height ? a->y + a->h : x->height;
    if (a->x < 0) a->x = 0;
    if (a->y < 0) a->y = 0;
    a->w = right - a->x;
    a->h = bottom - a->y;
    if (asked.w > 0 && asked.h > 0 && a->w > 0 && a->h > 0) return BACKSTEP_OK;
    return bs_x11_fail(x, BACKSTEP_E_INVALID, "nothing of the rectangle %lldx%lld at %lld,%lld is on the screen of %dx%d",
        (long long)asked.w, (long long)asked.h, (long long)asked.x, (long long)asked.y, x->width, x->height);
}

int bs_x11_op_capture(bs_x11 *x, bs_reader *r) {
    uint32_t what = bs_get_u32(r), window = bs_get_u32(r);
    area a = {.x = bs_get_i32(r)};
    a.y = bs_get_i32(r);
    a.w = bs_get_i32(r);
    a.h = bs_get_i32(r);
    int status = bs_x11_malformed(x, r);
    if (status) return status;
    if (what > RECT) return bs_x11_fail(x, BACKSTEP_E_INVALID, "no such kind of picture: %u", what);
    if (!status) status = check_format(x);
    if (!status && what == SCREEN) a = (area){0, 0, x->width, x->height};
    if (!status && what == WINDOW) status = window_area(x, window, &a);
    if (!status) status = clip(x, &a);
    if (status) return status;
    size_t size = (size_t)(a.w * a.h) * 4;
    status = share(x, size);
    if (status) return status;
    bs_put_u32(x->reply, (uint32_t)a.w);
    bs_put_u32(x->reply, (uint32_t)a.h);
    uint8_t *to = bs_buf_reserve(x->reply, size);
    if (!to) return bs_x11_fail(x, BACKSTEP_E_MEMORY, "out of memory");
    return x->shm_memory && x->shm_size >= size ? through_memory(x, a, to) : through_socket(x, a, to);
}
