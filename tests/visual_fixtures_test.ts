import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pixelmatch from "pixelmatch";
import { compareFrames, sameSize } from "../src/checks/visual/compare.ts";
import { pixelEngine, SCRIPT } from "../src/checks/visual/engine.ts";
import { readPng } from "../src/checks/visual/read-png.ts";
import type { Frame } from "../src/desktop/desktop.ts";

const root = join(import.meta.dirname ?? ".", "..");
const ODIFF = join(root, "tools/references/node_modules/@odiff/linux-x64/odiff");
/** Both references as they come, but that odiff is told to pass antialiasing over too. */
const THRESHOLD = 0.1;

interface Pair {
  readonly name: string;
  readonly files: readonly [string, string];
  readonly frames: readonly [Frame, Frame];
}

async function pairsOf(kind: string): Promise<Pair[]> {
  const folder = join(root, "tests/images", kind);
  const names = readdirSync(folder).flatMap((name) => name.endsWith(".a.png") ? [name.slice(0, -6)] : [])
    .sort();
  return await Promise.all(names.map(async (name): Promise<Pair> => {
    const files = [join(folder, `${name}.a.png`), join(folder, `${name}.b.png`)] as const;
    const read = async (file: string) => await readPng(new Uint8Array(readFileSync(file)), file);
    return { name, files, frames: [await read(files[0]), await read(files[1])] };
  }));
}

/** Do they match, to the last pixel that counts? */
async function ours([a, b]: Pair["frames"], mode: "pixel" | "pixelmatch"): Promise<boolean> {
  if (!sameSize(a, b)) return false;
  const found = compareFrames(a, b, { mode, threshold: 0, engine: await pixelEngine() });
  const script = compareFrames(a, b, { mode, threshold: 0, engine: SCRIPT });
  assert.deepEqual(found, script);
  assert.equal(compareFrames(b, a, { mode, threshold: 0, engine: SCRIPT }).different, found.different);
  return found.passed;
}

function references(
  { files, frames: [a, b] }: Pair,
): { readonly pixelmatch: boolean; readonly odiff?: boolean } {
  const same = sameSize(a, b) &&
    pixelmatch(a.rgba, b.rgba, undefined, a.width, a.height, { threshold: THRESHOLD }) === 0;
  if (!existsSync(ODIFF)) return { pixelmatch: same };
  const args = [...files, "--antialiasing", "--fail-on-layout", "--threshold", String(THRESHOLD)];
  const { status } = spawnSync(ODIFF, args, { timeout: 60_000 });
  assert.ok(status === 0 || status === 21 || status === 22, `odiff ended with ${status}`);
  return { pixelmatch: same, odiff: status === 0 };
}

for (const [kind, matches] of [["should-match", true], ["should-fail", false]] as const) {
  Deno.test(`${kind}: pixel and pixelmatch modes say of every pair what pixelmatch and odiff say`, async () => {
    const pairs = await pairsOf(kind);
    assert.ok(pairs.length >= 12);
    for (const pair of pairs) {
      const reported = references(pair);
      assert.equal(reported.pixelmatch, matches, `pixelmatch, ${pair.name}`);
      assert.equal(reported.odiff ?? matches, matches, `odiff, ${pair.name}`);
      assert.equal(await ours(pair.frames, "pixel"), matches, `pixel, ${pair.name}`);
      assert.equal(await ours(pair.frames, "pixelmatch"), matches, `pixelmatch mode, ${pair.name}`);
    }
  });
}

Deno.test("stricter: plain changes that both references let pass fail in mode pixel, and only there", async () => {
  const pairs = await pairsOf("stricter");
  assert.ok(pairs.length >= 4);
  for (const pair of pairs) {
    const reported = references(pair);
    assert.deepEqual([reported.pixelmatch, reported.odiff ?? true], [true, true], pair.name);
    assert.equal(await ours(pair.frames, "pixel"), false, pair.name);
    assert.equal(await ours(pair.frames, "pixelmatch"), true, pair.name);
  }
});

Deno.test("pixelmatch on tiles counts what pixelmatch counts on the whole picture", async () => {
  for (const kind of ["should-match", "should-fail", "stricter"]) {
    for (const { name, frames: [a, b] } of await pairsOf(kind)) {
      if (!sameSize(a, b)) continue;
      const whole = pixelmatch(a.rgba, b.rgba, undefined, a.width, a.height, { threshold: THRESHOLD });
      assert.equal(compareFrames(a, b, { mode: "pixelmatch", threshold: 0 }).different, whole, name);
    }
  }
});

Deno.test("perceptual passes what should match within one per cent, and sees each change that should fail", async () => {
  for (const { name, frames: [a, b] } of await pairsOf("should-match")) {
    const found = compareFrames(a, b, { mode: "perceptual" });
    assert.equal(found.passed, true, `${name}: ${found.different}`);
  }
  for (const { name, frames: [a, b] } of await pairsOf("should-fail")) {
    if (sameSize(a, b)) {
      assert.equal(compareFrames(a, b, { mode: "perceptual", threshold: 0 }).passed, false, name);
    }
  }
});

Deno.test("`backstep diff` of two pictures ends with 0, 1 or 2, and draws what differs", () => {
  const folder = mkdtempSync(join(tmpdir(), "backstep-diff-"));
  try {
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ["run", "-A", join(root, "bin.ts"), "diff", ...args],
        { encoding: "utf8", timeout: 120_000 },
      );
      return { status, stdout, stderr };
    };
    const image = (name: string) => join(root, "tests/images/should-fail", name);
    const drawn = join(folder, "difference.png");
    const different = run(image("caret.a.png"), image("caret.b.png"), "--format", "json", "--output", drawn);
    assert.equal(different.status, 1, different.stderr);
    const reported: unknown = JSON.parse(different.stdout);
    assert.ok(
      typeof reported === "object" && reported !== null && "diff_pixels" in reported && "passed" in reported,
    );
    assert.deepEqual([reported.passed, reported.diff_pixels], [false, 14]);
    assert.equal(readFileSync(drawn).subarray(1, 4).toString(), "PNG");
    const same = run(image("caret.a.png"), image("caret.a.png"), "--perceptual");
    assert.deepEqual([same.status, same.stdout], [0, "the same: 120x80, perceptual\n"], same.stderr);
    const size = run(image("other-size.a.png"), image("other-size.b.png"));
    assert.equal(size.status, 1);
    assert.match(size.stdout, /^other size: 120x80 and 120x76/);
    const none = run(image("caret.a.png"), join(root, "README.md"));
    assert.deepEqual([none.status, none.stdout], [2, ""]);
    assert.match(none.stderr, /README\.md: it is no PNG/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
