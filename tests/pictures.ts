import type { Deadline } from "../src/base/call.ts";
import { ancestors } from "../src/desktop/ancestors.ts";
import { untilDeadline } from "../src/desktop/actions/read-back.ts";
import type { Application, Desktop } from "../src/desktop/desktop.ts";
import { Interface } from "../src/desktop/interfaces.ts";
import { Role } from "../src/desktop/roles.ts";
import type { Snapshot } from "../src/desktop/snapshot.ts";
import { rowHas } from "../src/desktop/state-words.ts";
import { isQt } from "../src/desktop/toolkits.ts";
import { wordOf } from "../src/desktop/vocabulary.ts";

/** What each element of an application shows, by where it stands in the tree. */
export type Picture = ReadonlyMap<string, string>;

/** What changes by itself, or follows from something else that is compared. */
const MOVING: ReadonlySet<number> = new Set([Role.progressBar, Role.levelBar]);

/** A picture that two looks one after the other agree on: what an application still does after a start is over. */
export async function quietPicture(
  desktop: Desktop,
  application: Application,
  deadline: Deadline,
): Promise<Picture> {
  let last = "";
  const read = async () => {
    const picture = pictureOf(
      await desktop.snapshot(application, {
        ...deadline.call(),
        fields: ["text", "value", "selection", "id", "extents"],
      }),
    );
    const now = JSON.stringify([...picture]);
    const quiet = now === last;
    last = now;
    return { picture, quiet };
  };
  // Every look but a quiet one waits for an event or a while before the next.
  const seen = await untilDeadline(desktop, read, ({ quiet }) => quiet, deadline.within(10_000));
  return seen.last.picture;
}

/** Values, texts, toggles, selections and scroll positions. */
function pictureOf(snapshot: Snapshot): Picture {
  const picture = new Map<string, string>();
  for (let row = 0; row < snapshot.size; row++) {
    const shown = shows(snapshot, row);
    if (shown.length > 0) picture.set(placeOf(snapshot, row), shown.join(" "));
  }
  return picture;
}

function shows(snapshot: Snapshot, row: number): string[] {
  if (MOVING.has(snapshot.role(row))) return [];
  const shown: string[] = [];
  if (snapshot.implements(row, Interface.editableText) || snapshot.has(row, "editable")) {
    shown.push(`text=${JSON.stringify(snapshot.text(row) ?? null)}`);
  }
  if (snapshot.implements(row, Interface.value)) shown.push(`value=${snapshot.value(row)?.current}`);
  if (rowHas(snapshot, row, "checkable")) {
    const on = rowHas(snapshot, row, "checked") || rowHas(snapshot, row, "pressed");
    shown.push(rowHas(snapshot, row, "indeterminate") ? "mixed" : on ? "on" : "off");
  }
  if (snapshot.implements(row, Interface.selection)) shown.push(`selected=${snapshot.selected(row)}`);
  if (isQt(snapshot.origin.application)) {
    // What a box shows is its name; the list in it knows of a choice only once it was open.
    if (snapshot.role(row) === Role.comboBox) shown.push(`shows=${JSON.stringify(snapshot.name(row))}`);
    else if (snapshot.has(row, "selected") && !isInCombo(snapshot, row)) shown.push("is selected");
  } else if (snapshot.has(row, "selected")) shown.push("is selected");
  const scrolled = placeInDocument(snapshot, row);
  if (scrolled !== undefined) shown.push(scrolled);
  return shown;
}

function isInCombo(snapshot: Snapshot, row: number): boolean {
  return ancestors(snapshot, row).some((up) => snapshot.role(up) === Role.comboBox);
}

/** Chromium has no scroll bars in its tree: how far a page and what is in it are scrolled is where everything lies. */
function placeInDocument(snapshot: Snapshot, row: number): string | undefined {
  let page = snapshot.parent(row);
  while (page >= 0 && snapshot.role(page) !== Role.documentWeb) page = snapshot.parent(page);
  const rect = snapshot.rect(row);
  const frame = page < 0 ? undefined : snapshot.rect(page);
  if (rect === undefined || frame === undefined) return undefined;
  return `at=${rect.x - frame.x},${rect.y - frame.y}`;
}

function placeOf(snapshot: Snapshot, row: number): string {
  const steps: string[] = [];
  for (let at = row; snapshot.parent(at) >= 0; at = snapshot.parent(at)) {
    const word = wordOf(snapshot, at);
    // Among its own kind: a separator of GTK 3 may come late, beside what was compared before.
    const kind = snapshot.children(snapshot.parent(at)).filter((child) => wordOf(snapshot, child) === word);
    steps.unshift(`${word}[${kind.indexOf(at)}]`);
  }
  // Not by its name: what a tab or a window is called changes with what it shows.
  return steps.join(" ");
}
