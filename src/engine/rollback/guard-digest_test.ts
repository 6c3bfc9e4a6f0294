import assert from "node:assert/strict";
import { Deadline } from "../../base/call.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { Session } from "../../session/session.ts";
import { SimulatedLauncher } from "../../session/simulated-launcher.ts";
import { guardDigest } from "./guard-digest.ts";

const APP = "test.dialogs";

Deno.test("a dialog that is kept hidden once it is closed does not stand", async () => {
  const desktop = simulate({
    clock: "virtual",
    applications: [{
      id: APP,
      name: "Dialogs",
      windows: [
        { key: "main", title: "Main", children: [] },
        { key: "settings", kind: "dialog", title: "Settings", open: true, children: [] },
      ],
    }],
  });
  const session: Session = {
    kind: "simulated",
    label: "simulated",
    desktop,
    launcher: new SimulatedLauncher(desktop),
    home: undefined,
    id: undefined,
    close: () => Promise.resolve(),
  };
  try {
    const digest = () => guardDigest(session, APP, Deadline.after(1_000));
    assert.match(await digest(), /\bSettings$/);
    desktop.person(APP, "settings", { visible: false });
    const hidden = await digest();
    assert.doesNotMatch(hidden, /Settings/);
    assert.match(hidden, /\nframe$/);
  } finally {
    await desktop.close();
  }
});
