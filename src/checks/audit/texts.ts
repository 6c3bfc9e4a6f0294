import type { Rect } from "../../desktop/desktop.ts";
import { visiblePart } from "../../desktop/visible.ts";
import { Role } from "../../desktop/roles.ts";
import { rowHas } from "../../desktop/state-words.ts";
import { hex } from "./colour.ts";
import { type Ink, inkOf } from "./ink.ts";
import { type Part, partOf } from "./picture.ts";
import type { Tell } from "./rule.ts";
import { leastInk } from "./tiles.ts";
import type { Scene } from "./scene.ts";

/** Least ratios of a standard. */
export interface ContrastLimit {
  readonly text: number;
  /** Of text of 18 pt, or of 14 pt in bold. */
  readonly large: number;
}

/** What is text and shows one line or more of it; controls of GTK 3 do not tell where theirs lies. */
const TEXTS = [
  Role.label,
  Role.static,
  Role.heading,
  Role.paragraph,
  Role.caption,
  Role.entry,
  Role.text,
] as const;
/** Controls of a page that show their own name: Chromium leaves out the text in them. */
const SHOWN_NAMES = [Role.pushButton, Role.toggleButton, Role.pageTab, Role.menuItem] as const;
/** Pixels between a control's edge and what it shows. */
const BORDER = 3;
/** CSS pixels of a point at 96 to the inch, which Chromium, GTK and Qt assume. */
const PIXELS_PER_POINT = 96 / 72;
const LARGE = 18 * PIXELS_PER_POINT, LARGE_BOLD = 14 * PIXELS_PER_POINT;

/**
 * Judges how far each text stands out from its ground, from pixels. What is disabled is exempt (1.4.3), with what labels
 * it; what cannot be told is told so: a gradient or image behind it, another element over it, one character alone.
 */
export function judgeContrast(scene: Scene, tell: Tell, limit: ContrastLimit): void {
  const { snapshot } = scene;
  const exempt = labelsOfDisabled(scene);
  for (const row of scene.ofRole(...TEXTS, ...SHOWN_NAMES)) {
    if (isControl(scene, row) && !showsItsName(scene, row)) continue;
    if (!rowHas(snapshot, row, "visible") || !scene.enabled(row) || exempt.has(row)) continue;
    const text = ownText(scene, row);
    // Lines drawn with characters say nothing in a human language.
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    const part = pictured(scene, row);
    if (part === undefined) continue;
    if (Array.from(text).length < 2) {
      tell.unsure(row, "the text is a single character and may be a symbol");
      continue;
    }
    if ((snapshot.columns.caret[3 * row + 1] ?? -1) >= 0) {
      tell.unsure(row, "part of the text is selected, and a selection has other colours");
      continue;
    }
    if (isCovered(scene, row)) {
      tell.unsure(row, "another element covers it");
      continue;
    }
    const ink = inkFor(scene, row, part);
    const least = tileFor(scene, row, part);
    if (least !== undefined && least.atMost < limit.text && failsEvenLarge(scene, row, part, least, limit)) {
      const seen = `${least.ratio.toFixed(2)}:1 (${hex(least.stroke)} on ${hex(least.ground)})`;
      tell.fail(row, `the contrast of a part of it is ${seen}, and its ground is not one colour`);
      continue;
    }
    if ("unknown" in ink) {
      tell.unsure(row, ink.unknown);
      continue;
    }
    const size = isLarge(scene, row, part.height);
    const wanted = size === true ? limit.large : limit.text;
    if (ink.ratio >= wanted) {
      tell.pass(row);
      continue;
    }
    const seen = `${ink.ratio.toFixed(2)}:1 (${hex(ink.stroke)} on ${hex(ink.ground)})`;
    if (ink.atMost >= wanted) tell.unsure(row, `its strokes are thin: its contrast is ${seen} or more`);
    else if (size === undefined && ink.atMost >= limit.large) {
      tell.unsure(row, `its contrast is ${seen}, and the size of the text is not reported`);
    } else tell.fail(row, `its contrast is ${seen}, and ${wanted}:1 is needed`);
  }
}

function isControl(scene: Scene, row: number): boolean {
  const role = scene.snapshot.role(row);
  return SHOWN_NAMES.some((one) => one === role);
}

/** A control of a page whose name is the text in it. */
function showsItsName(scene: Scene, row: number): boolean {
  return scene.web && scene.attribute(row, "tag") !== "" &&
    scene.nameFrom(row) === "contents";
}

/** Two rules ask for the same pixels. */
const inks = new WeakMap<Scene, Map<number, Ink>>();

