import { statSync } from "node:fs";
import { usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import { DEBUG, isDebugged } from "../dev/debugger.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { ENV_FILE, EVIDENCE, HEAL, ON_A_WORKFLOW, UPDATE_BASELINES } from "../workflow-file.ts";
import { ON_REPORTS } from "../reports.ts";

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
    {
      name: "retries",
      kind: "number",
      value: "<n>",
      description: "Further tries of a file that failed, each alone, when all others are done",
    },
    { name: "repeat", kind: "number", value: "<n>", description: "How often each file runs" },
    {
      name: "fail-fast",
      kind: "boolean",
      deniable: true,
      description: "Start no more files after the first failure",
    },
    {
      name: "max-failures",
      kind: "number",
      value: "<n>",
      description: "Start no more files after this number of failures",
    },
    { name: "last-failed", kind: "boolean", description: "Only files that failed the last time" },
    {
      name: "only-changed",
      kind: "string",
      value: "<ref>",
      optional: true,
      description:
        "Only files that differ from a commit (default: the last one), or whose `run:` or `cases:` files or baselines do",
    },
    {
      name: "forbid-only",
      kind: "boolean",
      deniable: true,
      description: "A file with `only: true` is an error; default where CI is set",
    },
    {
      name: "fail-on-flaky",
      kind: "boolean",
      deniable: true,
      description: "A flaky file counts as a failure",
    },
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
      deniable: true,
      description: "Exit with 0 where no file is found, or none is selected",
    },
    {
      name: "fleet",
      kind: "string",
      value: "<url>",
      optional: true,
      description:
        "Run the files on the workers of a fleet (see `fleet`); default: BACKSTEP_FLEET_URL, else this machine's",
    },
    {
      name: "label",
      kind: "string",
      value: "<labels>",
      multiple: true,
      description: "With --fleet: what a worker must have: x11,gtk4",
    },
    {
      name: "inspect",
      kind: "string",
      value: "<when>",
      optional: true,
      choices: ["show", "hold"],
      description:
        "Show the desktop of each worker in a page, in which a person can take over; =hold: before the first act. " +
        "Files have no time limit then, and one worker runs them unless --workers says otherwise",
    },
    {
      name: "ui",
      kind: "boolean",
      description: "Print the address of a page with the list of files; run them there, again and again",
    },
    EVIDENCE,
    HEAL,
    UPDATE_BASELINES,
    {
      name: "config",
      kind: "string",
      value: "<file>",
      description: "Settings; default: backstep.config.yaml (or .ts) of this folder or the nearest one above",
    },
    {
      name: "project",
      kind: "string",
      value: "<name>",
      multiple: true,
      description: "Only this project of the configuration, and those that it depends on; may be repeated",
    },
    {
      name: "show-config",
      kind: "boolean",
      description: "Print each setting with its source, and run nothing",
    },
    {
      ...ENV_FILE,
      description: `${ENV_FILE.description}; default: .env beside the configuration, else in this folder`,
    },
    ...ON_REPORTS,
    ...ON_A_WORKFLOW,
    ...DESKTOP_OPTIONS,
    ...DEBUG.map((one) => ({
      ...one,
      description: `${one.description}. One file, in this process, without reports`,
    })),
  ],
  examples: [
    "backstep test workflows --workers 2 --reporter list,junit --output out",
    "backstep test --tag '!slow' --retries 1 --fail-on-flaky",
    "backstep test --list --grep-invert 'slow|draft'",
    "backstep test --shard 1/3 --reporter blob --output blobs",
    "backstep test --project dark --only-changed=main",
    "backstep test workflows --fleet --label gtk4 --reporter list,junit",
    "backstep test workflows/order.yaml --inspect=hold",
    "backstep test --ui",
  ],
  run: runTest,
};

async function runTest(args: Arguments, io: Io): Promise<number> {
  if (isDebugged(args)) {
    const [file = "", ...more] = args.positionals;
    if (more.length > 0 || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      throw usage(test, "--debug is for one file", "`backstep test --list` shows the files.");
    }
    const { steered } = await import("../dev/steered.ts");
    return await steered(test, args, io, false);
  }
  const { runTestCommand } = await import("./test/run-test.ts");
  return await runTestCommand(test, args, io);
}
