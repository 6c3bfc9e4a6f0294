import type { Json } from "../../base/error.ts";
import type { Kind } from "./kinds.ts";
import type { SimulatedApplication } from "./application.ts";

/** One widget as data. What is left out is what its kind says. */
export interface WidgetDescription {
  readonly kind: Kind;
  /** The name by which behaviour, faults and tests speak of it; unique in its application. Default: its `id`. */
  readonly key?: string;
  /** The accessible name. */
  readonly name?: string;
  readonly description?: string;
  /** The accessible id; most toolkits give none. */
  readonly id?: string;
  readonly text?: string;
  readonly value?: number;
  /** Of a value; default 0, 100 and 1. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
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
  readonly attributes?: Readonly<Record<string, string>>;
  /** How a panel, menu bar or window lays out what is in it. Default "column". */
  readonly layout?: "column" | "row" | { readonly grid: number };
  readonly width?: number;
  readonly height?: number;
  readonly children?: readonly WidgetDescription[];
}

/** One top-level window as data. */
export interface WindowDescription {
  readonly key: string;
  readonly kind?: "window" | "dialog";
  readonly title: string;
  /** Opened at the start. Default: the first window of an application is, others are not. */
  readonly open?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly children: readonly WidgetDescription[];
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
  readonly id: string;
  readonly name: string;
  /** Default "gtk". */
  readonly toolkit?: string;
  /** Default "3.24". */
  readonly toolkitVersion?: string;
  readonly windows: readonly WindowDescription[];
  /** Called once for each launch; what it closes over is the state of that run. */
  readonly behave?: (application: SimulatedApplication) => Behaviour;
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
  behave?: (application: SimulatedApplication) => Behaviour,
): ApplicationDescription {
  return {
    id,
    name: id,
    windows: [{ key: "main", title: id, children: widgets }],
    ...(behave ? { behave } : {}),
  };
}
