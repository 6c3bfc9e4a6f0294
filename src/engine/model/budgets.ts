/** Milliseconds for each part of a run: what one part spends is not taken from another. */
export interface Budgets {
  /** Finding what a step acts on, waiting for it, and reading how it is; default: what its operation says, 10 s mostly. */
  readonly resolve?: number;
  /** The action; default: what its operation says. */
  readonly act?: number;
  /** Reading what an action left. */
  readonly settle: number;
  /** Looking for a condition, beside what the condition itself waits. */
  readonly check: number;
  /** All steps of a workflow, where its file does not say. */
  readonly flow: number;
  /** A rollback: kept for it, whatever the flow has spent. */
  readonly rollback: number;
  /** `after:` of a file, kept for it too. */
  readonly after: number;
}

/** What a run may take where nobody says otherwise. */
export const BUDGETS: Budgets = {
  settle: 2_000,
  check: 10_000,
  flow: 300_000,
  rollback: 30_000,
  after: 30_000,
};

/** What works within budgets. */
export interface Budgeted {
  readonly budgets: Budgets;
}
