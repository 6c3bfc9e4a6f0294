import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../catalogue.ts";
import type { RunEvent } from "../../contract/events.ts";
import type { Fault } from "../../desktop/simulated/faults.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import { CallFailed, LiveRun } from "../../script/live.ts";
import type { Session } from "../../session/session.ts";
import { SimulatedLauncher } from "../../session/simulated-launcher.ts";
import { at, bytesOf, FAILS, settings, trial } from "../run/_trial.ts";
import { readJournal } from "../journal/journal.ts";
import { redoRun, undoRun } from "../recovery/undo-run.ts";

const APP = "sim.settings";
const NAME = `textfield[name="Name"]`;
const SET = `set: { target: '${NAME}', value: Grace }`;
const IN_TRANSACTION = `  - transaction:\n      - ${SET}\n    ${FAILS}`;

/** The application changes a field by itself so many milliseconds after this, once. */
function changesLater(
  desktop: SimulatedDesktop,
  ms: number,
  text = "Late",
  element = "name",
  app = APP,
): void {
  desktop.inject({ fault: "changing", app, element, every: { ms }, texts: [text], changes: 1 });
}

/** The same, when the rollback has written. */
const afterRollback = (ms: number) => ({
  on(event: RunEvent, desktop: SimulatedDesktop) {
    if (event.event === "rollback-step" && event.step.verdict === "restored" && !event.step.incidental) {
      changesLater(desktop, ms);
    }
  },
});

const order = (events: readonly RunEvent[]) => events.map(({ event }) => event);

Deno.test("what changes within a second after a rollback's last write is drift, and named as changed afterwards", async () => {
  await trial(settings(IN_TRANSACTION), afterRollback(600), ({ result, events, after, folder }) => {
    assert.equal(at(after, APP, "name", "text"), "Late");
    assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
    const named = { property: "text", expected: "Ada", actual: "Late", afterwards: true };
    const participant = 'text of textfield "Name"';
    assert.deepEqual(result.rollback.drift, [{ participant, ...named }]);
    assert.deepEqual(result.changed_afterwards, [{ path: "1", participant, ...named }]);
    assert.equal(result.rollback.enrolled[0]?.verdict, "failed");
    // It was as before when that was told.
    const reported = order(events);
    assert.ok(
      reported.indexOf("rollback-finished") < reported.indexOf("changed-afterwards"),
      reported.join(" "),
    );
    const kinds = readJournal(folder).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(-2), ["changed-afterwards", "end"]);
    const end = readJournal(folder).at(-1);
    assert.ok(end?.kind === "end" && end.rollback === "drift");
  });
});

Deno.test("restored is true when it is read: what changes after that second is nobody's to tell", async () => {
  await trial(settings(IN_TRANSACTION), afterRollback(5_000), ({ result }) => {
    assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
    assert.equal(result.changed_afterwards, undefined);
  });
});

Deno.test("after: is an action that ends what can be read: the last look comes before it", async () => {
  const yaml = `${settings(IN_TRANSACTION)}\nafter:\n  - quit: ${APP}`;
  await trial(yaml, afterRollback(600), ({ result, folder }) => {
    assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
    const kinds = readJournal(folder).map(({ kind }) => kind);
    assert.ok(kinds.indexOf("changed-afterwards") < kinds.lastIndexOf("action-begin"), kinds.join(" "));
  });
});

Deno.test("rollback_to: answers after the last look: the flow does not go on from what changed again", async () => {
  const steps =
    `  - savepoint: here\n  - ${SET}\n  - rollback_to: here\n  - set: { target: 'spinbutton', value: 7 }`;
  await trial(settings(steps), afterRollback(600), ({ result, after }) => {
    assert.deepEqual([result.error?.code, result.exit, result.rollback.verdict], ["drift", 3, "drift"]);
    assert.equal(at(after, APP, "copies", "value"), 1);
    assert.equal(result.changed_afterwards?.length, 1);
  });
});

Deno.test("a transaction that may fail: no action comes after it before its last look, and none where that differs", async () => {
  const steps = `  - transaction:
      steps:
        - ${SET}
        - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
    optional: true
  - set: { target: 'spinbutton', value: 7 }`;
  for (const [ms, status, copies] of [[600, "failed", 1], [5_000, "passed", 7]] as const) {
    await trial(settings(steps), afterRollback(ms), ({ result, after }) => {
      assert.equal(result.status, status, JSON.stringify(result.error));
      assert.equal(at(after, APP, "copies", "value"), copies);
      assert.equal(result.steps.find(({ path }) => path === "2")?.status, status);
      assert.equal(result.error?.code, status === "failed" ? "drift" : undefined);
    });
  }
});

