import { cut, lengthOf, splice } from "./characters.ts";
import { ROW_HEIGHT } from "./kinds.ts";
import type { Widget } from "./widget.ts";

// Every change of a widget goes through these: they log it, tell of it as AT-SPI would, and ask the application.

/** Steps that Ctrl+Z goes back. */
const HISTORY = 200;

/** Replaces characters of a text. `caret` is where the caret comes to stand; default: after what was put in. */
export function replaceText(
  widget: Widget,
  start: number,
  end: number,
  by: string,
  options: { caret?: number; history?: "keep" } = {},
): boolean {
  const before = widget.text;
  if (before === undefined) return false;
  const length = lengthOf(before);
  const from = Math.max(0, Math.min(start, length));
  const to = Math.max(from, Math.min(end, length));
  const after = splice(before, from, to, by);
  const removed = cut(before, from, to);
  if (widget.history && options.history !== "keep" && after !== before) {
    widget.history.undo.push(before);
    widget.history.redo = [];
    // Before the oldest step of a full history there is no saved state to come back to.
    if (widget.history.undo.length > HISTORY) {
      widget.history.undo.shift();
      widget.history.saved--;
    } else if (widget.history.saved >= widget.history.undo.length) widget.history.saved = -1;
  }
  widget.text = after;
  widget.selection = [0, 0];
  moveCaret(widget, options.caret ?? from + lengthOf(by));
  if (after === before) return false;
  const { app } = widget;
  app.changed(widget, "text", before, after);
  // How much it is, never what: as on a real desktop, whoever needs the text reads the field.
  if (removed !== "") app.tell(widget, "object:text-changed:delete", from, "", lengthOf(removed));
  if (by !== "") app.tell(widget, "object:text-changed:insert", from, "", lengthOf(by));
  app.behaviour.change?.(widget.key);
  return true;
}

/** One step back (or forth) in the history of a text area: false where there is none. */
export function undoText(widget: Widget, redo = false): boolean {
  const { history, text } = widget;
  if (!history || text === undefined) return false;
  const to = (redo ? history.redo : history.undo).pop();
  if (to === undefined) return false;
  (redo ? history.undo : history.redo).push(text);
  return replaceText(widget, 0, lengthOf(text), to, { history: "keep" });
}

export function moveCaret(widget: Widget, at: number): void {
  const caret = Math.max(0, Math.min(at, lengthOf(widget.text ?? "")));
  if (caret === widget.caret) return;
  widget.caret = caret;
  widget.app.touch();
  widget.app.tell(widget, "object:text-caret-moved", caret);
}

export function selectText(widget: Widget, start: number, end: number): void {
  const length = lengthOf(widget.text ?? "");
  const ends = [start, end].map((at) => Math.max(0, Math.min(at, length))).sort((a, b) => a - b);
  widget.selection = [ends[0] ?? 0, ends[1] ?? 0];
  widget.app.touch();
  widget.app.tell(widget, "object:text-selection-changed");
  moveCaret(widget, end);
}

export function setValue(widget: Widget, wanted: number): boolean {
  const range = widget.value;
  if (range === undefined || Number.isNaN(wanted)) return false;
  const before = range.current;
  const after = Math.max(range.minimum, Math.min(wanted, range.maximum));
  if (after === before) return false;
  range.current = after;
  const { app } = widget;
  app.changed(widget, "value", before, after);
  app.tell(widget, "object:property-change:accessible-value", 0, String(after));
  if (widget.kind === "scrollbar") scrolledTo(widget, after);
  app.behaviour.change?.(widget.key);
  return true;
}

function scrolledTo(bar: Widget, offset: number): void {
  bar.app.dirty();
  for (const list of bar.parent?.children ?? []) {
    if (list.kind === "list" && list.from.recycling) bind(list, Math.floor(offset / ROW_HEIGHT));
  }
}

