import { closest } from "../../base/closest.ts";
import { usage } from "../arguments.ts";
import type { Command, OptionSpec } from "../command.ts";
import { DESKTOP_OPTIONS } from "../desktop-options.ts";
import { ON_REPORTS } from "../reports.ts";
import { ENV_FILE, EVIDENCE, ON_A_WORKFLOW } from "../workflow-file.ts";

const VERBS = ["up", "down", "submit", "worker", "watch", "report", "cancel", "drain", "migrate"] as const;
type Verb = typeof VERBS[number];

const URL: OptionSpec = {
  name: "fleet",
  kind: "string",
  value: "<url>",
  description: "The fleet's database; default: BACKSTEP_FLEET_URL, else what `fleet up` started here",
};

/** Options with the verbs that take them. */
const OPTIONS: readonly (OptionSpec & { readonly verbs: readonly Verb[] })[] = [
  { ...URL, verbs: ["submit", "worker", "watch", "report", "cancel", "drain", "migrate"] },
  {
    name: "label",
    kind: "string",
    value: "<labels>",
    multiple: true,
    description: "submit: what a worker must have: x11,gtk4",
    verbs: ["submit"],
  },
  {
    name: "priority",
    kind: "number",
    value: "<n>",
    description: "submit: before runs of a lower priority; default 0",
    verbs: ["submit"],
  },
  {
    name: "key",
    kind: "string",
    value: "<key>",
    description: "submit: submitted once, however often: the same key is the same run",
    verbs: ["submit"],
  },
  {
    name: "lease",
    kind: "string",
    value: "<time>",
    description:
      "submit: after this time without a sign of its worker a job is given to another; default 30s",
    verbs: ["submit"],
  },
  {
    name: "with",
    kind: "string",
    value: "<path>",
    multiple: true,
    description: "submit: a file or folder of the project that the jobs need besides",
    verbs: ["submit"],
  },
  {
    name: "retries",
    kind: "number",
    value: "<n>",
    description: "submit: further tries of a file that failed",
    verbs: ["submit"],
  },
  {
    name: "fail-fast",
    kind: "boolean",
    description: "submit: start no more files of the run after the first failure",
    verbs: ["submit"],
  },
  {
    name: "max-failures",
    kind: "number",
    value: "<n>",
    description: "submit: start no more files of the run after this number of failures",
    verbs: ["submit"],
  },
  {
    name: "fail-on-flaky",
    kind: "boolean",
    description: "submit: a flaky file counts as a failure",
    verbs: ["submit"],
  },
  {
    name: "timeout",
    kind: "string",
    value: "<time>",
    description: "submit: time limit of each file, instead of its `timeout:`",
    verbs: ["submit"],
  },
  {
    name: "grep",
    kind: "string",
    value: "<regex>",
    description: "submit: only files whose path and name match",
    verbs: ["submit"],
  },
  {
    name: "tag",
    kind: "string",
    value: "<tags>",
    multiple: true,
    description: "submit: only files with one of these tags",
    verbs: ["submit"],
  },
  { ...EVIDENCE, verbs: ["submit"] },
  ...[...ON_A_WORKFLOW, ...DESKTOP_OPTIONS].map((one) => ({
    ...one,
    description: `submit: ${one.description}`,
    verbs: ["submit"] as const,
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
  ...ON_REPORTS.map((one) => ({ ...one, verbs: ["watch", "report"] as const })),
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
    "report:  what is known of a run and of the workers, at once.",
    "cancel:  leaves what of a run has not begun, and has what runs rolled back.",
    "drain:   has workers take no more jobs, and end.",
    "migrate: makes Backstep's tables in the database, or brings them up to date.",
  ],
  positionals: [
    { name: "verb", description: VERBS.join(", "), required: true, choices: VERBS },
    {
      name: "argument",
      description: "submit: files and folders; watch, report, cancel: a run; drain: names of workers",
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
    "backstep fleet report --all --format json",
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
