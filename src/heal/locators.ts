import type { Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import { ELEMENT_REFERENCE } from "../contract/elements.ts";
import { Target } from "../operations/target.ts";

/** A locator of a step that may be written otherwise. */
export interface StepLocator {
  /** The property of the step's input. */
  readonly property: string;
  readonly selector: string;
  /** The application it names itself. */
  readonly app: string | undefined;
}

/** The properties of inputs that say what is acted on. */
const PROPERTIES = ["target", "into", "from", "to"];

/** The locators of a step's input. One of several matches, or within another, says more than its selector: it is left out. */
export function locatorsOf(input: Json): StepLocator[] {
  if (!isMap(input)) return [];
  return PROPERTIES.flatMap((property) => {
    const parsed = Target.safeParse(input[property]);
    if (!parsed.success) return [];
    const target = typeof parsed.data === "string" ? { selector: parsed.data } : parsed.data;
    const { selector, app, nth, within, strategy = "auto" } = target;
    if (nth !== undefined || within !== undefined || ELEMENT_REFERENCE.test(selector.trim())) return [];
    return strategy === "auto" ? [{ property, selector, app }] : [];
  });
}

/** It is asked that nothing matches: what is not there is what was wanted. */
export function isNegative(input: Json): boolean {
  if (!isMap(input)) return false;
  return input["exists"] === false || input["count"] === 0 || input["for"] === "gone" ||
    input["for"] === "hidden";
}

/** It is asked for nothing but that something matches: whatever is found satisfies it, and nothing is proved by that. */
export function asksExistenceOnly(input: Json): boolean {
  const said = ["target", "timeout", "exists", "count", "must_pass", "for"];
  if (!isMap(input) || !Object.keys(input).every((key) => said.includes(key))) return false;
  return [undefined, "exists", "visible"].some((state) => state === input["for"]);
}
