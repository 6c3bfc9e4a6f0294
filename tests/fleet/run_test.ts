import { deepStrictEqual, match, ok, strictEqual } from "node:assert";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { FleetPlace } from "../../src/fleet/database/place.ts";
import { type OpenFleet, openFleet } from "../../src/fleet/open-fleet.ts";
import { cancelRun } from "../../src/fleet/stop-run.ts";
import { type Submission, submit, type Submitted } from "../../src/fleet/submit.ts";
import { follow } from "../../src/fleet/watch/follow.ts";
import { findRun, summaryOf } from "../../src/fleet/watch/summary.ts";
import { runFleetWorker } from "../../src/fleet/worker/worker.ts";
import type { TestEvent, TestSummary } from "../../src/report/reporter.ts";
import { findFiles } from "../../src/testing/find-files.ts";
import { describeFiles, select } from "../../src/testing/select.ts";
import { withPostgres } from "./_fleet.ts";

const SECRET = "s3cret-that-nobody-may-read";
const FILES: Readonly<Record<string, string>> = {
  "package.json": "{}",
  "passes.yaml": `name: Passes
app: sim.editor
session: simulated
vars: { title: { type: string, default: Draft } }
before: [ { launch: sim.editor } ]
steps:
  - run: parts/type.yaml
    with: { text: '{{vars.title}}' }
  - assert: { target: textarea, value: '{{vars.title}}' }
`,
  "parts/type.yaml": `name: Type
app: sim.editor
vars: { text: { type: string } }
steps:
  - set: { target: textarea, value: '{{vars.text}}' }
`,
  "fails.yaml": `name: Fails
app: sim.editor
session: simulated
before: [ { launch: sim.editor } ]
steps:
  - set: { target: textarea, value: goes back }
  - assert: { target: window, title: nobody calls it so, timeout: 10ms }
`,
  "secret.yaml": `name: Types a secret
app: sim.editor
session: simulated
secrets: [FLEET_TEST_TOKEN]
before: [ { launch: sim.editor } ]
steps:
  - set: { target: textarea, value: '{{secrets.FLEET_TEST_TOKEN}}' }
  - assert: { target: textarea, value: 'not {{secrets.FLEET_TEST_TOKEN}}', timeout: 10ms }
`,
  "waits.yaml": `name: Waits
app: sim.editor
session: simulated
before: [ { launch: sim.editor } ]
steps:
  - set: { target: textarea, value: goes back }
  - wait: { target: 'button[name="never"]', timeout: 60s }
`,
};

