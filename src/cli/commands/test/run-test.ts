import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { defined } from "../../../base/defined.ts";
import { toBackstepError } from "../../../base/error.ts";
import { makeReporters, together } from "../../../report/tests/reporters.ts";
import { count, oneLine } from "../../../report/style.ts";
import { stateFolder } from "../../../session/lease.ts";
import { changedFiles } from "../../../testing/changed/git.ts";
import { isChanged } from "../../../testing/changed/sources.ts";
import { loadEnvFile } from "../../../testing/env-file.ts";
import type { FoundFile } from "../../../testing/find-files.ts";
import { historyFile, keepHistory, readHistory } from "../../../testing/history.ts";
import { readShard } from "../../../testing/order.ts";
import { planSuite, type SuitePlan } from "../../../testing/plan-suite.ts";
import { runTests, type TestOptions } from "../../../testing/run-tests.ts";
import { describeFiles, type Selected } from "../../../testing/select.ts";
import { makeSuiteState } from "../../../testing/suite-state.ts";
import { usage } from "../../arguments.ts";
import { endAbandoned } from "../../end-abandoned.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { interrupts } from "../../signals.ts";
import { reporterWords, terminalOf } from "../../reports.ts";
import { envFileOf, type Preparation, prepare, suiteOf } from "./prepare.ts";
import { suitePage } from "./ui.ts";
import { showConfig } from "./show-config.ts";
import { milliseconds, seedOf, whole } from "./values.ts";

