import { Deadline } from "../base/call.ts";
import type { Act, PolicyPort, Terms, Undoing } from "../contract/gate.ts";
import type { Sent } from "../desktop/sent.ts";
import { foresee, undoHits } from "../policy/judgement/foresee.ts";
import { type Hit, isAgreed } from "../policy/judgement/hit.ts";
import { SendJudge } from "../policy/judgement/send-judge.ts";
import type { GuardSecurity } from "../policy/policy.ts";
import type { McpCall } from "./call.ts";
import { type ActGuard, asked, asks, isConcern, isDenied, LOOK, look, reviewed, warn } from "./guard-ask.ts";
import { type Agreement, scriptKey } from "./guard-beforehand.ts";
import { requireEntry } from "./guard-programs.ts";
import { changed, Refused, saidNo, sandboxed, scriptBlocked } from "./guard-refusals.ts";
import { admitAct, Admitted, admittedOf } from "./guard-state.ts";
import type { ToolArguments } from "./tool.ts";

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
    async admit(act) {
      // What only looks can cost too.
      if (tool === "ax_workflow") guard.limits.nested(act.operation.name);
      if (act.operation.hints.readOnly && act.resolved.effect === "read") return;
      return await written(act, () => admit(guard, call, { tool, args, agreement }, act));
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

/** What of an earlier act was agreed to be taken back is agreed to, whatever it is done with. */
function isOfUndone(words: readonly string[], { name }: Hit): boolean {
  return name !== "" && words.some((text) => text.includes(name));
}

/** Asks before earlier acts are taken back, where that destroys, and judges each call that it makes. */
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
      if (hit.kind === "harmless" || isOfUndone(undone, hit)) continue;
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
): Promise<Terms | void> {
  const { security, trail } = guard;
  if (security.mode === "sandboxed") throw sandboxed(act.operation.name);
  const state = admitAct(act);
  if (isDenied(act, security)) return;
  const hits = await look(act);
  hits.forEach((hit) => flag(state, hit));
  if (!security.launchPrograms) await requireEntry(act);
  const terms = await judgeScript(guard, call, hits, state, agreement);
  state.agreed = [...state.agreed, ...agreement?.hits ?? []];
  const open = hits.filter((hit) =>
    isConcern(hit, security) && !agreement?.hits.some((one) => isAgreed(one, hit))
  );
  await judgeHits(guard, call, tool, act, open, state);
  trail.begin(call, { tool, args, act, flags: [...state.flags] });
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
  if (security.mode === "safe") throw scriptBlocked();
  const known = agreement?.scripts.get(scriptKey(hit.script));
  const terms = known ?? await reviewed(hit.script, call);
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
  const now = (await lookAgain(act)).filter((hit) => isConcern(hit, security));
  const other = now.find((hit) => !before.some((one) => isAgreed(one, hit)));
  const gone = agreed.find((one) => !now.some((hit) => isAgreed(one, hit)));
  const [first] = agreed;
  if (first && (other || gone)) throw changed(gone ?? first);
}

/** The same in trees that are read anew. */
async function lookAgain(act: Act): Promise<Hit[]> {
  const { desktop, deadline } = act.context;
  const scene = { desktop, deadline: Deadline.after(LOOK, deadline.signal) };
  const reaches: Act["resolved"]["reaches"][number][] = [];
  for (const reach of act.resolved.reaches) {
    if (reach.by !== "press" && reach.by !== "choice") {
      reaches.push(reach);
      continue;
    }
    const { application, snapshot: before, row: at } = reach.spot;
    const snapshot = await desktop.snapshot(application, {
      ...scene.deadline.call(),
      fields: ["extents", "id"],
    });
    const row = snapshot.rowOf(before.element(at));
    if (row >= 0) reaches.push({ ...reach, spot: { application, snapshot, row } });
  }
  return await foresee(reaches, scene);
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
  const { desktop, deadline } = act.context;
  const expected = act.resolved.reaches.flatMap((reach) =>
    reach.by === "press" || reach.by === "choice" ? [reach.spot] : []
  );
  state.judge ??= new SendJudge({ desktop, deadline }, expected);
  const hits = await state.judge.judge(sent);
  state.add(hits);
  for (const hit of hits) {
    flag(state, hit);
    if (hit.kind === "harmless" || state.agreed.some((one) => isAgreed(one, hit))) continue;
    if (refusals.has(hit, tool)) throw saidNo(hit);
    if (hit.kind === "script" && security.mode === "safe") throw scriptBlocked();
    if (!asks(security, call)) {
      if (!state.unasked) warn(call, [hit], "destructive_act_not_confirmed", state);
      continue;
    }
    throw changed(hit, true);
  }
}
