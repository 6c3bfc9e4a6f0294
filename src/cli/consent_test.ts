import { equal, rejects } from "node:assert/strict";
import { catalogue } from "../catalogue.ts";
import { Gate, OPEN_PORTS } from "../contract/gate.ts";
import { describeApplication } from "../desktop/simulated/describe.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { openSession } from "../session/open-session.ts";
import { consent } from "./consent.ts";

Deno.test("a command and a workflow file count as consent in normal mode only", async () => {
  const pressed: string[] = [];
  const store = describeApplication("test.store", [
    { kind: "button", key: "delete", name: "Delete All Data" },
    { kind: "button", key: "open", name: "Open" },
  ], () => ({ press: (key) => void pressed.push(key) }));
  const session = await openSession({
    kind: "simulated",
    simulate: () => simulate({ applications: [store] }),
  });
  const click = (mode: string, name: string) =>
    new Gate({
      operations: catalogue,
      session,
      folder: "/",
      ports: {
        ...OPEN_PORTS,
        policy: consent({ HOME: "/nonexistent", BACKSTEP_SECURITY_MODE: mode }),
      },
    }).dispatch({ operation: "click", input: { target: `button[name="${name}"]` } });
  try {
    await click("normal", "Delete All Data");
    await rejects(click("safe", "Delete All Data"), { code: "policy" });
    await click("safe", "Open");
    await rejects(click("sandboxed", "Open"), { code: "policy" });
    equal(pressed.join(), "delete,open");
  } finally {
    await session.close();
  }
});
