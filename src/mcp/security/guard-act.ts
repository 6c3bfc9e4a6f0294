import type { Act, PolicyPort, Terms, Undoing } from "../../contract/gate.ts";
import type { Sent } from "../../desktop/sent.ts";
import { undoHits } from "../../policy/judgement/foresee.ts";
import { type Hit, isAgreed, isAgreedAnew } from "../../policy/judgement/hit.ts";
import { hitsAnew, hitsOf, judgeOf, onlyReads } from "../../policy/judgement/judged-act.ts";
import { needOf } from "../../policy/judgement/need.ts";
import { isDenied } from "../../policy/judgement/programs.ts";
import { SendJudge } from "../../policy/judgement/send-judge.ts";
import type { GuardSecurity } from "../../policy/policy.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { isComposed } from "../../tools/all.ts";
import type { McpCall } from "../server/call.ts";
import type { Agreement } from "../server/agreement.ts";
import { type ActGuard, asked, asks, concerns, reviewed, warn } from "./guard-ask.ts";
import { scriptKey } from "./guard-beforehand.ts";
import { requireEntry } from "./guard-programs.ts";
import { changed, Refused, saidNo, sandboxed, scriptBlocked } from "./guard-refusals.ts";
import { admitAct, Admitted, admittedOf } from "./guard-state.ts";

/**
 * Stands at one call's acts: throws where one may not happen, and asks where a person has to say so. `agreement`: what they
 * have agreed to before it began.
 */
export function admitting(
  guard: ActGuard,
  call: McpCall,
  tool: string,
  args: ToolArguments,
  agreement?: Agreement,
): PolicyPort {
  const written = async <T>(act: Act, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      const flags = new Set([...admittedOf(act)?.flags ?? [], ...thrown.flags]);
      guard.trail.write(call, { tool, args, act, result: thrown.result, flags: [...flags] });
      throw thrown.failure;
    }
  };
  return {
    async admit(act, before) {
      // What only looks can cost too; what is looked for again has cost already.
      if (isComposed(tool) && !before) guard.limits.nested(act.operation.traits);
      if (onlyReads(act)) return;
      return await written(act, () => admit(guard, call, { tool, args, agreement }, act, before));
    },
    async undo(undoing) {
      try {
        return await admitUndo(guard, call, tool, undoing);
      } catch (thrown) {
        if (!(thrown instanceof Refused)) throw thrown;
        guard.trail.write(call, { tool, args, result: thrown.result, flags: ["destructive_keyword"] });
        throw thrown.failure;
      }
    },
    async send(sent, act) {
      const state = admittedOf(act);
      if (!state) return;
      try {
        await judgeSent(guard, call, tool, sent, act, state);
      } catch (thrown) {
        if (!(thrown instanceof Refused)) throw thrown;
        state.result = thrown.result;
        thrown.flags.forEach((flag) => state.flags.add(flag));
        throw thrown.failure;
      }
    },
  };
}

/** What of an earlier act was agreed to be undone is agreed to, whatever it is done with. */
function isOfUndone(words: readonly string[], { name }: Hit): boolean {
  return name !== "" && words.some((text) => text.includes(name));
}

/** Asks before earlier acts are rolled back, where that destroys, and judges each call that it makes. */
async function admitUndo(
  guard: ActGuard,
  call: McpCall,
  tool: string,
  { words, desktop, deadline }: Undoing,
): Promise<(sent: Sent) => Promise<void>> {
  const { security, refusals } = guard;
  if (security.mode === "sandboxed") throw sandboxed("undo");
  const state = new Admitted();
  const agreed = await asked(guard, call, tool, undoHits(words), state);
  const undone = agreed.map(({ name }) => name);
  const judge = new SendJudge({ desktop, deadline }, []);
  return async (sent) => {
    for (const hit of await judge.judge(sent)) {
      if (needOf(hit, security.mode) === "nothing" || isOfUndone(undone, hit)) continue;
      if (refusals.has(hit, tool)) throw saidNo(hit).failure;
      if (asks(security, call)) throw changed(hit, true).failure;
      warn(call, [hit], "destructive_act_not_confirmed", state);
    }
  };
}

