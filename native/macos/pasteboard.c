/*
 * The clipboard: NSPasteboard, whose types are uniform type identifiers. CLIP_READ and CLIP_WRITE take the names of Linux for
 * those that have one, and CLIP_KEEP tells them; as the type stands the pasteboard's own, which CLIP_RESTORE sets. changeCount stands for owner and time.
 */
#include <stdlib.h>
#include <string.h>

#include "cf.h"
#include "objc.h"
#include "ops.h"

#define MOST (64u << 20)
enum { KEPT, TOO_LARGE };

static const struct { const char *target, *type; } names[] = {
    {"UTF8_STRING", "public.utf8-plain-text"}, {"text/plain;charset=utf-8", "public.utf8-plain-text"}, {"text/plain", "public.utf8-plain-text"}, {"text/html", "public.html"},
    {"text/rtf", "public.rtf"}, {"image/png", "public.png"}, {"image/tiff", "public.tiff"}, {"application/pdf", "com.adobe.pdf"}, {"text/uri-list", "public.file-url"},
};

static bs_str type_of(bs_str target) {
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].target) == target.length && !memcmp(names[i].target, target.text, target.length)) return (bs_str){names[i].type, (uint32_t)strlen(names[i].type)};
    return target;
}

static bool is(bs_str text, const char *other) { return text.length == strlen(other) && !memcmp(text.text, other, text.length); }

static bs_str target_of(bs_str type) {
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (is(type, names[i].type)) return (bs_str){names[i].target, (uint32_t)strlen(names[i].target)};
    return type;
}

static id pasteboard(bs_job *job, bs_str selection, int *status) {
    *status = BACKSTEP_E_UNSUPPORTED;
    if (!is(selection, "CLIPBOARD")) return bs_job_fail(job, *status, "macOS has one clipboard, and no selection beside it"), NULL;
    id board = bs_framework(BS_APPKIT) ? bs_send(bs_class("NSPasteboard"), "generalPasteboard") : NULL;
    if (!board) bs_job_fail(job, *status = BACKSTEP_E_DISPLAY, "AppKit gives no pasteboard to this process");
    return board;
}

static CFArrayRef types_of(id board) { return bs_cf_array((CFTypeRef)(void *)bs_send(board, "types")); }

static CFDataRef data_of(id board, CFTypeRef type) {
    CFTypeRef data = (CFTypeRef)(void *)bs_send_id(board, "dataForType:", type);
    return bs_is(data, CFDataGetTypeID()) ? data : NULL;
}

static void put_targets(bs_job *job, CFArrayRef types) {
    bs_buf type = {0};
    for (CFIndex i = 0; types && i < CFArrayGetCount(types); i++) {
        bs_buf_clear(&type);
        bs_cf_text(CFArrayGetValueAtIndex(types, i), &type);
        bs_str text = {(const char *)type.data, (uint32_t)type.length};
        for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
            if (!is(text, names[k].type)) continue;
            bs_put(&job->reply, names[k].target, strlen(names[k].target));
            bs_put_u8(&job->reply, '\n');
        }
        bs_put(&job->reply, text.text, text.length);
        bs_put_u8(&job->reply, '\n');
    }
    if (job->reply.length && !job->reply.failed) job->reply.length--; /* one a line, without a last break */
    bs_buf_free(&type);
}

static int read_one(bs_job *job) {
    bs_str selection = bs_get_str(&job->request), target = bs_get_str(&job->request);
    int status;
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    id board = pasteboard(job, selection, &status);
    if (!board) return status;
    CFArrayRef types = types_of(board);
    if (!types || !CFArrayGetCount(types)) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the clipboard is empty");
    if (is(target, "TARGETS")) return put_targets(job, types), BACKSTEP_OK;
    CFStringRef type = bs_cf_string(type_of(target));
    CFDataRef data = type ? data_of(board, type) : NULL;
    if (data) bs_put(&job->reply, CFDataGetBytePtr(data), (size_t)CFDataGetLength(data));
    bs_cf_drop(type);
    return data ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the clipboard has no %.*s", (int)target.length, target.text);
}

