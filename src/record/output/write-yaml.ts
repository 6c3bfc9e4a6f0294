import {
  Document,
  isMap as isYamlMap,
  isPair,
  isScalar,
  isSeq,
  type Node as YamlNode,
  Pair,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import type { Json } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import { isMap, toJson } from "../../base/json.ts";
import type { Operation } from "../../contract/operation.ts";
import { equalJson } from "../../contract/participant.ts";
import { Verbs } from "../../workflow/verbs.ts";
import { toolCallOf } from "./tool-call.ts";
import type { ActionStep, Asserted, Notes, RecordedStep, Recording } from "./model.ts";
import { KEYS } from "./settings.ts";

/** Below this a recorder was not sure, and the file says so. */
export const SURE = 0.8;
/** Characters of a map that still stands on one line. */
const LINE = 92;

/** The steps as a workflow file, as a person would write it. */
export function writeYaml(recording: Recording, operations: Iterable<Operation>): string {
  const writer = new Writer(new Verbs(operations));
  const map = new YAMLMap();
  const add = (key: string, value: unknown) => map.add(new Pair(key, value));
  add("name", writer.value(recording.name));
  for (const [property, key] of KEYS) {
    const value = recording.settings[property];
    if (property === "secrets" && recording.settings.secretSources !== undefined) {
      const { secrets = [], secretSources } = recording.settings;
      const sources = Object.fromEntries(secrets.map((name) => [name, secretSources[name] ?? { env: name }]));
      add(key, writer.value(toJson(sources)));
    } else if (property === "timeout" && typeof value === "number") add(key, timeText(value));
    else if (value !== undefined) add(key, writer.value(toJson(value)));
  }
  if (Object.keys(recording.vars).length > 0) add("vars", writer.block(toJson(recording.vars)));
  for (const part of ["before", "steps", "after"] as const) {
    if (part === "steps" || recording[part].length > 0) add(part, writer.steps(recording[part]));
  }
  const document = new Document();
  document.contents = map;
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true });
}

class Writer {
  readonly #verbs: Verbs;

  constructor(verbs: Verbs) {
    this.#verbs = verbs;
  }

  steps(steps: readonly RecordedStep[]): YAMLSeq {
    const list = new YAMLSeq();
    for (const step of steps) {
      const item = this.#step(step);
      const comment = commentOf(step);
      if (comment !== undefined) item.commentBefore = comment;
      list.items.push(item);
    }
    return list;
  }

  #step(step: RecordedStep): YAMLMap {
    const map = new YAMLMap();
    const add = (key: string, value: Json | undefined) => {
      if (value !== undefined) map.add(new Pair(key, this.value(value)));
    };
    if (step.kind === "action") {
      this.#action(step, map, add);
    } else if (step.kind === "transaction") {
      const inner = new YAMLMap();
      if (step.name !== undefined) inner.add(new Pair("name", this.value(step.name)));
      inner.add(new Pair("steps", this.steps(step.steps)));
      map.add(new Pair("transaction", inner));
      add("retry", step.retry);
      add("optional", step.optional);
    } else add(step.kind, step.savepoint);
    return map;
  }

  #action(step: ActionStep, map: YAMLMap, add: (key: string, value: Json | undefined) => void): void {
    if (step.tool === undefined) {
      const operation = this.#verbs.named(step.operation);
      const verb = operation?.views.yaml?.verb ?? step.operation;
      add(verb, short(step.input, operation));
    } else {
      const call = toolCallOf(step.operation, step.input);
      add("tool", call.tool);
      add("args", call.args);
    }
    const timeout = step.timeout === undefined ? undefined : timeText(step.timeout);
    const { id, name, retry, optional, soft, irreversible, waitAfter, changes } = step;
    for (
      const [key, value] of Object.entries(
        defined({ id, name, timeout, retry, optional, soft, irreversible }),
      )
    ) {
      add(key, value);
    }
    add("wait_after_ms", waitAfter);
    add("on_fail", step.onFail);
    if (changes !== undefined) add("changes", toJson(changes));
    if (step.doneWhen !== undefined) add("done_when", condition(step.doneWhen));
    if (step.undo !== undefined) map.add(new Pair("undo", this.#undo(step.undo)));
  }

  #undo({ steps, guard }: NonNullable<ActionStep["undo"]>): YAMLSeq | YAMLMap {
    if (guard === undefined) return this.steps(steps);
    const map = new YAMLMap();
    map.add(new Pair("guard", this.value(condition(guard))));
    map.add(new Pair("steps", this.steps(steps)));
    return map;
  }

  /** Maps and lists on one line where they are short. */
  value(value: Json): YamlNode {
    const node = new Document().createNode(value);
    inline(node, value);
    return node;
  }

  /** A map whose values stand on a line each. */
  block(value: Json): YamlNode {
    const map = new YAMLMap();
    for (const [key, one] of Object.entries(isMap(value) ? value : {})) {
      map.add(new Pair(key, this.value(one)));
    }
    return map;
  }
}

