import type { Place, Scene } from "./application.ts";
import type { Act } from "./columns.ts";
import { CHORDS, CONFIRMING_KEYS, OTHER_KEYS } from "./keys.ts";
import { CONTEXT_ROWS, DIALOG_ROWS, MENU_ROWS, type More, OTHER_ROWS } from "./more-rows.ts";
import { TEXTS } from "./texts.ts";
import { type Control, CONTROLS, type Toolkit } from "./toolkits.ts";

/** Where controls are, and whom to ask for them. */
export interface Stage {
  readonly app: string;
  place(key: string): Place;
  query(key: string): string;
}

/** One way to one control. In each column it is a cell; where the act may happen, its twin. */
export interface Row {
  /** Names it for good: "ax_key_press Return: button". */
  readonly id: string;
  /** A tool of the server, or "command", "workflow file". */
  readonly by: string;
  readonly control: Control;
  readonly scene: Scene;
  /** Keys that the stage presses itself before: what opens a menu, say. */
  readonly before?: readonly (readonly string[])[];
  /** Done before with a person's consent. */
  readonly first?: (stage: Stage) => readonly Act[];
  readonly acts: (stage: Stage) => readonly Act[];
  /** It belongs to the chosen part that every run of the tests does. */
  readonly chosen: boolean;
}

/** Controls that a click does what they are for. */
const CLICKED: readonly Control[] = CONTROLS.filter((one) =>
  !["removed", "menu", "context", "default", "trash", "terminal", "combo"].includes(one)
);
/** Controls that can have the keys. */
const KEYED: readonly Control[] = [
  ...CLICKED.filter((one) => one !== "form"),
  "combo",
  "terminal",
];
/** Of controls that are alike, the one that stands for the others in the chosen part. */
const ALIKE: ReadonlySet<Control> = new Set(["japanese", "variation", "filler", "hyphen"]);

const click = ({ app, query }: Stage, key: string) => ({ app, query: query(key) });

function clicks(control: Control): Row[] {
  const key = control === "form" ? "submit" : control;
  const row = (by: string, way: string, acts: Row["acts"], chosen: boolean): Row => ({
    id: `${way}: ${control}`,
    by,
    control,
    scene: {},
    acts,
    chosen,
  });
  const tool = (
    name: string,
    way: string,
    args: (stage: Stage) => { [name: string]: string | number },
    chosen = false,
  ) => [
    row(name, way, (stage) => [{ tool: name, args: args(stage) }], chosen),
  ];
  const near = ({ place }: Stage) => {
    const { x, y } = place(key);
    return { from_x: x, from_y: y, to_x: x + 2, to_y: y + 1, duration_ms: 20 };
  };
  const first = !ALIKE.has(control);
  const button = control === "button";
  return [
    ...(control === "canvas" ? [] : [
      ...tool("ax_click", "ax_click", (stage) => click(stage, key), true),
      ...tool(
        "ax_click",
        "ax_click double",
        (stage) => ({ ...click(stage, key), click_type: "double" }),
        button,
      ),
      ...tool(
        "ax_click",
        "ax_click focus",
        (stage) => ({ ...click(stage, key), mode: "focus" }),
      ),
      ...tool("ax_drag", "ax_drag onto itself", (stage) => ({
        app: stage.app,
        from_query: stage.query(key),
        to_query: stage.query(key),
        duration_ms: 20,
      })),
      row(
        "ax_click",
        "ax_click as a task",
        (stage) => [{ tool: "ax_click", args: click(stage, key), task: true }],
        button,
      ),
      row(
        "ax_workflow",
        "ax_workflow of ax_click",
        (
          stage,
        ) => [{ tool: "ax_workflow", args: { steps: [{ tool: "ax_click", args: click(stage, key) }] } }],
        button,
      ),
      row(
        "command",
        "command click",
        ({ query }) => [{ operation: "click", input: { target: query(key) } }],
        first,
      ),
      row("workflow file", "workflow click", ({ query }) => [{ steps: [{ click: query(key) }] }], button),
    ]),
    ...tool("ax_click_at", "ax_click_at", ({ place }) => ({ ...place(key) }), first),
    ...tool(
      "ax_drag",
      "ax_drag by two pixels",
      (stage) => ({ app: stage.app, ...near(stage) }),
      button || control === "canvas",
    ),
    row(
      "ax_workflow",
      "ax_workflow of ax_click_at",
      (
        { place },
      ) => [{ tool: "ax_workflow", args: { steps: [{ tool: "ax_click_at", args: { ...place(key) } }] } }],
      false,
    ),
    row(
      "command",
      "command click-at",
      ({ place }) => [{ operation: "click-at", input: { ...place(key) } }],
      first,
    ),
    row(
      "workflow file",
      "workflow click_at",
      ({ place }) => [{ steps: [{ click_at: { ...place(key) } }] }],
      button,
    ),
    row(
      "command",
      "command drag by two pixels",
      (stage) => {
        const { x, y } = stage.place(key);
        return [{ operation: "drag", input: { from: { x, y }, to: { x: x + 2, y: y + 1 }, duration: 20 } }];
      },
      button,
    ),
  ];
}

/** A text that a key is named with, as it stands in an id. */
const shown = (text: string) =>
  JSON.stringify(text).slice(1, -1).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );

