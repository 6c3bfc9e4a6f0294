import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { toBackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import {
  EVIDENCE,
  evidenceOf,
  HEAL,
  ON_A_WORKFLOW,
  pairs,
  UPDATE_BASELINES,
  updateModeOf,
} from "../workflow-file.ts";
import { REPORTERS } from "../../report/tests/reporters.ts";
import { count, oneLine } from "../../report/style.ts";
import type { Selected } from "../../testing/select.ts";

/** Seeds of `--shuffle` are below this. */
const SEEDS = 2 ** 32;

/** Options of every command that writes reports of test runs. */
export const ON_REPORTS: Command["options"] = [
  {
    name: "reporter",
    kind: "string",
    value: "<names>",
    multiple: true,
    suggests: REPORTERS,
    description:
      "Reporters, separated by commas: list (default), line, dot, github; into files: json, junit, " +
      "html, blob; with a path: junit=out/junit.xml",
  },
  {
    name: "output",
    kind: "string",
    value: "<folder>",
    description: "Folder for reports without a path; default: test-results",
  },
];

/** `backstep test [paths…]`. */
export const test: Command = {
  name: "test",
  summary: "Run workflow files as tests, side by side, and report",
  details: [
    "Each worker is a process with its own private desktop. The desktop is used for the next file if " +
    "the last one left nothing on it.",
    "In a file, `expect:` says how it is expected to end; `tags:`, `locks:`, `needs:` and `skip:` are " +
    "for test runs.",
    "The exit code is the most serious one of all files. Ctrl-C stops and rolls back; a second Ctrl-C " +
    "kills the workers.",
  ],
  positionals: [{
    name: "path",
    description: "Workflow files, and folders of them; default: workflows",
    required: false,
    rest: true,
  }],
  options: [
    {
      name: "workers",
      kind: "number",
      value: "<n>",
      description: "How many files run at a time; default: half of the processors",
    },
    {
      name: "grep",
      kind: "string",
      value: "<regex>",
      description: "Only files whose path and name match",
    },
    {
      name: "grep-invert",
      kind: "string",
      value: "<regex>",
      description: "Only files whose path and name do not match",
    },
    {
      name: "tag",
      kind: "string",
      value: "<tags>",
      multiple: true,
      description:
        "Only files with one of these tags, and with none of the tags after a !: smoke,gtk or !slow; " +
        "may be repeated",
    },
    {
      name: "shard",
      kind: "string",
      value: "<i/n>",
      description: "Only the i-th of n parts, balanced by the durations of the last run",
    },
    {
      name: "shuffle",
      kind: "string",
      value: "<seed>",
      optional: true,
      description: "Begin the files in a random order; the same seed gives the same order",
    },
    { name: "retries", kind: "number", value: "<n>", description: "Further tries of a file that failed" },
    { name: "repeat", kind: "number", value: "<n>", description: "How often each file runs" },
    { name: "fail-fast", kind: "boolean", description: "Start no more files after the first failure" },
    {
      name: "max-failures",
      kind: "number",
      value: "<n>",
      description: "Start no more files after this number of failures",
    },
    { name: "last-failed", kind: "boolean", description: "Only files that failed the last time" },
    { name: "fail-on-flaky", kind: "boolean", description: "A flaky file counts as a failure" },
    {
      name: "timeout",
      kind: "string",
      value: "<time>",
      description: "Time limit of each file, instead of its `timeout:`: 30s, 2m",
    },
    {
      name: "global-timeout",
      kind: "string",
      value: "<time>",
      description: "Time limit of all files together; what runs then is rolled back, and the exit code is 1",
    },
    { name: "list", kind: "boolean", description: "Print the files that would run, and run nothing" },
    {
      name: "pass-with-no-tests",
      kind: "boolean",
      description: "Exit with 0 where no file is found, or none is selected",
    },
    EVIDENCE,
    HEAL,
    UPDATE_BASELINES,
    ...ON_REPORTS,
    ...ON_A_WORKFLOW,
  ],
  examples: [
    "backstep test workflows --workers 2 --reporter list,junit --output out",
    "backstep test --tag '!slow' --retries 1 --fail-on-flaky",
    "backstep test --list --grep-invert 'slow|draft'",
    "backstep test --shard 1/3 --reporter blob --output blobs",
  ],
  run: runTest,
};

/** `--reporter list,junit=out.xml`, however often. */
export function reporterWords(args: Arguments): string[] {
  const words = args.strings("reporter").flatMap((one) => one.split(",").map((word) => word.trim()));
  return words.length === 0 ? ["list"] : [...new Set(words)];
}

/** A whole number that is at least `least`. */
function whole(args: Arguments, name: string, least: number): number | undefined {
  const value = args.number(name);
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= 10_000)) return value;
  throw usage(test, `--${name} takes a whole number from ${least} on, not ${value}`);
}

