import { z } from "zod";
import { cut, pad } from "../../report/layout.ts";
import type { Output } from "../../report/list.ts";
import type { Reporter, TestEvent, TestStatus, TestSummary } from "../../report/reporter.ts";
import { CLEAR_LINE, clearLines, duration, oneLine, type Style } from "../../report/style.ts";
import { endingLines, painted, reasonLines, SIGN, wordOf } from "../../report/tests/ending.ts";
import type { Fleet } from "../queue/fleet.ts";

const Row = z.object({
  name: z.string(),
  host: z.string(),
  slot: z.number(),
  test: z.object({ id: z.string() }),
  took: z.number(),
});
/** A desktop of a worker, and the file of a run that it does. */
export type BusyDesktop = z.infer<typeof Row>;

/** What each desktop does of a run now, with the milliseconds since it began. */
export async function busyDesktops({ database }: Fleet, run: string): Promise<BusyDesktop[]> {
  return await database.rows(
    Row,
    `select worker.name, worker.host, attempt.slot, job.test,
       (extract(epoch from now() - attempt.began_at) * 1000)::int as took
     from attempt join job on job.id = attempt.job join worker on worker.id = attempt.worker
     where job.run = $1 and attempt.state = 'active' order by worker.host, worker.name, attempt.slot`,
    [run],
  );
}

/** Lines of desktops at most: what is more is counted. */
const MOST = 20;

/**
 * The progress of a fleet's run on a terminal: how many files are over, and below it every worker's desktop with its file and
 * step. What is not as it should be stands above, as it comes.
 */
export class Board implements Reporter {
  readonly #output: Output;
  readonly #style: Style;
  /** By file: the step that runs. */
  readonly #steps = new Map<string, string>();
  readonly #counts: Record<TestStatus, number> = { passed: 0, failed: 0, flaky: 0, skipped: 0 };
  #all = 0;
  #busy: readonly BusyDesktop[] = [];
  /** Lines that stand below the cursor's first one. */
  #drawn = 0;

  constructor(output: Output, style: Style) {
    this.#output = output;
    this.#style = style;
  }

  /** Shows what each desktop does now. */
  show(busy: readonly BusyDesktop[]): void {
    this.#busy = busy;
    this.#draw();
  }

  event(event: TestEvent): void {
    switch (event.event) {
      case "tests-started":
        this.#all = event.files.length;
        return;
      case "run":
        if (event.reported.event !== "step-started") return;
        this.#steps.set(event.test, `${event.reported.path} ${event.reported.name}`);
        return;
      case "file-finished": {
        const { status, id } = event.result;
        this.#counts[status]++;
        this.#steps.delete(id);
        if (status !== "failed" && status !== "flaky") return;
        const head = painted(status, `${SIGN[status]} ${wordOf(event.result)}`, this.#style);
        this.#above([
          `${head}  ${this.#style.bold(oneLine(id))}`,
          ...reasonLines(event.result, this.#style, this.#output.columns - 4).map((line) => `    ${line}`),
        ]);
        return;
      }
      case "tests-note":
        return this.#above([`${this.#style.warn("!")} ${oneLine(event.message)}`]);
      case "try-started":
      case "try-finished":
    }
  }

  finish(summary: TestSummary): Promise<void> {
    this.#clear();
    // What went wrong has been said already.
    this.#output.write(`${endingLines(summary, this.#style, this.#output.columns).at(-1) ?? ""}\n`);
    return Promise.resolve();
  }

  #above(lines: readonly string[]): void {
    this.#clear();
    for (const line of lines) this.#output.write(`${line}\n`);
    this.#draw();
  }

  #clear(): void {
    if (this.#drawn > 0) this.#output.write(this.#drawn === 1 ? CLEAR_LINE : clearLines(this.#drawn - 1));
    this.#drawn = 0;
  }

  #draw(): void {
    this.#clear();
    // One column is left free: a full line would wrap, and could not be cleared.
    const room = this.#output.columns - 1;
    const lines = boardLines(this.#busy, this.#steps, this.#counts, this.#all).map((line) => cut(line, room));
    this.#output.write(this.#style.dim(lines.join("\n")));
    this.#drawn = lines.length;
  }
}

/** The block that is drawn anew: the counts, then a line a desktop. */
export function boardLines(
  busy: readonly BusyDesktop[],
  steps: ReadonlyMap<string, string>,
  counts: Readonly<Record<TestStatus, number>>,
  all: number,
): string[] {
  const over = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const parts = Object.entries(counts).filter(([, n]) => n > 0).map(([status, n]) => `${n} ${status}`);
  const workers = new Set(busy.map(({ name, host }) => `${name}@${host}`)).size;
  const head = [
    `[${over}/${all}]`,
    ...parts,
    busy.length === 0
      ? "no worker is at it"
      : `${busy.length} run on ${workers} ${workers === 1 ? "worker" : "workers"}`,
  ].join("  ");
  const shown = busy.slice(0, MOST);
  const wide = Math.max(0, ...shown.map(({ name, host }) => `${name}@${host}`.length));
  return [
    head,
    ...shown.map(({ name, host, slot, test, took }) =>
      oneLine(
        `  ${pad(`${name}@${host}`, wide)} ${slot}  ${duration(Math.max(0, took)).padStart(6)}  ${test.id}  ${
          steps.get(test.id) ?? ""
        }`,
      ).trimEnd()
    ),
    ...(busy.length > MOST ? [`  … and ${busy.length - MOST} more`] : []),
  ];
}
