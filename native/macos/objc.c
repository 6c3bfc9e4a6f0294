#include "objc.h"

#include <dlfcn.h>

void *bs_sender(void) { return (void *)(uintptr_t)objc_msgSend; }

bool bs_framework(const char *path) { return dlopen(path, RTLD_LAZY | RTLD_GLOBAL) != NULL; } /* it stays: they cannot be unloaded */

void *bs_symbol(const char *library, const char *name) {
    void *in = library ? dlopen(library, RTLD_LAZY) : RTLD_DEFAULT;
    return library && !in ? NULL : dlsym(in, name);
}
