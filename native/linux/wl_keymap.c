/*
 * What the codes of our keyboard mean: an ordinary map for chords, and one of characters for text, which has 47 of them at a time.
 *
 * Only codes are used that give characters on every keyboard: Chromium and others judge a key by its code, too. A character
 * keeps its code for as long as the place is not needed, so that who looks at a key late still finds what was meant.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "wl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const uint8_t bs_wl_printable[BS_WL_PRINTABLE] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
    30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53};

const uint8_t bs_wl_lent_code[BS_WL_LENT] = {86, 89, 124}; /* beside Shift and Return on keyboards of other countries; printable there */

/* An ordinary keyboard, American: what the rows give without and with Shift, from an evdev code on. */
static const struct {
    uint8_t first;
    const char *plain, *shifted;
} rows[] = {{2, "1234567890-=", "!@#$%^&*()_+"}, {16, "qwertyuiop[]", "QWERTYUIOP{}"}, {30, "asdfghjkl;'`", "ASDFGHJKL:\"~"}, {43, "\\zxcvbnm,./", "|ZXCVBNM<>?"}};

enum { F1 = 0xffbe, F24 = 0xffd5 };

static const struct {
    uint16_t symbol;
    uint8_t code, modifier;
} others[] = {
    {' ', 57, 0}, {0xff0d, 28, 0}, {0xff1b, 1, 0}, {0xff09, 15, 0}, {0xff08, 14, 0}, {0xffff, 111, 0}, {0xff63, 110, 0}, {0xff50, 102, 0}, {0xff57, 107, 0},
    {0xff55, 104, 0}, {0xff56, 109, 0}, {0xff52, 103, 0}, {0xff54, 108, 0}, {0xff51, 105, 0}, {0xff53, 106, 0}, {0xff67, 127, 0}, {0xff61, 99, 0},
    {0xff13, 119, 0}, {0xffe5, BS_WL_CAPS_CODE, 0}, {0xff7f, BS_WL_NUM_CODE, 0}, {0xff14, 70, 0}, {0xff8d, 96, 0},
    {0xffe1, BS_WL_SHIFT_CODE, BS_WL_SHIFT}, {0xffe2, 54, BS_WL_SHIFT}, {0xffe3, 29, BS_WL_CONTROL}, {0xffe4, 97, BS_WL_CONTROL}, {0xffe9, 56, BS_WL_ALT},
    {0xffea, 100, BS_WL_ALT}, {0xffeb, 125, BS_WL_SUPER}, {0xffec, 126, BS_WL_SUPER}, {0xfe03, 84, BS_WL_LEVEL3},
};

bool bs_wl_map_find(uint32_t symbol, bs_wl_stroke *k) {
    *k = (bs_wl_stroke){0};
    for (unsigned i = 0; symbol && symbol < 0x7f && i < sizeof rows / sizeof *rows; i++) {
        const char *plain = strchr(rows[i].plain, (int)symbol), *shifted = strchr(rows[i].shifted, (int)symbol);
        if (!plain && !shifted) continue;
        *k = (bs_wl_stroke){rows[i].first + (uint32_t)(plain ? plain - rows[i].plain : shifted - rows[i].shifted), 0, !plain};
        return true;
    }
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].symbol != symbol) continue;
        *k = (bs_wl_stroke){others[i].code, others[i].modifier, false};
        return true;
    }
    if (symbol < F1 || symbol > F24) return false;
    uint32_t n = symbol - F1;
    k->code = n < 10 ? 59 + n : n < 12 ? 87 + n - 10 : 183 + n - 12;
    return true;
}


/* Written out: files of xkb that a map includes take the compositor several milliseconds to read. */
#define KEYCODES "xkb_keymap {\nxkb_keycodes {\nminimum = 8;\nmaximum = 255;\n"
#define SYMBOLS(kinds) "};\nxkb_types { include \"" kinds "\" };\nxkb_compatibility { include \"" kinds "\" };\nxkb_symbols {\n"
#define END "};\n};\n"
#define XKB_OFFSET 8u /* between an evdev code and xkb's */

static void add(bs_buf *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(bs_buf *to, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n > 0 && (size_t)n < sizeof text) bs_put(to, text, (size_t)n);
    else to->failed = true;
}

/* A compositor does not derive them from the keys of a virtual keyboard. */
void bs_wl_modifiers(bs_wl *w, uint32_t mask, uint32_t locked) {
    if (w->modifiers == mask && w->locked == locked) return;
    w->modifiers = mask;
    w->locked = locked;
    bs_wl_send(w, w->keyboard, KEYBOARD_MODIFIERS, (union wl_argument[]){{.u = mask}, {.u = 0}, {.u = locked}, {.u = 0}});
}

