import type { OwnDescription } from "../../src/desktop/simulated/application.ts";
import type { WidgetDescription } from "../../src/desktop/simulated/describe.ts";

/** Id of the application that histories happen to. */
export const FORM = "hist.form";
/** Id of a second one, which is launched and quit. */
export const OTHER = "hist.other";

/** What a widget of the form can be set to, and which of its properties that is. */
export type Aspect = "text" | "value" | "checked" | "chosen" | "name";

/** The property in which the state of each widget lies; every name is unique and begins with its key. */
export const ASPECTS: ReadonlyMap<string, Aspect> = new Map<string, Aspect>([
  ["alpha", "text"],
  ["beta", "text"],
  ["notes", "text"],
  ["pin", "text"],
  ["copies", "value"],
  ["level", "value"],
  ["wrap", "checked"],
  ["wifi", "checked"],
  ["red", "checked"],
  ["green", "checked"],
  ["blue", "checked"],
  ["language", "chosen"],
  ["rows", "chosen"],
  ["count", "name"],
  ["sent", "name"],
  ["echo", "name"],
]);

/** The radio buttons that exclude each other. */
export const COLOURS = ["red", "green", "blue"] as const;
/** The choices of the combo box and of the list. */
export const ITEMS = { language: ["Ada", "Bob", "Cyd"], rows: ["one", "two", "three", "four"] } as const;

const radio = (key: string, name: string, checked = false): WidgetDescription => ({
  kind: "radio",
  key,
  name,
  group: "colour",
  checked,
});

/** One of everything that bears state, a button that can be undone, one that cannot, and a dialog. */
export const form: OwnDescription = {
  id: FORM,
  name: "Form",
  windows: [
    {
      key: "main",
      title: "Form",
      height: 760,
      children: [
        { kind: "entry", key: "alpha", name: "Alpha", text: "a0" },
        { kind: "entry", key: "beta", name: "Beta" },
        { kind: "password", key: "pin", name: "Pin" },
        { kind: "spin", key: "copies", name: "Copies", value: 3, maximum: 99 },
        { kind: "slider", key: "level", name: "Level", value: 50, step: 5 },
        {
          kind: "panel",
          layout: "row",
          children: [
            { kind: "check", key: "wrap", name: "Wrap", checked: true, width: 90 },
            { kind: "switch", key: "wifi", name: "Wifi" },
          ],
        },
        {
          kind: "panel",
          name: "Colours",
          layout: "row",
          children: [radio("red", "Red", true), radio("green", "Green"), radio("blue", "Blue")],
        },
        { kind: "combo", key: "language", name: "Language", options: ITEMS.language, chosen: [0] },
        { kind: "list", key: "rows", name: "Rows", options: ITEMS.rows, height: 110 },
        { kind: "textarea", key: "notes", name: "Notes", text: "n0", height: 60 },
        {
          kind: "panel",
          layout: "row",
          children: [
            { kind: "button", key: "plus", name: "Plus" },
            { kind: "button", key: "minus", name: "Minus" },
            { kind: "button", key: "send", name: "Send" },
            { kind: "button", key: "open", name: "Open" },
          ],
        },
        { kind: "label", key: "count", name: "Count 0" },
        { kind: "label", key: "sent", name: "Sent 0" },
        { kind: "label", key: "echo", name: "Echo a0" },
      ],
    },
    {
      key: "question",
      kind: "dialog",
      title: "Question",
      children: [
        { kind: "entry", key: "answer", name: "Answer" },
        { kind: "button", key: "cancel", name: "Cancel" },
      ],
    },
  ],
  behave(app) {
    const number = (key: string) => Number(app.name(key).split(" ")[1] ?? 0);
    return {
      press(key) {
        if (key === "plus") app.setName("count", `Count ${number("count") + 1}`);
        if (key === "minus") app.setName("count", `Count ${number("count") - 1}`);
        if (key === "send") {
          app.setName("sent", `Sent ${number("sent") + 1}`);
          app.setText("beta", "");
        }
        if (key === "open") app.open("question");
        if (key === "cancel") app.closeWindow("question");
      },
      change(key) {
        if (key === "alpha") app.setName("echo", `Echo ${app.text("alpha")}`);
      },
    };
  },
};

/** Something that runs or does not. */
export const other: OwnDescription = {
  id: OTHER,
  name: "Other",
  windows: [{ key: "main", title: "Other", children: [{ kind: "label", key: "label", name: "Other" }] }],
};

/**
 * Both with every window beside the form, so that none covers another, and none modal: where a window comes is a window
 * manager's affair, and what a modal one keeps from whom a toolkit's.
 */
export const besideEachOther: readonly OwnDescription[] = [form, other].map((application) => ({
  ...application,
  windows: application.windows.map((window) =>
    window.title === "Form" ? window : { ...window, x: 850, width: 200, modal: false }
  ),
}));
