import type { TestEvent } from "../../report/reporter.ts";
import { patiently } from "../database/database.ts";
import type { Fleet } from "../queue/fleet.ts";
import type { Taken } from "../queue/take.ts";
import { LIMITS } from "../schema/tables.ts";

/** Milliseconds after which what was told is written, and how many at a time. */
const PERIOD = 250, BATCH = 200;
/** Milliseconds that the last of them are tried for. */
const LAST = 30_000;

/** Writes what an attempt tells to the database, in batches, in order. Where that takes no more, single steps are left out. */
export class EventWriter {
  readonly #fleet: Fleet;
  readonly #taken: Taken;
  readonly #failed: (error: unknown) => void;
  #waiting: string[] = [];
  #count = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(fleet: Fleet, taken: Taken, failed: (error: unknown) => void) {
    this.#fleet = fleet;
    this.#taken = taken;
    this.#failed = failed;
  }

  add(event: TestEvent): void {
    if (++this.#count > LIMITS.events && event.event === "run") return;
    const text = JSON.stringify(event);
    this.#waiting.push(text.length <= LIMITS.event ? text : JSON.stringify(tooLong(event)));
    if (this.#waiting.length >= BATCH) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), PERIOD);
  }

  /** Waits until all of it is written; what cannot be is told and given up. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    this.#writing = this.#writing.then(() => this.#insert(batch));
  }

  async #insert(batch: readonly string[]): Promise<void> {
    const { job, attempt, token } = this.#taken;
    try {
      await patiently(() =>
        this.#fleet.database.run(
          `insert into event (run, job, attempt, token, body)
           select $1, $2, $3, $4, one.value from json_array_elements($5::json) as one`,
          [job.run, job.id, attempt, token, `[${batch.join(",")}]`],
        ), { within: LAST });
    } catch (thrown) {
      this.#failed(thrown);
    }
  }
}

function tooLong(event: TestEvent): TestEvent {
  const about = event.event === "run" ? `${event.reported.event} of ${event.test}` : event.event;
  return {
    event: "tests-note",
    level: "warning",
    message: `An event is left out, since it has more than ${LIMITS.event} characters: ${about}`,
  };
}