async function runTest(args: Arguments, io: Io): Promise<number> {
  const { findFiles } = await import("../../testing/find-files.ts");
  const { historyFile, keepHistory, readHistory } = await import("../../testing/history.ts");
  const { describeFiles, select } = await import("../../testing/select.ts");
  const { readShard } = await import("../../testing/order.ts");
  const { runTests } = await import("../../testing/run-tests.ts");
  const { makeSuiteState } = await import("../../testing/suite-state.ts");
  const { makeReporters, together } = await import("../../report/tests/reporters.ts");
  const { stateFolder } = await import("../../session/lease.ts");
  const folder = process.cwd();
  const shard = args.string("shard");
  const chosen = {
    grep: args.string("grep"),
    grepInvert: args.string("grep-invert"),
    shuffle: seedOf(args),
    tags: args.strings("tag"),
    shard: shard === undefined ? undefined : readShard(shard),
    lastFailed: args.boolean("last-failed"),
    repeat: whole(args, "repeat", 1) ?? 1,
    session: args.string("session"),
  };
  const workers = whole(args, "workers", 1) ?? Math.max(1, Math.floor(availableParallelism() / 2));
  const retries = whole(args, "retries", 0) ?? 0;
  const maxFailures = whole(args, "max-failures", 1) ?? (args.boolean("fail-fast") ? 1 : undefined);
  const timeout = await milliseconds(args, "timeout");
  const limit = await milliseconds(args, "global-timeout");
  const reporter = together(
    await makeReporters(reporterWords(args), {
      terminal: terminalOf(io),
      style: io.style,
      output: resolve(args.string("output") ?? "test-results"),
    }),
  );
  const asked = interrupts((which) => {
    io.note(
      which === "first"
        ? "Interrupted: what runs is stopped and rolled back. Once more kills it."
        : "Interrupted again: killed; what was not rolled back yet is not.",
    );
  });
  try {
    const mayBeNone = args.boolean("pass-with-no-tests");
    const paths = args.positionals.length === 0 ? ["workflows"] : args.positionals;
    const files = findFiles(paths, folder, { mayBeNone });
    const history = readHistory(historyFile(folder));
    const selected = select(files, await describeFiles(files, {}, asked.stop), chosen, history);
    if (args.boolean("list")) return list(selected, io);
    if (selected.length === 0) {
      nothingLeft(files.length, mayBeNone || chosen.lastFailed || chosen.shard !== undefined, io);
    }
    if (chosen.shuffle !== undefined) io.note(`Random order; the same again: --shuffle=${chosen.shuffle}`);
    const root = args.string("root");
    const app = args.string("app");
    const mode = args.string("mode");
    const varsFile = args.string("vars-file");
    const evidence = evidenceOf(args);
    const updateBaselines = updateModeOf(args);
    const summary = await runTests({
      files: selected,
      workers,
      retries,
      maxFailures,
      limit,
      failOnFlaky: args.boolean("fail-on-flaky"),
      shard: chosen.shard,
      state: makeSuiteState(stateFolder()),
      job: {
        vars: pairs(test, args.strings("var")),
        ...defined({ session: chosen.session, mode, app }),
        ...(args.boolean(HEAL.name) ? { heal: true } : {}),
        ...(root === undefined ? {} : { root: resolve(root) }),
        ...defined({ varsFile, evidence, updateBaselines, timeout }),
      },
      listener: (event) => reporter.event(event),
      signal: asked.stop,
      hardStop: asked.hardStop,
    });
    await reporter.finish(summary);
    io.json(summary);
    try {
      keepHistory(historyFile(folder), summary);
    } catch (thrown) {
      // It only makes the next one faster: what was tested counts.
      io.note(toBackstepError(thrown).message);
    }
    return summary.exit;
  } finally {
    asked.release();
  }
}

/** The seed of `--shuffle`, a new one where none is given; undefined: the longest begin first. */
function seedOf(args: Arguments): number | undefined {
  const text = args.string("shuffle");
  if (text === undefined || text === "") return text === "" ? randomInt(SEEDS) : undefined;
  const seed = /^\d+$/.test(text) ? Number(text) : NaN;
  if (seed < SEEDS) return seed;
  throw usage(test, `--shuffle takes a whole number below ${SEEDS}, not "${text}"`);
}

/** `--list`: what would run, in the order of a run, and what is skipped. A file that cannot be read is an error, as in a run. */
function list(selected: readonly Selected[], io: Io): number {
  for (const { id, description, reason, error } of selected) {
    const more = error ? [`cannot be read: ${error.message}`] : [
      ...(description && description.name !== id ? [description.name] : []),
      ...(description?.tags.map((tag) => `#${tag}`) ?? []),
      ...(reason === undefined ? [] : [`skipped: ${reason}`]),
    ];
    io.text(`${oneLine(id)}${io.style.dim(more.map((one) => `  ${oneLine(one)}`).join(""))}\n`);
  }
  io.text(`${count(selected.length, "file")}\n`);
  io.json({
    files: selected.map(({ id, file, description, reason, error }) => ({
      id,
      file,
      name: description?.name ?? file,
      tags: description?.tags ?? [],
      ...defined({ reason, error }),
    })),
  });
  return selected.some(({ error }) => error !== undefined) ? 2 : 0;
}

/** Everything there was filtered away: usually a mistake, but not of the last file that failed, nor of a small suite's shard. */
function nothingLeft(found: number, fine: boolean, io: Io): void {
  if (!fine) {
    throw usage(
      test,
      `none of the ${found} workflow files is what --grep, --grep-invert and --tag ask for`,
      "Ask for less, or add --pass-with-no-tests.",
    );
  }
  io.note("There is nothing to run.");
}

async function milliseconds(args: Arguments, name: string): Promise<number | undefined> {
  const text = args.string(name);
  if (text === undefined) return undefined;
  const { parseDuration } = await import("../../workflow/durations.ts");
  const found = parseDuration(text);
  if (found !== undefined && found > 0) return found;
  throw usage(test, `--${name} takes a time such as 30s, not "${text}"`);
}

/** Standard output, as reports write to it. */
export function terminalOf(io: Io) {
  return {
    write: (text: string) => io.text(text),
    terminal: io.terminal,
    live: io.live && io.format === "text",
    get columns() {
      return io.columns;
    },
  };
}
