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
int answer_children(int node); /* how many it claims */
int answer_actions(int node);

/* bulk.c */
void answer_tree(answer *a, const char *bus, unpack args);
void answer_matches(answer *a, const char *bus, unpack args);
void answer_action_list(answer *a);
bool answer_table(answer *a, const char *member, unpack args, int *cell); /* false: no such method; a cell is answered where there is no signature yet */

#endif
