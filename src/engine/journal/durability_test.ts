import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { catalogue } from "../../catalogue.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import { SimulatedLauncher } from "../../session/simulated-launcher.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { FAILS, settings } from "../run/_trial.ts";
import { killingDesktop } from "../run/_kill.ts";
import { runWith } from "../run/run.ts";
import { DISK, type Sink } from "./sink.ts";
import type { Durability } from "../model/durability.ts";

/** What happened, in order: "write intent", "sync", "action act setText". */
async function happenings(yaml: string, durability?: Durability): Promise<string[]> {
  const state = mkdtempSync(join(tmpdir(), "backstep-durable-"));
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  const reported: string[] = [];
  const sink: Sink = {
    write(descriptor, bytes, from) {
      const written = DISK.write(descriptor, bytes, from);
      reported.push(`write ${/"kind":"([a-z-]+)"/.exec(new TextDecoder().decode(bytes))?.[1] ?? "bytes"}`);
      return written;
    },
    sync(descriptor) {
      DISK.sync(descriptor);
      reported.push("sync");
    },
  };
  try {
    await runWith(parseWorkflow(yaml, { file: "durable.yaml", operations: catalogue }), {
      operations: catalogue,
      session: {
        kind: "simulated",
        label: "simulated",
        desktop: killingDesktop(desktop, (point, what) => {
          if (point === "after a call") reported.push(`action ${what}`);
        }),
        launcher: new SimulatedLauncher(desktop),
        home: undefined,
        id: undefined,
        close: () => Promise.resolve(),
      },
      vars: {},
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: state,
      state,
      sink,
      ...defined({ durability }),
    });
    return reported;
  } finally {
    await desktop.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Lines that were written and not on the disk yet when an action was done. */
function volatileAtActions(reported: readonly string[]): string[] {
  const found: string[] = [];
  let waiting: string[] = [];
  for (const one of reported) {
    if (one === "sync") waiting = [];
    else if (one.startsWith("write ")) waiting.push(one);
    else found.push(...waiting.map((line) => `${line} at ${one}`));
  }
  return found;
}

const STEPS = settings(`
  - set: { target: 'textfield[name="Name"]', value: Grace }
  - clipboard: { action: write, text: hello }
${FAILS}`);

Deno.test("durability full: every line is on the disk before the action that it announces, on rollback too", async () => {
  const reported = await happenings(STEPS, "full");
  const actions = reported.filter((one) => one.startsWith("action "));
  assert.ok(actions.length >= 4, `two actions and their rollback: ${actions.join(", ")}`);
  assert.deepEqual(volatileAtActions(reported), []);
  // Each line is waited for by itself: none is written while another is not durable.
  for (const [index, one] of reported.entries()) {
    if (one.startsWith("write ")) assert.equal(reported[index + 1], "sync", `after ${one}`);
  }
  // With the first of them its folder, the folder around that, the key and the key's folder.
  assert.deepEqual(reported.slice(0, 6), ["write run", "sync", "sync", "sync", "sync", "sync"]);
});

Deno.test("durability barriers, the default: a restorable action does not wait for the disk, an irreversible one does", async () => {
  assert.ok(volatileAtActions(await happenings(STEPS)).includes("write intent at action writeClipboard"));
  const barrier = settings(`  - press: F5`);
  const reported = await happenings(barrier);
  assert.deepEqual(volatileAtActions(reported), []);
  assert.ok(reported.includes("action pressKeys F5"), reported.join(", "));
  assert.ok(
    !reported.slice(reported.indexOf("action pressKeys F5")).includes("sync"),
    "nothing is waited for after it",
  );
});

Deno.test("a file says its durability, and whoever runs it goes before that", async () => {
  const full = `durability: full\n${STEPS}`;
  assert.deepEqual(volatileAtActions(await happenings(full)), []);
  assert.notDeepEqual(volatileAtActions(await happenings(full, "barriers")), []);
});
