import type { BackstepError } from "../../base/error.ts";

/** An action that cannot be undone, and is about to be done. */
export interface Claim {
  /** Of its step, with the indices of its loops: "5[2].1". */
  readonly path: string;
  /** For people, secrets masked: 'click button "Send"'. */
  readonly name: string;
  /** The step can say whether it was done. */
  readonly doneWhen: boolean;
}

/** What is known of a claimed action: "unknown" where nobody can say. */
export type ClaimOutcome = "done" | "failed" | "unknown";

/** Allows each action that cannot be undone once, among all processes that may be given the same run. */
export interface Claims {
  /**
   * Resolves when it may be done, now and by this run alone. Rejects with `claimed` where it may have been done before, and
   * with `cancelled` where the run is not this process's any more.
   */
  claim(claim: Claim): Promise<void>;
  /** What became of the last claim of a path. */
  finished(path: string, outcome: ClaimOutcome): void;
}

/** It was claimed by another process that may still do it: that `done_when` does not hold yet says nothing. */
export function isClaimed(error: BackstepError | undefined): boolean {
  return error?.code === "claimed";
}
