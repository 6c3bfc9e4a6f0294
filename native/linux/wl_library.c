#include "wl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static bs_wl_library library;

static bool find(void *from) {
    const struct {
        const char *name;
        void *into;
    } wanted[] = {
        {"wl_display_connect_to_fd", &library.connect_to_fd}, {"wl_display_disconnect", &library.disconnect},
        {"wl_display_get_error", &library.get_error}, {"wl_display_get_protocol_error", &library.get_protocol_error},
        {"wl_display_flush", &library.flush}, {"wl_display_prepare_read", &library.prepare_read}, {"wl_display_read_events", &library.read_events},
        {"wl_display_dispatch_pending", &library.dispatch_pending}, {"wl_proxy_marshal_array", &library.send},
        {"wl_proxy_marshal_array_constructor_versioned", &library.make}, {"wl_proxy_add_dispatcher", &library.listen},
        {"wl_proxy_destroy", &library.destroy}, {"wl_proxy_get_version", &library.version},
    };
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *symbol = dlsym(from, wanted[i].name);
        if (!symbol) return false;
        memcpy(wanted[i].into, &symbol, sizeof symbol); /* ISO C has no conversion from void * to a function */
    }
    return true;
}

const bs_wl_library *bs_wl_load(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    pthread_mutex_lock(&lock);
    if (!loaded) { /* tried again every time: it may be installed while we run */
        void *handle = dlopen("libwayland-client.so.0", RTLD_NOW | RTLD_LOCAL);
        loaded = handle && find(handle);
        if (handle && !loaded) dlclose(handle);
    }
    bool have = loaded;
    pthread_mutex_unlock(&lock);
    return have ? &library : NULL;
}
