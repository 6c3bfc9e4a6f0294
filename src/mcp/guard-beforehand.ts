import type { Act, Terms } from "../contract/gate.ts";
import type { Hit } from "../policy/judgement/hit.ts";
import type { McpCall } from "./call.ts";
import { type ActGuard, asked, asks, isConcern, isDenied, look, reviewed } from "./guard-ask.ts";
import { Refused } from "./guard-refusals.ts";
import { Admitted } from "./guard-state.ts";
import type { ToolArguments } from "./tool.ts";

/** What a person agreed to before a workflow began. */
export interface Agreement {
  readonly hits: readonly Hit[];
  /** On what terms a script was agreed to, by `scriptKey`. */
  readonly scripts: ReadonlyMap<string, Terms>;
}

/** Scripts are the same by their whole text. */
export function scriptKey({ text, language }: NonNullable<Hit["script"]>): string {
  return JSON.stringify([language, text]);
}

/**
 * Asks for everything that the steps of a workflow are known to need a person's word for, before the first of them acts: a
 * person who says no finds nothing half done. Nobody is asked where nobody can be; then each step is judged as it comes.
 */
export async function askBeforehand(
  guard: ActGuard,
  call: McpCall,
  { tool, args, acts }: {
    readonly tool: string;
    readonly args: ToolArguments;
    readonly acts: readonly Act[];
  },
): Promise<Agreement> {
  const { security, trail } = guard;
  const scripts = new Map<string, Terms>();
  if (security.mode === "sandboxed" || !call.client.can.form || !asks(security, call)) {
    return { hits: [], scripts };
  }
  const state = new Admitted();
  try {
    const hits: Hit[] = [];
    for (const act of acts) if (!isDenied(act, security)) hits.push(...await look(act));
    for (const { script } of hits) {
      if (!script || security.mode === "safe" || scripts.has(scriptKey(script))) continue;
      scripts.set(scriptKey(script), await reviewed(script, call));
    }
    const concerns = hits.filter((hit) => isConcern(hit, security));
    return { hits: await asked(guard, call, tool, concerns, state), scripts };
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    trail.write(call, { tool, args, result: thrown.result, flags: ["destructive_keyword"] });
    throw thrown.failure;
  }
}
