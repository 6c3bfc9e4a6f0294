import { BackstepError, type Json } from "../base/error.ts";
import { asMap, isList, isMap } from "../base/json.ts";
import type { Step, TransactionStep, Workflow } from "../engine/model/step.ts";
import { isComposed } from "../tools/all.ts";
import { readTool } from "./composing.ts";
import { Faults } from "./diagnostics.ts";
import { readDocument } from "./document.ts";
import { Names } from "./names.ts";
import { type Entry, entryOf, type MapNode, type Node, toJson } from "./node.ts";
import { AX_WORKFLOW } from "../tools/compose/workflow.ts";
import type { ParseOptions } from "./parse.ts";
import type { Reading } from "./reading.ts";
import { readReferences } from "./references.ts";
import { readMap, refuseUnknown } from "./shape.ts";
import { Verbs } from "./verbs.ts";

/**
 * Reads a file with the arguments of `ax_workflow`, or with a call of it (`{ name: "ax_workflow", arguments: { … } }`), as the
 * step that they are. The steps in it have places of the file.
 *
 * Throws `workflow` with the place of the first fault; `details.faults` lists up to 20.
 */
export function parseToolWorkflow(
  source: Uint8Array | string,
  options: Pick<ParseOptions, "file" | "operations" | "checkSelector">,
): TransactionStep {
  const faults = new Faults();
  const { file } = options;
  const node = readDocument(source, file, faults);
  const args = node && argumentsIn(node, faults);
  const step = args && stepOf(args, {
    file,
    faults,
    verbs: new Verbs(options.operations),
    tally: { steps: 0, height: 1 },
    checkSelector: options.checkSelector,
    template: readReferences,
    run: () => undefined,
    data: () => undefined,
  });
  if (args && step?.kind !== "transaction") {
    faults.add(args.place, `the file holds no call of ${AX_WORKFLOW}`);
  }
  faults.throwIfAny(file);
  if (step?.kind === "transaction") return step;
  throw new BackstepError("internal", `Cannot read ${file}: no fault was noted`);
}

function stepOf(args: MapNode, reading: Reading): Step | undefined {
  const { place } = args;
  const verb: Entry = { key: "tool", keyPlace: place, value: { kind: "scalar", value: AX_WORKFLOW, place } };
  const map: MapNode = { kind: "map", place, entries: [verb, { key: "args", keyPlace: place, value: args }] };
  return readTool(map, verb, { place }, Names.of({}, []), reading);
}

function argumentsIn(node: Node, faults: Faults): MapNode | undefined {
  const map = readMap(node, `a call of ${AX_WORKFLOW}`, faults, "Write { name: …, steps: [ … ] }.");
  const given = map && entryOf(map, "arguments");
  if (!map || !given) return map;
  refuseUnknown(map, ["name", "arguments"], "a call of a tool", faults);
  const name = entryOf(map, "name");
  const tool = name && toJson(name.value);
  if (name && !(typeof tool === "string" && isComposed(tool))) {
    faults.add(name.value.place, `the call is not one of ${AX_WORKFLOW}`, `Write \`name: ${AX_WORKFLOW}\`.`);
  }
  return readMap(given.value, "arguments", faults);
}

/** The same as a workflow that can be run: the call is its only step, and what that says of failures counts. */
export function loadToolWorkflow(
  source: Uint8Array | string,
  options: Pick<ParseOptions, "file" | "operations" | "checkSelector">,
): Workflow {
  const step = parseToolWorkflow(source, options);
  return {
    file: options.file,
    name: step.name ?? AX_WORKFLOW,
    tags: [],
    vars: {},
    secrets: [],
    files: [],
    onFailure: "stop",
    before: [],
    steps: [step],
    after: [],
  };
}

/**
 * Does a file hold the arguments of `ax_workflow`, or a call of it? It is JSON with calls of tools and nothing else: a workflow
 * file may be JSON, too.
 */
export function isToolWorkflow(source: Uint8Array | string): boolean {
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  if (!/^\uFEFF?\s*\{/.test(text)) return false;
  let json: Json;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return false; // what is no JSON is read as YAML, whose reader says what is wrong with it
  }
  const { arguments: given, steps, name: _, ...others } = asMap(json);
  if (isMap(given)) return true;
  return Object.keys(others).length === 0 && isList(steps) && steps.every((step) => "tool" in asMap(step));
}
