import { closest } from "../base/closest.ts";
import { BackstepError, type Place } from "../base/error.ts";
import type { Operation } from "../contract/operation.ts";
import type { Expectation, Needs, Workflow } from "../engine/model/step.ts";
import { parseTemplate } from "../engine/model/template.ts";
import { readCases } from "./cases.ts";
import { readDesktop } from "./desktop.ts";
import { readDocument } from "./document.ts";
import { Faults } from "./diagnostics.ts";
import { Names } from "./names.ts";
import { describe, type Entry, entryOf, type MapNode, type Node } from "./node.ts";
import type { Read, Reading, SelectorCheck, Source } from "./reading.ts";
import {
  property,
  readBoolean,
  readChoice,
  readDuration,
  readList,
  readMap,
  readText,
  refuseUnknown,
} from "./shape.ts";
import { refuseRejections } from "./reject.ts";
import { readSecrets } from "./secrets.ts";
import { readSteps } from "./steps.ts";
import { readVariables } from "./variables.ts";
import { Verbs } from "./verbs.ts";

/** What `parseWorkflow` needs beside the source. */
export interface ParseOptions {
  /** As messages name it. */
  readonly file: string;
  /** The catalogue: what a step can call. */
  readonly operations: Iterable<Operation>;
  /** The file's one true path, by which cycles are seen; default: `file`. */
  readonly key?: string;
  /** What `run:` is relative to; default: "." */
  readonly folder?: string;
  /** Fetches the file of a `run:`, throwing `workflow` when it cannot; without it `run:` is refused. */
  readonly load?: (reference: string, folder: string) => Source;
  /** Parses selectors, so that their faults are found before the run. */
  readonly checkSelector?: SelectorCheck;
}

const KEYS = [
  "name",
  "description",
  "tags",
  "app",
  "session",
  "mode",
  "desktop",
  "vars",
  "cases",
  "secrets",
  "files",
  "timeout",
  "on_failure",
  "on_conflict",
  "on_interference",
  "durability",
  "rollback",
  "expect",
  "locks",
  "needs",
  "skip",
  "only",
  "properties",
  "before",
  "after",
  "steps",
];
const SESSIONS = ["isolated", "attach", "simulated"] as const;
const MODES = ["background", "focus"] as const;
const ON_FAILURE = ["rollback", "stop", "continue"] as const;
const ON_CONFLICT = ["stop", "ask", "force"] as const;
const ON_INTERFERENCE = ["pause", "abort", "ignore"] as const;
const DURABILITY = ["barriers", "full"] as const;
const ROLLBACK_WAYS = ["restore", "rebuild"] as const;
const STATUSES = ["passed", "failed", "rejected"] as const;
const EXPECTED_ROLLBACKS = ["none", "restored", "rebuilt", "drift", "failed"] as const;

/**
 * Parses a workflow and all files that it runs, and checks what can be checked before anything launches: keys, types,
 * verbs, inputs, placeholders, ids, caps.
 *
 * @throws {BackstepError} `workflow` with the place of the first diagnostic; `details.faults` lists up to 20.
 *
 * @example
 * ```ts
 * import { parseWorkflow } from "./parse.ts";
 * const workflow = parseWorkflow("name: Nothing yet\nsteps: []", { file: "nothing.yaml", operations: [] });
 * if (workflow.name !== "Nothing yet") throw new Error();
 * ```
 */
export function parseWorkflow(source: Uint8Array | string, options: ParseOptions): Workflow {
  const faults = new Faults();
  const verbs = new Verbs(options.operations);
  const start: Source = {
    file: options.file,
    key: options.key ?? options.file,
    folder: options.folder ?? ".",
    bytes: source,
  };
  const reader = new Reader(verbs, faults, options);
  const read = reader.read(start, []);
  faults.throwIfAny(options.file);
  if (!read) throw new BackstepError("internal", `Cannot read ${options.file}: no fault was noted`);
  return read.workflow;
}

/** Reads a file and, through `run:`, others; each is read once. */
class Reader {
  readonly #done = new Map<string, Read | undefined>();
  readonly verbs: Verbs;
  readonly faults: Faults;
  readonly options: ParseOptions;

