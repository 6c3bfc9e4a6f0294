import assert from "node:assert/strict";
import { differences } from "../contract/participant.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";
import { processOf } from "./process.ts";
import { windowsOf } from "./windows.ts";

Deno.test("windows go back to their place, size and state", async () => {
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  try {
    const [application] = await desktop.applications();
    assert.ok(application);
    const participant = windowsOf(application);
    const before = await participant.capture(desktop, {});
    const [window] = await desktop.windows();
    assert.ok(window);
    for (
      const deeds of [
        [{ do: "place", x: 40, y: 60, width: 500, height: 400 }],
        [{ do: "minimise" }],
        [{ do: "place", x: 7, y: 9, width: 400, height: 300 }, { do: "minimise" }],
      ] as const
    ) {
      for (const deed of deeds) await desktop.window(window.id, deed);
      assert.equal(differences("", before, await participant.capture(desktop, {})).length, 1);
      await participant.restore(before, desktop, {});
      assert.deepEqual(differences("", before, await participant.capture(desktop, {})), []);
    }
    const [back] = await desktop.windows();
    assert.deepEqual([back?.rect, back?.active], [window.rect, window.active]);
    const small = await (async () => {
      await desktop.window(window.id, { do: "minimise" });
      return await participant.capture(desktop, {});
    })();
    await desktop.window(window.id, { do: "restore" });
    await participant.restore(small, desktop, {});
    assert.equal((await desktop.windows())[0]?.minimised, true);
  } finally {
    await desktop.close();
  }
});

Deno.test("a window that was closed is a difference, and nothing is done about it", async () => {
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  try {
    const [application] = await desktop.applications();
    assert.ok(application);
    const participant = windowsOf(application);
    const before = await participant.capture(desktop, {});
    desktop.quit("sim.settings", { force: true });
    assert.equal(await participant.restore(before, desktop, {}), "none");
    assert.equal(differences("", before, await participant.capture(desktop, {})).length, 1);
  } finally {
    await desktop.close();
  }
});

Deno.test("an application that was launched is quit; one that ran before is left to run", async () => {
  const desktop = simulate({ clock: "virtual" });
  try {
    const launcher = new SimulatedLauncher(desktop);
    const participant = processOf(launcher, "sim.settings");
    const before = await participant.capture(desktop, {});
    assert.deepEqual(before.properties, { running: false });
    await launcher.launch("sim.settings");
    const after = await participant.capture(desktop, {});
    assert.equal(differences("", before, after).length, 1);
    assert.equal(await participant.restore(after, desktop, {}), "none");
    assert.equal(await participant.restore(before, desktop, {}), "quit");
    assert.deepEqual((await participant.capture(desktop, {})).properties, { running: false });
  } finally {
    await desktop.close();
  }
});
