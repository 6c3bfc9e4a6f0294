import { defined } from "../../base/defined.ts";
import type { Action } from "../desktop.ts";
import {
  choose,
  optionsOf,
  replaceText,
  setChecked,
  setName,
  setSensitive,
  setValue,
  setVisible,
} from "./changes.ts";
import { cut, lengthOf, splice } from "./characters.ts";
import type { Interference, Look } from "./faults.ts";
import type { Mask, Widget } from "./widget.ts";

/** What a read answers now, to be told again after it has changed. */
export function truthOf(widget: Widget): Look {
  const { value, chosen, checked } = widget;
  const text = widget.content();
  return {
    ...defined({ text }),
    ...(value === undefined ? {} : { value: value.current }),
    ...(chosen === undefined ? {} : { chosen: [...chosen] }),
    checked,
  };
}

/** What a read would answer if the action had been done: the lie of an application that did nothing. */
export function wantedOf(widget: Widget, action: Action): Look {
  const text = widget.text ?? "";
  switch (action.do) {
    case "setText":
      return widget.kind === "spin"
        ? { text: action.text, value: Number(action.text) }
        : { text: action.text };
    case "insertText":
      return { text: splice(text, action.at, action.at, action.text) };
    case "deleteText":
      return { text: splice(text, action.start, action.end, "") };
    case "setValue":
      return widget.kind === "spin"
        ? { value: action.value, text: String(action.value) }
        : { value: action.value };
    case "select":
    case "deselect": {
      const index = optionsOf(widget)[action.child]?.choice() ?? action.child;
      const others = [...widget.chosen ?? []].filter((i) => i !== index);
      if (action.do === "deselect") return { chosen: others };
      return { chosen: widget.from.multiple ? [...others, index].sort((a, b) => a - b) : [index] };
    }
    case "selectAll":
      return { chosen: [...(widget.from.options ?? []).keys()] };
    case "selectNone":
      return { chosen: [] };
    case "action":
      return widget.spec.manner === "toggle" ? { checked: !widget.checked } : {};
    default:
      return {};
  }
}

/** Makes the reads of a widget answer this. */
export function disguise(widget: Widget, look: Look, reads = Infinity): void {
  const mask: Mask = { ...look, reads };
  widget.mask = mask;
  widget.app.masked.add(widget);
  widget.app.touch();
}

/** The widget whose reads tell what this one's action did: a chosen row is told by its list. */
export function tellerOf(widget: Widget): Widget {
  return widget.spec.manner === "choose" ? widget.chooser ?? widget : widget;
}

/** The action with only its first characters. */
export function partOf(action: Action, characters: number): Action {
  return "text" in action ? { ...action, text: cut(action.text, 0, characters) } : action;
}

/** What a person does to a widget behind our back. */
export function interfere(widget: Widget, set: Interference): void {
  if (set.text !== undefined) replaceText(widget, 0, lengthOf(widget.text ?? ""), set.text);
  if (set.value !== undefined) setValue(widget, set.value);
  if (set.checked !== undefined) setChecked(widget, set.checked);
  if (set.chosen !== undefined) choose(widget, set.chosen);
  if (set.name !== undefined) setName(widget, set.name);
  if (set.sensitive !== undefined) setSensitive(widget, set.sensitive);
  if (set.visible !== undefined) setVisible(widget, set.visible);
}
