/*
 * The mirror of an application: the tree of its last whole snapshot, kept beside the peer, and what events have made dirty
 * since. It is one more source of answers for the walk. All on the I/O thread.
 *
 * Order. Events come over the bus, answers may come over the straight connection, so that neither says when the other was
 * true. What counts is when an event came: one that came before a question was sent is in the answer; one that came later
 * makes the answer dirty, whatever it told. Events that come while a snapshot is made are kept in the peer's journal and
 * put on its result.
 */
#ifndef BS_MIRROR_H
#define BS_MIRROR_H

#include "op.h"
#include "../src/tree.h"

/* What has to be asked of a node anew. Three are not of events: what may never be held, and what is held but changes
 * without an event (loose): it is good for who verifies what he finds, and proofs bring it up to date. */
enum bs_dirt {
    BS_DIRT_STATES = 1, BS_DIRT_NAME = 2, /* and description */
    BS_DIRT_ALL = 4, BS_DIRT_KIDS = 8, /* how many, and which */
    BS_DIRT_BELOW = 16, /* everything of everything under it */
    BS_DIRT_EVENTS = 31,
    BS_NEVER_HELD = 32, BS_NEVER_BELOW = 64, BS_LOOSE = 128,
    /* Of an event only: it is about the kids' states, or makes the parent's kids dirty. */
    BS_DIRT_KID_STATES = 256, BS_DIRT_PARENT_KIDS = 512, BS_DIRT_ROOT_KIDS = 1024,
    BS_DIRT_IF_HELD = 2048 /* who is not in the mirror need not be: it has just come */
};

typedef struct bs_mirror {
    uint32_t refs; /* the peer's, and of each snapshot that is made from it */
    bs_tree tree;
    uint8_t *dirt; /* of each node */
    bool clean;    /* no dirt of events */
    bool silent;   /* few changes are announced (Qt): only the description and the interfaces of what is held are used */
    bool suspect;  /* something told of an element that is not in it */
    bool wasteful; /* its strings are mostly not its own: they are not handed on */
    uint32_t untold; /* states of the first word that change without an event */
    uint32_t never;     /* nodes that are asked every time */
    uint32_t elsewhere; /* nodes of other processes, whose events go by another name: held as in a silent mirror */
    uint32_t loose; /* nodes that are asked unless the caller takes what is held */
    uint32_t no_ids; /* nodes whose id was not asked */
    uint32_t lean; /* strings, when they were last only its own */
    uint64_t generation, proven_us, proof_cost_us;
} bs_mirror;

/* Events while snapshots are being made: u32 dirt, str path, one after another. Shared by the peer and those snapshots. */
typedef struct bs_journal {
    uint32_t refs;
    bs_buf bytes;
    bool lost;
} bs_journal;

/* An element of which the application's cache keeps telling something else than the element: path, and a hash of it. */
typedef struct bs_odd {
    uint64_t hash;
    bool sure;
    char *path;
} bs_odd;

struct bs_snapshot;

/* mirror.c */
void bs_mirror_free(bs_mirror *m); /* one reference less */
void bs_journal_free(bs_journal *j);
void bs_mirror_drop(bs_link *l, bs_peer *p);
void bs_mirror_drop_all(bs_link *l); /* events cannot be relied on any more */
bs_journal *bs_mirror_journal(bs_link *l, bs_peer *p); /* a reference; NULL: this application gets no mirror */
bool bs_mirror_may_keep(bs_op *op); /* a snapshot is complete: may its tree become the mirror? */
void bs_mirror_keep(bs_op *op);     /* it does: the snapshot is without it now */
void bs_mirror_publish(bs_link *l, bs_peer *p); /* tells peek */
uint64_t bs_mirror_due(const bs_mirror *m); /* when it is to be proven again */
bool bs_mirror_lacks(bs_link *l, bs_str bus, bs_str path); /* there is one of this application, and the element is not in it */

/* mirror_events.c */
void bs_mirror_event(bs_link *l, const bs_msg *m, bs_str minor, int32_t detail, bs_str child);
void bs_mirror_mark(bs_mirror *m, bs_str path, uint32_t dirt);

/* mirror_walk.c */
bool bs_mirror_begin(bs_op *op, bs_peer *p);          /* false: there is none that is of use */
bool bs_mirror_proved(bs_op *op, bs_peer *p, bs_msg *reply); /* the cache's answer; false: it has missed something, or nothing came */
bool bs_mirror_seed(struct bs_snapshot *s, uint32_t node); /* fills what is held, asks what is dirty; false: nothing is held */
void bs_mirror_role(struct bs_snapshot *s, uint32_t node); /* what it is was answered: it may be one of those that are asked for more now */
bool bs_mirror_kids(struct bs_snapshot *s, uint32_t node); /* adds all children; false: they must be asked for */
bool bs_mirror_too_dirty(const struct bs_snapshot *s); /* the application's bulk answers cost less */

/* proof.c: does what Cache.GetItems answers agree? What does not is noted as odd. */
bool bs_mirror_agrees(bs_peer *p, bs_in *body);
uint64_t bs_mirror_basics(const bs_tree *t, uint32_t node);

#endif
