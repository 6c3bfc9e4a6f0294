import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fileURLToPath } from "node:url";
import { Deadline, pause } from "../src/base/call.ts";
import { missingFor } from "../scripts/action-names/stage.ts";
import { type Plan, plans } from "../scripts/recordings/acts.ts";
import { Injector } from "../scripts/recordings/injector.ts";
import { Person } from "../scripts/recordings/person.ts";
import { type Line, RecordStage, rowOf } from "../scripts/recordings/stage.ts";
import { Terminal } from "../scripts/tutorial/terminal.ts";
import { Recording } from "./_recording.ts";
import { commandUnderTest } from "./_under-test.ts";
import { play } from "./cli/screen.ts";

const missing = missingFor("gtk3");
const Took = z.object({ removed: z.boolean(), undone: z.boolean(), why: z.string().optional() });

/** The last line about an element. */
function lastOf(stage: RecordStage, of: string, what?: string): Line | undefined {
  return stage.account().findLast((line) => line.of === of && (what === undefined || line.what === what));
}

Deno.test({
  name:
    "undo takes steps back on the desktop, as the application's own account says, and in the file; pause and assert",
  ignore: missing !== undefined,
}, async () => {
  await using stage = await RecordStage.open("gtk3");
  await using injector = await Injector.start(stage.session);
  const output = join(stage.folder, "out.yaml");
  await using recording = await Recording.begin(stage, output);
  const person = new Person(injector);
  const act = (plan: Plan, said: string) => recording.does(plan, said, stage, person);
  const undo = async (order = "undo") => Took.parse(JSON.parse(await recording.order(order, "undo")));
  const undone = { removed: true, undone: true };

  await act(plans.click("check", "Bold"), "Bold");
  assert.equal(lastOf(stage, "Bold")?.value, true);
  assert.deepEqual(await undo(), undone);
  assert.equal(lastOf(stage, "Bold")?.value, false);

  await act(plans.fill("Title", "draft", false), "draft");
  await act(plans.fill("Author", "ada", false), "ada");
  await act(plans.fill("Title", "s", false), "Title");
  const title = String(lastOf(stage, "Title")?.value);
  assert.equal(title.length, 6);
  assert.deepEqual(await undo(), undone);
  assert.equal(lastOf(stage, "Title")?.value, "draft");

  await act(plans.open("combo", "Size", "Medium"), "Medium");
  await act(plans.open("combo", "Size", "Large"), "Large");
  assert.deepEqual(await undo(), undone);
  assert.equal(stage.account().findLast(({ what }) => what === "picked")?.of, "Medium");

  await act(plans.click("radio", "Green"), "Green");
  assert.deepEqual(await undo(), undone);
  assert.equal(stage.account().findLast(({ what }) => what === "chosen")?.of, "Red");

  await act(plans.click("tab", "Details"), "Details");
  assert.deepEqual(await undo(), undone);
  assert.equal(stage.account().findLast(({ what }) => what === "shown")?.of, "General");

  await act(plans.click("button", "Save"), "Save");
  const kept = await undo();
  assert.equal(kept.removed, false);
  assert.match(kept.why ?? "", /nobody knows what undoes a click on button "Save"/);
  assert.deepEqual(await undo("undo-file"), { removed: true, undone: false });

  await recording.order("pause", "paused");
  await plans.click("check", "Italic").run(person, stage.sight);
  await recording.order("resume", "resumed");
  const bounds = (await stage.snapshot()).rect(rowOf(await stage.snapshot(), "Italic"));
  assert.ok(bounds);
  const middle = `${Math.round(bounds.x + bounds.width / 2)},${Math.round(bounds.y + bounds.height / 2)}`;
  assert.match(await recording.order(`assert ${middle}`, "asserted"), /Italic/);
  assert.match(await recording.order("pardon", "unknown"), /"orders":\["undo"/);
  await recording.order("end", "written");
  assert.equal(await recording.finished(), 0, recording.errors);
  assert.equal(
    readFileSync(output, "utf8"),
    `name: out
app: record-fixture
steps:
  - set: { target: 'textfield[name="Title"]', value: draft }
  - set: { target: 'textfield[name="Author"]', value: ada }
  - set: { target: 'combobox[name="Size"]', value: Medium }
  - assert: { target: 'checkbox[name="Italic"]', value: true }
`,
  );
});

/** What the account must hold once for each act that was recorded. */
const ACTS: readonly [Plan, string, RegExp][] = [
  [plans.click("button", "Save"), "clicked Save", /click: 'button\[name="Save"\]'/g],
  [plans.click("button", "Print"), "clicked Print", /click: 'button\[name="Print"\]'/g],
];

Deno.test({
  name:
    "20 stops and starts in one session: each act is in the file once, and the text that is being typed is whole",
  ignore: missing !== undefined,
}, async () => {
  await using stage = await RecordStage.open("gtk3");
  await using injector = await Injector.start(stage.session);
  const output = join(stage.folder, "out.yaml");
  await using recording = await Recording.begin(stage, output);
  const person = new Person(injector);
  let typed = "";
  for (let n = 0; n < 20; n++) {
    const [plan] = ACTS[n % ACTS.length] ?? [];
    await plan?.run(person, stage.sight);
    // The text is in the middle of its word when it stops, and goes on after it.
    const word = `w${n}`;
    if (n === 0) await plans.fill("Title", word, false).run(person, stage.sight);
    else {
      await person.click(centre(await stage.snapshot(), "Title"));
      await pause(200);
      await person.key(0xff57); // End
      await person.type(word);
    }
    typed += word;
    const held = n % 5 === 2;
    if (held) {
      // It stops while a button is down: the click is whole, and is none after it.
      const { x, y } = centre(await stage.snapshot(), "Send");
      await injector.move(x, y);
      await pause(60);
      await injector.down();
      const paused = recording.order("pause", "paused");
      await pause(300);
      await injector.up();
      await paused;
    } else await recording.order("pause", "paused");
    if (n % 5 === 3) {
      // It goes on while a button is down that was pressed meanwhile: what is let go elsewhere is no drag.
      const { x, y } = centre(await stage.snapshot(), "Send");
      await injector.move(x, y);
      await injector.down();
      await recording.order("resume", "resumed");
      await injector.move(x + 300, y);
      await injector.up();
      await recording.order("pause", "paused");
    }
    // What is done meanwhile is no step.
    if (n % 4 === 0) await plans.click("check", "Underline").run(person, stage.sight);
    await recording.order("resume", "resumed");
    await person.click(centre(await stage.snapshot(), "Title"));
    await pause(200);
    await person.key(0xff57);
    await person.type("x");
    typed += "x";
  }
  // What is typed until it stops is in the file, and what is typed from then on is not.
  await person.type("y");
  typed += "y";
  await recording.order("pause", "paused");
  await person.type("zz");
  await recording.order("end", "written");
  assert.equal(await recording.finished(), 0, recording.errors);
  const yaml = readFileSync(output, "utf8");
  const account = stage.account();
  assert.equal(lastOf(stage, "Title", "text")?.value, `${typed}zz`, "it was typed");
  for (const [, what, step] of ACTS) {
    const done = account.filter((line) => `${line.what} ${line.of}` === what).length;
    assert.equal(done, 10);
    assert.equal([...yaml.matchAll(step)].length, done, `${what}\n${yaml}`);
  }
  assert.ok(!yaml.includes("Underline") && !yaml.includes("drag"), yaml);
  const sent = account.filter(({ what, of }) => what === "clicked" && of === "Send").length;
  assert.equal(sent, 4);
  assert.equal([...yaml.matchAll(/click: 'button\[name="Send"\]'/g)].length, sent, yaml);
  const texts = [...yaml.matchAll(/\bvalue: (\w+)/g)].map(([, text = ""]) => text);
  assert.equal(texts.at(-1), typed, yaml);
  // Each text that stands in the file stood in the field, in this order, and none twice.
  const stood = account.filter(({ what, of }) => what === "text" && of === "Title").map(({ value }) => value);
  let at = -1;
  for (const text of texts) {
    const found = stood.indexOf(text, at + 1);
    assert.ok(found > at, `${text} stood there after what came before it`);
    at = found;
  }
  assert.equal(new Set(texts).size, texts.length, "none is doubled");
});

function centre(tree: Awaited<ReturnType<RecordStage["snapshot"]>>, name: string) {
  const rect = tree.rect(rowOf(tree, name));
  assert.ok(rect);
  return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
}

Deno.test({
  name: "what is done in the terminal that the command runs in is no step",
  ignore: missing !== undefined,
}, async () => {
  await using stage = await RecordStage.open("gtk3");
  await using injector = await Injector.start(stage.session);
  const file = join(stage.folder, "out.yaml");
  const person = new Person(injector);
  // A window whose process is above that of the command, as a terminal's is.
  const terminal = fileURLToPath(new URL("fixtures/record/terminal.py", import.meta.url));
  await using recording = await Recording.begin(stage, file, undefined, ["/usr/bin/python3", "-B", terminal]);
  const field = await placeOf(stage, "Command line");
  await person.click(field);
  await person.type("ls");
  await recording.does(plans.click("check", "Bold"), "Bold", stage, person);
  await person.click(field);
  await person.type("u");
  await recording.order("end", "written");
  assert.equal(await recording.finished(), 0, recording.errors);
  const steps = readFileSync(file, "utf8").split("steps:\n")[1];
  assert.equal(steps, `  - set: { target: 'checkbox[name="Bold"]', value: true }\n`);
});

/** The middle of what some application calls so, once it is there. */
async function placeOf(stage: RecordStage, name: string) {
  const deadline = Deadline.after(10_000);
  for (;;) {
    for (const application of await stage.session.desktop.applications()) {
      const tree = await stage.session.desktop.snapshot(application);
      if (rowOf(tree, name) > 0) return centre(tree, name);
    }
    assert.ok(!deadline.passed, `${name} is there`);
    await pause(20);
  }
}

Deno.test({
  name: "in a terminal a step that cannot be undone is asked about, and Ctrl-C writes the file",
  ignore: missing !== undefined,
}, async () => {
  await using stage = await RecordStage.open("gtk3");
  await using injector = await Injector.start(stage.session);
  const person = new Person(injector);
  const environment = { BACKSTEP_STATE: stage.folder };
  await using terminal = await Terminal.open(stage.folder, environment, { columns: 60, rows: 24 });
  const bin = fileURLToPath(new URL("../bin.ts", import.meta.url));
  const [program = "", ...args] = commandUnderTest(["run", "-q", "-A", "--no-check", bin]);
  const from = terminal.written.length;
  terminal.command(
    [program, ...args, "record", "--session", stage.session.id ?? "", "--app", stage.application.name].join(
      " ",
    ),
  );
  let at = await terminal.until("q end", from);
  const says = async (text: string) => {
    at = await terminal.until(text, at);
  };
  const click = async (name: string) => {
    await plans.click("button", name).run(person, stage.sight);
    await says(`click button[name="${name}"]`);
  };
  await click("Save");
  terminal.type("u");
  await says("Remove it from the file only? y / n");
  terminal.type("n");
  await says("it stays");
  await click("Print");
  terminal.type("u");
  await says("y / n");
  terminal.type("y");
  await says("taken out of the file");
  terminal.type("p");
  await says("paused");
  terminal.type("p");
  await says("recording");
  terminal.type("\x03");
  await says("1 step");
  await says("$ ");
  const yaml = readFileSync(join(stage.folder, "recorded.yaml"), "utf8");
  assert.ok(yaml.includes("Save") && !yaml.includes("Print"), yaml);
  const { lines } = play(terminal.written.slice(from), 60);
  assert.ok(
    lines.some((line) => /^✗ cannot undo click button\[name="Save"\]: nobody knows/.test(line)),
    lines.join("\n"),
  );
});
