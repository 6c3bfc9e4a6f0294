import { buildSnapshot, type NodeDescription } from "../../desktop/build.ts";
import type { Application } from "../../desktop/desktop.ts";
import { Interface } from "../../desktop/interfaces.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import type { Picture } from "./picture.ts";
import type { Walk } from "./walk.ts";

/** Applications of each toolkit, for tests. */
export const GTK3: Application = {
  bus: ":1.5",
  name: "app",
  pid: 42,
  toolkit: "gtk",
  toolkitVersion: "3.24.38",
};
export const GTK4: Application = {
  bus: ":1.5",
  name: "app",
  pid: 42,
  toolkit: "GTK",
  toolkitVersion: "4.8.3",
};
export const CHROMIUM: Application = {
  bus: ":1.5",
  name: "app",
  pid: 42,
  toolkit: "Chromium",
  toolkitVersion: "1",
};
export const QT: Application = {
  bus: ":1.5",
  name: "app",
  pid: 42,
  toolkit: "Qt",
  toolkitVersion: "5.15",
};

/** A tree for a rule, and what else it needs. */
export interface Example {
  readonly of?: Application;
  /** What the window holds. */
  readonly holds: readonly NodeDescription[];
  /** Default: "Window". */
  readonly title?: string;
  /** Text and ground, which a picture of the window shows at the place of the first label. */
  readonly ink?: readonly [text: number, ground: number];
  readonly walk?: Walk;
}

const WINDOW = { x: 0, y: 0, width: 400, height: 300 };

/** The snapshot of an example: an application, a window and what it holds, in rows 0, 1 and 2 on. */
export function sceneOf({ of = GTK3, holds, title = "Window" }: Example): Snapshot {
  return buildSnapshot(
    { role: "application", children: [{ role: "frame", name: title, rect: WINDOW, children: holds }] },
    of,
  );
}

/** Strokes two pixels wide on an even ground. */
export function pictureOf([text, ground]: readonly [number, number]): Picture {
  const { width, height } = WINDOW;
  const rgba = new Uint8Array(4 * width * height);
  for (let at = 0; at < width * height; at++) {
    const x = at % width, y = Math.floor(at / width);
    const colour = x % 6 < 2 && y % 16 > 3 ? text : ground;
    rgba.set([(colour >> 16) & 255, (colour >> 8) & 255, colour & 255, 255], 4 * at);
  }
  return { frame: { width, height, rgba }, x: 0, y: 0, window: 1 };
}

/** Something that can be pressed, as toolkits tell it. */
export const button = (more: Partial<NodeDescription> = {}): NodeDescription => ({
  role: "pushButton",
  name: "Save",
  actions: ["click"],
  also: ["focusable"],
  rect: { x: 10, y: 10, width: 80, height: 30 },
  ...more,
});

/** A label of one line, 17 pixels high. */
export const label = (more: Partial<NodeDescription> = {}): NodeDescription => ({
  role: "label",
  name: "Words to read",
  text: "Words to read",
  rect: { x: 20, y: 40, width: 90, height: 17 },
  ...more,
});

/** A field that a text can be written into. */
export const entry = (more: Partial<NodeDescription> = {}): NodeDescription => ({
  role: "entry",
  text: "",
  also: ["focusable", "editable"],
  interfaces: Interface.text | Interface.editableText,
  rect: { x: 10, y: 60, width: 120, height: 30 },
  ...more,
});
