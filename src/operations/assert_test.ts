import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { fixture } from "./_context.ts";

const NAME = 'textfield[name="Name"]';

for (
  const expected of [
    { value: "Ada" },
    { value: { contains: "d", regex: "^A.a$" } },
    { title: "Name", role: "textfield", enabled: true, visible: true },
    { role: "AXTextField", text: { not: "Bob" } },
    { contains_text: "da", focused: false },
    { exists: true, count: 1 },
    { editable: true, readonly: false, hidden: false, disabled: false, secure: false },
    { value: { starts_with: "A", ends_with: "a", not: { contains: "x" } }, description: "" },
  ]
) {
  Deno.test(`assert holds: ${JSON.stringify(expected)}`, async () => {
    await using desk = fixture(["sim.settings"]);
    await desk.run("assert", { target: NAME, ...expected, timeout: 50 });
  });
}

for (
  const [expected, property] of [
    [{ value: "Bob" }, "value"],
    [{ value: { gt: 3 } }, "value"],
    [{ enabled: false }, "enabled"],
    [{ role: "button" }, "role"],
    [{ exists: false }, "exists"],
    [{ count: { lt: 1 } }, "count"],
    [{ contains_text: "Bob" }, "contains_text"],
  ] as const
) {
  Deno.test(`assert does not hold: ${JSON.stringify(expected)}`, async () => {
    await using desk = fixture(["sim.settings"]);
    const error = await desk.fail("assert", { target: NAME, ...expected, timeout: 50 });
    assert.equal(error.code, "assertion");
    assert.match(error.message, new RegExp(`${property} is `));
  });
}

Deno.test("an answer has the shape of the tool specification, held or not", async () => {
  await using desk = fixture(["sim.settings"]);
  const held = await desk.run("assert", { target: NAME, value: "Ada", timeout: 50 });
  assert.ok(typeof held === "object" && held !== null && "passed" in held && "failures" in held);
  assert.deepEqual([held.passed, held.failures], [true, []]);
  const { details } = await desk.fail("assert", { target: NAME, value: "Bob", enabled: false, timeout: 50 });
  assert.deepEqual([details?.["passed"], details?.["failures"]], [false, [
    { property: "enabled", expected: false, actual: true },
    { property: "value", expected: "Bob", actual: "Ada" },
  ]]);
});

Deno.test("of several elements nothing but their number is compared, and they are listed", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("assert", { target: "tab", selected: true, timeout: 50 });
  assert.match(error.message, /count is 3, expected 1: only one element can be compared/);
  assert.match(error.hint ?? "", /tab "General" \[selected\], tab "Advanced", tab "About"/);
  await desk.run("assert", { target: "tab", count: { at_least: 2, below: 4 }, timeout: 50 });
});

Deno.test("what was seen last is in the message, nearest first, and in the hint", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("assert", { target: "window", contains_text: "Play sound!", timeout: 50 });
  assert.match(
    error.message,
    /contains_text is not met: it shows "Play sounds", .* more, expected "Play sound!"/,
  );
  const disabled = await desk.fail("assert", { target: 'button[name="Apply"]', enabled: true, timeout: 50 });
  assert.equal(disabled.hint, 'It is button "Apply" [disabled].');
  await desk.run("assert", { target: "window", contains_text: { not: "Play sound!" }, timeout: 50 });
});

Deno.test("assert waits for what comes late", async () => {
  await using desk = fixture(["sim.settings"]);
  const asserted = desk.run("assert", { target: NAME, value: "Eve", timeout: 2_000 });
  desk.desktop.person("sim.settings", "name", { text: "Eve" });
  await asserted;
});

Deno.test("a failed assertion names what is like the thing that was not found", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("assert", { target: 'button[name="Aply"]', timeout: 50 });
  assert.deepEqual(error.details?.["candidates"], [`button "Apply"`]);
  assert.match(error.hint ?? "", /There is button "Apply"/);
});

Deno.test("assert refuses a role that does not exist, a bad expression and an empty comparison", async () => {
  await using desk = fixture(["sim.settings"]);
  assert.equal((await desk.fail("assert", { target: NAME, role: "buton" })).code, "invalid");
  assert.equal((await desk.fail("assert", { target: NAME, value: { regex: "(" } })).code, "invalid");
  assert.equal((await desk.fail("assert", { target: NAME, value: {} })).code, "invalid");
  assert.equal((await desk.fail("assert", {})).code, "invalid");
});