/** What `backstep test` does. `raw`: the command line alone. */
export async function runTestCommand(command: Command, raw: Arguments, io: Io): Promise<number> {
  const folder = process.cwd();
  const preparation = await prepare(command, raw);
  const { args } = preparation;
  const envFile = envFileOf(preparation);
  const env = envFile === undefined ? undefined : loadEnvFile(envFile);
  const ui = raw.boolean("ui");
  const inspect = !ui && !raw.given("inspect")
    ? undefined
    : raw.string("inspect") === "hold"
    ? "hold"
    : "show";
  const workers = whole(command, args, "workers", 1) ??
    (inspect === undefined ? Math.max(1, Math.floor(availableParallelism() / 2)) : 1);
  const inCi = process.env["CI"] !== undefined && !["", "0", "false"].includes(process.env["CI"]);
  if (raw.boolean("show-config")) {
    const usual = (value: string, source = "default") => ({ words: [value], source });
    const defaults = new Map([
      ["workers", usual(String(workers))],
      ["retries", usual("0")],
      ["repeat", usual("1")],
      ["reporter", usual("list")],
      ["output", usual("test-results")],
      ["evidence", usual("on-failure")],
      ["forbid-only", usual(String(inCi), inCi ? "environment: CI" : "default")],
    ]);
    return showConfig(command, raw, preparation, defaults, env, io);
  }
  if (raw.given("fleet")) {
    const { testOnFleet } = await import("../fleet/test-on-fleet.ts");
    return await testOnFleet(command, raw, preparation, io);
  }
  if (raw.given("label")) throw usage(command, "--label is for --fleet");
  const shardText = args.string("shard");
  const shard = shardText === undefined ? undefined : readShard(shardText);
  const shuffle = seedOf(command, args);
  const lastFailed = args.boolean("last-failed");
  const retries = whole(command, args, "retries", 0) ?? 0;
  const maxFailures = whole(command, args, "max-failures", 1) ?? (args.boolean("fail-fast") ? 1 : undefined);
  const limit = milliseconds(command, args, "global-timeout");
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
    const plan = onlyChanged(
      raw,
      preparation,
      envFile,
      suiteOf(command, raw, preparation, { shard, shuffle, lastFailed }),
    );
    const descriptions = await describeFiles(filesOf(plan), {}, asked.stop);
    if (args.given("forbid-only") ? args.boolean("forbid-only") : inCi) forbidOnly(command, descriptions);
    const { files, stages } = planSuite(plan, descriptions, readHistory(historyFile(folder)));
    if (raw.boolean("list")) return list(files, io);
    const mayBeNone = args.boolean("pass-with-no-tests");
    if (files.length === 0) {
      const found = new Set(plan.projects.flatMap((one) => one.files.map(({ path }) => path))).size;
      const fine = mayBeNone || lastFailed || shard !== undefined || raw.given("only-changed");
      nothingLeft(command, found, fine, io);
    }
    if (shuffle !== undefined) io.note(`Random order; the same again: --shuffle=${shuffle}`);
    const [{ job } = { job: { vars: {} } }] = plan.projects;
    const run = (own: readonly Selected[], more: Pick<TestOptions, "listener" | "shown" | "signal">) =>
      runTests({
        files: inspect === undefined
          ? own
          : own.map((one) => ({ ...one, job: { ...(one.job ?? job), inspect } })),
        stages,
        workers,
        retries,
        maxFailures,
        limit,
        failOnFlaky: args.boolean("fail-on-flaky"),
        shard,
        state: makeSuiteState(stateFolder()),
        job,
        hardStop: asked.hardStop,
        ...more,
      });
    await endAbandoned(io);
    if (ui) return await suitePage(files, run, io, asked.stop);
    const summary = await run(files, {
      listener: (event) => reporter.event(event),
      shown: (worker, url) => io.note(`The desktop of worker ${worker}: ${url}`),
      signal: asked.stop,
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

/** Every file of a plan once. */
function filesOf({ projects, before, after }: SuitePlan): FoundFile[] {
  const all = [
    ...projects.flatMap((one) => [
      ...one.files,
      ...one.wholeFiles,
      ...[one.before, one.after].flatMap((what) => what?.found ?? []),
    ]),
    ...[before, after].flatMap((what) => what?.found ?? []),
  ];
  return [...new Map(all.map((found) => [found.path, found])).values()];
}

/** `--only-changed`: where the configuration or the environment changed, every file did. */
function onlyChanged(
  raw: Arguments,
  { config }: Preparation,
  envFile: string | undefined,
  plan: SuitePlan,
): SuitePlan {
  if (!raw.given("only-changed")) return plan;
  const changed = changedFiles(process.cwd(), raw.string("only-changed") || undefined);
  const own = [config && resolve(config.file), envFile].flatMap((path) => path ?? []);
  if (own.some((path) => changed.has(path))) return plan;
  const judged = new Map<string, boolean>();
  const is = (found: FoundFile) => {
    const answer = judged.get(found.path) ?? isChanged(found, changed);
    judged.set(found.path, answer);
    return answer;
  };
  return { ...plan, projects: plan.projects.map((one) => ({ ...one, files: one.files.filter(is) })) };
}

function forbidOnly(command: Command, descriptions: Awaited<ReturnType<typeof describeFiles>>): void {
  const found = [...descriptions].flatMap(([file, said]) => "code" in said || !said.only ? [] : [file]);
  if (found.length === 0) return;
  throw usage(
    command,
    `${found.slice(0, 10).join(", ")} ${
      found.length === 1 ? "says" : "say"
    } \`only: true\`, which --forbid-only refuses`,
    "Take the line out, so that all files are tested. --forbid-only is on where CI is set; --no-forbid-only allows it.",
  );
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
    files: selected.map(({ id, file, description, reason, error, project, role, case: one }) => ({
      id,
      file,
      name: description?.name ?? file,
      tags: description?.tags ?? [],
      ...defined({ case: one, project, role, properties: description?.properties, reason, error }),
    })),
  });
  return selected.some(({ error }) => error !== undefined) ? 2 : 0;
}

/** Everything there was filtered away: usually a mistake, but not of the last file that failed, nor of a small suite's shard. */
function nothingLeft(command: Command, found: number, fine: boolean, io: Io): void {
  if (!fine) {
    throw usage(
      command,
      `none of the ${found} workflow files is what --grep, --grep-invert and --tag ask for`,
      "Ask for less, or add --pass-with-no-tests.",
    );
  }
  io.note("There is nothing to run.");
}
