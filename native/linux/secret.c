/* "Show the password" gives a field another role, and its text in clear: what was a password's stays secret. */
#include "secret.h"

#include "../src/tree.h"

#define ROLE_PASSWORD 40

static uint64_t key_of(bs_str bus, bs_str path) {
    uint64_t key = bs_hash_mix(bs_hash_text(bus), bs_hash_text(path));
    return key ? key : 1;
}

static uint64_t *find(bs_secrets *of, uint64_t key) {
    for (uint32_t i = 0; i < of->count; i++) {
        if (of->key[i] == key) return &of->key[i];
    }
    return NULL;
}

bool bs_secret(const bs_secrets *of, bs_str bus, bs_str path) {
    return of->count && find((bs_secrets *)of, key_of(bus, path));
}

bool bs_secret_role(bs_secrets *of, bs_str bus, bs_str path, uint32_t role) {
    if (role != ROLE_PASSWORD) return bs_secret(of, bus, path);
    uint64_t key = key_of(bus, path), *free_place = find(of, 0);
    if (find(of, key)) return true;
    if (!free_place) {
        free_place = &of->key[of->next++ % BS_SECRETS];
        if (of->count < BS_SECRETS) of->count++;
    }
    *free_place = key;
    return true;
}

void bs_secret_gone(bs_secrets *of, bs_str bus, bs_str path) {
    uint64_t *at = of->count ? find(of, key_of(bus, path)) : NULL;
    if (at) *at = 0;
}
