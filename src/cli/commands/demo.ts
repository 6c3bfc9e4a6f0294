import process from "node:process";
import { fileURLToPath } from "node:url";
import { toBackstepError } from "../../base/error.ts";
import { readArguments, usage } from "../arguments.ts";
import type { Arguments, Command } from "../command.ts";
import type { Io } from "../io.ts";
import { typed } from "../typed.ts";
import { run } from "./run.ts";

/** `backstep demo`. */
export const demo: Command = {
  name: "demo",
  summary: "Run a workflow that passes, and one that fails and rolls itself back",
  details: [
    "Without --session on a private desktop with real applications where this machine has what that takes, else on the " +
    "simulated one; it says which, and why.",
  ],
  positionals: [],
  options: [{
    name: "session",
    kind: "string",
    value: "<kind>",
    choices: ["isolated", "simulated"],
    description: "Which desktop: isolated (a new private one with real applications) or simulated",
  }],
  examples: ["backstep demo", "backstep demo --session simulated"],
  run: show,
};

/** A workflow, how it is to end, and what to know beforehand. */
interface Act {
  readonly file: string;
  readonly exit: number;
  readonly intro: string;
}

const ACTS: Readonly<Record<"isolated" | "simulated", readonly Act[]>> = {
  isolated: [
    {
      file: "workflows/calculator.yaml",
      exit: 0,
      intro:
        `First a workflow that passes. Backstep starts a desktop of its own, which you cannot see and which cannot touch
yours, launches the GNOME calculator on it, presses its buttons through the accessibility tree, and reads the result.`,
    },
    {
      file: "workflows/form-rollback.yaml",
      exit: 1,
      intro:
        `Now one that is made to fail. It fills a GTK form inside a transaction, and its last step asks for a button that
does not exist. What the steps before it changed is rolled back, in reverse; "restored" is said only of what was
read back from the application and is as it was before.`,
    },
  ],
  simulated: [
    {
      file: "workflows/simulated/calculator.yaml",
      exit: 0,
      intro:
        `First a workflow that passes. It presses the buttons of a calculator on a desktop that is in memory only, and
reads the result.`,
    },
    {
      file: "workflows/simulated/settings-rollback.yaml",
      exit: 1,
      intro:
        `Now one that is made to fail. It fills a form inside a transaction, and its last step asks for a button that does
not exist. What the steps before it changed is rolled back, in reverse; "restored" is said only of what was read
back and is as it was before.`,
    },
  ],
};

async function show(args: Arguments, io: Io): Promise<number> {
  if (io.format === "json") {
    throw usage(demo, "it prints no JSON", "Its workflows do: backstep run --format json");
  }
  const began = performance.now();
  const session = await chosen(args.string("session"), io);
  for (const { file, exit, intro } of ACTS[session]) {
    io.text(`${intro}\n\n$ backstep run ${file}\n`);
    const path = fileURLToPath(new URL(`../../../${file}`, import.meta.url));
    const got = await run.run(readArguments(run, [path, "--session", session]), io);
    io.text("\n");
    if (got === exit) continue;
    io.note(`Unexpected: ${file} ended with ${got}, not with ${exit}. \`${typed("check")}\` may say why.`);
    return got === 130 ? 130 : 1;
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  io.text(
    `Both went as they should, in ${seconds} s: the first passed, the second failed and left the application as it ` +
      `found it.\n\`${typed("init")}\` writes a first workflow of your own.\n`,
  );
  return 0;
}

async function chosen(asked: string | undefined, io: Io): Promise<"isolated" | "simulated"> {
  if (asked === "isolated" || asked === "simulated") return asked;
  const missing = await whatIsMissing();
  if (missing === undefined) return "isolated";
  io.text(
    `${missing.message}.${missing.hint === undefined ? "" : `\n${missing.hint}`}\n` +
      `So this runs on the simulated desktop; \`${typed("check")}\` says what real applications need.\n\n`,
  );
  return "simulated";
}

/** The first thing that a private desktop with these two applications lacks here. */
async function whatIsMissing(): Promise<{ message: string; hint?: string | undefined } | undefined> {
  const { findProgram, programOf } = await import("../../session/programs.ts");
  const { loadLibrary } = await import("../../ffi/library.ts");
  const path = process.env["PATH"] ?? "";
  try {
    for (const part of ["xvfb", "bus", "accessibility", "openbox"] as const) programOf(part, path);
    (await loadLibrary()).unload();
  } catch (thrown) {
    const error = toBackstepError(thrown);
    if (error.code !== "missing") throw error;
    return { message: error.message, hint: error.hint };
  }
  for (
    const [program, brings] of [["gnome-calculator", "gnome-calculator"], [
      "gtk3-widget-factory",
      "gtk-3-examples",
    ]]
  ) {
    if (program !== undefined && findProgram(program, path) === undefined) {
      return {
        message: `The application ${program} is not installed`,
        hint: `Install it: apt-get install ${brings}`,
      };
    }
  }
  return undefined;
}
