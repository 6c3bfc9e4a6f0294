/* The operation under way at a display, and why it failed. */
#include <stdarg.h>
#include <stdio.h>

#include "../include/backstep.h"
#include "screen.h"

void bs_screen_begin(bs_screen *s, uint64_t deadline_us, atomic_bool *cancel, bs_buf *reply) {
    s->deadline_us = deadline_us;
    s->cancel = cancel ? cancel : &s->never;
    s->reply = reply;
    s->reply_start = reply ? reply->length : 0;
    s->touched = false;
}

void bs_screen_end(bs_screen *s) {
    s->cancel = &s->never;
    s->reply = NULL;
}

int bs_screen_explain(bs_screen *s, int status, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    while (length && !bs_utf8_valid(text, length)) length--; /* cut within a character */
    if (s->reply) {
        s->reply->length = s->reply_start;
        bs_put_str(s->reply, text, length);
    }
    return status;
}

int bs_screen_malformed(bs_screen *s, const bs_reader *r) {
    return r->failed || r->at != r->length ? bs_screen_explain(s, BACKSTEP_E_INVALID, "malformed request") : BACKSTEP_OK;
}

int bs_screen_due(bs_screen *s) {
    if (atomic_load(s->cancel)) {
        return s->touched ? bs_screen_explain(s, BACKSTEP_E_CANCELLED_UNKNOWN, "cancelled half-way")
                          : bs_screen_explain(s, BACKSTEP_E_CANCELLED_UNSENT, "cancelled before anything happened");
    }
    if (bs_now_us() >= s->deadline_us) {
        return s->touched ? bs_screen_explain(s, BACKSTEP_E_TIMEOUT_UNKNOWN, "the deadline passed half-way")
                          : bs_screen_explain(s, BACKSTEP_E_TIMEOUT_UNSENT, "the display did not answer before the deadline; nothing happened");
    }
    return BACKSTEP_OK;
}
