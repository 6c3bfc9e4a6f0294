import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { BackstepError, type Json } from "../../base/error.ts";
import { Deadline } from "../../base/call.ts";
import { catalogue } from "../../catalogue.ts";
import { setText } from "../../desktop/actions/set-text.ts";
import { find, readSelector } from "../../desktop/selector/mod.ts";
import { simulate } from "../../desktop/simulated/simulate.ts";
import type { SimulatedDesktop } from "../../desktop/simulated/simulated-desktop.ts";
import type { Session } from "../../session/session.ts";
import { SimulatedLauncher } from "../../session/simulated-launcher.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { FAILS, settings } from "../run/_trial.ts";
import { type AtPoint, killingDesktop, killingSink, type Point } from "../run/_kill.ts";
import { readJournal, runFolder } from "../journal/journal.ts";
import { lockRun } from "../journal/lock.ts";
import { recoverRun } from "./recover.ts";
import type { Recovered, RecoverOptions } from "./recovery.ts";
import { runWith } from "../run/run.ts";
import { redoRun, undoRun } from "./undo-run.ts";

const NAME = 'textfield[name="Name"]';
const STEPS = `
  - set: { target: '${NAME}', value: Grace }
  - transaction:
      name: form
      steps:
        - set: { target: 'spinbutton', value: 7 }
        - find: '${NAME}'
        - transaction:
            - set: { target: '${NAME}', value: Hopper }
            - set: { target: 'slider', value: 90 }
        - set: { target: 'spinbutton', value: 9 }
  - savepoint: half
  - set: { target: 'slider', value: 10 }
  - rollback_to: half
  - if: { equals: [1, 1] }
    then: [ { set: { target: '${NAME}', value: Ada } } ]
  - repeat: { times: 2, steps: [ { type: { into: '${NAME}', text: x } } ] }
`;

class Killed extends Error {}

/** A place with one desktop; the process that uses it can be killed: from then on nothing that it does has an effect. */
class Place {
  readonly state = mkdtempSync(join(tmpdir(), "backstep-recover-"));
  readonly desktop: SimulatedDesktop = simulate({ applications: ["sim.settings"], clock: "virtual" });
  readonly before: Json = this.desktop.world();
  readonly yaml: string;
  passed: string[] = [];

  constructor(yaml: string) {
    this.yaml = yaml;
  }

  workflow(yaml = this.yaml) {
    return parseWorkflow(yaml, { file: "killed.yaml", operations: catalogue });
  }

  session(at: AtPoint): Session {
    return {
      kind: "simulated",
      label: "simulated",
      desktop: killingDesktop(this.desktop, at),
      launcher: new SimulatedLauncher(this.desktop),
      home: undefined,
      id: undefined,
      close: () => Promise.resolve(),
    };
  }

  killer(at: number): AtPoint {
    this.passed = [];
    let dead = false;
    return (point: Point, what: string) => {
      if (!dead) this.passed.push(`${point}: ${what}`);
      dead ||= this.passed.length - 1 === at;
      if (dead) throw new Killed();
    };
  }

  /** Runs it, and kills it at a point; answers whether it came so far. */
  async run(at = -1): Promise<boolean> {
    const killer = this.killer(at);
    const running = runWith(this.workflow(), {
      operations: catalogue,
      session: this.session(killer),
      vars: {},
      surroundings: { env: () => undefined, secret: () => undefined },
      folder: this.state,
      state: this.state,
      run: "r",
      sink: killingSink(killer),
    });
    return await running.then(() => false, () => false) || this.passed.length - 1 === at;
  }

  options(at = -1): RecoverOptions & { readonly run: string } {
    const killer = this.killer(at);
    return {
      run: "r",
      state: this.state,
      operations: catalogue,
      surroundings: { env: () => undefined, secret: () => undefined },
      load: () => this.workflow(),
      reattach: () => Promise.resolve(this.session(killer)),
      sink: killingSink(killer),
    };
  }

  async recover(way: "rollback" | "resume", at = -1): Promise<Recovered | undefined> {
    const recovering = recoverRun({ ...this.options(at), way });
    return await recovering.catch((thrown: unknown) => {
      if (at >= 0) return undefined;
      throw thrown;
    });
  }

  world(): string {
    return JSON.stringify(strip(this.desktop.world()));
  }

  async end(): Promise<void> {
    await this.desktop.close();
    rmSync(this.state, { recursive: true });
  }
}

/** What is real, without the focus, carets and the like. */
function strip(world: Json): Json {
  return JSON.parse(
    JSON.stringify(
      world,
      (key, value) => ["focus", "focused", "caret", "selection", "active"].includes(key) ? undefined : value,
    ),
  );
}

