/** What becomes of a run. "cancelled": what had not begun was left. */
export const RUN_STATES = ["open", "finished", "cancelled"] as const;
/** What becomes of a job. "waiting" also between two tries; "lost": its doubt is named in `exit` 4. */
export const JOB_STATES = [
  "waiting",
  "running",
  "passed",
  "failed",
  "flaky",
  "skipped",
  "cancelled",
] as const;
/** What becomes of an attempt. "lost": its workers died more often than allowed. */
export const ATTEMPT_STATES = ["queued", "active", "passed", "failed", "cancelled", "lost"] as const;
/** What became of an action that was claimed; null: nobody knows. */
export const CLAIM_OUTCOMES = ["done", "not_done"] as const;
/** What becomes of a worker. "ended": none of its processes is left, so that nothing of it can still act. */
export const WORKER_STATES = ["active", "draining", "ended"] as const;
/** What becomes of a work item. "failed": an application error; "rejected": a business error, never retried. */
export const ITEM_STATES = ["new", "in_progress", "done", "failed", "rejected", "cancelled"] as const;
