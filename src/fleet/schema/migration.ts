/** One step of the schema: applied once, in the order of the numbers, each in a transaction of its own. */
export interface Migration {
  readonly number: number;
  /** What it is about, for people. */
  readonly name: string;
  /** Statements; the search path is the fleet's schema. */
  readonly sql: string;
}
