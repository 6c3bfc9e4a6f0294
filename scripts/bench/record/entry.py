"""A window of GTK 3 with one entry that stamps its changes: `entry.py FILE`. Each change is a line of microseconds of
CLOCK_MONOTONIC; F12 empties it without one."""

import os
import sys
import time

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

out = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
quiet = False


def changed(_entry):
    if not quiet:
        os.write(out, b"%d\n" % (time.monotonic_ns() // 1000))


def pressed(_window, event):
    global quiet
    if event.keyval != Gdk.KEY_F12:
        return False
    quiet = True
    entry.set_text("")
    quiet = False
    return True


window = Gtk.Window(title="Entry", default_width=400)
entry = Gtk.Entry()
entry.connect("changed", changed)
window.connect("key-press-event", pressed)
window.connect("destroy", lambda _: Gtk.main_quit())
window.add(entry)
window.show_all()
Gtk.main()
