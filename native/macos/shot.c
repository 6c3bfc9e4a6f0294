/*
 * ScreenCaptureKit answers into blocks, which are made by hand: ours are of the global kind, so that nobody copies them. Each
 * is counted, because an answer may come after nobody waits for it any more.
 */
#include "shot.h"

#include <stdlib.h>

#include "../src/cond.h"
#include "cf.h"
#include "objc.h"

extern void *_NSConcreteGlobalBlock[32];
enum { BLOCK_IS_GLOBAL = 1 << 28, DECLINED = -3801 };

typedef struct answer answer;
typedef struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(answer *self, const void *result, id error);
    const struct block_size {
        unsigned long reserved, size;
    } *size;
} block;

struct answer {
    block block; /* first: the answer is the block */
    atomic_uint refs;
    pthread_mutex_t lock;
    pthread_cond_t came;
    bool there, image;
    const void *result; /* retained */
    long error;         /* code of the NSError; 0: none */
};

static void unref(answer *a) {
    if (atomic_fetch_sub(&a->refs, 1) != 1) return;
    if (a->image && a->result) CGImageRelease((CGImageRef)(uintptr_t)a->result);
    else bs_cf_drop(a->result);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->came);
    free(a);
}

static void invoke(answer *a, const void *result, id error) {
    pthread_mutex_lock(&a->lock);
    if (!a->there) {
        a->there = true;
        if (result && a->image) a->result = CGImageRetain((CGImageRef)(uintptr_t)result);
        else if (result) a->result = CFRetain(result);
        a->error = error ? bs_send_long(error, "code") : 0;
        if (error && !a->error) a->error = -1;
        pthread_cond_signal(&a->came);
    }
    pthread_mutex_unlock(&a->lock);
    unref(a);
}

static answer *new_answer(bool image) {
    static const struct block_size size = {0, sizeof(block)};
    answer *a = calloc(1, sizeof *a);
    if (!a || bs_cond_init(&a->came)) {
        free(a);
        return NULL;
    }
    pthread_mutex_init(&a->lock, NULL);
    a->block = (block){_NSConcreteGlobalBlock, BLOCK_IS_GLOBAL, 0, invoke, &size};
    atomic_init(&a->refs, 2); /* ours and the callback's */
    a->image = image;
    return a;
}

static int await(bs_job *job, answer *a) {
    pthread_mutex_lock(&a->lock);
    while (!a->there && bs_now_us() < job->deadline && !atomic_load(&job->over)) bs_cond_until(&a->came, &a->lock, job->deadline);
    bool there = a->there;
    pthread_mutex_unlock(&a->lock);
    if (!there) return bs_job_fail(job, BACKSTEP_E_TIMEOUT_UNSENT, "no picture came in time");
    if (a->error == DECLINED) return bs_job_fail(job, BACKSTEP_E_PERMISSION, "pictures: this program may not record the screen");
    if (a->error || !a->result) return bs_job_fail(job, BACKSTEP_E_DISPLAY, "ScreenCaptureKit answered the error %ld", a->error);
    return BACKSTEP_OK;
}

static bool there(void) {
    CGMainDisplayID(); /* filters of windows abort where nobody has spoken to the window server yet */
    return bs_framework(BS_SCREEN_CAPTURE_KIT) && bs_class("SCScreenshotManager") && bs_class("SCShareableContent");
}

static int content(bs_job *job, answer **got) {
    answer *a = new_answer(false);
    if (!a) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    bs_send_id(bs_class("SCShareableContent"), "getShareableContentWithCompletionHandler:", a);
    int status = await(job, a);
    if (status) unref(a);
    else *got = a;
    return status;
}

/* The one of displays or windows with this number. */
static id among(const void *of, const char *list, const char *key, uint32_t number) {
    CFArrayRef all = bs_cf_array((CFTypeRef)(void *)bs_send((id)(uintptr_t)of, list));
    for (CFIndex i = 0; all && i < CFArrayGetCount(all); i++) {
        id one = (id)(uintptr_t)CFArrayGetValueAtIndex(all, i);
        if (((uint32_t(*)(id, SEL))bs_sender())(one, bs_sel(key)) == number) return one;
    }
    return NULL;
}

static id configuration(double width, double height, const CGRect *part) {
    id c = bs_send(bs_send(bs_class("SCStreamConfiguration"), "alloc"), "init");
    if (!c) return NULL;
    ((void (*)(id, SEL, size_t))bs_sender())(c, bs_sel("setWidth:"), (size_t)width);
    ((void (*)(id, SEL, size_t))bs_sender())(c, bs_sel("setHeight:"), (size_t)height);
    ((void (*)(id, SEL, BOOL))bs_sender())(c, bs_sel("setShowsCursor:"), 0);
    if (part) ((void (*)(id, SEL, CGRect))bs_sender())(c, bs_sel("setSourceRect:"), *part);
    return c;
}

/* Takes over the filter. */
static int take(bs_job *job, id filter, double width, double height, const CGRect *part, CGImageRef *image) {
    id how = configuration(width, height, part);
    answer *a = filter && how ? new_answer(true) : NULL;
    int status = a ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    if (a) {
        ((void (*)(id, SEL, id, id, answer *))bs_sender())(bs_class("SCScreenshotManager"), bs_sel("captureImageWithFilter:configuration:completionHandler:"), filter, how, a);
        status = await(job, a);
        if (!status) *image = CGImageRetain((CGImageRef)(uintptr_t)a->result);
        unref(a);
    }
    bs_send(how, "release");
    bs_send(filter, "release");
    return status;
}

int bs_shot_display(bs_job *job, CGDirectDisplayID display, CGRect rect, double scale, CGImageRef *image) {
    answer *all;
    if (!there()) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "this system lacks SCScreenshotManager");
    int status = content(job, &all);
    if (status) return status;
    id which = among(all->result, "displays", "displayID", display), filter = NULL;
    CFArrayRef none = CFArrayCreate(NULL, NULL, 0, &kCFTypeArrayCallBacks);
    if (which && none) filter = ((id(*)(id, SEL, id, CFArrayRef))bs_sender())(bs_send(bs_class("SCContentFilter"), "alloc"), bs_sel("initWithDisplay:excludingWindows:"), which, none);
    bs_cf_drop(none);
    status = filter ? take(job, filter, rect.size.width * scale, rect.size.height * scale, &rect, image) : bs_job_fail(job, BACKSTEP_E_DISPLAY, "ScreenCaptureKit does not list this display");
    unref(all);
    return status;
}

int bs_shot_window(bs_job *job, uint32_t window, CGRect bounds, double scale, CGImageRef *image) {
    answer *all;
    if (!there()) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "this system lacks SCScreenshotManager");
    int status = content(job, &all);
    if (status) return status;
    id which = among(all->result, "windows", "windowID", window);
    id filter = which ? bs_send_id(bs_send(bs_class("SCContentFilter"), "alloc"), "initWithDesktopIndependentWindow:", which) : NULL;
    status = filter ? take(job, filter, bounds.size.width * scale, bounds.size.height * scale, NULL, image) : bs_job_fail(job, BACKSTEP_E_NO_ELEMENT, "ScreenCaptureKit does not list this window");
    unref(all);
    return status;
}
