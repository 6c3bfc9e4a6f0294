import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { missingFor } from "../scripts/action-names/stage.ts";
import { PASSWORD, type Plan, plans } from "../scripts/recordings/acts.ts";
import { Injector } from "../scripts/recordings/injector.ts";
import { Person } from "../scripts/recordings/person.ts";
import { replay } from "../scripts/recordings/replay.ts";
import { RecordStage } from "../scripts/recordings/stage.ts";
import { Recording } from "./_recording.ts";
import { commandUnderTest } from "./_under-test.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Files below a folder that hold these bytes. */
function holding(folder: string, text: string): string[] {
  const wanted = new TextEncoder().encode(text);
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
    .filter((file) => existsSync(file) && statSync(file).isFile())
    .filter((file) => readFileSync(file).indexOf(wanted) >= 0);
}

const missing = missingFor("gtk3");

Deno.test({
  name:
    "what a second X client does to an application is recorded by the command, and replays; no password is in it",
  ignore: missing !== undefined,
}, async () => {
  let yaml: string, account;
  {
    await using stage = await RecordStage.open("gtk3");
    await using injector = await Injector.start(stage.session);
    const output = join(stage.folder, "out.yaml");
    await using recording = await Recording.begin(stage, output);
    const person = new Person(injector);
    const acts: [Plan, string][] = [
      [plans.click("button", "Save"), '"Save"'],
      [plans.click("check", "Bold"), '"Bold"'],
      [plans.fill("Title", "memo book", true), '"Return"'],
      [plans.fill("Password", PASSWORD, false), "{{secrets.PASSWORD}}"],
      [plans.open("combo", "Size", "Medium"), '"Medium"'],
      [plans.open("menu", "Edit", "Paste"), '"Paste"'],
      [plans.open("dialog", "Ask", "No"), '"No"'],
    ];
    for (const [plan, said] of acts) {
      await recording.does(plan, said.replaceAll('"', ""), stage, person);
    }
    assert.equal(await recording.end(), 0, recording.errors);
    yaml = readFileSync(output, "utf8");
    account = stage.account();
    // What was typed into another field is found: the search sees what is there.
    assert.ok(holding(stage.folder, "memo book").includes(output));
    assert.deepEqual(holding(stage.folder, PASSWORD), []);
    assert.ok(!`${recording.output}${recording.errors}${yaml}`.includes(PASSWORD));
    // What its locators stand for is kept for healing.
    const kept = holding(stage.folder, 'checkbox[name=\\"Bold\\"]');
    assert.ok(kept.some((file) => file.includes("heal/evidence")), kept.join());
  }
  assert.equal(
    yaml,
    `name: out
app: record-fixture
secrets: [ PASSWORD ]
steps:
  # Cannot be undone, unless you add: undo: [ { click: 'button[name="…"]' } ]
  - click: 'button[name="Save"]'
  - set: { target: 'checkbox[name="Bold"]', value: true }
  - set: { target: 'textfield[name="Title"]', value: memo book }
  - press: { keys: Return, into: 'textfield[name="Title"]' }
  - set: { target: 'passwordfield[name="Password"]', value: '{{secrets.PASSWORD}}' }
  - set: { target: 'combobox[name="Size"]', value: Medium }
  - click: 'menu[name="Edit"]'
  # Cannot be undone, unless you add: undo: [ { click: 'button[name="…"]' } ]
  - click: 'menuitem[name="Paste"]'
  # Cannot be undone, unless you add: undo: [ { press: Escape } ]
  - click: 'button[name="Ask"]'
  - assert: { target: 'dialog[name="Question"]', exists: true }
  # Cannot be undone, unless you add: undo: [ { click: 'button[name="…"]' } ]
  - click: 'button[name="No"]'
  - wait: { target: 'dialog[name="Question"]', for: hidden }
`,
  );
  const { result, outcome, wanted } = await replay("gtk3", yaml, account);
  assert.equal(result.status, "passed", JSON.stringify(result.error));
  assert.deepEqual(outcome, wanted);
});

Deno.test("record overwrites no file without --force", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const file = join(folder, "there.yaml");
    writeFileSync(file, "mine");
    const [program, ...args] = commandUnderTest(["run", "-A", "--no-check", join(root, "bin.ts")]);
    const child = spawn(program, [...args, "record", "--output", file, "--session", "isolated"], {
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 20_000,
    });
    let said = "";
    child.stderr.on("data", (chunk) => said += String(chunk));
    const [code] = await once(child, "close");
    assert.notEqual(code, 0);
    assert.match(said, /it exists/);
    assert.equal(readFileSync(file, "utf8"), "mine");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
