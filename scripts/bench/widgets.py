#!/usr/bin/python3
"""A GTK 3 window of a thousand elements: buttons in rows of 20."""
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk

window = Gtk.Window(title="A thousand")
window.set_default_size(900, 700)
window.connect("destroy", Gtk.main_quit)
scrolled = Gtk.ScrolledWindow()
grid = Gtk.Grid()
for n in range(985):
    grid.attach(Gtk.Button(label=f"Button {n}"), n % 20, n // 20, 1, 1)
scrolled.add(grid)
window.add(scrolled)
window.show_all()
Gtk.main()
