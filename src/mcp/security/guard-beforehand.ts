import type { Act, Terms } from "../../contract/gate.ts";
import type { Hit } from "../../policy/judgement/hit.ts";
import { hitsOf } from "../../policy/judgement/judged-act.ts";
import { needOf } from "../../policy/judgement/need.ts";
import { isDenied } from "../../policy/judgement/programs.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import type { McpCall } from "../server/call.ts";
import type { Agreement } from "../server/agreement.ts";
import { type ActGuard, asked, asks, concerns, reviewed } from "./guard-ask.ts";
import { Refused } from "./guard-refusals.ts";
import { Admitted } from "./guard-state.ts";

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
    for (const act of acts) {
      if (!isDenied(act.resolved.reaches, security)) hits.push(...await hitsOf(act));
    }
    for (const hit of hits) {
      const { script } = hit;
      if (!script || needOf(hit, security.mode) !== "review" || scripts.has(scriptKey(script))) continue;
      scripts.set(scriptKey(script), await reviewed(script, call));
    }
    return { hits: await asked(guard, call, tool, concerns(hits, security), state), scripts };
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    trail.write(call, { tool, args, result: thrown.result, flags: ["destructive_keyword"] });
    throw thrown.failure;
  }
}
