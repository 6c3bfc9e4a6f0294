/*
 * The screen's picture, kept in memory shared with the server: XDamage tells which rows changed since, and only those are
 * fetched. Without shared memory it comes over the socket in stripes, and nothing is kept.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include <xcb/damage.h>
#include <xcb/shm.h>
#include <xcb/xfixes.h>

#define STRIPE_BYTES (1u << 20)
#define TRUSTED_US 1000000u /* damage is believed for so long: a driver that draws past the server would go unseen for ever */

static void release_memory(bs_x11 *x) {
    bs_picture *p = &x->picture;
    if (p->memory) shmdt(p->memory);
    free(p->fetched_us);
    p->memory = NULL;
    p->fetched_us = NULL;
    p->size = 0;
    p->rows = 0;
}

void bs_x11_picture_close(bs_x11 *x) {
    release_memory(x);
}

void bs_x11_picture_detach(bs_x11 *x) {
    if (x->picture.memory) xcb_shm_detach(x->c, x->picture.segment);
    release_memory(x);
}

/* Memory shared with the server, at least `size`; picture.memory stays NULL where there is none: a server elsewhere, no segment left. */
static int share(bs_x11 *x, size_t size) {
    bs_picture *p = &x->picture;
    if (!p->known) {
        const xcb_query_extension_reply_t *shm = xcb_get_extension_data(x->c, &xcb_shm_id);
        p->usable = shm && shm->present;
        p->known = true;
    }
    if (!p->usable || p->size >= size) return BACKSTEP_OK;
    bs_x11_picture_detach(x);
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    if (id < 0) return BACKSTEP_OK;
    uint8_t *memory = shmat(id, NULL, 0);
    if (memory == (void *)-1) {
        shmctl(id, IPC_RMID, NULL);
        return BACKSTEP_OK;
    }
    p->segment = xcb_generate_id(x->c);
    unsigned attach = xcb_shm_attach_checked(x->c, p->segment, (uint32_t)id, 0).sequence;
    int status = bs_x11_sync(x);
    shmctl(id, IPC_RMID, NULL); /* gone with the last of us two, however we end */
    void *nothing;
    if (status) xcb_discard_reply(x->c, attach);
    else status = bs_x11_await(x, attach, &nothing);
    if (status || x->x_error) {
        shmdt(memory); /* a server elsewhere, or in another container */
        if (!status) p->usable = false;
        return status;
    }
    p->memory = memory;
    p->size = size;
    return BACKSTEP_OK;
}

static int refused(bs_x11 *x) {
    return bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the X server would not give the picture: %s", bs_x11_error_name(x->x_error));
}

/* Fetches one rectangle into the shared memory. */
static int fetch(bs_x11 *x, xcb_drawable_t from, bs_area a, size_t at) {
    xcb_shm_get_image_reply_t *reply;
    int status = bs_x11_await(x, xcb_shm_get_image(x->c, from, (int16_t)a.x, (int16_t)a.y, (uint16_t)a.w, (uint16_t)a.h, ~0u,
        XCB_IMAGE_FORMAT_Z_PIXMAP, x->picture.segment, (uint32_t)at).sequence, &reply);
    if (status) {
        if (!xcb_connection_has_error(x->c)) bs_x11_picture_detach(x); /* the server may yet write into it: the next picture has its own */
        else release_memory(x);
        return status;
    }
    if (!reply) return refused(x);
    free(reply);
    return BACKSTEP_OK;
}

static int over_socket(bs_x11 *x, xcb_drawable_t from, bs_area a, uint8_t *to) {
    int64_t rows = STRIPE_BYTES / (a.w * 4);
    if (rows < 1) rows = 1;
    for (int64_t done = 0; done < a.h; done += rows) {
        int64_t h = a.h - done < rows ? a.h - done : rows;
        xcb_get_image_reply_t *reply;
        int status = bs_x11_await(x, xcb_get_image(x->c, XCB_IMAGE_FORMAT_Z_PIXMAP, from, (int16_t)a.x, (int16_t)(a.y + done), (uint16_t)a.w, (uint16_t)h, ~0u).sequence, &reply);
        if (status) return status;
        size_t pixels = (size_t)(a.w * h);
        bool whole = reply && (size_t)xcb_get_image_data_length(reply) >= pixels * 4;
        if (whole) bs_rgba_of_bgrx(to + (size_t)(done * a.w) * 4, xcb_get_image_data(reply), pixels);
        free(reply);
        if (!whole) return refused(x);
    }
    return BACKSTEP_OK;
}

/* Room for `rows` rows of which nothing is known yet. */
static bool note_rows(bs_picture *p, uint32_t width, uint32_t rows) {
    if (p->fetched_us && p->width == width && p->rows == rows) return true;
    free(p->fetched_us);
    p->fetched_us = calloc(rows, sizeof *p->fetched_us);
    p->width = width;
    p->rows = p->fetched_us ? rows : 0;
    return p->fetched_us != NULL;
}

static void forget_rows(bs_picture *p, int64_t from, int64_t to) {
    for (int64_t y = from < 0 ? 0 : from; y < to && y < p->rows; y++) p->fetched_us[y] = 0;
}

