#include "names.h"

#include <pthread.h>
#include <string.h>

#include "ask.h"
#include "cf.h"

#define BS_TEXT(name, text) text,
static const char *const attributes[] = {AX_ATTRIBUTES(BS_TEXT)}, *const roles[] = {AX_ROLES(BS_TEXT)}, *const subroles[] = {AX_SUBROLES(BS_TEXT)},
                  *const actions[] = {AX_ACTIONS(BS_TEXT)}, *const notifications[] = {AX_NOTIFICATIONS(BS_TEXT)}, *const parameterized[] = {AX_PARAMETERIZED(BS_TEXT)},
                  *const text_keys[] = {AX_TEXT_KEYS(BS_TEXT)};
#undef BS_TEXT

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t holders;
static bs_names all;

/* Roles and subroles by an open hash over their text: each row of a tree is looked up. */
#define TABLE 256u
static uint8_t role_table[TABLE], subrole_table[TABLE];

static uint32_t hash(const char *text, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (uint8_t)text[i]) * 16777619u;
    return h;
}

static void fill(uint8_t *table, const char *const *texts, unsigned count) {
    memset(table, 0, TABLE);
    for (unsigned i = 0; i < count; i++) {
        uint32_t at = hash(texts[i], strlen(texts[i])) % TABLE;
        while (table[at]) at = (at + 1) % TABLE;
        table[at] = (uint8_t)(i + 1);
    }
}

static unsigned number(const uint8_t *table, const char *const *texts, unsigned count, const char *text, size_t length) {
    for (uint32_t at = hash(text, length) % TABLE; table[at]; at = (at + 1) % TABLE) {
        const char *one = texts[table[at] - 1];
        if (strlen(one) == length && !memcmp(one, text, length)) return table[at] - 1u;
    }
    return count;
}

static bool make_strings(CFStringRef *to, const char *const *texts, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (!(to[i] = bs_cf_cstring(texts[i]))) return false;
    return true;
}

static CFArrayRef list(const enum bs_attribute *which, unsigned count) {
    const void *values[AX_ATTRIBUTE_COUNT];
    for (unsigned i = 0; i < count; i++) values[i] = all.attribute[which[i]];
    return CFArrayCreate(NULL, values, (CFIndex)count, &kCFTypeArrayCallBacks);
}

static bool make(void) {
    static const enum bs_attribute basics[] = {BS_BASICS}, values[] = {BS_VALUES}, selections[] = {BS_SELECTIONS}, places[] = {BS_PLACES};
    fill(role_table, roles, AX_ROLE_COUNT);
    fill(subrole_table, subroles, AX_SUB_COUNT);
    if (!make_strings(all.attribute, attributes, AX_ATTRIBUTE_COUNT) || !make_strings(all.action, actions, AX_DO_COUNT) || !make_strings(all.notification, notifications, AX_TOLD_COUNT)) return false;
    if (!make_strings(all.parameterized, parameterized, AX_ABOUT_COUNT) || !make_strings(all.text_key, text_keys, AX_TEXT_COUNT)) return false;
    all.basics = list(basics, BS_BASIC_COUNT);
    all.values = list(values, BS_VALUE_COUNT);
    all.selections = list(selections, BS_SELECTION_COUNT);
    all.places = list(places, BS_PLACE_COUNT);
    return all.basics && all.values && all.selections && all.places;
}

static void drop_all(CFTypeRef *values, unsigned count) {
    for (unsigned i = 0; i < count; i++) bs_cf_drop(values[i]);
}

static void unmake(void) {
    drop_all((CFTypeRef *)all.attribute, AX_ATTRIBUTE_COUNT);
    drop_all((CFTypeRef *)all.action, AX_DO_COUNT);
    drop_all((CFTypeRef *)all.notification, AX_TOLD_COUNT);
    drop_all((CFTypeRef *)all.parameterized, AX_ABOUT_COUNT);
    drop_all((CFTypeRef *)all.text_key, AX_TEXT_COUNT);
    CFTypeRef lists[] = {all.basics, all.values, all.selections, all.places};
    drop_all(lists, 4);
    memset(&all, 0, sizeof all);
}

bool bs_names_hold(void) {
    pthread_mutex_lock(&lock);
    bool there = holders || make();
    if (there) holders++;
    else unmake();
    pthread_mutex_unlock(&lock);
    return there;
}

void bs_names_drop(void) {
    pthread_mutex_lock(&lock);
    if (--holders == 0) unmake();
    pthread_mutex_unlock(&lock);
}

const bs_names *bs_name(void) { return &all; }

const char *bs_attribute_text(enum bs_attribute which) { return attributes[which]; }

const char *bs_notification_text(enum bs_ax_notification which) { return notifications[which]; }

enum bs_ax_role bs_role_number(const char *text, size_t length) { return number(role_table, roles, AX_ROLE_COUNT, text, length); }

enum bs_ax_subrole bs_subrole_number(const char *text, size_t length) { return number(subrole_table, subroles, AX_SUB_COUNT, text, length); }

enum bs_ax_notification bs_notification_number(CFStringRef name) {
    for (unsigned i = 0; i < AX_TOLD_COUNT; i++)
        if (CFEqual(all.notification[i], name)) return i;
    return AX_TOLD_COUNT;
}
