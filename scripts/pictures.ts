/**
 * Draws the pairs of tests/images: small pictures of made-up windows, `<name>.a.png` and `<name>.b.png`, that are to match,
 * are to differ, or differ for us only. Deterministic: the same bytes each time. `deno run -A scripts/pictures.ts [folder]`
 */
// @ts-types="../src/checks/visual/pngjs.d.ts"
import { PNG } from "pngjs";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WIDTH = 120, HEIGHT = 80;
type Colour = readonly [number, number, number];
const WHITE: Colour = [255, 255, 255], PAPER: Colour = [246, 245, 244], INK: Colour = [40, 44, 48];
const BLUE: Colour = [53, 132, 228], LINE: Colour = [205, 199, 194];

/** Always the same numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

class Canvas {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  constructor(width = WIDTH, height = HEIGHT, paper: Colour = PAPER) {
    this.width = width;
    this.height = height;
    this.data = new Uint8Array(4 * width * height);
    this.rect(0, 0, width, height, paper);
  }
  blend(x: number, y: number, colour: Colour, cover: Colour): this {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return this;
    const at = 4 * (y * this.width + x);
    for (const [k, c] of colour.entries()) {
      const share = cover[k] ?? 0;
      this.data[at + k] = Math.round((this.data[at + k] ?? 0) * (1 - share) + c * share);
    }
    this.data[at + 3] = 255;
    return this;
  }
  rect(x: number, y: number, width: number, height: number, colour: Colour): this {
    for (let v = y; v < y + height; v++) {
      for (let u = x; u < x + width; u++) this.blend(u, v, colour, [1, 1, 1]);
    }
    return this;
  }
  frame(x: number, y: number, width: number, height: number, colour: Colour): this {
    return this.rect(x, y, width, 1, colour).rect(x, y + height - 1, width, 1, colour)
      .rect(x, y, 1, height, colour).rect(x + width - 1, y, 1, height, colour);
  }
  /** Where `inside` holds, by 4 × 4 samples a pixel; `fringe`: each channel a third of a pixel apart. */
  shape(
    inside: (x: number, y: number) => boolean,
    colour: Colour,
    fringe = 0,
    hard = false,
    [left = 0, top = 0, right = 0, bottom = 0]: readonly number[] = [0, 0, this.width, this.height],
  ): this {
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const cover = [-fringe, 0, fringe].map((by) => {
          if (hard) return inside(x + 0.5, y + 0.5) ? 1 : 0;
          let hits = 0;
          for (let k = 0; k < 16; k++) {
            hits += inside(x + by + (k % 4 + 0.5) / 4, y + (Math.floor(k / 4) + 0.5) / 4) ? 1 : 0;
          }
          return hits / 16;
        });
        const [r = 0, g = 0, b = 0] = cover;
        if (r + g + b > 0) this.blend(x, y, colour, [r, g, b]);
      }
    }
    return this;
  }
  text(text: string, x: number, y: number, size: number, colour: Colour, fringe = 0): this {
    for (const [index, letter] of [...text].entries()) {
      const left = x + index * 0.75 * size;
      const strokes = (GLYPHS[letter] ?? []).map((line) =>
        line.map(([u, v]) => [left + u * 0.6 * size, y + v * size] as const)
      );
      const inside = (u: number, v: number) =>
        strokes.some((line) =>
          line.some((to, k) => k > 0 && near(line[k - 1] ?? to, to, u, v) < size * 0.075 + 0.25)
        );
      const box = [left - 3, y - 3, left + 0.6 * size + 3, y + size + 3].map(Math.floor);
      this.shape(inside, colour, fringe, false, box);
    }
    return this;
  }
  each(change: (value: number, x: number, y: number, channel: number) => number): this {
    for (let i = 0; i < this.data.length; i++) {
      const channel = i % 4, pixel = (i - channel) / 4;
      if (channel === 3) continue;
      const changed = change(this.data[i] ?? 0, pixel % this.width, Math.floor(pixel / this.width), channel);
      this.data[i] = Math.min(255, Math.max(0, Math.round(changed)));
    }
    return this;
  }
  part(x: number, y: number, width: number, height: number): Canvas {
    const part = new Canvas(width, height);
    for (let v = 0; v < height; v++) {
      const from = 4 * ((y + v) * this.width + x);
      part.data.set(this.data.subarray(from, from + 4 * width), 4 * v * width);
    }
    return part;
  }
  put(part: Canvas, x: number, y: number): this {
    for (let v = 0; v < part.height; v++) {
      this.data.set(
        part.data.subarray(4 * v * part.width, 4 * (v + 1) * part.width),
        4 * ((y + v) * this.width + x),
      );
    }
    return this;
  }
}

