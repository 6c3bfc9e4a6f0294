#!/usr/bin/python3
"""Does acts on an application as a straightforward pyatspi program does: searches the tree, acts, reads back.

Usage: peer_pyatspi.py PID ACTS, where ACTS is JSON: [{find, do, expect, back: [{find, do, expect}]} | {cannot}].
A line of input is a round: every act once, timed, then what undoes them, last first, which is not. Its answer is one
line {"acts": [{"ms": t} | {"cannot": why}]}. "round SECONDS" searches with pyatspi.findAllDescendants, before the act and
to read back; "lean SECONDS" looks no further than the element, and reads back what it holds. No act is begun after so many
seconds.
"""
import json
import sys
import time

import pyatspi

PATIENCE = 5.0
PACE = 0.005


def application(pid):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for app in pyatspi.Registry.getDesktop(0):
            if app is not None and app.get_process_id() == pid:
                return app
        time.sleep(0.05)
    raise SystemExit("no application of process %d" % pid)


def matches(node, find):
    if node.getRoleName() != find["role"]:
        return False
    if "name" in find and node.name != find["name"]:
        return False
    if "states" in find:
        states = node.getState()
        if not all(states.contains(getattr(pyatspi, "STATE_" + one)) for one in find["states"]):
            return False
    return "holds" not in find or pyatspi.findDescendant(node, lambda one: matches(one, find["holds"])) is not None


def nth(root, find):
    """The nth that matches, in the order of the tree, below `root`; looks no further."""
    left = find.get("nth", 1)

    def below(node):
        nonlocal left
        for child in node:
            if child is None:
                continue
            if matches(child, find):
                left -= 1
                if left == 0:
                    return child
            found = below(child)
            if found is not None:
                return found
        return None

    return below(root)


def among_all(root, find):
    """The same with what pyatspi has for it: all that match, and the nth of them."""
    found = pyatspi.findAllDescendants(root, lambda one: one is not None and matches(one, find))
    return found[find.get("nth", 1) - 1] if len(found) >= find.get("nth", 1) else None


def search(root, find, lean):
    found = (nth if lean else among_all)(root, find)
    return search(found, find["inside"], lean) if found is not None and "inside" in find else found


def text_of(node):
    text = node.queryText()
    return text.getText(0, text.characterCount)  # GTK 4 knows no -1


def act(node, do):
    (kind, value), = do.items()
    if kind == "text":
        node.queryEditableText().setTextContents(value)
    elif kind == "insert":
        node.queryEditableText().insertText(node.queryText().characterCount, value, len(value.encode()))
    elif kind == "value":
        node.queryValue().currentValue = value
    elif kind == "action":
        actions = node.queryAction()
        names = [actions.getName(i) for i in range(actions.nActions)]
        if not actions.doAction(names.index(value)):
            raise SystemExit("the action %s was refused" % value)
    elif kind == "child":
        if not node.querySelection().selectChild(value):
            raise SystemExit("the child %d was refused" % value)
    else:
        raise SystemExit("unknown: %s" % kind)


def holds(node, expect):
    (kind, value), = expect.items()
    if kind == "text":
        return text_of(node) == value
    if kind == "value":
        return node.queryValue().currentValue == value
    if kind == "name":
        return node.name == value
    if kind == "state":
        return node.getState().contains(getattr(pyatspi, "STATE_" + value))
    if kind == "without":
        return not node.getState().contains(getattr(pyatspi, "STATE_" + value))
    raise SystemExit("unknown: %s" % kind)


def perform(app, one, lean):
    node = search(app, one["find"], lean)
    if node is None:
        raise SystemExit("there is no %s" % one["find"])
    act(node, one["do"])
    deadline = time.monotonic() + PATIENCE
    if "then" in one:
        node = search(app, one["then"], lean)
    elif not lean:
        node = search(app, one["find"], lean)
    while node is None or not holds(node, one["expect"]):
        if time.monotonic() > deadline:
            raise SystemExit("%s did not come to %s" % (one["find"], one["expect"]))
        time.sleep(PACE)
        if node is None:
            node = search(app, one.get("then", one["find"]), lean)


def main():
    app, acts = application(int(sys.argv[1])), json.loads(sys.argv[2])
    print("ready", flush=True)
    for line in sys.stdin:
        kind, seconds = line.split()
        lean, times, done, over = kind == "lean", [], [], time.monotonic() + float(seconds)
        for one in acts:
            if "cannot" in one:
                times.append({"cannot": one["cannot"]})
                continue
            if time.monotonic() > over:
                times.append({"cannot": "the acts before it took all of the %s s of a round" % seconds})
                continue
            done.append(one)
            began = time.perf_counter()
            perform(app, one, lean)
            times.append({"ms": (time.perf_counter() - began) * 1000})
        for one in reversed(done):
            for back in one.get("back", []):
                perform(app, back, True)
        print(json.dumps({"acts": times}), flush=True)


main()
