/*
 * In a prebuilt watcher (make OLDEST=1) crt1.o's call of __libc_start_main comes here (ld's --wrap), and goes on to the version
 * that old glibc has too. It takes no constructors: crt1.o of today hands none over, and the watcher has none.
 */
typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

start_main bs_old_start, __wrap___libc_start_main;
__asm__(".symver bs_old_start, __libc_start_main@" BS_OLD);

int __wrap___libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end) {
    return bs_old_start(main, argc, argv, init, fini, rtld_fini, stack_end);
}
