import { z } from "zod";
import { BackstepError, type ErrorJson, toBackstepError } from "../../../base/error.ts";
import { defined } from "../../../base/defined.ts";
import type { Part } from "../../../inspect/routes.ts";
import { question } from "../../../inspect/routes.ts";
import type { TestEvent, TestSummary } from "../../../report/reporter.ts";
import type { Selected } from "../../../testing/select.ts";
import type { Io } from "../../io.ts";

/** A file as the page lists it. */
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly status?: string;
  readonly ms?: number;
  readonly error?: Pick<ErrorJson, "message" | "hint">;
}

/** Runs some of the files; answers when they are over. */
export type RunFiles = (
  files: readonly Selected[],
  reported: {
    readonly listener: (event: TestEvent) => void;
    readonly shown: (worker: number, url: string) => void;
    readonly signal: AbortSignal;
  },
) => Promise<TestSummary>;

const Ids = z.object({ ids: z.array(z.string()).max(10_000) });

/** The files of a test run in a page: which ran, how they ended, running them again. */
export class SuitePart implements Part {
  readonly #files: readonly Selected[];
  readonly #run: RunFiles;
  readonly #outcomes = new Map<string, Omit<Listed, "id" | "name">>();
  readonly #workers = new Map<number, string>();
  readonly #failed: (thrown: unknown) => void;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  /** Tells every page. */
  tell: (event: string, data: unknown) => void = () => {};

  constructor(files: readonly Selected[], run: RunFiles, failed: (thrown: unknown) => void) {
    this.#files = files;
    this.#run = run;
    this.#failed = failed;
  }

  readonly questions = {
    "suite-run": question(Ids, ({ ids }) => this.#start(new Set(ids))),
    "suite-stop": () => this.#running?.stop.abort(new Error("stopped in the page")),
  };

  hello() {
    return { suite: this.#state() };
  }

  /** Stops what runs, and waits until it is rolled back. */
  async close(): Promise<void> {
    this.#running?.stop.abort(new Error("the page is closed"));
    await this.#running?.done;
  }

  #start(ids: ReadonlySet<string>): void {
    if (this.#running) {
      throw new BackstepError("refused", "Cannot run these files: others run now", {
        hint: "Stop them first.",
      });
    }
    const files = this.#files.filter(({ id }) => ids.has(id));
    if (files.length === 0) {
      throw new BackstepError("not_found", "Cannot run these files: there is none of that name");
    }
    for (const { id } of files) this.#outcomes.delete(id);
    const stop = new AbortController();
    const done = this.#run(files, {
      listener: (event) => this.#heard(event),
      shown: (worker, url) => {
        this.#workers.set(worker, url);
        this.#report();
      },
      signal: stop.signal,
    }).then(() => {}, this.#failed).finally(() => {
      this.#running = undefined;
      this.#workers.clear();
      this.#report();
    });
    this.#running = { stop, done };
    this.#report();
  }

  #heard(event: TestEvent): void {
    if (event.event === "try-started") this.#outcomes.set(event.test, { status: "running" });
    else if (event.event === "file-finished") {
      const { id, status, duration_ms, error, tries } = event.result;
      const why = error ?? tries.at(-1)?.error;
      this.#outcomes.set(id, {
        status,
        ms: duration_ms,
        ...(why === undefined || status === "passed"
          ? {}
          : { error: { message: why.message, ...defined({ hint: why.hint }) } }),
      });
    } else return;
    this.#report();
  }

  #report(): void {
    this.tell("suite", this.#state());
  }

  #state() {
    return {
      running: this.#running !== undefined,
      workers: [...this.#workers].map(([worker, url]) => ({ worker, url })),
      files: this.#files.map(({ id, file, description, error, reason }): Listed => ({
        id,
        name: description?.name ?? file,
        ...(error === undefined ? {} : { status: "failed", error }),
        ...(reason === undefined ? {} : { status: "skipped", error: { message: reason } }),
        ...this.#outcomes.get(id),
      })),
    };
  }
}

/** `backstep test --ui`: the page, until the command is ended. */
export async function suitePage(
  files: readonly Selected[],
  run: RunFiles,
  io: Io,
  stop: AbortSignal,
): Promise<number> {
  const { DeskPage } = await import("../../../inspect/desk-page.ts");
  const { StoredRuns } = await import("../../../inspect/stored-runs.ts");
  const suite = new SuitePart(files, run, (thrown) => io.note(toBackstepError(thrown).message));
  const page = await DeskPage.open([suite, new StoredRuns(undefined)]);
  suite.tell = (event, data) => page.tell(event, data);
  try {
    io.json({ what: "ready", url: page.url, files: files.length });
    io.text(`${page.url}\n`);
    io.aside("Open this address in a browser on this machine. Ctrl-C ends it.");
    await new Promise<void>((done) => {
      if (stop.aborted) done();
      stop.addEventListener("abort", () => done(), { once: true });
    });
  } finally {
    await suite.close();
    await page.close();
  }
  return 0;
}
