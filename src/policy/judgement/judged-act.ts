import { Deadline } from "../../base/call.ts";
import type { Reach, Spot } from "../../desktop/reach.ts";
import { foresee, type Scene } from "./foresee.ts";
import type { Hit } from "./hit.ts";
import { SendJudge } from "./send-judge.ts";

/** What an act on its way through the gate is judged by. */
export interface JudgedAct {
  readonly operation: { readonly hints: { readonly readOnly: boolean } };
  readonly resolved: { readonly effect: string; readonly reaches: readonly Reach[] };
  readonly context: Scene;
}

/** Milliseconds for looking at what an act will hit: a person's thinking is not the act's time. */
const LOOK = 10_000;

/** Does it only read? Then it hits nothing. */
export function onlyReads({ operation, resolved }: JudgedAct): boolean {
  return operation.hints.readOnly && resolved.effect === "read";
}

/** What an act will hit, by the trees that were read for it. */
export async function hitsOf(act: JudgedAct): Promise<Hit[]> {
  return await foresee(act.resolved.reaches, sceneOf(act));
}

/** The same in trees that are read anew: while somebody thought about it, windows may have moved and rows changed. */
export async function hitsAnew(act: JudgedAct): Promise<Hit[]> {
  const scene = sceneOf(act);
  const reaches: Reach[] = [];
  for (const reach of act.resolved.reaches) {
    if (reach.by !== "press" && reach.by !== "choice") {
      reaches.push(reach);
      continue;
    }
    const { application, snapshot: before, row: at } = reach.spot;
    const snapshot = await scene.desktop.snapshot(application, {
      ...scene.deadline.call(),
      fields: ["extents", "id"],
    });
    const row = snapshot.rowOf(before.element(at));
    if (row >= 0) reaches.push({ ...reach, spot: { application, snapshot, row } });
  }
  return await foresee(reaches, scene);
}

/** Judges what the act sends, call by call. */
export function judgeOf({ resolved, context: { desktop, deadline } }: JudgedAct): SendJudge {
  return new SendJudge({ desktop, deadline }, resolved.reaches.flatMap(spotsOf));
}

function spotsOf(reach: Reach): Spot[] {
  return reach.by === "press" || reach.by === "choice" ? [reach.spot] : [];
}

function sceneOf({ context: { desktop, deadline } }: JudgedAct): Scene {
  return { desktop, deadline: Deadline.after(LOOK, deadline.signal) };
}
