import { type ErrorCode, type Json, toBackstepError } from "../../base/error.ts";
import { asList, asMap, isMap, toJson } from "../../base/json.ts";
import type { Effect } from "../../contract/effect.ts";
import type { Gate } from "../../contract/gate.ts";
import type { Operation } from "../../contract/operation.ts";

/** Milliseconds for saying of one operation whether it can be done: nothing is waited for. */
const LOOK = 700;
/** The same for an application that did not answer in that time. */
const LOOK_AGAIN = 5_000;
/** Properties that a person does not fill in: which element it is, is chosen already. */
const OWN: ReadonlySet<string> = new Set(["background", "app"]);

/** A thing that somebody fills in. */
export interface Field {
  readonly name: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "any" | "list";
  readonly required: boolean;
  readonly description: string;
  readonly choices?: readonly string[];
}

/** An operation on an element: what of it can be done, and undone. */
export interface Possible {
  readonly operation: string;
  readonly title: string;
  readonly fields: readonly Field[];
  /** What undoing it would need, as far as it is known before; absent where it cannot be done. */
  readonly effect?: Effect;
  /** What is restored by undoing it, in words. */
  readonly restores: readonly string[];
  /** Why it cannot be done now. */
  readonly why?: string;
  readonly code?: ErrorCode;
}

/** An operation that changes an element, with the property that names that. */
export interface ElementOperation {
  readonly operation: Operation;
  readonly target: "target" | "into";
  readonly fields: readonly Field[];
}

/** The operations of a catalogue that change one element. */
export function elementOperations(operations: Iterable<Operation>): ElementOperation[] {
  return [...operations].flatMap((operation): ElementOperation[] => {
    if (operation.hints.readOnly) return [];
    const schema = operation.inputSchema.toJSONSchema({ io: "input", unrepresentable: "any" });
    const properties = asMap(asMap(toJson(schema))["properties"]);
    const target = "target" in properties ? "target" : "into" in properties ? "into" : undefined;
    if (target === undefined) return [];
    const required = new Set(asList(asMap(toJson(schema))["required"]).map(String));
    const fields = Object.entries(properties).filter(([name]) => name !== target && !OWN.has(name))
      .map(([name, one]) => fieldOf(name, asMap(one), required.has(name)));
    return [{ operation, target, fields }];
  });
}

/** Looks, without doing anything, which of them can be done to an element. `value`: what it has now. */
export async function possibleOn(
  gate: Gate,
  operations: readonly ElementOperation[],
  element: { readonly reference: string; readonly app: string; readonly value: Json },
  signal: AbortSignal,
): Promise<Possible[]> {
  return await Promise.all(operations.map(async ({ operation, target, fields }): Promise<Possible> => {
    const { name, title } = operation;
    const input = { [target]: element.reference, ...sample(fields, element.value) };
    const reported = { operation: name, title, fields };
    const look = async (within: number): Promise<Possible> => {
      try {
        const { resolved } = await gate.look({ operation: name, input }, {
          timeout: within,
          budget: { resolve: within },
          app: element.app,
          signal,
        });
        return {
          ...reported,
          effect: resolved.effect,
          restores: resolved.participants.map(({ label }) => label.slice(0, 120)),
        };
      } catch (thrown) {
        const { message, code } = toBackstepError(thrown);
        return { ...reported, restores: [], why: message, code };
      }
    };
    const first = await look(LOOK);
    return first.code === "timeout" ? await look(LOOK_AGAIN) : first;
  }));
}

/** Something for what must be filled in, so that it can be judged: mostly what is there already. */
function sample(fields: readonly Field[], value: Json): { readonly [name: string]: Json } {
  return Object.fromEntries(
    fields.filter(({ required }) => required).map(({ name, kind, choices }) => {
      if (kind === "choice") return [name, choices?.[0] ?? ""] as const;
      if (kind === "number") return [name, 0] as const;
      if (kind === "boolean") return [name, true] as const;
      if (kind === "any") return [name, value ?? ""] as const;
      return [name, typeof value === "string" && value !== "" ? value : "x"] as const;
    }),
  );
}

function fieldOf(name: string, schema: { readonly [key: string]: Json }, required: boolean): Field {
  const { type, description, anyOf } = schema;
  const choices = asList(schema["enum"]).map(String);
  const literals = asList(anyOf).flatMap((one) => isMap(one) && "const" in one ? [String(one["const"])] : []);
  const reported = { name, required, description: typeof description === "string" ? description : "" };
  if (choices.length > 0) return { ...reported, kind: "choice", choices };
  if (literals.length > 0) return { ...reported, kind: "choice", choices: literals };
  if (type === "boolean") return { ...reported, kind: "boolean" };
  if (type === "number" || type === "integer") return { ...reported, kind: "number" };
  if (type === "array") return { ...reported, kind: "list" };
  return { ...reported, kind: anyOf === undefined ? "text" : "any" };
}
