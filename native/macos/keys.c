/*
 * TEXT, CHORD and RELEASE. Which key types what is asked of the layout that is in use, and without Text Input Services, which
 * die off the main thread: NSEvent tells what an event of a key would type. Where AppKit is not there, an American layout is
 * assumed, and the text goes with the event anyway.
 */
#include "../src/cond.h"
#include "cf.h"
#include "guard.h"
#include "input.h"
#include "objc.h"
#include "ops.h"

enum { KEYS = 128, LEVELS = 4 };
#define KEY_US 2000u
#define UNITS 20u /* of one event, at most */

static const CGEventFlags levels[LEVELS] = {0, kCGEventFlagMaskShift, kCGEventFlagMaskAlternate, kCGEventFlagMaskShift | kCGEventFlagMaskAlternate};
static const struct { uint32_t keysym; CGKeyCode key; CGEventFlags flags; } special[] = {
    {0xff0d, 36, 0}, {0xff09, 48, 0}, {0xff08, 51, 0}, {0xff1b, 53, 0}, {0x20, 49, 0}, {0xff8d, 76, kCGEventFlagMaskNumericPad},
    {0xffff, 117, kCGEventFlagMaskSecondaryFn}, {0xff63, 114, kCGEventFlagMaskSecondaryFn | kCGEventFlagMaskHelp},
    {0xff50, 115, kCGEventFlagMaskSecondaryFn}, {0xff57, 119, kCGEventFlagMaskSecondaryFn}, {0xff55, 116, kCGEventFlagMaskSecondaryFn}, {0xff56, 121, kCGEventFlagMaskSecondaryFn},
    {0xff51, 123, kCGEventFlagMaskSecondaryFn | kCGEventFlagMaskNumericPad}, {0xff52, 126, kCGEventFlagMaskSecondaryFn | kCGEventFlagMaskNumericPad},
    {0xff53, 124, kCGEventFlagMaskSecondaryFn | kCGEventFlagMaskNumericPad}, {0xff54, 125, kCGEventFlagMaskSecondaryFn | kCGEventFlagMaskNumericPad},
    {0xffbe, 122, kCGEventFlagMaskSecondaryFn}, {0xffbf, 120, kCGEventFlagMaskSecondaryFn}, {0xffc0, 99, kCGEventFlagMaskSecondaryFn}, {0xffc1, 118, kCGEventFlagMaskSecondaryFn},
    {0xffc2, 96, kCGEventFlagMaskSecondaryFn}, {0xffc3, 97, kCGEventFlagMaskSecondaryFn}, {0xffc4, 98, kCGEventFlagMaskSecondaryFn}, {0xffc5, 100, kCGEventFlagMaskSecondaryFn},
    {0xffc6, 101, kCGEventFlagMaskSecondaryFn}, {0xffc7, 109, kCGEventFlagMaskSecondaryFn}, {0xffc8, 103, kCGEventFlagMaskSecondaryFn}, {0xffc9, 111, kCGEventFlagMaskSecondaryFn},
    {0xffca, 105, kCGEventFlagMaskSecondaryFn}, {0xffcb, 107, kCGEventFlagMaskSecondaryFn}, {0xffcc, 113, kCGEventFlagMaskSecondaryFn}, {0xff67, 110, 0}, {0xfe20, 48, 0},
};
/* Key 0 onwards of an American keyboard: plain and with Shift. */
static const char american[] = "asdfhgzxcv\0bqweryt123465=97-80]ou[ip\0lj'k;\\,/nm.", american_shift[] = "ASDFHGZXCV\0BQWERYT!@#$^%+(&_*)}OU{IP\0LJ\"K:|<?NM>";

typedef struct layout {
    uint32_t character[KEYS][LEVELS]; /* 0: none */
    bool told; /* by the system */
} layout;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static layout now;

static bool is_modifier_key(unsigned key) { return key >= 54 && key <= 63; }

typedef struct asking {
    unsigned key, level;
    uint32_t character;
} asking;

/* One character, or none: several are a dead key's or an input method's. */
static uint32_t single(CFStringRef text) {
    CFIndex n = text && bs_is_string(text) ? CFStringGetLength(text) : 0;
    if (n == 1) return CFStringGetCharacterAtIndex(text, 0);
    if (n != 2) return 0;
    UniChar a = CFStringGetCharacterAtIndex(text, 0), b = CFStringGetCharacterAtIndex(text, 1);
    return a >= 0xd800 && a < 0xdc00 && b >= 0xdc00 && b < 0xe000 ? 0x10000u + ((a & 0x3ffu) << 10 | (b & 0x3ffu)) : 0;
}

