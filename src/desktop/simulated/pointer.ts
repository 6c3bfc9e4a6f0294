import type { Gesture, Modifier } from "../desktop.ts";
import { choose, moveCaret, selectText, setOpen, setValue } from "./changes.ts";
import { lengthOf } from "./characters.ts";
import { activate, scrollBarOf } from "./do-action.ts";
import type { SimulatedWindow, Widget } from "./widget.ts";
import type { World } from "./world.ts";

/** Pixels that one notch of the wheel scrolls. */
const NOTCH = 48;
const CHARACTER = 8;
const LINE = 18;

/** What a pointer at this point of the screen would reach. */
export function hit(
  world: World,
  x: number,
  y: number,
): { window: SimulatedWindow; widget: Widget } | undefined {
  for (const app of world.running) app.layOutAll();
  // Popups lie above all windows, the last that is listed on top.
  for (const { popup } of [...world.running].reverse()) {
    const window = popup?.app.windowOf(popup);
    if (!popup || !window) continue;
    for (const child of popup.children) {
      const widget = child.showing ? deepest(child, x, y) : undefined;
      if (widget) return { window, widget };
    }
  }
  for (let i = world.stack.length - 1; i >= 0; i--) {
    const window = world.stack[i];
    if (!window || window.minimised) continue;
    const widget = deepest(window.widget, x, y);
    if (widget) return { window, widget };
  }
  return undefined;
}

function deepest(widget: Widget, x: number, y: number): Widget | undefined {
  if (!widget.showing) return undefined;
  const within = x >= widget.x && x < widget.x + widget.width && y >= widget.y &&
    y < widget.y + widget.height;
  if (!within && widget.kind !== "popup") return undefined;
  const { children } = widget;
  if (widget.kind === "list") {
    const first = children[0];
    const row = first ? children[Math.floor((y - first.y) / first.height)] : undefined;
    return row?.showing ? row : widget;
  }
  if ((widget.kind !== "menu" && widget.kind !== "combo") || widget.open) {
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      const found = child ? deepest(child, x, y) : undefined;
      if (found) return found;
    }
  }
  return within ? tabUnder(widget, x, y) : undefined;
}

/** The content of a notebook's page is beside its tab on the screen, and under it in the tree. */
function tabUnder(widget: Widget, x: number, y: number): Widget {
  if (widget.kind !== "tabs") return widget;
  for (const tab of widget.children) {
    if (!tab.isChosen()) continue;
    for (const child of tab.children) {
      const found = deepest(child, x, y);
      if (found) return found;
    }
  }
  return widget;
}

/** Does what a pointer does, and answers the widget it reached. */
export function applyGesture(world: World, gesture: Gesture): Widget | undefined {
  const target = hit(world, gesture.x, gesture.y);
  if (gesture.do === "move") return target?.widget;
  for (const app of world.running) {
    if (app.popup && !(target && belongs(target.widget, app.popup))) {
      setOpen(app.popup, false);
      return target?.widget;
    }
  }
  if (!target) return undefined;
  const { widget } = target;
  if (gesture.do === "wheel") {
    wheel(widget, gesture.down, gesture.right);
    return widget;
  }
  world.raise(target.window);
  if (world.active() !== target.window || !widget.usable()) return widget;
  if (gesture.button !== "left") return widget;
  const focus = focusable(widget);
  if (focus) world.restack(() => target.window.focus = focus);
  if (gesture.do === "click") click(widget, gesture.x, gesture.y, gesture.count, gesture.modifiers);
  else drag(world, widget, gesture.x, gesture.y, gesture.toX, gesture.toY);
  return widget;
}

function belongs(widget: Widget, popup: Widget): boolean {
  for (let up: Widget | undefined = widget; up; up = up.parent) if (up === popup) return true;
  return false;
}

function focusable(widget: Widget): Widget | undefined {
  for (let up: Widget | undefined = widget; up; up = up.parent) if (up.spec.focusable) return up;
  return undefined;
}

