/** One stop of the focus on its way. */
export interface Stop {
  /** Object path of the element that had it; undefined: nothing that the tree tells. */
  readonly path: string | undefined;
}

/** Where the focus went when Tab was pressed again and again, and Shift+Tab after that. */
export interface Walk {
  /** Where it was before. */
  readonly start: Stop;
  /** With Tab, from where it was; the first stop is where it went first. */
  readonly forward: readonly Stop[];
  /** With Shift+Tab, from the last stop. */
  readonly backward: readonly Stop[];
  /** The way came back to its first stop: everything that Tab reaches was seen. */
  readonly round: boolean;
}
