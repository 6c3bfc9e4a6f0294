import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { catalogue } from "../src/catalogue.ts";
import type { RunEvent, RunResult } from "../src/contract/events.ts";
import { runWorkflow } from "../src/engine/run/run.ts";
import { readJournal, runFolder } from "../src/engine/journal/journal.ts";
import { openSession } from "../src/session/open-session.ts";
import type { Session } from "../src/session/session.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

const fixtures = fileURLToPath(new URL("fixtures/truth-restore", import.meta.url));

/** When a form changes its own field: never, after it was set, or after it was rolled back. */
type When = "never" | "set" | "rollback";

interface Toolkit {
  readonly name: string;
  /** Milliseconds after a write that its form waits before it changes its field. */
  readonly delay: number;
  /** How its form is called where not by its desktop entry. */
  readonly app?: string;
  readonly command: (folder: string, when: When, delay: number) => string;
}

const python = (toolkit: string) => (folder: string, when: When, delay: number) =>
  `/usr/bin/python3 -B ${join(fixtures, "reverting.py")} ${toolkit} ${folder} ${when} ${delay}`;

const TOOLKITS: readonly Toolkit[] = [
  { name: "GTK 3", delay: 300, command: python("gtk3") },
  { name: "GTK 4", delay: 600, command: python("gtk4") },
  { name: "Qt 5", delay: 450, command: python("qt5") },
  {
    name: "Chromium",
    delay: 600,
    app: "chromium",
    command: (folder, when, delay) =>
      [
        "/usr/bin/chromium",
        "--enable-logging",
        `--log-file=${folder}/console.log`,
        "--disable-background-timer-throttling",
        "--disable-renderer-backgrounding",
        "--disable-backgrounding-occluded-windows",
        `--app=file://${join(fixtures, "reverting.html")}#${when},${delay}`,
      ].join(" "),
  },
];

interface Ran {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  /** What happened to the field, as the form says itself. */
  readonly account: readonly { readonly by: string; readonly text: string }[];
  /** Kinds of the journal's lines, in order. */
  readonly kinds: readonly string[];
}

/** Makes the form known to a private desktop, once for each `when`. */
function prepare({ home }: Session, { command, delay }: Toolkit): void {
  assert.ok(home);
  const entries = join(home, ".local/share/applications");
  mkdirSync(entries, { recursive: true });
  for (const when of ["never", "set", "rollback"] as const) {
    const folder = join(home, `form-${when}`);
    mkdirSync(folder);
    const entry = ["[Desktop Entry]", "Type=Application", "Name=Reverting"];
    const exec = `Exec=${command(folder, when, delay)}`;
    writeFileSync(join(entries, `truth.${when}.desktop`), `${[...entry, exec].join("\n")}\n`);
  }
}

/** Runs steps on a form that changes its field as it is told, and answers what came of it, and what the form says. */
async function onForm(
  session: Session,
  state: string,
  toolkit: Toolkit,
  when: When,
  yaml: string,
  { head = "", set = () => {} }: { readonly head?: string; readonly set?: () => void } = {},
): Promise<Ran> {
  const { home } = session;
  assert.ok(home);
  const folder = join(home, `form-${when}`);
  const id = `truth.${when}`;
  const app = toolkit.app ?? id;
  const text = `name: Late reversion
app: ${app}
timeout: 60s
${head}
before:
  - launch: ${id}
steps:
${yaml}
after:
  - quit: ${app}
`;
  const workflow = parseWorkflow(text, { file: "truth.yaml", operations: catalogue });
  const nothing = () => undefined;
  const events: RunEvent[] = [];
  const result = await runWorkflow(workflow, {
    operations: catalogue,
    session,
    vars: {},
    surroundings: { env: nothing, secret: nothing },
    folder: home,
    state,
    listener(event) {
      events.push(event);
      if (event.event === "step-finished" && event.step.operation === "set") set();
    },
  });
  const kinds = readJournal(runFolder(state, result.run)).map(({ kind }) => kind);
  return { result, events, account: accountOf(folder), kinds };
}

function accountOf(folder: string): Ran["account"] {
  const [own, console] = [join(folder, "account.jsonl"), join(folder, "console.log")];
  if (existsSync(own)) {
    return readFileSync(own, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  }
  return readFileSync(console, "utf8").split("\n").flatMap((line) => {
    const said = /CONSOLE[:(]\d+\)?\] "account (\{.*\})", source: /.exec(line)?.[1];
    return said === undefined ? [] : [JSON.parse(said)];
  });
}

