/* What an event makes dirty. */
#include <string.h>

#include "mirror.h"

#define MOST_JOURNAL ((size_t)1 << 20)

static const struct { const char *member, *minor; uint32_t dirt; } of_objects[] = {
    // What is defunct is gone from its parent. The minor comes first that is named.
    {"StateChanged", "defunct", BS_DIRT_ALL | BS_DIRT_BELOW | BS_DIRT_PARENT_KIDS},
    // WebKitGTK says so of what its page is embedded in, once that has another one: ATK tells it of no child.
    {"StateChanged", "transient", BS_DIRT_ALL | BS_DIRT_KIDS | BS_DIRT_BELOW},
    {"StateChanged", NULL, BS_DIRT_STATES},
    {"ChildrenChanged", NULL, BS_DIRT_KIDS},
    {"PropertyChange", "accessible-name", BS_DIRT_NAME},
    {"PropertyChange", "accessible-description", BS_DIRT_NAME},
    {"PropertyChange", "accessible-value", 0},
    {"PropertyChange", "accessible-role", BS_DIRT_ALL | BS_DIRT_KIDS | BS_DIRT_BELOW},
    {"PropertyChange", "accessible-parent", BS_DIRT_ALL | BS_DIRT_PARENT_KIDS},
    {"PropertyChange", NULL, BS_DIRT_ALL},
    {"TextChanged", NULL, BS_DIRT_NAME}, // of a label it is the name
    {"SelectionChanged", NULL, BS_DIRT_STATES | BS_DIRT_KID_STATES},
    {"ActiveDescendantChanged", NULL, BS_DIRT_STATES | BS_DIRT_KID_STATES},
    // Geometry, texts, values and selections are not held.
    {"BoundsChanged", NULL, 0}, {"TextCaretMoved", NULL, 0}, {"TextSelectionChanged", NULL, 0}, {"TextAttributesChanged", NULL, 0},
    {"ValueChanged", NULL, 0}, {"LinkSelected", NULL, 0}, {"AttributesChanged", NULL, 0}, {"Announcement", NULL, 0},
    // Rows, columns, models, visible data, and what nobody has heard of yet.
    {NULL, NULL, BS_DIRT_ALL | BS_DIRT_KIDS | BS_DIRT_BELOW},
};

static uint32_t dirt_of(bs_str class, bs_str member, bs_str minor) {
    if (bs_str_is(class, "Focus")) return BS_DIRT_STATES;
    if (bs_str_is(class, "Window")) return BS_DIRT_ALL | BS_DIRT_ROOT_KIDS;
    if (bs_str_is(class, "Document")) {
        bool other = bs_str_is(member, "PageChanged") || bs_str_is(member, "AttributesChanged") || bs_str_is(member, "ContentChanged");
        return other ? BS_DIRT_ALL : BS_DIRT_ALL | BS_DIRT_KIDS | BS_DIRT_BELOW;
    }
    // Qt and old bridges add to the minor: "accessible-name:system".
    const char *colon = memchr(minor.text, ':', minor.length);
    if (colon) minor.length = (uint32_t)(colon - minor.text);
    unsigned k = 0;
    while (of_objects[k].member && !(bs_str_is(member, of_objects[k].member) && (!of_objects[k].minor || bs_str_is(minor, of_objects[k].minor)))) k++;
    return of_objects[k].dirt;
}

static void mark(bs_mirror *m, uint32_t node, uint32_t dirt) {
    m->dirt[node] |= (uint8_t)(dirt & BS_DIRT_EVENTS);
    m->clean = false;
}

void bs_mirror_mark(bs_mirror *m, bs_str path, uint32_t dirt) {
    uint32_t at = bs_tree_of(&m->tree, path);
    if (dirt & BS_DIRT_ROOT_KIDS) mark(m, 0, BS_DIRT_KIDS);
    if (at == BS_NONE) {
        // Nothing can be said of it, but that something was not heard of.
        if (!(dirt & BS_DIRT_IF_HELD)) m->suspect = true;
        return;
    }
    const bs_node *n = &m->tree.nodes[at];
    if (dirt & BS_DIRT_EVENTS) mark(m, at, dirt);
    // A window that changes its name shows another document: what is loose is looked at again at once.
    if (m->loose && n->parent == 0 && dirt & (BS_DIRT_NAME | BS_DIRT_ALL)) m->proven_us = 0;
    if (dirt & BS_DIRT_PARENT_KIDS && n->parent >= 0) mark(m, (uint32_t)n->parent, BS_DIRT_KIDS);
    for (uint32_t i = 0; dirt & BS_DIRT_KID_STATES && i < n->kid_count; i++)
        if (m->tree.kids[n->first_kid + i] != BS_NONE) mark(m, m->tree.kids[n->first_kid + i], BS_DIRT_STATES);
}

static void tell(bs_link *l, bs_peer *p, bs_str path, uint32_t dirt) {
    if (p->journal && p->journal->refs > 1) {
        bs_buf *b = &p->journal->bytes;
        if (b->length < MOST_JOURNAL) bs_put_u32(b, dirt), bs_put_str(b, path.text, path.length);
        if (b->length >= MOST_JOURNAL || b->failed) p->journal->lost = true;
    }
    bs_mirror *m = p->mirror;
    if (!m) return;
    bool clean = m->clean, suspect = m->suspect;
    bs_mirror_mark(m, path, dirt);
    if (m->clean != clean || m->suspect != suspect) bs_mirror_publish(l, p);
}

void bs_mirror_event(bs_link *l, const bs_msg *m, bs_str minor, int32_t detail, bs_str child) {
    bs_peer *p = bs_peer_find(l, m->head.sender);
    if (!p || (!p->mirror && !p->journal)) return;
    static const char prefix[] = "org.a11y.atspi.Event.";
    bs_str class = {m->head.interface.text + sizeof prefix - 1, m->head.interface.length - (uint32_t)sizeof prefix + 1};
    uint32_t dirt = dirt_of(class, m->head.member, minor);
    if (bs_str_is(minor, "defunct") && !detail) dirt = BS_DIRT_STATES;
    if (!dirt) return;
    tell(l, p, m->head.path, dirt);
    // The path of a child that came or went may be another element's next.
    if (bs_str_is(m->head.member, "ChildrenChanged") && child.length) tell(l, p, child, BS_DIRT_ALL | BS_DIRT_KIDS | BS_DIRT_BELOW | BS_DIRT_IF_HELD);
}
