/* One operation on the accessibility bus, and the session ("link") it belongs to. All on the I/O thread. */
#ifndef BS_OP_H
#define BS_OP_H

#include "../include/backstep.h"
#include "../src/core.h"
#include "bus.h"
#include "display.h"
#include "peer.h"
#include "secret.h"

#define BS_REGISTRY "org.a11y.atspi.Registry"
#define BS_ROOT_PATH "/org/a11y/atspi/accessible/root"
#define BS_ACCESSIBLE "org.a11y.atspi.Accessible"
#define BS_NO_DEADLINE UINT64_MAX

typedef struct bs_op bs_op;
typedef struct bs_held bs_held;

/* A registry that came later is told of our wishes, see registry.c. */
typedef struct bs_registering {
    bs_caller caller; /* first */
    struct bs_link *link;
    bool refused;
} bs_registering;

typedef struct bs_link {
    uint64_t session;
    bs_bus *bus;         /* the accessibility bus; NULL before CONNECT */
    bs_bus *session_bus; /* during CONNECT only */
    bs_display *display;
    bs_peer *peers;      /* the applications that were looked into */
    bs_op *ops;
    bs_op *connecting;
    char registry[256];  /* who owned the registry's name when it was asked for; "" = nobody known */
    bs_held *held;       /* of all sessions, see together.c; NULL: nobody is ever held */
    int server;          /* process id of a display that is ours to arrange; 0 = none */
    bool ours;           /* CONNECT said so */
    bool connected, bus_told, display_told; /* told: BROKEN was reported */
    bool deaf;           /* the registry went, and with it what we registered for: no mirrors until another knows of it */
    bs_registering registering;
    uint64_t generation; /* of the youngest mirror */
    bs_secrets secrets;
} bs_link;

struct bs_op {
    bs_caller caller; /* first: an answer's caller is the operation */
    bs_link *link;
    bs_bus *via;         /* straight to the application it is about; NULL = over the bus */
    bs_op *previous, *next;
    uint64_t ticket, deadline;
    uint32_t code;
    bs_command *command; /* owned: the strings below point into its request */
    bs_target to;
    bs_buf reply;
    void (*work)(bs_op *op); /* a piece of what would hold up the others if it were done at once; NULL = nothing to do */
    void *state;
    void (*free_state)(void *state);
};

/* Ends it: the ticket completes with op->reply. The operation is gone when this returns. */
void bs_op_finish(bs_op *op, int status);
void bs_op_fail(bs_op *op, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Fails it as an answer says: the text of an error message, or a sentence of our own. */
void bs_op_fail_answer(bs_op *op, int status, const bs_msg *error);
/* The deadline passed, or somebody cancelled. */
void bs_op_overdue(bs_op *op);
void bs_op_cancel(bs_op *op);

/* A call to op->to without arguments, and with arguments: begin, write, send. */
bs_out *bs_op_begin(bs_op *op, const char *interface, const char *member, const char *signature);
void bs_op_send(bs_op *op, uint32_t tag);
void bs_op_call(bs_op *op, uint32_t tag, const char *interface, const char *member);
void bs_op_get(bs_op *op, uint32_t tag, bs_target of, const char *interface, const char *property);

/* The operations: each reads what is left of the request, starts its calls, and ends the op at once when it cannot. */
void bs_connect_start(bs_op *op, bs_reader *request);
void bs_connect_step(bs_op *op); /* the display said something */
void bs_register_events(bs_link *l, bs_caller *caller, uint32_t tag); /* at link->registry: BS_REGISTRATIONS calls */
#define BS_REGISTRATIONS 15u
/* registry.c: its connection left the bus, or lost the name; another has it. */
void bs_registry_left(bs_link *l);
void bs_registry_came(bs_link *l, bs_str owner);

void bs_apps_start(bs_op *op, bs_reader *request);
void bs_snapshot_start(bs_op *op, bs_reader *request);
void bs_find_start(bs_op *op, bs_reader *request);
void bs_point_start(bs_op *op, bs_reader *request);
void bs_places_start(bs_op *op, bs_reader *request);
void bs_roles_start(bs_op *op, bs_reader *request);
void bs_act_start(bs_op *op, bs_reader *request);
void bs_if_same_start(bs_op *op, bs_reader *request);

/* together.c: keeps the application that op->via leads to and the display's server on one processor; ends that. */
bs_held *bs_held_new(void); /* the one pair of a process; calloc'd. NULL: out of memory, and nobody is held */
void bs_together(const bs_op *op);
void bs_apart(const bs_op *op);

void bs_event_signal(void *link, const bs_msg *signal); /* events.c: what the accessibility bus broadcasts */

/* Starts the operation of a command, which it takes over. */
void bs_op_start(bs_link *link, bs_command *command);

#endif
