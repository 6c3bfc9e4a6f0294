import { Deadline, pause } from "../../src/base/call.ts";
import { placesOf } from "./trial.ts";
import type { Application, Desktop } from "../../src/desktop/desktop.ts";

/** Where the second output of two 1,280 pixels wide begins. */
const SECOND = 1_280;

/** Moves the application's window to the second output, and waits until it is there. */
export async function onSecondOutput(
  { desktop, application }: { readonly desktop: Desktop; readonly application: Application },
): Promise<void> {
  const own = async () => (await desktop.windows()).find(({ pid }) => pid === application.pid);
  const window = await own();
  if (window === undefined) throw new Error("it has no window");
  await desktop.window(window.id, { do: "place", x: SECOND + 100, y: 60 });
  const deadline = Deadline.after(3_000);
  while (((await own())?.rect.x ?? 0) < SECOND) {
    if (deadline.passed) throw new Error("its window stays on the first output");
    await pause(10);
  }
  // It was made as large as it is, which Chromium lays out anew.
  for (let before = "";;) {
    const now = JSON.stringify([...await placesOf(desktop, application, ["b0", "b23"])]);
    if (now === before) return;
    if (deadline.passed) throw new Error("its window moves on");
    before = now;
    await pause(50);
  }
}