async function inPlace<R>(yaml: string, use: (place: Place) => Promise<R>): Promise<R> {
  const place = new Place(yaml);
  try {
    return await use(place);
  } finally {
    await place.end();
  }
}

const pristine = (place: Place) => JSON.stringify(strip(place.before));

/** Every so many points: all of them are gone through by `STRIDE=1`. */
const STRIDE = Number(process.env["STRIDE"] ?? "23");

/** Kills a run at one point after another, each in a place of its own, until it comes to its end. */
async function killedAtEach(
  yaml: string,
  use: (place: Place, point: string) => Promise<void>,
  stride = STRIDE,
): Promise<void> {
  let cells = 0;
  for (let at = 5, more = true; more; at += stride) {
    more = await inPlace(yaml, async (place) => {
      if (!await place.run(at)) return false;
      const journal = readJournal(runFolder(place.state, "r"));
      // Before its first line there is no run, and after its last one nothing to recover.
      if (journal.length === 0 || journal.at(-1)?.kind === "end") return true;
      cells++;
      await use(place, `killed at ${at}: ${place.passed.at(-1)}`);
      return true;
    });
  }
  assert.ok(cells > 30 / stride, String(cells));
}

const reported = (point: string, found: Recovered | undefined) =>
  `${point}: ${JSON.stringify(found, null, 1)}`;

Deno.test("a run that is killed at any line and any call is rolled back whole", () =>
  killedAtEach(settings(STEPS), async (place, point) => {
    const found = await place.recover("rollback");
    assert.equal(found?.verdict, "restored", reported(point, found));
    assert.equal(place.world(), pristine(place), point);
    await assert.rejects(place.recover("rollback"), /it has ended/);
  }));

Deno.test("a run that is killed on its rollback is rolled back whole, and nothing twice", () =>
  killedAtEach(settings(STEPS + FAILS), async (place, point) => {
    const found = await place.recover("rollback");
    assert.equal(found?.verdict, "restored", reported(point, found));
    assert.equal(place.world(), pristine(place), point);
  }));

Deno.test("a run whose desktop died is gone once it began an action, also where it was rolled back", async () => {
  const verdicts = new Set<string>();
  const reattach = () => Promise.reject(new BackstepError("no_desktop", "The desktop died"));
  await killedAtEach(
    settings(`  - set: { target: 'spinbutton', value: 7 }\n${FAILS}`),
    async (place, point) => {
      const began = readJournal(runFolder(place.state, "r")).some(({ kind }) => kind === "action-begin");
      const resumed = await recoverRun({ ...place.options(), reattach, way: "resume", dryRun: true });
      assert.deepEqual([resumed.verdict, resumed.exit], ["gone", 1], reported(point, resumed));
      const found = await recoverRun({ ...place.options(), reattach });
      assert.deepEqual(
        [found.verdict, found.exit],
        began ? ["gone", 1] : ["restored", 0],
        reported(point, found),
      );
      verdicts.add(found.verdict);
    },
    1,
  );
  assert.deepEqual([...verdicts].sort(), ["gone", "restored"]);
});

Deno.test("a run that is killed at any line and any call goes on where it was, and ends as if it had not been", async () => {
  const end = await inPlace(settings(STEPS), async (place) => {
    await place.run();
    return place.world();
  });
  await killedAtEach(settings(STEPS), async (place, point) => {
    const found = await place.recover("resume");
    assert.equal(found?.verdict, "resumed", reported(point, found));
    assert.equal(found.result?.status, "passed", reported(point, found));
    assert.equal(place.world(), end, point);
  });
});

Deno.test("a recovery that is killed at any line and any call is done again, and nothing is undone twice", () =>
  killedAtEach(settings(STEPS), async (place, point) => {
    for (let at = 3;; at += 17) {
      const found = await place.recover("rollback", at).catch(() => undefined);
      if (found === undefined && place.passed.length - 1 === at) continue;
      const finished = readJournal(runFolder(place.state, "r")).at(-1)?.kind === "end";
      const last = finished ? found : await place.recover("rollback");
      if (last) assert.equal(last.verdict, "restored", reported(point, last));
      assert.equal(place.world(), pristine(place), `${point}, then at ${at}`);
      return;
    }
  }, STRIDE * 5));

Deno.test("what a person changed after the run was killed is a conflict on rollback, and no resuming", () =>
  inPlace(
    settings(`  - set: { target: '${NAME}', value: Grace }
  - set: { target: 'slider', value: 10 }
  - set: { target: 'spinbutton', value: 7 }`),
    async (place) => {
      await place.run(60);
      await changeName(place.desktop, "Mallory");
      const resumed = await place.recover("resume");
      assert.equal(resumed?.verdict, "refused", reported("", resumed));
      assert.match(resumed.reason ?? "", /not as the run left it: text of textfield "Name" \(\w+\)$/);
      assert.equal(resumed.drift[0]?.actual, "Mallory");
      const back = await place.recover("rollback");
      assert.equal(back?.verdict, "drift", reported("", back));
      assert.equal(back.exit, 3);
    },
  ));

