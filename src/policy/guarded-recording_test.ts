import { deepEqual, equal } from "node:assert/strict";
import type { InputEvent, InputRecording } from "../desktop/input-events.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { guardDesktop } from "./guarded-desktop.ts";

function press(x: number, y: number): InputEvent {
  return { what: "button", down: true, button: "left", x, y, modifiers: [], time: 1 };
}
const KEY: InputEvent = { what: "key", keysym: 0xff0d, name: "Return", modifiers: [], time: 2 };

async function events(recording: InputRecording | undefined): Promise<string[]> {
  equal(await recording?.next({ timeout: 1_000 }), "event");
  return (recording?.take() ?? []).map(({ what }) => what);
}

Deno.test("what a person does to an application that is denied is in no recording, to others it is", async () => {
  const raw = simulate({ applications: ["sim.settings", "sim.calculator"] });
  let denied = "Calculator";
  const blocked = ({ name }: { name: string }) => name === denied ? "it is denied" : undefined;
  const desktop = guardDesktop(raw, { mode: "normal", restricts: true, blocked });
  const recording = await desktop.recordInput?.();
  const windows = await raw.windows();
  const inside = (title: string): InputEvent => {
    const rect = windows.find((one) => one.title === title)?.rect ?? { x: -1, y: -1 };
    return press(rect.x + 1, rect.y + 1);
  };
  const active = windows.find((one) => one.active)?.title;
  deepEqual([windows.map(({ title }) => title).sort(), active], [["Calculator", "Settings"], "Calculator"]);
  raw.feed(inside("Calculator"));
  raw.feed(KEY);
  raw.feed({ what: "text", time: 3 });
  deepEqual(await events(recording), []);
  denied = "Settings";
  raw.feed(inside("Calculator"));
  raw.feed(KEY);
  deepEqual(await events(recording), ["button", "key"]);
  await recording?.close();
  await raw.close();
});