async function onPrivateDesktop(
  toolkit: Toolkit,
  use: (session: Session, state: string) => Promise<void>,
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "bs-state-"));
  const session = await openSession({ kind: "isolated", state });
  try {
    prepare(session, toolkit);
    await use(session, state);
  } finally {
    await session.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** What the system says of files, by another program. */
function facts(...paths: readonly string[]): { readonly [fact: string]: unknown }[] {
  const args = ["-B", join(fixtures, "facts.py"), ...paths];
  const { status, stdout, stderr } = spawnSync("/usr/bin/python3", args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const FIELD = `textfield[name="Name"]`;
const FAILS = `  - transaction:
      - set: { target: '${FIELD}', value: Ada }
      - assert: { target: 'button[name="Nowhere"]', exists: true, timeout: 0 }`;
const PASSES = `  - set: { target: '${FIELD}', value: Ada }
  - assert: { target: '${FIELD}', text: before, timeout: 5s }`;

const shown = ({ result, account }: Ran) => JSON.stringify({ result, account }, null, 1).slice(0, 6_000);

for (const toolkit of TOOLKITS) {
  Deno.test(`late reversion, ${toolkit.name}: a field that changes ${toolkit.delay} ms after it was rolled back is drift, and named`, () =>
    onPrivateDesktop(toolkit, async (session, state) => {
      const ran = await onForm(session, state, toolkit, "rollback", FAILS);
      const { result, account, kinds } = ran;
      assert.deepEqual(account.at(-1), { by: "form", text: "autosaved" }, shown(ran));
      assert.deepEqual([result.rollback.verdict, result.exit], ["drift", 3], shown(ran));
      const [found] = result.rollback.drift;
      assert.deepEqual([found?.property, found?.expected, found?.actual, found?.afterwards], [
        "text",
        "before",
        "autosaved",
        true,
      ]);
      assert.deepEqual(result.changed_afterwards?.map(({ path, actual }) => [path, actual]), [[
        "1",
        "autosaved",
      ]]);
      // It is read beside what ends the run, and before that closes the form.
      const [back, late, quit] = [kinds.indexOf("rolled-back"), kinds.indexOf("changed-afterwards")].concat(
        kinds.lastIndexOf("action-begin"),
      );
      assert.ok(back !== undefined && late !== undefined && quit !== undefined);
      assert.ok(back < late && late < quit, kinds.join(" "));
      // The twin: a form that leaves its field alone.
      const twin = await onForm(session, state, toolkit, "never", FAILS);
      assert.deepEqual(twin.account.at(-1), { by: "caller", text: "before" }, shown(twin));
      assert.deepEqual([twin.result.rollback.verdict, twin.result.exit], ["restored", 1], shown(twin));
      assert.equal(twin.result.changed_afterwards, undefined);
    }));

  Deno.test(`late reversion, ${toolkit.name}: a run that passes names what changed by itself ${toolkit.delay} ms after it was set`, () =>
    onPrivateDesktop(toolkit, async (session, state) => {
      const ran = await onForm(session, state, toolkit, "set", PASSES);
      const { result, account, events, kinds } = ran;
      assert.deepEqual(account.at(-1), { by: "form", text: "before" }, shown(ran));
      assert.deepEqual([result.status, result.exit], ["passed", 0], shown(ran));
      const [found, ...rest] = result.changed_afterwards ?? [];
      assert.deepEqual(rest, []);
      assert.deepEqual([found?.path, found?.property, found?.expected, found?.actual], [
        "1",
        "text",
        "Ada",
        "before",
      ]);
      assert.ok(events.some(({ event }) => event === "changed-afterwards"));
      assert.ok(kinds.includes("changed-afterwards"));
    }));
}

Deno.test({
  name:
    "declared files that an application saves come back with owner, permissions, time and hard link, as the system says",
  ignore: process.geteuid?.() !== 0,
  fn: () => {
    const toolkit = TOOLKITS[0];
    assert.ok(toolkit);
    return onPrivateDesktop(toolkit, async (session, state) => {
      const docs = join(session.home ?? "", "form-never", "docs");
      mkdirSync(docs);
      const [own, linked, other] = [
        join(docs, "own.txt"),
        join(docs, "linked.txt"),
        join(docs, "..", "other.txt"),
      ];
      for (const one of [own, linked]) writeFileSync(one, "before", { mode: 0o640 });
      linkSync(linked, other);
      chownSync(own, 1_000, 1_000);
      for (const one of [own, linked]) utimesSync(one, 1_700_000_000, 1_700_000_000);
      const before = facts(own, linked, other);
      let saved: ReturnType<typeof facts> = [];
      const steps = `  - transaction:
      - set: { target: '${FIELD}', value: Ada }
      - assert: { target: 'button[name="Nowhere"]', exists: true, timeout: 0 }`;
      const ran = await onForm(session, state, toolkit, "never", steps, {
        head: "files: [form-never/docs]",
        set: () => saved = facts(own, linked, other),
      });
      // They were saved: the first by another file of root's, the second under both its names.
      assert.deepEqual(saved.map(({ content, owner, links }) => [content, owner, links]), [
        ["Ada", [0, 0], 1],
        ["Ada", [0, 0], 2],
        ["Ada", [0, 0], 2],
      ]);
      assert.deepEqual([ran.result.rollback.verdict, ran.result.exit], ["restored", 1], shown(ran));
      const now = facts(own, linked, other);
      // Another file has taken the place of the first, as of any that is saved so.
      const named = ({ inode: _, ...rest }: Record<string, unknown>) => rest;
      assert.deepEqual(now.map(named), before.map(named));
      assert.deepEqual(now.slice(1).map(({ inode }) => inode), before.slice(1).map(({ inode }) => inode));
    });
  },
});