function inline(node: unknown, value: Json): void {
  if (isScalar(node) && typeof node.value === "string") {
    if (isUnsafeBlock(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    else if (/["'[\]{}>]/.test(node.value)) node.type = Scalar.QUOTE_SINGLE;
  }
  if (!isYamlMap(node) && !isSeq(node)) return;
  node.flow = JSON.stringify(value).length <= LINE;
  for (const item of node.items) {
    const inner: unknown = isPair(item) ? item.value : item;
    if (isYamlMap(inner) || isSeq(inner) || isScalar(inner)) inline(inner, toJson(inner.toJSON()));
  }
}

/** Milliseconds as a person says them: "2s". */
function timeText(milliseconds: number): string {
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`;
}

/** In a block of lines these are not seen, and one cannot be patched without touching its other lines. */
function isUnsafeBlock(text: string): boolean {
  // deno-lint-ignore no-control-regex -- they are what is looked for
  return /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]/.test(text) || text.trim() !== text;
}

/** A single value where the verb takes one for all of the input. */
function short(input: { readonly [key: string]: Json }, operation: Operation | undefined): Json {
  const [only, ...others] = Object.values(input);
  const scalar = operation?.views.yaml?.scalar;
  if (!scalar || typeof only !== "string" || others.length > 0) return input;
  return equalJson(toJson(scalar(only)), input) ? only : input;
}

/** An assertion as a condition of a file, where one without a time looks once. */
function condition({ input, negate }: Asserted): Json {
  const { timeout, ...rest } = input;
  const { target = null, exists, ...others } = rest;
  const presence = timeout === 0 && typeof exists === "boolean" && Object.keys(others).length === 0;
  const plain = presence ? { [exists ? "exists" : "gone"]: target } : timeout === 0 ? rest : input;
  return negate ? { not: plain } : plain;
}

/** It cannot be undone, and the file does not say so yet. */
export function isBarrier(step: RecordedStep): boolean {
  return step.kind === "action" && step.effect === "irreversible" && step.undo === undefined &&
    step.irreversible !== true;
}

function commentOf(step: RecordedStep): string | undefined {
  const { comment, confidence, alternatives = [] }: Notes = step;
  const lines = comment === undefined ? [] : comment.split(/\r?\n/);
  if (confidence !== undefined && confidence < SURE) {
    lines.push(`Not sure (${Math.round(100 * confidence)} %) that this is what was meant.`);
    lines.push(...alternatives.map((one) => `It may be: ${one.replaceAll(/\s+/g, " ")}`));
  }
  if (isBarrier(step)) {
    const how = step.undoWith ?? "{ click: 'button[name=\"…\"]' }";
    lines.push(`Cannot be undone, unless you add: undo: [ ${how} ]`);
  }
  return lines.length === 0 ? undefined : lines.map((line) => ` ${line}`).join("\n");
}
