#!/usr/bin/python3
"""Reads one application's whole tree through pyatspi, once, and prints {"nodes": n, "ms": t} as JSON.

Usage: peer_pyatspi.py PID [actions]
The time covers role, name, description, states and extents of every node; with `actions` also the value and the names
of the actions of what has them. Imports and finding the application are not counted.
"""
import json
import sys
import time

import pyatspi
from gi.repository import GLib


def application(pid):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        desktop = pyatspi.Registry.getDesktop(0)
        for app in desktop:
            if app is not None and app.get_process_id() == pid:
                return app
        time.sleep(0.05)
    raise SystemExit("no application of process %d" % pid)


def read(node, actions):
    node.getRole(), node.name, node.description, node.getState().getStates()
    try:
        node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    except NotImplementedError:
        pass
    if actions:
        try:
            value = node.queryValue()
            value.currentValue, value.minimumValue, value.maximumValue
        except (NotImplementedError, GLib.GError):
            pass
        try:
            action = node.queryAction()
            for i in range(action.nActions):
                action.getName(i)
        except (NotImplementedError, GLib.GError):
            pass  # GTK 4 counts actions that it then does not name


def main():
    app, actions = application(int(sys.argv[1])), "actions" in sys.argv[2:]
    nodes, stack, began = 0, [app], time.perf_counter()
    while stack:
        node = stack.pop()
        read(node, actions)
        nodes += 1
        for i in range(node.childCount - 1, -1, -1):
            child = node.getChildAtIndex(i)
            if child is not None:
                stack.append(child)
    print(json.dumps({"nodes": nodes, "ms": (time.perf_counter() - began) * 1000}))


main()