  constructor(verbs: Verbs, faults: Faults, options: ParseOptions) {
    this.verbs = verbs;
    this.faults = faults;
    this.options = options;
  }

  read(source: Source, running: readonly Source[]): Read | undefined {
    if (this.#done.has(source.key)) return this.#done.get(source.key);
    const { faults } = this;
    const before = faults.count;
    const place: Place = { file: source.file, line: 1, column: 1 };
    let read: Read | undefined;
    try {
      const node = readDocument(source.bytes, source.file, faults);
      const reading: Reading = {
        file: source.file,
        faults,
        verbs: this.verbs,
        tally: { steps: 0, height: 0 },
        checkSelector: this.options.checkSelector,
        template: parseTemplate,
        run: (reference, at) => this.#run(reference, at, [...running, source]),
        data: (reference, at) => this.#fetch(reference, at, source.folder, "`cases:` of a file are"),
      };
      if (node) {
        const workflow = readWorkflow(node, reading);
        if (workflow) read = { workflow, ...reading.tally };
      }
    } catch (thrown) {
      faults.addThrown(thrown, place);
    }
    const sound = faults.count === before ? read : undefined;
    this.#done.set(source.key, sound);
    return sound;
  }

  #run(reference: string, place: Place, running: readonly Source[]): Read | undefined {
    const { faults } = this;
    const source = this.#fetch(reference, place, running.at(-1)?.folder ?? ".", "`run:` is");
    if (source === undefined) return undefined;
    const first = running.findIndex(({ key }) => key === source.key);
    if (first >= 0) {
      const circle = [...running.slice(first), source].map(({ file }) => file).join(" → ");
      faults.add(place, `the file runs itself: ${circle}`, "Use `repeat:` to do something again.");
      return undefined;
    }
    return this.read(source, running);
  }

  /** Another file; undefined: there is none to be had, and why is noted. */
  #fetch(reference: string, place: Place, folder: string, what: string): Source | undefined {
    const { faults, options } = this;
    if (!options.load) {
      faults.add(place, `${what} not possible here`, "Only workflow files can use other files.");
      return undefined;
    }
    try {
      return options.load(reference, folder);
    } catch (thrown) {
      if (!(thrown instanceof BackstepError)) throw thrown;
      faults.add(place, thrown.message, thrown.hint);
      return undefined;
    }
  }
}

function readWorkflow(node: Node, reading: Reading): Workflow | undefined {
  const { faults, file } = reading;
  const map = readMap(node, "a workflow", faults, "Begin with `name:` and `steps:`.");
  if (!map) return undefined;
  refuseUnknown(map, KEYS, "the workflow", faults);
  const entry = (key: string): Entry | undefined => entryOf(map, key);
  const text = (key: string) => (n: Node) => readText(n, key, faults);
  const vars = property("vars", entry("vars"), (n) => readVariables(n, faults)).vars ?? {};
  const secrets = property("reported", entry("secrets"), (n) => readSecrets(n, faults)).reported ??
    { secrets: [] };
  const names = Names.of(vars, secrets.secrets);
  const before = stepsOf(entry("before"), "before", names, reading, false);
  const steps = stepsOf(entry("steps"), "steps", names, reading, true);
  const after = stepsOf(entry("after"), "after", names, reading, false);
  refuseRejections({ before, steps, after }, faults);
  demand("steps", map, "Add `steps:` with a list.", faults);
  demand("name", map, "Add `name:` as its first line.", faults);
  return {
    file,
    name: property("name", entry("name"), text("name")).name ?? "",
    ...property("description", entry("description"), text("description")),
    tags: property("tags", entry("tags"), (n) => readTags(n, faults)).tags ?? [],
    ...property("app", entry("app"), text("app")),
    ...property("session", entry("session"), (n) => readChoice(n, "session", SESSIONS, faults)),
    ...property("mode", entry("mode"), (n) => readChoice(n, "mode", MODES, faults)),
    ...property("desktop", entry("desktop"), (n) => readDesktop(n, entry("session"), reading)),
    vars,
    ...property("cases", entry("cases"), (n) => readCases(n, { ...reading, vars })),
    ...secrets,
    files: property("files", entry("files"), (n) => readFiles(n, faults)).files ?? [],
    ...property("timeout", entry("timeout"), (n) => readDuration(n, "timeout", faults)),
    onFailure:
      property("is", entry("on_failure"), (n) => readChoice(n, "on_failure", ON_FAILURE, faults)).is ??
        "rollback",
    ...property(
      "onConflict",
      entry("on_conflict"),
      (n) => readChoice(n, "on_conflict", ON_CONFLICT, faults),
    ),
    ...property(
      "onInterference",
      entry("on_interference"),
      (n) => readChoice(n, "on_interference", ON_INTERFERENCE, faults),
    ),
    ...property("durability", entry("durability"), (n) => readChoice(n, "durability", DURABILITY, faults)),
    ...property("rollback", entry("rollback"), (n) => readChoice(n, "rollback", ROLLBACK_WAYS, faults)),
    ...property("expect", entry("expect"), (n) => readExpectation(n, faults)),
    ...property("locks", entry("locks"), (n) => readTexts(n, "locks", "a lock", "[printer]", faults)),
    ...property("needs", entry("needs"), (n) => readNeeds(n, faults)),
    ...property("skip", entry("skip"), text("skip")),
    ...property("only", entry("only"), (n) => readBoolean(n, "only", faults)),
    ...property("properties", entry("properties"), (n) => readProperties(n, faults)),
    before,
    steps,
    after,
  };
}

