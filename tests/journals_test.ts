import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { BackstepError, type Json, toBackstepError } from "../src/base/error.ts";
import { isList, isMap } from "../src/base/json.ts";
import { catalogue } from "../src/catalogue.ts";
import { show } from "../src/cli/commands/runs.ts";
import type { Io } from "../src/cli/io.ts";
import { simulate } from "../src/desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../src/desktop/simulated/simulated-desktop.ts";
import { Encryption } from "../src/engine/journal/encryption.ts";
import { Journal, readJournal, runFolder } from "../src/engine/journal/journal.ts";
import { VERSION } from "../src/engine/journal/records/run.ts";
import { findRun, linesOf } from "../src/engine/journal/runs.ts";
import { recoverRun } from "../src/engine/recovery/recover.ts";
import type { RecoverOptions } from "../src/engine/recovery/recovery.ts";
import { redoRun, undoRun } from "../src/engine/recovery/undo-run.ts";
import { reportStoredRun } from "../src/report/html/stored-run.ts";
import { PLAIN } from "../src/report/style.ts";
import type { Session } from "../src/session/session.ts";
import { SimulatedLauncher } from "../src/session/simulated-launcher.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

/** Journals of an earlier version, with what that version answered; see the README there. */
const FIXTURES = fileURLToPath(new URL("fixtures/journals/", import.meta.url));
const OLD_STATE = join(FIXTURES, "state");
/** Where the runs declared a file, by its absolute path. */
const HOME = "/tmp/backstep-old-journals";
const NOTES = join(HOME, "notes.txt");
const SECRETS: Readonly<Record<string, string>> = { TOKEN: "s3cret-token-4711" };

const json = z.custom<Json>((value) => value !== undefined);
/** What of a desktop is otherwise than when it starts. */
const Left = z.strictObject({
  sets: z.array(z.strictObject({
    app: z.string(),
    element: z.string(),
    set: z.strictObject({
      text: z.string().exactOptional(),
      value: z.number().exactOptional(),
      chosen: z.array(z.number()).exactOptional(),
      checked: z.boolean().exactOptional(),
    }),
  })),
  clipboard: z.string().nullable(),
  file: z.string().exactOptional(),
});
type Left = z.infer<typeof Left>;
const Then = z.strictObject({
  action: z.enum(["recover", "undo", "redo"]),
  way: z.enum(["rollback", "resume"]).exactOptional(),
  dryRun: z.boolean().exactOptional(),
  savepoint: z.string().exactOptional(),
  last: z.number().exactOptional(),
  result: z.record(z.string(), json),
  left: Left.exactOptional(),
  file: z.string().nullable().exactOptional(),
  record: json,
});
type Then = z.infer<typeof Then>;
const Expected = z.strictObject({
  application: z.string().nullable(),
  workflow: z.string().exactOptional(),
  left: Left.nullable(),
  record: json,
  kinds: z.array(z.string()),
  show: z.array(z.string()),
  report: json,
  then: z.array(z.array(Then)),
});
type Expected = z.infer<typeof Expected>;

const EXPECTED = new Map(
  readdirSync(join(FIXTURES, "expected")).map((name) => {
    const text = readFileSync(join(FIXTURES, "expected", name), "utf8");
    return [basename(name, ".json"), Expected.parse(JSON.parse(text))] as const;
  }),
);

/** A state folder with this run alone, its key included. */
async function withRun<R>(run: string, use: (state: string) => R | Promise<R>): Promise<R> {
  const state = mkdtempSync(join(tmpdir(), "backstep-journals-"));
  try {
    cpSync(runFolder(OLD_STATE, run), runFolder(state, run), { recursive: true });
    cpSync(join(OLD_STATE, "keys", run), join(state, "keys", run));
    return await use(state);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** What is prose in results may be written anew; what programs go by may not. */
const PROSE: ReadonlySet<string> = new Set(["reason", "message", "hint", "missing", "notes"]);

function withoutProse(value: Json): Json {
  if (isList(value)) return value.map(withoutProse);
  if (typeof value === "string") return value.replace(/(?:sealed|encrypted) \(\d+ characters\)$/, "");
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !PROSE.has(key)).map(([key, one]) => [key, withoutProse(one)]),
  );
}

function plain(value: unknown): Json {
  const copy: Json = JSON.parse(JSON.stringify(value));
  return copy;
}