/* Sends a map and forgets its text. What it says is read at once, or never. */
static int send_map(bs_wl *w, bs_buf *text) {
    bs_put_u8(text, 0);
    int fd = text->failed ? -1 : memfd_create("backstep-keymap", MFD_CLOEXEC);
    bool whole = fd >= 0 && write(fd, text->data, text->length) == (ssize_t)text->length;
    w->map = BS_WL_NO_MAP; /* until it is sent */
    bs_wl_modifiers(w, 0, 0); /* with a new map a compositor forgets them, and does not tell applications */
    if (whole) bs_wl_send(w, w->keyboard, KEYBOARD_KEYMAP, (union wl_argument[]){{.u = 1}, {.i = fd}, {.u = (uint32_t)text->length}}); /* 1: an xkb text */
    if (fd >= 0) close(fd); /* libwayland has duplicated it */
    bs_buf_free(text);
    if (!whole) return bs_screen_explain(&w->base, BACKSTEP_E_LIMIT, "there is no memory to share a keyboard map in");
    return bs_wl_flush(w); /* so that descriptors do not pile up in libwayland, which takes few */
}

/* Twice: at first the codes, then what they give. */
static void add_key(bs_buf *to, bool symbols, uint32_t code, uint32_t plain, uint32_t shifted) {
    if (!symbols) add(to, "<K%03u> = %u;\n", code, code + XKB_OFFSET);
    else if (shifted) add(to, "key <K%03u> { [ 0x%x, 0x%x ] };\n", code, plain, shifted);
    else add(to, "key <K%03u> { [ 0x%x ] };\n", code, plain);
}

static void add_ordinary(bs_buf *to, bool symbols, const uint32_t lent[BS_WL_LENT]) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned k = 0; rows[i].plain[k]; k++) add_key(to, symbols, rows[i].first + k, (uint32_t)rows[i].plain[k], (uint32_t)rows[i].shifted[k]);
    }
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) add_key(to, symbols, others[i].code, others[i].symbol, 0);
    for (uint32_t symbol = F1; symbol <= F24; symbol++) {
        bs_wl_stroke k;
        if (bs_wl_map_find(symbol, &k)) add_key(to, symbols, k.code, symbol, 0);
    }
    for (unsigned i = 0; i < BS_WL_LENT; i++) {
        if (lent[i]) add_key(to, symbols, bs_wl_lent_code[i], lent[i], 0);
    }
}

int bs_wl_map_ordinary(bs_wl *w, const uint32_t lent[BS_WL_LENT]) {
    uint32_t wanted[BS_WL_LENT];
    memcpy(wanted, lent, sizeof wanted);
    if (w->map == BS_WL_ORDINARY && !memcmp(w->lent, wanted, sizeof wanted)) return BACKSTEP_OK;
    bs_buf text = {0};
    add(&text, KEYCODES);
    add_ordinary(&text, false, wanted);
    add(&text, SYMBOLS("complete"));
    add_ordinary(&text, true, wanted);
    add(&text, "modifier_map Shift { <K042>, <K054> };\nmodifier_map Lock { <K058> };\nmodifier_map Control { <K029>, <K097> };\nmodifier_map Mod1 { <K056>, <K100> };\n"
        "modifier_map Mod2 { <K069> };\nmodifier_map Mod4 { <K125>, <K126> };\nmodifier_map Mod5 { <K084> };\n" END);
    int status = send_map(w, &text);
    if (status) return status;
    w->map = BS_WL_ORDINARY;
    memcpy(w->lent, wanted, sizeof w->lent);
    return BACKSTEP_OK;
}

int bs_wl_map_characters(bs_wl *w) {
    bs_buf text = {0};
    add(&text, KEYCODES "<RTRN> = 36;\n<TAB> = 23;\n<SPCE> = 65;\n");
    for (unsigned i = 0; i < BS_WL_PRINTABLE; i++) add(&text, "<K%03u> = %u;\n", bs_wl_printable[i], bs_wl_printable[i] + XKB_OFFSET);
    add(&text, SYMBOLS("basic") "key <RTRN> { [ Return ] };\nkey <TAB> { [ Tab ] };\nkey <SPCE> { [ space ] };\n");
    for (unsigned i = 0; i < BS_WL_PRINTABLE; i++) {
        if (w->character[i]) add(&text, "key <K%03u> { [ U%04X ] };\n", bs_wl_printable[i], w->character[i]);
    }
    add(&text, END);
    int status = send_map(w, &text);
    if (!status) w->map = BS_WL_CHARACTERS;
    return status;
}
