import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { ActionStep } from "../record/output/model.ts";

/** Characters of a step in a list. */
const MOST = 160;

/** A recorded step in one line: `set textfield[name="Name"] value: Ada`. */
export function stepText({ operation, input }: ActionStep): string {
  const { target, into, ...rest } = input;
  const named = target ?? into;
  const element = named === undefined ? "" : isMap(named) ? String(named["selector"]) : String(named);
  const more = Object.entries(rest).map(([name, value]) => `${name}: ${shown(value)}`);
  const text = [operation, element, ...more].filter((part) => part !== "").join("  ");
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}

function shown(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
