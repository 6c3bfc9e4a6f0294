/**
 * The properties that are not undefined: for optional ones, which may be left out but not be undefined.
 *
 * ```ts
 * import { defined } from "./defined.ts";
 * const [name, title]: (string | undefined)[] = ["gedit", undefined];
 * if ("title" in defined({ name, title })) throw new Error();
 * ```
 */
export function defined<T extends object>(
  fields: T,
): { [K in keyof T]?: T[K] & (NonNullable<unknown> | null) } {
  const kept: { [K in keyof T]?: T[K] & (NonNullable<unknown> | null) } = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
