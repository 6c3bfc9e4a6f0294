/*
 * What somebody else did, one by one: who records a person asks for it. Raw events have no place and no modifiers. So each
 * event asks at once where the pointer is, and the keys that are down are followed. Keys that type are never told apart: what was
 * typed is read from the field it went to, where that is no password's.
 */
#include "x11_internal.h"

#include <stdlib.h>
#include <string.h>

#include <xcb/xcbext.h>

#define REST_US 50000u
#define MAP_US 200000u /* what reading the changed map of the keyboard may take: between operations nobody else waits */

enum { CONTROL = 1, SHIFT = 2, ALT = 4, SUPER = 8 };

/* What is down is asked for until no key went up or down meanwhile: a modifier thought to be held would make commands of a text. */
int bs_x11_person_start(bs_x11 *x) {
    bs_person *p = &x->person;
    bool caps_on;
    uint8_t down[32];
    *p = (bs_person){0};
    int status = bs_x11_keymap_read(x, &caps_on, down);
    uint32_t strokes = 0;
    p->on = true;
    do {
        strokes = p->strokes;
        if (!status) status = bs_x11_keymap_read(x, &caps_on, down);
    } while (!status && strokes != p->strokes);
    if (status) bs_x11_person_stop(x);
    else memcpy(p->down, down, sizeof down);
    return status;
}

void bs_x11_person_stop(bs_x11 *x) {
    bs_person *p = &x->person;
    for (unsigned i = 0; i < p->count; i++) xcb_discard_reply(x->c, p->act[(p->first + i) % BS_ACTS].question);
    *p = (bs_person){0};
}

static void add(bs_x11 *x, bs_act act) {
    bs_person *p = &x->person;
    if (p->count == BS_ACTS) {
        p->lost++;
        return;
    }
    act.us = bs_now_us();
    act.question = xcb_query_pointer(x->c, x->root).sequence;
    memcpy(act.down, p->down, sizeof act.down);
    p->act[(p->first + p->count++) % BS_ACTS] = act;
}

void bs_x11_person_note(bs_x11 *x, const bs_raw *e) {
    bs_person *p = &x->person;
    if (!p->on) return;
    uint8_t code = (uint8_t)e->detail, bit = (uint8_t)(1u << (code & 7));
    if (e->kind == BS_RAW_KEY || e->kind == BS_RAW_KEY_UP) p->strokes++;
    if (e->kind == BS_RAW_KEY) p->down[code >> 3] |= bit;
    if (e->kind == BS_RAW_KEY_UP) p->down[code >> 3] &= (uint8_t)~bit;
    /* What the server had not been asked yet when the pointer moved on comes late. */
    for (unsigned i = 0; e->kind == BS_RAW_MOTION && i < p->count; i++) {
        bs_act *act = &p->act[(p->first + i) % BS_ACTS];
        if ((int32_t)(e->full_sequence - act->question) < 0) act->moved = true;
    }
}

void bs_x11_person_act(bs_x11 *x, const bs_raw *e) {
    bs_person *p = &x->person;
    if (!p->on) return;
    if (e->kind == BS_RAW_MOTION) {
        p->rest_us = bs_now_us() + REST_US;
        p->moved_ms = e->time;
        return;
    }
    bool repeated = e->kind == BS_RAW_KEY && (e->flags & BS_RAW_REPEATED);
    add(x, (bs_act){.kind = e->kind, .detail = (uint8_t)e->detail, .repeated = repeated, .time = e->time});
}

void bs_x11_person_rest(bs_x11 *x) {
    bs_person *p = &x->person;
    if (!p->rest_us || bs_now_us() < p->rest_us) return;
    p->rest_us = 0;
    add(x, (bs_act){.kind = BS_RAW_MOTION, .time = p->moved_ms});
}

static xcb_keysym_t symbol_at(const bs_keyboard *k, unsigned code, unsigned column) {
    return code >= k->min && code <= k->max && column < k->width ? k->symbols[(code - k->min) * k->width + column] : 0;
}

/* Symbols that are surely no part of a text; what is not known may be one. */
static bool types_nothing(xcb_keysym_t s) {
    static const xcb_keysym_t ranges[][2] = {
        {0xfe01, 0xfe4f}, {0xfea0, 0xfeff},                     /* modifiers of ISO 9995, and of accessibility */
        {0xff00, 0xff1f}, {0xff50, 0xff7f},                     /* Return, Tab and their like; the cursor's */
        {0xff89, 0xff9f},                                       /* of the keypad, without its digits */
        {0xffbe, 0xffff},                                       /* F1 to F35, modifiers, Delete */
        {0x1008fe00, 0x1008ffff},                               /* multimedia */
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (s >= ranges[i][0] && s <= ranges[i][1]) return true;
    }
    return false;
}

/* Whatever else is down: a key of the keypad types a digit or moves the cursor, and says neither. */
static bool may_type(const bs_keyboard *k, unsigned code) {
    bool any = false;
    for (unsigned i = 0; i < k->width; i++) {
        xcb_keysym_t s = symbol_at(k, code, i);
        if (s && !types_nothing(s)) return true;
        any |= s != 0;
    }
    return !any;
}

