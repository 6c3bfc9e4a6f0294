import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { find, readSelector } from "../src/desktop/selector/mod.ts";
import { Gate, OPEN_PORTS } from "../src/contract/gate.ts";
import { audit as operation, AuditOutput } from "../src/operations/audit.ts";
import { openSession } from "../src/session/open-session.ts";
import { MATCHING } from "../scripts/act/rules.ts";
import { AXE } from "../scripts/audit-coverage.ts";
import { rules } from "../src/checks/audit/rules/mod.ts";
import { type Audited, auditFixture, faults, fixture, type Toolkit, type Which } from "./_audit.ts";

const references = fileURLToPath(new URL("../tools/references/node_modules", import.meta.url));

/** What must be installed for a fixture; undefined: it is. */
function lacks(toolkit: Toolkit): string | undefined {
  if (toolkit === "html") return existsSync("/usr/bin/chromium") ? undefined : "chromium is not installed";
  if (!existsSync("/usr/lib/python3/dist-packages/gi")) return "python3-gi is not installed";
  const typelib = toolkit === "gtk3" ? "Gtk-3.0.typelib" : "Gtk-4.0.typelib";
  const there = readdirSync("/usr/lib", { withFileTypes: true }).some((entry) =>
    existsSync(`/usr/lib/${entry.name}/girepository-1.0/${typelib}`)
  );
  return there ? undefined : `gir1.2-${toolkit === "gtk3" ? "gtk-3.0" : "gtk-4.0"} is not installed`;
}

const TOOLKITS: readonly Toolkit[] = ["gtk3", "gtk4", "html"];
const missing = TOOLKITS.map(lacks).find((why) => why !== undefined);

/** Seeded faults that AT-SPI does not show: what hides them. */
const UNSEEN: Readonly<Record<string, string>> = {
  "html-attribute": "Chromium makes a number up for a slider that has none",
  "html-hidden-focus": "Chromium leaves out what is aria-hidden, also where it takes the focus",
  "html-scroll": "Chromium lets everything that scrolls have the focus",
};

/** A window's own fault is in no box. */
const placeFor = (id: string) => id.endsWith("-window") ? "window" : id;

Deno.test({
  name: `seeded faults are found, repaired ones are not, and axe-core agrees${
    missing === undefined ? "" : `: not run, ${missing}`
  }`,
  ignore: missing !== undefined,
}, async (t) => {
  const audited = new Map<string, Audited>();
  const all = async (toolkits: readonly Toolkit[]) => {
    for (const toolkit of toolkits) {
      for (const which of ["broken", "repaired"] as const) {
        audited.set(`${toolkit} ${which}`, await auditFixture(toolkit, which));
      }
    }
  };
  await Promise.all([all(["html"]), all(["gtk3", "gtk4"])]);
  const of = (toolkit: Toolkit, which: Which): Audited => {
    const found = audited.get(`${toolkit} ${which}`);
    assert.ok(found);
    return found;
  };

  await t.step("at least 95 % of the faults are found, and those that are not are known", () => {
    const unfound = faults.filter(({ id, rule }) => {
      const { report, placeOf } = of(toolkitOf(id), "broken");
      return !report.issues.some((issue) => issue.rule === rule && placeOf(issue) === placeFor(id));
    }).map(({ id }) => id);
    assert.deepEqual(unfound.toSorted(), Object.keys(UNSEEN).toSorted());
    assert.ok(faults.length >= 60, `${faults.length} faults`);
    assert.ok(unfound.length <= 0.05 * faults.length, `${unfound.length} of ${faults.length}`);
  });

  await t.step("nothing else is found beside them, and nothing on the repaired twins", () => {
    for (const toolkit of TOOLKITS) {
      const { report, placeOf } = of(toolkit, "broken");
      const seeded = new Set(faults.map(({ id, rule }) => `${rule} ${placeFor(id)}`));
      const others = report.issues.map((issue) => `${issue.rule} ${placeOf(issue)}`).filter((key) =>
        !seeded.has(key)
      );
      assert.deepEqual(others, [], toolkit);
      const twin = of(toolkit, "repaired").report;
      assert.deepEqual(
        twin.issues.map(({ rule, element }) => `${rule} ${element}`),
        [],
        `${toolkit}, repaired`,
      );
      assert.ok(twin.passed);
      assert.equal(twin.score, 100);
    }
  });

  await t.step("what a finding calls its element finds that element and no other", () => {
    for (const { snapshot, report } of audited.values()) {
      for (const { element, row } of [...report.issues, ...report.incomplete]) {
        assert.deepEqual(find(readSelector(element), snapshot).rows, [row], element);
      }
    }
  });

  await t.step({
    name: "axe-core agrees on the page, rule by rule",
    ignore: !existsSync(`${references}/axe-core`),
    fn: async () => {
      const [broken, repaired] = await axe([fixture("html", "broken"), fixture("html", "repaired")]);
      assert.ok(broken && repaired);
      compare(of("html", "broken"), broken);
      compare(of("html", "repaired"), repaired);
    },
  });
});

