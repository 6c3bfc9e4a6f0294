#ifndef MACHO_LOADER_H
#define MACHO_LOADER_H
#include <stdbool.h>
#include <stdint.h>
typedef struct macho macho;
typedef void *(*macho_resolver)(const char *name); /* with the underscore that C names have in a Mach-O */
macho *macho_load(const char *file, macho_resolver resolve); /* NULL, and a line on standard error that says why */
void macho_start(macho *library);
void *macho_symbol(macho *library, const char *name);
bool macho_replace(macho *library, const char *name, void *with);
void *shim_resolve(const char *name); /* shim.c */
#endif
