import type { Json } from "../../base/error.ts";
import type { Encryption } from "./encryption.ts";
import { PastRun } from "./past-run.ts";

/** What a run was given: its workflow file, and the values of its variables without secrets. Throws `io`; see `PastRun`. */
export function runContent(
  folder: string,
  encryption: Encryption,
): { readonly file: string; readonly vars: Readonly<Record<string, Json>> } {
  const { head, given } = new PastRun(folder, encryption);
  return { file: head.file, vars: given.vars };
}
