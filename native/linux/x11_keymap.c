/*
 * The server's keyboard map: which key gives a symbol, and lending empty keycodes to symbols no key gives.
 *
 * Applications hear of a changed map at once but read it late, when they next translate a key. A lent keycode thus keeps
 * its symbol after it was typed, for as long as there are other spares, and is given another one only after the
 * application has proved that it took the earlier keys; and it is pressed only after the application has proved that it
 * heard of its symbol (x11_settle.c).
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#define ENOUGH 10u /* spare keycodes */
#define AGAIN 16u  /* somebody who changes the map all the time cannot be followed */

static xcb_keysym_t symbol_at(const bs_keyboard *k, unsigned code, unsigned column) {
    return column < k->width ? k->symbols[(code - k->min) * k->width + column] : 0;
}

static bool empty(const bs_keyboard *k, unsigned code) {
    for (unsigned i = 0; i < k->width; i++) {
        if (symbol_at(k, code, i)) return false;
    }
    return true;
}

static void take_modifiers(bs_keyboard *k, const xcb_get_modifier_mapping_reply_t *map) {
    const xcb_keycode_t *codes = xcb_get_modifier_mapping_keycodes(map);
    memset(k->modifier, 0, sizeof k->modifier);
    k->shift = k->caps = 0;
    for (unsigned row = 0; row < 8; row++) {
        for (unsigned i = 0; i < map->keycodes_per_modifier; i++) {
            xcb_keycode_t code = codes[row * map->keycodes_per_modifier + i];
            if (code < k->min || code > k->max) continue;
            k->modifier[code] = true;
            xcb_keysym_t symbol = symbol_at(k, code, 0);
            if (row == XCB_MAP_INDEX_SHIFT && !k->shift && symbol >= 0xffe1 && symbol <= 0xffe2) k->shift = code;
            if (row == XCB_MAP_INDEX_LOCK && !k->caps && symbol == 0xffe5) k->caps = code;
        }
    }
}

/*
 * A key that can be sent again as it is without an effect: from its symbols alone the server makes it what it was. So it
 * is with one symbol that has no case, and with two of the multimedia ones (a second symbol of Print goes with Alt).
 */
static bool plain_key(const bs_keyboard *k, unsigned code) {
    xcb_keysym_t first = symbol_at(k, code, 0), second = symbol_at(k, code, 1);
    bool media = first >> 16 == 0x1008, other = (first >= 0x20 && first < 0x41) || (first >= 0xff00 && first < 0xff7f);
    if (k->modifier[code] || !(media || other) || (second && !(media && second >> 16 == 0x1008))) return false;
    for (unsigned i = 2; i < k->width; i++) {
        xcb_keysym_t again = symbol_at(k, code, i);
        if (again && (i > 3 || again != symbol_at(k, code, i - 2))) return false; /* the second group repeats the first */
    }
    return true;
}

/* How many empty keycodes one request can change from here on; next is where to look on. */
static unsigned cluster(const bs_keyboard *k, unsigned code, unsigned *next) {
    unsigned n = 0;
    *next = code + 1;
    for (; code <= k->max; code++) {
        bool usable = k->lent[code] || (!k->modifier[code] && empty(k, code));
        if (!usable && (!n || !plain_key(k, code))) break;
        if (usable) n++, *next = code + 1;
    }
    return n;
}

/* Keeps what is still ours of the lent keycodes and adds those that became empty. */
static void take_spares(bs_keyboard *k) {
    unsigned kept = 0;
    memset(k->lent, 0, sizeof k->lent);
    for (unsigned i = 0; i < k->spares; i++) {
        bs_spare *s = &k->spare[2 * i], *to = &k->spare[2 * kept];
        xcb_keysym_t plain = s[0].sent ? s[0].sent : s[1].sent, shifted = s[1].sent ? s[1].sent : s[0].sent, other = symbol_at(k, s->code, 1);
        if (k->modifier[s->code]) continue;
        if (empty(k, s->code)) s[0].sent = s[1].sent = 0;
        else if (!plain || symbol_at(k, s->code, 0) != plain || (other != shifted && (other || plain != shifted))) continue; /* somebody else uses it now */
        s[0].symbol = s[0].sent;
        s[1].symbol = s[1].sent;
        k->lent[s->code] = true;
        memmove(to, s, 2 * sizeof *s);
        kept++;
    }
    /* The largest clusters first: they take the fewest requests. Lone ones only when there is little else. */
    for (unsigned size = 16; size >= (kept < ENOUGH ? 1u : 3u); size--) {
        for (unsigned code = k->min, next; code <= k->max; code = next) {
            if (cluster(k, code, &next) != size && !(size == 16 && cluster(k, code, &next) > 16)) continue;
            for (; code < next && kept < BS_SPARES; code++) {
                if (k->lent[code] || k->modifier[code] || !empty(k, code)) continue;
                k->lent[code] = true;
                k->spare[2 * kept] = k->spare[2 * kept + 1] = (bs_spare){.code = (xcb_keycode_t)code};
                kept++;
            }
        }
    }
    k->spares = kept;
}

