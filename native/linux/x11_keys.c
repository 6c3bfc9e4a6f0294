/* Keys through XTEST, and the book of what is held down. */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#include <xcb/xtest.h>

#define BUTTON 256u
#define FEW 4u       /* strokes that an input method gets at a time, and then FEW_US to pass them on */
#define FEW_US 8000u
#define MANY 32u     /* strokes between two looks at the deadline and the cancellation */

enum { KEY_RETURN = 0xff0d, KEY_TAB = 0xff09, KEY_SHIFT_L = 0xffe1, KEY_SHIFT_R = 0xffe2, KEY_CONTROL_L = 0xffe3, KEY_SUPER_R = 0xffec, KEY_NUM_LOCK = 0xff7f, KEY_SCROLL_LOCK = 0xff14,
    KEY_CAPS_LOCK = 0xffe5, KEY_SHIFT_LOCK = 0xffe6 };

static void book(bs_x11 *x, uint16_t what, bool down) {
    unsigned kept = 0;
    for (unsigned i = 0; i < x->helds; i++) {
        if (x->held[i] != what) x->held[kept++] = x->held[i];
    }
    x->helds = kept;
    if (down) x->held[x->helds++] = what;
}

static unsigned send(bs_x11 *x, uint8_t type, uint8_t detail) {
    x->base.touched = true;
    return xcb_test_fake_input(x->c, type, detail, XCB_CURRENT_TIME, XCB_WINDOW_NONE, 0, 0, 0).sequence;
}

void bs_x11_key(bs_x11 *x, xcb_keycode_t code, bool down) {
    if (down) bs_x11_watch_down(x, code);
    book(x, code, down);
    unsigned sequence = send(x, down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code);
    if (down) bs_x11_input_key(x, code, sequence);
}

void bs_x11_button(bs_x11 *x, uint8_t button, bool down) {
    if (down) bs_x11_watch_down(x, BUTTON + (button & 31u));
    book(x, (uint16_t)(BUTTON + button), down);
    x->clicked |= down && button <= 3;
    unsigned sequence = send(x, down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, button);
    bs_x11_input_button(x, button, down, sequence);
}

static void tap(bs_x11 *x, xcb_keycode_t code) {
    bs_x11_key(x, code, true);
    bs_x11_key(x, code, false);
}

uint32_t bs_x11_release_held(bs_x11 *x) {
    uint32_t released = 0;
    bool usable = !xcb_connection_has_error(x->c) && x->have_test;
    for (; x->helds; released++) {
        uint16_t what = x->held[x->helds - 1];
        if (!usable) x->helds--;
        else if (what >= BUTTON) bs_x11_button(x, (uint8_t)(what - BUTTON), false);
        else bs_x11_key(x, (xcb_keycode_t)what, false);
    }
    if (x->keyboard.lifted) {
        xcb_keycode_t caps = x->keyboard.lifted;
        x->keyboard.lifted = 0;
        if (usable) tap(x, caps);
    }
    return released;
}

/*
 * Reads the map and lets go of modifiers that somebody else holds: with Control, text would be commands. They are not
 * pressed again, since nobody tells whether the finger is still there.
 */
static int begin(bs_x11 *x, bool *caps_on) {
    uint8_t down[32];
    bs_x11_watch(x);
    int status = bs_x11_click_taken(x);
    if (!status) status = bs_x11_keymap_read(x, caps_on, down);
    if (!status) status = bs_x11_input_method(x, &x->keyboard.method);
    if (status) return status;
    const bs_keyboard *k = &x->keyboard;
    for (unsigned code = k->min; code <= k->max; code++) {
        if (!(down[code / 8] >> (code % 8) & 1) || !k->modifier[code]) continue;
        xcb_keysym_t symbol = k->width ? k->symbols[(code - k->min) * k->width] : 0;
        if (symbol == KEY_CAPS_LOCK || symbol == KEY_SHIFT_LOCK || symbol == KEY_NUM_LOCK || symbol == KEY_SCROLL_LOCK) continue;
        bs_x11_key(x, (xcb_keycode_t)code, false);
    }
    x->keyboard.runs++;
    return BACKSTEP_OK;
}

/* One character of valid UTF-8. */
static uint32_t next_character(bs_str *text) {
    const uint8_t *p = (const uint8_t *)text->text;
    unsigned n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
    uint32_t c = n == 1 ? *p : *p & (0x7fu >> n);
    for (unsigned i = 1; i < n; i++) c = c << 6 | (p[i] & 0x3f);
    text->text += n;
    text->length -= n;
    return c;
}

/* 0 = no key means this. Characters up to U+00FF are their own symbols, the others have a range of their own. */
static xcb_keysym_t symbol_of(uint32_t c) {
    if (c == '\n') return KEY_RETURN;
    if (c == '\t') return KEY_TAB;
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return 0;
    return c <= 0xff ? c : c == 0x20ac ? c : 0x01000000u + c; /* the euro's own symbol is what layouts have */
}

