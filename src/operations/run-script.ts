import process from "node:process";
import { z } from "zod";
import { BackstepError } from "../base/error.ts";
import { defineOperation } from "../contract/operation.ts";
import { findProgram } from "../session/programs.ts";
import { WRITES } from "../contract/effect.ts";
import { Duration, milliseconds } from "./duration.ts";
import { runScript } from "./script-process.ts";

/** What `osascript` calls them. */
const LANGUAGES = { applescript: "AppleScript", jxa: "JavaScript" } as const;
/** Characters of what a failed script said that an error keeps. */
const SAID = 500;

/** Runs AppleScript or JavaScript for Automation. */
export const runScriptOperation = defineOperation({
  name: "run-script",
  title: "Run AppleScript or JavaScript for Automation",
  description:
    "Runs a script of the Open Scripting Architecture with `osascript`, which macOS has, and returns " +
    "its output. Its effect is not known beforehand, and it may reach beyond the desktop.",
  input: z.strictObject({
    script: z.string().min(1).max(1_000_000).describe("The source."),
    language: z.enum(["applescript", "jxa"]).optional().describe("Default applescript."),
    timeout_ms: Duration.optional().describe("How long it may take; default 10 s. Then it is ended."),
  }),
  output: z.strictObject({
    output: z.string().describe("What it printed, without the last line break."),
    language: z.enum(["applescript", "jxa"]),
    cut: z.boolean().describe("It printed more than 1 MiB."),
  }),
  hints: { ...WRITES, openWorld: true },
  traits: { runsCode: true },
  timeout: 610_000,
  views: {
    yaml: { verb: "run_script", scalar: (script) => ({ script: String(script) }) },
    cli: {
      command: "run-script",
      positionals: [{ property: "script", description: "The source", required: true, rest: true }],
      options: [
        { property: "language", description: "applescript (default) or jxa" },
        {
          property: "timeout_ms",
          name: "timeout",
          kind: "time",
          description: "How long it may take; default 10s",
        },
      ],
      examples: [`backstep run-script 'tell application "Finder" to get name of every disk'`],
      toText: ({ output }) => output,
    },
  },
  resolve() {
    const program = findProgram("osascript", process.env["PATH"] ?? "");
    if (program !== undefined) return Promise.resolve(program);
    throw new BackstepError(
      "missing",
      "Cannot run the script: AppleScript and JXA exist on macOS only, and there is no osascript here",
      {
        hint: "Use the operations that work on every platform.",
        details: { script: true, program: "osascript" },
      },
    );
  },
  effect: () => "irreversible",
  reaches: ({ script, language = "applescript", timeout_ms }) => [{
    by: "script",
    script,
    language,
    timeout: timeout_ms === undefined ? undefined : milliseconds(timeout_ms),
  }],
  subject: ({ language = "applescript" }) => `a script in ${LANGUAGES[language]}`,
  async act({ deadline, progress }, { script, language = "applescript", timeout_ms = 10_000 }, program) {
    const limit = milliseconds(timeout_ms);
    progress("Executing");
    const args = ["-l", LANGUAGES[language], "-"];
    const { stdout, stderr, code, cut } = await runScript(program, args, script, deadline.within(limit));
    if (code !== 0) {
      const said = stderr.trim().slice(0, SAID);
      throw new BackstepError(
        "refused",
        `Cannot run the script: ${said === "" ? `it ended with ${code ?? "a signal"}` : said}`,
        { details: { script: true, code: code ?? -1, outcome: "unknown" } },
      );
    }
    return { output: stdout.replace(/\r?\n$/, ""), language, cut };
  },
});