static uint32_t modifiers(const bs_keyboard *k, const uint8_t down[32]) {
    uint32_t mask = 0;
    for (unsigned code = k->min; code <= k->max; code++) {
        if (!(down[code >> 3] >> (code & 7) & 1) || !k->modifier[code]) continue;
        xcb_keysym_t s = symbol_at(k, code, 0);
        if (s == 0xffe1 || s == 0xffe2) mask |= SHIFT;
        if (s == 0xffe3 || s == 0xffe4) mask |= CONTROL;
        if (s >= 0xffe7 && s <= 0xffea) mask |= ALT; /* Meta too */
        if (s >= 0xffeb && s <= 0xffee) mask |= SUPER;
    }
    return mask;
}

/* Under another alphabet a shortcut is known by the Latin letter that its key has in another group. */
static xcb_keysym_t symbol_of(const bs_keyboard *k, unsigned code, unsigned group) {
    bool second = symbol_at(k, code, 2) || symbol_at(k, code, 3);
    xcb_keysym_t own = symbol_at(k, code, group == 1 && second ? 2 : 0);
    for (unsigned column = 0; own >= 0x80 && !types_nothing(own) && column < 4; column += 2) {
        xcb_keysym_t other = symbol_at(k, code, column);
        if (other && other < 0x80) own = other;
    }
    return own >= 'A' && own <= 'Z' ? own + ('a' - 'A') : own;
}

/* False: a key that does nothing by itself, or goes on typing. */
static bool explain_key(const bs_x11 *x, const bs_act *act, unsigned group, bs_screen_told *into) {
    const bs_keyboard *k = &x->keyboard;
    if (k->stale || !k->symbols) { /* what it means cannot be found out */
        into->what = BACKSTEP_P_TEXT;
        return !act->repeated;
    }
    if (act->detail >= k->min && k->modifier[act->detail]) return false;
    into->modifiers = modifiers(k, act->down);
    bool text = may_type(k, act->detail) && !(into->modifiers & (CONTROL | ALT | SUPER));
    into->what = text ? BACKSTEP_P_TEXT : BACKSTEP_P_KEY;
    into->detail = text ? 0 : symbol_of(k, act->detail, group);
    return text ? !act->repeated : into->detail != 0;
}

/* What the person's buttons are, and what keys mean now. On failure the old is kept. */
static void refresh(bs_x11 *x) {
    bs_person *p = &x->person;
    if (p->buttons_known && !x->keyboard.stale) return;
    bs_screen_begin(&x->base, bs_now_us() + MAP_US, NULL, NULL);
    bool caps_on;
    uint8_t down[32];
    if (x->keyboard.stale) bs_x11_keymap_read(x, &caps_on, down);
    if (!p->buttons_known) {
        xcb_get_pointer_mapping_reply_t *map;
        p->buttons_known = true; /* a change while we wait makes it unknown again */
        if (bs_x11_await(x, xcb_get_pointer_mapping(x->c).sequence, &map)) p->buttons_known = false;
        for (unsigned i = 0; i < 256; i++) p->buttons[i] = (uint8_t)i;
        for (int i = 0; map && i < xcb_get_pointer_mapping_map_length(map) && i < 255; i++) p->buttons[i + 1] = xcb_get_pointer_mapping_map(map)[i];
        free(map);
    }
    bs_screen_end(&x->base);
}

static bool explain(const bs_x11 *x, const bs_act *act, unsigned group, bs_screen_told *into) {
    if (act->kind == BS_RAW_KEY) return explain_key(x, act, group, into);
    into->modifiers = x->keyboard.symbols ? modifiers(&x->keyboard, act->down) : 0;
    if (act->kind == BS_RAW_MOTION) {
        into->what = BACKSTEP_P_REST;
        return true;
    }
    into->detail = x->person.buttons[act->detail];
    bool wheel = into->detail >= 4 && into->detail <= 7;
    into->what = wheel ? BACKSTEP_P_WHEEL : act->kind == BS_RAW_BUTTON ? BACKSTEP_P_PRESS : BACKSTEP_P_RELEASE;
    return into->detail && !(wheel && act->kind == BS_RAW_BUTTON_UP); /* button 0 is switched off */
}

bool bs_x11_told(bs_x11 *x, bs_screen_told *into) {
    bs_person *p = &x->person;
    while (p->on && p->count) {
        void *reply = NULL;
        xcb_generic_error_t *error = NULL;
        bs_act act = p->act[p->first];
        if (!xcb_poll_for_reply(x->c, act.question, &reply, &error)) return false;
        p->first = (p->first + 1) % BS_ACTS;
        p->count--;
        const xcb_query_pointer_reply_t *at = reply;
        *into = (bs_screen_told){.us = act.us, .time = act.time, .moved = act.moved, .x = at ? at->root_x : -1, .y = at ? at->root_y : -1};
        unsigned group = at ? at->mask >> 13 & 3 : 0;
        refresh(x);
        bool told = at && explain(x, &act, group, into);
        free(reply);
        free(error);
        if (!told) continue;
        into->lost = p->lost;
        p->lost = 0;
        return true;
    }
    return false;
}
