import type { Json } from "../base/error.ts";
import type { OperationStep, StepCommon } from "../engine/model/step.ts";
import { argumentsOf } from "../tools/arguments.ts";
import type { OperationView, ToolView } from "../tools/tool.ts";
import type { Acting } from "./step-options.ts";
import { at } from "./findings.ts";
import { readInput, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { type Entry, entryOf, type MapNode, placeIn, toJson } from "./node.ts";
import type { Reading } from "./reading.ts";
import { readMap } from "./shape.ts";

/** What a step in the raw form says beside its tool. */
export type RawRest = StepCommon & Acting & Pick<OperationStep, "retry" | "onFail" | "waitAfter">;

/** A step in the raw form whose tool is a view of an operation. */
export function readToolStep(
  map: MapNode,
  verb: Entry,
  view: ToolView,
  form: OperationView,
  rest: RawRest,
  names: Names,
  reading: Reading,
): OperationStep | undefined {
  const { faults } = reading;
  const { name: tool } = view;
  const operation = reading.verbs.named(form.operation);
  if (!operation) return void faults.add(verb.value.place, `the tool ${tool} is not supported yet`);
  const entry = entryOf(map, "args");
  const none: MapNode = { kind: "map", place: verb.keyPlace, entries: [] };
  const args = entry ? readMap(entry.value, "args", faults) : none;
  if (!args) return undefined;
  const input = readArgs(args, entry ?? verb, view, form, operation.inputSchema, names, reading);
  const raw = { raw: true, tool, answers: form.toResult } as const;
  return input === undefined
    ? undefined
    : { kind: "operation", operation: operation.name, ...rest, ...raw, input };
}

function readArgs(
  args: MapNode,
  entry: Entry,
  tool: ToolView,
  form: OperationView,
  schema: Parameters<typeof readInput>[1],
  names: Names,
  reading: Reading,
): OperationStep["input"] | undefined {
  const before = reading.faults.count;
  readInput(writtenAs(args, entry.keyPlace), argumentsOf(tool), tool.name, names, reading);
  for (const key of form.literal ?? []) {
    const value = entryOf(args, key)?.value;
    if (value && holdsPlaceholder(toJson(value))) {
      reading.faults.add(
        value.place,
        `${tool.name}.${key} cannot hold a placeholder`,
        "Write it out, or use the verb itself.",
      );
    }
  }
  if (reading.faults.count > before) return undefined;
  const json = form.toInput(
    Object.fromEntries(args.entries.map(({ key, value }) => [key, toJson(value)] as const)),
  );
  const written = {
    json,
    placeOf(path: readonly (string | number)[], offset?: number) {
      const value = at(json, path);
      // The neutral input has other names; a value that came through unchanged keeps its place.
      const origin = args.entries.find((e) => e.value.kind === "scalar" && e.value.value === value)?.value;
      return origin ? placeIn(origin, offset) : entry.value.place;
    },
    placeOfKey: () => entry.keyPlace,
  };
  return readInput(written, schema, tool.name, undefined, reading);
}

function holdsPlaceholder(value: Json): boolean {
  return JSON.stringify(value).includes("{{");
}