type Point = readonly [number, number];
function near([x1, y1]: Point, [x2, y2]: Point, x: number, y: number): number {
  const dx = x2 - x1, dy = y2 - y1, length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length));
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
}

/** Letters as strokes in a square of one. */
const GLYPHS: Readonly<Record<string, readonly (readonly Point[])[]>> = {
  S: [[[0.9, 0.15], [0.5, 0], [0.1, 0.2], [0.5, 0.5], [0.9, 0.8], [0.5, 1], [0.1, 0.85]]],
  a: [[[0.1, 0.45], [0.8, 0.45], [0.8, 1], [0.2, 1], [0.1, 0.75], [0.8, 0.7]]],
  v: [[[0.1, 0.4], [0.5, 1], [0.9, 0.4]]],
  f: [[[0.8, 0], [0.5, 0.1], [0.5, 1]], [[0.2, 0.4], [0.8, 0.4]]],
  e: [[[0.1, 0.7], [0.9, 0.7], [0.8, 0.45], [0.3, 0.45], [0.1, 0.7], [0.3, 1], [0.9, 0.95]]],
  O: [[[0.5, 0], [0.95, 0.5], [0.5, 1], [0.05, 0.5], [0.5, 0]]],
  K: [[[0.1, 0], [0.1, 1]], [[0.9, 0], [0.1, 0.5], [0.9, 1]]],
};

const disc = (cx: number, cy: number, r: number) => (x: number, y: number) => Math.hypot(x - cx, y - cy) < r;

/** A window: a bar, a field, a button with a label. */
function window(
  change: {
    readonly label?: string;
    readonly button?: Colour;
    readonly fringe?: number;
    readonly field?: Colour;
  } = {},
): Canvas {
  return new Canvas().rect(0, 0, WIDTH, 16, [225, 222, 219]).rect(8, 24, 104, 18, change.field ?? WHITE)
    .frame(
      8,
      24,
      104,
      18,
      LINE,
    )
    .rect(60, 52, 52, 20, change.button ?? WHITE).frame(60, 52, 52, 20, LINE)
    .text(change.label ?? "Save", 66, 56, 12, INK, change.fringe ?? 0).text("OK", 12, 28, 10, INK);
}

const gradient = (reversed = false) =>
  new Canvas().each((_v, x, y) => 255 * (reversed ? WIDTH - x : x) / WIDTH * 0.8 + y / 2);

interface Pair {
  readonly a: Canvas;
  readonly b: Canvas;
  /** How the second file is coded. */
  readonly colorType?: 0 | 2 | 6;
}

function shifted(canvas: Canvas, dx: number, dy: number): Canvas {
  const moved = new Canvas(canvas.width, canvas.height);
  moved.put(canvas.part(0, 0, canvas.width - dx, canvas.height - dy), dx, dy);
  return moved;
}

function noisy(canvas: Canvas, by: number, seed: number): Canvas {
  const next = numbers(seed);
  return canvas.each((v) => v + (2 * next() - 1) * by);
}

function transparent(colour: number): Canvas {
  const canvas = window();
  for (let y = 4; y < 14; y++) {
    for (let x = 4; x < 40; x++) canvas.data.set([colour, 255 - colour, 128, 0], 4 * (y * WIDTH + x));
  }
  return canvas;
}

