/* CAPTURE. Places are points, pictures are pixels: the scale goes with them. By ScreenCaptureKit, else by the call that macOS 15 took away. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cf.h"
#include "objc.h"
#include "ops.h"
#include "shot.h"
#include "windows.h"

enum { SCREEN, WINDOW, RECT };
enum { ROUTE_MEMORY = 1, ROUTE_WINDOW = 16 };
#define SIDE 32767.0
#define PIXELS 1e8

static double scale_of(CGDirectDisplayID display) {
    CGDisplayModeRef mode = CGDisplayCopyDisplayMode(display);
    double scale = mode && CGDisplayModeGetWidth(mode) ? (double)CGDisplayModeGetPixelWidth(mode) / (double)CGDisplayModeGetWidth(mode) : 1;
    if (mode) CGDisplayModeRelease(mode);
    return scale;
}

static CGRect common(CGRect a, CGRect b) {
    double x = fmax(a.origin.x, b.origin.x), y = fmax(a.origin.y, b.origin.y);
    double right = fmin(a.origin.x + a.size.width, b.origin.x + b.size.width), bottom = fmin(a.origin.y + a.size.height, b.origin.y + b.size.height);
    return CGRectMake(x, y, fmax(0, right - x), fmax(0, bottom - y));
}

typedef struct canvas {
    uint8_t *pixels;
    size_t width, height;
    CGRect rect; /* what it shows, in points */
    double scale;
} canvas;

/* Draws an image over a part of the canvas; contexts begin at the bottom. */
static bool draw(canvas *c, CGImageRef image, CGRect part) {
    CGColorSpaceRef space = CGColorSpaceCreateWithName(kCGColorSpaceSRGB);
    CGContextRef context = space ? CGBitmapContextCreate(c->pixels, c->width, c->height, 8, 4 * c->width, space, kCGImageAlphaNoneSkipLast | kCGBitmapByteOrder32Big) : NULL;
    double x = (part.origin.x - c->rect.origin.x) * c->scale, y = (part.origin.y - c->rect.origin.y) * c->scale, w = part.size.width * c->scale, h = part.size.height * c->scale;
    if (context) CGContextDrawImage(context, CGRectMake(x, (double)c->height - y - h, w, h), image);
    bool drawn = context != NULL;
    if (context) CGContextRelease(context);
    if (space) CGColorSpaceRelease(space);
    return drawn;
}

static int old_way(bs_job *job, CGRect rect, uint32_t window, CGImageRef *image) {
    bs_create_image create = (bs_create_image)(uintptr_t)bs_symbol(NULL, BS_CREATE_IMAGE);
    if (!create) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "this system has neither SCScreenshotManager nor " BS_CREATE_IMAGE);
    if (!CGPreflightScreenCaptureAccess()) return bs_job_fail(job, BACKSTEP_E_PERMISSION, "pictures: this program may not record the screen");
    *image = window ? create(CGRectNull, kCGWindowListOptionIncludingWindow, window, kCGWindowImageBoundsIgnoreFraming | kCGWindowImageBestResolution) : create(rect, kCGWindowListOptionOnScreenOnly, kCGNullWindowID, kCGWindowImageBestResolution);
    return *image ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_DISPLAY, "the window server gave no picture");
}

static int one_display(bs_job *job, canvas *c, CGDirectDisplayID display, CGRect part) {
    CGRect bounds = CGDisplayBounds(display), within = CGRectMake(part.origin.x - bounds.origin.x, part.origin.y - bounds.origin.y, part.size.width, part.size.height);
    CGImageRef image = NULL;
    int status = bs_shot_display(job, display, within, scale_of(display), &image);
    if (status == BACKSTEP_E_UNSUPPORTED) status = old_way(job, part, 0, &image);
    if (status) return status;
    if (!draw(c, image, part)) status = bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    CGImageRelease(image);
    return status;
}

static int displays(bs_job *job, canvas *c, const CGDirectDisplayID *ids, uint32_t n) {
    int status = BACKSTEP_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        CGRect part = common(c->rect, CGDisplayBounds(ids[i]));
        if (part.size.width > 0 && part.size.height > 0) status = one_display(job, c, ids[i], part);
    }
    return status;
}

