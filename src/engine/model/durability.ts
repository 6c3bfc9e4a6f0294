/** Which lines of a journal a run waits for until they are on the disk. */
export type Durability =
  | "barriers" // those before an action that outlives a power cut: irreversible ones, and all where `files:` are declared
  | "full"; // each, before what it announces