/** The call that an act belongs to. */
interface Called {
  readonly tool: string;
  readonly args: ToolArguments;
  readonly agreement: Agreement | undefined;
}

async function admit(
  guard: ActGuard,
  call: McpCall,
  { tool, args, agreement }: Called,
  act: Act,
  before: Act | undefined,
): Promise<Terms | void> {
  const { security, trail } = guard;
  if (security.mode === "sandboxed") throw sandboxed(act.operation.name);
  const earlier = before && admittedOf(before);
  const state = admitAct(act);
  if (isDenied(act.resolved.reaches, security)) return;
  const hits = await hitsOf(act);
  hits.forEach((hit) => flag(state, hit));
  if (!security.launchPrograms) await requireEntry(act);
  const terms = await judgeScript(guard, call, hits, state, agreement);
  const still = hits.filter((hit) => earlier?.agreed.some((one) => isAgreedAnew(one, hit)));
  const agreed = [...agreement?.hits ?? [], ...still];
  state.agreed = [...state.agreed, ...agreed];
  const open = concerns(hits, security).filter((hit) => !agreed.some((one) => isAgreed(one, hit)));
  await judgeHits(guard, call, tool, act, open, state);
  if (!earlier) trail.begin(call, { tool, args, act, flags: [...state.flags] });
  return terms;
}

const FLAGS: Readonly<Record<Hit["kind"], string | undefined>> = {
  harmless: undefined,
  destructive: "destructive_keyword",
  unknown: "unknown_target",
  program: "program",
  script: "script",
};

function flag({ flags }: Admitted, { kind }: Hit): void {
  const name = FLAGS[kind];
  if (name !== undefined) flags.add(name);
}

async function judgeScript(
  { security }: ActGuard,
  call: McpCall,
  hits: readonly Hit[],
  state: Admitted,
  agreement: Agreement | undefined,
): Promise<Terms | undefined> {
  const [hit] = hits.filter(({ kind }) => kind === "script");
  if (!hit?.script) return undefined;
  if (needOf(hit, security.mode) === "refusal") throw scriptBlocked();
  const existing = agreement?.scripts.get(scriptKey(hit.script));
  const terms = existing ?? await reviewed(hit.script, call);
  state.agreed = [...state.agreed, hit];
  state.flags.delete("script");
  state.flags.add("script_reviewed");
  return terms;
}

/** Asks for what needs a person's word, where anybody can be asked and is to be. */
async function judgeHits(
  guard: ActGuard,
  call: McpCall,
  tool: string,
  act: Act,
  hits: readonly Hit[],
  state: Admitted,
): Promise<void> {
  const agreed = await asked(guard, call, tool, hits, state);
  if (agreed.length === 0) return;
  await requireSame(act, agreed, hits, guard.security);
  state.agreed = [...state.agreed, ...agreed];
}

/** While a person thinks, windows move, rows change and the focus goes elsewhere: the word is for what was shown to them. */
async function requireSame(
  act: Act,
  agreed: readonly Hit[],
  before: readonly Hit[],
  security: GuardSecurity,
): Promise<void> {
  const now = concerns(await hitsAnew(act), security);
  const other = now.find((hit) => !before.some((one) => isAgreed(one, hit)));
  const gone = agreed.find((one) => !now.some((hit) => isAgreed(one, hit)));
  const [first] = agreed;
  if (first && (other || gone)) throw changed(gone ?? first);
}

/** Judges one call of an act right before it is sent: what is new there and would need a word does not happen. */
async function judgeSent(
  { security, refusals }: ActGuard,
  call: McpCall,
  tool: string,
  sent: Sent,
  act: Act,
  state: Admitted,
): Promise<void> {
  state.judge ??= judgeOf(act);
  const hits = await state.judge.judge(sent);
  state.add(hits);
  for (const hit of hits) {
    flag(state, hit);
    const need = needOf(hit, security.mode);
    if (need === "nothing" || state.agreed.some((one) => isAgreed(one, hit))) continue;
    if (refusals.has(hit, tool)) throw saidNo(hit);
    if (need === "refusal") throw scriptBlocked();
    if (!asks(security, call)) {
      if (!state.unasked) warn(call, [hit], "destructive_act_not_confirmed", state);
      continue;
    }
    throw changed(hit, true);
  }
}
