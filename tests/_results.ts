import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "../src/base/error.ts";
import { asMap, isList, isMap, toJson } from "../src/base/json.ts";
import type { RunResult } from "../src/contract/events.ts";

/** What is another at every run, and by which method something was done: that may become a better one, or warn of what it lacks. */
const PASSING: ReadonlySet<string> = new Set([
  "run",
  "duration_ms",
  "desktop",
  "method",
  "tried",
  "warning",
  "pid",
  "process_id",
  "processId",
  "waited_ms",
  "took_ms",
  // A file dialog shows the places that a machine has.
  "elements",
  // A caret that blinks is drawn in one picture and not in the other.
  "diff_pixels",
  "diff_percentage",
  // Machines smooth the edges of letters in their own ways.
  "antialiased_pixels",
]);

/** Where the project lies on this machine. */
const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What `scripts/workflow-results.ts --record` wrote: the results of 23 November 2026, before readings were shared. */
export const RECORDED = new URL("fixtures/workflow-results.json", import.meta.url);

/** The recorded result of a workflow, by its name below workflows/; null: there is none. */
export function recordedResult(name: string): Json {
  const recorded: Json = JSON.parse(readFileSync(RECORDED, "utf8"));
  return withoutPassing(asMap(recorded)[name] ?? null);
}

/** Numbers in sentences that are another at every run. */
const TIMES = /\b\d+(?:\.\d+)? (?:ms|s)\b/g;

/** What a run reported, without times, ids and methods: results of two versions can be compared. */
export function comparable(result: RunResult): Json {
  return comparableJson(toJson(result));
}

/** The same of a result that a command printed. */
export function comparableJson(result: Json): Json {
  return withoutPassing(result);
}

function withoutPassing(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(ROOT, "").replace(TIMES, "… ms");
  // The focus comes back as far as it goes in its time, which a busy machine does not have; it is no part of a verdict.
  if (isList(value)) return value.filter((one) => asMap(one)["incidental"] !== true).map(withoutPassing);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => PASSING.has(key) ? [] : [[key, withoutPassing(one)]]),
  );
}

/** Each field in which two results differ: `steps[3].status: "passed" became "failed"`. */
export function fieldsThatDiffer(before: Json, after: Json, at = ""): string[] {
  if (isList(before) && isList(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index)
      .flatMap((index) => fieldsThatDiffer(before[index] ?? null, after[index] ?? null, `${at}[${index}]`));
  }
  if (isMap(before) && isMap(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      fieldsThatDiffer(before[key] ?? null, after[key] ?? null, at === "" ? key : `${at}.${key}`)
    );
  }
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
  return was === is ? [] : [`${at}: ${was.slice(0, 300)} became ${is.slice(0, 300)}`];
}
