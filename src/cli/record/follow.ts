import { defined } from "../../base/defined.ts";
import type { Recorder } from "../../record/recorder.ts";
import type { Undone } from "../../record/undo-last.ts";
import type { Session } from "../../session/session.ts";
import type { Io } from "../io.ts";
import type { StepList } from "./list.ts";
import { LINES, type Order } from "./orders.ts";

/** Follows orders, one after the other. */
export function follower(
  recorder: Recorder,
  session: Session,
  app: string | undefined,
  list: StepList,
  io: Io,
  end: () => void,
) {
  const { style } = io;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {}); // reported to whoever waits for `failed`
  let queue = Promise.resolve();
  /** The last step could not be undone, and a person is asked whether it is to go nevertheless. */
  let asked = false;
  const back = async (fileOnly: boolean) => {
    const { undoStep } = await import("../../record/undo-step.ts");
    const { catalogue } = await import("../../catalogue.ts");
    const undo = (step: NonNullable<Undone["step"]>) =>
      undoStep(step, { session, operations: catalogue, ...defined({ app }) });
    const came = await recorder.undoLast(undo, { recordOnly: fileOnly });
    list.undid(came);
    asked = came.step !== undefined && !came.removed;
    if (asked) list.say("  Remove it from the file only? y / n");
  };
  const pause = async (on: boolean | undefined) => {
    if (on ?? !recorder.paused) await recorder.pause();
    else await recorder.resume();
    io.json({ what: recorder.paused ? "paused" : "resumed" });
    list.say(style.dim(recorder.paused ? "paused; p goes on" : "recording"));
  };
  const check = async (given: { readonly x: number; readonly y: number } | undefined) => {
    const at = given ?? await session.pointer?.();
    const element = at === undefined ? undefined : await recorder.check(at);
    io.json({ what: "asserted", element: element ?? null });
    if (element === undefined) list.say(style.warn("nothing that can be named lies under the pointer"));
  };
  const follow = async (order: Order): Promise<void> => {
    const answers = asked;
    asked = false;
    switch (order.do) {
      case "undo":
        return await back(order.fileOnly);
      case "pause":
        return await pause(order.on);
      case "check":
        return await check(order.at);
      case "end":
        return end();
      case "other":
        if (answers && order.text === "y") return await back(true);
        if (answers) list.say(style.dim("  it stays"));
        else if (io.format === "json") io.json({ what: "unknown", line: order.text, orders: LINES });
    }
  };
  return {
    heard(order: Order): void {
      // It ends even while something else is being done.
      if (order.do === "end") return end();
      queue = queue.then(() => follow(order)).catch((error: unknown) => failure.reject(error));
    },
    idle: () => queue,
    failed: failure.promise,
  };
}
