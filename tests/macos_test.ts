// The engine over the macOS core, judged by the stand-in's own account. What only a Mac can show is in no test.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { backstepOnMac, finished, onMac, whyNoMacCore } from "./_macos.ts";

const why = whyNoMacCore();
if (why !== undefined) console.log(`skipped: ${why}`);
const test = (name: string, action: () => Promise<void>) =>
  Deno.test({ name, ignore: why !== undefined, fn: action });

const ROLLBACK = `
name: Form
app: com.example.form
session: attach
timeout: 60s
on_failure: rollback
expect: { status: failed, rollback: restored }
steps:
  - set: { target: 'textfield[name="Name"]', value: 'Zoe' }
  - set: { target: 'textarea', value: 'hello 😀' }
  - click: 'checkbox[name="Bold"]'
  - click: 'AXRadioButton[name="Large"]'
  - set: { target: 'slider', value: 60 }
  - assert: { target: 'textfield[name="Name"]', value: 'Nobody' }
    timeout: 500ms
`;

test("a form is filled in the background and rolled back, and the application says so", async () => {
  const run = await backstepOnMac(["run", "{folder}/form.yaml"], { files: { "form.yaml": ROLLBACK } });
  finished(run, 1);
  assert.match(run.out, /restored: 5 participants read back as before/);
  assert.match(run.out, /as expected/);
  const last = (word: string) => run.account.findLast((line) => line.startsWith(`${word} `));
  assert.ok(
    run.account.includes("name Zoe") && run.account.includes("note hello 😀") &&
      run.account.includes("large"),
  );
  assert.deepEqual([last("name"), last("note"), last("bold"), last("volume")], [
    "name Ann",
    "note a😀b",
    "bold 0",
    "volume 20",
  ]);
  assert.equal(run.account.findLast((line) => line === "small" || line === "large"), "small");
});

test("a private desktop is refused, with what works instead", async () => {
  const run = await backstepOnMac(["run", "{folder}/form.yaml", "--session", "isolated"], {
    files: { "form.yaml": ROLLBACK },
  });
  assert.notEqual(run.code, 0);
  assert.match(run.out + run.err, /macOS has none/);
  assert.match(run.out + run.err, /--session attach[^]*--session simulated/);
});

test("every tool answers over the macOS core as its schema says, and acts by AX where it can", async () => {
  const program = fileURLToPath(new URL("fixtures/macos/tools.ts", import.meta.url));
  const run = await onMac(["run", "-A", "--no-check", program]);
  finished(run, 0);
  const answers = new Map<
    string,
    { readonly isError: boolean; readonly structured: Record<string, unknown> }
  >();
  for (const line of run.out.split("\n").filter((one) => one.startsWith("{"))) {
    const { name, isError, structured } = JSON.parse(line);
    answers.set(name, { isError, structured });
  }
  const failed = [...answers].filter(([, { isError }]) => isError).map(([name]) => name);
  assert.deepEqual([answers.size, failed], [26, ["ax_visual_diff"]], run.out); // which has no baseline
  const of = (name: string) => answers.get(name)?.structured ?? {};
  assert.equal(of("ax_find")["role"], "AXButton");
  assert.equal(of("ax_get_value")["value"], "Ann");
  assert.equal(of("ax_click")["method"], "Action.DoAction(AXPress)");
  assert.deepEqual([of("ax_screenshot")["width"], of("ax_screenshot")["height"]], [800, 800]); // two pixels a point
  assert.equal(of("ax_clipboard")["text"], "copied");
  assert.ok(run.account.includes("sent Ida"), run.account.join("\n"));
  // By a click at a place, by a step of the workflow, and by the undo of that.
  assert.deepEqual(run.account.filter((line) => line.startsWith("bold ")), ["bold 1", "bold 0", "bold 1"]);
});

test("check names what macOS has granted, and that there is no private desktop", async () => {
  const run = await backstepOnMac(["check", "--quick", "--format", "json"]);
  const { sessions, findings } = JSON.parse(run.out);
  assert.deepEqual(sessions, { isolated: false, attach: true, simulated: true }, run.out);
  const granted = findings.flatMap((one: { name: string; says: string }) =>
    one.says === "granted" ? [one.name] : []
  );
  assert.deepEqual(granted, ["accessibility", "input", "pictures"]);
});
