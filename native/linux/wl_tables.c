/*
 * Interfaces as the protocols' XML describes them, up to the version that is bound: a signature is a letter an argument, after the version that
 * brought the message. Types are told only where libwayland makes an object of them.
 */
#include "wl_library.h"

#define TYPES(...) ((const struct wl_interface *const[]){__VA_ARGS__})
static const struct wl_interface *const none[9]; /* no message has more arguments */

#define INTERFACE(variable, name, version, requests, events) \
    const struct wl_interface variable = {name, version, sizeof(requests) / sizeof *(requests), requests, sizeof(events) / sizeof *(events), events}
#define WITHOUT_EVENTS(variable, name, version, requests) \
    const struct wl_interface variable = {name, version, sizeof(requests) / sizeof *(requests), requests, 0, NULL}

static const struct wl_message registry_requests[] = {{"bind", "usun", none}};
static const struct wl_message registry_events[] = {{"global", "usu", none}, {"global_remove", "u", none}};
INTERFACE(bs_wl_registry, "wl_registry", 1, registry_requests, registry_events);

static const struct wl_message callback_events[] = {{"done", "u", none}};
const struct wl_interface bs_wl_callback = {"wl_callback", 1, 0, NULL, 1, callback_events};

static const struct wl_message seat_requests[] = {{"get_pointer", "n", none}, {"get_keyboard", "n", none}, {"get_touch", "n", none}};
static const struct wl_message seat_events[] = {{"capabilities", "u", none}};
INTERFACE(bs_wl_seat, "wl_seat", 1, seat_requests, seat_events);

static const struct wl_message output_events[] = {{"geometry", "iiiiissi", none}, {"mode", "uiii", none}, {"done", "2", none}, {"scale", "2i", none}};
const struct wl_interface bs_wl_output = {"wl_output", 2, 0, NULL, 4, output_events};

static const struct wl_message shm_requests[] = {{"create_pool", "nhi", TYPES(&bs_wl_shm_pool, NULL, NULL)}};
static const struct wl_message shm_events[] = {{"format", "u", none}};
INTERFACE(bs_wl_shm, "wl_shm", 1, shm_requests, shm_events);

static const struct wl_message shm_pool_requests[] = {
    {"create_buffer", "niiiiu", TYPES(&bs_wl_buffer, NULL, NULL, NULL, NULL, NULL)}, {"destroy", "", none}, {"resize", "i", none}};
WITHOUT_EVENTS(bs_wl_shm_pool, "wl_shm_pool", 1, shm_pool_requests);

static const struct wl_message buffer_requests[] = {{"destroy", "", none}};
static const struct wl_message buffer_events[] = {{"release", "", none}};
INTERFACE(bs_wl_buffer, "wl_buffer", 1, buffer_requests, buffer_events);

static const struct wl_message xdg_output_manager_requests[] = {{"destroy", "", none}, {"get_xdg_output", "no", TYPES(&bs_wl_xdg_output, &bs_wl_output)}};
WITHOUT_EVENTS(bs_wl_xdg_output_manager, "zxdg_output_manager_v1", 3, xdg_output_manager_requests);

static const struct wl_message xdg_output_requests[] = {{"destroy", "", none}};
static const struct wl_message xdg_output_events[] = {
    {"logical_position", "ii", none}, {"logical_size", "ii", none}, {"done", "", none}, {"name", "2s", none}, {"description", "2s", none}};
INTERFACE(bs_wl_xdg_output, "zxdg_output_v1", 3, xdg_output_requests, xdg_output_events);

static const struct wl_message pointer_manager_requests[] = {{"create_virtual_pointer", "?on", TYPES(&bs_wl_seat, &bs_wl_pointer)}, {"destroy", "", none}};
WITHOUT_EVENTS(bs_wl_pointer_manager, "zwlr_virtual_pointer_manager_v1", 1, pointer_manager_requests);

static const struct wl_message pointer_requests[] = {{"motion", "uff", none}, {"motion_absolute", "uuuuu", none}, {"button", "uuu", none}, {"axis", "uuf", none},
    {"frame", "", none}, {"axis_source", "u", none}, {"axis_stop", "uu", none}, {"axis_discrete", "uufi", none}, {"destroy", "", none}};