static int a_window(bs_job *job, canvas *c, uint32_t window) {
    CGImageRef image = NULL;
    int status = bs_shot_window(job, window, c->rect, c->scale, &image);
    if (status == BACKSTEP_E_UNSUPPORTED) status = old_way(job, c->rect, window, &image);
    if (status) return status;
    if (!draw(c, image, c->rect)) status = bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    CGImageRelease(image);
    return status;
}

static bool window_rect(uint32_t window, CGRect *rect) {
    CFArrayRef list = bs_window_list();
    bool found = false;
    bs_window w;
    for (CFIndex i = 0; list && !found && i < CFArrayGetCount(list); i++) {
        found = bs_window_at(list, i, &w) && w.number == window;
        if (found) *rect = w.bounds;
    }
    bs_cf_drop(list);
    return found;
}

static int paint(bs_job *job, canvas *c, uint32_t window, const CGDirectDisplayID *ids, uint32_t n) {
    c->width = (size_t)floor(c->rect.size.width * c->scale + 0.5), c->height = (size_t)floor(c->rect.size.height * c->scale + 0.5);
    if (!c->width || !c->height) return bs_job_fail(job, BACKSTEP_E_INVALID, "nothing of this rectangle is on a display");
    if ((double)c->width > SIDE || (double)c->height > SIDE || (double)c->width * (double)c->height > PIXELS) return bs_job_fail(job, BACKSTEP_E_LIMIT, "the picture would have more pixels than are taken");
    bs_put_u32(&job->reply, (uint32_t)c->width);
    bs_put_u32(&job->reply, (uint32_t)c->height);
    bs_put_u32(&job->reply, ROUTE_MEMORY | (window ? ROUTE_WINDOW : 0));
    bs_put_u32(&job->reply, (uint32_t)floor(c->scale * 1000 + 0.5));
    size_t bytes = 4 * c->width * c->height;
    c->pixels = bs_buf_reserve(&job->reply, bytes);
    if (!c->pixels) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    memset(c->pixels, 0, bytes);
    int status = window ? a_window(job, c, window) : displays(job, c, ids, n);
    for (size_t i = 3; i < bytes; i += 4) c->pixels[i] = 255;
    return status;
}

int bs_op_capture(bs_job *job) {
    bs_reader *r = &job->request;
    uint32_t what = bs_get_u32(r), window = bs_get_u32(r), n = 0;
    canvas c = {.scale = 1};
    c.rect.origin.x = bs_get_i32(r), c.rect.origin.y = bs_get_i32(r), c.rect.size.width = bs_get_i32(r), c.rect.size.height = bs_get_i32(r);
    if (bs_job_malformed(job) || what > RECT) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request, or no such kind of picture");
    if (what == RECT && (c.rect.size.width <= 0 || c.rect.size.height <= 0)) return bs_job_fail(job, BACKSTEP_E_INVALID, "the rectangle is empty");
    if (what == WINDOW && !window_rect(window, &c.rect)) return bs_job_fail(job, BACKSTEP_E_NO_ELEMENT, "there is no such window");
    CGDirectDisplayID ids[16];
    if (CGGetActiveDisplayList(16, ids, &n) || !n) return bs_job_fail(job, BACKSTEP_E_DISPLAY, "there is no display");
    CGRect box = CGDisplayBounds(ids[0]);
    for (uint32_t i = 1; i < n; i++) {
        CGRect one = CGDisplayBounds(ids[i]);
        double x = fmin(box.origin.x, one.origin.x), y = fmin(box.origin.y, one.origin.y);
        box.size.width = fmax(box.origin.x + box.size.width, one.origin.x + one.size.width) - x;
        box.size.height = fmax(box.origin.y + box.size.height, one.origin.y + one.size.height) - y;
        box.origin.x = x, box.origin.y = y;
    }
    if (what == SCREEN) c.rect = box;
    if (what == RECT) c.rect = common(c.rect, box);
    /* Of displays that differ, the finest: nothing is lost. */
    for (uint32_t i = 0; i < n; i++) {
        CGRect part = common(c.rect, CGDisplayBounds(ids[i]));
        if (part.size.width > 0 && part.size.height > 0) c.scale = fmax(c.scale, scale_of(ids[i]));
    }
    return paint(job, &c, what == WINDOW ? window : 0, ids, n);
}
