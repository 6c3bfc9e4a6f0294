import { EMBEDDED } from "./content.ts";
import { quote } from "./quote.ts";
import type { Snapshot } from "./snapshot.ts";
import { wordOf } from "./vocabulary.ts";

/** A text cut to so many characters, with an ellipsis where something is missing. */
export function cut(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** `button "Save"`; where there is no name `button[description="Adds a layer"]`, or only the role. */
export function describeRow(snapshot: Snapshot, row: number, most = 60): string {
  const called = { name: snapshot.name(row), id: snapshot.id(row), description: snapshot.description(row) };
  return `${wordOf(snapshot, row)}${calledBy(called, most)}`;
}

/** What tells elements from each other. */
export interface Called {
  readonly name: string;
  readonly id?: string | undefined;
  readonly description?: string | undefined;
}

/** What stands behind the type of an element in a selector: its name, else its id, else its description; "" where it has none. */
export function calledBy({ name, id = "", description = "" }: Called, most = 60): string {
  if (name !== "") return ` ${quote(cut(name, most))}`;
  if (id !== "") return attribute("id", id, most);
  return isClassOfQt(description) ? "" : attribute("description", description, most);
}

function attribute(key: string, text: string, most: number): string {
  const shown = cut(text, most);
  if (shown === "") return "";
  return shown === text ? `[${key}=${quote(text)}]` : `[${key}^=${quote(shown.slice(0, -1))}]`;
}

/** Qt 5 tells the class of an element without a description as that. */
export function isClassOfQt(description: string): boolean {
  return /^Q[A-Z][A-Za-z]+$/.test(description);
}

const SCAFFOLDING = new Set(["panel", "filler", "group", "section", "scrollarea", "viewport", "redundant"]);

/** Is this a box without a name, of no interest by itself? */
export function isScaffolding(snapshot: Snapshot, row: number): boolean {
  return snapshot.name(row) === "" && isBox(snapshot, row);
}

/** Is this something whose use is to hold other things? */
export function isBox(snapshot: Snapshot, row: number): boolean {
  return SCAFFOLDING.has(wordOf(snapshot, row));
}

/** The ancestors that mean something, outermost first: `window "Draft" > dialog "Save"`; at most six, the nearest. */
export function describeAncestors(snapshot: Snapshot, row: number): string {
  const steps: string[] = [];
  for (let up = snapshot.parent(row); up >= 0; up = snapshot.parent(up)) {
    if (isScaffolding(snapshot, up)) continue;
    if (steps.length === 6) {
      steps.push("…");
      break;
    }
    steps.push(describeRow(snapshot, up, 40));
  }
  return steps.reverse().join(" > ");
}

/** A text without the marks of what is embedded in it: those elements have lines of their own. */
export function plainText(text: string): string {
  return text.includes(EMBEDDED) ? text.replaceAll(EMBEDDED, "").trim() : text;
}
