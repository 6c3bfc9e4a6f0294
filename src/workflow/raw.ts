import type { Json } from "../base/error.ts";
import type { OperationStep, Step, StepCommon } from "../engine/step.ts";
import type { Acting } from "./acting.ts";
import { at } from "./findings.ts";
import { readInput, writtenAs } from "./inputs.ts";
import type { Names } from "./names.ts";
import { type Entry, entryOf, type MapNode, placeIn, toJson } from "./node.ts";
import type { Reading } from "./reading.ts";
import { property, readChoice, readDuration, readMap, readText } from "./shape.ts";
import { didYouMean, shown } from "./suggest.ts";
import { readComposing } from "./composing.ts";
import { COMPOSING_TOOLS } from "./composing-tools.ts";
import { LATER_TOOLS, type ToolForm, TOOLS } from "./tools.ts";

const ON_FAIL = ["rollback", "skip", "abort"] as const;

/** The raw form: `tool: ax_click`, `args: { … }`, `retry`, `wait_after_ms`, `on_fail`. */
export function readToolStep(
  map: MapNode,
  verb: Entry,
  step: StepCommon & Acting & Pick<OperationStep, "retry">,
  names: Names,
  reading: Reading,
): Step | undefined {
  const { faults } = reading;
  const rest = {
    ...step,
    ...property("waitAfter", entryOf(map, "wait_after_ms"), (n) => readDuration(n, "wait_after_ms", faults)),
    ...property("onFail", entryOf(map, "on_fail"), (n) => readChoice(n, "on_fail", ON_FAIL, faults)),
  };
  const tool = readText(verb.value, "tool", faults, "Name a tool, such as ax_click.");
  if (tool === undefined) return undefined;
  if (Object.hasOwn(COMPOSING_TOOLS, tool)) return readComposing(map, verb, tool, rest, names, reading);
  const form = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  const operation = form && reading.verbs.find(form.verb);
  if (!form || !operation) {
    if (form || LATER_TOOLS.includes(tool)) {
      faults.add(verb.value.place, `the tool ${tool} is not supported yet`);
    } else {
      const known = [...Object.keys(TOOLS), ...Object.keys(COMPOSING_TOOLS), ...LATER_TOOLS];
      faults.add(verb.value.place, `unknown tool ${shown(tool)}`, didYouMean(tool, known, "Tools"));
    }
    return undefined;
  }
  const entry = entryOf(map, "args");
  const none: MapNode = { kind: "map", place: verb.keyPlace, entries: [] };
  const args = entry ? readMap(entry.value, "args", faults) : none;
  if (!args) return undefined;
  const input = readArgs(args, entry ?? verb, tool, form, operation.inputSchema, names, reading);
  const raw = { raw: true, tool, answers: form.toResult } as const;
  return input === undefined
    ? undefined
    : { kind: "operation", operation: operation.name, ...rest, ...raw, input };
}

function readArgs(
  args: MapNode,
  entry: Entry,
  tool: string,
  form: ToolForm,
  schema: Parameters<typeof readInput>[1],
  names: Names,
  reading: Reading,
): OperationStep["input"] | undefined {
  const before = reading.faults.count;
  readInput(writtenAs(args, entry.keyPlace), form.args, tool, names, reading);
  for (const key of form.literal ?? []) {
    const value = entryOf(args, key)?.value;
    if (value && holdsPlaceholder(toJson(value))) {
      reading.faults.add(
        value.place,
        `${tool}.${key} cannot hold a placeholder`,
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
  return readInput(written, schema, tool, undefined, reading);
}

function holdsPlaceholder(value: Json): boolean {
  return JSON.stringify(value).includes("{{");
}
