import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../catalogue.ts";
import { simulate } from "../desktop/simulated/simulate.ts";
import { SimulatedLauncher } from "../session/simulated-launcher.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { FAILS, settings } from "./_bench.ts";
import { killingDesktop } from "./_kill.ts";
import { runWith } from "./run.ts";
import { DISK, type Durability, type Sink } from "./sink.ts";

/** What happened, in order: "write intent", "sync", "deed act setText". */
async function happenings(yaml: string, durability?: Durability): Promise<string[]> {
  const state = mkdtempSync(join(tmpdir(), "backstep-durable-"));
  const desktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  const told: string[] = [];
  const sink: Sink = {
    write(descriptor, bytes, from) {
      const written = DISK.write(descriptor, bytes, from);
      told.push(`write ${/"kind":"([a-z-]+)"/.exec(new TextDecoder().decode(bytes))?.[1] ?? "bytes"}`);
      return written;
    },
    sync(descriptor) {
      DISK.sync(descriptor);
      told.push("sync");
    },
  };
  try {
    await runWith(parseWorkflow(yaml, { file: "durable.yaml", operations: catalogue }), {
      operations: catalogue,
      session: {
        kind: "simulated",
        label: "simulated",
        desktop: killingDesktop(desktop, (point, what) => {
          if (point === "after a call") told.push(`deed ${what}`);
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
      ...(durability === undefined ? {} : { durability }),
    });
    return told;
  } finally {
    await desktop.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Lines that were written and not on the disk yet when a deed was done. */
function volatileAtDeeds(told: readonly string[]): string[] {
  const found: string[] = [];
  let waiting: string[] = [];
  for (const one of told) {
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

Deno.test("durability full: every line is on the disk before the deed that it announces, on the way back too", async () => {
  const told = await happenings(STEPS, "full");
  const deeds = told.filter((one) => one.startsWith("deed "));
  assert.ok(deeds.length >= 4, `two deeds and their way back: ${deeds.join(", ")}`);
  assert.deepEqual(volatileAtDeeds(told), []);
  // Each line is waited for by itself: none is written while another is not durable.
  for (const [index, one] of told.entries()) {
    if (one.startsWith("write ")) assert.equal(told[index + 1], "sync", `after ${one}`);
  }
  // With the first of them its folder, the folder around that, the key and the key's folder.
  assert.deepEqual(told.slice(0, 6), ["write run", "sync", "sync", "sync", "sync", "sync"]);
});

Deno.test("durability barriers, the default: a restorable deed does not wait for the disk, an irreversible one does", async () => {
  assert.ok(volatileAtDeeds(await happenings(STEPS)).includes("write intent at deed writeClipboard"));
  const barrier = settings(`  - press: F5`);
  const told = await happenings(barrier);
  assert.deepEqual(volatileAtDeeds(told), []);
  assert.ok(told.includes("deed pressKeys F5"), told.join(", "));
  assert.ok(
    !told.slice(told.indexOf("deed pressKeys F5")).includes("sync"),
    "nothing is waited for after it",
  );
});

Deno.test("a file says its durability, and whoever runs it goes before that", async () => {
  const full = `durability: full\n${STEPS}`;
  assert.deepEqual(volatileAtDeeds(await happenings(full)), []);
  assert.notDeepEqual(volatileAtDeeds(await happenings(full, "barriers")), []);
});