function inkFor(scene: Scene, row: number, part: Part): Ink {
  const existing = inks.get(scene) ?? new Map<number, Ink>();
  inks.set(scene, existing);
  const ink = existing.get(row) ?? inkOf(part);
  existing.set(row, ink);
  return ink;
}

/** The least contrast along it; asked once, like the whole's. */
const tiles = new WeakMap<Scene, Map<number, TextInk | undefined>>();

function tileFor(scene: Scene, row: number, part: Part): TextInk | undefined {
  const existing = tiles.get(scene) ?? new Map<number, TextInk | undefined>();
  tiles.set(scene, existing);
  if (!existing.has(row)) existing.set(row, leastInk(part));
  return existing.get(row);
}

type TextInk = NonNullable<ReturnType<typeof leastInk>>;

/** Text whose size is not told fails only where large text would, too. */
function failsEvenLarge(
  scene: Scene,
  row: number,
  part: Part,
  { atMost }: TextInk,
  limit: ContrastLimit,
): boolean {
  return isLarge(scene, row, part.height) === false || atMost < limit.large;
}

/** The text that it shows itself, not through children, which are judged by themselves. */
function ownText(scene: Scene, row: number): string {
  const { snapshot } = scene;
  if (snapshot.end(row) > row + 1) return "";
  const text = snapshot.text(row);
  return (text ?? scene.name(row)).trim();
}

function pictured(scene: Scene, row: number): Part | undefined {
  const place = placeOf(scene, row);
  // Where a line begins between two pixels, its outermost show what lies around it.
  const rect = place === undefined ? undefined : within(place, 1) ?? place;
  const window = scene.window(row);
  const picture = scene.pictures.find((p) => p.window === window);
  return rect === undefined || picture === undefined ? undefined : partOf(picture, rect);
}

/** Where the text lies: in its element, which may show a part of it only. */
function placeOf(scene: Scene, row: number): Rect | undefined {
  const { snapshot } = scene;
  const seen = visiblePart(snapshot, row);
  const whole = seen !== undefined && isControl(scene, row) ? within(seen, BORDER) : seen;
  const text = snapshot.textRect(row);
  if (whole === undefined || text === undefined || text.width < 1 || text.height < 1) return whole;
  const x = Math.max(whole.x, text.x), y = Math.max(whole.y, text.y);
  const right = Math.min(whole.x + whole.width, text.x + text.width);
  const bottom = Math.min(whole.y + whole.height, text.y + text.height);
  return right - x < 2 || bottom - y < 2 ? undefined : { x, y, width: right - x, height: bottom - y };
}

function within({ x, y, width, height }: Rect, border: number): Rect | undefined {
  if (width <= 4 * border || height <= 4 * border) return undefined;
  return { x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border };
}

/** Is the text large in the sense of WCAG? Undefined: it cannot be told. */
function isLarge(scene: Scene, row: number, height: number): boolean | undefined {
  const style = scene.snapshot.textStyle(row);
  const size = pixels(style["size"]);
  if (size !== undefined) {
    const bold = Number(style["weight"] ?? "400") >= 700;
    return size >= (bold ? LARGE_BOLD : LARGE) - 0.5;
  }
  // A line is at least as high as its font: what is lower than that cannot be large.
  return height < LARGE_BOLD ? false : undefined;
}

/** "11.5pt" and "10" are points; undefined: it is neither. */
function pixels(size: string | undefined): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(pt|px)?$/.exec(size ?? "");
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === "px" ? 1 : PIXELS_PER_POINT);
}

function labelsOfDisabled(scene: Scene): ReadonlySet<number> {
  const exempt = new Set<number>();
  for (const row of scene.rows) {
    if (scene.enabled(row)) continue;
    for (const label of scene.labels(row)) {
      // The text of a page's label is an element of its own.
      for (let at = label; at < scene.snapshot.end(label); at++) exempt.add(at);
    }
  }
  return exempt;
}

/** Does a later sibling, of it or of what holds it, lie over it? What is told later is drawn later. */
function isCovered(scene: Scene, row: number): boolean {
  const { snapshot } = scene;
  const rect = placeOf(scene, row);
  if (rect === undefined) return false;
  for (let at = row, up = snapshot.parent(row); up > 0; at = up, up = snapshot.parent(up)) {
    let looked = 0;
    for (let next = snapshot.end(at); next < snapshot.end(up); next = snapshot.end(next)) {
      // A long list of siblings does not overlap its first ones.
      if (++looked > 24) break;
      const other = snapshot.rect(next);
      if (other === undefined || !rowHas(snapshot, next, "visible")) continue;
      if (overlaps(rect, other)) return true;
    }
  }
  return false;
}

/** By more than a seam. */
function overlaps(a: Rect, b: Rect): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 2 && height > 2;
}
