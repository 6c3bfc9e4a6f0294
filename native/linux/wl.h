/* Shared by the files of the Wayland half (wl_*.c); nobody else includes it, tests excepted. The int functions answer a
 * backstep_status; on failure the reply already holds its explanation. */
#ifndef BS_WL_H
#define BS_WL_H

#include "../include/backstep.h"
#include "screen.h"
#include "watch.h"
#include "wl_library.h"

#define BS_WL_SLICE_US 5000u /* how late a cancellation may be noticed: no descriptor tells of the flag */
#define BS_WL_OUTPUTS 16u
#define BS_WL_SYNCS 64u
#define BS_WL_TYPES 256u                     /* of one content */
#define BS_WL_OFFERS 64u                    /* types of what we offer, as a request has them */
#define BS_WL_CONTENT ((size_t)64 << 20)    /* bytes */
#define BS_WL_TRANSFERS 32u
#define BS_WL_PRINTABLE 47u
#define BS_WL_LENT 3u

typedef struct bs_wl bs_wl;

typedef struct bs_wl_area {
    int64_t x, y, w, h;
} bs_wl_area;

/* A screen of the layout. */
typedef struct bs_wl_output_state {
    uint32_t global; /* its number in the registry */
    struct wl_proxy *output, *xdg;
    int32_t x, y, transform, scale, width, height; /* wl_output's: pixels of the mode, not turned */
    bs_wl_area told;                               /* xdg_output's, in logical pixels; w 0: not told */
} bs_wl_output_state;

/* Content offered by another client. */
typedef struct bs_wl_offer {
    struct bs_wl_offer *next;
    bs_wl *of;
    struct wl_proxy *proxy;
    unsigned n;
    char *type[BS_WL_TYPES];
} bs_wl_offer;

/* Content of ours: shared by what is offered and by transfers under way. */
typedef struct bs_wl_blob {
    unsigned references;
    size_t size;
    uint8_t bytes[];
} bs_wl_blob;

/* What we offer, until another client offers something. */
typedef struct bs_wl_own {
    bs_wl *of;
    struct wl_proxy *source; /* NULL: another client's content, or none */
    unsigned n;
    struct {
        char *type;
        bs_wl_blob *blob;
    } item[BS_WL_TYPES];
} bs_wl_own;

typedef struct bs_wl_selection {
    bs_wl_offer *offer; /* owned; NULL: empty */
    bs_wl_own *own;
    uint32_t generation; /* counts what it has held */
} bs_wl_selection;

/* One content on its way to another client. */
typedef struct bs_wl_transfer {
    int fd; /* -1: free */
    bs_wl_blob *blob;
    size_t at;
    uint64_t touched_us;
} bs_wl_transfer;

struct bs_wl {
    bs_screen base; /* first */
    const bs_wl_library *lib;
    struct wl_display *display;
    int control; /* our own duplicate of the socket, so that it can be shut down whatever libwayland does with its one */
    int wire;    /* libwayland's */
    int epoll;   /* the socket and what transfers write to */
    atomic_bool interrupted;
    atomic_int interrupting; /* calls of interrupt() that have not returned */
    bool broken;

    struct wl_proxy *sync[BS_WL_SYNCS]; /* not answered yet, oldest first */
    unsigned syncs;
    uint64_t synced; /* answered, of all */

    struct wl_proxy *registry, *seat, *shm, *xdg_outputs, *pointers, *keyboards, *copies, *data; /* NULL: the compositor lacks it */
    bool ext;                                                                                    /* data is of ext_data_control */
    struct wl_proxy *pointer, *keyboard, *device;
    bs_wl_output_state output[BS_WL_OUTPUTS];
    unsigned outputs;

    unsigned devices; /* those that were asked for */

    uint32_t ahead; /* events that an application may not have read yet, as of paced_us: bs_wl_pace */
    uint64_t paced_us;
    char *name; /* as it was opened */
    bs_watch watch;
    uint32_t held[64]; /* evdev codes of keys, and of buttons (from 0x110 on), in the order they went down */
    unsigned helds;
    uint32_t modifiers, locked; /* as the compositor was told */
    uint32_t locks;             /* Caps Lock and Num Lock as chords have left them; the map of characters is sent without */

