/* Text: each character on a key of its own, in runs of 47 different ones. */
#include "wl.h"

#include <stdlib.h>

#define TOGETHER 32u /* strokes between two flushes: libwayland keeps 4 KiB, and gives up where the socket is full then */

enum { KEY_TAB = 15, KEY_RETURN = 28, KEY_SPACE = 57 };

/* The text is valid UTF-8. */
static uint32_t next_character(bs_str *text) {
    const uint8_t *p = (const uint8_t *)text->text;
    uint32_t n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4, c = n == 1 ? *p : *p & (0x7fu >> n);
    for (uint32_t i = 1; i < n; i++) c = c << 6 | (p[i] & 0x3fu);
    text->text += n;
    text->length -= n;
    return c;
}

static unsigned fixed_code(uint32_t c) {
    return c == '\n' ? KEY_RETURN : c == '\t' ? KEY_TAB : c == ' ' ? KEY_SPACE : 0;
}

static int place_of(const bs_wl *w, uint32_t c) {
    for (unsigned i = 0; i < BS_WL_PRINTABLE; i++) {
        if (w->character[i] == c) return (int)i;
    }
    return -1;
}

/* Gives the characters of the next run places, and leaves those alone that have one. How many there are; *changed: the map has to be sent. */
static size_t plan(bs_wl *w, const uint32_t *text, size_t n, bool *changed) {
    bool needed[BS_WL_PRINTABLE] = {false};
    unsigned kinds = 0;
    size_t run = 0;
    uint32_t different[BS_WL_PRINTABLE];
    for (; run < n; run++) {
        if (fixed_code(text[run])) continue;
        unsigned k = 0;
        while (k < kinds && different[k] != text[run]) k++;
        if (k < kinds) continue;
        if (kinds == BS_WL_PRINTABLE) break;
        different[kinds++] = text[run];
    }
    for (unsigned k = 0; k < kinds; k++) {
        int place = place_of(w, different[k]);
        if (place >= 0) needed[place] = true;
    }
    for (unsigned k = 0, free_place = 0; k < kinds; k++) {
        if (place_of(w, different[k]) >= 0) continue;
        while (needed[free_place]) free_place++; /* no more are needed than there are places */
        needed[free_place] = *changed = true;
        w->character[free_place] = different[k];
    }
    return run;
}

static int type(bs_wl *w, const uint32_t *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int status = i % TOGETHER ? BACKSTEP_OK : bs_wl_pace(w, 2 * (uint32_t)(n - i < TOGETHER ? n - i : TOGETHER));
        if (status) return status;
        unsigned code = fixed_code(text[i]);
        if (!code) code = bs_wl_printable[place_of(w, text[i])];
        bs_wl_key(w, code, true);
        bs_wl_key(w, code, false);
        if (i % TOGETHER < TOGETHER - 1) continue;
        status = bs_wl_sync(w);
        if (status) return status;
    }
    return BACKSTEP_OK;
}

static int type_all(bs_wl *w, const uint32_t *text, size_t n) {
    int status = BACKSTEP_OK;
    for (size_t at = 0; at < n && !status;) {
        bool changed = w->map != BS_WL_CHARACTERS;
        size_t run = plan(w, text + at, n - at, &changed);
        if (changed) status = bs_wl_map_characters(w);
        if (!status) status = type(w, text + at, run);
        at += run;
    }
    return status ? status : bs_wl_sync(w);
}

static int refuse(bs_wl *w, uint32_t c) {
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "the text has the control character U+%04X, which no key types", c);
    return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "the text has the character U+%04X; those beyond U+FFFF do not reach every application by key: paste it", c);
}

static bool has_key(uint32_t c) {
    return fixed_code(c) || (c > 0x20 && c < 0x7f) || (c >= 0xa0 && c <= 0xffff);
}

int bs_wl_op_text(bs_wl *w, bs_reader *r) {
    bs_str text = bs_get_str(r);
    int status = bs_screen_malformed(&w->base, r);
    if (status) return status;
    if (!w->keyboard) return bs_wl_no_device(w, "zwp_virtual_keyboard_manager_v1");
    uint32_t *characters = calloc(text.length + 1u, sizeof *characters);
    if (!characters) return bs_screen_explain(&w->base, BACKSTEP_E_MEMORY, "out of memory");
    size_t n = 0;
    for (uint32_t last = 0, c; !status && text.length; last = c) {
        c = next_character(&text);
        if (c == '\n' && last == '\r') continue;
        characters[n] = c == '\r' ? '\n' : c;
        if (!has_key(characters[n++])) status = refuse(w, c);
    }
    if (!status && n) status = type_all(w, characters, n);
    free(characters);
    return status;
}