static unsigned long ns_flags(CGEventFlags flags) { return (unsigned long)flags; } /* the same bits */

/* It throws for the keys of modifiers, which are not asked for, and perhaps for others. */
static void ask_key(void *argument) {
    asking *a = argument;
    CGEventRef event = CGEventCreateKeyboardEvent(NULL, (CGKeyCode)a->key, true);
    if (!event) return;
    id ns = bs_send_id(bs_class("NSEvent"), "eventWithCGEvent:", event);
    CFStringRef text = ns ? (CFStringRef)(void *)((id(*)(id, SEL, unsigned long))bs_sender())(ns, bs_sel("charactersByApplyingModifiers:"), ns_flags(levels[a->level])) : NULL;
    a->character = single(text);
    bs_cf_drop(event);
}

static void assume_american(layout *l) {
    for (unsigned key = 0; key < sizeof american - 1; key++) {
        l->character[key][0] = (uint8_t)american[key];
        l->character[key][1] = (uint8_t)american_shift[key];
    }
    l->character[50][0] = '`', l->character[50][1] = '~', l->character[49][0] = ' ';
}

void bs_layout_learn(void) {
    layout l = {0};
    if (bs_framework(BS_APPKIT) && bs_answers(bs_class("NSEvent"), "eventWithCGEvent:")) {
        for (unsigned key = 0; key < KEYS; key++) {
            for (unsigned level = 0; level < LEVELS && !is_modifier_key(key); level++) {
                asking a = {key, level, 0};
                if (bs_guarded(ask_key, &a)) break;
                l.character[key][level] = a.character;
                l.told |= a.character != 0;
            }
        }
    }
    if (!l.told) assume_american(&l);
    pthread_mutex_lock(&lock);
    now = l;
    pthread_mutex_unlock(&lock);
}

