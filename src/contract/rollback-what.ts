/** The word before an action in `what` of a rollback's step, on disk and in JSON: it tells actions from participants. */
export const ACTION = "deed ";

/** Is it about an action, and not about a participant? */
export function isActionWhat(what: string): boolean {
  return what.startsWith(ACTION);
}

/** For people: `click button "Save"`, `text of textfield "Name"`. */
export function whatText(what: string): string {
  return isActionWhat(what) ? what.slice(ACTION.length) : what;
}
