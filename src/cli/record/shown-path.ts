import { relative, resolve } from "node:path";

/** A file as a person would type it here: from the folder of the command where it lies in there. */
export function shownPath(file: string): string {
  const path = relative("", file);
  return path.startsWith("..") || path === "" ? resolve(file) : path;
}
