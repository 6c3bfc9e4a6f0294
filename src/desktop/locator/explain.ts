import { type Call, Deadline } from "../../base/call.ts";
import type { ErrorJson, Json } from "../../base/error.ts";
import { describeAncestors, describeRow } from "../describe.ts";
import type { StageName } from "../selector/strategies.ts";
import { readiness } from "./actionable.ts";
import type { ConditionName } from "./condition.ts";
import { ambiguous, LISTED, listed, notFound, type Search } from "./diagnose.ts";
import { LOCATE_TIMEOUT, type Locator, matchOf } from "./locator.ts";
import { meant } from "./meant.ts";

/** Why a locator can or cannot be used now. */
export interface Explanation {
  readonly selector: string;
  /** Everything that `actionable` asks for holds. */
  readonly ready: boolean;
  /** For a person: the element that is ready, or the first condition that is not met. */
  readonly sentence: string;
  /** The first condition that is not met. */
  readonly unmet?: ConditionName;
  /** What covers the element. */
  readonly coveredBy?: string;
  readonly matches: number;
  /** The first of what matches, bounded. */
  readonly elements: readonly { readonly [key: string]: Json }[];
  readonly strategy: StageName;
  readonly tried: readonly StageName[];
  /** The error that using the locator would end in. */
  readonly error?: ErrorJson;
}

/** Looks once, without waiting, and names the first condition that is not met and what covers the element. */
export async function explain(locator: Locator, call: Call = {}): Promise<Explanation> {
  const deadline = Deadline.of(call, LOCATE_TIMEOUT);
  const look = await locator.look(await locator.application(), deadline);
  const { snapshot, found } = look;
  const base = {
    selector: locator.toString(),
    matches: found.rows.length,
    elements: found.rows.slice(0, LISTED).map((row) => listed(snapshot, row)),
    strategy: found.strategy,
    tried: found.tried,
  };
  const search: Search = { read: locator.read, snapshot, scope: look.scope, tried: found.tried, waited: 0 };
  if (look.root !== undefined) {
    const { locator: root, look: above } = look.root;
    const matches = meant(snapshot, above.found.rows);
    const many = matches.length > 1;
    const where: Search = {
      read: root.read,
      snapshot,
      scope: above.scope,
      tried: above.found.tried,
      waited: 0,
    };
    const error = many ? ambiguous(where, matches) : notFound(where);
    return { ...base, ready: false, unmet: "root", sentence: error.message, error: error.toJSON() };
  }
  const matches = meant(snapshot, found.rows);
  const [row, ...more] = matches;
  if (row === undefined || more.length > 0) {
    const error = row === undefined ? notFound(search) : ambiguous(search, matches);
    const unmet = row === undefined ? "exists" : "unique";
    return { ...base, ready: false, unmet, sentence: error.message, error: error.toJSON() };
  }
  const ready = await readiness(locator.desktop, matchOf(look, row), "actionable", deadline);
  if ("match" in ready) {
    const sentence = `${describeRow(snapshot, row)} in ${describeAncestors(snapshot, row)} is ready`;
    return { ...base, ready: true, sentence };
  }
  const { condition, sentence, details } = ready.unmet;
  const cover = details?.["coveredBy"];
  return {
    ...base,
    ready: false,
    unmet: condition,
    sentence,
    ...(typeof cover === "string" ? { coveredBy: cover } : {}),
  };
}