WITHOUT_EVENTS(bs_wl_pointer, "zwlr_virtual_pointer_v1", 1, pointer_requests);

static const struct wl_message keyboard_manager_requests[] = {{"create_virtual_keyboard", "on", TYPES(&bs_wl_seat, &bs_wl_keyboard)}};
WITHOUT_EVENTS(bs_wl_keyboard_manager, "zwp_virtual_keyboard_manager_v1", 1, keyboard_manager_requests);

static const struct wl_message keyboard_requests[] = {{"keymap", "uhu", none}, {"key", "uuu", none}, {"modifiers", "uuuu", none}, {"destroy", "", none}};
WITHOUT_EVENTS(bs_wl_keyboard, "zwp_virtual_keyboard_v1", 1, keyboard_requests);

static const struct wl_message copy_manager_requests[] = {{"capture_output", "nio", TYPES(&bs_wl_copy_frame, NULL, &bs_wl_output)},
    {"capture_output_region", "nioiiii", TYPES(&bs_wl_copy_frame, NULL, &bs_wl_output, NULL, NULL, NULL, NULL)}, {"destroy", "", none}};
WITHOUT_EVENTS(bs_wl_copy_manager, "zwlr_screencopy_manager_v1", 3, copy_manager_requests);

static const struct wl_message copy_frame_requests[] = {{"copy", "o", TYPES(&bs_wl_buffer)}, {"destroy", "", none}, {"copy_with_damage", "2o", TYPES(&bs_wl_buffer)}};
static const struct wl_message copy_frame_events[] = {{"buffer", "uuuu", none}, {"flags", "u", none}, {"ready", "uuu", none}, {"failed", "", none},
    {"damage", "2uuuu", none}, {"linux_dmabuf", "3uuu", none}, {"buffer_done", "3", none}};
INTERFACE(bs_wl_copy_frame, "zwlr_screencopy_frame_v1", 3, copy_frame_requests, copy_frame_events);

/* Both protocols of the clipboard are the same but for their names, and that ext's first version has what zwlr's second has. */
#define DATA_CONTROL(prefix, name, newest, since)                                                                                                \
    static const struct wl_message prefix##_manager_requests[] = {{"create_data_source", "n", TYPES(&prefix##_source)},                           \
        {"get_data_device", "no", TYPES(&prefix##_device, &bs_wl_seat)}, {"destroy", "", none}};                                                  \
    WITHOUT_EVENTS(prefix##_manager, name "_manager_v1", newest, prefix##_manager_requests);                                                      \
    static const struct wl_message prefix##_device_requests[] = {                                                                                 \
        {"set_selection", "?o", TYPES(&prefix##_source)}, {"destroy", "", none}, {"set_primary_selection", since "?o", TYPES(&prefix##_source)}}; \
    static const struct wl_message prefix##_device_events[] = {{"data_offer", "n", TYPES(&prefix##_offer)}, {"selection", "?o", TYPES(&prefix##_offer)}, \
        {"finished", "", none}, {"primary_selection", since "?o", TYPES(&prefix##_offer)}};                                                       \
    INTERFACE(prefix##_device, name "_device_v1", newest, prefix##_device_requests, prefix##_device_events);                                      \
    static const struct wl_message prefix##_source_requests[] = {{"offer", "s", none}, {"destroy", "", none}};                                    \
    static const struct wl_message prefix##_source_events[] = {{"send", "sh", none}, {"cancelled", "", none}};                                    \
    INTERFACE(prefix##_source, name "_source_v1", 1, prefix##_source_requests, prefix##_source_events);                                           \
    static const struct wl_message prefix##_offer_requests[] = {{"receive", "sh", none}, {"destroy", "", none}};                                  \
    static const struct wl_message prefix##_offer_events[] = {{"offer", "s", none}};                                                              \
    INTERFACE(prefix##_offer, name "_offer_v1", 1, prefix##_offer_requests, prefix##_offer_events)

DATA_CONTROL(bs_wl_data, "zwlr_data_control", 2, "2");
DATA_CONTROL(bs_wl_ext_data, "ext_data_control", 1, "");
