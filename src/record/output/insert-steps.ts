import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { BackstepError } from "../../base/error.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Recording } from "./model.ts";
import type { StepIndex } from "./step-at.ts";
import { writeYaml } from "./write-yaml.ts";

/** A piece of text that is put in, and where. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** A file and the step after which it goes on. */
export interface InsertOptions {
  /** As messages name it. */
  readonly file: string;
  readonly at: StepIndex;
  readonly operations: Iterable<Operation>;
}

/**
 * The text of a workflow file with the steps of a recording after one of its own, and the secrets and variables that those
 * need. Everything else stays as it is, byte for byte. Throws `workflow` where the list is written on one line, or a later
 * step names another by its number.
 */
export function insertSteps(source: string, recording: Recording, options: InsertOptions): string {
  const root: unknown = parseDocument(source, { keepSourceTokens: true }).contents;
  if (!isMap(root)) throw fault(options, "it is no map");
  const list = listAt(root, options);
  const item = list.items[options.at.at(-1) ?? 0];
  if (!isNode(item)) throw fault(options, "the step is not there");
  numbersStay(source, options);
  const newline = source.includes("\r\n") ? "\r\n" : "\n";
  const after = lineAfter(source, item);
  const written = stepLines(recording, options.operations, indentOf(source, item, options));
  const start = source[after - 1] === "\n" ? "" : newline;
  const insertions = [
    { at: after, text: start + written.map((line) => line + newline).join("") },
    ...needed(source, root, recording, newline),
  ];
  return insertions.sort((a, b) => b.at - a.at).reduce(
    (text, { at, text: piece }) => text.slice(0, at) + piece + text.slice(at),
    source,
  );
}

/** Throws what `insertSteps` would throw for any recording: to be known before one is made. */
export function mustTakeSteps(source: string, options: InsertOptions): void {
  const none = { name: "", settings: {}, vars: {}, before: [], steps: [], after: [] };
  insertSteps(source, none, options);
}

/** The list in which a step stands, in blocks. */
function listAt(root: YAMLMap, options: InsertOptions): YAMLSeq {
  const [first, ...deeper] = options.at;
  let list: unknown = root.get("steps", true);
  let index = first;
  for (const next of deeper) {
    const step: unknown = isSeq(list) ? list.items[index] : undefined;
    const inner: unknown = isMap(step) ? step.get("transaction", true) : undefined;
    list = isMap(inner) ? inner.get("steps", true) : inner;
    index = next;
  }
  if (!isSeq(list)) throw fault(options, "its list of steps is not there");
  if (list.flow) {
    throw fault(options, "its steps stand in [ … ]", "Write each step on a line that begins with `- `.");
  }
  return list;
}

/** A later step that is named by its number would name another one. */
function numbersStay(source: string, { at, ...options }: InsertOptions): void {
  if (at.length > 1) return;
  for (const { index, 1: number } of source.matchAll(/\{\{\s*step_(\d+)\b/g)) {
    if (Number(number) <= at[0] + 1) continue;
    const line = source.slice(0, index).split("\n").length;
    throw new BackstepError(
      "workflow",
      `Cannot record into ${options.file}: line ${line} names step ${number} by its number, which would change`,
      {
        place: { file: options.file, line, column: 1 },
        hint: "Give that step an `id:` and name it by that.",
      },
    );
  }
}

/** Where the line after a step begins. */
function lineAfter(source: string, item: Node): number {
  const end = item.range?.[1] ?? 0;
  if (source[end - 1] === "\n") return end;
  const next = source.indexOf("\n", end);
  return next < 0 ? source.length : next + 1;
}

/** The blanks before the `-` of a step. */
function indentOf(source: string, item: Node, options: InsertOptions): string {
  const [, blanks] = /(?:^|\n)([ ]*)-[^\n]*$/.exec(source.slice(0, item.range?.[0] ?? 0)) ?? [];
  if (blanks === undefined) {
    throw fault(options, "the step stands on another line than its `-`", "Write them on one line.");
  }
  return blanks;
}

function stepLines(recording: Recording, operations: Iterable<Operation>, indent: string): string[] {
  if (recording.steps.length === 0) return [];
  const alone = { ...recording, name: "x", settings: {}, vars: {}, before: [], after: [] };
  const [, steps = ""] = writeYaml(alone, operations).split(/^steps:\n/m);
  return steps.trimEnd().split("\n").map((line) => line === "" ? "" : indent + line.slice(2));
}

/** Secrets and variables that the file does not have. */
function needed(source: string, root: YAMLMap, recording: Recording, newline: string): Insertion[] {
  const { secrets = [] } = recording.settings;
  const vars = Object.keys(recording.vars);
  return [
    // Of two at the same place the last one comes first.
    ...declared(source, root, "vars", vars, newline),
    ...declared(source, root, "secrets", secrets, newline),
  ];
}

function declared(
  source: string,
  root: YAMLMap,
  key: "secrets" | "vars",
  names: readonly string[],
  newline: string,
): Insertion[] {
  const node: unknown = root.get(key, true);
  const missing = names.filter((name) => !has(node, name));
  if (missing.length === 0) return [];
  const as = (name: string) =>
    key === "vars" ? `${name}: { type: string }` : isMap(node) ? `${name}: { env: ${name} }` : name;
  const all = missing.map(as);
  if (!isMap(node) && !isSeq(node)) {
    const text = key === "vars" ? `vars: { ${all.join(", ")} }` : `secrets: [ ${all.join(", ")} ]`;
    return [{ at: afterName(source, root), text: text + newline }];
  }
  if (node.flow) {
    const end = (node.range?.[1] ?? 1) - 1;
    const blank = source[end - 1] === " ";
    const text = `${node.items.length > 0 ? (blank ? ", " : ", ") : ""}${all.join(", ")}`;
    const at = blank && node.items.length > 0 ? source.slice(0, end).trimEnd().length : end;
    return [{ at, text }];
  }
  const end = node.range?.[1] ?? 0;
  const at = source[end - 1] === "\n" ? end : source.indexOf("\n", end) + 1 || source.length;
  const column = (node.range?.[0] ?? 0) - (source.lastIndexOf("\n", (node.range?.[0] ?? 0) - 1) + 1);
  const dash = isSeq(node) ? "- " : "";
  return [{ at, text: all.map((line) => `${" ".repeat(column)}${dash}${line}${newline}`).join("") }];
}

function has(node: unknown, name: string): boolean {
  if (isMap(node)) return node.has(name);
  return isSeq(node) && node.items.some((item) => isScalar(item) && item.value === name);
}

/** Where the line after `name:` begins, or after `app:`, whichever comes later. */
function afterName(source: string, root: YAMLMap): number {
  const ends = ["name", "app"].flatMap((key) => {
    const node: unknown = root.get(key, true);
    return isNode(node) ? [lineAfter(source, node)] : [];
  });
  return Math.max(0, ...ends);
}

function isNode(node: unknown): node is Node {
  return isMap(node) || isSeq(node) || isScalar(node);
}

function fault({ file }: InsertOptions, why: string, hint?: string): BackstepError {
  return new BackstepError("workflow", `Cannot record into ${file}: ${why}`, {
    place: { file, line: 1, column: 1 },
    ...(hint === undefined ? {} : { hint }),
  });
}