/* The server's answer to both is that it has the extension: asked once, and damage of the whole screen is noted from then on. */
static int watch_damage(bs_x11 *x) {
    bs_picture *p = &x->picture;
    if (p->damage_known) return BACKSTEP_OK;
    const xcb_query_extension_reply_t *damage = xcb_get_extension_data(x->c, &xcb_damage_id), *fixes = xcb_get_extension_data(x->c, &xcb_xfixes_id);
    if (damage && damage->present && fixes && fixes->present) {
        unsigned versions[2] = {xcb_damage_query_version(x->c, 1, 1).sequence, xcb_xfixes_query_version(x->c, 2, 0).sequence};
        void *reply[2] = {0};
        int status = bs_x11_await(x, versions[0], &reply[0]);
        if (status) xcb_discard_reply(x->c, versions[1]);
        else status = bs_x11_await(x, versions[1], &reply[1]);
        bool both = reply[0] && reply[1];
        free(reply[0]);
        free(reply[1]);
        if (status) return status;
        if (both) {
            p->damage = xcb_generate_id(x->c);
            p->region = xcb_generate_id(x->c);
            xcb_damage_create(x->c, p->damage, x->root, XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
            xcb_xfixes_create_region(x->c, p->region, 0, NULL);
        }
    }
    p->damage_known = true;
    return BACKSTEP_OK;
}

/* Which rows are not as they were fetched. What is drawn from here on is told the next time. */
static int look_at_damage(bs_x11 *x) {
    bs_picture *p = &x->picture;
    int status = watch_damage(x);
    if (status) return status;
    if (!p->damage) {
        forget_rows(p, 0, p->rows);
        return BACKSTEP_OK;
    }
    xcb_damage_subtract(x->c, p->damage, XCB_NONE, p->region);
    xcb_xfixes_fetch_region_reply_t *reply;
    status = bs_x11_await(x, xcb_xfixes_fetch_region(x->c, p->region).sequence, &reply);
    if (status || !reply) {
        forget_rows(p, 0, p->rows);
        return status;
    }
    const xcb_rectangle_t *r = xcb_xfixes_fetch_region_rectangles(reply);
    for (int i = 0; i < xcb_xfixes_fetch_region_rectangles_length(reply); i++) forget_rows(p, r[i].y, (int64_t)r[i].y + r[i].height);
    free(reply);
    return BACKSTEP_OK;
}

/* Brings whole rows up to date, in runs. */
static int refresh(bs_x11 *x, int64_t from, int64_t to, bool *any) {
    bs_picture *p = &x->picture;
    uint64_t now = bs_now_us();
    for (int64_t y = from; y < to; y++) {
        if (now - p->fetched_us[y] < TRUSTED_US) continue;
        int64_t end = y + 1;
        for (int64_t z = end; z < to && z < end + 8; z++) { /* a short gap costs less than a request of its own */
            if (now - p->fetched_us[z] >= TRUSTED_US) end = z + 1;
        }
        *any = true;
        int status = fetch(x, x->root, (bs_area){0, y, p->width, end - y}, (size_t)y * p->width * 4);
        if (status) return status;
        for (; y < end; y++) p->fetched_us[y] = now;
    }
    return BACKSTEP_OK;
}

/* A part that is much narrower than the screen is not worth whole rows; it takes the place of rows that are then unknown. */
static int narrow(bs_x11 *x, bs_area a, uint8_t *to) {
    bs_picture *p = &x->picture;
    size_t at = (size_t)a.y * p->width * 4;
    forget_rows(p, a.y, a.y + a.h);
    int status = fetch(x, x->root, a, at);
    if (!status) bs_rgba_of_bgrx(to, p->memory + at, (size_t)(a.w * a.h));
    return status;
}

int bs_x11_screen_pixels(bs_x11 *x, bs_area a, uint8_t *to, uint32_t *route) {
    bs_picture *p = &x->picture;
    uint32_t width = (uint32_t)x->width, height = (uint32_t)x->height;
    int status = share(x, (size_t)width * height * 4);
    if (status) return status;
    if (!p->memory) {
        *route = BS_ROUTE_SOCKET;
        return over_socket(x, x->root, a, to);
    }
    if (!note_rows(p, width, height)) return bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    status = look_at_damage(x);
    if (status) return status;
    bool any = false;
    if (a.w * 2 < width) {
        uint64_t now = bs_now_us();
        for (int64_t y = a.y; y < a.y + a.h && !any; y++) any = now - p->fetched_us[y] >= TRUSTED_US;
        *route = any ? BS_ROUTE_MEMORY : BS_ROUTE_KEPT;
        if (any) return narrow(x, a, to);
    }
    status = refresh(x, a.y, a.y + a.h, &any);
    if (status) return status;
    *route = any ? BS_ROUTE_MEMORY : BS_ROUTE_KEPT;
    if (a.w == width) bs_rgba_of_bgrx(to, p->memory + (size_t)a.y * width * 4, (size_t)(a.w * a.h));
    else for (int64_t y = 0; y < a.h; y++) bs_rgba_of_bgrx(to + (size_t)(y * a.w) * 4, p->memory + ((size_t)(a.y + y) * width + (size_t)a.x) * 4, (size_t)a.w);
    return BACKSTEP_OK;
}

int bs_x11_drawable_pixels(bs_x11 *x, xcb_drawable_t from, bs_area a, uint8_t *to, uint32_t *route) {
    size_t size = (size_t)(a.w * a.h) * 4, screen = (size_t)x->width * (size_t)x->height * 4;
    int status = share(x, size > screen ? size : screen);
    if (status) return status;
    if (!x->picture.memory) {
        *route = BS_ROUTE_SOCKET;
        return over_socket(x, from, a, to);
    }
    forget_rows(&x->picture, 0, x->picture.rows);
    *route = BS_ROUTE_MEMORY;
    status = fetch(x, from, a, 0);
    if (!status) bs_rgba_of_bgrx(to, x->picture.memory, (size_t)(a.w * a.h));
    return status;
}
