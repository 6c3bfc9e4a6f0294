import process from "node:process";
import { BackstepError } from "../base/error.ts";
import type { Act, PolicyPort } from "../contract/gate.ts";
import type { Hit } from "../policy/judgement/hit.ts";
import { hitsOf, judgeOf, onlyReads } from "../policy/judgement/judged-act.ts";
import { needOf } from "../policy/judgement/need.ts";
import type { SecurityMode } from "../policy/security.ts";
import type { SendJudge } from "../policy/judgement/send-judge.ts";
import { Settings } from "../policy/settings.ts";
import { SETTINGS } from "../policy/table.ts";

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
      if (onlyReads(act)) return;
      const { name } = act.operation;
      if (mode === "sandboxed") throw refused(name, "sandboxed mode only looks");
      for (const hit of await hitsOf(act)) requireNothing(name, hit, mode);
    },
    async send(sent, act) {
      const { operation: { name }, resolved } = act;
      if (mode === "sandboxed") throw refused(name, "sandboxed mode only looks");
      const judge = judges.get(resolved) ?? judgeOf(act);
      judges.set(resolved, judge);
      for (const hit of await judge.judge(sent)) requireNothing(name, hit, mode);
    },
  };
}

/** Nobody can be asked here: what needs a person's word, or their reading, is refused. */
function requireNothing(operation: string, hit: Hit, mode: SecurityMode): void {
  if (needOf(hit, mode) !== "nothing") throw refused(operation, whyOf(hit, mode));
}

function whyOf({ kind, name, why = "nothing tells what it does" }: Hit, mode: SecurityMode): string {
  const shown = `"${name.slice(0, 80)}"`;
  const reasons: Readonly<Record<Hit["kind"], string>> = {
    harmless: `${mode} mode allows no acts`,
    destructive: `${shown} destroys, and in ${mode} mode nobody has agreed to that`,
    unknown: `${why}, and in ${mode} mode nobody has agreed to that`,
    program: `in ${mode} mode nobody has agreed to start ${shown}`,
    script: `scripts are blocked in ${mode} mode`,
  };
  return reasons[kind];
}

function refused(operation: string, why: string): BackstepError {
  return new BackstepError("policy", `Cannot ${operation}: ${why}`, {
    hint: "If this is what you want, set BACKSTEP_SECURITY_MODE=normal for this command.",
    details: { outcome: "not_sent" },
  });
}
