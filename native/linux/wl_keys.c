/* Keys of our own keyboard, by symbol. */
#include "wl.h"

#include <string.h>

/*
 * A compositor throws an application out that leaves some 4,500 events unread (sway 1.7), and Wayland does not tell who has
 * read what. So a burst ends before that, and goes on as fast as applications usually read.
 */
#define BURST 2000u
#define READ_PER_MS 4u

#define BUTTONS 0x110u /* evdev codes from here on are of buttons */

static void read_on(bs_wl *w) {
    uint64_t now = bs_now_us(), read = (now - w->paced_us) * READ_PER_MS / 1000;
    if (!read) return;
    w->ahead = read < w->ahead ? w->ahead - (uint32_t)read : 0;
    w->paced_us = now;
}

int bs_wl_pace(bs_wl *w, uint32_t events) {
    read_on(w);
    if (w->ahead + events > BURST) {
        int status = bs_wl_pause(w, bs_now_us() + (uint64_t)(w->ahead + events - BURST) * 1000 / READ_PER_MS);
        if (status) return status;
        read_on(w);
    }
    w->ahead += events;
    return BACKSTEP_OK;
}

static void note(bs_wl *w, uint32_t code, bool down) {
    unsigned at = 0;
    while (at < w->helds && w->held[at] != code) at++;
    if (down && code >= BUTTONS && code < BS_KEEP_DOWN && w->watch.keep) w->watch.keep->down[code] = 1;
    if (down && at == w->helds && at < sizeof w->held / sizeof *w->held) w->held[w->helds++] = code;
    if (!down && at < w->helds) memmove(w->held + at, w->held + at + 1, (--w->helds - at) * sizeof *w->held);
    w->base.touched = true;
}

void bs_wl_key(bs_wl *w, uint32_t code, bool down) {
    bs_wl_send(w, w->keyboard, KEYBOARD_KEY, (union wl_argument[]){{.u = bs_wl_time()}, {.u = code}, {.u = down}});
    note(w, code, down);
}

void bs_wl_button(bs_wl *w, uint32_t code, bool down) {
    if (down) note(w, code, down); /* told to the watcher before it is sent */
    bs_wl_send(w, w->pointer, POINTER_BUTTON, (union wl_argument[]){{.u = bs_wl_time()}, {.u = code}, {.u = down}});
    bs_wl_request(w, w->pointer, POINTER_FRAME);
    if (!down) note(w, code, down);
}

uint32_t bs_wl_release_held(bs_wl *w) {
    uint32_t released = w->helds;
    while (w->helds) {
        uint32_t code = w->held[w->helds - 1];
        if (code >= BUTTONS) bs_wl_button(w, code, false);
        else bs_wl_key(w, code, false);
    }
    if (w->keyboard && w->modifiers) bs_wl_modifiers(w, 0, w->locked);
    return released;
}

void bs_wl_watch_sent(bs_wl *w) {
    for (unsigned code = BUTTONS; w->watch.keep && code < BS_KEEP_DOWN; code++) {
        bool held = false;
        for (unsigned i = 0; i < w->helds; i++) held |= w->held[i] == code;
        if (!held) w->watch.keep->down[code] = 0;
    }
}

int bs_wl_gesture_modifiers(bs_wl *w, uint32_t mask) {
    static const uint32_t symbols[] = {0xffe3, 0xffe1, 0xffe9, 0xffeb};
    if (!w->keyboard) return bs_wl_no_device(w, "zwp_virtual_keyboard_manager_v1");
    int status = bs_wl_map_ordinary(w, w->map == BS_WL_ORDINARY ? w->lent : (const uint32_t[3]){0});
    uint32_t all = 0;
    for (unsigned i = 0; i < sizeof symbols / sizeof *symbols && !status; i++) {
        bs_wl_stroke k;
        if (!(mask >> i & 1) || !bs_wl_map_find(symbols[i], &k)) continue;
        bs_wl_key(w, k.code, true);
        bs_wl_modifiers(w, all |= k.modifier, w->locks);
    }
    return status ? status : bs_wl_sync(w);
}

/* The keys in the order they go down, with Shift before the first that needs it; what no key gives is lent one. */
static int plan_chord(bs_wl *w, const uint32_t *symbols, unsigned n, bs_wl_stroke *keys, unsigned *count, uint32_t lent[BS_WL_LENT]) {
    bool shifted = false;
    unsigned lents = 0;
    for (unsigned i = 0; i < n; i++) shifted |= symbols[i] == 0xffe1 || symbols[i] == 0xffe2;
    for (unsigned i = 0; i < n; i++) {
        bs_wl_stroke k;
        if (!bs_wl_map_find(symbols[i], &k)) {
            if (lents == BS_WL_LENT) return bs_screen_explain(&w->base, BACKSTEP_E_UNSUPPORTED, "a chord has %u keys at most that an ordinary keyboard lacks", BS_WL_LENT);
            k.code = bs_wl_lent_code[lents];
            lent[lents++] = symbols[i];
        }
        if (k.shift && !shifted) {
            shifted = true;
            keys[(*count)++] = (bs_wl_stroke){BS_WL_SHIFT_CODE, BS_WL_SHIFT, false};
        }
        keys[(*count)++] = k;
    }
    return BACKSTEP_OK;
}

int bs_wl_op_chord(bs_wl *w, bs_reader *r) {
    uint32_t symbols[16] = {0}, n = bs_get_u32(r), lent[BS_WL_LENT] = {0}, mask = 0;
    if (!r->failed && (n == 0 || n > 16)) return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "a chord has 1 to 16 keys, not %u", n);
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        symbols[i] = bs_get_u32(r);
        if (symbols[i] >= 0x01000000u && symbols[i] <= 0x010000ffu) symbols[i] &= 0xff;
    }
    int status = bs_screen_malformed(&w->base, r);
    if (status) return status;
    for (uint32_t i = 0; i < n; i++) {
        if (symbols[i] < 0x20 || symbols[i] > 0x1fffffffu) return bs_screen_explain(&w->base, BACKSTEP_E_INVALID, "0x%x is no key symbol", symbols[i]);
    }
    if (!w->keyboard) return bs_wl_no_device(w, "zwp_virtual_keyboard_manager_v1");
    bs_wl_stroke keys[17];
    unsigned count = 0;
    status = plan_chord(w, symbols, n, keys, &count, lent);
    if (!status) status = bs_wl_map_ordinary(w, lent);
    if (!status) status = bs_wl_check(w);
    if (status) return status;
    for (unsigned i = 0; i < count; i++) {
        bs_wl_key(w, keys[i].code, true);
        w->locks ^= keys[i].code == BS_WL_CAPS_CODE ? BS_WL_CAPS : keys[i].code == BS_WL_NUM_CODE ? BS_WL_NUM : 0;
        bs_wl_modifiers(w, mask |= keys[i].modifier, w->locks);
    }
    for (unsigned i = count; i--;) { /* a modifier ends after its key has come up, as an ordinary keyboard tells it */
        bs_wl_key(w, keys[i].code, false);
        bs_wl_modifiers(w, mask &= ~keys[i].modifier, w->locks);
    }
    return bs_wl_sync(w);
}

/* What another client holds is not told; when it dies, its devices go and all they held comes up. */
int bs_wl_op_release(bs_wl *w, bs_reader *r) {
    if (r->length > 0) bs_get_u32(r);
    int status = bs_screen_malformed(&w->base, r);
    if (status) return status;
    uint32_t released = bs_wl_release_held(w);
    status = bs_wl_sync(w);
    if (!status) bs_put_u32(w->base.reply, released);
    return status;
}
