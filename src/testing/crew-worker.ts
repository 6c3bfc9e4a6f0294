import { join } from "node:path";
import { env } from "node:process";
import { type ErrorJson, toBackstepError } from "../base/error.ts";
import { defined } from "../base/defined.ts";
import { BUDGETS } from "../engine/model/budgets.ts";
import type { Claims } from "../engine/run/claims.ts";
import { Mask } from "../engine/secrets/mask.ts";
import { readSecretFile } from "../engine/secrets/secret-file.ts";
import { newRunId } from "../engine/run/run-id.ts";
import type { TestEvent, TestTry, TestTryResult } from "../report/reporter.ts";
import { stateFolder } from "../session/lease.ts";
import type { Description } from "./description.ts";
import { judge } from "./judge.ts";
import { exitOfError } from "./results.ts";
import type { Selected } from "./select.ts";
import { PATIENCE, type Patience, WorkerProcess } from "./worker-process.ts";
import type { GivenJob } from "./wire.ts";

/** Milliseconds of a file whose desktop is shown: a day. */
const INSPECTED = 86_400_000;

/** What every place in the crew works with. */
export interface WorkerOptions {
  /** What the run of a file is given that brings nothing of its own. */
  readonly job: GivenJob;
  readonly state: string;
  readonly listener: (event: TestEvent) => void;
  readonly signal?: AbortSignal;
  readonly hardStop?: AbortSignal;
  readonly patience?: Partial<Patience>;
  /** Told where a worker shows its desktop. */
  readonly shown?: (worker: number, url: string) => void;
  /** Told that there is another process, before it is given anything to do. */
  readonly started?: () => void;
}

/** What one try is given beside its file. */
export interface TryOptions {
  /** The folder that the file's path is relative to; default: this process's. */
  readonly cwd?: string;
  /** Allows actions that cannot be undone; default: all are. */
  readonly claims?: Claims;
}

/** One place in the crew: a process, and the next one when that is gone. */
export class Worker {
  readonly #number: number;
  readonly #options: WorkerOptions;
  #process: WorkerProcess | undefined;

  constructor(number: number, options: WorkerOptions) {
    this.#number = number;
    this.#options = options;
    options.signal?.addEventListener("abort", this.#stop);
    options.hardStop?.addEventListener("abort", this.#hardStop);
  }

  readonly #stop = () => this.#process?.stop();
  readonly #hardStop = () => this.#process?.hardStop();

  /** Stops what runs, and rolls it back; the next file may run. */
  stop(): void {
    this.#process?.stop();
  }

  /** Its process, while there is one. */
  get pid(): number | undefined {
    return this.#process?.over === false ? this.#process.pid : undefined;
  }

  async end(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#stop);
    this.#options.hardStop?.removeEventListener("abort", this.#hardStop);
    await this.#process?.end();
  }

  /** One try of a file. It rejects for nothing that the file does. */
  async run(file: Selected, attempt: number, { cwd, claims }: TryOptions = {}): Promise<TestTryResult> {
    const { listener, patience, signal, shown } = this.#options;
    const given = file.job ?? this.#options.job;
    const session = given.session ?? file.description?.session ?? "isolated";
    const own = session === "isolated" || session === "simulated";
    // What is left on a desktop that stays is found by `backstep recover`.
    const state = own ? this.#options.state : stateFolder();
    const run = newRunId();
    const tag: TestTry = {
      test: file.id,
      file: file.file,
      attempt,
      worker: this.#number,
      run,
      folder: join(state, "runs", run),
      state,
    };
    const began = Date.now();
    const started = performance.now();
    listener({ event: "try-started", ...tag, at: began });
    if (!this.#process || this.#process.over) {
      this.#process = new WorkerProcess({
        patience: { ...PATIENCE, ...patience },
        note: (message) => listener({ event: "tests-note", level: "warning", message }),
        ...(shown ? { shown: (url: string) => shown(this.#number, url) } : {}),
      });
      this.#options.started?.();
    }
    const process = this.#process;
    // Who looks on may take over, for as long as they like.
    const timeout = given.inspect === undefined
      ? given.timeout ?? file.description?.timeout ?? BUDGETS.flow
      : INSPECTED;
    const outcome = await process.run(
      {
        ...given,
        file: file.file,
        run,
        state,
        ...defined({ case: file.case, cwd }),
        ...(claims ? { claims: true } : {}),
        ...(given.inspect === undefined ? {} : { timeout }),
      },
      timeout,
      (reported) => {
        listener({ event: "run", ...tag, at: Date.now(), reported });
      },
      claims,
    );
    // What a file's own code prints or throws went past the run, which masks all else.
    const mask = new Mask(declaredSecrets(file.description));
    const printed = mask.text(process.printed());
    const said = { ...tag, began, ...(printed === "" ? {} : { printed }) };
    const duration_ms = Math.round(performance.now() - started);
    if (outcome.kind === "ended") {
      return { ...said, ...judge(file.file, outcome.result), duration_ms, result: outcome.result };
    }
    const error = mask.apply<ErrorJson>(outcome.error);
    const exit = outcome.kind === "lost" ? 4 : exitOfError(error);
    const status = signal?.aborted && exit === 130 ? "cancelled" : "failed";
    return { ...said, status, exit, duration_ms, error };
  }
}

/** What a file's secrets hold, as far as that is known outside of its run. */
function declaredSecrets(description: Description | undefined): string[] {
  if (!description) return [];
  const { secrets, secretSources = {} } = description;
  return secrets.flatMap((name) => {
    const source = secretSources[name] ?? { env: name };
    if ("env" in source) return env[source.env] ?? [];
    if ("prompt" in source) return [];
    try {
      return [readSecretFile(name, source.file)];
    } catch (thrown) {
      if (toBackstepError(thrown).code !== "usage") throw thrown;
      return []; // the run has said so itself
    }
  });
}
