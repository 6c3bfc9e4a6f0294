#!/bin/sh
# Builds and runs the display half's test. X11_TEST=asan|valgrind|plain; arguments go to the program (part of a test's name, rounds).
set -eu
cd "$(dirname "$0")/.."
mode=${X11_TEST:-plain}
out=build/x11_test.$mode
mkdir -p build
flags='-O2 -g'
test $mode != asan || flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
test $mode != tsan || flags='-O1 -g -fsanitize=thread'
${CC:-cc} -std=c11 -Wall -Wextra -Werror $flags -Isrc linux/x11*.c linux/rgba.c linux/watch.c linux/explain.c linux/gesture.c tests/x11_*.c tests/screen_harness.c src/bytes.c -o $out -pthread -Wl,--wrap=shmget $(pkg-config --cflags --libs xcb xcb-xtest xcb-shm xcb-damage xcb-xfixes xcb-composite) -ldl
case $mode in
valgrind) exec valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible --error-exitcode=9 $out "$@" ;;
*) exec $out "$@" ;;
esac
