import { type Call, Deadline } from "../../base/call.ts";
import { toBackstepError } from "../../base/error.ts";
import type { Bytes } from "../../ffi/binding.ts";
import { Op, type OpNumber } from "../../ffi/op.ts";
import { Request } from "../../ffi/request.ts";
import type { Watch } from "../desktop.ts";
import type { Application, ElementRef } from "../element.ts";
import { type Flush, flushTurns } from "../flush.ts";
import { webFactsOf } from "../toolkits.ts";
import { Coordinates } from "./coordinates.ts";

/** Milliseconds for making an application report. */
const FLUSH = 1_000;
/** Milliseconds for the first report of what was done: Chromium took 7 at most on a quiet machine. */
const FIRST = 12;
/** Why an application is not made to report, or not heard: what is asked next says so better. */
const SAID_LATER: ReadonlySet<string> = new Set([
  "stale",
  "unsupported",
  "refused",
  "timeout",
  "app_gone",
  "cancelled",
  "no_desktop",
]);

/** What is asked of the desktop. */
export interface ReportSource {
  submit(op: OpNumber, request: Bytes, call: Call): Promise<Bytes>;
  application(bus: string): Application | undefined;
  watch(): Watch;
}

/** Makes applications report that report late: a page of Chromium does so at a hit test. */
export class LateReports {
  readonly #source: ReportSource;

  constructor(source: ReportSource) {
    this.#source = source;
  }

  /** See `Desktop.flushOf`. */
  flushOf(element: ElementRef): Flush | undefined {
    const application = this.#source.application(element.bus);
    if (application === undefined || !webFactsOf(application)?.reportsAtHitTest) return undefined;
    return (call = {}) => this.#flush(element, Deadline.of(call, FLUSH).within(FLUSH));
  }

  /** Does something to an element, and waits a moment for what its application reports of that, where it is made to. */
  async around<T>(element: ElementRef, deadline: Deadline, act: () => Promise<T>): Promise<T> {
    const flush = this.flushOf(element);
    if (flush === undefined) return await act();
    const watch = this.#source.watch();
    try {
      const reply = await act();
      await saidLater(() => this.#first(watch, element.bus, flush, deadline.within(FIRST)));
      return reply;
    } finally {
      watch.close();
    }
  }

  /** Of a point outside of everything: who answers is not asked. */
  async #flush({ bus, path }: ElementRef, deadline: Deadline): Promise<void> {
    const request = new Request().str(bus).str(path).u32(Coordinates.screen).i32(-1).i32(-1);
    await saidLater(() => this.#source.submit(Op.atPoint, request.bytes(), deadline.call()));
  }

  async #first(watch: Watch, bus: string, flush: Flush, deadline: Deadline): Promise<void> {
    const turns = flushTurns(flush, deadline);
    while (!deadline.passed) {
      const turn = await turns();
      await watch.next(turn.call());
      if (watch.take().some((event) => event.bus === bus)) return;
    }
  }
}

async function saidLater(ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (thrown) {
    if (!SAID_LATER.has(toBackstepError(thrown).code)) throw thrown;
  }
}
