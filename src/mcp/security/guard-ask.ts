import type { Terms } from "../../contract/gate.ts";
import type { Hit } from "../../policy/judgement/hit.ts";
import { needOf } from "../../policy/judgement/need.ts";
import type { Refusals } from "../../policy/judgement/refusals.ts";
import type { GuardSecurity } from "../../policy/policy.ts";
import type { McpCall } from "../server/call.ts";
import { confirmActs, MOST_NAMED } from "../elicitation/destructive-act.ts";
import { reviewScript } from "../elicitation/script-review.ts";
import type { AuditTrail } from "./guard-audit.ts";
import type { Limits } from "./guard-limits.ts";
import { doingOf, needsWord, Refused, refusedByPerson, saidNo } from "./guard-refusals.ts";
import type { Admitted } from "./guard-state.ts";

/** What a client's act is judged with. */
export interface ActGuard {
  readonly security: GuardSecurity;
  readonly trail: AuditTrail;
  readonly limits: Limits;
  /** What the client's person has said no to. */
  readonly refusals: Refusals;
}

/** Those that need a person's word. */
export function concerns(hits: readonly Hit[], { mode }: GuardSecurity): Hit[] {
  return hits.filter((hit) => needOf(hit, mode) === "word");
}

/** Is there to be a person's word, and can it be had? In safe mode there is to be one in any case. */
export function asks(security: GuardSecurity, call: McpCall): boolean {
  return security.confirmDestructive && (security.mode !== "normal" || call.client.can.form);
}

/** Asks a person, and answers what they agreed to; nothing where nobody is to be asked: then it is warned of. */
export async function asked(
  { security, refusals }: ActGuard,
  call: McpCall,
  tool: string,
  hits: readonly Hit[],
  state: Admitted,
): Promise<readonly Hit[]> {
  const [first] = hits;
  if (!first) return [];
  const before = hits.find((hit) => refusals.has(hit, tool));
  if (before) throw saidNo(before);
  const unasked = (event: string) => {
    warn(call, hits, event, state);
    return [];
  };
  if (!security.confirmDestructive) return unasked("destructive_act");
  const named = hits.slice(0, MOST_NAMED);
  const said = await confirmActs(named, call);
  if (said === "accepted") return named;
  if (said === "unable" && security.mode === "normal") return unasked("destructive_act_not_confirmed");
  if (said === "unable") throw needsWord(first);
  if (said === "declined") named.forEach((hit) => refusals.add(hit, tool));
  throw new Refused(`elicitation_${said}`, [], refusedByPerson(doingOf(first), said));
}

/** Says in the log what nobody was asked about. */
export function warn(call: McpCall, hits: readonly Hit[], event: string, state: Admitted): void {
  state.unasked = true;
  for (const { kind, word, name, app } of hits.slice(0, MOST_NAMED)) {
    const about = kind === "unknown"
      ? { event: event.replace("destructive_act", "unknown_act") }
      : { event, word: word ?? "" };
    call.log("warning", "axterminator.security", {
      ...about,
      element: name.slice(0, 200),
      app: app.slice(0, 80),
    });
  }
}

/** Has a script read by a person, and answers on what terms it may run; where nobody can read it, it is warned of. */
export async function reviewed(
  { text, language, timeout }: NonNullable<Hit["script"]>,
  call: McpCall,
): Promise<Terms> {
  const seconds = timeout === undefined ? undefined : timeout / 1_000;
  const review = await reviewScript(text, language, seconds, call);
  if (review.is === "approved") return language === "terminal" ? {} : { within: review.within };
  if (review.is === "unable") {
    call.log("warning", "axterminator.security", { event: "script_not_reviewed", language });
    return {};
  }
  throw new Refused(`elicitation_${review.is}`, ["script"], refusedByPerson("run the script", review.is));
}
