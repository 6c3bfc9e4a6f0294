// For tests: what starts another process of the runtime at hand, from the sources or from what was emitted of them.
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeno } from "./runtime.ts";

/** Where Deno reads what the project's imports stand for; Node looks beside the importing file. */
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** The arguments of this runtime for running a script, wherever it lies. */
export function toRun(script: string, ...args: readonly string[]): string[] {
  return [...(isDeno ? ["run", "-A", "--quiet", "--no-check", "--config", CONFIG] : []), script, ...args];
}

/** The arguments of this runtime for evaluating a module. */
export function toEvaluate(code: string, ...args: readonly string[]): string[] {
  return [...(isDeno ? ["eval"] : ["--input-type=module", "--eval"]), code, ...args];
}

/** The address of another module of ours, named `….ts`, as it lies beside the one at `from`. */
export function moduleAt(name: string, from: string): string {
  return new URL(name.replace(/\.ts$/, extname(from)), from).href;
}
