import type { SnapshotField, SnapshotOptions } from "../desktop.ts";
import type { Application } from "../element.ts";
import { Snapshot } from "../snapshot.ts";
import { webFactsOf } from "../toolkits.ts";

/** What a snapshot holds where nobody says what it is to hold. */
export const DEFAULT_FIELDS: readonly SnapshotField[] = ["extents", "text", "value", "id"];

/** Is all of an application asked for? */
export function isWhole({ root, maxDepth, maxNodes }: SnapshotOptions): boolean {
  return root === undefined && maxDepth === undefined && maxNodes === undefined;
}

/** GTK 4.8 answers "" for the id of everything: that is a call an element for nothing, a third of its time. */
function hasIds({ toolkit, toolkitVersion }: Application): boolean {
  return toolkit.toLowerCase() !== "gtk" || !toolkitVersion.startsWith("4.8.");
}

/** What must be read for what is asked. */
export function fieldsFor(
  application: Application,
  fields: readonly SnapshotField[],
): readonly SnapshotField[] {
  const facts = webFactsOf(application);
  const more: SnapshotField[] = facts?.numbersInTexts && fields.includes("value") && !fields.includes("text")
    ? ["text"]
    : [];
  return [...fields, ...more].filter((field) =>
    (field !== "id" || hasIds(application)) && (field !== "selection" || !facts?.fatalSelection)
  );
}

/** A snapshot whose ids are all empty: string 0. */
export function withoutIds({ columns, origin }: Snapshot): Snapshot {
  return new Snapshot({ ...columns, id: new Uint32Array(columns.count) }, origin);
}
