import type { Deadline } from "../../base/call.ts";
import { defined } from "../../base/defined.ts";
import type { Application, Desktop, SnapshotField } from "../../desktop/desktop.ts";
import { inputKeys } from "./text-keys.ts";
import type { Reach, Spot } from "../../desktop/reach.ts";
import { Role } from "../../desktop/roles.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { type Chord, chordOf } from "./chord.ts";
import { destructiveWord } from "./destructive-words.ts";
import { isWritten } from "./element-words.ts";
import { type Hit, markOf } from "./hit.ts";
import { hitOf, unknownHit } from "./hit-of.ts";
import { foreseen, type KeyView, reachOf } from "./key-reach.ts";
import { type Holder, holdersOf, viewOf } from "./keyboard.ts";
import { hitsAtPoint } from "./point-hits.ts";

/** Where a judgement looks. */
export interface Scene {
  readonly desktop: Desktop;
  readonly deadline: Deadline;
}

/**
 * What an act will hit, as far as it can be known before it begins: from what its operation says that it reaches, the trees
 * that were read for it, and the desktop where those do not tell. Harmless hits are told too.
 */
export async function foresee(reaches: readonly Reach[], scene: Scene): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const reach of reaches) hits.push(...await foreseeOne(reach, scene));
  return hits;
}

async function foreseeOne(reach: Reach, scene: Scene): Promise<Hit[]> {
  switch (reach.by) {
    case "press":
      return [hitOf(reach.spot.snapshot, reach.spot.row, reach.doing)];
    case "choice":
      return choiceHits(reach.spot, reach.words);
    case "point":
      return await hitsAtPoint(reach, [], scene);
    case "keys": {
      const chords = reach.chords.map(chordOf);
      return await foreseeChords(chords, reach, scene);
    }
    case "text":
      return await foreseeText(reach, scene);
    case "close":
      return [closeHit(reach.application, reach.id, reach.title)];
    case "quit":
      return [namedHit("destructive", "quit", reach.app, "quit")];
    case "program":
      return [namedHit("program", "launch", [reach.app, ...reach.args].join(" "))];
    case "script": {
      const { script: text, language, timeout } = reach;
      const script = { text, language, ...defined({ timeout }) };
      return [{ ...namedHit("script", "run", "the script"), script }];
    }
    case "unknown":
      return [unknownHit(undefined, reach.what, "", "what it reaches is unknown")];
  }
}

/** What is restored at somebody's word, by what it is called. */
export function undoHits(words: readonly string[]): Hit[] {
  return words.flatMap((text) => {
    const word = destructiveWord(text);
    return word === undefined ? [] : [namedHit("destructive", "undo", text, word)];
  });
}

/** The closing of a window. */
export function closeHit(application: Pick<Application, "name"> | undefined, id: number, title: string): Hit {
  return {
    kind: "destructive",
    doing: "close",
    name: title,
    app: application?.name ?? "",
    word: "close",
    apart: [],
    mark: { bus: "", path: `window ${id}`, words: "", around: "" },
  };
}

function namedHit(kind: Hit["kind"], doing: string, name: string, word?: string): Hit {
  return {
    kind,
    doing,
    name,
    app: "",
    ...defined({ word }),
    apart: [],
    mark: markOf({ bus: "", path: undefined, words: `${doing} ${name}`, around: "" }),
  };
}

/** An element that chooses, and what is chosen in it, wherever that will be listed. */
function choiceHits(spot: Spot, words: readonly string[]): Hit[] {
  const own = hitOf(spot.snapshot, spot.row, "choose in");
  const chosen = words.map((text): Hit => {
    const word = destructiveWord(text);
    return {
      ...own,
      kind: word === undefined ? "harmless" : "destructive",
      doing: "choose",
      name: text,
      ...defined({ word }),
      mark: markOf({ bus: own.mark.bus, path: undefined, words: text, around: own.mark.around }),
    };
  });
  return [own, ...chosen];
}

/** Who keys are for, as an operation declares it. */
interface KeyGoal {
  readonly into?: Spot | undefined;
  readonly application?: Application | undefined;
}

