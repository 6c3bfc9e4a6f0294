/* Which elements were seen as password fields: their texts are never read again, whatever role they have later. */
#ifndef BS_SECRET_H
#define BS_SECRET_H

#include "../src/bytes.h"

#define BS_SECRETS 4096u /* of one session; of more the oldest are forgotten */

typedef struct bs_secrets {
    uint64_t key[BS_SECRETS];
    uint32_t count, next;
} bs_secrets;

/* The element has this role now: whether its text is secret. */
bool bs_secret_role(bs_secrets *of, bs_str bus, bs_str path, uint32_t role);
bool bs_secret(const bs_secrets *of, bs_str bus, bs_str path);
/* The element is gone: another one may get its path. */
void bs_secret_gone(bs_secrets *of, bs_str bus, bs_str path);

#endif
