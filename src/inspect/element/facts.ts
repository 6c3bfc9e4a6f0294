import type { Json } from "../../base/error.ts";
import { describeAncestors, describeRow } from "../../desktop/describe.ts";
import { type RankedLocator, Ranker } from "../../desktop/ranking/mod.ts";
import { writeUiPath } from "../../desktop/selector/ui-path.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas, stateNames } from "../../desktop/state-words.ts";
import { wordOf } from "../../desktop/vocabulary.ts";
import { kindOf } from "../../operations/kind.ts";
import { valueOf } from "../../operations/value-of.ts";
import { axRoleOf } from "../live/rows.ts";

/** What a page shows of one element. */
export interface ElementFacts {
  /** `button "Save"`. */
  readonly what: string;
  /** What it lies in. */
  readonly in: string;
  /** What it is to somebody who wants to use it: "text", "toggle", "other"… */
  readonly kind: string;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly states: readonly string[];
  readonly value: Json;
}

/** Characters of one property that are shown. */
const MOST = 2_000;

/** All that a page shows of a row, as far as its snapshot has it. */
export function factsOf(snapshot: Snapshot, row: number): ElementFacts {
  const kind = kindOf(snapshot, row);
  const rect = snapshot.rect(row);
  const number = snapshot.value(row);
  const range = number &&
    `${number.current} (${number.minimum} to ${number.maximum}${
      number.step > 0 ? `, step ${number.step}` : ""
    })`;
  const properties: (readonly [string, string | undefined])[] = [
    ["role", wordOf(snapshot, row)],
    ["AX role", axRoleOf(snapshot, row)],
    ["name", snapshot.name(row)],
    ["description", snapshot.description(row)],
    ["id", snapshot.id(row)],
    ["text", snapshot.text(row)],
    ["value", range],
    ["place", rect && `${rect.x}, ${rect.y}`],
    ["size", rect && `${rect.width} × ${rect.height}`],
    ["actions", snapshot.actions(row).join(", ")],
    ["path", writeUiPath(snapshot, row)],
    ...Object.entries(snapshot.attributes(row)).map(([name, one]) => [`@${name}`, one] as const),
  ];
  return {
    what: describeRow(snapshot, row),
    in: describeAncestors(snapshot, row),
    kind,
    properties: properties.flatMap(([name, one]) =>
      one === undefined || one === "" ? [] : [[name, one.slice(0, MOST)] as const]
    ),
    states: stateNames.filter((word) => rowHas(snapshot, row, word)),
    value: kind === "secure" ? null : valueOf(snapshot, row),
  };
}

/** Selectors of a row, the one that will last longest first. */
export function locatorsOf(snapshot: Snapshot, row: number): RankedLocator[] {
  return new Ranker(snapshot).candidates(row);
}