function click(
  widget: Widget,
  x: number,
  y: number,
  count: 1 | 2 | 3,
  modifiers: readonly Modifier[] = [],
): void {
  const { manner } = widget.spec;
  if (manner === "edit") {
    if (count === 1 && modifiers.includes("shift")) {
      const [start, end] = widget.selection;
      const anchor = start === end ? widget.caret : widget.caret === start ? end : start;
      return selectText(widget, anchor, characterAt(widget, x, y));
    }
    if (count === 1) {
      if (widget.selection[0] !== widget.selection[1]) selectText(widget, 0, 0);
      return moveCaret(widget, characterAt(widget, x, y));
    }
    const [start, end] = count === 3
      ? [0, lengthOf(widget.text ?? "")]
      : wordAt(widget, characterAt(widget, x, y));
    return selectText(widget, start, end);
  }
  if (manner === "slide") return slideTo(widget, x, y);
  if (widget.kind === "row") {
    if (widget.chooser) choose(widget.chooser, chosenWith(widget.chooser, widget.choice(), modifiers));
    if (count > 1) widget.app.behaviour.press?.(widget.key);
    return;
  }
  // A widget that a first click takes away does not get the second.
  for (let i = 0; i < count && widget.app.at(widget.path) === widget && widget.usable(); i++) {
    activate(widget);
  }
}

/** What a click on a row leaves chosen: Control adds or takes away one, Shift everything from the first one on. */
function chosenWith(chooser: Widget, at: number, modifiers: readonly Modifier[]): number[] {
  const before = [...chooser.chosen ?? []];
  if (!chooser.from.multiple) return [at];
  if (modifiers.includes("ctrl")) {
    return before.includes(at) ? before.filter((one) => one !== at) : [...before, at];
  }
  const [first] = before;
  if (!modifiers.includes("shift") || first === undefined) return [at];
  const [from, to] = first < at ? [first, at] : [at, first];
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function drag(world: World, widget: Widget, x: number, y: number, toX: number, toY: number): void {
  if (widget.spec.manner === "edit") {
    return selectText(widget, characterAt(widget, x, y), characterAt(widget, toX, toY));
  }
  if (widget.spec.manner === "slide") return slideTo(widget, toX, toY);
  // Pressed here and released elsewhere is no click.
  if (hit(world, toX, toY)?.widget === widget) click(widget, x, y, 1);
}

function slideTo(widget: Widget, x: number, y: number): void {
  const { value } = widget;
  if (!value || widget.kind === "spin") return;
  const upright = widget.kind === "scrollbar";
  const part = upright ? (y - widget.y) / (widget.height - 1) : (x - widget.x) / (widget.width - 1);
  const raw = value.minimum + Math.max(0, Math.min(1, part)) * (value.maximum - value.minimum);
  setValue(widget, Math.round(raw / value.step) * value.step);
}

function wheel(widget: Widget, down: number, right: number): void {
  if (widget.value && (widget.kind === "slider" || widget.kind === "spin") && widget.usable()) {
    setValue(widget, widget.value.current + (right - down) * widget.value.step);
    return;
  }
  const bar = scrollBarOf(widget);
  if (bar?.value) setValue(bar, bar.value.current + down * NOTCH);
}

function characterAt(widget: Widget, x: number, y: number): number {
  const lines = (widget.text ?? "").split("\n");
  const line = Math.max(0, Math.min(lines.length - 1, Math.floor((y - widget.y - 4) / LINE)));
  const column = Math.max(0, Math.floor((x - widget.x - 4) / CHARACTER));
  const before = lines.slice(0, line).reduce((sum, one) => sum + lengthOf(one) + 1, 0);
  return before + Math.min(column, lengthOf(lines[line] ?? ""));
}

function wordAt(widget: Widget, at: number): [number, number] {
  const characters = [...widget.text ?? ""];
  const inWord = (i: number) => /[\p{L}\p{N}_]/u.test(characters[i] ?? "");
  let start = at, end = at;
  while (start > 0 && inWord(start - 1)) start--;
  while (end < characters.length && inWord(end)) end++;
  return [start, end];
}