bool bs_stroke_of_character(uint32_t character, bs_stroke *stroke) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (unsigned level = 0; level < LEVELS && !found; level++) {
        for (unsigned key = 0; key < KEYS && !found; key++) {
            if (now.character[key][level] != character || !character) continue;
            *stroke = (bs_stroke){(CGKeyCode)key, levels[level]};
            found = true;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

bool bs_stroke_of_keysym(uint32_t keysym, bs_stroke *stroke) {
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++) {
        if (special[i].keysym != keysym) continue;
        *stroke = (bs_stroke){special[i].key, special[i].flags};
        return true;
    }
    uint32_t character = keysym >= 0x01000000u ? keysym - 0x01000000u : keysym < 0x100 ? keysym : 0;
    return character && bs_stroke_of_character(character, stroke);
}

CGEventFlags bs_modifier_of_keysym(uint32_t keysym) {
    switch (keysym) {
    case 0xffe1: case 0xffe2: return kCGEventFlagMaskShift;
    case 0xffe3: case 0xffe4: return kCGEventFlagMaskControl;
    case 0xffe9: case 0xffea: return kCGEventFlagMaskAlternate;
    case 0xffe7: case 0xffe8: case 0xffeb: case 0xffec: return kCGEventFlagMaskCommand;
    default: return 0;
    }
}

CGKeyCode bs_key_of_modifier(CGEventFlags one) { return one == kCGEventFlagMaskShift ? 56 : one == kCGEventFlagMaskControl ? 59 : one == kCGEventFlagMaskAlternate ? 58 : 55; }

static int press(bs_job *job, bs_stroke stroke, CGEventFlags held, const UniChar *units, uint32_t count) {
    int status = bs_input_key(job, stroke, held, true, units, count);
    if (status) return status;
    return bs_input_key(job, stroke, held, false, units, count);
}

/* As many units as one event takes, without half a pair and without a line break. */
static uint32_t run_of(CFStringRef text, CFIndex at, UniChar units[UNITS]) {
    CFIndex length = CFStringGetLength(text);
    uint32_t n = 0;
    while (at + n < length && n < UNITS) {
        UniChar one = CFStringGetCharacterAtIndex(text, at + n);
        if (one == '\n' || one == '\t' || one == '\r') break;
        units[n++] = one;
    }
    if (n == UNITS && at + n < length && units[n - 1] >= 0xd800 && units[n - 1] < 0xdc00) n--;
    return n;
}

/* A character that a key types goes as that key, with its text; others as text alone, several at once. */
static int type(bs_job *job, CFStringRef text) {
    int status = BACKSTEP_OK;
    CFIndex length = CFStringGetLength(text);
    for (CFIndex at = 0; at < length && !status;) {
        UniChar units[UNITS];
        bs_stroke stroke = {0, 0};
        uint32_t n = 1;
        units[0] = CFStringGetCharacterAtIndex(text, at);
        if (units[0] == '\n' || units[0] == '\r') status = press(job, (bs_stroke){36, 0}, 0, NULL, 0);
        else if (units[0] == '\t') status = press(job, (bs_stroke){48, 0}, 0, NULL, 0);
        else if (bs_stroke_of_character(units[0], &stroke) && !(stroke.flags & kCGEventFlagMaskAlternate)) status = press(job, stroke, 0, units, 1);
        else n = run_of(text, at, units), status = press(job, (bs_stroke){0, 0}, 0, units, n);
        at += n;
        if (!status) status = bs_input_pause(job, KEY_US);
    }
    return status;
}

static int op_text(bs_job *job) {
    bs_str text = bs_get_str(&job->request);
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    CFStringRef string = bs_cf_string(text);
    if (!string) return bs_job_fail(job, BACKSTEP_E_MEMORY, "out of memory");
    bs_layout_learn();
    int status = type(job, string);
    bs_cf_drop(string);
    return status;
}

typedef struct chord {
    bs_stroke strokes[32];
    uint32_t count;
    CGEventFlags modifiers;
} chord;

static int read_chord(bs_job *job, chord *c) {
    uint32_t n = bs_get_u32(&job->request);
    if (job->request.failed || n < 1 || n > 32) return bs_job_fail(job, BACKSTEP_E_INVALID, "a chord has 1 to 32 keys");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t keysym = bs_get_u32(&job->request);
        CGEventFlags modifier = bs_modifier_of_keysym(keysym);
        c->modifiers |= modifier;
        if (modifier) continue;
        if (!bs_stroke_of_keysym(keysym, &c->strokes[c->count])) return bs_job_fail(job, BACKSTEP_E_UNSUPPORTED, "no key of the layout in use has the keysym 0x%x", keysym);
        c->count++;
    }
    return bs_job_malformed(job) ? bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request") : BACKSTEP_OK;
}

static int op_chord(bs_job *job) {
    chord c = {0};
    bs_layout_learn();
    int status = read_chord(job, &c), failed;
    if (status) return status;
    status = bs_input_modifiers(job, 0, c.modifiers);
    uint32_t down = 0;
    while (!status && down < c.count) {
        status = bs_input_key(job, c.strokes[down], c.modifiers, true, NULL, 0);
        if (!status) down++, status = bs_input_pause(job, KEY_US);
    }
    while (down-- > 0)
        if ((failed = bs_input_key(job, c.strokes[down], c.modifiers, false, NULL, 0)) && !status) status = failed;
    failed = bs_input_modifiers(job, c.modifiers, 0);
    return status ? status : failed;
}

/* An operation leaves nothing held: only what others hold can be released. */
static int op_release(bs_job *job) {
    bool all = job->request.length ? bs_get_u32(&job->request) : 0;
    if (bs_job_malformed(job)) return bs_job_fail(job, BACKSTEP_E_INVALID, "malformed request");
    uint32_t released = 0;
    for (unsigned key = 0; all && key < KEYS; key++) {
        if (!CGEventSourceKeyState(kCGEventSourceStateCombinedSessionState, (CGKeyCode)key)) continue;
        int status = bs_input_key(job, (bs_stroke){(CGKeyCode)key, 0}, 0, false, NULL, 0);
        if (status) return status;
        released++;
    }
    bs_put_u32(&job->reply, released);
    return BACKSTEP_OK;
}

int bs_op_type(bs_job *job) {
    int status = bs_input_allowed(job);
    if (status) return status;
    return job->code == BACKSTEP_OP_TEXT ? op_text(job) : job->code == BACKSTEP_OP_CHORD ? op_chord(job) : op_release(job);
}