async function foreseeChords(chords: readonly Chord[], goal: KeyGoal, scene: Scene): Promise<Hit[]> {
  const [first, ...rest] = chords;
  if (first === undefined) return [];
  const fields = fieldsFor(chords);
  const hits: Hit[] = [];
  await settled(scene);
  for (const view of await viewsFor(goal, fields, scene)) {
    if ("kind" in view) {
      hits.push(view);
      continue;
    }
    hits.push(...await hitsOfChord(view, first, scene));
    hits.push(...await laterHits(view, first, rest, scene));
  }
  return distinct(hits);
}

/** Milliseconds that an application which has just got a key is given to show what came of it, and to be quiet. */
const SETTLES = 400;
const QUIET = 50;

/** A menu that the last key opened is there before the next one is judged. */
export async function settled({ desktop, deadline }: Scene): Promise<void> {
  const watch = desktop.watch();
  const limit = deadline.within(SETTLES);
  try {
    while (!limit.passed && await watch.next(limit.within(QUIET).call()) !== "timeout") watch.take();
  } finally {
    watch.close();
  }
}

/** What chords behind the first may hit: where it took the focus elsewhere, any button that is there. */
async function laterHits(
  view: KeyView,
  first: Chord,
  rest: readonly Chord[],
  scene: Scene,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  let [moved, menus] = [movesOn(first), opensMenu(first)];
  for (const chord of rest) {
    hits.push(...await hitsOfChord(view, chord, scene));
    const chooses = chord.key === "Return" || chord.key === "Space" || (menus && chord.character !== "");
    if (moved && chooses && !chord.commands) {
      const rows = foreseen(view, menus);
      hits.push(...rows.map((row) => hitOf(view.snapshot, row, "press")).filter(isDestructive));
    }
    moved ||= movesOn(chord);
    menus ||= opensMenu(chord);
  }
  return hits;
}

/** May the keys go elsewhere after it? */
function movesOn({ character, key, commands }: Chord): boolean {
  return commands || (character === "" && key !== "Space" && !/^F\d/.test(key));
}

function opensMenu({ text, key }: Chord): boolean {
  return /^alt(\+|$)/.test(text) || key === "F10" || key === "Menu" || text === "ctrl+F2";
}

async function foreseeText(
  { text, into, application }: Extract<Reach, { by: "text" }>,
  scene: Scene,
): Promise<Hit[]> {
  const written = into !== undefined && isTyped(into.snapshot, into.row);
  const terminal = into !== undefined && into.snapshot.role(into.row) === Role.terminal;
  const keys = inputKeys(text);
  if (terminal) return keys.some((key) => key === "Return") ? [scriptHit(into.snapshot, into.row, text)] : [];
  // What stands between control characters is text, where text is typed into.
  const pressed = written ? keys.filter((key) => [...key].length > 1 && key !== "Space") : keys;
  const goal = { into, application };
  if (pressed.length === 0) return [];
  if (!written) return await foreseeChords(bounded(pressed).map((key) => chordOf([key])), goal, scene);
  const firstMove = keys.findIndex((key) => key === "Tab" || key === "Escape");
  const before = firstMove < 0 ? pressed : pressed.slice(0, pressed.indexOf(keys[firstMove] ?? ""));
  const after = firstMove < 0 ? [] : keys.slice(firstMove);
  // Behind a Tab, what begins with a letter goes into the next field: that is seen when it is sent.
  const presses = after[1] === "Space" || after[1] === "Return" || after[1] === "Tab" ? bounded(after) : [];
  const chords = [...new Set(before), ...presses].map((key) => chordOf([key]));
  return chords.length === 0 ? [] : await foreseeChords(chords, goal, scene);
}

/** Keys of one text that are looked at beforehand; all are when they are sent. */
function bounded(keys: readonly string[]): string[] {
  return [...keys.slice(0, 64)];
}

