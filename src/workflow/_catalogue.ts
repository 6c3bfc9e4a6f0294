import { z } from "zod";
import { READS, SETS, WRITES } from "../contract/effect.ts";
import { defineOperation, type Operation, type OperationDeclaration } from "../contract/operation.ts";

/** For tests: operations that have an interface and do nothing. */
function fake<I>(
  declaration: Pick<
    OperationDeclaration<I, unknown, unknown>,
    "name" | "description" | "input" | "hints" | "traits" | "views"
  >,
): Operation {
  return defineOperation<string, I, unknown, unknown>({
    ...declaration,
    title: declaration.name,
    output: z.unknown(),
    resolve: () => Promise.resolve(undefined),
    effect: () => "read",
    act: () => Promise.resolve(undefined),
  });
}

const selector = z.string().min(1).describe("A selector.");
const target = z.union([
  selector,
  z.strictObject({
    selector,
    app: z.string().optional(),
    strategy: z.enum(["auto", "exact"]).optional(),
    within: selector.optional(),
  }),
]).describe("The element, as a selector.");
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
      count: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
      button: z.enum(["left", "right", "middle"]).optional(),
      background: z.boolean().optional(),
    }),
    hints: WRITES,
    views: { yaml: { verb: "click", scalar: (value) => ({ target: String(value) }) } },
  }),
  fake({
    name: "set",
    description: "Sets a value.",
    input: z.strictObject({ target, value: z.string() }),
    hints: SETS,
    views: { yaml: { verb: "set" } },
  }),
  fake({
    name: "press",
    description: "Presses keys.",
    input: z.strictObject({ keys: z.string(), app }),
    hints: WRITES,
    views: { yaml: { verb: "press", scalar: (value) => ({ keys: String(value) }) } },
  }),
  fake({
    name: "assert",
    description: "Checks an element.",
    input: z.strictObject({
      target: target.optional(),
      file: z.string().optional(),
      exists: z.boolean().optional(),
      value: text.optional(),
      title: text.optional(),
      timeout,
    }).refine((input) => input.target !== undefined || input.file !== undefined, "Say `target` or `file`"),
    hints: READS,
    traits: { waits: true, condition: true },
    views: { yaml: { verb: "assert" } },
  }),
  fake({
    name: "wait-idle",
    description: "Waits.",
    input: z.strictObject({ app, timeout }),
    hints: READS,
    views: { yaml: { verb: "wait_idle" } },
  }),
];
