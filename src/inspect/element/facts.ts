import type { Json } from "../../base/error.ts";
import { describeAncestors, describeRow } from "../../desktop/describe.ts";
import { type RankedLocator, Ranker } from "../../desktop/ranking/mod.ts";
import { writeUiPath } from "../../desktop/selector/ui-path.ts";
import type { Snapshot } from "../../desktop/snapshot.ts";
import { rowHas, stateNames } from "../../desktop/state-words.ts";
import { wordOf } from "../../desktop/vocabulary.ts";
import { kindOf } from "../../operations/kind.ts";
import { type Value, valueOf } from "../../operations/value-of.ts";
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

/** All that a page shows of a row. `own`: the element alone, read afresh with all that is known of it. */
export function factsOf(snapshot: Snapshot, row: number, own: Snapshot): ElementFacts {
  const kind = kindOf(snapshot, row);
  const rect = own.rect(0);
  const number = own.value(0);
  const range = number &&
    `${number.current} (${number.minimum} to ${number.maximum}${
      number.step > 0 ? `, step ${number.step}` : ""
    })`;
  const properties: (readonly [string, string | undefined])[] = [
    ["role", wordOf(snapshot, row)],
    ["AX role", axRoleOf(snapshot, row)],
    ["name", snapshot.name(row)],
    ["description", own.description(0)],
    ["id", snapshot.id(row)],
    ["text", own.text(0)],
    ["value", range],
    ["place", rect && `${rect.x}, ${rect.y}`],
    ["size", rect && `${rect.width} × ${rect.height}`],
    ["actions", own.actions(0).join(", ")],
    ["path", writeUiPath(snapshot, row)],
    ...Object.entries(own.attributes(0)).map(([name, one]) => [`@${name}`, one] as const),
  ];
  return {
    what: describeRow(snapshot, row),
    in: describeAncestors(snapshot, row),
    kind,
    properties: properties.flatMap(([name, one]) =>
      one === undefined || one === "" ? [] : [[name, one.slice(0, MOST)] as const]
    ),
    states: stateNames.filter((word) => rowHas(own, 0, word)),
    value: kind === "secure" ? null : currentValue(snapshot, row, own),
  };
}

/** The value of an element that was read afresh; what it holds tells that of a list. */
export function currentValue(snapshot: Snapshot, row: number, own: Snapshot): Value {
  return kindOf(snapshot, row) === "container" ? valueOf(snapshot, row) : valueOf(own, 0);
}

/** Selectors of a row, the one that will last longest first. */
export function locatorsOf(snapshot: Snapshot, row: number): RankedLocator[] {
  return new Ranker(snapshot).candidates(row);
}
