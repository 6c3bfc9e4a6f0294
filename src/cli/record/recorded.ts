import process from "node:process";
import type { RecordedEvidence } from "../../heal/recorded.ts";
import type { Recording } from "../../record/output/model.ts";
import type { Session } from "../../session/session.ts";
import type { Io } from "../io.ts";
import { follower } from "./follow.ts";
import { StepList } from "./list.ts";
import { hearOrders, KEYS, LINES } from "./orders.ts";

/** Records until somebody ends it; `evidence` hears of what the steps name. */
export async function recorded(
  session: Session,
  named: { readonly name: string; readonly app?: string },
  io: Io,
  stop: AbortSignal,
  { onTarget }: RecordedEvidence,
): Promise<Recording> {
  const { Recorder } = await import("../../record/recorder.ts");
  const { recordInput } = await import("../../desktop/mode.ts");
  const { catalogue } = await import("../../catalogue.ts");
  const inputs = await recordInput(session.desktop, { signal: stop });
  const list = new StepList(io);
  const recorder = await Recorder.start(session, inputs, {
    ...named,
    operations: catalogue,
    onStep: list.onStep,
    onTarget,
  });
  const finished = Promise.withResolvers<void>();
  if (stop.aborted) finished.resolve();
  stop.addEventListener("abort", () => finished.resolve(), { once: true });
  const follow = follower(recorder, session, named.app, list, io, () => finished.resolve());
  const release = hearOrders(io.format, follow.heard);
  io.aside(process.stdin.isTTY === true ? `recording: ${KEYS}` : "recording; Ctrl-C ends it");
  io.json({ what: "recording", session: session.label, orders: LINES });
  try {
    await Promise.race([finished.promise, recorder.failed, follow.failed]);
  } catch (error) {
    await recorder.stop();
    throw error;
  } finally {
    release();
  }
  await follow.idle();
  const recording = await recorder.stop();
  list.end();
  return recording;
}