typedef struct stroke {
    xcb_keycode_t code;
    bool shift;
} stroke;

/* Finds keys for as many symbols as can have one at the same time. */
static size_t plan(bs_x11 *x, const xcb_keysym_t *symbols, size_t n, stroke *strokes) {
    size_t done = 0;
    x->keyboard.runs++;
    for (; done < n; done++) {
        stroke *s = &strokes[done];
        s->shift = false;
        if (bs_x11_keymap_find(x, symbols[done], &s->code, &s->shift) && (!s->shift || x->keyboard.shift)) continue;
        if (!bs_x11_keymap_lend(x, symbols[done], &s->code, &s->shift)) break;
    }
    return done;
}

static int type(bs_x11 *x, const stroke *strokes, size_t n) {
    bool shifted = false;
    for (size_t i = 0; i < n; i++) {
        if (strokes[i].shift != shifted) bs_x11_key(x, x->keyboard.shift, shifted = strokes[i].shift);
        bs_x11_keymap_typed(x, strokes[i].code, strokes[i].shift);
        tap(x, strokes[i].code);
        unsigned many = x->keyboard.method ? FEW : MANY;
        if (i % many == many - 1 || i == n - 1) {
            if (i == n - 1 && shifted) bs_x11_key(x, x->keyboard.shift, false);
            int status = bs_x11_sync(x);
            if (!status && i < n - 1) status = bs_x11_check(x);
            if (!status && x->keyboard.method) status = bs_x11_pause(x, bs_now_us() + FEW_US);
            if (status) return status;
        }
    }
    return BACKSTEP_OK;
}

static int type_symbols(bs_x11 *x, const xcb_keysym_t *symbols, size_t n, stroke *strokes) {
    bool caps_on;
    int status = begin(x, &caps_on);
    if (status || !n) return status;
    if (caps_on && x->keyboard.caps) {
        tap(x, x->keyboard.caps);
        x->keyboard.lifted = x->keyboard.caps; /* switched on again when the operation ends, however it ends */
    }
    for (size_t at = 0; at < n && !status;) {
        size_t run = plan(x, symbols + at, n - at, strokes);
        if (!run) {
            return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the keyboard layout has no key for U+%04X, and no keycode is free to be lent to it",
                symbols[at] & 0xffffffu);
        }
        status = bs_x11_keymap_apply(x);
        if (!status) status = type(x, strokes, run);
        at += run;
    }
    return status;
}

int bs_x11_op_text(bs_x11 *x, bs_reader *r) {
    bs_str text = bs_get_str(r);
    int status = bs_screen_malformed(&x->base, r);
    if (status) return status;
    xcb_keysym_t *symbols = calloc(text.length + 1u, sizeof *symbols);
    stroke *strokes = calloc(text.length + 1u, sizeof *strokes);
    size_t n = 0;
    if (!symbols || !strokes) status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
    for (uint32_t last = 0, c; !status && text.length; last = c) {
        c = next_character(&text);
        if (c == '\n' && last == '\r') continue;
        symbols[n] = symbol_of(c == '\r' ? '\n' : c);
        if (!symbols[n++]) status = bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "the text has the control character U+%04X, which no key types", c);
    }
    if (!status) status = type_symbols(x, symbols, n, strokes);
    free(symbols);
    free(strokes);
    return status;
}

/* Presses the modifiers that a gesture is made with. They come up with bs_x11_modifiers_up(), or when the operation ends. */
int bs_x11_modifiers_down(bs_x11 *x, uint32_t mask) {
    static const xcb_keysym_t symbols[] = {0xffe3, 0xffe1, 0xffe9, 0xffeb};
    bool caps_on;
    int status = begin(x, &caps_on);
    for (unsigned i = 0; i < sizeof symbols / sizeof *symbols && !status; i++) {
        xcb_keycode_t code;
        bool shift;
        if (!(mask >> i & 1)) continue;
        if (bs_x11_keymap_find(x, symbols[i], &code, &shift) && !shift && x->keyboard.modifier[code]) bs_x11_key(x, code, true);
        else status = bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the keyboard layout has no modifier with the symbol 0x%x", symbols[i]);
    }
    return status ? status : bs_x11_sync(x);
}

int bs_x11_modifiers_up(bs_x11 *x) {
    for (unsigned i = x->helds; i--;) {
        if (x->held[i] < BUTTON) bs_x11_key(x, (xcb_keycode_t)x->held[i], false);
    }
    return bs_x11_sync(x);
}

