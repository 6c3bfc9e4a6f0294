/**
 * One process, beyond doubt: the kernel hands a pid out again, but never with the same start time. `start` is in clock
 * ticks since the machine booted (field 22 of `/proc/<pid>/stat`); on macOS in seconds since 1970.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: number;
}

/** What `/proc/<pid>/stat` says of a process. */
export interface ProcessStat extends ProcessIdentity {
  /** The first 15 bytes of its program's name. */
  readonly command: string;
  /** "R", "S", "Z" (dead and not yet waited for)… */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** It runs none of its program any more: the kernel is closing what it had open, one after another. */
  readonly exiting: boolean;
}
