import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { watch } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Place, ROOT, withPlace } from "./cli/program.ts";
import { canValidate, faultsOfJunit } from "./junit.ts";

const PASSES = `name: Passes
app: sim.settings
session: simulated
before: [ { launch: sim.settings } ]
steps:
  - set: { target: 'textfield[name="Name"]', value: Grace }
`;
const CHECKS = `  - assert: { target: 'textfield[name="Name"]', value: { equals: Ada }, timeout: 0 }\n`;
const FAILS = `${PASSES.replace("Passes", "Fails")}${CHECKS}`;
const LIBRARY = new URL("../mod.ts", import.meta.url).href;

/** A program on the simulated desktop that leaves a line in a file when it begins and when it ends. */
const noting = (name: string, body = "") =>
  `import { workflow } from ${JSON.stringify(LIBRARY)};
import { appendFileSync, readFileSync } from "node:fs";
export default workflow(${JSON.stringify(name)}, { session: "simulated" }, async (t) => {
  appendFileSync("log", "> ${name}\\n");
  await t.listApplications();
  ${body}
  appendFileSync("log", "< ${name}\\n");
});
`;
/** Waits for what does not come. */
const NEVER = `await t.launch("sim.settings");
  await t.wait({ app: "sim.settings", target: 'button[name="Never"]', timeout: "50s" });`;
const log = (place: Place) => readFileSync(join(place.work, "log"), "utf8").trim().split("\n");

/** Resolves once a file holds a text. */
async function fileHolds(file: string, text: string): Promise<void> {
  const deadline = AbortSignal.timeout(60_000);
  const events = watch(dirname(file), { signal: deadline });
  const holds = () => existsSync(file) && readFileSync(file, "utf8").includes(text);
  if (holds()) return;
  for await (const _ of events) if (holds()) return;
}

/** Reads JSON that a command printed. */
function shown(text: string) {
  const found: {
    readonly settings: readonly { name: string; value: string[]; source: string }[];
    readonly projects: readonly {
      name: string;
      settings: readonly { name: string; value: string[]; source: string }[];
    }[];
    readonly env: { names: string[] } | null;
  } = JSON.parse(text);
  return found;
}

