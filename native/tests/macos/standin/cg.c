/* CoreGraphics: two displays, windows of the scripted applications, pictures of them. The first display has two pixels a point. */
#define _GNU_SOURCE
#include "clock.h"
#include "model.h"
#include "standin.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct CGImage { si s; size_t w, h; uint8_t *pixels; CFTypeRef provider; } si_image;
typedef struct { si s; struct CGImage *of; } si_provider;
typedef struct { si s; uint8_t *data; size_t w, h, row; uint32_t info; } si_context;
typedef struct { si s; size_t w, h, pw, ph; } si_mode;
static bool session = true;
unsigned si_granted(void);
void si_session(bool there) { session = there; }

static const struct { CGRect bounds; double scale; } DISPLAYS[] = {{{{0, 0}, {1440, 900}}, 2}, {{{1440, 0}, {1920, 1080}}, 1}};
const CGRect CGRectNull = {{INFINITY, INFINITY}, {0, 0}}, CGRectInfinite = {{-8.98846567431158e307, -8.98846567431158e307}, {1.7976931348623157e308, 1.7976931348623157e308}};
bool CGRectIsNull(CGRect r) { return isinf(r.origin.x) || isinf(r.origin.y); }
CGDirectDisplayID CGMainDisplayID(void) { return session ? 1 : 0; }
CGError CGGetActiveDisplayList(uint32_t most, CGDirectDisplayID *to, uint32_t *n) {
    *n = session ? 2 : 0;
    for (uint32_t i = 0; to && i < most && i < *n; i++) to[i] = i + 1;
    if (to && *n > most) *n = most;
    return kCGErrorSuccess;
}
CGRect CGDisplayBounds(CGDirectDisplayID d) { return d >= 1 && d <= 2 ? DISPLAYS[d - 1].bounds : CGRectMake(0, 0, 0, 0); }
CGError CGGetDisplaysWithRect(CGRect r, uint32_t most, CGDirectDisplayID *to, uint32_t *n) {
    *n = 0;
    for (uint32_t d = 1; session && d <= 2; d++) {
        CGRect b = DISPLAYS[d - 1].bounds;
        if (r.origin.x >= b.origin.x + b.size.width || r.origin.x + r.size.width <= b.origin.x || r.origin.y >= b.origin.y + b.size.height || r.origin.y + r.size.height <= b.origin.y) continue;
        if (to && *n < most) to[*n] = d;
        ++*n;
    }
    return kCGErrorSuccess;
}
size_t CGDisplayPixelsWide(CGDirectDisplayID d) { return (size_t)CGDisplayBounds(d).size.width; }
size_t CGDisplayPixelsHigh(CGDirectDisplayID d) { return (size_t)CGDisplayBounds(d).size.height; }
CGDisplayModeRef CGDisplayCopyDisplayMode(CGDirectDisplayID d) {
    if (d < 1 || d > 2) return NULL;
    si_mode *m = si_new(SI_MODE, sizeof *m);
    if (!m) return NULL;
    CGSize size = DISPLAYS[d - 1].bounds.size;
    m->w = (size_t)size.width, m->h = (size_t)size.height;
    m->pw = (size_t)(size.width * DISPLAYS[d - 1].scale), m->ph = (size_t)(size.height * DISPLAYS[d - 1].scale);
    return (CGDisplayModeRef)m;
}
size_t CGDisplayModeGetWidth(CGDisplayModeRef m) { return ((si_mode *)si_check(m, SI_MODE, "CGDisplayModeGetWidth"))->w; }
size_t CGDisplayModeGetHeight(CGDisplayModeRef m) { return ((si_mode *)si_check(m, SI_MODE, "CGDisplayModeGetHeight"))->h; }
size_t CGDisplayModeGetPixelWidth(CGDisplayModeRef m) { return ((si_mode *)si_check(m, SI_MODE, "CGDisplayModeGetPixelWidth"))->pw; }
size_t CGDisplayModeGetPixelHeight(CGDisplayModeRef m) { return ((si_mode *)si_check(m, SI_MODE, "CGDisplayModeGetPixelHeight"))->ph; }
/* These, unlike CFRelease, take NULL. */
static void release(const void *p, uint32_t type, const char *what) {
    if (p) si_check(p, type, what), CFRelease(p);
}
void CGDisplayModeRelease(CGDisplayModeRef m) { release(m, SI_MODE, "CGDisplayModeRelease"); }
void CGImageRelease(CGImageRef p) { release(p, SI_IMAGE, "CGImageRelease"); }
void CGContextRelease(CGContextRef p) { release(p, SI_CONTEXT, "CGContextRelease"); }
void CGColorSpaceRelease(CGColorSpaceRef p) { release(p, SI_SPACE, "CGColorSpaceRelease"); }
CGImageRef CGImageRetain(CGImageRef p) { return p ? (CGImageRef)(uintptr_t)CFRetain(p) : NULL; }

