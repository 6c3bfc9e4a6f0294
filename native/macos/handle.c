#include "handle.h"

#include <stdlib.h>

#include "cf.h"

bool bs_handles_init(bs_handles *h) {
    *h = (bs_handles){0};
    return pthread_mutex_init(&h->lock, NULL) == 0;
}

void bs_handles_free(bs_handles *h) {
    for (uint32_t i = 0; i < h->count; i++) bs_cf_drop(h->all[i].element);
    free(h->all);
    free(h->table);
    pthread_mutex_destroy(&h->lock);
}

/* CFHash may be a small number, whose neighbours are taken. */
static uint32_t spread(CFHashCode hash) { return (uint32_t)((uint64_t)hash * 0x9e3779b97f4a7c15u >> 32); }

static bool grow(bs_handles *h) {
    uint32_t capacity = h->capacity ? 2 * h->capacity : 256;
    bs_handle *all = realloc(h->all, capacity * sizeof *all);
    if (all) h->all = all;
    uint32_t *table = all ? calloc(2 * (size_t)capacity, sizeof *table) : NULL;
    if (!table) return false;
    free(h->table);
    h->table = table;
    h->table_size = 2 * capacity;
    h->capacity = capacity;
    for (uint32_t i = 0; i < h->count; i++) {
        if (!h->all[i].element) continue;
        uint32_t at = spread(h->all[i].hash) & (h->table_size - 1);
        while (h->table[at]) at = (at + 1) & (h->table_size - 1);
        h->table[at] = i + 1;
    }
    return true;
}

/* Where its number stands, or would. */
static uint32_t seat(const bs_handles *h, AXUIElementRef element, CFHashCode hash) {
    uint32_t at = spread(hash) & (h->table_size - 1);
    for (; h->table[at]; at = (at + 1) & (h->table_size - 1)) {
        const bs_handle *one = &h->all[h->table[at] - 1];
        if (one->element && one->hash == hash && CFEqual(one->element, element)) break;
    }
    return at;
}

uint32_t bs_handle_of(bs_handles *h, AXUIElementRef element) {
    CFHashCode hash = CFHash(element);
    pthread_mutex_lock(&h->lock);
    uint32_t number = 0;
    if (h->count < h->capacity || grow(h)) {
        uint32_t at = seat(h, element, hash);
        if (!h->table[at]) {
            h->all[h->count] = (bs_handle){.element = (AXUIElementRef)CFRetain(element), .hash = hash};
            h->table[at] = ++h->count;
        }
        number = h->table[at];
    }
    pthread_mutex_unlock(&h->lock);
    return number;
}

uint32_t bs_handle_known(bs_handles *h, AXUIElementRef element) {
    CFHashCode hash = CFHash(element);
    pthread_mutex_lock(&h->lock);
    uint32_t number = h->table_size ? h->table[seat(h, element, hash)] : 0;
    pthread_mutex_unlock(&h->lock);
    return number;
}

static bs_handle *at(bs_handles *h, uint32_t number) { return number && number <= h->count ? &h->all[number - 1] : NULL; }

AXUIElementRef bs_handle_take(bs_handles *h, uint32_t number) {
    pthread_mutex_lock(&h->lock);
    const bs_handle *one = at(h, number);
    AXUIElementRef element = one && one->element ? (AXUIElementRef)CFRetain(one->element) : NULL;
    pthread_mutex_unlock(&h->lock);
    return element;
}

void bs_handle_gone(bs_handles *h, uint32_t number) {
    pthread_mutex_lock(&h->lock);
    bs_handle *one = at(h, number);
    AXUIElementRef element = one ? one->element : NULL;
    if (one) one->element = NULL;
    pthread_mutex_unlock(&h->lock);
    bs_cf_drop(element);
}

void bs_handles_all_gone(bs_handles *h) {
    for (uint32_t number = 1; number <= h->count; number++) bs_handle_gone(h, number);
}

bs_handle bs_handle_look(bs_handles *h, uint32_t number) {
    pthread_mutex_lock(&h->lock);
    const bs_handle *one = at(h, number);
    bs_handle copy = one ? *one : (bs_handle){0};
    pthread_mutex_unlock(&h->lock);
    return copy;
}

void bs_handle_note(bs_handles *h, uint32_t number, uint16_t role, bool secret, bool minimised) {
    pthread_mutex_lock(&h->lock);
    bs_handle *one = at(h, number);
    if (one) one->role = role, one->secret |= secret, one->minimised = minimised;
    pthread_mutex_unlock(&h->lock);
}

void bs_handle_window(bs_handles *h, uint32_t number, uint32_t window) {
    pthread_mutex_lock(&h->lock);
    bs_handle *one = at(h, number);
    if (one) one->window = window;
    pthread_mutex_unlock(&h->lock);
}

bool bs_handles_minimised(bs_handles *h, uint32_t window) {
    pthread_mutex_lock(&h->lock);
    bool found = false;
    for (uint32_t i = 0; i < h->count && !found; i++) found = h->all[i].element && h->all[i].minimised && h->all[i].window == window;
    pthread_mutex_unlock(&h->lock);
    return found;
}
