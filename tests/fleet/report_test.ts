import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Database } from "../../src/fleet/database/database.ts";
import { TABLES } from "../../src/fleet/schema/tables.ts";
import { FAILS, PASSES, program } from "../../src/testing/_suite.ts";
import { type Finished, Place } from "../cli/program.ts";
import { withPostgres } from "./_fleet.ts";
import { htmlOf, jsonOf, junitOf } from "./_reports.ts";

const FLAKY = program(
  "Flaky",
  `
  const { existsSync, writeFileSync } = await import("node:fs");
  const { default: process } = await import("node:process");
  const second = existsSync(process.env.MARKS + "/tried");
  writeFileSync(process.env.MARKS + "/tried", "");
  const field = t.locator('textfield[name="Name"]');
  await field.set(second ? "Grace" : "Gracie");
  await t.expect(field).toHaveValue("Grace", { timeout: 0 });`,
);

const FILES = {
  "a.yaml": PASSES,
  "b.yaml": FAILS,
  "c.yaml": `${PASSES}  - reject: there is no such customer\n`,
  "d.yaml": `${PASSES}  - run: parts/more.yaml\n`,
  "e.yaml": PASSES.replace("tags:", "skip: not now\ntags:"),
  "f.yaml": "name: Faulty\nsteps: [ { clik: x } ]\n",
  "g.yaml": PASSES.replace(
    "tags:",
    "cases: [ { case: one, who: Ada }, { case: two, who: Hedy } ]\nvars: { who: Nobody }\ntags:",
  )
    .replace("value: Grace", "value: '{{vars.who}}'"),
  "h.ts": FLAKY,
  "i.yaml": `${PASSES}  - transaction:
      name: both
      steps:
        - click: 'checkbox[name="Play sounds"]'
        - set: { target: slider, value: 70 }
  - audit: {}
    optional: true
`,
  "parts/more.yaml": "name: More\nsteps:\n  - set: { target: slider, value: 30 }\n",
};

const SECRET = "the evidence of this fleet is opened by this";
const TEST = ["--retries", "1", "--evidence", "on"];

async function ok(finished: Promise<Finished>, code: number): Promise<Finished> {
  const done = await finished;
  assert.equal(done.code, code, done.out + done.err);
  return done;
}

Deno.test("the report of a fleet is that of one machine, file by file, its pictures included", async () => {
  const place = new Place();
  try {
    mkdirSync(join(place.work, ".git"));
    for (const folder of ["workflows/parts", "marks-one", "marks-many"]) {
      mkdirSync(join(place.work, folder), { recursive: true });
    }
    for (const [name, text] of Object.entries(FILES)) place.file(`workflows/${name}`, text);
    const files = Object.keys(FILES).filter((name) => !name.includes("/")).map((name) => `workflows/${name}`);
    const report = (which: string) => ["--reporter", "junit,html,json", "--output", which];
    await withPostgres(async (postgres, at) => {
      const env = { BACKSTEP_FLEET_URL: postgres.url, BACKSTEP_FLEET_KEY: SECRET };
      const machine = (name: string) => ({
        env: { ...env, BACKSTEP_STATE: join(place.state, name), MARKS: join(place.work, "marks-many") },
      });
      const alone = place.run(["test", ...files, ...TEST, ...report("one"), "--workers", "2"], {
        env: { MARKS: join(place.work, "marks-one") },
      });
      await ok(place.run(["fleet", "submit", ...files, ...TEST], machine("who")), 0);
      const workers = ["alpha", "beta"].map((name) =>
        place.run(["fleet", "worker", "--once", "--name", name, "--desktops", "1"], machine(name))
      );
      for (const worker of workers) await ok(worker, 0);
      await ok(place.run(["fleet", "report", ...report("many")], machine("who")), 2);
      await ok(alone, 2);
      same(join(place.work, "one"), join(place.work, "many"));
      const database = await Database.open(at, { name: "a test" });
      try {
        await secrets(database);
      } finally {
        await database.close();
      }
    });
  } finally {
    await place.clear();
  }
});

function same(one: string, many: string): void {
  assert.equal(junitOf(join(many, "junit.xml")), junitOf(join(one, "junit.xml")));
  assert.deepEqual(jsonOf(join(many, "results.json")), jsonOf(join(one, "results.json")));
  const [was, is] = [htmlOf(join(one, "report.html")), htmlOf(join(many, "report.html"))];
  assert.deepEqual([...is.files.keys()], [...was.files.keys()]);
  for (const [id, file] of was.files) assert.deepEqual(is.files.get(id), file, id);
  assert.deepEqual(is.notes, was.notes);
  assert.ok(was.pictures.length > 0, "there are pictures");
  assert.deepEqual(is.pictures, was.pictures);
}

/** No table holds what opens the evidence; and what an application showed is encrypted where it is kept. */
async function secrets(database: Database): Promise<void> {
  const pieces = await database.rows(
    z.object({ bytes: z.instanceof(Uint8Array) }),
    "select bytes from artefact_piece",
  );
  const stored = pieces.map(({ bytes }) => new TextDecoder("latin1").decode(bytes)).join("");
  assert.ok(stored.length > 100_000 && stored.includes("evidence"), "journals and evidence are stored");
  // Journals say in the clear what was done, and nothing of what was seen.
  assert.ok(!stored.includes(SECRET) && !stored.includes("Gracie"));
  for (const table of TABLES) {
    const rows = await database.rows(
      z.object({ row: z.string() }),
      `select one::text as row from "${table}" as one`,
    );
    assert.ok(!rows.some(({ row }) => row.includes(SECRET)), table);
  }
}