/** A fault when the key is missing, and not merely misspelt, which is a fault already. */
function demand(key: string, map: MapNode, hint: string, faults: Faults): void {
  if (map.entries.some((e) => e.key === key || (!KEYS.includes(e.key) && closest(e.key, [key]).length > 0))) {
    return;
  }
  faults.add(map.place, `the workflow needs "${key}"`, hint);
}

function stepsOf(entry: Entry | undefined, what: string, names: Names, reading: Reading, numbered: boolean) {
  return entry ? readSteps(entry.value, what, names, reading, { numbered }) : [];
}

function readTexts(node: Node, key: string, one: string, example: string, faults: Faults): string[] {
  const list = readList(node, key, faults, `Write \`${key}: ${example}\`.`);
  return (list?.items ?? []).flatMap((item) => readText(item, one, faults) ?? []);
}

function readTags(node: Node, faults: Faults): string[] {
  return readTexts(node, "tags", "a tag", "[smoke, gtk]", faults);
}

function readFiles(node: Node, faults: Faults): string[] {
  return readTexts(node, "files", "a file", '[ "~/Documents" ]', faults);
}

/** Names and texts for reports; a number or a word such as true is shown as it is written. */
function readProperties(node: Node, faults: Faults): Record<string, string> | undefined {
  const map = readMap(node, "properties", faults, "Write { ticket: ABC-1, owner: Ada }.");
  return map && Object.fromEntries(map.entries.flatMap(({ key, value }) => {
    if (value.kind === "scalar" && value.value !== null) return [[key, String(value.value)]];
    faults.add(value.place, `properties.${key} takes a text, not ${describe(value)}`);
    return [];
  }));
}

function readNeeds(node: Node, faults: Faults): Needs | undefined {
  const map = readMap(node, "needs", faults, "Write { programs: [gedit], env: [API_TOKEN] }.");
  if (!map) return undefined;
  refuseUnknown(map, ["programs", "env"], "needs", faults);
  const texts = (key: string, one: string, example: string) => {
    const entry = entryOf(map, key);
    return entry ? readTexts(entry.value, `needs.${key}`, one, example, faults) : [];
  };
  return { programs: texts("programs", "a program", "[gedit]"), env: texts("env", "a name", "[API_TOKEN]") };
}

function readExpectation(node: Node, faults: Faults): Expectation | undefined {
  const map = readMap(node, "expect", faults, "Write { status: failed, rollback: restored }.");
  if (!map) return undefined;
  refuseUnknown(map, ["status", "rollback"], "expect", faults);
  return {
    ...property("status", entryOf(map, "status"), (n) => readChoice(n, "expect.status", STATUSES, faults)),
    ...property(
      "rollback",
      entryOf(map, "rollback"),
      (n) => readChoice(n, "expect.rollback", EXPECTED_ROLLBACKS, faults),
    ),
  };
}
