import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The toolkits that histories can be told on. */
export const TOOLKITS = ["gtk3", "gtk4", "qt", "chromium"] as const;
/** One of them. */
export type ToolkitName = typeof TOOLKITS[number];
/** What the form of the histories is made in: beside the toolkits, Qt Quick, and a page of WebKitGTK in a window of GTK 3. */
export const FORMS = [...TOOLKITS, "quick", "webkit"] as const;
/** One of them. */
export type FormName = typeof FORMS[number];

/** What is particular to a toolkit: how its fixture starts, and what its tree calls otherwise (docs/reference/toolkits.md). */
export interface Toolkit {
  readonly name: FormName;
  /** The command of the form, with `FOLDER` where its account lies. */
  readonly form: string;
  /** The command of the other application. */
  readonly other: string;
  /** How commands reach it: a named pipe, or a file that is read again and again. */
  readonly channel: "pipe" | "script";
  /** What must be there, and the Debian package it comes from. */
  readonly needs: readonly (readonly [file: string, from: string])[];
  /** What must be written otherwise in a workflow, as JSON: for the simulated desktop, and for this toolkit. */
  readonly words: readonly Rewording[];
  /** What is told otherwise on both desktops, since this toolkit lacks what the stories are about. Default: nothing. */
  readonly onBoth?: readonly Rewording[];
  /** The list of a combo box is a window of its own that has all keys while it is open. Default: not so. */
  readonly listsHoldKeys?: true;
}

/** A part of a workflow, as JSON, and what stands there instead. */
export type Rewording = readonly [from: string, to: string];

const folder = fileURLToPath(new URL("../../../tests/fixtures/histories", import.meta.url));
const TYPELIBS = "/usr/lib/x86_64-linux-gnu/girepository-1.0";
const PYTHON = "/usr/bin/python3";

const python = (file: string, ...args: string[]) =>
  [PYTHON, "-B", join(folder, file), "FOLDER", ...args].join(" ");

/** A selector as it stands inside of a JSON text. */
const inside = (selector: string) => JSON.stringify(selector).slice(1, -1);

/** A dialog of a page is no window, which would tell that it stands: what closes it says so. */
const DIALOG_OF_A_PAGE: readonly Rewording[] = [
  [
    JSON.stringify({ undo: [{ press: "Escape" }] }).slice(1, -1),
    JSON.stringify({
      undo: { guard: { exists: 'dialog[name="Question"]' }, steps: [{ press: "Escape" }] },
    })
      .slice(1, -1),
  ],
];

const ALL: Readonly<Record<FormName, Toolkit>> = {
  gtk3: {
    name: "gtk3",
    form: python("gtk3.py"),
    other: python("gtk3.py", "--other"),
    channel: "pipe",
    needs: [[`${TYPELIBS}/Gtk-3.0.typelib`, "gir1.2-gtk-3.0"], [
      "/usr/lib/python3/dist-packages/gi",
      "python3-gi",
    ]],
    words: [],
  },
  gtk4: {
    name: "gtk4",
    form: python("gtk4.py"),
    other: python("gtk4.py", "--other"),
    channel: "pipe",
    needs: [[`${TYPELIBS}/Gtk-4.0.typelib`, "gir1.2-gtk-4.0"], [
      "/usr/lib/python3/dist-packages/gi",
      "python3-gi",
    ]],
    // What is inside of a check box has its name too; a radio button is told as a check box, which a click unchecks.
    words: [
      ...["Red", "Green", "Blue"].map((name) =>
        [
          JSON.stringify({ click: `[name="${name}"]` }).slice(1, -1),
          JSON.stringify({ set: { target: `checkbox[name="${name}"]`, value: true } }).slice(1, -1),
        ] as const
      ),
      [inside('[name="Wrap"]'), inside('checkbox[name="Wrap"]')],
    ],
  },
  qt: {
    name: "qt",
    form: python("qt5.py"),
    other: python("qt5.py", "--other"),
    channel: "pipe",
    needs: [["/usr/lib/python3/dist-packages/PyQt5/QtWidgets.abi3.so", "python3-pyqt5"]],
    // A combo box of Qt is called after what it shows.
    words: [[inside('[name="Language"]'), "combobox"]],
  },
  chromium: {
    name: "chromium",
    form: [
      "/usr/bin/chromium",
      "--enable-logging",
      "--log-file=FOLDER/console.log",
      "--disable-background-timer-throttling",
      "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows",
      "--window-size=600,780",
      "--app=file://FOLDER/form.html",
    ].join(" "),
    other: python("gtk3.py", "--other"),
    channel: "script",
    needs: [["/usr/bin/chromium", "chromium"], [`${TYPELIBS}/Gtk-3.0.typelib`, "gir1.2-gtk-3.0"]],
    // Its processes write over their environment, which would say as what they were launched.
    words: [
      ['"app":"hist.form"', '"app":"chromium"'],
      // What a label says is a text inside of it.
      ["label[name=", "statictext[name="],
    ],
    onBoth: DIALOG_OF_A_PAGE,
  },
  quick: {
    name: "quick",
    form: python("quick.py"),
    other: python("qt5.py", "--other"),
    channel: "pipe",
    needs: [
      ["/usr/lib/python3/dist-packages/PyQt5/QtWidgets.abi3.so", "python3-pyqt5"],
      ["/usr/lib/python3/dist-packages/PyQt6/QtQuick.abi3.so", "python3-pyqt6.qtquick"],
    ],
    // Qt Quick tells no name of a password field.
    words: [[inside('[name="Pin"]'), "passwordfield"]],
  },
  webkit: {
    name: "webkit",
    form: `${PYTHON} -B ${join(folder, "../webkit/host.py")} FOLDER/form.html FOLDER/console.log --bare`,
    other: python("gtk3.py", "--other"),
    channel: "script",
    needs: [[`${TYPELIBS}/WebKit2-4.1.typelib`, "gir1.2-webkit2-4.1"], [
      "/usr/lib/python3/dist-packages/gi",
      "python3-gi",
    ]],
    // What a label says is its text, and no name.
    words: [["label[name=", "label[text="]],
    onBoth: DIALOG_OF_A_PAGE,
    listsHoldKeys: true,
  },
};

/** A toolkit by its name. */
export function toolkit(name: FormName): Toolkit {
  return ALL[name];
}

/** The toolkit that somebody named; undefined when there is none. */
export function toolkitNamed(name: string): Toolkit | undefined {
  const found = FORMS.find((one) => one === name);
  return found && ALL[found];
}

/** The Debian packages that a toolkit's fixture wants and that are not installed. */
export function missingFor({ needs }: Pick<Toolkit, "needs">): string[] {
  return needs.filter(([file]) => !existsSync(file)).map(([, from]) => from);
}
