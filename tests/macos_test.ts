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
  - set: { target: 'AXPopUpButton', value: Blue }
  - assert: { target: 'textfield[name="Name"]', value: 'Nobody' }
    timeout: 500ms
`;

test("a form is filled in the background and rolled back, and the application says so", async () => {
  const run = await backstepOnMac(["run", "{folder}/form.yaml"], { files: { "form.yaml": ROLLBACK } });
  finished(run, 1);
  assert.match(run.out, /restored: 6 participants read back as before/);
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
  assert.deepEqual(run.account.filter((line) => line === "red" || line === "blue"), ["blue", "red"]);
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

test("quit terminates: what is asked about unsaved work stays open, or is answered as asked for", async () => {
  const program = fileURLToPath(new URL("fixtures/macos/quit.ts", import.meta.url));
  const run = await onMac(["run", "-A", "--no-check", program]);
  finished(run, 0);
  const [launched, listed, blocked, quit, gone, last] = run.out.trim().split("\n").map((line) =>
    JSON.parse(line)
  );
  assert.equal(launched.launched.wasAlreadyRunning, true);
  assert.equal(listed.listed[0].bundleId, "com.example.form");
  assert.equal(blocked.code, "quit_blocked", run.out);
  assert.deepEqual(blocked.buttons, ["Don't Save", "Cancel"]);
  assert.deepEqual(quit, { quit: { applicationName: "Form" } });
  assert.equal(gone.code, "app_not_running");
  assert.deepEqual(last.account, ["discarded", "Form ended"]);
});

test("launching and quitting fail in the five ways of the launch control, each with its kind and what to do", async () => {
  const program = fileURLToPath(new URL("fixtures/macos/launch.ts", import.meta.url));
  const run = await onMac(["run", "-A", "--no-check", program]);
  finished(run, 0);
  const answers = run.out.trim().split("\n").map((line) => {
    const { name, bundleId, isError, text } = JSON.parse(line);
    const [, kind = "", suggestion = ""] = /"kind":"(\w+)".*?"suggestion":"((?:[^"\\]|\\.)*)"/.exec(text) ??
      [];
    return { what: `${name} ${bundleId}`.trim(), isError, kind, suggestion, text };
  });
  assert.deepEqual(answers.map(({ what, isError, kind }) => [what, isError, kind]), [
    ["launch_application com.example.form", false, ""],
    ["launch_application com.example.nobody", true, "AppNotFound"],
    ["quit_application com.example.broken", true, "AppNotRunning"],
    ["launch_application com.example.broken", true, "LaunchFailed"],
    ["launch_application", true, "InvalidValue"],
    ["launch_application com.example.form", true, "AccessibilityDenied"],
    ["quit_application com.example.form", true, "AccessibilityDenied"],
  ]);
  assert.match(answers[1]?.suggestion ?? "", /com\.example\.broken/);
  assert.match(answers[3]?.text ?? "", /"status":-10661/);
  for (const denied of answers.slice(5)) {
    assert.match(denied.suggestion, /System Settings > Privacy & Security > Accessibility/);
  }
});

const FRONT = (steps: string) => ({
  "steps.yaml":
    `name: Front\napp: com.example.front\nsession: attach\nmode: focus\ntimeout: 60s\nsteps:\n${steps}`,
});

test("what is typed into a window that another one took the keyboard from arrives there", async () => {
  const files = FRONT(
    `  - type: { into: 'textfield[name="Other"]', text: a }\n  - click: 'button[name="Ask"]'\n` +
      `  - type: { into: 'textfield[name="Answer"]', text: b }\n  - type: { into: 'textfield[name="Other"]', text: c }\n`,
  );
  const run = await backstepOnMac(["run", "{folder}/steps.yaml"], { files, script: "two.txt" });
  finished(run, 0);
  const typed = run.account.filter((line) => /^(front|answer) /.test(line));
  assert.deepEqual(typed, ["front a", "answer b", "front ac"]);
});

test("a pop-up button whose menu does not come is no_effect", async () => {
  const files = FRONT(`  - set: { target: 'AXPopUpButton', value: Blue }\n    timeout: 10s\n`);
  const run = await backstepOnMac(["run", "{folder}/steps.yaml"], { files, script: "two.txt" });
  finished(run, 1);
  assert.match(run.out + run.err, /Cannot choose "Blue" in combobox "Dead": tried .*\(no_effect\)/);
  assert.ok(run.account.includes("pressed"), run.account.join("\n"));
});

test("an application that tells nothing is looked at once a second after five, and the client is warned", async () => {
  const program = fileURLToPath(new URL("fixtures/macos/silent.ts", import.meta.url));
  const run = await onMac(["run", "-A", "--no-check", program], { script: "silent.txt" });
  finished(run, 0);
  const { early, warning, after } = JSON.parse(run.out.trim());
  assert.equal(early, false, run.out);
  assert.deepEqual([warning.level, warning.data.fallback, warning.data.interval_ms], [
    "warning",
    "polling",
    1_000,
  ]);
  assert.ok(warning.at >= 4_900, `warned after ${warning.at} ms`);
  assert.equal(typeof after, "number", run.out);
});

test("evidence of a display with two pixels a point: marks lie where it acted, and a password field is black", async () => {
  const program = fileURLToPath(new URL("fixtures/macos/evidence.ts", import.meta.url));
  const run = await onMac(["run", "-A", "--no-check", program]);
  finished(run, 0);
  const { status, marks, scale, black, missing } = JSON.parse(run.out.trim());
  assert.deepEqual([status, missing, scale], ["passed", undefined, 2], run.out);
  // The field lies at 110,60 and is 200 by 22 points large, its window at 10,30.
  assert.deepEqual(marks, [{ x: 200, y: 60, width: 400, height: 44 }]);
  assert.deepEqual(black, ["black", "black", "black", "black", "black", "shown", "shown", "800x800"]);
});