Deno.test("a matrix of 3 projects and 20 cases is 60 results in every reporter, and in merged shards", () =>
  withPlace(async (place) => {
    const rows = Array.from({ length: 20 }, (_, n) => `Person ${n + 1}`);
    place.file("people.csv", `who\n${rows.join("\n")}\n`);
    const checked =
      `  - assert: { target: 'textfield[name="Name"]', value: { equals: '{{vars.greeting}} {{vars.who}}' } }\n`;
    place.file(
      "a.yaml",
      `vars: { who: { type: string }, greeting: Hello }\ncases: people.csv\n${
        PASSES.replace("value: Grace", "value: '{{vars.greeting}} {{vars.who}}'")
      }${checked}`,
    );
    place.file(
      "backstep.config.yaml",
      `paths: [a.yaml]
workers: 2
reporters: [list, line, dot, github, junit, json, html, blob=all/blob.jsonl]
output: out
projects:
  - { name: one, vars: { greeting: Good day } }
  - { name: two }
  - { name: three, vars: { greeting: Salut } }
`,
    );
    const { code, out, err } = await place.run(["test"], { timeout: 180_000 });
    assert.equal(code, 0, err + out.slice(-2_000));
    const ids = /\[(one|two|three)\] a\.yaml \[Person \d+\]/g;
    assert.match(out, /\n60 passed in /);
    assert.equal(new Set(out.match(ids)).size, 60, "list and line");
    const read = (name: string) => readFileSync(join(place.work, "out", name), "utf8");
    assert.equal(new Set(read("junit.xml").match(/<testsuite name="[^"]+"/g)).size, 60);
    assert.equal(read("junit.xml").match(/name="project" value="two"/g)?.length, 20);
    if (canValidate) assert.equal(faultsOfJunit(read("junit.xml")), "");
    const results: { files: { project: string; case: string }[] } = JSON.parse(read("results.json"));
    assert.equal(new Set(results.files.map((one) => `${one.project} ${one.case}`)).size, 60);
    assert.equal(new Set(read("report.html").match(ids)).size, 60);
    const merged = await place.run(["merge-reports", "all", "--reporter", "dot"]);
    assert.match(merged.out, /^·{60}\n[^]*60 passed/);

    for (const shard of ["1/2", "2/2"]) {
      // Each machine begins with the same durations: here with none.
      rmSync(join(place.work, ".backstep"), { recursive: true });
      const part = await place.run(["test", "--shard", shard, "--reporter", "blob", "--output", "shards"], {
        timeout: 120_000,
      });
      assert.equal(part.code, 0, part.err);
    }
    const { length } =
      readFileSync(join(place.work, "shards/blob-1-of-2.jsonl"), "utf8").match(/"file-finished"/g) ?? [];
    assert.equal(length, 30);
    const both = await place.run(["merge-reports", "shards", "--reporter", "dot,json", "--output", "both"]);
    assert.match(both.out, /60 passed/);
    const whole: { files: { project: string }[] } = JSON.parse(
      readFileSync(join(place.work, "both/results.json"), "utf8"),
    );
    assert.equal(whole.files.filter(({ project }) => project === "three").length, 20);
  }));

Deno.test("backstep.config.yaml is found upwards; the command line wins; --show-config names each source", () =>
  withPlace(async (place) => {
    mkdirSync(join(place.work, "flows/deep"), { recursive: true });
    place.file("flows/a.yaml", PASSES);
    place.file(
      "backstep.config.yaml",
      "paths: [flows]\nworkers: 3\ntimeout: 5000\noutput: reports\nprojects:\n  - name: dark\n    retries: 2\n    desktop: { theme: dark }\n",
    );
    const below = { cwd: join(place.work, "flows/deep") };
    const args = ["test", "--show-config", "--workers", "1", "--format", "json"];
    const first = await place.run(args, below);
    const { settings, projects } = shown(first.out);
    const said = Object.fromEntries(settings.map(({ name, value, source }) => [name, [value, source]]));
    assert.deepEqual(said["workers"], [["1"], "command line"]);
    assert.deepEqual(said["timeout"], [["5000ms"], "../../backstep.config.yaml:3:10"]);
    assert.deepEqual(said["output"], [["../../reports"], "../../backstep.config.yaml:4:9"]);
    assert.deepEqual(said["retries"], [["0"], "default"]);
    assert.deepEqual(
      projects.map((one) => [one.name, one.settings.map(({ name, value }) => [name, ...value])]),
      [
        ["dark", [["retries", "2"], ["theme", "dark"]]],
      ],
    );
    const text = await place.run(["test", "--show-config"]);
    assert.match(text.out, /^backstep\.config\.yaml\n {2}paths +flows +backstep\.config\.yaml:1:8\n/);
    assert.match(text.out, /project dark\n {2}retries +2 +backstep\.config\.yaml:7:14\n/);

    place.file("other.ts", `export default { paths: ["flows"], reporters: ["dot"], fail_on_flaky: true };\n`);
    const ran = await place.run(["test", "--config", "other.ts"]);
    assert.deepEqual([ran.code, ran.out.split("\n")[0]], [0, "·"], ran.err);
    const wrong = await place.run(["test", "--config", "nowhere.yaml"]);
    assert.match(wrong.err, /Cannot read the configuration nowhere\.yaml: there is no such file/);
    assert.equal(wrong.code, 2);
  }));

Deno.test("what is wrong in a configuration has its line and column, and what was meant", () =>
  withPlace(async (place) => {
    place.file("a.yaml", PASSES);
    const fault = async (text: string) => {
      place.file("backstep.config.yaml", text);
      const { code, err } = await place.run(["test", "a.yaml"]);
      assert.equal(code, 2, err);
      return err;
    };
    assert.match(
      await fault("worker: 3\n"),
      /backstep\.config\.yaml:1:1: unknown key "worker".*\n.*"workers"/,
    );
    assert.match(
      await fault("workers: many\n"),
      /:1:10: config\.workers takes a number, not the text "many"/,
    );
    assert.match(await fault("timeout: soon\n"), /:1:10: config\.timeout/);
    const project = (more: string) => `projects:\n  - name: a\n    ${more}\n`;
    assert.match(
      await fault(project("desktop: { locale: german }")),
      /:3:24: .*it is written as de_DE\.UTF-8/,
    );
    assert.match(await fault(project("dependencies: [b]")), /:3:20: there is no project "b"/);
    const circle = "projects:\n  - { name: aa, dependencies: [bb] }\n  - { name: bb, dependencies: [aa] }\n";
    assert.match(await fault(circle), /projects depend on each other: aa → bb → aa/);
    assert.match(await fault(""), /the file is empty/);
    place.file("backstep.config.yaml", "projects: [ { name: dark } ]\n");
    const none = await place.run(["test", "a.yaml", "--project", "drak"]);
    assert.match(none.err, /there is no project "drak"[^]*Did you mean dark\?/);
  }));

Deno.test("projects wait for those they depend on; before and after run once; a failure skips what needs it", () =>
  withPlace(async (place) => {
    mkdirSync(join(place.work, "flows"));
    for (const name of ["flows/start", "end", "login"]) {
      place.file(`${name}.ts`, noting(name.replace("flows/", "")));
    }
    for (const name of ["x", "y"]) place.file(`flows/${name}.ts`, noting(name));
    const config = (login: string) =>
      `workers: 2
reporters: [line]
before: flows/start.ts
after: end.ts
projects:
  - { name: app, paths: [flows], dependencies: [setup] }
  - { name: setup, paths: [${login}] }
`;
    place.file("backstep.config.yaml", config("login.ts"));
    // The command line selects among the files of the project; what it depends on runs in full.
    const some = await place.run(["test", "--grep", "x\\.ts"]);
    assert.equal(some.code, 0, some.err + some.out);
    assert.deepEqual(log(place), [
      "> start",
      "< start",
      "> login",
      "< login",
      "> x",
      "< x",
      "> end",
      "< end",
    ]);
    const listed = await place.run(["test", "--list", "--project", "app", "--format", "json"]);
    const files: { files: { id: string; role?: string }[] } = JSON.parse(listed.out);
    assert.deepEqual(files.files.map(({ id, role }) => role === undefined ? id : `${id}: ${role}`).sort(), [
      "[app] flows/x.ts",
      "[app] flows/y.ts",
      "[setup] login.ts",
      "end.ts (after): after",
      "flows/start.ts (before): before",
    ]);

    place.file("backstep.config.yaml", config("fails.yaml"));
    place.file("fails.yaml", FAILS);
    place.file("log", "");
    const failed = await place.run(["test", "--reporter", "list"]);
    assert.equal(failed.code, 1);
    assert.match(failed.out, /– \[app\] flows\/x\.ts[^]*not run: the project setup failed/);
    assert.match(failed.out, /1 failed, 2 passed, 2 skipped/);
    assert.deepEqual(log(place), ["> start", "< start", "> end", "< end"]);
  }));

Deno.test("after an interrupt what was running is rolled back, and what clears up after all runs even so", () =>
  withPlace(async (place) => {
    for (const name of ["start", "end"]) place.file(`${name}.ts`, noting(name));
    place.file("hang.ts", noting("hang", NEVER));
    place.file(
      "backstep.config.ts",
      `import { defineConfig } from ${JSON.stringify(LIBRARY)};
export default defineConfig({
  paths: ["hang.ts", "later.yaml"],
  workers: 1,
  reporters: ["list"],
  before: "start.ts",
  after: "end.ts",
});
`,
    );
    place.file("later.yaml", PASSES);
    const running = place.start(["test"]);
    await fileHolds(join(place.work, "log"), "> hang");
    process.kill(running.pid, "SIGINT");
    const { code, out, err } = await running.finished;
    assert.equal(code, 130, err + out);
    assert.deepEqual(log(place), ["> start", "< start", "> hang", "> end", "< end"]);
    assert.match(out, /later\.yaml[^]*not run: interrupted/);
  }));

Deno.test(".env sets what the environment does not, and its secrets stay secrets", () =>
  withPlace(async (place) => {
    const secret = "tr0ub4dor-and-three";
    place.file(
      ".env",
      `# comment\nTOKEN="${secret}"\nSET=from the file\nexport GREETING=Hello # a comment\n`,
    );
    const needs = "secrets: [TOKEN]\nneeds: { env: [TOKEN] }\n";
    const steps = `  - set: { target: 'textfield[name="Name"]', value: '{{env.GREETING}} {{env.SET}}' }
  - assert: { target: 'textfield[name="Name"]', value: { equals: Hello from the environment }, timeout: 0 }
  - set: { target: 'textfield[name="Name"]', value: '{{secrets.TOKEN}}' }
  - assert: { target: 'textfield[name="Name"]', value: { equals: '{{secrets.TOKEN}}' }, timeout: 0 }
`;
    place.file("a.yaml", `${needs}${PASSES}${steps}`);
    const env = { SET: "from the environment" };
    const reports = ["--reporter", "list,json,junit,blob", "--output", "out", "--evidence", "on"];
    const ran = await place.run(["test", "a.yaml", ...reports], { env });
    assert.equal(ran.code, 0, ran.out + ran.err);
    const texts = ["results.json", "junit.xml", "blob.jsonl"].map((name) =>
      readFileSync(join(place.work, "out", name), "utf8")
    );
    for (const text of [ran.out, ran.err, ...texts]) assert.ok(!text.includes(secret));
    const config = await place.run(["test", "--show-config", "--format", "json"], { env });
    assert.deepEqual(shown(config.out).env?.names, ["TOKEN", "GREETING"]);
    assert.ok(!config.out.includes(secret));
    const alone = await place.run(["run", "a.yaml", "--env-file", ".env"], { env });
    assert.equal(alone.code, 0, alone.out + alone.err);
    assert.ok(!alone.out.includes(secret));
    place.file("bad.env", "LD_PRELOAD=/tmp/x.so\n");
    const bad = await place.run(["test", "a.yaml", "--env-file", "bad.env"]);
    assert.match(bad.err, /Cannot read the environment from bad\.env: it sets LD_PRELOAD/);
    const missing = await place.run(["test", "a.yaml", "--env-file", "no.env"]);
    assert.deepEqual([missing.code, /no\.env: there is no such file/.test(missing.err)], [2, true]);
  }));

Deno.test("--only-changed takes files that changed since a commit, with what they run, their cases and baselines", () =>
  withPlace(async (place) => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
        cwd: place.work,
        stdio: "pipe",
      });
    place.file("a.yaml", PASSES);
    const noGit = await place.run(["test", ".", "--only-changed"]);
    assert.equal(noGit.code, 2);
    assert.match(noGit.err, /Cannot find the changed files: this is no git repository/);
    for (const folder of ["shared", "baselines"]) mkdirSync(join(place.work, folder));
    place.file("shared/_fill.yaml", "name: Fill\nsteps: []\n");
    place.file("b.yaml", `${PASSES}  - run: shared/_fill.yaml\n`);
    place.file("c.yaml", `vars: { who: { type: string } }\ncases: people.csv\n${PASSES}`);
    place.file("people.csv", "who\nAda\n");
    place.file("d.yaml", `${PASSES}  - visual_diff: { baseline: editor.png }\n`);
    place.file("baselines/editor@scale=2.png", "1");
    place.file("_help.ts", "export const help = 1;\n");
    place.file("e.ts", noting("e").replace("import", 'import "./_help.ts";\nimport'));
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    const listed = async (flag = "--only-changed") => {
      const { code, out, err } = await place.run(["test", ".", flag, "--list", "--format", "json"]);
      assert.equal(code, 0, err + out);
      const files: { files: { file: string }[] } = JSON.parse(out);
      return files.files.map(({ file }) => file).sort().join(" ");
    };
    assert.equal(await listed(), "");
    place.file("shared/_fill.yaml", "name: Fill it\nsteps: []\n");
    assert.equal(await listed(), "b.yaml", "what it runs");
    place.file("people.csv", "who\nAda\nGrace\n");
    assert.equal(await listed(), "b.yaml c.yaml c.yaml", "its cases");
    place.file("baselines/editor@scale=2.png", "2");
    place.file("_help.ts", "export const help = 2;\n");
    place.file("new.yaml", PASSES);
    assert.equal(await listed(), "b.yaml c.yaml c.yaml d.yaml e.ts new.yaml");
    git("add", ".");
    git("commit", "-q", "-m", "second");
    place.file("a.yaml", `${PASSES}# changed\n`);
    assert.equal(await listed(), "a.yaml");
    assert.equal(await listed("--only-changed=HEAD~1"), "a.yaml b.yaml c.yaml c.yaml d.yaml e.ts new.yaml");
    const unknown = await place.run(["test", ".", "--only-changed=--output=x"]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /there is no commit "--output=x" in this repository/);
    place.file("a.yaml", PASSES);
    const nothing = await place.run(["test", ".", "--only-changed"]);
    assert.deepEqual([nothing.code, nothing.err], [0, "There is nothing to run.\n"]);
  }));

