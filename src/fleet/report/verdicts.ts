/** Verdicts of rollbacks that runs are searched by. */
export const VERDICTS = ["none", "restored", "rebuilt", "drift", "failed"] as const;
