#include "looks.h"

#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "cf.h"

/* The answer to a question about a part of the text; NULL with OK: it does not tell. */
static int about(bs_job *job, AXUIElementRef element, enum bs_parameterized what, CFIndex from, CFIndex units, CFTypeRef *out) {
    *out = NULL;
    AXValueRef range = bs_cf_range(from, units);
    if (!range) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    int status = bs_ask_about(job, element, bs_name()->parameterized[what], range, out);
    bs_cf_drop(range);
    return status == BACKSTEP_E_UNSUPPORTED || status == BACKSTEP_E_APP_ERROR ? BACKSTEP_OK : status;
}

int bs_looks_rect(bs_job *job, const bs_wish *wish, bs_tree *t, uint32_t node, AXUIElementRef element, CFIndex units) {
    CFTypeRef bounds;
    CGRect rect;
    int status = about(job, element, AX_ABOUT_BoundsForRange, 0, units, &bounds);
    if (!status && bs_cf_rect(bounds, &rect)) bs_row_place(t->nodes[node].text_rect, (const double[4]){rect.origin.x, rect.origin.y, rect.size.width, rect.size.height}, wish);
    bs_cf_drop(bounds);
    return status;
}

static void put(bs_buf *to, const char *name, const char *text, size_t length) {
    if (to->length) bs_put_u8(to, '\n');
    bs_put(to, name, strlen(name));
    bs_put_u8(to, ':');
    for (size_t i = 0; i < length; i++) bs_put_u8(to, (uint8_t)(text[i] == '\n' ? ' ' : text[i]));
}

/* A text of the dictionary under a name of ours; false: it has none there. */
static bool put_text(bs_buf *to, const char *name, CFDictionaryRef from, enum bs_text_key key) {
    bs_buf text = {0};
    bool there = bs_cf_text(CFDictionaryGetValue(from, bs_name()->text_key[key]), &text) && text.length && !text.failed;
    if (there) put(to, name, (const char *)text.data, text.length);
    bs_buf_free(&text);
    return there;
}

/* "HelveticaNeue-Bold": AX tells no weight, and a font's PostScript name has its style behind the dash. */
static unsigned weight_of(CFTypeRef name) {
    static const struct { const char *style; unsigned weight; } styles[] = {{"semibold", 600}, {"demibold", 600}, {"bold", 700}, {"heavy", 800}, {"black", 900}};
    bs_buf text = {0};
    unsigned weight = 0;
    if (bs_cf_text(name, &text) && !text.failed) {
        bs_put_u8(&text, 0);
        for (size_t i = 0; i + 1 < text.length && !text.failed; i++)
            if (text.data[i] >= 'A' && text.data[i] <= 'Z') text.data[i] = (uint8_t)(text.data[i] + 32);
        const char *style = text.failed ? NULL : strchr((const char *)text.data, '-');
        for (unsigned i = 0; style && !weight && i < sizeof styles / sizeof *styles; i++)
            if (strstr(style, styles[i].style)) weight = styles[i].weight;
    }
    bs_buf_free(&text);
    return weight;
}

/* In the words of AT-SPI's default attributes. A point of a font is one unit of places here, and no 96th of an inch. */
static void put_style(bs_buf *to, CFDictionaryRef style) {
    CFTypeRef font = CFDictionaryGetValue(style, bs_name()->text_key[AX_TEXT_Font]);
    if (bs_is(font, CFDictionaryGetTypeID())) {
        char digits[32];
        double size;
        unsigned weight = weight_of(CFDictionaryGetValue(font, bs_name()->text_key[AX_TEXT_FontName]));
        if (!put_text(to, "family-name", font, AX_TEXT_FontFamily)) put_text(to, "family-name", font, AX_TEXT_FontName);
        if (bs_cf_double(CFDictionaryGetValue(font, bs_name()->text_key[AX_TEXT_FontSize]), &size) && size > 0 && size < 1e5) {
            snprintf(digits, sizeof digits, "%.15gpx", size);
            put(to, "size", digits, strlen(digits));
        }
        if (weight) {
            snprintf(digits, sizeof digits, "%u", weight);
            put(to, "weight", digits, strlen(digits));
        }
    }
    put_text(to, "language", style, AX_TEXT_NaturalLanguageText);
}

int bs_looks_style(bs_job *job, bs_tree *t, uint32_t node, AXUIElementRef element) {
    CFTypeRef part;
    int status = about(job, element, AX_ABOUT_AttributedStringForRange, 0, 1, &part);
    if (status || !bs_is(part, CFAttributedStringGetTypeID()) || CFAttributedStringGetLength(part) < 1) {
        bs_cf_drop(part);
        return status;
    }
    bs_buf text = {0};
    CFDictionaryRef style = CFAttributedStringGetAttributes(part, 0, NULL);
    if (bs_is(style, CFDictionaryGetTypeID())) put_style(&text, style);
    t->nodes[node].text_style = bs_intern(&t->strings, (bs_str){(const char *)text.data, (uint32_t)text.length});
    if (text.failed) t->failed = true;
    bs_buf_free(&text);
    bs_cf_drop(part);
    return BACKSTEP_OK;
}
