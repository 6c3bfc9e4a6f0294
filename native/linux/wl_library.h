/*
 * What we use of libwayland-client, looked up at run time: a machine without it has the X server's half of the library.
 * The declarations are libwayland's own (wayland-util.h, wayland-client-core.h), whose layout is fixed since 1.0.
 */
#ifndef BS_WL_LIBRARY_H
#define BS_WL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

struct wl_display; /* a proxy, too */
struct wl_proxy;

struct wl_interface;

struct wl_message {
    const char *name, *signature;
    const struct wl_interface *const *types;
};

struct wl_interface {
    const char *name;
    int version, method_count;
    const struct wl_message *methods;
    int event_count;
    const struct wl_message *events;
};

union wl_argument {
    int32_t i; /* int, fixed (1/256) and descriptor */
    uint32_t u;
    const char *s;
    void *o; /* a proxy; NULL for the object that a request makes */
};

/* Hears of an object's events. `about` is what was given with it. */
typedef int bs_wl_dispatcher(const void *about, void *target, uint32_t event, const struct wl_message *message, union wl_argument *arguments);

typedef struct bs_wl_library {
    struct wl_display *(*connect_to_fd)(int fd);
    void (*disconnect)(struct wl_display *d);
    int (*get_error)(struct wl_display *d);
    uint32_t (*get_protocol_error)(struct wl_display *d, const struct wl_interface **interface, uint32_t *id);
    int (*flush)(struct wl_display *d);
    int (*prepare_read)(struct wl_display *d);
    int (*read_events)(struct wl_display *d);
    int (*dispatch_pending)(struct wl_display *d);
    void (*send)(struct wl_proxy *p, uint32_t request, union wl_argument *arguments);
    struct wl_proxy *(*make)(struct wl_proxy *p, uint32_t request, union wl_argument *arguments, const struct wl_interface *interface, uint32_t version);
    int (*listen)(struct wl_proxy *p, bs_wl_dispatcher *dispatcher, const void *about, void *data);
    void (*destroy)(struct wl_proxy *p);
    uint32_t (*version)(struct wl_proxy *p);
} bs_wl_library;

/* NULL: it is not installed, or too old. It stays loaded. */
const bs_wl_library *bs_wl_load(void);

/* wl_tables.c: the interfaces of what is bound or made. */
extern const struct wl_interface bs_wl_registry, bs_wl_callback, bs_wl_seat, bs_wl_output, bs_wl_shm, bs_wl_shm_pool, bs_wl_buffer, bs_wl_xdg_output_manager,
    bs_wl_xdg_output, bs_wl_pointer_manager, bs_wl_pointer, bs_wl_keyboard_manager, bs_wl_keyboard, bs_wl_copy_manager, bs_wl_copy_frame,
    bs_wl_data_manager, bs_wl_data_device, bs_wl_data_source, bs_wl_data_offer, bs_wl_ext_data_manager, bs_wl_ext_data_device, bs_wl_ext_data_source,
    bs_wl_ext_data_offer;

/* Requests and events by their number in the protocol. */
enum { WL_DISPLAY_SYNC = 0, WL_DISPLAY_GET_REGISTRY = 1 };
enum { WL_REGISTRY_BIND = 0, WL_REGISTRY_GLOBAL = 0, WL_REGISTRY_GLOBAL_REMOVE = 1 };
enum { WL_OUTPUT_GEOMETRY = 0, WL_OUTPUT_MODE = 1, WL_OUTPUT_DONE = 2, WL_OUTPUT_SCALE = 3 };
enum { WL_SHM_CREATE_POOL = 0, WL_SHM_POOL_CREATE_BUFFER = 0, WL_SHM_POOL_DESTROY = 1, WL_BUFFER_DESTROY = 0 };
enum { XDG_OUTPUT_MANAGER_GET = 1, XDG_OUTPUT_DESTROY = 0, XDG_OUTPUT_POSITION = 0, XDG_OUTPUT_SIZE = 1 };
enum { POINTER_MANAGER_CREATE = 0, POINTER_MOTION_ABSOLUTE = 1, POINTER_BUTTON = 2, POINTER_FRAME = 4, POINTER_AXIS_SOURCE = 5, POINTER_AXIS_DISCRETE = 7, POINTER_DESTROY = 8 };
enum { KEYBOARD_MANAGER_CREATE = 0, KEYBOARD_KEYMAP = 0, KEYBOARD_KEY = 1, KEYBOARD_MODIFIERS = 2, KEYBOARD_DESTROY = 3 };
enum { COPY_OUTPUT = 0, COPY_REGION = 1, COPY_FRAME_COPY = 0, COPY_FRAME_DESTROY = 1, COPY_FRAME_BUFFER = 0, COPY_FRAME_FLAGS = 1, COPY_FRAME_READY = 2, COPY_FRAME_FAILED = 3, COPY_FRAME_BUFFER_DONE = 6 };
enum { DATA_CREATE_SOURCE = 0, DATA_GET_DEVICE = 1, DATA_DEVICE_SET = 0, DATA_DEVICE_DESTROY = 1, DATA_DEVICE_SET_PRIMARY = 2, DATA_DEVICE_OFFER = 0,
    DATA_DEVICE_SELECTION = 1, DATA_DEVICE_FINISHED = 2, DATA_DEVICE_PRIMARY = 3, DATA_SOURCE_OFFER = 0, DATA_SOURCE_DESTROY = 1, DATA_SOURCE_SEND = 0,
    DATA_SOURCE_CANCELLED = 1, DATA_OFFER_RECEIVE = 0, DATA_OFFER_DESTROY = 1, DATA_OFFER_OFFER = 0 };

#endif
