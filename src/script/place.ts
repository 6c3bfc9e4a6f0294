import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import type { Place } from "../base/error.ts";

/** Where in a program a step is made: the nearest line of its file on the stack; its first where none is. */
export function callerIn(file: string): Place {
  const url = pathToFileURL(resolve(file)).href;
  const frame = (new Error().stack ?? "").split("\n").find((line) =>
    line.includes(url) || line.includes(file)
  );
  const [, line = "1", column = "1"] = /:(\d+):(\d+)\)?$/.exec(frame ?? "") ?? [];
  return { file, line: Number(line), column: Number(column) };
}
