import type { Json, Place } from "../base/error.ts";
import { isList, isMap, nestsDeeper } from "../base/json.ts";
import type { RunResult } from "../contract/events.ts";
import { literal } from "../engine/model/template.ts";
import type { Step, Workflow } from "../engine/model/step.ts";
import { isComposed } from "../tools/all.ts";
import { readTool } from "./composing.ts";
import { Faults } from "./diagnostics.ts";
import { Names } from "./names.ts";
import { type Entry, fromJson, type MapNode } from "./node.ts";
import type { ParseOptions } from "./parse.ts";
import { DEEPEST, MOST_BYTES, type Reading } from "./reading.ts";
import { readReferences } from "./references.ts";
import { Verbs } from "./verbs.ts";

/** What stands for the file where calls are no file: nobody has it, and nobody is told of places in it. */
export const CALLS = "calls of tools";

/** A call of a tool of the tool specification. */
export interface ToolCall {
  /** "ax_click", "ax_workflow"… */
  readonly tool: string;
  /** As the tool's schema has them; nothing in them is a placeholder but `{{step_N.field}}` in the steps of `ax_workflow`. */
  readonly args?: Json;
}

/**
 * Calls of tools as a workflow, one after another, so that they have the engine's journal and rollback: `ax_workflow` rolls
 * its steps back where they say `on_fail: rollback`, `ax_undo` undoes the calls before it. A call that fails ends it, and
 * by itself rolls nothing back. Throws `workflow` for what the tools do not take.
 *
 * @example
 * ```ts
 * import { parseToolCalls } from "./tool-calls.ts";
 * const workflow = parseToolCalls([{ tool: "ax_undo", args: { count: 2 } }], { operations: [] });
 * if (workflow.steps[0]?.kind !== "undo") throw new Error();
 * ```
 */
export function parseToolCalls(
  calls: readonly ToolCall[],
  options: Pick<ParseOptions, "operations" | "checkSelector"> & { readonly name?: string },
): Workflow {
  const reading = {
    faults: new Faults(),
    verbs: new Verbs(options.operations),
    tally: { steps: 0, height: 1 },
  };
  const names = Names.of({}, []);
  let parts = 0;
  // A part of a call has its number in the place of a line, so that faults keep their order.
  const next = (): Place => ({ file: CALLS, line: ++parts, column: 1 });
  const steps = calls.flatMap((call, index) => {
    names.done = index;
    const read: Reading = {
      ...reading,
      file: CALLS,
      checkSelector: options.checkSelector,
      template: isComposed(call.tool) ? readReferences : literal,
      run: () => undefined,
      data: () => undefined,
    };
    return stepOf(call, next, names, read) ?? [];
  });
  reading.faults.throwIfAny(CALLS);
  return {
    file: CALLS,
    name: options.name ?? "tool calls",
    tags: [],
    vars: {},
    secrets: [],
    files: [],
    onFailure: "stop",
    before: [],
    steps,
    after: [],
  };
}

/** The step that a call is; undefined: it is none, and the faults are noted. */
function stepOf(
  { tool, args = {} }: ToolCall,
  next: () => Place,
  names: Names,
  reading: Reading,
): Step | undefined {
  const place = next();
  reading.tally.steps += 1;
  if (!isBounded(tool, args, place, reading.faults)) return undefined;
  const verb: Entry = { key: "tool", keyPlace: place, value: fromJson(tool, next) };
  const entries: Entry[] = [verb, { key: "args", keyPlace: next(), value: fromJson(args, next) }];
  const map: MapNode = { kind: "map", place, entries };
  return readTool(map, verb, { place }, names, reading);
}

/** Arguments may be no larger and no deeper than a file: what reads them recurses. A fault is noted. */
function isBounded(tool: string, args: Json, place: Place, faults: Faults): boolean {
  const hint = "Split it into several calls.";
  if (nestsDeeper(args, DEEPEST)) {
    faults.add(place, `${tool}: lists and maps nest deeper than ${DEEPEST} levels`, hint);
    return false;
  }
  if (charactersIn(args) <= MOST_BYTES) return true;
  faults.add(place, `${tool}: the arguments are larger than ${MOST_BYTES} bytes`, hint);
  return false;
}

function charactersIn(value: Json): number {
  if (typeof value === "string") return value.length;
  const inside = isList(value) ? value : isMap(value) ? Object.values(value) : [];
  return inside.reduce((sum: number, one) => sum + charactersIn(one), 0);
}

/** What the call of this number (from 1) answered; undefined: it failed before it could, or was not reached. */
export function answerOf(call: number, result: RunResult): Json | undefined {
  return result.steps.findLast(({ path }) => path === String(call))?.output;
}
