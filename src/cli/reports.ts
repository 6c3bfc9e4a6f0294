import { REPORTERS } from "../report/tests/reporters.ts";
import type { Arguments, Command } from "./command.ts";
import type { Io } from "./io.ts";

/** Options of every command that writes reports of test runs. */
export const ON_REPORTS: Command["options"] = [
  {
    name: "reporter",
    kind: "string",
    value: "<names>",
    multiple: true,
    suggests: REPORTERS,
    description:
      "Reporters, separated by commas: list (default), line, dot, github; into files: json, junit, " +
      "html, blob; with a path: junit=out/junit.xml",
  },
  {
    name: "output",
    kind: "string",
    value: "<folder>",
    description: "Folder for reports without a path; default: test-results",
  },
];

/** `--reporter list,junit=out.xml`, however often. */
export function reporterWords(args: Arguments): string[] {
  const words = args.strings("reporter").flatMap((one) => one.split(",").map((word) => word.trim()));
  return words.length === 0 ? ["list"] : [...new Set(words)];
}

/** Standard output, as reports write to it. */
export function terminalOf(io: Io) {
  return {
    write: (text: string) => io.text(text),
    terminal: io.terminal,
    live: io.live && io.format === "text",
    get columns() {
      return io.columns;
    },
  };
}