/* The keys of a chord in the order they go down, with Shift before the first that needs it. */
static int plan_chord(bs_x11 *x, const xcb_keysym_t *symbols, unsigned n, xcb_keycode_t *codes, unsigned *count) {
    bool shifted = false, shortcut = false;
    *count = 0;
    for (unsigned i = 0; i < n; i++) {
        shifted |= symbols[i] == KEY_SHIFT_L || symbols[i] == KEY_SHIFT_R;
        shortcut |= symbols[i] >= KEY_CONTROL_L && symbols[i] <= KEY_SUPER_R && symbols[i] != KEY_CAPS_LOCK && symbols[i] != KEY_SHIFT_LOCK;
    }
    for (unsigned i = 0; i < n; i++) {
        xcb_keycode_t code;
        bool shift = false;
        bool found = bs_x11_keymap_find(x, symbols[i], &code, &shift);
        /* Under another alphabet applications know a shortcut by its key, as people press it: Chromium by nothing else. */
        if (!found && shortcut) found = bs_x11_keymap_find_place(x, symbols[i], &code, &shift);
        if (!found || (shift && !x->keyboard.shift)) {
            shift = false;
            if (!bs_x11_keymap_lend_key(x, symbols[i], &code)) {
                return bs_screen_explain(&x->base, BACKSTEP_E_UNSUPPORTED, "the keyboard layout has no key for the symbol 0x%x, and no keycode is free to be lent to it", symbols[i]);
            }
        }
        if (shift && !shifted) {
            shifted = true;
            codes[(*count)++] = x->keyboard.shift;
        }
        codes[(*count)++] = code;
    }
    return BACKSTEP_OK;
}

int bs_x11_op_chord(bs_x11 *x, bs_reader *r) {
    xcb_keysym_t symbols[16] = {0};
    xcb_keycode_t codes[17];
    uint32_t n = bs_get_u32(r);
    if (!r->failed && (n == 0 || n > 16)) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "a chord has 1 to 16 keys, not %u", n);
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        symbols[i] = bs_get_u32(r);
        if (symbols[i] >= 0x01000000u && symbols[i] <= 0x010000ffu) symbols[i] &= 0xff;
    }
    int status = bs_screen_malformed(&x->base, r);
    if (status) return status;
    for (uint32_t i = 0; i < n; i++) {
        if (symbols[i] < 0x20 || symbols[i] > 0x1fffffffu) return bs_screen_explain(&x->base, BACKSTEP_E_INVALID, "0x%x is no key symbol", symbols[i]);
    }
    bool caps_on;
    unsigned count = 0;
    status = begin(x, &caps_on);
    if (!status) status = plan_chord(x, symbols, n, codes, &count);
    if (!status) status = bs_x11_keymap_apply(x);
    if (!status) status = bs_x11_check(x);
    if (status) return status;
    for (unsigned i = 0; i < count; i++) {
        bs_x11_keymap_typed(x, codes[i], false);
        bs_x11_keymap_typed(x, codes[i], true);
        bs_x11_key(x, codes[i], true);
    }
    while (x->helds) bs_x11_release_held(x);
    return bs_x11_sync(x);
}

/* What a client that died held stays down at the server: it is let go of by whoever asks for it. */
static int release_all(bs_x11 *x, uint32_t *released) {
    unsigned sequence[2] = {xcb_query_pointer(x->c, x->root).sequence, xcb_query_keymap(x->c).sequence};
    void *reply[2] = {0};
    int status = BACKSTEP_OK;
    for (unsigned i = 0; i < 2; i++) {
        if (status) xcb_discard_reply(x->c, sequence[i]);
        else status = bs_x11_await(x, sequence[i], &reply[i]);
        if (!status && !reply[i]) status = bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the X server would not tell what is held: %s", bs_x11_error_name(x->x_error));
    }
    if (!status) {
        const xcb_query_pointer_reply_t *pointer = reply[0];
        const xcb_query_keymap_reply_t *keys = reply[1];
        for (unsigned code = 8; code < 256; code++) {
            if (!(keys->keys[code / 8] & (1u << code % 8))) continue;
            send(x, XCB_KEY_RELEASE, (uint8_t)code);
            ++*released;
        }
        for (unsigned button = 1; button <= 5; button++) {
            if (!(pointer->mask & (XCB_BUTTON_MASK_1 << (button - 1)))) continue;
            send(x, XCB_BUTTON_RELEASE, (uint8_t)button);
            ++*released;
        }
    }
    for (unsigned i = 0; i < 2; i++) free(reply[i]);
    return status;
}

int bs_x11_op_release(bs_x11 *x, bs_reader *r) {
    bool all = r->length > 0 && bs_get_u32(r) == 1;
    int status = bs_screen_malformed(&x->base, r);
    if (status) return status;
    uint32_t released = bs_x11_release_held(x);
    if (all) status = release_all(x, &released);
    if (!status) status = bs_x11_sync(x);
    if (!status) bs_put_u32(x->base.reply, released);
    return status;
}
