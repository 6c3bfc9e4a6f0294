import { type Exception, NAMES, PHRASES } from "./rules.ts";

const used = new Set<Exception>();

/** Is it excepted in this file? Remembers that the exception is still needed. */
export function isExcepted(file: string, exceptions: readonly Exception[] = []): boolean {
  const found = exceptions.find(({ files }) => files.test(file));
  if (found) used.add(found);
  return found !== undefined;
}

/** Exceptions that no file needed: what they stood for is gone, and they hide what comes next. */
export function unusedExceptions(): string[] {
  return [...NAMES, ...PHRASES].flatMap(({ except = [] }) => except)
    .filter((one) => !used.has(one))
    .map(({ files, why }) =>
      `scripts/words/rules.ts: nothing needs the exception of ${files} (${why}): remove it`
    );
}
