/* SNAPSHOT and READ. snapshot.c starts and ends them and keeps the window of calls; strategy.c chooses, by toolkit, what
 * is asked in bulk; walk.c decides what to ask next of one element; fields.c knows each call and its answer; cache.c and
 * collection.c read the two bulk answers, which spare questions. */
#ifndef BS_SNAPSHOT_H
#define BS_SNAPSHOT_H

#include "mirror.h"
#include "op.h"
#include "../src/tree.h"

#define BS_WINDOW 128u        /* calls in flight: beyond, the bus costs more than it brings */
#define BS_MAX_KIDS 2000      /* of one element that manages its descendants, or claims more than the caller wants */
#define BS_MAX_ACTIONS 256
#define BS_MAX_DEPTH 255u
#define BS_ROLES 256u         /* more than AtspiRole has */

#ifndef BS_AT_ONCE            /* fuzzers have smaller ones */
#define BS_AT_ONCE 2000u      /* elements: beyond, the others' answers come first */
#define BS_LARGE (1u << 20)   /* bytes of an answer that is read in pieces */
#endif

enum { BS_READ_BRIEF = 1, BS_READ_VERIFY = 2, BS_READ_NO_SELECTION = 3 };
enum { BS_CUT_NODES = 1, BS_CUT_DEPTH = 2, BS_CUT_TEXT = 4, BS_CUT_KIDS = 8 };
enum { BS_STATE_DEFUNCT = 6, BS_STATE_MANAGES_DESCENDANTS = 31 };

/* What can be asked of an element. The first four decide how to go on, see walk.c. */
enum bs_ask {
    BS_ASK_ROLE, BS_ASK_STATES, BS_ASK_INTERFACES, BS_ASK_COUNT,
    BS_ASK_NAME, BS_ASK_DESCRIPTION, BS_ASK_ATTRIBUTES, BS_ASK_ID,
    BS_ASK_CHILDREN, BS_ASK_CHILD, BS_ASK_EXTENTS,
    BS_ASK_OWNER, BS_ASK_PARENT, /* of a child in another process: who has the name that it was told under, and whose child it says it is */
    BS_ASK_TREE, /* GTK 3: GetTree on a row, which tells what would be three calls and more */
    BS_ASK_TEXT_COUNT, BS_ASK_TEXT, BS_ASK_WHOLE_TEXT, BS_ASK_CARET, BS_ASK_SELECTIONS, BS_ASK_RANGE,
    BS_ASK_VALUE, BS_ASK_MINIMUM, BS_ASK_MAXIMUM, BS_ASK_STEP,
    BS_ASK_ACTION_COUNT, BS_ASK_ACTION, BS_ASK_ACTIONS,
    BS_ASK_SELECTED_COUNT, BS_ASK_SELECTED, BS_ASK_INDEX,
    BS_ASK_RELATIONS, BS_ASK_KEYS, BS_ASK_TEXT_STYLE, BS_ASK_TEXT_RECT,
    BS_ASK_AREA, BS_ASK_CORNER, BS_ASK_CORNER_INDEX, BS_ASK_CORNER_ROW, BS_ASK_CORNER_COLUMN, BS_ASK_CELL, /* lazy.c */
    BS_ASK_DESCEND, /* not a question: the children of an element that the cache or the collection may know */
    BS_ASK_GO_ON /* not a question: an element whose basics came while a bulk answer was awaited */
};

/* Tags of the bulk calls, behind those of the window. */
enum { BS_TAG_CACHE = BS_WINDOW, BS_TAG_COLLECTION, BS_TAG_PROOF, BS_TAG_PROBE, BS_TAGS = BS_TAG_PROBE + BS_PROBE_CALLS, BS_TAG_PART = BS_TAGS /* and upwards: + part */ };

/* index: which action, child, corner or cell. INDEX and CORNER_INDEX are asked of another object than the node: bus and path are its string numbers. */
typedef struct bs_task {
    uint32_t node, what, index, bus, path;
} bs_task;

typedef bs_tree bs_seeds; /* what a cache or a collection told, as a tree of its own: see cache.c, collection.c */

