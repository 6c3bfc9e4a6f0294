/**
 * Writes docs/reference/audit-findings.md: what the audit says of real applications on a private desktop, as they are
 * installed here. Run by hand: `deno run -A scripts/audit-findings.ts`.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { audit, AuditOutput } from "../src/operations/audit.ts";
import { waitIdle } from "../src/operations/wait-idle.ts";
import { hiddenInChromium } from "./audit-coverage.ts";
import { wrapped } from "./words/wrap.ts";
import { openSession } from "../src/session/open-session.ts";

interface Subject {
  /** The program. */
  readonly app: string;
  readonly args?: readonly string[];
  /** The package that it is from. */
  readonly from: string;
  /** Its windows come to rest. */
  readonly rests: boolean;
  /** What was seen of its findings when they were looked at by hand: by rule. */
  readonly seen?: Readonly<Record<string, string>>;
}

const GALLERY = "/usr/lib/x86_64-linux-gnu/qt5/examples/widgets/gallery/gallery";
const PLAIN = "True: the program shows its widgets without labels.";
/** Of a gallery of widgets, which has each of them and a label for none. */
const UNNAMED = {
  label: PLAIN,
  "select-name": PLAIN,
  "input-field-name": PLAIN,
  "meter-name": PLAIN,
  "progressbar-name": PLAIN,
  "toggle-field-name": PLAIN,
};

const SUBJECTS: readonly Subject[] = [
  {
    app: "gnome-calculator",
    from: "gnome-calculator",
    rests: true,
    seen: { label: "True: the display, into which people type, has neither a name nor a label." },
  },
  {
    app: "gedit",
    from: "gedit",
    rests: true,
    seen: { label: "True: the text that people write has neither a name nor a label." },
  },
  {
    app: "gtk3-widget-factory",
    from: "gtk-3-examples",
    rests: false,
    seen: {
      "button-name": "True: the buttons of a picture alone have no name.",
      ...UNNAMED,
      "window-title": "True: the window has buttons in place of a title, and its element no name.",
    },
  },
  {
    app: "gtk4-widget-factory",
    from: "gtk-4-examples",
    rests: false,
    seen: {
      "button-name":
        "True: the icon in a field, the volume and the menu are pictures; GTK gives them the name of their class.",
      "image-alt": "True: the picture has no description.",
      ...UNNAMED,
      "color-contrast":
        "True: the theme mixes the colour of these words half with their ground (#979a9b on white).",
      "keyboard-reachable":
        "True of the tree: Tab went round and did not stop at the button of the media controls.",
    },
  },
  {
    app: "qt6ct",
    from: "qt6ct",
    rests: true,
    seen: {
      label: "True: the field of the preview has no label.",
      "input-field-name": "True: the number of the preview has no label.",
      "progressbar-name": "True: the bar of the preview has no name.",
      "keyboard-reachable":
        "True of the tree: the window in the preview takes no Tab; it is there to be looked at.",
    },
  },
  {
    app: GALLERY,
    from: "qtbase5-examples",
    rests: true,
    seen: {
      "button-name": "True: the cross in the password field, which clears it, is a picture without a name.",
      "label-title-only": "True: a tooltip is the only text that belongs to the field.",
    },
  },
  {
    app: "soffice",
    args: ["--writer", "--norestore", "--nologo"],
    from: "libreoffice-writer",
    rests: false,
    seen: {
      label:
        "True of the tree: the combo box's name is on a panel around it, and the field that takes the focus has none.",
      "toggle-field-name":
        "True of the tree: the box around each button of the sidebar, or of a combo box, is named, and the button that takes the focus is not.",
    },
  },
];

/** A progress bar of the widget factory never rests: its window is there, which is enough. */
async function judge({ app: program, args = [], rests }: Subject): Promise<AuditOutput> {
  const session = await openSession({ kind: "isolated" });
  try {
    const { applicationName: app } = await session.launcher.launch(program, { args, timeout: 60_000 });
    const gate = new Gate({ operations: [audit, waitIdle], session, folder: "/", ports: OPEN_PORTS });
    const options = { app, timeout: 60_000 };
    if (rests) await gate.dispatch({ operation: "wait-idle", input: {} }, options);
    const input = { scope: "full", standards: ["wcag_aa", "section508"], keyboard: true, must_pass: false };
    const { output } = await gate.dispatch({ operation: "audit", input }, options);
    return AuditOutput.parse(output);
  } finally {
    await session.close();
  }
}

const versionOf = (from: string) =>
  execFileSync("dpkg-query", ["-W", "-f=${Version}", from], { encoding: "utf8" }).trim();
const cellOf = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function tableOf(findings: AuditOutput["issues"], decides: boolean): string {
  if (findings.length === 0) return "None.";
  const rows = findings.map(({ severity, rule, wcag, element, description, ...rest }) =>
    `| ${severity} | \`${rule}\`${decides && !rest.decides ? " (advisory)" : ""} | ${wcag ?? ""} | \`${
      cellOf(element)
    }\` | ${cellOf(description)} |`
  );
  return ["| severity | rule | WCAG | element | what |", "|---|---|---|---|---|", ...rows].join("\n");
}

const parts: string[] = [];
for (const subject of SUBJECTS) {
  const { from, seen = {} } = subject;
  const app = basename(subject.app);
  const reported = await judge(subject);
  const rules = [...new Set(reported.issues.map(({ rule }) => rule))];
  const looked = rules.map((rule) => `| \`${rule}\` | ${seen[rule] ?? "not looked at"} |`);
  console.log(`${app}: ${reported.summary}`);
  parts.push(
    `## ${app}`,
    `${from} ${versionOf(from)}, called \`${reported.app}\`. ${reported.summary}`,
    `### Issues\n\n${tableOf(reported.issues, true)}`,
    ...(rules.length === 0
      ? []
      : [`### Looked at by hand\n\n| rule | what was seen |\n|---|---|\n${looked.join("\n")}`]),
    `### To be checked by a person\n\n${tableOf(reported.incomplete, false)}`,
  );
}
const now = new Date().toISOString().slice(0, 10);
const text = `# What the audit says of real applications

\`scripts/audit-findings.ts\` wrote this page on ${now}. It ran \`backstep audit\` with scope \`full\`, the standards \`wcag_aa\` and \`section508\`, and the keyboard walk, on a private desktop of 1280 by 800 pixels: Debian 12, GTK ${
  versionOf("libgtk-3-0")
} and ${versionOf("libgtk-4-1")}, at-spi2-core ${
  versionOf("at-spi2-core")
}. The audit covers only what is on the screen, and no other pages, menus and dialogs.

An issue is a violation of the letter of a rule in the AT-SPI tree or in the pixels. It does not say how well an application can be used in practice. The widget factory shows widgets alone, most of them without labels on purpose.

${parts.join("\n\n")}

${hiddenInChromium()}
`;
writeFileSync(resolve(import.meta.dirname ?? ".", "../docs/reference/audit-findings.md"), wrapped(text));
