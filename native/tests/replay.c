/* Runs a fuzz target over files and folders of files: its corpus, and whatever once broke it. With "--seconds N" it goes
 * on from there: it changes what it has at random, and keeps what reaches code that nothing reached before, as far as the
 * target was compiled to tell (-fsanitize-coverage=trace-pc). No fuzzer is needed, so that every machine fuzzes a little;
 * `make fuzz` does it better where there is clang. An input that breaks the target is left beside the program. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_cov_trace_pc(void);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

#define UNTOLD __attribute__((no_sanitize_coverage))
#define EDGES 65536u
#define LONGEST 20000u
#define MOST 8192u
#define SLOWEST_S 20u /* one input; it answers within milliseconds */

typedef struct input {
    uint8_t *data;
    size_t n;
} input;

static input pool[MOST], current;
static unsigned count, reached;
static uint8_t hit[EDGES];
static uintptr_t before;
static bool new_edge;
static char left_at[512];
static uint64_t random_state;

UNTOLD void __sanitizer_cov_trace_pc(void) {
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    uint8_t *edge = &hit[(here ^ here >> 13 ^ before) & (EDGES - 1)];
    before = here << 3;
    if (*edge) return;
    *edge = 1;
    reached++;
    new_edge = true;
}

// The input that was run when it broke: only what a signal handler may call.
UNTOLD static void leave(void) {
    int fd = open(left_at, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, current.data, current.n) < 0) return;
    close(fd);
    static const char text[] = "the input that broke it is left beside the program, as *-broken\n";
    if (write(2, text, sizeof text - 1) < 0) return;
}

UNTOLD static void stop(int number) {
    leave();
    signal(number, SIG_DFL);
    raise(number == SIGALRM ? SIGABRT : number);
}

UNTOLD static uint32_t any(uint32_t below) {
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return below ? (uint32_t)(random_state >> 16) % below : 0;
}

// Exactly as long as it is, so that a sanitizer sees what reads beyond. Keeps what reaches something new.
UNTOLD static void run(const uint8_t *data, size_t n, bool keep) {
    current = (input){malloc(n ? n : 1), n};
    if (!current.data) abort();
    if (n) memcpy(current.data, data, n);
    new_edge = false;
    before = 0;
    alarm(SLOWEST_S);
    LLVMFuzzerTestOneInput(current.data, n);
    if ((keep || new_edge) && count < MOST) pool[count++] = current;
    else free(current.data);
    current = (input){0};
}

UNTOLD static size_t change(uint8_t *data, size_t n) {
    static const uint32_t odd[] = {0, 1, 7, 8, 16, 127, 128, 255, 256, 32767, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    size_t at = n ? any((uint32_t)n) : 0, width = 1 + any(16);
    if (width > n - at) width = n - at;
    switch (any(8)) {
    case 0: if (n) data[at] ^= (uint8_t)(1u << any(8)); break;
    case 1: if (n) data[at] = (uint8_t)any(256); break;
    case 2:
    case 3: {
        uint32_t v = odd[any(sizeof odd / sizeof *odd)];
        if (any(2)) at &= ~(size_t)3; // numbers are aligned
        if (at + 4 <= n) memcpy(data + at, &v, 4);
        break;
    }
    case 4: // less
        memmove(data + at, data + at + width, n - at - width);
        n -= width;
        break;
    case 5: // more, of its own
        if (n + width > LONGEST) break;
        memmove(data + at + width, data + at, n - at);
        n += width;
        break;
    case 6: { // a piece of another
        const input *other = &pool[any(count)];
        size_t from = other->n ? any((uint32_t)other->n) : 0, piece = 1 + any(200);
        if (piece > other->n - from) piece = other->n - from;
        if (n + piece > LONGEST) break;
        memmove(data + at + piece, data + at, n - at);
        memcpy(data + at, other->data + from, piece);
        n += piece;
        break;
    }
    default: if (n) data[at] = (uint8_t)(data[at] + any(9) - 4); break;
    }
    return n;
}

UNTOLD static void fuzz(unsigned seconds) {
    static uint8_t data[LONGEST];
    time_t until = time(NULL) + (time_t)seconds;
    unsigned given = count, at_first = reached;
    unsigned long runs = 0;
    while (time(NULL) < until) {
        const input *base = &pool[any(count)];
        size_t n = base->n < LONGEST ? base->n : LONGEST;
        memcpy(data, base->data, n);
        for (uint32_t changes = 1 + any(6); changes; changes--) n = change(data, n);
        run(data, n, false);
        runs++;
    }
    printf("  %lu changed inputs in %u s: %u places reached by the corpus, %u now, %u inputs kept\n", runs, seconds, at_first, reached, count - given);
}

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
    run(data, n, true);
    free(data);
    return 0;
}

int main(int argc, char **argv) {
    int failed = 0;
    unsigned seconds = 0;
    snprintf(left_at, sizeof left_at, "%s-broken", argv[0]);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(leave);
    signal(SIGABRT, stop), signal(SIGALRM, stop), signal(SIGSEGV, stop);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--seconds") && i + 1 < argc) {
            seconds = (unsigned)atoi(argv[++i]);
            continue;
        }
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
    random_state = (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u ^ (uint64_t)getpid();
    if (count && seconds) fuzz(seconds);
    for (unsigned i = 0; i < count; i++) free(pool[i].data);
    return failed || !count;
}
