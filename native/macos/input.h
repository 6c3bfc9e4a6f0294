/* Keyboard and pointer: every event carries the modifiers that are held, since the window server learns of them too late otherwise. */
#ifndef BS_INPUT_H
#define BS_INPUT_H

#include "job.h"

#define BS_OURS 0x4253 /* user data of our events */

typedef struct bs_stroke {
    CGKeyCode key;
    CGEventFlags flags; /* of the key itself: an arrow has some */
} bs_stroke;

int bs_input_allowed(bs_job *job);  /* E_PERMISSION */
int bs_input_key(bs_job *job, bs_stroke stroke, CGEventFlags held, bool down, const UniChar *units, uint32_t count);
int bs_input_modifiers(bs_job *job, CGEventFlags from, CGEventFlags to); /* presses or releases what differs, one after the other */
int bs_input_pause(bs_job *job, uint32_t us); /* a status when nobody waits any more */
void bs_input_release(uint64_t session);      /* closing */
void bs_input_stop(void);

/* keys.c */
bool bs_stroke_of_keysym(uint32_t keysym, bs_stroke *stroke);  /* by the layout that is in use */
CGEventFlags bs_modifier_of_keysym(uint32_t keysym);           /* 0: it is none */
CGKeyCode bs_key_of_modifier(CGEventFlags one);
bool bs_stroke_of_character(uint32_t character, bs_stroke *stroke); /* false: no key of the layout types it */
void bs_layout_learn(void);

#endif
