import type { Deadline } from "../base/call.ts";
import type { BackstepError } from "../base/error.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Sent } from "../desktop/sent.ts";
import type { ActResult, Context, Operation, Resolved } from "./operation.ts";
import type { ObserverPort } from "./recording-desktop.ts";

/** An act on its way through the gate: everything that is known before the action. */
export interface Act {
  /** What is called. */
  readonly operation: Operation;
  /** The input as its schema left it. */
  readonly input: unknown;
  /** What it acts on, and what that would need to be undone. */
  readonly resolved: Resolved;
  /** The desktop, the application meant, and the time there is. */
  readonly context: Context;
  /** What it acts on was named by a reference that somebody was given before. */
  readonly byReference: boolean;
}

/** What became of an act. */
export type ActOutcome =
  | { readonly ok: true } & ActResult
  /** `began`: some of it was accepted by the platform, or may have landed, whatever the error says of the rest. */
  | { readonly ok: false; readonly error: BackstepError; readonly began: boolean };

/** On what terms an act may happen. */
export interface Terms {
  /** Milliseconds that the action may take, where that is less than it may anyway. */
  readonly within?: number;
}

/** Says whether an act may happen: throws `policy`, `barrier` or `limit` when it may not. */
export interface PolicyPort {
  /**
   * Called once the target is known, before anything is written or done. `before`: the same act as it was admitted, whose
   * element went before anything was sent; the target is what was found when it was looked for again.
   */
  admit(act: Act, before?: Act): void | Terms | Promise<void | Terms>;
  /**
   * Called right before each call to the desktop that the act makes and that changes something, whichever helper makes it:
   * throws where it may not be sent. Of a click, the pointer is there already.
   */
  send?(sent: Sent, act: Act): Promise<void>;
  /**
   * Called before somebody's earlier acts are rolled back at their word: throws where that may not be, and answers who judges
   * each call that it makes. A rollback after a failure is no act of anybody, and is not judged.
   */
  undo?(undoing: Undoing): Promise<(sent: Sent) => Promise<void>>;
}

/** Earlier acts that are to be undone. */
export interface Undoing {
  /** What was done, and what is restored, in words: 'checkbox "Delete history"', "quit gedit". */
  readonly words: readonly string[];
  /** Where it is done. */
  readonly desktop: Desktop;
  /** By when it must be over. */
  readonly deadline: Deadline;
}

/** Hears of every act before it is done and after: the engine captures here, and writes its journal. */
export interface JournalPort {
  /** `before`: the same act as it was entered, whose element went before anything was sent: this one stands for it. */
  intent(act: Act, before?: Act): Promise<void>;
  outcome(act: Act, outcome: ActOutcome): Promise<void>;
}

/** Allows an action once, whatever becomes of this process: where several could do the same. */
export interface ClaimPort {
  /**
   * Called last: the act is admitted and written down, and nothing of it is sent. Throws where it may not be done; the act
   * has not begun then, and the error says what is known of an earlier one.
   */
  claim(act: Act): Promise<void>;
}

/** Writes down who did what. */
export interface AuditPort {
  /** Called after each act, also one that failed. */
  record(act: Act, outcome: ActOutcome): void | Promise<void>;
}

/** What stands around every act. */
export interface GatePorts {
  readonly policy: readonly PolicyPort[];
  readonly journal: JournalPort;
  readonly audit: AuditPort;
  /** Asked right before the action; absent: nobody else could do it. */
  readonly claim?: ClaimPort;
  /** Looks on while the action is done. */
  readonly observer?: ObserverPort;
}

/** Ports that let everything pass and write nothing: for one-shot commands, which have nothing to undo. */
export const OPEN_PORTS: GatePorts = {
  policy: [],
  journal: { intent: () => Promise.resolve(), outcome: () => Promise.resolve() },
  audit: { record: () => {} },
};
