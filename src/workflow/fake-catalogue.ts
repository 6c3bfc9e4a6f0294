import { z } from "zod";
import { ACTS, LOOKS, SETS } from "../contract/effect.ts";
import { defineOperation, type Operation, type OperationDeclaration } from "../contract/operation.ts";

/** For tests: operations that have a face and do nothing. */
function fake<I>(
  declaration: Pick<
    OperationDeclaration<I, unknown, unknown>,
    "name" | "description" | "input" | "hints" | "views"
  >,
): Operation {
  return defineOperation<I, unknown, unknown>({
    ...declaration,
    title: declaration.name,
    output: z.unknown(),
    resolve: () => Promise.resolve(undefined),
    effect: () => "read",
    act: () => Promise.resolve(undefined),
  });
}

const target = z.string().min(1).describe("The element, as a selector.");
const app = z.string().optional().describe("The application.");
const timeout = z.number().int().min(0).optional();
const text = z.union([
  z.string(),
  z.strictObject({ equals: z.string() }),
  z.strictObject({ contains: z.string() }),
  z.strictObject({ regex: z.string() }),
]);

/** For tests: the few operations their files use. */
export const FAKE_CATALOGUE: readonly Operation[] = [
  fake({
    name: "click",
    description: "Clicks an element.",
    input: z.strictObject({
      target,
      app,
      kind: z.enum(["single", "double", "right"]).optional(),
      times: z.number().int().optional(),
    }),
    hints: ACTS,
    views: { yaml: { verb: "click", scalar: (value) => ({ target: String(value) }) } },
  }),
  fake({
    name: "set-value",
    description: "Sets a value.",
    input: z.strictObject({ target, app, value: z.string() }),
    hints: SETS,
    views: { yaml: { verb: "set" } },
  }),
  fake({
    name: "press",
    description: "Presses keys.",
    input: z.strictObject({ keys: z.string(), app }),
    hints: ACTS,
    views: { yaml: { verb: "press", scalar: (value) => ({ keys: String(value) }) } },
  }),
  fake({
    name: "assert",
    description: "Checks an element.",
    input: z.strictObject({
      target,
      app,
      exists: z.boolean().optional(),
      value: text.optional(),
      title: text.optional(),
      timeout,
    }),
    hints: LOOKS,
    views: { yaml: { verb: "assert" } },
  }),
  fake({
    name: "wait-idle",
    description: "Waits.",
    input: z.strictObject({ app, timeout }),
    hints: LOOKS,
    views: { yaml: { verb: "wait_idle" } },
  }),
];
