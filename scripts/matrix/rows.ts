import type { Place, Scene } from "./application.ts";
import type { Act } from "./columns.ts";
import { CHORDS, CONFIRMING_KEYS, CONFIRMING_NAMES, OTHER_KEYS } from "./keys.ts";
import { DIALOG_ROWS } from "./dialog-rows.ts";
import { DROP_ROWS } from "./drop-rows.ts";
import { CONTEXT_ROWS, MENU_ROWS } from "./menu-rows.ts";
import type { More } from "./more.ts";
import { MUTE_ROWS } from "./mute-rows.ts";
import { VALUE_ROWS } from "./value-rows.ts";
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
  /** Done by the stage itself before: the menu is open, or walked to the item that destroys. */
  readonly before?: "open" | "walked";
  /** Done before with a person's consent. */
  readonly first?: (stage: Stage) => readonly Act[];
  readonly acts: (stage: Stage) => readonly Act[];
}

/** Controls that a click does what they are for. */
const CLICKED: readonly Control[] = CONTROLS.filter((one) =>
  !["removed", "menu", "context", "default", "trash", "terminal", "combo", "mute"].includes(one)
);
/** Controls that can have the keys. */
const KEYED: readonly Control[] = [
  ...CLICKED.filter((one) => one !== "form"),
  "combo",
  "terminal",
];
/** Controls that every way is tried on; on the others those that differ from control to control. */
const THOROUGH: ReadonlySet<Control> = new Set(["button", "check", "canvas"]);

/** With everything that a click may use: in the background fewer ways are open. */
const click = ({ app, query }: Stage, key: string) => ({ app, query: query(key), mode: "focus" });

function clicks(control: Control): Row[] {
  const key = control === "form" ? "submit" : control;
  const row = (by: string, way: string, acts: Row["acts"]): Row => ({
    id: `${way}: ${control}`,
    by,
    control,
    scene: {},
    acts,
  });
  const near = ({ place }: Stage) => {
    const { x, y } = place(key);
    return { from_x: x, from_y: y, to_x: x + 2, to_y: y + 1, duration_ms: 20 };
  };
  const named = [
    row("ax_click", "ax_click", (stage) => [{ tool: "ax_click", args: click(stage, key) }]),
    row("ax_workflow", "ax_workflow of ax_click", (stage) => [{
      tool: "ax_workflow",
      args: { steps: [{ tool: "ax_click", args: click(stage, key) }] },
    }]),
    row("command", "command click", ({ query }) => [{ operation: "click", input: { target: query(key) } }]),
  ];
  const namedToo = [
    row("ax_click", "ax_click double", (stage) => [{
      tool: "ax_click",
      args: { ...click(stage, key), click_type: "double" },
    }]),
    row("ax_click", "ax_click focus", (stage) => [{
      tool: "ax_click",
      args: click(stage, key),
    }]),
    row("ax_click", "ax_click as a task", (stage) => [{
      tool: "ax_click",
      args: click(stage, key),
      task: true,
    }]),
    row("ax_drag", "ax_drag onto itself", (stage) => [{
      tool: "ax_drag",
      args: { app: stage.app, from_query: stage.query(key), to_query: stage.query(key), duration_ms: 20 },
    }]),
    row("workflow file", "workflow click", ({ query }) => [{ steps: [{ click: query(key) }] }]),
  ];
  const placed = [
    row("ax_click_at", "ax_click_at", ({ place }) => [{ tool: "ax_click_at", args: { ...place(key) } }]),
    row("command", "command click-at", ({ place }) => [{ operation: "click-at", input: { ...place(key) } }]),
  ];
  const placedToo = [
    row("ax_click_at", "ax_click_at double", ({ place }) => [{
      tool: "ax_click_at",
      args: { ...place(key), click_type: "double" },
    }]),
    row("ax_drag", "ax_drag by two pixels", (stage) => [{
      tool: "ax_drag",
      args: { app: stage.app, ...near(stage) },
    }]),
    row("ax_workflow", "ax_workflow of ax_click_at", ({ place }) => [{
      tool: "ax_workflow",
      args: { steps: [{ tool: "ax_click_at", args: { ...place(key) } }] },
    }]),
    row("workflow file", "workflow click_at", ({ place }) => [{ steps: [{ click_at: { ...place(key) } }] }]),
    row("command", "command drag by two pixels", ({ place }) => {
      const { x, y } = place(key);
      return [{ operation: "drag", input: { from: { x, y }, to: { x: x + 2, y: y + 1 }, duration: 20 } }];
    }),
  ];
  const thorough = THOROUGH.has(control);
  return [
    ...(control === "canvas" ? [] : [...named, ...(thorough ? namedToo : [])]),
    ...placed,
    ...(thorough ? placedToo : []),
  ];
}

/** A text as it stands in an id. */
const shown = (text: string) =>
  JSON.stringify(text).slice(1, -1).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );

function press(key: string, control: Control, focus: string = control): Row {
  return {
    id: `ax_key_press ${key}: ${control}`,
    by: "ax_key_press",
    control,
    scene: { focus },
    acts: ({ app }) => [{ tool: "ax_key_press", args: { app, key } }],
  };
}