Deno.test("a workflow that was changed since is not resumed, and the file is named", () =>
  inPlace(settings(STEPS), async (place) => {
    await place.run(100);
    const load = () => place.workflow(settings(STEPS.replace("Grace", "Alan")));
    const found = await recoverRun({ ...place.options(), way: "resume", load });
    assert.deepEqual([found.verdict, found.exit], ["refused", 4]);
    assert.match(found.reason ?? "", /killed\.yaml has changed since the run began/);
  }));

Deno.test("a dry run says what would be undone, and changes nothing", () =>
  inPlace(settings(STEPS), async (place) => {
    await place.run(100);
    const [before, lines] = [place.world(), readJournal(runFolder(place.state, "r")).length];
    const found = await recoverRun({ ...place.options(), dryRun: true });
    assert.equal(found.verdict, "open");
    assert.ok(found.steps.length > 0);
    assert.deepEqual([place.world(), readJournal(runFolder(place.state, "r")).length], [before, lines]);
  }));

Deno.test("a button that was being pressed is in doubt; its done_when tells", async () => {
  const press = (more: string) =>
    settings(`  - set: { target: '${NAME}', value: Grace }
  - click: 'button[name="Reset"]'
    irreversible: true${more}`);
  const verdicts = async (yaml: string) => {
    const found = new Set<string>();
    await killedAtEach(yaml, async (place) => {
      const recovered = await place.recover("rollback");
      found.add(recovered?.verdict ?? "none");
      const doubtful = recovered?.probed.some((one) => one.path === "2" && one.state === "in doubt") ?? false;
      assert.equal(recovered?.verdict === "in doubt", doubtful, reported("", recovered));
    }, 1);
    return [...found].sort();
  };
  assert.deepEqual(await verdicts(press("")), ["in doubt", "restored"]);
  const doneWhen = `\n    done_when: { target: '${NAME}', text: Ada, timeout: 0 }`;
  assert.deepEqual(await verdicts(press(doneWhen)), ["restored"]);
});

Deno.test("a run that passed is undone, in part or whole, and done again; a second time says already", () =>
  inPlace(settings(STEPS), async (place) => {
    await place.run();
    const end = place.world();
    const last = await undoRun({ ...place.options(), last: 1 });
    assert.deepEqual([last.verdict, last.exit], ["restored", 0], JSON.stringify(last));
    assert.notEqual(place.world(), end);
    const whole = await undoRun(place.options());
    assert.equal(whole.verdict, "restored", JSON.stringify(whole));
    assert.equal(place.world(), pristine(place));
    assert.equal((await undoRun(place.options())).verdict, "already");
    const again = await redoRun(place.options());
    assert.equal(again.verdict, "restored", JSON.stringify(again));
    assert.equal(place.world(), end);
    assert.equal((await redoRun(place.options())).verdict, "already");
    assert.equal((await undoRun(place.options())).verdict, "restored");
    assert.equal(place.world(), pristine(place));
  }));

Deno.test("an undo leaves alone what somebody changed since, and ends at a barrier, which it names", () =>
  inPlace(
    settings(`  - set: { target: 'slider', value: 10 }
  - click: 'button[name="Reset"]'
    irreversible: true
  - set: { target: '${NAME}', value: Grace }
  - set: { target: 'spinbutton', value: 7 }`),
    async (place) => {
      await place.run();
      await changeName(place.desktop, "Mallory");
      const found = await undoRun(place.options());
      assert.deepEqual(
        [found.verdict, found.exit, found.barrier?.path],
        ["drift", 3, "2"],
        JSON.stringify(found),
      );
      const counted = found.steps.flatMap((step) =>
        "verdict" in step && !step.incidental ? [step.verdict] : []
      );
      assert.deepEqual(counted, ["restored", "conflict"]);
    },
  ));

Deno.test("a run that still has its process, or has not ended, is left alone", () =>
  inPlace(settings(STEPS), async (place) => {
    await place.run(100);
    await assert.rejects(undoRun(place.options()), /it has not ended/);
    const unlock = lockRun(place.state, "r");
    await assert.rejects(recoverRun(place.options()), /Cannot lock run r: process \d+ is at it/);
    unlock();
  }));

async function changeName(desktop: SimulatedDesktop, text: string): Promise<void> {
  const [application] = await desktop.applications();
  assert.ok(application);
  const snapshot = await desktop.snapshot(application, { fields: ["id"] });
  const row = find(readSelector(NAME), snapshot).rows[0];
  assert.ok(row !== undefined);
  await setText(desktop, snapshot.element(row), text, Deadline.after(5_000));
}
