import type { TestCase } from "./test-case.ts";

/** Registers a case with `Deno.test`. */
export function register(test: TestCase): void {
  Deno.test(test);
}
