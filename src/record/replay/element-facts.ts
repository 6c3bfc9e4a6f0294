import { ancestors } from "../../desktop/ancestors.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { wordOf } from "../../desktop/vocabulary.ts";
import { infoOf } from "../../operations/element-info.ts";
import type { ElementFacts } from "./facts.ts";

/** A row of a tree as it is kept. The content of a password field is no part of it. */
export function factsOf(snapshot: Snapshot, row: number): ElementFacts {
  const { role, name, states, value, position } = infoOf(snapshot, row);
  // Rows up to the window; above it is the application.
  const up = ancestors(snapshot, row).filter((one) => one > 0);
  const window = up.at(-1) ?? row;
  const corner = snapshot.rect(window);
  return {
    role,
    name,
    states: states.filter((state) => state !== "focused" && state !== "active"),
    ...(value === undefined ? {} : { value }),
    ...(position === undefined || corner === undefined
      ? {}
      : { place: { x: position[0] - corner.x, y: position[1] - corner.y } }),
    tree: [...up.toReversed(), row].map((one) => stepTo(snapshot, one)).join(" > "),
  };
}

/** `button[2]`: the second button of its parent. */
function stepTo(snapshot: Snapshot, row: number): string {
  const role = wordOf(snapshot, row);
  const alike = snapshot.children(snapshot.parent(row)).filter((one) => wordOf(snapshot, one) === role);
  return alike.length < 2 ? role : `${role}[${alike.indexOf(row) + 1}]`;
}
