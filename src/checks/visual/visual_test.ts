import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BackstepError } from "../../base/error.ts";
import type { Frame } from "../../desktop/desktop.ts";
import { compareFrames } from "./compare.ts";
import { pixelEngine, SCRIPT } from "./engine.ts";
import { differenceText, explain } from "./explain.ts";
import { ignoring, Noise } from "./ignored.ts";
import { headerOf, readPng, script } from "./read-png.ts";
import { VISUAL_MODES } from "./modes.ts";

type Colour = readonly [number, number, number];

function plain(width: number, height: number, colour: Colour = [250, 250, 250]): Frame {
  const rgba = new Uint8Array(4 * width * height);
  const frame = { width, height, rgba };
  paint(frame, 0, 0, width, height, colour);
  return frame;
}

function paint({ width, rgba }: Frame, x: number, y: number, w: number, h: number, [r, g, b]: Colour): void {
  for (let v = y; v < y + h; v++) {
    for (let u = x; u < x + w; u++) rgba.set([r, g, b, 255], 4 * (v * width + u));
  }
}

/** Something with a structure: no two columns are the same, no two rows either. */
function panel(frame: Frame, x: number, y: number): void {
  for (let k = 0; k < 40; k++) {
    paint(frame, x + k, y, 1, 30, [40 + (k * 37) % 200, (k * 91) % 255, 90]);
    paint(frame, x, y + k % 30, 40, 1, [(k * 53) % 255, 30, 40 + (k * 29) % 200]);
  }
}

function copy(frame: Frame): Frame {
  return { ...frame, rgba: frame.rgba.slice() };
}

const mulberry = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const core = await pixelEngine();

Deno.test({
  name: "the native core and its twin say the same of every pixel of random pictures, transparent ones too",
  ignore: core.name === "script",
  fn: twins,
});

function twins(): void {
  const random = mulberry(20261121);
  for (let round = 0; round < 60; round++) {
    const width = 1 + Math.floor(random() * 150), height = 1 + Math.floor(random() * 150);
    const a = plain(width, height, [Math.floor(random() * 256), 128, 60]);
    for (let i = 0; i < 40; i++) {
      paint(a, Math.floor(random() * width), Math.floor(random() * height), 1, 1, [
        random() * 255,
        random() * 255,
        0,
      ]);
    }
    const b = copy(a);
    for (let i = 0; i < width * height * random(); i++) {
      b.rgba[Math.floor(random() * b.rgba.length)] = Math.floor(random() * 256);
    }
    const tolerance = Math.floor(random() * 30);
    const options = { threshold: random() < 0.3 ? 0 : 100, verdictOnly: random() < 0.3, tolerance };
    const [one, other] = [core, SCRIPT].map((engine) => compareFrames(a, b, { ...options, engine }));
    assert.deepEqual(one, other, `round ${round}`);
  }
}

Deno.test("every mode passes what is the same, and reports each pixel of what is not", () => {
  const a = plain(200, 130), b = copy(a);
  paint(b, 120, 60, 20, 10, [10, 10, 200]);
  for (const mode of VISUAL_MODES) {
    const same = compareFrames(a, copy(a), { mode });
    assert.deepEqual([same.passed, same.different, same.percentage], [true, 0, 0], mode);
    const found = compareFrames(a, b, { mode, threshold: 0 });
    assert.equal(found.passed, false, mode);
    assert.ok(
      mode === "perceptual" ? found.different >= 200 : found.different === 200,
      `${mode} ${found.different}`,
    );
    assert.equal(found.total, 200 * 130);
  }
});

Deno.test("swapping the pictures changes no verdict and no count", () => {
  const a = plain(100, 100), b = copy(a);
  panel(b, 20, 20);
  for (const mode of VISUAL_MODES) {
    assert.equal(compareFrames(a, b, { mode }).different, compareFrames(b, a, { mode }).different, mode);
  }
});

Deno.test("so many per cent may differ, and not one pixel more", () => {
  const a = plain(100, 100), b = copy(a);
  paint(b, 0, 0, 100, 1, [0, 0, 0]);
  assert.equal(compareFrames(a, b, { threshold: 1 }).passed, true);
  paint(b, 50, 50, 1, 1, [0, 0, 0]);
  const over = compareFrames(a, b, { threshold: 1 });
  assert.deepEqual([over.passed, over.different, over.percentage], [false, 101, 1.01]);
  const early = compareFrames(a, b, { threshold: 0, verdictOnly: true });
  assert.deepEqual([early.passed, early.complete], [false, false]);
});