const toolkitOf = (id: string): Toolkit =>
  id.startsWith("gtk3") ? "gtk3" : id.startsWith("gtk4") ? "gtk4" : "html";

const Places = z.array(z.strictObject({ rule: z.string(), place: z.string() }));
const Axe = z.array(
  z.strictObject({ version: z.string(), ms: z.number(), violations: Places, incomplete: Places }),
);

async function axe(pages: readonly string[]): Promise<z.infer<typeof Axe>> {
  const script = fileURLToPath(new URL("fixtures/audit/axe.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)("node", [script, references, ...pages], { timeout: 60_000 });
  return Axe.parse(JSON.parse(stdout));
}

/** Our rules where axe-core calls them otherwise; it has one for a page's language, and one more for ids in use. */
const OURS: Readonly<Record<string, string>> = {
  "aria-command-name": "command-name",
  "aria-dialog-name": "dialog-name",
  "aria-hidden-focus": "hidden-focus",
  "aria-input-field-name": "input-field-name",
  "aria-meter-name": "meter-name",
  "aria-progressbar-name": "progressbar-name",
  "aria-required-attr": "required-attr",
  "aria-required-children": "required-children",
  "aria-required-parent": "required-parent",
  "aria-tab-name": "tab-name",
  "aria-toggle-field-name": "toggle-field-name",
  "aria-tooltip-name": "tooltip-name",
  "aria-treeitem-name": "treeitem-name",
  "duplicate-id-active": "duplicate-id",
  "html-has-lang": "locale",
  "input-image-alt": "button-name",
};
/** Rules of axe-core that are of no rule of ours, or of a level that was not asked for. */
const APART = new Set(["color-contrast-enhanced", "frame-tested"]);
/** Where we differ, and why. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  "locale page": "Chromium tells its own language for a page that names none",
  "required-attr html-attribute": UNSEEN["html-attribute"] ?? "",
  "progressbar-name html-progress": "axe-core asks for names of ARIA's progress bars, not of <progress>",
};

Deno.test({
  name: "the coverage table has every rule of axe-core, and names rules that there are",
  ignore: !existsSync(`${references}/axe-core`),
  fn: async () => {
    const program = `console.log(JSON.stringify(require(${
      JSON.stringify(`${references}/axe-core`)
    }).getRules().map((r) => r.ruleId)))`;
    const { stdout } = await promisify(execFile)("node", ["-e", program], { timeout: 60_000 });
    assert.deepEqual(Object.keys(AXE).toSorted(), z.array(z.string()).parse(JSON.parse(stdout)).toSorted());
    const ours = new Set(rules.map(({ id }) => id));
    const named = Object.values(AXE).flatMap((like) => "rule" in like ? [like.rule] : []);
    assert.deepEqual(named.filter((rule) => !ours.has(rule)), []);
    assert.deepEqual(Object.values(MATCHING).flat().filter((rule) => !ours.has(rule)), []);
  },
});

/** What axe-core is sure of must be found, and what is found it must at least want looked at. */
function compare({ report, placeOf }: Audited, theirs: z.infer<typeof Axe>[number]): void {
  const key = ({ rule, place }: { rule: string; place: string }) => `${OURS[rule] ?? rule} ${place}`;
  const existing = (one: string) => !(one in DIFFERENCES);
  const sure = theirs.violations.filter(({ rule }) => !APART.has(rule)).map(key).filter(existing);
  const maybe = new Set([...sure, ...theirs.incomplete.map(key)]);
  const ours = new Set(report.issues.map((issue) => `${issue.rule} ${placeOf(issue)}`));
  assert.deepEqual([...new Set(sure)].filter((one) => !ours.has(one)), [], "axe-core finds more");
  assert.deepEqual([...ours].filter((one) => existing(one) && !maybe.has(one)), [], "axe-core finds less");
}

Deno.test({
  name: `a walk with the keyboard finds what keeps the focus, and gives the focus back${
    lacks("gtk3") === undefined ? "" : `: not run, ${lacks("gtk3")}`
  }`,
  ignore: lacks("gtk3") !== undefined,
}, async () => {
  const session = await openSession({ kind: "isolated" });
  try {
    await session.launcher.launch(fixture("gtk3", "broken"), { args: ["trap"], timeout: 40_000 });
    const gate = new Gate({ operations: [operation], session, folder: "/", ports: OPEN_PORTS });
    const input = { app: "audit-gtk3", keyboard: true, must_pass: false };
    const { output } = await gate.dispatch({ operation: "audit", input }, { timeout: 40_000 });
    const { issues, passed } = AuditOutput.parse(output);
    const traps = issues.filter(({ rule }) => rule === "keyboard-trap").map(({ element }) => element);
    assert.deepEqual(traps, ['textfield[name="Second"]']);
    assert.equal(passed, false);
    const [application] = await session.desktop.applications();
    assert.ok(application);
    const tree = await session.desktop.snapshot(application, { fields: [] });
    const focused = Array.from({ length: tree.size }, (_, row) => row).filter((row) =>
      tree.has(row, "focused")
    );
    assert.deepEqual(focused.map((row) => tree.name(row)), ["First"]);
  } finally {
    await session.close();
  }
});
