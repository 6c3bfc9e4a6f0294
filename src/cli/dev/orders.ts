import process from "node:process";
import { createInterface } from "node:readline";
import type { Pace } from "./debugger.ts";

/** What a person, or a program, asks of a run that is steered. */
export type Order =
  | { readonly do: "go"; readonly pace: Pace }
  /** Before this step; undefined: before the one that was done last. */
  | { readonly do: "back"; readonly to: string | undefined }
  /** "end": nothing more will be typed; it ends once all that was typed is done. */
  | { readonly do: "steps" | "stop" | "again" | "undo" | "help" | "quit" | "end" | "nothing" }
  | { readonly do: "explain"; readonly selector: string }
  /** A step, as a file has it, beside the steps of the file. */
  | { readonly do: "try"; readonly step: string }
  /** Whether these two, and more, go on otherwise. */
  | { readonly do: "fork"; readonly at: string; readonly files: readonly string[] }
  | { readonly do: "match"; readonly selector: string };

/** What can be typed. */
export const HELP: readonly (readonly [string, string])[] = [
  ["step (s)", "do one step, and stop before the next, also one inside of it"],
  ["next (n)", "do one step with all that is inside of it"],
  ["continue (c)", "go on to the next breakpoint"],
  ["back [STEP] (b)", "roll the desktop back to before a step; default: the one that was done last"],
  ["again", "roll back to before the first step, and go on from there"],
  ["steps", "the steps that were done"],
  ["do STEP", "do a step beside those of the file: do click: 'button[name=\"Save\"]'"],
  ["undo", "undo what was done so"],
  ["explain SELECTOR", "whether an element can be used, and why not"],
  ["fork STEP FILE…", "go on from before a step on private desktops, one for each file"],
  ["stop", "stop the run where it is"],
  ["quit (q)", "end"],
  ["SELECTOR", "what a selector matches"],
];

/** What a line means. */
export function orderOf(line: string): Order {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? [];
  switch (word) {
    case "":
      return { do: "nothing" };
    case "s":
    case "step":
      return { do: "go", pace: "step" };
    case "n":
    case "next":
      return { do: "go", pace: "next" };
    case "c":
    case "continue":
      return { do: "go", pace: "continue" };
    case "b":
    case "back":
      return { do: "back", to: rest === "" ? undefined : rest };
    case "q":
    case "quit":
      return { do: "quit" };
    case "h":
    case "help":
      return { do: "help" };
    case "steps":
    case "stop":
    case "again":
    case "undo":
      return { do: word };
    case "explain":
      return { do: "explain", selector: rest };
    case "do":
      return { do: "try", step: rest };
    case "fork": {
      const [at = "", ...files] = rest.split(/\s+/);
      return { do: "fork", at, files };
    }
    default:
      return { do: "match", selector: line.trim() };
  }
}

/**
 * Hears lines of standard input. The end of a terminal's is the end of the run; of a program's it is where `ends` says so: one that
 * watches files needs no lines.
 */
export function hearLines(heard: (order: Order) => void, ends: boolean): () => void {
  const lines = createInterface({ input: process.stdin, terminal: false });
  let released = false;
  lines.on("line", (line) => heard(orderOf(line)));
  lines.on("close", () => {
    if (!released && (ends || process.stdin.isTTY === true)) heard({ do: "end" });
  });
  return () => {
    released = true;
    lines.close();
  };
}
