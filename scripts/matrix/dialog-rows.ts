import { type More, press } from "./more.ts";
import type { Row, Stage } from "./rows.ts";

/** Keys to the default button of a dialog, or the submit button of a form, with the keys in its field. */
function field(control: "default" | "form", key: "answer" | "reason"): More[] {
  const scene = control === "default" ? { open: "dialog" } as const : { focus: key };
  const row = (by: string, way: string, acts: Row["acts"]): More => ({
    id: `${way}: ${control}`,
    by,
    control,
    scene,
    acts,
  });
  const input = { query: ({ query }: Stage) => query(key) };
  return [
    ...["Return", "kpenter", "re-turn", "KP_Enter", "shift+Home Return"].map((one) =>
      row("ax_key_press", `ax_key_press ${one}`, ({ app }) => [press(app, one)])
    ),
    row("ax_key_press", "ax_key_press without an application Return", () => [{
      tool: "ax_key_press",
      args: { key: "Return" },
    }]),
    ...["x\n", "\n", "\r", "x\r\n"].flatMap((text) => {
      const shown = JSON.stringify(text);
      return [
        row("ax_type", `ax_type ${shown} into the field`, (stage) => [{
          tool: "ax_type",
          args: { app: stage.app, query: input.query(stage), text, mode: "focus" },
        }]),
        row("ax_type", `ax_type ${shown}`, ({ app }) => [{ tool: "ax_type", args: { app, text } }]),
      ];
    }),
    row(
      "ax_click",
      "ax_click the field",
      (stage) => [{ tool: "ax_click", args: { app: stage.app, query: input.query(stage), mode: "focus" } }],
    ),
    row("ax_set_value", "ax_set_value the field", (stage) => [{
      tool: "ax_set_value",
      args: { app: stage.app, query: input.query(stage), value: "x\n" },
    }]),
    row("ax_clipboard", "ax_clipboard, ctrl+v Return", ({ app }) => [
      { tool: "ax_clipboard", args: { action: "write", text: "x\n" } },
      press(app, "ctrl+v Return"),
    ]),
    row(
      "command",
      "command press numpadenter",
      () => [{ operation: "press", input: { keys: "numpadenter" } }],
    ),
    row("command", "command type into the field", (stage) => [{
      operation: "type",
      input: { text: "x\n", into: input.query(stage) },
    }]),
    row(
      "command",
      "command click the field",
      (stage) => [{ operation: "click", input: { target: input.query(stage) } }],
    ),
    row(
      "workflow file",
      "workflow type",
      (stage) => [{ steps: [{ type: { text: "x\n", into: input.query(stage) } }] }],
    ),
    row("workflow file", "workflow press Return", () => [{ steps: [{ press: "Return" }] }]),
  ];
}

/** The default button of a dialog, and of a form. */
export const DIALOG_ROWS: readonly More[] = [
  ...field("default", "answer"),
  ...field("form", "reason"),
  {
    id: "ax_click the button: default",
    by: "ax_click",
    control: "default",
    scene: { open: "dialog" },
    acts: (
      { app },
    ) => [{ tool: "ax_click", args: { app, query: 'button[name="Delete For Good"]', mode: "focus" } }],
  },
];
