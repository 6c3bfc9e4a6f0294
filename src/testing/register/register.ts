import { isDeno } from "../../base/runtime.ts";
import type { TestCase } from "./test-case.ts";

const { register } = await (isDeno ? import("./deno.ts") : import("./node.ts"));

/** Registers a test with the runner of the runtime at hand: `deno test`, or `node --test`. */
export function registerHere(test: TestCase): void {
  register(test);
}
