/**
 * What checks a value and says what it should look like. Every zod 4 schema is one; so is anything that answers these
 * three calls.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import type { Schema } from "./schema.ts";
 * const schema: Schema<{ to: string }> = z.strictObject({ to: z.string() });
 * if (schema.parse({ to: "Ada" }).to !== "Ada") throw new Error();
 * ```
 */
export interface Schema<T> {
  /** The value, checked and with its defaults. Throws when it does not fit. */
  parse(value: unknown): T;
  /** The same without throwing. */
  safeParse(value: unknown): SchemaVerdict<NoInfer<T>>;
  /** JSON Schema (2020-12) of what it takes or answers; what that cannot say accepts anything. */
  toJSONSchema(
    options: { readonly io: "input" | "output"; readonly unrepresentable: "any" },
  ): { readonly [keyword: string]: unknown };
}

/** What a schema says of a value. */
export type SchemaVerdict<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };

/** One thing that is wrong with a value. What it holds beyond path and message depends on its code. */
export interface SchemaIssue {
  /** zod's: "invalid_type", "unrecognized_keys", "invalid_union"… */
  readonly code?: string;
  /** Keys and indices from the whole value to the part that is meant; empty for the whole. */
  readonly path: readonly PropertyKey[];
  /** What is wrong, for people. */
  readonly message: string;
  /** Of "unrecognized_keys": the keys that may not be there. */
  readonly keys?: readonly string[];
  /** Of "invalid_type": the type that is needed, such as "string". */
  readonly expected?: string;
  /** Of "invalid_value": the values that are possible. */
  readonly values?: readonly unknown[];
  /** Of "invalid_union": what each alternative finds wrong. */
  readonly errors?: readonly (readonly SchemaIssue[])[];
}