/** A project in a folder, and a fleet without a worker. */
async function withProject(
  use: (project: string, fleet: OpenFleet, place: FleetPlace) => Promise<void>,
): Promise<void> {
  const project = mkdtempSync("/tmp/bsp-");
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(project, name, ".."), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  try {
    await withPostgres(async (_, place) => {
      const fleet = await openFleet(place, { name: "a test" });
      try {
        await use(project, fleet, place);
      } finally {
        await fleet.close();
      }
    });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

async function submitted(
  fleet: OpenFleet,
  project: string,
  names: readonly string[],
  more: Partial<Submission> = {},
): Promise<Submitted> {
  const files = findFiles(names, project);
  const found = files.map((one) => ({ ...one, file: one.file }));
  const described = await describeFiles(found.map((one) => ({ ...one, file: one.path })));
  const descriptions = new Map(
    found.map((one) => [one.file, described.get(one.path) ?? { code: "io" as const, message: "" }]),
  );
  const selected = select(found, descriptions, { tags: [], lastFailed: false, repeat: 1 }, new Map());
  return await submit(fleet, {
    files: selected,
    job: { vars: {} },
    folder: project,
    labels: ["simulated"],
    priority: 0,
    lease: 10_000,
    retries: 0,
    failOnFlaky: false,
    ...more,
  });
}

async function worked(
  place: FleetPlace,
  state: string,
  signals: { readonly drain?: AbortSignal; readonly once?: boolean; readonly log?: (line: string) => void } =
    {},
): Promise<void> {
  await runFleetWorker({
    place,
    name: "tester",
    labels: ["simulated"],
    desktops: 1,
    state,
    log: signals.log ?? (() => {}),
    drain: signals.drain ?? new AbortController().signal,
    stop: new AbortController().signal,
    once: signals.once ?? true,
  });
}

async function outcome(
  fleet: OpenFleet,
  run: string,
): Promise<{ summary: TestSummary; events: TestEvent[] }> {
  const events: TestEvent[] = [];
  ok(
    await follow(fleet, run, {
      listener: (event) => events.push(event),
      signal: AbortSignal.timeout(60_000),
    }),
  );
  return { summary: await summaryOf(fleet, await findRun(fleet, run)), events };
}

Deno.test("runs on a fleet with a worker", async (t) => {
  await withProject(async (project, fleet, place) => {
    const state = join(project, ".state");

    await t.step("a file with its parts passes, one that fails is tried again and rolled back", async () => {
      const { run } = await submitted(fleet, project, ["passes.yaml", "fails.yaml"], {
        retries: 1,
        job: { vars: {}, evidence: "off" },
      });
      await worked(place, state);
      const { summary, events } = await outcome(fleet, run);
      deepStrictEqual(summary.files.map(({ id, status, exit, tries }) => [id, status, exit, tries.length]), [
        ["fails.yaml", "failed", 1, 2],
        ["passes.yaml", "passed", 0, 1],
      ]);
      deepStrictEqual([summary.exit, summary.counts.failed, summary.interrupted], [1, 1, false]);
      strictEqual(summary.files[0]?.tries[1]?.result?.rollback.verdict, "restored");
      const kinds = events.map(({ event }) => event);
      deepStrictEqual([kinds[0], kinds.filter((one) => one === "try-finished").length], ["tests-started", 3]);
      strictEqual(kinds.filter((one) => one === "file-finished").length, 2);
      ok(events.some((one) => one.event === "run" && one.reported.event === "step-finished"));
    });

    await t.step("the same key is the same run, and its durations order the next one", async () => {
      const first = await submitted(fleet, project, ["passes.yaml"], { key: "build 1" });
      const second = await submitted(fleet, project, ["passes.yaml", "fails.yaml"], { key: "build 1" });
      deepStrictEqual([second.run, second.created], [first.run, false]);
      const [found] = await fleet.database.rows(
        z.object({ expected_ms: z.number() }),
        "select expected_ms from job where run = $1",
        [first.run],
      );
      ok((found?.expected_ms ?? 0) > 0);
      await worked(place, state);
      strictEqual((await outcome(fleet, first.run)).summary.exit, 0);
    });

    await t.step("after the first failure nothing more begins", async () => {
      const { run } = await submitted(fleet, project, ["fails.yaml", "passes.yaml"], { maxFailures: 1 });
      // Whichever lasted longer is first: the one that fails is made to.
      await fleet.database.run("update job set expected_ms = null where run = $1", [run]);
      await fleet.boss.update("jobs/simulated", undefined, {
        id: await attemptOf(fleet, run, "fails.yaml"),
        priority: 900_000,
      });
      await worked(place, state);
      const { summary } = await outcome(fleet, run);
      deepStrictEqual(summary.files.map(({ id, status, reason }) => [id, status, reason]), [
        ["fails.yaml", "failed", undefined],
        ["passes.yaml", "skipped", "not run: as many failures as allowed"],
      ]);
    });

    await t.step("a cancelled run is rolled back by its worker", async () => {
      const { run } = await submitted(fleet, project, ["waits.yaml", "passes.yaml"]);
      await fleet.boss.update("jobs/simulated", undefined, {
        id: await attemptOf(fleet, run, "waits.yaml"),
        priority: 900_000,
      });
      const drain = new AbortController();
      const begun = Promise.withResolvers<void>();
      const work = worked(place, state, {
        drain: drain.signal,
        once: false,
        log: (line) => line.includes("waits.yaml: begins") && begun.resolve(),
      });
      await begun.promise;
      const { left, running } = await cancelRun(fleet, run);
      deepStrictEqual([left, running], [1, 1]);
      const { summary } = await outcome(fleet, run);
      drain.abort();
      await work;
      deepStrictEqual([summary.exit, summary.interrupted], [130, true]);
      const waits = summary.files.find(({ id }) => id === "waits.yaml");
      strictEqual(waits?.tries[0]?.status, "cancelled");
    });

    await t.step("a secret is in no table", async () => {
      Deno.env.set("FLEET_TEST_TOKEN", SECRET);
      const { run } = await submitted(fleet, project, ["secret.yaml"]);
      await worked(place, state);
      const { summary } = await outcome(fleet, run);
      strictEqual(summary.exit, 1);
      match(JSON.stringify(summary), /FLEET_TEST_TOKEN|\*\*\*|hidden|secret/);
      const tables = await fleet.database.rows(
        z.object({ schema: z.string(), name: z.string() }),
        "select table_schema as schema, table_name as name from information_schema.tables where table_schema like 'backstep%'",
      );
      ok(tables.length > 20, "all tables are looked at");
      for (const { schema, name } of tables) {
        const found = await fleet.database.run(
          `select 1 from ${schema}."${name}" as row_ where position($1 in row_::text) > 0
             or position(encode(convert_to($1, 'UTF8'), 'hex') in row_::text) > 0 limit 1`,
          [SECRET],
        );
        strictEqual(found, 0, `${schema}.${name} holds the secret`);
      }
      // The judge is no good if it does not find what is there.
      strictEqual(
        await fleet.database.run("select 1 from job as row_ where position($1 in row_::text) > 0 limit 1", [
          "FLEET_TEST_TOKEN",
        ]),
        1,
      );
    });

    await t.step("every worker said that it ended", async () => {
      strictEqual(await fleet.database.run("select 1 from worker where state <> 'ended'"), 0);
      strictEqual(await fleet.database.run("select 1 from lock"), 0);
    });
  });
});

async function attemptOf({ database }: OpenFleet, run: string, file: string): Promise<string> {
  const [found] = await database.rows(
    z.object({ id: z.string() }),
    "select attempt.id from attempt join job on job.id = attempt.job where job.run = $1 and job.duration_key = $2",
    [run, file],
  );
  if (!found) throw new Error(`${file} was not queued`);
  return found.id;
}