Deno.test("nothing exists in the file's application once it has gone, but a misspelt one is an error", async () => {
  await using desk = fixture(["sim.settings"]);
  desk.desktop.quit("sim.settings", { force: true });
  await desk.run("assert", { target: "window", exists: false, timeout: 200 }, { app: "sim.settings" });
  const target = { selector: "window", app: "sim.setings" };
  assert.equal((await desk.fail("assert", { target, exists: false, timeout: 50 })).code, "app_not_running");
});

Deno.test("assert looks at the clipboard", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("assert", { clipboard: "", timeout: 0 });
  const empty = await desk.fail("assert", { clipboard: "Ada", timeout: 0 });
  assert.deepEqual(
    [empty.code, empty.message],
    ["assertion", 'Cannot confirm the clipboard: it has no text, expected "Ada" (waited 0 ms)'],
  );
  const late = desk.run("assert", { clipboard: { starts_with: "Ad", not: "Adam" }, timeout: 2_000 });
  await desk.run("clipboard", { action: "write", text: "Ada" });
  await late;
  const failed = await desk.run("assert", { clipboard: "Bob", timeout: 0, must_pass: false });
  assert.deepEqual(z.object({ failures: z.unknown() }).parse(failed).failures, [
    { property: "clipboard", expected: '"Bob"', actual: "Ada" },
  ]);
  for (const more of [{ target: NAME }, { file: "x" }, { enabled: true }, { text: "x" }]) {
    assert.equal((await desk.fail("assert", { clipboard: "x", ...more })).code, "invalid");
  }
});

Deno.test("assert looks at files below its folder and in the desktop's HOME, and nowhere else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backstep-assert-"));
  const home = await mkdtemp(join(tmpdir(), "backstep-home-"));
  try {
    await using desk = fixture([], { folder, home });
    await writeFile(join(home, "note.txt"), "hello");
    await symlink("/etc", join(folder, "out"));
    await desk.run("assert", { file: "~/note.txt", text: { contains: "ell" }, timeout: 50 });
    await desk.run("assert", { file: "none.txt", exists: false, timeout: 50 });
    const late = desk.run("assert", { file: "late.txt", text: "now", timeout: 2_000 });
    await writeFile(join(folder, "late.txt"), "now");
    await late;
    const differs = await desk.fail("assert", { file: "~/note.txt", text: "bye", timeout: 50 });
    assert.equal(differs.code, "assertion");
    assert.match(differs.message, /"hello"/);
    for (const file of ["/etc/passwd", "../x", "out/passwd", "~/../../etc/passwd"]) {
      assert.equal((await desk.fail("assert", { file, exists: true, timeout: 50 })).code, "invalid", file);
    }
    assert.equal((await desk.fail("assert", { file: "x", enabled: true })).code, "invalid");
    // What is no ordinary file may never end.
    assert.match((await desk.fail("assert", { file: ".", text: "x" })).message, /no ordinary file/);
    await desk.run("assert", { file: ".", exists: true, timeout: 50 });
  } finally {
    await rm(folder, { recursive: true });
    await rm(home, { recursive: true });
  }
});

Deno.test("a long text is cut in the details of a failed assertion", async () => {
  await using desk = fixture(["sim.editor"]);
  desk.desktop.person("sim.editor", "text", { text: "x".repeat(50_000) });
  const error = await desk.fail("assert", { target: "textarea", text: "y".repeat(50_000), timeout: 0 });
  assert.ok(JSON.stringify(error).length < 10_000);
});

Deno.test("an application that does not answer costs an assertion its own time, not the operation's", async () => {
  const timeouts: number[] = [];
  await using desk = fixture(["sim.settings"]);
  const snapshot = desk.desktop.snapshot.bind(desk.desktop);
  desk.desktop.snapshot = (application, options) => {
    timeouts.push(options?.timeout ?? Infinity);
    return snapshot(application, options);
  };
  await desk.run("assert", { target: NAME, timeout: 1_000 });
  await desk.run("wait", { target: NAME, timeout: 1_000 });
  assert.ok(Math.max(...timeouts) <= 11_000, timeouts.join());
});
