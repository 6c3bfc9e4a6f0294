import assert from "node:assert/strict";
import { Deadline, pause } from "../../base/call.ts";
import { match } from "../selector/match.ts";
import { parseSelector } from "../selector/parse.ts";
import { simulate } from "../simulated/simulate.ts";
import { pointOf } from "./point.ts";

Deno.test("what nothing brings into view is pointed at once it is there, and refused where it is not", async () => {
  const desktop = simulate({ applications: ["sim.settings"] });
  const [application] = await desktop.applications();
  assert.ok(application);
  const snapshot = await desktop.snapshot(application);
  const [row = -1] = match(parseSelector('button[name="Apply"]'), snapshot);
  const button = snapshot.element(row);
  const where = await pointOf(desktop, button, Deadline.after(4_000));
  const show = (visible: boolean) => desktop.person("sim.settings", "apply", { visible });
  show(false);
  await assert.rejects(pointOf(desktop, button, Deadline.after(4_000)), { code: "not_actionable" });
  const pointing = pointOf(desktop, button, Deadline.after(4_000));
  await pause(150);
  show(true);
  assert.deepEqual(await pointing, where);
});
