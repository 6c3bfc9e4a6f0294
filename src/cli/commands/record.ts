import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { BackstepError } from "../../base/error.ts";
import { defined } from "../../base/defined.ts";
import type { ActionStep, Recording } from "../../record/output/model.ts";
import type { RecorderOptions } from "../../record/recorder.ts";
import type { OnStep } from "../../record/steps.ts";
import type { Session } from "../../session/session.ts";
import { CLEAR_LINE } from "../../report/style.ts";
import { type Arguments, type Command, ON_A_DESKTOP } from "../command.ts";
import { DESKTOP_OPTIONS, settingsOf } from "../desktop-options.ts";
import type { Io } from "../io.ts";
import { interrupts } from "../signals.ts";
import { typed } from "../typed.ts";
import { modeOf, withSession } from "../with-session.ts";

/** `backstep record`. */
export const record: Command = {
  name: "record",
  summary: "Record what you do as a workflow",
  details: [
    "Watches keyboard, pointer and applications, and writes a step for each act: the element that was used, and what changed. " +
    "Texts are read from their fields, never from keys. What is typed into a password field is never read; the file asks " +
    "for a secret instead. A step that may be about another element has a comment that says so.",
    "Ctrl-C ends the recording and writes the file.",
  ],
  positionals: [],
  options: [
    {
      name: "app",
      kind: "string",
      value: "<name>",
      description: "The application of the steps; launched first on a new private desktop",
    },
    {
      name: "output",
      kind: "string",
      value: "<file>",
      description: "The workflow file to write; default recorded.yaml",
    },
    { name: "force", kind: "boolean", description: "Overwrite the file if it exists" },
    ...ON_A_DESKTOP,
    ...DESKTOP_OPTIONS,
  ],
  examples: [
    "backstep record --app gedit --output rename.yaml",
    "backstep record --session k7f2m9 --app gnome-calculator --output sum.yaml --force",
    "backstep record --app gedit --format json",
  ],
  async run(args, io) {
    const output = resolve(args.string("output") ?? "recorded.yaml");
    if (existsSync(output) && !args.boolean("force")) throw thereAlready(output);
    const app = args.string("app");
    const settings = settingsOf(record, args);
    const asked = interrupts(() => {});
    try {
      const choice = {
        session: args.string("session") ?? "attach",
        ...modeOf(args),
        ...defined({ app, settings }),
        signal: asked.stop,
      };
      return await withSession(choice, io, async (session) => {
        const { RecordedEvidence } = await import("../../heal/recorded.ts");
        const evidence = new RecordedEvidence();
        const recording = await recorded(session, args, io, asked.stop, evidence.onTarget);
        const { writeYaml } = await import("../../record/output/write-yaml.ts");
        const { catalogue } = await import("../../catalogue.ts");
        writeWhole(output, writeYaml(recording, catalogue));
        const { stateFolder } = await import("../../session/lease.ts");
        evidence.keep(stateFolder(), output, (message) => io.note(message));
        const { steps } = recording;
        io.json({
          what: "written",
          file: output,
          steps: steps.length,
          secrets: recording.settings.secrets ?? [],
        });
        io.text(`${io.style.bold(output)}: ${steps.length} steps\nRun it: ${typed(`run ${output}`)}\n`);
        return 0;
      });
    } finally {
      asked.release();
    }
  },
};

/** Records until somebody ends it. */
async function recorded(
  session: Session,
  args: Arguments,
  io: Io,
  stop: AbortSignal,
  onTarget: NonNullable<RecorderOptions["onTarget"]>,
): Promise<Recording> {
  const { Recorder } = await import("../../record/recorder.ts");
  const { recordInput } = await import("../../desktop/mode.ts");
  const app = args.string("app");
  const name = basename(args.string("output") ?? "recorded.yaml").replace(/\.ya?ml$/, "");
  const inputs = await recordInput(session.desktop, { signal: stop });
  const { onStep, end } = shown(io);
  const recorder = await Recorder.start(session, inputs, { name, ...defined({ app }), onStep, onTarget });
  io.aside("recording; Ctrl-C ends it");
  io.json({ what: "recording", session: session.label });
  const finished = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    await Promise.race([finished, recorder.failed]);
  } catch (error) {
    await recorder.stop();
    throw error;
  }
  const recording = await recorder.stop();
  end();
  return recording;
}

/** Tells each step: live on a terminal, where the last one may still become another; else once it stays as it is. */
function shown(io: Io): { readonly onStep: OnStep; readonly end: () => void } {
  let last: string | undefined;
  const end = () => {
    if (last !== undefined) io.text(io.live ? "\n" : `${last}\n`);
    last = undefined;
  };
  const onStep: OnStep = (step, replaces) => {
    io.json({ what: "step", replaces, ...defined({ step }) });
    if (!replaces) end();
    last = step && lineOf(step);
    if (io.live) io.text(`${CLEAR_LINE}${last === undefined ? "" : fit(last, io.columns)}`);
  };
  return { onStep, end };
}

function lineOf({ operation, input, confidence = 1 }: ActionStep): string {
  const { target, into, ...more } = input;
  const what = target ?? into;
  const element = typeof what === "string"
    ? ` ${what}`
    : what === undefined
    ? ""
    : ` ${JSON.stringify(what)}`;
  const rest = Object.keys(more).length === 0 ? "" : ` ${JSON.stringify(more)}`;
  return `${operation}${element}${rest}${confidence < 1 ? "  (not sure)" : ""}`;
}

/** A line as far as the terminal is wide. */
function fit(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(1, columns - 2))}…`;
}

function thereAlready(file: string): BackstepError {
  return new BackstepError("refused", `Cannot record into ${file}: it exists`, {
    hint: "Give another --output, or --force to overwrite it.",
    details: { file },
  });
}

/** Writes a file whole or not at all. */
function writeWhole(file: string, text: string): void {
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}`);
  try {
    writeFileSync(beside, text, { mode: 0o600 });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new BackstepError("refused", `Cannot write ${file}`, { cause: error });
  }
}
