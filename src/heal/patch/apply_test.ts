import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Proof } from "../proof.ts";
import { applyPatches } from "./apply.ts";
import { listPatches, readHealingPatch, removePatch, writePatch } from "./file.ts";

const TEXT = `steps:
  - click: button:first   # one
  - click: link           # two
  - set: { target: link, value: link }
  - tool: ax_click
    args: { app: x, query: link }
`;
const PROVED: Proof = { verdict: "proved", reason: "it did what the step did before" };
const LENIENT = { unproved: true, dryRun: false };

function inFolder(action: (folder: string, file: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "bs-heal-"));
  try {
    const file = join(folder, "a.yaml");
    writeFileSync(file, TEXT);
    action(folder, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function made(
  folder: string,
  file: string,
  line: number,
  change: [from: string, to: string],
  proof = PROVED,
) {
  const [from, to] = change;
  const candidate = { property: "target", from, to, score: 0.9, margin: 0.5, reasons: [] };
  const step = { path: String(line - 1), place: { file, line, column: 5 }, input: {} };
  return readHealingPatch(
    writePatch(candidate, proof, step, { state: folder, run: "20261124-000000-aaaaaa" }),
  );
}

Deno.test("patches of one file are applied together, each to the step that it was made for; the file keeps its mode", () =>
  inFolder((folder, file) => {
    chmodSync(file, 0o755);
    const patches = [
      made(folder, file, 2, ["button:first", "button:last"]),
      made(folder, file, 5, ["link", "button"]),
    ];
    assert.deepEqual(listPatches(folder).map(({ step }) => step), ["1", "4"]);
    const shown = applyPatches(patches, { unproved: false, dryRun: true });
    assert.deepEqual(shown.map(({ proof }) => proof), ["proved", "proved"]);
    assert.equal(readFileSync(file, "utf8"), TEXT, "only tried");
    applyPatches(patches, { unproved: false, dryRun: false });
    const expected = TEXT.replace("button:first", "button:last").replace("query: link", "query: button");
    assert.equal(readFileSync(file, "utf8"), expected);
    assert.equal(statSync(file).mode & 0o777, 0o755);
    assert.deepEqual(readdirSync(folder).sort(), ["a.yaml", "heal"], "no draft is left");
    for (const { patch } of patches) removePatch(patch);
    assert.deepEqual(listPatches(folder), []);
  }));

Deno.test("nothing is written where one patch is unproved, or its file is another by now", () =>
  inFolder((folder, file) => {
    const good = made(folder, file, 2, ["button:first", "button:last"]);
    const doubtful = made(folder, file, 3, ["link", "button"], { verdict: "unproved", reason: "not tried" });
    assert.throws(() => applyPatches([good, doubtful], { unproved: false, dryRun: false }), {
      code: "invalid",
      message: /it is unproved: not tried/,
    });
    assert.equal(readFileSync(file, "utf8"), TEXT);
    // Far from the patch's lines: they would still fit.
    writeFileSync(file, `${TEXT}after: []\n`);
    assert.throws(() => applyPatches([good], LENIENT), {
      code: "invalid",
      message: /is not the file it was made for/,
    });
    rmSync(file);
    assert.throws(() => applyPatches([good], LENIENT), { code: "io", message: /there is no file/ });
  }));

Deno.test("what stands twice in a step, what is made of placeholders, and what is no patch is refused", () =>
  inFolder((folder, file) => {
    assert.throws(() => made(folder, file, 4, ["link", "button"]), {
      code: "workflow",
      message: /2 strings/,
    });
    assert.throws(() => made(folder, file, 3, ["link", "button[name='{{x}}']"]), { message: /placeholders/ });
    assert.throws(
      () => made(folder, file, 2, ["link", "button"]),
      { message: /no string/ },
      "it is another step's",
    );
    assert.throws(() => readHealingPatch(file), { code: "invalid", message: /did not write it/ });
    const anchored = TEXT.replace("- set: {", "- set: &a {");
    writeFileSync(file, anchored.replace(", value: link", ""));
    assert.throws(() => made(folder, file, 4, ["link", "button"]), { message: /anchor/ });
  }));
