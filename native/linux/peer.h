/* What a session knows about one application for as long as it is on the bus: its toolkit, what of the protocol works
 * there, and a connection straight to it where it offers one. All on the I/O thread. */
#ifndef BS_PEER_H
#define BS_PEER_H

#include "bus.h"

struct bs_op;
struct bs_link;

enum bs_toolkit { BS_TOOLKIT_OTHER, BS_TOOLKIT_GTK3, BS_TOOLKIT_GTK4, BS_TOOLKIT_CHROMIUM, BS_TOOLKIT_QT };

#define BS_MAX_DIRECT 16u /* connections straight to applications, of one session */

typedef struct bs_peer {
    struct bs_peer *next;
    bs_bus *direct;          /* calls only; NULL = over the bus */
    enum bs_toolkit toolkit;
    bool probed;             /* toolkit and direct are known */
    uint32_t pid, dials;     /* as the bus says; how often it was connected to */
    bool gone;               /* left the bus: closed by bs_peer_tidy */
    bool has_ids, lacks_ids; /* whether AccessibleId was ever answered, or refused before that */
    bool clamps;             /* see bs_snapshot */
    bool page;               /* a page of WebKitGTK: ids are attributes, AccessibleId counts objects */
    bool nameless;           /* was asked for its toolkit, and told none: as pages, which are no applications */
    bool has_cache;          /* GetItems has answered something */
    struct bs_mirror *mirror;   /* see mirror.h; NULL = none */
    struct bs_journal *journal;
    struct bs_odd *odd;
    uint32_t odd_count, missed; /* missed: mirrors that proved to have missed something */
    bool distrusted;            /* no mirrors: its cache and its elements do not agree */
    uint32_t name_length;
    char name[];
} bs_peer;

bs_peer *bs_peer_of(struct bs_link *l, bs_str name); /* made when new; NULL: out of memory */
bool bs_peer_is_page(struct bs_link *l, bs_str name);
/* May it be asked for all that it knows (Cache.GetItems)? WebKitGTK ends when something in its page has just been hidden. */
bool bs_peer_tells_all(const bs_peer *p);
bs_peer *bs_peer_find(struct bs_link *l, bs_str name); /* NULL: not looked into yet, or gone */

/* Asks what bs_peer_probed needs, as calls of the op with tags from `tag` on: how many calls. */
#define BS_PROBE_CALLS 4u
void bs_peer_probe(struct bs_op *op, uint32_t tag);
void bs_peer_probed(struct bs_link *l, bs_peer *p, uint32_t which, bs_msg *reply); /* reply: NULL when the call failed */

void bs_peer_silent(struct bs_link *l, const bs_bus *direct); /* a deadline passed: if nothing came this way, it is given up */
void bs_peer_left(struct bs_link *l, bs_str name); /* its calls end as APP_GONE */
void bs_peer_lost(struct bs_link *l, bs_str name); /* the bus answers that there is no such connection: forgotten by the next bs_peer_tidy */
void bs_peer_tidy(struct bs_link *l);              /* outside callbacks: closes what broke or left */
void bs_peers_free(struct bs_link *l);             /* every caller must have been abandoned */

#endif
