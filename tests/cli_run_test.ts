import assert from "node:assert/strict";
import { join } from "node:path";
import { assertPlain, failure, runResult } from "./cli/shapes.ts";
import { ROOT, withPlace } from "./cli/program.ts";

const workflow = (name: string) => join(ROOT, "workflows", name);

Deno.test("a passing run prints one JSON object of the promised shape, and nothing else", () =>
  withPlace(async (place) => {
    const finished = await place.run([
      "run",
      workflow("calculator.yaml"),
      "--session",
      "isolated",
      "--format",
      "json",
    ]);
    assert.equal(finished.code, 0, finished.err);
    const result = runResult(finished.out);
    assert.equal(result.status, "passed");
    assert.equal(result.exit, 0);
    assert.equal(result.desktop.kind, "isolated");
    assert.equal(result.rollback.verdict, "none");
    assert.equal(result.error, undefined);
    assert.deepEqual(result.steps.map((s) => s.status), result.steps.map(() => "passed"));
    assert.deepEqual(result.steps.map((s) => s.path), ["before.1", ..."12345678", "after.1"]);
    assertPlain(finished.out, finished.err);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("a run that fails and rolls itself back ends with 1 and the verdict restored", () =>
  withPlace(async (place) => {
    const finished = await place.run(["run", workflow("form-rollback.yaml"), "--format", "json"]);
    assert.equal(finished.code, 1, finished.err);
    const result = runResult(finished.out);
    assert.equal(result.status, "failed");
    assert.equal(result.exit, 1);
    assert.equal(result.expected, true);
    assert.equal(result.error?.code, "assertion");
    assert.equal(result.rollback.verdict, "restored");
    assert.deepEqual(result.rollback.drift, []);
    assert.ok(result.rollback.enrolled.length >= 9, "everything that was changed is enrolled");
    for (const one of result.rollback.enrolled) assert.match(one.verdict, /^(restored|already)$/, one.label);
    assert.deepEqual(place.traces(), []);
  }));

Deno.test("quiet says nothing; the exit code says it all", () =>
  withPlace(async (place) => {
    place.file(
      "ok.yaml",
      "name: a\napp: sim.calculator\nsession: simulated\nsteps:\n  - launch: sim.calculator\n",
    );
    place.file("no.yaml", "name: a\napp: sim.none\nsession: simulated\nsteps:\n  - launch: sim.none\n");
    place.file("bad.yaml", "name: a\nsteps:\n  - clik: x\n");
    for (const [file, code] of [["ok.yaml", 0], ["no.yaml", 1], ["bad.yaml", 2]] as const) {
      const finished = await place.run(["run", file, "--format", "quiet"]);
      assert.deepEqual([finished.code, finished.out, finished.err], [code, "", ""], file);
    }
  }));

const MISSPELT = `name: Misspelt
app: gtk3-widget-factory
session: isolated
before:
  - launch: gtk3-widget-factory
steps:
  - clik: 'button'
  - press: ctrl+s
    tiemout: 3s
  - set: { target: 'textfield[name=', value: x }
`;

Deno.test("a misspelt verb is told with its place and the nearest verb, and nothing is launched", () =>
  withPlace(async (place) => {
    place.file("file.yaml", MISSPELT);
    const finished = await place.run(["run", "file.yaml"]);
    assert.equal(finished.code, 2);
    assert.equal(finished.out, "");
    assert.match(finished.err, /file\.yaml:7:5: .*clik/);
    assert.match(finished.err, /click/);
    assert.deepEqual(place.traces(), []);
    assert.deepEqual(place.runs(), [], "no run has begun");
  }));

Deno.test("all faults of a file are told, not only the first", () =>
  withPlace(async (place) => {
    place.file("file.yaml", MISSPELT);
    const text = await place.run(["run", "file.yaml"]);
    assert.match(text.err, /^Error \(workflow\): 3 faults\n/);
    for (const at of ["7:5", "9:5", "10:\\d+"]) {
      assert.match(text.err, new RegExp(`^  file\\.yaml:${at}: `, "m"));
    }
    assert.match(text.err, /timeout/);
    const json = await place.run(["run", "file.yaml", "--format", "json"]);
    assert.equal(json.code, 2);
    const error = failure(json.out);
    assert.equal(error.code, "workflow");
    assert.deepEqual(error.place, { file: "file.yaml", line: 7, column: 5 });
    assert.ok(Array.isArray(error.details?.["faults"]));
    assert.equal(error.details?.["total"], 3);
  }));

/** Faulty files, and what is said of each. */
const BAD: Readonly<Record<string, readonly [text: string | Uint8Array, says: RegExp]>> = {
  "an empty file": ["", /empty/],
  "two documents": ["name: a\nsteps:\n  - launch: a\n---\nsteps: []\n", /document/],
  "no UTF-8": [new Uint8Array([0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xff, 0xfe, 0x0a]), /UTF-8/],
  "a key twice": ["name: a\nname: b\nsteps:\n  - launch: a\n", /the key "name" is already there, in line 1/],
  "an unknown key": ["name: a\nsesion: isolated\nsteps:\n  - launch: a\n", /sesion/],
  "a wrong type": ["name: a\nsteps: 7\n", /steps/],
  "an unknown placeholder": ["name: a\nsteps:\n  - launch: '{{vars.nothing}}'\n", /nothing/],
  "a circle": ["name: a\nsteps:\n  - run: bad.yaml\n", /itself|circle|cycle/],
  "a path out of the project": ["name: a\nsteps:\n  - run: ../../../../etc/passwd\n", /outside/],
  "no YAML": ["name: a\nsteps: [\n", /sequence/],
  "an alias bomb": [
    `name: a\na: &a [x,x,x,x,x,x,x,x,x]\n${
      [..."bcdefgh"].map((n, i) => `${n}: &${n} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(",")}]`).join("\n")
    }\nsteps: *h\n`,
    /alias/,
  ],
  "a bad selector": ["name: a\nsteps:\n  - click: 'button[name='\n", /selector|button/],
};

Deno.test("every faulty file ends with 2 and a place, before anything launches", () =>
  withPlace(async (place) => {
    for (const [what, [text, says]] of Object.entries(BAD)) {
      place.file("bad.yaml", text);
      const finished = await place.run(["run", "bad.yaml", "--session", "isolated", "--format", "json"]);
      assert.equal(finished.code, 2, `${what}: ${finished.out}${finished.err}`);
      const error = failure(finished.out);
      assert.equal(error.place?.file, "bad.yaml", `${what} has a place`);
      assert.match(error.message, says, what);
      assert.ok(finished.took < 20_000, what);
      const reported = await place.run(["run", "bad.yaml"]);
      assert.match(reported.err, /:\d+:\d+: /, what);
    }
    assert.deepEqual([...place.traces(), ...place.runs()], []);
  }));

Deno.test("a file that is not there, a bad variable and a missing secret are told before anything launches", () =>
  withPlace(async (place) => {
    place.file("vars.yaml", "name: a\nvars: { n: { type: number, default: 1 } }\nsteps:\n  - launch: a\n");
    place.file("secret.yaml", "name: a\nsecrets: [BACKSTEP_TEST_SECRET]\nsteps:\n  - launch: a\n");
    place.file("runs-secret.yaml", "name: a\nsteps:\n  - run: secret.yaml\n");
    const cases = [
      ["run", "runs-secret.yaml"],
      ["run", "none.yaml"],
      ["run"],
      ["run", "vars.yaml", "--var", "n=many"],
      ["run", "vars.yaml", "--var", "m=1"],
      ["run", "vars.yaml", "--var", "n"],
      ["run", "vars.yaml", "--vars-file", "none.yaml"],
      ["run", "secret.yaml"],
      ["run", "vars.yaml", "--sesion", "isolated"],
      ["run", "vars.yaml", "--session", "--format", "text"],
    ];
    for (const args of cases) {
      const finished = await place.run(args);
      assert.equal(finished.code, 2, `${args.join(" ")}: ${finished.err}`);
      assert.match(finished.err, /^Error \((usage|workflow)\): /);
    }
    assert.deepEqual([...place.traces(), ...place.runs()], []);
  }));
