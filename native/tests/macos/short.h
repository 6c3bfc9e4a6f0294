/* Before every file of the core, in the build whose allocations fail: each is counted, and one of them fails (test_shortage.c). */
#ifndef MAC_SHORT_H
#define MAC_SHORT_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <string.h>
void *mac_malloc(size_t n);
void *mac_calloc(size_t n, size_t size);
void *mac_realloc(void *p, size_t n);
char *mac_strdup(const char *s);
#define malloc mac_malloc
#define calloc mac_calloc
#define realloc mac_realloc
#define strdup mac_strdup
#endif