/* The colour of what lies at a point: made of the window's number and of the element's role, so that a test can tell what it sees. */
static uint32_t colour(double x, double y, CGWindowID only) {
    for (int i = 0; si_apps(i); i++) {
        si_app *a = si_apps(i);
        if (a->absent || a->dead || a->hidden) continue;
        for (int k = 0; k < a->nodes[0].children_n; k++) {
            int w = a->nodes[0].children[k];
            CGRect r = si_rect_of(a, w);
            if (a->nodes[w].hidden || a->nodes[w].elsewhere || (only && a->nodes[w].window != only) || x < r.origin.x || y < r.origin.y || x >= r.origin.x + r.size.width || y >= r.origin.y + r.size.height) continue;
            uint32_t c = 0xD0D0D0 + a->nodes[w].window % 32;
            for (int n = 1; n < a->n; n++) {
                CGRect e = si_rect_of(a, n);
                if (n == w || si_window_of(a, n) != w || !si_is_there(a, n) || x < e.origin.x || y < e.origin.y || x >= e.origin.x + e.size.width || y >= e.origin.y + e.size.height) continue;
                c = (uint32_t)(n * 2654435761u) & 0xFFFFFF;
            }
            return c;
        }
    }
    return 0x203040;
}
static CGImageRef draw(CGRect r, double scale, CGWindowID only) {
    si_image *p = si_new(SI_IMAGE, sizeof *p);
    if (!p) return NULL;
    p->w = (size_t)(r.size.width * scale), p->h = (size_t)(r.size.height * scale);
    if (!p->w || !p->h || p->w > 20000 || p->h > 20000) return CFRelease(p), NULL;
    size_t row = p->w * 4 + 32; /* rows of a picture are padded */
    p->pixels = calloc(p->h, row);
    si_lock();
    for (size_t y = 0; y < p->h; y += 2)
        for (size_t x = 0; x < p->w; x += 2) {
            uint32_t c = colour(r.origin.x + (double)x / scale, r.origin.y + (double)y / scale, only);
            uint8_t bgra[4] = {(uint8_t)c, (uint8_t)(c >> 8), (uint8_t)(c >> 16), 0xFF};
            for (size_t dy = 0; dy < 2 && y + dy < p->h; dy++)
                for (size_t dx = 0; dx < 2 && x + dx < p->w; dx++) memcpy(p->pixels + (y + dy) * row + (x + dx) * 4, bgra, 4);
        }
    si_unlock();
    return (CGImageRef)p;
}
CGImageRef si_picture(CGRect r, CGWindowID only);
CGImageRef si_picture(CGRect r, CGWindowID only) {
    if (!session || !(si_granted() & SI_SCREEN)) return NULL;
    if (only) {
        bool found = false;
        si_lock();
        for (int i = 0; si_apps(i); i++)
            for (int k = 0; k < si_apps(i)->nodes[0].children_n; k++) {
                int w = si_apps(i)->nodes[0].children[k];
                if (si_apps(i)->nodes[w].window == only && !si_apps(i)->nodes[w].hidden) found = true, r = CGRectIsNull(r) ? si_rect_of(si_apps(i), w) : r;
            }
        si_unlock();
        if (!found) return NULL;
    } else if (CGRectIsNull(r) || r.size.width > 1e300) r = CGRectMake(0, 0, 3360, 1080);
    CGDirectDisplayID d = 0;
    uint32_t n = 0;
    CGGetDisplaysWithRect(r, 1, &d, &n);
    return draw(r, n ? DISPLAYS[d - 1].scale : 1, only);
}
CGImageRef si_picture_sized(CGRect r, CGWindowID only, size_t w, size_t h);
CGImageRef si_picture_sized(CGRect r, CGWindowID only, size_t w, size_t h) {
    CGImageRef p = si_picture(r, only);
    si_image *i = (si_image *)p;
    if (!p || (i->w == w && i->h == h)) return p;
    /* Another size than the pixels have: scaled. */
    uint8_t *to = calloc(h, w * 4 + 32);
    for (size_t y = 0; y < h; y++)
        for (size_t x = 0; x < w; x++) memcpy(to + y * (w * 4 + 32) + x * 4, i->pixels + y * i->h / h * (i->w * 4 + 32) + x * i->w / w * 4, 4);
    free(i->pixels);
    i->pixels = to, i->w = w, i->h = h;
    return p;
}
/* Found by dlsym only: obsolete from macOS 15. */
CGImageRef CGWindowListCreateImage(CGRect r, CGWindowListOption list, CGWindowID window, CGWindowImageOption option);
CGImageRef CGWindowListCreateImage(CGRect r, CGWindowListOption list, CGWindowID window, CGWindowImageOption option) {
    (void)option;
    return si_picture(r, list & kCGWindowListOptionIncludingWindow ? window : 0);
}
size_t CGImageGetWidth(CGImageRef p) { return ((si_image *)si_check(p, SI_IMAGE, "CGImageGetWidth"))->w; }
size_t CGImageGetHeight(CGImageRef p) { return ((si_image *)si_check(p, SI_IMAGE, "CGImageGetHeight"))->h; }
size_t CGImageGetBitsPerComponent(CGImageRef p) { return si_check(p, SI_IMAGE, "CGImageGetBitsPerComponent"), 8; }
size_t CGImageGetBitsPerPixel(CGImageRef p) { return si_check(p, SI_IMAGE, "CGImageGetBitsPerPixel"), 32; }
size_t CGImageGetBytesPerRow(CGImageRef p) { return CGImageGetWidth(p) * 4 + 32; }
CGBitmapInfo CGImageGetBitmapInfo(CGImageRef p) { return si_check(p, SI_IMAGE, "CGImageGetBitmapInfo"), (uint32_t)kCGBitmapByteOrder32Little | kCGImageAlphaPremultipliedFirst; }
CGDataProviderRef CGImageGetDataProvider(CGImageRef p) {
    si_image *image = (si_image *)si_check(p, SI_IMAGE, "CGImageGetDataProvider");
    if (image->provider) return (CGDataProviderRef)(uintptr_t)image->provider;
    si_provider *v = si_new(SI_PROVIDER, sizeof *v);
    if (v) v->of = image;
    image->provider = v;
    return (CGDataProviderRef)v;
}
CFDataRef CGDataProviderCopyData(CGDataProviderRef p) {
    si_image *image = ((si_provider *)si_check(p, SI_PROVIDER, "CGDataProviderCopyData"))->of;
    return CFDataCreate(NULL, image->pixels, (CFIndex)(image->h * (image->w * 4 + 32)));
}
static struct { si s; CFIndex n; UniChar *u; CFIndex bytes; char *utf8; } srgb = {SI_STATIC(SI_STRING), 0, NULL, 17, "kCGColorSpaceSRGB"};
const CFStringRef kCGColorSpaceSRGB = (CFStringRef)&srgb;
CGColorSpaceRef CGColorSpaceCreateDeviceRGB(void) { return si_new(SI_SPACE, sizeof(si)); }
CGColorSpaceRef CGColorSpaceCreateWithName(CFStringRef name) { return si_check(name, SI_STRING, "CGColorSpaceCreateWithName"), CGColorSpaceCreateDeviceRGB(); }
CGContextRef CGBitmapContextCreate(void *data, size_t w, size_t h, size_t bits, size_t row, CGColorSpaceRef space, uint32_t info) {
    si_check(space, SI_SPACE, "CGBitmapContextCreate");
    /* 32 bits a pixel with alpha first or last, not alpha alone: other combinations are refused. */
    uint32_t alpha = info & kCGBitmapAlphaInfoMask;
    if (!data || bits != 8 || row < w * 4 || alpha == kCGImageAlphaLast || alpha == kCGImageAlphaFirst || alpha == kCGImageAlphaNone) return NULL;
    si_context *c = si_new(SI_CONTEXT, sizeof *c);
    if (!c) return NULL;
    *c = (si_context){c->s, data, w, h, row, info};
    return (CGContextRef)c;
}
void CGContextDrawImage(CGContextRef p, CGRect r, CGImageRef i) {
    si_context *c = (si_context *)si_check(p, SI_CONTEXT, "CGContextDrawImage");
    si_image *image = (si_image *)si_check(i, SI_IMAGE, "CGContextDrawImage");
    bool little = (c->info & kCGBitmapByteOrderMask) == kCGBitmapByteOrder32Little;
    uint32_t alpha = c->info & kCGBitmapAlphaInfoMask;
    bool last = alpha == kCGImageAlphaPremultipliedLast || alpha == kCGImageAlphaNoneSkipLast;
    for (size_t y = 0; y < c->h && y < (size_t)r.size.height; y++)
        for (size_t x = 0; x < c->w && x < (size_t)r.size.width; x++) {
            size_t sx = x * image->w / (size_t)r.size.width, sy = y * image->h / (size_t)r.size.height;
            const uint8_t *q = image->pixels + sy * (image->w * 4 + 32) + sx * 4; /* b g r a */
            uint8_t rgba[4] = {q[2], q[1], q[0], q[3]}, argb[4] = {q[3], q[2], q[1], q[0]}, *from = last ? rgba : argb, *to = c->data + y * c->row + x * 4;
            for (int k = 0; k < 4; k++) to[k] = from[little ? 3 - k : k];
        }
}
void si_forget_event(si *p);
void si_forget_graphics(si *p);
void si_forget_graphics(si *p) {
    if (p->type == SI_IMAGE) {
        free(((si_image *)p)->pixels);
        if (((si_image *)p)->provider) CFRelease(((si_image *)p)->provider);
    } else if (p->type == SI_EVENT) si_forget_event(p);
}