Deno.test("what an earlier rollback restored is read again with one that undoes all that came since", async () => {
  const optional = `  - transaction:
      steps:
        - ${SET}
        - assert: { target: 'button[name="Nowhere"]', timeout: 0 }
    optional: true`;
  const steps = `  - set: { target: 'spinbutton', value: 7 }\n${FAILS}`;
  // Answers the write of the second rollback, which does not protect it.
  const coupled = {
    on(event: RunEvent, desktop: SimulatedDesktop) {
      if (event.event === "rollback-step" && event.step.path !== "1.1" && !event.step.incidental) {
        changesLater(desktop, 300);
      }
    },
  };
  await trial(settings(`${optional}\n${steps}`), coupled, ({ result, after }) => {
    assert.equal(at(after, APP, "name", "text"), "Late");
    assert.deepEqual([result.exit, result.rollback.verdict], [3, "drift"]);
    assert.deepEqual(result.rollback.drift.map(({ participant, actual }) => [participant, actual]), [
      ['text of textfield "Name"', "Late"],
    ]);
  });
  // Past an irreversible step nobody promises what an earlier rollback restored.
  await trial(settings(`${optional}\n  - press: F5\n${steps}`), coupled, ({ result, after }) => {
    assert.equal(at(after, APP, "name", "text"), "Late");
    assert.deepEqual([result.exit, result.rollback.verdict], [1, "restored"]);
  });
});

Deno.test("a field of a dialog is read a second after it was written, before an undo closes the dialog", async () => {
  const yaml = `name: trial\napp: sim.editor\nsteps:
  - transaction:
      - press: ctrl+s
        undo: [ { press: Escape } ]
      - set: { target: 'dialog textfield', value: draft.txt }
    ${FAILS}`;
  const options = { applications: ["sim.editor"] };
  let key = "";
  const late = {
    ...options,
    on(event: RunEvent, desktop: SimulatedDesktop) {
      if (event.event !== "rollback-step" || event.step.verdict !== "restored" || event.step.incidental) {
        return;
      }
      key =
        desktop.log.entries.findLast(({ changes }) => changes.some(({ what }) => what === "text"))?.element ??
          "";
      changesLater(desktop, 600, "other.txt", key, "sim.editor");
    },
  };
  await trial(yaml, late, ({ result }) => {
    assert.notEqual(key, "");
    assert.deepEqual([result.rollback.verdict, result.exit], ["drift", 3], JSON.stringify(result.rollback));
  });
});

Deno.test("a run that passes names what changed since the last step that set it, and stays passed", async () => {
  const steps =
    `  - ${SET}\n  - set: { target: '${NAME}', value: Hopper }\n  - set: { target: 'spinbutton', value: 7 }`;
  const on = (event: RunEvent, desktop: SimulatedDesktop) => {
    if (event.event === "step-finished" && event.step.path === "3") {
      desktop.person(APP, "name", { text: "Eve" });
    }
  };
  await trial(settings(steps), { on }, ({ result, events, folder }) => {
    assert.deepEqual([result.status, result.exit, result.rollback.verdict], ["passed", 0, "none"]);
    assert.deepEqual(result.changed_afterwards, [{
      path: "2",
      participant: 'text of textfield "Name"',
      property: "text",
      expected: "Hopper",
      actual: "Eve",
      afterwards: true,
    }]);
    assert.equal(events.filter(({ event }) => event === "changed-afterwards").length, 1);
    assert.ok(readJournal(folder).some(({ kind }) => kind === "changed-afterwards"));
  });
  await trial(settings(steps), {}, ({ result }) => assert.equal(result.changed_afterwards, undefined));
});

Deno.test("a field that changes back between the step's read-back and the look after it is named, and one that did not is not", async () => {
  const faults: Fault[] = [{ fault: "lie", answer: "wanted", reads: 1, when: { action: "setText" } }];
  await trial(settings(`  - ${SET}`), { faults }, ({ result }) => {
    assert.deepEqual([result.status, result.steps[0]?.output], ["passed", {
      target: 'textfield "Name"',
      app: "Settings",
      method: "EditableText.SetTextContents",
      verified: true,
    }]);
    const participant = 'text of textfield "Name"';
    const named = { property: "text", expected: "Grace", actual: "Ada", afterwards: true };
    assert.deepEqual(result.changed_afterwards, [{ path: "1", participant, ...named }]);
  });
  const tame = [
    SET,
    `set: { target: '${NAME}', value: Ada }`,
    `click: '${NAME}'`,
    `focus: '${NAME}'`,
    "set: { target: spinbutton, value: 1.2 }",
    "select: 'tab[name=\"General\"]'",
  ];
  await trial(settings(tame.map((step) => `  - ${step}`).join("\n")), {}, ({ result }) => {
    assert.deepEqual([result.status, result.changed_afterwards], ["passed", undefined]);
  });
});