/* An answer of the cache that is read in pieces, so that nobody else's answer waits for sixty thousand elements. */
typedef struct bs_reading {
    bs_buf kept;      /* the answer, */
    bs_in body;       /* where it goes on, */
    size_t end;
    bs_seeds *seeds;  /* what it came to so far; the caller's in the end */
    uint32_t pass, at;
} bs_reading;

/* How the tree of an application is come by. */
typedef enum bs_plan {
    BS_PLAN_WALK,       /* Qt, and who has no cache: element by element */
    BS_PLAN_CACHE,      /* the ATK bridge: its cache, what that lacks is walked */
    BS_PLAN_COLLECTION, /* GTK 3: the cache and, in one more call, the geometry and numbers of the whole tree */
    BS_PLAN_PARTS,      /* Chromium: the cache and then, part by part, the same of subtrees with few siblings */
    BS_PLAN_REACH       /* GTK 4: its cache holds what GetChildren has reached, so that goes first where children are missing */
} bs_plan;

#define BS_MAX_LAZY 8u /* tables of one snapshot; more are filled from their first child on */

#define BS_LEAST_DEPTH 4u  /* below, the whole application's cache is more than what is asked for */
#define BS_LEAST_NODES 48u /* the same, for a subtree, and for a caller who wants few */

/* A table that makes its cells when asked. cell: row and column of its first and last cell in view. */
typedef struct bs_lazy {
    uint32_t node, waiting, width; /* waiting: answers before its cells can be asked for; width: cells in a row */
    int32_t area[4], corner[2], cell[2][2];
} bs_lazy;

typedef struct bs_snapshot {
    bs_tree tree;
    bs_secrets *secrets; /* of the session */
    bs_columns columns;
    uint32_t coords, max_nodes, max_depth, max_text;
    bs_task *queue; /* what to ask, oldest first */
    uint32_t queue_at, queue_end, queue_size;
    uint32_t kids_from, kids_of; /* known kids of this node are being added, from that one on; 0: of none */
    bs_task window[BS_WINDOW]; /* what was asked; an answer's tag is its place */
    uint32_t free_places[BS_WINDOW], free_count;
    bs_plan plan;
    uint32_t awaiting; /* bulk answers: nothing leaves the queue meanwhile */
    uint32_t reached;  /* elements whose children were asked for first */
    bool bulk_later;   /* ask in bulk once the subtree has proved large */
    uint32_t brief;    /* READ: only what it takes to know an element again, or to verify it */
    bool ids;          /* AccessibleId is worth asking for */
    bool lists;        /* GetActions spares names, see BS_ASK_ACTIONS in fields.c */
    bool clamps;       /* GetText takes an end beyond the text for its end: its length need not be asked first */
    bs_strings action_lists; /* a role and what GetActions told: */
    uint32_t *list_owner;    /* by its number: the node that is asked for the names of these actions */
    uint32_t list_room;
    bool pages;        /* GTK 4: see bs_seed_pages */
    bool seeded, walked, grown_used; /* what the elements' basics came from */
    bs_seeds *seeds;   /* what the application's cache told; NULL = nothing */
    bs_lazy lazy[BS_MAX_LAZY];
    uint32_t lazy_count;
    bs_seeds *grown;   /* what Collection.GetTree told; NULL = nothing */
    /* See mirror.h. */
    uint32_t wanted;   /* fields, of the application */
    bool wants_mirror, held_only, prove, lenient, shared, same; /* prove: before it is used, whenever it was proven last; lenient: what may not be held is, below who manages it; shared: strings have the mirror's numbers; same: the caller holds it already */
    bool by_role;      /* of a silent mirror: elements of these roles alone are asked what they are called, and their states */
    uint8_t roles[BS_ROLES / 8];
    uint64_t known, began, began_us; /* generations; when its first question was put */
    uint64_t cache_asked_us, cache_us; /* when the cache was asked for; how long its answer took, 0 before it came */
    bs_mirror *mirror; /* what it is made from; NULL = the application */
    bs_journal *journal; /* what events told since journal_from; NULL: no mirror will come of it */
    size_t journal_from;
    uint32_t afresh, again; /* nodes that were asked although there is a mirror; those of them that are held */
    bs_reading reading;
    bs_writer *writer; /* the reply, while it is being written */
    uint32_t *parts;   /* seeds that GetTree is called on, see parts.c */
    uint32_t part_count, part_at, parts_answered;
} bs_snapshot;