Deno.test("only: true leaves the other files out, and is refused where CI is set", () =>
  withPlace(async (place) => {
    place.file("a.yaml", PASSES);
    place.file("b.yaml", `only: true\n${PASSES}`);
    const env = { CI: undefined };
    const here = await place.run(["test", ".", "--reporter", "list"], { env });
    assert.equal(here.code, 0, here.err);
    assert.match(here.out, /✓ b\.yaml[^]*\n1 passed/);
    const refused = await place.run(["test", "."], { env: { CI: "true" } });
    assert.equal(refused.code, 2);
    assert.match(refused.err, /b\.yaml says `only: true`, which --forbid-only refuses/);
    assert.equal((await place.run(["test", ".", "--forbid-only"], { env })).code, 2);
    assert.equal((await place.run(["test", ".", "--no-forbid-only"], { env: { CI: "true" } })).code, 0);
  }));

Deno.test("what failed is tried again alone, when all others are done, and is flaky if it passes then", () =>
  withPlace(async (place) => {
    const fails =
      `if (readFileSync("log", "utf8").split("> first").length === 2) throw new Error("not yet");`;
    place.file("a.ts", noting("first", fails));
    // It gives the second try a second and a half to come while it runs.
    const lingers = `const { watch } = await import("node:fs");
  await new Promise((resolve) => {
    const end = () => (watcher.close(), clearTimeout(timer), resolve(undefined));
    const timer = setTimeout(end, 1_500);
    const watcher = watch("log", () => readFileSync("log", "utf8").split("> first").length > 2 && end());
  });`;
    place.file("b.ts", noting("b", lingers));
    for (const name of ["c", "d"]) place.file(`${name}.ts`, noting(name));
    const ran = await place.run(["test", ".", "--retries", "1", "--workers", "2", "--reporter", "list"]);
    assert.equal(ran.code, 0, ran.err + ran.out);
    assert.match(ran.out, /± a\.ts[^]*1 flaky, 3 passed/);
    assert.deepEqual(log(place).slice(-2), ["> first", "< first"], "the second try is the last thing");
  }));

