import type { NumericValue, Reading } from "../element.ts";
import { Interface } from "../interfaces.ts";
import { State } from "../states.ts";
import { cut, lengthOf } from "./characters.ts";
import { optionsOf } from "./changes.ts";
import type { Widget } from "./widget.ts";

/** The most characters of a text that one read answers. */
const MOST_TEXT = 1_048_576;

const USABLE = bit(State.enabled) | bit(State.sensitive);
const SEEN = bit(State.visible) | bit(State.showing);

function bit(state: number): number {
  return 1 << (state & 31);
}

/** The low word of the states a widget shows. `usable`: it and all around it are sensitive. */
export function statesLow(widget: Widget, usable: boolean): number {
  const { kind, spec, app } = widget;
  let low = spec.low;
  if (usable) low |= USABLE;
  if (widget.showing) low |= SEEN;
  else if (widget.visible) low |= bit(State.visible);
  const { manner } = spec;
  if (manner === "toggle" && checkedOf(widget)) low |= bit(kind === "toggle" ? State.pressed : State.checked);
  else if (manner === "choose" && chosenOf(widget)) low |= bit(State.selected);
  else if (manner === "open") low |= bit(widget.open ? State.expanded : State.collapsed);
  if (kind === "list" && widget.from.multiple) low |= bit(State.multiselectable);
  const { shared } = app;
  if (kind === "window" || kind === "dialog") {
    const active = shared.active();
    if (active?.widget === widget) low |= bit(State.active);
  } else if (spec.focusable && shared.focused() === widget) low |= bit(State.focused);
  return low >>> 0;
}

/** The high word. */
export function statesHigh(widget: Widget): number {
  return (widget.spec.high | (widget.from.isDefault ? bit(State.isDefault) : 0)) >>> 0;
}

/** Interfaces, with what a description adds to a kind. */
export function interfacesOf(widget: Widget): number {
  return widget.chosen ? widget.spec.interfaces | Interface.selection : widget.spec.interfaces;
}

/** The text that the tree shows: none of a password field, and perhaps a lie. */
export function textOf(widget: Widget): string | undefined {
  return widget.secret ? undefined : widget.mask?.text ?? widget.content();
}

export function valueOf(widget: Widget): NumericValue | undefined {
  const { value, mask } = widget;
  if (value === undefined) return undefined;
  return mask?.value === undefined ? { ...value } : { ...value, current: mask.value };
}

function checkedOf(widget: Widget): boolean {
  return widget.mask?.checked ?? widget.checked;
}

function chosenOf(widget: Widget): boolean {
  const masked = widget.chooser?.mask?.chosen;
  return masked ? masked.includes(widget.choice()) : widget.isChosen();
}

/** Indices of the chosen children as they are to be seen; undefined: it chooses nothing. */
export function selectedOf(widget: Widget): readonly number[] | undefined {
  if (widget.chosen === undefined) return (interfacesOf(widget) & Interface.selection) ? [] : undefined;
  const items = widget.mask?.chosen ?? [...widget.chosen];
  const { first } = widget;
  if (!widget.from.recycling) return items;
  return items.map((i) => i - first).filter((i) => i >= 0 && i < widget.children.length);
}

/** The children that are in the tree. */
export function childrenOf(widget: Widget): readonly Widget[] {
  const { children } = widget;
  return children.some((child) => child.absent) ? children.filter((child) => !child.absent) : children;
}

/** Is it in the tree, with everything it hangs on? */
export function inTree(widget: Widget): boolean {
  for (let up: Widget | undefined = widget; up; up = up.parent) if (up.absent) return false;
  return true;
}

/** A read spends a lie. */
export function spendMask(widget: Widget): void {
  const { mask } = widget;
  if (mask === undefined || --mask.reads > 0) return;
  widget.mask = undefined;
  widget.app.masked.delete(widget);
  widget.app.touch();
}

/** Everything that is to be known of one widget. */
export function readingOf(widget: Widget): Reading {
  widget.app.layOutAll();
  const text = textOf(widget);
  const textCut = text !== undefined && text.length > MOST_TEXT;
  const hasCaret = widget.text !== undefined && !widget.secret;
  const [start, end] = widget.selection;
  return {
    role: widget.spec.role,
    name: widget.name,
    description: widget.from.description ?? "",
    id: widget.id,
    statesLow: statesLow(widget, widget.usable()),
    statesHigh: statesHigh(widget),
    interfaces: interfacesOf(widget),
    rect: widget.rect(),
    text: textCut && text !== undefined ? cut(text, 0, MOST_TEXT) : text,
    textCut,
    caret: hasCaret ? Math.min(widget.caret, lengthOf(text ?? "")) : -1,
    textSelection: hasCaret && start !== end ? [start, end] : undefined,
    value: valueOf(widget),
    selectedChildren: selectedOf(widget),
    actions: widget.spec.actions,
    attributes: widget.from.attributes ?? {},
    childCount: childrenOf(widget).length,
  };
}

/** How an option of a chooser is called, for messages. */
export function namesOf(chooser: Widget): string[] {
  return optionsOf(chooser).slice(0, 10).map((option) => option.name);
}
