/* Reads one application's whole tree through libatspi, once, and prints {"nodes": n, "ms": t} as JSON.
 *
 * Usage: peer_libatspi PID [actions]. What is read and what is timed: as in peer_pyatspi.py. */
#include <atspi/atspi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AtspiAccessible *application(guint pid) {
    for (int tries = 0; tries < 400; tries++) {
        AtspiAccessible *desktop = atspi_get_desktop(0);
        int n = atspi_accessible_get_child_count(desktop, NULL);
        for (int i = 0; i < n; i++) {
            AtspiAccessible *app = atspi_accessible_get_child_at_index(desktop, i, NULL);
            if (app && atspi_accessible_get_process_id(app, NULL) == pid) return app;
            if (app) g_object_unref(app);
        }
        g_object_unref(desktop);
        g_usleep(50000);
    }
    fprintf(stderr, "no application of process %u\n", pid);
    exit(1);
}

static void read_more(AtspiAccessible *node) {
    AtspiValue *value = atspi_accessible_get_value_iface(node);
    if (value) {
        atspi_value_get_current_value(value, NULL);
        atspi_value_get_minimum_value(value, NULL);
        atspi_value_get_maximum_value(value, NULL);
        g_object_unref(value);
    }
    AtspiAction *action = atspi_accessible_get_action_iface(node);
    if (!action) return;
    int n = atspi_action_get_n_actions(action, NULL);
    for (int i = 0; i < n; i++) g_free(atspi_action_get_action_name(action, i, NULL));
    g_object_unref(action);
}

static int walk(AtspiAccessible *node, gboolean actions) {
    int count = 1;
    atspi_accessible_get_role(node, NULL);
    g_free(atspi_accessible_get_name(node, NULL));
    g_free(atspi_accessible_get_description(node, NULL));
    AtspiStateSet *states = atspi_accessible_get_state_set(node);
    if (states) g_object_unref(states);
    AtspiComponent *component = atspi_accessible_get_component_iface(node);
    if (component) {
        g_free(atspi_component_get_extents(component, ATSPI_COORD_TYPE_SCREEN, NULL));
        g_object_unref(component);
    }
    if (actions) read_more(node);
    int n = atspi_accessible_get_child_count(node, NULL);
    for (int i = 0; i < n; i++) {
        AtspiAccessible *child = atspi_accessible_get_child_at_index(node, i, NULL);
        if (!child) continue;
        count += walk(child, actions);
        g_object_unref(child);
    }
    return count;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    atspi_init();
    AtspiAccessible *app = application((guint)atoi(argv[1]));
    gint64 began = g_get_monotonic_time();
    int nodes = walk(app, argc > 2 && !strcmp(argv[2], "actions"));
    printf("{\"nodes\": %d, \"ms\": %.3f}\n", nodes, (double)(g_get_monotonic_time() - began) / 1000);
    return 0;
}
