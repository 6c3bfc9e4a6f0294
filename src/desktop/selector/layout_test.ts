import assert from "node:assert/strict";
import { seeded } from "../../base/random.ts";
import { buildSnapshot } from "../build.ts";
import type { Rect } from "../element.ts";
import { directions } from "./ast.ts";
import { distanceOf } from "./layout.ts";
import { fieldsOf, match } from "./match.ts";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";

const at = (x: number, y: number, width = 80, height = 20): Rect => ({ x, y, width, height });
const snapshot = buildSnapshot({
  role: "frame",
  rect: at(0, 0, 600, 400),
  children: [
    { role: "label", name: "Name", rect: at(0, 0) },
    { role: "entry", rect: at(100, 0, 200) },
    { role: "label", name: "City", rect: at(0, 40) },
    { role: "entry", rect: at(100, 40, 200) },
    { role: "pushButton", name: "Far", rect: at(500, 40) },
    { role: "pushButton", name: "Near", rect: at(320, 40) },
    { role: "panel", rect: at(0, 200, 0, 0), children: [{ role: "entry" }] },
  ],
}, { bus: ":1.5", name: "app", pid: 42, toolkit: "gtk", toolkitVersion: "3.24" });
const rows = (selector: string) => match(parseSelector(selector), snapshot);

Deno.test("what lies beside is told by places; a number counts the nearest first", () => {
  assert.deepEqual(rows('textfield:right-of(label[name="City"])'), [2, 4], "whatever the row");
  assert.deepEqual(rows('textfield:right-of(label[name="City"]):first'), [4], "the nearest");
  assert.deepEqual(rows('textfield:right-of(label[name="City"]):nth(2)'), [2]);
  assert.deepEqual(rows('button:right-of(label[name="City"])'), [5, 6]);
  assert.deepEqual(rows('button:right-of(label[name="City"]):first'), [6]);
  assert.deepEqual(rows("textfield:below(textfield)"), [4]);
  assert.deepEqual(rows('label:left-of(textfield):above(label[name="City"])'), [1]);
  assert.deepEqual(rows("button:near(textfield)"), [6]);
  assert.deepEqual(rows("button:near(textfield, 10)"), []);
  assert.deepEqual(rows("button:right-of(textfield, 20)"), [6]);
  assert.deepEqual(rows("label:near(button[name=Nowhere])"), []);
});

Deno.test("they read places, refuse a tree without, and say what they want", () => {
  assert.deepEqual(fieldsOf(parseSelector("button:not(:near([id=x]))")), ["extents", "id"]);
  const wrong = (text: string) => {
    try {
      parseSelector(text);
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : "";
    }
    return "";
  };
  assert.match(wrong('button:below("City")'), /:below wants a selector first/);
  assert.match(wrong("button:below(50)"), /:below wants a selector first/);
  assert.match(wrong("button:near(label, 50, textfield)"), /the distance in pixels comes last/);
  assert.match(wrong("button:beloww(label)"), /there is no ":beloww"/);
  assert.match(wrong("button:near(label, -3)"), /expected a role/);
});

/** Playwright's own words (packages/injected/src/layoutSelectorUtils.ts), as an account of its own. */
function playwright(direction: string, a: Rect, b: Rect, most?: number): number | undefined {
  const one = { left: a.x, right: a.x + a.width, top: a.y, bottom: a.y + a.height };
  const two = { left: b.x, right: b.x + b.width, top: b.y, bottom: b.y + b.height };
  const sides = Math.max(two.bottom - one.bottom, 0) + Math.max(one.top - two.top, 0);
  const ends = Math.max(one.left - two.left, 0) + Math.max(two.right - one.right, 0);
  const far = {
    "right-of": one.left - two.right,
    "left-of": two.left - one.right,
    above: two.top - one.bottom,
    below: one.top - two.bottom,
  };
  if (direction === "near") {
    const score = Object.values(far).filter((one) => one >= 0).reduce((sum, one) => sum + one, 0);
    return score > (most ?? 50) ? undefined : score;
  }
  const [, distance = 0] = Object.entries(far).find(([name]) => name === direction) ?? [];
  if (distance < 0 || (most !== undefined && distance > most)) return undefined;
  return distance + (direction.endsWith("-of") ? sides : ends);
}

Deno.test("10,000 pairs of places: as Playwright measures them, mirrored, moved, and wider with more distance", () => {
  const random = seeded(18);
  const number = (most: number) => Math.floor(random() * most);
  const place = () => at(number(300), number(300), 1 + number(120), 1 + number(120));
  const opposite = {
    "right-of": "left-of",
    "left-of": "right-of",
    above: "below",
    below: "above",
    near: "near",
  } as const;
  for (let n = 0; n < 10_000; n++) {
    const [one, two] = [place(), place()];
    const most = random() < 0.5 ? undefined : number(200);
    const moved = (rect: Rect) => ({ ...rect, x: rect.x + 7, y: rect.y - 900 });
    for (const direction of directions) {
      const far = distanceOf(direction, one, two, most);
      const shown = JSON.stringify({ direction, one, two, most });
      assert.equal(far, playwright(direction, one, two, most), shown);
      assert.equal(far === undefined, distanceOf(opposite[direction], two, one, most) === undefined, shown);
      assert.equal(far, distanceOf(direction, moved(one), moved(two), most), shown);
      if (most !== undefined && far !== undefined) {
        assert.equal(distanceOf(direction, one, two, most + 1), far, shown);
      }
    }
  }
});

Deno.test("they are printed as they are read", () => {
  for (
    const text of [
      'button:near(label[name="City"], 120)',
      "textfield:right-of(label, dialog > button)",
      "*:not(:above(button:below(label, 0.5)))",
    ]
  ) {
    const printed = printSelector(parseSelector(text));
    assert.deepEqual(parseSelector(printed), parseSelector(text), printed);
  }
});
