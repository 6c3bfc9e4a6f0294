/* What the application answers to each call of AT-SPI, when nothing is wrong with it. */
#ifndef PEER_ANSWERS_H
#define PEER_ANSWERS_H

#include "pack.h"
#include "script.h"

typedef struct answer {
    pack body;
    char signature[64], error[160]; /* error: its name, when it is one */
    int node, member;               /* what was called: for faults and counts */
    bool idle;                      /* true: say that it was done, and do nothing */
} answer;

/* Which element and which member (a property's name, for Properties) a call is about; node -1: no such element. */
void answer_subject(const head *call, unpack args, answer *a);
void answer_make(const char *own_name, const head *call, unpack args, answer *a);
const char *node_path(int node);

#endif
