import type { Json } from "../../base/error.ts";
import type { Effect } from "../../contract/effect.ts";

/** A step that passed, as it was called. */
export interface Passed {
  readonly operation: string;
  readonly input: Json;
  readonly app: string | undefined;
  readonly effect: Effect;
}
