/* The interfaces of an ordinary application: a window, keyboard and pointer. See linux/wl_tables.c. */
#include "wl_harness.h"

static const struct wl_interface *const none[9];
#define TYPES(...) ((const struct wl_interface *const[]){__VA_ARGS__})
#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

static const struct wl_message compositor_requests[] = {{"create_surface", "n", TYPES(&observed_surface)}};
const struct wl_interface observed_compositor = {"wl_compositor", 1, 1, compositor_requests, 0, NULL};
static const struct wl_message surface_requests[] = {{"destroy", "", none}, {"attach", "?oii", none}, {"damage", "iiii", none}, {"frame", "n", none},
    {"set_opaque_region", "?o", none}, {"set_input_region", "?o", none}, {"commit", "", none}};
static const struct wl_message surface_events[] = {{"enter", "o", none}, {"leave", "o", none}};
const struct wl_interface observed_surface = {"wl_surface", 1, COUNT(surface_requests), surface_requests, 2, surface_events};
static const struct wl_message wm_base_requests[] = {{"destroy", "", none}, {"create_positioner", "n", none}, {"get_xdg_surface", "no", TYPES(&observed_xdg_surface, &observed_surface)}, {"pong", "u", none}};
static const struct wl_message wm_base_events[] = {{"ping", "u", none}};
const struct wl_interface observed_wm_base = {"xdg_wm_base", 1, 4, wm_base_requests, 1, wm_base_events};
static const struct wl_message xdg_surface_requests[] = {{"destroy", "", none}, {"get_toplevel", "n", TYPES(&observed_toplevel)}, {"get_popup", "n?oo", none},
    {"set_window_geometry", "iiii", none}, {"ack_configure", "u", none}};
static const struct wl_message xdg_surface_events[] = {{"configure", "u", none}};
const struct wl_interface observed_xdg_surface = {"xdg_surface", 1, 5, xdg_surface_requests, 1, xdg_surface_events};
static const struct wl_message toplevel_requests[] = {{"destroy", "", none}, {"set_parent", "?o", none}, {"set_title", "s", none}, {"set_app_id", "s", none}};
static const struct wl_message toplevel_events[] = {{"configure", "iia", none}, {"close", "", none}};
const struct wl_interface observed_toplevel = {"xdg_toplevel", 1, 4, toplevel_requests, 2, toplevel_events};
static const struct wl_message seat_requests[] = {{"get_pointer", "n", TYPES(&observed_pointer)}, {"get_keyboard", "n", TYPES(&observed_keyboard)}, {"get_touch", "n", none}, {"release", "5", none}};
static const struct wl_message seat_events[] = {{"capabilities", "u", none}, {"name", "2s", none}};
const struct wl_interface observed_seat = {"wl_seat", 5, 4, seat_requests, 2, seat_events};
static const struct wl_message keyboard_requests[] = {{"release", "3", none}};
static const struct wl_message keyboard_events[] = {{"keymap", "uhu", none}, {"enter", "uoa", none}, {"leave", "uo", none}, {"key", "uuuu", none},
    {"modifiers", "uuuuu", none}, {"repeat_info", "4ii", none}};
const struct wl_interface observed_keyboard = {"wl_keyboard", 5, 1, keyboard_requests, 6, keyboard_events};
static const struct wl_message pointer_requests[] = {{"set_cursor", "u?oii", none}, {"release", "3", none}};
static const struct wl_message pointer_events[] = {{"enter", "uoff", none}, {"leave", "uo", none}, {"motion", "uff", none}, {"button", "uuuu", none},
    {"axis", "uuf", none}, {"frame", "5", none}, {"axis_source", "5u", none}, {"axis_stop", "5uu", none}, {"axis_discrete", "5ui", none}};
const struct wl_interface observed_pointer = {"wl_pointer", 5, 2, pointer_requests, 9, pointer_events};