function keys(control: Control): Row[] {
  const press = (key: string, chosen: boolean): Row => ({
    id: `ax_key_press ${shown(key)}: ${control}`,
    by: "ax_key_press",
    control,
    scene: { focus: control },
    acts: ({ app }) => [{ tool: "ax_key_press", args: { app, key } }],
    chosen,
  });
  const command = (key: string, chosen: boolean): Row => ({
    id: `command press ${shown(key)}: ${control}`,
    by: "command",
    control,
    scene: { focus: control },
    acts: () => [{ operation: "press", input: { keys: key } }],
    chosen,
  });
  if (control !== "button") {
    const few = ["Return", "spacebar", ...(control === "combo" ? ["Down", "End", "Return Down Return"] : [])];
    return [
      ...few.map((key) => press(key, !ALIKE.has(control))),
      ...few.map((key) => command(key, key !== "Return" && !ALIKE.has(control))),
    ];
  }
  const scene = { focus: control };
  const about = { control, scene, chosen: true };
  return [
    ...CONFIRMING_KEYS.map((key, n) => press(key, n % 3 === 0)),
    ...CHORDS.map((key, n) => press(key, n % 2 === 0)),
    ...OTHER_KEYS.map((key) => press(key, false)),
    ...CONFIRMING_KEYS.map((key, n) => command(key, n % 6 === 0)),
    ...CHORDS.map((key) => command(key, false)),
    // With the keys beside it, and brought there by the sequence itself.
    { ...press("Tab Return", true), id: "ax_key_press Tab Return: button", scene: { focus: "anchor" } },
    { ...press("Tab spacebar", true), id: "ax_key_press Tab spacebar: button", scene: { focus: "anchor" } },
    {
      ...press("shift+Tab space", true),
      id: "ax_key_press shift+Tab space: button",
      scene: { focus: "after" },
    },
    {
      ...command("Tab numpadenter", true),
      id: "command press Tab numpadenter: button",
      scene: { focus: "anchor" },
    },
    {
      ...command("shift+Tab space", true),
      id: "command press shift+Tab space: button",
      scene: { focus: "after" },
    },
    ...CONFIRMING_KEYS.map((key, n): Row => ({
      ...about,
      id: `ax_key_press without an application ${shown(key)}: button`,
      by: "ax_key_press",
      acts: () => [{ tool: "ax_key_press", args: { key } }],
      chosen: n % 6 === 1,
    })),
    ...["shift", "ctrl", "cmd"].map((modifier): Row => ({
      ...about,
      id: `ax_key_press space with ${modifier}: button`,
      by: "ax_key_press",
      acts: ({ app }) => [{ tool: "ax_key_press", args: { app, key: "space", modifiers: [modifier] } }],
    })),
    {
      ...about,
      id: "ax_key_press as a task spacebar: button",
      by: "ax_key_press",
      acts: ({ app }) => [{ tool: "ax_key_press", args: { app, key: "spacebar" }, task: true }],
    },
    ...["KP-Enter", "spacebar"].map((key): Row => ({
      ...about,
      id: `ax_workflow of ax_key_press ${key}: button`,
      by: "ax_workflow",
      acts: (
        { app },
      ) => [{ tool: "ax_workflow", args: { steps: [{ tool: "ax_key_press", args: { app, key } }] } }],
    })),
    {
      ...about,
      id: "command press into it, space: button",
      by: "command",
      scene: {},
      acts: ({ query }) => [{ operation: "press", input: { keys: "space", into: query("button") } }],
    },
    {
      ...about,
      id: "workflow press spacebar: button",
      by: "workflow file",
      acts: () => [{ steps: [{ press: "spacebar" }] }],
    },
    {
      ...about,
      id: "workflow undo by press spacebar: button",
      by: "workflow file",
      acts: () => [{
        steps: [{
          transaction: {
            name: "taken back",
            steps: [
              { press: "F15", undo: [{ press: "spacebar" }] },
              { assert: { target: '[id="nothing has this id"]', exists: true, timeout: 0 } },
            ],
          },
        }],
      }],
    },
  ];
}

function texts(control: Control): Row[] {
  const some = control === "button" ? TEXTS : TEXTS.filter((text) => text === " " || text === "\n");
  const scene = { focus: control };
  const chosen = (n: number) => control === "button" || (n === 0 && !ALIKE.has(control));
  return some.flatMap((text, n): Row[] => [
    {
      id: `ax_type "${shown(text)}": ${control}`,
      by: "ax_type",
      control,
      scene,
      acts: ({ app }) => [{ tool: "ax_type", args: { app, text } }],
      chosen: chosen(n),
    },
    ...(control === "canvas" ? [] : [{
      id: `ax_type "${shown(text)}" into it: ${control}`,
      by: "ax_type",
      control,
      scene,
      acts: (stage: Stage) => [{ tool: "ax_type", args: { ...click(stage, control), text, mode: "focus" } }],
      chosen: control === "button" && n % 2 === 0,
    }]),
    {
      id: `command type "${shown(text)}": ${control}`,
      by: "command",
      control,
      scene,
      acts: () => [{ operation: "type", input: { text } }],
      chosen: control === "button" && n % 3 === 0,
    },
  ]);
}

function rowsOf(more: More): Row {
  return { chosen: true, scene: {}, ...more };
}

/** Every way to every control of a toolkit, made from the lists of what there is. */
export function rowsFor(toolkit: Toolkit): readonly Row[] {
  const has = (control: Control) => toolkit.lacks[control] === undefined;
  const rows = [
    ...CLICKED.filter(has).flatMap(clicks),
    ...KEYED.filter(has).flatMap(keys),
    ...KEYED.filter(has).flatMap(texts),
    ...[...DIALOG_ROWS, ...MENU_ROWS, ...CONTEXT_ROWS, ...OTHER_ROWS].filter(({ control }) => has(control))
      .map(rowsOf),
  ];
  const ids = new Set(rows.map(({ id }) => id));
  if (ids.size < rows.length) throw new Error("two rows of the matrix have one name");
  return rows;
}
