import { BackstepError } from "../../base/error.ts";
import type { Deed } from "../desktop.ts";
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
export function applyDeed(widget: Widget, deed: Deed): void {
  switch (deed.do) {
    case "action":
      return doAction(widget, deed.name);
    case "focus": {
      const window = widget.app.windowOf(widget);
      if (!widget.spec.focusable || !widget.usable() || !window) throw refused(widget, deed);
      return widget.app.shared.restack(() => window.focus = widget);
    }
    case "setText":
      return setText(widget, deed);
    case "insertText":
      replaceText(editable(widget, deed), deed.at, deed.at, deed.text);
      return;
    case "deleteText":
      replaceText(editable(widget, deed), deed.start, deed.end, "");
      return;
    case "caret":
      return moveCaret(textual(widget, deed), deed.at);
    case "selectText":
      return selectText(textual(widget, deed), deed.start, deed.end);
    case "setValue":
      if (widget.value === undefined) throw unsupported(widget, deed);
      if (widget.kind === "progress" || !widget.usable()) throw refused(widget, deed);
      setValue(widget, deed.value);
      return;
    case "select":
    case "deselect":
    case "selectAll":
    case "selectNone":
      return select(widget, deed);
    case "scrollTo":
      return scrollTo(widget, deed);
    case "scrollToPoint":
      throw unsupported(widget, deed);
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
  const deed: Deed = { do: "action", name };
  const { actions } = widget.spec;
  if (actions.length === 0 || (name !== "" && !actions.includes(name))) throw unsupported(widget, deed);
  if (!widget.usable()) throw refused(widget, deed);
  activate(widget);
  if (widget.kind === "row") widget.app.behaviour.press?.(widget.key);
}

function setText(widget: Widget, deed: Deed & { do: "setText" }): void {
  if (widget.kind === "spin") {
    const number = Number(deed.text);
    if (deed.text.trim() === "" || Number.isNaN(number)) throw refused(widget, deed);
    setValue(widget, number);
    return;
  }
  // As GTK does: the caret goes to the start.
  replaceText(editable(widget, deed), 0, lengthOf(widget.text ?? ""), deed.text, { caret: 0 });
}

function select(widget: Widget, deed: Deed): void {
  const { chosen } = widget;
  if (chosen === undefined) throw unsupported(widget, deed);
  if (!widget.usable()) throw refused(widget, deed);
  const multiple = widget.from.multiple ?? false;
  if (deed.do === "select" || deed.do === "deselect") {
    const option = optionsOf(widget)[deed.child];
    if (option === undefined) throw refused(widget, deed);
    const index = option.choice();
    if (deed.do === "select") choose(widget, multiple ? [...chosen, index] : [index]);
    else if (widget.kind === "tabs") throw refused(widget, deed);
    else choose(widget, [...chosen].filter((i) => i !== index));
    return;
  }
  if (deed.do === "selectAll") {
    if (!multiple) throw refused(widget, deed);
    choose(widget, (widget.from.options ?? []).keys());
  } else if (widget.kind === "tabs") throw refused(widget, deed);
  else choose(widget, []);
}

function scrollTo(widget: Widget, deed: Deed): void {
  let scroll = widget.parent;
  while (scroll && scroll.kind !== "scroll") scroll = scroll.parent;
  const bar = scroll?.children.find((child) => child.kind === "scrollbar");
  if (!scroll || !bar?.value) {
    if (widget.showing) return;
    throw refused(widget, deed);
  }
  widget.app.settle();
  const top = widget.y - scroll.y + bar.value.current;
  const highest = top + widget.height - scroll.height;
  if (bar.value.current > top) setValue(bar, top);
  else if (bar.value.current < highest) setValue(bar, highest);
}

/** The bar that scrolls what a widget lies in, if any. */
export function scrollBarOf(widget: Widget): Widget | undefined {
  for (let up: Widget | undefined = widget; up; up = up.parent) {
    if (up.kind !== "scroll") continue;
    widget.app.settle();
    const bar = up.children.find((child) => child.kind === "scrollbar");
    return bar;
  }
  return undefined;
}

function editable(widget: Widget, deed: Deed): Widget {
  if (widget.text === undefined) throw unsupported(widget, deed);
  if (!widget.usable()) throw refused(widget, deed);
  return widget;
}

function textual(widget: Widget, deed: Deed): Widget {
  if (widget.text === undefined) throw unsupported(widget, deed);
  return widget;
}

/** "the element lacks what this deed needs". */
export function unsupported(widget: Widget, deed: Deed): BackstepError {
  return new BackstepError(
    "unsupported",
    `Cannot ${deed.do} on ${describe(widget)}: it has nothing for that`,
    {
      hint: "Read the element: its interfaces and actions say what it takes.",
      details: { element: widget.key, actions: widget.spec.actions },
    },
  );
}

/** "the application says no". */
export function refused(widget: Widget, deed: Deed): BackstepError {
  return new BackstepError(
    "refused",
    `Cannot ${deed.do} on ${describe(widget)}: the application refused it`,
    {
      hint: widget.usable() ? "Try another deed." : "It is insensitive: look for what enables it.",
      details: { element: widget.key },
    },
  );
}

function describe(widget: Widget): string {
  return `${widget.kind} "${widget.name.slice(0, 60)}"`;
}
