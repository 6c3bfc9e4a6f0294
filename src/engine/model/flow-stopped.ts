import { type BackstepError, toBackstepError } from "../../base/error.ts";

/** Why a flow stops: the step that failed, and what is to be done about it. */
export class FlowStopped extends Error {
  override readonly name = "FlowStopped";
  readonly path: string;
  readonly error: BackstepError;
  /** What the step said itself; undefined: as the file says. */
  readonly policy: "rollback" | "stop" | undefined;
  /** `after:` of files that were run: due when what they did has been rolled back, or is to stay. */
  readonly afterwards: (() => Promise<void>)[] = [];
  /** Something that was to be undone was not: no `optional:` makes up for that. */
  remains = false;

  constructor(path: string, error: BackstepError, policy: "rollback" | "stop" | undefined) {
    super(error.message, { cause: error });
    this.path = path;
    this.error = error;
    this.policy = policy;
  }

  /** What is due now that the rollback is over. */
  async finish(): Promise<void> {
    for (const due of this.afterwards.splice(0)) await due();
  }
}

/** Anything thrown as a flow that stops at `path`. */
export function stoppedAt(path: string, thrown: unknown): FlowStopped {
  return thrown instanceof FlowStopped ? thrown : new FlowStopped(path, toBackstepError(thrown), undefined);
}
