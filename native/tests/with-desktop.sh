#!/bin/sh
# Runs a command on a private desktop: Xvfb, a session bus, the accessibility bus. Nothing is left behind.
set -eu
[ "${1:-}" ] || { echo "usage: with-desktop.sh COMMAND..." >&2; exit 2; }
dir=$(mktemp -d /tmp/bsd.XXXXXX)
chmod 700 "$dir"
mkdir -p "$dir/home" "$dir/run"
chmod 700 "$dir/run"
xvfb= bus= job=
finish() {
    status=$?
    trap - EXIT INT TERM HUP
    [ -z "$job" ] || kill -KILL "$job" 2>/dev/null || true
    # The accessibility launcher goes first, or the bus it started outlives it: whoever lives in our HOME is ours.
    for signal in TERM KILL; do
        for env in /proc/[0-9]*/environ; do
            pid=${env#/proc/}; pid=${pid%/environ}
            [ "$pid" != $$ ] || continue
            if tr '\0' '\n' < "$env" 2>/dev/null | grep -qx "HOME=$dir/home"; then kill -CONT "$pid" 2>/dev/null || true; kill -$signal "$pid" 2>/dev/null || true; fi
        done 2>/dev/null
        [ $signal = KILL ] || sleep 0.2
    done
    [ -z "$bus" ] || kill -TERM "$bus" 2>/dev/null || true
    [ -z "$xvfb" ] || kill -TERM "$xvfb" 2>/dev/null || true
    wait 2>/dev/null || true
    # What was killed may still be writing its last.
    rm -rf "$dir" 2>/dev/null || { sleep 0.3; rm -rf "$dir"; }
    exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

unset AT_SPI_BUS_ADDRESS WAYLAND_DISPLAY GTK_MODULES DBUS_SESSION_BUS_ADDRESS XAUTHORITY NO_AT_BRIDGE || true
mkfifo "$dir/ready"
Xvfb -displayfd 9 -screen 0 1280x800x24 -nolisten tcp -ac -noreset 9>"$dir/ready" >/dev/null 2>&1 &
xvfb=$!
read -r number < "$dir/ready"
export DISPLAY=":$number" HOME="$dir/home" XDG_RUNTIME_DIR="$dir/run" XDG_CONFIG_HOME="$dir/home/.config" XDG_CACHE_HOME="$dir/home/.cache" \
    XDG_DATA_HOME="$dir/home/.local/share" GSETTINGS_BACKEND=memory GDK_BACKEND=x11 GTK_A11Y=atspi GSK_RENDERER=cairo QT_QPA_PLATFORM=xcb \
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 LANG=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1 DBUS_SESSION_BUS_ADDRESS="unix:path=$dir/run/bus"
dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" >/dev/null 2>&1 &
bus=$!
tries=0
until [ -S "$dir/run/bus" ]; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || { echo "the session bus did not start" >&2; exit 1; }
    sleep 0.02
done
"$@" &
job=$!
status=0
wait "$job" || status=$?
job=
exit $status
