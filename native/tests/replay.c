/* Runs a fuzz target over files and folders of files: its corpus, and whatever once broke it. No fuzzer is needed. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned count;

static int replay(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return perror(path), 1;
    uint8_t *data = NULL;
    size_t n = 0, more;
    do {
        uint8_t *grown = realloc(data, n + 65536);
        if (!grown) abort();
        data = grown;
        more = fread(data + n, 1, 65536, f);
        n += more;
    } while (more == 65536);
    fclose(f);
    // Exactly as long as it is, so that a sanitizer sees what reads beyond.
    uint8_t *exact = malloc(n ? n : 1);
    if (!exact) abort();
    memcpy(exact, data, n);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    free(data);
    count++;
    return 0;
}

int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *d = opendir(argv[i]);
        if (!d) failed |= replay(argv[i]);
        for (struct dirent *e; d && (e = readdir(d));) {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            if (*e->d_name != '.') failed |= replay(path);
        }
        if (d) closedir(d);
    }
    printf("%s: %u inputs replayed\n", strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0], count);
    return failed || !count;
}
