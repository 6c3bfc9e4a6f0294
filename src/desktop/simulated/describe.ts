import type { Json } from "../../base/error.ts";
import type { Kind } from "./kinds.ts";

/** One widget as data. What is left out is what its kind says. */
export interface WidgetDescription {
  /** Says its role, its looks and what it does by itself. */
  readonly kind: Kind;
  /** The name by which behaviour, faults and tests speak of it; unique in its application. Default: its `id`. */
  readonly key?: string;
  /** The accessible name. */
  readonly name?: string;
  /** The accessible description; default none. */
  readonly description?: string;
  /** The accessible id; most toolkits give none. */
  readonly id?: string;
  /** Of an entry, password field or text area: what it holds at first. Default "". */
  readonly text?: string;
  /** Of a slider, spin button or progress bar: where it stands at first. Default: its minimum. */
  readonly value?: number;
  /** Of a value; default 0, 100 and 1. */
  readonly minimum?: number;
  /** Default 100. */
  readonly maximum?: number;
  /** Default 1. */
  readonly step?: number;
  /** Of a check box, switch, toggle or radio button. Default false. */
  readonly checked?: boolean;
  /** Radio buttons of one group exclude each other. */
  readonly group?: string;
  /** Of a combo box: its choices. Of a list: the texts of its rows. */
  readonly options?: readonly string[];
  /** Of a combo box, notebook or list: what is chosen at first. Default: 0 for a notebook, else nothing. */
  readonly chosen?: readonly number[];
  /** Of a list: more than one row can be chosen. */
  readonly multiple?: boolean;
  /** Of a list: only the rows in view exist, and keep their paths while what they show changes. */
  readonly recycling?: boolean;
  /** Of a push button in a dialog: Return presses it. */
  readonly isDefault?: boolean;
  /** Default true. */
  readonly visible?: boolean;
  /** Default true. */
  readonly sensitive?: boolean;
  /** What a toolkit would tell beside, such as { "level": "2" }. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** How a panel, menu bar or window lays out what is in it. Default "column". */
  readonly layout?: "column" | "row" | { readonly grid: number };
  /** In pixels; default: that of its kind. */
  readonly width?: number;
  /** In pixels; default: that of its kind. */
  readonly height?: number;
  /** What is in it, in order. */
  readonly children?: readonly WidgetDescription[];
}

/** One top-level window as data. */
export interface WindowDescription {
  /** The name by which behaviour and faults speak of it; unique in its application. */
  readonly key: string;
  /** Default "window". */
  readonly kind?: "window" | "dialog";
  /** Blocks the other windows of its application. Default: a dialog does. */
  readonly modal?: boolean;
  /** What its title bar says, and its accessible name. */
  readonly title: string;
  /** Opened at the start. Default: the first window of an application is, others are not. */
  readonly open?: boolean;
  /** In pixels; default 720, of a dialog 420. */
  readonly width?: number;
  /** In pixels; default 480, of a dialog 200. */
  readonly height?: number;
  /** Where its left edge is when it opens, in pixels; default: a little further right than the window before. */
  readonly x?: number;
  /** What is in it, in order. */
  readonly children: readonly WidgetDescription[];
}

/**
 * What a behaviour can ask of its application and do to it. Widgets and windows are named by their keys; an
 * unknown widget is an `internal` error. What sets something answers whether anything changed.
 */
export interface ApplicationControls {
  /** What an entry, text area, spin button or label shows; "" for what shows no text. */
  text(key: string): string;
  /** The accessible name: a label's words, a window's title. */
  name(key: string): string;
  /** Of a slider, spin button or progress bar; else 0. */
  value(key: string): number;
  /** Of a check box, switch, toggle or radio button; else false. */
  checked(key: string): boolean;
  /** Indices of what is chosen in a combo box, notebook or list, from 0; else empty. */
  chosen(key: string): number[];
  /** Replaces the text of an entry or text area. */
  setText(key: string, text: string): boolean;
  /** Changes what a label, button or window title says. */
  setName(key: string, name: string): boolean;
  /** Moves a slider, spin button or progress bar, within its range. */
  setValue(key: string, value: number): boolean;
  /** Sets a check mark; a radio button that is set clears the others of its group. */
  setChecked(key: string, checked: boolean): boolean;
  /** Makes these indices, from 0, the choice of a combo box, notebook or list. */
  choose(key: string, indices: readonly number[]): boolean;
  /** Lets a widget take input, or greys it out. */
  setSensitive(key: string, sensitive: boolean): boolean;
  /** Shows a widget or hides it. */
  setVisible(key: string, visible: boolean): boolean;
  /** Gives a widget the keyboard focus within its window. */
  focus(key: string): void;
  /** Is a window of the description open? */
  isOpen(key: string): boolean;
  /** Opens a window of the description with new widgets, or raises the one that is open. */
  open(key: string): void;
  /** Takes a window away; without windows the application ends. */
  closeWindow(key: string): void;
  /** Closes a window as a person would: `Behaviour.close` is asked first. */
  requestClose(key: string): void;
  /** Ends the application at once. */
  exit(): void;
}

/** What an application does beyond what its widgets do by themselves. Every part may be left out. */
export interface Behaviour {
  /** A button, link, menu item or row was pressed, or Return in an entry. */
  press?(key: string): void;
  /** The text, value, check mark or choice of a widget changed. */
  change?(key: string): void;
  /** A chord reached this window, before any widget of it: "ctrl+s", "Escape", "7". True: dealt with. */
  chord?(chord: string, window: string): boolean;
  /** A window is to close. True: dealt with, leave it. */
  close?(window: string): boolean;
  /** What only the application knows, for `world()`. */
  world?(): Json;
}

/** An application as data, with its behaviour. */
export interface ApplicationDescription {
  /** As a desktop entry would be called: "test.greeter". */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** Default "gtk". */
  readonly toolkit?: string;
  /** Default "3.24". */
  readonly toolkitVersion?: string;
  /** All it can open; the first is open from the start unless it says otherwise. */
  readonly windows: readonly WindowDescription[];
  /** Called once for each launch; what it closes over is the state of that run. */
  readonly behave?: (application: ApplicationControls) => Behaviour;
}

/**
 * A small application for a test: one window from a list of widgets, and what it does. The result goes to
 * `simulate({ applications: [...] })`.
 *
 * @example
 * ```ts
 * import { describeApplication } from "./describe.ts";
 * import { simulate } from "./simulate.ts";
 * const greeter = describeApplication("test.greeter", [
 *   { kind: "entry", key: "who", name: "Who" },
 *   { kind: "button", key: "greet", name: "Greet" },
 *   { kind: "label", key: "greeting" },
 * ], (application) => ({
 *   press(key) {
 *     if (key === "greet") application.setName("greeting", `Hello ${application.text("who")}`);
 *   },
 * }));
 * const desktop = simulate({ applications: [greeter] });
 * const [running] = await desktop.applications();
 * if (running?.name !== "test.greeter") throw new Error();
 * await desktop.close();
 * ```
 */
export function describeApplication(
  id: string,
  widgets: readonly WidgetDescription[],
  behave?: (application: ApplicationControls) => Behaviour,
): ApplicationDescription {
  return {
    id,
    name: id,
    windows: [{ key: "main", title: id, children: widgets }],
    ...(behave ? { behave } : {}),
  };
}
