import { keyNamed, keysymsOf } from "../keys.ts";
import {
  choose,
  moveCaret,
  optionsOf,
  replaceText,
  selectText,
  setChecked,
  setOpen,
  setValue,
  undoText,
} from "./changes.ts";
import { cut, lengthOf } from "./characters.ts";
import { activate } from "./do-action.ts";
import type { SimulatedWindow, Widget } from "./widget.ts";
import type { World } from "./world.ts";

const ORDER = ["ctrl", "alt", "altgr", "shift", "super"];

/** What Shift makes of the keys of a US keyboard that bear no letter. */
const SHIFTED: ReadonlyMap<string, string> = new Map(
  [..."1234567890-=[]\\;',./`"].map((key, i) => [key, [...'!@#$%^&*()_+{}|:"<>?~'][i] ?? key]),
);

/** One chord as behaviours see it, modifiers in a fixed order: "ctrl+shift+z", "Escape", "7", and "A" for shift+a. */
export function chordOf(keys: readonly string[]): string {
  keysymsOf(keys);
  const pressed = keys.map(keyNamed);
  const held = new Set(pressed.filter((key) => key.modifier).map((key) => key.name));
  const others = pressed.filter((key) => !key.modifier).map((key) => {
    if (key.name === "KP_Enter") return "Return";
    return key.keysym > 0x20 && key.keysym < 0x100 ? String.fromCodePoint(key.keysym) : key.name;
  });
  const [only] = others;
  if (held.size === 1 && held.has("shift") && only !== undefined && others.length === 1) {
    if (lengthOf(only) === 1) return SHIFTED.get(only) ?? only.toUpperCase();
  }
  return [...ORDER.filter((modifier) => held.has(modifier)), ...others].join("+");
}

/** Types one character, as a keyboard does: Return and Tab are keys. */
export function typeCharacter(world: World, character: string): void {
  if (character === "\n") pressChord(world, "Return");
  else if (character === "\t") pressChord(world, "Tab");
  else pressChord(world, character === " " ? "Space" : character);
}

/** Sends a chord to the active window: the application first, then the focused widget, then what every window does. */
export function pressChord(world: World, chord: string): void {
  const window = world.active();
  if (!window) return;
  const { app, focus } = window;
  if (app.popup && chord === "Escape") {
    setOpen(app.popup, false);
    return;
  }
  if (app.behaviour.chord?.(chord, window.key)) return;
  if (focus && focus.usable() && widgetKey(world, window, focus, chord)) return;
  windowKey(window, chord);
}

function windowKey(window: SimulatedWindow, chord: string): void {
  const { app, widget, focus } = window;
  if (chord === "Tab" || chord === "shift+Tab") {
    const order = app.order(window);
    const at = focus ? order.indexOf(focus) : -1;
    const to = chord === "Tab" ? at + 1 : at <= 0 ? order.length - 1 : at - 1;
    const next = order[to % Math.max(1, order.length)];
    if (next) app.shared.restack(() => window.focus = next);
  } else if (chord === "alt+F4") app.requestClose(window.key);
  else if (chord === "Escape" && widget.kind === "dialog") app.requestClose(window.key);
  else if (chord === "Return") {
    const press = [...widget.all()].find((one) => one.from.isDefault);
    if (press && press.usable() && press.showing) activate(press);
  }
}

function widgetKey(world: World, window: SimulatedWindow, widget: Widget, chord: string): boolean {
  switch (widget.spec.manner) {
    case "edit":
      return textKey(world, widget, chord);
    case "slide":
      return valueKey(widget, chord);
    case "press":
    case "toggle":
      if (chord === "Space" || (chord === "Return" && widget.from.group === undefined)) {
        activate(widget);
        return true;
      }
      return widget.from.group !== undefined && radioKey(window, widget, chord);
    case "open":
      if (chord === "Space" || chord === "Return") activate(widget);
      else return choiceKey(widget, chord);
      return true;
    default:
      return widget.chosen !== undefined && choiceKey(widget, chord);
  }
}

