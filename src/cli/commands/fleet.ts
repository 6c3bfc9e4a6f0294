import { closest } from "../../base/closest.ts";
import { VERDICTS } from "../../fleet/report/verdicts.ts";
import { ITEM_STATES, JOB_STATES } from "../../fleet/schema/states.ts";
import { usage } from "../arguments.ts";
import type { Command, OptionSpec } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import { ON_REPORTS } from "../reports.ts";
import { ENV_FILE, EVIDENCE, ON_A_WORKFLOW } from "../workflow-file.ts";

const VERBS = [
  "up",
  "down",
  "submit",
  "worker",
  "watch",
  "report",
  "runs",
  "items",
  "key",
  "cancel",
  "drain",
  "migrate",
] as const;
type Verb = typeof VERBS[number];
/** Those that say how files are run: items are submitted as other files are. */
const SUBMITS: readonly Verb[] = ["submit", "items"];

const URL: OptionSpec = {
  name: "fleet",
  kind: "string",
  value: "<url>",
  description: "The fleet's database; default: BACKSTEP_FLEET_URL, else what `fleet up` started here",
};

/** Options with the verbs that take them. */
const OPTIONS: readonly (OptionSpec & { readonly verbs: readonly Verb[] })[] = [
  { ...URL, verbs: VERBS.filter((verb) => verb !== "up" && verb !== "down" && verb !== "key") },
  {
    name: "label",
    kind: "string",
    value: "<labels>",
    multiple: true,
    description: "submit: what a worker must have: x11,gtk4",
    verbs: SUBMITS,
  },
  {
    name: "priority",
    kind: "number",
    value: "<n>",
    description: "submit: before runs of a lower priority; default 0",
    verbs: SUBMITS,
  },
  {
    name: "key",
    kind: "string",
    value: "<key>",
    description: "submit: submitted once, however often: the same key is the same run",
    verbs: SUBMITS,
  },
  {
    name: "lease",
    kind: "string",
    value: "<time>",
    description:
      "submit: after this time without a sign of its worker a job is given to another; default 30s",
    verbs: SUBMITS,
  },
  {
    name: "with",
    kind: "string",
    value: "<path>",
    multiple: true,
    description: "submit: a file or folder of the project that the jobs need besides",
    verbs: SUBMITS,
  },
  {
    name: "retries",
    kind: "number",
    value: "<n>",
    description: "submit: further tries of a file that failed",
    verbs: SUBMITS,
  },
  {
    name: "fail-fast",
    kind: "boolean",
    description: "submit: start no more files of the run after the first failure",
    verbs: SUBMITS,
  },
  {
    name: "max-failures",
    kind: "number",
    value: "<n>",
    description: "submit: start no more files of the run after this number of failures",
    verbs: SUBMITS,
  },
  {
    name: "fail-on-flaky",
    kind: "boolean",
    description: "submit: a flaky file counts as a failure",
    verbs: SUBMITS,
  },
  {
    name: "timeout",
    kind: "string",
    value: "<time>",
    description: "submit: time limit of each file, instead of its `timeout:`",
    verbs: SUBMITS,
  },
  {
    name: "grep",
    kind: "string",
    value: "<regex>",
    description: "submit: only files whose path and name match",
    verbs: SUBMITS,
  },
  {
    name: "tag",
    kind: "string",
    value: "<tags>",
    multiple: true,
    description: "submit: only files with one of these tags",
    verbs: SUBMITS,
  },
  { ...EVIDENCE, verbs: SUBMITS },
  ...[...ON_A_WORKFLOW, ...DESKTOP_OPTIONS].map((one) => ({
    ...one,
    description: `submit: ${one.description}`,
    verbs: SUBMITS,
  })),
  {
    name: "labels",
    kind: "string",
    value: "<labels>",
    multiple: true,
    description: "worker: what it has besides what is found on this machine: printer,vpn",
    verbs: ["worker"],
  },
  {
    name: "desktops",
    kind: "number",
    value: "<n>",
    description: "worker: how many jobs it does at a time; default: half of the processors",
    verbs: ["worker"],
  },
  {
    name: "name",
    kind: "string",
    value: "<name>",
    description: "worker: its name on this machine; default: worker. Two on one machine need two names",
    verbs: ["worker"],
  },
  {
    name: "once",
    kind: "boolean",
    description: "worker: end when there is nothing to do",
    verbs: ["worker"],
  },
  { ...ENV_FILE, verbs: ["worker"] },
  {
    name: "all",
    kind: "boolean",
    description: "report: every run; drain: every worker",
    verbs: ["report", "drain"],
  },
  {
    name: "keep",
    kind: "string",
    value: "<time>",
    description:
      "submit, items load: how long journals and evidence are kept: 12h, 30d; default: as long as the run",
    verbs: SUBMITS,
  },
  ...ON_REPORTS.map((one) => ({
    ...one,
    description: one.name === "output"
      ? `${one.description}; items export: the file, .csv or .json`
      : one.description,
    verbs: one.name === "output" ? ["watch", "report", "items"] as const : ["watch", "report"] as const,
  })),
  {
    name: "into",
    kind: "string",
    value: "<list>",
    description: "items load: the list that the items go into",
    verbs: ["items"],
  },
  {
    name: "workflow",
    kind: "string",
    value: "<file>",
    description: "items load: the workflow that runs once for each item, with {{item.FIELD}}",
    verbs: ["items"],
  },
  {
    name: "key-field",
    kind: "string",
    value: "<field>",
    description:
      "items load: the field by which an item is known; one that the list has already is left alone",
    verbs: ["items"],
  },
  {
    name: "not-before",
    kind: "string",
    value: "<time>",
    description: "items load: when an item may begin: 2026-12-01T08:00, 2h, or the name of a field",
    verbs: ["items"],
  },
  {
    name: "deadline",
    kind: "string",
    value: "<time>",
    description: "items load: an item that has not begun by then is cancelled",
    verbs: ["items"],
  },
  {
    name: "state",
    kind: "string",
    value: "<states>",
    multiple: true,
    suggests: ITEM_STATES,
    description: "items list, export, retry: only items in these states",
    verbs: ["items"],
  },
  {
    name: "verdict",
    kind: "string",
    value: "<verdicts>",
    suggests: VERDICTS,
    description: "runs: only runs with a file whose rollback ended so: drift,failed",
    verbs: ["runs"],
  },
  {
    name: "status",
    kind: "string",
    value: "<statuses>",
    suggests: JOB_STATES,
    description: "runs: only runs with a file of these statuses",
    verbs: ["runs"],
  },
  {
    name: "file",
    kind: "string",
    value: "<text>",
    description: "runs: only runs with a file whose path has this in it",
    verbs: ["runs"],
  },
  {
    name: "since",
    kind: "string",
    value: "<time>",
    description: "runs: only runs submitted since then: 2d, 2026-12-01",
    verbs: ["runs"],
  },
  {
    name: "limit",
    kind: "number",
    value: "<n>",
    description: "runs: so many, the newest; default 50",
    verbs: ["runs"],
  },
  {
    name: "data",
    kind: "string",
    value: "<folder>",
    description: "up, down: where the database of this machine lies",
    verbs: ["up", "down"],
  },
];

