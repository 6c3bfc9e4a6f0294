import { readFileSync } from "node:fs";
import { z } from "zod";
import { BackstepError, type ErrorJson, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import type { WentBack } from "../contract/events.ts";
import type { Branch, Fork } from "../engine/interactive/fork.ts";
import type { InteractiveRun } from "../engine/interactive/interactive-run.ts";
import type { FileNow } from "../engine/interactive/steering.ts";
import type { Step } from "../engine/model/step.ts";
import type { Desktop } from "../desktop/desktop.ts";
import type { Session } from "../session/session.ts";
import { type Part, question } from "./routes.ts";

/** Alternatives that one fork may have. */
const MOST_BRANCHES = 6;

const Path = z.object({ path: z.string().max(200) });
const Forking = Path.extend({
  branches: z.array(z.object({ name: z.string().max(80), text: z.string().max(500_000) })).min(1).max(
    MOST_BRANCHES,
  ),
});

/** A run whose desktop stays, and how its file and further desktops are had. */
export interface TravelOptions {
  readonly run: InteractiveRun;
  /** Reads the file as it is now. Throws `workflow`. */
  readonly load: () => Promise<FileNow>;
  /** Reads a text as if it stood in the place of the file. Throws `workflow`. */
  readonly read: (text: string) => FileNow;
  /** A private desktop for a branch. */
  readonly open: () => Promise<Session>;
  /** The desktop was replaced: another one is to be shown. */
  readonly replaced: () => Promise<void>;
}

/** A step in the page. */
interface ShownStep {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  /** "next" is where it stands; "ahead" was not reached. */
  readonly status: "passed" | "failed" | "skipped" | "next" | "ahead";
  readonly effect?: string;
  readonly ms?: number;
  readonly error?: ErrorJson;
}

/** The steps of a run in a page: going on, one step or all; going back on the real desktop; forks. */
export class Travel implements Part {
  readonly #options: TravelOptions;
  #running: AbortController | undefined;
  #doing = "";
  #went: WentBack | undefined;
  #error: ErrorJson | undefined;
  #forks: readonly {
    readonly name: string;
    readonly status: string;
    readonly steps: number;
    readonly error?: ErrorJson;
    readonly differs: readonly string[];
  }[] = [];
  #desktop: Desktop;
  /** Tells every page. */
  tell: (event: string, data: unknown) => void = () => {};

  constructor(options: TravelOptions) {
    this.#options = options;
    this.#desktop = options.run.session.desktop;
  }

  readonly questions = {
    "travel-on": () => this.#do("going on", (signal) => this.#options.run.goOn({ signal })),
    "travel-step": () => this.#do("one step", (signal) => this.#oneStep(signal)),
    "travel-until": question(
      Path,
      ({ path }) => this.#do(`to step ${path}`, (signal) => this.#options.run.goOn({ until: path, signal })),
    ),
    "travel-back": question(Path, ({ path }) =>
      this.#do(`back to step ${path}`, async (signal) => {
        this.#went = await this.#options.run.goBack(path, { signal });
      })),
    "travel-reload": () =>
      this.#do("the file anew", async (signal) => {
        await this.#options.run.goOn({ file: await this.#options.load(), signal });
      }),
    "travel-stop": () => this.#running?.abort(new Error("stopped in the page")),
    "travel-fork": question(
      Forking,
      ({ path, branches }) => this.#do(`a fork at step ${path}`, () => this.#fork(path, branches)),
    ),
  };

  hello() {
    return { travel: this.#state() };
  }

  /** Stops what is under way. */
  close(): void {
    this.#running?.abort(new Error("the inspector is closed"));
  }

  async #oneStep(signal: AbortSignal): Promise<void> {
    let done = 0;
    await this.#options.run.goOn({ signal, asked: () => Promise.resolve(done++ === 0 ? "go" : "stop") });
  }

  async #do(doing: string, action: (signal: AbortSignal) => Promise<unknown>) {
    if (this.#running) {
      throw new BackstepError("refused", `Cannot begin ${doing}: ${this.#doing} is under way`, {
        hint: "Stop it first.",
      });
    }
    const running = this.#running = new AbortController();
    this.#doing = doing;
    this.#went = undefined;
    this.#error = undefined;
    this.#report();
    try {
      await action(running.signal);
      this.#went ??= this.#options.run.stop?.went;
    } catch (thrown) {
      this.#error = toBackstepError(thrown).toJSON();
    } finally {
      this.#running = undefined;
      this.#doing = "";
    }
    const { desktop } = this.#options.run.session;
    if (desktop !== this.#desktop) {
      this.#desktop = desktop;
      await this.#options.replaced();
    }
    return this.#report();
  }

  async #fork(
    path: string,
    branches: readonly { readonly name: string; readonly text: string }[],
  ): Promise<void> {
    const { run, read, open } = this.#options;
    this.#forks = [];
    const asked = branches.map(({ name, text }): Branch => ({ name, file: read(text), open }));
    const forks = await run.fork(path, asked);
    try {
      this.#forks = forks.map(({ name, stop, error, drift, interactive }) => ({
        name,
        status: stop?.why === "end" ? "passed" : "failed",
        steps: interactive?.steps.length ?? 0,
        ...(error ? { error: error.toJSON() } : {}),
        differs: drift.map(({ participant }) => participant).slice(0, 5),
      }));
    } finally {
      for (const fork of forks) await finish(fork);
    }
  }

  #report() {
    const state = this.#state();
    this.tell("travel", state);
    return state;
  }

  #state() {
    const { run } = this.#options;
    const { stop } = run;
    const text = textOf(run.file.workflow.file);
    return {
      file: run.file.workflow.file,
      text,
      doing: this.#doing,
      at: stop?.next?.path ?? null,
      why: stop?.why ?? null,
      went: this.#went ?? null,
      error: this.#error ?? stop?.error?.toJSON() ?? null,
      steps: this.#steps(text.split("\n")),
      forks: this.#forks,
    };
  }

  /** Those that it has reached, and those of the file that it has not. */
  #steps(lines: readonly string[]): ShownStep[] {
    const { run } = this.#options;
    const { stop } = run;
    const reached = run.steps.map(({ path, name, place, result }): ShownStep => ({
      path,
      name,
      line: place.line,
      status: path === stop?.next?.path
        ? stop.why === "failed" ? "failed" : "next"
        : result?.status ?? "passed",
      ...(result ? { effect: result.effect, ms: result.duration_ms } : {}),
      ...defined({ error: result?.error }),
    }));
    const existing = new Set(reached.map(({ path }) => path));
    const { before, steps } = run.file.workflow;
    const all = [
      ...before.map((step, k) => [`before.${k + 1}`, step] as const),
      ...steps.map((step, k) => [`${k + 1}`, step] as const),
    ];
    const ahead = all.filter(([path]) => !existing.has(path)).map(([path, step]): ShownStep => ({
      path,
      name: nameOf(step, lines),
      line: step.place.line,
      status: path === stop?.next?.path || (stop === undefined && path === all[0]?.[0]) ? "next" : "ahead",
    }));
    return [...reached, ...ahead];
  }
}

/** What a step that was not reached is called: its own name, or its line of the file. */
function nameOf(step: Step, lines: readonly string[]): string {
  if (step.name !== undefined) return step.name;
  const line = lines[step.place.line - 1]?.trim().replace(/^- /, "").slice(0, 120) ?? "";
  if (line !== "") return line;
  return step.kind === "operation" ? step.operation : step.kind.replaceAll("_", " ");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    // It may be written anew just now: the next notice has it.
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return "";
    throw thrown;
  }
}

async function finish({ interactive, session }: Fork<InteractiveRun>): Promise<void> {
  try {
    await interactive?.end();
  } finally {
    await session?.close();
  }
}
