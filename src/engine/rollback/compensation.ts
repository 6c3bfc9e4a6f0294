/** What came of an opposite action, or why it was not done. */
export type Compensation =
  | { readonly verdict: "compensated"; readonly method: string }
  | { readonly verdict: "already" | "conflict" | "unknown"; readonly reason: string };
