import { BackstepError } from "../../base/error.ts";
import type { Action } from "../desktop.ts";
import {
  choose,
  moveCaret,
  optionsOf,
  replaceText,
  selectText,
  setChecked,
  setOpen,
  setValue,
} from "./changes.ts";
import { lengthOf } from "./characters.ts";
import type { Widget } from "./widget.ts";

/** Does what an accessibility client asked of a widget, or throws `unsupported` or `refused` as a toolkit would. */
export function applyAction(widget: Widget, action: Action): void {
  switch (action.do) {
    case "action":
      return doAction(widget, action.name);
    case "focus": {
      const window = widget.app.windowOf(widget);
      if (!widget.spec.focusable || !widget.usable() || !window) throw refused(widget, action);
      return widget.app.shared.restack(() => window.focus = widget);
    }
    case "setText":
      return setText(widget, action);
    case "insertText":
      replaceText(editable(widget, action), action.at, action.at, action.text);
      return;
    case "deleteText":
      replaceText(editable(widget, action), action.start, action.end, "");
      return;
    case "caret":
      return moveCaret(textual(widget, action), action.at);
    case "selectText":
      return selectText(textual(widget, action), action.start, action.end);
    case "setValue":
      if (widget.value === undefined) throw unsupported(widget, action);
      if (widget.kind === "progress" || !widget.usable()) throw refused(widget, action);
      setValue(widget, action.value);
      return;
    case "select":
    case "deselect":
    case "selectAll":
    case "selectNone":
      return select(widget, action);
    case "scrollTo":
      return scrollTo(widget, action);
    case "selectRow":
    case "deselectRow":
    case "scrollToPoint":
      throw unsupported(widget, action);
  }
}

/** What a click, the space bar or an action does to a widget. */
export function activate(widget: Widget): void {
  const { app, spec } = widget;
  switch (spec.manner) {
    case "press":
      if (widget.kind === "menuitem" && app.popup) setOpen(app.popup, false);
      app.behaviour.press?.(widget.key);
      return;
    case "toggle":
      setChecked(widget, widget.from.group === undefined ? !widget.checked : true);
      return;
    case "choose":
      if (widget.chooser) choose(widget.chooser, [widget.choice()]);
      if (widget.chooser?.open) setOpen(widget.chooser, false);
      return;
    case "open":
      setOpen(widget, !widget.open);
      return;
    case "edit":
      app.behaviour.press?.(widget.key);
      return;
    case "slide":
    case "still":
      return;
  }
}

function doAction(widget: Widget, name: string): void {
  const action: Action = { do: "action", name };
  const { actions } = widget.spec;
  if (actions.length === 0 || (name !== "" && !actions.includes(name))) throw unsupported(widget, action);
  if (!widget.usable()) throw refused(widget, action);
  activate(widget);
  if (widget.kind === "row") widget.app.behaviour.press?.(widget.key);
}

function setText(widget: Widget, action: Action & { do: "setText" }): void {
  if (widget.kind === "spin") {
    const number = Number(action.text);
    if (action.text.trim() === "" || Number.isNaN(number)) throw refused(widget, action);
    setValue(widget, number);
    return;
  }
  // As GTK does: the caret goes to the start.
  replaceText(editable(widget, action), 0, lengthOf(widget.text ?? ""), action.text, { caret: 0 });
}

function select(widget: Widget, action: Action): void {
  const { chosen } = widget;
  if (chosen === undefined) throw unsupported(widget, action);
  if (!widget.usable()) throw refused(widget, action);
  const multiple = widget.from.multiple ?? false;
  if (action.do === "select" || action.do === "deselect") {
    const option = optionsOf(widget)[action.child];
    if (option === undefined) throw refused(widget, action);
    const index = option.choice();
    if (action.do === "select") choose(widget, multiple ? [...chosen, index] : [index]);
    else if (widget.kind === "tabs") throw refused(widget, action);
    else choose(widget, [...chosen].filter((i) => i !== index));
    return;
  }
  if (action.do === "selectAll") {
    if (!multiple) throw refused(widget, action);
    choose(widget, (widget.from.options ?? []).keys());
  } else if (widget.kind === "tabs") throw refused(widget, action);
  else choose(widget, []);
}

function scrollTo(widget: Widget, action: Action): void {
  let scroll = widget.parent;
  while (scroll && scroll.kind !== "scroll") scroll = scroll.parent;
  const bar = scroll?.children.find((child) => child.kind === "scrollbar");
  if (!scroll || !bar?.value) {
    if (widget.showing) return;
    throw refused(widget, action);
  }
  widget.app.layOutAll();
  const top = widget.y - scroll.y + bar.value.current;
  const highest = top + widget.height - scroll.height;
  if (bar.value.current > top) setValue(bar, top);
  else if (bar.value.current < highest) setValue(bar, highest);
}

/** The bar that scrolls what a widget lies in, if any. */
export function scrollBarOf(widget: Widget): Widget | undefined {
  for (let up: Widget | undefined = widget; up; up = up.parent) {
    if (up.kind !== "scroll") continue;
    widget.app.layOutAll();
    const bar = up.children.find((child) => child.kind === "scrollbar");
    return bar;
  }
  return undefined;
}

function editable(widget: Widget, action: Action): Widget {
  if (widget.text === undefined) throw unsupported(widget, action);
  if (!widget.usable()) throw refused(widget, action);
  return widget;
}

function textual(widget: Widget, action: Action): Widget {
  if (widget.text === undefined) throw unsupported(widget, action);
  return widget;
}

/** "the element lacks what this action needs". */
export function unsupported(widget: Widget, action: Action): BackstepError {
  return new BackstepError(
    "unsupported",
    `Cannot ${action.do} on ${describe(widget)}: it has nothing for that`,
    {
      hint: "Read the element: its interfaces and actions say what it supports.",
      details: { element: widget.key, actions: widget.spec.actions },
    },
  );
}

/** "the application says no". */
export function refused(widget: Widget, action: Action): BackstepError {
  return new BackstepError(
    "refused",
    `Cannot ${action.do} on ${describe(widget)}: the application refused it`,
    {
      hint: widget.usable() ? "Try another action." : "It is insensitive: look for what enables it.",
      details: { element: widget.key },
    },
  );
}

function describe(widget: Widget): string {
  return `${widget.kind} "${widget.name.slice(0, 60)}"`;
}