static int read_map(bs_x11 *x, bool *caps_on, uint8_t down[32]) {
    bs_keyboard *k = &x->keyboard;
    const xcb_setup_t *setup = xcb_get_setup(x->c);
    bool stale = k->stale;
    unsigned sequence[4] = {xcb_query_pointer(x->c, x->root).sequence, xcb_query_keymap(x->c).sequence};
    if (stale) {
        sequence[2] = xcb_get_keyboard_mapping(x->c, setup->min_keycode, (uint8_t)(setup->max_keycode - setup->min_keycode + 1)).sequence;
        sequence[3] = xcb_get_modifier_mapping(x->c).sequence;
    }
    void *reply[4] = {0};
    int status = BACKSTEP_OK;
    k->stale = false; /* a change while we wait makes it stale again */
    for (unsigned i = 0; i < (stale ? 4 : 2); i++) {
        if (status) xcb_discard_reply(x->c, sequence[i]);
        else status = bs_x11_await(x, sequence[i], &reply[i]);
        if (!status && !reply[i]) status = bs_screen_explain(&x->base, BACKSTEP_E_DISPLAY, "the X server would not tell of its keyboard: %s", bs_x11_error_name(x->x_error));
    }
    if (!status && stale) {
        xcb_get_keyboard_mapping_reply_t *map = reply[2];
        size_t size = (size_t)xcb_get_keyboard_mapping_keysyms_length(map) * sizeof(xcb_keysym_t);
        xcb_keysym_t *symbols = malloc(size ? size : 1);
        if (size / sizeof *symbols < (size_t)map->keysyms_per_keycode * (setup->max_keycode - setup->min_keycode + 1u)) {
            status = bs_screen_explain(&x->base, BACKSTEP_E_PROTOCOL, "the X server's keyboard map is incomplete");
            free(symbols);
        } else if (!symbols) {
            status = bs_screen_explain(&x->base, BACKSTEP_E_MEMORY, "out of memory");
        } else {
            memcpy(symbols, xcb_get_keyboard_mapping_keysyms(map), size);
            free(k->symbols);
            k->symbols = symbols;
            k->width = map->keysyms_per_keycode;
            k->min = setup->min_keycode;
            k->max = setup->max_keycode;
            take_modifiers(k, reply[3]);
            take_spares(k);
        }
    }
    if (status && stale) k->stale = true;
    if (!status) {
        const xcb_query_pointer_reply_t *pointer = reply[0];
        k->group = (pointer->mask >> 13) & 3;
        *caps_on = pointer->mask & XCB_MOD_MASK_LOCK;
        memcpy(down, ((xcb_query_keymap_reply_t *)reply[1])->keys, 32);
    }
    for (unsigned i = 0; i < 4; i++) free(reply[i]);
    return status;
}

int bs_x11_keymap_read(bs_x11 *x, bool *caps_on, uint8_t down[32]) {
    int status = read_map(x, caps_on, down);
    for (unsigned again = 0; !status && x->keyboard.stale && again < AGAIN; again++) status = read_map(x, caps_on, down); /* it changed meanwhile */
    return status;
}

bool bs_x11_keymap_find(const bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code, bool *shift) {
    const bs_keyboard *k = &x->keyboard;
    for (unsigned level = 0; level < 2; level++) {
        for (unsigned c = k->min; c <= k->max; c++) {
            if (k->lent[c]) continue;
            /* The core map has two columns for each of the first two groups; a key without the second uses the first. */
            bool second = symbol_at(k, c, 2) || symbol_at(k, c, 3);
            if (k->group > 1 && second) continue;
            unsigned column = (k->group == 1 && second ? 2 : 0) + level;
            if (symbol_at(k, c, column) != symbol) continue;
            *code = (xcb_keycode_t)c;
            *shift = level == 1;
            return true;
        }
    }
    return false;
}

bool bs_x11_keymap_find_place(const bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code, bool *shift) {
    const bs_keyboard *k = &x->keyboard;
    for (unsigned column = 0; column < 4; column++) {
        for (unsigned c = k->min; c <= k->max; c++) {
            if (k->lent[c] || symbol_at(k, c, column) != symbol) continue;
            *code = (xcb_keycode_t)c;
            *shift = column % 2;
            return true;
        }
    }
    return false;
}

static bool pinned(const bs_keyboard *k, const bs_spare *s) {
    return s->symbol && s->run == k->runs;
}

static void lend(bs_keyboard *k, bs_spare *s, xcb_keysym_t symbol) {
    s->symbol = symbol;
    s->run = k->runs;
    s->used = ++k->uses;
}