function alike(actual: unknown, expected: Json, what: string): void {
  assert.deepEqual(withoutProse(plain(actual)), withoutProse(expected), what);
}

for (const [run, expected] of EXPECTED) {
  Deno.test(`the journal of ${run} is read, listed, shown and reported as by the program that wrote it`, () =>
    withRun(run, async (state) => {
      const lines = linesOf(state, run);
      assert.deepEqual(lines.map(({ kind }) => kind), expected.kinds);
      assert.deepEqual(lines, rawLines(state, run), "to the letter");
      alike(findRun(state, run), expected.record, "its record");
      let printed = "";
      await show(state, run, { ...SILENT, text: (text) => printed += text });
      assert.deepEqual(printed.split("\n"), expected.show);
      await reportStoredRun(state, run, { output: state });
      const html = readFileSync(join(state, "report.html"), "utf8");
      const data: Json = JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
      alike(data, expected.report, "its report");
    }));

  for (const chain of expected.then) {
    const words = chain.map(({ action, way, dryRun, savepoint, last }) =>
      [action, way, dryRun ? "as a dry run" : undefined, savepoint, last].filter((one) => one !== undefined)
        .join(" ")
    );
    Deno.test(`the journal of ${run} takes ${words.join(", then ")} as it took it before`, () =>
      withRun(run, async (state) => {
        const { application, left } = expected;
        const desktop = application === null || left === null
          ? undefined
          : await desktopOf(application, left);
        if (left?.file !== undefined) writeNotes(left.file);
        try {
          for (const then of chain) await follow(then, run, state, expected, desktop);
        } finally {
          await desktop?.close();
          rmSync(HOME, { recursive: true, force: true });
        }
      }));
  }
}

/** A desktop as a run left it. */
async function desktopOf(application: string, { sets, clipboard }: Left): Promise<SimulatedDesktop> {
  const desktop = simulate({ applications: [application], clock: "virtual" });
  for (const { app, element, set } of sets) desktop.person(app, element, set);
  if (clipboard !== null) await desktop.writeClipboard(clipboard);
  return desktop;
}