static int write_all(bs_job *job, bool raw) {
    bs_reader *r = &job->request;
    bs_str selection = bs_get_str(r);
    uint32_t n = bs_get_u32(r);
    bs_reader items = *r;
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        bs_get_str(r);
        if (raw) bs_get_str(r);
        bs_get_bytes(r);
    }
    int status;
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    id board = pasteboard(job, selection, &status);
    if (!board) return status;
    atomic_store(&job->sent, true);
    bs_send_long(board, "clearContents");
    for (uint32_t i = 0; i < n; i++) {
        bs_str target = bs_get_str(&items), own = raw ? bs_get_str(&items) : (bs_str){"", 0};
        bs_str bytes = bs_get_bytes(&items);
        CFStringRef type = bs_cf_string(own.length ? own : type_of(target));
        CFDataRef data = type ? CFDataCreate(NULL, (const UInt8 *)bytes.text, (CFIndex)bytes.length) : NULL;
        bool taken = data && bs_send_bool_2(board, "setData:forType:", data, type);
        bool made = data != NULL;
        bs_cf_drop(data);
        bs_cf_drop(type);
        if (!made) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
        if (!taken) return bs_job_fail(job, BACKSTEP_E_REFUSED, "the pasteboard does not take %.*s", (int)target.length, target.text);
    }
    return BACKSTEP_OK;
}

static int keep(bs_job *job) {
    bs_reader *r = &job->request;
    bs_str selection = bs_get_str(r);
    uint32_t one = bs_get_u32(r), all = bs_get_u32(r), count = 0;
    int status;
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    id board = pasteboard(job, selection, &status);
    if (!board) return status;
    if (!one) one = MOST;
    if (!all) all = MOST;
    long before = bs_send_long(board, "changeCount");
    CFArrayRef types = types_of(board);
    CFIndex n = types ? CFArrayGetCount(types) : 0;
    bs_put_u32(&job->reply, n ? 1 : 0);
    bs_put_u32(&job->reply, (uint32_t)before);
    size_t at = job->reply.length;
    bs_put_u32(&job->reply, 0);
    for (CFIndex i = 0; i < n; i++) {
        CFTypeRef type = CFArrayGetValueAtIndex(types, i);
        CFDataRef data = data_of(board, type);
        bs_buf name = {0};
        if (!data || !bs_cf_text(type, &name)) {
            bs_buf_free(&name);
            continue;
        }
        size_t size = (size_t)CFDataGetLength(data);
        bool fits = size <= one && size <= all;
        bs_str own = {(const char *)name.data, (uint32_t)name.length}, target = target_of(own);
        bs_put_str(&job->reply, target.text, target.length);
        bs_put_str(&job->reply, own.text, own.length);
        bs_put_u32(&job->reply, fits ? KEPT : TOO_LARGE);
        bs_put_str(&job->reply, (const char *)CFDataGetBytePtr(data), fits ? size : 0);
        if (fits) all -= (uint32_t)size;
        bs_buf_free(&name);
        count++;
    }
    if (!job->reply.failed) memcpy(job->reply.data + at, &count, 4);
    return bs_send_long(board, "changeCount") == before ? BACKSTEP_OK : bs_job_fail(job, BACKSTEP_E_REFUSED, "the clipboard changed meanwhile");
}

int bs_op_clipboard(bs_job *job) {
    switch (job->code) {
    case BACKSTEP_OP_CLIP_READ: return read_one(job);
    case BACKSTEP_OP_CLIP_WRITE: return write_all(job, false);
    case BACKSTEP_OP_CLIP_KEEP: return keep(job);
    case BACKSTEP_OP_CLIP_LEAVE: return bs_put_u32(&job->reply, 0), BACKSTEP_OK; /* it stays on the pasteboard */
    default: return write_all(job, true);
    }
}
