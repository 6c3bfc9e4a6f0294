#ifndef SI_SYSTEM_H
#define SI_SYSTEM_H
#include <stdbool.h>
void *si_dlopen(const char *path, int flags, void *(*real)(const char *, int));
void *si_dlsym(void *handle, const char *name, void *(*real)(void *, const char *));
bool si_is_framework(void *handle);
bool si_is_absent(const char *symbol);
#endif
