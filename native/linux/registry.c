/*
 * Who keeps the list of applications, and knows which events we wish for. One that takes the place of another that died
 * knows nothing of us: it is told at once, and mirrors are kept again when it has answered.
 */
#include <string.h>

#include "mirror.h"
#include "op.h"

static void answered(bs_caller *caller, uint32_t tag, int status, bs_msg *reply) {
    (void)tag, (void)reply;
    bs_link *l = ((bs_registering *)caller)->link;
    if (status != BACKSTEP_OK) l->registering.refused = true;
    // Who was only half told of it would leave mirrors to miss things.
    if (!caller->in_flight && !caller->starved && !l->registering.refused) l->deaf = false;
}

void bs_registry_left(bs_link *l) {
    bs_bus_abandon(&l->registering.caller);
    *l->registry = 0;
    l->deaf = true;
    bs_mirror_drop_all(l);
}

void bs_registry_came(bs_link *l, bs_str owner) {
    // CONNECT asks for the owner itself.
    if ((!l->connected && !l->deaf) || !bs_unique_name_valid(owner) || bs_str_is(owner, l->registry)) return;
    bs_registry_left(l);
    memcpy(l->registry, owner.text, owner.length);
    l->registry[owner.length] = 0;
    l->registering = (bs_registering){.caller.answer = answered, .link = l};
    bs_register_events(l, &l->registering.caller, 0);
}