    enum { BS_WL_NO_MAP, BS_WL_ORDINARY, BS_WL_CHARACTERS } map; /* what the keyboard's codes mean now */
    uint32_t character[BS_WL_PRINTABLE];                         /* of each printable code, in BS_WL_CHARACTERS */
    uint32_t lent[BS_WL_LENT];                                            /* symbols, in BS_WL_ORDINARY */

    struct {
        struct wl_proxy *frame, *buffer;
        uint8_t *memory;
        size_t size;
        uint32_t format, width, height, stride; /* of the buffer */
        uint32_t told[4];                       /* format, width, height, stride that the frame wants */
        bool wanted, inverted, ready, failed;
    } picture;

    bs_wl_selection selection[2]; /* CLIPBOARD, PRIMARY */
    bs_wl_offer *offers;          /* all there are: those that belong to no selection are about to */
    bs_wl_transfer transfer[BS_WL_TRANSFERS];
};

/* wl_kind.c */
enum { BS_WL_POINTER = 1, BS_WL_KEYBOARD = 2, BS_WL_CLIPBOARD = 4 };
bs_wl *bs_wl_open(const char *name, uint64_t deadline_us, int *status, bs_buf *message, bs_screen *_Atomic *slot, unsigned devices);

/* wl.c */
int bs_wl_broken(bs_wl *w); /* says why */
int bs_wl_push(bs_wl *w, bool *all); /* sends what the socket takes at once: 0, or -1 where the connection broke. *all: nothing is left */
int bs_wl_pull(bs_wl *w); /* reads what is there and handles it: how much, or -1 */
int bs_wl_no_device(bs_wl *w, const char *protocol); /* why there is no keyboard, or no pointer */
int bs_wl_check(bs_wl *w); /* connection, cancellation, deadline */
int bs_wl_flush(bs_wl *w);
int bs_wl_sync(bs_wl *w); /* the compositor has carried out what was sent */
/* Serves what comes until something did, or `fd` (-1: none) is readable, or until the time given. */
int bs_wl_wait(bs_wl *w, int fd, uint64_t until_us);
int bs_wl_pause(bs_wl *w, uint64_t until_us);
int bs_wl_unmade(bs_wl *w); /* an object could not be made: the connection broke, or memory is short */
void bs_wl_send(bs_wl *w, struct wl_proxy *p, uint32_t request, union wl_argument *arguments);
void bs_wl_request(bs_wl *w, struct wl_proxy *p, uint32_t request); /* one without arguments */
struct wl_proxy *bs_wl_make(bs_wl *w, struct wl_proxy *p, uint32_t request, union wl_argument *arguments, const struct wl_interface *interface);
bool bs_wl_listen(bs_wl *w, struct wl_proxy *p, bs_wl_dispatcher *dispatcher, const void *about);
void bs_wl_drop(bs_wl *w, struct wl_proxy **p);
uint32_t bs_wl_time(void); /* milliseconds, as events of input bear them */
bool bs_wl_is(bs_str s, const char *text);

/* wl_connect.c: a connected socket, also in w->control; what the compositor has; the devices, which live as long as the connection. */
int bs_wl_connect(bs_wl *w, const char *path, bs_screen *_Atomic *slot, int *fd);
int bs_wl_begin(bs_wl *w, unsigned devices);

/* wl_outputs.c: in logical pixels */
void bs_wl_output_found(bs_wl *w, uint32_t global, uint32_t version);
void bs_wl_output_lost(bs_wl *w, uint32_t global);
void bs_wl_output_measure(bs_wl *w, bs_wl_output_state *o); /* asks for its xdg_output, where there are such */
void bs_wl_outputs_drop(bs_wl *w);
bs_wl_area bs_wl_output_area(const bs_wl_output_state *o);
bs_wl_area bs_wl_layout(const bs_wl *w); /* the box around all */