function command(key: string, control: Control, focus: string = control): Row {
  return {
    id: `command press ${key}: ${control}`,
    by: "command",
    control,
    scene: { focus },
    acts: () => [{ operation: "press", input: { keys: key } }],
  };
}

/** On one button every key, in every spelling. */
function keysOnButton(): Row[] {
  const control = "button";
  const row = (by: string, way: string, acts: Row["acts"], scene: Scene = { focus: control }): Row => ({
    id: `${way}: ${control}`,
    by,
    control,
    scene,
    acts,
  });
  return [
    ...[...CONFIRMING_KEYS, ...CHORDS, ...OTHER_KEYS].map((key) => press(key, control)),
    // With the keys beside it, and brought there by the sequence itself.
    ...["Tab Return", "Tab spacebar"].map((key) => press(key, control, "anchor")),
    press("shift+Tab space", control, "after"),
    ...[...CONFIRMING_NAMES, "KP-Enter", "sp_ace", "re-turn", ...CHORDS].map((key) => command(key, control)),
    command("Tab numpadenter", control, "anchor"),
    command("shift+Tab space", control, "after"),
    ...CONFIRMING_NAMES.map((key) =>
      row("ax_key_press", `ax_key_press without an application ${key}`, () => [{
        tool: "ax_key_press",
        args: { key },
      }])
    ),
    ...["shift", "ctrl", "cmd"].map((modifier) =>
      row("ax_key_press", `ax_key_press space with ${modifier}`, ({ app }) => [{
        tool: "ax_key_press",
        args: { app, key: "space", modifiers: [modifier] },
      }])
    ),
    row("ax_key_press", "ax_key_press as a task spacebar", ({ app }) => [{
      tool: "ax_key_press",
      args: { app, key: "spacebar" },
      task: true,
    }]),
    ...["KP-Enter", "spacebar"].map((key) =>
      row("ax_workflow", `ax_workflow of ax_key_press ${key}`, ({ app }) => [{
        tool: "ax_workflow",
        args: { steps: [{ tool: "ax_key_press", args: { app, key } }] },
      }])
    ),
    row("command", "command press into it, space", ({ query }) => [{
      operation: "press",
      input: { keys: "space", into: query(control) },
    }], {}),
    row("workflow file", "workflow press spacebar", () => [{ steps: [{ press: "spacebar" }] }]),
    row("workflow file", "workflow undo by press spacebar", () => [{
      steps: [{
        transaction: {
          name: "rolled back",
          steps: [
            { press: { keys: "F15" }, undo: [{ press: "spacebar" }] },
            { assert: { target: '[id="nothing has this id"]', exists: true, timeout: 0 } },
          ],
        },
      }],
    }]),
    row("ax_set_value", "ax_set_value true", ({ app, query }) => [{
      tool: "ax_set_value",
      args: { app, query: query(control), value: "true" },
    }]),
  ];
}

function keys(control: Control): Row[] {
  if (control === "button") return keysOnButton();
  const few = ["Return", "spacebar", ...(control === "combo" ? ["Down", "End", "Return Down Return"] : [])];
  return [...few.map((key) => press(key, control)), command("spacebar", control)];
}

function texts(control: Control): Row[] {
  const row = (by: string, way: string, acts: Row["acts"]): Row => ({
    id: `${way}: ${control}`,
    by,
    control,
    scene: { focus: control },
    acts,
  });
  const typed = (text: string) =>
    row("ax_type", `ax_type "${shown(text)}"`, ({ app }) => [{ tool: "ax_type", args: { app, text } }]);
  const into = (text: string) =>
    row("ax_type", `ax_type "${shown(text)}" into it`, (stage) => [{
      tool: "ax_type",
      args: { ...click(stage, control), text, mode: "focus" },
    }]);
  const commanded = (text: string) =>
    row("command", `command type "${shown(text)}"`, () => [{ operation: "type", input: { text } }]);
  if (control === "button") return TEXTS.flatMap((text) => [typed(text), into(text), commanded(text)]);
  return [typed(" "), typed("\n"), ...(control === "canvas" ? [] : [into(" ")]), commanded(" ")];
}

function rowsOf(more: More): Row {
  return { scene: {}, ...more };
}

/** Every way to every control of a toolkit, made from the lists of what there is. */
export function rowsFor(toolkit: Toolkit): readonly Row[] {
  const has = (control: Control) => toolkit.lacks[control] === undefined;
  const rows = [
    ...CLICKED.filter(has).flatMap(clicks),
    ...KEYED.filter(has).flatMap(keys),
    ...KEYED.filter(has).flatMap(texts),
    ...[...DIALOG_ROWS, ...MENU_ROWS, ...CONTEXT_ROWS, ...VALUE_ROWS, ...DROP_ROWS, ...MUTE_ROWS].filter((
      { control },
    ) => has(control))
      .map(rowsOf),
  ];
  const ids = new Set(rows.map(({ id }) => id));
  if (ids.size < rows.length) throw new Error("two rows of the matrix have one name");
  return rows;
}
