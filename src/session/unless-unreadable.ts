const UNREADABLE: ReadonlySet<unknown> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "EACCES",
  "EPERM",
  "ELOOP",
]);

/** What reading gave; undefined where there is nothing that we may read: one bad entry must not take away all applications. */
export function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && UNREADABLE.has(error.code)) return undefined;
    throw error;
  }
}
