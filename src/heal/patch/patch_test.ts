import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseDocument, visit } from "yaml";
import { BackstepError } from "../../base/error.ts";
import { applyPatch, readPatch, unifiedDiff } from "./diff.ts";
import { literalsOf, valueOf } from "./literals.ts";
import { patchProgram } from "./program.ts";
import { patchYaml } from "./yaml.ts";

const workflows = fileURLToPath(new URL("../../../workflows/", import.meta.url));
const TO = `button[name="It's ‹new›: #1"]`;

function faulty(run: () => unknown, reason: RegExp): void {
  assert.throws(run, (thrown) => thrown instanceof BackstepError && reason.test(thrown.message));
}

const YAML = `# a comment in the beginning
name:   Test   # and spaces
steps:
  - click: "button[name=\\"Submit order\\"]"   # why
  - set: { target: 'textfield[name="Name"]', value:   'x' }

  - click: button:first      # plain
  - click: |
      button[name="Block"]
  - click: &a button[name=Anchor]
  - click: *a
  - { click:   link, optional: true }
`;

Deno.test("one scalar of a YAML text changes, in the quotes that it has; every other byte stays", () => {
  for (
    const [from, line] of [
      ['button[name="Submit order"]', 4],
      ['textfield[name="Name"]', 5],
      ["button:first", 7],
      ["link", 12],
    ] as const
  ) {
    for (const text of [YAML, YAML.replaceAll("\n", "\r\n"), `\uFEFF${YAML}`, YAML.trimEnd()]) {
      const patched = patchYaml(text, { from, to: TO });
      const before = text.split("\n"), after = patched.split("\n");
      assert.equal(after.length, before.length);
      before.forEach((one, k) => assert.equal(after[k] === one, k !== line - 1, one));
      let there = 0;
      visit(parseDocument(patched), { Scalar: (_, node) => void (there += node.value === TO ? 1 : 0) });
      assert.equal(there, 1, patched);
    }
  }
});

Deno.test("block scalars, anchors, strings that are there twice and keys are refused", () => {
  faulty(() => patchYaml(YAML, { from: 'button[name="Block"]\n', to: TO }), /block scalar/);
  faulty(() => patchYaml(YAML, { from: "button[name=Anchor]", to: TO }), /anchor/);
  faulty(() => patchYaml(YAML, { from: "click", to: TO }), /no string/);
  const twice = "steps:\n  - click: a\n  - click: a\n";
  faulty(() => patchYaml(twice, { from: "a", to: TO }), /2 strings/);
  assert.equal(patchYaml(twice, { from: "a", to: "b", line: 3 }), "steps:\n  - click: a\n  - click: b\n");
  faulty(() => patchYaml("a: [", { from: "a", to: "b" }), /cannot be read/);
});

Deno.test("each selector of the workflows that come with the project can be patched, and nothing else changes", () => {
  let patched = 0;
  for (const file of readdirSync(workflows).filter((name) => name.endsWith(".yaml"))) {
    const text = readFileSync(workflows + file, "utf8");
    const values: { value: string; at: number; end: number }[] = [];
    visit(parseDocument(text), {
      Scalar: (key, { value, range, type }) => {
        if (key === "key" || typeof value !== "string" || !/\[name/.test(value) || /BLOCK/.test(type ?? "")) {
          return;
        }
        if (range) values.push({ value, at: range[0], end: range[1] });
      },
    });
    for (const { value, at, end } of values) {
      const line = text.slice(0, at).split("\n").length;
      if (
        values.filter((one) => one.value === value && text.slice(0, one.at).split("\n").length === line)
          .length > 1
      ) {
        continue;
      }
      const after = patchYaml(text, { from: value, to: TO, line });
      assert.equal(after.slice(0, at), text.slice(0, at));
      assert.ok(after.endsWith(text.slice(end)), file);
      patched++;
    }
  }
  assert.ok(patched >= 20, `${patched}`);
});

const PROGRAM = `#!/usr/bin/env -S deno run
import { workflow } from "backstep";
// "button[name='In a comment']"
/* "Save" */
const half = (4 / 2) / "2".length, pattern = /["'\`/]"Save"/;
const text = \`a \${ { a: "Save" }["a"] } b\`;
export default workflow("Save", async (t) => {
  await t.app.locator('button[name="Left"]').click();   // why
  await t.app.locator(\`link[name=x]\`).click();
  return /"Left"/.test("it's");
});
`;

Deno.test("literals of a program are told from comments, templates and regular expressions", () => {
  assert.deepEqual(literalsOf(PROGRAM).map((one) => `${one.line} ${valueOf(one)}`), [
    "2 backstep",
    "5 2",
    "6 Save",
    "6 a",
    "7 Save",
    '8 button[name="Left"]',
    "9 link[name=x]",
    "10 it's",
  ]);
});

Deno.test("one literal of a program changes; every other byte stays", () => {
  for (const [from, line] of [['button[name="Left"]', 8], ["link[name=x]", 9], ["it's", 10]] as const) {
    const patched = patchProgram(PROGRAM, { from, to: TO });
    const before = PROGRAM.split("\n"), after = patched.split("\n");
    before.forEach((one, k) => assert.equal(after[k] === one, k !== line - 1, one));
    const now = literalsOf(patched).find((one) => valueOf(one) === TO);
    assert.equal(now?.line, line);
  }
  faulty(() => patchProgram(PROGRAM, { from: "Save", to: TO }), /2 strings/);
  faulty(() => patchProgram(PROGRAM, { from: "button[name='In a comment']", to: TO }), /no string/);
  for (const file of readdirSync(workflows).filter((name) => name.endsWith(".ts"))) {
    const text = readFileSync(workflows + file, "utf8");
    for (const one of literalsOf(text)) {
      const value = valueOf(one);
      if (value === undefined) continue;
      const same = patchProgramAt(text, value, one.line);
      if (same !== undefined) assert.equal(same, text, `${file}:${one.line}`);
    }
  }
});

/** Written again as it is; undefined: there are several in its line. */
function patchProgramAt(text: string, value: string, line: number): string | undefined {
  const beside = literalsOf(text).filter((one) => one.line === line && valueOf(one) === value);
  return beside.length > 1 ? undefined : patchProgram(text, { from: value, to: value, line });
}

Deno.test("a unified diff of one place is read and applied, and refused where the file is another", () => {
  for (const text of [YAML, YAML.trimEnd(), YAML.replaceAll("\n", "\r\n")]) {
    for (const from of ['button[name="Submit order"]', "link"]) {
      const patched = patchYaml(text, { from, to: TO });
      const diff = unifiedDiff("a b/test.yaml", text, patched, ["step 1: proved"]);
      assert.match(diff, /^# step 1: proved\n--- a\/a b\/test\.yaml\n\+\+\+ b\/a b\/test\.yaml\n@@ -/);
      const patch = readPatch(diff);
      assert.equal(patch.file, "a b/test.yaml");
      assert.equal(applyPatch(text, patch), patched);
      faulty(() => applyPatch(patched, patch), /changed since/);
      faulty(() => applyPatch(`# new\n${text}`, patch), /changed since/);
    }
  }
  assert.equal(unifiedDiff("x", YAML, YAML), "");
  faulty(() => readPatch("no patch"), /no unified diff/);
  const diff = unifiedDiff("x", "a\nb\n", "a\nc\n");
  faulty(() => readPatch(`${diff}@@ -9,1 +9,1 @@\n-x\n+y\n`), /more than one place/);
  faulty(() => readPatch(diff.replace("+c\n", "")), /not as many/);
});