Deno.test("what is ignored is not compared and not counted, wherever the rectangle lies", () => {
  const a = plain(200, 100), b = copy(a);
  paint(b, 60, 20, 10, 10, [0, 0, 0]);
  const ignored = ignoring(200, 100, [{ x: 60, y: 20, width: 10, height: 5 }, {
    x: -5,
    y: 25,
    width: 90,
    height: 5,
  }]);
  for (const mode of ["pixel", "pixelmatch"] as const) {
    const found = compareFrames(a, b, { mode, ignored, threshold: 0 });
    assert.deepEqual([found.passed, found.ignored, found.total], [true, 475, 19_525], mode);
  }
  paint(b, 5, 5, 1, 1, [0, 0, 0]);
  assert.equal(compareFrames(a, b, { ignored, threshold: 0 }).different, 1);
  assert.equal(ignoring(200, 100, [{ x: 300, y: 0, width: 10, height: 10 }]), undefined);
});

Deno.test("noise is learnt from pictures in which nothing was done", () => {
  const a = plain(100, 60), ticking = copy(a);
  paint(ticking, 30, 30, 8, 8, [0, 0, 0]);
  const noise = new Noise(100, 60);
  for (const frame of [a, ticking, a]) noise.learn(frame.rgba);
  const later = copy(a);
  paint(later, 31, 31, 8, 8, [200, 0, 0]);
  const ignored = ignoring(100, 60, [], noise.mask());
  assert.equal(ignored?.count, 100);
  assert.equal(compareFrames(a, later, { ignored, threshold: 0 }).passed, true);
  paint(later, 80, 10, 2, 2, [0, 0, 0]);
  assert.equal(compareFrames(a, later, { ignored, threshold: 0 }).different, 4);
});

Deno.test("differences that lie together are one, and a moved panel is said to have moved", () => {
  const a = plain(300, 200), b = copy(a);
  panel(a, 40, 50);
  panel(b, 43, 49);
  paint(b, 250, 180, 4, 3, [0, 0, 0]);
  const { differences, more } = explain(a, b, compareFrames(a, b, { threshold: 0 }));
  assert.equal(more, 0);
  assert.deepEqual(differences.map(({ moved }) => moved), [{ dx: 3, dy: -1 }, undefined]);
  assert.match(differences.map(differenceText)[0] ?? "", /^\d+ pixels at 40,49 43x31, moved by \(3,-1\)$/);
  assert.equal(differences.map(differenceText)[1], "12 pixels at 250,180 4x3");
});

Deno.test("what vanished, appeared or changed its colour has not moved", () => {
  const empty = plain(120, 100), full = copy(empty), red = copy(empty);
  panel(full, 40, 30);
  paint(red, 40, 30, 40, 30, [200, 0, 0]);
  for (const [a, b] of [[full, empty], [empty, full], [empty, red], [red, full]] as const) {
    assert.deepEqual(explain(a, b, compareFrames(a, b)).differences.map(({ moved }) => moved), [undefined]);
  }
});

const corpus = join(import.meta.dirname ?? ".", "../../../native/tests/corpus/png");

Deno.test("the core's decoder and pngjs read the same of every form of PNG", async () => {
  const names = readdirSync(corpus).filter((name) => name.length < 12);
  assert.ok(names.length >= 20);
  for (const name of names) {
    const bytes = new Uint8Array(readFileSync(join(corpus, name)));
    const { width, height } = headerOf(bytes, name);
    const frame = await readPng(bytes, name);
    assert.deepEqual(
      new Uint8Array(frame.rgba),
      new Uint8Array(script(bytes, name, width, height).rgba),
      name,
    );
  }
});

Deno.test("a file that is no PNG, is cut off, damaged or a bomb is a clear error, with a core and without", async () => {
  const good = new Uint8Array(readFileSync(join(corpus, "colour2")));
  const damaged = good.slice();
  damaged[50] = (damaged[50] ?? 0) ^ 1;
  const bomb = good.slice();
  new DataView(bomb.buffer).setUint32(16, 30_000);
  new DataView(bomb.buffer).setUint32(20, 30_000);
  const interlaced = good.slice();
  interlaced[28] = 1;
  const cases: readonly [Uint8Array, string, RegExp][] = [
    [new TextEncoder().encode("GIF89a and more"), "invalid", /it is no PNG/],
    [new Uint8Array(0), "invalid", /it is no PNG/],
    [good.slice(0, 20), "invalid", /it ends too early/],
    [good.slice(0, good.length - 20), "invalid", /it ends too early|it is damaged/],
    [damaged, "invalid", /it is damaged/],
    [bomb, "limit", /30000x30000 are more than/],
    [interlaced, "invalid", /it is interlaced/],
  ];
  for (const [bytes, code, message] of cases) {
    const right = (thrown: unknown) =>
      thrown instanceof BackstepError && thrown.code === code && message.test(thrown.message) &&
      thrown.message.startsWith("Cannot read the picture x.png: ");
    await assert.rejects(readPng(bytes, "x.png"), right, message.source);
    assert.throws(
      () => script(bytes, "x.png", headerOf(bytes, "x.png").width, headerOf(bytes, "x.png").height),
      (thrown) => thrown instanceof BackstepError && thrown.code === code,
      message.source,
    );
  }
});
