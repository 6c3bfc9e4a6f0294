import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A bug: one text of one file becomes another. */
export interface Mutant {
  /** What goes wrong, for people. */
  readonly bug: string;
  readonly file: string;
  /** Must stand there exactly once. */
  readonly from: string;
  readonly to: string;
}

/** What a mutant came to. */
export interface Outcome {
  readonly mutant: Mutant;
  /** The histories broke a law. */
  readonly noticed: boolean;
  /** Their last words. */
  readonly said: string;
}

/** Bugs that an engine of this kind may have. Each must make the histories fail. */
export const MUTANTS: readonly Mutant[] = [
  {
    bug: "what is there is not compared with what the action left before it is written over",
    file: "src/engine/rollback/restore.ts",
    from: "if (left !== undefined && !(participant.isAsLeft?.(left, now) ?? same(left, now))) {",
    to: "if (left !== undefined && !same(left, now) && before === now) {",
  },
  {
    bug: "the first action is rolled back first",
    file: "src/engine/rollback/rollback.ts",
    from: "for (const [index, entry] of [...undoLog.entries.entries()].slice(from).reverse()) {",
    to: "for (const [index, entry] of [...undoLog.entries.entries()].slice(from)) {",
  },
  {
    bug: "an opposite action is done twice",
    file: "src/engine/rollback/rollback.ts",
    from: "return { path, what, ...await ports.compensate(entry) };",
    to: "await ports.compensate(entry); return { path, what, ...await ports.compensate(entry) };",
  },
  {
    bug: "an inner transaction that commits hands on nothing",
    file: "src/engine/rollback/undo-log.ts",
    from: "this.entries.push(...inner.entries);",
    to: "void inner.entries;",
  },
  {
    bug: "the last look looks at nothing",
    file: "src/engine/rollback/final-read.ts",
    from: "const found = differences(participant.label, before, now);",
    to: "const found = differences(participant.label, before, before); void now;",
  },
  {
    bug: "an action whose answer never came counts as not done",
    file: "src/engine/run/enter.ts",
    from: 'entry.outcome = outcome.ok ? "done" : outcome.began ? "unknown" : happened(outcome.error);',
    to: 'entry.outcome = outcome.ok ? "done" : "failed"; void happened;',
  },
  {
    bug: "the undo of a file goes on beyond its barrier without a word",
    file: "src/engine/rollback/undo-log.ts",
    from: 'return entry.barrier && entry.outcome !== "failed";',
    to: 'return entry.barrier && entry.outcome === "failed";',
  },
  {
    bug: "an undo runs although its guard does not hold",
    file: "src/engine/rollback/compensate.ts",
    from: "if (await holds(declared.guard, scope, run, app)) return undefined;",
    to: "if (await holds(declared.guard, scope, run, app) || true) return undefined;",
  },
  {
    bug: "the intent is written when the action is over",
    file: "src/contract/gate.ts",
    from: "await this.#ports.journal.intent(seen, before);",
    to:
      "const late = await seen.resolved.act(seen.context).catch(() => undefined); void late; await this.#ports.journal.intent(seen, before);",
  },
  {
    bug: "what was rolled back to a savepoint is rolled back again",
    file: "src/engine/run/savepoint.ts",
    from: "for (const { undoLog, from } of levels) undoLog.cut(from);",
    to: "void levels;",
  },
  {
    bug: "the caret is not restored",
    file: "src/participants/text.ts",
    from: 'if (typeof caret === "number" && caret >= 0) await restoreCaret(caret);',
    to: 'if (typeof caret === "number" && caret < 0) await restoreCaret(caret);',
  },
  {
    bug: "a rollback that failed ends a run as if all were well",
    file: "src/engine/rollback/outcomes.ts",
    from: 'if (verdict === "failed" || inDoubt) return 4;',
    to: 'if (verdict === "failed" && inDoubt) return 4;',
  },
  {
    bug: "a button that may have been pressed is pressed again",
    file: "src/engine/run/repeatable.ts",
    from: 'if (entry.effect !== "restorable") return false;',
    to: 'if (entry.effect !== "restorable") return true;',
  },
  {
    bug: "a list that only the display tells of is left open",
    file: "src/engine/rollback/guard-digest.ts",
    from: "const popups = shown.filter(({ popup }) => popup).map(() => POPUP);",
    to: "const popups = shown.filter(({ popup, tooltip }) => popup && tooltip === true).map(() => POPUP);",
  },
];

/** Where a bug is tried. */
export interface Trial {
  /** What of the project is copied beside `src` and `scripts`, as links: what no bug is seeded into. */
  readonly links?: readonly string[];
  /** The arguments of `deno` that make it show. */
  readonly command: readonly string[];
}

/** Tries one bug on a copy of the code; throws when it does not fit the code any more. */
export function tryMutant(
  mutant: Mutant,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Outcome> {
  const command = ["scripts/histories.ts", "--count", String(count), "--seed", String(seed)];
  return tryOn(mutant, { command });
}

/** The same, with any command that ends with 1 where it notices. */
export async function tryOn(mutant: Mutant, { links = [], command }: Trial): Promise<Outcome> {
  const copy = mkdtempSync(join(tmpdir(), "backstep-mutant-"));
  try {
    const root = join(import.meta.dirname ?? "", "..", "..");
    for (const part of ["src", "scripts", "deno.json", "deno.lock"]) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    for (const part of links) symlinkSync(join(root, part), join(copy, part));
    const file = join(copy, mutant.file);
    const text = readFileSync(file, "utf8");
    const places = text.split(mutant.from).length - 1;
    if (places !== 1) throw new Error(`"${mutant.from}" stands ${places} times in ${mutant.file}, not once`);
    writeFileSync(file, text.replace(mutant.from, () => mutant.to));
    const { code, said } = await runs(copy, command);
    return { mutant, noticed: code === 1, said };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Tries every bug, two at once; answers whether each was noticed. */
export async function tryMutants(
  options: { readonly count: number; readonly seed: number; readonly say: (line: string) => void },
): Promise<boolean> {
  const waiting = [...MUTANTS];
  let all = true;
  const worker = async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const { noticed, said } = await tryMutant(mutant, options);
      all &&= noticed;
      options.say(`${noticed ? "noticed" : "NOT NOTICED"}: ${mutant.bug} (${said.slice(0, 160)})`);
    }
  };
  await Promise.all([worker(), worker()]);
  options.say(
    `${MUTANTS.length} bugs seeded into the engine, from seed ${options.seed}: ${
      all ? "each was noticed" : "not each was noticed"
    }`,
  );
  return all;
}

async function runs(
  folder: string,
  command: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, ["run", "-A", ...command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => text += part);
  child.stderr.setEncoding("utf8").on("data", (part: string) => text += part);
  const [code]: unknown[] = await once(child, "close");
  const law = text.split("\n").findLast((line) => /^ {2}\w+: /.test(line)) ??
    text.trim().split("\n").at(-1) ?? "";
  return { code: typeof code === "number" ? code : null, said: law.trim() };
}
