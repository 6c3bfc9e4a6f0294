/** Where the content of files is kept until it may have to be written back. */
export interface FileStore {
  /** Keeps bytes and answers their name; durable before it answers. */
  put(bytes: Uint8Array): string;
  /** The bytes of a name. Throws `io` when they are not there, or are not what was kept. */
  get(name: string): Uint8Array;
}

/** What of declared files is kept at most. */
export interface FileLimits {
  /** Bytes of one file; default 16 MiB. */
  readonly file?: number;
  /** Bytes of all files of one declaration; default 64 MiB. */
  readonly all?: number;
  /** Files and folders of one declaration; default 2,000. */
  readonly count?: number;
}

/** A declared file or folder. */
export interface DeclaredFile {
  /** As the workflow writes it, for people. */
  readonly given: string;
  /** Absolute, and confined by whoever made it. */
  readonly path: string;
  readonly store: FileStore;
  /** Applications save late: on a desktop where nobody else is, what changed until the next action is the action's own. */
  readonly late: boolean;
  readonly limits?: FileLimits;
  /** As journals have it that were written before owner, attributes, times and links were looked at. */
  readonly plain?: boolean;
}
