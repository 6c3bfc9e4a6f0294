/* What a script says: the application, its elements, how it fails. script.c reads one directive a line:
 *
 *   app NAME TOOLKIT VERSION
 *   node ID PARENT [key=value ...]      "root" is there from the start; PARENT "-" changes an element that is there
 *   many ID PARENT COUNT [key=value ...] COUNT elements ID0, ID1, ... ; "%d" in a value is the number
 *   deep ID PARENT COUNT [key=value ...] the same, each the child of the one before
 *   ref PARENT ID                       lists ID among the children of PARENT, too: repetitions and cycles
 *   drop ID                             the element and its path are no more
 *   cache good|none|old|empty|partial|wrong|ring    ring: the root's parent is the element "ring", which has one child
 *   tree good|counts|types|others       what GetTree and GetActions tell: wrong numbers, other types, other properties
 *   big on|off                          answers in big-endian
 *   fault MEMBER [on=ID] [from=N] [times=N] [via=bus|straight] KIND [ARGUMENT]    MEMBER: method or property, "*" any
 *   heal                                forgets all faults
 *   address TEXT                        what GetApplicationBusAddress answers; it has no such method before
 *
 * Keys: role, states (numbers, with commas), interfaces (short names), name, description, text, value (current, minimum,
 * maximum, step), actions, rect, caret, select, id, attributes (name:value), children (what ChildCount claims), columns (of a table),
 * holds (BUS,PATH: the one child, which only GetChildAtIndex tells, as a socket of ATK does), in (BUS,PATH: what it calls its parent). Values
 * with spaces are in double quotes.
 *
 * Kinds: slow MS, hang, exit, close, half (of the answer, then close), error NAME, lie (true, without effect), refuse
 * (false), type SIGNATURE (an answer of another type: zeros), cut BYTES (off the body), poke OFFSET VALUE (in the body),
 * pokehead OFFSET VALUE (in the message), serial DIFFERENCE, big, twice, garbage BYTES, tail BYTES (the answer, and garbage behind it).
 */
#ifndef PEER_SCRIPT_H
#define PEER_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#define MEMBERS 96
#define ANY (-1)

enum interface {
    I_ACCESSIBLE, I_ACTION, I_APPLICATION, I_COLLECTION, I_COMPONENT, I_DOCUMENT, I_EDITABLE, I_HYPERLINK, I_HYPERTEXT, I_IMAGE,
    I_SELECTION, I_TABLE, I_TABLE_CELL, I_TEXT, I_VALUE, INTERFACES
};
extern const char *const interface_names[INTERFACES]; /* without "org.a11y.atspi." */

typedef struct node {
    char id[48];
    bool gone;
    int parent;
    int *kids;
    int kid_count, place; /* place: where it was put among its parent's children, a hint */
    long claims; /* what ChildCount says; LONG_MIN = the truth */
    bool apart;  /* GetIndexInParent says -1: its parent does not count it */
    uint32_t role, interfaces;
    uint64_t states;
    char *name, *description, *text, *actions, *aid, *attributes, *holds, *in;
    double value[4];
    int rect[4], caret, select[2], columns;
    unsigned calls[MEMBERS];
} node;

enum kind {
    K_SLOW, K_HANG, K_EXIT, K_CLOSE, K_HALF, K_ERROR, K_LIE, K_REFUSE, K_TYPE, K_CUT, K_POKE, K_POKEHEAD, K_SERIAL, K_BIG, K_TWICE, K_GARBAGE, K_TAIL, KINDS
};

typedef struct fault {
    int member, node, via; /* ANY; via: 0 the bus, 1 a straight connection */
    unsigned from, times, seen;
    enum kind kind;
    long number, second;
    char text[160];
} fault;

enum cache { CACHE_GOOD, CACHE_NONE, CACHE_OLD, CACHE_EMPTY, CACHE_PARTIAL, CACHE_WRONG, CACHE_RING };
enum tree { TREE_GOOD, TREE_COUNTS, TREE_TYPES, TREE_OTHERS };

extern struct script {
    char name[64], toolkit[32], version[32], address[256];
    node *nodes;
    int count, room;
    fault faults[64];
    int fault_count;
    enum cache cache;
    enum tree tree;
    bool big;
    char members[MEMBERS][40];
    int member_count;
} script;

void script_start(void);
bool script_line(char *line); /* false: it says nothing that is known; the reason is in script_error */
extern char script_error[200];
int node_find(const char *id);    /* or -1 */
int member_number(const char *name);
unsigned calls_of(const char *member, const char *id); /* id "*": of all elements */
char *next_word(char **line);     /* NULL at the end */

#endif
