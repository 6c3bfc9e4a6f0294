import { BackstepError } from "../../base/error.ts";
import type { Area, Frame } from "../desktop.ts";
import type { Rect } from "../element.ts";
import { State } from "../states.ts";
import { hash } from "../../base/random.ts";
import { statesLow, textOf } from "./view.ts";
import type { Widget } from "./widget.ts";
import type { World } from "./world.ts";

const BACKGROUND = 0xff404040;
const BUTTON = 0xffe0e0e0;
const INK = 0xff202020;

/** Draws what is on the screen as rectangles and marks: the same state, the same pixels. */
export function picture(world: World, area: Area): Frame {
  for (const app of world.running) app.layOutAll();
  const rect = rectOf(world, area);
  const pixels = new Uint32Array(rect.width * rect.height).fill(BACKGROUND);
  const canvas = new Canvas(pixels, rect);
  const windows = area.what === "window" ? world.stack.filter((one) => one.id === area.window) : world.stack;
  for (const window of windows) {
    if (!window.minimised) draw(canvas, window.widget);
  }
  for (const app of world.running) {
    if (area.what !== "window") app.popup?.children.forEach((child) => draw(canvas, child));
  }
  return { width: rect.width, height: rect.height, rgba: new Uint8Array(pixels.buffer) };
}

function rectOf(world: World, area: Area): Rect {
  if (area.what === "screen") return { x: 0, y: 0, width: world.width, height: world.height };
  if (area.what === "window") {
    const window = world.stack.find((one) => one.id === area.window);
    if (window) return { x: window.x, y: window.y, width: window.width, height: window.height };
    throw new BackstepError("stale", `Cannot picture window ${area.window}: it is gone`);
  }
  const { rect } = area;
  const inside = rect.width > 0 && rect.height > 0 && rect.width <= world.width &&
    rect.height <= world.height;
  if (inside) return rect;
  throw new BackstepError("invalid", "Cannot picture an area that is empty or larger than the screen", {
    details: { ...rect },
  });
}

/** What is drawn over its parent by itself, and not with it. */
function isOverlay(widget: Widget): boolean {
  return widget.kind === "menu" || widget.kind === "combo";
}

function draw(canvas: Canvas, widget: Widget): void {
  if (!widget.showing) return;
  const usable = widget.usable();
  // Without `active`: which window has the keyboard is told by its title bar, and there is none.
  const look = statesLow(widget, usable) & ~(1 << State.active);
  const tint = hash(`${widget.kind} ${look}`) & 0x001f1f1f;
  canvas.fill(widget.x, widget.y, widget.width, widget.height, INK);
  canvas.fill(widget.x + 1, widget.y + 1, widget.width - 2, widget.height - 2, (BUTTON ^ tint) >>> 0);
  if (widget.value) {
    const { current, minimum, maximum } = widget.value;
    const part = maximum > minimum ? (current - minimum) / (maximum - minimum) : 0;
    canvas.fill(
      widget.x + 2,
      widget.y + 2,
      Math.round((widget.width - 4) * part),
      widget.height - 4,
      0xffc08040,
    );
  }
  if (widget.kind !== "window" && widget.kind !== "dialog") write(canvas, widget);
  if (!isOverlay(widget)) widget.children.forEach((child) => draw(canvas, child));
}

/** Eight by eighteen pixels a character, each a pattern of its own. */
function write(canvas: Canvas, widget: Widget): void {
  const text = widget.secret ? "•".repeat(widget.text?.length ?? 0) : textOf(widget) ?? widget.name;
  let column = 0, line = 0;
  for (const character of text) {
    if (character === "\n") {
      column = 0;
      line++;
      continue;
    }
    const x = widget.x + 4 + 8 * column++;
    const y = widget.y + 4 + 18 * line;
    if (x + 8 > widget.x + widget.width || y + 10 > widget.y + widget.height) continue;
    const pattern = hash(character);
    for (let bit = 0; character !== " " && bit < 30; bit++) {
      if ((pattern >>> bit) & 1) canvas.fill(x + bit % 5, y + Math.floor(bit / 5), 1, 1, INK);
    }
  }
}

/** ABGR in a little-endian word is RGBA in memory. */
class Canvas {
  readonly #pixels: Uint32Array;
  readonly #rect: Rect;

  constructor(pixels: Uint32Array, rect: Rect) {
    this.#pixels = pixels;
    this.#rect = rect;
  }

  fill(x: number, y: number, width: number, height: number, colour: number): void {
    const { x: left, y: top, width: across, height: down } = this.#rect;
    const from = Math.max(0, x - left);
    const to = Math.min(across, x + width - left);
    if (to <= from) return;
    const last = Math.min(down, y + height - top);
    for (let row = Math.max(0, y - top); row < last; row++) {
      this.#pixels.fill(colour, row * across + from, row * across + to);
    }
  }
}
