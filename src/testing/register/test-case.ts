import type { StepContext } from "../steps.ts";

/** A case, as `Deno.test` takes it. */
export interface TestCase {
  /** Path and name. */
  readonly name: string;
  /** Its `skip:` or `needs:` says that it is not to run; the name says why. */
  readonly ignore: boolean;
  /** Runs it; rejects when it does not end as it is meant to. */
  fn(context: StepContext): Promise<void>;
}
