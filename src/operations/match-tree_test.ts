import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UpdateMode } from "../contract/baselines.ts";
import { fixture } from "./_context.ts";

const FORM = `- window "Settings":
  - tablist:
    - tab "General" [selected]:
      - textfield "Name": "Ada"
      - checkbox "Play sounds" [unchecked]
  - button "Apply" [disabled]`;

Deno.test("a tree matches in order, with others between, and an element is compared by itself", async () => {
  await using desk = fixture(["sim.settings"]);
  await desk.run("match-tree", { matches: FORM, timeout: 50 });
  await desk.run("match-tree", { target: "tablist", matches: '- tab "About"', timeout: 0 });
  await desk.run("match-tree", {
    target: 'tab[name="About"]',
    matches: '- tab "About"',
    exact: true,
    timeout: 0,
  });
  await desk.run("match-tree", { app: "sim.settings", matches: '- textfield "Name": /^A/', timeout: 0 });
});

Deno.test("a tree is waited for", async () => {
  await using desk = fixture(["sim.settings"]);
  const matched = desk.run("match-tree", { matches: '- textfield "Name": "Eve"', timeout: 5_000 });
  desk.desktop.person("sim.settings", "name", { text: "Eve" });
  await matched;
});

Deno.test("a tree that does not match is an error with the lines that differ, in the wire shape of an assertion", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("match-tree", {
    target: "window",
    matches: FORM.replace('"Ada"', '"Bob"'),
    timeout: 50,
  });
  assert.equal(error.code, "assertion");
  assert.match(
    error.message,
    /^Cannot confirm the tree of window: line 4 expects textfield "Name": "Bob", but there stands textfield "Name": "Ada" \(waited 50 ms\)$/,
  );
  assert.deepEqual(error.details?.["passed"], false);
  assert.deepEqual(error.details?.["failures"], [
    { property: "tree", expected: 'textfield "Name": "Bob"', actual: 'textfield "Name": "Ada"' },
  ]);
  assert.match(
    String(error.details?.["diff"]),
    /^-\s+- textfield "Name": "Bob"\n\+\s+- textfield "Name": "Ada"$/m,
  );
});

Deno.test("what is not there, or there twice, is said as a locator says it", async () => {
  await using desk = fixture(["sim.settings"]);
  const none = await desk.fail("match-tree", {
    target: 'button[name="Aply"]',
    matches: "- button",
    timeout: 50,
  });
  assert.equal(none.code, "not_found");
  assert.match(none.hint ?? "", /There is button "Apply"/);
  const many = await desk.fail("match-tree", { target: "tab", matches: "- tab", timeout: 50 });
  assert.equal(many.code, "ambiguous");
});

Deno.test("a password is never printed and never compared", async () => {
  await using desk = fixture(["sim.settings"]);
  desk.desktop.person("sim.settings", "pin", { text: "hunter2" });
  const printed = JSON.stringify(await desk.run("tree", { notation: true }));
  assert.match(printed, /passwordfield/);
  assert.ok(!printed.includes("hunter2"));
  const error = await desk.fail("match-tree", { matches: '- passwordfield "PIN": hunter2', timeout: 0 });
  assert.ok(!JSON.stringify(error.details?.["actual"]).includes("hunter2"));
});

Deno.test("a fault of the notation, neither or both of what to compare with, are refused before anything is read", async () => {
  await using desk = fixture(["sim.settings"]);
  const error = await desk.fail("match-tree", { matches: "- window:\n  - buton" });
  assert.equal(error.code, "invalid");
  assert.match(error.message, /matches: line 2, column 5: there is no role "buton"\. Did you mean button/);
  assert.match((await desk.fail("match-tree", {})).message, /either `matches` or `baseline`/);
  assert.equal((await desk.fail("match-tree", { matches: "- window", baseline: "x" })).code, "invalid");
});

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "backstep-tree-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const stored = (folder: string) => readFile(join(folder, "baselines/form.tree.yaml"), "utf8");

Deno.test("a baseline is written where there is none, compared with, and written anew only where that is asked", () =>
  inFolder(async (folder) => {
    const desk = (mode: UpdateMode) => fixture(["sim.settings"], { folder, update: mode });
    const input = { target: "tablist", baseline: "form", timeout: 100 };
    {
      await using strict = desk("none");
      const error = await strict.fail("match-tree", input);
      assert.match(error.message, /there is no baseline form\.tree\.yaml/);
      assert.match(error.hint ?? "", /--update-baselines missing/);
    }
    {
      await using missing = desk("missing");
      assert.deepEqual(await baselineOf(missing.run("match-tree", { ...input, timeout: 3_000 })), "new");
      assert.deepEqual(await baselineOf(missing.run("match-tree", { ...input, exact: true })), "no");
      missing.desktop.person("sim.settings", "name", { text: "Eve" });
      const error = await missing.fail("match-tree", input);
      assert.match(error.message, /as baseline:form\.tree\.yaml: line \d+ expects textfield "Name": "Ada"/);
      assert.match(error.hint ?? "", /--update-baselines changed/);
    }
    // An expression that a person wrote is kept while it matches.
    const text = await stored(folder);
    assert.match(text, /checkbox "Play sounds"/);
    await writeFile(join(folder, "baselines/form.tree.yaml"), text.replace('"Play sounds"', "/^Play/"));
    {
      await using changed = desk("changed");
      assert.deepEqual(await baselineOf(changed.run("match-tree", input)), "no");
      changed.desktop.person("sim.settings", "name", { text: "Eve" });
      assert.deepEqual(await baselineOf(changed.run("match-tree", { ...input, timeout: 1_000 })), "changed");
      assert.match(await stored(folder), /textfield "Name": "Eve"[^]*checkbox \/\^Play\//);
    }
    await writeFile(join(folder, "baselines/form.tree.yaml"), "- window\n  - button\n");
    await using broken = desk("all");
    const error = await broken.fail("match-tree", input);
    assert.equal(error.code, "invalid");
    assert.match(error.message, /baseline:form\.tree\.yaml: line 2, column 3/);
  }));

async function baselineOf(answer: Promise<unknown>): Promise<unknown> {
  const output = await answer;
  if (typeof output !== "object" || output === null || !("baseline" in output)) return undefined;
  const { baseline } = output;
  return typeof baseline === "object" && baseline !== null && "written" in baseline
    ? baseline.written
    : undefined;
}