/** `backstep fleet …`. */
export const fleet: Command = {
  name: "fleet",
  summary: "Run workflow files on several machines, over a queue in PostgreSQL",
  details: [
    "up:      starts a database on this machine, as an ordinary user; down: stops it.",
    "submit:  stores workflow files with what they are made of, and queues them as a run.",
    "worker:  takes jobs and runs them, each on a private desktop; Ctrl-C rolls back and gives them to others.",
    "watch:   shows a run (default: the newest) until it is over; the exit code is that of `test`.",
    "report:  what is known of a run and of the workers, at once; with --reporter, the reports that one machine would have written.",
    "runs:    searches the runs of the fleet by verdict, status, file and time.",
    "items:   load, list, show, export, retry: a list of work items, and a workflow that runs once for each.",
    "key:     prints the secret that opens the fleet's evidence, for its other machines.",
    "cancel:  leaves what of a run has not begun, and has what runs rolled back.",
    "drain:   has workers take no more jobs, and end.",
    "migrate: makes Backstep's tables in the database, or brings them up to date.",
  ],
  positionals: [
    { name: "verb", description: VERBS.join(", "), required: true, choices: VERBS },
    {
      name: "argument",
      description:
        "submit: files and folders; watch, report, cancel: a run; drain: names of workers; items: " +
        "load <file>, list [list], show <list> <item>, export <list>, retry <list> [items]",
      required: false,
      rest: true,
    },
  ],
  options: OPTIONS.map(({ verbs: _, ...option }) => option),
  examples: [
    "backstep fleet up",
    "backstep fleet worker --desktops 4",
    "backstep fleet submit workflows --label x11,gtk4 --retries 1",
    "backstep fleet watch --reporter list,junit",
    "backstep fleet report --reporter list,junit,html --output out",
    "backstep fleet report --all --format json",
    "backstep fleet runs --verdict drift,failed --since 2d",
    "backstep fleet items load orders.csv --into orders --workflow order.yaml --key-field order --retries 2",
    "backstep fleet items export orders --state failed,rejected --output left.csv",
    "backstep fleet drain --all",
  ],
  async run(args, io) {
    const [word = "", ...rest] = args.positionals;
    const verb = VERBS.find((one) => one === word);
    if (verb === undefined) {
      const [near] = closest(word, VERBS);
      throw usage(
        fleet,
        `"${word}" is no verb of it`,
        near === undefined ? `There are: ${VERBS.join(", ")}.` : `Did you mean ${near}?`,
      );
    }
    const misplaced = OPTIONS.find(({ name, verbs }) => args.given(name) && !verbs.includes(verb));
    if (misplaced !== undefined) {
      throw usage(fleet, `--${misplaced.name} is for ${misplaced.verbs.join(" and ")}`);
    }
    const { runVerb } = await import("./fleet/verbs.ts");
    return await runVerb(fleet, verb, rest, args, io);
  },
};
