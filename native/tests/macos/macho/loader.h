#ifndef MACHO_LOADER_H
#define MACHO_LOADER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct macho macho;
typedef void *(*macho_resolver)(const char *name); /* with the underscore that C names have in a Mach-O */
macho *macho_load(const char *file, macho_resolver resolve); /* NULL, and a line on standard error that says why */
void macho_start(macho *library);
void *macho_symbol(macho *library, const char *name);
const uint8_t *macho_section(macho *library, const char *name, size_t *size);
uint8_t *macho_image(macho *library); /* where its lowest address lies */
void macho_unwinding(macho *library);  /* unwind.c: exceptions find their way through it */
void *macho_begin_catch(void *e);
void macho_end_catch(void);
void *shim_resolve(const char *name); /* shim.c */
#endif
