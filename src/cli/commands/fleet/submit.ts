import process from "node:process";
import { type Submission, submit } from "../../../fleet/submit.ts";
import { readLabels } from "../../../fleet/queue/names.ts";
import { LEASE } from "../../../fleet/queue/boss.ts";
import { historyFile, readHistory } from "../../../testing/history.ts";
import { planSuite, type SuitePlan } from "../../../testing/plan-suite.ts";
import { describeFiles } from "../../../testing/select.ts";
import { count } from "../../../report/style.ts";
import { timeOf } from "../../../fleet/items/times.ts";
import { usage } from "../../arguments.ts";
import type { Arguments, Command } from "../../command.ts";
import type { Io } from "../../io.ts";
import { interrupts } from "../../signals.ts";
import { prepare, suiteOf } from "../test/prepare.ts";
import { milliseconds, whole } from "../test/values.ts";
import { withFleet } from "./with-fleet.ts";

/** `backstep fleet submit <paths…>`. */
export async function submitFiles(
  command: Command,
  paths: readonly string[],
  all: Arguments,
  io: Io,
): Promise<number> {
  const raw: Arguments = { ...all, positionals: paths };
  const preparation = await prepare(command, raw);
  const plan = suiteOf(command, raw, preparation, {
    shard: undefined,
    shuffle: undefined,
    lastFailed: false,
  });
  const asked = interrupts(() => io.note("Interrupted: nothing is submitted."));
  try {
    const submission = await submissionOf(command, plan, preparation.args, raw, asked.stop);
    asked.stop.throwIfAborted();
    const { run, created, jobs } = await withFleet(raw, io, (fleet) => submit(fleet, submission));
    io.json({ run, created, jobs });
    io.text(
      created
        ? `${io.style.bold(run)}  ${count(jobs, "job")}\nFollow it: backstep fleet watch ${run}\n`
        : `${io.style.bold(run)} was submitted with this key before\n`,
    );
    return 0;
  } finally {
    asked.release();
  }
}

/** What a command line and its configuration submit. */
export async function submissionOf(
  command: Command,
  plan: SuitePlan,
  args: Arguments,
  raw: Arguments,
  signal: AbortSignal,
): Promise<Submission> {
  const files = [
    ...new Map(
      plan.projects.flatMap((one) => [...one.files, ...one.wholeFiles]).map((one) => [one.path, one]),
    ).values(),
  ];
  const dependent = plan.projects.find(({ dependencies }) => dependencies.length > 0);
  if (dependent) {
    throw usage(
      command,
      `the project ${dependent.name} depends on others, which a fleet cannot order`,
      "Submit one project after the other: --project NAME, or use `backstep test` on one machine.",
    );
  }
  const descriptions = await describeFiles(files, {}, signal);
  const suite = planSuite(plan, descriptions, readHistory(historyFile(process.cwd())));
  if (suite.files.length === 0) throw usage(command, "there is nothing to submit");
  const [{ job } = { job: { vars: {} } }] = plan.projects;
  return {
    files: suite.files,
    job,
    folder: process.cwd(),
    more: raw.given("with") ? raw.strings("with") : [],
    labels: readLabels(raw.given("label") ? raw.strings("label").join(",") : ""),
    priority: (raw.given("priority") ? raw.number("priority") : undefined) ?? 0,
    key: raw.given("key") ? raw.string("key") : undefined,
    lease: raw.given("lease")
      ? milliseconds(command, raw, "lease") ?? LEASE.usual * 1_000
      : LEASE.usual * 1_000,
    retries: whole(command, args, "retries", 0) ?? 0,
    maxFailures: whole(command, args, "max-failures", 1) ?? (args.boolean("fail-fast") ? 1 : undefined),
    failOnFlaky: args.boolean("fail-on-flaky"),
    keep: keepOf(command, raw),
  };
}

/** `--keep 30d`, in milliseconds; undefined: as long as the run. */
function keepOf(command: Command, raw: Arguments): number | undefined {
  const text = raw.given("keep") ? raw.string("keep") : undefined;
  if (text === undefined) return undefined;
  const now = new Date();
  const until = timeOf(text, now);
  if (until && until > now) return until.getTime() - now.getTime();
  throw usage(command, `--keep takes a time such as 12h or 30d, not "${text}"`);
}