/** What has the keys now, and what one chord does there. */
export async function hitsOfKeys(chord: Chord, scene: Scene): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const view of await viewsFor({}, fieldsFor([chord]), scene)) {
    hits.push(..."kind" in view ? [view] : await hitsOfChord(view, chord, scene));
  }
  return distinct(hits);
}

/** What one chord does in one application. */
export async function hitsOfChord(view: KeyView, chord: Chord, { desktop, deadline }: Scene): Promise<Hit[]> {
  const { snapshot, focused } = view;
  const { sure, perhaps, unknown, script } = reachOf(view, chord);
  if (script) {
    const row = focused.find((one) => snapshot.role(one) === Role.terminal) ?? 0;
    const { text = "" } = await desktop.read(snapshot.element(row), deadline.call());
    const line = text.split("\n").findLast((one) => one.trim() !== "") ?? "";
    return [scriptHit(snapshot, row, /[vt]/i.test(chord.text) ? "(what is on the clipboard)" : line)];
  }
  const { application } = snapshot.origin;
  return [
    ...unknown === undefined ? [] : [unknownHit(application, "press", chord.text, unknown)],
    ...sure.map((row) => hitOf(snapshot, row, "press")),
    ...perhaps.map((row) => hitOf(snapshot, row, "press")).filter(isDestructive),
  ];
}

/** What a terminal is told to do is a script. */
function scriptHit(snapshot: Snapshot, row: number, text: string): Hit {
  const { bus, path } = snapshot.element(row);
  return {
    kind: "script",
    doing: "run",
    name: "what is typed into the terminal",
    app: snapshot.origin.application.name,
    apart: [],
    mark: { bus, path, words: "", around: "" },
    script: { text, language: "terminal" },
  };
}

/** Trees of whoever will have the keys; a hit where that cannot be told. */
async function viewsFor(
  { into, application }: KeyGoal,
  fields: readonly SnapshotField[],
  { desktop, deadline }: Scene,
): Promise<(KeyView | Hit)[]> {
  const named = into?.application ?? application;
  const holders: Holder[] = named === undefined
    ? await holdersOf(desktop, deadline)
    : [{ application: named, window: undefined, popup: await hasPopup(desktop, named, deadline) }];
  return await Promise.all(holders.map(async (holder): Promise<KeyView | Hit> => {
    if ("unknown" in holder) return unknownHit(undefined, "press keys in", holder.name, holder.unknown);
    const view = await viewOf(desktop, holder, fields, deadline);
    const row = into === undefined ? -1 : view.snapshot.rowOf(into.snapshot.element(into.row));
    return row < 0 ? view : { ...view, focused: [row], windows: [topOf(view.snapshot, row)] };
  }));
}

async function hasPopup(desktop: Desktop, { pid }: Application, deadline: Deadline): Promise<boolean> {
  if (!desktop.capabilities.windows) return false;
  return (await desktop.windows(deadline.call())).some((window) => window.popup && window.pid === pid);
}

function topOf(snapshot: Snapshot, row: number): number {
  let top = row;
  for (let up = snapshot.parent(row); up > 0; up = snapshot.parent(up)) top = up;
  return top;
}

/** Asking for the keys of actions costs a call an element: only where they can matter. */
function fieldsFor(chords: readonly Chord[]): readonly SnapshotField[] {
  const matter = ({ commands, key, character }: Chord) =>
    commands || character !== "" || /^(F\d+|Delete|BackSpace|Insert|Pause)$/.test(key);
  return chords.some(matter) ? ["keys"] : [];
}

/** Is it typed into? */
function isTyped(snapshot: Snapshot, row: number): boolean {
  return isWritten(snapshot.role(row), snapshot.statesLow(row), snapshot.statesHigh(row));
}

export function isDestructive({ kind }: Hit): boolean {
  return kind === "destructive";
}

/** One element is told once. */
function distinct(hits: readonly Hit[]): Hit[] {
  const seen = new Map<string, Hit>();
  for (const hit of hits) {
    seen.set(JSON.stringify([hit.kind, hit.mark.bus, hit.mark.path, hit.mark.words]), hit);
  }
  return [...seen.values()];
}
