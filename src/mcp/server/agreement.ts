import type { Terms } from "../../contract/gate.ts";
import type { Hit } from "../../policy/judgement/hit.ts";

/** What a person agreed to before a workflow began. */
export interface Agreement {
  readonly hits: readonly Hit[];
  /** On what terms a script was agreed to, by `scriptKey`. */
  readonly scripts: ReadonlyMap<string, Terms>;
}
