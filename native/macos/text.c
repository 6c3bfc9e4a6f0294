/* SET_TEXT to SELECT_TEXT. The header counts characters, AX counts UTF-16 units: the field's own text tells the one from the other. */
#include "ask.h"
#include "cf.h"
#include "ops.h"

typedef struct field {
    bool secret;
    CFTypeRef value; /* its AXValue; NULL: not asked, or none */
    CFStringRef text; /* within value */
} field;

/* What it is, and what stands in it where that is needed and no password. */
static int look(bs_job *job, field *f, bool content) {
    const bs_names *names = bs_name();
    *f = (field){0};
    CFTypeRef subrole = NULL;
    int status = bs_ask_one(job, job->element, names->attribute[AX_Subrole], &subrole);
    if (status && status != BACKSTEP_E_UNSUPPORTED && status != BACKSTEP_E_APP_ERROR) return status;
    bs_buf text = {0};
    f->secret = bs_cf_text(subrole, &text) && !text.failed && bs_subrole_number((const char *)text.data, text.length) == AX_SUB_SecureTextField;
    bs_buf_free(&text);
    bs_cf_drop(subrole);
    f->secret |= job->number && bs_handle_look(&job->app->handles, job->number).secret;
    if (!content) return BACKSTEP_OK;
    if (f->secret) return bs_job_fail(job, BACKSTEP_E_SECURE, "what stands in a password field is never read, and so no place in it is known");
    status = bs_ask_one(job, job->element, names->attribute[AX_Value], &f->value);
    if (status) return status;
    f->text = bs_is(f->value, CFAttributedStringGetTypeID()) ? CFAttributedStringGetString((CFAttributedStringRef)f->value) : bs_is_string(f->value) ? f->value : NULL;
    if (f->text) return BACKSTEP_OK;
    bs_cf_drop(f->value);
    f->value = NULL;
    return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the value of this element is no text");
}

static int settable(bs_job *job, enum bs_attribute which, bool *yes) {
    int status = bs_ask_settable(job, job->element, bs_name()->attribute[which], yes);
    return status == BACKSTEP_E_UNSUPPORTED || status == BACKSTEP_E_APP_ERROR ? BACKSTEP_OK : status;
}

static int set(bs_job *job, enum bs_attribute which, CFTypeRef value) {
    return value ? bs_tell_set(job, job->element, bs_name()->attribute[which], value) : bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
}

static int set_text(bs_job *job, CFStringRef text) {
    bool yes;
    int status = settable(job, AX_Value, &yes);
    if (status) return status;
    return yes ? set(job, AX_Value, text) : bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the text of this element cannot be set");
}

static CFRange range_of(const field *f, int32_t start, int32_t end) {
    CFIndex from = bs_units(f->text, start < 0 ? 0 : start), to = bs_units(f->text, end < start ? start : end);
    return (CFRange){from, to - from};
}

static int select_range(bs_job *job, CFRange range, bool act) {
    AXValueRef value = bs_cf_range(range.location, range.length);
    AXError error;
    int status = !value ? bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory")
        : act       ? bs_tell_set(job, job->element, bs_name()->attribute[AX_SelectedTextRange], value)
                    : bs_tell_aside(job, job->element, bs_name()->attribute[AX_SelectedTextRange], value, &error);
    bs_cf_drop(value);
    return status;
}

/* The whole text with a part of it replaced. */
static CFStringRef spliced(const field *f, CFRange range, CFStringRef with) {
    CFIndex length = CFStringGetLength(f->text);
    bs_buf units = {0};
    const struct { CFStringRef of; CFRange range; } parts[] = {{f->text, {0, range.location}}, {with, {0, CFStringGetLength(with)}}, {f->text, {range.location + range.length, length - range.location - range.length}}};
    for (unsigned i = 0; i < 3; i++) {
        if (parts[i].range.length <= 0) continue;
        UniChar *to = (UniChar *)(void *)bs_buf_reserve(&units, (size_t)parts[i].range.length * sizeof *to);
        if (to) CFStringGetCharacters(parts[i].of, parts[i].range, to);
    }
    CFStringRef whole = units.failed ? NULL : CFStringCreateWithCharacters(NULL, units.data ? (const UniChar *)(const void *)units.data : (const UniChar[1]){0}, (CFIndex)(units.length / sizeof(UniChar)));
    bs_buf_free(&units);
    return whole;
}

/* A part replaced the way typing does it, which keeps the rest and its formatting; else by setting the whole text. */
static int replace(bs_job *job, int32_t start, int32_t end, CFStringRef with) {
    field f;
    bool parts, chosen, whole = false;
    int status = look(job, &f, true);
    if (status) return status;
    CFRange range = range_of(&f, start, end);
    status = settable(job, AX_SelectedText, &parts);
    if (!status) status = settable(job, AX_SelectedTextRange, &chosen);
    if (!status && !(parts && chosen)) status = settable(job, AX_Value, &whole);
    if (!status && parts && chosen) {
        status = select_range(job, range, false);
        if (!status) status = set(job, AX_SelectedText, with);
    } else if (!status && whole) {
        CFStringRef text = spliced(&f, range, with);
        status = set(job, AX_Value, text);
        bs_cf_drop(text);
    } else if (!status) {
        status = bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "the text of this element cannot be set");
    }
    bs_cf_drop(f.value);
    return status;
}

static int place(bs_job *job, int32_t start, int32_t end) {
    field f;
    bool yes;
    int status = look(job, &f, true);
    if (status) return status;
    status = settable(job, AX_SelectedTextRange, &yes);
    if (!status) status = yes ? select_range(job, range_of(&f, start, end), true) : bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "no place in this text can be chosen");
    bs_cf_drop(f.value);
    return status;
}

int bs_op_text(bs_job *job) {
    bs_reader *r = &job->request;
    bool numbers = job->code != BACKSTEP_OP_SET_TEXT, two = job->code == BACKSTEP_OP_DELETE_TEXT || job->code == BACKSTEP_OP_SELECT_TEXT;
    int32_t start = numbers ? bs_get_i32(r) : 0, end = two ? bs_get_i32(r) : start;
    bs_str text = job->code == BACKSTEP_OP_SET_TEXT || job->code == BACKSTEP_OP_INSERT_TEXT ? bs_get_str(r) : (bs_str){"", 0};
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    if (job->code == BACKSTEP_OP_CARET || job->code == BACKSTEP_OP_SELECT_TEXT) return place(job, start, end);
    CFStringRef string = bs_cf_string(text);
    if (!string) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    int status = job->code == BACKSTEP_OP_SET_TEXT ? set_text(job, string) : replace(job, start, end, string);
    bs_cf_drop(string);
    return status;
}
