import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toolkit as historic, type ToolkitName } from "../histories/real/toolkits.ts";

export { type ToolkitName, TOOLKITS } from "../histories/real/toolkits.ts";

/** What destroys something in the application of the matrix: a control, and what its own handler calls itself in the account. */
export const CONTROLS = [
  "button",
  "german",
  "japanese",
  "variation",
  "joiner",
  "filler",
  "hyphen",
  "link",
  "check",
  "toggle",
  "switch",
  "combo",
  "row",
  "removed",
  "menu",
  "context",
  "default",
  "form",
  "trash",
  "canvas",
  "terminal",
  "mute",
] as const;
/** One of them. */
export type Control = typeof CONTROLS[number];

/** What finds a control, in most toolkits. The names are those of tests/fixtures/destructive/losses.py. */
const QUERIES: Readonly<Record<string, string>> = {
  anchor: 'button[name="Anchor"]',
  button: 'button[name="Delete All Data"]',
  german: 'button[name="Alles löschen"]',
  japanese: 'button[name="すべて削除"]',
  variation: 'button[name="D\ufe0felete with a selector"]',
  joiner: 'button[name="De\u034flete with a joiner"]',
  filler: 'button[name="Del\u3164ete with a filler"]',
  hyphen: 'button[name="Dele\u00adte with a hyphen"]',
  link: 'link[name="Delete account"]',
  check: 'checkbox[name="Delete history"]',
  toggle: 'togglebutton[name="Delete cookies"]',
  switch: '[name="Delete cache"]',
  combo: 'combobox[name="Policy"]',
  row: 'listitem[name="Delete the rows"]',
  context: 'button[name="More"]',
  document: '[name="Document"]',
  trash: '[name="Trash"]',
  terminal: '[name="Shell"]',
  answer: 'textfield[name="Answer"]',
  reason: 'textfield[name="Reason"]',
  submit: 'button[name="Delete my profile"]',
};

/** What finds a control in a toolkit. */
export function queryFor(toolkit: Toolkit, key: string): string {
  const query = toolkit.queries[key] ?? QUERIES[key];
  if (query === undefined) throw new Error(`nothing finds ${key}`);
  return query;
}

/** The application of the matrix in one toolkit. */
export interface Toolkit {
  readonly name: ToolkitName;
  /** The command, with `FOLDER` where its account lies. */
  readonly command: string;
  /** How commands reach it: a named pipe, or a file that is read again and again. */
  readonly channel: "pipe" | "script";
  /** As it calls itself on the accessibility bus. */
  readonly app: string;
  /** What opens its menu. With accessibility on, Qt hands a key on to it late: alt closes what alt+f has opened. */
  readonly menu: "alt+f" | "click";
  /** What must be there, and the Debian package it comes from. */
  readonly needs: readonly (readonly [file: string, from: string])[];
  /** Controls that the toolkit has no such thing for, and why. */
  readonly lacks: Readonly<Partial<Record<Control, string>>>;
  /** What finds a control, where its tree calls it otherwise than the others do. */
  readonly queries: Readonly<Record<string, string>>;
}

const folder = fileURLToPath(new URL("../../tests/fixtures/destructive", import.meta.url));

/** The page of the matrix, which a browser shows. */
export const PAGE = join(folder, "page.html");

const python = (file: string) => `/usr/bin/python3 -B ${join(folder, file)} FOLDER`;
const NO_FORM = "only a page has forms";
const NO_MUTE = "it is the window of GTK 3";
const NO_TERMINAL = "its widgets cannot be given the role of a terminal";

const ALL: Readonly<Record<ToolkitName, Omit<Toolkit, "name" | "needs">>> = {
  gtk3: {
    command: python("gtk3.py"),
    menu: "alt+f",
    channel: "pipe",
    app: "losses",
    lacks: { form: NO_FORM },
    // A link is told as a push button.
    queries: { link: 'button[name="Delete account"]' },
  },
  gtk4: {
    command: python("gtk4.py"),
    menu: "alt+f",
    channel: "pipe",
    app: "losses",
    lacks: { form: NO_FORM, terminal: NO_TERMINAL, mute: NO_MUTE },
    // A toggle button is told as a push button.
    queries: { toggle: 'button[name="Delete cookies"]' },
  },
  qt: {
    command: python("qt5.py"),
    menu: "click",
    channel: "pipe",
    app: "losses",
    lacks: {
      form: NO_FORM,
      terminal: NO_TERMINAL,
      mute: NO_MUTE,
      link: "a link is a part of a label's text",
      switch: "it has check boxes only",
    },
    // A combo box of Qt is called after what it shows, a toggle button told as a check box.
    queries: { combo: "combobox", toggle: 'checkbox[name="Delete cookies"]' },
  },
  chromium: {
    menu: "alt+f",
    command: historic("chromium").form.replace("form.html", "page.html").replace("600,780", "800,780"),
    channel: "script",
    app: "Chromium",
    lacks: { terminal: NO_TERMINAL, mute: NO_MUTE },
    queries: {},
  },
};

/** A toolkit by its name. */
export function toolkit(name: ToolkitName): Toolkit {
  return { name, needs: historic(name).needs, ...ALL[name] };
}
