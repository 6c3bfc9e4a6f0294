import { type Kind, kindOf } from "./kinds.ts";
import type { Scene } from "./scene.ts";
import { type Phrases, says } from "./words.ts";

/** What windows have themselves, in every language that was met; no answer to anything. */
const FRAME = /^(?:minimi[sz]e|maximi[sz]e|restore|minimieren|maximieren|réduire|agrandir)$/i;

/** What several detectors ask is worked out once a scene. */
function once<R>(what: (scene: Scene) => R): (scene: Scene) => R {
  const existing = new WeakMap<Scene, { readonly is: R }>();
  return (scene) => {
    let found = existing.get(scene);
    if (found === undefined) existing.set(scene, found = { is: what(scene) });
    return found.is;
  };
}

/** Buttons that say something, without those of the window itself. */
export const buttonsOf: (scene: Scene) => readonly number[] = once((scene) =>
  scene.of("button").filter((row) => scene.name(row) !== "" && !FRAME.test(scene.name(row)))
);

/** The button that says one of these phrases with the fewest other words; undefined: none does. */
export function buttonSaying(scene: Scene, ...lists: readonly Phrases[]): number | undefined {
  let best: number | undefined;
  for (const row of buttonsOf(scene)) {
    if (!lists.some((list) => says(scene.name(row), list))) continue;
    if (best === undefined || scene.name(row).length < scene.name(best).length) best = row;
  }
  return best;
}

/** The button that sends what was filled in; one that leaves or keeps nothing ("Don't Save", "Quit") does not. */
export function sendingButton(scene: Scene): number | undefined {
  const sends = (...lists: readonly Phrases[]) => {
    const row = buttonSaying(scene, ...lists);
    return row === undefined || says(scene.name(row), "refuse") ? undefined : row;
  };
  return sends("submit", "save") ?? sends("confirm");
}

/** Fields, choices and switches that a person fills in; those of toolbars and of the lists of combo boxes not counted. */
export const inputsOf: (scene: Scene) => readonly number[] = once((scene) =>
  scene.of("field", "area", "password", "combo", "toggle", "number").filter((row) =>
    !isIn(scene, row, "toolbar", "combo", "number")
  )
);

/** The text fields that take one line, without those inside of combo boxes, spin buttons and tables. */
export const fieldsOf: (scene: Scene) => readonly number[] = once((scene) =>
  scene.of("field").filter((row) => !isIn(scene, row, "combo", "number", "table"))
);

/** Is it in an element of one of these kinds, within what is judged? */
export function isIn(scene: Scene, row: number, ...kinds: readonly Kind[]): boolean {
  const { snapshot, root } = scene;
  for (let up = snapshot.parent(row); up > root; up = snapshot.parent(up)) {
    const kind = kindOf(snapshot.role(up), snapshot.statesLow(up), snapshot.statesHigh(up));
    if (kind !== undefined && kinds.includes(kind)) return true;
  }
  return false;
}

/** The title of what is judged: of the page, the dialog or the window. */
export function titleOf(scene: Scene): string {
  if (scene.root < 0) return "";
  return [scene.name(scene.root), ...scene.of("heading").slice(0, 1).map((row) => scene.text(row))].join(" ");
}

/** What a dialog says: its labels, then its headings, which often only repeat what it is called. */
export function messagesOf(scene: Scene): number[] {
  return [...scene.of("label"), ...scene.of("heading")].filter((row) =>
    scene.text(row) !== "" && !isIn(scene, row, "button") && !isIn(scene, row, "heading")
  );
}

/** In the order of reading: toolkits tell the cells of a grid in that of their making. */
export function byPlace(scene: Scene, rows: readonly number[]): number[] {
  const { snapshot } = scene;
  const place = (row: number) => snapshot.rect(row) ?? { x: 0, y: 0, width: 0, height: 0 };
  return [...rows].sort((a, b) => {
    const p = place(a), q = place(b);
    const sameLine = Math.abs(p.y + p.height / 2 - q.y - q.height / 2) <= Math.min(p.height, q.height) / 2;
    return (sameLine ? p.x - q.x : p.y - q.y) || a - b;
  });
}