bool bs_x11_keymap_lend(bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code, bool *shift) {
    bs_keyboard *k = &x->keyboard;
    bs_spare *best = NULL;
    unsigned levels = k->shift ? 2 : 1;
    for (unsigned i = 0; i < 2 * k->spares; i++) {
        if (k->spare[i].symbol != symbol || i % 2 >= levels) continue;
        best = &k->spare[i];
        break;
    }
    for (unsigned level = 0; level < levels && !(best && best->symbol == symbol); level++) { /* free ones, at first without Shift, then the longest unused */
        for (unsigned i = level; i < 2 * k->spares; i += 2) {
            bs_spare *s = &k->spare[i];
            if (!pinned(k, s) && (!best || (best->symbol && (!s->symbol || s->used < best->used)))) best = s;
        }
    }
    if (!best) return false;
    lend(k, best, symbol);
    *code = best->code;
    *shift = (best - k->spare) % 2;
    return true;
}

bool bs_x11_keymap_lend_key(bs_x11 *x, xcb_keysym_t symbol, xcb_keycode_t *code) {
    bs_keyboard *k = &x->keyboard;
    bs_spare *best = NULL;
    for (unsigned i = 0; i < k->spares; i++) {
        bs_spare *s = &k->spare[2 * i];
        bool same = s[0].symbol == symbol && s[1].symbol == symbol;
        if (!same && (pinned(k, &s[0]) || pinned(k, &s[1]))) continue;
        if (!best || same || s[0].used + s[1].used < best[0].used + best[1].used) best = s;
        if (same) break;
    }
    if (!best) return false;
    lend(k, &best[0], symbol);
    lend(k, &best[1], symbol);
    *code = best->code;
    return true;
}

static bs_spare *spare_at(bs_keyboard *k, unsigned code) {
    for (unsigned i = 0; k->lent[code] && i < k->spares; i++) {
        if (k->spare[2 * i].code == code) return &k->spare[2 * i];
    }
    return NULL;
}

void bs_x11_keymap_typed(bs_x11 *x, xcb_keycode_t code, bool shift) {
    bs_spare *s = spare_at(&x->keyboard, code);
    if (s) s[shift].pending = true;
}

/*
 * Every request makes every client read the map anew, and window managers grab all of their keys again (openbox: some
 * 13 ms each), while empty keycodes lie scattered among multimedia keys: those between two changes are sent along.
 */
static void send_changes(bs_x11 *x) {
    bs_keyboard *k = &x->keyboard;
    unsigned width = k->width < 2 ? 2 : k->width;
    xcb_keysym_t *symbols = calloc(256u * width, sizeof *symbols);
    for (unsigned code = k->min; symbols && code <= k->max; code++) {
        unsigned n = 0; /* up to the last change */
        for (unsigned at = code; at <= k->max; at++) {
            bs_spare *s = spare_at(k, at);
            xcb_keysym_t *to = symbols + (size_t)(at - code) * width;
            memset(to, 0, width * sizeof *to);
            if (s) { /* never one level alone, from which the server would derive the other */
                to[0] = s[0].symbol ? s[0].symbol : s[1].symbol;
                to[1] = s[1].symbol ? s[1].symbol : s[0].symbol;
            } else if (n && plain_key(k, at)) memcpy(to, k->symbols + (size_t)(at - k->min) * k->width, k->width * sizeof *to);
            else break;
            if (s && (s[0].symbol != s[0].sent || s[1].symbol != s[1].sent)) {
                n = at - code + 1;
                s[0].sent = s[0].symbol;
                s[1].sent = s[1].symbol;
            } else if (!n) break;
        }
        if (!n) continue;
        for (unsigned at = 0; at < n; at++) {
            if (spare_at(k, code + at)) bs_x11_watch_lent(x, (xcb_keycode_t)(code + at), symbols[(size_t)at * width]);
        }
        xcb_change_keyboard_mapping(x->c, (uint8_t)n, (xcb_keycode_t)code, (uint8_t)width, symbols);
        code += n;
    }
    free(symbols);
}

int bs_x11_keymap_apply(bs_x11 *x) {
    bs_keyboard *k = &x->keyboard;
    bool any = false, settle = false;
    for (unsigned i = 0; i < 2 * k->spares; i++) {
        if (k->spare[i].symbol == k->spare[i].sent) continue;
        any = true;
        settle |= k->spare[i].pending;
    }
    int status = settle ? bs_x11_settle(x) : BACKSTEP_OK;
    k->stale |= status != 0; /* our copy is ahead of the server's */
    if (status) return status;
    if (!any) return bs_x11_map_taken(x, false);
    x->base.touched = true;
    send_changes(x);
    if (k->group && k->shift) { /* Qt takes a new map for one in its first group, until it hears of a modifier */
        bs_x11_key(x, k->shift, true);
        bs_x11_key(x, k->shift, false);
    }
    status = bs_x11_sync(x); /* the change has been told of then */
    return status ? status : bs_x11_map_taken(x, true);
}

void bs_x11_keymap_close(bs_x11 *x) {
    bs_keyboard *k = &x->keyboard;
    bool any = false, pending = false;
    for (unsigned i = 0; i < 2 * k->spares; i++) {
        bs_spare *s = &k->spare[i];
        if (!s->sent) continue;
        any = true;
        pending |= s->pending;
    }
    if (!any) return;
    if (pending) bs_x11_settle(x);
    for (unsigned i = 0; i < 2 * k->spares; i++) k->spare[i].symbol = 0;
    send_changes(x);
}