const pairs: Readonly<Record<string, Readonly<Record<string, () => Pair>>>> = {
  "should-match": {
    identical: () => ({ a: window(), b: window() }),
    "identical-coded-otherwise": () => ({ a: window(), b: window(), colorType: 6 }),
    "identical-grey": () => ({
      a: new Canvas().each((_v, x, y) => (x * y) % 256),
      b: new Canvas().each((_v, x, y) => (x * y) % 256),
      colorType: 0,
    }),
    "drift-of-3": () => ({ a: window(), b: window().each((v) => v - 3) }),
    "blue-drift-of-6": () => ({
      a: window(),
      b: window().each((v, _x, _y, channel) => channel === 2 ? v - 6 : v),
    }),
    "noise-of-4": () => ({ a: window(), b: noisy(window(), 4, 7) }),
    "gradient-dithered": () => ({
      a: gradient(),
      b: gradient().each((v, x, y) => v + ((x + y) % 2 ? 1.5 : -1.5)),
    }),
    "gradient-steps": () => ({ a: gradient(), b: gradient().each((v) => Math.round(v / 6) * 6) }),
    "diagonal-antialiased-or-not": () => {
      const line = (x: number, y: number) => near([6.3, 8.2], [113.1, 70.7], x, y) < 2.2;
      return { a: new Canvas().shape(line, INK), b: new Canvas().shape(line, INK, 0, true) };
    },
    "disc-antialiased-or-not": () => ({
      a: new Canvas().shape(disc(60, 40, 27.5), BLUE),
      b: new Canvas().shape(disc(60, 40, 27.5), BLUE, 0, true),
    }),
    "hidden-colour": () => ({ a: transparent(10), b: transparent(240), colorType: 6 }),
    "disc-a-tenth-larger": () => ({
      a: new Canvas().shape(disc(60, 40, 27.5), INK),
      b: new Canvas().shape(disc(60, 40, 27.6), INK),
    }),
  },
  "should-fail": {
    caret: () => ({ a: window(), b: window().rect(30, 26, 1, 14, INK) }),
    "one-pixel": () => ({ a: window(), b: window().rect(100, 33, 1, 1, INK) }),
    "panel-moved-by-1": () => {
      const b = window(), part = b.part(58, 50, 56, 24);
      return { a: window(), b: b.rect(58, 50, 56, 24, PAPER).put(part, 59, 50) };
    },
    "all-moved-by-1": () => ({ a: window(), b: shifted(window(), 0, 1) }),
    "another-letter": () => ({ a: window(), b: window({ label: "Safe" }) }),
    "label-gone": () => ({ a: window(), b: window({ label: "" }) }),
    "button-chosen": () => ({ a: window(), b: window({ button: BLUE }) }),
    "colour-drift-of-60": () => ({
      a: window(),
      b: window().each((v, x, y, channel) => channel === 0 && x > 60 && y > 52 ? v - 60 : v),
    }),
    "focus-ring": () => ({ a: window(), b: window().frame(59, 51, 54, 22, BLUE) }),
    "box-ticked": () => ({
      a: window().frame(10, 54, 14, 14, INK),
      b: window().frame(10, 54, 14, 14, INK).shape(
        (x, y) => Math.min(near([13, 61], [16, 65], x, y), near([16, 65], [22, 56], x, y)) < 1.1,
        INK,
      ),
    }),
    "icon-gone": () => ({ a: window().shape(disc(20, 62, 7), BLUE), b: window() }),
    "gradient-turned": () => ({ a: gradient(), b: gradient(true) }),
    "noise-of-120": () => ({ a: window(), b: noisy(window(), 120, 9) }),
    inverted: () => ({ a: window(), b: window().each((v) => 255 - v) }),
    "text-of-subpixels": () => ({ a: window(), b: window({ fringe: 0.34 }) }),
    "other-size": () => ({ a: window(), b: window().part(0, 0, WIDTH, HEIGHT - 4) }),
  },
  // What pixelmatch and odiff let pass at their default threshold, and mode "pixel" does not.
  stricter: {
    "grey-of-20": () => ({ a: window(), b: window({ field: [235, 235, 235] }) }),
    "pale-divider": () => ({ a: window(), b: window().rect(0, 46, WIDTH, 1, [232, 231, 230]) }),
    "yellow-or-white": () => ({ a: window(), b: window({ button: [255, 255, 215] }) }),
    "label-paler": () => ({
      a: new Canvas().rect(20, 20, 60, 40, [150, 150, 150]),
      b: new Canvas().rect(20, 20, 60, 40, [172, 172, 172]),
    }),
  },
};

/** All of them into a folder. */
export function drawPictures(folder: string): number {
  let count = 0;
  for (const [verdict, all] of Object.entries(pairs)) {
    mkdirSync(join(folder, verdict), { recursive: true });
    for (const [name, draw] of Object.entries(all)) {
      const { a, b, colorType = 2 } = draw();
      const own = name === "hidden-colour" ? 6 : 2;
      write(join(folder, verdict, `${name}.a.png`), a, own);
      write(join(folder, verdict, `${name}.b.png`), b, colorType);
      count++;
    }
  }
  return count;
}

function write(path: string, { width, height, data }: Canvas, colorType: 0 | 2 | 6): void {
  const png = new PNG({ width, height, colorType, inputHasAlpha: true });
  png.data.set(data);
  writeFileSync(path, PNG.sync.write(png, { colorType }));
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? join(import.meta.dirname ?? ".", "../tests/images");
  console.log(`${drawPictures(folder)} pairs in ${folder}`);
}
