import assert from "node:assert/strict";
import { BackstepError } from "../base/error.ts";
import { describeApplication } from "../desktop/simulated/describe.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { openSession } from "./open-session.ts";

async function rejection(promise: Promise<unknown>): Promise<BackstepError> {
  const outcome = await promise.then(() => undefined, (error: unknown) => error);
  assert.ok(outcome instanceof BackstepError, `it did not reject with a BackstepError: ${outcome}`);
  return outcome;
}

Deno.test("a simulated application is launched, listed and quit with the results of a real one", async () => {
  const { launcher, close } = await openSession({ kind: "simulated" });
  try {
    const launched = await launcher.launch("sim.calculator");
    assert.equal(launched.wasAlreadyRunning, false);
    assert.ok(launched.processId > 0);
    assert.deepEqual(await launcher.list(), [{
      bundleId: "sim.calculator",
      name: launched.applicationName,
      processId: launched.processId,
      isHidden: false,
    }]);
    const again = await launcher.launch(launched.applicationName.toUpperCase());
    assert.deepEqual(again, { ...launched, wasAlreadyRunning: true });
    assert.deepEqual(await launcher.quit("sim.calculator"), { applicationName: launched.applicationName });
    assert.deepEqual(await launcher.list(), []);
  } finally {
    await close();
  }
});

Deno.test("the errors of a simulated launcher are those of the real one", async () => {
  const { launcher, close } = await openSession({ kind: "simulated" });
  try {
    const table: [action: Promise<unknown>, code: string, message: string][] = [
      [launcher.launch("sim.nothing"), "app_not_found", "Application not found: sim.nothing"],
      [launcher.quit("sim.calculator"), "app_not_running", "Application is not running: sim.calculator"],
      [
        launcher.launch("sim.editor", { args: ["a.txt"] }),
        "unsupported",
        "Cannot launch sim.editor: simulated applications take no arguments",
      ],
      [launcher.launch(" "), "invalid", "Invalid parameter: the application's id is empty"],
      [launcher.quit(""), "invalid", "Invalid parameter: the application's id is empty"],
    ];
    for (const [action, code, message] of table) {
      const error = await rejection(action);
      assert.equal(error.code, code);
      assert.equal(error.message, message);
    }
  } finally {
    await close();
  }
});

Deno.test("an application that asks before it closes blocks quitting: the dialog and its buttons are named", async () => {
  const stubborn = {
    ...describeApplication("test.stubborn", [{ kind: "label", key: "text", name: "Unsaved" }]),
    windows: [
      {
        key: "main",
        title: "Stubborn",
        children: [{ kind: "label" as const, key: "text", name: "Unsaved" }],
      },
      {
        key: "ask",
        kind: "dialog" as const,
        title: "Save changes?",
        children: [
          { kind: "button" as const, key: "save", name: "Save" },
          { kind: "button" as const, key: "cancel", name: "Cancel" },
        ],
      },
    ],
    behave: (application: { open(window: string): void }) => ({
      close(window: string) {
        if (window === "main") application.open("ask");
        return window === "main";
      },
    }),
  };
  const simulated = () => simulate({ applications: [stubborn] });
  const { launcher, close } = await openSession({ kind: "simulated", simulate: simulated });
  try {
    const error = await rejection(launcher.quit("test.stubborn"));
    assert.equal(error.code, "quit_blocked");
    assert.equal(error.details?.["dialog"], "Save changes?");
    assert.deepEqual(error.details?.["buttons"], ["Save", "Cancel"]);
    assert.equal((await launcher.list()).length, 1);
  } finally {
    await close();
  }
});
