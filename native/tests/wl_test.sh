#!/bin/sh
# Runs a program of the Wayland half's test, which starts sways of its own: wl_test.sh PROGRAM [part of a test's name | bench]
set -eu
command -v sway >/dev/null || { echo "wayland: skipped, sway is not installed"; exit 0; }
exec "$@"
