import { z } from "zod";
import type { ErrorJson, Json } from "../base/error.ts";
import { isMap } from "../base/json.ts";
import type { RunEvent, RunResult } from "../contract/events.ts";
import { UPDATE_MODES } from "../contract/baselines.ts";
import { EVIDENCE_MODES } from "../engine/evidence/mode.ts";
import { DesktopSettingsSchema } from "../session/settings/settings.ts";
import { Description } from "./description.ts";

const isJson = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** How a worker shows its desktop in a page. */
export const INSPECT_MODES = ["show", "hold"] as const;

/** One try of one file, as a worker is told to do it. */
export const Job = z.object({
  file: z.string(),
  /** The run's id. */
  run: z.string(),
  /** The state folder of the run; undefined: the user's own. */
  state: z.string(),
  /** "isolated", "attach", "simulated", or the id of a desktop that was kept; default: what the file says, else isolated. */
  session: z.string().optional(),
  mode: z.string().optional(),
  /** What a private desktop is to be like; each setting goes before the file's own. */
  desktop: DesktopSettingsSchema.optional(),
  app: z.string().optional(),
  root: z.string().optional(),
  vars: z.record(z.string(), z.string()),
  varsFile: z.string().optional(),
  /** The work item that the run is for. */
  item: z.custom<{ readonly [field: string]: Json }>(isJson).optional(),
  /** The name of the one of the file's cases that is meant. */
  case: z.string().optional(),
  /** When pictures and trees of each step are kept; default "on-failure". */
  evidence: z.enum(EVIDENCE_MODES).optional(),
  /** When baselines are written; default: what the environment says. */
  updateBaselines: z.enum(UPDATE_MODES).optional(),
  /** What locators that find nothing may have meant is tried, and patches are written. */
  heal: z.boolean().optional(),
  /** Milliseconds for the flow, instead of what the file says. */
  timeout: z.number().optional(),
  /** The folder that its paths are relative to; default: the runner's. */
  cwd: z.string().optional(),
  /** Actions that cannot be undone are asked for first: `claim`. */
  claims: z.boolean().optional(),
  /** Shows its desktop in a page; "hold": a person has taken over before its first act. */
  inspect: z.enum(INSPECT_MODES).optional(),
});
/** One try of one file, as a worker is told to do it. */
export type Job = Readonly<z.infer<typeof Job>>;

/** What of it is the same for many files. */
export type GivenJob = Omit<Job, "file" | "run" | "state" | "case" | "cwd" | "claims">;

const isFailure = (value: unknown) => isJson(value) && typeof value["message"] === "string";

/** What a worker is told, one JSON object a line on its standard input. Its end is "end", too. */
export const Order = z.discriminatedUnion("do", [
  z.object({ do: z.literal("describe"), file: z.string() }),
  z.object({ do: z.literal("run"), job: Job }),
  /** Stop what runs, and undo it. */
  z.object({ do: z.literal("stop") }),
  /** Stop undoing, too. */
  z.object({ do: z.literal("hard-stop") }),
  /** The answer to a `claim`: it may be done, unless there is an error. */
  z.object({ do: z.literal("claimed"), id: z.number(), error: z.custom<ErrorJson>(isFailure).optional() }),
  /** Say something: does it still listen? */
  z.object({ do: z.literal("ping") }),
  /** Close the desktop and go. */
  z.object({ do: z.literal("end") }),
]);
/** What a worker is told. */
export type Order = z.infer<typeof Order>;

const Failure = z.custom<ErrorJson>(isFailure);
const Reported = z.custom<RunEvent>((value) => isJson(value) && typeof value["event"] === "string");
const Result = z.custom<RunResult>((value) => isJson(value) && isMap(value["rollback"]));

/** What a worker says, one JSON object a line on a pipe of its own: what user code prints cannot get in between. */
export const Report = z.discriminatedUnion("say", [
  z.object({ say: z.literal("ready") }),
  z.object({ say: z.literal("described"), description: Description }),
  z.object({ say: z.literal("told"), event: Reported }),
  z.object({ say: z.literal("pong") }),
  z.object({ say: z.literal("ended"), result: Result }),
  /** What was asked could not be done: the file is faulty, there is no desktop. */
  z.object({ say: z.literal("failed"), error: Failure }),
  z.object({ say: z.literal("note"), message: z.string() }),
  /** An action that cannot be undone is about to be done: may it be? `claimed` is awaited. */
  z.object({
    say: z.literal("claim"),
    id: z.number(),
    claim: z.object({ path: z.string(), name: z.string(), doneWhen: z.boolean() }),
  }),
  /** What became of the last claim of a path. */
  z.object({
    say: z.literal("claim-finished"),
    path: z.string(),
    outcome: z.enum(["done", "failed", "unknown"]),
  }),
  /** Where its desktop is shown. The address is for the person alone: nothing writes it down. */
  z.object({ say: z.literal("shown"), url: z.string() }),
]);
/** What a worker says. */
export type Report = z.infer<typeof Report>;

/** The descriptor of a worker's own pipe. */
export const PIPE = 3;

/** Cuts what arrives on a pipe into lines. */
export class Lines {
  readonly #decoder = new TextDecoder();
  /** What has come of a line that is not whole: put together once, however long it gets. */
  #begun: string[] = [];

  /** The lines that are whole now. */
  push(bytes: Uint8Array): string[] {
    const [first = "", ...others] = this.#decoder.decode(bytes, { stream: true }).split("\n");
    this.#begun.push(first);
    const rest = others.pop();
    if (rest === undefined) return [];
    const lines = [this.#begun.join(""), ...others];
    this.#begun = [rest];
    return lines.filter((line) => line !== "");
  }
}
