"""A window with three buttons that append a line to a log: an action that nothing undoes. Arguments: the log, the order."""

import os
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

log, order = sys.argv[1:3]
GLib.set_prgname("send.py")


def send(part):
    """Appends one line, whole."""
    handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(handle, f"{order} {part}\n".encode())
    os.close(handle)


window = Gtk.Window(title="Send")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
entry = Gtk.Entry()
entry.get_accessible().set_name("Note")
box.add(entry)
for word in ("first", "a", "b"):
    button = Gtk.Button(label=f"Send {word}")
    button.connect("clicked", lambda _, one=word: send(one))
    box.add(button)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