async function follow(
  then: Then,
  run: string,
  state: string,
  { application, workflow }: Expected,
  desktop: SimulatedDesktop | undefined,
): Promise<void> {
  const { action, way, dryRun, savepoint, last } = then;
  const value = (name: string) => SECRETS[name];
  const options: RecoverOptions & { readonly run: string } = {
    run,
    state,
    operations: catalogue,
    surroundings: { env: value, secret: value },
    onConflict: "stop",
    load: () => parseWorkflow(workflow ?? "", { file: `${run}.yaml`, operations: catalogue }),
    ...(desktop ? { reattach: () => Promise.resolve(sessionOf(desktop)) } : {}),
    ...(way === undefined ? {} : { way }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(savepoint === undefined ? {} : { savepoint }),
  };
  const acting = action === "recover"
    ? recoverRun(options)
    : action === "undo"
    ? undoRun({ ...options, ...(last === undefined ? {} : { last }) })
    : redoRun(options);
  const found = await acting.catch((thrown: unknown) => ({ code: toBackstepError(thrown).code }));
  alike(
    "result" in found && found.result ? { ...found, result: brief(found.result) } : found,
    then.result,
    action,
  );
  if (desktop && application !== null) {
    alike(difference(application, desktop), plain(then.left ?? null), `the desktop after ${action}`);
  }
  if (then.file !== undefined) {
    assert.equal(
      existsSync(NOTES) ? readFileSync(NOTES, "utf8") : null,
      then.file,
      `the file after ${action}`,
    );
  }
  alike(findRun(state, run), then.record, `its record after ${action}`);
}

/** What a resumed run came to, without times and outputs. */
function brief(
  { status, exit, rollback, steps }: NonNullable<Awaited<ReturnType<typeof recoverRun>>["result"]>,
): Json {
  return {
    status,
    exit,
    rollback: rollback.verdict,
    steps: steps.map(({ path, status }) => `${path} ${status}`),
  };
}

function sessionOf(desktop: SimulatedDesktop): Session {
  return {
    kind: "simulated",
    label: "simulated",
    desktop,
    launcher: new SimulatedLauncher(desktop),
    home: HOME,
    id: undefined,
    close: () => Promise.resolve(),
  };
}

function writeNotes(text: string): void {
  mkdirSync(HOME, { recursive: true });
  writeFileSync(NOTES, text);
}

const FIELDS = ["text", "value", "chosen", "checked"] as const;

/** What stands otherwise than when the application starts. */
function difference(application: string, desktop: SimulatedDesktop): Json {
  const fresh = simulate({ applications: [application], clock: "virtual" });
  const [was, is] = [fresh.world(), desktop.world()];
  const sets = Object.entries(mapAt(is, "applications")).flatMap(([app, now]) =>
    Object.entries(mapAt(now, "widgets")).flatMap(([element, widget]) => {
      const before = mapAt(mapAt(mapAt(mapAt(was, "applications"), app), "widgets"), element);
      const changed = FIELDS.flatMap((field) => {
        const value = isMap(widget) ? widget[field] : undefined;
        if (JSON.stringify(value) === JSON.stringify(before[field]) || value === undefined) return [];
        // Of radio buttons the chosen one tells.
        return field === "checked" && value === false && RADIOS.has(element) ? [] : [[field, value] as const];
      });
      return changed.length > 0 ? [{ app, element, set: Object.fromEntries(changed) }] : [];
    })
  );
  return { sets, clipboard: is["clipboard"] ?? null };
}

const RADIOS: ReadonlySet<string> = new Set(["light", "dark", "system"]);

function mapAt(value: Json, key: string): { readonly [key: string]: Json } {
  const found = isMap(value) ? value[key] : undefined;
  return isMap(found) ? found : {};
}

const SILENT: Io = {
  format: "text",
  style: PLAIN,
  terminal: false,
  live: false,
  columns: 80,
  text: () => {},
  exact: () => {},
  json: () => {},
  raw: () => {},
  note: () => {},
  aside: () => {},
  error: () => {},
};

type Line = { readonly [field: string]: Json };

/** The lines as they are on the disk. A torn last one is none. */
function rawLines(state: string, run: string): Line[] {
  return readFileSync(join(runFolder(state, run), "journal.jsonl"), "utf8").split("\n").slice(0, -1)
    .map((line) => {
      const parsed: Line = JSON.parse(line.slice(17));
      return parsed;
    });
}

/** Writes lines with checksums that fit. */
function writeLines(state: string, run: string, lines: readonly Line[]): string {
  const file = join(runFolder(state, run), "journal.jsonl");
  const text = lines.map((line) => JSON.stringify(line)).map((body) =>
    `${createHash("sha256").update(body).digest("hex").slice(0, 16)} ${body}\n`
  ).join("");
  writeFileSync(file, text);
  return file;
}

/** That reading it fails with the place of a line, and says this. */
function refused(folder: string, file: string, line: number, message: RegExp): void {
  assert.throws(() => readJournal(folder), (thrown: unknown) => {
    assert.ok(thrown instanceof BackstepError, String(thrown));
    assert.deepEqual(
      [thrown.code, thrown.place?.file, thrown.place?.line],
      ["io", file, line],
      thrown.message,
    );
    assert.match(thrown.message, message);
    assert.ok(thrown.message.includes(`${file}: line ${line}`), thrown.message);
    return true;
  });
}

/** Fields that not every record of their kind has. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "run version",
  "run durability",
  "intent passable",
  "outcome error",
  "outcome unread",
  "outcome sealed",
  "step sealed",
  "commit stopped",
  "rollback savepoint",
  "rollback retry",
  "undone intent",
  "rolled-back retry",
  "changed-afterwards verdict",
  "redone intent",
]);

Deno.test("a field of any kind that is missing or wrong is an error with file, line and field", async () => {
  const seen = new Set<string>();
  for (const run of EXPECTED.keys()) {
    await withRun(run, (state) => {
      const folder = runFolder(state, run);
      const lines = rawLines(state, run);
      for (const [index, line] of lines.entries()) {
        const kind = String(line["kind"]);
        for (const field of Object.keys(line)) {
          if (seen.has(`${kind} ${field}`) || field === "kind") continue;
          seen.add(`${kind} ${field}`);
          const broken = (changed: Line) =>
            writeLines(state, run, lines.map((one, at) => at === index ? changed : one));
          const file = broken({ ...line, [field]: { not: "this" } });
          refused(folder, file, index + 1, new RegExp(`\\b${field}\\b.* is `));
          if (OPTIONAL.has(`${kind} ${field}`)) continue;
          const { [field]: _, ...rest } = line;
          broken(rest);
          refused(folder, file, index + 1, new RegExp(`\\b${field}\\b.* is missing`));
        }
      }
    });
  }
  const kinds = new Set([...seen].map((one) => one.split(" ")[0]));
  assert.equal(kinds.size, 24, `every kind is in one of the journals: ${[...kinds].sort().join(" ")}`);
});

Deno.test("a broken field of an old journal keeps it from being reported, recovered and undone, and that says where", () =>
  withRun("killed", async (state) => {
    const lines = rawLines(state, "killed");
    const file = writeLines(
      state,
      "killed",
      lines.map((line) => line["n"] === 3 ? { ...line, outcome: "perhaps" } : line),
    );
    const expected = {
      code: "io",
      message:
        `Cannot read ${file}: line 3: outcome of its outcome record is "perhaps", not "done" or "failed" or "unknown"`,
    };
    const options = {
      run: "killed",
      state,
      operations: catalogue,
      surroundings: { env: () => undefined, secret: () => undefined },
    };
    assert.equal(findRun(state, "killed").status, "broken");
    assert.throws(() => linesOf(state, "killed"), expected);
    await assert.rejects(reportStoredRun(state, "killed", { output: state }), expected);
    await assert.rejects(recoverRun(options), expected);
    await assert.rejects(undoRun(options), expected);
    assert.throws(() => Journal.reopen(state, "killed"), expected);
  }));

Deno.test("a broken field of what is encrypted is an error with file, line and field as well", () =>
  withRun("killed", async (state) => {
    const encryption = Encryption.open(state, "killed");
    const changed = (field: string, value: Json) => {
      const lines = rawLines(OLD_STATE, "killed").map((line) => {
        if (line["n"] !== 2) return line;
        const content = encryption.decrypt(String(line["sealed"]));
        assert.ok(isMap(content));
        return { ...line, sealed: encryption.encrypt({ ...content, [field]: value }) };
      });
      return writeLines(state, "killed", lines);
    };
    const options = {
      run: "killed",
      state,
      operations: catalogue,
      surroundings: { env: () => undefined, secret: () => undefined },
    };
    const file = changed("name", 4711);
    await assert.rejects(recoverRun(options), {
      code: "io",
      message: `Cannot read ${file}: line 2: sealed.name of its encrypted part is a number, not a string`,
    });
    changed("before", [{ participant: null, key: "k", image: { properties: [] } }]);
    await assert.rejects(recoverRun(options), /line 2: sealed\.before\[0\]\.image\.properties .* is a list/);
    changed("later", true);
    await assert.rejects(recoverRun(options), /line 2: .*sealed\.later, which is not known/);
  }));

Deno.test("a journal of a newer version, and kinds and fields that are not known, are refused", () =>
  withRun("passed", (state) => {
    const folder = runFolder(state, "passed");
    const [head = {}, second = {}, ...rest] = rawLines(state, "passed");
    const newer = writeLines(state, "passed", [
      { ...head, version: VERSION + 1 },
      { ...second, kind: "dreamt" },
      ...rest,
    ]);
    refused(folder, newer, 1, new RegExp(`version ${VERSION + 1} .* up to ${VERSION}`));
    writeLines(state, "passed", [{ ...head, version: 0 }, second, ...rest]);
    refused(folder, newer, 1, /version of its run record is 0/);
    writeLines(state, "passed", [head, { ...second, kind: "dreamt" }, ...rest]);
    refused(folder, newer, 2, /no record of the kind "dreamt" is known/);
    // The names of the model are none of the disk.
    writeLines(state, "passed", [head, { ...second, kind: "action-begin" }, ...rest]);
    refused(folder, newer, 2, /no record of the kind "action-begin" is known/);
    const { ledger = null, ...others } = second;
    writeLines(state, "passed", [head, { ...others, undoLog: ledger }, ...rest]);
    refused(folder, newer, 2, /field undoLog, which is not known|ledger .* is missing/);
    writeLines(state, "passed", [{ ...head, version: 1 }, second, ...rest]);
    assert.equal(readJournal(folder).length, rest.length + 2);
  }));