static inline bs_node *bs_node_of(bs_snapshot *s, uint32_t node) { return &s->tree.nodes[node]; }

static inline bool bs_asks_other(uint32_t what) { return what == BS_ASK_INDEX || what == BS_ASK_CORNER_INDEX || what == BS_ASK_OWNER || what == BS_ASK_PARENT; }

static inline bool bs_of_roles(const bs_snapshot *s, uint16_t role) { return !s->by_role || (role < BS_ROLES && s->roles[role / 8] >> role % 8 & 1); }

void bs_want(bs_snapshot *s, bs_task task); /* queues a question */
void bs_snapshot_afresh(bs_op *op);         /* begins once more, from the application */
void bs_snapshot_fill(bs_op *op);           /* sends what is queued, as far as the window goes */

/* fields.c: sends a question; reads its answer into the node. False: the answer is not of the type it must be. */
void bs_field_ask(bs_op *op, const bs_task *task, uint32_t tag);
uint32_t bs_interface_bits(bs_in *body); /* of an `as` of interface names */
bool bs_text_at_once(const bs_snapshot *s); /* a text is asked for without its length: one character more than is wanted says that it was cut */
bool bs_field_answer(bs_snapshot *s, const bs_task *task, bs_msg *reply);
void bs_field_refused(bs_snapshot *s, const bs_task *task); /* what is asked in place of it */
void bs_field_number(bs_snapshot *s, uint32_t node, uint32_t what, int32_t value); /* the answer to a count, however it came */
void bs_field_place(bs_node *n, const int32_t rect[4]);
uint32_t bs_field_attributes(bs_strings *strings, bs_in *body); /* of an a{ss}: a string number */
bs_str bs_field_attribute(bs_in *body, const char *wanted); /* of an a{ss}: its value, in the reply; empty where there is none */
bs_bus *bs_way(const bs_op *op, uint32_t bus); /* how the owner of a bus name (a string number) is reached */

/* walk.c */
void bs_walk_descend(bs_snapshot *s, uint32_t node);                    /* to its children */
void bs_walk_node(bs_snapshot *s, uint32_t node);                       /* begin with a new node */
void bs_walk_known(bs_snapshot *s, uint32_t node);                      /* its role, states, interfaces and count are known */
void bs_walk_answered(bs_snapshot *s, const bs_task *task);             /* after every question of a node, also failed ones */
uint32_t bs_walk_some_kids(bs_snapshot *s, uint32_t n, uint32_t *end);  /* of n that are known: from which to which are added now */
void bs_walk_resume(bs_snapshot *s);                                    /* with what was only reached, now that the cache knows it */
void bs_walk_kid(bs_snapshot *s, uint32_t node, uint32_t place, bs_str bus, bs_str path);
/* The same of one whose bus and path are interned, and whose bus is a unique name; of another process, once that says it is a child of the node. */
void bs_walk_owned(bs_snapshot *s, uint32_t node, uint32_t place, uint32_t bus, uint32_t path);
void bs_walk_add(bs_snapshot *s, uint32_t node, uint32_t place, uint32_t bus, uint32_t path);
void bs_walk_first_kids(bs_snapshot *s, uint32_t node);                 /* as many as may be, by index */
bool bs_walk_children(bs_snapshot *s, uint32_t node, bs_in *body);      /* an a(so) */

/* lazy.c: tables that make their cells when asked. False: it is none. */
bool bs_lazy_begin(bs_snapshot *s, uint32_t node);
void bs_lazy_arguments(const bs_snapshot *s, const bs_task *task, int32_t at[2]); /* of CORNER and CELL */
int32_t bs_lazy_index(const bs_snapshot *s, const bs_task *task);                 /* of CORNER_ROW and CORNER_COLUMN */
bool bs_lazy_answer(bs_snapshot *s, const bs_task *task, bs_in *body, int32_t number);
void bs_lazy_answered(bs_snapshot *s, const bs_task *task); /* after each of its questions, also failed ones */

