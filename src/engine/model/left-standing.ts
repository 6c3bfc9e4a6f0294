/** What a step left standing. */
export interface LeftStanding {
  /** A digest of the windows. */
  readonly windows: string;
  /** The window of them that had the keyboard, by its id: the keys of an `undo:` are meant for that one. Undefined: none had it. */
  readonly front?: number | undefined;
}