Deno.test("what a later step of the run changed is not changed afterwards; what changed before that step is", async () => {
  const steps = `  - ${SET}\n  - click: 'button[name="Reset"]'`;
  await trial(settings(steps), {}, ({ result, after }) => {
    assert.notEqual(at(after, APP, "name", "text"), "Grace");
    assert.deepEqual([result.status, result.changed_afterwards], ["passed", undefined]);
  });
  const on = (event: RunEvent, desktop: SimulatedDesktop) => {
    if (event.event === "step-finished" && event.step.path === "1") {
      desktop.person(APP, "name", { text: "Eve" });
    }
  };
  await trial(settings(steps), { on }, ({ result }) => {
    assert.deepEqual(result.changed_afterwards?.map(({ path, actual }) => [path, actual]), [["1", "Eve"]]);
  });
});

Deno.test("a secret that is named as changed afterwards is masked, in the result and in the journal", async () => {
  const yaml = settings(`  - set: { target: '${NAME}', value: '{{secrets.TOKEN}}' }`, "secrets: [TOKEN]");
  const on = (event: RunEvent, desktop: SimulatedDesktop) => {
    if (event.event === "step-finished" && event.step.path === "1") {
      desktop.person(APP, "name", { text: "no s3cret-value" });
    }
  };
  await trial(yaml, { on, environment: { TOKEN: "s3cret-value" } }, ({ result, events, folder }) => {
    assert.equal(result.changed_afterwards?.length, 1);
    assert.doesNotMatch(JSON.stringify([result, events]) + bytesOf(folder), /s3cret-value/);
  });
});

/** A desktop on which runs come one after another, as calls of tools or of the command line. */
async function inPlace(
  use: (place: { session: Session; desktop: SimulatedDesktop; state: string }) => Promise<void>,
) {
  const state = mkdtempSync(join(tmpdir(), "backstep-last-"));
  const desktop = simulate({ applications: [APP], clock: "virtual" });
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
    await use({ session, desktop, state });
  } finally {
    await desktop.close();
    rmSync(state, { recursive: true, force: true });
  }
}

const NOTHING = { env: () => undefined, secret: () => undefined };
const CALL = { app: APP, query: NAME, value: "Grace" };

Deno.test("ax_undo answers after its last look, and says that it could not where the field changes again", () =>
  inPlace(async ({ session, desktop, state }) => {
    const live = await LiveRun.begin({
      session,
      folder: state,
      state,
      name: "trial",
      listener: (event) => afterRollback(600).on(event, desktop),
    });
    await live.call("ax_set_value", CALL);
    await assert.rejects(live.call("ax_undo", {}), (thrown: unknown) => {
      assert.ok(thrown instanceof CallFailed);
      assert.match(thrown.message, /the rollback ended in drift/);
      return true;
    });
    await live.end();
  }));

Deno.test("undo and redo of a run that has ended answer after their last look", () =>
  inPlace(async ({ session, desktop, state }) => {
    const live = await LiveRun.begin({ session, folder: state, state, run: "r", name: "trial" });
    await live.call("ax_set_value", CALL);
    await live.end();
    const own = { run: "r", state, operations: catalogue, surroundings: NOTHING };
    const reattach = () => Promise.resolve(session);
    const quiet = await undoRun({ ...own, reattach });
    assert.deepEqual([quiet.verdict, quiet.exit], ["restored", 0]);
    const listener = (event: RunEvent) => afterRollback(600).on(event, desktop);
    const again = await redoRun({ ...own, reattach, listener });
    assert.deepEqual([again.verdict, again.exit], ["drift", 3], JSON.stringify(again));
    assert.deepEqual(again.drift.map(({ actual, afterwards }) => [actual, afterwards]), [["Late", true]]);
    desktop.person(APP, "name", { text: "Grace" });
    const back = await undoRun({ ...own, reattach, listener });
    assert.deepEqual([back.verdict, back.exit], ["drift", 3], JSON.stringify(back));
    assert.deepEqual(back.drift.map(({ actual, afterwards }) => [actual, afterwards]), [["Late", true]]);
  }));