/* cache.c */
void bs_cache_ask(bs_op *op, uint32_t tag);
void bs_cache_answer(bs_snapshot *s, bs_msg *reply); /* an answer of another type is no cache */
#define BS_CACHE_TYPE "a((so)(so)(so)iiassusau)"
typedef struct bs_item { /* one of them: itself, its application, its parent (bus and path each), and its basics */
    bs_str ref[6], name, description;
    int32_t index, children;
    uint32_t interfaces, role, states[2];
} bs_item;
void bs_cache_item(bs_in *in, bs_item *item); /* false answers are in->failed */
bool bs_cache_has(const bs_snapshot *s, uint32_t node);
bool bs_cache_seed(bs_snapshot *s, uint32_t node);   /* fills what is known; false: nothing is */
const bs_node *bs_cache_kids(const bs_snapshot *s, uint32_t node); /* its seed, when the cache knows all its children */
bool bs_cache_is(const bs_msg *reply); /* of the type that a cache answers */
/* Within the answer of a large cache: takes it over, to be read in pieces. False: it is to be read at once. */
bool bs_reading_later(bs_reading *r, bs_msg *reply);
/* So many steps of it, of which each element takes four. False: that was all, and seeds is NULL where it is of no use. */
bool bs_reading_some(bs_reading *r, uint32_t most);
void bs_reading_free(bs_reading *r);
bs_seeds *bs_cache_read(bs_in *body); /* the a(...) of GetItems; NULL when it is empty or malformed */
void bs_seeds_free(bs_seeds **seeds);
const bs_node *bs_seed_find(bs_seeds *seeds, bs_str bus, bs_str path); /* NULL: it tells nothing of it */

/* GTK 4: pages of stacks and notebooks call the container their parent, yet GetChildren of it skips them for what they
 * hold. They are no widgets and have no place: true where kids are such, so that the application is asked. */
bool bs_seed_pages(const bs_seeds *seeds, const bs_node *seed);

/* collection.c */
/* Which elements GetTree is called on, and so what is worth asking of them: all of an application, with their parents and
 * numbers of children; a part whose elements the cache knows; one that it does not know. */
typedef enum bs_scope { BS_SCOPE_ALL, BS_SCOPE_PART, BS_SCOPE_ROW } bs_scope;
void bs_collection_ask(bs_op *op, uint32_t tag, bs_target of, bs_scope scope);
void bs_collection_answer(bs_snapshot *s, bs_msg *reply, bs_scope scope);
void bs_collection_row(bs_snapshot *s, uint32_t node); /* name, description and number of children, as far as they were told */
bs_seeds *bs_collection_read(bs_in *body); /* the a((so)a{sv}) of GetTree; NULL when it is empty or malformed */
const bs_node *bs_collection_of(const bs_snapshot *s, uint32_t node); /* what it told of a node; NULL: nothing */
bool bs_collection_told(const bs_node *told, uint32_t what);
const bs_node *bs_collection_kids(const bs_snapshot *s, uint32_t node); /* what it told of a node, when it knows all its children */

/* parts.c */
void bs_parts_begin(bs_op *op); /* the cache is known */
void bs_parts_fill(bs_op *op);
void bs_parts_ask(bs_op *op, uint32_t part);

/* strategy.c: each asks what it needs and answers whether the operation goes on. */
void bs_strategy_begin(bs_op *op);
void bs_strategy_answer(bs_op *op, uint32_t tag, bs_msg *reply); /* NULL: the bulk call failed */
void bs_strategy_grown(bs_op *op); /* after each answer: the subtree may have proved large */
bool bs_strategy_drained(bs_op *op); /* nothing is left to ask: true when that was all */
uint32_t bs_strategy_number(const bs_snapshot *s);

#endif
