import assert from "node:assert/strict";
// @ts-types="../../checks/visual/pngjs.d.ts"
import { PNG } from "pngjs";
import { Buffer } from "node:buffer";
import { bytesOf, FAILS, settings, trial } from "../run/_trial.ts";
import type { RunEvent, StepEvidence } from "../../contract/events.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import { readEvidence } from "./read.ts";

const SECRET = "tr0ub4dor-and-3";

function seen(events: readonly RunEvent[]): (StepEvidence & { readonly path: string })[] {
  return events.flatMap((event) =>
    event.event === "step-finished" && event.evidence ? [{ path: event.step.path, ...event.evidence }] : []
  );
}

Deno.test("each step is seen before, at its action and after, with the place acted on; what did not change is one picture", async () => {
  const steps = `
  - value: 'textfield[name="Name"]'
  - set: { target: 'textfield[name="Name"]', value: 'Grace' }
  - assert: { target: 'textfield[name="Name"]', value: 'Grace' }`;
  await trial(settings(steps), { evidence: "on" }, ({ events, result, state }) => {
    assert.equal(result.status, "passed", JSON.stringify(result.error));
    const [read, set, check] = seen(events);
    assert.equal(read?.action, undefined, "reading does nothing");
    assert.equal(read?.before?.picture, read?.after?.picture);
    assert.equal(set?.before?.picture, read?.after?.picture);
    assert.equal(set?.action?.picture, set?.before?.picture);
    assert.notEqual(set?.after?.picture, set?.before?.picture);
    assert.equal(check?.after?.picture, set?.after?.picture);
    const [mark] = set?.marks ?? [];
    assert.ok(mark && mark.width > 10 && mark.height > 5, JSON.stringify(set));
    const { evidence, records } = readEvidence(state, result.run);
    assert.ok(evidence);
    assert.equal(evidence.pictures.length, 2);
    assert.equal(evidence.steps.length, 3);
    const tree = evidence.trees[set?.action?.tree ?? -1];
    assert.match(tree?.[set?.line ?? -1] ?? "", /textfield "Name"/);
    assert.ok(evidence.trees[set?.after?.tree ?? -1]?.some((line) => line.includes("Grace")));
    for (const { png, width, height } of evidence.pictures) {
      const read = PNG.sync.read(Buffer.from(png ?? []));
      assert.deepEqual([read.width, read.height], [width, height]);
    }
    assert.equal(records.at(-1)?.kind, "end");
    assert.equal(records.at(-2)?.kind, "evidence");
  });
});

Deno.test("on-failure keeps nothing of a run that ends as it should, and all of one that does not", async () => {
  const good = settings(`  - set: { target: 'textfield[name="Name"]', value: 'Grace' }`);
  await trial(good, { evidence: "on-failure" }, ({ result, state }) => {
    assert.equal(readEvidence(state, result.run).evidence, undefined);
  });
  const bad = settings(`
  - set: { target: 'textfield[name="Name"]', value: 'Grace' }
${FAILS}`);
  await trial(bad, { evidence: "on-failure" }, ({ result, events, state }) => {
    const { evidence } = readEvidence(state, result.run);
    assert.equal(evidence?.steps.length, 2);
    assert.equal(evidence?.rollbacks.length, 1);
    const finished = events.find((event) => event.event === "rollback-finished");
    assert.ok(finished?.event === "rollback-finished" && finished.after?.picture !== undefined);
    const before = evidence.steps[0]?.evidence.before?.picture ?? -1;
    const [was, is] = [before, finished.after.picture].map((number) => evidence.pictures[number]?.png);
    assert.deepEqual(is, was, "it is as it was");
  });
  await trial(
    bad.replace("steps:", "expect: { status: failed }\nsteps:"),
    { evidence: "on-failure" },
    (run) => {
      assert.equal(readEvidence(run.state, run.result.run).evidence, undefined);
    },
  );
});

Deno.test("a field that received a secret is black in every picture after it, and masked in every tree", async () => {
  const steps = `
  - set: { target: 'textfield[name="E-mail"]', value: '{{secrets.TOKEN}}' }
  - set: { target: 'textfield[name="Name"]', value: 'Grace' }
  - set: { target: 'textfield[name="E-mail"]', value: 'over' }
  - set: { target: 'textfield[name="Name"]', value: 'Hopper' }`;
  const options = { evidence: "on", environment: { TOKEN: SECRET } } as const;
  await trial(settings(steps, "secrets: [TOKEN]"), options, ({ result, events, state, folder }) => {
    assert.equal(result.status, "passed", JSON.stringify(result.error));
    const { evidence } = readEvidence(state, result.run);
    assert.ok(evidence);
    const whole = JSON.stringify([events, evidence.trees, evidence.steps]) + bytesOf(folder);
    assert.ok(!whole.includes(SECRET) && !whole.includes(SECRET.slice(0, 6)));
    const [first, second, third, fourth] = evidence.steps;
    const [place] = first?.evidence.marks ?? [];
    assert.ok(place);
    const colours = (number: number | undefined) => {
      const png = PNG.sync.read(Buffer.from(evidence.pictures[number ?? -1]?.png ?? []));
      const found = new Set<number>();
      for (let y = place.y; y < place.y + place.height; y++) {
        for (let x = place.x; x < place.x + place.width; x++) {
          found.add(png.data.readUInt32BE(4 * (y * png.width + x)) >>> 8);
        }
      }
      return [...found];
    };
    assert.ok(colours(first?.evidence.before?.picture).length > 1, "it shows before the secret is there");
    for (const look of [first?.evidence.after, second?.evidence.action, second?.evidence.after]) {
      assert.deepEqual(colours(look?.picture), [0]);
    }
    for (const step of [third, fourth]) {
      assert.deepEqual(colours(step?.evidence.after?.picture), [0], "it received one once");
    }
    assert.ok(
      evidence.trees[second?.evidence.after?.tree ?? -1]?.some((line) => /textfield ••••••$/.test(line)),
    );
  });
});

Deno.test("after a check that failed the desktop is looked at anew, whoever changed it meanwhile", async () => {
  const steps = `
  - value: 'textfield[name="Name"]'
  - assert: { target: 'textfield[name="Name"]', value: Nobody, timeout: 0 }`;
  const options = {
    evidence: "on",
    on(event: RunEvent, desktop: SimulatedDesktop) {
      if (event.event === "step-started" && event.path === "2") {
        desktop.person("sim.settings", "name", { text: "Somebody" });
      }
    },
  } as const;
  await trial(settings(steps), options, ({ result, events, state }) => {
    assert.equal(result.status, "failed");
    const { evidence } = readEvidence(state, result.run);
    const [, check] = seen(events);
    const tree = evidence?.trees[check?.after?.tree ?? -1];
    assert.ok(tree?.some((line) => line.includes("Somebody")), tree?.join("\n"));
  });
});