/* wl_keymap.c: what the codes of the keyboard mean */
extern const uint8_t bs_wl_printable[BS_WL_PRINTABLE]; /* evdev codes */
enum { BS_WL_SHIFT_CODE = 42, BS_WL_CAPS_CODE = 58, BS_WL_NUM_CODE = 69 };
extern const uint8_t bs_wl_lent_code[BS_WL_LENT]; /* for symbols that an ordinary keyboard lacks */
typedef struct bs_wl_stroke {
    uint32_t code, modifier; /* what it does while it is down */
    bool shift;              /* it gives the symbol with Shift */
} bs_wl_stroke;
bool bs_wl_map_find(uint32_t symbol, bs_wl_stroke *k); /* on an ordinary keyboard */
int bs_wl_map_ordinary(bs_wl *w, const uint32_t lent[BS_WL_LENT]);
int bs_wl_map_characters(bs_wl *w);
void bs_wl_modifiers(bs_wl *w, uint32_t mask, uint32_t locked);

/* wl_keys.c */
enum { BS_WL_SHIFT = 1, BS_WL_CAPS = 2, BS_WL_CONTROL = 4, BS_WL_ALT = 8, BS_WL_NUM = 16, BS_WL_SUPER = 64, BS_WL_LEVEL3 = 128 };
int bs_wl_pace(bs_wl *w, uint32_t events); /* before so many are sent; waits where an application could not follow */
void bs_wl_key(bs_wl *w, uint32_t code, bool down);
void bs_wl_button(bs_wl *w, uint32_t code, bool down);
uint32_t bs_wl_release_held(bs_wl *w);
void bs_wl_watch_sent(bs_wl *w); /* all that was asked for is on its way: the watcher is told what is still down */
int bs_wl_gesture_modifiers(bs_wl *w, uint32_t mask); /* 1 Control, 2 Shift, 4 Alt, 8 Super go down; they come up with release_held */
int bs_wl_op_chord(bs_wl *w, bs_reader *r);
int bs_wl_op_release(bs_wl *w, bs_reader *r);
int bs_wl_op_text(bs_wl *w, bs_reader *r); /* wl_text.c */

int bs_wl_op_pointer(bs_wl *w, bs_reader *r); /* wl_pointer.c */

/* wl_picture.c, wl_scale.c */
int bs_wl_op_capture(bs_wl *w, bs_reader *r);
void bs_wl_picture_close(bs_wl *w);
typedef struct bs_wl_pixels {
    const uint8_t *bytes;
    uint32_t width, height, stride, transform;
    bool blue_first, inverted;
    bs_wl_area covers; /* in logical pixels */
} bs_wl_pixels;
/* Puts what `from` has of the rectangle `a` into `to`, which is of a.w times a.h pixels. */
void bs_wl_paint(uint8_t *to, bs_wl_area a, const bs_wl_pixels *from);

/* wl_transfer.c */
void bs_wl_blob_drop(bs_wl_blob *blob);
void bs_wl_give(bs_wl *w, int fd, bs_wl_blob *blob); /* takes over the descriptor */
void bs_wl_serve(bs_wl *w); /* writes on, where somebody reads */
void bs_wl_give_up(bs_wl *w);

/* wl_clip.c (what is offered), wl_clip_read.c, wl_clip_write.c, wl_leave.c */
bool bs_wl_clip_begin(bs_wl *w);
int bs_wl_clip_selection(bs_wl *w, bs_str name, bs_wl_selection **s);
void bs_wl_own_drop(bs_wl_own *own);
int bs_wl_own_listen(bs_wl_own *own); /* hears of who wants it, and of its end */
void bs_wl_clip_close(bs_wl *w);
int bs_wl_op_clip_read(bs_wl *w, bs_reader *r);
int bs_wl_op_clip_keep(bs_wl *w, bs_reader *r);
int bs_wl_op_clip_write(bs_wl *w, bs_reader *r);
int bs_wl_op_clip_restore(bs_wl *w, bs_reader *r);
int bs_wl_op_clip_leave(bs_wl *w, bs_reader *r);
enum bs_screen_offers bs_wl_offers(const bs_wl *w);

#endif