/** Makes the rows of a recycling list show other items: every path stays, and means something else. */
export function bind(list: Widget, first: number): void {
  const options = list.from.options ?? [];
  if (first === list.first && list.children.length > 0) return;
  list.first = first;
  list.app.nextGeneration();
  for (const row of list.children) {
    const name = options[first + row.index];
    row.visible = name !== undefined;
    row.name = name ?? "";
    row.since = list.app.generation;
    list.app.tell(row, "object:property-change:accessible-name", 0, row.name);
  }
}

export function setChecked(widget: Widget, checked: boolean): boolean {
  if (widget.checked === checked) return false;
  if (widget.from.group !== undefined && checked) {
    for (const other of widget.app.all()) {
      if (other !== widget && other.from.group === widget.from.group && other.checked) flip(other, false);
    }
  }
  flip(widget, checked);
  widget.app.behaviour.change?.(widget.key);
  return true;
}

function flip(widget: Widget, checked: boolean): void {
  widget.checked = checked;
  widget.app.changed(widget, "checked", !checked, checked);
  const state = widget.kind === "toggle" ? "pressed" : "checked";
  widget.app.tell(widget, `object:state-changed:${state}`, checked ? 1 : 0);
}

/** Makes a list, notebook or combo box choose exactly these of its children. */
export function choose(chooser: Widget, wanted: Iterable<number>): boolean {
  const { chosen, app } = chooser;
  if (chosen === undefined) return false;
  const after = new Set([...wanted].sort((a, b) => a - b));
  if (after.size === chosen.size && [...after].every((i) => chosen.has(i))) return false;
  chooser.chosen = after;
  app.changed(chooser, "chosen", [...chosen], [...after]);
  for (const option of app.shared.events.wanted ? optionsOf(chooser) : []) {
    const is = after.has(option.choice());
    if (is !== chosen.has(option.choice())) {
      app.tell(option, "object:state-changed:selected", is ? 1 : 0);
    }
  }
  app.tell(chooser, "object:selection-changed");
  if (chooser.kind === "tabs") app.dirty();
  app.behaviour.change?.(chooser.key);
  return true;
}

/** What a chooser chooses from. */
export function optionsOf(chooser: Widget): readonly Widget[] {
  return chooser.kind === "combo" ? chooser.children[0]?.children ?? [] : chooser.children;
}

export function setName(widget: Widget, name: string): boolean {
  const before = widget.name;
  if (before === name) return false;
  widget.name = name;
  widget.app.changed(widget, "name", before, name);
  widget.app.tell(widget, "object:property-change:accessible-name", 0, name);
  if (widget.content() === name) {
    if (before !== "") widget.app.tell(widget, "object:text-changed:delete", 0, "", lengthOf(before));
    if (name !== "") widget.app.tell(widget, "object:text-changed:insert", 0, "", lengthOf(name));
  }
  return true;
}

export function setVisible(widget: Widget, visible: boolean): boolean {
  if (widget.visible === visible) return false;
  widget.visible = visible;
  widget.app.dirty();
  widget.app.changed(widget, "visible", !visible, visible);
  widget.app.tell(widget, "object:state-changed:visible", visible ? 1 : 0);
  widget.app.tell(widget, "object:state-changed:showing", visible ? 1 : 0);
  return true;
}

export function setSensitive(widget: Widget, sensitive: boolean): boolean {
  if (widget.sensitive === sensitive) return false;
  widget.sensitive = sensitive;
  widget.app.changed(widget, "sensitive", !sensitive, sensitive);
  widget.app.tell(widget, "object:state-changed:sensitive", sensitive ? 1 : 0);
  widget.app.tell(widget, "object:state-changed:enabled", sensitive ? 1 : 0);
  return true;
}

/** Opens or closes the popup of a menu or combo box; opening one closes the other. */
export function setOpen(widget: Widget, open: boolean): boolean {
  if (widget.open === open) return false;
  const { app } = widget;
  if (open && app.popup) setOpen(app.popup, false);
  widget.open = open;
  app.popup = open ? widget : undefined;
  app.dirty();
  app.changed(widget, "open", !open, open);
  app.tell(widget, "object:state-changed:expanded", open ? 1 : 0);
  for (const item of widget.children) app.tell(item, "object:state-changed:showing", open ? 1 : 0);
  return true;
}