function textKey(world: World, widget: Widget, chord: string): boolean {
  const text = widget.text ?? "";
  const [start, end] = widget.selection;
  const { caret } = widget;
  const length = lengthOf(text);
  const replace = (from: number, to: number, by: string) => {
    if (start !== end) replaceText(widget, start, end, by);
    else replaceText(widget, from, to, by);
    return true;
  };
  const move = (to: number) => {
    if (start !== end) selectText(widget, to, to);
    else moveCaret(widget, to);
    return true;
  };
  if (lengthOf(chord) === 1) return replace(caret, caret, chord);
  switch (chord) {
    case "Space":
      return replace(caret, caret, " ");
    case "Return":
      if (widget.kind === "textarea") return replace(caret, caret, "\n");
      widget.app.behaviour.press?.(widget.key);
      return false; // the default button of the window gets it too
    case "Tab":
      return widget.kind === "textarea" && replace(caret, caret, "\t");
    case "BackSpace":
      return replace(Math.max(0, caret - 1), caret, "");
    case "Delete":
      return replace(caret, caret + 1, "");
    case "Left":
      return move(caret - 1);
    case "Right":
      return move(caret + 1);
    case "Home":
    case "ctrl+Home":
      return move(0);
    case "End":
    case "ctrl+End":
      return move(length);
    case "shift+Home":
      return keep(() => selectText(widget, start === end ? caret : end, 0));
    case "shift+End":
      return keep(() => selectText(widget, start === end ? caret : start, length));
    case "ctrl+a":
      return keep(() => selectText(widget, 0, length));
    case "ctrl+c":
    case "ctrl+x":
      if (widget.secret || start === end) return true;
      world.writeClipboard(cut(text, start, end));
      return chord === "ctrl+c" || replace(start, end, "");
    case "ctrl+v":
      return world.clipboard === undefined || replace(caret, caret, world.clipboard);
    case "ctrl+z":
      return widget.history !== undefined && keep(() => undoText(widget));
    case "ctrl+shift+z":
    case "ctrl+y":
      return widget.history !== undefined && keep(() => undoText(widget, true));
    default:
      return false;
  }
}

function keep(act: () => void): true {
  act();
  return true;
}

function valueKey(widget: Widget, chord: string): boolean {
  const { value } = widget;
  if (!value) return false;
  const steps: Record<string, number> = { Up: 1, Right: 1, Down: -1, Left: -1, PageUp: 10, PageDown: -10 };
  const by = steps[chord];
  if (by !== undefined) setValue(widget, value.current + by * value.step);
  else if (chord === "Home") setValue(widget, value.minimum);
  else if (chord === "End") setValue(widget, value.maximum);
  else return false;
  return true;
}

function radioKey(window: SimulatedWindow, widget: Widget, chord: string): boolean {
  const by = chord === "Down" || chord === "Right" ? 1 : chord === "Up" || chord === "Left" ? -1 : 0;
  if (by === 0) return false;
  const group = [...widget.app.all()].filter((one) => one.from.group === widget.from.group && one.usable());
  const next = group[(group.indexOf(widget) + by + group.length) % group.length];
  if (!next) return false;
  widget.app.shared.restack(() => window.focus = next);
  setChecked(next, true);
  return true;
}

function choiceKey(chooser: Widget, chord: string): boolean {
  const back = chord === "Up" || chord === "Left";
  const step = chord === "Down" || chord === "Right" ? 1 : back ? -1 : 0;
  if (step === 0) return false;
  const chosen = [...chooser.chosen ?? []];
  const count = chooser.from.recycling ? chooser.from.options?.length ?? 0 : optionsOf(chooser).length;
  const at = back ? chosen[0] : chosen.at(-1);
  const to = at === undefined ? 0 : Math.max(0, Math.min(count - 1, at + step));
  if (count > 0) choose(chooser, [to]);
  return true;
}
