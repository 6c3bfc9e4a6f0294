import process from "node:process";
import { Deadline } from "../base/call.ts";
import { BackstepError } from "../base/error.ts";
import type { Act, PolicyPort } from "../contract/gate.ts";
import type { Hit } from "../policy/judgement/hit.ts";
import { foresee } from "../policy/judgement/foresee.ts";
import type { SecurityMode } from "../policy/security.ts";
import { SendJudge } from "../policy/judgement/send-judge.ts";
import { Settings } from "../policy/settings.ts";
import { SETTINGS } from "../policy/table.ts";

/** Milliseconds for looking at what an act will hit. */
const LOOK = 10_000;

/**
 * What stands at the acts of a command and of a workflow file: in normal mode nothing, since who wrote it has agreed to what
 * it does. In safe mode what destroys, what nothing tells of, launches and scripts are refused: nobody can be asked. In
 * sandboxed mode every act is. Throws `usage` for settings that cannot be.
 */
export function consent(environment = process.env): readonly PolicyPort[] {
  const mode = new Settings({ environment }).get(SETTINGS.mode);
  return mode === "normal" ? [] : [judging(mode)];
}

function judging(mode: Exclude<SecurityMode, "normal">): PolicyPort {
  const judges = new WeakMap<Act["resolved"], SendJudge>();
  return {
    async admit(act) {
      const { operation, resolved, context: { desktop, deadline } } = act;
      if (operation.hints.readOnly && resolved.effect === "read") return;
      if (mode === "sandboxed") throw refused(operation.name, "sandboxed mode only looks");
      const hits = await foresee(resolved.reaches, {
        desktop,
        deadline: Deadline.after(LOOK, deadline.signal),
      });
      hits.forEach((hit) => requireHarmless(operation.name, hit));
    },
    async send(sent, act) {
      const { operation, resolved, context: { desktop, deadline } } = act;
      if (mode === "sandboxed") throw refused(operation.name, "sandboxed mode only looks");
      const expected = resolved.reaches.flatMap((reach) =>
        reach.by === "press" || reach.by === "choice" ? [reach.spot] : []
      );
      const judge = judges.get(resolved) ?? new SendJudge({ desktop, deadline }, expected);
      judges.set(resolved, judge);
      for (const hit of await judge.judge(sent)) requireHarmless(operation.name, hit);
    },
  };
}

function requireHarmless(operation: string, { kind, name, why }: Hit): void {
  const shown = `"${name.slice(0, 80)}"`;
  switch (kind) {
    case "harmless":
      return;
    case "destructive":
      throw refused(operation, `${shown} destroys, and in safe mode nobody has agreed to that`);
    case "unknown":
      throw refused(
        operation,
        `${why ?? "nothing tells what it does"}, and in safe mode nobody has agreed to that`,
      );
    case "program":
      throw refused(operation, `in safe mode nobody has agreed to start ${shown}`);
    case "script":
      throw refused(operation, "scripts are blocked in safe mode");
  }
}

function refused(operation: string, why: string): BackstepError {
  return new BackstepError("policy", `Cannot ${operation}: ${why}`, {
    hint: "Set BACKSTEP_SECURITY_MODE=normal for this command, if it is meant.",
    details: { outcome: "not_sent" },
  });
}