Deno.test("a file's properties are in JUnit and JSON; a faulty file's error is printed once", () =>
  withPlace(async (place) => {
    place.file("a.yaml", `properties: { ticket: "AB-1 <&>", owner: Ada, sprint: 7 }\n${PASSES}`);
    place.file("b.yaml", `name: Bad\nsteps: [ { clik: x } ]\n`);
    const ran = await place.run(["test", ".", "--reporter", "list,junit,json", "--output", "out"]);
    assert.equal(ran.code, 2);
    assert.equal(ran.out.match(/"clik"/g)?.length, 1, ran.out);
    const xml = readFileSync(join(place.work, "out/junit.xml"), "utf8");
    assert.match(xml, /<property name="ticket" value="AB-1 &lt;&amp;&gt;"\/>/);
    assert.match(xml, /<property name="sprint" value="7"\/>/);
    if (canValidate) assert.equal(faultsOfJunit(xml), "");
    const results: { files: { properties?: Record<string, string> }[] } = JSON.parse(
      readFileSync(join(place.work, "out/results.json"), "utf8"),
    );
    assert.deepEqual(results.files[0]?.properties, { ticket: "AB-1 <&>", owner: "Ada", sprint: "7" });
  }));

Deno.test("a matrix on a real GTK 3: each project's desktop is what the application says of itself", () =>
  withPlace(async (place) => {
    const fixture = join(ROOT, "tests/fixtures/environment/gtk3.py");
    place.file(
      "a.yaml",
      `name: Surroundings
session: isolated
vars: { account: none.json }
steps:
  - launch: { app: /usr/bin/python3, args: [${
        JSON.stringify(fixture)
      }], env: { ACCOUNT: '${place.work}/{{vars.account}}' } }
  - assert: { file: '{{vars.account}}', exists: true }
`,
    );
    place.file(
      "backstep.config.yaml",
      `paths: [a.yaml]
workers: 1
reporters: [dot]
projects:
  - { name: dark, desktop: { theme: dark, size: 1024x768 }, vars: { account: dark.json } }
  - { name: large, desktop: { scale: 2, size: 1600x1200 }, vars: { account: large.json } }
`,
    );
    const ran = await place.run(["test"], { timeout: 120_000 });
    assert.equal(ran.code, 0, ran.out + ran.err);
    const account = (name: string) => {
      const { dark, scale, monitors }: { dark: boolean; scale: number; monitors: number[][] } = JSON.parse(
        readFileSync(join(place.work, name), "utf8"),
      );
      return { dark, scale, monitors };
    };
    assert.deepEqual(account("dark.json"), { dark: true, scale: 1, monitors: [[0, 0, 1024, 768]] });
    assert.deepEqual(account("large.json"), { dark: false, scale: 2, monitors: [[0, 0, 800, 600]] });
    assert.deepEqual(place.traces(), []);
  }));
